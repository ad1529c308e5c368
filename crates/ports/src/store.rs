//! Storage: reads of one statement each, and one commit for all that an operation writes.
//!
//! Records of a workspace are read with a [`WorkspaceScope`], which only an authorised caller can make; a user's own
//! records with the user's id. Absent is `Ok(None)`. Nothing here reads a clock.

mod audit;
mod evaluations;
mod filter_sets;
mod following;
mod intents;
mod leases;
mod leftovers;
mod markets;
mod pools;
mod prices;
mod providers;
mod remediations;
mod reports;
mod trade_offers;
mod trading;
mod trading_accounts;
mod transitions;
mod usage;
mod workspace_keys;
mod worlds;

use std::ops::Deref;

use async_trait::async_trait;
use tradepost_domain::accounts::access::{Prover, WorkspaceScope};
use tradepost_domain::accounts::account_link::{AccountLink, Provider};
use tradepost_domain::accounts::api_key::{ApiKey, PepperId, TokenDigest};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{EmailLink, PurposeKind};
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesser, Guesses};
use tradepost_domain::accounts::mail::OutgoingMail;
use tradepost_domain::accounts::membership::{Membership, Status as MembershipStatus};
use tradepost_domain::accounts::passkey::{Passkey, PasskeyRegistration};
use tradepost_domain::accounts::session::Session;
use tradepost_domain::accounts::sign_in::{PasskeySignIn, PendingSignIn};
use tradepost_domain::accounts::step_up::{Challenge, Factors, Grant};
use tradepost_domain::accounts::totp::{RecoveryCodes, Totp, TotpEnrollment};
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::{
    AccountLinkId, ApiKeyId, ChallengeId, ExecutionId, Id, MembershipId, OfMembership, PasskeyId, SessionId, UserId,
    WorkspaceId,
};
use tradepost_domain::idempotency::Execution;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;

use crate::changes::{Changes, Committed, Seen};

pub use audit::{AuditActor, AuditFilter, AuditLogs, AuditPage, AuditScope, AuditState, ListedEvent};
pub use evaluations::{EvaluationFilter, Evaluations};
pub use filter_sets::FilterSets;
pub use following::{ActivityQuery, AtWork, Following, Slice};
pub use intents::{IntentFilter, Intents, ProposalQuery, Proposals, ProposedListings, ProposedPurchases};
pub use leases::Leases;
pub use leftovers::{Aged, ClearingTurn, Leftovers};
pub use markets::{
    HistoryQuery, MOST_OBSERVATIONS, Markets, ObservationFilter, ObservationSpan, Offer, Recorded, Together, Told,
    ToldThen,
};
pub use pools::{LedgerFilter, Pools};
pub use prices::Prices;
pub use providers::Providers;
pub use remediations::{RemediationFilter, Remediations};
pub use reports::{Position, ReportQuery, Reports};
pub use trade_offers::{TradeOfferFilter, TradeOffers};
pub use trading::{ContractFilter, ItemFilter, PurchaseFilter, Trading};
pub use trading_accounts::{AccountFilter, AssignmentFilter, TradingAccounts};
pub use transitions::{TransitionFilter, TransitionLog};
pub use usage::{Usage, UsageCount, UsageQuery};
pub use workspace_keys::{SealedSecret, WorkspaceKeys};
pub use worlds::{MarketKinds, Worlds};

/// Why storage did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// A record changed since it was read: decide again on fresh reads. Nothing was written.
    #[error("a record changed since it was read")]
    Conflict,
    /// The caller's key or session, membership or user changed: the rights must be looked at anew. Nothing was written.
    #[error("the caller's rights changed")]
    CallerChanged,
    /// The chain's rules do not allow the link where the chain stands. Nothing was written.
    #[error("the chain does not take the link")]
    LinkRefused,
    /// Something else has this key already. Nothing was written.
    #[error("{0:?} is taken")]
    Duplicate(Unique),
    /// Too much waits to be written. Nothing was written; the same may be tried again.
    #[error("too much waits to be written")]
    Overloaded,
    /// Storage cannot be reached or is full. Nothing was written.
    #[error("storage is unavailable: {0}")]
    Unavailable(String),
    /// The commit was sent and not answered: it may have happened. Look the record up by its id.
    #[error("the outcome of a commit is unknown: {0}")]
    Unknown(String),
    /// A stored value breaks a rule. Names table, column and row.
    #[error("stored data is corrupt: {0}")]
    Corrupt(String),
    /// A mistake of ours: a statement that cannot work.
    #[error("storage was misused: {0}")]
    Bug(String),
}

/// Why a store should be sent no calls now. All but the source may be shown to anybody.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotReady {
    /// The last write failed, and none has succeeded since.
    #[error("the last write to the database failed: {0}")]
    LastWriteFailed(String),
    /// The volume is almost full.
    #[error(
        "{} MiB are free on the volume of the database, less than the required {} MiB",
        .free_bytes / MIB,
        .required_bytes / MIB
    )]
    LittleSpace {
        /// How many bytes are free.
        free_bytes: u64,
        /// How many must be.
        required_bytes: u64,
    },
    /// The database does not answer as it should.
    #[error("the database cannot be written to")]
    Unreachable(#[source] StoreError),
}

const MIB: u64 = 1_024 * 1_024;

/// What must be unique, beside every record's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unique {
    /// A record's own address.
    Address,
    /// A verified e-mail address over all users.
    UserEmail,
    /// An identity of another platform over all users.
    LinkedIdentity,
    /// A passkey's credential id over all users.
    PasskeyCredential,
    /// A token's digest.
    TokenDigest,
    /// A live membership of a user in a workspace.
    LiveMember,
    /// A live invitation of an address into a workspace.
    LiveInvitation,
    /// A live purchase of a listing in a workspace.
    LiveListing,
    /// The purchase that an order of a marketplace belongs to in a workspace.
    PurchaseOrder,
    /// A live intent to buy a listing in a workspace.
    LiveBuy,
    /// A live intent about the sale of an item.
    LiveSale,
    /// A live item with an asset id in a workspace.
    LiveAsset,
    /// Evidence in an item's chain.
    LinkEvidence,
    /// The number of a key of a workspace.
    WorkspaceKey,
    /// The secret of a field of a workspace's record.
    SecretPlace,
    /// A caller's idempotency key for an operation.
    IdempotencyKey,
    /// An event in the chain of its log.
    ChainedEvent,
    /// A variant that was given a value in a workspace.
    OverriddenVariant,
    /// A part of a workspace's work.
    Lease,
    /// The name of a trading account in a workspace.
    AccountName,
    /// The platform's number of a trading account in a workspace.
    PlatformAccount,
    /// An account or group that is assigned to a pool.
    Assignment,
    /// A problem of a record that has not ended.
    OpenRemediation,
    /// The name of a provider of a kind in a workspace.
    ProviderName,
    /// The platform's id of a trade offer, as one account sees it.
    SeenOffer,
    /// A trade offer for an item that was not sent yet.
    UnsentOffer,
}

/// What storage answers.
pub type StoreResult<T> = Result<T, StoreError>;

/// Which page of a list, newest first by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest<K> {
    /// Only records made before this one; absent for the first page.
    pub before: Option<Id<K>>,
    /// Most ids on the page, at least 1.
    pub limit: u32,
}

/// A page of ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<K> {
    /// The ids, newest first.
    pub ids: Vec<Id<K>>,
    /// Whether there are more after the last one.
    pub more: bool,
}

/// A key with its owner and the owner's membership, as one read sees them.
#[derive(Debug, Clone)]
pub struct KeyRecord {
    /// The key.
    pub key: Seen<ApiKey>,
    /// Its owner.
    pub owner: Seen<User>,
    /// The owner's membership in the key's workspace.
    pub membership: Seen<Membership>,
}

/// A key in a listing.
#[derive(Debug, Clone)]
pub struct ListedKey {
    /// The key.
    pub key: Seen<ApiKey>,
    /// When it was last used, to the minute; absent until first use.
    pub last_used_at: Option<Timestamp>,
}

/// A use of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyUse {
    /// The key's workspace.
    pub workspace_id: WorkspaceId,
    /// The key.
    pub key_id: ApiKeyId,
    /// When.
    pub at: Timestamp,
}

/// A session with its user and the user's memberships, as one read sees them.
#[derive(Debug, Clone)]
pub struct SessionRecord {
    /// The session.
    pub session: ListedSession,
    /// Who signed in.
    pub user: Seen<User>,
    /// The user's live memberships, in whichever workspaces.
    pub memberships: Vec<Seen<Membership>>,
}

/// A session in a listing.
#[derive(Debug, Clone)]
pub struct ListedSession {
    /// The session.
    pub session: Seen<Session>,
    /// When it was last used, to the minute; absent until first use.
    pub last_seen_at: Option<Timestamp>,
}

/// A use of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionUse {
    /// The session's user.
    pub user_id: UserId,
    /// The session.
    pub session_id: SessionId,
    /// When.
    pub at: Timestamp,
}

/// Users and what proves who they are. Not of any workspace.
#[async_trait]
pub trait Users: Send + Sync {
    /// A user.
    async fn find_user(&self, id: UserId) -> StoreResult<Option<Seen<User>>>;
    /// Several users, in no order; those that are not there are left out.
    async fn find_users(&self, ids: &[UserId]) -> StoreResult<Vec<Seen<User>>>;
    /// The user with this verified address.
    async fn find_user_by_email(&self, email: &EmailAddress) -> StoreResult<Option<Seen<User>>>;
    /// Whether there is any user at all.
    async fn has_users(&self) -> StoreResult<bool>;
    /// Several users, in no order, as far as the viewer may see them: the viewer, and the accepted members of the workspaces.
    async fn find_fellows(
        &self,
        viewer: UserId,
        scopes: &[WorkspaceScope],
        ids: &[UserId],
    ) -> StoreResult<Vec<Seen<User>>>;
    /// How many identities of other platforms are linked to the user.
    async fn count_linked_identities(&self, user: UserId) -> StoreResult<i64>;
    /// The identities of other platforms that are linked to the user, the oldest first.
    async fn list_linked_identities(&self, user: UserId) -> StoreResult<Vec<Seen<LinkedIdentity>>>;
    /// The link for this purpose that was mailed to a user.
    async fn find_own_email_link(&self, user: UserId, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>>;
    /// A link by the digest of its token, whosever it is.
    async fn find_email_link(&self, digest: &TokenDigest) -> StoreResult<Option<Seen<EmailLink>>>;
    /// The latest link for this purpose that was mailed to an address, whosever it is.
    async fn find_email_link_to(&self, to: &EmailAddress, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>>;
}

/// Identities of other platforms, and links to them that were begun. Not of any workspace.
#[async_trait]
pub trait AccountLinks: Send + Sync {
    /// An identity, whosever it is.
    async fn find_linked_identity(
        &self,
        provider: Provider,
        subject: &Name,
    ) -> StoreResult<Option<Seen<LinkedIdentity>>>;
    /// A link that was begun, by whomever.
    async fn find_account_link(&self, id: AccountLinkId) -> StoreResult<Option<Seen<AccountLink>>>;
}

/// People who sign in. Not of any workspace.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// A sign-in that waits for a second factor.
    async fn find_pending_sign_in(&self, id: ChallengeId) -> StoreResult<Option<Seen<PendingSignIn>>>;
    /// The sign-ins of a user that wait for a second factor, expired ones included, the oldest first.
    async fn list_pending_sign_ins(&self, user: UserId) -> StoreResult<Vec<Seen<PendingSignIn>>>;
    /// A question for a passkey, whosever it is.
    async fn find_passkey_sign_in(&self, id: ChallengeId) -> StoreResult<Option<Seen<PasskeySignIn>>>;
    /// So many of those questions at most that were asked before a time, the oldest first.
    async fn list_passkey_sign_ins_before(&self, at: Timestamp, most: u16) -> StoreResult<Vec<Seen<PasskeySignIn>>>;
    /// A session with what bounds its rights, whether it is over or not.
    async fn find_session_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<SessionRecord>>;
    /// The sessions of a user, those that are over included, the oldest first.
    async fn list_sessions(&self, user: UserId) -> StoreResult<Vec<ListedSession>>;
    /// Notes when sessions were last used. Changes no version, and never moves a time back.
    async fn touch_sessions(&self, uses: &[SessionUse]) -> StoreResult<()>;
}

/// Calls that were carried out under an idempotency key. Not of any workspace.
#[async_trait]
pub trait Executions: Send + Sync {
    /// The call that was carried out under a key.
    async fn find_execution(&self, id: ExecutionId) -> StoreResult<Option<Seen<Execution>>>;
    /// Forgets keys that stand for their call no longer, with their answers: at most so many, the oldest first; how many they were.
    async fn forget_executions(&self, at: Timestamp, most: u32) -> StoreResult<u64>;
    /// Forgets answers that are kept no longer, and keeps their keys: at most so many, the oldest first; how many they were.
    async fn forget_answers(&self, at: Timestamp, most: u32) -> StoreResult<u64>;
}

/// Mails that wait to be handed over. Not of any workspace.
#[async_trait]
pub trait Outbox: Send + Sync {
    /// The mails that are to be tried now, those that have waited longest first.
    async fn list_due_mails(&self, at: Timestamp, limit: u32) -> StoreResult<Vec<Seen<OutgoingMail>>>;
}

/// Second factors and step-up of a user.
#[async_trait]
pub trait SecondFactors: Send + Sync {
    /// Which factors the user has.
    async fn find_factors(&self, user: UserId) -> StoreResult<Factors>;
    /// The enrolled authenticator app.
    async fn find_totp(&self, user: UserId) -> StoreResult<Option<Seen<Totp>>>;
    /// The enrolment that was begun.
    async fn find_totp_enrollment(&self, user: UserId) -> StoreResult<Option<Seen<TotpEnrollment>>>;
    /// The recovery codes.
    async fn find_recovery_codes(&self, user: UserId) -> StoreResult<Option<Seen<RecoveryCodes>>>;
    /// What was guessed wrongly at the account.
    async fn find_guesses(&self, user: UserId) -> StoreResult<Option<Seen<Guesses>>>;
    /// The wrong codes that a guesser with a credential tried at the account.
    async fn find_code_guesses(&self, user: UserId, by: Guesser) -> StoreResult<Option<Seen<CodeGuesses>>>;
    /// A passkey of the user's.
    async fn find_passkey(&self, user: UserId, id: PasskeyId) -> StoreResult<Option<Seen<Passkey>>>;
    /// All passkeys, disabled ones included, the oldest first.
    async fn list_passkeys(&self, user: UserId) -> StoreResult<Vec<Seen<Passkey>>>;
    /// The registration that was begun.
    async fn find_passkey_registration(&self, user: UserId) -> StoreResult<Option<Seen<PasskeyRegistration>>>;
    /// A challenge of the user's.
    async fn find_challenge(&self, user: UserId, id: ChallengeId) -> StoreResult<Option<Seen<Challenge>>>;
    /// The challenges put to a user for a key or session, expired ones included, the oldest first.
    async fn list_challenges(&self, prover: Prover) -> StoreResult<Vec<Seen<Challenge>>>;
    /// The proof given for a key or session.
    async fn find_grant(&self, prover: Prover) -> StoreResult<Option<Seen<Grant>>>;
}

/// Workspaces, memberships and keys.
#[async_trait]
pub trait Workspaces: Send + Sync {
    /// The workspace that was entered.
    async fn find_workspace(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<Workspace>>>;
    /// A membership of the workspace.
    async fn find_membership(&self, scope: WorkspaceScope, id: MembershipId) -> StoreResult<Option<Seen<Membership>>>;
    /// Several memberships of the workspace, in no order; those that are not there are left out.
    async fn find_memberships(&self, scope: WorkspaceScope, ids: &[MembershipId])
    -> StoreResult<Vec<Seen<Membership>>>;
    /// The live membership of a user in the workspace.
    async fn find_member(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Option<Seen<Membership>>>;
    /// A membership, in whichever workspace, that is the user's or an invitation of the user's verified address.
    async fn find_own_membership(&self, user: &User, id: MembershipId) -> StoreResult<Option<Seen<Membership>>>;
    /// The invitation with the digest of this token, into whichever workspace.
    async fn find_invitation(&self, token: &TokenDigest) -> StoreResult<Option<Seen<Membership>>>;
    /// How many accepted members of the workspace have neither an authenticator app nor a passkey that can be used.
    async fn count_members_without_strong_factor(&self, scope: WorkspaceScope) -> StoreResult<i64>;
    /// All live memberships of a user, in whichever workspaces, the oldest first.
    async fn list_own_memberships(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>>;
    /// All memberships that a user has or had, in whichever workspaces, the oldest first.
    async fn list_every_membership(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>>;
    /// The workspaces of which a user is an accepted member, the oldest first; deleted ones too, until they are removed.
    async fn list_own_workspaces(&self, user: UserId) -> StoreResult<Vec<Seen<Workspace>>>;
    /// Memberships of the workspace.
    async fn list_memberships(
        &self,
        scope: WorkspaceScope,
        status: Option<MembershipStatus>,
        page: PageRequest<OfMembership>,
    ) -> StoreResult<Page<OfMembership>>;
    /// How many memberships a user has over all workspaces by status, invitations of the verified address included.
    async fn count_own_memberships(&self, user: &User) -> StoreResult<Vec<(i16, i64)>>;
    /// How many memberships a user has or had in the workspace, by status.
    async fn count_memberships_of(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Vec<(i16, i64)>>;
    /// A key with what bounds its rights.
    async fn find_key_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<KeyRecord>>;
    /// A key of the workspace.
    async fn find_key(&self, scope: WorkspaceScope, id: ApiKeyId) -> StoreResult<Option<ListedKey>>;
    /// The live keys of the workspace and the latest expired ones, the newest first; revoked ones are left out.
    async fn list_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<Vec<ListedKey>>;
    /// The live keys that are bound to a membership, the oldest first.
    async fn list_member_keys(&self, membership: &Membership, at: Timestamp) -> StoreResult<Vec<Seen<ApiKey>>>;
    /// How many keys [`Workspaces::list_keys`] gives.
    async fn count_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64>;
    /// How many live keys the workspace has.
    async fn count_live_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64>;
    /// Notes when keys were last used. Changes no version, and never moves a time back.
    async fn touch_keys(&self, uses: &[KeyUse]) -> StoreResult<()>;
    /// Puts a digest under the newest pepper in the place of the one that was seen. Changes no version, as the key stays the same
    /// for everybody who decides upon it; a key that has another digest by now is left alone.
    async fn digest_key_anew(&self, key: &ApiKey, digest: TokenDigest, pepper: PepperId) -> StoreResult<()>;
}

/// Names the traits that every store implements.
macro_rules! records {
    ($($part:ident,)+) => {
        /// Everything that a store does without a commit: the reads, and the writes that change no version.
        pub trait Records: $($part +)+ Send + Sync {}

        impl<T: $($part +)+ Send + Sync> Records for T {}
    };
}

records! {
    Users,
    AccountLinks,
    Sessions,
    SecondFactors,
    Workspaces,
    Trading,
    Following,
    FilterSets,
    Evaluations,
    Intents,
    Pools,
    TradingAccounts,
    Remediations,
    TradeOffers,
    Reports,
    TransitionLog,
    Outbox,
    Executions,
    Usage,
    Markets,
    Prices,
    Providers,
    Leases,
    Leftovers,
    WorkspaceKeys,
    MarketKinds,
    AuditLogs,
}

/// A store. A `dyn Store` offers the methods of [`Records`] as its own.
///
/// A store that wraps another one returns the records of that one, and does what it is for in the other two methods.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// The records. A store that implements the traits itself returns itself.
    fn records(&self) -> &(dyn Records + 'static);

    /// Applies all of the changes or none.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was written unless it is [`StoreError::Unknown`].
    async fn commit(&self, changes: Changes) -> StoreResult<Committed>;

    /// Whether calls should be sent to this store now.
    ///
    /// # Errors
    /// [`NotReady`] says why not.
    async fn check_ready(&self) -> Result<(), NotReady>;
}

impl Deref for dyn Store + '_ {
    type Target = dyn Records;

    fn deref(&self) -> &Self::Target {
        self.records()
    }
}
