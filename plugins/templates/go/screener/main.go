// @TITLE@: a screener: it blocks callers without a number.
package main

import (
	"context"
	"log"
	"os/signal"
	"syscall"

	"example.org/@NAME@/callbroker"
)

// Every call waits for the verdict before it rings.
func check(_ context.Context, call callbroker.Object) (callbroker.Object, error) {
	if call.Object("remote") == nil {
		return callbroker.Object{"verdict": "block"}, nil
	}
	return callbroker.Object{"verdict": "continue"}, nil // or allow, silence
}

func main() {
	client := callbroker.NewClient("@NAME@",
		callbroker.Options{Identity: "@IDENTITY@", Roles: []string{"screener"}})
	client.Handle("screener.check", check)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := client.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
