//! Reads of what is over and still stored.

use async_trait::async_trait;
use tradepost_domain::api_key::ApiKey;
use tradepost_domain::email_link::EmailLink;
use tradepost_domain::membership::Membership;
use tradepost_domain::session::Session;
use tradepost_domain::sign_in::PendingSignIn;
use tradepost_domain::step_up::Challenge;
use tradepost_domain::time::Timestamp;
use tradepost_domain::user::User;
use tradepost_domain::workspace::Workspace;

use super::StoreResult;
use crate::changes::Seen;

/// What is over and still stored, of every workspace and user: for the process itself to clear away. At most so many of each,
/// the oldest first.
#[async_trait]
pub trait Leftovers: Send + Sync {
    /// Invitations that could be accepted until then.
    async fn list_overdue_invitations(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Membership>>>;
    /// Sessions that were begun before.
    async fn list_old_sessions(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<Session>>>;
    /// Sign-ins that wait for a second factor since before.
    async fn list_old_pending_sign_ins(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<PendingSignIn>>>;
    /// Challenges that were put before.
    async fn list_old_challenges(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<Challenge>>>;
    /// Links that were mailed before.
    async fn list_old_email_links(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<EmailLink>>>;
    /// Users of a sign-up before that was never confirmed: nothing signs in to them, and no link can be followed any more.
    async fn list_unconfirmed_users(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<User>>>;
    /// Keys of whose end their owners were to be reminded by then.
    async fn list_keys_to_remind_of(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<ApiKey>>>;
    /// Workspaces that were deleted before.
    async fn list_deleted_workspaces(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<Workspace>>>;
}
