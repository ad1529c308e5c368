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

use crate::commit::turns::{Turns, concerns_every_record};
use crate::mails::Notice;
use crate::{OpError, OpResult, Operations};

/// Most records of a kind that are cleared away at a time; the lists of the other modules have as many.
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
    /// Whether a list of a kind was full, and something of it was done.
    more: bool,
}

impl CleanupSummary {
    /// Returns whether there may be more of what storage lists a bounded part of.
    pub const fn may_be_more(&self) -> bool {
        self.more
    }
}

impl Operations {
    /// Deletes a bounded part of what is over. Several processes may do so at once: a slower one finds nothing to do, or loses the race and
    /// leaves it. Each kind has its turn, also where another one fails, and so has each record of a kind.
    ///
    /// # Errors
    /// `internal` when storage is unavailable; the first error of a record. What was done stays done. While there may be more of a kind, what
    /// failed is left to the next sweep.
    pub async fn sweep(&self) -> OpResult<CleanupSummary> {
        let at = self.now();
        summary([
            self.expire_invitations(at).await,
            self.remove_unconfirmed_users(at).await,
            self.remove_overdue_workspaces(at).await,
            self.remind_of_ends(at).await,
            self.end_overdue_contracts().await,
            self.end_overdue_intents().await,
            self.report_undecided_purchases().await,
            self.expire_imports(at).await,
        ])
    }

    async fn remove_unconfirmed_users(&self, at: Timestamp) -> OpResult<Turns> {
        let before = at.plus(-CONFIRMABLE_FOR);
        let overdue = self.ports.store.expired_records().list_unconfirmed_users(before, MOST).await?;
        self.change_each(overdue, |changes, user| {
            changes.remove(user);
            Ok(())
        })
        .await
    }

    async fn remove_overdue_workspaces(&self, at: Timestamp) -> OpResult<Turns> {
        let before = at.plus(-RESTORABLE_FOR);
        let mut turns = Turns::default();
        for workspace in self.ports.store.expired_records().list_deleted_workspaces(before, MOST).await? {
            turns.take(self.remove_workspace(workspace).await)?;
        }
        Ok(turns)
    }

    async fn remind_of_ends(&self, at: Timestamp) -> OpResult<Turns> {
        let mut turns = Turns::default();
        for key in self.ports.store.expired_records().list_keys_to_remind_of(at, MOST).await? {
            turns.take(self.remind_of_end(key, at).await)?;
        }
        Ok(turns)
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

    async fn expire_invitations(&self, at: Timestamp) -> OpResult<Turns> {
        let overdue = self.ports.store.expired_records().list_overdue_invitations(at, MOST).await?;
        self.change_each(overdue, |changes, invitation| {
            step_membership(self, &Caller::system(), changes, invitation, Event::Expire).map(drop)
        })
        .await
    }

    /// Changes records in one commit. If that fails, each is changed in a commit of its own: one that fails stops no other.
    async fn change_each<T: Record>(
        &self,
        over: Vec<Seen<T>>,
        change: impl Fn(&mut Changes, Seen<T>) -> OpResult<()> + Send + Sync,
    ) -> OpResult<Turns> {
        if over.is_empty() {
            return Ok(Turns::default());
        }
        match self.change_together(over.clone(), &change).await {
            Ok(()) => return Ok(Turns::together(over.len())),
            Err(error) if concerns_every_record(&error) => return Err(error),
            Err(error) => tracing::debug!(source = ?error.source, "records are changed one by one"),
        }
        let mut turns = Turns::default();
        for seen in over {
            turns.take(self.change_together(vec![seen], &change).await)?;
        }
        Ok(turns)
    }

    async fn change_together<T: Record>(
        &self,
        over: Vec<Seen<T>>,
        change: &(impl Fn(&mut Changes, Seen<T>) -> OpResult<()> + Sync),
    ) -> OpResult<()> {
        let caller = Caller::system();
        let mut changes = Changes::by(&caller);
        for seen in over {
            change(&mut changes, seen)?;
        }
        self.commit(&caller, changes).await.map(drop)
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

/// Returns the number of each kind, in the order of the summary. A failure counts once no kind has more to do: one that lasts would leave most
/// records for later.
fn summary(done: [OpResult<Turns>; 8]) -> OpResult<CleanupSummary> {
    let (mut more, mut failed) = (false, None);
    let counts = done.map(|kind| {
        let (count, error) = match kind {
            Ok(turns) => {
                more |= turns.may_be_more(MOST);
                turns.into_parts()
            }
            Err(error) => (0, Some(error)),
        };
        failed = failed.take().or(error);
        count
    });
    let [invitations, users, workspaces, reminders, contracts, intents, remediations, imports] = counts;
    match failed {
        Some(error) if !more => Err(error),
        Some(_) | None => Ok(CleanupSummary {
            invitations,
            users,
            workspaces,
            reminders,
            contracts,
            intents,
            remediations,
            imports,
            more,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: usize = MOST as usize;

    fn failure() -> OpError {
        OpError::internal("a test lets it fail")
    }

    /// What comes of a sweep in which so many records of one kind were changed, and nothing of the others.
    fn swept(kind: usize, many: usize) -> CleanupSummary {
        let of = |number: usize| Ok(Turns::together(if number == kind { many } else { 0 }));
        summary(std::array::from_fn(of)).unwrap()
    }

    #[test]
    fn a_failure_of_one_kind_ends_the_sweeps_once_no_other_is_at_its_limit() {
        let swept = |contracts| {
            let nothing = || Ok(Turns::default());
            let (failed, contracts) = (Err(failure()), Ok(Turns::together(contracts)));
            summary([failed, nothing(), nothing(), nothing(), contracts, nothing(), nothing(), nothing()])
        };
        let all = CleanupSummary { contracts: FULL, more: true, ..CleanupSummary::default() };
        assert_eq!(swept(FULL).unwrap(), all);
        assert!(swept(FULL - 1).is_err());
    }

    #[test]
    fn records_of_a_full_list_that_fail_do_not_end_the_sweeps_until_nothing_else_is_left() {
        let swept = |changed: usize| {
            let mut turns = Turns::default();
            for number in 0..FULL {
                turns.take(if number < changed { Ok(()) } else { Err(failure()) }).unwrap();
            }
            let mut of_kinds = Some(turns);
            summary(std::array::from_fn(|_| Ok(of_kinds.take().unwrap_or_default())))
        };
        assert!(swept(1).unwrap().may_be_more());
        assert!(swept(0).is_err(), "the same records would fail for ever");
    }

    #[test]
    fn a_sweep_goes_on_while_any_kind_was_at_its_limit() {
        for kind in 0..8 {
            assert!(swept(kind, FULL).may_be_more(), "kind {kind}");
            assert!(!swept(kind, FULL - 1).may_be_more(), "kind {kind}");
        }
    }
}
