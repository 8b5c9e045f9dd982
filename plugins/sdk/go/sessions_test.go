package callbroker

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

var background = context.Background()

func TestAClientSaysWhoItIs(t *testing.T) {
	_, client, peer, result := newTestController(t, func(o *Options) {
		o.Version, o.URL, o.Credential = "1.2", "https://example.org", "token"
		o.Roles, o.Features = []string{"ui", "observer"}, []string{"alerting"}
	})
	equal(t, peer.greet(nil)["params"], Object{"protocol": Object{"min": 1, "max": 1},
		"roles": []string{"ui", "observer"}, "credential": "token", "features": []string{"alerting"},
		"client": Object{"name": "t", "version": "1.2", "url": "https://example.org"}})
	must(t, got(t, result))
	isTrue(t, client.IsConnected())
	equal(t, client.Hello()["epoch"], "e")
}

func TestALostSessionIsRenewedAndResumed(t *testing.T) {
	open := make(chan bool, 9)
	broker, app, peer := newProvider(t, func(app *Provider) { app.OnOpen(func() { open <- true }) })
	peer.greetProvider()
	got(t, open)
	for range []int{0, 1, 2} {
		peer.close()
		peer = broker.accept()
		equal(t, peer.read("broker.hello").Object("params")["resume"], testSession)
		peer.close()
		peer = broker.accept()
		equal(t, peer.greet(nil).Object("params")["resume"], testSession)
		peer.reply(peer.read("provider.register"), nil)
		got(t, open)
	}
	reply := ask(app.Client, background, "call.report_connected", Object{"call": testCall})
	peer.reply(peer.read("call.report_connected"), Object{"seq": 9})
	equal(t, got(t, reply).result, Object{"seq": 9})
}

func TestASessionThatIsNotResumableIsOpenedAnew(t *testing.T) {
	broker, _, peer := newProvider(t, nil)
	peer.greetProvider()
	peer.send(Object{"method": "broker.goodbye", "params": Object{
		"reason": "restarting", "resumable": false, "reconnect_after_ms": 0}})
	peer.close()
	isTrue(t, broker.accept().greet(nil).Object("params")["resume"] == nil)
}

func TestTheBrokerSaysWhenToComeBack(t *testing.T) {
	lost := make(chan error, 9)
	_, client, peer := newProvider(t, func(app *Provider) { app.OnLost(func(err error) { lost <- err }) })
	peer.greetProvider()
	peer.send(Object{"method": "broker.goodbye", "params": Object{
		"reason": "restarting", "resumable": true, "reconnect_after_ms": 600_000}})
	peer.close()
	isTrue(t, errors.Is(got(t, lost), ErrDisconnected))
	equal(t, client.retryAfter, 10*time.Minute)
	client.Close()
	equal(t, len(lost), 0)
}

func TestWhoIsSupersededOrStoppedDoesNotComeBack(t *testing.T) {
	for _, reason := range []string{"superseded", "stop"} {
		_, client, peer, result := newTestController(t, nil)
		peer.greet(nil)
		must(t, got(t, result))
		peer.send(Object{"method": "broker.goodbye", "params": Object{"reason": reason}})
		got(t, client.Done())
		must(t, client.Run(background))
	}
}

func TestCloseSaysGoodbye(t *testing.T) {
	for _, isResumable := range []bool{false, true} {
		_, client, peer, result := newTestController(t, nil)
		peer.greet(nil)
		must(t, got(t, result))
		if isResumable {
			client.Suspend()
		} else {
			client.Close()
		}
		equal(t, peer.read("broker.goodbye")["params"], Object{"reason": "closed", "resumable": isResumable})
		peer.ended()
		_, err := client.End(background, testCall, nil)
		isTrue(t, errors.Is(err, ErrDisconnected))
	}
}

func TestAClientThatWaitsForItsNextTryCanBeClosed(t *testing.T) {
	client := NewController("t", Options{Socket: "no-such-folder/x", First: time.Hour, Longest: time.Hour,
		Patient: true})
	lost := make(chan error, 1)
	client.OnLost(func(err error) { lost <- err })
	result := opened(t, client)
	got(t, lost)
	client.Close()
	isTrue(t, errors.Is(got(t, result), ErrDisconnected))
}

func TestAClientThatWasNeverOpenedCanBeClosed(t *testing.T) {
	client := NewController("t", Options{})
	client.Close()
	client.Close()
	isTrue(t, errors.Is(client.Open(background), ErrDisconnected))
}

func TestAHelloThatIsRefusedForGoodEndsIt(t *testing.T) {
	_, client, peer, result := newTestController(t, nil)
	data := Object{"reason": "version_unsupported", "supported": Object{"min": 2, "max": 3}}
	peer.refuse(peer.read("broker.hello"), CodeVersionUnsupported, data)
	var reply *Error
	isTrue(t, errors.As(got(t, result), &reply))
	equal(t, []any{reply.Code.String(), reply.Data}, []any{"version_unsupported", data})
	got(t, client.Done())
}

func TestAnIdentityInUseIsTriedAgain(t *testing.T) {
	broker, _, peer := newProvider(t, nil)
	peer.refuse(peer.read("broker.hello"), CodeAlreadyExists, Object{"reason": "identity"})
	broker.accept().greetProvider()
}

func TestARoleThatIsDeniedEndsIt(t *testing.T) {
	_, _, peer, result := newTestController(t, nil)
	peer.greet(Object{"denied_roles": []any{Object{"role": "controller", "reason": "not_granted"}}})
	equal(t, Reason(got(t, result)), "not_granted")
}

func TestAReconciliationThatFailsOrPanicsEndsIt(t *testing.T) {
	failure := errors.New("x")
	for _, list := range []func() ([]Object, error){
		func() ([]Object, error) { return nil, failure },
		func() ([]Object, error) { panic(failure) },
	} {
		broker := newScriptedBroker(t)
		app := NewProvider("org.example.a", "A", nil, broker.quick())
		app.Reconcile(list)
		result := opened(t, app.Client)
		broker.accept().greet(nil)
		isTrue(t, strings.HasSuffix(got(t, result).Error(), "x"))
		got(t, app.Done())
	}
}

func TestAHelloWithoutAReplyIsSaidAnew(t *testing.T) {
	broker := newScriptedBroker(t)
	options := broker.quick()
	options.Opening = time.Millisecond
	client := NewController("t", options)
	lost := make(chan error, 99)
	client.OnLost(func(err error) { lost <- err })
	opened(t, client)
	peer := broker.accept()
	peer.read("broker.hello")
	peer.read("broker.cancel")
	equal(t, peer.read("broker.goodbye").Object("params")["resumable"], true)
	var takenBack *TakenBack
	isTrue(t, errors.As(got(t, lost), &takenBack))
}

func TestRequestsWaitForASessionThatIsBeingOpened(t *testing.T) {
	_, app, peer := newProvider(t, nil)
	peer.greet(nil)
	register := peer.read("provider.register")
	ended := ask(app.Client, background, "call.report_ended", Object{"call": testCall})
	peer.send(Object{"id": 77, "method": "broker.ping"})
	equal(t, peer.read("")["id"], 77)
	peer.reply(register, nil)
	peer.reply(peer.read("call.report_ended"), Object{"seq": 1})
	equal(t, got(t, ended).result, Object{"seq": 1})
}

func TestEveryOpenRequestFailsWhenTheConnectionIsLost(t *testing.T) {
	broker, client, peer, result := newTestController(t, nil)
	peer.greet(nil)
	must(t, got(t, result))
	var replies []<-chan reply
	for range []int{0, 1, 2} {
		replies = append(replies, ask(client, background, "call.end", Object{"call": testCall}))
		peer.read("call.end")
	}
	peer.close()
	for _, reply := range replies {
		isTrue(t, errors.Is(got(t, reply).err, ErrDisconnected))
	}
	broker.accept().greet(nil)
}

func TestARequestThatIsNotWantedAnyMoreIsTakenBack(t *testing.T) {
	_, client, peer, result := newTestController(t, nil)
	peer.greet(nil)
	must(t, got(t, result))
	ctx, cancel := context.WithCancel(background)
	reply := ask(client, ctx, "call.end", Object{"call": testCall})
	id := peer.read("call.end")["id"]
	cancel()
	isTrue(t, errors.Is(got(t, reply).err, context.Canceled))
	equal(t, peer.read("broker.cancel")["params"], Object{"request": id})
	peer.send(Object{"id": id, "result": Object{}})
	client.options.Timeout = time.Nanosecond
	_, err := client.ListCalls(background, nil)
	isTrue(t, errors.Is(err, context.DeadlineExceeded))
	var takenBack *TakenBack
	isTrue(t, errors.As(err, &takenBack))
	equal(t, takenBack.Method, "call.list")
}

func TestNothingTooLongIsSentAndNothingThatCannotBe(t *testing.T) {
	_, client, peer, result := newTestController(t, nil)
	peer.greet(Object{"limits": Object{"frame_bytes": 200}})
	must(t, got(t, result))
	_, err := client.PlayDTMF(background, testCall, string(make([]byte, 200)), nil)
	equal(t, Reason(err), "frame_bytes")
	_, err = client.Request(background, "x", Object{"a": make(chan int)})
	isTrue(t, err != nil)
	ask(client, background, "call.end", nil)
	peer.read("call.end")
}

func TestABrokerThatDoesNotReadIsNotBuried(t *testing.T) {
	_, client, peer, result := newTestController(t, nil)
	peer.greet(nil)
	must(t, got(t, result))
	var err error
	for text := string(make([]byte, 9000)); err == nil; {
		err = client.Notify("broker.log", Object{"level": "info", "message": text})
	}
	var reply *Error
	isTrue(t, errors.As(err, &reply))
	equal(t, []any{reply.Code.String(), reply.Retryable}, []any{"overloaded", true})
	peer.read("broker.log")
}

func TestWhatStandsInTheWayIsSaid(t *testing.T) {
	_, client, peer, result := newTestController(t, nil)
	peer.greet(nil)
	must(t, got(t, result))
	reply := ask(client, background, "call.answer", Object{"call": testCall})
	data := Object{"reason": "cannot_hold", "retryable": true, "rule": "6",
		"blocking": []any{Object{"call": testCall, "provider": "org.a"}}}
	peer.refuse(peer.read(""), CodeInvalidState, data)
	var found *Error
	isTrue(t, errors.As(got(t, reply).err, &found))
	equal(t, []any{found.Code, found.Reason, found.Retryable, found.Data, found.Error()},
		[]any{-32006, "cannot_hold", true, data, "no (cannot_hold)"})
}

func TestErrorsOfAnyShapeAreErrors(t *testing.T) {
	for _, shape := range []any{nil, []any{}, "x", Object{}, Object{"code": "x"},
		Object{"code": -1, "data": []any{}}, Object{"code": -32004, "message": nil, "data": nil}} {
		err := newError(plainly(shape))
		equal(t, []any{err.Reason, err.Data, err.Retryable}, []any{"", Object{}, false})
		isTrue(t, err.Code.String() != "")
	}
}

func TestTriesComeLaterAndLaterButNotAllAtOnce(t *testing.T) {
	first, longest := 100*time.Millisecond, 5*time.Second
	var waits []int64
	for _, tries := range []int{0, 1, 2, 3, 4, 5, 6, 100} {
		waits = append(waits, delay(tries, first, longest, 0.5).Milliseconds())
	}
	equal(t, waits, []int{100, 200, 400, 800, 1600, 3200, 5000, 5000})
	equal(t, []int64{delay(0, first, longest, 0).Milliseconds(), delay(9, first, longest, 1).Milliseconds()},
		[]int{80, 6000})
}

func TestWithoutPatienceThereMustBeABroker(t *testing.T) {
	client := NewController("t", Options{Socket: "no-such-folder/broker.sock"})
	isTrue(t, errors.Is(client.Open(background), os.ErrNotExist))
}

func TestWithPatienceABrokerIsWaitedFor(t *testing.T) {
	broker := &scriptedBroker{t: t, path: t.TempDir() + "/broker.sock"}
	client := NewController("t", broker.quick())
	client.options.First = time.Millisecond
	lost := make(chan error, 1)
	client.OnLost(func(err error) {
		select {
		case lost <- err:
		default:
		}
	})
	result := opened(t, client)
	got(t, lost)
	broker.listen()
	broker.accept().greet(nil)
	must(t, got(t, result))
}

func TestAConnectionIsNotRenewed(t *testing.T) {
	broker := newScriptedBroker(t)
	socket, err := net.Dial("unix", broker.path)
	must(t, err)
	client := NewController("t", Options{Conn: socket})
	result := opened(t, client)
	peer := broker.accept()
	peer.greet(nil)
	must(t, got(t, result))
	peer.close()
	got(t, client.Done())
}

// With this variable the test program is a plugin that the test has started.
const asPlugin = "CALLBROKER_TEST_PLUGIN"

func TestMain(m *testing.M) {
	if os.Getenv(asPlugin) == "" {
		os.Exit(m.Run())
	}
	conn, err := Stdio()
	if err != nil {
		panic(err)
	}
	app := NewProvider("org.example.a", "A", nil, Options{Conn: conn})
	app.Perform("answer", func(context.Context, *Action) error {
		os.Stdout.WriteString("answering\n")
		return nil
	})
	if err := app.Run(background); err != nil {
		panic(err)
	}
}

func TestAPluginTalksOverItsStandardInputAndPrintsToItsLog(t *testing.T) {
	broker := newScriptedBroker(t)
	theirs, err := net.Dial("unix", broker.path)
	must(t, err)
	file, err := theirs.(*net.UnixConn).File()
	must(t, err)
	peer := broker.accept()
	var log logged
	plugin := exec.Command(os.Args[0])
	plugin.Env = append(os.Environ(), asPlugin+"=1")
	plugin.Stdin, plugin.Stdout, plugin.Stderr = file, file, &log
	must(t, plugin.Start())
	t.Cleanup(func() { plugin.Process.Kill() })
	theirs.Close()
	file.Close()
	peer.greetProvider()
	peer.perform(7, nil)
	equal(t, peer.read(""), Object{"jsonrpc": "2.0", "id": 7, "result": Object{}})
	peer.send(Object{"method": "broker.goodbye", "params": Object{"reason": "stop"}})
	peer.read("broker.goodbye")
	must(t, plugin.Wait())
	equal(t, string(log), "answering\n")
}

type logged []byte

func (l *logged) Write(text []byte) (int, error) {
	*l = append(*l, text...)
	return len(text), nil
}

func TestClosedClientsLeaveNoGoroutineBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for round := 0; round < 8; round++ {
		broker := newScriptedBroker(t)
		app := NewProvider("org.example.a", "A", nil, broker.quick())
		begun := make(chan bool, 1)
		app.Perform("answer", func(ctx context.Context, _ *Action) error {
			begun <- true
			<-ctx.Done()
			return ctx.Err()
		})
		app.OnFault(func(error) {})
		go app.Open(background)
		peer := broker.accept()
		peer.greetProvider()
		peer.perform(7, nil)
		got(t, begun)
		reply := ask(app.Client, background, "call.report_connected", nil)
		peer.read("call.report_connected")
		if round%2 == 0 {
			peer.close()
			peer = broker.accept()
		}
		app.Close()
		isTrue(t, got(t, reply).err != nil)
		peer.close()
		broker.listener.Close()
	}
	for runtime.NumGoroutine() > before { // they have nothing to wait for any more
		runtime.Gosched()
	}
}
