//! API keys and the keys of workspaces on the wire.

use tradepost_operations::accounts::{KeyWithRecords, KeyWithUse};

use super::memberships::policy_names;
use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::accounts::v1 as wire;

/// The key with the user who owns it.
pub(crate) fn owned_api_key(key: &KeyWithUse) -> wire::APIKey {
    wire::APIKey { owner_id: Some(wire_id(key.key.owner_id)), ..api_key(key) }
}

/// The key as the specification has it, which names no owner.
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
        owner_id: None,
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
    }
}
