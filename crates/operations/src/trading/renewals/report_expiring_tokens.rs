//! [`ReportExpiringTokens`]: people are warned before the tokens of accounts end. No operation of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::{
    GradedFinding, Remediation, RemediationKind, RemediationStatus, findings,
};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::trading::renewal::{RenewalKind, WARNED_BEFORE};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{PageRequest, RemediationFilter};

use crate::commit::By;
use crate::commit::turns::Turns;
use crate::contracts::remediations::remediation_steps::{commit_problems, follow_graded_problem};
use crate::in_workspace::InWorkspace;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpResult, Operations};

/// The most tokens that are reported at once.
const MOST: u32 = 1_000;
/// The most warnings that people have dismissed, the latest first, among which one of a token is looked for.
const MOST_DISMISSED: u32 = 1_000;

/// A request to report the refresh tokens that end soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportExpiringTokens {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Opens a remediation for each account whose refresh token ends within 14 days and is not renewed yet. It is critical in the last three
    /// days. One that a person has dismissed is opened again only when it becomes critical. Returns how many tokens there are, up to 1,000.
    ///
    /// # Errors
    /// `permission_denied`; the first error of an account, after all others had their turn.
    pub async fn report_expiring_tokens(&self, caller: &Caller, command: ReportExpiringTokens) -> OpResult<usize> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let (kind, before) = (RenewalKind::RefreshToken, at.plus(WARNED_BEFORE));
        let ending = self.ports.store.renewals().list_ending_renewals(scope, kind, before, MOST).await?;
        let dismissed = if ending.is_empty() { Vec::new() } else { self.dismissed_warnings(scope).await? };
        let mut turns = Turns::default();
        for renewal in &ending {
            let of = InWorkspace { scope, id: Subject::Account(renewal.peek().account_id) };
            let graded = findings::of_expiring_token(renewal.peek(), at);
            if dismissed.iter().any(|known| known.subject == of.id && is_about(known, &graded)) {
                continue;
            }
            let reported = self.retrying(|| async {
                let mut changes = Changes::by(caller);
                follow_graded_problem(self, &mut changes, By { caller, at }, of, graded.clone()).await?;
                commit_problems(self, caller, changes).await.map(drop)
            });
            turns.take(reported.await)?;
        }
        turns.end().map(|_| ending.len())
    }

    /// Returns the latest warnings of this kind that people have dismissed.
    async fn dismissed_warnings(&self, scope: WorkspaceScope) -> OpResult<Vec<Remediation>> {
        let remediations = self.ports.store.remediations();
        let (kind, status) = (Some(RemediationKind::TokenExpiring), Some(RemediationStatus::Dismissed));
        let filter = RemediationFilter { kind, status, severity: None };
        let page = PageRequest { before: None, limit: MOST_DISMISSED };
        let ids = remediations.list(scope, filter, page).await?.ids;
        let found = remediations.find_many(scope, &ids).await?;
        Ok(found.into_iter().map(|seen| seen.into_display().0).collect())
    }
}

/// Whether a warning is about the same end of a token, and was as severe.
fn is_about(known: &Remediation, graded: &GradedFinding) -> bool {
    known.evidence == graded.finding.evidence && known.severity >= graded.severity
}
