//! Clients that are over leave no thread behind. A test program of its own, whose threads are counted.

use callbroker::{json, Client, Options, Provider};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::mpsc::channel;

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

fn read(lines: &mut BufReader<UnixStream>) -> serde_json::Value {
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap()
}

/// A session with an action that is being performed, which ends in the middle.
fn lived(listener: &UnixListener, path: &std::path::Path, is_lost: bool) {
    let socket = Some(path.to_owned());
    let app =
        Provider::new("org.example.a", "A", json!({}), Options { socket, ..Options::default() });
    let (sender, begun) = channel();
    let own = app.clone(); // which the app holds itself
    app.perform("answer", move |action| {
        sender.send(own.is_connected()).unwrap();
        action.wait_withdrawn(None);
        Ok(())
    });
    let opened = std::thread::spawn({
        let app = app.clone();
        move || app.open()
    });
    let (stream, _) = listener.accept().unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap());
    for _ in ["broker.hello", "provider.register"] {
        let id = read(&mut lines)["id"].clone();
        (&stream).write_all(format!("{}\n", json!({"id": id, "result": {}})).as_bytes()).unwrap();
    }
    opened.join().unwrap().unwrap();
    let params = json!({"action": "a", "kind": "answer"});
    let frame = json!({"id": 7, "method": "provider.perform", "params": params});
    (&stream).write_all(format!("{frame}\n").as_bytes()).unwrap();
    begun.recv().unwrap();
    let reply = app.ask("call.report_connected", json!({})).unwrap();
    if is_lost {
        stream.shutdown(std::net::Shutdown::Both).unwrap();
        drop(stream);
    }
    app.close();
    assert!(reply.wait().is_err());
}

#[test]
fn clients_that_are_over_leave_no_thread_behind() {
    let path = std::env::temp_dir().join(format!("callbroker-{}", callbroker::new_id()));
    let listener = UnixListener::bind(&path).unwrap();
    let before = threads();
    for round in 0..8 {
        lived(&listener, &path, round % 2 == 0);
    }
    drop(Client::controller("never opened", Options::default()));
    std::fs::remove_file(&path).unwrap();
    while threads() > before {
        std::thread::yield_now(); // they have nothing to wait for any more
    }
}
