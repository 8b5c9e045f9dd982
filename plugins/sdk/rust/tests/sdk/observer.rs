//! The state of all calls; what was missed, and how it is mended.

use crate::scripted_broker::*;
use callbroker::{json, Cursor, Error, Observer, Screen, Value, Watched};
use std::sync::mpsc::channel;
use std::sync::Mutex;

fn call(id: &str, rev: i64) -> Value {
    json!({"call": id, "rev": rev})
}

fn event(seq: i64, topic: &str, data: Value) -> Value {
    json!({"method": "event", "params": {"subscription": 1, "epoch": "e", "seq": seq, "prev": seq - 1,
        "at_ms": 1, "topic": topic, "data": data}})
}

/// An event that repeats the number of the one before.
fn same(seq: i64, topic: &str, data: Value) -> Value {
    let mut event = event(seq, topic, data);
    event["params"]["prev"] = json!(seq);
    event
}

fn topics_are(observer: &Observer, wanted: &[&str]) {
    for topic in wanted {
        assert_eq!(observer.next_within(CEILING).unwrap().topic, *topic);
    }
}

#[track_caller]
fn calls_are(observer: &Observer, wanted: Value) {
    assert_eq!(json!(observer.calls()), wanted);
}

#[test]
fn a_snapshot_then_what_happens() {
    let broker = ScriptedBroker::new();
    let topics = vec!["call.*".to_owned()];
    let watched = Watched { topics, include_ended: true, ..Watched::default() };
    let observer = Observer::new("t", watched, broker.quick());
    let (sender, changed) = channel();
    let sender = Mutex::new(sender);
    observer.on("call.changed", move |params| {
        sender.lock().unwrap().send(params["data"].clone()).unwrap();
    });
    opening(&observer);
    let mut peer = broker.accept();
    let subscribe = peer.greet_observer_with(snapshot(4, json!([call("a", 1)])));
    assert_eq!(subscribe["params"], json!({"topics": ["call.*"], "include_ended": true}));
    peer.send(&[
        event(5, "call.added", call("b", 1)),
        event(6, "call.changed", call("b", 2)),
        event(7, "call.changed", call("a", 0)),
        event(8, "call.removed", json!({"call": "a"})),
        event(9, "broker.bookmark", json!({})),
        event(10, "x_last", json!({})),
    ]);
    topics_are(&observer, &["snapshot", "call.added", "call.changed", "call.changed"]);
    topics_are(&observer, &["call.removed", "x_last"]);
    calls_are(&observer, json!({"b": call("b", 2)}));
    assert_eq!(observer.cursor(), Some(Cursor { epoch: "e".into(), seq: 10 }));
    assert_eq!(got(&changed), call("b", 2));
}

/// Takes the subscription to a broker that sends changes.
fn subscribed(peer: &mut Peer, calls: Value) -> Value {
    peer.greet_with(json!({"features": {"call_changes": {"version": 1, "granted": false}}}));
    let subscribe = peer.read("events.subscribe");
    peer.reply(&subscribe, snapshot(4, calls));
    subscribe
}

fn change(data: Value) -> Value {
    let mut event = event(5, "call.changed", data);
    event["params"]["call"] = json!("a");
    event
}

#[test]
fn changes_are_delivered_as_whole_calls() {
    let (_broker, observer, mut peer) = observer(Watched::default());
    let known = json!([{"call": "a", "rev": 1, "name": "Ada", "pending_action": "answering"}]);
    let subscribe = subscribed(&mut peer, known);
    assert_eq!(subscribe["params"], json!({"topics": ["*"], "detail": "changes"}));
    peer.send(&[change(json!({"set": {"rev": 2, "state": "active"},
        "removed": ["pending_action"], "changed": ["state", "pending_action"], "cause": {"origin": "user"}}))]);
    let whole = json!({"call": "a", "rev": 2, "name": "Ada", "state": "active",
        "changed": ["state", "pending_action"], "cause": {"origin": "user"}});
    topics_are(&observer, &["snapshot"]);
    assert_eq!(observer.next_within(CEILING).unwrap().data, whole);
    calls_are(&observer, json!({ "a": whole }));
}

#[test]
fn changes_of_an_unknown_call_are_repaired_by_a_snapshot() {
    let (_broker, observer, mut peer) = observer(Watched::default());
    subscribed(&mut peer, json!([]));
    peer.send(&[change(json!({"set": {"rev": 2}}))]);
    let unsubscribe = peer.read("events.unsubscribe");
    peer.reply(&unsubscribe, json!({}));
    let subscribe = peer.read("events.subscribe");
    peer.reply(&subscribe, snapshot(6, json!([call("a", 2)])));
    topics_are(&observer, &["snapshot", "snapshot"]);
    calls_are(&observer, json!({"a": call("a", 2)}));
}

#[test]
fn whole_calls_are_asked_for_without_the_calls_that_change() {
    let cursor = Some(Cursor { epoch: "e".into(), seq: 4 });
    for watched in [
        Watched { topics: vec!["call.changed".into()], ..Watched::default() },
        Watched { cursor, ..Watched::default() },
    ] {
        let (_broker, _observer, mut peer) = observer(watched);
        let subscribe = subscribed(&mut peer, json!([]));
        assert_eq!(subscribe["params"]["detail"], Value::Null);
    }
}

#[test]
fn events_before_the_reply_that_names_their_subscription_count() {
    let (_broker, observer, mut peer) = observer(Watched::default());
    peer.greet();
    let subscribe = peer.read("events.subscribe");
    peer.send(&[event(3, "call.added", call("old", 1)), event(5, "call.added", call("b", 1))]);
    peer.reply(&subscribe, snapshot(4, json!([])));
    topics_are(&observer, &["snapshot", "call.added"]);
    calls_are(&observer, json!({"b": call("b", 1)}));
}

#[test]
fn what_takes_no_number_is_delivered() {
    let (_broker, observer, mut peer) = observer(Watched::default());
    let more = json!({"allowed": ["end", "merge"], "merge_with": ["b"], "paused_tones": {}});
    peer.greet_observer_with(snapshot(4, json!([merged(call("a", 1), more)])));
    peer.send(&[
        same(4, "plugin.log", json!({"number": 1})),
        same(4, "host.presence", json!({"state": "in_call"})),
        same(4, "call.quality", json!({"call": "a"})),
        same(4, "call.allowed_changed", json!({"call": "a", "allowed": ["end"]})),
    ]);
    topics_are(&observer, &["snapshot", "plugin.log", "host.presence", "call.quality"]);
    topics_are(&observer, &["call.allowed_changed"]);
    calls_are(&observer, json!({"a": merged(call("a", 1), json!({"allowed": ["end"]}))}));
}

#[test]
fn a_snapshot_goes_on_with_pages() {
    let (_broker, observer, mut peer) = observer(Watched::default());
    let mut first = snapshot(1, json!([call("a", 1)]));
    first["snapshot"]["next"] = json!("n");
    peer.greet_observer_with(first);
    let list = peer.read("call.list");
    assert_eq!(list["params"], json!({"after": "n"}));
    peer.reply(&list, json!({"calls": [call("b", 1)]}));
    topics_are(&observer, &["snapshot"]);
    calls_are(&observer, json!({"a": call("a", 1), "b": call("b", 1)}));
}

#[test]
fn after_a_lost_connection_it_goes_on_where_it_was() {
    let (broker, observer, mut peer) = observer(Watched::default());
    peer.greet_observer();
    peer.send(&[event(1, "call.added", call("a", 1))]);
    topics_are(&observer, &["snapshot", "call.added"]);
    peer.close();
    let mut again = broker.accept();
    let subscribe = again.greet_observer_with(json!({"subscription": 1, "epoch": "e", "seq": 2}));
    assert_eq!(subscribe["params"]["cursor"], json!({"epoch": "e", "seq": 1}));
    again.send(&[event(2, "call.removed", json!({"call": "a"}))]);
    topics_are(&observer, &["call.removed"]);
    calls_are(&observer, json!({}));
}

#[test]
fn what_was_missed_is_mended_by_a_new_snapshot() {
    let mut other = event(1, "call.added", call("x", 1));
    other["params"]["epoch"] = json!("other");
    let gap = json!({"method": "events.gap", "params": {"subscription": 1}});
    for mishap in [gap, event(9, "call.added", call("x", 1)), other] {
        let (_broker, observer, mut peer) = observer(Watched::default());
        peer.greet_observer();
        peer.send(&[mishap]);
        let unsubscribe = peer.read("events.unsubscribe");
        peer.reply(&unsubscribe, json!({}));
        let subscribe = peer.read("events.subscribe");
        assert!(subscribe["params"].get("cursor").is_none());
        let mut result = snapshot(9, json!([call("y", 1)]));
        result["subscription"] = json!(2);
        peer.reply(&subscribe, result);
        topics_are(&observer, &["snapshot", "snapshot"]);
        calls_are(&observer, json!({"y": call("y", 1)}));
    }
}

#[test]
fn a_snapshot_that_is_refused_or_never_comes_is_asked_for_in_a_new_session() {
    for is_refused in [true, false] {
        let broker = ScriptedBroker::new();
        let mut options = broker.quick();
        if !is_refused {
            options.opening = std::time::Duration::from_secs(10); // enough for what is answered
        }
        let observer = Observer::new("t", Watched::default(), options);
        opening(&observer);
        let mut peer = broker.accept();
        peer.greet_observer();
        topics_are(&observer, &["snapshot"]);
        peer.send(&[json!({"method": "events.gap", "params": {"subscription": 1}})]);
        peer.read("events.unsubscribe");
        let subscribe = peer.read("events.subscribe");
        if is_refused {
            peer.refuse(&subscribe, -32007, json!({}));
        }
        broker.accept().read("broker.hello");
        observer.close();
    }
}

#[test]
fn whoever_does_not_look_sees_all_anew_later() {
    let broker = ScriptedBroker::new();
    let observer = Observer::new("t", Watched::default(), broker.quick());
    let (sender, last) = channel();
    let sender = Mutex::new(sender);
    observer.on("x_last", move |_| sender.lock().unwrap().send(()).unwrap());
    opening(&observer);
    let mut peer = broker.accept();
    peer.greet_observer();
    for seq in 1..=10_000 {
        peer.send(&[event(seq, "call.changed", call("a", seq))]);
    }
    peer.send(&[event(10_001, "x_last", json!({}))]);
    got(&last);
    topics_are(&observer, &["snapshot", "x_last"]);
    calls_are(&observer, json!({"a": call("a", 10_000)}));
}

#[test]
fn a_function_that_does_not_return_does_not_let_notifications_pile_up() {
    let (go_on, goes_on) = channel::<()>();
    let goes_on = Mutex::new(goes_on);
    let (broker, _app, mut peer) = provider(|app| {
        app.on("x_often", move |_| {
            let _ = goes_on.lock().unwrap().recv(); // until the end
        });
    });
    peer.greet_provider();
    beside(move || {
        for _ in 0..10_010 {
            peer.send(&[json!({"method": "x_often"})]);
        }
        peer
    });
    broker.accept().greet_provider(); // a new session instead
    drop(go_on);
}

#[test]
fn next_ends_with_the_client() {
    let (_broker, observer, mut peer) = observer(Watched::default());
    peer.greet_observer();
    let seen = {
        let observer = observer.clone();
        beside(move || {
            let topics: Vec<_> = observer.events().map(|event| event.topic).collect();
            (topics, observer.next_within(CEILING))
        })
    };
    peer.send(&[json!({"id": 7, "method": "broker.ping"})]);
    peer.any();
    observer.close();
    let (topics, after) = got(&seen);
    assert_eq!(topics, ["snapshot"]);
    assert!(matches!(after, Err(Error::Disconnected)));
}

#[test]
fn a_screen_claims_in_every_session_until_it_releases() {
    let broker = ScriptedBroker::new();
    let screen = Screen::new("t", Watched::default(), broker.quick());
    let (sender, dismissed) = channel();
    let sender = Mutex::new(sender);
    screen.present(|request| Ok(request.params["call"] == "a"));
    screen.on_dismiss(move |call| sender.lock().unwrap().send(call.to_owned()).unwrap());
    screen.ask_user(|_| Ok("later".into()));
    let opened = opening(&screen);
    let mut peer = broker.accept();
    peer.greet_observer();
    got(&opened).unwrap();
    let claimed = {
        let screen = screen.clone();
        beside(move || screen.claim(json!({"priority": 5})))
    };
    let claim = peer.read("ui.claim");
    peer.reply(&claim, json!({"primary": true}));
    assert_eq!(got(&claimed).unwrap()["primary"], true);
    for (id, call) in ["a", "b"].iter().enumerate() {
        peer.send(&[json!({"id": id, "method": "ui.present", "params": {"call": call}})]);
        assert_eq!(peer.any()["result"], json!({"presented": *call == "a"}));
    }
    peer.send(&[
        json!({"id": 3, "method": "ui.ask"}),
        json!({"method": "ui.dismiss", "params": {"call": "a"}}),
    ]);
    assert_eq!(peer.any()["result"], json!({"answer": "later"}));
    assert_eq!(got(&dismissed), "a");
    peer.close();
    peer = broker.accept();
    peer.greet_observer();
    let claim = peer.read("ui.claim");
    assert_eq!(claim["params"], json!({"priority": 5}));
    peer.reply(&claim, json!({}));
    let released = {
        let screen = screen.clone();
        beside(move || screen.release())
    };
    let release = peer.read("ui.release");
    peer.reply(&release, json!({}));
    got(&released).unwrap();
    peer.close();
    peer = broker.accept();
    peer.greet_observer();
    let pong = ask(&screen, "broker.ping", json!({}));
    let ping = peer.read("broker.ping");
    peer.reply(&ping, json!({}));
    got(&pong).unwrap();
}
