//! Webhook deliveries: events for endpoints, and their tries.

mod attempts;
mod deliver;
mod follow;
mod outcomes;
mod read;
mod replay_webhook_events;
mod resend_webhook_delivery;
mod send_test_event;

pub use deliver::DueEndpoint;
pub use follow::NewEvents;
pub use read::*;
pub use replay_webhook_events::ReplayWebhookEvents;
pub use resend_webhook_delivery::ResendWebhookDelivery;
pub use send_test_event::SendTestEvent;
