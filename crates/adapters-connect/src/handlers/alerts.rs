//! `alerts.v1.Alerts`.
#![cfg_attr(not(test), expect(clippy::wildcard_imports, reason = "each method is handled by the function of its name"))]

mod alert_channels;
mod alert_messages;
mod alert_rules;

use std::sync::Arc;

use connectrpc::{RequestContext, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;

use tradepost_proto::alerts::v1 as wire;

use self::{alert_channels::*, alert_messages::*, alert_rules::*};

/// The service.
pub(crate) struct AlertsHandlers(pub(crate) Arc<Operations>);

impl wire::Alerts for AlertsHandlers {
    tradepost_proto::alerts_methods! { handled }
}
