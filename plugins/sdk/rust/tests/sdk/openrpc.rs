//! The broker's own description: every example is written and read as it stands.

use crate::real_broker::RealBroker;
use crate::scripted_broker::*;
use callbroker::{json, Client, Code, Cursor, Options, Value, Watched};
use std::sync::mpsc::channel;
use std::sync::Mutex;

fn described() -> Vec<Value> {
    let broker = RealBroker::new(&[]);
    let options = Options {
        socket: Some(broker.path.clone()),
        roles: vec!["observer".into()],
        ..Options::default()
    };
    let client = Client::new("test", options);
    client.open().unwrap();
    let document = client.request("rpc.discover", json!({})).unwrap();
    document["methods"].as_array().unwrap().clone()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn from_list(value: &Value) -> Value {
    let pairs =
        list(value).map(|one| (one["name"].as_str().unwrap().to_owned(), one["value"].clone()));
    Value::Object(pairs.collect())
}

fn sends(name: &str, params: Value, result: Option<Value>) {
    let (_broker, client, mut peer) = controller();
    if result.is_none() {
        client.notify(name, params.clone()).unwrap();
        return assert_eq!(peer.read(name)["params"], params);
    }
    let result = result.unwrap_or_default();
    let reply = client.ask(name, params.clone()).unwrap();
    let frame = peer.read(name);
    assert_eq!(frame["params"], params);
    peer.reply(&frame, result.clone());
    assert_eq!(reply.wait().unwrap(), result);
}

fn greets(params: Value) {
    let broker = ScriptedBroker::new();
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let texts = |value: &Value| list(value).map(text).collect();
    let about = &params["client"];
    let options = Options {
        roles: texts(&params["roles"]),
        features: texts(&params["features"]),
        identity: text(&params["identity"]),
        credential: text(&params["credential"]),
        version: text(&about["version"]),
        url: text(&about["url"]),
        ..broker.quick()
    };
    let client = Client::new(&text(&about["name"]), options);
    opening(&client);
    let mut peer = broker.accept();
    if params["resume"].is_object() {
        peer.greet_with(json!({"session": params["resume"]}));
        peer.close();
        peer = broker.accept();
    }
    assert_eq!(peer.greet()["params"], params);
}

fn receives(name: &str, params: Value, result: Option<Value>) {
    let (sender, told) = channel();
    let (one, other) = (Mutex::new(sender.clone()), Mutex::new(sender));
    let answer = result.clone();
    let (_broker, _app, mut peer) = provider(|app| {
        app.on(name, move |given| one.lock().unwrap().send(given.clone()).unwrap());
        app.handle(name, move |request| {
            other.lock().unwrap().send(request.params.clone()).unwrap();
            Ok(answer.clone().unwrap_or_default())
        });
    });
    peer.greet_provider();
    match result {
        None => peer.send(&[json!({"method": name, "params": params})]),
        Some(result) => {
            peer.send(&[json!({"id": 7, "method": name, "params": params})]);
            assert_eq!(peer.any()["result"], result);
        }
    }
    if name != "broker.ping" {
        assert_eq!(got(&told), params);
    }
}

fn performs(params: Value, result: Value) {
    let (sender, asked) = channel();
    let sender = Mutex::new(sender);
    let at_ms = result["at_ms"].as_i64().unwrap_or(0);
    let (_broker, _app, mut peer) = provider(|app| {
        app.perform(params["kind"].as_str().unwrap(), move |a| {
            a.fulfilled_at(at_ms);
            let given = json!({"action": a.id, "kind": a.kind, "call": a.call, "cause": a.cause,
                "arguments": a.arguments, "transaction": a.transaction, "attempt": a.attempt(),
                "deadline_ms": a.deadline_ms, "age_ms": a.age_ms()});
            sender.lock().unwrap().send(given).unwrap();
            Ok(())
        })
    });
    peer.greet_provider();
    peer.send(&[json!({"id": 7, "method": "provider.perform", "params": params})]);
    assert_eq!(peer.any()["result"], result);
    let given = got(&asked);
    for (name, value) in params.as_object().unwrap() {
        assert_eq!(given[name], *value);
    }
}

fn observes(params: Value) {
    let (_broker, observer, mut peer) = observer(Watched::default());
    peer.greet_observer_with(json!({"subscription": params["subscription"],
        "epoch": params["epoch"], "seq": params["prev"], "snapshot": {"calls": []}}));
    assert_eq!(observer.next_within(CEILING).unwrap().topic, "snapshot");
    peer.send(&[json!({"method": "event", "params": params})]);
    if params["topic"] != "broker.bookmark" {
        return assert_eq!(observer.next_within(CEILING).unwrap().params, params);
    }
    peer.send(&[json!({"id": 7, "method": "broker.ping"})]);
    peer.any();
    let epoch = params["epoch"].as_str().unwrap().to_owned();
    let cursor = Cursor { epoch, seq: params["seq"].as_i64().unwrap() };
    assert_eq!(observer.cursor(), Some(cursor));
}

#[test]
fn every_example_of_the_document() {
    let mut count = 0;
    for method in described() {
        let (name, direction) = (method["name"].as_str().unwrap(), &method["x-direction"]);
        for example in list(&method["examples"]) {
            count += 1;
            let params = from_list(&example["params"]);
            let result =
                Some(&example["result"]["value"]).filter(|value| !value.is_null()).cloned();
            if direction != "to_client" && name == "broker.hello" {
                greets(params.clone());
            } else if direction != "to_client" {
                sends(name, params.clone(), result.clone());
            }
            if direction == "to_broker" || name == "broker.cancel" {
                continue; // the client's own business
            } else if params["topic"].is_string() {
                observes(params);
            } else if name == "provider.perform" {
                performs(params, result.unwrap());
            } else {
                receives(name, params, result);
            }
        }
    }
    assert!(count > 50);
}

#[test]
fn every_error_has_a_name() {
    let methods = described();
    let errors: Vec<_> = methods.iter().flat_map(|method| list(&method["errors"])).collect();
    assert!(!errors.is_empty());
    for error in errors {
        let code = Code(error["code"].as_i64().unwrap());
        assert_eq!(code.name(), error["message"]);
    }
}
