//! Imports and their rows on the wire.

use connectrpc::ConnectError;
use tradepost_domain::text::Description;
use tradepost_domain::trading::import::{HoldingField, HoldingRow, Import, ImportRow, ReadField};
use tradepost_operations::Versioned;
use tradepost_operations::trading::DefaultsOfImport;

use super::limits;
use crate::convert::enums::{WireEnum as _, enums};
use crate::convert::{optional_id, wire_id, wire_number, wire_time};
use tradepost_proto::trading::v1 as wire;
use tradepost_proto::trading::v1::__buffa::view::ImportDefaultsView;

pub(crate) fn defaults(defaults: &ImportDefaultsView<'_>) -> Result<DefaultsOfImport, ConnectError> {
    Ok(DefaultsOfImport {
        group_id: optional_id("defaults.accountGroupId", defaults.account_group_id)?,
        limits: defaults.limits.as_option().map(limits).unwrap_or_default(),
        capabilities: enums("defaults.capabilities", &defaults.capabilities)?,
        name_after_login: defaults.name_after_login,
    })
}

pub(crate) fn import(Versioned { value, version }: &Versioned<Import>) -> wire::Import {
    wire::Import {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        kind: Some(value.kind.to_wire()),
        format: Some(value.format.to_wire()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        rows: Some(wire_number(value.tally.rows)),
        accepted: Some(wire_number(value.tally.accepted)),
        rejected: Some(wire_number(value.tally.rejected)),
        name: Some(value.name.as_ref().map(ToString::to_string).unwrap_or_default()),
        created_by: Some(value.created_by.map(wire_id).unwrap_or_default()),
        expires_at: wire_time(value.expires_at).into(),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}

pub(crate) fn import_row(row: &ImportRow) -> wire::ImportRow {
    let reasons = row.reasons.iter().map(|reason| wire::ImportReason {
        code: Some(reason.code.to_string()),
        detail: Some(reason.detail.to_string()),
    });
    let holding = row.holding.as_deref();
    wire::ImportRow {
        number: Some(wire_number(row.number)),
        key: Some(key(row)),
        outcome: Some(row.outcome.to_wire()),
        reasons: reasons.collect(),
        account_id: Some(row.account_id.map(wire_id).unwrap_or_default()),
        inventory_item_id: Some(holding.and_then(|holding| holding.item_id).map(wire_id).unwrap_or_default()),
        purchase_id: Some(holding.and_then(|holding| holding.purchase_id).map(wire_id).unwrap_or_default()),
        fields: holding.map_or_else(|| fields(row), fields_of_holding),
    }
}

/// Returns what identifies the record of a row.
fn key(row: &ImportRow) -> String {
    let number = || row.platform_user_id.map(|number| number.to_string());
    row.holding.as_deref().map_or_else(number, HoldingRow::key).unwrap_or_default()
}

/// Returns the fields of a holding, a sale or a purchase that are given.
fn fields_of_holding(holding: &HoldingRow) -> Vec<wire::ImportField> {
    let field = |(field, text): (&HoldingField, &Description)| wire::ImportField {
        name: Some(field.to_string()),
        value: Some(text.to_string()),
    };
    holding.fields.iter().map(field).collect()
}

/// Returns what was understood. Of a secret it says whether there is one.
fn fields(row: &ImportRow) -> Vec<wire::ImportField> {
    let field = |name: &str, value: String| wire::ImportField { name: Some(name.to_owned()), value: Some(value) };
    let number = row.platform_user_id.map(|number| number.to_string());
    let name = row.name.as_ref().map(ToString::to_string);
    let shown = [("platform_user_id", number), ("name", name)];
    let shown = shown.into_iter().filter_map(|(of, value)| Some(field(of, value?)));
    let secrets = ReadField::ALL.iter().map(|of| {
        let given = if row.given.contains(of) { "given" } else { "missing" };
        field(of.as_str(), given.to_owned())
    });
    shown.chain(secrets).collect()
}
