package callbroker

import (
	"context"
	"testing"
)

// A push that an app has handled has this as its result.
func reportedCall(t *testing.T, result Object, err error) bool {
	t.Helper()
	must(t, err)
	return result.Flag("reported_call")
}

func TestAPushIsDeliveredAndRings(t *testing.T) {
	s := newStage(t)
	app := s.provider("org.one", Object{"push_types": []any{"voip", "complication"}})
	received := make(chan []any, 9)
	app.ReceivePush(func(ctx context.Context, pushType string, payload Object) error {
		received <- []any{pushType, payload}
		if pushType != "voip" {
			return nil
		}
		_, err := app.ReportIncoming(ctx, NewID(), Phone(payload.Text("caller")), nil)
		return err
	})
	s.enter(app.Client)
	result, err := s.user.DeliverPush(background, "org.one", Object{"caller": "+15550100"}, completed)
	equal(t, reportedCall(t, result, err), true)
	equal(t, got(t, received), []any{"voip", Object{"caller": "+15550100"}})
	equal(t, s.ask("call.list", nil).Objects("calls")[0].Object("remote")["value"], "+15550100")
	result, err = s.user.DeliverPush(background, "org.one", nil, Object{"type": "complication", "ttl_ms": 0})
	must(t, err)
	equal(t, result["delivered"], true)
	equal(t, got(t, received)[0], "complication")
}

func TestTheTokenOfAGatewayReachesTheAppAndGoesWithIt(t *testing.T) {
	s := newStage(t)
	app := s.provider("org.one", Object{"push_types": []any{"voip"}})
	tokens := make(chan []any, 9)
	app.OnPushToken(func(pushType, token string) { tokens <- []any{pushType, token} })
	s.enter(app.Client)
	equal(t, got(t, tokens), []any{"voip", "org.one"})
	gateway := s.enter(NewController("gateway", s.options()))
	_, err := gateway.SetPushToken(background, "org.one", "voip", "https://push.example/7")
	must(t, err)
	equal(t, got(t, tokens), []any{"voip", "https://push.example/7"})
	_, err = gateway.SetPushToken(background, "org.one", "voip", "")
	must(t, err)
	equal(t, got(t, tokens), []any{"voip", ""})
	_, err = gateway.SetPushToken(background, "org.one", "voip", "https://push.example/8")
	must(t, err)
	equal(t, got(t, tokens), []any{"voip", "https://push.example/8"})
	gateway.Close()
	equal(t, got(t, tokens), []any{"voip", ""})
}

func TestPushesWithoutCallsAreCountedAndStopUntilTheyAreReset(t *testing.T) {
	s := newStage(t)
	app := s.provider("org.one", Object{"push_types": []any{"voip"}})
	unreported := make(chan []any, 9)
	app.ReceivePush(func(context.Context, string, Object) error { return nil })
	app.OnPushUnreported(func(push string, inARow int64, isStopped bool) {
		unreported <- []any{len(push), inARow, isStopped}
	})
	s.enter(app.Client)
	for count := 1; count <= 5; count++ {
		result, err := s.user.DeliverPush(background, "org.one", nil, completed)
		equal(t, reportedCall(t, result, err), false)
		equal(t, got(t, unreported), []any{36, count, count == 5})
	}
	_, err := s.user.DeliverPush(background, "org.one", nil, completed)
	equal(t, Reason(err), "pushes_stopped")
	_, err = s.user.ResetPushes(background, "org.one")
	must(t, err)
	_, err = s.user.DeliverPush(background, "org.one", nil, completed)
	must(t, err)
}
