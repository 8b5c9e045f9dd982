// @TITLE@: a provider of calls. Somebody rings by writing a name to $XDG_RUNTIME_DIR/@NAME@.fifo.
package main

import (
	"bufio"
	"context"
	"errors"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"example.org/@NAME@/callbroker"
)

// What the broker has to know of each call that lives.
var calls = struct {
	sync.Mutex
	live map[string]callbroker.Object
}{live: map[string]callbroker.Object{}}

// change does something to a call that lives; returning nil means: done.
func change(do func(call callbroker.Object)) func(context.Context, *callbroker.Action) error {
	return func(_ context.Context, action *callbroker.Action) error {
		calls.Lock()
		defer calls.Unlock()
		call := calls.live[action.Call]
		if call == nil {
			return &callbroker.Failed{Reason: "no_such_call"}
		}
		do(call)
		return nil
	}
}

func forget(ids ...string) {
	calls.Lock()
	defer calls.Unlock()
	for _, id := range ids {
		delete(calls.live, id)
	}
}

// list is asked for in each new session.
func list() (found []callbroker.Object, err error) {
	calls.Lock()
	defer calls.Unlock()
	for _, call := range calls.live {
		copied := callbroker.Object{}
		for name, value := range call {
			copied[name] = value
		}
		found = append(found, copied)
	}
	return found, nil
}

func ring(app *callbroker.Provider, who string) {
	call, remote := callbroker.NewID(), callbroker.Generic(who)
	calls.Lock()
	calls.live[call] = callbroker.Object{"call": call, "direction": "incoming", "state": "ringing",
		"remote": remote, "supports_holding": false}
	calls.Unlock()
	more := callbroker.Object{"supports_holding": false}
	var refused *callbroker.Error
	_, err := app.ReportIncoming(context.Background(), call, remote, more)
	if errors.As(err, &refused) {
		forget(call) // it may not ring
	} // else the connection was lost, and the next session is told of it
}

// watch rings for each line that is written to the FIFO.
func watch(app *callbroker.Provider) {
	folder := os.Getenv("XDG_RUNTIME_DIR")
	if folder == "" {
		folder = "/tmp"
	}
	path := filepath.Join(folder, "@NAME@.fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil && !errors.Is(err, os.ErrExist) {
		log.Fatal(err)
	}
	bell, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		log.Fatal(err)
	}
	for lines := bufio.NewReader(bell); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			log.Fatal(err)
		}
		go ring(app, strings.ToValidUTF8(strings.TrimSpace(line[:min(len(line), 60)]), ""))
	}
}

func min(one, other int) int {
	if one < other {
		return one
	}
	return other
}

func main() {
	app := callbroker.NewProvider("@IDENTITY@", "@TITLE@",
		callbroker.Object{"handle_types": []string{"generic"}}, callbroker.Options{})
	app.Perform("answer", change(func(call callbroker.Object) { call["state"] = "active" }))
	app.Perform("end", change(func(call callbroker.Object) { delete(calls.live, call.Text("call")) }))
	app.Perform("set_muted", change(func(callbroker.Object) {}))
	app.Reconcile(list)
	app.OnDropped(func(ids []string) { forget(ids...) })
	app.On("provider.reset", func(callbroker.Object) {
		calls.Lock()
		defer calls.Unlock()
		calls.live = map[string]callbroker.Object{}
	})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go watch(app)
	if err := app.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
