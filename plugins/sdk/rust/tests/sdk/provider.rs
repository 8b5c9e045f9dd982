//! What a provider does with actions, and with what it is informed of.

use crate::scripted_broker::*;
use callbroker::{json, Failed, Progress, Value};
use std::sync::mpsc::channel;
use std::sync::Mutex;

fn error(id: i64, code: i64, reason: &str, message: &str, more: Value) -> Value {
    let data = merged(json!({ "reason": reason }), more);
    let error = json!({"code": code, "message": message, "data": data});
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

#[test]
fn an_action_reaches_the_function_of_its_kind() {
    let (sender, asked) = channel();
    let (_broker, _app, mut peer) = provider(|app| {
        app.perform("set_held", move |a| {
            let seen = json!([
                a.id,
                a.kind,
                a.call,
                a.arguments,
                a.transaction,
                a.cause,
                a.deadline_ms,
                a.attempt(),
                a.age_ms(),
                a.is_withdrawn()
            ]);
            sender.send(seen).unwrap();
            Ok(())
        })
    });
    peer.greet_provider();
    let arguments = json!({"held": true});
    peer.perform(7, json!({"kind": "set_held", "arguments": arguments, "attempt": 2, "x_new": 1}));
    assert_eq!(peer.any(), json!({"jsonrpc": "2.0", "id": 7, "result": {}}));
    let origin = json!({"origin": "user"});
    let wanted = json!([ACTION, "set_held", CALL, arguments, "t", origin, 5000, 2, 0, false]);
    assert_eq!(got(&asked), wanted);
}

#[test]
fn fulfilled_failed_broken_and_unknown() {
    let (_broker, _app, mut peer) = provider(|app| {
        app.perform("answer", |action| match action.id.as_str() {
            "fails" => Err(Failed::new("remote_refused").message("far end refused")),
            "panics" => panic!("as the test wants"),
            _ => {
                action.fulfilled_at(1763712000000);
                Ok(())
            }
        });
        app.perform("x_blink", |_| Err(Failed::new("no_lamp").app_code("LED 4")));
        app.perform("x_glow", |_| Err(Failed::default().app_code("LED 5")));
    });
    peer.greet_provider();
    let works = json!({"jsonrpc": "2.0", "id": 8, "result": {"at_ms": 1763712000000_i64}});
    for (kind, action, wanted) in [
        ("answer", "works", works),
        ("answer", "fails", error(8, -32000, "remote_refused", "far end refused", json!({}))),
        ("answer", "panics", error(8, -32603, "internal", "the handler failed", json!({}))),
        ("x_blink", "b", error(8, -32000, "no_lamp", "", json!({"app_code": "LED 4"}))),
        ("x_glow", "g", error(8, -32000, "unspecified", "", json!({"app_code": "LED 5"}))),
        (
            "teleport",
            "c",
            error(8, -32601, "not_supported", "teleport is not supported", json!({})),
        ),
    ] {
        peer.perform(8, json!({"kind": kind, "action": action}));
        assert_eq!(peer.any(), wanted);
    }
    peer.send(&[json!({"id": 12, "method": "provider.perform", "params": {}})]);
    assert_eq!(peer.any()["error"]["code"], -32602);
    peer.send(&[json!({"id": 13, "method": "provider.unheard_of"})]);
    assert_eq!(peer.any()["error"]["code"], -32601);
}

#[test]
fn an_action_is_taken_back() {
    let (sender, late) = channel();
    let (_broker, _app, mut peer) = provider(|app| {
        app.on("provider.timed_out", move |params| sender.send(params.clone()).unwrap());
        app.perform("answer", |action| {
            action.progress(Progress {
                phase: Some("ringing".into()),
                percent: Some(10),
                message: Some("soon".into()),
                extend_ms: Some(5000),
            });
            action.wait_withdrawn(None);
            Err(Failed::new("gave_up"))
        })
    });
    peer.greet_provider();
    peer.perform(7, json!({}));
    let wanted = json!({"request": 7, "phase": "ringing", "percent": 10, "message": "soon",
        "extend_ms": 5000});
    assert_eq!(peer.read("broker.progress")["params"], wanted);
    peer.send(&[
        json!({"method": "broker.cancel", "params": {"request": 8}}),
        json!({"method": "broker.cancel", "params": {"request": 7}}),
        json!({"method": "provider.timed_out", "params": {"action": ACTION, "call": CALL}}),
    ]);
    assert_eq!(peer.any(), error(7, -32000, "gave_up", "", json!({})));
    assert_eq!(got(&late)["call"], CALL);
}

#[test]
fn an_action_that_succeeds_after_all_is_answered_as_it_is() {
    let (_broker, _app, mut peer) = provider(|app| {
        app.perform("answer", |action| {
            action.progress(Progress::default());
            assert!(action.wait_withdrawn(Some(CEILING)));
            action.fulfilled_at(5);
            Ok(())
        })
    });
    peer.greet_provider();
    peer.perform(7, json!({}));
    peer.read("broker.progress");
    peer.send(&[json!({"method": "provider.timed_out", "params": {"action": ACTION}})]);
    assert_eq!(peer.any()["result"], json!({"at_ms": 5}));
}

#[test]
fn a_request_of_a_lost_connection_is_not_answered_in_the_next() {
    let (sender, begun) = channel();
    let (ended_sender, ended) = channel();
    let (go_on, goes_on) = channel::<()>();
    let goes_on = Mutex::new(goes_on);
    let (broker, _app, mut peer) = provider(|app| {
        app.handle("x_slow", move |request| {
            sender.send(()).unwrap();
            request.wait_withdrawn(None);
            goes_on.lock().unwrap().recv().unwrap();
            ended_sender.send(()).unwrap();
            Ok(json!({}))
        })
    });
    peer.greet_provider();
    peer.send(&[json!({"id": 7, "method": "x_slow"})]);
    got(&begun);
    peer.close();
    let mut again = broker.accept();
    again.greet_provider();
    go_on.send(()).unwrap();
    got(&ended);
    again.send(&[json!({"id": 8, "method": "broker.ping"})]);
    assert_eq!(again.any()["id"], 8);
}

#[test]
fn a_result_that_cannot_be_sent_is_an_error() {
    let (_broker, _app, mut peer) =
        provider(|app| app.handle("x_long", |_| Ok(json!({"x": "y".repeat(70_000)}))));
    peer.greet_provider();
    peer.send(&[json!({"id": 7, "method": "x_long"})]);
    assert_eq!(peer.any(), error(7, -32603, "internal", "the handler failed", json!({})));
}

#[test]
fn a_repeated_action_is_done_once_and_answered_twice() {
    let (sender, done) = channel();
    let (_broker, _app, mut peer) = provider(|app| {
        app.perform("answer", move |action| {
            sender.send(action.attempt()).unwrap();
            Ok(())
        })
    });
    peer.greet_provider();
    for attempt in 1..=2 {
        peer.perform(6 + attempt, json!({ "attempt": attempt }));
        assert_eq!(peer.any(), json!({"jsonrpc": "2.0", "id": 6 + attempt, "result": {}}));
    }
    assert_eq!(got(&done), 1);
    assert!(done.try_recv().is_err());
}

#[test]
fn an_action_outlives_the_connection() {
    let (sender, begun) = channel();
    let (go_on, goes_on) = channel::<()>();
    let goes_on = Mutex::new(goes_on);
    let (broker, _app, mut peer) = provider(|app| {
        app.perform("answer", move |action| {
            sender.send(()).unwrap();
            goes_on.lock().unwrap().recv().unwrap();
            action.fulfilled_at(9);
            Ok(())
        })
    });
    peer.greet_provider();
    peer.perform(7, json!({}));
    got(&begun);
    peer.close();
    let mut again = broker.accept();
    again.greet_provider();
    again.perform(1, json!({"attempt": 2}));
    go_on.send(()).unwrap();
    assert_eq!(again.any(), json!({"jsonrpc": "2.0", "id": 1, "result": {"at_ms": 9}}));
}

#[test]
fn old_actions_are_forgotten_and_newer_ones_answered_alike() {
    let (sender, done) = channel();
    let (_broker, _app, mut peer) = provider(|app| {
        app.perform("answer", move |action| {
            sender.send(action.id.clone()).unwrap();
            Ok(())
        })
    });
    peer.greet_provider();
    for id in (0..266).chain([265, 0]) {
        peer.perform(id, json!({ "action": format!("a{id}") }));
        assert_eq!(peer.any()["id"], id);
    }
    let done: Vec<_> = done.try_iter().collect();
    assert_eq!((done.len(), done[266].as_str()), (267, "a0"), "the oldest was done anew");
}

#[test]
fn reconciling_lists_the_live_calls_and_drops_what_is_not_taken() {
    let calls: Vec<_> = (0..70).map(|n| json!({ "call": format!("c{n}") })).collect();
    let lists = Mutex::new(vec![vec![], calls]);
    let (sender, dropped) = channel();
    let (broker, _app, mut peer) = provider(|app| {
        app.reconcile(move || Ok(lists.lock().unwrap().pop().unwrap()));
        app.on_dropped(move |calls| sender.send(calls.to_vec()).unwrap());
    });
    peer.greet();
    let mut seen = Vec::new();
    for n in 0..3 {
        let register = peer.read("provider.register");
        let params = &register["params"];
        let count = params["calls"].as_array().unwrap().len();
        seen.push(json!([count, params["calls"][0]["call"], params["more"]]));
        peer.reply(&register, json!({ "dropped": [format!("c{n}")] }));
    }
    assert_eq!(json!(seen), json!([[32, "c0", true], [32, "c32", true], [6, "c64", null]]));
    assert_eq!(got(&dropped), ["c0", "c1", "c2"]);
    peer.close();
    assert_eq!(broker.accept().greet_provider()["params"]["calls"], json!([]));
}

#[test]
fn a_changed_registration_is_kept() {
    let (sender, open) = channel();
    let (broker, app, mut peer) = provider(|app| app.on_open(move || sender.send(()).unwrap()));
    peer.greet_provider();
    got(&open);
    assert_eq!(app.registered()["provider"], "org.example.a");
    let updated = {
        let app = app.clone();
        beside(move || app.update(json!({"display_name": "B"})))
    };
    let update = peer.read("provider.update");
    peer.reply(&update, json!({}));
    got(&updated).unwrap();
    peer.close();
    let wanted = json!({"display_name": "B", "handle_types": ["phone"]});
    assert_eq!(broker.accept().greet_provider()["params"], wanted);
}

#[test]
fn a_transaction_is_taken_over_and_settled_afterwards() {
    let (_broker, _app, mut peer) = provider(|app| {
        let own = app.clone();
        app.execute(move |request| {
            let own = own.clone();
            beside(move || own.settle(ACTION, "fulfilled", json!({})));
            Ok(request.params["transaction"] == "t1")
        });
    });
    assert_eq!(peer.greet_provider()["params"]["takes_transactions"], true);
    for (id, transaction) in ["t1", "t2"].iter().enumerate() {
        let params = json!({"transaction": transaction, "actions": []});
        peer.send(&[json!({"id": id, "method": "provider.execute", "params": params})]);
        assert_eq!(peer.any()["result"], json!({"taken": *transaction == "t1"}));
        assert_eq!(peer.read("action.settle")["params"]["action"], ACTION);
    }
}

#[test]
fn a_setting_of_a_line_is_changed_or_is_as_it_was() {
    let (sender, asked) = channel();
    let (_broker, _app, mut peer) = provider(|app| {
        app.change_setting(move |line, setting| {
            sender.send((line.to_owned(), setting.clone())).unwrap();
            if setting["on"] == true {
                Ok(())
            } else {
                Err(Failed::new("barred"))
            }
        })
    });
    peer.greet_provider();
    for on in [true, false] {
        let setting = json!({"setting": "call_waiting", "on": on});
        let params = merged(setting.clone(), json!({"line": "sim", "deadline_ms": 60000}));
        peer.send(&[json!({"id": 7, "method": "line.change_setting", "params": params})]);
        let answer = peer.any();
        assert_eq!(got(&asked), ("sim".to_owned(), setting));
        if on {
            assert_eq!(answer["result"], json!({}));
        } else {
            assert_eq!(answer["error"]["data"]["reason"], "barred");
        }
    }
}

#[test]
fn one_action_of_a_transaction_is_taken_back() {
    let (sender, withdrawn) = channel();
    let (go_on, goes_on) = channel::<()>();
    let goes_on = Mutex::new(goes_on);
    let (_broker, _app, mut peer) = provider(|app| {
        app.on_withdrawn(move |action| sender.send(action.to_owned()).unwrap());
        app.execute(move |request| {
            goes_on.lock().unwrap().recv().unwrap();
            Ok(!request.is_withdrawn())
        });
    });
    peer.greet_provider();
    peer.send(&[
        json!({"id": 7, "method": "provider.execute", "params": {"transaction": "t"}}),
        json!({"method": "broker.cancel", "params": {"request": 7, "action": ACTION}}),
    ]);
    assert_eq!(got(&withdrawn), ACTION);
    go_on.send(()).unwrap();
    assert_eq!(peer.any()["result"], json!({"taken": true}));
}

#[test]
fn what_the_broker_says_reaches_its_functions_in_order() {
    let (sender, told) = channel();
    let (_broker, _app, mut peer) = provider(|app| {
        for name in ["provider.reset", "audio.activated", "x_last"] {
            let sender = Mutex::new(sender.clone());
            app.on(name, move |params| {
                let said = (name, params["reason"].clone());
                sender.lock().unwrap().send(said).unwrap();
            });
        }
        app.on("x_panics", |_| panic!("as the test wants"));
    });
    peer.greet_provider();
    peer.send(&[
        json!({"method": "provider.reset", "params": {"reason": "admin"}}),
        json!({"method": "x_panics"}),
        json!({"method": "close"}),
        json!({"method": "audio.activated", "params": {"group": CALL}}),
        json!({"method": "x_last"}),
    ]);
    let wanted = [
        ("provider.reset", json!("admin")),
        ("audio.activated", json!(null)),
        ("x_last", json!(null)),
    ];
    assert_eq!([got(&told), got(&told), got(&told)], wanted);
}

#[test]
fn requests_of_other_roles_are_answered_or_taken_back() {
    let (sender, begun) = channel();
    let (_broker, _app, mut peer) = provider(|app| {
        app.handle("screener.check", |_| Ok(json!({"verdict": "block", "label": "spam"})));
        app.handle("ui.present", move |request| {
            sender.send(()).unwrap();
            request.wait_withdrawn(None);
            Err(Failed::new("gone"))
        });
    });
    peer.greet_provider();
    peer.send(&[json!({"id": "a", "method": "screener.check", "params": {"call": CALL}})]);
    assert_eq!(peer.any()["result"], json!({"verdict": "block", "label": "spam"}));
    peer.send(&[json!({"id": 2, "method": "ui.present"})]);
    got(&begun);
    peer.send(&[json!({"method": "broker.cancel", "params": {"request": 2}})]);
    assert_eq!(peer.any(), error(2, -32000, "gone", "", json!({})));
}
