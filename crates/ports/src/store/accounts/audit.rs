//! Reads of the audit log: for whoever asks what was done, and for the chain that is made over it.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{AuditHead, AuditHome, AuditKind, SealedEvent, StoredLink, WaitingEvent};
use tradepost_domain::id::{ApiKeyId, AuditEventId, AuditLogId, OfAuditEvent, UserId};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{PageRequest, StoreResult};

/// Whose audit log is read.
#[derive(Debug, Clone, Copy)]
pub enum AuditScope {
    /// That of the workspace that was entered.
    Workspace(WorkspaceScope),
    /// A user's own.
    User(UserId),
    /// The installation's.
    Installation,
}

impl AuditScope {
    /// The log.
    pub fn log_id(self) -> AuditLogId {
        let home = match self {
            Self::Workspace(scope) => AuditHome::Workspace(scope.workspace_id()),
            Self::User(user) => AuditHome::User(user),
            Self::Installation => AuditHome::Installation,
        };
        home.log_id()
    }
}

/// Which events to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// Only what was done by this user or key.
    pub actor: Option<AuditActor>,
    /// Only what is of this type.
    pub kind: Option<AuditKind>,
    /// Only what was done at this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only what was done before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

/// By whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditActor {
    /// A user, in person or through any of their keys.
    User(UserId),
    /// A key.
    ApiKey(ApiKeyId),
}

/// An event in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedEvent {
    /// The event.
    pub sealed: SealedEvent,
    /// Its sequence and hash; `None` until it is chained.
    pub chained: Option<(i64, [u8; 32])>,
}

/// A page of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditPage {
    /// The events, newest first.
    pub events: Vec<ListedEvent>,
    /// Whether there are more after the last one.
    pub more: bool,
}

/// How a log stands, as one read sees it.
#[derive(Debug, Clone)]
pub struct AuditState {
    /// Where its chain ends; `None` before the first event was chained.
    pub head: Option<Seen<AuditHead>>,
    /// How many events it has.
    pub events: i64,
    /// How many links its chain has.
    pub links: i64,
    /// How many events wait to be chained.
    pub waiting: i64,
    /// Since when anything is audited here.
    pub began: Timestamp,
}

/// What was done, by whom, and the chain over it.
#[async_trait]
pub trait AuditLogs: Send + Sync {
    /// Events that are not chained yet, of whichever logs, the oldest first, those after an event.
    async fn list_waiting_audit_events(
        &self,
        after: Option<AuditEventId>,
        limit: u32,
    ) -> StoreResult<Vec<WaitingEvent>>;
    /// Where the chain of a log ends, to go on from there.
    async fn find_audit_head(&self, log: AuditLogId) -> StoreResult<Option<Seen<AuditHead>>>;
    /// Where the chains of logs end, in the order of the logs, those after one.
    async fn list_audit_heads(&self, after: Option<AuditLogId>, limit: u32) -> StoreResult<Vec<Seen<AuditHead>>>;
    /// How a log stands.
    async fn find_audit_state(&self, scope: AuditScope) -> StoreResult<AuditState>;
    /// The chain of a log after a sequence, in order, with its events.
    async fn list_audit_links(&self, scope: AuditScope, after: i64, limit: u32) -> StoreResult<Vec<StoredLink>>;
    /// Events in the log of the workspace.
    async fn list_audit_events(
        &self,
        scope: WorkspaceScope,
        filter: AuditFilter,
        page: PageRequest<OfAuditEvent>,
    ) -> StoreResult<AuditPage>;
    /// Events in a user's own log, and what the user did in any other.
    async fn list_own_audit_events(&self, user: UserId, page: PageRequest<OfAuditEvent>) -> StoreResult<AuditPage>;
}
