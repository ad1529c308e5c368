//! What a database error means to the port: the one place that knows SQLSTATEs and SQLite's codes.

use sea_orm::{ConnAcquireErr, DbErr, RuntimeErr};
use sqlx::postgres::{PgDatabaseError, PgSeverity};
use tradepost_ports::store::{StoreError, Unique};

/// What was being done when the error came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DbOperation {
    /// A statement after whose failure nothing is written.
    Statement,
    /// A commit, alone or as part of its only statement: with the connection the answer is lost, not the write.
    Commit,
}

/// In which way the database is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loss {
    /// It does not answer.
    OutOfReach,
    /// No connection became free in time: there may be too few, or none to be had.
    NoConnection,
    /// It answers, and accepts no writes.
    ReadOnly,
}

/// What an error means.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed is a mistake of ours, whatever it is")]
pub(crate) fn classify(error: &DbErr, during: DbOperation) -> StoreError {
    match error {
        DbErr::ConnectionAcquire(ConnAcquireErr::Timeout) => {
            StoreError::Unavailable("no connection became free in time".to_owned())
        }
        DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed) => {
            StoreError::Unavailable("storage is being closed".to_owned())
        }
        DbErr::Conn(RuntimeErr::SqlxError(failed)) => match of_sqlx(failed, DbOperation::Statement) {
            // A damaged file shows at the first read, which is when it is opened.
            corrupt @ StoreError::Corrupt(_) => corrupt,
            _ => StoreError::Unavailable(text_of(failed)),
        },
        DbErr::Conn(failed) => StoreError::Unavailable(failed.to_string()),
        DbErr::Exec(RuntimeErr::SqlxError(failed)) | DbErr::Query(RuntimeErr::SqlxError(failed)) => {
            of_sqlx(failed, during)
        }
        DbErr::Type(mismatch) => StoreError::Corrupt(mismatch.clone()),
        other => StoreError::Bug(other.to_string()),
    }
}

/// In which way a failed statement shows that the PostgreSQL server is lost; `None` where it failed for another reason.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed says nothing about the server")]
pub(crate) fn loss_of(error: &DbErr) -> Option<Loss> {
    let failed = match error {
        DbErr::ConnectionAcquire(ConnAcquireErr::Timeout) => return Some(Loss::NoConnection),
        DbErr::Conn(_) => return Some(Loss::OutOfReach),
        DbErr::Exec(RuntimeErr::SqlxError(failed)) | DbErr::Query(RuntimeErr::SqlxError(failed)) => failed,
        _ => return None,
    };
    match failed.as_ref() {
        sqlx::Error::Database(refused) => match refused.code().unwrap_or_default().as_ref() {
            "25006" => Some(Loss::ReadOnly),
            "57P01" | "57P02" | "57P03" => Some(Loss::OutOfReach),
            _ if severity_of(refused.as_ref()) == Some(PgSeverity::Panic) => Some(Loss::OutOfReach),
            state => state.starts_with("08").then_some(Loss::OutOfReach),
        },
        sqlx::Error::PoolTimedOut
        | sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::WorkerCrashed => Some(Loss::OutOfReach),
        _ => None,
    }
}

/// The SQLSTATE, or SQLite's extended code as text, if the database itself refused.
pub(crate) fn code_of(error: &DbErr) -> Option<String> {
    let (DbErr::Conn(RuntimeErr::SqlxError(failed))
    | DbErr::Exec(RuntimeErr::SqlxError(failed))
    | DbErr::Query(RuntimeErr::SqlxError(failed))) = error
    else {
        return None;
    };
    failed.as_database_error()?.code().map(Into::into)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed is a mistake of ours, whatever it is")]
pub(crate) fn of_sqlx(error: &sqlx::Error, during: DbOperation) -> StoreError {
    match error {
        sqlx::Error::Database(refused) => of_code(refused.as_ref(), during),
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => StoreError::Corrupt(error.to_string()),
        sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => StoreError::Unavailable(error.to_string()),
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => {
            lost(text_of(error), during)
        }
        other => StoreError::Bug(other.to_string()),
    }
}

/// What the driver says, but where it takes the end of a connection for an answer.
fn text_of(error: &sqlx::Error) -> String {
    let text = error.to_string();
    if text.contains("unexpected response from SSLRequest: 0x00") {
        return "the connection was closed before the server answered".to_owned();
    }
    text
}

fn of_code(refused: &dyn sqlx::error::DatabaseError, during: DbOperation) -> StoreError {
    let code = refused.code().unwrap_or_default();
    let says = || format!("{} ({code})", refused.message());
    match code.as_ref() {
        "23505" | "1555" | "2067" => unique(refused).map_or_else(|| StoreError::Bug(says()), StoreError::Duplicate),
        "40001" | "40P01" => StoreError::Conflict,
        // PostgreSQL: lock and statement timeouts. The statement was undone. No outage has a line for it in the log.
        "55P03" | "57014" => {
            tracing::warn!(why = says(), "statement ended by a time limit");
            StoreError::Unavailable(says())
        }
        // PostgreSQL: a read-only server. The statement was undone.
        "25006" => StoreError::Unavailable(says()),
        // The server goes down: whether it did so before or after the commit cannot be seen.
        "57P01" | "57P02" | "57P03" => lost(says(), during),
        // PostgreSQL: damaged data, and a damaged index. XX000 is any failure within the server or an extension of it.
        "XX001" | "XX002" => StoreError::Corrupt(says()),
        // PostgreSQL: the connection ended with the error, or the whole server, as it does when a flush fails. The commit may be stored.
        _ if matches!(severity_of(refused), Some(PgSeverity::Panic | PgSeverity::Fatal)) => lost(says(), during),
        // SQLite: busy, locked, read-only, full, and every kind of I/O error; the primary code is the low byte.
        sqlite if sqlite.parse().is_ok_and(|code: i32| matches!(code & 0xFF, 5 | 6 | 8 | 13 | 14)) => {
            StoreError::Unavailable(says())
        }
        sqlite if sqlite.parse().is_ok_and(|code: i32| code & 0xFF == 10) => lost(says(), during),
        "11" | "26" | "267" => StoreError::Corrupt(says()),
        // PostgreSQL: connection exceptions, and resources that ran out.
        state if state.starts_with("08") => lost(says(), during),
        state if state.starts_with("53") => StoreError::Unavailable(says()),
        _ => StoreError::Bug(says()),
    }
}

/// How severe PostgreSQL calls its error; `None` for an error of SQLite.
fn severity_of(refused: &dyn sqlx::error::DatabaseError) -> Option<PgSeverity> {
    refused.try_downcast_ref::<PgDatabaseError>().map(PgDatabaseError::severity)
}

fn lost(why: String, during: DbOperation) -> StoreError {
    match during {
        DbOperation::Statement => StoreError::Unavailable(why),
        DbOperation::Commit => StoreError::Unknown(why),
    }
}

/// The indexes of what is unique: as PostgreSQL names them, and the columns by which SQLite does.
const INDEXES: [(&str, &str, Unique); 40] = [
    (
        "alert_messages_problem",
        "alert_messages.workspace_id, alert_messages.channel_id, alert_messages.problem",
        Unique::AlertProblem,
    ),
    ("friends_user", "friends.workspace_id, friends.account_id, friends.platform_user_id", Unique::Friend),
    (
        "confirmations_seen",
        "confirmations.workspace_id, confirmations.account_name, confirmations.platform_id",
        Unique::SeenConfirmation,
    ),
    (
        "conversations_partner",
        "conversations.workspace_id, conversations.account_id, conversations.partner",
        Unique::Conversation,
    ),
    (
        "chat_messages_place",
        "chat_messages.workspace_id, chat_messages.conversation_id, chat_messages.sent_at, chat_messages.ordinal",
        Unique::MessagePlace,
    ),
    ("audit_chain_event", "audit_chain.log_id, audit_chain.event_id", Unique::ChainedEvent),
    ("executions_pkey", "executions.id", Unique::IdempotencyKey),
    ("users_email", "users.email_key", Unique::UserEmail),
    ("linked_identities_subject", "linked_identities.provider, linked_identities.subject", Unique::LinkedIdentity),
    ("passkeys_credential", "passkeys.credential_id", Unique::PasskeyCredential),
    ("email_links_digest", "email_links.digest", Unique::TokenDigest),
    ("sessions_digest", "sessions.digest", Unique::TokenDigest),
    ("api_keys_digest", "api_keys.digest", Unique::TokenDigest),
    ("memberships_live_member", "memberships.workspace_id, memberships.user_id", Unique::LiveMember),
    ("memberships_invitation_token", "memberships.invitation_digest", Unique::TokenDigest),
    ("memberships_live_invitation", "memberships.workspace_id, memberships.invitee_key", Unique::LiveInvitation),
    ("workspace_keys_number", "workspace_keys.workspace_id, workspace_keys.number", Unique::WorkspaceKey),
    (
        "workspace_secrets_place",
        "workspace_secrets.workspace_id, workspace_secrets.of_table, workspace_secrets.of_column, workspace_secrets.of_row",
        Unique::SecretPlace,
    ),
    ("intents_live_buy", "intents.workspace_id, intents.marketplace, intents.listing_id", Unique::LiveBuy),
    ("intents_would_buy", "intents.workspace_id, intents.marketplace, intents.listing_id", Unique::LiveBuy),
    ("intents_live_sale", "intents.workspace_id, intents.inventory_item_id", Unique::LiveSale),
    (
        "remediations_open",
        "remediations.workspace_id, remediations.subject_id, remediations.kind",
        Unique::OpenRemediation,
    ),
    (
        "trade_offers_seen",
        "trade_offers.workspace_id, trade_offers.account_name, trade_offers.offer_id",
        Unique::SeenOffer,
    ),
    ("snapshots_number", "snapshots.workspace_id, snapshots.account_id, snapshots.number", Unique::SnapshotNumber),
    ("snapshots_taking", "snapshots.workspace_id, snapshots.account_id", Unique::TakenSnapshot),
    (
        "snapshot_items_shown",
        "snapshot_items.workspace_id, snapshot_items.account_id, snapshot_items.app_id, snapshot_items.asset_id",
        Unique::ShownItem,
    ),
    ("account_sessions_live", "account_sessions.workspace_id, account_sessions.account_id", Unique::LiveAccountSession),
    ("renewals_open", "renewals.workspace_id, renewals.account_id, renewals.kind", Unique::OpenRenewal),
    ("trade_offers_unsent", "trade_offers.workspace_id, trade_offers.owner_id", Unique::UnsentOffer),
    (
        "price_overrides_variant",
        "price_overrides.workspace_id, price_overrides.market_hash_name, price_overrides.app_id, price_overrides.phase",
        Unique::OverriddenVariant,
    ),
    ("providers_name", "providers.workspace_id, providers.kind, providers.name", Unique::ProviderName),
    ("leases_work", "leases.workspace_id, leases.work_kind, leases.work_name", Unique::Lease),
    ("trading_accounts_name", "trading_accounts.workspace_id, trading_accounts.name", Unique::AccountName),
    (
        "trading_accounts_number",
        "trading_accounts.workspace_id, trading_accounts.platform, trading_accounts.platform_user_id",
        Unique::PlatformAccount,
    ),
    (
        "assignments_account",
        "assignments.workspace_id, assignments.pool_id, assignments.account_id",
        Unique::Assignment,
    ),
    (
        "assignments_group",
        "assignments.workspace_id, assignments.pool_id, assignments.account_group_id",
        Unique::Assignment,
    ),
    (
        "purchases_live_listing",
        "purchases.workspace_id, purchases.marketplace, purchases.listing_id",
        Unique::LiveListing,
    ),
    ("purchases_order", "purchases.workspace_id, purchases.marketplace, purchases.order_id", Unique::PurchaseOrder),
    (
        "inventory_items_live_asset",
        "inventory_items.workspace_id, inventory_items.app_id, inventory_items.current_asset_id",
        Unique::LiveAsset,
    ),
    (
        "asset_id_links_evidence",
        "asset_id_links.workspace_id, asset_id_links.inventory_item_id, asset_id_links.source, asset_id_links.source_id",
        Unique::LinkEvidence,
    ),
];

/// Which uniqueness was broken. PostgreSQL names the index; SQLite names the columns in its message.
fn unique(refused: &dyn sqlx::error::DatabaseError) -> Option<Unique> {
    const IDS: [(&str, &str); 2] = [("asset_id_links_id", "asset_id_links.id"), ("transitions_id", "transitions.id")];
    let broken = match refused.constraint() {
        Some(index) => INDEXES.iter().find(|(name, _, _)| *name == index),
        None => INDEXES.iter().find(|(_, columns, _)| refused.message().ends_with(columns)),
    };
    if let Some((_, _, unique)) = broken {
        return Some(*unique);
    }
    let is_key = refused.code().as_deref() == Some("1555");
    let is_address = match refused.constraint() {
        Some(index) => index.ends_with("_pkey") || IDS.iter().any(|(name, _)| *name == index),
        None => is_key || IDS.iter().any(|(_, columns)| refused.message().ends_with(columns)),
    };
    is_address.then_some(Unique::Address)
}
