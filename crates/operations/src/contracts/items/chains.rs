//! Reading whole chains: to check them, and to find out whether a fact is on record already.

use crate::contracts::remediations::remediation_steps::open_separately;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::chain::{AssetIdLink, ChainError, Evidence};
use tradepost_domain::contracts::remediation::findings;
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::Subject;

use crate::commit::By;
use crate::in_workspace::InWorkspace;
use crate::{OpError, OpResult, Operations};

/// Returns every link of an item's chain, in order; none when there is no such item.
pub(crate) async fn whole_chain(
    operations: &Operations,
    scope: WorkspaceScope,
    item: InventoryItemId,
) -> OpResult<Vec<AssetIdLink>> {
    const AT_ONCE: u32 = 1_000;
    let mut links: Vec<AssetIdLink> = Vec::new();
    loop {
        let from = links.last().map_or(0, |link| link.step.saturating_add(1));
        let page = operations.ports.store.items().list_links(scope, item, from, AT_ONCE).await?.unwrap_or_default();
        let is_last = page.len() < AT_ONCE as usize;
        links.extend(page);
        if is_last {
            return Ok(links);
        }
    }
}

/// Returns the link that records the fact already; without one, the error that rejected the fact.
///
/// # Errors
/// `refusal`, or `ASSET_ID_MISMATCH` when the fact is on record with another asset id: a remediation is open for that then.
pub(crate) async fn recorded_or(
    operations: &Operations,
    by: By<'_>,
    item: InWorkspace<InventoryItemId>,
    evidence: &Evidence,
    refusal: OpError,
) -> OpResult<AssetIdLink> {
    let chain = whole_chain(operations, item.scope, item.id).await?;
    let records_same = |link: &&AssetIdLink| link.records(&evidence.clone().with_step(link.step)) == Ok(true);
    if let Some(link) = chain.iter().find(records_same) {
        return Ok(link.clone());
    }
    for link in chain {
        match link.records(evidence) {
            Ok(true) => return Ok(link),
            Ok(false) => {}
            Err(mismatch) => {
                let source_id = &evidence.source_id;
                return Err(report_mismatch(operations, by, item, source_id, mismatch).await?);
            }
        }
    }
    Err(refusal)
}

/// Opens a remediation for evidence that is on record with another asset id; returns the caller's error.
pub(crate) async fn report_mismatch(
    operations: &Operations,
    by: By<'_>,
    item: InWorkspace<InventoryItemId>,
    source_id: &ExternalId,
    mismatch: ChainError,
) -> OpResult<OpError> {
    if let ChainError::AssetIdMismatch { recorded, given, .. } = &mismatch {
        let finding = findings::of_evidence(source_id, recorded, given);
        open_separately(operations, by, item.scope, Subject::InventoryItem(item.id), &finding).await?;
    }
    Ok(mismatch.into())
}
