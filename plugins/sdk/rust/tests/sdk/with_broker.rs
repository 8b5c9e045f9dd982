//! Providers, controllers, observers and screens with the broker itself.

use crate::real_broker::{ann, completed, done, Relay, Stage};
use crate::scripted_broker::{beside, got, heard, merged, CEILING};
use callbroker::{json, new_id, Code, Failed, Observer, Options, Provider, Screen, Value, Watched};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

#[test]
fn one_app_is_held_before_another_is_answered() {
    let stage = Stage::new();
    let (one, other) = (stage.entered("org.one", json!({})), stage.entered("org.two", json!({})));
    let (first, second) = (stage.incoming(&one, json!({})), stage.incoming(&other, json!({})));
    stage.answer(&first);
    let choice = json!({"choice": "hold_and_answer"});
    let dry = merged(choice.clone(), json!({"dry_run": true}));
    assert_eq!(stage.user.answer(&second, dry).unwrap()["would_hold"], json!([first]));
    done(stage.user.answer(&second, merged(choice, completed())));
    stage.performs(&[
        json!(["org.one", "answer", {}]),
        json!(["org.one", "set_held", {"held": true}]),
        json!(["org.two", "answer", {}]),
    ]);
}

#[test]
fn lines_of_an_update_are_registered_again_and_no_other_is_known() {
    let mut stage = Stage::new();
    let app = stage.provider("org.one", json!({}));
    let (opened, open) = heard();
    app.on_open(move || opened(()));
    app.open().unwrap();
    got(&open);
    app.update(json!({"lines": [{"line": "work", "label": "Work"}]})).unwrap();
    stage.broker.killed_and_started();
    got(&open);
    let error = app.report_incoming(&new_id(), ann(), json!({"line": "home"})).unwrap_err();
    assert_eq!(error.reason(), "unknown_line");
    stage.incoming(&app, json!({"line": "work"}));
}

#[test]
fn errors_say_what_stands_in_the_way() {
    let stage = Stage::new();
    let (one, other) = (stage.entered("org.one", json!({})), stage.entered("org.two", json!({})));
    let first = stage.incoming(&one, json!({"supports_holding": false}));
    let second = stage.incoming(&other, json!({}));
    stage.answer(&first);
    let error = stage.user.answer(&second, json!({})).unwrap_err();
    let refusal = error.refusal().unwrap();
    assert_eq!((refusal.code, refusal.reason.as_str()), (Code::INVALID_STATE, "cannot_hold"));
    assert_eq!(refusal.data["blocking"], json!([{"call": first, "provider": "org.one"}]));
    let again = one.report_incoming(&first, ann(), json!({})).unwrap_err();
    assert_eq!(again.code(), Some(Code::ALREADY_EXISTS));
    assert_eq!(stage.user.end(&new_id(), json!({})).unwrap_err().code(), Some(Code::NOT_FOUND));
}

#[test]
fn a_provider_that_fails_and_one_that_is_silent() {
    let stage = Stage::new();
    let app = stage.provider("org.one", json!({}));
    app.perform("answer", |_| Err(Failed::new("no_microphone")));
    let ((begins, begun), (ends, ended)) = (heard(), heard());
    app.perform("start", move |action| {
        begins(());
        ends(action.wait_withdrawn(Some(CEILING)));
        Err(Failed::new("too_late"))
    });
    app.open().unwrap();
    let call = stage.incoming(&app, json!({}));
    let error = stage.user.answer(&call, completed()).unwrap_err();
    assert_eq!(error.code(), Some(Code::PROVIDER_FAILED));
    assert_eq!(error.refusal().unwrap().data["provider_error"]["reason"], "no_microphone");
    let user = stage.user.clone();
    let more = merged(completed(), json!({"provider": "org.one"}));
    let started = beside(move || user.start(ann(), more));
    got(&begun);
    stage.ask("test.advance", json!({"ms": 600_000}));
    assert_eq!(got(&started).unwrap_err().code(), Some(Code::DEADLINE_EXCEEDED));
    assert!(got(&ended));
}

#[test]
fn whether_the_user_allows_an_app_calls() {
    let stage = Stage::new();
    stage.ask("policy.set", json!({"new_providers": "ask"}));
    let app = stage.provider("org.one", json!({}));
    let (changes, changed) = heard();
    app.on("provider.authorization_changed", move |params| changes(params.clone()));
    app.open().unwrap();
    assert_eq!(app.request_authorization().unwrap()["status"], "not_determined");
    stage.ask("policy.set", json!({"authorization": {"org.one": "authorized"}}));
    assert_eq!(got(&changed), json!({"status": "authorized"}));
}

#[test]
fn whether_a_call_would_ring() {
    let stage = Stage::new();
    let app = stage.entered("org.one", json!({}));
    let found = app.may_ring(ann(), json!({})).unwrap();
    assert_eq!((&found["rule"], &found["state"]), (&json!("1"), &json!("ringing")));
    stage.ask("policy.set", json!({"do_not_disturb": {"on": true}}));
    assert_eq!(app.may_ring(ann(), json!({})).unwrap_err().reason(), "do_not_disturb");
    let other = stage.user.would_ring("org.one", ann(), json!({}));
    assert_eq!(other.unwrap_err().reason(), "do_not_disturb");
    assert_eq!(stage.ask("call.list", json!({}))["calls"], json!([]));
}

fn watch(stage: &Stage) -> Observer {
    let features = vec!["alerting".to_owned()];
    let options = Options { features, ..stage.options() };
    let watch = Observer::new("watch", Watched::default(), options);
    watch.open().unwrap();
    watch
}

/// Returns a call as it was each time, until it was over.
fn story(watch: &Observer, call: &str) -> Vec<Value> {
    let mut told = Vec::new();
    loop {
        let event = watch.next_within(CEILING).unwrap();
        match event.topic.as_str() {
            _ if event.call != call => (),
            "call.removed" => return told,
            "call.added" | "call.changed" => told.push(event.data),
            _ => (),
        }
    }
}

#[test]
fn how_far_a_dialed_call_came_and_why_it_ended() {
    let stage = Stage::new();
    let watch = watch(&stage);
    assert_eq!(watch.hello()["features"]["alerting"], json!({"version": 1, "granted": true}));
    let app = stage.entered("org.one", json!({}));
    let (call, detail) = (new_id(), json!({"code": "SIP 486", "text": "Busy Here"}));
    let more = json!({"wait": "completed", "call": call, "provider": "org.one"});
    done(stage.user.start(ann(), more));
    app.report_alerting(&call, json!({"has_early_media": true})).unwrap();
    app.report_ended(&call, "remote_ended", json!({ "end_detail": detail })).unwrap();
    let told = story(&watch, &call);
    let states: Vec<_> = told.iter().rev().take(2).map(|call| &call["state"]).collect();
    assert_eq!(states, ["ended", "alerting"]);
    let end = &told.last().unwrap()["end_detail"];
    assert_eq!(*end, merged(detail, json!({"reason": "busy"})));
}

#[test]
fn a_start_that_fails_has_the_code_of_the_network() {
    let stage = Stage::new();
    let watch = watch(&stage);
    let app = stage.provider("org.one", json!({}));
    app.perform("start", |_| Err(Failed::default().message("Not Found").app_code("SIP 404")));
    app.open().unwrap();
    let call = new_id();
    let error = stage.user.start(ann(), json!({"wait": "completed", "call": call})).unwrap_err();
    assert_eq!(error.refusal().unwrap().data["provider_error"]["app_code"], "SIP 404");
    let wanted = json!({"reason": "invalid_number", "text": "Not Found", "code": "SIP 404"});
    assert_eq!(story(&watch, &call).last().unwrap()["end_detail"], wanted);
}

#[test]
fn everything_that_an_app_reports_reaches_the_broker() {
    let stage = Stage::new();
    let none = || json!({});
    let app = stage.entered("org.one", json!({"supports_video": true, "supports_text": true}));
    let is = |call: &str, member: &str, value: Value| {
        assert_eq!(stage.ask("call.get", json!({ "call": call }))[member], value, "{member}");
    };
    let dialed = new_id();
    done(stage.user.start(ann(), json!({"wait": "completed", "call": dialed})));
    app.report_connecting(&dialed, none()).unwrap();
    is(&dialed, "state", json!("connecting"));
    app.report_ended(&dialed, "failed", none()).unwrap();
    let call = stage.incoming(&app, json!({"supports_set_video": true, "supports_set_text": true}));
    app.report_update(&call, json!({"display_name": "Ann"})).unwrap();
    is(&call, "display_name", json!("Ann"));
    app.report_connected(&call, none()).unwrap();
    is(&call, "state", json!("active"));
    app.report_muted(&call, true, none()).unwrap();
    is(&call, "muted", json!(true));
    app.report_video_request(&call, json!("both"), none()).unwrap();
    is(&call, "video_request", json!("both"));
    app.report_video_request(&call, json!(null), none()).unwrap();
    is(&call, "video_request", json!(null));
    app.report_text_request(&call, true, none()).unwrap();
    is(&call, "text_request", json!(true));
    done(stage.user.set_text(&call, true, completed()));
    app.report_text(&call, "hi", none()).unwrap();
    app.report_quality(&call, json!({"loss_permille": 4, "jitter_ms": 3})).unwrap();
    app.report_participants(&call, json!({"changed": [{"participant": "7"}]})).unwrap();
    let page = stage.user.list_participants(&call, none()).unwrap();
    assert_eq!(page["participants"].as_array().unwrap().len(), 1);
    app.report_held(&call, true, none()).unwrap();
    is(&call, "state", json!("held"));
    let other = stage.incoming(&app, none());
    stage.answer(&other);
    app.report_held(&other, true, none()).unwrap();
    app.report_group(&call, Some(&other), none()).unwrap();
    is(&call, "group", stage.ask("call.get", json!({ "call": other }))["group"].clone());
    app.report_group(&call, None, none()).unwrap();
    is(&call, "group", json!(call));
    let external = json!({"remote": ann(), "direction": "incoming", "elsewhere": "phone"});
    app.report_external(&new_id(), external).unwrap();
    app.report_missed(&new_id(), ann(), "unanswered", 1763712000000, none()).unwrap();
    app.unregister().unwrap();
    assert_eq!(stage.ask("call.list", none())["calls"], json!([]));
}

#[test]
fn both_sides_type_and_a_hand_is_raised() {
    let stage = Stage::new();
    let app = stage.provider("org.one", json!({"supports_text": true}));
    let (sends, sent) = heard();
    app.send_text(move |call, text| {
        sends((call.to_owned(), text.to_owned()));
        Ok(())
    });
    let own = json!({"participant": "7", "self": true, "changeable": ["hand_raised"]});
    let (app_itself, mine) = (app.clone(), own.clone());
    app.change_participant(move |call, _, values| {
        let changed = merged(mine.clone(), values.clone());
        app_itself.report_participants(call, json!({ "changed": [changed] }))?;
        Ok(())
    });
    app.open().unwrap();
    let call = stage.incoming(&app, json!({"supports_set_text": true}));
    stage.answer(&call);
    done(stage.user.set_text(&call, true, completed()));
    stage.user.type_text(&call, "hi", json!({})).unwrap();
    assert_eq!(got(&sent), (call.clone(), "hi".to_owned()));
    app.report_participants(&call, json!({ "changed": [own] })).unwrap();
    stage.user.update_participant(&call, "7", json!({"hand_raised": true})).unwrap();
    let page = stage.user.list_participants(&call, json!({})).unwrap();
    assert_eq!(page["participants"][0]["hand_raised"], true);
}

#[test]
fn a_provider_that_takes_transactions() {
    let stage = Stage::new();
    let app = stage.provider("org.one", json!({}));
    let (takes, taken) = heard();
    let own = app.clone();
    app.execute(move |request| {
        let actions = request.params["actions"].as_array().unwrap();
        takes(actions.iter().map(|one| one["kind"].clone()).collect::<Vec<_>>());
        for action in actions {
            let (own, action) = (own.clone(), action["action"].as_str().unwrap().to_owned());
            beside(move || own.settle(&action, "fulfilled", json!({})));
        }
        Ok(true)
    });
    app.open().unwrap();
    let (first, second) = (stage.incoming(&app, json!({})), stage.incoming(&app, json!({})));
    stage.answer(&first);
    done(stage.user.answer(&second, merged(completed(), json!({"choice": "hold_and_answer"}))));
    assert_eq!(got(&taken), ["answer"]);
    assert_eq!(got(&taken), ["set_held", "answer"]);
    stage.performs(&[]);
}

#[test]
fn a_call_outlives_a_lost_connection_and_the_broker() {
    let mut stage = Stage::new();
    let (relay, socket) = Relay::new(&stage.broker.path);
    let app = stage.provider_at("org.one", json!({}), socket);
    let calls: Arc<Mutex<Vec<Value>>> = Arc::default();
    let listed = calls.clone();
    app.reconcile(move || Ok(listed.lock().unwrap().clone()));
    let ((opens, open), (comes_back, back)) = (heard(), heard());
    app.on_open(move || opens(()));
    app.open().unwrap();
    got(&open);
    let call = stage.incoming(&app, json!({}));
    stage.answer(&call);
    let live = json!({"call": call, "direction": "incoming", "state": "active", "remote": ann()});
    calls.lock().unwrap().push(live);
    relay.cut();
    got(&open);
    assert_eq!(app.hello()["session"]["resumed"], true);
    done(stage.user.set_muted(&call, true, completed()));
    stage.user.on_open(move || comes_back(()));
    stage.broker.killed_and_started();
    got(&open);
    got(&back);
    done(stage.user.end(&call, completed()));
    stage.performs(&[
        json!(["org.one", "answer", {}]),
        json!(["org.one", "set_muted", {"muted": true}]),
        json!(["org.one", "end", {}]),
    ]);
}

#[test]
fn an_observer_goes_on_where_it_was() {
    let stage = Stage::new();
    let (relay, socket) = Relay::new(&stage.broker.path);
    let app = stage.entered("org.one", json!({}));
    let options = Options { socket: Some(socket), ..stage.options() };
    let watch = Observer::new("watch", Watched::default(), options);
    watch.open().unwrap();
    let first = stage.incoming(&app, json!({}));
    while watch.next_within(CEILING).unwrap().topic != "call.added" {}
    relay.cut();
    done(stage.user.end(&first, completed()));
    let second = stage.incoming(&app, json!({}));
    let mut seen = Vec::new();
    loop {
        let event = watch.next_within(CEILING).unwrap();
        if event.call == second {
            break;
        }
        seen.push(event.topic);
    }
    assert!(
        seen.contains(&"call.removed".into()) && !seen.contains(&"snapshot".into()),
        "{seen:?}"
    );
    let calls = watch.calls();
    assert!(!calls.contains_key(&first) && calls.contains_key(&second), "{calls:?}");
}

#[test]
fn a_screen_shows_a_call_and_lets_it_go() {
    let stage = Stage::new();
    let options = Options { identity: "org.example.screen".into(), ..stage.options() };
    let screen = Screen::new("screen", Watched::default(), options);
    let ((shows, shown), (goes, gone)) = (heard(), heard());
    screen.present(move |request| {
        shows(request.params["call"].as_str().unwrap().to_owned());
        Ok(true)
    });
    screen.on_dismiss(move |call| goes(call.to_owned()));
    screen.open().unwrap();
    assert_eq!(screen.claim(json!({})).unwrap()["primary"], true);
    let app = stage.entered("org.one", json!({}));
    let call = stage.incoming(&app, json!({}));
    assert_eq!(got(&shown), call);
    done(screen.answer(&call, completed()));
    done(screen.end(&call, completed()));
    assert_eq!(got(&gone), call);
}

/// A plugin that the broker's part of this test has started, with a socket as standard input and output.
#[test]
fn a_plugin_talks_over_its_standard_input_and_prints_to_its_log() {
    if std::env::var_os("CALLBROKER_TEST_PLUGIN").is_some() {
        return plugin();
    }
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    let theirs = std::os::unix::io::OwnedFd::from(theirs);
    let child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "--nocapture",
            "with_broker::a_plugin_talks_over_its_standard_input_and_prints_to_its_log",
        ])
        .env("CALLBROKER_TEST_PLUGIN", "1")
        .stdin(Stdio::from(theirs.try_clone().unwrap()))
        .stdout(Stdio::from(theirs))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut peer = crate::scripted_broker::Peer::new(ours);
    peer.skip_harness();
    peer.greet_provider();
    peer.perform(7, json!({}));
    assert_eq!(peer.any(), json!({"jsonrpc": "2.0", "id": 7, "result": {}}));
    peer.send(&[json!({"method": "broker.goodbye", "params": {"reason": "stop"}})]);
    peer.read("broker.goodbye");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("answering\n"), "{output:?}");
}

fn plugin() {
    let stream = Some(callbroker::stdio().unwrap());
    let options = Options { stream, ..Options::default() };
    let app = Provider::new("org.example.a", "A", json!({}), options);
    app.perform("answer", |_| {
        println!("answering");
        Ok(())
    });
    app.run().unwrap();
}
