package callbroker

import "context"

// What happens to the calls of a provider. more has the members that may be left out, such as at_ms,
// and is nil for none: `callbroker describe call.report_incoming` and its like explain them.

// ReportIncoming reports a call that wants to ring. The result has its presentation; an *Error
// means that it is not to ring: end it.
func (p *Provider) ReportIncoming(ctx context.Context, call string, remote Handle, more Object) (Object, error) {
	return p.Request(ctx, "call.report_incoming", with(more, Object{"call": call, "remote": remote}))
}

// MayRing reports nothing: it has the result or the error that ReportIncoming would have now, with the
// rule that decides and the filters that were left `unasked`, as they do not run.
func (p *Provider) MayRing(ctx context.Context, remote Handle, more Object) (Object, error) {
	return p.ReportIncoming(ctx, NewID(), remote, with(more, Object{"dry_run": true}))
}

// ReportAlerting reports that the far end rings; has_early_media that it sends the sound of it.
func (p *Provider) ReportAlerting(ctx context.Context, call string, more Object) (Object, error) {
	return p.Request(ctx, "call.report_alerting", with(more, Object{"call": call}))
}

// ReportConnecting reports that the call is being connected.
func (p *Provider) ReportConnecting(ctx context.Context, call string, more Object) (Object, error) {
	return p.Request(ctx, "call.report_connecting", with(more, Object{"call": call}))
}

// ReportConnected reports that the far end has answered; or the user, in the app itself.
func (p *Provider) ReportConnected(ctx context.Context, call string, more Object) (Object, error) {
	return p.Request(ctx, "call.report_connected", with(more, Object{"call": call}))
}

// ReportHeld reports that the app held or resumed by itself.
func (p *Provider) ReportHeld(ctx context.Context, call string, held bool, more Object) (Object, error) {
	return p.Request(ctx, "call.report_held", with(more, Object{"call": call, "held": held}))
}

// ReportMuted reports that the app muted or unmuted by itself.
func (p *Provider) ReportMuted(ctx context.Context, call string, muted bool, more Object) (Object, error) {
	return p.Request(ctx, "call.report_muted", with(more, Object{"call": call, "muted": muted}))
}

// ReportGroup reports that the app grouped by itself; or split, if other is empty.
func (p *Provider) ReportGroup(ctx context.Context, call, other string, more Object) (Object, error) {
	members := with(more, Object{"call": call, "with": nil})
	if other != "" {
		members["with"] = other
	}
	return p.Request(ctx, "call.report_group", members)
}

// ReportMissed reports a call that was over before it could ring, for the history only.
func (p *Provider) ReportMissed(ctx context.Context, call string, remote Handle, reason string, atMS int64, more Object) (Object, error) {
	return p.Request(ctx, "call.report_missed", with(more, Object{"call": call, "remote": remote, "reason": reason, "at_ms": atMS}))
}

// ReportUpdate reports that something about the call has changed.
func (p *Provider) ReportUpdate(ctx context.Context, call string, more Object) (Object, error) {
	return p.Request(ctx, "call.report_update", with(more, Object{"call": call}))
}

// ReportExternal reports a call that is live on another device of the account, or has changed
// there. With supports_pull an action answer is to bring it here.
func (p *Provider) ReportExternal(ctx context.Context, call string, more Object) (Object, error) {
	return p.Request(ctx, "call.report_external", with(more, Object{"call": call}))
}

// ReportVideoRequest reports that the far end asks for video: "send", "receive" or "both", as seen
// from here; nil withdraws it. The user's decision comes as the action set_video.
func (p *Provider) ReportVideoRequest(ctx context.Context, call string, video any, more Object) (Object, error) {
	return p.Request(ctx, "call.report_video_request", with(more, Object{"call": call, "video": video}))
}

// ReportTextRequest reports that the far end asks for real-time text, or no longer does. The
// user's decision comes as the action set_text.
func (p *Provider) ReportTextRequest(ctx context.Context, call string, requested bool, more Object) (Object, error) {
	return p.Request(ctx, "call.report_text_request", with(more, Object{"call": call, "requested": requested}))
}

// ReportText reports what the far end has typed, at most 1,024 bytes: collect it for up to 300 ms.
func (p *Provider) ReportText(ctx context.Context, call, text string, more Object) (Object, error) {
	return p.Request(ctx, "call.report_text", with(more, Object{"call": call, "text": text}))
}

// ReportQuality reports how well the sound is transmitted, every few seconds: loss_permille,
// jitter_ms, round_trip_ms.
func (p *Provider) ReportQuality(ctx context.Context, call string, more Object) (Object, error) {
	return p.Request(ctx, "call.report_quality", with(more, Object{"call": call}))
}

// ReportParticipants reports who takes part in a conference that the far end runs: `changed`,
// `removed`, and with `replace` nobody else.
func (p *Provider) ReportParticipants(ctx context.Context, call string, more Object) (Object, error) {
	return p.Request(ctx, "call.report_participants", with(more, Object{"call": call}))
}

// ReportEnded reports that the call is over, and not because anybody here wanted it: failed,
// remote_ended, unanswered, answered_elsewhere or declined_elsewhere. end_detail is what the app
// knows of it.
func (p *Provider) ReportEnded(ctx context.Context, call, reason string, more Object) (Object, error) {
	return p.Request(ctx, "call.report_ended", with(more, Object{"call": call, "reason": reason}))
}

// Settle settles an action of a transaction that was taken over: fulfilled, or failed with reason,
// message and app_code.
func (p *Provider) Settle(ctx context.Context, action, outcome string, more Object) (Object, error) {
	return p.Request(ctx, "action.settle", with(more, Object{"action": action, "outcome": outcome}))
}

// Update changes members of the registration, now and for sessions to come. `lines` is the whole list.
func (p *Provider) Update(ctx context.Context, members Object) (Object, error) {
	p.mu.Lock()
	p.registration = with(p.registration, members)
	p.mu.Unlock()
	return p.Request(ctx, "provider.update", members)
}

// Unregister says that no more calls come from here.
func (p *Provider) Unregister(ctx context.Context) (Object, error) {
	return p.Request(ctx, "provider.unregister", nil)
}

// RequestAuthorization has the user asked whether there may be calls from here. The result has the
// `status` and whether the user is `asked`; the answer comes to On("provider.authorization_changed").
func (p *Provider) RequestAuthorization(ctx context.Context) (Object, error) {
	return p.Request(ctx, "provider.request_authorization", nil)
}
