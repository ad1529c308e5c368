//! [`ReportExpiringTokens`]: people are warned before the tokens of accounts end. No operation of the interface.

use tradepost_domain::contracts::remediation::findings;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::trading::renewal::{RenewalKind, WARNED_BEFORE};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes};

use crate::commit::By;
use crate::contracts::Problems;
use crate::contracts::remediations::remediation_steps::{commit_problems, follow_problems};
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpResult, Operations};

/// The most tokens that are reported at once.
const MOST: u32 = 1_000;

/// A request to report the refresh tokens that end soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportExpiringTokens {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Opens a remediation for each account whose refresh token ends within 14 days and is not renewed yet. Returns how many there are, up to
    /// 1,000.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn report_expiring_tokens(&self, caller: &Caller, command: ReportExpiringTokens) -> OpResult<usize> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let (kind, before) = (RenewalKind::RefreshToken, at.plus(WARNED_BEFORE));
        let ending = self.ports.store.renewals().list_ending_renewals(scope, kind, before, MOST).await?;
        for renewal in &ending {
            let renewal = renewal.peek();
            self.retrying(|| async {
                let mut changes = Changes::by(caller);
                let found = vec![findings::of_expiring_token(renewal)];
                let problems = Problems { scope, of: Subject::Account(renewal.account_id), found, resolved: None };
                follow_problems(self, &mut changes, By { caller, at }, None, problems).await?;
                commit_problems(self, caller, changes).await
            })
            .await?;
        }
        Ok(ending.len())
    }
}
