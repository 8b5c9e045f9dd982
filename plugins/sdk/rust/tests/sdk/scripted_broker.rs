//! A broker that does what the test says, on a real Unix socket. It waits for frames, not for time.

use callbroker::{json, Client, Error, Observer, Options, Provider, Value, Watched};
use std::io::{BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::mpsc::{channel, Receiver};
use std::sync::Mutex;
use std::time::Duration;

pub const CALL: &str = "11111111-1111-4111-8111-111111111111";
pub const ACTION: &str = "33333333-3333-4333-8333-333333333333";
/// For what has to come.
pub const CEILING: Duration = Duration::from_secs(30);

pub fn session() -> Value {
    json!({"session": "1b4e28ba-2fa1-4d2b-883f-0016d3cca427", "secret": "s3cret"})
}

/// A folder that goes with the test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        let path = std::env::temp_dir().join(format!("callbroker-rust-{}", callbroker::new_id()));
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub struct ScriptedBroker {
    _folder: Folder,
    pub path: PathBuf,
    connections: Receiver<UnixStream>,
}

impl ScriptedBroker {
    pub fn new() -> ScriptedBroker {
        let (broker, listen) = ScriptedBroker::later();
        listen();
        broker
    }

    /// A broker that does not listen yet.
    pub fn later() -> (ScriptedBroker, impl FnOnce()) {
        let folder = Folder::new();
        let path = folder.0.join("broker.sock");
        let (sender, connections) = channel();
        let listen = {
            let path = path.clone();
            move || {
                let listener = UnixListener::bind(path).unwrap();
                std::thread::spawn(move || {
                    for stream in listener.incoming().flatten() {
                        if sender.send(stream).is_err() {
                            return;
                        }
                    }
                });
            }
        };
        (ScriptedBroker { _folder: folder, path, connections }, listen)
    }

    pub fn accept(&self) -> Peer {
        Peer::new(self.connections.recv_timeout(CEILING).expect("a connection"))
    }

    /// With these a new try comes soon.
    pub fn quick(&self) -> Options {
        Options {
            socket: Some(self.path.clone()),
            first: Duration::from_millis(1),
            longest: Duration::from_millis(1),
            patient: true,
            ..Options::default()
        }
    }
}

/// The broker's end of one connection.
pub struct Peer {
    pub stream: UnixStream,
    lines: BufReader<UnixStream>,
}

impl Peer {
    pub fn new(stream: UnixStream) -> Peer {
        stream.set_read_timeout(Some(CEILING)).unwrap();
        Peer { lines: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    /// Returns the next frame, which is one of this method.
    pub fn read(&mut self, method: &str) -> Value {
        let frame = self.any();
        assert_eq!(frame["method"], method, "{frame}");
        frame
    }

    pub fn any(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a frame");
        serde_json::from_str(&line).expect("JSON")
    }

    /// Passes over what a test program prints before its test begins.
    pub fn skip_harness(&mut self) {
        let mut line = String::new();
        while !line.starts_with("running ") {
            line.clear();
            assert!(self.lines.read_line(&mut line).unwrap() > 0);
        }
    }

    /// Waits until the client has closed.
    pub fn ended(&mut self) {
        let mut line = String::new();
        assert_eq!(self.lines.read_line(&mut line).unwrap_or(0), 0, "{line}");
    }

    pub fn raw(&self, bytes: &[u8]) {
        let _ = (&self.stream).write_all(bytes); // it may have gone
    }

    /// Writes all in one piece.
    pub fn send(&self, frames: &[Value]) {
        self.raw(frames.iter().map(encoded).collect::<String>().as_bytes());
    }

    pub fn reply(&self, request: &Value, result: Value) {
        self.send(&[json!({"id": request["id"], "result": result})]);
    }

    pub fn refuse(&self, request: &Value, code: i64, data: Value) {
        let error = json!({"code": code, "message": "no", "data": data});
        self.send(&[json!({"id": request["id"], "error": error})]);
    }

    pub fn greet(&mut self) -> Value {
        self.greet_with(json!({}))
    }

    /// Opens the session.
    pub fn greet_with(&mut self, more: Value) -> Value {
        let hello = self.read("broker.hello");
        let session = merged(session(), json!({"resumed": false, "grace_ms": 0}));
        let result = json!({"protocol": 1, "session": session, "denied_roles": [],
            "limits": {"frame_bytes": 65536}, "epoch": "e", "seq": 0});
        self.reply(&hello, merged(result, more));
        hello
    }

    /// Opens the session and takes the registration.
    pub fn greet_provider(&mut self) -> Value {
        self.greet();
        let register = self.read("provider.register");
        let result = json!({"provider": "org.example.a", "calls": [], "dropped": []});
        self.reply(&register, result);
        register
    }

    pub fn greet_observer(&mut self) -> Value {
        self.greet_observer_with(snapshot(0, json!([])))
    }

    /// Opens the session of an observer.
    pub fn greet_observer_with(&mut self, result: Value) -> Value {
        self.greet();
        let subscribe = self.read("events.subscribe");
        self.reply(&subscribe, result);
        subscribe
    }

    pub fn perform(&self, id: i64, more: Value) {
        let params = json!({"action": ACTION, "kind": "answer", "call": CALL, "arguments": {},
            "transaction": "t", "cause": {"origin": "user"}, "deadline_ms": 5000, "attempt": 1});
        let params = merged(params, more);
        self.send(&[json!({"id": id, "method": "provider.perform", "params": params})]);
    }

    pub fn close(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

pub fn encoded(frame: &Value) -> String {
    format!("{}\n", merged(frame.clone(), json!({"jsonrpc": "2.0"})))
}

pub fn merged(first: Value, more: Value) -> Value {
    let mut whole = first.as_object().unwrap().clone();
    whole.extend(more.as_object().unwrap().clone());
    Value::Object(whole)
}

pub fn snapshot(seq: i64, calls: Value) -> Value {
    json!({"subscription": 1, "epoch": "e", "seq": seq, "snapshot": {"calls": calls}})
}

/// Does something beside the test, which plays the broker's part.
pub fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
    let (sender, result) = channel();
    std::thread::spawn(move || sender.send(work()));
    result
}

/// Returns what a function is called with.
pub fn heard<T: Send + 'static>() -> (impl Fn(T) + Send + Sync, Receiver<T>) {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    (move |value| drop(sender.lock().map(|sender| sender.send(value))), receiver)
}

pub fn got<T>(result: &Receiver<T>) -> T {
    result.recv_timeout(CEILING).expect("it never comes")
}

pub fn ask(client: &Client, method: &'static str, params: Value) -> Receiver<Result<Value, Error>> {
    let client = client.clone();
    beside(move || client.request(method, params))
}

pub fn opening(client: &Client) -> Receiver<Result<(), Error>> {
    let client = client.clone();
    beside(move || client.open())
}

pub fn provider(make: impl FnOnce(&Provider)) -> (ScriptedBroker, Provider, Peer) {
    let broker = ScriptedBroker::new();
    let registration = json!({"handle_types": ["phone"]});
    let app = Provider::new("org.example.a", "A", registration, broker.quick());
    make(&app);
    opening(&app);
    let peer = broker.accept();
    (broker, app, peer)
}

/// A controller whose session is open.
pub fn controller() -> (ScriptedBroker, Client, Peer) {
    controller_with(json!({}))
}

pub fn controller_with(hello: Value) -> (ScriptedBroker, Client, Peer) {
    let broker = ScriptedBroker::new();
    let client = Client::controller("t", broker.quick());
    let opened = opening(&client);
    let mut peer = broker.accept();
    peer.greet_with(hello);
    got(&opened).unwrap();
    (broker, client, peer)
}

pub fn observer(watched: Watched) -> (ScriptedBroker, Observer, Peer) {
    let broker = ScriptedBroker::new();
    let observer = Observer::new("t", watched, broker.quick());
    opening(&observer);
    let peer = broker.accept();
    (broker, observer, peer)
}
