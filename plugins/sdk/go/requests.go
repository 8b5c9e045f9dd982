package callbroker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

type reply struct {
	result Object
	err    error
}

// A pending request has no reply yet. then sees the reply before any later frame.
type pending struct {
	number int64
	reply  chan reply
	then   func(Object, error)
}

func (p *pending) settle(result Object, err error) {
	if p.then != nil {
		p.then(result, err)
	}
	p.reply <- reply{result, err}
}

// Request sends any request, and returns its result. While a session is being opened it waits for
// that. When the context ends the request is taken back.
func (c *Client) Request(ctx context.Context, method string, params Object) (Object, error) {
	if c.options.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.options.Timeout)
		defer cancel()
	}
	if err := c.wait(ctx, method); err != nil {
		return nil, err
	}
	pending, err := c.begun(method, params, nil)
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return c.replied(ctx, method, pending)
}

// wait returns when nothing is in the way of a request, and leaves the client locked, unless there is
// an error.
func (c *Client) wait(ctx context.Context, method string) error {
	for {
		c.mu.Lock()
		if c.conn == nil || c.isReady && !c.kind.mustWait(method) {
			return nil
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return &TakenBack{method, ctx.Err()}
		}
	}
}

// opening sends a request that opens the session.
func (c *Client) opening(method string, params Object, then func(Object, error)) (Object, error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.options.Opening)
	defer cancel()
	c.mu.Lock()
	pending, err := c.begun(method, params, then)
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return c.replied(ctx, method, pending)
}

// repair sends a request of the client's own in the middle of a session. Where it fails, or has no
// reply in time, a new session begins anew.
func (c *Client) repair(method string, params Object, then func(Object)) {
	conn := c.conn
	timer := time.AfterFunc(c.options.Opening, conn.drop)
	_, err := c.begun(method, params, func(result Object, err error) {
		timer.Stop()
		if err != nil {
			conn.drop()
		} else {
			then(result)
		}
	})
	if err != nil {
		timer.Stop()
		conn.drop()
	}
}

func (c *Client) begun(method string, params Object, then func(Object, error)) (*pending, error) {
	if params == nil {
		params = Object{}
	}
	c.requests++
	p := &pending{c.requests, make(chan reply, 1), then}
	if err := c.send(Object{"id": p.number, "method": method, "params": params}); err != nil {
		return nil, err
	}
	c.pending[p.number] = p
	return p, nil
}

func (c *Client) replied(ctx context.Context, method string, p *pending) (Object, error) {
	select {
	case reply := <-p.reply:
		return reply.result, reply.err
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[p.number] == nil {
		reply := <-p.reply // it came in the same moment
		return reply.result, reply.err
	}
	delete(c.pending, p.number)
	_ = c.notify("broker.cancel", Object{"request": p.number})
	return nil, &TakenBack{method, ctx.Err()}
}

// Notify sends any notification; without a connection it is dropped.
func (c *Client) Notify(method string, params Object) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.notify(method, params)
}

func (c *Client) notify(method string, params Object) error {
	if c.conn == nil {
		return nil
	}
	if params == nil {
		params = Object{}
	}
	return c.send(Object{"method": method, "params": params})
}

func (c *Client) send(frame Object) error {
	frame["jsonrpc"] = "2.0"
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(frame); err != nil {
		return fmt.Errorf("callbroker: the frame cannot be sent: %w", err)
	}
	most := c.hello.Object("limits").Integer("frame_bytes")
	if most <= 0 {
		most = frameBytes
	}
	if int64(line.Len()) > most {
		return &Error{Code: CodeFrameLimit, Message: "the frame is too long to be sent",
			Reason: "frame_bytes", Data: Object{"reason": "frame_bytes",
				"limit": Object{"name": "frame_bytes", "value": most}}}
	}
	if c.conn == nil {
		return ErrDisconnected
	}
	if !c.conn.send(line.Bytes()) {
		return &Error{Code: CodeOverloaded, Message: "the broker does not read", Reason: "pending",
			Retryable: true, Data: Object{"reason": "pending", "retryable": true}}
	}
	return nil
}

// ---- Frames

type frame struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// receive takes a line; nothing that comes in may end the session.
func (c *Client) receive(line []byte) {
	var f frame
	if err := json.Unmarshal(line, &f); err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return
	}
	switch {
	case f.Method == nil:
		c.settled(f)
	case f.ID == nil:
		c.notified(*f.Method, parsed(f.Params))
	default:
		c.requested(f.ID, *f.Method, parsed(f.Params))
	}
}

// settled takes a reply; late ones, a second one and those to nothing are ignored.
func (c *Client) settled(f frame) {
	number, err := strconv.ParseInt(string(f.ID), 10, 64)
	pending := c.pending[number]
	if err != nil || pending == nil {
		return
	}
	delete(c.pending, number)
	if f.Error != nil {
		var value any
		_ = json.Unmarshal(f.Error, &value)
		pending.settle(nil, newError(value))
		return
	}
	pending.settle(parsed(f.Result), nil)
}

func (c *Client) notified(method string, params Object) {
	switch method {
	case "broker.cancel":
		if !c.kind.cancelled(params) {
			if cancel := c.serving[key(params["request"])]; cancel != nil {
				cancel()
			}
		}
		return
	case "broker.goodbye":
		c.dismissed(params)
	}
	c.kind.notified(method, params)
	c.tell(method, params)
}

// tell queues a notification for its listeners. Who does not take them begins anew, instead of
// growing without end.
func (c *Client) tell(name string, params Object) {
	for _, then := range c.listeners[name] {
		if c.told.isFull() {
			if c.conn != nil {
				c.conn.drop()
			}
			c.told.add(func() { c.fault(errNotRead) })
			return
		}
		then := then
		c.told.add(func() { then(params) })
	}
}

// key is what equal ids have in common.
func key(id any) string {
	if raw, isRaw := id.(json.RawMessage); isRaw {
		var value any
		_ = json.Unmarshal(raw, &value)
		id = value
	}
	return fmt.Sprintf("%T %v", id, id)
}

func (c *Client) requested(id json.RawMessage, method string, params Object) {
	if method == "broker.ping" {
		pong := Object{}
		if payload, isGiven := params["payload"]; isGiven {
			pong["payload"] = payload
		}
		c.answer(id, pong, nil)
		return
	}
	if c.kind.requested(id, method, params) {
		return
	}
	handler := c.handlers[method]
	if handler == nil {
		c.answer(id, nil, unsupported(method))
		return
	}
	conn := c.conn
	ctx, cancel := context.WithCancel(c.context)
	c.serving[key(id)] = cancel
	go func() {
		defer cancel()
		result, failed := c.outcome(ctx, func() (Object, error) { return handler(ctx, params) })
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.conn != conn || c.conn == nil {
			return
		}
		delete(c.serving, key(id))
		c.answer(id, result, failed)
	}()
}

// answer replies exactly once, also with what cannot be sent.
func (c *Client) answer(id json.RawMessage, result Object, failed *Failed) {
	if c.conn == nil {
		return
	}
	frame := Object{"id": id, "result": with(result)}
	if failed != nil {
		frame = Object{"id": id, "error": failed.object()}
	}
	err := c.send(frame)
	var reply *Error
	switch {
	case errors.As(err, &reply) && reply.Code == CodeOverloaded:
		c.conn.drop() // the broker will ask again
	case err != nil:
		c.told.add(func() { c.fault(err) })
		_ = c.send(Object{"id": id, "error": broken.object()})
	}
	c.kind.answered(id)
}

// outcome is what a handler has done, as an answer.
func (c *Client) outcome(ctx context.Context, work func() (Object, error)) (Object, *Failed) {
	if ctx.Err() != nil {
		return nil, cancelled
	}
	var result Object
	err := safely(func() (err error) {
		result, err = work()
		return err
	})
	var failed *Failed
	switch {
	case err == nil:
		return result, nil
	case errors.As(err, &failed):
		return nil, failed
	case ctx.Err() != nil:
		return nil, cancelled
	}
	c.fault(err)
	return nil, broken
}

// safely makes an error of a panic in code of the program.
func safely(work func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("callbroker: a handler has panicked: %v", reason)
		}
	}()
	return work()
}
