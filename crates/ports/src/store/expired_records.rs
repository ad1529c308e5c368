//! Reads of what is over and still stored.

use std::any::Any;

use async_trait::async_trait;
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::time::Timestamp;

use super::StoreResult;
use crate::changes::Seen;

/// Records that open nothing once they have a certain age, whatever their state is: nobody decides on them then, so that they are deleted
/// unseen, many by one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aged {
    /// Sessions, with what belongs to them, by when they began.
    Sessions,
    /// Sign-ins that wait for a second factor, by when they began.
    PendingSignIns,
    /// Challenges, by when they were put.
    Challenges,
    /// Wrong codes of keys and sessions, by when the first was tried.
    CodeGuesses,
    /// Links, by when they were mailed.
    EmailLinks,
    /// Links to other platforms, by when they were begun.
    AccountLinks,
    /// Answers of other platforms, by when they were accepted.
    SpentAnswers,
}

impl Aged {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Sessions,
        Self::PendingSignIns,
        Self::Challenges,
        Self::CodeGuesses,
        Self::EmailLinks,
        Self::AccountLinks,
        Self::SpentAnswers,
    ];
}

/// The right to clear away what is over, which one process has at a time. It ends when this is dropped, and with the process.
#[derive(Debug)]
pub struct ClearingTurn {
    _held: Box<dyn Any + Send>,
}

impl ClearingTurn {
    /// The right, for as long as this value lives. For storage adapters.
    pub fn held_by(value: impl Any + Send) -> Self {
        Self { _held: Box::new(value) }
    }
}

/// What is over and still stored, of every workspace and user: for the process itself to clear away. At most so many of each,
/// the oldest first.
#[async_trait]
pub trait ExpiredRecordReads: Send + Sync {
    /// Invitations that could be accepted until then.
    async fn list_overdue_invitations(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Membership>>>;
    /// Takes the right to clear away what is over; `None` while another process has it.
    async fn begin_clearing(&self) -> StoreResult<Option<ClearingTurn>>;
    /// Deletes records that are older than a time, at most so many, the oldest first; how many they were. One statement.
    async fn forget_aged(&self, what: Aged, before: Timestamp, most: u32) -> StoreResult<u64>;
    /// Users of a sign-up before that was never confirmed: nothing signs in to them, and no link can be followed any more.
    async fn list_unconfirmed_users(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<User>>>;
    /// Keys of whose end their owners were to be reminded by then.
    async fn list_keys_to_remind_of(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<ApiKey>>>;
    /// Workspaces that were deleted before.
    async fn list_deleted_workspaces(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<Workspace>>>;
}
