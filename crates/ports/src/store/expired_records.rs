//! Reads of expired records that are still stored.

use std::any::Any;

use async_trait::async_trait;
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::time::Timestamp;

use super::StoreResult;
use crate::changes::Seen;

/// Records that grant nothing once they have a certain age, in any state. No operation decides on them then. So one statement deletes many
/// of them unread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aged {
    /// Sessions, with the records that belong to them, by when they began.
    Sessions,
    /// Sign-ins that wait for a second factor, by when they began.
    PendingSignIns,
    /// Challenges, by when they were issued.
    Challenges,
    /// Wrong codes of keys and sessions, by when the first was tried.
    CodeGuesses,
    /// Links, by when they were mailed.
    EmailLinks,
    /// Links to other platforms, by when they were begun.
    AccountLinks,
    /// Answers of other platforms, by when they were accepted.
    SpentAnswers,
    /// Webhook deliveries that were accepted or cancelled, by when.
    DoneDeliveries,
    /// Webhook deliveries in any state, by when they were created.
    Deliveries,
    /// Alert messages in any state, by when they were created.
    AlertMessages,
    /// Chat messages in any status, by when they were recorded.
    ChatMessages,
    /// The sealed texts of chat messages, by when they were sealed first.
    ChatTexts,
}

impl Aged {
    /// Returns all of them.
    pub const ALL: [Self; 12] = [
        Self::Sessions,
        Self::PendingSignIns,
        Self::Challenges,
        Self::CodeGuesses,
        Self::EmailLinks,
        Self::AccountLinks,
        Self::SpentAnswers,
        Self::DoneDeliveries,
        Self::Deliveries,
        Self::AlertMessages,
        Self::ChatMessages,
        Self::ChatTexts,
    ];
}

/// The right to delete expired records, which one process has at a time. It ends when this is dropped, and with the process.
#[derive(Debug)]
pub struct ClearingTurn {
    _held: Box<dyn Any + Send>,
}

impl ClearingTurn {
    /// Returns the right, for the life of this value. For storage adapters.
    pub fn held_by(value: impl Any + Send) -> Self {
        Self { _held: Box::new(value) }
    }
}

/// Expired records that are still stored, of every workspace and user, which the process itself deletes. Each read has a limit and returns
/// the oldest first.
#[async_trait]
pub trait ExpiredRecords: Send + Sync {
    /// Acquires the right to delete expired records; `None` while another process has it.
    async fn begin_clearing(&self) -> StoreResult<Option<ClearingTurn>>;
    /// Deletes records that are older than a time, at most `most`, the oldest first. Returns their number. One statement.
    async fn forget_aged(&self, what: Aged, before: Timestamp, most: u32) -> StoreResult<u64>;
    /// Returns invitations that could be accepted until then.
    async fn list_overdue_invitations(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Membership>>>;
    /// Returns users of an unconfirmed sign-up before this time. No one can sign in as them, and their links no longer work.
    async fn list_unconfirmed_users(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<User>>>;
    /// Returns keys whose owners were due a reminder of their expiry by then.
    async fn list_keys_to_remind_of(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<ApiKey>>>;
    /// Returns workspaces that were deleted before this time.
    async fn list_deleted_workspaces(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<Workspace>>>;
}
