//! Requests and notifications in both directions.

use crate::client::{Client, Inner, State};
use crate::connection::{Connection, FRAME_BYTES};
use crate::provider::{Action, Performer};
use crate::{locked, text, Code, Error, Failed};
use serde_json::{json, Value};
use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) type Handler = Arc<dyn Fn(&Request) -> Result<Value, Failed> + Send + Sync>;
type Listener<T> = Arc<dyn Fn(&T) + Send + Sync>;
pub(crate) type Reconcile = Arc<dyn Fn() -> Result<Vec<Value>, String> + Send + Sync>;

/// What the program is asked for, and informed of.
#[derive(Default)]
pub(crate) struct Functions {
    pub handlers: HashMap<String, Handler>,
    pub listeners: HashMap<String, Vec<Listener<Value>>>,
    pub performers: HashMap<String, Performer>,
    pub reconcile: Option<Reconcile>,
    pub on_open: Vec<Arc<dyn Fn() + Send + Sync>>,
    pub on_lost: Vec<Listener<Error>>,
    pub on_dropped: Vec<Listener<[String]>>,
    pub on_withdrawn: Vec<Listener<str>>,
}

/// Whether something is still wanted.
#[derive(Default)]
pub(crate) struct Token {
    is_withdrawn: Mutex<bool>,
    changed: Condvar,
}

impl Token {
    pub fn withdraw(&self) {
        *locked(&self.is_withdrawn) = true;
        self.changed.notify_all();
    }

    pub fn is_withdrawn(&self) -> bool {
        *locked(&self.is_withdrawn)
    }

    /// Waits until it is withdrawn, or so long; whether it is.
    pub fn wait(&self, time: Option<Duration>) -> bool {
        let guard = locked(&self.is_withdrawn);
        match time {
            None => *self.changed.wait_while(guard, |is| !*is).unwrap_or_else(|e| e.into_inner()),
            Some(time) => {
                let waited = self.changed.wait_timeout_while(guard, time, |is| !*is);
                *waited.unwrap_or_else(|error| error.into_inner()).0
            }
        }
    }
}

/// A request of the broker.
pub struct Request {
    /// Its members.
    pub params: Value,
    pub(crate) token: Arc<Token>,
}

impl Request {
    /// Whether its answer is no longer wanted.
    pub fn is_withdrawn(&self) -> bool {
        self.token.is_withdrawn()
    }

    /// Waits until its answer is no longer wanted, or so long; returns whether it is not.
    pub fn wait_withdrawn(&self, time: Option<Duration>) -> bool {
        self.token.wait(time)
    }
}

// ---- Requests of the program

/// What sees a reply before any later frame.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Then {
    Nothing,
    Greeted,
    Registered,
    Watched,
    WatchedAgain,
    Page,
}

pub(crate) struct Pending {
    pub slot: Arc<Slot>,
    then: Then,
}

/// Where a reply arrives.
#[derive(Default)]
pub(crate) struct Slot {
    result: Mutex<Option<Result<Value, Error>>>,
    changed: Condvar,
}

impl Slot {
    pub fn settle(&self, result: Result<Value, Error>) {
        *locked(&self.result) = Some(result);
        self.changed.notify_all();
    }

    fn wait(&self, until: Option<Instant>) -> Option<Result<Value, Error>> {
        let mut result = locked(&self.result);
        loop {
            if result.is_some() {
                return result.take();
            }
            let until = match until {
                Some(until) => until,
                _ => {
                    result = self.changed.wait(result).unwrap_or_else(|error| error.into_inner());
                    continue;
                }
            };
            let rest = until.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return None;
            }
            let waited = self.changed.wait_timeout(result, rest);
            result = waited.unwrap_or_else(|error| error.into_inner()).0;
        }
    }
}

/// The reply to a request, which comes in its time. It may be dropped.
pub struct Reply {
    inner: Arc<Inner>,
    method: String,
    number: i64,
    slot: Arc<Slot>,
}

impl Reply {
    /// Waits for the result.
    pub fn wait(self) -> Result<Value, Error> {
        self.wait_until(None)
    }

    /// Waits so long, and then takes the request back.
    pub fn wait_for(self, time: Duration) -> Result<Value, Error> {
        self.wait_until(Instant::now().checked_add(time))
    }

    /// Takes the request back, unless there is a reply.
    pub fn cancel(self) -> Result<Value, Error> {
        self.wait_for(Duration::ZERO)
    }

    fn wait_until(self, until: Option<Instant>) -> Result<Value, Error> {
        if let Some(result) = self.slot.wait(until) {
            return result;
        }
        let mut state = locked(&self.inner.state);
        if state.pending.remove(&self.number).is_none() {
            drop(state); // it came in the same moment
            return self.slot.wait(None).unwrap_or(Err(Error::Disconnected));
        }
        state.notify("broker.cancel", json!({"request": self.number}));
        Err(Error::TakenBack(self.method))
    }
}

impl Client {
    /// Sends any request, and returns its result. While a session is being opened it waits for that.
    pub fn request(&self, method: &str, params: Value) -> Result<Value, Error> {
        match self.inner.options.timeout {
            Some(time) => self.request_within(method, params, time),
            None => self.ask(method, params)?.wait(),
        }
    }

    /// Sends any request, and takes it back if there is no reply so soon.
    pub fn request_within(
        &self,
        method: &str,
        params: Value,
        time: Duration,
    ) -> Result<Value, Error> {
        let until = Instant::now().checked_add(time);
        self.inner.ask(method, params, until)?.wait_until(until)
    }

    /// Sends any request. The reply can be waited for later, or taken back.
    pub fn ask(&self, method: &str, params: Value) -> Result<Reply, Error> {
        self.inner.ask(method, params, None)
    }

    /// Sends any notification; without a connection it is dropped.
    pub fn notify(&self, method: &str, params: Value) -> Result<(), Error> {
        let mut state = locked(&self.inner.state);
        match state.conn {
            Some(_) => state.send(json!({"method": method, "params": params})),
            None => Ok(()),
        }
    }
}

impl Inner {
    fn ask(
        self: &Arc<Self>,
        method: &str,
        params: Value,
        until: Option<Instant>,
    ) -> Result<Reply, Error> {
        let mut state = locked(&self.state);
        while state.conn.is_some() && (!state.is_ready || state.must_wait(method)) {
            let rest = until.map(|until| until.saturating_duration_since(Instant::now()));
            if rest.map_or(false, |rest| rest.is_zero()) {
                return Err(Error::TakenBack(method.into()));
            }
            let rest = rest.unwrap_or(Duration::from_secs(3600));
            let waited = self.changed.wait_timeout(state, rest);
            state = waited.unwrap_or_else(|error| error.into_inner()).0;
        }
        let (number, slot) = state.begun(method, params, Then::Nothing)?;
        Ok(Reply { inner: self.clone(), method: method.into(), number, slot })
    }

    /// Sends a request that opens the session.
    pub fn opening(
        self: &Arc<Self>,
        method: &str,
        params: Value,
        then: Then,
    ) -> Result<Value, Error> {
        let (number, slot) = locked(&self.state).begun(method, params, then)?;
        let reply = Reply { inner: self.clone(), method: method.into(), number, slot };
        reply.wait_for(self.options.opening)
    }
}

impl State {
    pub fn begun(
        &mut self,
        method: &str,
        params: Value,
        then: Then,
    ) -> Result<(i64, Arc<Slot>), Error> {
        self.requests += 1;
        let number = self.requests;
        let params = if params.is_null() { json!({}) } else { params };
        self.send(json!({"id": number, "method": method, "params": params}))?;
        let slot = Arc::new(Slot::default());
        self.pending.insert(number, Pending { slot: slot.clone(), then });
        Ok((number, slot))
    }

    /// Sends a notification; one that cannot be sent is dropped.
    pub fn notify(&mut self, method: &str, params: Value) {
        let _ = self.send(json!({"method": method, "params": params}));
    }

    pub fn send(&mut self, mut frame: Value) -> Result<(), Error> {
        frame["jsonrpc"] = json!("2.0");
        let line = format!("{frame}\n");
        let limit = self.hello["limits"]["frame_bytes"].as_u64().map(|bytes| bytes as usize);
        let most = limit.unwrap_or(FRAME_BYTES);
        if line.len() > most {
            let data =
                json!({"reason": "frame_bytes", "limit": {"name": "frame_bytes", "value": most}});
            return Err(Error::refused(
                Code::FRAME_LIMIT,
                "the frame is too long to be sent",
                data,
            ));
        }
        let conn = self.conn.as_ref().ok_or(Error::Disconnected)?;
        if conn.send(line.as_bytes()) {
            return Ok(());
        }
        let data = json!({"reason": "pending", "retryable": true});
        Err(Error::refused(Code::OVERLOADED, "the broker does not read", data))
    }

    /// Replies exactly once, also with what cannot be sent.
    pub fn answer(&mut self, id: &Value, outcome: Result<Value, Failed>) {
        let frame = match outcome {
            Ok(Value::Null) => json!({"id": id, "result": {}}),
            Ok(result) => json!({"id": id, "result": result}),
            Err(failed) => json!({"id": id, "error": failed.to_json()}),
        };
        match self.send(frame) {
            Err(error) if error.code() == Some(Code::OVERLOADED) => self.drop_connection(),
            Err(_) => {
                let _ = self.send(json!({"id": id, "error": Failed::broken().to_json()}));
            }
            Ok(()) => (),
        }
        if let Some(provide) = &mut self.provide {
            provide.executing.remove(&id.to_string());
        }
    }

    /// Ends the connection at once, so that a new session begins anew.
    pub fn drop_connection(&self) {
        if let Some(conn) = &self.conn {
            conn.close();
        }
    }
}

// ---- Frames

impl Inner {
    /// Takes a line; nothing that comes in may end the session.
    pub fn receive(self: &Arc<Self>, line: &[u8]) {
        let frame = match serde_json::from_slice::<Value>(line) {
            Ok(frame) => frame,
            _ => return,
        };
        let members = match frame.as_object() {
            Some(members) => members,
            _ => return,
        };
        let mut state = locked(&self.state);
        if state.conn.is_none() {
            return;
        }
        let empty = json!({});
        let params = members.get("params").filter(|params| params.is_object()).unwrap_or(&empty);
        match (members.get("method").map(Value::as_str), members.get("id")) {
            (None, Some(id)) => self.settled(&mut state, id, &frame),
            (Some(Some(method)), None) => self.notified(&mut state, method, params),
            (Some(Some(method)), Some(id)) => self.requested(&mut state, id, method, params),
            _ => (),
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Takes a reply; late ones, a second one and those to nothing are ignored.
    fn settled(self: &Arc<Self>, state: &mut State, id: &Value, frame: &Value) {
        let number = id.as_i64();
        let pending = match number.and_then(|number| state.pending.remove(&number)) {
            Some(pending) => pending,
            _ => return,
        };
        if let Some(error) = frame.get("error") {
            if matches!(pending.then, Then::WatchedAgain | Then::Page) {
                state.drop_connection();
            }
            let refusal = crate::Refusal::new(error);
            return pending.slot.settle(Err(Error::Refused(Box::new(refusal))));
        }
        let result = Some(&frame["result"]).filter(|result| result.is_object()).cloned();
        let result = result.unwrap_or_else(|| json!({}));
        match pending.then {
            Then::Nothing => (),
            Then::Greeted => state.hello = result.clone(),
            Then::Registered => state.registered(&result),
            Then::Watched | Then::WatchedAgain => self.watched(state, &result),
            Then::Page => self.page(state, &result),
        }
        pending.slot.settle(Ok(result));
    }

    fn notified(self: &Arc<Self>, state: &mut State, method: &str, params: &Value) {
        match method {
            "broker.cancel" => {
                if !self.withdrawn(state, params) {
                    if let Some(token) = state.serving.get(&params["request"].to_string()) {
                        token.withdraw();
                    }
                }
                return;
            }
            "broker.goodbye" => state.dismissed(params),
            "event" => self.happened(state, params),
            "events.gap" => self.missed(state, params),
            "provider.timed_out" => state.timed_out(params),
            _ => (),
        }
        self.tell(state, method, params);
    }

    /// Queues a notification for its functions. Who does not take them begins anew, instead of growing
    /// without end.
    pub fn tell(self: &Arc<Self>, state: &State, name: &str, params: &Value) {
        let listeners = locked(&self.functions).listeners.get(name).cloned().unwrap_or_default();
        for then in listeners {
            if self.told.is_full() {
                return state.drop_connection();
            }
            let params = params.clone();
            self.tell_safely(move || then(&params));
        }
    }

    /// Queues code of the program. Its panic has been printed by the thread, and ends nothing else.
    pub fn tell_safely(&self, work: impl FnOnce() + Send + 'static) {
        self.told.add(|| {
            let _ = catch_unwind(AssertUnwindSafe(work));
        });
    }

    fn requested(self: &Arc<Self>, state: &mut State, id: &Value, method: &str, params: &Value) {
        if method == "broker.ping" {
            let pong =
                params.get("payload").map_or(json!({}), |payload| json!({"payload": payload}));
            return state.answer(id, Ok(pong));
        }
        if method == "provider.perform" && state.provide.is_some() {
            return self.asked_to_perform(state, id, params);
        }
        let handler = locked(&self.functions).handlers.get(method).cloned();
        let handler = match handler {
            Some(handler) => handler,
            _ => {
                return state.answer(id, Err(Failed::unsupported(method)));
            }
        };
        if let (Some(provide), "provider.execute") = (&mut state.provide, method) {
            provide.executing.insert(id.to_string());
        }
        self.serve(state, id.clone(), params.clone(), handler);
    }

    fn serve(self: &Arc<Self>, state: &mut State, id: Value, params: Value, handler: Handler) {
        let token = Arc::new(Token::default());
        state.serving.insert(id.to_string(), token.clone());
        let (inner, conn, answered) = (self.clone(), state.conn.clone(), id.clone());
        let work = move || {
            let request = Request { params, token };
            let outcome = outcome(&request.token, || handler(&request));
            drop(handler);
            let mut state = locked(&inner.state);
            if is_same(&state.conn, &conn) {
                state.serving.remove(&id.to_string());
                state.answer(&id, outcome);
            }
            inner.changed.notify_all();
        };
        if thread::Builder::new().name("callbroker handler".into()).spawn(work).is_err() {
            state.serving.remove(&answered.to_string());
            state.answer(&answered, Err(Failed::broken()));
        }
    }
}

fn is_same(one: &Option<Arc<Connection>>, other: &Option<Arc<Connection>>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if Arc::ptr_eq(one, other))
}

/// Returns what a handler has done, as an answer.
pub(crate) fn outcome(
    token: &Token,
    work: impl FnOnce() -> Result<Value, Failed>,
) -> Result<Value, Failed> {
    if token.is_withdrawn() {
        return Err(Failed::cancelled());
    }
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(Value::Object(members))) => Ok(Value::Object(members)),
        Ok(Ok(_)) => Ok(json!({})),
        Ok(Err(failed)) => Err(failed),
        Err(_) => Err(Failed::broken()), // the thread has printed the panic
    }
}

impl Inner {
    /// Withdraws one action, perhaps of a transaction that was offered or taken over and is none of
    /// ours, or the request of one.
    fn withdrawn(self: &Arc<Self>, state: &mut State, params: &Value) -> bool {
        let provide = match &mut state.provide {
            Some(provide) => provide,
            _ => return false,
        };
        let name = text(params, "action").to_owned();
        if let Some(action) = provide.action_of(&name, &params["request"]) {
            action.withdraw();
            return true;
        }
        if name.is_empty() {
            return false;
        }
        for then in locked(&self.functions).on_withdrawn.clone() {
            let name = name.clone();
            self.tell_safely(move || then(&name));
        }
        true
    }
}

impl Action {
    pub(crate) fn withdraw(&self) {
        self.token.withdraw();
    }
}
