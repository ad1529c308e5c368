//! Confirmations on the wire.

use tradepost_domain::trading::confirmation::{Confirmation, ConfirmationCheck, ConfirmationText};
use tradepost_operations::Versioned;

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::trading::v1 as wire;

pub(crate) fn confirmation(Versioned { value, version }: &Versioned<Confirmation>) -> wire::Confirmation {
    let shown = &value.shown;
    let text = |text: &Option<ConfirmationText>| text.as_ref().map(ToString::to_string).unwrap_or_default();
    wire::Confirmation {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        account_name: Some(value.account_name.to_string()),
        platform_confirmation_id: Some(shown.platform_id.to_string()),
        kind: Some(value.kind().to_wire()),
        platform_kind: Some(i64::from(shown.platform_kind)),
        kind_name: Some(text(&shown.kind_name)),
        creator: Some(shown.creator.to_string()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        headline: Some(text(&shown.headline)),
        summary: shown.summary.iter().map(ToString::to_string).collect(),
        trade_offer_id: Some(value.trade_offer_id.map(wire_id).unwrap_or_default()),
        intent_id: Some(value.intent_id.map(wire_id).unwrap_or_default()),
        checks: value.checks.iter().map(check).collect(),
        attempts: Some(i32::from(value.attempts)),
        created_at: wire_time(shown.created_at).into(),
        seen_at: wire_time(value.seen_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}

fn check(made: &ConfirmationCheck) -> wire::ConfirmationCheck {
    wire::ConfirmationCheck {
        code: Some(made.code.as_str().to_owned()),
        ok: Some(made.holds),
        detail: Some(made.detail.as_ref().map(ToString::to_string).unwrap_or_default()),
    }
}
