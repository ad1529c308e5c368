//! Alerts: messages to people when money or trading needs them.
//!
//! A channel is where messages go, a rule of it says about what and when. One problem is one message of a channel.

pub mod channel;
pub mod message;
pub mod progress;
pub mod rule;
pub mod schedule;
pub mod topic;
