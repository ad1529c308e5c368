//! Alert messages: what was or will be sent.

mod compose;
mod follow;
mod look;
mod news;
mod outcomes;
mod propose;
mod read;
mod send;
mod send_test_alert;
mod words;

pub use read::*;
pub use send::DueChannel;
pub use send_test_alert::SendTestAlert;
