//! Reads of what people said that items are worth, and of how workspaces value them.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{OfPriceOverride, PriceOverrideId};
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::pricing_rules::PricingRules;
use tradepost_domain::text::MarketHashName;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// Values that people gave to variants, and the rules of workspaces.
#[async_trait]
pub trait Prices: Send + Sync {
    /// A value.
    async fn find_price_override(
        &self,
        scope: WorkspaceScope,
        id: PriceOverrideId,
    ) -> StoreResult<Option<Seen<VariantOverride>>>;
    /// Several values, in no order; those that are not there are left out.
    async fn find_price_overrides(
        &self,
        scope: WorkspaceScope,
        ids: &[PriceOverrideId],
    ) -> StoreResult<Vec<Seen<VariantOverride>>>;
    /// The values of variants of these names, also those that are over, in no order.
    async fn find_price_overrides_of(
        &self,
        scope: WorkspaceScope,
        names: &[MarketHashName],
    ) -> StoreResult<Vec<Seen<VariantOverride>>>;
    /// Values of the workspace.
    async fn list_price_overrides(
        &self,
        scope: WorkspaceScope,
        page: PageRequest<OfPriceOverride>,
    ) -> StoreResult<Page<OfPriceOverride>>;
    /// The rules of the workspace, if it ever set any.
    async fn find_pricing_rules(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<PricingRules>>>;
}
