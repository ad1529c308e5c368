//! Records: the values that storage keeps under a version, the address of each, and its counters.

use tradepost_domain::id::ContractId;

/// Calls a macro with every kind of record: name, stored number, type, and the expressions for its address and its counters.
///
/// A new kind is a new line here. Rows are locked in the order of the lines. A stored number is never reused.
///
/// A line is `Kind = number, type, { record: home, key }`. Records that are counted add `, counted contract, status`.
#[macro_export]
macro_rules! for_each_record {
    ($declare:ident) => {
        $declare! {
            User = 1, tradepost_domain::accounts::user::User, { user: user.id.to_bytes(), user.id.to_bytes() };
            LinkedIdentity = 2, tradepost_domain::accounts::user::LinkedIdentity, { identity: identity.user_id.to_bytes(), identity.id.to_bytes() };
            AccountLink = 20, tradepost_domain::accounts::account_link::AccountLink, { link: link.id.to_bytes(), link.id.to_bytes() };
            ConsumedAssertion = 21, tradepost_domain::accounts::account_link::ConsumedAssertion, { assertion: assertion.digest, assertion.digest };
            Passkey = 3, tradepost_domain::accounts::passkey::Passkey, { passkey: passkey.user_id.to_bytes(), passkey.id.to_bytes() };
            PasskeyRegistration = 4, tradepost_domain::accounts::passkey::PasskeyRegistration, { record: record.user_id.to_bytes(), ONLY };
            Totp = 5, tradepost_domain::accounts::totp::Totp, { record: record.user_id.to_bytes(), ONLY };
            TotpEnrollment = 6, tradepost_domain::accounts::totp::TotpEnrollment, { record: record.user_id.to_bytes(), ONLY };
            RecoveryCodes = 7, tradepost_domain::accounts::totp::RecoveryCodes, { record: record.user_id.to_bytes(), ONLY };
            Guesses = 27, tradepost_domain::accounts::guesses::Guesses, { record: record.user_id.to_bytes(), ONLY };
            CodeGuesses = 44, tradepost_domain::accounts::guesses::CodeGuesses, { guesses: guesses.user_id.to_bytes(), guesses.by.to_bytes() };
            EmailLink = 8, tradepost_domain::accounts::email_link::EmailLink, { link: link.user_id.to_bytes(), numbered(link.purpose.kind().code()) };
            Challenge = 9, tradepost_domain::accounts::step_up::Challenge, { challenge: challenge.user_id.to_bytes(), challenge.id.to_bytes() };
            Grant = 10, tradepost_domain::accounts::step_up::Grant, { grant: grant.user_id.to_bytes(), grant.principal.to_bytes() };
            PendingSignIn = 17, tradepost_domain::accounts::sign_in::PendingSignIn, { pending: pending.id.to_bytes(), pending.id.to_bytes() };
            PasskeySignIn = 23, tradepost_domain::accounts::sign_in::PasskeySignIn, { asked: asked.id.to_bytes(), asked.id.to_bytes() };
            Session = 18, tradepost_domain::accounts::session::Session, { session: session.user_id.to_bytes(), session.id.to_bytes() };
            Workspace = 11, tradepost_domain::accounts::workspace::Workspace, { workspace: workspace.id.to_bytes(), workspace.id.to_bytes() };
            Membership = 12, tradepost_domain::accounts::membership::Membership, { membership: membership.workspace_id.to_bytes(), membership.id.to_bytes(), counted None, membership.status().code() };
            ApiKey = 13, tradepost_domain::accounts::api_key::ApiKey, { key: key.workspace_id.to_bytes(), key.id.to_bytes() };
            WorkspaceKey = 24, tradepost_domain::accounts::workspace_key::WorkspaceKey, { key: key.workspace_id.to_bytes(), key.id.to_bytes() };
            WorkspaceSecret = 25, tradepost_domain::accounts::workspace_key::WorkspaceSecret, { secret: secret.workspace_id.to_bytes(), secret.id.to_bytes() };
            Lease = 43, tradepost_domain::trading::lease::Lease, { lease: lease.workspace_id.to_bytes(), lease.id.to_bytes() };
            PricingRules = 30, tradepost_domain::markets::pricing_rules::PricingRules, { record: record.workspace_id.to_bytes(), ONLY };
            VariantOverride = 31, tradepost_domain::markets::price_override::VariantOverride, { given: given.workspace_id.to_bytes(), given.id.to_bytes() };
            Provider = 34, tradepost_domain::markets::provider::Provider, { provider: provider.workspace_id.to_bytes(), provider.id.to_bytes() };
            ProviderHealth = 35, tradepost_domain::markets::provider::ProviderHealth, { health: health.workspace_id.to_bytes(), health.provider_id.to_bytes() };
            FilterSet = 28, tradepost_domain::contracts::filter_set::FilterSet, { set: set.workspace_id.to_bytes(), set.id.to_bytes(), counted None, 0 };
            AccountGroup = 37, tradepost_domain::trading::trading_account::AccountGroup, { group: group.workspace_id.to_bytes(), group.id.to_bytes() };
            TradingAccount = 36, tradepost_domain::trading::trading_account::TradingAccount, { account: account.workspace_id.to_bytes(), account.id.to_bytes(), counted None, account.status.code() };
            Pool = 29, tradepost_domain::contracts::pool::Pool, { pool: pool.workspace_id.to_bytes(), pool.id.to_bytes(), counted None, pool.status.code() };
            Assignment = 38, tradepost_domain::contracts::assignment::Assignment, { assignment: assignment.workspace_id.to_bytes(), assignment.id.to_bytes() };
            Contract = 14, tradepost_domain::contracts::contract::Contract, { contract: contract.workspace_id.to_bytes(), contract.id.to_bytes(), counted None, contract.status.code() };
            ContractVersion = 67, tradepost_domain::contracts::contract::ContractVersion, { version: version.terms.workspace_id.to_bytes(), version.id.to_bytes() };
            Intent = 33, tradepost_domain::contracts::intent::Intent, { intent: intent.terms.workspace_id.to_bytes(), intent.terms.id.to_bytes(), counted intent.terms.contract_id, intent.status.code() };
            Purchase = 15, tradepost_domain::contracts::purchase::Purchase, { purchase: purchase.terms.workspace_id.to_bytes(), purchase.terms.id.to_bytes(), counted purchase.terms.contract_id, purchase.status.code() };
            InventoryItem = 16, tradepost_domain::contracts::inventory_item::InventoryItem, { item: item.workspace_id.to_bytes(), item.id.to_bytes(), counted item.contract_id, item.status.code() };
            TradeOffer = 39, tradepost_domain::trading::trade_offer::TradeOffer, { offer: offer.workspace_id.to_bytes(), offer.id.to_bytes(), counted None, offer.status.code() };
            Snapshot = 55, tradepost_domain::trading::snapshot::Snapshot, { snapshot: snapshot.workspace_id.to_bytes(), snapshot.id.to_bytes(), counted None, snapshot.status.code() };
            SnapshotItem = 56, tradepost_domain::trading::snapshot::SnapshotItem, { item: item.workspace_id.to_bytes(), item.id.to_bytes() };
            InventoryChange = 57, tradepost_domain::trading::inventory_change::InventoryChange, { change: change.workspace_id.to_bytes(), change.id.to_bytes(), counted None, change.status.code() };
            Import = 58, tradepost_domain::trading::import::Import, { import: import.workspace_id.to_bytes(), import.id.to_bytes(), counted None, import.status.code() };
            ImportRows = 59, tradepost_domain::trading::import::ImportRows, { rows: rows.workspace_id.to_bytes(), rows.import_id.to_bytes() };
            Friend = 60, tradepost_domain::trading::friend::Friend, { friend: friend.workspace_id.to_bytes(), friend.id.to_bytes(), counted None, friend.relation.code() };
            FriendList = 61, tradepost_domain::trading::friend_list::FriendList, { list: list.workspace_id.to_bytes(), list.account_id.to_bytes() };
            Conversation = 62, tradepost_domain::trading::chat::Conversation, { conversation: conversation.workspace_id.to_bytes(), conversation.id.to_bytes(), counted None, conversation.reading().code() };
            ChatMessage = 63, tradepost_domain::trading::chat::ChatMessage, { message: message.workspace_id.to_bytes(), message.id.to_bytes() };
            OfferReading = 64, tradepost_domain::trading::offer_reading::OfferReading, { reading: reading.workspace_id.to_bytes(), reading.account_id.to_bytes() };
            Confirmation = 65, tradepost_domain::trading::confirmation::Confirmation, { confirmation: confirmation.workspace_id.to_bytes(), confirmation.id.to_bytes(), counted None, confirmation.status.code() };
            ConfirmationList = 66, tradepost_domain::trading::confirmation_list::ConfirmationList, { list: list.workspace_id.to_bytes(), list.account_id.to_bytes() };
            AccountSession = 68, tradepost_domain::trading::account_session::AccountSession, { session: session.workspace_id.to_bytes(), session.id.to_bytes(), counted None, session.status.code() };
            Renewal = 69, tradepost_domain::trading::renewal::Renewal, { renewal: renewal.workspace_id.to_bytes(), renewal.id.to_bytes(), counted None, renewal.status.code() };
            EquityMark = 52, tradepost_domain::contracts::equity::EquityMark, { mark: mark.workspace_id.to_bytes(), mark.key() };
            Remediation = 40, tradepost_domain::contracts::remediation::Remediation, { remediation: remediation.workspace_id.to_bytes(), remediation.id.to_bytes(), counted None, remediation.status.code() };
            WebhookEndpoint = 45, tradepost_domain::events::webhook_endpoint::WebhookEndpoint, { endpoint: endpoint.workspace_id.to_bytes(), endpoint.id.to_bytes() };
            WebhookProgress = 46, tradepost_domain::events::webhook_progress::WebhookProgress, { progress: progress.workspace_id.to_bytes(), progress.endpoint_id.to_bytes() };
            WebhookDelivery = 47, tradepost_domain::events::webhook_delivery::WebhookDelivery, { delivery: delivery.workspace_id.to_bytes(), delivery.id.to_bytes() };
            AlertChannel = 48, tradepost_domain::alerts::channel::AlertChannel, { channel: channel.workspace_id.to_bytes(), channel.id.to_bytes() };
            AlertRule = 49, tradepost_domain::alerts::rule::AlertRule, { rule: rule.workspace_id.to_bytes(), rule.id.to_bytes() };
            AlertProgress = 50, tradepost_domain::alerts::progress::AlertProgress, { progress: progress.workspace_id.to_bytes(), progress.channel_id.to_bytes() };
            AlertMessage = 51, tradepost_domain::alerts::message::AlertMessage, { message: message.workspace_id.to_bytes(), message.id.to_bytes() };
            OutgoingMail = 19, tradepost_domain::accounts::mail::OutgoingMail, { mail: mail.id.to_bytes(), mail.id.to_bytes() };
            Execution = 22, tradepost_domain::idempotency::Execution, { execution: execution.id.to_bytes(), execution.id.to_bytes() };
            AuditHead = 26, tradepost_domain::accounts::audit::AuditHead, { record: record.log_id.to_bytes(), ONLY };
        }
    };
}

/// The address of a record: the workspace or user that it belongs to, and its key there.
///
/// Records of which a user has one (a second factor, an enrolment) have a key that identifies them within the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The kind.
    pub kind: Kind,
    /// The workspace or user.
    pub home: [u8; 16],
    /// The key within the home.
    pub key: [u8; 16],
}

/// A counter of records per workspace, or per contract of it, and status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally {
    /// Memberships, filter sets, trading accounts, pools, contracts, intents, purchases, items, trade offers, snapshots,
    /// inventory changes, imports, friends, conversations, confirmations, sessions of trading accounts, renewals or remediations.
    pub kind: Kind,
    /// The workspace.
    pub workspace: [u8; 16],
    /// The contract, or zeros for all of the workspace.
    pub contract: [u8; 16],
    /// The status' stored number; 0 for records without one.
    pub status: i16,
}

/// The properties of a record that storage needs besides its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Described {
    /// The workspace or user it belongs to.
    pub home: [u8; 16],
    /// Its key there.
    pub key: [u8; 16],
    /// Its counters; absent if it is not counted.
    pub counted: Option<Counted>,
}

/// The counters of a record: those of its workspace and, if it belongs to a contract, of its contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// The contract.
    pub contract: Option<ContractId>,
    /// The status' stored number; 0 for records without one.
    pub status: i16,
}

/// A record that storage keeps under a version.
pub trait Record: Clone + Into<AnyRecord> + Send + Sync + 'static {
    /// Its kind.
    const KIND: Kind;

    /// Returns its address and how it is counted.
    fn describe(&self) -> Described;

    /// Returns the record of this kind in a record of any kind.
    fn of(record: &AnyRecord) -> Option<&Self>;

    /// Returns the workspace or user it belongs to.
    fn home(&self) -> [u8; 16] {
        self.describe().home
    }

    /// Returns its key there.
    fn key(&self) -> [u8; 16] {
        self.describe().key
    }

    /// Returns its address.
    fn address(&self) -> Address {
        let Described { home, key, .. } = self.describe();
        Address { kind: Self::KIND, home, key }
    }

    /// Returns the counters in which it is counted.
    fn tallies(&self) -> Vec<Tally> {
        let Described { home, counted, .. } = self.describe();
        let Some(Counted { contract, status }) = counted else { return Vec::new() };
        let all = Tally { kind: Self::KIND, workspace: home, contract: ONLY, status };
        let of_contract = contract.map(|contract| Tally { contract: contract.to_bytes(), ..all });
        std::iter::once(all).chain(of_contract).collect()
    }
}

/// The key of records of which a home has exactly one.
pub const ONLY: [u8; 16] = [0; 16];

/// Returns the key for a small number.
pub const fn numbered(number: i16) -> [u8; 16] {
    let [high, low] = number.to_be_bytes();
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, low]
}

macro_rules! counted {
    () => {
        None
    };
    ($contract:expr, $status:expr) => {
        Some(Counted { contract: $contract, status: $status })
    };
}

macro_rules! declare {
    ($($kind:ident = $code:literal, $record:ty, {
        $value:ident: $home:expr, $key:expr $(, counted $contract:expr, $status:expr)?
    };)*) => {
        /// Kinds of records. The order is the order in which rows are locked.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $(#[doc = concat!("`", stringify!($record), "`.")] $kind,)*
        }

        impl Kind {
            /// All kinds, in their order.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Returns the number under which the kind is stored.
            pub const fn code(self) -> i16 {
                match self { $(Self::$kind => $code,)* }
            }
        }

        /// A record of any kind.
        #[derive(Debug, Clone, PartialEq)]
        pub enum AnyRecord {
            $(#[doc = concat!("`", stringify!($record), "`.")] $kind($record),)*
        }

        impl AnyRecord {
            /// Returns its address.
            pub fn address(&self) -> Address {
                match self { $(Self::$kind(record) => record.address(),)* }
            }

            /// Returns the counters in which it is counted.
            pub fn tallies(&self) -> Vec<Tally> {
                match self { $(Self::$kind(record) => record.tallies(),)* }
            }
        }

        $(
            impl From<$record> for AnyRecord {
                fn from(record: $record) -> Self {
                    Self::$kind(record)
                }
            }

            impl Record for $record {
                const KIND: Kind = Kind::$kind;

                fn describe(&self) -> Described {
                    let $value = self;
                    Described { home: $home, key: $key, counted: counted!($($contract, $status)?) }
                }

                fn of(record: &AnyRecord) -> Option<&Self> {
                    if let AnyRecord::$kind(record) = record { Some(record) } else { None }
                }
            }
        )*
    };
}

for_each_record!(declare);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_kinds_are_stored_under_one_number() {
        let codes: BTreeSet<i16> = Kind::ALL.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes.len(), Kind::ALL.len());
    }
}
