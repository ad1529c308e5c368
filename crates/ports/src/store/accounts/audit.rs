//! Reads of the audit log: for callers that list events, and for the chain over them.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{AuditHead, AuditHome, AuditKind, SealedEvent, StoredLink, WaitingEvent};
use tradepost_domain::id::{ApiKeyId, AuditEventId, AuditLogId, OfAuditEvent, UserId};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{PageRequest, StoreResult};

/// The audit log to read.
#[derive(Debug, Clone, Copy)]
pub enum AuditScope {
    /// The log of the workspace that was entered.
    Workspace(WorkspaceScope),
    /// A user's own log.
    User(UserId),
    /// The log of the installation.
    Installation,
}

impl AuditScope {
    /// Returns the id of the log.
    pub fn log_id(self) -> AuditLogId {
        let home = match self {
            Self::Workspace(scope) => AuditHome::Workspace(scope.workspace_id()),
            Self::User(user) => AuditHome::User(user),
            Self::Installation => AuditHome::Installation,
        };
        home.log_id()
    }
}

/// The events to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// Only actions of this user or key.
    pub actor: Option<AuditActor>,
    /// Only events of this type.
    pub kind: Option<AuditKind>,
    /// Only events of this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only events before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

/// The actor of an event.
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

/// The state of a log, as one read sees it.
#[derive(Debug, Clone)]
pub struct AuditState {
    /// The end of its chain; `None` before the first event was chained.
    pub head: Option<Seen<AuditHead>>,
    /// The number of its events.
    pub events: i64,
    /// The number of links in its chain.
    pub links: i64,
    /// The number of events that wait to be chained.
    pub waiting: i64,
    /// The time since which events are audited here.
    pub began: Timestamp,
}

/// The audited actions with their actors, and the chain over them.
#[async_trait]
pub trait AuditLogs: Send + Sync {
    /// Returns events of any log that are not chained yet, the oldest first, those after an event.
    async fn list_waiting_events(&self, after: Option<AuditEventId>, limit: u32) -> StoreResult<Vec<WaitingEvent>>;
    /// Returns the end of the chain of a log, to continue from there.
    async fn find_head(&self, log: AuditLogId) -> StoreResult<Option<Seen<AuditHead>>>;
    /// Returns the ends of the chains of logs, in the order of the logs, those after one.
    async fn list_heads(&self, after: Option<AuditLogId>, limit: u32) -> StoreResult<Vec<Seen<AuditHead>>>;
    /// Returns the state of a log.
    async fn find_state(&self, scope: AuditScope) -> StoreResult<AuditState>;
    /// Returns the chain of a log after a sequence, in order, with its events.
    async fn list_links(&self, scope: AuditScope, after: i64, limit: u32) -> StoreResult<Vec<StoredLink>>;
    /// Returns events in the log of the workspace.
    async fn list_events(
        &self,
        scope: WorkspaceScope,
        filter: AuditFilter,
        page: PageRequest<OfAuditEvent>,
    ) -> StoreResult<AuditPage>;
    /// Returns events in a user's own log, and the user's actions in any other log.
    async fn list_own_events(&self, user: UserId, page: PageRequest<OfAuditEvent>) -> StoreResult<AuditPage>;
}
