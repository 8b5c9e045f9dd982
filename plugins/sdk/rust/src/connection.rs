//! Lines of a socket, read and written by a thread each.

use crate::locked;
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// Of what is sent, the line feed included.
pub(crate) const FRAME_BYTES: usize = 65_536;
/// Only rpc.discover comes near it.
const FRAME_BYTES_RECEIVED: usize = 1_048_576;
/// That the broker has not read yet.
const OUTPUT_BYTES: usize = 1_048_576;
/// How long a broker may take to read what a connection ends with.
const HANGING_UP: Duration = Duration::from_secs(2);

/// A connection cuts what comes into lines, and writes without blocking whoever sends.
pub(crate) struct Connection {
    stream: UnixStream,
    output: Mutex<Output>,
    more: Condvar,
}

#[derive(Default)]
struct Output {
    waiting: Vec<u8>,
    /// Nothing is sent behind what waits; since when.
    last: Option<Instant>,
}

impl Connection {
    pub fn new(stream: UnixStream) -> std::io::Result<Connection> {
        // A write that blocks looks from time to time whether it still should.
        stream.set_write_timeout(Some(HANGING_UP))?;
        stream.set_read_timeout(None)?;
        Ok(Connection { stream, output: Mutex::default(), more: Condvar::new() })
    }

    /// Queues a line; false if the broker does not read.
    pub fn send(&self, line: &[u8]) -> bool {
        let mut output = locked(&self.output);
        if output.waiting.len() > OUTPUT_BYTES {
            return false;
        }
        if output.last.is_none() {
            output.waiting.extend_from_slice(line);
            self.more.notify_all();
        }
        true
    }

    /// Closes behind what waits, and gives the broker a moment to read it.
    pub fn hang_up(&self) {
        locked(&self.output).last.get_or_insert_with(Instant::now);
        self.more.notify_all();
    }

    /// Closes at once.
    pub fn close(&self) {
        let mut output = locked(&self.output);
        output.last.get_or_insert_with(Instant::now);
        output.waiting.clear();
        let _ = self.stream.shutdown(Shutdown::Both); // or it is closed already
        self.more.notify_all();
    }

    /// How long the next read waits before `idle` is called.
    pub fn wait_for(&self, time: Option<Duration>) {
        let _ = self.stream.set_read_timeout(time); // which is never zero
    }

    /// Sends what waits, until the connection is dropped or hung up.
    pub fn write(&self) {
        while let Some(lines) = self.next() {
            if !self.write_all(&lines) {
                break;
            }
        }
        self.close();
    }

    fn write_all(&self, lines: &[u8]) -> bool {
        let mut rest = lines;
        while !rest.is_empty() {
            match (&self.stream).write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) if error.kind() == ErrorKind::WouldBlock && !self.is_late() => (),
                Err(_) => return false,
            }
        }
        true
    }

    fn is_late(&self) -> bool {
        locked(&self.output).last.map_or(false, |since| since.elapsed() >= HANGING_UP)
    }

    fn next(&self) -> Option<Vec<u8>> {
        let mut output = locked(&self.output);
        while output.waiting.is_empty() && output.last.is_none() {
            output = self.more.wait(output).unwrap_or_else(|error| error.into_inner());
        }
        Some(std::mem::take(&mut output.waiting)).filter(|lines| !lines.is_empty())
    }

    /// Passes on each line until the connection ends; what is left then counts as one.
    pub fn read(&self, mut take: impl FnMut(&[u8]), mut idle: impl FnMut()) {
        let mut line = Vec::new();
        let mut piece = vec![0; 65_536];
        loop {
            match (&self.stream).read(&mut piece) {
                Ok(0) => break,
                Ok(count) => cut(&piece[..count], &mut line, &mut take),
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) if error.kind() == ErrorKind::WouldBlock => idle(),
                Err(_) => break,
            }
            if line.len() > FRAME_BYTES_RECEIVED {
                line.clear();
                break;
            }
        }
        take(&line);
        self.close();
    }
}

fn cut(piece: &[u8], line: &mut Vec<u8>, take: &mut impl FnMut(&[u8])) {
    let mut parts = piece.split(|&byte| byte == b'\n').peekable();
    while let Some(part) = parts.next() {
        line.extend_from_slice(part);
        if parts.peek().is_some() {
            take(line);
            line.clear();
        }
    }
}
