//! The client for every call that leaves the server: to addresses of users for webhooks and alerts, and to services that the operator
//! names, such as sources of prices, platforms at which people sign in, and bot checks.
//!
//! It owns the rules of such a call: which addresses it may reach, how fast, how long, and how much of an answer is read. No
//! redirects, no proxy, no cookies. Its errors hold no address and no header. Of webhooks and alerts it owns format and signature, and
//! must not know when which is sent. Of services it must not know what they answer, except for status, form and shape.
#![deny(missing_docs)]

mod alerts;
pub mod answers;
mod budget;
mod calls;
mod client;
mod egress;
mod pacing;
mod reach;
mod resolver;
mod service;
mod shapes;
mod target;
mod webhooks;

pub use alerts::{AlertServices, AlertSettings, Alerts};
pub use budget::Budget;
pub use client::{Answer, CallError, ClientError, ClientLimits, OutsideClient, Post};
pub use egress::{Egress, EgressError, ServiceAddress};
pub use reach::{Reach, is_public};
pub use resolver::{Lookup, Names, SystemNames};
pub use service::{
    Access, Method, Question, Route, ServiceAnswer, ServiceClient, ServiceError, ServiceLimits, WritePermission,
};
pub use shapes::{JsonType, RequiredShape, ShapeDrift, Shapes};
pub use target::{Target, TargetError};
pub use webhooks::{Envelope, MOST_BYTES, Signature, SignatureError, WebhookSecret, WebhookSettings, Webhooks};
