//! A client, and what its threads share.

use crate::connection::Connection;
use crate::observer::Watch;
use crate::provider::Provide;
use crate::queue::Queue;
use crate::requests::{Functions, Pending, Request, Token};
use crate::{integer, locked, text, Error, Failed};
use serde_json::{json, Value};
use std::collections::HashMap;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
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
    /// Where the broker listens ([`crate::default_socket`]).
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
    pub stream: Mutex<Option<UnixStream>>,
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
    pub was_ready: bool,
    pub is_up: bool,
    pub is_patient: bool,
    pub is_started: bool,
    pub is_connecting: bool,
    pub is_closed: bool,
    pub is_over: bool,
    pub error: Option<Error>,
    pub requests: i64,
    pub pending: HashMap<i64, Pending>,
    /// The broker's requests, by their ids.
    pub serving: HashMap<String, Arc<Token>>,
    pub retry_after: Duration,
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
    pub fn goodbye(&mut self, is_resumable: bool) {
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

    pub fn lose(&mut self) {
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
