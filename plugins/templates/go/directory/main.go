// @TITLE@: a directory: it names callers by a list of numbers.
package main

import (
	"context"
	"log"
	"os/signal"
	"syscall"

	"example.org/@NAME@/callbroker"
)

var names = map[string]string{"+15550123": "Example Ltd"}

// A ringing call shows the name.
func lookup(_ context.Context, call callbroker.Object) (callbroker.Object, error) {
	if name := names[call.Object("remote").Text("value")]; name != "" {
		return callbroker.Object{"display_name": name}, nil
	}
	return nil, nil
}

func main() {
	client := callbroker.NewClient("@NAME@",
		callbroker.Options{Identity: "@IDENTITY@", Roles: []string{"directory"}})
	client.Handle("directory.lookup", lookup)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := client.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
