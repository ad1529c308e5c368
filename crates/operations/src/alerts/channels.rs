//! Alert channels: where messages go.

pub(crate) mod access;
mod create_alert_channel;
mod delete_alert_channel;
mod enable_alert_channel;
mod read;
pub(crate) mod removal;
pub(crate) mod targets;
mod update_alert_channel;

pub use access::ShownAlertChannel;
pub use create_alert_channel::{CreateAlertChannel, CreatedAlertChannel};
pub use delete_alert_channel::DeleteAlertChannel;
pub use enable_alert_channel::{DisableAlertChannel, EnableAlertChannel};
pub use read::*;
pub use update_alert_channel::{UpdateAlertChannel, UpdatedAlertChannel};
