//! What a program is informed of, one by one.

use crate::locked;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};

/// Notifications that nobody has looked at.
const WAITING: usize = 10_000;

type Work = Box<dyn FnOnce() + Send>;

#[derive(Default)]
pub(crate) struct Queue {
    works: Mutex<Works>,
    more: Condvar,
}

#[derive(Default)]
struct Works {
    waiting: VecDeque<Work>,
    is_over: bool,
}

impl Queue {
    pub fn add(&self, work: impl FnOnce() + Send + 'static) {
        let mut works = locked(&self.works);
        if !works.is_over {
            works.waiting.push_back(Box::new(work));
            self.more.notify_all();
        }
    }

    pub fn is_full(&self) -> bool {
        locked(&self.works).waiting.len() >= WAITING
    }

    pub fn end(&self) {
        locked(&self.works).is_over = true;
        self.more.notify_all();
    }

    /// Does what is added, until the end.
    pub fn run(&self) {
        while let Some(work) = self.next() {
            work();
        }
    }

    fn next(&self) -> Option<Work> {
        let mut works = locked(&self.works);
        loop {
            if let Some(work) = works.waiting.pop_front() {
                return Some(work);
            }
            if works.is_over {
                return None;
            }
            works = self.more.wait(works).unwrap_or_else(|error| error.into_inner());
        }
    }
}
