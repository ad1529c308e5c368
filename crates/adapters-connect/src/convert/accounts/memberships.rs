//! Memberships and policies on the wire.

use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_operations::accounts::PolicyEntry;
use tradepost_operations::rules::Rule;

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::accounts::v1 as wire;

pub(crate) fn membership(membership: &Membership) -> wire::Membership {
    let invitation = membership.expires_at().map(|expires_at| wire::Invitation {
        email: Some(membership.invitee.as_ref().map(|email| email.as_str().to_owned()).unwrap_or_default()),
        expires_at: wire_time(expires_at).into(),
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
    }
}

pub(crate) fn policy(entry: &PolicyEntry) -> wire::Policy {
    wire::Policy {
        name: Some(entry.policy.name().to_owned()),
        description: Some(entry.policy.description().to_owned()),
        operations: operation_ids(&entry.operations),
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
