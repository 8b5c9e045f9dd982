//! Apps that own calls.

use crate::client::{Client, Inner, Options, State};
use crate::requests::{outcome, Reconcile, Then, Token};
use crate::{integer, locked, text, with, Code, Error, Failed};
use serde_json::{json, Value};
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Deref;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Calls in one provider.register.
const RECONCILED_AT_ONCE: usize = 32;
/// Settled ones, to answer a repetition alike.
const ACTIONS_REMEMBERED: usize = 256;

pub(crate) type Performer = Arc<dyn Fn(&Action) -> Result<(), Failed> + Send + Sync>;

/// Something that the broker asks a provider to do to a call.
pub struct Action {
    /// Its id.
    pub id: String,
    /// start answer end set_held set_muted set_group play_dtmf set_endpoint set_video set_text transfer
    /// attended_transfer deflect, or newer.
    pub kind: String,
    /// The id of the call.
    pub call: String,
    /// By kind, such as `{"held": true}`.
    pub arguments: Value,
    /// What it is a part of.
    pub transaction: String,
    /// Who wanted it.
    pub cause: Value,
    /// How long the broker waits.
    pub deadline_ms: i64,
    attempt: AtomicI64,
    age_ms: AtomicI64,
    at_ms: AtomicI64,
    inner: Arc<Inner>,
    pub(crate) token: Arc<Token>,
}

/// How far an action is; what is None is left out.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// A word of the app's.
    pub phase: Option<String>,
    /// 0 to 100.
    pub percent: Option<u8>,
    /// For people.
    pub message: Option<String>,
    /// Asks for more time, up to twice the deadline in all.
    pub extend_ms: Option<u64>,
}

impl Action {
    /// Returns 1, or more if the broker had to ask again after a lost connection.
    pub fn attempt(&self) -> i64 {
        self.attempt.load(Ordering::SeqCst)
    }

    /// Returns how long ago it was asked for.
    pub fn age_ms(&self) -> i64 {
        self.age_ms.load(Ordering::SeqCst)
    }

    /// Says when it was done, if that is not when its function returns.
    pub fn fulfilled_at(&self, at_ms: i64) {
        self.at_ms.store(at_ms, Ordering::SeqCst);
    }

    /// Whether the broker has taken it back, or its time is over.
    pub fn is_withdrawn(&self) -> bool {
        self.token.is_withdrawn()
    }

    /// Waits until it is no longer wanted, or so long; returns whether it is not.
    pub fn wait_withdrawn(&self, time: Option<Duration>) -> bool {
        self.token.wait(time)
    }

    /// Reports how far it is.
    pub fn progress(&self, progress: Progress) {
        let mut state = locked(&self.inner.state);
        let known = state.provide.as_ref().and_then(|provide| provide.actions.get(&self.id));
        let request = match known.and_then(|one| one.request.clone()) {
            Some(request) => request,
            _ => return,
        };
        let mut members = json!({"request": request});
        let Progress { phase, percent, message, extend_ms } = progress;
        for (name, value) in [
            ("phase", json!(phase)),
            ("percent", json!(percent)),
            ("message", json!(message)),
            ("extend_ms", json!(extend_ms)),
        ] {
            if !value.is_null() {
                members[name] = value;
            }
        }
        state.notify("broker.progress", members);
    }

    fn repeated(&self, params: &Value) {
        self.attempt.store(integer(params, "attempt").max(1), Ordering::SeqCst);
        self.age_ms.store(integer(params, "age_ms"), Ordering::SeqCst);
    }
}

/// An action that is known, and its answer.
pub(crate) struct Known {
    action: Arc<Action>,
    /// The id to answer to, in this connection.
    request: Option<Value>,
    outcome: Option<Result<Value, Failed>>,
}

/// What a provider has beside a client.
pub(crate) struct Provide {
    registration: Value,
    registered: Value,
    actions: HashMap<String, Known>,
    /// Of the actions, the oldest first.
    order: VecDeque<String>,
    /// The requests that ask to take a transaction over.
    pub executing: HashSet<String>,
}

impl Provide {
    pub fn lost(&mut self) {
        for known in self.actions.values_mut() {
            known.request = None; // it comes again, under another number
        }
        self.executing.clear();
    }

    /// Nothing is wanted any more; what is known holds the client.
    pub fn ended(&mut self) {
        for known in self.actions.values() {
            known.action.withdraw();
        }
        self.actions.clear();
        self.order.clear();
    }

    /// Returns the action of that name, or without a name that of a request, unless it is settled.
    pub fn action_of(&self, name: &str, request: &Value) -> Option<&Arc<Action>> {
        let known = match name {
            "" => self.actions.values().find(|known| known.request.as_ref() == Some(request)),
            _ => self.actions.get(name),
        };
        known.map(|known| &known.action)
    }

    /// Drops the oldest actions that are settled.
    fn forget(&mut self) {
        let mut at = 0;
        while at < self.order.len() && self.order.len() > ACTIONS_REMEMBERED {
            let is_settled = |known: &Known| known.outcome.is_some();
            if self.actions.get(&self.order[at]).map_or(true, is_settled) {
                self.order.remove(at).map(|name| self.actions.remove(&name));
            } else {
                at += 1;
            }
        }
    }
}

/// An app that owns calls.
#[derive(Clone)]
pub struct Provider(Client);

impl Deref for Provider {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.0
    }
}

impl Provider {
    /// Returns an app. The registration holds handle_types and what else differs from the usual.
    pub fn new(
        identity: &str,
        display_name: &str,
        registration: Value,
        options: Options,
    ) -> Provider {
        let options = Options { identity: identity.into(), ..options };
        let client = Client::new(identity, options.or_roles(&["provider", "controller"]));
        locked(&client.inner.state).provide = Some(Provide {
            registration: with(json!({ "display_name": display_name }), &registration),
            registered: json!({}),
            actions: HashMap::new(),
            order: VecDeque::new(),
            executing: HashSet::new(),
        });
        Provider(client)
    }

    /// Performs actions of a kind, each in a thread. `Ok` means that it is done, [`Failed`] says why it
    /// is not. A kind without a function is refused as not supported.
    pub fn perform<F>(&self, kind: &str, perform: F)
    where
        F: Fn(&Action) -> Result<(), Failed> + Send + Sync + 'static,
    {
        self.functions().performers.insert(kind.into(), Arc::new(perform));
    }

    /// Is offered whole transactions {transaction, actions, deadline_ms}. It returns true to take one
    /// over, and then settles each action with [`Provider::settle`].
    pub fn execute<F>(&self, execute: F)
    where
        F: Fn(&crate::Request) -> Result<bool, Failed> + Send + Sync + 'static,
    {
        self.keep(&json!({"takes_transactions": true}));
        self.handle("provider.execute", move |request| Ok(json!({"taken": execute(request)?})));
    }

    /// Changes what the network keeps for a line: is given its id and {setting, on, to, after_ms}, one
    /// of the line's `settings`. `Ok` when that is done and [`Provider::update`] has reported it.
    pub fn change_setting<F>(&self, change: F)
    where
        F: Fn(&str, &Value) -> Result<(), Failed> + Send + Sync + 'static,
    {
        self.handle("line.change_setting", move |request| {
            let setting = without(&request.params, &["line", "deadline_ms"]);
            change(text(&request.params, "line"), &setting).map(|()| Value::Null)
        });
    }

    /// Sends characters that the user has typed: is given the call's id and the text.
    pub fn send_text<F>(&self, send: F)
    where
        F: Fn(&str, &str) -> Result<(), Failed> + Send + Sync + 'static,
    {
        self.handle("provider.send_text", move |request| {
            let params = &request.params;
            send(text(params, "call"), text(params, "text")).map(|()| Value::Null)
        });
    }

    /// Mutes a participant of a conference, or raises a hand: is given the ids of call and participant,
    /// and {muted} or {hand_raised}. `Ok` when [`Provider::report_participants`] has reported it.
    pub fn change_participant<F>(&self, change: F)
    where
        F: Fn(&str, &str, &Value) -> Result<(), Failed> + Send + Sync + 'static,
    {
        self.handle("participant.change", move |request| {
            let params = &request.params;
            let values = without(params, &["call", "participant", "deadline_ms"]);
            change(text(params, "call"), text(params, "participant"), &values).map(|()| Value::Null)
        });
    }

    /// Lists the calls that live {call, direction, state, remote, ...} in each new session. The broker
    /// ends those that the list does not have. It sends no requests; an error ends the client.
    pub fn reconcile<F>(&self, list: F)
    where
        F: Fn() -> Result<Vec<Value>, String> + Send + Sync + 'static,
    {
        self.functions().reconcile = Some(Arc::new(list));
    }

    /// Adds a function for the listed calls that the broker did not take: tear them down.
    pub fn on_dropped(&self, then: impl Fn(&[String]) + Send + Sync + 'static) {
        self.functions().on_dropped.push(Arc::new(then));
    }

    /// Adds a function for actions that were taken over and are no longer wanted.
    pub fn on_withdrawn(&self, then: impl Fn(&str) + Send + Sync + 'static) {
        self.functions().on_withdrawn.push(Arc::new(then));
    }

    /// Returns the reply to the latest registration: authorization, limits, calls, dropped.
    pub fn registered(&self) -> Value {
        let state = locked(&self.inner.state);
        state.provide.as_ref().map_or(Value::Null, |provide| provide.registered.clone())
    }

    pub(crate) fn keep(&self, members: &Value) {
        if let Some(provide) = &mut locked(&self.inner.state).provide {
            provide.registration = with(provide.registration.take(), members);
        }
    }
}

fn without(params: &Value, names: &[&str]) -> Value {
    let mut others = params.clone();
    if let Some(members) = others.as_object_mut() {
        members.retain(|name, _| !names.contains(&name.as_str()));
    }
    others
}

// ---- The side that faces the broker

impl Inner {
    /// Registers a provider, with the calls that live.
    pub fn register(self: &Arc<Self>) -> Result<(), Error> {
        if locked(&self.state).provide.is_none() {
            return Ok(());
        }
        let reconcile = locked(&self.functions).reconcile.clone();
        let calls = match &reconcile {
            Some(list) => Some(safely(list).map_err(Error::Reconcile)?),
            None => None,
        };
        let mut pages: Vec<&[Value]> =
            calls.iter().flat_map(|list| list.chunks(RECONCILED_AT_ONCE)).collect();
        if pages.is_empty() {
            pages.push(&[]);
        }
        let mut dropped = Vec::new();
        for (number, page) in pages.iter().enumerate() {
            let is_last = number + 1 == pages.len();
            let members = self.registration(calls.as_ref().map(|_| *page), is_last);
            let result = self.opening("provider.register", members, Then::Registered)?;
            let more = result["dropped"].as_array().into_iter().flatten();
            dropped.extend(more.filter_map(Value::as_str).map(str::to_owned));
        }
        if !dropped.is_empty() {
            for then in locked(&self.functions).on_dropped.clone() {
                let dropped = dropped.clone();
                self.tell_safely(move || then(&dropped));
            }
        }
        Ok(())
    }

    fn registration(&self, page: Option<&[Value]>, is_last: bool) -> Value {
        let state = locked(&self.state);
        let mut members = state.provide.as_ref().map_or(json!({}), |one| one.registration.clone());
        if let Some(page) = page {
            members["calls"] = json!(page);
        }
        if !is_last {
            members["more"] = json!(true);
        }
        members
    }

    pub fn asked_to_perform(self: &Arc<Self>, state: &mut State, id: &Value, params: &Value) {
        let name = text(params, "action");
        let provide = match &mut state.provide {
            Some(provide) => provide,
            _ => return,
        };
        if name.is_empty() {
            let missing = Failed::new("missing_member").message("params.action is required");
            return state.answer(id, Err(Failed { code: Code::INVALID_PARAMS, ..missing }));
        }
        match provide.actions.get(name) {
            Some(known) => known.action.repeated(params),
            None => self.begin_action(provide, name, params),
        }
        if let Some(known) = provide.actions.get_mut(name) {
            known.request = Some(id.clone());
        }
        state.settle_action(name);
    }

    fn begin_action(self: &Arc<Self>, provide: &mut Provide, name: &str, params: &Value) {
        let action = Arc::new(Action {
            id: name.into(),
            kind: text(params, "kind").into(),
            call: text(params, "call").into(),
            arguments: params["arguments"].clone(),
            transaction: text(params, "transaction").into(),
            cause: params["cause"].clone(),
            deadline_ms: integer(params, "deadline_ms"),
            attempt: AtomicI64::new(1),
            age_ms: AtomicI64::new(0),
            at_ms: AtomicI64::new(0),
            inner: self.clone(),
            token: Arc::default(),
        });
        action.repeated(params);
        let performer = locked(&self.functions).performers.get(&action.kind).cloned();
        let outcome = match performer {
            None => Some(Err(Failed::unsupported(&action.kind))),
            Some(performer) => self.spawn(action.clone(), performer).err(),
        };
        provide.actions.insert(name.into(), Known { action, request: None, outcome });
        provide.order.push_back(name.into());
        provide.forget();
    }

    /// Performs in a thread; its error is the outcome if there can be none.
    fn spawn(
        self: &Arc<Self>,
        action: Arc<Action>,
        performer: Performer,
    ) -> Result<(), Result<Value, Failed>> {
        let inner = self.clone();
        let work = move || {
            let outcome = outcome(&action.token, || {
                performer(&action)?;
                match action.at_ms.load(Ordering::SeqCst) {
                    0 => Ok(json!({})),
                    at_ms => Ok(json!({ "at_ms": at_ms })),
                }
            });
            drop(performer);
            let mut state = locked(&inner.state);
            let known =
                state.provide.as_mut().and_then(|provide| provide.actions.get_mut(&action.id));
            if let Some(known) = known {
                known.outcome = Some(outcome);
            }
            state.settle_action(&action.id);
        };
        let spawned = thread::Builder::new().name("callbroker action".into()).spawn(work);
        spawned.map(|_| ()).map_err(|_| Err(Failed::broken()))
    }
}

/// Lists the live calls. A panic has been printed by the thread.
fn safely(list: &Reconcile) -> Result<Vec<Value>, String> {
    let listed = catch_unwind(AssertUnwindSafe(|| list()));
    listed.unwrap_or_else(|_| Err("the function has panicked".into()))
}

impl State {
    pub fn registered(&mut self, result: &Value) {
        if let Some(provide) = &mut self.provide {
            provide.registered = result.clone();
        }
    }

    fn settle_action(&mut self, name: &str) {
        let known = self.provide.as_mut().and_then(|provide| provide.actions.get_mut(name));
        let known = match known {
            Some(known) => known,
            _ => return,
        };
        if let (Some(outcome), Some(id)) = (known.outcome.clone(), known.request.clone()) {
            known.request = None;
            self.answer(&id, outcome);
        }
    }

    pub fn timed_out(&mut self, params: &Value) {
        let name = text(params, "action");
        if let (Some(provide), false) = (&self.provide, name.is_empty()) {
            if let Some(action) = provide.action_of(name, &Value::Null) {
                action.withdraw();
            }
        }
    }

    /// Holds a settlement back until the broker knows that its transaction was taken over.
    pub fn must_wait(&self, method: &str) -> bool {
        let is_executing = |provide: &Provide| !provide.executing.is_empty();
        method == "action.settle" && self.provide.as_ref().map_or(false, is_executing)
    }
}
