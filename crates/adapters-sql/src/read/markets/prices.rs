//! Reads of what people said that items are worth, and of how workspaces value them.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{OfPriceOverride, PriceOverrideId};
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::pricing_rules::PricingRules;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, Prices, StoreResult};

use crate::rows::markets::price_override;
use crate::rows::uuid;
use crate::sql_text::{NAMES_POSTGRES, NAMES_SQLITE, name_list};
use crate::store::SqlStore;
use crate::table::select_list;

static NAMED: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<price_override::Entity>("", "");
    format!("SELECT {columns} FROM price_overrides WHERE workspace_id = $1 AND market_hash_name IN")
});

#[async_trait]
impl Prices for SqlStore {
    async fn find_override(
        &self,
        scope: WorkspaceScope,
        id: PriceOverrideId,
    ) -> StoreResult<Option<Seen<VariantOverride>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_overrides(
        &self,
        scope: WorkspaceScope,
        ids: &[PriceOverrideId],
    ) -> StoreResult<Vec<Seen<VariantOverride>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_overrides_of(
        &self,
        scope: WorkspaceScope,
        names: &[MarketHashName],
    ) -> StoreResult<Vec<Seen<VariantOverride>>> {
        let text = format!("{} ({})", *NAMED, self.pick(NAMES_SQLITE, NAMES_POSTGRES));
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), name_list(names)]).await
    }
    async fn list_overrides(
        &self,
        scope: WorkspaceScope,
        page: PageRequest<OfPriceOverride>,
    ) -> StoreResult<Page<OfPriceOverride>> {
        self.page("price_overrides", vec![("workspace_id", uuid(scope.workspace_id()).into())], page).await
    }
    async fn find_rules(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<PricingRules>>> {
        self.find(vec![uuid(scope.workspace_id()).into()]).await
    }
}
