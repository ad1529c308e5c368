//! The log of transitions: one change of status each.

mod read;
mod transitions;
mod watch_transitions;

pub use read::*;
pub use watch_transitions::{WatchTransitions, WatchedTransitions};
