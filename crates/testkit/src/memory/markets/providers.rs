//! Reads of providers, of their health, and of the records that name them.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{OfProvider, ProviderId};
use tradepost_domain::markets::provider::{Provider, ProviderHealth, ProviderKind, ProviderStatus, ProviderUses};
use tradepost_domain::text::{Marketplace, Name};
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, Providers, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Providers for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: ProviderId) -> StoreResult<Option<Seen<Provider>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ProviderId]) -> StoreResult<Vec<Seen<Provider>>> {
        Ok(self.state().several(scope.workspace_id(), |provider: &Provider| ids.contains(&provider.id)))
    }
    async fn find_named(
        &self,
        scope: WorkspaceScope,
        kind: ProviderKind,
        name: &Marketplace,
    ) -> StoreResult<Option<Seen<Provider>>> {
        let is_named = |provider: &Provider| provider.kind == kind && provider.name == *name;
        Ok(self.state().several(scope.workspace_id(), is_named).into_iter().next())
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        kind: Option<ProviderKind>,
        page: PageRequest<OfProvider>,
    ) -> StoreResult<Page<OfProvider>> {
        let is_wanted = |provider: &Provider| kind.is_none_or(|wanted| provider.kind == wanted);
        Ok(self.state().page(scope.workspace_id(), &page, is_wanted))
    }
    async fn list_of_driver(
        &self,
        driver: &Name,
        name: &Marketplace,
        after: Option<ProviderId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Provider>>> {
        let is_wanted = |provider: &Provider| {
            provider.driver == *driver
                && provider.name == *name
                && provider.status == ProviderStatus::Enabled
                && after.is_none_or(|after| provider.id > after)
        };
        let mut found = self.state().all(is_wanted);
        found.sort_by_key(|seen| seen.peek().id);
        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(found)
    }
    async fn list_of_kind(
        &self,
        driver: &Name,
        kind: ProviderKind,
        after: Option<ProviderId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Provider>>> {
        let is_wanted = |provider: &Provider| {
            provider.driver == *driver && provider.kind == kind && after.is_none_or(|after| provider.id > after)
        };
        let mut found = self.state().all(is_wanted);
        found.sort_by_key(|seen| seen.peek().id);
        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(found)
    }
    async fn find_healths(&self, scope: WorkspaceScope, ids: &[ProviderId]) -> StoreResult<Vec<Seen<ProviderHealth>>> {
        let is_wanted = |health: &ProviderHealth| ids.contains(&health.provider_id);
        Ok(self.state().several(scope.workspace_id(), is_wanted))
    }
    async fn count_uses(
        &self,
        scope: WorkspaceScope,
        kind: ProviderKind,
        name: &Marketplace,
    ) -> StoreResult<ProviderUses> {
        let (state, workspace) = (self.state(), scope.workspace_id());
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let contracts = |names: &dyn Fn(&Contract) -> bool| {
            let live = |contract: &Contract| !contract.status.is_terminal() && names(contract);
            number(state.several(workspace, live).len())
        };
        let none = ProviderUses::default();
        Ok(match kind {
            ProviderKind::Marketplace => {
                let bought = |purchase: &Purchase| purchase.terms.marketplace == *name && purchase.status.is_open();
                let sold = |item: &InventoryItem| {
                    item.sale_place.as_ref().is_some_and(|place| place.marketplace == *name)
                        && !item.status.is_terminal()
                };
                ProviderUses {
                    contracts: contracts(&|contract| contract.marketplaces.contains(name)),
                    purchases: number(state.several(workspace, bought).len()),
                    items: number(state.several(workspace, sold).len()),
                    ..none
                }
            }
            ProviderKind::PriceSource => {
                let names = |contract: &Contract| {
                    contract.price_reference.as_ref().is_some_and(|reference| reference.sources.contains(name))
                };
                ProviderUses { contracts: contracts(&names), ..none }
            }
            ProviderKind::GamePlatform => {
                let there = |account: &TradingAccount| {
                    account.platform.as_str() == name.as_str() && !account.status.is_terminal()
                };
                ProviderUses { accounts: number(state.several(workspace, there).len()), ..none }
            }
        })
    }
}
