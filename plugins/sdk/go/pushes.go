package callbroker

import "context"

// Pushes: what an app's server sends to an app that perhaps does not run. A gateway, which receives
// them, delivers them to the broker, and that to the app, which it starts if need be.

// ReceivePush handles pushes of the app's server: is given the type, one of the `push_types` of the
// registration, and the payload. It returns nil when that is done: for a push of the type "voip"
// when ReportIncoming has reported the call.
func (p *Provider) ReceivePush(receive func(ctx context.Context, pushType string, payload Object) error) {
	p.Handle("push.received", func(ctx context.Context, params Object) (Object, error) {
		return nil, receive(ctx, params.Text("type"), params.Object("payload"))
	})
}

// OnPushToken adds a function for the address at which the app's server can push to it, after each
// registration and at each change. An empty token means that the former one is no longer valid.
func (p *Provider) OnPushToken(then func(pushType, token string)) {
	p.On("push.token", func(params Object) { then(params.Text("type"), params.Text("token")) })
}

// OnPushUnreported adds a function for pushes of the type "voip" after which no call was reported,
// and how many there were in a row. isStopped means that no more are delivered until ResetPushes.
func (p *Provider) OnPushUnreported(then func(push string, inARow int64, isStopped bool)) {
	p.On("push.unreported", func(params Object) {
		then(params.Text("push"), params.Integer("in_a_row"), params.Flag("stopped"))
	})
}

// DeliverPush delivers what an app's server has sent. With wait "completed" the result comes when
// the app has handled it, and has reported_call. more also has type ("voip" if left out) and ttl_ms.
func (c *Client) DeliverPush(ctx context.Context, provider string, payload, more Object) (Object, error) {
	members := Object{"provider": provider, "payload": with(payload)}
	return c.Request(ctx, "push.deliver", with(more, members))
}

// SetPushToken reports the address at which a server can push to an app, for as long as this
// connection lives. An empty one is no longer valid. What comes there is delivered with DeliverPush.
func (c *Client) SetPushToken(ctx context.Context, provider, pushType, token string) (Object, error) {
	members := Object{"provider": provider, "type": pushType, "token": nil}
	if token != "" {
		members["token"] = token
	}
	return c.Request(ctx, "push.set_token", members)
}

// ResetPushes has pushes of the type "voip" delivered again to an app that has reported no calls
// for them. Needs the role admin.
func (c *Client) ResetPushes(ctx context.Context, provider string) (Object, error) {
	return c.Request(ctx, "push.reset", Object{"provider": provider})
}
