//! Whether the chains of items keep their laws. Nothing here breaks one; a hand in the database or a broken disk does. Some items are
//! looked at every few minutes, until all have had their turn.

use time::Duration;
use tradepost_domain::contracts::chain::ChainProblem;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{ItemsOfAccount, VerifyAssetIDChain};

use crate::audit::Audit;
use crate::context::Context;
use crate::desk::account_in_turn;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::mark::is_due;

/// Maximum length of the reported detail, in characters. `VerifyAssetIDChain` returns all of it.
const MAX_DETAIL_CHARS: usize = 128;

/// How far the round through the items has come.
#[derive(Debug, Default)]
pub(crate) struct ChainAudit {
    looked_at: Option<Mark>,
    /// Which account's items are looked at.
    turn: usize,
    /// The last of them that was.
    after: Option<InventoryItemId>,
}

impl ChainAudit {
    /// Goes on after the last item of a full slice, or with the next account.
    fn advance(&mut self, last_of_full_slice: Option<InventoryItemId>) {
        self.after = last_of_full_slice;
        if last_of_full_slice.is_none() {
            self.turn = self.turn.wrapping_add(1);
        }
    }
}

impl Audit {
    /// Verifies the chains of the next open items, if it is time. Reports those that break a law and resolves those that no longer do.
    pub(crate) async fn verify_chains(&mut self, context: &Context) -> EngineResult {
        let now = context.mark();
        if !context.holds_inventory()
            || !is_due(self.chains.looked_at.as_ref(), now, context.timings().chain_audit_interval)
        {
            return Ok(());
        }
        self.chains.looked_at = Some(now);
        let Some(account) = account_in_turn(&context.desk().accounts, self.chains.turn, |_| true) else {
            return Ok(());
        };
        let (workspace_id, account_name, after) =
            (context.desk().workspace_id, account.name.clone(), self.chains.after);
        let ask = ItemsOfAccount { workspace_id, account_name, after, most: context.timings().chains_per_check };
        let slice = context.operations().items_of_account(context.caller(), ask).await?;
        let is_full = slice.len() >= context.timings().chains_per_check as usize;
        self.chains.advance(slice.last().filter(|_| is_full).map(|last| last.value.id));
        for item in slice {
            verify_chain(context, item.value.id).await?;
        }
        Ok(())
    }
}

async fn verify_chain(context: &Context, inventory_item_id: InventoryItemId) -> EngineResult {
    let verify = VerifyAssetIDChain { workspace_id: context.desk().workspace_id, inventory_item_id };
    let broken = context.operations().verify_asset_id_chain(context.caller(), verify).await?;
    let shown = broken.first().map(|law| Evidence { found: chain_problem_detail(law), ..Evidence::default() });
    let problem = (RemediationKind::ChainInvalid, Subject::InventoryItem(inventory_item_id));
    context.report_problem(problem, Duration::ZERO, shown).await
}

/// Which law is broken, at which step.
fn chain_problem_detail(law: &ChainProblem) -> Option<ExternalId> {
    let detail: String = law.to_string().chars().take(MAX_DETAIL_CHARS).collect();
    ExternalId::new(&detail).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_items_of_an_account_are_looked_through_before_the_next_account() {
        let (mut audit, last) = (ChainAudit::default(), InventoryItemId::from_bytes([1; 16]));
        audit.advance(Some(last));
        assert_eq!((audit.turn, audit.after), (0, Some(last)));
        audit.advance(None);
        assert_eq!((audit.turn, audit.after), (1, None));
    }
}
