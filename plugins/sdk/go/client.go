package callbroker

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"net"
	"sync"
	"time"
)

// Options of a client; what is zero has the value in brackets.
type Options struct {
	Name       string   // of the program, for logs and lists (that of the constructor)
	Version    string   // of the program ("0")
	URL        string   // where to read about it (none)
	Identity   string   // a name like org.example.phone; providers have one (none)
	Credential string   // a token, for another user's broker (none)
	Roles      []string // (those of the kind of client)
	// Features that the program understands beside what everybody has to: presentation, tone,
	// alerting, ... (none). Hello has those of the broker.
	Features []string
	Socket   string        // a path (DefaultSocket)
	Conn     net.Conn      // a connection instead of a path, which is not renewed: see Stdio (none)
	Timeout  time.Duration // for each request (no limit but that of its context)
	Opening  time.Duration // for each request that opens a session (10 s)
	First    time.Duration // the pause before a new try; it doubles, and varies by a fifth (100 ms)
	Longest  time.Duration // the longest pause (5 s)
	Patient  bool          // Open waits for a broker that is not running yet (false)
}

// A Handler answers a request of the broker with the members of the result; it returns a *Failed to
// refuse. The context is cancelled when the answer is no longer wanted.
type Handler func(ctx context.Context, params Object) (Object, error)

// A Client is a connection to the broker. It serves as a controller, screener or directory; Provider,
// Observer and Screen do more.
type Client struct {
	options   Options
	kind      kind
	handlers  map[string]Handler
	listeners map[string][]func(Object)
	onOpen    []func()
	onLost    []func(error)
	onFault   func(error)

	context context.Context // until the client is closed
	stop    context.CancelFunc
	start   sync.Once
	up      chan struct{} // closed with the first session
	over    chan struct{} // closed behind the last one
	told    *queue

	mu         sync.Mutex
	err        error
	hello      Object
	conn       *connection
	isReady    bool
	wasReady   bool
	isClosed   bool
	changed    chan struct{} // closed, and made anew, when requests may go on
	requests   int64
	pending    map[int64]*pending
	serving    map[string]context.CancelFunc // the broker's requests, by their ids
	retryAfter time.Duration
}

// A kind of client does more in a session. All but opened run while the client is locked.
type kind interface {
	opened() error // the rest of the opening
	requested(id json.RawMessage, method string, params Object) bool
	answered(id json.RawMessage)
	notified(method string, params Object)
	cancelled(params Object) bool
	mustWait(method string) bool
	lost()
	ended()
}

type plain struct{}

func (plain) opened() error                                  { return nil }
func (plain) requested(json.RawMessage, string, Object) bool { return false }
func (plain) answered(json.RawMessage)                       {}
func (plain) notified(string, Object)                        {}
func (plain) cancelled(Object) bool                          { return false }
func (plain) mustWait(string) bool                           { return false }
func (plain) lost()                                          {}
func (plain) ended()                                         {}

// NewClient returns a client with the roles of the options: "controller", "screener", "directory",
// "audio", "admin", ...
func NewClient(name string, options Options) *Client { return newClient(name, options, plain{}) }

// NewController returns a client that asks for things to be done to calls, in the name of the user.
func NewController(name string, options Options) *Client {
	return newClient(name, orRoles(options, "controller", "observer"), plain{})
}

func orRoles(options Options, roles ...string) Options {
	if options.Roles == nil {
		options.Roles = roles
	}
	return options
}

func newClient(name string, options Options, kind kind) *Client {
	if options.Name == "" {
		options.Name = name
	}
	if options.Version == "" {
		options.Version = "0"
	}
	options = withTimes(options)
	c := &Client{options: options, kind: kind, handlers: map[string]Handler{},
		listeners: map[string][]func(Object){}, up: make(chan struct{}), over: make(chan struct{}),
		changed: make(chan struct{}), pending: map[int64]*pending{},
		serving: map[string]context.CancelFunc{}, hello: Object{}}
	c.onFault = func(err error) { log.Printf("callbroker: %v", err) }
	c.context, c.stop = context.WithCancel(context.Background())
	c.told = newQueue(c.fault)
	return c
}

func withTimes(options Options) Options {
	for duration, usual := range map[*time.Duration]time.Duration{&options.Opening: 10 * time.Second,
		&options.First: 100 * time.Millisecond, &options.Longest: 5 * time.Second} {
		if *duration == 0 {
			*duration = usual
		}
	}
	return options
}

// OnOpen adds a function that is called with each session.
func (c *Client) OnOpen(then func()) { c.onOpen = append(c.onOpen, then) }

// OnLost adds a function that is called when a session is lost, or could not be opened, and another
// is tried for.
func (c *Client) OnLost(then func(why error)) { c.onLost = append(c.onLost, then) }

// OnFault replaces what happens to the error of a handler that has returned anything but *Failed:
// it is logged.
func (c *Client) OnFault(then func(error)) { c.onFault = then }

// On adds a function for a notification, such as audio.activated, or for a topic of an Observer. They
// are called one after the other, and may send requests.
func (c *Client) On(method string, then func(params Object)) {
	c.listeners[method] = append(c.listeners[method], then)
}

// Handle answers a kind of request of the broker, such as screener.check. Each has a goroutine.
func (c *Client) Handle(method string, handler Handler) { c.handlers[method] = handler }

// Open opens a session. It fails if there is no broker, or waits for one if the options are Patient.
// Later sessions are opened by themselves.
func (c *Client) Open(ctx context.Context) error {
	c.start.Do(func() {
		go c.told.run()
		go c.live()
	})
	select {
	case <-c.up:
		return nil
	case <-c.over:
		return c.ended()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run opens a session and serves until the context ends, which closes the client, or the broker says
// so: both return nil. It waits for a broker that is not running yet.
func (c *Client) Run(ctx context.Context) error {
	c.options.Patient = true
	err := c.Open(ctx)
	if err == nil {
		select {
		case <-c.over:
		case <-ctx.Done():
		}
	}
	c.Close()
	if ctx.Err() != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close says goodbye and ends. It may be called from handlers, for which it does not wait.
func (c *Client) Close() { c.close(false) }

// Suspend closes, to come back soon: the broker keeps the session for a while.
func (c *Client) Suspend() { c.close(true) }

func (c *Client) close(isResumable bool) {
	c.mu.Lock()
	c.isClosed = true
	c.goodbye(c.conn, isResumable)
	c.mu.Unlock()
	c.stop()
	c.start.Do(func() { c.end(nil) })
	<-c.over
}

// Done is closed when the client is over.
func (c *Client) Done() <-chan struct{} { return c.over }

// IsConnected reports whether a session is open.
func (c *Client) IsConnected() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.isReady
}

// Hello returns the broker's reply to the latest hello: limits, features, granted_roles, ...
func (c *Client) Hello() Object {
	c.mu.Lock()
	defer c.mu.Unlock()
	return with(c.hello)
}

func (c *Client) ended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	return ErrDisconnected
}

// ---- Sessions

func (c *Client) live() { c.end(c.sessions()) }

func (c *Client) end(err error) {
	c.mu.Lock()
	c.isClosed, c.err = true, err
	c.kind.ended()
	c.mu.Unlock()
	c.stop()
	c.told.end()
	close(c.over)
}

// sessions has one after the other.
func (c *Client) sessions() error {
	tries, wasOpen := 0, false
	for c.context.Err() == nil {
		err := c.session()
		if c.wasReady {
			tries, wasOpen = 0, true
		}
		if c.context.Err() != nil || c.options.Conn != nil && wasOpen {
			return nil
		}
		if isHopeless(err) || !(c.options.Patient || wasOpen) || c.options.Conn != nil {
			return err
		}
		c.tellLost(err)
		c.pause(tries)
		tries++
	}
	return nil
}

func (c *Client) tellLost(err error) {
	for _, then := range c.onLost {
		then := then
		c.told.add(func() { then(err) })
	}
}

// pause waits before the next try: doubling, and a fifth more or less so that not all come back at
// once; longer if the broker has said so.
func (c *Client) pause(tries int) {
	wait := delay(tries, c.options.First, c.options.Longest, rand.Float64())
	if c.retryAfter > wait {
		wait = c.retryAfter
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.context.Done():
	}
}

func delay(tries int, first, longest time.Duration, random float64) time.Duration {
	wait := longest
	if tries < 16 && first<<tries < longest {
		wait = first << tries
	}
	return time.Duration(float64(wait) * (0.8 + 0.4*random))
}

// session is one connection from its first byte to its last. It returns why that ended.
func (c *Client) session() error {
	c.retryAfter, c.wasReady = 0, false
	conn, err := c.connect()
	if err != nil {
		return err
	}
	var using sync.WaitGroup
	var reason error
	using.Add(2)
	go func() {
		defer using.Done()
		conn.write()
	}()
	go func() {
		defer using.Done()
		reason = conn.read(c.receive)
		c.lose()
	}()
	err = c.open()
	if err != nil {
		c.mu.Lock()
		c.goodbye(conn, true)
		c.mu.Unlock()
	}
	using.Wait()
	if err == nil {
		return fmt.Errorf("%w any more: %v", ErrDisconnected, reason)
	}
	return err
}

func (c *Client) connect() (*connection, error) {
	socket := c.options.Conn
	if socket == nil {
		path := c.options.Socket
		if path == "" {
			path = DefaultSocket()
		}
		ctx, cancel := context.WithTimeout(c.context, c.options.Opening)
		defer cancel()
		var err error
		if socket, err = new(net.Dialer).DialContext(ctx, "unix", path); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed {
		socket.Close()
		return nil, ErrDisconnected
	}
	c.conn = newConnection(socket)
	return c.conn, nil
}

// open does what a session begins with.
func (c *Client) open() error {
	hello, err := c.opening("broker.hello", c.greeting(), func(result Object, err error) {
		if err == nil {
			c.hello = result
		}
	})
	if err != nil {
		return err
	}
	for _, denied := range hello.Objects("denied_roles") {
		if len(c.options.Roles) > 0 && denied.Text("role") == c.options.Roles[0] {
			return &Error{Code: CodePermissionDenied, Message: "no " + denied.Text("role") + " here",
				Reason: denied.Text("reason"), Data: denied}
		}
	}
	if err := c.kind.opened(); err != nil {
		return err
	}
	return c.begin()
}

func (c *Client) greeting() Object {
	o := c.options
	client := Object{"name": o.Name, "version": o.Version}
	hello := Object{"protocol": Object{"min": 1, "max": 1}, "client": client, "roles": o.Roles}
	if o.URL != "" {
		client["url"] = o.URL
	}
	for name, text := range map[string]string{"identity": o.Identity, "credential": o.Credential} {
		if text != "" {
			hello[name] = text
		}
	}
	if len(o.Features) > 0 {
		hello["features"] = o.Features
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	session := c.hello.Object("session")
	for _, role := range o.Roles {
		if role == "provider" && session != nil {
			hello["resume"] = Object{"session": session["session"], "secret": session["secret"]}
		}
	}
	return hello
}

func (c *Client) begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return ErrDisconnected
	}
	isFirst := !isClosed(c.up)
	c.isReady, c.wasReady = true, true
	c.mayGoOn()
	for _, then := range c.onOpen {
		c.told.add(then)
	}
	if isFirst {
		close(c.up)
	}
	return nil
}

func isClosed(channel chan struct{}) bool {
	select {
	case <-channel:
		return true
	default:
		return false
	}
}

// lose ends a session whose connection is gone.
func (c *Client) lose() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isReady, c.conn = false, nil
	for number, pending := range c.pending {
		delete(c.pending, number)
		pending.settle(nil, ErrDisconnected)
	}
	for id, cancel := range c.serving {
		delete(c.serving, id)
		cancel()
	}
	c.kind.lost()
	c.mayGoOn()
}

// mayGoOn lets waiting requests look again.
func (c *Client) mayGoOn() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// goodbye ends a connection, and says so.
func (c *Client) goodbye(conn *connection, isResumable bool) {
	if conn == nil {
		return
	}
	if conn == c.conn {
		c.send(Object{"method": "broker.goodbye",
			"params": Object{"reason": "closed", "resumable": isResumable}})
	}
	conn.hangUp()
}

// dismissed is what the broker's goodbye does.
func (c *Client) dismissed(params Object) {
	after := params.Integer("reconnect_after_ms")
	if after > 0 && after <= 600_000 {
		c.retryAfter = time.Duration(after) * time.Millisecond
	}
	if isResumable, isSaid := params["resumable"].(bool); isSaid && !isResumable {
		delete(c.hello, "session")
	}
	if reason := params.Text("reason"); reason == "superseded" || reason == "stop" {
		c.isClosed = true // another of us, or nobody, goes on
		c.stop()
		c.goodbye(c.conn, false)
	}
}

func (c *Client) fault(err error) {
	defer func() { _ = recover() }()
	c.onFault(err)
}
