//! The prices of hours.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::markets::price_history::Candle;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;

use crate::store::{StoreResult, Worlds};

/// The requested part of the history of a variant, by hours since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryQuery<'a> {
    /// The variant.
    pub variant: &'a Variant,
    /// Only on this marketplace.
    pub marketplace: Option<&'a Marketplace>,
    /// The first hour.
    pub from: i64,
    /// The hour after the last.
    pub to: i64,
}

/// The prices of hours, made from observations.
#[async_trait]
pub trait Candles: Send + Sync {
    /// Returns the prices of hours, by hour and marketplace; hours without any are left out.
    async fn read(&self, scope: WorkspaceScope, query: HistoryQuery<'_>) -> StoreResult<Vec<(i64, Candle)>>;
    /// Adds a part of the observations before `before` to the prices of hours. It covers each workspace of these worlds that recorded any
    /// since the hour of `since`. For storage that keeps these prices apart from observations. Returns the number of observations. Reads
    /// return the same as before. An observation that is recorded afterwards with an earlier id does not appear in the prices of hours.
    async fn form(&self, worlds: Worlds, since: Timestamp, before: Timestamp) -> StoreResult<u64>;
}
