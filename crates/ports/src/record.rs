//! Records: what storage keeps under a version, where each lives, and what is counted of it.

use tradepost_domain::accounts::account_link::{AccountLink, ConsumedAssertion};
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::audit::AuditHead;
use tradepost_domain::accounts::email_link::EmailLink;
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesses};
use tradepost_domain::accounts::mail::OutgoingMail;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::passkey::{Passkey, PasskeyRegistration};
use tradepost_domain::accounts::session::Session;
use tradepost_domain::accounts::sign_in::{PasskeySignIn, PendingSignIn};
use tradepost_domain::accounts::step_up::{Challenge, Grant};
use tradepost_domain::accounts::totp::{RecoveryCodes, Totp, TotpEnrollment};
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::accounts::workspace_key::{WorkspaceKey, WorkspaceSecret};
use tradepost_domain::contracts::assignment::Assignment;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::filter_set::FilterSet;
use tradepost_domain::contracts::intent::Intent;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::contracts::remediation::Remediation;
use tradepost_domain::id::ContractId;
use tradepost_domain::idempotency::Execution;
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::pricing_rules::PricingRules;
use tradepost_domain::markets::provider::{Provider, ProviderHealth};
use tradepost_domain::trading::lease::Lease;
use tradepost_domain::trading::trade_offer::TradeOffer;
use tradepost_domain::trading::trading_account::{AccountGroup, TradingAccount};

/// Kinds of records. The order is the order in which rows are locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// [`User`].
    User,
    /// [`LinkedIdentity`].
    LinkedIdentity,
    /// [`AccountLink`].
    AccountLink,
    /// [`ConsumedAssertion`].
    ConsumedAssertion,
    /// [`Passkey`].
    Passkey,
    /// [`PasskeyRegistration`].
    PasskeyRegistration,
    /// [`Totp`].
    Totp,
    /// [`TotpEnrollment`].
    TotpEnrollment,
    /// [`RecoveryCodes`].
    RecoveryCodes,
    /// [`Guesses`].
    Guesses,
    /// [`CodeGuesses`].
    CodeGuesses,
    /// [`EmailLink`].
    EmailLink,
    /// [`Challenge`].
    Challenge,
    /// [`Grant`].
    Grant,
    /// [`PendingSignIn`].
    PendingSignIn,
    /// [`PasskeySignIn`].
    PasskeySignIn,
    /// [`Session`].
    Session,
    /// [`Workspace`].
    Workspace,
    /// [`Membership`].
    Membership,
    /// [`ApiKey`].
    ApiKey,
    /// [`WorkspaceKey`].
    WorkspaceKey,
    /// [`WorkspaceSecret`].
    WorkspaceSecret,
    /// [`Lease`].
    Lease,
    /// [`PricingRules`].
    PricingRules,
    /// [`VariantOverride`].
    VariantOverride,
    /// [`Provider`].
    Provider,
    /// [`ProviderHealth`].
    ProviderHealth,
    /// [`FilterSet`].
    FilterSet,
    /// [`AccountGroup`].
    AccountGroup,
    /// [`TradingAccount`].
    TradingAccount,
    /// [`Pool`].
    Pool,
    /// [`Assignment`].
    Assignment,
    /// [`Contract`].
    Contract,
    /// [`Intent`].
    Intent,
    /// [`Purchase`].
    Purchase,
    /// [`InventoryItem`].
    InventoryItem,
    /// [`TradeOffer`].
    TradeOffer,
    /// [`Remediation`].
    Remediation,
    /// [`OutgoingMail`].
    OutgoingMail,
    /// [`Execution`].
    Execution,
    /// [`AuditHead`].
    AuditHead,
}

/// Where a record lives: the workspace or user it belongs to, and its key there.
///
/// Records of which a user has one (a second factor, an enrolment) have a key made of what tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The kind.
    pub kind: Kind,
    /// The workspace or user.
    pub home: [u8; 16],
    /// The key within the home.
    pub key: [u8; 16],
}

/// What is counted per workspace, or per contract of it, and status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally {
    /// Memberships, filter sets, trading accounts, pools, contracts, intents, purchases, items, trade offers or
    /// remediations.
    pub kind: Kind,
    /// The workspace.
    pub workspace: [u8; 16],
    /// The contract, or zeros for all of the workspace.
    pub contract: [u8; 16],
    /// The status' stored number; 0 for records without one.
    pub status: i16,
}

/// Something that storage keeps under a version.
pub trait Record: Clone + Into<AnyRecord> + Send + Sync + 'static {
    /// Its kind.
    const KIND: Kind;

    /// The workspace or user it belongs to.
    fn home(&self) -> [u8; 16];

    /// Its key there.
    fn key(&self) -> [u8; 16];

    /// The counters in which it is counted.
    fn tallies(&self) -> Vec<Tally> {
        Vec::new()
    }

    /// Where it lives.
    fn address(&self) -> Address {
        Address { kind: Self::KIND, home: self.home(), key: self.key() }
    }
}

macro_rules! any_record {
    ($($kind:ident),* $(,)?) => {
        /// A record of any kind.
        #[derive(Debug, Clone, PartialEq)]
        pub enum AnyRecord {
            $(#[doc = concat!("See [`", stringify!($kind), "`].")] $kind($kind),)*
        }
        $(impl From<$kind> for AnyRecord {
            fn from(record: $kind) -> Self {
                Self::$kind(record)
            }
        })*
        impl AnyRecord {
            /// Where it lives.
            pub fn address(&self) -> Address {
                match self { $(Self::$kind(record) => record.address(),)* }
            }

            /// The counters in which it is counted.
            pub fn tallies(&self) -> Vec<Tally> {
                match self { $(Self::$kind(record) => record.tallies(),)* }
            }
        }
    };
}

any_record! {
    User, LinkedIdentity, AccountLink, ConsumedAssertion, Passkey, PasskeyRegistration, Totp, TotpEnrollment, RecoveryCodes,
    Guesses, CodeGuesses, EmailLink, Challenge, Grant, PendingSignIn, PasskeySignIn, Session, Workspace, Membership, ApiKey, WorkspaceKey,
    WorkspaceSecret, Lease, PricingRules, VariantOverride, Provider, ProviderHealth, FilterSet, AccountGroup, TradingAccount, Pool, Assignment, Contract, Intent, Purchase, InventoryItem, TradeOffer, Remediation, OutgoingMail, Execution, AuditHead,
}

/// The key of records of which a home has exactly one.
pub const ONLY: [u8; 16] = [0; 16];

/// A key made of a small number.
pub const fn numbered(number: i16) -> [u8; 16] {
    let [high, low] = number.to_be_bytes();
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, low]
}

macro_rules! records {
    ($($kind:ident: home $home:ident, key $key:expr;)*) => {$(
        impl Record for $kind {
            const KIND: Kind = Kind::$kind;
            fn home(&self) -> [u8; 16] {
                self.$home.to_bytes()
            }
            fn key(&self) -> [u8; 16] {
                let key: fn(&$kind) -> [u8; 16] = $key;
                key(self)
            }
        }
    )*};
}

records! {
    User: home id, key |user| user.id.to_bytes();
    Workspace: home id, key |workspace| workspace.id.to_bytes();
    Passkey: home user_id, key |passkey| passkey.id.to_bytes();
    PasskeyRegistration: home user_id, key |_| ONLY;
    Totp: home user_id, key |_| ONLY;
    TotpEnrollment: home user_id, key |_| ONLY;
    RecoveryCodes: home user_id, key |_| ONLY;
    Guesses: home user_id, key |_| ONLY;
    CodeGuesses: home user_id, key |guesses| guesses.by.to_bytes();
    EmailLink: home user_id, key |link| numbered(link.purpose.kind().code());
    Challenge: home user_id, key |challenge| challenge.id.to_bytes();
    Grant: home user_id, key |grant| grant.principal.to_bytes();
    Execution: home id, key |execution| execution.id.to_bytes();
    OutgoingMail: home id, key |mail| mail.id.to_bytes();
    PendingSignIn: home id, key |pending| pending.id.to_bytes();
    PasskeySignIn: home id, key |asked| asked.id.to_bytes();
    Session: home user_id, key |session| session.id.to_bytes();
    ApiKey: home workspace_id, key |key| key.id.to_bytes();
    WorkspaceKey: home workspace_id, key |key| key.id.to_bytes();
    WorkspaceSecret: home workspace_id, key |secret| secret.id.to_bytes();
    Lease: home workspace_id, key |lease| lease.id.to_bytes();
    PricingRules: home workspace_id, key |_| ONLY;
    VariantOverride: home workspace_id, key |given| given.id.to_bytes();
    Provider: home workspace_id, key |provider| provider.id.to_bytes();
    ProviderHealth: home workspace_id, key |health| health.provider_id.to_bytes();
    AccountGroup: home workspace_id, key |group| group.id.to_bytes();
    Assignment: home workspace_id, key |assignment| assignment.id.to_bytes();
    LinkedIdentity: home user_id, key |identity| identity.id.to_bytes();
    AccountLink: home id, key |link| link.id.to_bytes();
    AuditHead: home log_id, key |_| ONLY;
}

impl Record for ConsumedAssertion {
    const KIND: Kind = Kind::ConsumedAssertion;

    fn home(&self) -> [u8; 16] {
        self.digest
    }

    fn key(&self) -> [u8; 16] {
        self.digest
    }
}

/// The counters of a record that is counted for its workspace and, where it belongs to one, for its contract.
fn counted(kind: Kind, workspace: [u8; 16], contract: Option<[u8; 16]>, status: i16) -> Vec<Tally> {
    let all = Tally { kind, workspace, contract: ONLY, status };
    std::iter::once(all).chain(contract.map(|contract| Tally { contract, ..all })).collect()
}

impl Record for Membership {
    const KIND: Kind = Kind::Membership;

    fn home(&self) -> [u8; 16] {
        self.workspace_id.to_bytes()
    }

    fn key(&self) -> [u8; 16] {
        self.id.to_bytes()
    }

    fn tallies(&self) -> Vec<Tally> {
        counted(Self::KIND, self.home(), None, self.status().code())
    }
}

impl Record for FilterSet {
    const KIND: Kind = Kind::FilterSet;

    fn home(&self) -> [u8; 16] {
        self.workspace_id.to_bytes()
    }

    fn key(&self) -> [u8; 16] {
        self.id.to_bytes()
    }

    fn tallies(&self) -> Vec<Tally> {
        counted(Self::KIND, self.home(), None, 0)
    }
}

impl Record for TradingAccount {
    const KIND: Kind = Kind::TradingAccount;

    fn home(&self) -> [u8; 16] {
        self.workspace_id.to_bytes()
    }

    fn key(&self) -> [u8; 16] {
        self.id.to_bytes()
    }

    fn tallies(&self) -> Vec<Tally> {
        counted(Self::KIND, self.home(), None, self.status.code())
    }
}

impl Record for Pool {
    const KIND: Kind = Kind::Pool;

    fn home(&self) -> [u8; 16] {
        self.workspace_id.to_bytes()
    }

    fn key(&self) -> [u8; 16] {
        self.id.to_bytes()
    }

    fn tallies(&self) -> Vec<Tally> {
        counted(Self::KIND, self.home(), None, self.status.code())
    }
}

impl Record for Contract {
    const KIND: Kind = Kind::Contract;

    fn home(&self) -> [u8; 16] {
        self.workspace_id.to_bytes()
    }

    fn key(&self) -> [u8; 16] {
        self.id.to_bytes()
    }

    fn tallies(&self) -> Vec<Tally> {
        counted(Self::KIND, self.home(), None, self.status.code())
    }
}

impl Record for Intent {
    const KIND: Kind = Kind::Intent;

    fn home(&self) -> [u8; 16] {
        self.terms.workspace_id.to_bytes()
    }

    fn key(&self) -> [u8; 16] {
        self.terms.id.to_bytes()
    }

    fn tallies(&self) -> Vec<Tally> {
        counted(Self::KIND, self.home(), self.terms.contract_id.map(ContractId::to_bytes), self.status.code())
    }
}

impl Record for Purchase {
    const KIND: Kind = Kind::Purchase;

    fn home(&self) -> [u8; 16] {
        self.terms.workspace_id.to_bytes()
    }

    fn key(&self) -> [u8; 16] {
        self.terms.id.to_bytes()
    }

    fn tallies(&self) -> Vec<Tally> {
        counted(Self::KIND, self.home(), Some(self.terms.contract_id.to_bytes()), self.status.code())
    }
}

impl Record for InventoryItem {
    const KIND: Kind = Kind::InventoryItem;

    fn home(&self) -> [u8; 16] {
        self.workspace_id.to_bytes()
    }

    fn key(&self) -> [u8; 16] {
        self.id.to_bytes()
    }

    fn tallies(&self) -> Vec<Tally> {
        counted(Self::KIND, self.home(), Some(self.contract_id.to_bytes()), self.status.code())
    }
}

impl Record for Remediation {
    const KIND: Kind = Kind::Remediation;

    fn home(&self) -> [u8; 16] {
        self.workspace_id.to_bytes()
    }

    fn key(&self) -> [u8; 16] {
        self.id.to_bytes()
    }

    fn tallies(&self) -> Vec<Tally> {
        counted(Self::KIND, self.home(), None, self.status.code())
    }
}

impl Record for TradeOffer {
    const KIND: Kind = Kind::TradeOffer;

    fn home(&self) -> [u8; 16] {
        self.workspace_id.to_bytes()
    }

    fn key(&self) -> [u8; 16] {
        self.id.to_bytes()
    }

    fn tallies(&self) -> Vec<Tally> {
        counted(Self::KIND, self.home(), None, self.status.code())
    }
}
