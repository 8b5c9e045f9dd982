// @TITLE@: a screen: it shows incoming calls as lines of its log.
package main

import (
	"context"
	"log"
	"os/signal"
	"syscall"

	"example.org/@NAME@/callbroker"
)

func main() {
	screen := callbroker.NewScreen("@NAME@", callbroker.ObserverOptions{Topics: []string{"call.*"}},
		callbroker.Options{Identity: "@IDENTITY@"})
	// Its manifest claims the screen. Buttons request screen.Answer, screen.End, ...
	screen.Present(func(_ context.Context, call callbroker.Object) (bool, error) {
		log.Printf("%.8s rings", call.Text("call"))
		return true, nil // false: another may show it
	})
	screen.OnDismiss(func(call string) { log.Printf("%.8s is gone", call) })
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := screen.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
