package callbroker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

var odd = []string{
	"", "   ", "\r", "null", "7", `"x"`, "[]", "[[]]", "[{}]", "{}", "{", "}", "\xff\xfe", `{"a":1`,
	strings.Repeat("[", 30000), strings.Repeat(`{"a":`, 30000), "\x00", `{"id":1e400}`,
	strings.Repeat("1", 5000), "NaN", `{"method":7}`, `{"method":"event"}`,
	`{"method":"event","params":[]}`,
	`{"method":"event","params":{"topic":7,"seq":"x","data":null}}`,
	`{"method":"event","params":{"topic":"error","subscription":1,"data":null}}`,
	`{"method":"event","params":{"topic":"call.added","subscription":1,"data":[]}}`,
	`{"method":"event","params":{"topic":"call.added","subscription":1,"seq":{},"data":7}}`,
	`{"method":"event","params":{"topic":"call.added","subscription":1,"seq":1e300,"data":{}}}`,
	`{"method":"events.gap"}`, `{"method":"events.gap","params":{"subscription":[]}}`,
	`{"method":"broker.cancel"}`, `{"method":"broker.cancel","params":{"request":{}}}`,
	`{"method":"broker.cancel","params":{"request":null}}`,
	`{"method":"broker.cancel","params":{"action":[]}}`,
	`{"method":"provider.timed_out","params":{"action":[]}}`, `{"method":"x_new.thing"}`,
	`{"method":"error"}`, `{"method":"close"}`, `{"method":""}`,
	`{"method":"broker.goodbye","params":{"reason":[],"reconnect_after_ms":"x"}}`,
	`{"method":"broker.warning"}`, `{"id":{},"method":"x"}`,
	`{"id":[],"method":"provider.perform"}`, `{"id":[],"method":"provider.execute"}`,
	`{"id":null,"error":{"code":-32600,"message":"x"}}`, `{"id":1,"result":{}}`,
	`{"id":"1","result":{}}`, `{"id":true,"result":{}}`, `{"id":-1,"error":null}`,
	`{"id":[],"result":{}}`, `{"result":{}}`, `{"error":7}`,
}

func TestOddLinesChangeNothing(t *testing.T) {
	_, app, forApp := newProvider(t, nil)
	forApp.greetProvider()
	_, observer, forObserver := newTestObserver(t, ObserverOptions{})
	forObserver.greetObserver(nil)
	for _, one := range []struct {
		client *Client
		peer   *peer
	}{{app.Client, forApp}, {observer.Client, forObserver}} {
		for _, line := range odd {
			one.peer.raw(line + "\n")
			payload := fmt.Sprintf("%.60q", line)
			pong := ask(one.client, background, "broker.ping", Object{"payload": payload})
			frame := one.peer.read("")
			for ; frame["method"] != "broker.ping"; frame = one.peer.read("") {
				if frame["method"] == nil {
					isTrue(t, frame.Object("error").Integer("code") < -32000)
				} else {
					one.peer.reply(frame, Object{"subscription": 1, "epoch": "e", "seq": 0, "snapshot": Object{}})
				}
			}
			one.peer.reply(frame, frame.Object("params"))
			equal(t, got(t, pong).result, Object{"payload": payload})
		}
	}
}

func TestOddRepliesToTheOpeningAreTakenForWhatTheyAre(t *testing.T) {
	for _, result := range []Object{{"denied_roles": 7}, {"limits": 7, "session": []any{}, "features": "x"},
		{"denied_roles": []any{nil, 7}, "limits": Object{"frame_bytes": "x"}}} {
		_, client, peer, opened := newTestController(t, nil)
		peer.reply(peer.read("broker.hello"), result)
		must(t, got(t, opened))
		pong := ask(client, background, "broker.ping", nil)
		peer.reply(peer.read("broker.ping"), nil)
		must(t, got(t, pong).err)
	}
	for _, result := range []Object{{}, {"subscription": []any{}, "snapshot": 7},
		{"subscription": 1, "seq": "x", "snapshot": Object{"calls": []any{7, nil, Object{}, Object{"call": 7}}}}} {
		broker, _, peer := newTestObserver(t, ObserverOptions{})
		peer.greetObserver(result)
		peer.send(Object{"id": 7, "method": "broker.ping"})
		equal(t, peer.read("")["id"], 7)
		peer.close()
		broker.accept()
	}
}

func TestFramesMayComeInPiecesOrTogether(t *testing.T) {
	_, _, peer := newProvider(t, func(app *Provider) {
		app.Perform("answer", func(context.Context, *Action) error { return nil })
	})
	peer.greetProvider()
	whole := encoded(Object{"id": 70, "method": "broker.ping", "params": Object{"payload": "ü€"}}) +
		encoded(Object{"id": 71, "method": "provider.perform", "params": Object{"action": "a", "kind": "answer"}}) +
		encoded(Object{"id": 72, "method": "broker.ping"})
	for _, size := range []int{len(whole), 1, 3, 64} {
		for rest := whole; rest != ""; {
			piece := rest
			if len(piece) > size {
				piece = piece[:size]
			}
			peer.raw(piece)
			rest = rest[len(piece):]
		}
		found := Object{}
		for range []int{0, 1, 2} {
			frame := peer.read("")
			found[fmt.Sprint(frame["id"])] = frame["result"]
		}
		equal(t, found, Object{"70": Object{"payload": "ü€"}, "71": Object{}, "72": Object{}})
	}
}

func TestAReplyCountsOnceAndRepliesMayOvertakeEachOther(t *testing.T) {
	_, app, peer := newProvider(t, nil)
	peer.greetProvider()
	var replies []<-chan reply
	var frames []Object
	for n := 0; n < 3; n++ {
		replies = append(replies, ask(app.Client, background, "broker.ping", Object{"payload": n}))
		frames = append(frames, peer.read("broker.ping"))
	}
	for n := 2; n >= 0; n-- {
		id := frames[n]["id"]
		peer.send(Object{"id": frames[n].Integer("id") + 10, "result": Object{}},
			Object{"id": fmt.Sprint(id), "result": Object{}},
			Object{"id": id, "result": with(frames[n].Object("params"), Object{"x_new": Object{}})},
			Object{"id": id, "result": Object{}}, Object{"id": id, "error": Object{"code": -32004}})
	}
	for n, reply := range replies {
		equal(t, got(t, reply).result, Object{"payload": n, "x_new": Object{}})
	}
}

func TestTheLastLineNeedsNoEnd(t *testing.T) {
	_, app, peer := newProvider(t, nil)
	peer.greetProvider()
	reply := ask(app.Client, background, "call.report_ended", Object{"call": testCall})
	id := peer.read("call.report_ended")["id"]
	peer.raw(strings.TrimSpace(encoded(Object{"id": id, "result": Object{"seq": 5}})))
	peer.close()
	equal(t, got(t, reply).result, Object{"seq": 5})
}

func TestALongDocumentComesThroughAndAnEndlessLineEndsTheConnection(t *testing.T) {
	broker, app, peer := newProvider(t, nil)
	peer.greetProvider()
	reply := ask(app.Client, background, "rpc.discover", nil)
	peer.reply(peer.read("rpc.discover"), Object{"methods": strings.Repeat("x", 900_000)})
	equal(t, len(got(t, reply).result.Text("methods")), 900_000)
	go peer.raw(strings.Repeat("x", 2_000_000))
	broker.accept().greetProvider()
}

func TestLostAtEachPointOfTheOpening(t *testing.T) {
	broker, app, peer := newProvider(t, func(app *Provider) {
		app.Perform("answer", func(context.Context, *Action) error { return nil })
	})
	peer.greetProvider()
	length := len(encoded(Object{"id": 1, "result": Object{"session": testSession}}))
	for cut := 0; cut < length; cut += 7 {
		peer.close()
		peer = broker.accept()
		id := peer.read("broker.hello")["id"]
		peer.raw(encoded(Object{"id": id, "result": Object{"session": testSession}})[:cut])
	}
	peer.close()
	peer = broker.accept()
	peer.greetProvider()
	asked := ask(app.Client, background, "call.report_connected", Object{"call": testCall})
	id := peer.read("call.report_connected")["id"]
	peer.raw(encoded(Object{"id": id, "result": Object{}})[:9])
	peer.close()
	isTrue(t, errors.Is(got(t, asked).err, ErrDisconnected))
	peer = broker.accept()
	peer.greetProvider()
	peer.perform(7, nil)
	equal(t, peer.read("")["id"], 7)
}
