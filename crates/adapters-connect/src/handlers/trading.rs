//! `trading.v1.Trading`.
#![cfg_attr(not(test), expect(clippy::wildcard_imports, reason = "each method is handled by the function of its name"))]

mod account_groups;
mod account_sessions;
mod chats;
mod confirmations;
mod friends;
mod imports;
mod inventory_changes;
mod renewals;
mod snapshots;
mod trade_offers;
mod trading_accounts;

use std::sync::Arc;

use connectrpc::{RequestContext, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;

use tradepost_proto::trading::v1 as wire;

use self::{
    account_groups::*, account_sessions::*, chats::*, confirmations::*, friends::*, imports::*, inventory_changes::*,
    renewals::*, snapshots::*, trade_offers::*, trading_accounts::*,
};

/// The service.
pub(crate) struct TradingHandlers(pub(crate) Arc<Operations>);

impl wire::Trading for TradingHandlers {
    tradepost_proto::trading_methods! { handled }
}
