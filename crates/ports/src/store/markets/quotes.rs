//! The quotes of price sources.

use std::any::Any;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;

use crate::changes::VersionGuard;
use crate::store::StoreResult;

/// The reported prices of variants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriceData {
    /// The quotes of price sources.
    pub quotes: Vec<(Variant, Quote)>,
    /// The asks of marketplaces.
    pub asks: Vec<(Variant, Quote)>,
}

/// The right to read the price sources of all workspaces, which one process has at a time. It ends when this is dropped, and with the
/// process.
#[derive(Debug)]
pub struct ReadingTurn {
    _held: Box<dyn Any + Send>,
}

impl ReadingTurn {
    /// Returns the right, for the life of this value. For storage adapters.
    pub fn held_by(value: impl Any + Send) -> Self {
        Self { _held: Box::new(value) }
    }
}

/// The quotes of price sources. Written many rows at a time, separately from every commit.
#[async_trait]
pub trait Quotes: Send + Sync {
    /// Acquires the right to read the price sources of all workspaces; `None` while another process has it.
    async fn begin_reading(&self) -> StoreResult<Option<ReadingTurn>>;
    /// Records quotes of variants, unless a later quote of the same source exists. Returns how many were new.
    ///
    /// # Errors
    /// [`StoreError::CallerChanged`](crate::store::StoreError::CallerChanged) when a guard does not hold: nothing was written then.
    async fn record(
        &self,
        scope: WorkspaceScope,
        guards: &[VersionGuard],
        quotes: &[(Variant, Quote)],
    ) -> StoreResult<u64>;
    /// Returns the recorded quotes of variants of these names. Returns the cheapest listing of each marketplace as well, among those that
    /// were seen at this time or later.
    async fn find(&self, scope: WorkspaceScope, names: &[MarketHashName], since: Timestamp) -> StoreResult<PriceData>;
}
