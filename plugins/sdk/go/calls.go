package callbroker

import "context"

// What the user asks for. more has the members that may be left out: wait ("completed"), dry_run,
// transaction, deadline_ms, on_conflict, and those of the method; it is nil for none. The result is
// what became of the transaction: state, actions, would_hold, ...

// Transact asks for 1 to 8 actions, done in order or refused as a whole.
func (c *Client) Transact(ctx context.Context, actions []Object, more Object) (Object, error) {
	return c.Request(ctx, "transaction.request", with(more, Object{"actions": actions}))
}

// Start calls somebody; more may have call, provider, line, has_video, background, ...
func (c *Client) Start(ctx context.Context, remote Handle, more Object) (Object, error) {
	return c.Request(ctx, "call.start", with(more, Object{"remote": remote}))
}

// Dial calls a tel:, sip:, sips:, mailto: or registered URI, whose scheme picks the provider.
func (c *Client) Dial(ctx context.Context, uri string, more Object) (Object, error) {
	return c.Request(ctx, "call.dial", with(more, Object{"uri": uri}))
}

// Answer answers; choice is answer, hold_and_answer, end_and_answer or end_held_and_answer.
func (c *Client) Answer(ctx context.Context, call string, more Object) (Object, error) {
	return c.Request(ctx, "call.answer", with(more, Object{"call": call}))
}

// Pull brings a call of another device here, as an answer would.
func (c *Client) Pull(ctx context.Context, call string, more Object) (Object, error) {
	return c.Request(ctx, "call.pull", with(more, Object{"call": call}))
}

// End hangs up, declines or cancels; with group all calls of the call's group.
func (c *Client) End(ctx context.Context, call string, more Object) (Object, error) {
	return c.Request(ctx, "call.end", with(more, Object{"call": call}))
}

// SetHeld holds, or resumes.
func (c *Client) SetHeld(ctx context.Context, call string, held bool, more Object) (Object, error) {
	return c.Request(ctx, "call.set_held", with(more, Object{"call": call, "held": held}))
}

// SetMuted mutes or unmutes the call's whole group.
func (c *Client) SetMuted(ctx context.Context, call string, muted bool, more Object) (Object, error) {
	return c.Request(ctx, "call.set_muted", with(more, Object{"call": call, "muted": muted}))
}

// SetGroup joins the group of another call, or with an empty id leaves its own.
func (c *Client) SetGroup(ctx context.Context, call, other string, more Object) (Object, error) {
	members := with(more, Object{"call": call, "with": nil})
	if other != "" {
		members["with"] = other
	}
	return c.Request(ctx, "call.set_group", members)
}

// PlayDTMF sends tones; style is single, soft_pause or hard_pause.
func (c *Client) PlayDTMF(ctx context.Context, call, digits string, more Object) (Object, error) {
	return c.Request(ctx, "call.play_dtmf", with(more, Object{"call": call, "digits": digits}))
}

// SetEndpoint moves the sound of a call to one of its endpoints.
func (c *Client) SetEndpoint(ctx context.Context, call, endpoint string, more Object) (Object, error) {
	return c.Request(ctx, "call.set_endpoint", with(more, Object{"call": call, "endpoint": endpoint}))
}

// SetVideo gives a call video: off, send, receive or both; accepts or declines a video_request.
func (c *Client) SetVideo(ctx context.Context, call, video string, more Object) (Object, error) {
	return c.Request(ctx, "call.set_video", with(more, Object{"call": call, "video": video}))
}

// SetText gives a call real-time text, or takes it away; accepts or declines a text_request.
func (c *Client) SetText(ctx context.Context, call string, text bool, more Object) (Object, error) {
	return c.Request(ctx, "call.set_text", with(more, Object{"call": call, "text": text}))
}

// TypeText sends characters on an active call that has text: U+0008 erases one, U+2028 begins a
// line.
func (c *Client) TypeText(ctx context.Context, call, text string, more Object) (Object, error) {
	return c.Request(ctx, "call.send_text", with(more, Object{"call": call, "text": text}))
}

// Transfer transfers a call to an address, which ends it here.
func (c *Client) Transfer(ctx context.Context, call string, to Handle, more Object) (Object, error) {
	return c.Request(ctx, "call.transfer", with(more, Object{"call": call, "to": to}))
}

// AttendedTransfer joins the remote parties of two calls with each other, which ends both here.
func (c *Client) AttendedTransfer(ctx context.Context, call, other string, more Object) (Object, error) {
	return c.Request(ctx, "call.attended_transfer", with(more, Object{"call": call, "with": other}))
}

// Deflect sends an incoming call to another address, which ends it here.
func (c *Client) Deflect(ctx context.Context, call string, to Handle, more Object) (Object, error) {
	return c.Request(ctx, "call.deflect", with(more, Object{"call": call, "to": to}))
}

// Swap holds the active call and resumes the held one: call, where there are several.
func (c *Client) Swap(ctx context.Context, more Object) (Object, error) {
	return c.Request(ctx, "call.swap", with(more, Object{}))
}

// Merge makes one group of two calls of the same provider.
func (c *Client) Merge(ctx context.Context, call, other string, more Object) (Object, error) {
	return c.Request(ctx, "call.merge", with(more, Object{"call": call, "with": other}))
}

// Split takes a call out of its group; the rest is held.
func (c *Client) Split(ctx context.Context, call string, more Object) (Object, error) {
	return c.Request(ctx, "call.split", with(more, Object{"call": call}))
}

// PressButton presses the one button of a headset: short or long.
func (c *Client) PressButton(ctx context.Context, press string, more Object) (Object, error) {
	return c.Request(ctx, "call.press_button", with(more, Object{"press": press}))
}

// Silence lets a call ring on without sound.
func (c *Client) Silence(ctx context.Context, call string, more Object) (Object, error) {
	return c.Request(ctx, "call.silence", with(more, Object{"call": call}))
}

// Prioritize marks a call that rings or waits as one of a priority caller.
func (c *Client) Prioritize(ctx context.Context, call string, more Object) (Object, error) {
	return c.Request(ctx, "call.prioritize", with(more, Object{"call": call}))
}

// WouldRing has the result that a call at an app would have now, for a program beside the app.
func (c *Client) WouldRing(ctx context.Context, provider string, remote Handle, more Object) (Object, error) {
	return c.Request(ctx, "call.may_ring", with(more, Object{"provider": provider, "remote": remote}))
}

// ContinueTones sends the tones that wait behind a pause, or drops them with send false.
func (c *Client) ContinueTones(ctx context.Context, call string, more Object) (Object, error) {
	return c.Request(ctx, "call.continue_tones", with(more, Object{"call": call}))
}

// SetHostEndpoint chooses one of the host's endpoints, for the live call and all later ones.
func (c *Client) SetHostEndpoint(ctx context.Context, endpoint string, more Object) (Object, error) {
	return c.Request(ctx, "audio.set_endpoint", with(more, Object{"endpoint": endpoint}))
}

// SetLineSetting changes one of the settings of a provider's line, which may take a minute.
func (c *Client) SetLineSetting(ctx context.Context, provider, line, setting string, on bool, more Object) (Object, error) {
	return c.Request(ctx, "line.set_setting", with(more, Object{"provider": provider, "line": line, "setting": setting, "on": on}))
}

// UpdateParticipant mutes a participant, or raises a hand: muted or hand_raised, one of what is
// changeable.
func (c *Client) UpdateParticipant(ctx context.Context, call, participant string, more Object) (Object, error) {
	return c.Request(ctx, "participant.update", with(more, Object{"call": call, "participant": participant}))
}

// ListParticipants has who takes part in a conference: a page of participants.
func (c *Client) ListParticipants(ctx context.Context, call string, more Object) (Object, error) {
	return c.Request(ctx, "participant.list", with(more, Object{"call": call}))
}

// GetCall has one call.
func (c *Client) GetCall(ctx context.Context, call string, more Object) (Object, error) {
	return c.Request(ctx, "call.get", with(more, Object{"call": call}))
}

// ListCalls has a page of calls: filter, after (next of the last), limit.
func (c *Client) ListCalls(ctx context.Context, more Object) (Object, error) {
	return c.Request(ctx, "call.list", with(more, Object{}))
}

// Explain has why things are as they are, of a call or a transaction: the decision's steps.
func (c *Client) Explain(ctx context.Context, more Object) (Object, error) {
	return c.Request(ctx, "call.explain", with(more, Object{}))
}

// Timeline has what has happened to a call, also to one that is over: a page of entries.
func (c *Client) Timeline(ctx context.Context, call string, more Object) (Object, error) {
	return c.Request(ctx, "call.timeline", with(more, Object{"call": call}))
}

// ListTransactions has a page of the latest transactions.
func (c *Client) ListTransactions(ctx context.Context, more Object) (Object, error) {
	return c.Request(ctx, "transaction.list", with(more, Object{}))
}

// ListProviders has a page of providers.
func (c *Client) ListProviders(ctx context.Context, more Object) (Object, error) {
	return c.Request(ctx, "provider.list", with(more, Object{}))
}

// GetHost has the live group, what is held and rings, and who has the audio.
func (c *Client) GetHost(ctx context.Context, more Object) (Object, error) {
	return c.Request(ctx, "host.get", with(more, Object{}))
}

// GetPolicy has what the user chose: do-not-disturb, holds, limits.
func (c *Client) GetPolicy(ctx context.Context, more Object) (Object, error) {
	return c.Request(ctx, "policy.get", with(more, Object{}))
}

// SetPolicy changes a part of that.
func (c *Client) SetPolicy(ctx context.Context, more Object) (Object, error) {
	return c.Request(ctx, "policy.set", with(more, Object{}))
}
