//! The client for every call that leaves the server: webhooks and alerts now, marketplaces later.
//!
//! It owns the rules of such a call: which addresses it may reach, how fast, how long, and how much of an answer is read. No
//! redirects, no proxy, no cookies. Its errors hold no address and no header. Of webhooks and alerts it owns format and signature, and
//! must not know when which is sent.
#![deny(missing_docs)]

mod alerts;
mod calls;
mod client;
mod pacing;
mod reach;
mod resolver;
mod target;
mod webhooks;

pub use alerts::{AlertServices, AlertSettings, Alerts};
pub use client::{Answer, CallError, ClientError, ClientLimits, OutsideClient, Post};
pub use reach::{Reach, is_public};
pub use resolver::{Lookup, Names, SystemNames};
pub use target::{Target, TargetError};
pub use webhooks::{Envelope, MOST_BYTES, Signature, SignatureError, WebhookSecret, WebhookSettings, Webhooks};
