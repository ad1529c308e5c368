//! Renewals of tokens on the wire.

use tradepost_domain::trading::renewal::Renewal;
use tradepost_operations::Versioned;

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::trading::v1 as wire;

pub(crate) fn renewal(Versioned { value, version }: &Versioned<Renewal>) -> wire::Renewal {
    wire::Renewal {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        account_id: Some(wire_id(value.account_id)),
        kind: Some(value.kind.to_wire()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        due_at: wire_time(value.due_at).into(),
        expires_at: wire_time(value.expires_at).into(),
        attempts: Some(i32::from(value.attempts)),
        is_requested: Some(value.is_requested),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}
