//! Odd and hostile input: nothing that comes in may end the client, confuse it or go unanswered.

use crate::scripted_broker::*;
use callbroker::{json, Client, Error, Value, Watched};
use std::collections::BTreeMap;

const ODD: &[&str] = &[
    "",
    "   ",
    "\r",
    "null",
    "7",
    r#""x""#,
    "[]",
    "[[]]",
    "[{}]",
    "{}",
    "{",
    "}",
    r#"{"a":1"#,
    "\0",
    r#"{"id":1e400}"#,
    "NaN",
    r#"{"method":7}"#,
    r#"{"method":"event"}"#,
    r#"{"method":"event","params":[]}"#,
    r#"{"method":"event","params":{"topic":7,"seq":"x","data":null}}"#,
    r#"{"method":"event","params":{"topic":"error","subscription":1,"data":null}}"#,
    r#"{"method":"event","params":{"topic":"call.added","subscription":1,"data":[]}}"#,
    r#"{"method":"event","params":{"topic":"call.added","subscription":1,"seq":{},"data":7}}"#,
    r#"{"method":"event","params":{"topic":"call.added","subscription":1,"seq":1e300,"data":{}}}"#,
    r#"{"method":"events.gap"}"#,
    r#"{"method":"events.gap","params":{"subscription":[]}}"#,
    r#"{"method":"broker.cancel"}"#,
    r#"{"method":"broker.cancel","params":{"request":{}}}"#,
    r#"{"method":"broker.cancel","params":{"request":null}}"#,
    r#"{"method":"broker.cancel","params":{"action":[]}}"#,
    r#"{"method":"provider.timed_out","params":{"action":[]}}"#,
    r#"{"method":"x_new.thing"}"#,
    r#"{"method":"error"}"#,
    r#"{"method":"close"}"#,
    r#"{"method":""}"#,
    r#"{"method":"broker.goodbye","params":{"reason":[],"reconnect_after_ms":"x"}}"#,
    r#"{"method":"broker.warning"}"#,
    r#"{"id":{},"method":"x"}"#,
    r#"{"id":[],"method":"provider.perform"}"#,
    r#"{"id":[],"method":"provider.execute"}"#,
    r#"{"id":null,"error":{"code":-32600,"message":"x"}}"#,
    r#"{"id":1,"result":{}}"#,
    r#"{"id":"1","result":{}}"#,
    r#"{"id":true,"result":{}}"#,
    r#"{"id":-1,"error":null}"#,
    r#"{"id":[],"result":{}}"#,
    r#"{"result":{}}"#,
    r#"{"error":7}"#,
];

fn odd_lines_change_nothing(client: &Client, mut peer: Peer) {
    let mut lines: Vec<Vec<u8>> = ODD.iter().map(|line| line.as_bytes().to_vec()).collect();
    lines.extend([
        b"\xff\xfe".to_vec(),
        "[".repeat(30_000).into(),
        r#"{"a":"#.repeat(30_000).into(),
    ]);
    lines.push("1".repeat(5000).into());
    for line in lines {
        peer.raw(&line);
        peer.raw(b"\n");
        let pong = ask(client, "broker.ping", json!({ "payload": line[..line.len().min(60)] }));
        let mut frame = peer.any();
        while frame["method"] != "broker.ping" {
            if frame["method"].is_null() {
                assert!(frame["error"]["code"].as_i64() < Some(-32000), "{frame}");
            } else {
                peer.reply(
                    &frame,
                    json!({"subscription": 1, "epoch": "e", "seq": 0, "snapshot": {}}),
                );
            }
            frame = peer.any();
        }
        peer.reply(&frame, frame["params"].clone());
        assert_eq!(got(&pong).unwrap(), frame["params"]);
    }
}

#[test]
fn odd_lines_change_nothing_for_a_provider() {
    let (_broker, app, mut peer) = provider(|_| ());
    peer.greet_provider();
    odd_lines_change_nothing(&app, peer);
}

#[test]
fn odd_lines_change_nothing_for_an_observer() {
    let (_broker, observer, mut peer) = observer(Watched::default());
    peer.greet_observer();
    odd_lines_change_nothing(&observer, peer);
}

#[test]
fn odd_replies_to_the_opening_are_taken_for_what_they_are() {
    for result in [
        json!({"denied_roles": 7}),
        json!({"limits": 7, "session": [], "features": "x"}),
        json!({"denied_roles": [null, 7], "limits": {"frame_bytes": "x"}}),
    ] {
        let broker = ScriptedBroker::new();
        let client = Client::controller("t", broker.quick());
        let opened = opening(&client);
        let mut peer = broker.accept();
        let hello = peer.read("broker.hello");
        peer.reply(&hello, result);
        got(&opened).unwrap();
        let pong = ask(&client, "broker.ping", json!({}));
        let ping = peer.read("broker.ping");
        peer.reply(&ping, json!({}));
        got(&pong).unwrap();
    }
    for result in [
        json!({}),
        json!({"subscription": [], "snapshot": 7}),
        json!({"subscription": 1, "seq": "x", "snapshot": {"calls": [7, null, {}, {"call": 7}]}}),
    ] {
        let (broker, _observer, mut peer) = observer(Watched::default());
        peer.greet_observer_with(result);
        peer.send(&[json!({"id": 7, "method": "broker.ping"})]);
        assert_eq!(peer.any()["id"], 7);
        peer.close();
        broker.accept();
    }
}

#[test]
fn frames_may_come_in_pieces_or_together() {
    let (_broker, _app, mut peer) = provider(|app| app.perform("answer", |_| Ok(())));
    peer.greet_provider();
    let params = json!({"action": "a", "kind": "answer"});
    let whole: String = [
        json!({"id": 70, "method": "broker.ping", "params": {"payload": "ü€"}}),
        json!({"id": 71, "method": "provider.perform", "params": params}),
        json!({"id": 72, "method": "broker.ping"}),
    ]
    .iter()
    .map(encoded)
    .collect();
    for size in [whole.len(), 1, 3, 64] {
        for piece in whole.as_bytes().chunks(size) {
            peer.raw(piece);
        }
        let mut found = BTreeMap::new();
        for _ in 0..3 {
            let frame = peer.any();
            found.insert(frame["id"].to_string(), frame["result"].clone());
        }
        assert_eq!(json!(found), json!({"70": {"payload": "ü€"}, "71": {}, "72": {}}));
    }
}

#[test]
fn a_reply_counts_once_and_replies_may_overtake_each_other() {
    let (_broker, app, mut peer) = provider(|_| ());
    peer.greet_provider();
    let mut replies = Vec::new();
    let mut frames: Vec<Value> = Vec::new();
    for n in 0..3 {
        replies.push(ask(&app, "broker.ping", json!({ "payload": n })));
        frames.push(peer.read("broker.ping"));
    }
    for frame in frames.iter().rev() {
        let id = frame["id"].as_i64().unwrap();
        peer.send(&[
            json!({"id": id + 10, "result": {}}),
            json!({"id": id.to_string(), "result": {}}),
            json!({"id": id, "result": merged(frame["params"].clone(), json!({"x_new": {}}))}),
            json!({"id": id, "result": {}}),
            json!({"id": id, "error": {"code": -32004}}),
        ]);
    }
    for (n, reply) in replies.iter().enumerate() {
        assert_eq!(got(reply).unwrap(), json!({"payload": n, "x_new": {}}));
    }
}

#[test]
fn the_last_line_needs_no_end() {
    let (_broker, app, mut peer) = provider(|_| ());
    peer.greet_provider();
    let reply = ask(&app, "call.report_ended", json!({ "call": CALL }));
    let id = peer.read("call.report_ended")["id"].clone();
    peer.raw(encoded(&json!({"id": id, "result": {"seq": 5}})).trim_end().as_bytes());
    peer.close();
    assert_eq!(got(&reply).unwrap(), json!({"seq": 5}));
}

#[test]
fn a_long_document_comes_through_and_an_endless_line_ends_the_connection() {
    let (broker, app, mut peer) = provider(|_| ());
    peer.greet_provider();
    let reply = ask(&app, "rpc.discover", json!({}));
    let request = peer.read("rpc.discover");
    peer.reply(&request, json!({"methods": "x".repeat(900_000)}));
    assert_eq!(got(&reply).unwrap()["methods"].as_str().unwrap().len(), 900_000);
    beside(move || {
        peer.raw("x".repeat(2_000_000).as_bytes());
        peer
    });
    broker.accept().greet_provider();
}

#[test]
fn lost_at_each_point_of_the_opening() {
    let (broker, app, mut peer) = provider(|app| app.perform("answer", |_| Ok(())));
    peer.greet_provider();
    let opening = |id: &Value| encoded(&json!({"id": id, "result": {"session": session()}}));
    for cut in (0..opening(&json!(1)).len()).step_by(7) {
        peer.close();
        peer = broker.accept();
        let id = peer.read("broker.hello")["id"].clone();
        peer.raw(&opening(&id).as_bytes()[..cut]);
    }
    peer.close();
    peer = broker.accept();
    peer.greet_provider();
    let asked = ask(&app, "call.report_connected", json!({ "call": CALL }));
    let id = peer.read("call.report_connected")["id"].clone();
    peer.raw(&encoded(&json!({"id": id, "result": {}})).as_bytes()[..9]);
    peer.close();
    assert!(matches!(got(&asked), Err(Error::Disconnected)));
    peer = broker.accept();
    peer.greet_provider();
    peer.perform(7, json!({}));
    assert_eq!(peer.any()["id"], 7);
}
