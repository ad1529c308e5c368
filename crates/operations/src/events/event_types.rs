//! The catalogue of event types.

mod read;

pub use read::*;
