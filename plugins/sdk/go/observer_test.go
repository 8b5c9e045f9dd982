package callbroker

import (
	"context"
	"errors"
	"testing"
)

func callOf(id string, rev int) Object { return Object{"call": id, "rev": rev} }

func eventOf(seq int, topic string, data Object, more Object) Object {
	return Object{"method": "event", "params": with(Object{"subscription": 1, "epoch": "e", "seq": seq,
		"prev": seq - 1, "at_ms": 1, "topic": topic, "data": data}, more)}
}

func snapshotOf(seq int, calls ...Object) Object {
	return Object{"subscription": 1, "epoch": "e", "seq": seq,
		"snapshot": Object{"calls": append([]Object{}, calls...)}}
}

func next(t *testing.T, o *Observer) Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(background, ceiling)
	defer cancel()
	event, err := o.Next(ctx)
	must(t, err)
	return event
}

func topicsAre(t *testing.T, o *Observer, wanted ...string) {
	t.Helper()
	for _, topic := range wanted {
		equal(t, next(t, o).Topic, topic)
	}
}

func TestASnapshotThenWhatHappens(t *testing.T) {
	changed := make(chan Object, 9)
	broker := newScriptedBroker(t)
	o := NewObserver("t", ObserverOptions{Topics: []string{"call.*"}, IncludeEnded: true}, broker.quick())
	o.On("call.changed", func(params Object) { changed <- params })
	opened(t, o.Client)
	peer := broker.accept()
	subscribe := peer.greetObserver(snapshotOf(4, callOf("a", 1)))
	equal(t, subscribe["params"], Object{"topics": []string{"call.*"}, "include_ended": true})
	peer.send(eventOf(5, "call.added", callOf("b", 1), nil), eventOf(6, "call.changed", callOf("b", 2), nil),
		eventOf(7, "call.changed", callOf("a", 0), nil), eventOf(8, "call.removed", Object{"call": "a"}, nil),
		eventOf(9, "broker.bookmark", nil, nil), eventOf(10, "x_last", nil, nil))
	topicsAre(t, o, "snapshot", "call.added", "call.changed", "call.changed", "call.removed", "x_last")
	equal(t, o.Calls(), Object{"b": callOf("b", 2)})
	equal(t, o.Cursor(), Cursor{"e", 10})
	equal(t, got(t, changed)["data"], callOf("b", 2))
}

func TestEventsBeforeTheReplyThatNamesTheirSubscriptionCount(t *testing.T) {
	_, o, peer := newTestObserver(t, ObserverOptions{})
	peer.greet(nil)
	subscribe := peer.read("events.subscribe")
	peer.send(eventOf(3, "call.added", callOf("old", 1), nil), eventOf(5, "call.added", callOf("b", 1), nil))
	peer.reply(subscribe, snapshotOf(4))
	topicsAre(t, o, "snapshot", "call.added")
	equal(t, o.Calls(), Object{"b": callOf("b", 1)})
}

func TestWhatTakesNoNumberIsDelivered(t *testing.T) {
	_, o, peer := newTestObserver(t, ObserverOptions{})
	known := with(callOf("a", 1), Object{"allowed": []string{"end", "merge"}, "merge_with": []string{"b"},
		"paused_tones": Object{"digits": "1"}})
	peer.greetObserver(snapshotOf(4, known))
	same := Object{"prev": 4}
	peer.send(eventOf(4, "plugin.log", Object{"number": 1}, same),
		eventOf(4, "host.presence", Object{"state": "in_call"}, same),
		eventOf(4, "call.quality", Object{"call": "a"}, same),
		eventOf(4, "call.allowed_changed", Object{"call": "a", "allowed": []string{"end"}}, same))
	topicsAre(t, o, "snapshot", "plugin.log", "host.presence", "call.quality", "call.allowed_changed")
	equal(t, o.Calls(), Object{"a": with(callOf("a", 1), Object{"allowed": []string{"end"}})})
}

var brokerWithChanges = Object{"features": Object{"call_changes": Object{"version": 1}}}

func TestChangesAreDeliveredAsWholeCalls(t *testing.T) {
	_, o, peer := newTestObserver(t, ObserverOptions{})
	peer.greet(brokerWithChanges)
	subscribe := peer.read("events.subscribe")
	equal(t, subscribe["params"], Object{"topics": []string{"*"}, "detail": "changes"})
	peer.reply(subscribe, snapshotOf(4, with(callOf("a", 1), Object{"name": "Ada", "pending_action": "answering"})))
	of := Object{"call": "a"}
	peer.send(eventOf(5, "call.changed", Object{"set": Object{"state": "active", "rev": 2},
		"removed": []string{"pending_action"}, "changed": []string{"state", "pending_action"}, "cause": Object{"origin": "user"}}, of))
	whole := with(callOf("a", 2), Object{"name": "Ada", "state": "active",
		"changed": []string{"state", "pending_action"}, "cause": Object{"origin": "user"}})
	topicsAre(t, o, "snapshot")
	equal(t, next(t, o).Data, whole)
	equal(t, o.Calls(), Object{"a": whole})
}

func TestChangesOfAnUnknownCallAreRepairedByASnapshot(t *testing.T) {
	_, o, peer := newTestObserver(t, ObserverOptions{})
	peer.greet(brokerWithChanges)
	peer.reply(peer.read("events.subscribe"), snapshotOf(4))
	peer.send(eventOf(5, "call.changed", Object{"set": Object{"rev": 2}}, Object{"call": "a"}))
	peer.reply(peer.read("events.unsubscribe"), Object{})
	peer.reply(peer.read("events.subscribe"), snapshotOf(6, callOf("a", 2)))
	topicsAre(t, o, "snapshot", "snapshot")
	equal(t, o.Calls(), Object{"a": callOf("a", 2)})
}

func TestWholeCallsAreAskedForWithoutTheCallsThatChange(t *testing.T) {
	for _, watched := range []ObserverOptions{{Topics: []string{"call.changed"}}, {Cursor: &Cursor{"e", 4}}} {
		_, _, peer := newTestObserver(t, watched)
		peer.greet(brokerWithChanges)
		equal(t, peer.read("events.subscribe").Object("params")["detail"], nil)
	}
}

func TestASnapshotGoesOnWithPages(t *testing.T) {
	_, o, peer := newTestObserver(t, ObserverOptions{})
	first := snapshotOf(1, callOf("a", 1))
	first.Object("snapshot")["next"] = "n"
	peer.greetObserver(first)
	list := peer.read("call.list")
	equal(t, list["params"], Object{"after": "n"})
	peer.reply(list, Object{"calls": []Object{callOf("b", 1)}})
	topicsAre(t, o, "snapshot")
	equal(t, o.Calls(), Object{"a": callOf("a", 1), "b": callOf("b", 1)})
}

func TestAfterALostConnectionItGoesOnWhereItWas(t *testing.T) {
	broker, o, peer := newTestObserver(t, ObserverOptions{})
	peer.greetObserver(nil)
	peer.send(eventOf(1, "call.added", callOf("a", 1), nil))
	topicsAre(t, o, "snapshot", "call.added")
	peer.close()
	again := broker.accept()
	subscribe := again.greetObserver(Object{"subscription": 1, "epoch": "e", "seq": 2})
	equal(t, subscribe.Object("params")["cursor"], Cursor{"e", 1})
	again.send(eventOf(2, "call.removed", Object{"call": "a"}, nil))
	topicsAre(t, o, "call.removed")
	equal(t, o.Calls(), Object{})
}

func TestWhatWasMissedIsMendedByANewSnapshot(t *testing.T) {
	for _, mishap := range []Object{
		{"method": "events.gap", "params": Object{"subscription": 1}},
		eventOf(9, "call.added", callOf("x", 1), nil),
		eventOf(1, "call.added", callOf("x", 1), Object{"epoch": "other"}),
	} {
		_, o, peer := newTestObserver(t, ObserverOptions{})
		peer.greetObserver(nil)
		peer.send(mishap)
		peer.reply(peer.read("events.unsubscribe"), nil)
		subscribe := peer.read("events.subscribe")
		isTrue(t, subscribe.Object("params")["cursor"] == nil)
		peer.reply(subscribe, with(snapshotOf(9, callOf("y", 1)), Object{"subscription": 2}))
		topicsAre(t, o, "snapshot", "snapshot")
		equal(t, o.Calls(), Object{"y": callOf("y", 1)})
	}
}

func TestASnapshotThatIsRefusedIsAskedForInANewSession(t *testing.T) {
	broker, o, peer := newTestObserver(t, ObserverOptions{})
	peer.greetObserver(nil)
	peer.send(Object{"method": "events.gap", "params": Object{"subscription": 1}})
	peer.read("events.unsubscribe")
	peer.refuse(peer.read("events.subscribe"), CodeLimitReached, nil)
	broker.accept().greetObserver(nil)
	topicsAre(t, o, "snapshot", "snapshot")
}

func TestWhoeverDoesNotLookSeesAllAnewLater(t *testing.T) {
	broker := newScriptedBroker(t)
	o := NewObserver("t", ObserverOptions{}, broker.quick())
	last := make(chan Object, 1)
	o.On("x_last", func(params Object) { last <- params })
	opened(t, o.Client)
	peer := broker.accept()
	peer.greetObserver(nil)
	for seq := 1; seq <= eventsKept; seq++ {
		peer.send(eventOf(seq, "call.changed", callOf("a", seq), nil))
	}
	peer.send(eventOf(eventsKept+1, "x_last", nil, nil))
	got(t, last)
	topicsAre(t, o, "snapshot", "x_last")
	equal(t, o.Calls(), Object{"a": callOf("a", eventsKept)})
}

func TestAFunctionThatDoesNotReturnDoesNotLetNotificationsPileUp(t *testing.T) {
	broker := newScriptedBroker(t)
	o := NewObserver("t", ObserverOptions{}, broker.quick())
	goOn := make(chan bool)
	o.On("call.changed", func(Object) { <-goOn })
	opened(t, o.Client)
	peer := broker.accept()
	peer.greetObserver(nil)
	go func() {
		for seq := 1; seq <= toldWaiting+9; seq++ {
			peer.send(eventOf(seq, "call.changed", callOf("a", seq), nil))
		}
	}()
	broker.accept().greet(nil) // a new session instead
	close(goOn)
}

func TestNextEndsWithTheClient(t *testing.T) {
	_, o, peer := newTestObserver(t, ObserverOptions{})
	peer.greetObserver(nil)
	topicsAre(t, o, "snapshot")
	go o.Close()
	_, err := o.Next(background)
	isTrue(t, errors.Is(err, ErrDisconnected))
	ctx, cancel := context.WithCancel(background)
	cancel()
	_, other, peer := newTestObserver(t, ObserverOptions{})
	peer.greet(nil)
	_, err = other.Next(ctx)
	isTrue(t, errors.Is(err, context.Canceled))
}

func TestAScreenClaimsInEverySessionUntilItReleases(t *testing.T) {
	broker := newScriptedBroker(t)
	s := NewScreen("t", ObserverOptions{}, broker.quick())
	dismissed := make(chan string, 1)
	s.Present(func(_ context.Context, params Object) (bool, error) { return params["call"] == "a", nil })
	s.OnDismiss(func(call string) { dismissed <- call })
	s.Ask(func(context.Context, Object) (string, error) { return "later", nil })
	result := opened(t, s.Client)
	peer := broker.accept()
	equal(t, peer.greetObserver(nil)["method"], "events.subscribe")
	must(t, got(t, result))
	go s.Claim(background, Object{"priority": 5})
	peer.reply(peer.read("ui.claim"), Object{"primary": true})
	for id, wanted := range []Object{{"presented": true}, {"presented": false}} {
		peer.send(Object{"id": id, "method": "ui.present", "params": Object{"call": []string{"a", "b"}[id]}})
		equal(t, peer.read("")["result"], wanted)
	}
	peer.send(Object{"id": 3, "method": "ui.ask"}, Object{"method": "ui.dismiss", "params": Object{"call": "a"}})
	equal(t, peer.read("")["result"], Object{"answer": "later"})
	equal(t, got(t, dismissed), "a")
	peer.close()
	peer = broker.accept()
	peer.greetObserver(nil)
	claim := peer.read("ui.claim")
	equal(t, claim["params"], Object{"priority": 5})
	peer.reply(claim, nil)
	go s.Release(background)
	peer.reply(peer.read("ui.release"), nil)
	peer.close()
	peer = broker.accept()
	peer.greetObserver(nil)
	pong := ask(s.Client, background, "broker.ping", nil)
	peer.reply(peer.read("broker.ping"), nil)
	must(t, got(t, pong).err)
}
