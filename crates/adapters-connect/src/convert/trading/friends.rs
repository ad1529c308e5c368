//! Friends on the wire.

use tradepost_domain::trading::friend::Friend;
use tradepost_operations::Versioned;

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::trading::v1 as wire;

pub(crate) fn friend(Versioned { value, version }: &Versioned<Friend>) -> wire::Friend {
    let request = value.request.as_ref();
    let failure = request.and_then(|request| request.failure).map(|failure| failure.as_str().to_owned());
    wire::Friend {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        account_id: Some(wire_id(value.account_id)),
        platform_user_id: Some(value.user.to_string()),
        relation: Some(value.relation.to_wire()),
        version: Some(*version),
        name: Some(value.name.as_ref().map(ToString::to_string).unwrap_or_default()),
        friend_since: value.friend_since.map(wire_time).into(),
        seen_at: value.seen_at.map(wire_time).into(),
        note: Some(value.note.as_ref().map(ToString::to_string).unwrap_or_default()),
        action: Some(request.map_or_else(Default::default, |request| request.action.to_wire())),
        action_state: Some(request.map_or_else(Default::default, |request| request.state.to_wire())),
        failure: Some(failure.unwrap_or_default()),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}
