//! Pushes: what an app's server sends to an app that perhaps does not run. A gateway, which receives
//! them, delivers them to the broker, and that to the app, which it starts if need be.

use crate::{integer, text, Client, Error, Failed, Provider};
use serde_json::{json, Value};

impl Provider {
    /// Handles pushes of the app's server: is given the type, one of the `push_types` of the
    /// registration, and the payload. `Ok` when that is done: for a push of the type `voip` when
    /// [`Provider::report_incoming`] has reported the call.
    pub fn receive_push<F>(&self, receive: F)
    where
        F: Fn(&str, &Value) -> Result<(), Failed> + Send + Sync + 'static,
    {
        self.handle("push.received", move |request| {
            let params = &request.params;
            receive(text(params, "type"), &params["payload"]).map(|()| Value::Null)
        });
    }

    /// Adds a function for the address at which the app's server can push to it: is given the type and
    /// the token, after each registration and at each change. Without one the former is no longer valid.
    pub fn on_push_token(&self, then: impl Fn(&str, Option<&str>) + Send + Sync + 'static) {
        self.on("push.token", move |params| then(text(params, "type"), params["token"].as_str()));
    }

    /// Adds a function for pushes of the type `voip` after which no call was reported: is given the
    /// push, how many there were in a row, and whether no more are delivered until
    /// [`Client::reset_pushes`].
    pub fn on_push_unreported(&self, then: impl Fn(&str, i64, bool) + Send + Sync + 'static) {
        self.on("push.unreported", move |params| {
            let is_stopped = params["stopped"] == true;
            then(text(params, "push"), integer(params, "in_a_row"), is_stopped);
        });
    }
}

impl Client {
    /// Delivers what an app's server has sent. With wait `completed` the result comes when the app has
    /// handled it, and has reported_call. more also has type (`voip` if left out) and ttl_ms.
    pub fn deliver_push(
        &self,
        provider: &str,
        payload: Value,
        more: Value,
    ) -> Result<Value, Error> {
        let members = json!({"provider": provider, "payload": payload});
        let more = if more.is_null() { json!({}) } else { more };
        self.request("push.deliver", crate::with(more, &members))
    }

    /// Reports the address at which a server can push to an app, for as long as this connection lives;
    /// without one the former is no longer valid. What comes there is to be delivered with
    /// [`Client::deliver_push`].
    pub fn set_push_token(
        &self,
        provider: &str,
        push_type: &str,
        token: Option<&str>,
    ) -> Result<Value, Error> {
        let members = json!({"provider": provider, "type": push_type, "token": token});
        self.request("push.set_token", members)
    }

    /// Has pushes of the type `voip` delivered again to an app that has reported no calls for them.
    /// Needs the role admin.
    pub fn reset_pushes(&self, provider: &str) -> Result<Value, Error> {
        self.request("push.reset", json!({"provider": provider}))
    }
}
