//! What the user asks for. `more` has the members that may be left out: wait ("completed"), dry_run,
//! transaction, deadline_ms, on_conflict, and those of the method; it is `json!({})` for none. The
//! result is what became of the transaction: state, actions, would_hold, ...

use crate::{Client, Error};
use serde_json::{json, Value};

fn with(more: Value, members: Value) -> Value {
    crate::with(if more.is_null() { json!({}) } else { more }, &members)
}

impl Client {
    /// Asks for 1 to 8 actions, done in order or refused as a whole.
    pub fn transact(&self, actions: Vec<Value>, more: Value) -> Result<Value, Error> {
        self.request("transaction.request", with(more, json!({"actions": actions})))
    }

    /// Calls somebody; more may have call, provider, line, has_video, background, ...
    pub fn start(&self, remote: Value, more: Value) -> Result<Value, Error> {
        self.request("call.start", with(more, json!({"remote": remote})))
    }

    /// Calls a tel:, sip:, sips:, mailto: or registered URI, whose scheme picks the provider.
    pub fn dial(&self, uri: &str, more: Value) -> Result<Value, Error> {
        self.request("call.dial", with(more, json!({"uri": uri})))
    }

    /// Answers; choice is answer, hold_and_answer, end_and_answer or end_held_and_answer.
    pub fn answer(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.answer", with(more, json!({"call": call})))
    }

    /// Brings a call of another device here, as an answer would.
    pub fn pull(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.pull", with(more, json!({"call": call})))
    }

    /// Hangs up, declines or cancels; with group all calls of the call's group.
    pub fn end(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.end", with(more, json!({"call": call})))
    }

    /// Holds, or resumes.
    pub fn set_held(&self, call: &str, held: bool, more: Value) -> Result<Value, Error> {
        self.request("call.set_held", with(more, json!({"call": call, "held": held})))
    }

    /// Mutes or unmutes the call's whole group.
    pub fn set_muted(&self, call: &str, muted: bool, more: Value) -> Result<Value, Error> {
        self.request("call.set_muted", with(more, json!({"call": call, "muted": muted})))
    }

    /// Joins the group of another call, or without one leaves its own.
    pub fn set_group(&self, call: &str, other: Option<&str>, more: Value) -> Result<Value, Error> {
        self.request("call.set_group", with(more, json!({"call": call, "with": other})))
    }

    /// Sends tones; style is single, soft_pause or hard_pause.
    pub fn play_dtmf(&self, call: &str, digits: &str, more: Value) -> Result<Value, Error> {
        self.request("call.play_dtmf", with(more, json!({"call": call, "digits": digits})))
    }

    /// Moves the sound of a call to one of its endpoints.
    pub fn set_endpoint(&self, call: &str, endpoint: &str, more: Value) -> Result<Value, Error> {
        self.request("call.set_endpoint", with(more, json!({"call": call, "endpoint": endpoint})))
    }

    /// Gives a call video: off, send, receive or both; accepts or declines a video_request.
    pub fn set_video(&self, call: &str, video: &str, more: Value) -> Result<Value, Error> {
        self.request("call.set_video", with(more, json!({"call": call, "video": video})))
    }

    /// Gives a call real-time text, or takes it away; accepts or declines a text_request.
    pub fn set_text(&self, call: &str, text: bool, more: Value) -> Result<Value, Error> {
        self.request("call.set_text", with(more, json!({"call": call, "text": text})))
    }

    /// Sends characters on an active call that has text: U+0008 erases one, U+2028 begins a line.
    pub fn type_text(&self, call: &str, text: &str, more: Value) -> Result<Value, Error> {
        self.request("call.send_text", with(more, json!({"call": call, "text": text})))
    }

    /// Transfers a call to an address, which ends it here.
    pub fn transfer(&self, call: &str, to: Value, more: Value) -> Result<Value, Error> {
        self.request("call.transfer", with(more, json!({"call": call, "to": to})))
    }

    /// Joins the remote parties of two calls with each other, which ends both here.
    pub fn attended_transfer(&self, call: &str, other: &str, more: Value) -> Result<Value, Error> {
        self.request("call.attended_transfer", with(more, json!({"call": call, "with": other})))
    }

    /// Sends an incoming call to another address, which ends it here.
    pub fn deflect(&self, call: &str, to: Value, more: Value) -> Result<Value, Error> {
        self.request("call.deflect", with(more, json!({"call": call, "to": to})))
    }

    /// Holds the active call and resumes the held one: call, where there are several.
    pub fn swap(&self, more: Value) -> Result<Value, Error> {
        self.request("call.swap", with(more, json!({})))
    }

    /// Makes one group of two calls of the same provider.
    pub fn merge(&self, call: &str, other: &str, more: Value) -> Result<Value, Error> {
        self.request("call.merge", with(more, json!({"call": call, "with": other})))
    }

    /// Takes a call out of its group; the rest is held.
    pub fn split(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.split", with(more, json!({"call": call})))
    }

    /// Presses the one button of a headset: short or long.
    pub fn press_button(&self, press: &str, more: Value) -> Result<Value, Error> {
        self.request("call.press_button", with(more, json!({"press": press})))
    }

    /// Lets a call ring on without sound.
    pub fn silence(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.silence", with(more, json!({"call": call})))
    }

    /// Marks a call that rings or waits as one of a priority caller.
    pub fn prioritize(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.prioritize", with(more, json!({"call": call})))
    }

    /// Has the result that a call at an app would have now, for a program beside the app.
    pub fn would_ring(&self, provider: &str, remote: Value, more: Value) -> Result<Value, Error> {
        self.request("call.may_ring", with(more, json!({"provider": provider, "remote": remote})))
    }

    /// Sends the tones that wait behind a pause, or drops them with send false.
    pub fn continue_tones(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.continue_tones", with(more, json!({"call": call})))
    }

    /// Chooses one of the host's endpoints, for the live call and all later ones.
    pub fn set_host_endpoint(&self, endpoint: &str, more: Value) -> Result<Value, Error> {
        self.request("audio.set_endpoint", with(more, json!({"endpoint": endpoint})))
    }

    /// Changes one of the settings of a provider's line, which may take a minute.
    pub fn set_line_setting(
        &self,
        provider: &str,
        line: &str,
        setting: &str,
        on: bool,
        more: Value,
    ) -> Result<Value, Error> {
        self.request(
            "line.set_setting",
            with(more, json!({"provider": provider, "line": line, "setting": setting, "on": on})),
        )
    }

    /// Mutes a participant, or raises a hand: muted or hand_raised, one of what is changeable.
    pub fn update_participant(
        &self,
        call: &str,
        participant: &str,
        more: Value,
    ) -> Result<Value, Error> {
        self.request(
            "participant.update",
            with(more, json!({"call": call, "participant": participant})),
        )
    }

    /// Has who takes part in a conference: a page of participants.
    pub fn list_participants(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("participant.list", with(more, json!({"call": call})))
    }

    /// Has one call.
    pub fn get_call(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.get", with(more, json!({"call": call})))
    }

    /// Has a page of calls: filter, after (next of the last), limit.
    pub fn list_calls(&self, more: Value) -> Result<Value, Error> {
        self.request("call.list", with(more, json!({})))
    }

    /// Has why things are as they are, of a call or a transaction: the decision's steps.
    pub fn explain(&self, more: Value) -> Result<Value, Error> {
        self.request("call.explain", with(more, json!({})))
    }

    /// Has what has happened to a call, also to one that is over: a page of entries.
    pub fn timeline(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.timeline", with(more, json!({"call": call})))
    }

    /// Has a page of the latest transactions.
    pub fn list_transactions(&self, more: Value) -> Result<Value, Error> {
        self.request("transaction.list", with(more, json!({})))
    }

    /// Has a page of providers.
    pub fn list_providers(&self, more: Value) -> Result<Value, Error> {
        self.request("provider.list", with(more, json!({})))
    }

    /// Has the live group, what is held and rings, and who has the audio.
    pub fn get_host(&self, more: Value) -> Result<Value, Error> {
        self.request("host.get", with(more, json!({})))
    }

    /// Has what the user chose: do-not-disturb, holds, limits.
    pub fn get_policy(&self, more: Value) -> Result<Value, Error> {
        self.request("policy.get", with(more, json!({})))
    }

    /// Changes a part of that.
    pub fn set_policy(&self, more: Value) -> Result<Value, Error> {
        self.request("policy.set", with(more, json!({})))
    }
}
