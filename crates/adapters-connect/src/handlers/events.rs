//! `events.v1.Events`.
#![cfg_attr(not(test), expect(clippy::wildcard_imports, reason = "each method is handled by the function of its name"))]

mod webhook_deliveries;
mod webhook_endpoints;

use std::sync::Arc;

use connectrpc::{RequestContext, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;

use tradepost_proto::events::v1 as wire;

use self::{webhook_deliveries::*, webhook_endpoints::*};

/// The service.
pub(crate) struct EventsHandlers(pub(crate) Arc<Operations>);

impl wire::Events for EventsHandlers {
    tradepost_proto::events_methods! { handled }
}
