//! Webhook endpoints: where events are delivered, and which.

mod create_webhook_endpoint;
mod delete_webhook_endpoint;
mod enable_webhook_endpoint;
mod endpoint_secrets;
pub(crate) mod endpoints;
mod read;
mod rotate_webhook_secret;
mod update_webhook_endpoint;

pub(crate) use endpoint_secrets::signing_secrets;
pub(crate) use endpoints::transitions_to_follow;

pub use create_webhook_endpoint::{CreateWebhookEndpoint, CreatedWebhookEndpoint};
pub use delete_webhook_endpoint::DeleteWebhookEndpoint;
pub use enable_webhook_endpoint::{DisableWebhookEndpoint, EnableWebhookEndpoint, EnabledWebhookEndpoint};
pub use endpoints::ShownWebhookEndpoint;
pub use read::*;
pub use rotate_webhook_secret::RotateWebhookSecret;
pub use update_webhook_endpoint::UpdateWebhookEndpoint;
