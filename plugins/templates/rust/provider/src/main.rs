//! @TITLE@: a provider of calls. Somebody rings by writing a name to $XDG_RUNTIME_DIR/@NAME@.fifo.

use callbroker::{generic, json, new_id, Action, Error, Failed, Options, Provider, Value};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

/// What the broker has to know of each call that lives.
type Calls = Arc<Mutex<BTreeMap<String, Value>>>;

fn perform(calls: &Calls, action: &Action) -> Result<(), Failed> {
    let mut live = calls.lock().unwrap();
    let call = live.get_mut(&action.call).ok_or_else(|| Failed::new("no_such_call"))?;
    match action.kind.as_str() {
        "answer" => call["state"] = json!("active"),
        "end" => drop(live.remove(&action.call)),
        _ => (), // there is no sound to mute
    }
    Ok(()) // which means: done
}

fn ring(app: &Provider, calls: &Calls, who: &str) {
    let (call, remote) = (new_id(), generic(who));
    let facts = json!({"call": call, "direction": "incoming", "state": "ringing", "remote": remote,
        "supports_holding": false});
    calls.lock().unwrap().insert(call.clone(), facts);
    let more = json!({"supports_holding": false});
    if let Err(Error::Refused(_)) = app.report_incoming(&call, remote, more) {
        calls.lock().unwrap().remove(&call); // it may not ring
    } // else the connection was lost, and the next session is told of it
}

fn open_bell() -> std::io::Result<File> {
    let folder = std::env::var_os("XDG_RUNTIME_DIR").map_or("/tmp".into(), PathBuf::from);
    let path = folder.join("@NAME@.fifo");
    if !Path::new(&path).exists() {
        Command::new("mkfifo").args(["-m", "600"]).arg(&path).status()?;
    }
    OpenOptions::new().read(true).write(true).open(path)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registration = json!({"handle_types": ["generic"]});
    let app = Provider::new("@IDENTITY@", "@TITLE@", registration, Options::default());
    let calls = Calls::default();
    for kind in ["answer", "end", "set_muted"] {
        let calls = calls.clone();
        app.perform(kind, move |action| perform(&calls, action));
    }
    let (listed, dropped, reset) = (calls.clone(), calls.clone(), calls.clone());
    app.reconcile(move || Ok(listed.lock().unwrap().values().cloned().collect()));
    app.on_dropped(move |ids| dropped.lock().unwrap().retain(|id, _| !ids.contains(id)));
    app.on("provider.reset", move |_| reset.lock().unwrap().clear());

    let (bell, ringing) = (BufReader::new(open_bell()?), app.clone());
    std::thread::spawn(move || {
        for who in bell.split(b'\n').map_while(Result::ok) {
            let who: String = String::from_utf8_lossy(&who).chars().take(60).collect();
            ring(&ringing, &calls, &who);
        }
    });
    Ok(app.run()?)
}
