//! Purchases whose outcome stays unknown: a remediation reports them.

use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::contracts::remediations::remediation_steps::follow_problems;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::contracts::remediation::{Evidence, Finding, RemediationKind, UNDECIDED_AFTER};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::Worlds;

use crate::commit::By;
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
    /// `internal` when storage is out. What was opened by then stays open.
    pub async fn report_unknown_outcomes(&self) -> OpResult<usize> {
        let mut opened = 0_usize;
        for (worlds, now) in self.worlds() {
            opened = opened.saturating_add(self.report_unknown_outcomes_in(worlds, now).await?);
        }
        Ok(opened)
    }

    async fn report_unknown_outcomes_in(&self, worlds: Worlds, at: Timestamp) -> OpResult<usize> {
        let (caller, mut opened) = (Caller::system(), 0_usize);
        for purchase in self.ports.store.purchases().list_undecided(worlds, at.plus(-UNDECIDED_AFTER), MOST).await? {
            let mut changes = Changes::by(&caller);
            let terms = changes.rely_on(purchase).terms.clone();
            let scope = Principal::System.enter(terms.workspace_id, PolicySet::NONE)?;
            let finding = Finding { kind: RemediationKind::OutcomeUnknown, evidence: Evidence::default() };
            let problems = Problems { scope, of: Subject::Purchase(terms.id), found: vec![finding], resolved: None };
            follow_problems(self, &mut changes, By { caller: &caller, at }, None, problems).await?;
            match commit_problems(self, &caller, changes).await {
                Ok(_) => opened = opened.saturating_add(1),
                Err(error) if error.is_conflict() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(opened)
    }
}
