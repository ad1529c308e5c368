//! The log of status changes: one row for every step that a record takes, written with the step and never changed.

use time::Duration;

use crate::id::{
    AccountId, AccountSessionId, ApiKeyId, ChatMessageId, ConfirmationId, ContractId, FriendId, ImportId, IntentId,
    InventoryChangeId, InventoryItemId, MembershipId, PoolId, ProviderId, PurchaseId, RemediationId, RenewalId,
    TradeOfferId, TransitionId, UserId, WorkspaceId,
};
use crate::names::names;
use crate::text::{Description, ExternalId};
use crate::time::Timestamp;

/// The age of the oldest unseen change from which a watch may resume.
pub const WATCHED_FOR: Duration = Duration::days(31);

/// Longer than it takes from the id of a change to its position, on nodes whose clocks differ.
pub const PLACE_MARGIN: Duration = Duration::hours(1);

/// How long the position of a change is kept at least.
pub const PLACES_KEPT_FOR: Duration = WATCHED_FOR.saturating_add(PLACE_MARGIN);

/// One change of status of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// Its own id.
    pub id: TransitionId,
    /// The workspace of the record.
    pub workspace_id: WorkspaceId,
    /// The record that changed.
    pub subject: Subject,
    /// The status before; `None` when the record was made.
    pub from: Option<&'static str>,
    /// The status after.
    pub to: &'static str,
    /// The version that the record has after the change.
    pub version: i64,
    /// What caused the change: the name of the event.
    pub trigger: &'static str,
    /// Who caused it.
    pub actor: Actor,
    /// What the actor said about it.
    pub reason: Option<Description>,
    /// The outside identifier that proves it: an order, an offer, a trade.
    pub evidence: Option<ExternalId>,
    /// When it was, by the clock of the record.
    pub at: Timestamp,
    /// When it was written down, by the server's clock.
    pub logged_at: Timestamp,
}

/// The record whose status changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A membership.
    Membership(MembershipId),
    /// An API key.
    ApiKey(ApiKeyId),
    /// A contract.
    Contract(ContractId),
    /// A purchase.
    Purchase(PurchaseId),
    /// An inventory item.
    InventoryItem(InventoryItemId),
    /// A pool.
    Pool(PoolId),
    /// An intent.
    Intent(IntentId),
    /// A trading account.
    Account(AccountId),
    /// A remediation.
    Remediation(RemediationId),
    /// A provider.
    Provider(ProviderId),
    /// A trade offer.
    TradeOffer(TradeOfferId),
    /// An inventory change.
    InventoryChange(InventoryChangeId),
    /// An import.
    Import(ImportId),
    /// A friend of a trading account.
    Friend(FriendId),
    /// A chat message.
    ChatMessage(ChatMessageId),
    /// A confirmation of a trading account.
    Confirmation(ConfirmationId),
    /// A session of a trading account.
    AccountSession(AccountSessionId),
    /// A renewal of a token of a trading account.
    Renewal(RenewalId),
}

/// The kind of a [`Subject`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubjectKind {
    /// A membership.
    Membership = 1,
    /// An API key.
    ApiKey = 2,
    /// A contract.
    Contract = 3,
    /// A purchase.
    Purchase = 4,
    /// An inventory item.
    InventoryItem = 5,
    /// A pool.
    Pool = 6,
    /// An intent.
    Intent = 8,
    /// A trading account.
    Account = 9,
    /// A remediation.
    Remediation = 12,
    /// A provider.
    Provider = 13,
    /// A trade offer.
    TradeOffer = 14,
    /// An inventory change.
    InventoryChange = 16,
    /// An import.
    Import = 15,
    /// A friend of a trading account.
    Friend = 17,
    /// A chat message.
    ChatMessage = 18,
    /// A confirmation of a trading account.
    Confirmation = 11,
    /// A session of a trading account.
    AccountSession = 7,
    /// A renewal of a token of a trading account.
    Renewal = 10,
}

names! { SubjectKind, "kind of record":
    Membership => "MEMBERSHIP",
    ApiKey => "API_KEY",
    Contract => "CONTRACT",
    Purchase => "PURCHASE",
    InventoryItem => "INVENTORY_ITEM",
    Pool => "POOL",
    Intent => "INTENT",
    Account => "ACCOUNT",
    Remediation => "REMEDIATION",
    Provider => "PROVIDER",
    TradeOffer => "TRADE_OFFER",
    InventoryChange => "INVENTORY_CHANGE",
    Import => "IMPORT",
    Friend => "FRIEND",
    ChatMessage => "CHAT_MESSAGE",
    Confirmation => "CONFIRMATION",
    AccountSession => "ACCOUNT_SESSION",
    Renewal => "RENEWAL",
}

impl Subject {
    /// The kind of record.
    pub const fn kind(self) -> SubjectKind {
        match self {
            Self::Membership(_) => SubjectKind::Membership,
            Self::ApiKey(_) => SubjectKind::ApiKey,
            Self::Contract(_) => SubjectKind::Contract,
            Self::Purchase(_) => SubjectKind::Purchase,
            Self::InventoryItem(_) => SubjectKind::InventoryItem,
            Self::Intent(_) => SubjectKind::Intent,
            Self::Pool(_) => SubjectKind::Pool,
            Self::Account(_) => SubjectKind::Account,
            Self::Remediation(_) => SubjectKind::Remediation,
            Self::Provider(_) => SubjectKind::Provider,
            Self::TradeOffer(_) => SubjectKind::TradeOffer,
            Self::InventoryChange(_) => SubjectKind::InventoryChange,
            Self::Import(_) => SubjectKind::Import,
            Self::Friend(_) => SubjectKind::Friend,
            Self::ChatMessage(_) => SubjectKind::ChatMessage,
            Self::Confirmation(_) => SubjectKind::Confirmation,
            Self::AccountSession(_) => SubjectKind::AccountSession,
            Self::Renewal(_) => SubjectKind::Renewal,
        }
    }

    /// The bytes of the record's id.
    pub const fn id_bytes(self) -> [u8; 16] {
        match self {
            Self::Membership(id) => id.to_bytes(),
            Self::ApiKey(id) => id.to_bytes(),
            Self::Contract(id) => id.to_bytes(),
            Self::Purchase(id) => id.to_bytes(),
            Self::InventoryItem(id) => id.to_bytes(),
            Self::Intent(id) => id.to_bytes(),
            Self::Pool(id) => id.to_bytes(),
            Self::Account(id) => id.to_bytes(),
            Self::Remediation(id) => id.to_bytes(),
            Self::Provider(id) => id.to_bytes(),
            Self::TradeOffer(id) => id.to_bytes(),
            Self::InventoryChange(id) => id.to_bytes(),
            Self::Import(id) => id.to_bytes(),
            Self::Friend(id) => id.to_bytes(),
            Self::ChatMessage(id) => id.to_bytes(),
            Self::Confirmation(id) => id.to_bytes(),
            Self::AccountSession(id) => id.to_bytes(),
            Self::Renewal(id) => id.to_bytes(),
        }
    }

    /// The record of `kind` with the id `bytes`.
    pub const fn new(kind: SubjectKind, bytes: [u8; 16]) -> Self {
        match kind {
            SubjectKind::Membership => Self::Membership(MembershipId::from_bytes(bytes)),
            SubjectKind::ApiKey => Self::ApiKey(ApiKeyId::from_bytes(bytes)),
            SubjectKind::Contract => Self::Contract(ContractId::from_bytes(bytes)),
            SubjectKind::Purchase => Self::Purchase(PurchaseId::from_bytes(bytes)),
            SubjectKind::InventoryItem => Self::InventoryItem(InventoryItemId::from_bytes(bytes)),
            SubjectKind::Intent => Self::Intent(IntentId::from_bytes(bytes)),
            SubjectKind::Pool => Self::Pool(PoolId::from_bytes(bytes)),
            SubjectKind::Account => Self::Account(AccountId::from_bytes(bytes)),
            SubjectKind::Remediation => Self::Remediation(RemediationId::from_bytes(bytes)),
            SubjectKind::Provider => Self::Provider(ProviderId::from_bytes(bytes)),
            SubjectKind::TradeOffer => Self::TradeOffer(TradeOfferId::from_bytes(bytes)),
            SubjectKind::InventoryChange => Self::InventoryChange(InventoryChangeId::from_bytes(bytes)),
            SubjectKind::Import => Self::Import(ImportId::from_bytes(bytes)),
            SubjectKind::Friend => Self::Friend(FriendId::from_bytes(bytes)),
            SubjectKind::ChatMessage => Self::ChatMessage(ChatMessageId::from_bytes(bytes)),
            SubjectKind::Confirmation => Self::Confirmation(ConfirmationId::from_bytes(bytes)),
            SubjectKind::AccountSession => Self::AccountSession(AccountSessionId::from_bytes(bytes)),
            SubjectKind::Renewal => Self::Renewal(RenewalId::from_bytes(bytes)),
        }
    }
}

/// Who caused a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A signed-in user.
    User(UserId),
    /// A program, through an API key that acts for its user.
    ApiKey {
        /// The key.
        key: ApiKeyId,
        /// The user who made the key.
        user: UserId,
    },
    /// The service itself or the program that embeds it.
    System,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_its_kind_and_its_id() {
        for kind in SubjectKind::ALL {
            let subject = Subject::new(*kind, [9; 16]);
            assert_eq!((subject.kind(), subject.id_bytes()), (*kind, [9; 16]));
        }
    }
}
