//! Screens, which show calls.

use crate::requests::Request;
use crate::{locked, text, Error, Failed, Observer, Options, Watched};
use serde_json::{json, Value};
use std::ops::Deref;

/// Shows calls and takes the user's wishes. Once it has claimed, calls come to `present`. It watches
/// calls as an [`Observer`] does.
#[derive(Clone)]
pub struct Screen(Observer);

impl Deref for Screen {
    type Target = Observer;

    fn deref(&self) -> &Observer {
        &self.0
    }
}

impl Screen {
    /// Returns a screen; its options have an identity.
    pub fn new(name: &str, watched: Watched, options: Options) -> Screen {
        let options = options.or_roles(&["ui", "controller", "observer"]);
        Screen(Observer::new(name, watched, options))
    }

    /// Is given calls to show {call, ...}. It returns false for those that the user cannot see here,
    /// which another screen may show.
    pub fn present<F>(&self, present: F)
    where
        F: Fn(&Request) -> Result<bool, Failed> + Send + Sync + 'static,
    {
        self.handle("ui.present", move |request| Ok(json!({"presented": present(request)?})));
    }

    /// Adds a function for calls that are to be shown no longer.
    pub fn on_dismiss(&self, then: impl Fn(&str) + Send + Sync + 'static) {
        self.on("ui.dismiss", move |params| then(text(params, "call")));
    }

    /// Is given what an app would like to be allowed, with the feature `ask`. It returns allow, deny or
    /// later.
    pub fn ask_user<F>(&self, ask: F)
    where
        F: Fn(&Request) -> Result<String, Failed> + Send + Sync + 'static,
    {
        self.handle("ui.ask", move |request| Ok(json!({"answer": ask(request)?})));
    }

    /// Wants to present calls, in every new session again. The result says whether it is `primary`. The
    /// screen of a plugin is claimed by its manifest.
    pub fn claim(&self, members: Value) -> Result<Value, Error> {
        let result = self.request("ui.claim", members.clone())?;
        locked(&self.inner.state).claim = Some(members);
        Ok(result)
    }

    /// Leaves that to another.
    pub fn release(&self) -> Result<Value, Error> {
        locked(&self.inner.state).claim = None;
        self.request("ui.release", json!({}))
    }
}
