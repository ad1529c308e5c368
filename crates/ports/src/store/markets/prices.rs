//! Reads of price overrides by operators, and of the workspaces' rules for valuation.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{OfPriceOverride, PriceOverrideId};
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::pricing_rules::PricingRules;
use tradepost_domain::text::MarketHashName;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// Price overrides of variants, and the pricing rules of workspaces.
#[async_trait]
pub trait Prices: Send + Sync {
    /// Returns a price override.
    async fn find_override(
        &self,
        scope: WorkspaceScope,
        id: PriceOverrideId,
    ) -> StoreResult<Option<Seen<VariantOverride>>>;
    /// Returns several overrides, in no order; missing ones are left out.
    async fn find_overrides(
        &self,
        scope: WorkspaceScope,
        ids: &[PriceOverrideId],
    ) -> StoreResult<Vec<Seen<VariantOverride>>>;
    /// Returns the overrides of variants of these names, in no order. Expired ones are included.
    async fn find_overrides_of(
        &self,
        scope: WorkspaceScope,
        names: &[MarketHashName],
    ) -> StoreResult<Vec<Seen<VariantOverride>>>;
    /// Returns overrides of the workspace.
    async fn list_overrides(
        &self,
        scope: WorkspaceScope,
        page: PageRequest<OfPriceOverride>,
    ) -> StoreResult<Page<OfPriceOverride>>;
    /// Returns the rules of the workspace, if it ever set any.
    async fn find_rules(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<PricingRules>>>;
}
