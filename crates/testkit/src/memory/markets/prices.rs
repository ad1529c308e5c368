//! Reads of price overrides by operators, and of the workspaces' rules for valuation.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{OfPriceOverride, PriceOverrideId};
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::pricing_rules::PricingRules;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::ONLY;
use tradepost_ports::store::{Page, PageRequest, Prices, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Prices for MemoryStore {
    async fn find_override(
        &self,
        scope: WorkspaceScope,
        id: PriceOverrideId,
    ) -> StoreResult<Option<Seen<VariantOverride>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_overrides(
        &self,
        scope: WorkspaceScope,
        ids: &[PriceOverrideId],
    ) -> StoreResult<Vec<Seen<VariantOverride>>> {
        Ok(self.state().several(scope.workspace_id(), |given: &VariantOverride| ids.contains(&given.id)))
    }
    async fn find_overrides_of(
        &self,
        scope: WorkspaceScope,
        names: &[MarketHashName],
    ) -> StoreResult<Vec<Seen<VariantOverride>>> {
        let is_wanted = |given: &VariantOverride| names.contains(&given.variant.market_hash_name);
        Ok(self.state().several(scope.workspace_id(), is_wanted))
    }
    async fn list_overrides(
        &self,
        scope: WorkspaceScope,
        page: PageRequest<OfPriceOverride>,
    ) -> StoreResult<Page<OfPriceOverride>> {
        Ok(self.state().page(scope.workspace_id(), &page, |_: &VariantOverride| true))
    }
    async fn find_rules(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<PricingRules>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), ONLY))
    }
}
