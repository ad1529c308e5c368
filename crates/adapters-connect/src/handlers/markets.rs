//! `markets.v1.Markets`.
#![cfg_attr(not(test), expect(clippy::wildcard_imports, reason = "each method is handled by the function of its name"))]

mod observations;
mod prices;
mod providers;

use std::sync::Arc;

use connectrpc::{RequestContext, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;

use tradepost_proto::markets::v1 as wire;

use self::{observations::*, prices::*, providers::*};

/// The service.
pub(crate) struct MarketsHandlers(pub(crate) Arc<Operations>);

impl wire::Markets for MarketsHandlers {
    tradepost_proto::markets_methods! { handled }
}
