//! Talk to CallBroker, the call system of a Linux host, with the standard library and `serde_json`.
//!
//! A [`Provider`] is an app that owns calls, a [`Client`] as a controller asks for things to be done to
//! calls, an [`Observer`] watches them, a [`Screen`] shows them. Each opens a session, and renews it
//! when it is lost.
//!
//! Requests, notifications and their members have their names of the wire: `callbroker methods` lists
//! them, `callbroker describe NAME` explains them. Ids are UUIDs in lower case, members that end in
//! `_ms` are durations in milliseconds, those in `_at_ms` Unix times in milliseconds.
//!
//! A session has three threads: one opens it, one reads, one writes. What the program is asked for has
//! a thread each, and may block; what it is informed of comes one by one from a thread of its own. A
//! host has few calls, so that an async runtime would only add to what is built and learned.
//!
//! Clients are handles: clones belong to the same session, which ends with [`Client::close`], or with
//! the last of them. Functions given to `perform`, `handle`, `on` and the like are set before `open` or
//! `run`.
#![warn(missing_docs)]

mod calls;
mod client;
mod connection;
mod errors;
mod observer;
mod provider;
mod pushes;
mod queue;
mod reports;
mod requests;
mod screen;
mod sessions;

pub use client::{Client, Options};
pub use errors::{Code, Error, Failed, Refusal};
pub use observer::{Cursor, Event, Observer, Watched};
pub use provider::{Action, Progress, Provider};
pub use requests::{Reply, Request};
pub use screen::Screen;
pub use serde_json::{json, Value};

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The release of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

extern "C" {
    fn dup2(from: i32, to: i32) -> i32;
    fn getuid() -> u32;
}

/// Returns the address of a telephone, best written with + and the country's code.
pub fn phone(number: &str) -> Value {
    json!({"type": "phone", "value": number})
}

/// Returns any other address, such as a SIP URI.
pub fn generic(address: &str) -> Value {
    json!({"type": "generic", "value": address})
}

/// Returns a fresh id for a call or a transaction. It is unique, and no secret.
pub fn new_id() -> String {
    let random = || RandomState::new().build_hasher().finish();
    let (first, second) = (random(), random());
    let version = first & 0xffff_ffff_ffff_0fff | 0x4000;
    let variant = second & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        version >> 32,
        version >> 16 & 0xffff,
        version & 0xffff,
        variant >> 48,
        variant & 0xffff_ffff_ffff
    )
}

/// Returns the path where the broker listens, unless `BROKER_SOCKET` names another.
pub fn default_socket() -> PathBuf {
    let variable = |name| std::env::var_os(name).filter(|text| !text.is_empty());
    if let Some(path) = variable("BROKER_SOCKET") {
        return path.into();
    }
    if let Some(folder) = variable("XDG_RUNTIME_DIR") {
        return PathBuf::from(folder).join("callbroker/broker.sock");
    }
    // SAFETY: getuid(2) has no conditions and cannot fail.
    match unsafe { getuid() } {
        0 => "/run/callbroker/broker.sock".into(),
        user => std::env::temp_dir().join(format!("callbroker-{user}/broker.sock")),
    }
}

/// Returns the connection of a plugin that the broker started with `"transport": "stdio"`, for
/// [`Options::stream`]. From then on `println!` writes to standard error, which the broker keeps as the
/// plugin's log.
pub fn stdio() -> std::io::Result<UnixStream> {
    use std::os::unix::io::AsFd;
    let socket = std::io::stdin().as_fd().try_clone_to_owned()?;
    // SAFETY: both are descriptors of this process, which dup2(2) checks.
    if unsafe { dup2(2, 1) } < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(UnixStream::from(socket))
}

/// Locks what no thread leaves half done, even where one has panicked.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the members of both; those of the second count.
fn with(first: Value, second: &Value) -> Value {
    let mut whole = first;
    if let (Some(members), Some(more)) = (whole.as_object_mut(), second.as_object()) {
        members.extend(more.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    whole
}

/// Returns a member that is a string, or nothing.
fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or("")
}

/// Returns a member that is a number, or 0.
fn integer(value: &Value, name: &str) -> i64 {
    value[name].as_i64().unwrap_or(0)
}
