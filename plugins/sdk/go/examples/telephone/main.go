// A telephone of one line. Say what happens at the far end: ring NUMBER, connect, hangup. The user has
// `callbroker answer`, `callbroker dial tel:+15550100`, `callbroker hold`, `callbroker end`.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"

	"callbroker"
)

// A line has one call at most, which is nil if there is none.
type line struct {
	app  *callbroker.Provider
	mu   sync.Mutex
	call callbroker.Object
}

func (l *line) set(call callbroker.Object) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.call = call
}

// change sets the state of the call, and returns its id.
func (l *line) change(state string) (id string, isThere bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.call == nil {
		return "", false
	}
	l.call["state"] = state
	return l.call.Text("call"), true
}

func (l *line) live() ([]callbroker.Object, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.call == nil {
		return nil, nil
	}
	call := callbroker.Object{}
	for name, value := range l.call {
		call[name] = value
	}
	return []callbroker.Object{call}, nil
}

func (l *line) perform(_ context.Context, action *callbroker.Action) error {
	fmt.Println(action.Kind)
	switch action.Kind {
	case "start":
		l.set(callbroker.Object{"call": action.Call, "direction": "outgoing", "state": "dialing",
			"remote": action.Arguments["remote"]})
	case "answer":
		l.change("active")
	case "set_held":
		l.change(map[bool]string{true: "held", false: "active"}[action.Arguments.Flag("held")])
	case "end":
		l.set(nil)
	default:
		return &callbroker.Failed{Code: callbroker.CodeMethodNotFound, Reason: "not_supported"}
	}
	return nil
}

// farEnd does what was typed. What cannot be reported now is listed by live in the next session.
func (l *line) farEnd(ctx context.Context, command string) {
	var refused *callbroker.Error
	isRing := strings.HasPrefix(command, "ring ")
	number := strings.TrimPrefix(command, "ring ")
	switch {
	case isRing:
		call := callbroker.NewID()
		l.set(callbroker.Object{"call": call, "direction": "incoming", "state": "ringing",
			"remote": callbroker.Phone(number)})
		_, err := l.app.ReportIncoming(ctx, call, callbroker.Phone(number), nil)
		if errors.As(err, &refused) { // it is not to ring
			l.set(nil)
		}
	case command == "connect":
		if call, isThere := l.change("active"); isThere {
			_, _ = l.app.ReportConnected(ctx, call, nil)
		}
	case command == "hangup":
		if call, isThere := l.change("ended"); isThere {
			l.set(nil)
			_, _ = l.app.ReportEnded(ctx, call, "remote_ended", nil)
		}
	}
}

func main() {
	ctx, stop := context.WithCancel(context.Background())
	app := callbroker.NewProvider("org.example.telephone", "Telephone",
		callbroker.Object{"handle_types": []string{"phone"}, "max_call_groups": 1}, callbroker.Options{})
	l := &line{app: app}
	for _, kind := range []string{"start", "answer", "end", "set_held", "play_dtmf"} {
		app.Perform(kind, l.perform)
	}
	app.Reconcile(l.live)
	app.OnDropped(func([]string) { l.set(nil) })
	app.On("provider.reset", func(callbroker.Object) { l.set(nil) })
	app.OnOpen(func() { fmt.Println("connected") })
	app.OnLost(func(why error) { fmt.Println("lost, trying again:", why) })
	go func() {
		defer stop()
		for commands := bufio.NewScanner(os.Stdin); commands.Scan(); {
			l.farEnd(ctx, commands.Text())
		}
	}()
	if err := app.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
