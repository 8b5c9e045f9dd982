//! Opening, losing and renewing sessions; requests that fail, time out or are taken back.

use crate::scripted_broker::*;
use callbroker::{json, Client, Code, Error, Options, Provider, Value};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

#[test]
fn a_client_says_who_it_is() {
    let broker = ScriptedBroker::new();
    let options = Options {
        version: "1.2".into(),
        url: "https://example.org".into(),
        credential: "token".into(),
        roles: vec!["ui".into(), "observer".into()],
        features: vec!["alerting".into()],
        ..broker.quick()
    };
    let client = Client::controller("t", options);
    let opened = opening(&client);
    let mut peer = broker.accept();
    let wanted = json!({"protocol": {"min": 1, "max": 1}, "roles": ["ui", "observer"],
        "credential": "token", "features": ["alerting"],
        "client": {"name": "t", "version": "1.2", "url": "https://example.org"}});
    assert_eq!(peer.greet()["params"], wanted);
    got(&opened).unwrap();
    assert!(client.is_connected());
    assert_eq!(client.hello()["epoch"], "e");
}

#[test]
fn a_lost_session_is_renewed_and_resumed() {
    let (sender, open) = channel();
    let (broker, app, mut peer) = provider(|app| app.on_open(move || sender.send(()).unwrap()));
    peer.greet_provider();
    got(&open);
    for _ in 0..3 {
        peer.close();
        peer = broker.accept();
        assert_eq!(peer.read("broker.hello")["params"]["resume"], session());
        peer.close();
        peer = broker.accept();
        assert_eq!(peer.greet()["params"]["resume"], session());
        let register = peer.read("provider.register");
        peer.reply(&register, json!({}));
        got(&open);
    }
    let reply = ask(&app, "call.report_connected", json!({ "call": CALL }));
    let request = peer.read("call.report_connected");
    peer.reply(&request, json!({"seq": 9}));
    assert_eq!(got(&reply).unwrap(), json!({"seq": 9}));
}

#[test]
fn a_session_that_is_not_resumable_is_opened_anew() {
    let (broker, _app, mut peer) = provider(|_| ());
    peer.greet_provider();
    peer.send(&[json!({"method": "broker.goodbye", "params": {
        "reason": "restarting", "resumable": false, "reconnect_after_ms": 0}})]);
    peer.close();
    assert!(broker.accept().greet()["params"].get("resume").is_none());
}

#[test]
fn a_client_that_is_to_come_back_late_can_be_closed() {
    let (sender, lost) = channel();
    let (_broker, app, mut peer) =
        provider(|app| app.on_lost(move |error| sender.send(error.clone()).unwrap()));
    peer.greet_provider();
    peer.send(&[json!({"method": "broker.goodbye", "params": {
        "reason": "restarting", "resumable": true, "reconnect_after_ms": 600_000}})]);
    peer.close();
    assert!(matches!(got(&lost), Error::Disconnected));
    let begin = Instant::now();
    app.close();
    assert!(begin.elapsed() < Duration::from_secs(600));
    assert!(lost.try_recv().is_err(), "it did not try again");
}

#[test]
fn who_is_superseded_or_stopped_does_not_come_back() {
    for reason in ["superseded", "stop"] {
        let (_broker, client, peer) = controller();
        peer.send(&[json!({"method": "broker.goodbye", "params": {"reason": reason}})]);
        client.run().unwrap();
    }
}

#[test]
fn close_says_goodbye() {
    for is_resumable in [false, true] {
        let (_broker, client, mut peer) = controller();
        if is_resumable {
            client.suspend();
        } else {
            client.close();
        }
        let wanted = json!({"reason": "closed", "resumable": is_resumable});
        assert_eq!(peer.read("broker.goodbye")["params"], wanted);
        peer.ended();
        assert!(matches!(client.end(CALL, json!({})), Err(Error::Disconnected)));
    }
}

#[test]
fn the_last_handle_closes() {
    let (_broker, client, mut peer) = controller();
    drop(client.clone());
    peer.send(&[json!({"id": 7, "method": "broker.ping"})]);
    assert_eq!(peer.any()["id"], 7);
    drop(client);
    peer.read("broker.goodbye");
    peer.ended();
}

#[test]
fn a_client_that_waits_for_its_next_try_can_be_closed() {
    let hour = Duration::from_secs(3600);
    let client = Client::controller(
        "t",
        Options {
            socket: Some("no-such-folder/x".into()),
            first: hour,
            longest: hour,
            patient: true,
            ..Options::default()
        },
    );
    let (sender, lost) = channel();
    client.on_lost(move |_| sender.send(()).unwrap());
    let opened = opening(&client);
    got(&lost);
    client.close();
    assert!(matches!(got(&opened), Err(Error::Disconnected)));
}

#[test]
fn a_client_that_was_never_opened_can_be_closed() {
    let client = Client::controller("t", Options::default());
    client.close();
    client.close();
    assert!(matches!(client.open(), Err(Error::Disconnected)));
}

#[test]
fn a_hello_that_is_refused_for_good_ends_it() {
    let broker = ScriptedBroker::new();
    let client = Client::controller("t", broker.quick());
    let opened = opening(&client);
    let mut peer = broker.accept();
    let data = json!({"reason": "version_unsupported", "supported": {"min": 2, "max": 3}});
    let hello = peer.read("broker.hello");
    peer.refuse(&hello, -32015, data.clone());
    let error = got(&opened).unwrap_err();
    assert_eq!(error.code().map(Code::name), Some("version_unsupported"));
    assert_eq!(error.refusal().unwrap().data, data);
    assert_eq!(client.run().unwrap_err().reason(), "version_unsupported");
}

#[test]
fn an_identity_in_use_is_tried_again() {
    let (broker, _app, mut peer) = provider(|_| ());
    let hello = peer.read("broker.hello");
    peer.refuse(&hello, -32005, json!({"reason": "identity"}));
    broker.accept().greet_provider();
}

#[test]
fn a_role_that_is_denied_ends_it() {
    let broker = ScriptedBroker::new();
    let client = Client::controller("t", broker.quick());
    let opened = opening(&client);
    let denied = json!([{"role": "controller", "reason": "not_granted"}]);
    broker.accept().greet_with(json!({ "denied_roles": denied }));
    assert_eq!(got(&opened).unwrap_err().reason(), "not_granted");
}

fn reconciled(list: fn() -> Result<Vec<Value>, String>) -> String {
    let broker = ScriptedBroker::new();
    let app = Provider::new("org.example.a", "A", json!({}), broker.quick());
    app.reconcile(list);
    let opened = opening(&app);
    let mut peer = broker.accept();
    peer.greet();
    let error = got(&opened).unwrap_err();
    app.close();
    error.to_string()
}

#[test]
fn a_reconciliation_that_fails_or_panics_ends_it() {
    assert_eq!(reconciled(|| Err("no store".into())), "the live calls are unknown: no store");
    let panicked = reconciled(|| panic!("as the test wants"));
    assert_eq!(panicked, "the live calls are unknown: the function has panicked");
}

#[test]
fn a_hello_without_a_reply_is_said_anew() {
    let broker = ScriptedBroker::new();
    let options = Options { opening: Duration::from_millis(1), ..broker.quick() };
    let client = Client::controller("t", options);
    let (sender, lost) = channel();
    client.on_lost(move |error| drop(sender.send(error.clone())));
    opening(&client);
    let mut peer = broker.accept();
    peer.read("broker.hello");
    peer.read("broker.cancel");
    assert_eq!(peer.read("broker.goodbye")["params"]["resumable"], true);
    assert!(matches!(got(&lost), Error::TakenBack(_)));
    client.close();
}

#[test]
fn requests_wait_for_a_session_that_is_being_opened() {
    let (_broker, app, mut peer) = provider(|_| ());
    peer.greet();
    let register = peer.read("provider.register");
    let ended = ask(&app, "call.report_ended", json!({ "call": CALL }));
    peer.send(&[json!({"id": 77, "method": "broker.ping"})]);
    assert_eq!(peer.any()["id"], 77);
    peer.reply(&register, json!({}));
    let report = peer.read("call.report_ended");
    peer.reply(&report, json!({"seq": 1}));
    assert_eq!(got(&ended).unwrap(), json!({"seq": 1}));
}

#[test]
fn every_open_request_fails_when_the_connection_is_lost() {
    let (broker, client, mut peer) = controller();
    let mut replies = Vec::new();
    for _ in 0..3 {
        replies.push(client.ask("call.end", json!({ "call": CALL })).unwrap());
        peer.read("call.end");
    }
    peer.close();
    for reply in replies {
        assert!(matches!(reply.wait(), Err(Error::Disconnected)));
    }
    broker.accept().greet();
}

#[test]
fn a_request_that_is_not_wanted_any_more_is_taken_back() {
    let (_broker, client, mut peer) = controller();
    let reply = client.ask("call.end", json!({ "call": CALL })).unwrap();
    let id = peer.read("call.end")["id"].clone();
    assert_eq!(reply.cancel().unwrap_err().to_string(), "no reply to call.end in time");
    assert_eq!(peer.read("broker.cancel")["params"], json!({ "request": id }));
    peer.send(&[json!({"id": id, "result": {}})]);
    let late = client.request_within("call.list", json!({}), Duration::from_millis(1));
    assert!(matches!(late, Err(Error::TakenBack(_))));
    let id = peer.read("call.list")["id"].clone();
    assert_eq!(peer.read("broker.cancel")["params"], json!({ "request": id }));
}

#[test]
fn nothing_too_long_is_sent() {
    let (_broker, client, mut peer) = controller_with(json!({"limits": {"frame_bytes": 200}}));
    let error = client.play_dtmf(CALL, &"1".repeat(200), json!({})).unwrap_err();
    assert_eq!((error.code(), error.reason()), (Some(Code::FRAME_LIMIT), "frame_bytes"));
    let _reply = client.ask("call.end", json!({ "call": CALL })).unwrap();
    peer.read("call.end");
}

#[test]
fn a_broker_that_does_not_read_is_not_buried() {
    let (_broker, client, mut peer) = controller();
    let message = json!({"level": "info", "message": "x".repeat(60_000)});
    let error = loop {
        if let Err(error) = client.notify("broker.log", message.clone()) {
            break error;
        }
    };
    assert_eq!(error.code(), Some(Code::OVERLOADED));
    assert!(error.refusal().unwrap().retryable);
    peer.read("broker.log");
}

#[test]
fn a_broker_that_does_not_read_does_not_keep_a_client_from_closing() {
    let (_broker, client, _peer) = controller();
    let message = json!({"level": "info", "message": "x".repeat(60_000)});
    while client.notify("broker.log", message.clone()).is_ok() {}
    client.close();
}

#[test]
fn what_stands_in_the_way_is_said() {
    let (_broker, client, mut peer) = controller();
    let reply = ask(&client, "call.answer", json!({ "call": CALL }));
    let data = json!({"reason": "cannot_hold", "retryable": true, "rule": "6",
        "blocking": [{"call": CALL, "provider": "org.a"}]});
    let request = peer.any();
    peer.refuse(&request, -32006, data.clone());
    let error = got(&reply).unwrap_err();
    assert_eq!(error.to_string(), "no (cannot_hold)");
    let refusal = error.refusal().unwrap();
    assert_eq!((refusal.code, refusal.retryable), (Code::INVALID_STATE, true));
    assert_eq!((refusal.reason.as_str(), &refusal.data), ("cannot_hold", &data));
}

#[test]
fn errors_of_any_shape_are_errors() {
    let (_broker, client, mut peer) = controller();
    for shape in [
        json!(null),
        json!([]),
        json!("x"),
        json!({}),
        json!({"code": "x"}),
        json!({"code": -1, "data": []}),
        json!({"code": -32004, "message": null, "data": null}),
    ] {
        let reply = ask(&client, "broker.ping", json!({}));
        let request = peer.any();
        peer.send(&[json!({"id": request["id"], "error": shape})]);
        let error = got(&reply).unwrap_err();
        let refusal = error.refusal().unwrap();
        assert_eq!((refusal.reason.as_str(), refusal.retryable), ("", false));
        assert_eq!(refusal.data, json!({}));
    }
}

#[test]
fn without_patience_there_must_be_a_broker() {
    let socket = Some("no-such-folder/broker.sock".into());
    let client = Client::controller("t", Options { socket, ..Options::default() });
    match client.open() {
        Err(Error::Io(error)) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
        other => panic!("{other:?}"),
    }
}

#[test]
fn with_patience_a_broker_is_waited_for() {
    let (broker, listen) = ScriptedBroker::later();
    let client = Client::controller("t", broker.quick());
    let (sender, lost) = channel();
    client.on_lost(move |error| drop(sender.send(error.clone())));
    let opened = opening(&client);
    assert!(matches!(got(&lost), Error::Io(_)));
    listen();
    let mut peer = broker.accept();
    peer.greet();
    got(&opened).unwrap();
}

#[test]
fn a_connection_is_not_renewed() {
    let broker = ScriptedBroker::new();
    let stream = Some(UnixStream::connect(&broker.path).unwrap());
    let client = Client::controller("t", Options { stream, ..Options::default() });
    let opened = opening(&client);
    let mut peer = broker.accept();
    peer.greet();
    got(&opened).unwrap();
    peer.close();
    client.run().unwrap();
}

#[test]
fn ids_are_uuids_and_differ() {
    let ids: std::collections::HashSet<_> = (0..1000).map(|_| callbroker::new_id()).collect();
    assert_eq!(ids.len(), 1000);
    for id in ids {
        let parts: Vec<_> = id.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12], "{id}");
        assert_eq!(&id[14..15], "4", "{id}");
        assert!("89ab".contains(&id[19..20]), "{id}");
    }
}
