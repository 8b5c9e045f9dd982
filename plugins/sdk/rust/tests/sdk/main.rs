//! Against a broker that does what the test says, and against the broker itself.

mod hostile;
mod observer;
mod openrpc;
mod provider;
mod pushes;
mod real_broker;
mod scripted_broker;
mod sessions;
mod with_broker;
