//! What time alone causes: owners of keys are reminded that they expire, and what is over is deleted. That is expired invitations,
//! unconfirmed sign-ups, and workspaces 30 days after they were deleted. A bounded part at a time, each kind in a commit of its own.

use crate::accounts::memberships::membership_changes::addresses_of_user;
use crate::accounts::memberships::membership_changes::step_membership;
use crate::accounts::memberships::membership_changes::workspace_name;
use crate::accounts::workspace_keys::shred_keys;
use crate::accounts::workspaces::whole_workspace::live_memberships;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email_link::CONFIRMABLE_FOR;
use tradepost_domain::accounts::membership::Event;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::workspace::{RESTORABLE_FOR, Workspace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::record::Record;
use tradepost_ports::store::StoreResult;

use crate::mails::Notice;
use crate::{OpError, OpResult, Operations};

/// Most records of a kind that are cleared away at a time.
const MOST: u32 = 100;

/// The amounts of work that were done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CleanupSummary {
    /// Invitations that are expired now.
    pub invitations: usize,
    /// Sign-ups that were never confirmed.
    pub users: usize,
    /// Workspaces that are removed permanently.
    pub workspaces: usize,
    /// Owners who were reminded that one of their keys expires.
    pub reminders: usize,
    /// Contracts whose end had passed.
    pub contracts: usize,
    /// Intents whose time was over, or whose contract stopped.
    pub intents: usize,
    /// Remediations that were opened for purchases whose outcome stays unknown.
    pub remediations: usize,
    /// Imports that were not applied in time.
    pub imports: usize,
}

impl CleanupSummary {
    /// Returns whether there may be more of what storage lists a bounded part of.
    pub const fn may_be_more(&self) -> bool {
        let Self { invitations, users, workspaces, reminders, contracts, intents, remediations, imports } = *self;
        let counts = [invitations, users, workspaces, reminders, contracts, intents, remediations, imports];
        let mut rest: &[usize] = &counts;
        while let [count, others @ ..] = rest {
            if *count >= MOST as usize {
                return true;
            }
            rest = others;
        }
        false
    }
}

impl Operations {
    /// Deletes a bounded part of what is over. Several processes may do so at once: a slower one finds nothing to do, or loses the race and
    /// leaves it. Each kind has its turn, also where another one fails.
    ///
    /// # Errors
    /// `internal` when storage is unavailable; `failed_precondition` with `CONFLICT` when another process was faster. What was done by then
    /// stays done. While another kind is at its limit, what failed is left to the next sweep.
    pub async fn sweep(&self) -> OpResult<CleanupSummary> {
        let at = self.now();
        summary([
            self.expire_invitations(at).await,
            self.remove_unconfirmed_users(at).await,
            self.remove_overdue_workspaces(at).await,
            self.remind_of_ends(at).await,
            self.end_contracts().await,
            self.expire_intents().await,
            self.report_unknown_outcomes().await,
            self.expire_imports(at).await,
        ])
    }

    async fn remove_unconfirmed_users(&self, at: Timestamp) -> OpResult<usize> {
        let before = at.plus(-CONFIRMABLE_FOR);
        self.clear(self.ports.store.expired_records().list_unconfirmed_users(before, MOST).await).await
    }

    async fn remove_overdue_workspaces(&self, at: Timestamp) -> OpResult<usize> {
        let before = at.plus(-RESTORABLE_FOR);
        let overdue = self.ports.store.expired_records().list_deleted_workspaces(before, MOST).await?;
        let workspaces = overdue.len();
        for workspace in overdue {
            self.remove_workspace(workspace).await?;
        }
        Ok(workspaces)
    }

    async fn remind_of_ends(&self, at: Timestamp) -> OpResult<usize> {
        let ending = self.ports.store.expired_records().list_keys_to_remind_of(at, MOST).await?;
        let reminders = ending.len();
        for key in ending {
            self.remind_of_end(key, at).await?;
        }
        Ok(reminders)
    }

    async fn remind_of_end(&self, key: Seen<ApiKey>, at: Timestamp) -> OpResult<()> {
        let workspace = workspace_name(self, key.peek().workspace_id).await?;
        let concerned = addresses_of_user(self, Some(key.peek().owner_id)).await?;
        let caller = Caller::system();
        let mut changes = Changes::by(&caller);
        let key = changes.revise(key, |key| Ok::<_, OpError>(key.reminded(at)))?.value;
        self.send_notice(&mut changes, &concerned, &Notice::key_ends(&workspace, &key, at));
        self.commit(&caller, changes).await.map(drop)
    }

    async fn clear<T: Record>(&self, over: StoreResult<Vec<Seen<T>>>) -> OpResult<usize> {
        let (over, caller) = (over?, Caller::system());
        let many = over.len();
        let mut changes = Changes::by(&caller);
        for seen in over {
            changes.remove(seen);
        }
        if many > 0 {
            self.commit(&caller, changes).await?;
        }
        Ok(many)
    }

    async fn expire_invitations(&self, at: Timestamp) -> OpResult<usize> {
        let (overdue, caller) =
            (self.ports.store.expired_records().list_overdue_invitations(at, MOST).await?, Caller::system());
        let many = overdue.len();
        let mut changes = Changes::by(&caller);
        for invitation in overdue {
            step_membership(self, &caller, &mut changes, invitation, Event::Expire)?;
        }
        if many > 0 {
            self.commit(&caller, changes).await?;
        }
        Ok(many)
    }

    /// Removes a workspace permanently: its record is deleted, every membership ends, and its data keys are destroyed. Append-only records
    /// stay, but no caller can reach them; its secrets stay as well, and nothing can open them.
    async fn remove_workspace(&self, workspace: Seen<Workspace>) -> OpResult<()> {
        let caller = Caller::system();
        let scope = Principal::System.enter(workspace.peek().id, PolicySet::NONE)?;
        let mut changes = Changes::by(&caller);
        for membership in live_memberships(self, scope).await? {
            step_membership(self, &caller, &mut changes, membership, Event::Dissolve)?;
        }
        shred_keys(self, scope, &mut changes).await?;
        let removed = changes.remove(workspace);
        changes.audit(AuditKind::WorkspaceRemoved, removed.id);
        self.commit(&caller, changes).await.map(drop)
    }
}

/// Returns the number of each kind, in the order of the summary. A failure counts once no other kind is at its limit: one that lasts would leave
/// most records of the others for later.
fn summary(done: [OpResult<usize>; 8]) -> OpResult<CleanupSummary> {
    let counts = done.each_ref().map(|kind| kind.as_ref().copied().unwrap_or_default());
    let [invitations, users, workspaces, reminders, contracts, intents, remediations, imports] = counts;
    let swept = CleanupSummary { invitations, users, workspaces, reminders, contracts, intents, remediations, imports };
    match done.into_iter().find_map(Result::err) {
        Some(error) if !swept.may_be_more() => Err(error),
        Some(_) | None => Ok(swept),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_of_one_kind_ends_the_sweeps_once_no_other_is_at_its_limit() {
        let swept = |contracts| {
            let failed = Err(OpError::internal("a test lets it fail"));
            summary([failed, Ok(0), Ok(0), Ok(0), Ok(contracts), Ok(0), Ok(0), Ok(0)])
        };
        let most = MOST as usize;
        assert_eq!(swept(most).unwrap(), CleanupSummary { contracts: most, ..CleanupSummary::default() });
        assert!(swept(most - 1).is_err());
    }

    #[test]
    fn a_sweep_goes_on_while_any_kind_was_at_its_limit() {
        let most = MOST as usize;
        let kinds: [fn(usize) -> CleanupSummary; 8] = [
            |invitations| CleanupSummary { invitations, ..CleanupSummary::default() },
            |users| CleanupSummary { users, ..CleanupSummary::default() },
            |workspaces| CleanupSummary { workspaces, ..CleanupSummary::default() },
            |reminders| CleanupSummary { reminders, ..CleanupSummary::default() },
            |contracts| CleanupSummary { contracts, ..CleanupSummary::default() },
            |intents| CleanupSummary { intents, ..CleanupSummary::default() },
            |remediations| CleanupSummary { remediations, ..CleanupSummary::default() },
            |imports| CleanupSummary { imports, ..CleanupSummary::default() },
        ];
        for (number, swept) in kinds.into_iter().enumerate() {
            assert!(swept(most).may_be_more(), "kind {number}");
            assert!(!swept(most - 1).may_be_more(), "kind {number}");
        }
    }
}
