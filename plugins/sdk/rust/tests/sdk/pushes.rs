//! Pushes from their gateway to an app, with the broker itself.

use crate::real_broker::{completed, Stage};
use crate::scripted_broker::{got, heard};
use callbroker::{json, new_id, phone, Client, Failed, Options, Value};

#[test]
fn a_push_is_delivered_and_rings() {
    let stage = Stage::new();
    let app = stage.provider("org.one", json!({"push_types": ["voip", "complication"]}));
    let (hears, received) = heard();
    let reporter = app.clone();
    app.receive_push(move |push_type, payload: &Value| {
        hears((push_type.to_owned(), payload.clone()));
        let caller = phone(payload["caller"].as_str().unwrap_or(""));
        match push_type {
            "voip" => reporter
                .report_incoming(&new_id(), caller, json!({}))
                .map(drop)
                .map_err(|error| Failed::new(error.reason())),
            _ => Ok(()),
        }
    });
    app.open().unwrap();
    let payload = json!({"caller": "+15550100"});
    let result = stage.user.deliver_push("org.one", payload.clone(), completed()).unwrap();
    assert_eq!(result["reported_call"], true);
    assert_eq!(got(&received), ("voip".to_owned(), payload));
    let calls = stage.ask("call.list", json!({}));
    assert_eq!(calls["calls"][0]["remote"]["value"], "+15550100");
    let more = json!({"type": "complication", "ttl_ms": 0});
    let result = stage.user.deliver_push("org.one", json!({}), more).unwrap();
    assert_eq!(result["delivered"], true);
    assert_eq!(got(&received), ("complication".to_owned(), json!({})));
    app.close();
}

#[test]
fn the_token_of_a_gateway_reaches_the_app_and_goes_with_it() {
    let stage = Stage::new();
    let app = stage.provider("org.one", json!({"push_types": ["voip"]}));
    let (hears, tokens) = heard();
    app.on_push_token(move |push_type, token| {
        hears((push_type.to_owned(), token.map(str::to_owned)));
    });
    app.open().unwrap();
    let is = |token: Option<&str>| {
        assert_eq!(got(&tokens), ("voip".to_owned(), token.map(str::to_owned)));
    };
    is(Some("org.one"));
    let socket = Some(stage.broker.path.clone());
    let roles = vec!["controller".to_owned()];
    let gateway = Client::new("gateway", Options { socket, roles, ..Options::default() });
    gateway.open().unwrap();
    for token in [Some("https://push.example/7"), None, Some("https://push.example/8")] {
        gateway.set_push_token("org.one", "voip", token).unwrap();
        is(token);
    }
    gateway.close();
    is(None);
}

#[test]
fn pushes_without_calls_are_counted_and_stop_until_they_are_reset() {
    let stage = Stage::new();
    let app = stage.provider("org.one", json!({"push_types": ["voip"]}));
    let (hears, unreported) = heard();
    app.receive_push(|_, _| Ok(()));
    app.on_push_unreported(move |push, in_a_row, is_stopped| {
        hears((push.len(), in_a_row, is_stopped));
    });
    app.open().unwrap();
    let deliver = || stage.user.deliver_push("org.one", json!({}), completed());
    for count in 1..=5 {
        assert_eq!(deliver().unwrap()["reported_call"], false);
        assert_eq!(got(&unreported), (36, count, count == 5));
    }
    assert_eq!(deliver().unwrap_err().reason(), "pushes_stopped");
    stage.user.reset_pushes("org.one").unwrap();
    deliver().unwrap();
}
