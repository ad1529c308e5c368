//! A holding, a sale or a purchase of a content as it was read, before it is compared with the records that there are.

use std::collections::BTreeSet;

use tradepost_domain::text::{AccountName, Description};
use tradepost_domain::trading::import::{HoldingField, HoldingFields, HoldingRow, ImportRow, RowOutcome};
use tradepost_ports::imports::ReadHolding;

use super::candidates::{Refuse as _, individual};

/// Returns the row of a holding or of a sale. Its outcome is that of a holding which is still to be compared.
pub(super) fn row_of(number: u32, read: ReadHolding) -> ImportRow {
    let mut row = ImportRow {
        number,
        platform_user_id: None,
        name: None,
        given: BTreeSet::new(),
        outcome: RowOutcome::WillCreate,
        reasons: Vec::new(),
        account_id: None,
        holding: None,
    };
    let mut fields = HoldingFields::new();
    for (field, text) in read.fields {
        match Description::new(&text) {
            Ok(text) => drop(fields.insert(field, text)),
            Err(error) => row.refuse(field.reason(), &format!("{field} {error}")),
        }
    }
    if let Some(fault) = read.fault {
        row.refuse(fault.code, &fault.detail);
    }
    let holding = HoldingRow { fields, ..HoldingRow::default() };
    name_holder(&mut row, &holding);
    row.holding = Some(Box::new(holding));
    row
}

/// Returns the row of a purchase, which its order identifies.
pub(super) fn row_of_purchase(number: u32, read: ReadHolding) -> ImportRow {
    let mut row = row_of(number, read);
    if let Some(purchase) = row.holding.as_deref_mut() {
        purchase.is_purchase = true;
    }
    row
}

/// Notes by what the account of a holding is known.
fn name_holder(row: &mut ImportRow, holding: &HoldingRow) {
    let (name, number) = (HoldingField::Account, HoldingField::PlatformUserId);
    if let Some(text) = holding.text(name) {
        row.name = AccountName::new(text).ok();
        if row.name.is_none() {
            row.refuse(name.reason(), "account must have 1 to 64 characters");
        }
    }
    if let Some(text) = holding.text(number) {
        row.platform_user_id = individual(text);
        if row.platform_user_id.is_none() {
            row.refuse(number.reason(), "platform_user_id is not that of an individual account");
        }
    }
}
