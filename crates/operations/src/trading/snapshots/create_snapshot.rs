//! [`CreateSnapshot`], [`BeginSnapshot`] and [`SnapshotsToTake`]: a person or the engine asks for a snapshot, which the engine takes. The
//! last two are not operations of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, OfSnapshot, RecordKey, WorkspaceId};
use tradepost_domain::trading::snapshot::{Snapshot, SnapshotStatus, SnapshotTrigger};
use tradepost_domain::trading::trading_account::AccountGone;
use tradepost_ports::changes::{Caller, Changes, Revised};
use tradepost_ports::store::{PageRequest, RecordBatch, SnapshotFilter, StoreError, Unique};

use crate::rules;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{OpError, OpResult, Operations, Versioned};

/// The most snapshots that wait for the engine and are read at once.
const MOST_WAITING: u32 = 200;

/// Asks for a snapshot of an account's inventory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreateSnapshot {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// An announcement of an engine that it is about to take a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeginSnapshot {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// Why it is taken.
    pub trigger: SnapshotTrigger,
}

/// A query for the snapshots that wait for an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotsToTake {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Asks for a snapshot of an account, which the engine takes in one of its next passes. If one is taken already, it is returned.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ACCOUNT_REMOVED`.
    pub async fn create_snapshot(&self, caller: &Caller, command: CreateSnapshot) -> OpResult<Versioned<Snapshot>> {
        let scope = rules::CREATE_SNAPSHOT.enter(&caller.principal, command.workspace_id)?;
        self.ask_for_snapshot(caller, scope, command.account_id, SnapshotTrigger::Person).await
    }

    /// Returns the snapshot of an account that is to be taken now: one that waits, or a new one.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ACCOUNT_REMOVED`.
    pub async fn begin_snapshot(&self, caller: &Caller, command: BeginSnapshot) -> OpResult<Versioned<Snapshot>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        self.ask_for_snapshot(caller, scope, command.account_id, command.trigger).await
    }

    /// Returns snapshots that wait for an engine, the oldest first.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn snapshots_to_take(
        &self,
        caller: &Caller,
        command: SnapshotsToTake,
    ) -> OpResult<Vec<Versioned<Snapshot>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let slice = RecordBatch { after: None, most: MOST_WAITING };
        let waiting = self.ports.store.snapshots().list_snapshots_in(scope, SnapshotStatus::Taking, slice).await?;
        Ok(waiting.into_iter().map(Versioned::from).collect())
    }

    async fn ask_for_snapshot(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        account_id: AccountId,
        trigger: SnapshotTrigger,
    ) -> OpResult<Versioned<Snapshot>> {
        let at = self.market_now(scope.workspace_id());
        self.retrying(|| async {
            let account = account_as_seen(self, scope, account_id, None).await?;
            if account.peek().status.is_terminal() {
                return Err(AccountGone.into());
            }
            if let Some(waiting) = self.waiting_snapshot(scope, account_id).await? {
                return Ok(waiting);
            }
            let mut changes = Changes::by(caller);
            changes.rely_on(account);
            let key = RecordKey { workspace_id: scope.workspace_id(), id: self.mint() };
            let asked = Snapshot::asked(key, account_id, trigger, at);
            if trigger == SnapshotTrigger::Person {
                changes.audit(AuditKind::SnapshotCreated, &asked);
            }
            changes.insert(asked.clone());
            match self.commit(caller, changes).await {
                Err(OpError { source: Some(StoreError::Duplicate(Unique::TakenSnapshot)), .. }) => {
                    Err(StoreError::Conflict.into())
                }
                outcome => outcome.map(|_| Revised { value: asked, version: 1 }.into()),
            }
        })
        .await
    }

    /// Returns the snapshot of an account that waits or is being taken.
    pub(crate) async fn waiting_snapshot(
        &self,
        scope: WorkspaceScope,
        account_id: AccountId,
    ) -> OpResult<Option<Versioned<Snapshot>>> {
        let filter = SnapshotFilter { account_id: Some(account_id), status: Some(SnapshotStatus::Taking) };
        let page = PageRequest::<OfSnapshot> { before: None, limit: 1 };
        let ids = self.ports.store.snapshots().list_snapshots(scope, filter, page).await?.ids;
        let found = self.ports.store.snapshots().find_snapshots(scope, &ids).await?;
        Ok(found.into_iter().next().map(Versioned::from))
    }
}
