//! The reasons why a call to storage fails.

/// The reason why storage did not do its work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// A record changed since it was read. The caller decides again on fresh reads. Nothing was written.
    #[error("a record changed since it was read")]
    Conflict,
    /// The caller's key or session, membership or user changed: the rights must be checked again. Nothing was written.
    #[error("the caller's rights changed")]
    CallerChanged,
    /// The chain's rules do not allow the link at the current end of the chain. Nothing was written.
    #[error("the chain does not take the link")]
    LinkRefused,
    /// Another record has this key already. Nothing was written.
    #[error("{0:?} is taken")]
    Duplicate(Unique),
    /// Too many writes are waiting. Nothing was written; the caller may retry.
    #[error("too much waits to be written")]
    Overloaded,
    /// Storage cannot be reached or is full. Nothing was written.
    #[error("storage is unavailable: {0}")]
    Unavailable(String),
    /// The commit was sent and not answered: it may have happened. The caller looks the record up by its id.
    #[error("the outcome of a commit is unknown: {0}")]
    Unknown(String),
    /// A stored value breaks a rule. Names table, column and row. Nothing was written.
    #[error("stored data is corrupt: {0}")]
    Corrupt(String),
    /// A bug of ours: a statement that cannot work. Nothing was written.
    #[error("storage was misused: {0}")]
    Bug(String),
}

/// The reason why a store should get no calls now. Everything but the source may be shown to any caller.
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
        /// The number of free bytes.
        free_bytes: u64,
        /// The required number of free bytes.
        required_bytes: u64,
    },
    /// The database does not answer correctly.
    #[error("the database cannot be written to")]
    Unreachable(#[source] StoreError),
}

const MIB: u64 = 1_024 * 1_024;

/// A value that must be unique, in addition to every record's address.
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
    /// A live intent to buy a listing in a workspace, or the one that shows that it would be bought.
    LiveBuy,
    /// A live intent to sell or transfer an item.
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
    /// A variant that has a price override in a workspace.
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
    /// The message of an alert channel about a problem.
    AlertProblem,
    /// A snapshot of an account that is being taken.
    TakenSnapshot,
    /// The place of a snapshot among those of its account.
    SnapshotNumber,
    /// An item that the latest snapshot of an account shows.
    ShownItem,
    /// Another account as a friend of a trading account.
    Friend,
    /// The conversation of a trading account with a partner.
    Conversation,
    /// The place of a message in its conversation.
    MessagePlace,
    /// The platform's id of a confirmation of a trading account.
    SeenConfirmation,
    /// A session of an account that is not over.
    LiveAccountSession,
    /// A renewal of an account's token of a kind that is not over.
    OpenRenewal,
}

/// The result of a call to storage.
pub type StoreResult<T> = Result<T, StoreError>;
