//! Identifiers: 16 bytes, one type per kind of record, so that a purchase id cannot be used as a contract id.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Identifier of a record of kind `K`: the 16 bytes of a UUIDv7, so ids sort by the time they were made.
///
/// `Display` and `FromStr` use the form of the interface, standard base64.
///
/// ```
/// use tradepost_domain::id::PurchaseId;
///
/// let id = PurchaseId::from_bytes([7; 16]);
/// assert_eq!(id.to_string(), "BwcHBwcHBwcHBwcHBwcHBw==");
/// assert_eq!(id.to_string().parse(), Ok(id));
/// ```
pub struct Id<K> {
    bytes: [u8; 16],
    kind: PhantomData<fn() -> K>,
}

/// The text is not the base64 form of 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an identifier is the base64 form of 16 bytes")]
pub struct InvalidId;

impl<K> Id<K> {
    /// The identifier with these bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self { bytes, kind: PhantomData }
    }

    /// The identifier in a slice.
    ///
    /// # Errors
    /// [`InvalidId`] unless the slice has 16 bytes.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, InvalidId> {
        bytes.try_into().map(Self::from_bytes).map_err(|_| InvalidId)
    }

    /// The 16 bytes.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.bytes
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Id<K> {}
impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}
impl<K> Eq for Id<K> {}
impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes.cmp(&other.bytes)
    }
}
impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}
impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(self.bytes))
    }
}
impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl<K> FromStr for Id<K> {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        STANDARD.decode(text).map_err(|_| InvalidId).and_then(|bytes| Self::from_slice(&bytes))
    }
}

/// The key of a record that belongs to a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordKey<I> {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The record within it.
    pub id: I,
}

macro_rules! kinds {
    ($($kind:ident => $id:ident, $what:literal;)*) => {$(
        #[doc = concat!("Marks identifiers of ", $what, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $kind {}
        #[doc = concat!("Identifier of ", $what, ".")]
        pub type $id = Id<$kind>;
    )*};
}

kinds! {
    OfUser => UserId, "a user";
    OfWorkspace => WorkspaceId, "a workspace";
    OfMembership => MembershipId, "a membership";
    OfApiKey => ApiKeyId, "an API key";
    OfAccountLink => AccountLinkId, "a link to an identity of another platform that was begun";
    OfLinkedIdentity => LinkedIdentityId, "a linked sign-in identity";
    OfSession => SessionId, "a session";
    OfPasskey => PasskeyId, "a passkey";
    OfChallenge => ChallengeId, "a step-up challenge";
    OfEnrollment => EnrollmentId, "an enrolment of a second factor";
    OfEmailLink => EmailLinkId, "a link sent by e-mail";
    OfExecution => ExecutionId, "a call that was carried out under an idempotency key";
    OfMail => MailId, "a mail in the outbox";
    OfContract => ContractId, "a contract";
    OfContractVersion => ContractVersionId, "a version of a contract's terms";
    OfFilterSet => FilterSetId, "a filter set";
    OfPool => PoolId, "a capital pool";
    OfAccount => AccountId, "a trading account";
    OfAccountGroup => AccountGroupId, "a group of trading accounts";
    OfAssignment => AssignmentId, "an assignment of trading accounts to a pool";
    OfLedgerEntry => LedgerEntryId, "an entry of the ledger";
    OfPurchase => PurchaseId, "a purchase";
    OfIntent => IntentId, "an intent";
    OfRemediation => RemediationId, "a remediation";
    OfTradeOffer => TradeOfferId, "a trade offer";
    OfSnapshot => SnapshotId, "a snapshot of an inventory";
    OfSnapshotItem => SnapshotItemId, "an item that snapshots show unchanged";
    OfInventoryChange => InventoryChangeId, "a change between two snapshots";
    OfFriend => FriendId, "a friend of a trading account";
    OfConversation => ConversationId, "a conversation of a trading account";
    OfChatMessage => ChatMessageId, "a chat message";
    OfEvaluation => EvaluationId, "an evaluation";
    OfInventoryItem => InventoryItemId, "an inventory item";
    OfAssetIdLink => AssetIdLinkId, "a link of an asset-id chain";
    OfWorkspaceKey => WorkspaceKeyId, "a key under which secrets of a workspace are stored";
    OfSecret => SecretId, "a secret of a workspace";
    OfTransition => TransitionId, "a transition";
    OfPriceOverride => PriceOverrideId, "a value that a person gave to a variant";
    OfProvider => ProviderId, "a provider";
    OfLease => LeaseId, "a lease";
    OfObservation => ObservationId, "what was seen of a listing";
    OfWebhookEndpoint => WebhookEndpointId, "a webhook endpoint";
    OfWebhookDelivery => WebhookDeliveryId, "a webhook delivery";
    OfAlertChannel => AlertChannelId, "an alert channel";
    OfAlertRule => AlertRuleId, "an alert rule";
    OfAlertMessage => AlertMessageId, "an alert message";
    OfImport => ImportId, "an import";
    OfConfirmation => ConfirmationId, "a confirmation of a trading account";
    OfAccountSession => AccountSessionId, "a session of a trading account at its platform";
    OfRenewal => RenewalId, "a renewal of what a trading account signs in by";
    OfAuditEvent => AuditEventId, "an audit event";
    OfAuditLog => AuditLogId, "an audit log: that of its workspace or user, or zeros for the installation's";
}
