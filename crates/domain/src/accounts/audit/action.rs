//! The action that an operation reports to the audit log. The commit adds who did it, from where and when.

use super::{AuditHome, AuditKind, AuditSubject, Fact};
use crate::accounts::api_key::ApiKey;
use crate::accounts::membership::Membership;
use crate::accounts::passkey::Passkey;
use crate::accounts::policy::{Policy, PolicySet};
use crate::accounts::session::{Proof, Session};
use crate::accounts::user::LinkedIdentity;
use crate::accounts::workspace::Workspace;
use crate::accounts::workspace_key::WorkspaceKey;
use crate::alerts::channel::AlertChannel;
use crate::alerts::rule::AlertRule;
use crate::contracts::assignment::Assignment;
use crate::contracts::contract::Contract;
use crate::contracts::filter_set::FilterSet;
use crate::contracts::intent::Intent;
use crate::contracts::inventory_item::InventoryItem;
use crate::contracts::pool::Pool;
use crate::contracts::purchase::Purchase;
use crate::contracts::remediation::Remediation;
use crate::events::webhook_endpoint::WebhookEndpoint;
use crate::id::{UserId, WorkspaceId};
use crate::markets::price_override::VariantOverride;
use crate::markets::provider::Provider;
use crate::trading::account_session::AccountSession;
use crate::trading::chat::{ChatMessage, Conversation};
use crate::trading::confirmation::Confirmation;
use crate::trading::friend::Friend;
use crate::trading::import::Import;
use crate::trading::inventory_change::InventoryChange;
use crate::trading::renewal::Renewal;
use crate::trading::snapshot::Snapshot;
use crate::trading::trade_offer::TradeOffer;
use crate::trading::trading_account::{AccountGroup, TradingAccount};

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedAction {
    /// What.
    pub kind: AuditKind,
    /// To what.
    pub about: About,
}

/// What an event is about: its log, its subject and further facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The log that contains it.
    pub home: AuditHome,
    /// To what it was done.
    pub subject: Option<AuditSubject>,
    /// The user who authenticated by this action, for a caller that had no credential before.
    pub proved: Option<UserId>,
    /// What else is to be known.
    pub details: Vec<(Fact, String)>,
}

impl About {
    /// About no known user.
    pub const NO_SUBJECT: Self =
        Self { home: AuditHome::Installation, subject: None, proved: None, details: Vec::new() };

    /// A user if there is one.
    pub fn maybe(user: Option<UserId>) -> Self {
        user.map_or(Self::NO_SUBJECT, Self::from)
    }

    /// The same with another fact.
    #[must_use]
    pub fn with(mut self, fact: Fact, value: &(impl ToString + ?Sized)) -> Self {
        self.details.push((fact, value.to_string()));
        self
    }

    fn new(home: AuditHome, subject: impl Into<AuditSubject>) -> Self {
        Self { home, subject: Some(subject.into()), proved: None, details: Vec::new() }
    }

    fn with_policies(self, policies: PolicySet) -> Self {
        let names: Vec<&str> = policies.iter().map(Policy::name).collect();
        self.with(Fact::Policies, &names.join(","))
    }
}

impl From<UserId> for About {
    fn from(user: UserId) -> Self {
        Self::new(AuditHome::User(user), user)
    }
}

impl From<WorkspaceId> for About {
    fn from(workspace: WorkspaceId) -> Self {
        Self::new(AuditHome::Workspace(workspace), workspace)
    }
}

impl From<&Workspace> for About {
    fn from(workspace: &Workspace) -> Self {
        let settings = workspace.settings;
        let about = Self::from(workspace.id)
            .with(Fact::RequireTwoFactor, &settings.require_two_factor)
            .with(Fact::AllowEmailStepUp, &settings.allow_email_step_up);
        match settings.key_life {
            Some(life) => about.with(Fact::MaxApiKeyLifetimeDays, &life.days()),
            None => about,
        }
    }
}

impl From<&Membership> for About {
    fn from(membership: &Membership) -> Self {
        Self::new(AuditHome::Workspace(membership.workspace_id), membership.id)
            .with(Fact::Role, membership.role.as_str())
            .with_policies(membership.policies)
    }
}

impl From<&ApiKey> for About {
    fn from(key: &ApiKey) -> Self {
        Self::new(AuditHome::Workspace(key.workspace_id), key.id)
            .with(Fact::KeyPrefix, &key.prefix)
            .with_policies(key.policies)
            .with(Fact::Networks, &key.networks)
    }
}

impl From<&Contract> for About {
    fn from(contract: &Contract) -> Self {
        Self::new(AuditHome::Workspace(contract.workspace_id), contract.id)
    }
}

impl From<&FilterSet> for About {
    fn from(set: &FilterSet) -> Self {
        Self::new(AuditHome::Workspace(set.workspace_id), set.id)
    }
}

impl From<&Intent> for About {
    fn from(intent: &Intent) -> Self {
        Self::new(AuditHome::Workspace(intent.terms.workspace_id), intent.terms.id)
    }
}

impl From<&Purchase> for About {
    fn from(purchase: &Purchase) -> Self {
        Self::new(AuditHome::Workspace(purchase.terms.workspace_id), purchase.terms.id)
    }
}

impl From<&InventoryItem> for About {
    /// The purchase that brought it.
    fn from(item: &InventoryItem) -> Self {
        Self::new(AuditHome::Workspace(item.workspace_id), item.purchase_id)
    }
}

impl From<&AlertChannel> for About {
    fn from(channel: &AlertChannel) -> Self {
        Self::new(AuditHome::Workspace(channel.workspace_id), channel.id)
    }
}

impl From<&AlertRule> for About {
    fn from(rule: &AlertRule) -> Self {
        Self::new(AuditHome::Workspace(rule.workspace_id), rule.id)
    }
}

impl From<&WebhookEndpoint> for About {
    fn from(endpoint: &WebhookEndpoint) -> Self {
        Self::new(AuditHome::Workspace(endpoint.workspace_id), endpoint.id)
    }
}

impl From<&TradingAccount> for About {
    fn from(account: &TradingAccount) -> Self {
        Self::new(AuditHome::Workspace(account.workspace_id), account.id)
    }
}

impl From<&AccountGroup> for About {
    fn from(group: &AccountGroup) -> Self {
        Self::new(AuditHome::Workspace(group.workspace_id), group.id)
    }
}

impl From<&Import> for About {
    fn from(import: &Import) -> Self {
        Self::new(AuditHome::Workspace(import.workspace_id), import.id)
    }
}

impl From<&Friend> for About {
    fn from(friend: &Friend) -> Self {
        Self::new(AuditHome::Workspace(friend.workspace_id), friend.id)
    }
}

impl From<&Confirmation> for About {
    fn from(confirmation: &Confirmation) -> Self {
        Self::new(AuditHome::Workspace(confirmation.workspace_id), confirmation.id)
    }
}

impl From<&AccountSession> for About {
    /// Never its tokens, nor a code.
    fn from(session: &AccountSession) -> Self {
        Self::new(AuditHome::Workspace(session.workspace_id), session.id)
    }
}

impl From<&Renewal> for About {
    fn from(renewal: &Renewal) -> Self {
        Self::new(AuditHome::Workspace(renewal.workspace_id), renewal.id)
    }
}

impl From<&Conversation> for About {
    fn from(conversation: &Conversation) -> Self {
        Self::new(AuditHome::Workspace(conversation.workspace_id), conversation.id)
    }
}

impl From<&ChatMessage> for About {
    /// Never its text.
    fn from(message: &ChatMessage) -> Self {
        Self::new(AuditHome::Workspace(message.workspace_id), message.id)
    }
}

impl From<&Assignment> for About {
    fn from(assignment: &Assignment) -> Self {
        Self::new(AuditHome::Workspace(assignment.workspace_id), assignment.id)
    }
}

impl From<&Remediation> for About {
    fn from(remediation: &Remediation) -> Self {
        Self::new(AuditHome::Workspace(remediation.workspace_id), remediation.id)
    }
}

impl From<&Provider> for About {
    fn from(provider: &Provider) -> Self {
        Self::new(AuditHome::Workspace(provider.workspace_id), provider.id)
    }
}

impl From<&Snapshot> for About {
    fn from(snapshot: &Snapshot) -> Self {
        Self::new(AuditHome::Workspace(snapshot.workspace_id), snapshot.id)
    }
}

impl From<&InventoryChange> for About {
    fn from(change: &InventoryChange) -> Self {
        Self::new(AuditHome::Workspace(change.workspace_id), change.id)
    }
}

impl From<&TradeOffer> for About {
    fn from(offer: &TradeOffer) -> Self {
        Self::new(AuditHome::Workspace(offer.workspace_id), offer.id)
    }
}

impl From<&Pool> for About {
    fn from(pool: &Pool) -> Self {
        Self::new(AuditHome::Workspace(pool.workspace_id), pool.id)
    }
}

impl From<&VariantOverride> for About {
    fn from(given: &VariantOverride) -> Self {
        Self::new(AuditHome::Workspace(given.workspace_id), given.id).with(Fact::Reason, given.reason.as_str())
    }
}

impl From<&WorkspaceKey> for About {
    fn from(key: &WorkspaceKey) -> Self {
        Self::new(AuditHome::Workspace(key.workspace_id), key.id)
    }
}

impl From<&Passkey> for About {
    fn from(passkey: &Passkey) -> Self {
        Self::new(AuditHome::User(passkey.user_id), passkey.id)
    }
}

impl From<&LinkedIdentity> for About {
    fn from(identity: &LinkedIdentity) -> Self {
        Self::new(AuditHome::User(identity.user_id), identity.id).with(Fact::Provider, &identity.provider)
    }
}

impl From<&Session> for About {
    fn from(session: &Session) -> Self {
        let about = Self::new(AuditHome::User(session.user_id), session.id);
        let proofs: Vec<&str> = session.proofs.iter().map(Proof::as_str).collect();
        Self { proved: Some(session.user_id), ..about }.with(Fact::Method, &proofs.join(","))
    }
}
