package callbroker

import (
	"context"
	"fmt"
	"testing"
)

// The broker's own description: every example is written and read as it stands.

func described(t *testing.T) []Object {
	broker := newRealBroker(t)
	client := NewClient("test", Options{Socket: broker.path, Roles: []string{"observer"}})
	must(t, client.Open(background))
	defer client.Close()
	document, err := client.Request(background, "rpc.discover", nil)
	must(t, err)
	return document.Objects("methods")
}

func fromList(list []Object) Object {
	members := Object{}
	for _, one := range list {
		members[one.Text("name")] = one["value"]
	}
	return members
}

func sends(t *testing.T, method string, params, result Object) {
	_, client, peer, opened := newTestController(t, nil)
	peer.greet(nil)
	must(t, got(t, opened))
	if result == nil {
		must(t, client.Notify(method, params))
		equal(t, peer.read(method)["params"], params)
		return
	}
	answered := ask(client, background, method, params)
	frame := peer.read(method)
	equal(t, frame["params"], params)
	peer.reply(frame, result)
	equal(t, got(t, answered).result, result)
}

func greets(t *testing.T, params Object) {
	about := params.Object("client")
	broker := newScriptedBroker(t)
	options := broker.quick()
	options.Roles, options.Features = params.Texts("roles"), params.Texts("features")
	options.Identity, options.Credential = params.Text("identity"), params.Text("credential")
	options.Version, options.URL = about.Text("version"), about.Text("url")
	client := NewClient(about.Text("name"), options)
	opened(t, client)
	peer := broker.accept()
	if params["resume"] != nil {
		peer.greet(Object{"session": params["resume"]})
		peer.close()
		peer = broker.accept()
	}
	equal(t, peer.greet(nil)["params"], params)
}

func receives(t *testing.T, method string, params, result Object) {
	told := make(chan Object, 1)
	_, _, peer := newProvider(t, func(app *Provider) {
		app.On(method, func(given Object) { told <- given })
		app.Handle(method, func(_ context.Context, given Object) (Object, error) {
			told <- given
			return result, nil
		})
	})
	peer.greetProvider()
	if result == nil {
		peer.send(Object{"method": method, "params": params})
	} else {
		peer.send(Object{"id": 7, "method": method, "params": params})
		equal(t, peer.read("")["result"], result)
	}
	if method != "broker.ping" {
		equal(t, got(t, told), params)
	}
}

func performs(t *testing.T, params, result Object) {
	told := make(chan *Action, 1)
	_, _, peer := newProvider(t, func(app *Provider) {
		app.Perform(params.Text("kind"), func(_ context.Context, action *Action) error {
			action.FulfilledAt(result.Integer("at_ms"))
			told <- action
			return nil
		})
	})
	peer.greetProvider()
	peer.send(Object{"id": 7, "method": "provider.perform", "params": params})
	equal(t, peer.read("")["result"], result)
	a := got(t, told)
	given := Object{"action": a.ID, "kind": a.Kind, "call": a.Call, "arguments": a.Arguments,
		"transaction": a.Transaction, "cause": a.Cause, "deadline_ms": a.DeadlineMS, "attempt": a.Attempt(),
		"age_ms": a.AgeMS()}
	for name, value := range params {
		equal(t, given[name], value)
	}
}

func observes(t *testing.T, params Object) {
	_, o, peer := newTestObserver(t, ObserverOptions{})
	peer.greetObserver(Object{"subscription": params["subscription"], "epoch": params["epoch"],
		"seq": params["prev"], "snapshot": Object{"calls": []any{}}})
	topicsAre(t, o, "snapshot")
	peer.send(Object{"method": "event", "params": params})
	if params.Text("topic") != "broker.bookmark" {
		equal(t, next(t, o).Params, params)
		return
	}
	peer.send(Object{"id": 7, "method": "broker.ping"})
	peer.read("")
	equal(t, o.Cursor(), Cursor{params.Text("epoch"), params.Integer("seq")})
}

func TestEveryExampleOfTheDocument(t *testing.T) {
	count := 0
	for _, method := range described(t) {
		name, direction := method.Text("name"), method["x-direction"]
		for number, example := range method.Objects("examples") {
			count++
			t.Run(fmt.Sprint(name, " ", number), func(t *testing.T) {
				params, result := fromList(example.Objects("params")), example.Object("result").Object("value")
				if direction != "to_client" && name == "broker.hello" {
					greets(t, params)
				} else if direction != "to_client" {
					sends(t, name, params, result)
				}
				switch {
				case direction == "to_broker" || name == "broker.cancel": // the client's own business
				case params["topic"] != nil:
					observes(t, params)
				case name == "provider.perform":
					performs(t, params, result)
				default:
					receives(t, name, params, result)
				}
			})
		}
	}
	isTrue(t, count > 50)
}

func TestEveryErrorHasAName(t *testing.T) {
	count := 0
	for _, method := range described(t) {
		for _, failure := range method.Objects("errors") {
			count++
			equal(t, codeNames[Code(failure.Integer("code"))], failure["message"])
		}
	}
	isTrue(t, count > 0)
}
