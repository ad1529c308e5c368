//! Purchases whose outcome stays unknown: a remediation reports them.

use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::contracts::remediations::remediation_steps::follow_problems;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::contracts::remediation::{Evidence, Finding, RemediationKind, UNDECIDED_AFTER};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::commit::By;
use crate::commit::turns::Turns;
use crate::contracts::remediations::remediation_steps::Problems;
use crate::{OpResult, Operations};

/// Most remediations that are opened in one go.
const MOST: u32 = 100;

impl Operations {
    /// Opens a remediation for a bounded part of the purchases, of every workspace, whose outcome is unknown for a quarter of an
    /// hour; returns how many. It is opened once for a purchase, whatever becomes of it. It leaves one that another caller changes
    /// in the meantime to that caller.
    ///
    /// # Errors
    /// `internal` when storage is out; the first error of a purchase, after all others had their turn. What was opened by then stays open.
    pub async fn report_unknown_outcomes(&self) -> OpResult<usize> {
        self.report_undecided_purchases().await?.end()
    }

    /// The same, with what came of the purchases.
    pub(crate) async fn report_undecided_purchases(&self) -> OpResult<Turns> {
        let (purchases, mut turns) = (self.ports.store.purchases(), Turns::default());
        for (worlds, now) in self.worlds() {
            for purchase in purchases.list_undecided(worlds, now.plus(-UNDECIDED_AFTER), MOST).await? {
                turns.take(self.report_unknown_outcome(purchase, now).await)?;
            }
        }
        Ok(turns)
    }

    async fn report_unknown_outcome(&self, purchase: Seen<Purchase>, at: Timestamp) -> OpResult<()> {
        let caller = Caller::system();
        let mut changes = Changes::by(&caller);
        let terms = changes.rely_on(purchase).terms.clone();
        let scope = Principal::System.enter(terms.workspace_id, PolicySet::NONE)?;
        let finding = Finding { kind: RemediationKind::OutcomeUnknown, evidence: Evidence::default() };
        let problems = Problems { scope, of: Subject::Purchase(terms.id), found: vec![finding], resolved: None };
        follow_problems(self, &mut changes, By { caller: &caller, at }, None, problems).await?;
        commit_problems(self, &caller, changes).await.map(drop)
    }
}
