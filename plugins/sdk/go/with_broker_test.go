package callbroker

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	ann       = Phone("+15550100")
	completed = Object{"wait": "completed"}
)

// provider returns an app that writes down what it is asked for.
func (s *stage) provider(name string, registration Object) *Provider {
	app := NewProvider(name, name, with(Object{"handle_types": []any{"phone"}}, registration), s.options())
	for _, kind := range []string{"start", "answer", "end", "set_held", "set_muted", "set_group", "set_video",
		"set_text"} {
		app.Perform(kind, func(_ context.Context, action *Action) error {
			s.performed <- []any{name, action.Kind, action.Arguments}
			return nil
		})
	}
	return app
}

func (s *stage) entered(name string, registration Object) *Provider {
	app := s.provider(name, registration)
	s.enter(app.Client)
	return app
}

func (s *stage) incoming(app *Provider, more Object) string {
	s.t.Helper()
	call := NewID()
	_, err := app.ReportIncoming(background, call, ann, more)
	must(s.t, err)
	return call
}

func (s *stage) answer(call string) {
	s.t.Helper()
	s.done(s.user.Answer(background, call, completed))
}

// performs expects what the providers were asked for, in order.
func (s *stage) performs(wanted ...[]any) {
	s.t.Helper()
	for _, one := range wanted {
		equal(s.t, got(s.t, s.performed), one)
	}
	equal(s.t, len(s.performed), 0)
}

func TestOneAppIsHeldBeforeAnotherIsAnswered(t *testing.T) {
	s := newStage(t)
	first := s.incoming(s.entered("org.one", nil), nil)
	second := s.incoming(s.entered("org.two", nil), nil)
	s.answer(first)
	plan, err := s.user.Answer(background, second, Object{"choice": "hold_and_answer", "dry_run": true})
	must(t, err)
	equal(t, plan["would_hold"], []string{first})
	s.done(s.user.Answer(background, second, with(completed, Object{"choice": "hold_and_answer"})))
	s.performs([]any{"org.one", "answer", Object{}}, []any{"org.one", "set_held", Object{"held": true}},
		[]any{"org.two", "answer", Object{}})
}

func TestLinesOfAnUpdateAreRegisteredAgainAndNoOtherIsKnown(t *testing.T) {
	s := newStage(t)
	open := make(chan bool, 9)
	app := s.provider("org.one", nil)
	app.OnOpen(func() { open <- true })
	s.enter(app.Client)
	got(t, open)
	_, err := app.Update(background, Object{"lines": []any{Object{"line": "work", "label": "Work"}}})
	must(t, err)
	s.broker.kill()
	s.broker.start()
	got(t, open)
	_, err = app.ReportIncoming(background, NewID(), ann, Object{"line": "home"})
	equal(t, Reason(err), "unknown_line")
	s.incoming(app, Object{"line": "work"})
}

func TestErrorsSayWhatStandsInTheWay(t *testing.T) {
	s := newStage(t)
	one := s.entered("org.one", nil)
	first := s.incoming(one, Object{"supports_holding": false})
	second := s.incoming(s.entered("org.two", nil), nil)
	s.answer(first)
	_, err := s.user.Answer(background, second, nil)
	var reply *Error
	isTrue(t, errors.As(err, &reply))
	equal(t, []any{reply.Code.String(), reply.Reason, reply.Data["rule"], reply.Data["blocking"]},
		[]any{"invalid_state", "cannot_hold", "6", []any{Object{"call": first, "provider": "org.one"}}})
	_, err = one.ReportIncoming(background, first, ann, nil)
	isTrue(t, errors.As(err, &reply) && reply.Code == CodeAlreadyExists)
	_, err = s.user.End(background, NewID(), nil)
	isTrue(t, errors.As(err, &reply) && reply.Code == CodeNotFound)
}

func TestAProviderThatFailsAndOneThatIsSilent(t *testing.T) {
	s := newStage(t)
	app := s.provider("org.one", nil)
	app.Perform("answer", func(context.Context, *Action) error { return &Failed{Reason: "no_microphone"} })
	begun, ended := make(chan bool, 1), make(chan error, 1)
	app.Perform("start", func(ctx context.Context, _ *Action) error {
		begun <- true
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	s.enter(app.Client)
	_, err := s.user.Answer(background, s.incoming(app, nil), completed)
	var reply *Error
	isTrue(t, errors.As(err, &reply) && reply.Code == CodeProviderFailed)
	equal(t, reply.Data.Object("provider_error")["reason"], "no_microphone")
	started := ask(s.user, background, "call.start", Object{"remote": ann, "provider": "org.one", "wait": "completed"})
	got(t, begun)
	s.ask("test.advance", Object{"ms": 600_000})
	isTrue(t, errors.As(got(t, started).err, &reply) && reply.Code == CodeDeadlineExceeded)
	isTrue(t, errors.Is(got(t, ended), context.Canceled))
}

func TestWhetherTheUserAllowsAnAppCalls(t *testing.T) {
	s := newStage(t)
	s.ask("policy.set", Object{"new_providers": "ask"})
	app := s.provider("org.one", nil)
	changed := make(chan Object, 9)
	app.On("provider.authorization_changed", func(params Object) { changed <- params })
	s.enter(app.Client)
	asked, err := app.RequestAuthorization(background)
	must(t, err)
	equal(t, asked["status"], "not_determined")
	s.ask("policy.set", Object{"authorization": Object{"org.one": "authorized"}})
	equal(t, got(t, changed), Object{"status": "authorized"})
}

func TestWhetherACallWouldRing(t *testing.T) {
	s := newStage(t)
	app := s.entered("org.one", nil)
	found, err := app.MayRing(background, ann, nil)
	must(t, err)
	equal(t, []any{found["rule"], found["state"]}, []any{"1", "ringing"})
	s.ask("policy.set", Object{"do_not_disturb": Object{"on": true}})
	_, err = app.MayRing(background, ann, nil)
	equal(t, Reason(err), "do_not_disturb")
	_, err = s.user.WouldRing(background, "org.one", ann, nil)
	equal(t, Reason(err), "do_not_disturb")
	equal(t, s.ask("call.list", nil)["calls"], []any{})
}

// story returns the states of a call until it was over, and its last event.
func story(t *testing.T, watch *Observer, call string) (states []string, last Object) {
	t.Helper()
	for {
		event := next(t, watch)
		switch {
		case event.Call != call:
		case event.Topic == "call.removed":
			return states, last
		case event.Topic == "call.added" || event.Topic == "call.changed":
			states, last = append(states, event.Data.Text("state")), event.Data
		}
	}
}

func (s *stage) watch(features ...string) *Observer {
	options := s.options()
	options.Features = features
	watch := NewObserver("watch", ObserverOptions{}, options)
	s.enter(watch.Client)
	return watch
}

func TestHowFarADialedCallCameAndWhyItEnded(t *testing.T) {
	s := newStage(t)
	watch := s.watch("alerting")
	equal(t, watch.Hello().Object("features")["alerting"], Object{"version": 1, "granted": true})
	app := s.entered("org.one", nil)
	call, detail := NewID(), Object{"code": "SIP 486", "text": "Busy Here"}
	s.done(s.user.Start(background, ann, with(completed, Object{"call": call, "provider": "org.one"})))
	_, err := app.ReportAlerting(background, call, Object{"has_early_media": true})
	must(t, err)
	_, err = app.ReportEnded(background, call, "remote_ended", Object{"end_detail": detail})
	must(t, err)
	states, last := story(t, watch, call)
	equal(t, states[len(states)-2:], []string{"alerting", "ended"})
	equal(t, last["end_detail"], with(detail, Object{"reason": "busy"}))
}

func TestAStartThatFailsHasTheCodeOfTheNetwork(t *testing.T) {
	s := newStage(t)
	watch := s.watch()
	app := s.provider("org.one", nil)
	app.Perform("start", func(context.Context, *Action) error {
		return &Failed{Message: "Not Found", AppCode: "SIP 404"}
	})
	s.enter(app.Client)
	call := NewID()
	_, err := s.user.Start(background, ann, with(completed, Object{"call": call}))
	var reply *Error
	isTrue(t, errors.As(err, &reply))
	equal(t, reply.Data.Object("provider_error")["app_code"], "SIP 404")
	_, last := story(t, watch, call)
	equal(t, last["end_detail"], Object{"reason": "invalid_number", "text": "Not Found", "code": "SIP 404"})
}

func TestEverythingThatAnAppReportsReachesTheBroker(t *testing.T) {
	s := newStage(t)
	app := s.entered("org.one", Object{"supports_video": true, "supports_text": true})
	is := func(call, member string, value any) {
		t.Helper()
		equal(t, s.ask("call.get", Object{"call": call})[member], value)
	}
	ok := func(_ Object, err error) {
		t.Helper()
		must(t, err)
	}
	dialed := NewID()
	s.done(s.user.Start(background, ann, with(completed, Object{"call": dialed})))
	ok(app.ReportConnecting(background, dialed, nil))
	is(dialed, "state", "connecting")
	ok(app.ReportEnded(background, dialed, "failed", nil))
	call := s.incoming(app, Object{"supports_set_video": true, "supports_set_text": true})
	ok(app.ReportUpdate(background, call, Object{"display_name": "Ann"}))
	is(call, "display_name", "Ann")
	ok(app.ReportConnected(background, call, nil))
	is(call, "state", "active")
	ok(app.ReportMuted(background, call, true, nil))
	is(call, "muted", true)
	ok(app.ReportVideoRequest(background, call, "both", nil))
	is(call, "video_request", "both")
	ok(app.ReportVideoRequest(background, call, nil, nil))
	is(call, "video_request", nil)
	ok(app.ReportTextRequest(background, call, true, nil))
	is(call, "text_request", true)
	s.done(s.user.SetText(background, call, true, completed))
	ok(app.ReportText(background, call, "hi", nil))
	ok(app.ReportQuality(background, call, Object{"loss_permille": 4, "jitter_ms": 3}))
	ok(app.ReportParticipants(background, call, Object{"changed": []any{Object{"participant": "7"}}}))
	equal(t, len(s.ask("participant.list", Object{"call": call}).Objects("participants")), 1)
	ok(app.ReportHeld(background, call, true, nil))
	is(call, "state", "held")
	other := s.incoming(app, nil)
	s.answer(other)
	ok(app.ReportHeld(background, other, true, nil))
	ok(app.ReportGroup(background, call, other, nil))
	is(call, "group", s.ask("call.get", Object{"call": other})["group"])
	ok(app.ReportGroup(background, call, "", nil))
	is(call, "group", call)
	ok(app.ReportExternal(background, NewID(), Object{"remote": ann, "direction": "incoming", "elsewhere": "phone"}))
	ok(app.ReportMissed(background, NewID(), ann, "unanswered", 1763712000000, nil))
	ok(app.Unregister(background))
	equal(t, s.ask("call.list", nil)["calls"], []any{})
}

func TestBothSidesTypeAndAHandIsRaised(t *testing.T) {
	s := newStage(t)
	app := s.provider("org.one", Object{"supports_text": true})
	sent := make(chan []string, 9)
	app.SendText(func(_ context.Context, call, text string) error {
		sent <- []string{call, text}
		return nil
	})
	own := Object{"participant": "7", "self": true, "changeable": []any{"hand_raised"}}
	app.ChangeParticipant(func(ctx context.Context, call, participant string, values Object) error {
		_, err := app.ReportParticipants(ctx, call, Object{"changed": []any{with(own, values)}})
		return err
	})
	s.enter(app.Client)
	call := s.incoming(app, Object{"supports_set_text": true})
	s.answer(call)
	s.done(s.user.SetText(background, call, true, completed))
	_, err := s.user.TypeText(background, call, "hi", nil)
	must(t, err)
	equal(t, got(t, sent), []string{call, "hi"})
	_, err = app.ReportParticipants(background, call, Object{"changed": []any{own}})
	must(t, err)
	_, err = s.user.UpdateParticipant(background, call, "7", Object{"hand_raised": true})
	must(t, err)
	page, err := s.user.ListParticipants(background, call, nil)
	must(t, err)
	equal(t, page.Objects("participants")[0]["hand_raised"], true)
}

func TestAProviderThatTakesTransactions(t *testing.T) {
	s := newStage(t)
	app := s.provider("org.one", nil)
	taken := make(chan []string, 9)
	app.Execute(func(_ context.Context, params Object) (bool, error) {
		var kinds []string
		for _, action := range params.Objects("actions") {
			kinds = append(kinds, action.Text("kind"))
			go app.Settle(background, action.Text("action"), "fulfilled", nil)
		}
		taken <- kinds
		return true, nil
	})
	s.enter(app.Client)
	first, second := s.incoming(app, nil), s.incoming(app, nil)
	s.answer(first)
	s.done(s.user.Answer(background, second, with(completed, Object{"choice": "hold_and_answer"})))
	equal(t, []any{got(t, taken), got(t, taken)}, []any{[]string{"answer"}, []string{"set_held", "answer"}})
	s.performs()
}

func TestACallOutlivesALostConnectionAndTheBroker(t *testing.T) {
	s := newStage(t)
	app := s.provider("org.one", nil)
	calls, open, back := make(chan []Object, 1), make(chan bool, 9), make(chan bool, 9)
	calls <- nil
	app.Reconcile(func() ([]Object, error) {
		list := <-calls
		calls <- list
		return list, nil
	})
	app.OnOpen(func() { open <- true })
	s.enter(app.Client)
	got(t, open)
	call := s.incoming(app, nil)
	s.answer(call)
	<-calls
	calls <- []Object{{"call": call, "direction": "incoming", "state": "active", "remote": ann}}
	app.mu.Lock()
	app.conn.drop()
	app.mu.Unlock()
	got(t, open)
	equal(t, app.Hello().Object("session")["resumed"], true)
	s.done(s.user.SetMuted(background, call, true, completed))
	s.user.mu.Lock()
	s.user.onOpen = append(s.user.onOpen, func() { back <- true })
	s.user.mu.Unlock()
	s.broker.kill()
	s.broker.start()
	got(t, open)
	got(t, back)
	s.done(s.user.End(background, call, completed))
	s.performs([]any{"org.one", "answer", Object{}}, []any{"org.one", "set_muted", Object{"muted": true}},
		[]any{"org.one", "end", Object{}})
}

func TestAnObserverGoesOnWhereItWas(t *testing.T) {
	s := newStage(t)
	app, watch := s.entered("org.one", nil), s.watch()
	first := s.incoming(app, nil)
	for next(t, watch).Topic != "call.added" {
	}
	watch.mu.Lock()
	watch.conn.drop()
	watch.mu.Unlock()
	s.done(s.user.End(background, first, completed))
	second := s.incoming(app, nil)
	seen := map[string]bool{}
	for event := next(t, watch); event.Call != second; event = next(t, watch) {
		seen[event.Topic] = true
	}
	equal(t, []bool{seen["call.removed"], seen["snapshot"]}, []bool{true, false})
	isTrue(t, watch.Calls()[first] == nil && watch.Calls()[second] != nil)
}

func TestAScreenShowsACallAndLetsItGo(t *testing.T) {
	s := newStage(t)
	options := s.options()
	options.Identity = "org.example.screen"
	screen := NewScreen("screen", ObserverOptions{}, options)
	shown, gone := make(chan string, 9), make(chan string, 9)
	screen.Present(func(_ context.Context, params Object) (bool, error) {
		shown <- params.Text("call")
		return true, nil
	})
	screen.OnDismiss(func(call string) { gone <- call })
	s.enter(screen.Client)
	claimed, err := screen.Claim(background, nil)
	must(t, err)
	equal(t, claimed["primary"], true)
	call := s.incoming(s.entered("org.one", nil), nil)
	equal(t, got(t, shown), call)
	s.done(screen.Answer(background, call, completed))
	s.done(screen.End(background, call, completed))
	equal(t, got(t, gone), call)
}

// built is a program that uses this module, in a module of its own.
func built(t *testing.T, program string) string {
	t.Helper()
	folder := t.TempDir()
	sdk, err := os.Getwd()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o644))
	must(t, os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module phone\n\ngo 1.19\n\n"+
		"require callbroker v0.1.0\n\nreplace callbroker => "+sdk+"\n"), 0o644))
	build := exec.Command("go", "build", "-o", "phone", ".")
	build.Dir = folder
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return filepath.Join(folder, "phone")
}

func TestTheProviderOfTheGuide(t *testing.T) {
	guide, err := os.ReadFile("README.md")
	must(t, err)
	programs := strings.Split(string(guide), "```go\n")[1:]
	for at, text := range programs {
		programs[at] = built(t, strings.Split(text, "```")[0])
	}
	isTrue(t, len(programs) > 1)
	s := newStage(t)
	phone := exec.Command(programs[0])
	phone.Env = append(os.Environ(), "BROKER_SOCKET="+s.broker.path)
	output, err := phone.StdoutPipe()
	must(t, err)
	must(t, phone.Start())
	t.Cleanup(func() { phone.Process.Kill() })
	lines := bufio.NewReader(output)
	says := func(wanted string) {
		t.Helper()
		line, err := lines.ReadString('\n')
		must(t, err)
		equal(t, line, wanted+"\n")
	}
	says("ring")
	call := s.ask("call.list", nil).Objects("calls")[0].Text("call")
	s.answer(call)
	says("connecting " + call)
	_, err = s.user.SetHeld(background, call, true, completed)
	var reply *Error
	isTrue(t, errors.As(err, &reply))
	equal(t, reply.Data.Object("provider_error")["reason"], "not_today")
	s.done(s.user.End(background, call, completed))
	must(t, phone.Wait())
}
