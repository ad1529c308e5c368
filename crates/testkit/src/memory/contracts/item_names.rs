//! Reads of market names.

use std::collections::BTreeSet;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::store::{ItemNames, NameList, NameQuery, NamedRecord, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl ItemNames for MemoryStore {
    async fn list_names(&self, scope: WorkspaceScope, of: NamedRecord, query: NameQuery<'_>) -> StoreResult<NameList> {
        let (state, workspace) = (self.state(), scope.workspace_id());
        let mut names: BTreeSet<MarketHashName> = match of {
            NamedRecord::Purchase => {
                let own = state.several(workspace, |_: &Purchase| true);
                own.iter().map(|seen| seen.peek().terms.market_hash_name.clone()).collect()
            }
            NamedRecord::Item => {
                let own = state.several(workspace, |_: &InventoryItem| true);
                own.iter().map(|seen| seen.peek().market_hash_name.clone()).collect()
            }
            NamedRecord::Candle => {
                let own = state.sightings.candles.keys().filter(|(home, ..)| *home == workspace);
                own.map(|(_, variant, ..)| variant.market_hash_name.clone()).collect()
            }
            NamedRecord::Quote => {
                let own = state.sightings.quotes.keys().filter(|(home, ..)| *home == workspace);
                own.map(|(_, variant, _)| variant.market_hash_name.clone()).collect()
            }
        };
        names.retain(|name| {
            (query.from..query.before).contains(&name.as_str())
                && query.begins.is_none_or(|begins| name.as_str().to_ascii_lowercase().starts_with(begins))
                && query.search.is_none_or(|search| search.finds_name(name))
        });
        let complete = names.len() <= query.most as usize;
        Ok(NameList { names: names.into_iter().take(query.most as usize).collect(), complete })
    }
}
