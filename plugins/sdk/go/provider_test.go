package callbroker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func errorReply(id any, code Code, reason, message string, data Object) Object {
	return Object{"jsonrpc": "2.0", "id": id, "error": Object{"code": code, "message": message,
		"data": with(Object{"reason": reason}, data)}}
}

func TestAnActionReachesTheFunctionOfItsKind(t *testing.T) {
	told := make(chan *Action, 1)
	_, _, peer := newProvider(t, func(app *Provider) {
		app.Perform("set_held", func(ctx context.Context, action *Action) error {
			told <- action
			return ctx.Err()
		})
	})
	peer.greetProvider()
	peer.perform(7, Object{"kind": "set_held", "arguments": Object{"held": true}, "attempt": 2, "x_new": 1})
	equal(t, peer.read(""), Object{"jsonrpc": "2.0", "id": 7, "result": Object{}})
	a := got(t, told)
	equal(t, []any{a.ID, a.Kind, a.Call, a.Arguments, a.Transaction, a.Cause, a.DeadlineMS, a.Attempt(), a.AgeMS()},
		[]any{testAction, "set_held", testCall, Object{"held": true}, "t", Object{"origin": "user"}, 5000, 2, 0})
}

func TestFulfilledFailedBrokenAndUnknown(t *testing.T) {
	faults := make(chan error, 9)
	_, app, peer := newProvider(t, func(app *Provider) {
		app.Perform("answer", func(_ context.Context, action *Action) error {
			switch action.ID {
			case "fails":
				return fmt.Errorf("in the app: %w", &Failed{Reason: "remote_refused", Message: "far end refused"})
			case "breaks":
				return errors.New("x")
			case "panics":
				panic("y")
			}
			action.FulfilledAt(1763712000000)
			return nil
		})
		app.Perform("x_blink", func(context.Context, *Action) error {
			return &Failed{Reason: "no_lamp", AppCode: "LED 4"}
		})
		app.Perform("x_glow", func(context.Context, *Action) error { return &Failed{AppCode: "LED 5"} })
	})
	app.mu.Lock()
	app.onFault = func(err error) { faults <- err }
	app.mu.Unlock()
	peer.greetProvider()
	for _, one := range []struct {
		kind, action string
		wanted       Object
	}{
		{"answer", "works", Object{"jsonrpc": "2.0", "id": 8, "result": Object{"at_ms": 1763712000000}}},
		{"answer", "fails", errorReply(8, -32000, "remote_refused", "far end refused", nil)},
		{"answer", "breaks", errorReply(8, -32603, "internal", "the handler failed", nil)},
		{"answer", "panics", errorReply(8, -32603, "internal", "the handler failed", nil)},
		{"x_blink", "b", errorReply(8, -32000, "no_lamp", "", Object{"app_code": "LED 4"})},
		{"x_glow", "g", errorReply(8, -32000, "unspecified", "", Object{"app_code": "LED 5"})},
		{"teleport", "c", errorReply(8, -32601, "not_supported", "teleport is not supported", nil)},
	} {
		peer.perform(8, Object{"kind": one.kind, "action": one.action})
		equal(t, peer.read(""), one.wanted)
	}
	equal(t, []string{got(t, faults).Error(), got(t, faults).Error()},
		[]string{"x", "callbroker: a handler has panicked: y"})
	peer.send(Object{"id": 12, "method": "provider.perform", "params": Object{}})
	equal(t, peer.read("").Object("error")["code"], -32602)
	peer.send(Object{"id": 13, "method": "provider.unheard_of"})
	equal(t, peer.read("").Object("error")["code"], -32601)
}

func TestAnActionIsTakenBack(t *testing.T) {
	late := make(chan Object, 1)
	_, _, peer := newProvider(t, func(app *Provider) {
		app.On("provider.timed_out", func(params Object) { late <- params })
		app.Perform("answer", func(ctx context.Context, action *Action) error {
			action.Progress(Progress{Phase: "ringing", Percent: 10, Message: "soon", ExtendMS: 5000})
			<-ctx.Done()
			return ctx.Err()
		})
	})
	peer.greetProvider()
	peer.perform(7, nil)
	equal(t, peer.read("broker.progress")["params"], Object{
		"request": 7, "phase": "ringing", "percent": 10, "message": "soon", "extend_ms": 5000})
	peer.send(Object{"method": "broker.cancel", "params": Object{"request": 8}},
		Object{"method": "broker.cancel", "params": Object{"request": 7}},
		Object{"method": "provider.timed_out", "params": Object{
			"action": testAction, "kind": "answer", "call": testCall}})
	equal(t, peer.read(""), errorReply(7, -32010, "cancelled", "cancelled", nil))
	equal(t, got(t, late)["call"], testCall)
}

func TestAnActionThatSucceedsAfterAllIsAnsweredAsItIs(t *testing.T) {
	_, _, peer := newProvider(t, func(app *Provider) {
		app.Perform("answer", func(ctx context.Context, action *Action) error {
			action.Progress(Progress{})
			<-ctx.Done()
			action.FulfilledAt(5)
			return nil
		})
	})
	peer.greetProvider()
	peer.perform(7, nil)
	peer.read("broker.progress")
	peer.send(Object{"method": "provider.timed_out", "params": Object{"action": testAction}})
	equal(t, peer.read("")["result"], Object{"at_ms": 5})
}

func TestARequestOfALostConnectionIsNotAnsweredInTheNext(t *testing.T) {
	begun, goOn, ended := make(chan bool, 1), make(chan bool), make(chan bool, 1)
	broker, _, peer := newProvider(t, func(app *Provider) {
		app.Handle("x_slow", func(ctx context.Context, _ Object) (Object, error) {
			begun <- true
			<-ctx.Done()
			<-goOn
			ended <- true
			return nil, nil
		})
	})
	peer.greetProvider()
	peer.send(Object{"id": 7, "method": "x_slow"})
	got(t, begun)
	peer.close()
	again := broker.accept()
	again.greetProvider()
	goOn <- true
	got(t, ended)
	again.send(Object{"id": 8, "method": "broker.ping"})
	equal(t, again.read("")["id"], 8)
}

func TestAResultThatCannotBeSentIsAnError(t *testing.T) {
	_, _, peer := newProvider(t, func(app *Provider) {
		app.Handle("x_long", func(context.Context, Object) (Object, error) {
			return Object{"x": strings.Repeat("y", 70_000)}, nil
		})
		app.Handle("x_odd", func(context.Context, Object) (Object, error) {
			return Object{"x": make(chan int)}, nil
		})
	})
	peer.greetProvider()
	for _, method := range []string{"x_long", "x_odd"} {
		peer.send(Object{"id": 7, "method": method})
		equal(t, peer.read(""), errorReply(7, -32603, "internal", "the handler failed", nil))
	}
}

func TestARepeatedActionIsDoneOnceAndAnsweredTwice(t *testing.T) {
	done := make(chan *Action, 9)
	_, _, peer := newProvider(t, func(app *Provider) {
		app.Perform("answer", func(_ context.Context, action *Action) error {
			done <- action
			return nil
		})
	})
	peer.greetProvider()
	for attempt := 1; attempt <= 2; attempt++ {
		peer.perform(6+attempt, Object{"attempt": attempt})
		equal(t, peer.read(""), Object{"jsonrpc": "2.0", "id": 6 + attempt, "result": Object{}})
	}
	equal(t, []any{got(t, done).Attempt(), len(done)}, []any{2, 0})
}

func TestAnActionOutlivesTheConnection(t *testing.T) {
	begun, goOn := make(chan bool, 1), make(chan bool)
	broker, _, peer := newProvider(t, func(app *Provider) {
		app.Perform("answer", func(_ context.Context, action *Action) error {
			begun <- true
			<-goOn
			action.FulfilledAt(9)
			return nil
		})
	})
	peer.greetProvider()
	peer.perform(7, nil)
	got(t, begun)
	peer.close()
	again := broker.accept()
	again.greetProvider()
	again.perform(1, Object{"attempt": 2})
	goOn <- true
	equal(t, again.read(""), Object{"jsonrpc": "2.0", "id": 1, "result": Object{"at_ms": 9}})
}

func TestOldActionsAreForgotten(t *testing.T) {
	_, app, peer := newProvider(t, func(app *Provider) {
		app.Perform("answer", func(context.Context, *Action) error { return nil })
	})
	peer.greetProvider()
	for id := 0; id < 266; id++ {
		peer.perform(id, Object{"action": fmt.Sprint("a", id)})
		equal(t, peer.read("")["id"], id)
	}
	app.mu.Lock()
	defer app.mu.Unlock()
	equal(t, []int{len(app.actions), len(app.order)}, []int{256, 256})
}

func TestReconcilingListsTheLiveCallsAndDropsWhatIsNotTaken(t *testing.T) {
	calls := make([]Object, 70)
	for n := range calls {
		calls[n] = Object{"call": fmt.Sprint("c", n)}
	}
	lists, dropped := make(chan []Object, 2), make(chan []string, 1)
	lists <- calls
	lists <- nil
	broker, _, peer := newProvider(t, func(app *Provider) {
		app.Reconcile(func() ([]Object, error) { return <-lists, nil })
		app.OnDropped(func(calls []string) { dropped <- calls })
	})
	peer.greet(nil)
	var seen []any
	for n := 0; n < 3; n++ {
		register := peer.read("provider.register")
		page := register.Object("params").Objects("calls")
		seen = append(seen, []any{len(page), page[0]["call"], register.Object("params")["more"]})
		peer.reply(register, Object{"dropped": []string{fmt.Sprint("c", n)}})
	}
	equal(t, seen, []any{[]any{32, "c0", true}, []any{32, "c32", true}, []any{6, "c64", nil}})
	equal(t, got(t, dropped), []string{"c0", "c1", "c2"})
	peer.close()
	equal(t, broker.accept().greetProvider().Object("params")["calls"], []any{})
}

func TestAChangedRegistrationIsKept(t *testing.T) {
	open := make(chan bool, 9)
	broker, app, peer := newProvider(t, func(app *Provider) { app.OnOpen(func() { open <- true }) })
	peer.greetProvider()
	got(t, open)
	equal(t, app.Registered()["provider"], "org.example.a")
	updated := make(chan error, 1)
	go func() {
		_, err := app.Update(background, Object{"display_name": "B"})
		updated <- err
	}()
	peer.reply(peer.read("provider.update"), nil)
	must(t, got(t, updated))
	peer.close()
	equal(t, broker.accept().greetProvider()["params"],
		Object{"display_name": "B", "handle_types": []string{"phone"}})
}

func TestATransactionIsTakenOverAndSettledAfterwards(t *testing.T) {
	_, _, peer := newProvider(t, func(app *Provider) {
		app.Execute(func(ctx context.Context, params Object) (bool, error) {
			go app.Settle(background, testAction, "fulfilled", nil)
			return params["transaction"] == "t1", nil
		})
	})
	equal(t, peer.greetProvider().Object("params")["takes_transactions"], true)
	for id, transaction := range []string{"t1", "t2"} {
		peer.send(Object{"id": id, "method": "provider.execute", "params": Object{
			"transaction": transaction, "actions": []any{}}})
		equal(t, peer.read("")["result"], Object{"taken": transaction == "t1"})
		equal(t, peer.read("action.settle").Object("params")["action"], testAction)
	}
}

func TestASettingOfALineIsChangedOrIsAsItWas(t *testing.T) {
	asked := make(chan Object, 9)
	_, _, peer := newProvider(t, func(app *Provider) {
		app.ChangeSetting(func(_ context.Context, line string, setting Object) error {
			asked <- with(setting, Object{"of": line})
			if !setting.Flag("on") {
				return &Failed{Reason: "barred"}
			}
			return nil
		})
	})
	peer.greetProvider()
	for _, on := range []bool{true, false} {
		peer.send(Object{"id": 7, "method": "line.change_setting", "params": Object{
			"line": "sim", "setting": "call_waiting", "on": on, "deadline_ms": 60000}})
		answer := peer.read("")
		equal(t, got(t, asked), Object{"of": "sim", "setting": "call_waiting", "on": on})
		if on {
			equal(t, answer["result"], Object{})
		} else {
			equal(t, answer.Object("error").Object("data")["reason"], "barred")
		}
	}
}

func TestOneActionOfATransactionIsTakenBack(t *testing.T) {
	withdrawn, goOn := make(chan string, 1), make(chan bool)
	_, _, peer := newProvider(t, func(app *Provider) {
		app.OnWithdrawn(func(action string) { withdrawn <- action })
		app.Execute(func(ctx context.Context, _ Object) (bool, error) {
			<-goOn
			return ctx.Err() == nil, nil
		})
	})
	peer.greetProvider()
	peer.send(Object{"id": 7, "method": "provider.execute", "params": Object{"transaction": "t"}},
		Object{"method": "broker.cancel", "params": Object{"request": 7, "action": testAction}})
	equal(t, got(t, withdrawn), testAction)
	goOn <- true
	equal(t, peer.read("")["result"], Object{"taken": true})
}

func TestWhatTheBrokerSaysReachesItsFunctionsInOrder(t *testing.T) {
	told := make(chan string, 9)
	_, _, peer := newProvider(t, func(app *Provider) {
		for _, name := range []string{"provider.reset", "audio.activated", "x_last"} {
			name := name
			app.On(name, func(params Object) { told <- name + params.Text("reason") })
		}
		app.On("x_panics", func(Object) { panic("z") })
	})
	peer.greetProvider()
	peer.send(Object{"method": "provider.reset", "params": Object{"reason": "admin"}},
		Object{"method": "x_panics"}, Object{"method": "close"},
		Object{"method": "audio.activated", "params": Object{"group": testCall}}, Object{"method": "x_last"})
	equal(t, []string{got(t, told), got(t, told), got(t, told)},
		[]string{"provider.resetadmin", "audio.activated", "x_last"})
}

func TestRequestsOfOtherRolesAreAnsweredOrTakenBack(t *testing.T) {
	begun := make(chan bool, 1)
	_, _, peer := newProvider(t, func(app *Provider) {
		app.Handle("screener.check", func(context.Context, Object) (Object, error) {
			return Object{"verdict": "block", "label": "spam"}, nil
		})
		app.Handle("ui.present", func(ctx context.Context, _ Object) (Object, error) {
			begun <- true
			<-ctx.Done()
			return nil, ctx.Err()
		})
	})
	peer.greetProvider()
	peer.send(Object{"id": "a", "method": "screener.check", "params": Object{"call": testCall}})
	equal(t, peer.read("")["result"], Object{"verdict": "block", "label": "spam"})
	peer.send(Object{"id": 2, "method": "ui.present"})
	got(t, begun)
	peer.send(Object{"method": "broker.cancel", "params": Object{"request": 2}})
	equal(t, peer.read(""), errorReply(2, -32010, "cancelled", "cancelled", nil))
}
