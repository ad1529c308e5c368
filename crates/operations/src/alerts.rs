//! alerts.v1.Alerts: channels, rules, and messages to people when money or trading needs them.
//!
//! A channel follows the log of status changes from a place of its own, as a webhook endpoint does; what is not in the log is found by
//! [`Operations::look_for_alerts`](crate::Operations::look_for_alerts).

pub(crate) mod channels;
mod messages;
mod rules;

pub use channels::*;
pub use messages::*;
pub use rules::*;
