//! A client, and its sessions, one after the other.

use crate::connection::Connection;
use crate::observer::Watch;
use crate::provider::Provide;
use crate::queue::Queue;
use crate::requests::{Functions, Pending, Request, Then, Token};
use crate::{default_socket, integer, locked, text, Error, Failed};
use serde_json::{json, Value};
use std::collections::hash_map::RandomState;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// How a client presents itself, and how patient it is. Write what differs, and
/// `..Options::default()`.
#[derive(Debug)]
pub struct Options {
    /// Of the program, for logs and lists (that of the constructor).
    pub name: String,
    /// Of the program ("0").
    pub version: String,
    /// Where to read about it (nowhere).
    pub url: String,
    /// A name like `org.example.phone`; providers and screens have one (none).
    pub identity: String,
    /// A token, for another user's broker (none).
    pub credential: String,
    /// (Those of the kind of client.)
    pub roles: Vec<String>,
    /// What the program understands beside what everybody has to: presentation, tone, alerting, ...
    /// (nothing). [`Client::hello`] has those of the broker.
    pub features: Vec<String>,
    /// Where the broker listens ([`default_socket`]).
    pub socket: Option<PathBuf>,
    /// A connection instead, which is not renewed: see [`crate::stdio`] (none).
    pub stream: Option<UnixStream>,
    /// For each request (no limit).
    pub timeout: Option<Duration>,
    /// For each request that opens a session (10 s).
    pub opening: Duration,
    /// The pause before a new try; it doubles, and varies by a fifth (100 ms).
    pub first: Duration,
    /// The longest pause (5 s).
    pub longest: Duration,
    /// Whether `open` waits for a broker that is not running yet (false).
    pub patient: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            name: String::new(),
            version: "0".into(),
            url: String::new(),
            identity: String::new(),
            credential: String::new(),
            roles: Vec::new(),
            features: Vec::new(),
            socket: None,
            stream: None,
            timeout: None,
            opening: Duration::from_secs(10),
            first: Duration::from_millis(100),
            longest: Duration::from_secs(5),
            patient: false,
        }
    }
}

impl Options {
    pub(crate) fn or_roles(mut self, roles: &[&str]) -> Options {
        if self.roles.is_empty() {
            self.roles = roles.iter().map(|&role| role.to_owned()).collect();
        }
        self
    }
}

/// A connection to the broker. It serves as a controller, screener or directory; [`crate::Provider`],
/// [`crate::Observer`] and [`crate::Screen`] do more.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<Inner>,
    _last: Arc<Last>,
}

/// The last handle closes.
struct Last(Arc<Inner>);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.finish(false);
    }
}

/// What the threads of a client share.
pub(crate) struct Inner {
    pub options: Options,
    stream: Mutex<Option<UnixStream>>,
    pub functions: Mutex<Functions>,
    pub state: Mutex<State>,
    /// Whatever somebody waits for in the state.
    pub changed: Condvar,
    pub told: Queue,
}

pub(crate) struct State {
    pub hello: Value,
    pub conn: Option<Arc<Connection>>,
    pub is_ready: bool,
    was_ready: bool,
    is_up: bool,
    is_patient: bool,
    is_started: bool,
    is_connecting: bool,
    pub is_closed: bool,
    pub is_over: bool,
    error: Option<Error>,
    pub requests: i64,
    pub pending: HashMap<i64, Pending>,
    /// The broker's requests, by their ids.
    pub serving: HashMap<String, Arc<Token>>,
    retry_after: Duration,
    /// Until when a request of the client's own has its reply, or a new session begins.
    pub repaired_by: Option<Instant>,
    pub watch: Option<Watch>,
    pub provide: Option<Provide>,
    pub claim: Option<Value>,
}

impl State {
    fn new(is_patient: bool) -> State {
        State {
            hello: json!({}),
            conn: None,
            is_ready: false,
            was_ready: false,
            is_up: false,
            is_patient,
            is_started: false,
            is_connecting: false,
            is_closed: false,
            is_over: false,
            error: None,
            requests: 0,
            pending: HashMap::new(),
            serving: HashMap::new(),
            retry_after: Duration::ZERO,
            repaired_by: None,
            watch: None,
            provide: None,
            claim: None,
        }
    }

    /// Ends a connection, and says so.
    fn goodbye(&mut self, is_resumable: bool) {
        self.notify("broker.goodbye", json!({"reason": "closed", "resumable": is_resumable}));
        if let Some(conn) = &self.conn {
            conn.hang_up();
        }
    }

    /// What the broker's goodbye does.
    pub fn dismissed(&mut self, params: &Value) {
        let after = integer(params, "reconnect_after_ms");
        if (1..=600_000).contains(&after) {
            self.retry_after = Duration::from_millis(after as u64);
        }
        if params["resumable"] == false {
            self.hello["session"] = Value::Null;
        }
        if ["superseded", "stop"].contains(&text(params, "reason")) {
            self.is_closed = true; // another of us, or nobody, goes on
            self.goodbye(false);
        }
    }

    fn lose(&mut self) {
        self.is_ready = false;
        self.conn = None;
        self.repaired_by = None;
        for (_, pending) in self.pending.drain() {
            pending.slot.settle(Err(Error::Disconnected));
        }
        for (_, token) in self.serving.drain() {
            token.withdraw();
        }
        if let Some(provide) = &mut self.provide {
            provide.lost();
        }
    }
}

impl Client {
    /// Returns a client with the roles of the options: "controller", "screener", "directory", "audio",
    /// "admin", ...
    pub fn new(name: &str, mut options: Options) -> Client {
        if options.name.is_empty() {
            options.name = name.to_owned();
        }
        if options.opening.is_zero() {
            options.opening = Options::default().opening;
        }
        let inner = Arc::new(Inner {
            stream: Mutex::new(options.stream.take()),
            state: Mutex::new(State::new(options.patient)),
            options,
            functions: Mutex::default(),
            changed: Condvar::new(),
            told: Queue::default(),
        });
        Client { _last: Arc::new(Last(inner.clone())), inner }
    }

    /// Returns a client that asks for things to be done to calls, in the name of the user.
    pub fn controller(name: &str, options: Options) -> Client {
        Client::new(name, options.or_roles(&["controller", "observer"]))
    }

    /// Adds a function that is called with each session.
    pub fn on_open(&self, then: impl Fn() + Send + Sync + 'static) {
        self.functions().on_open.push(Arc::new(then));
    }

    /// Adds a function that is called when a session is lost, or could not be opened, and another is
    /// tried for.
    pub fn on_lost(&self, then: impl Fn(&Error) + Send + Sync + 'static) {
        self.functions().on_lost.push(Arc::new(then));
    }

    /// Adds a function for a notification, such as `audio.activated`, or for a topic of an observer.
    /// They are called one after the other, and may send requests.
    pub fn on(&self, method: &str, then: impl Fn(&Value) + Send + Sync + 'static) {
        self.functions().listeners.entry(method.into()).or_default().push(Arc::new(then));
    }

    /// Answers a kind of request of the broker, such as `screener.check`. Each has a thread.
    pub fn handle<F>(&self, method: &str, handler: F)
    where
        F: Fn(&Request) -> Result<Value, Failed> + Send + Sync + 'static,
    {
        self.functions().handlers.insert(method.into(), Arc::new(handler));
    }

    pub(crate) fn functions(&self) -> MutexGuard<'_, Functions> {
        locked(&self.inner.functions)
    }

    /// Opens a session. Fails if there is no broker, or waits for one if the options are patient. Later
    /// sessions are opened by themselves.
    pub fn open(&self) -> Result<(), Error> {
        self.inner.start()?;
        let state = self.inner.wait_while(|state| !state.is_up && !state.is_over);
        match &state.error {
            _ if state.is_up => Ok(()),
            Some(error) => Err(error.clone()),
            None => Err(Error::Disconnected),
        }
    }

    /// Opens a session, waiting for a broker that is not running yet, and serves until the client is
    /// closed, or the broker says so.
    pub fn run(&self) -> Result<(), Error> {
        locked(&self.inner.state).is_patient = true;
        self.inner.start()?;
        self.inner.wait_while(|state| !state.is_over).error.clone().map_or(Ok(()), Err)
    }

    /// Says goodbye and ends. It may be called in handlers, for which it does not wait, but not while
    /// the live calls are listed.
    pub fn close(&self) {
        self.inner.close(false);
    }

    /// Closes, to come back soon: the broker keeps the session for a while.
    pub fn suspend(&self) {
        self.inner.close(true);
    }

    /// Whether a session is open.
    pub fn is_connected(&self) -> bool {
        locked(&self.inner.state).is_ready
    }

    /// Returns the broker's reply to the latest hello: limits, features, granted_roles, ...
    pub fn hello(&self) -> Value {
        locked(&self.inner.state).hello.clone()
    }
}

// ---- Sessions

impl Inner {
    pub fn wait_while(&self, is_early: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let mut state = locked(&self.state);
        while is_early(&state) {
            state = self.changed.wait(state).unwrap_or_else(|error| error.into_inner());
        }
        state
    }

    fn start(self: &Arc<Self>) -> Result<(), Error> {
        let mut state = locked(&self.state);
        if state.is_started {
            return Ok(());
        }
        let (life, told) = (self.clone(), self.clone());
        thread::Builder::new().name("callbroker told".into()).spawn(move || told.told.run())?;
        let spawned = thread::Builder::new().name("callbroker".into()).spawn(move || {
            let result = life.sessions();
            life.end(result.err());
        });
        if spawned.is_err() {
            self.told.end();
        }
        spawned?;
        state.is_started = true;
        Ok(())
    }

    fn end(&self, error: Option<Error>) {
        let mut state = locked(&self.state);
        state.is_closed = true;
        state.is_over = true;
        state.error = error;
        if let Some(provide) = &mut state.provide {
            provide.ended();
        }
        drop(state);
        self.changed.notify_all();
        self.told.end();
        // They may hold clients, which hold them.
        let functions = std::mem::take(&mut *locked(&self.functions));
        drop(functions);
    }

    /// Begins the end; false if there is nothing to wait for.
    fn finish(&self, is_resumable: bool) -> bool {
        let mut state = locked(&self.state);
        if !state.is_closed {
            state.is_closed = true;
            state.goodbye(is_resumable);
        }
        if let Some(provide) = &mut state.provide {
            provide.ended();
        }
        for token in state.serving.values() {
            token.withdraw();
        }
        self.changed.notify_all();
        state.is_started && !state.is_connecting
    }

    fn close(&self, is_resumable: bool) {
        if self.finish(is_resumable) {
            drop(self.wait_while(|state| !state.is_over));
        } else if !locked(&self.state).is_started {
            locked(&self.state).is_started = true;
            self.end(None);
        }
    }

    /// Has one after the other.
    fn sessions(self: &Arc<Self>) -> Result<(), Error> {
        let is_once = locked(&self.stream).is_some();
        let (mut tries, mut was_open) = (0, false);
        while !locked(&self.state).is_closed {
            let error = self.session();
            let state = locked(&self.state);
            if state.was_ready {
                (tries, was_open) = (0, true);
            }
            if state.is_closed || is_once && was_open {
                break;
            }
            if error.is_hopeless() || is_once || !(state.is_patient || was_open) {
                return Err(error);
            }
            drop(state);
            self.tell_lost(error);
            self.pause(tries);
            tries += 1;
        }
        Ok(())
    }

    fn tell_lost(self: &Arc<Self>, error: Error) {
        for then in locked(&self.functions).on_lost.clone() {
            let error = error.clone();
            self.tell_safely(move || then(&error));
        }
    }

    /// Waits before the next try, longer if the broker has said so.
    fn pause(&self, tries: u32) {
        let random = RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64;
        let mut state = locked(&self.state);
        let delay = delay(tries, self.options.first, self.options.longest, random);
        let until = Instant::now() + delay.max(state.retry_after);
        while !state.is_closed {
            let rest = until.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(state, rest);
            state = waited.unwrap_or_else(|error| error.into_inner()).0;
        }
    }

    /// Has one connection from its first byte to its last. Returns why that ended.
    fn session(self: &Arc<Self>) -> Error {
        let conn = match self.connect() {
            Ok(conn) => conn,
            Err(error) => return error,
        };
        let (reading, writing, inner) = (conn.clone(), conn.clone(), self.clone());
        let writer =
            thread::Builder::new().name("callbroker out".into()).spawn(move || writing.write());
        let reader = thread::Builder::new().name("callbroker in".into()).spawn(move || {
            reading.read(|line| inner.receive(line), || inner.look());
            locked(&inner.state).lose();
            inner.changed.notify_all();
        });
        let result = match (&writer, &reader) {
            (Ok(_), Ok(_)) => self.open(),
            _ => Err(Error::Disconnected),
        };
        if result.is_err() {
            locked(&self.state).goodbye(true);
            conn.hang_up();
        }
        if writer.is_err() {
            conn.close();
        }
        for thread in [writer, reader].into_iter().flatten() {
            let _ = thread.join();
        }
        locked(&self.state).lose();
        result.err().unwrap_or(Error::Disconnected)
    }

    fn connect(&self) -> Result<Arc<Connection>, Error> {
        let mut state = locked(&self.state);
        state.retry_after = Duration::ZERO;
        state.was_ready = false;
        state.is_connecting = true;
        drop(state);
        let stream = match locked(&self.stream).take() {
            Some(stream) => Ok(stream),
            None => UnixStream::connect(self.options.socket.clone().unwrap_or_else(default_socket)),
        };
        let conn = stream.and_then(Connection::new).map(Arc::new);
        let mut state = locked(&self.state);
        state.is_connecting = false;
        if state.is_closed {
            return Err(Error::Disconnected);
        }
        state.conn = Some(conn?);
        Ok(state.conn.clone().unwrap_or_else(|| unreachable!()))
    }

    /// Does what a session begins with.
    fn open(self: &Arc<Self>) -> Result<(), Error> {
        let hello = self.opening("broker.hello", self.greeting(), Then::Greeted)?;
        for denied in hello["denied_roles"].as_array().into_iter().flatten() {
            if self.options.roles.first().map(String::as_str) == denied["role"].as_str() {
                let message = format!("no {} here", text(denied, "role"));
                return Err(Error::refused(
                    crate::Code::PERMISSION_DENIED,
                    &message,
                    denied.clone(),
                ));
            }
        }
        self.register()?;
        self.watch()?;
        let claim = locked(&self.state).claim.clone();
        if let Some(claim) = claim {
            self.opening("ui.claim", claim, Then::Nothing)?;
        }
        self.begin()
    }

    fn greeting(&self) -> Value {
        let Options { name, version, url, identity, credential, roles, features, .. } =
            &self.options;
        let mut hello = json!({"protocol": {"min": 1, "max": 1}, "roles": roles,
            "client": {"name": name, "version": version}});
        if !url.is_empty() {
            hello["client"]["url"] = json!(url);
        }
        for (member, text) in [("identity", identity), ("credential", credential)] {
            if !text.is_empty() {
                hello[member] = json!(text);
            }
        }
        if !features.is_empty() {
            hello["features"] = json!(features);
        }
        let state = locked(&self.state);
        let session = &state.hello["session"];
        if session.is_object() && roles.iter().any(|role| role == "provider") {
            hello["resume"] = json!({"session": session["session"], "secret": session["secret"]});
        }
        hello
    }

    fn begin(self: &Arc<Self>) -> Result<(), Error> {
        let mut state = locked(&self.state);
        if state.conn.is_none() {
            return Err(Error::Disconnected);
        }
        state.is_ready = true;
        state.was_ready = true;
        state.is_up = true;
        for then in locked(&self.functions).on_open.clone() {
            self.tell_safely(move || then());
        }
        self.changed.notify_all();
        Ok(())
    }

    /// Begins anew if a request of the client's own has no reply in time.
    fn look(&self) {
        let state = locked(&self.state);
        if state.repaired_by.map_or(false, |end| Instant::now() >= end) {
            if let Some(conn) = &state.conn {
                conn.close();
            }
        }
    }
}

/// Returns how long to wait before the next try: doubling, and a fifth more or less so that not all
/// come back at once.
fn delay(tries: u32, first: Duration, longest: Duration, random: f64) -> Duration {
    let wait = first.saturating_mul(1 << tries.min(16)).min(longest);
    wait.mul_f64(0.8 + 0.4 * random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_come_later_and_later_but_not_all_at_once() {
        let (first, longest) = (Duration::from_millis(100), Duration::from_secs(5));
        let wait = |tries, random| delay(tries, first, longest, random).as_millis();
        let waits: Vec<_> =
            [0, 1, 2, 3, 4, 5, 6, 100].iter().map(|&tries| wait(tries, 0.5)).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!([wait(0, 0.0), wait(9, 1.0)], [80, 6000]);
    }
}
