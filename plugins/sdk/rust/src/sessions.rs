//! The sessions of a client, one after the other.

use crate::client::{Inner, Options, State};
use crate::connection::Connection;
use crate::requests::Then;
use crate::{default_socket, locked, text, Error};
use serde_json::{json, Value};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

impl Inner {
    pub fn wait_while(&self, is_early: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let mut state = locked(&self.state);
        while is_early(&state) {
            state = self.changed.wait(state).unwrap_or_else(|error| error.into_inner());
        }
        state
    }

    pub fn start(self: &Arc<Self>) -> Result<(), Error> {
        let mut state = locked(&self.state);
        if state.is_started {
            return Ok(());
        }
        let (life, told) = (self.clone(), self.clone());
        thread::Builder::new().name("callbroker told".into()).spawn(move || told.told.run())?;
        let spawned = thread::Builder::new().name("callbroker".into()).spawn(move || {
            let result = life.sessions();
            life.end(result.err());
        });
        if spawned.is_err() {
            self.told.end();
        }
        spawned?;
        state.is_started = true;
        Ok(())
    }

    fn end(&self, error: Option<Error>) {
        let mut state = locked(&self.state);
        state.is_closed = true;
        state.is_over = true;
        state.error = error;
        if let Some(provide) = &mut state.provide {
            provide.ended();
        }
        drop(state);
        self.changed.notify_all();
        self.told.end();
        // They may hold clients, which hold them.
        let functions = std::mem::take(&mut *locked(&self.functions));
        drop(functions);
    }

    /// Begins the end; false if there is nothing to wait for.
    pub fn finish(&self, is_resumable: bool) -> bool {
        let mut state = locked(&self.state);
        if !state.is_closed {
            state.is_closed = true;
            state.goodbye(is_resumable);
        }
        if let Some(provide) = &mut state.provide {
            provide.ended();
        }
        for token in state.serving.values() {
            token.withdraw();
        }
        self.changed.notify_all();
        state.is_started && !state.is_connecting
    }

    pub fn close(&self, is_resumable: bool) {
        if self.finish(is_resumable) {
            drop(self.wait_while(|state| !state.is_over));
        } else if !locked(&self.state).is_started {
            locked(&self.state).is_started = true;
            self.end(None);
        }
    }

    /// Has one after the other.
    fn sessions(self: &Arc<Self>) -> Result<(), Error> {
        let is_once = locked(&self.stream).is_some();
        let (mut tries, mut was_open) = (0, false);
        while !locked(&self.state).is_closed {
            let error = self.session();
            let state = locked(&self.state);
            if state.was_ready {
                (tries, was_open) = (0, true);
            }
            if state.is_closed || is_once && was_open {
                break;
            }
            if error.is_hopeless() || is_once || !(state.is_patient || was_open) {
                return Err(error);
            }
            drop(state);
            self.tell_lost(error);
            self.pause(tries);
            tries += 1;
        }
        Ok(())
    }

    fn tell_lost(self: &Arc<Self>, error: Error) {
        for then in locked(&self.functions).on_lost.clone() {
            let error = error.clone();
            self.tell_safely(move || then(&error));
        }
    }

    /// Waits before the next try, longer if the broker has said so.
    fn pause(&self, tries: u32) {
        let random = RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64;
        let mut state = locked(&self.state);
        let delay = delay(tries, self.options.first, self.options.longest, random);
        let until = Instant::now() + delay.max(state.retry_after);
        while !state.is_closed {
            let rest = until.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(state, rest);
            state = waited.unwrap_or_else(|error| error.into_inner()).0;
        }
    }

    /// Has one connection from its first byte to its last. Returns why that ended.
    fn session(self: &Arc<Self>) -> Error {
        let conn = match self.connect() {
            Ok(conn) => conn,
            Err(error) => return error,
        };
        let (reading, writing, inner) = (conn.clone(), conn.clone(), self.clone());
        let writer =
            thread::Builder::new().name("callbroker out".into()).spawn(move || writing.write());
        let reader = thread::Builder::new().name("callbroker in".into()).spawn(move || {
            reading.read(|line| inner.receive(line), || inner.look());
            locked(&inner.state).lose();
            inner.changed.notify_all();
        });
        let result = match (&writer, &reader) {
            (Ok(_), Ok(_)) => self.open(),
            _ => Err(Error::Disconnected),
        };
        if result.is_err() {
            locked(&self.state).goodbye(true);
            conn.hang_up();
        }
        if writer.is_err() {
            conn.close();
        }
        for thread in [writer, reader].into_iter().flatten() {
            let _ = thread.join();
        }
        locked(&self.state).lose();
        result.err().unwrap_or(Error::Disconnected)
    }

    fn connect(&self) -> Result<Arc<Connection>, Error> {
        let mut state = locked(&self.state);
        state.retry_after = Duration::ZERO;
        state.was_ready = false;
        state.is_connecting = true;
        drop(state);
        let stream = match locked(&self.stream).take() {
            Some(stream) => Ok(stream),
            None => UnixStream::connect(self.options.socket.clone().unwrap_or_else(default_socket)),
        };
        let conn = stream.and_then(Connection::new).map(Arc::new);
        let mut state = locked(&self.state);
        state.is_connecting = false;
        if state.is_closed {
            return Err(Error::Disconnected);
        }
        state.conn = Some(conn?);
        Ok(state.conn.clone().unwrap_or_else(|| unreachable!()))
    }

    /// Does what a session begins with.
    fn open(self: &Arc<Self>) -> Result<(), Error> {
        let hello = self.opening("broker.hello", self.greeting(), Then::Greeted)?;
        for denied in hello["denied_roles"].as_array().into_iter().flatten() {
            if self.options.roles.first().map(String::as_str) == denied["role"].as_str() {
                let message = format!("no {} here", text(denied, "role"));
                return Err(Error::refused(
                    crate::Code::PERMISSION_DENIED,
                    &message,
                    denied.clone(),
                ));
            }
        }
        self.register()?;
        self.watch()?;
        let claim = locked(&self.state).claim.clone();
        if let Some(claim) = claim {
            self.opening("ui.claim", claim, Then::Nothing)?;
        }
        self.begin()
    }

    fn greeting(&self) -> Value {
        let Options { name, version, url, identity, credential, roles, features, .. } =
            &self.options;
        let mut hello = json!({"protocol": {"min": 1, "max": 1}, "roles": roles,
            "client": {"name": name, "version": version}});
        if !url.is_empty() {
            hello["client"]["url"] = json!(url);
        }
        for (member, text) in [("identity", identity), ("credential", credential)] {
            if !text.is_empty() {
                hello[member] = json!(text);
            }
        }
        if !features.is_empty() {
            hello["features"] = json!(features);
        }
        let state = locked(&self.state);
        let session = &state.hello["session"];
        if session.is_object() && roles.iter().any(|role| role == "provider") {
            hello["resume"] = json!({"session": session["session"], "secret": session["secret"]});
        }
        hello
    }

    fn begin(self: &Arc<Self>) -> Result<(), Error> {
        let mut state = locked(&self.state);
        if state.conn.is_none() {
            return Err(Error::Disconnected);
        }
        state.is_ready = true;
        state.was_ready = true;
        state.is_up = true;
        for then in locked(&self.functions).on_open.clone() {
            self.tell_safely(move || then());
        }
        self.changed.notify_all();
        Ok(())
    }

    /// Begins anew if a request of the client's own has no reply in time.
    fn look(&self) {
        let state = locked(&self.state);
        if state.repaired_by.map_or(false, |end| Instant::now() >= end) {
            if let Some(conn) = &state.conn {
                conn.close();
            }
        }
    }
}

/// Returns how long to wait before the next try: doubling, and a fifth more or less so that not all
/// come back at once.
fn delay(tries: u32, first: Duration, longest: Duration, random: f64) -> Duration {
    let wait = first.saturating_mul(1 << tries.min(16)).min(longest);
    wait.mul_f64(0.8 + 0.4 * random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_come_later_and_later_but_not_all_at_once() {
        let (first, longest) = (Duration::from_millis(100), Duration::from_secs(5));
        let wait = |tries, random| delay(tries, first, longest, random).as_millis();
        let waits: Vec<_> =
            [0, 1, 2, 3, 4, 5, 6, 100].iter().map(|&tries| wait(tries, 0.5)).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!([wait(0, 0.0), wait(9, 1.0)], [80, 6000]);
    }
}
