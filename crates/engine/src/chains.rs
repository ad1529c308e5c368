//! Whether the chains of items keep their laws. Nothing here breaks one; a hand in the database or a broken disk does. Some items are
//! looked at every few minutes, until all have had their turn.

use time::Duration;
use tradepost_domain::chain::ChainProblem;
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{ItemsOfAccount, VerifyAssetIDChain};

use crate::Engine;
use crate::mark::Mark;
use crate::terms::is_due;
use crate::trouble::Tried;

/// How often some chains are looked at.
const LOOKS_EVERY: Duration = Duration::minutes(5);
/// How many.
const CHAINS: u32 = 50;
/// As much is told of what is wrong, in characters; `VerifyAssetIDChain` tells all of it.
const TOLD: usize = 128;

/// How far the round through the items has come.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    looked_at: Option<Mark>,
    /// Which account's items are looked at.
    turn: usize,
    /// The last of them that was.
    after: Option<InventoryItemId>,
}

impl Engine {
    /// Looks at the chains of the next items that have not come to their end, if it is time, and tells which break a law or break none
    /// any more.
    pub(crate) async fn look_at_chains(&mut self) -> Tried {
        let now = self.mark();
        if !self.works_on_inventory() || !is_due(self.chains.looked_at.as_ref(), now, LOOKS_EVERY) {
            return Ok(());
        }
        self.chains.looked_at = Some(now);
        let place = self.chains.turn.checked_rem(self.desk.accounts.len());
        let Some(account) = place.and_then(|place| self.desk.accounts.get(place)) else { return Ok(()) };
        let (workspace_id, account_name, after) = (self.desk.workspace_id, account.name.clone(), self.chains.after);
        let ask = ItemsOfAccount { workspace_id, account_name, after, most: CHAINS };
        let slice = self.operations.items_of_account(&self.caller, ask).await?;
        if slice.len() < CHAINS as usize {
            self.chains.turn = self.chains.turn.wrapping_add(1);
            self.chains.after = None;
        } else {
            self.chains.after = slice.last().map(|last| last.value.id);
        }
        for item in slice {
            self.look_at_chain(item.value.id).await?;
        }
        Ok(())
    }

    async fn look_at_chain(&self, inventory_item_id: InventoryItemId) -> Tried {
        let verify = VerifyAssetIDChain { workspace_id: self.desk.workspace_id, inventory_item_id };
        let broken = self.operations.verify_asset_id_chain(&self.caller, verify).await?;
        let shown = broken.first().map(|law| Evidence { found: in_words(law), ..Evidence::default() });
        let problem = (RemediationKind::ChainInvalid, Subject::InventoryItem(inventory_item_id));
        self.tell_problem(problem, Duration::ZERO, shown).await
    }
}

/// Which law is broken, at which step.
fn in_words(law: &ChainProblem) -> Option<ExternalId> {
    let told: String = law.to_string().chars().take(TOLD).collect();
    ExternalId::new(&told).ok()
}
