package callbroker

import (
	"context"
	"encoding/json"
	"sync"
)

const (
	reconciledAtOnce  = 32  // calls in one provider.register
	actionsRemembered = 256 // settled ones, to answer a repetition alike
)

// An Action is something that the broker asks a provider to do to a call.
type Action struct {
	ID, Kind, Call, Transaction string
	Arguments, Cause            Object
	DeadlineMS                  int64

	provider *Provider
	context  context.Context
	cancel   context.CancelFunc
	mu       sync.Mutex // of what follows
	attempt  int64
	ageMS    int64
	atMS     int64

	request   json.RawMessage // the id to answer to, in this connection
	isSettled bool
	result    Object
	failed    *Failed
}

// Attempt returns 1, or more if the broker had to ask again after a lost connection.
func (a *Action) Attempt() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.attempt
}

// AgeMS returns how long ago it was asked for.
func (a *Action) AgeMS() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ageMS
}

// FulfilledAt says when it was done, if that is not when its handler returns.
func (a *Action) FulfilledAt(atMS int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.atMS = atMS
}

// Progress of an action; what is zero is left out.
type Progress struct {
	Phase, Message string
	Percent        int
	ExtendMS       int64 // asks for more time, up to twice the deadline in all
}

// Progress reports how far an action is.
func (a *Action) Progress(progress Progress) error {
	p := a.provider
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.request == nil {
		return nil
	}
	members := Object{"request": a.request}
	for name, text := range map[string]string{"phase": progress.Phase, "message": progress.Message} {
		if text != "" {
			members[name] = text
		}
	}
	numbers := map[string]int64{"percent": int64(progress.Percent), "extend_ms": progress.ExtendMS}
	for name, number := range numbers {
		if number != 0 {
			members[name] = number
		}
	}
	return p.notify("broker.progress", members)
}

// A Provider is an app that owns calls.
type Provider struct {
	*Client
	kinds        map[string]func(context.Context, *Action) error
	reconcile    func() ([]Object, error)
	onDropped    []func([]string)
	onWithdrawn  []func(string)
	registration Object
	registered   Object
	actions      map[string]*Action
	order        []string // of the actions, the oldest first
	executing    map[string]bool
}

// NewProvider returns an app. The registration holds handle_types and what else differs from the
// usual; it may be nil.
func NewProvider(identity, displayName string, registration Object, options Options) *Provider {
	options.Identity = identity
	p := &Provider{kinds: map[string]func(context.Context, *Action) error{},
		registration: with(Object{"display_name": displayName}, registration), registered: Object{},
		actions: map[string]*Action{}, executing: map[string]bool{}}
	p.Client = newClient(identity, orRoles(options, "provider", "controller"), (*providing)(p))
	return p
}

// Perform adds what performs actions of a kind: start answer end set_held set_muted set_group
// play_dtmf set_endpoint set_video set_text transfer attended_transfer deflect. When it returns nil
// the action is done; a *Failed says why it is not. The context is cancelled when the action is no
// longer wanted, or its time is over. A kind without a function is refused as not supported.
func (p *Provider) Perform(kind string, perform func(ctx context.Context, action *Action) error) {
	p.kinds[kind] = perform
}

// Execute is offered whole transactions {transaction, actions, deadline_ms}. It returns true to take
// one over, and then settles each action with Settle.
func (p *Provider) Execute(execute func(ctx context.Context, transaction Object) (bool, error)) {
	p.registration["takes_transactions"] = true
	p.Handle("provider.execute", func(ctx context.Context, params Object) (Object, error) {
		isTaken, err := execute(ctx, params)
		return Object{"taken": isTaken}, err
	})
}

// ChangeSetting changes what the network keeps for a line: is given its id and {setting, on, to,
// after_ms}, one of the line's `settings`. It returns nil when that is done and Update has
// reported it.
func (p *Provider) ChangeSetting(change func(ctx context.Context, line string, setting Object) error) {
	p.Handle("line.change_setting", func(ctx context.Context, params Object) (Object, error) {
		return nil, change(ctx, params.Text("line"), without(params, "line", "deadline_ms"))
	})
}

// SendText sends characters that the user has typed on a call.
func (p *Provider) SendText(send func(ctx context.Context, call, text string) error) {
	p.Handle("provider.send_text", func(ctx context.Context, params Object) (Object, error) {
		return nil, send(ctx, params.Text("call"), params.Text("text"))
	})
}

// ChangeParticipant mutes a participant of a conference, or raises a hand: is given {muted} or
// {hand_raised}. It returns nil when ReportParticipants has reported the change.
func (p *Provider) ChangeParticipant(
	change func(ctx context.Context, call, participant string, values Object) error) {
	p.Handle("participant.change", func(ctx context.Context, params Object) (Object, error) {
		values := without(params, "call", "participant", "deadline_ms")
		return nil, change(ctx, params.Text("call"), params.Text("participant"), values)
	})
}

// Reconcile lists the calls that live {call, direction, state, remote, ...} in each new session. The
// broker ends those that the list does not have. It sends no requests; an error ends the client.
func (p *Provider) Reconcile(list func() ([]Object, error)) { p.reconcile = list }

// OnDropped adds a function for the listed calls that the broker did not take: tear them down.
func (p *Provider) OnDropped(then func(calls []string)) { p.onDropped = append(p.onDropped, then) }

// OnWithdrawn adds a function for actions that were taken over and are no longer wanted.
func (p *Provider) OnWithdrawn(then func(action string)) {
	p.onWithdrawn = append(p.onWithdrawn, then)
}

// Registered returns the reply to the latest registration: authorization, limits, calls, dropped.
func (p *Provider) Registered() Object {
	p.mu.Lock()
	defer p.mu.Unlock()
	return with(p.registered)
}

// without returns the other members.
func without(params Object, names ...string) Object {
	others := with(params)
	for _, name := range names {
		delete(others, name)
	}
	return others
}

// providing is the side of a Provider that faces the broker.
type providing Provider

func (p *providing) opened() error {
	var calls []Object
	if p.reconcile != nil {
		if err := safely(func() (err error) {
			calls, err = p.reconcile()
			return err
		}); err != nil {
			return err
		}
	}
	var dropped []string
	for isFirst := true; isFirst || len(calls) > 0; isFirst = false {
		page, isLast := calls, true
		if len(calls) > reconciledAtOnce {
			page, isLast = calls[:reconciledAtOnce], false
		}
		calls = calls[len(page):]
		result, err := p.opening("provider.register", p.members(page, isLast), p.keep)
		if err != nil {
			return err
		}
		dropped = append(dropped, result.Texts("dropped")...)
	}
	for _, then := range p.onDropped {
		if then := then; len(dropped) > 0 {
			p.told.add(func() { then(dropped) })
		}
	}
	return nil
}

func (p *providing) keep(result Object, err error) {
	if err == nil {
		p.registered = result
	}
}

func (p *providing) members(page []Object, isLast bool) Object {
	p.mu.Lock()
	defer p.mu.Unlock()
	members := with(p.registration)
	if p.reconcile != nil {
		members["calls"] = append([]Object{}, page...)
	}
	if !isLast {
		members["more"] = true
	}
	return members
}

func (p *providing) requested(id json.RawMessage, method string, params Object) bool {
	if method == "provider.execute" {
		p.executing[key(id)] = true
	}
	if method != "provider.perform" {
		return false
	}
	name := params.Text("action")
	if name == "" {
		p.answer(id, nil, &Failed{Code: CodeInvalidParams, Reason: "missing_member",
			Message: "params.action is required"})
		return true
	}
	action := p.actions[name]
	if action == nil {
		action = p.begun(name, params)
	} else {
		action.repeated(params)
	}
	action.request = id
	p.settle(action)
	return true
}

func (a *Action) repeated(params Object) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.attempt, a.ageMS = params.Integer("attempt"), params.Integer("age_ms")
	if a.attempt == 0 {
		a.attempt = 1
	}
}

func (p *providing) begun(name string, params Object) *Action {
	action := &Action{ID: name, Kind: params.Text("kind"), Call: params.Text("call"),
		Transaction: params.Text("transaction"), Arguments: with(params.Object("arguments")),
		Cause: params.Object("cause"), DeadlineMS: params.Integer("deadline_ms"),
		provider: (*Provider)(p)}
	action.context, action.cancel = context.WithCancel(p.context)
	action.repeated(params)
	p.actions[name] = action
	p.order = append(p.order, name)
	p.forget()
	perform := p.kinds[action.Kind]
	if perform == nil {
		action.isSettled, action.failed = true, unsupported(action.Kind)
		action.cancel()
		return action
	}
	go p.perform(action, perform)
	return action
}

func (p *providing) perform(action *Action, perform func(context.Context, *Action) error) {
	defer action.cancel()
	result, failed := p.outcome(action.context, func() (Object, error) {
		err := perform(action.context, action)
		action.mu.Lock()
		defer action.mu.Unlock()
		if action.atMS != 0 {
			return Object{"at_ms": action.atMS}, err
		}
		return nil, err
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	action.isSettled, action.result, action.failed = true, result, failed
	p.settle(action)
}

func (p *providing) settle(action *Action) {
	if id := action.request; id != nil && action.isSettled {
		action.request = nil
		p.answer(id, action.result, action.failed)
	}
}

// forget drops the oldest actions that are settled.
func (p *providing) forget() {
	for at := 0; at < len(p.order) && len(p.order) > actionsRemembered; {
		if name := p.order[at]; p.actions[name].isSettled {
			delete(p.actions, name)
			p.order = append(p.order[:at], p.order[at+1:]...)
		} else {
			at++
		}
	}
}

// mustWait holds back a settlement until the broker knows that its transaction was taken over.
func (p *providing) mustWait(method string) bool {
	return method == "action.settle" && len(p.executing) > 0
}

func (p *providing) answered(id json.RawMessage) {
	if p.executing[key(id)] {
		delete(p.executing, key(id))
		p.mayGoOn()
	}
}

func (p *providing) notified(method string, params Object) {
	if action := p.actions[params.Text("action")]; action != nil && method == "provider.timed_out" {
		action.withdraw()
	}
}

func (a *Action) withdraw() {
	if !a.isSettled {
		a.cancel()
	}
}

// cancelled withdraws one action, perhaps of a transaction that was offered or taken over and is
// none of ours, or a request.
func (p *providing) cancelled(params Object) bool {
	if name := params.Text("action"); name != "" {
		if action := p.actions[name]; action != nil {
			action.withdraw()
			return true
		}
		for _, then := range p.onWithdrawn {
			then := then
			p.told.add(func() { then(name) })
		}
		return true
	}
	for _, action := range p.actions {
		if action.request != nil && key(action.request) == key(params["request"]) {
			action.withdraw()
			return true
		}
	}
	return false
}

func (p *providing) lost() {
	for _, action := range p.actions {
		action.request = nil // it comes again, under another number
	}
	p.executing = map[string]bool{}
}

func (p *providing) ended() {}
