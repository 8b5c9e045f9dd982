//! The broker itself: the program CALLBROKER, or .build/debug/callbroker of this repository.

use crate::scripted_broker::{Folder, CEILING};
use callbroker::{json, phone, Client, Options, Provider, Value};
use std::io::{BufRead, BufReader};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Serves in a folder of its own until the test ends.
pub struct RealBroker {
    folder: Folder,
    pub path: PathBuf,
    arguments: Vec<String>,
    process: Child,
}

impl RealBroker {
    pub fn new(arguments: &[&str]) -> RealBroker {
        let folder = Folder::new();
        let path = folder.0.join("broker.sock");
        let arguments: Vec<_> = arguments.iter().map(|&one| one.to_owned()).collect();
        let process = served(&folder, &path, &arguments);
        RealBroker { folder, path, arguments, process }
    }

    /// As a crash would; and then with the state that there was before.
    pub fn killed_and_started(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        self.process = served(&self.folder, &self.path, &self.arguments);
    }
}

fn served(folder: &Folder, path: &Path, arguments: &[String]) -> Child {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let program = std::env::var_os("CALLBROKER").map(PathBuf::from);
    let program = program.unwrap_or_else(|| here.join("../../../.build/debug/callbroker"));
    let mut process = Command::new(program)
        .arg("serve")
        .arg("--socket")
        .arg(path)
        .arg("--state-dir")
        .arg(folder.0.join("state"))
        .args(arguments)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the broker");
    let mut log = BufReader::new(process.stderr.take().unwrap()).lines();
    assert!(log.any(|line| line.unwrap().contains("listening on ")), "it does not serve");
    std::thread::spawn(move || log.count()); // what it logs is read, so that it is never in its way
    process
}

impl Drop for RealBroker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A broker whose clock the test moves, a user, and what providers were asked for.
pub struct Stage {
    pub user: Client,
    performed: Receiver<Value>,
    sender: Sender<Value>,
    pub broker: RealBroker,
}

impl Stage {
    pub fn new() -> Stage {
        let broker = RealBroker::new(&["--test-mode"]);
        let roles = ["controller", "observer", "admin"].map(str::to_owned).to_vec();
        let user = Client::new("user", Options { roles, ..options(&broker) });
        user.open().unwrap();
        let (sender, performed) = channel();
        Stage { user, performed, sender, broker }
    }

    pub fn options(&self) -> Options {
        options(&self.broker)
    }

    /// Returns an app that writes down what it is asked for.
    pub fn provider(&self, name: &str, registration: Value) -> Provider {
        self.provider_at(name, registration, self.broker.path.clone())
    }

    pub fn provider_at(&self, name: &str, registration: Value, socket: PathBuf) -> Provider {
        let more = crate::scripted_broker::merged(json!({"handle_types": ["phone"]}), registration);
        let app =
            Provider::new(name, name, more, Options { socket: Some(socket), ..self.options() });
        for kind in ["start", "answer", "end", "set_held", "set_muted", "set_group", "set_text"] {
            let (name, sender) = (name.to_owned(), Mutex::new(self.sender.clone()));
            app.perform(kind, move |action| {
                let asked = json!([name, action.kind, action.arguments]);
                sender.lock().unwrap().send(asked).unwrap();
                Ok(())
            });
        }
        app
    }

    pub fn entered(&self, name: &str, registration: Value) -> Provider {
        let app = self.provider(name, registration);
        app.open().unwrap();
        app
    }

    pub fn incoming(&self, app: &Provider, more: Value) -> String {
        let call = callbroker::new_id();
        app.report_incoming(&call, ann(), more).unwrap();
        call
    }

    pub fn answer(&self, call: &str) {
        done(self.user.answer(call, completed()));
    }

    pub fn ask(&self, method: &str, params: Value) -> Value {
        self.user.request(method, params).unwrap()
    }

    /// Expects what the providers were asked for, in order.
    pub fn performs(&self, wanted: &[Value]) {
        for one in wanted {
            assert_eq!(self.performed.recv_timeout(CEILING).unwrap(), *one);
        }
        assert!(self.performed.try_recv().is_err());
    }
}

fn options(broker: &RealBroker) -> Options {
    Options {
        socket: Some(broker.path.clone()),
        first: Duration::from_millis(1),
        longest: Duration::from_millis(10),
        timeout: Some(CEILING),
        ..Options::default()
    }
}

pub fn ann() -> Value {
    phone("+15550100")
}

pub fn completed() -> Value {
    json!({"wait": "completed"})
}

/// What was asked for is completed.
#[track_caller]
pub fn done(result: Result<Value, callbroker::Error>) {
    assert_eq!(result.unwrap()["state"], "completed");
}

/// A socket that passes everything to the broker's and back, until its connections are cut.
pub struct Relay {
    _folder: Folder,
    connections: Arc<Mutex<Vec<UnixStream>>>,
}

impl Relay {
    pub fn new(broker: &Path) -> (Relay, PathBuf) {
        let folder = Folder::new();
        let path = folder.0.join("relay.sock");
        let listener = UnixListener::bind(&path).unwrap();
        let relay = Relay { _folder: folder, connections: Arc::default() };
        let (connections, broker) = (relay.connections.clone(), broker.to_owned());
        std::thread::spawn(move || {
            for ours in listener.incoming().flatten() {
                if let Ok(theirs) = UnixStream::connect(&broker) {
                    connections.lock().unwrap().push(ours.try_clone().unwrap());
                    pass(&ours, &theirs);
                    pass(&theirs, &ours);
                }
            }
        });
        (relay, path)
    }

    pub fn cut(&self) {
        for connection in self.connections.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

fn pass(from: &UnixStream, to: &UnixStream) {
    let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Both);
    });
}
