//! Reading whole chains: to check them, and to find out whether a fact is on record already.

use tradepost_domain::access::WorkspaceScope;
use tradepost_domain::chain::{AssetIdLink, Evidence};
use tradepost_domain::id::InventoryItemId;

use crate::{OpError, OpResult, Operations};

impl Operations {
    /// Every link of an item's chain, in order; none when there is no such item.
    pub(super) async fn whole_chain(&self, scope: WorkspaceScope, item: InventoryItemId) -> OpResult<Vec<AssetIdLink>> {
        const AT_ONCE: u32 = 1_000;
        let mut links: Vec<AssetIdLink> = Vec::new();
        loop {
            let from = links.last().map_or(0, |link| link.step.saturating_add(1));
            let page = self.ports.store.list_links(scope, item, from, AT_ONCE).await?.unwrap_or_default();
            let is_last = page.len() < AT_ONCE as usize;
            links.extend(page);
            if is_last {
                return Ok(links);
            }
        }
    }

    /// The link that records the fact already; what refused the fact when none does.
    ///
    /// # Errors
    /// `refusal`, or `ASSET_ID_MISMATCH` when the fact is on record with another asset id.
    pub(super) async fn recorded_or(
        &self,
        scope: WorkspaceScope,
        item: InventoryItemId,
        evidence: &Evidence,
        refusal: OpError,
    ) -> OpResult<AssetIdLink> {
        for link in self.whole_chain(scope, item).await? {
            if link.records(evidence)? {
                return Ok(link);
            }
        }
        Err(refusal)
    }
}
