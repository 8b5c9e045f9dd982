//! What happens to the calls of a provider. `more` has the members that may be left out, such as
//! `at_ms`, and is `json!({})` for none: `callbroker describe call.report_incoming` and its like
//! explain them.

use crate::{new_id, Error, Provider};
use serde_json::{json, Value};

fn with(more: Value, members: Value) -> Value {
    crate::with(if more.is_null() { json!({}) } else { more }, &members)
}

impl Provider {
    /// Reports a call that wants to ring. The result has its presentation; an [`Error::Refused`]
    /// means that it is not to ring: end it.
    pub fn report_incoming(&self, call: &str, remote: Value, more: Value) -> Result<Value, Error> {
        self.request("call.report_incoming", with(more, json!({"call": call, "remote": remote})))
    }

    /// Reports nothing: has the result or the error that [`Provider::report_incoming`] would have now,
    /// with the rule that decides and the filters that were left `unasked`, as they do not run.
    pub fn may_ring(&self, remote: Value, more: Value) -> Result<Value, Error> {
        self.report_incoming(&new_id(), remote, with(more, json!({"dry_run": true})))
    }

    /// Reports that the far end rings; has_early_media that it sends the sound of it.
    pub fn report_alerting(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.report_alerting", with(more, json!({"call": call})))
    }

    /// Reports that the call is being connected.
    pub fn report_connecting(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.report_connecting", with(more, json!({"call": call})))
    }

    /// Reports that the far end has answered; or the user, in the app itself.
    pub fn report_connected(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.report_connected", with(more, json!({"call": call})))
    }

    /// Reports that the app held or resumed by itself.
    pub fn report_held(&self, call: &str, held: bool, more: Value) -> Result<Value, Error> {
        self.request("call.report_held", with(more, json!({"call": call, "held": held})))
    }

    /// Reports that the app muted or unmuted by itself.
    pub fn report_muted(&self, call: &str, muted: bool, more: Value) -> Result<Value, Error> {
        self.request("call.report_muted", with(more, json!({"call": call, "muted": muted})))
    }

    /// Reports that the app grouped by itself; or split, if there is no other.
    pub fn report_group(
        &self,
        call: &str,
        other: Option<&str>,
        more: Value,
    ) -> Result<Value, Error> {
        self.request("call.report_group", with(more, json!({"call": call, "with": other})))
    }

    /// Reports a call that was over before it could ring, for the history only.
    pub fn report_missed(
        &self,
        call: &str,
        remote: Value,
        reason: &str,
        at_ms: i64,
        more: Value,
    ) -> Result<Value, Error> {
        self.request(
            "call.report_missed",
            with(more, json!({"call": call, "remote": remote, "reason": reason, "at_ms": at_ms})),
        )
    }

    /// Reports that something about the call has changed.
    pub fn report_update(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.report_update", with(more, json!({"call": call})))
    }

    /// Reports a call that is live on another device of the account, or has changed there. With
    /// supports_pull an action answer is to bring it here.
    pub fn report_external(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.report_external", with(more, json!({"call": call})))
    }

    /// Reports that the far end asks for video: "send", "receive" or "both", as seen from here;
    /// null withdraws it. The user's decision comes as the action set_video.
    pub fn report_video_request(
        &self,
        call: &str,
        video: Value,
        more: Value,
    ) -> Result<Value, Error> {
        self.request("call.report_video_request", with(more, json!({"call": call, "video": video})))
    }

    /// Reports that the far end asks for real-time text, or no longer does. The user's decision
    /// comes as the action set_text.
    pub fn report_text_request(
        &self,
        call: &str,
        requested: bool,
        more: Value,
    ) -> Result<Value, Error> {
        self.request(
            "call.report_text_request",
            with(more, json!({"call": call, "requested": requested})),
        )
    }

    /// Reports what the far end has typed, at most 1,024 bytes: collect it for up to 300 ms.
    pub fn report_text(&self, call: &str, text: &str, more: Value) -> Result<Value, Error> {
        self.request("call.report_text", with(more, json!({"call": call, "text": text})))
    }

    /// Reports how well the sound is transmitted, every few seconds: loss_permille, jitter_ms,
    /// round_trip_ms.
    pub fn report_quality(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.report_quality", with(more, json!({"call": call})))
    }

    /// Reports who takes part in a conference that the far end runs: `changed`, `removed`, and with
    /// `replace` nobody else.
    pub fn report_participants(&self, call: &str, more: Value) -> Result<Value, Error> {
        self.request("call.report_participants", with(more, json!({"call": call})))
    }

    /// Reports that the call is over, and not because anybody here wanted it: failed, remote_ended,
    /// unanswered, answered_elsewhere or declined_elsewhere. end_detail is what the app knows of
    /// it.
    pub fn report_ended(&self, call: &str, reason: &str, more: Value) -> Result<Value, Error> {
        self.request("call.report_ended", with(more, json!({"call": call, "reason": reason})))
    }

    /// Settles an action of a transaction that was taken over: fulfilled, or failed with reason,
    /// message and app_code.
    pub fn settle(&self, action: &str, outcome: &str, more: Value) -> Result<Value, Error> {
        self.request("action.settle", with(more, json!({"action": action, "outcome": outcome})))
    }

    /// Changes members of the registration, now and for sessions to come. `lines` is the whole list.
    pub fn update(&self, members: Value) -> Result<Value, Error> {
        self.keep(&members);
        self.request("provider.update", members)
    }

    /// Says that no more calls come from here.
    pub fn unregister(&self) -> Result<Value, Error> {
        self.request("provider.unregister", json!({}))
    }

    /// Has the user asked whether there may be calls from here. The result has the `status` and whether
    /// the user is `asked`; the answer comes to `on("provider.authorization_changed", …)`.
    pub fn request_authorization(&self) -> Result<Value, Error> {
        self.request("provider.request_authorization", json!({}))
    }
}
