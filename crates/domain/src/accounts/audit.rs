//! The audit log: what was done to whom, by whom, written with the change that it describes.
//!
//! This module owns the shape of an event, its canonical bytes and the laws of the chain that is made of them. It must not
//! know when events are chained, nor the key by which the installation authenticates them.

mod action;
mod canonical;
mod chain;
mod kind;

use std::net::IpAddr;

use crate::id::{
    AccountGroupId, AccountId, AccountSessionId, AlertChannelId, AlertRuleId, ApiKeyId, AssignmentId, AuditEventId,
    AuditLogId, ChatMessageId, ConfirmationId, ContractId, ConversationId, FilterSetId, FriendId, ImportId, IntentId,
    InventoryChangeId, LinkedIdentityId, MembershipId, PasskeyId, PoolId, PriceOverrideId, ProviderId, PurchaseId,
    RemediationId, RenewalId, SessionId, SnapshotId, TradeOfferId, UserId, WebhookEndpointId, WorkspaceId,
    WorkspaceKeyId,
};
use crate::names::names;
use crate::time::Timestamp;
use crate::transition::Actor;

pub use action::{About, AuditedAction};
pub use chain::{AuditHead, AuditLink, AuditWalk, GENESIS, StoredLink, WaitingEvent};
pub use kind::{AuditKind, Fact};

/// Something that was done, or tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// Its own id.
    pub id: AuditEventId,
    /// The log that contains it.
    pub home: AuditHome,
    /// What was done.
    pub kind: AuditKind,
    /// The caller who did it; `None` for an unauthenticated caller.
    pub actor: Option<Actor>,
    /// To what it was done; `None` where there is no such thing.
    pub subject: Option<AuditSubject>,
    /// The address that the call came from.
    pub client: Option<IpAddr>,
    /// What else is to be known. Never a secret, never an address of a person.
    pub details: Vec<(Fact, String)>,
    /// When.
    pub at: Timestamp,
}

/// An event with the proof that this installation wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedEvent {
    /// The event.
    pub event: AuditEvent,
    /// An authenticator of its canonical bytes, under a key that no database holds.
    pub mac: [u8; 32],
}

/// The log that contains an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AuditHome {
    /// A workspace's log, for its owner and admins.
    Workspace(WorkspaceId),
    /// A user's own, for what belongs to no workspace.
    User(UserId),
    /// The installation's log, for events without a known user or workspace.
    Installation,
}

impl AuditHome {
    /// The log.
    pub const fn log_id(self) -> AuditLogId {
        match self {
            Self::Workspace(id) => AuditLogId::from_bytes(id.to_bytes()),
            Self::User(id) => AuditLogId::from_bytes(id.to_bytes()),
            Self::Installation => AuditLogId::from_bytes([0; 16]),
        }
    }

    /// The number under which the kind of home is stored.
    pub const fn code(self) -> i16 {
        match self {
            Self::Workspace(_) => 1,
            Self::User(_) => 2,
            Self::Installation => 3,
        }
    }

    /// Returns the home that is stored as this kind and log.
    pub fn from_stored(code: i16, log: AuditLogId) -> Option<Self> {
        let home = match code {
            1 => Self::Workspace(WorkspaceId::from_bytes(log.to_bytes())),
            2 => Self::User(UserId::from_bytes(log.to_bytes())),
            3 => Self::Installation,
            _ => return None,
        };
        (home.log_id() == log).then_some(home)
    }
}

/// What something was done to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AuditSubject {
    /// The kind of record.
    pub kind: AuditSubjectKind,
    /// Its id.
    pub id: [u8; 16],
}

/// The kind of an [`AuditSubject`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditSubjectKind {
    /// A user.
    User = 1,
    /// A workspace.
    Workspace = 2,
    /// A membership.
    Membership = 3,
    /// An API key.
    ApiKey = 4,
    /// A session.
    Session = 5,
    /// A passkey.
    Passkey = 6,
    /// A linked identity.
    LinkedIdentity = 7,
    /// A contract.
    Contract = 8,
    /// A data key of a workspace.
    WorkspaceKey = 9,
    /// A filter set.
    FilterSet = 10,
    /// A pool.
    Pool = 11,
    /// A value that a person gave to a variant.
    PriceOverride = 12,
    /// An intent.
    Intent = 15,
    /// A purchase, or the item that it brought.
    Purchase = 16,
    /// A trading account.
    Account = 17,
    /// A group of trading accounts.
    AccountGroup = 18,
    /// An assignment of trading accounts to a pool.
    Assignment = 19,
    /// A remediation.
    Remediation = 21,
    /// A provider.
    Provider = 22,
    /// A webhook endpoint.
    WebhookEndpoint = 23,
    /// An alert channel.
    AlertChannel = 24,
    /// An alert rule.
    AlertRule = 25,
    /// A snapshot of an inventory.
    Snapshot = 30,
    /// An inventory change.
    InventoryChange = 31,
    /// An import.
    Import = 26,
    /// A friend of a trading account.
    Friend = 33,
    /// A conversation of a trading account.
    Conversation = 34,
    /// A chat message.
    ChatMessage = 35,
    /// A trade offer.
    TradeOffer = 36,
    /// A confirmation of a trading account.
    Confirmation = 37,
    /// A session of a trading account.
    AccountSession = 38,
    /// A renewal of a token of a trading account.
    Renewal = 39,
}

names! { AuditSubjectKind, "kind of audited record":
    User => "USER",
    Workspace => "WORKSPACE",
    Membership => "MEMBERSHIP",
    ApiKey => "API_KEY",
    Session => "SESSION",
    Passkey => "PASSKEY",
    LinkedIdentity => "LINKED_ACCOUNT",
    Contract => "CONTRACT",
    WorkspaceKey => "WORKSPACE_KEY",
    FilterSet => "FILTER_SET",
    Pool => "POOL",
    PriceOverride => "PRICE_OVERRIDE",
    Intent => "INTENT",
    Purchase => "PURCHASE",
    Account => "ACCOUNT",
    AccountGroup => "ACCOUNT_GROUP",
    Assignment => "ASSIGNMENT",
    Remediation => "REMEDIATION",
    Provider => "PROVIDER",
    WebhookEndpoint => "WEBHOOK_ENDPOINT",
    AlertChannel => "ALERT_CHANNEL",
    AlertRule => "ALERT_RULE",
    Snapshot => "SNAPSHOT",
    InventoryChange => "INVENTORY_CHANGE",
    Import => "IMPORT",
    Friend => "FRIEND",
    Conversation => "CONVERSATION",
    ChatMessage => "CHAT_MESSAGE",
    TradeOffer => "TRADE_OFFER",
    Confirmation => "CONFIRMATION",
    AccountSession => "ACCOUNT_SESSION",
    Renewal => "RENEWAL",
}

macro_rules! subjects {
    ($($kind:ident of $id:ident;)*) => {$(
        impl From<$id> for AuditSubject {
            fn from(id: $id) -> Self {
                Self { kind: AuditSubjectKind::$kind, id: id.to_bytes() }
            }
        }
    )*};
}

subjects! {
    User of UserId;
    Workspace of WorkspaceId;
    Membership of MembershipId;
    ApiKey of ApiKeyId;
    Session of SessionId;
    Passkey of PasskeyId;
    LinkedIdentity of LinkedIdentityId;
    Contract of ContractId;
    WorkspaceKey of WorkspaceKeyId;
    FilterSet of FilterSetId;
    Pool of PoolId;
    PriceOverride of PriceOverrideId;
    Intent of IntentId;
    Purchase of PurchaseId;
    Account of AccountId;
    AccountGroup of AccountGroupId;
    Assignment of AssignmentId;
    Remediation of RemediationId;
    Provider of ProviderId;
    WebhookEndpoint of WebhookEndpointId;
    AlertChannel of AlertChannelId;
    AlertRule of AlertRuleId;
    Snapshot of SnapshotId;
    InventoryChange of InventoryChangeId;
    Import of ImportId;
    Friend of FriendId;
    Conversation of ConversationId;
    ChatMessage of ChatMessageId;
    TradeOffer of TradeOfferId;
    Confirmation of ConfirmationId;
    AccountSession of AccountSessionId;
    Renewal of RenewalId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_is_its_kind_and_its_log() {
        let homes = [
            AuditHome::Workspace(WorkspaceId::from_bytes([1; 16])),
            AuditHome::User(UserId::from_bytes([2; 16])),
            AuditHome::Installation,
        ];
        for home in homes {
            assert_eq!(AuditHome::from_stored(home.code(), home.log_id()), Some(home));
        }
    }

    #[test]
    fn no_log_but_its_own_is_the_installations() {
        assert_eq!(AuditHome::from_stored(3, AuditLogId::from_bytes([1; 16])), None);
        assert_eq!(AuditHome::from_stored(4, AuditLogId::from_bytes([1; 16])), None);
    }
}
