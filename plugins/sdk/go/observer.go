package callbroker

import (
	"context"
	"encoding/json"
)

const eventsKept = 10_000 // for a consumer who is slower than the calls

// They repeat the number of the latest event.
var unnumbered = map[string]bool{"plugin.log": true, "call.allowed_changed": true,
	"call.quality": true, "host.presence": true}

// A Cursor is a place in the events of a broker.
type Cursor struct {
	Epoch string `json:"epoch"`
	Seq   int64  `json:"seq"`
}

// An Event is something that has happened. Its topic is snapshot, which is not on the wire, when all
// was read anew.
type Event struct {
	Topic, Call, Provider string
	Seq, AtMS             int64
	Data                  Object
	Params                Object // as it came
}

// An Observer watches calls: Calls are always their state. On has each event under its topic.
type Observer struct {
	*Client
	topics       []string
	includeEnded bool
	calls        map[string]Object
	cursor       *Cursor
	knowsCalls   bool          // which changes need
	subscription any           // nil until the reply that names it
	seen         int64         // the newest event that was delivered
	floor        int64         // the snapshot has everything up to here
	early        []Object      // before the reply that names their subscription
	events       []Event       // that Next has not returned
	more         chan struct{} // closed, and made anew, with an event
}

// ObserverOptions of what is watched.
type ObserverOptions struct {
	Topics       []string // exact names, noun.* or * (all)
	IncludeEnded bool     // calls that are over (false)
	Cursor       *Cursor  // where to go on; Calls then has only what changes (a snapshot)
}

// NewObserver returns a client that watches.
func NewObserver(name string, watched ObserverOptions, options Options) *Observer {
	o := &Observer{topics: watched.Topics, includeEnded: watched.IncludeEnded, cursor: watched.Cursor,
		calls: map[string]Object{}, more: make(chan struct{})}
	if o.topics == nil {
		o.topics = []string{"*"}
	}
	o.Client = newClient(name, orRoles(options, "observer"), (*watching)(o))
	return o
}

// Calls returns the state of all calls, by their ids.
func (o *Observer) Calls() map[string]Object {
	o.mu.Lock()
	defer o.mu.Unlock()
	calls := make(map[string]Object, len(o.calls))
	for id, call := range o.calls {
		calls[id] = call
	}
	return calls
}

// Cursor returns where a later Observer can go on, or nil before the first event.
func (o *Observer) Cursor() *Cursor {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cursor == nil {
		return nil
	}
	cursor := *o.cursor
	return &cursor
}

// Next returns the next thing that happens. Its error is that of the context, or ErrDisconnected when
// the client is over.
func (o *Observer) Next(ctx context.Context) (Event, error) {
	for {
		o.mu.Lock()
		if len(o.events) > 0 {
			event := o.events[0]
			o.events = o.events[1:]
			o.mu.Unlock()
			return event, nil
		}
		more := o.more
		o.mu.Unlock()
		if isClosed(o.over) {
			return Event{}, ErrDisconnected
		}
		select {
		case <-more:
		case <-o.over:
		case <-ctx.Done():
			return Event{}, ctx.Err()
		}
	}
}

// watching is the side of an Observer that faces the broker.
type watching Observer

func (w *watching) requested(json.RawMessage, string, Object) bool { return false }
func (w *watching) answered(json.RawMessage)                       {}
func (w *watching) cancelled(Object) bool                          { return false }
func (w *watching) mustWait(string) bool                           { return false }
func (w *watching) lost()                                          {}
func (w *watching) ended()                                         {}

func (w *watching) opened() error {
	w.mu.Lock()
	wanted := w.wanted()
	w.mu.Unlock()
	_, err := w.opening("events.subscribe", wanted, func(result Object, err error) {
		if err == nil {
			w.watched(result)
		}
	})
	return err
}

// wanted are the members of a subscription, which begins with nothing known.
func (w *watching) wanted() Object {
	w.subscription, w.early = nil, nil
	params := Object{"topics": w.topics}
	if w.cursor != nil {
		params["cursor"] = w.cursor
	}
	if w.includeEnded {
		params["include_ended"] = true
	}
	if w.wantsChanges() {
		params["detail"] = "changes"
	}
	return params
}

// wantsChanges returns whether the broker is to send what changes of calls, which are all known then.
func (w *watching) wantsChanges() bool {
	if w.hello.Object("features")["call_changes"] == nil || w.cursor != nil && !w.knowsCalls {
		return false
	}
	for _, topic := range w.topics {
		if topic == "*" || topic == "call.*" || topic == "call.added" {
			return true
		}
	}
	return false
}

func (w *watching) watched(result Object) {
	seq := result.Integer("seq")
	w.subscription, w.seen, w.floor = result["subscription"], seq, 0
	if w.cursor != nil {
		w.seen = w.cursor.Seq
	}
	if snapshot := result.Object("snapshot"); snapshot != nil {
		w.calls, w.knowsCalls = map[string]Object{}, true
		w.cursor = &Cursor{result.Text("epoch"), seq}
		w.seen, w.floor = seq, seq
		w.page(snapshot)
	}
	early := w.early
	w.early = nil
	for _, event := range early {
		w.happened(event)
	}
}

// page is applied before the next frame is looked at, so that pages and events cannot cross.
func (w *watching) page(page Object) {
	for _, call := range page.Objects("calls") {
		w.keep(call)
	}
	if next := page["next"]; next != nil {
		w.repair("call.list", Object{"after": next}, w.page)
		return
	}
	w.deliver(w.snapshot())
}

func (w *watching) snapshot() Object {
	return Object{"topic": "snapshot", "data": map[string]any{}, "epoch": w.cursor.Epoch,
		"seq": float64(w.cursor.Seq)}
}

func (w *watching) keep(call Object) {
	id := call.Text("call")
	if known := w.calls[id]; id != "" && call.Integer("rev") >= known.Integer("rev") {
		w.calls[id] = call
	}
}

// allow changes what a call allows; each call that Calls has returned stays as it was.
func (w *watching) allow(given Object) {
	if known := w.calls[given.Text("call")]; known != nil {
		changed := with(known)
		delete(changed, "merge_with")
		delete(changed, "paused_tones")
		w.calls[given.Text("call")] = with(changed, given)
	}
}

func (w *watching) notified(method string, params Object) {
	switch {
	case method == "event" && params.Text("topic") != "":
		w.happened(params)
	case method == "events.gap" && key(params["subscription"]) == key(w.subscription):
		w.again()
	}
}

// again reads all anew, as something was missed.
func (w *watching) again() {
	if w.subscription == nil {
		return
	}
	_, _ = w.begun("events.unsubscribe", Object{"subscription": w.subscription}, nil)
	w.cursor = nil
	w.repair("events.subscribe", w.wanted(), w.watched)
}

func (w *watching) happened(event Object) {
	topic, seq := event.Text("topic"), event.Integer("seq")
	switch {
	case w.subscription == nil:
		if len(w.early) < eventsKept {
			w.early = append(w.early, event)
		}
		return
	case key(event["subscription"]) != key(w.subscription):
		return
	case w.cursor != nil && event.Text("epoch") != w.cursor.Epoch, event.Integer("prev") > w.seen:
		w.again()
		return
	}
	if seq > w.seen {
		w.seen = seq
	}
	if seq <= w.floor && !unnumbered[topic] {
		return
	}
	w.cursor = &Cursor{event.Text("epoch"), w.seen}
	if data := event.Object("data"); topic == "call.changed" && data["set"] != nil {
		known := w.calls[event.Text("call")]
		if known == nil {
			w.again()
			return
		}
		event = with(event, Object{"data": whole(known, data)})
	}
	if topic != "broker.bookmark" {
		w.apply(event)
		w.deliver(event)
	}
}

// whole returns the data of an event with the whole call, of which data has what has changed.
func whole(known, data Object) Object {
	call := with(known, data.Object("set"), Object{"changed": data["changed"], "cause": data["cause"]})
	removed, _ := data["removed"].([]any)
	for _, name := range removed {
		if text, isText := name.(string); isText {
			delete(call, text)
		}
	}
	return call
}

func (w *watching) apply(event Object) {
	data := event.Object("data")
	switch event.Text("topic") {
	case "call.added", "call.changed":
		w.keep(data)
	case "call.removed":
		delete(w.calls, event.Text("call"))
		delete(w.calls, data.Text("call"))
	case "call.allowed_changed":
		w.allow(data)
	}
}

func (w *watching) deliver(params Object) {
	if len(w.events) >= eventsKept {
		w.events = nil
		params = w.snapshot()
	}
	event := Event{Topic: params.Text("topic"), Call: params.Text("call"),
		Provider: params.Text("provider"), Seq: params.Integer("seq"), AtMS: params.Integer("at_ms"),
		Data: params.Object("data"), Params: params}
	w.events = append(w.events, event)
	close(w.more)
	w.more = make(chan struct{})
	w.tell(event.Topic, params)
}
