//! A telephone of one line. Say what happens at the far end: ring NUMBER, connect, hangup. The user has
//! `callbroker answer`, `callbroker dial tel:+15550100`, `callbroker hold`, `callbroker end`.

use callbroker::{json, new_id, phone, Action, Code, Error, Failed, Options, Provider, Value};
use std::io::BufRead;
use std::sync::{Arc, Mutex};

/// A line has one call at most.
type Line = Arc<Mutex<Option<Value>>>;

fn set(line: &Line, call: Option<Value>) {
    *line.lock().unwrap() = call;
}

/// Sets the state of the call, and returns its id.
fn change(line: &Line, state: &str) -> Option<String> {
    let mut call = line.lock().unwrap();
    let call = call.as_mut()?;
    call["state"] = json!(state);
    call["call"].as_str().map(str::to_owned)
}

fn perform(line: &Line, action: &Action) -> Result<(), Failed> {
    println!("{}", action.kind);
    match action.kind.as_str() {
        "start" => set(
            line,
            Some(json!({"call": action.call, "direction": "outgoing", "state": "dialing",
                "remote": action.arguments["remote"]})),
        ),
        "answer" => drop(change(line, "active")),
        "set_held" if action.arguments["held"] == true => drop(change(line, "held")),
        "set_held" => drop(change(line, "active")),
        "end" => set(line, None),
        _ => return Err(Failed { code: Code::METHOD_NOT_FOUND, ..Failed::new("not_supported") }),
    }
    Ok(())
}

/// Does what was typed. What cannot be reported now is listed in the next session.
fn far_end(app: &Provider, line: &Line, command: &str) -> Result<(), Error> {
    if let Some(number) = command.strip_prefix("ring ") {
        let call = new_id();
        set(
            line,
            Some(json!({"call": call, "direction": "incoming", "state": "ringing",
                "remote": phone(number)})),
        );
        if let Err(Error::Refused(_)) = app.report_incoming(&call, phone(number), json!({})) {
            set(line, None); // it is not to ring
        }
    } else if command == "connect" {
        if let Some(call) = change(line, "active") {
            app.report_connected(&call, json!({}))?;
        }
    } else if command == "hangup" {
        if let Some(call) = change(line, "ended") {
            set(line, None);
            app.report_ended(&call, "remote_ended", json!({}))?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let registration = json!({"handle_types": ["phone"], "max_call_groups": 1});
    let app = Provider::new("org.example.telephone", "Telephone", registration, Options::default());
    let line = Line::default();
    for kind in ["start", "answer", "end", "set_held", "play_dtmf"] {
        let line = line.clone();
        app.perform(kind, move |action| perform(&line, action));
    }
    let (listed, dropped, reset) = (line.clone(), line.clone(), line.clone());
    app.reconcile(move || Ok(listed.lock().unwrap().clone().into_iter().collect()));
    app.on_dropped(move |_| set(&dropped, None));
    app.on("provider.reset", move |_| set(&reset, None));
    app.on_open(|| println!("connected"));
    app.on_lost(|why| println!("lost, trying again: {why}"));
    let far = app.clone();
    std::thread::spawn(move || {
        for command in std::io::stdin().lock().lines().map_while(Result::ok) {
            if let Err(error) = far_end(&far, &line, &command) {
                eprintln!("{error}");
            }
        }
        far.close();
    });
    app.run()
}
