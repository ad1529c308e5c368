//! Sessions of trading accounts on the wire. Their tokens and codes never are.

use tradepost_domain::trading::account_session::AccountSession;
use tradepost_operations::Versioned;

use crate::convert::enums::WireEnum;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::trading::v1 as wire;

pub(crate) fn account_session(Versioned { value, version }: &Versioned<AccountSession>) -> wire::AccountSession {
    let (asked, expiry) = (&value.asked, value.expiry);
    wire::AccountSession {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        account_id: Some(wire_id(value.account_id)),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        guards: asked.guards.iter().map(|guard| guard.to_wire()).collect(),
        email_domain: Some(asked.email_domain.as_ref().map(ToString::to_string).unwrap_or_default()),
        access_expires_at: expiry.map(|expiry| wire_time(expiry.access)).into(),
        refresh_expires_at: expiry.map(|expiry| wire_time(expiry.refresh)).into(),
        failure: Some(value.failure.map(WireEnum::to_wire).unwrap_or_default()),
        uses_stored_code: Some(value.uses_stored_code),
        is_automatic: Some(value.is_automatic),
        codes_given: Some(i32::from(value.codes_given)),
        end_requested_at: value.end_requested_at.map(wire_time).into(),
        tokens_issued_at: value.tokens_issued_at.map(wire_time).into(),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}
