//! Records of `accounts.v1` on the wire.

use tradepost_domain::accounts::authenticator::Aaguid;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::accounts::session::Proof;
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_domain::accounts::workspace::{Settings, TradingHalt, Workspace};
use tradepost_operations::Versioned;
use tradepost_operations::accounts::{KeyWithRecords, KeyWithUse, PolicyEntry, SessionWithUse};
use tradepost_operations::rules::Rule;

use super::enums::WireEnum as _;
use super::{wire_id, wire_time};
use tradepost_proto::accounts::v1 as wire;

pub(crate) fn user(user: &User) -> wire::User {
    wire::User {
        id: Some(wire_id(user.id)),
        display_name: Some(user.display_name.to_string()),
        email: Some(user.email.as_ref().map(|email| email.as_str().to_owned()).unwrap_or_default()),
        created_at: wire_time(user.created_at).into(),
        updated_at: wire_time(user.updated_at).into(),
        locale: Some(user.preferences.locale.as_ref().map(ToString::to_string).unwrap_or_default()),
        timezone: Some(user.preferences.time_zone.as_ref().map(ToString::to_string).unwrap_or_default()),
        ..wire::User::default()
    }
}

/// A user, as others see them.
pub(crate) fn fellow(user: &User) -> wire::Fellow {
    wire::Fellow {
        id: Some(wire_id(user.id)),
        display_name: Some(user.display_name.to_string()),
        ..wire::Fellow::default()
    }
}

pub(crate) fn linked_identity(identity: &LinkedIdentity) -> wire::LinkedIdentity {
    wire::LinkedIdentity {
        id: Some(wire_id(identity.id)),
        provider: Some(identity.provider.as_str().to_owned()),
        linked_at: wire_time(identity.linked_at).into(),
        ..wire::LinkedIdentity::default()
    }
}

pub(crate) fn workspace(workspace: &Workspace) -> wire::Workspace {
    wire::Workspace {
        id: Some(wire_id(workspace.id)),
        name: Some(workspace.name.to_string()),
        description: Some(workspace.description.as_ref().map(ToString::to_string).unwrap_or_default()),
        base_currency: Some(workspace.base_currency.to_string()),
        created_at: wire_time(workspace.created_at).into(),
        updated_at: wire_time(workspace.updated_at).into(),
        deleted_at: workspace.deleted_at.map(wire_time).into(),
        trading_halt: workspace.trading_halt.as_ref().map(trading_halt).into(),
        ..wire::Workspace::default()
    }
}

fn trading_halt(halt: &TradingHalt) -> wire::TradingHalt {
    wire::TradingHalt {
        reason: Some(halt.reason.to_string()),
        since: wire_time(halt.since).into(),
        ..wire::TradingHalt::default()
    }
}

pub(crate) fn settings(settings: Settings) -> wire::WorkspaceSettings {
    wire::WorkspaceSettings {
        require_two_factor: Some(settings.require_two_factor),
        max_api_key_lifetime_days: settings.key_life.map(|life| life.days().into()),
        allow_email_step_up: Some(settings.allow_email_step_up),
        ..wire::WorkspaceSettings::default()
    }
}

pub(crate) fn membership(membership: &Membership) -> wire::Membership {
    let invitation = membership.expires_at().map(|expires_at| wire::Invitation {
        email: Some(membership.invitee.as_ref().map(|email| email.as_str().to_owned()).unwrap_or_default()),
        expires_at: wire_time(expires_at).into(),
        ..wire::Invitation::default()
    });
    wire::Membership {
        id: Some(wire_id(membership.id)),
        user_id: Some(membership.user_id().map(wire_id).unwrap_or_default()),
        workspace_id: Some(wire_id(membership.workspace_id)),
        role: Some(membership.role.to_wire()),
        status: Some(membership.status().to_wire()),
        created_at: wire_time(membership.created_at).into(),
        updated_at: wire_time(membership.updated_at).into(),
        policies: policy_names(membership.policies),
        invitation: invitation.into(),
        ..wire::Membership::default()
    }
}

pub(crate) fn api_key(KeyWithUse { key, last_used_at }: &KeyWithUse) -> wire::APIKey {
    wire::APIKey {
        id: Some(wire_id(key.id)),
        name: Some(key.name.to_string()),
        key_prefix: Some(key.prefix.clone()),
        workspace_id: Some(wire_id(key.workspace_id)),
        last_used_at: last_used_at.map(wire_time).into(),
        expires_at: key.expires_at.map(wire_time).into(),
        created_at: wire_time(key.created_at).into(),
        policies: policy_names(key.policies),
        allowed_cidrs: key.networks.iter().collect(),
        ..wire::APIKey::default()
    }
}

pub(crate) fn session(with_use: &SessionWithUse) -> wire::Session {
    let SessionWithUse { session, last_seen_at, expires_at, is_current } = with_use;
    wire::Session {
        id: Some(wire_id(session.id)),
        created_at: wire_time(session.created_at).into(),
        last_seen_at: wire_time(*last_seen_at).into(),
        expires_at: wire_time(*expires_at).into(),
        ip: Some(session.client.map(|client| client.to_string()).unwrap_or_default()),
        user_agent: Some(session.user_agent.as_ref().map(ToString::to_string).unwrap_or_default()),
        methods: session.proofs.iter().map(Proof::to_wire).collect(),
        current: Some(*is_current),
        ..wire::Session::default()
    }
}

pub(crate) fn workspace_key(KeyWithRecords { key, records }: &KeyWithRecords) -> wire::WorkspaceKey {
    wire::WorkspaceKey {
        id: Some(wire_id(key.id)),
        version: Some(i32::try_from(key.number).unwrap_or(i32::MAX)),
        status: Some(key.status().to_wire()),
        created_at: wire_time(key.created_at).into(),
        retired_at: key.retired_at().map(wire_time).into(),
        records_remaining: Some(i64::try_from(*records).unwrap_or(i64::MAX)),
        ..wire::WorkspaceKey::default()
    }
}

pub(crate) fn linked_account(identity: &LinkedIdentity) -> wire::LinkedAccount {
    wire::LinkedAccount {
        id: Some(wire_id(identity.id)),
        provider: Some(identity.provider.to_wire()),
        subject: Some(identity.subject.to_string()),
        linked_at: wire_time(identity.linked_at).into(),
        ..wire::LinkedAccount::default()
    }
}

pub(crate) fn passkey(Versioned { value: passkey, version }: &Versioned<Passkey>) -> wire::Passkey {
    wire::Passkey {
        id: Some(wire_id(passkey.id)),
        name: Some(passkey.name.to_string()),
        created_at: wire_time(passkey.created_at).into(),
        backed_up: Some(passkey.backed_up),
        authenticator_name: Some(passkey.authenticator.and_then(Aaguid::name).unwrap_or_default().to_owned()),
        last_used_at: passkey.last_used_at.map(wire_time).into(),
        disabled_at: passkey.disabled_at.map(wire_time).into(),
        version: Some(*version),
        ..wire::Passkey::default()
    }
}

pub(crate) fn policy(entry: &PolicyEntry) -> wire::Policy {
    wire::Policy {
        name: Some(entry.policy.name().to_owned()),
        description: Some(entry.policy.description().to_owned()),
        operations: operation_ids(&entry.operations),
        ..wire::Policy::default()
    }
}

pub(crate) fn policy_names(policies: PolicySet) -> Vec<String> {
    policies.iter().map(Policy::name).map(str::to_owned).collect()
}

/// Operations as the interface names them, such as `contracts.v1.Contracts.GetPurchase`.
pub(crate) fn operation_ids(methods: &[&'static str]) -> Vec<String> {
    methods
        .iter()
        .filter_map(|method| Rule::of(method))
        .map(|rule| format!("{}.{}", rule.service, rule.method))
        .collect()
}
