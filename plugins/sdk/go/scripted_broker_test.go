package callbroker

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"
)

const (
	testCall   = "11111111-1111-4111-8111-111111111111"
	testAction = "33333333-3333-4333-8333-333333333333"
	ceiling    = 30 * time.Second // for what has to come
)

var testSession = Object{"session": "1b4e28ba-2fa1-4d2b-883f-0016d3cca427", "secret": "s3cret"}

// A scriptedBroker does what the test says, on a real Unix socket. It waits for frames, not for time.
type scriptedBroker struct {
	t        *testing.T
	path     string
	listener net.Listener
}

func newScriptedBroker(t *testing.T) *scriptedBroker {
	b := &scriptedBroker{t: t, path: filepath.Join(t.TempDir(), "broker.sock")}
	b.listen()
	return b
}

func (b *scriptedBroker) listen() {
	listener, err := net.Listen("unix", b.path)
	must(b.t, err)
	b.listener = listener
	b.t.Cleanup(func() { listener.Close() })
}

func (b *scriptedBroker) accept() *peer {
	b.t.Helper()
	b.listener.(*net.UnixListener).SetDeadline(time.Now().Add(ceiling))
	socket, err := b.listener.Accept()
	must(b.t, err)
	b.t.Cleanup(func() { socket.Close() })
	return newPeer(b.t, socket)
}

// A peer is the broker's end of one connection.
type peer struct {
	t      *testing.T
	socket net.Conn
	lines  *bufio.Reader
}

func newPeer(t *testing.T, socket net.Conn) *peer {
	socket.SetReadDeadline(time.Now().Add(ceiling))
	return &peer{t, socket, bufio.NewReaderSize(socket, 1<<20)}
}

// read returns the next frame; with a method, one of this method.
func (p *peer) read(method string) Object {
	p.t.Helper()
	line, err := p.lines.ReadBytes('\n')
	must(p.t, err)
	var frame Object
	must(p.t, json.Unmarshal(line, &frame))
	if method != "" {
		equal(p.t, frame.Text("method"), method)
	}
	return frame
}

// ended waits until the client has closed.
func (p *peer) ended() {
	p.t.Helper()
	if line, err := p.lines.ReadBytes('\n'); err == nil {
		p.t.Fatalf("the client goes on: %s", line)
	}
}

func (p *peer) raw(text string) {
	p.socket.Write([]byte(text))
}

func encoded(frame Object) string {
	text, err := json.Marshal(with(frame, Object{"jsonrpc": "2.0"}))
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

// send writes all in one piece.
func (p *peer) send(frames ...Object) {
	text := ""
	for _, frame := range frames {
		text += encoded(frame)
	}
	p.raw(text)
}

func (p *peer) reply(request Object, result Object) {
	p.send(Object{"id": request["id"], "result": with(result)})
}

func (p *peer) refuse(request Object, code Code, data Object) {
	p.send(Object{"id": request["id"], "error": Object{"code": code, "message": "no", "data": data}})
}

// greet opens the session.
func (p *peer) greet(more Object) Object {
	p.t.Helper()
	hello := p.read("broker.hello")
	session := with(testSession, Object{"resumed": false, "grace_ms": 0})
	p.reply(hello, with(Object{"protocol": 1, "session": session, "denied_roles": []any{},
		"limits": Object{"frame_bytes": 65536}, "epoch": "e", "seq": 0}, more))
	return hello
}

// greetProvider opens the session and takes the registration.
func (p *peer) greetProvider() Object {
	p.t.Helper()
	p.greet(nil)
	register := p.read("provider.register")
	p.reply(register, Object{"provider": "org.example.a", "calls": []any{}, "dropped": []any{}})
	return register
}

// greetObserver opens the session of an observer.
func (p *peer) greetObserver(result Object) Object {
	p.t.Helper()
	p.greet(nil)
	subscribe := p.read("events.subscribe")
	if result == nil {
		result = Object{"subscription": 1, "epoch": "e", "seq": 0, "snapshot": Object{"calls": []any{}}}
	}
	p.reply(subscribe, result)
	return subscribe
}

func (p *peer) perform(id any, more Object) {
	p.send(Object{"id": id, "method": "provider.perform", "params": with(Object{
		"action": testAction, "kind": "answer", "call": testCall, "arguments": Object{},
		"transaction": "t", "cause": Object{"origin": "user"}, "deadline_ms": 5000, "attempt": 1}, more)})
}

func (p *peer) close() { p.socket.Close() }

// quick are options with which a new try comes at once.
func (b *scriptedBroker) quick() Options {
	return Options{Socket: b.path, First: time.Nanosecond, Longest: time.Nanosecond, Patient: true}
}

// opened opens a client beside the test, which plays the broker's part, and closes it in the end.
func opened(t *testing.T, client *Client) <-chan error {
	result := make(chan error, 1)
	client.OnFault(func(error) {})
	go func() { result <- client.Open(context.Background()) }()
	t.Cleanup(client.Close)
	return result
}

func newProvider(t *testing.T, make func(*Provider)) (*scriptedBroker, *Provider, *peer) {
	t.Helper()
	broker := newScriptedBroker(t)
	app := NewProvider("org.example.a", "A", Object{"handle_types": []any{"phone"}}, broker.quick())
	if make != nil {
		make(app)
	}
	opened(t, app.Client)
	return broker, app, broker.accept()
}

func newTestController(t *testing.T, change func(*Options)) (*scriptedBroker, *Client, *peer, <-chan error) {
	t.Helper()
	broker := newScriptedBroker(t)
	options := broker.quick()
	if change != nil {
		change(&options)
	}
	client := NewController("t", options)
	result := opened(t, client)
	return broker, client, broker.accept(), result
}

func newTestObserver(t *testing.T, watched ObserverOptions) (*scriptedBroker, *Observer, *peer) {
	t.Helper()
	broker := newScriptedBroker(t)
	observer := NewObserver("t", watched, broker.quick())
	opened(t, observer.Client)
	return broker, observer, broker.accept()
}

// ask sends a request beside the test.
func ask(c *Client, ctx context.Context, method string, params Object) <-chan reply {
	answered := make(chan reply, 1)
	go func() {
		result, err := c.Request(ctx, method, params)
		answered <- reply{result, err}
	}()
	return answered
}

// got waits for what has to come.
func got[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(ceiling):
		text := make([]byte, 1<<16)
		t.Fatalf("it never comes\n%s", text[:runtime.Stack(text, true)])
		panic("unreachable")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// plainly is a value as it goes over the wire.
func plainly(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		panic(err)
	}
	return plain
}

func equal(t *testing.T, found, wanted any) {
	t.Helper()
	if !reflect.DeepEqual(plainly(found), plainly(wanted)) {
		t.Fatalf("found  %v\nwanted %v", plainly(found), plainly(wanted))
	}
}

func isTrue(t *testing.T, condition bool) {
	t.Helper()
	if !condition {
		t.Fatal("it is not so")
	}
}
