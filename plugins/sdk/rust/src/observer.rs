//! The state of all calls, complete at any moment.

use crate::client::{Client, Inner, Options, State};
use crate::requests::Then;
use crate::{integer, locked, text, with, Error};
use serde_json::{json, Value};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// For a consumer who is slower than the calls.
const EVENTS_KEPT: usize = 10_000;
/// They repeat the number of the latest event.
const UNNUMBERED: [&str; 4] =
    ["plugin.log", "call.allowed_changed", "call.quality", "host.presence"];

/// A place in the events of a broker.
#[derive(Clone, Debug, PartialEq)]
pub struct Cursor {
    /// Of the broker's data.
    pub epoch: String,
    /// The number of an event.
    pub seq: i64,
}

impl Cursor {
    fn to_json(&self) -> Value {
        json!({"epoch": self.epoch, "seq": self.seq})
    }
}

/// What an observer watches.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Exact names, `noun.*` or `*` (all).
    pub topics: Vec<String>,
    /// Also calls that are over (false).
    pub include_ended: bool,
    /// Where to go on; [`Observer::calls`] then has only what changes (a snapshot).
    pub cursor: Option<Cursor>,
}

/// Something that has happened. Its topic is `snapshot`, which is not on the wire, when all was read
/// anew.
#[derive(Clone, Debug)]
pub struct Event {
    /// What it is about, such as `call.changed`.
    pub topic: String,
    /// The id of the call; perhaps empty.
    pub call: String,
    /// What is new.
    pub data: Value,
    /// All members, as they came.
    pub params: Value,
}

/// What an observer has beside a client.
pub(crate) struct Watch {
    wanted: Watched,
    calls: BTreeMap<String, Value>,
    cursor: Option<Cursor>,
    /// True once all calls were read: changes need what they change.
    knows_calls: bool,
    /// None until the reply that names it.
    subscription: Option<Value>,
    /// The newest event that was delivered.
    seen: i64,
    /// The snapshot has everything up to here.
    floor: i64,
    /// Events before the reply that names their subscription.
    early: Vec<Value>,
    /// Those that the program has not taken.
    events: VecDeque<Event>,
}

/// Watches calls: [`Observer::calls`] is always their state. [`Client::on`] has each event under its
/// topic.
#[derive(Clone)]
pub struct Observer(Client);

impl Deref for Observer {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.0
    }
}

impl Observer {
    /// Returns a client that watches.
    pub fn new(name: &str, watched: Watched, options: Options) -> Observer {
        let client = Client::new(name, options.or_roles(&["observer"]));
        locked(&client.inner.state).watch = Some(Watch {
            cursor: watched.cursor.clone(),
            wanted: watched,
            calls: BTreeMap::new(),
            knows_calls: false,
            subscription: None,
            seen: 0,
            floor: 0,
            early: Vec::new(),
            events: VecDeque::new(),
        });
        Observer(client)
    }

    /// Returns the state of all calls, by their ids.
    pub fn calls(&self) -> BTreeMap<String, Value> {
        locked(&self.inner.state)
            .watch
            .as_ref()
            .map_or(BTreeMap::new(), |watch| watch.calls.clone())
    }

    /// Returns where a later observer can go on; None before the first event.
    pub fn cursor(&self) -> Option<Cursor> {
        locked(&self.inner.state).watch.as_ref().and_then(|watch| watch.cursor.clone())
    }

    /// Waits for the next thing that happens; None when the client is over.
    pub fn next(&self) -> Option<Event> {
        let empty = |state: &State| state.watch.as_ref().map_or(true, |one| one.events.is_empty());
        let mut state = self.inner.wait_while(|state| empty(state) && !state.is_over);
        state.watch.as_mut().and_then(|watch| watch.events.pop_front())
    }

    /// Waits for the next thing that happens; an error if there is none so soon, or the client is over.
    pub fn next_within(&self, time: Duration) -> Result<Event, Error> {
        let until = Instant::now() + time;
        let mut state = locked(&self.inner.state);
        loop {
            if let Some(event) = state.watch.as_mut().and_then(|watch| watch.events.pop_front()) {
                return Ok(event);
            }
            let rest = until.saturating_duration_since(Instant::now());
            if state.is_over {
                return Err(Error::Disconnected);
            } else if rest.is_zero() {
                return Err(Error::TakenBack("event".into()));
            }
            let waited = self.inner.changed.wait_timeout(state, rest);
            state = waited.unwrap_or_else(|error| error.into_inner()).0;
        }
    }

    /// Returns what happens, one thing after the other, until the client is over.
    pub fn events(&self) -> impl Iterator<Item = Event> + '_ {
        std::iter::from_fn(|| self.next())
    }
}

// ---- The side that faces the broker

impl Watch {
    /// Returns the members of a subscription, which begins with nothing known.
    fn begin(&mut self, hello: &Value) -> Value {
        self.subscription = None;
        self.early.clear();
        let all = vec!["*".to_owned()];
        let topics = if self.wanted.topics.is_empty() { &all } else { &self.wanted.topics };
        let mut params = json!({ "topics": topics });
        if let Some(cursor) = &self.cursor {
            params["cursor"] = cursor.to_json();
        }
        if self.wanted.include_ended {
            params["include_ended"] = json!(true);
        }
        let sees_new_calls =
            topics.iter().any(|one| ["*", "call.*", "call.added"].contains(&one.as_str()));
        if hello["features"]["call_changes"].is_object()
            && sees_new_calls
            && (self.cursor.is_none() || self.knows_calls)
        {
            params["detail"] = json!("changes");
        }
        params
    }

    fn keep(&mut self, call: &Value) {
        let id = text(call, "call");
        let known = self.calls.get(id).map_or(0, |known| integer(known, "rev"));
        if !id.is_empty() && integer(call, "rev") >= known {
            self.calls.insert(id.into(), call.clone());
        }
    }

    fn apply(&mut self, event: &Value) {
        let data = &event["data"];
        match text(event, "topic") {
            "call.added" | "call.changed" => self.keep(data),
            "call.removed" => {
                self.calls.remove(text(event, "call"));
                self.calls.remove(text(data, "call"));
            }
            "call.allowed_changed" => {
                if let Some(call) = self.calls.get_mut(text(data, "call")) {
                    if let Some(members) = call.as_object_mut() {
                        members.remove("merge_with");
                        members.remove("paused_tones");
                    }
                    *call = with(call.take(), data);
                }
            }
            _ => (),
        }
    }

    fn snapshot(&self) -> Value {
        let cursor = self.cursor.as_ref().map_or(json!({}), Cursor::to_json);
        with(json!({"topic": "snapshot", "data": {}}), &cursor)
    }
}

/// Returns the data of an event with the whole call, of which `data` has what has changed.
fn whole(known: &Value, data: &Value) -> Value {
    let mut call = with(known.clone(), &data["set"]);
    if let Some(members) = call.as_object_mut() {
        for name in data["removed"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            members.remove(name);
        }
    }
    with(call, &json!({ "changed": data["changed"], "cause": data["cause"] }))
}

impl Inner {
    /// Subscribes, if it is an observer.
    pub fn watch(self: &Arc<Self>) -> Result<(), Error> {
        let wanted = {
            let mut state = locked(&self.state);
            let hello = state.hello.clone();
            state.watch.as_mut().map(|watch| watch.begin(&hello))
        };
        match wanted {
            Some(params) => self.opening("events.subscribe", params, Then::Watched).map(|_| ()),
            None => Ok(()),
        }
    }

    pub fn watched(self: &Arc<Self>, state: &mut State, result: &Value) {
        let watch = match &mut state.watch {
            Some(watch) => watch,
            _ => return,
        };
        let seq = integer(result, "seq");
        watch.subscription = Some(result["subscription"].clone()).filter(|one| !one.is_null());
        watch.seen = watch.cursor.as_ref().map_or(seq, |cursor| cursor.seq);
        watch.floor = 0;
        let early = std::mem::take(&mut watch.early);
        state.repaired();
        if result["snapshot"].is_object() {
            if let Some(watch) = &mut state.watch {
                watch.calls.clear();
                watch.knows_calls = true;
                watch.cursor = Some(Cursor { epoch: text(result, "epoch").into(), seq });
                (watch.seen, watch.floor) = (seq, seq);
            }
            self.page(state, &result["snapshot"]);
        }
        for event in early {
            self.happened(state, &event);
        }
    }

    /// Is applied before the next frame is looked at, so that pages and events cannot cross.
    pub fn page(self: &Arc<Self>, state: &mut State, page: &Value) {
        let watch = match &mut state.watch {
            Some(watch) => watch,
            _ => return,
        };
        for call in page["calls"].as_array().into_iter().flatten() {
            watch.keep(call);
        }
        if !page["next"].is_null() {
            return state.repair(
                &self.options,
                "call.list",
                json!({"after": page["next"]}),
                Then::Page,
            );
        }
        let snapshot = watch.snapshot();
        state.repaired();
        self.deliver(state, snapshot);
    }

    /// Something was missed, as the broker says.
    pub fn missed(self: &Arc<Self>, state: &mut State, params: &Value) {
        let subscription = state.watch.as_ref().and_then(|watch| watch.subscription.as_ref());
        if subscription == Some(&params["subscription"]) {
            self.again(state);
        }
    }

    /// Reads all anew.
    fn again(self: &Arc<Self>, state: &mut State) {
        let watch = match &mut state.watch {
            Some(watch) => watch,
            _ => return,
        };
        let subscription = match watch.subscription.take() {
            Some(subscription) => subscription,
            _ => return,
        };
        watch.cursor = None;
        let params = watch.begin(&state.hello);
        let _ = state.begun(
            "events.unsubscribe",
            json!({ "subscription": subscription }),
            Then::Nothing,
        );
        state.repair(&self.options, "events.subscribe", params, Then::WatchedAgain);
    }

    pub fn happened(self: &Arc<Self>, state: &mut State, event: &Value) {
        let watch = match &mut state.watch {
            Some(watch) => watch,
            _ => return,
        };
        let (topic, seq, epoch) =
            (text(event, "topic"), integer(event, "seq"), text(event, "epoch"));
        let subscription = match &watch.subscription {
            Some(subscription) => subscription,
            _ => {
                if watch.early.len() < EVENTS_KEPT {
                    watch.early.push(event.clone());
                }
                return;
            }
        };
        if topic.is_empty() || event["subscription"] != *subscription {
            return;
        }
        let is_other = watch.cursor.as_ref().map_or(false, |cursor| cursor.epoch != epoch);
        if is_other || integer(event, "prev") > watch.seen {
            return self.again(state);
        }
        watch.seen = watch.seen.max(seq);
        if seq <= watch.floor && !UNNUMBERED.contains(&topic) {
            return;
        }
        watch.cursor = Some(Cursor { epoch: epoch.into(), seq: watch.seen });
        let mut event = event.clone();
        if topic == "call.changed" && event["data"]["set"].is_object() {
            match watch.calls.get(text(&event, "call")) {
                Some(known) => event["data"] = whole(known, &event["data"]),
                None => return self.again(state),
            }
        }
        if topic != "broker.bookmark" {
            watch.apply(&event);
            self.deliver(state, event);
        }
    }

    fn deliver(self: &Arc<Self>, state: &mut State, mut params: Value) {
        let watch = match &mut state.watch {
            Some(watch) => watch,
            _ => return,
        };
        if watch.events.len() >= EVENTS_KEPT {
            watch.events.clear();
            params = watch.snapshot();
        }
        let (topic, call) = (text(&params, "topic").to_owned(), text(&params, "call").to_owned());
        let data = params["data"].clone();
        watch.events.push_back(Event { topic: topic.clone(), call, data, params: params.clone() });
        self.tell(state, &topic, &params);
    }
}

impl State {
    /// Sends a request of the client's own in the middle of a session. Where it fails, or has no reply in
    /// time, a new session begins anew. Called by the thread that reads.
    fn repair(&mut self, options: &Options, method: &str, params: Value, then: Then) {
        if self.begun(method, params, then).is_err() {
            return self.drop_connection();
        }
        self.repaired_by = Instant::now().checked_add(options.opening);
        if let Some(conn) = &self.conn {
            conn.wait_for(Some(options.opening));
        }
    }

    fn repaired(&mut self) {
        if let (Some(conn), Some(_)) = (&self.conn, self.repaired_by.take()) {
            conn.wait_for(None);
        }
    }
}
