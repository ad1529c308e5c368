//! [`ReportOrphans`]: opens a remediation for each item that appeared, that nothing explains and that no record names. Not an operation of
//! the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::{Evidence, Finding, RemediationKind};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::inventory_change::{InventoryChange, ORPHAN_AFTER};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::commit::By;
use crate::commit::turns::Turns;
use crate::contracts::Problems;
use crate::contracts::remediations::remediation_steps::{commit_problems, follow_problems};
use crate::rules::WRITE_TRADING;
use crate::{OpError, OpResult, Operations};

/// The most orphans that are reported at once; the others follow.
const MOST_AT_ONCE: u32 = 50;

/// A wish to report what has been unexplained for long enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportOrphans {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Opens a remediation for orphans that are older than 10 min, each once. Returns their number.
    ///
    /// # Errors
    /// `permission_denied`; the first error of an orphan, after all others had their turn.
    pub async fn report_orphans(&self, caller: &Caller, command: ReportOrphans) -> OpResult<usize> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let at = self.market_now(command.workspace_id);
        let changes = self.ports.store.inventory_changes();
        let orphans = changes.list_unreported_orphans(scope, at.plus(-ORPHAN_AFTER), MOST_AT_ONCE).await?;
        let mut turns = Turns::default();
        for orphan in orphans {
            turns.take(self.report_orphan(By { caller, at }, scope, orphan).await)?;
        }
        turns.end()
    }

    async fn report_orphan(&self, by: By<'_>, scope: WorkspaceScope, orphan: Seen<InventoryChange>) -> OpResult<()> {
        let (of, item) = (Subject::InventoryChange(orphan.peek().id), orphan.peek().item.clone());
        let found = ExternalId::new(item.place.asset_id.as_str()).ok();
        let shown_by = ExternalId::new(&orphan.peek().between.to.to_string()).ok();
        let evidence = Evidence { shown_by, expected: None, found };
        let finding = Finding { kind: RemediationKind::OrphanItem, evidence };
        let mut changes = Changes::by(by.caller);
        changes.revise(orphan, |change| Ok::<_, OpError>(change.reported(by.at)))?;
        let problems = Problems { scope, of, found: vec![finding], resolved: None };
        follow_problems(self, &mut changes, by, None, problems).await?;
        commit_problems(self, by.caller, changes).await.map(drop)
    }
}
