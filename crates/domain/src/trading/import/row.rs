//! The rows of an import: what was understood of each account, holding, sale or purchase, and what applying does with it. No secret is in them.

use std::collections::BTreeSet;

use super::holding_row::HoldingRow;
use crate::id::{AccountId, ImportId, WorkspaceId};
use crate::names::names;
use crate::text::{AccountName, Description};
use crate::trading::trade::PlatformUserId;

/// What applying a row does, or did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowOutcome {
    /// Applying creates the record.
    WillCreate = 1,
    /// Applying updates the record.
    WillUpdate = 2,
    /// The record is as the row says.
    Same = 3,
    /// The row cannot be applied.
    Refused = 4,
    /// The record was created.
    Created = 5,
    /// The record was updated.
    Updated = 6,
    /// The row could be applied when it was checked, and no longer when it was applied.
    Failed = 7,
}

names! { RowOutcome, "outcome of a row":
    WillCreate => "WILL_CREATE",
    WillUpdate => "WILL_UPDATE",
    Same => "SAME",
    Refused => "REFUSED",
    Created => "CREATED",
    Updated => "UPDATED",
    Failed => "FAILED",
}

impl RowOutcome {
    /// Returns whether applying still has something to do.
    pub const fn is_pending(self) -> bool {
        matches!(self, Self::WillCreate | Self::WillUpdate)
    }

    /// Returns whether the row is not applied and never will be.
    pub const fn is_rejected(self) -> bool {
        matches!(self, Self::Refused | Self::Failed)
    }
}

/// Why a row is not applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReasonCode {
    /// Its number is missing, or is not that of an individual account.
    NumberInvalid = 1,
    /// An earlier row has its number.
    NumberTwice = 2,
    /// Its name cannot be the name of an account.
    NameInvalid = 3,
    /// Another account, or an earlier row, has its name.
    NameTaken = 4,
    /// One of its secrets is not of the form that it should have.
    SecretInvalid = 5,
    /// Its trade token cannot be the token of a trade URL.
    TokenInvalid = 6,
    /// Its file cannot be read.
    FileInvalid = 7,
    /// Its file is encrypted, and the passphrase does not open it.
    FileEncrypted = 8,
    /// Another workspace of the installation has the account.
    AccountElsewhere = 9,
    /// The group has no room for it.
    GroupFull = 10,
    /// No account of the workspace has the name or the number of a holding.
    AccountUnknown = 11,
    /// The asset id, the game or the inventory context of an item is missing, or cannot be one.
    AssetInvalid = 12,
    /// An earlier row has its asset id.
    AssetTwice = 13,
    /// An item that was not imported has or had its asset id.
    AssetKnown = 14,
    /// The item was imported before, with something else.
    HoldingDiffers = 15,
    /// The market name is missing, or a text of a holding is not of the form that it should have.
    FieldInvalid = 16,
    /// Price, fee or currency of a holding cannot be one.
    PriceInvalid = 17,
    /// Another purchase, or an earlier row, has its order.
    OrderTaken = 18,
    /// A time of a holding cannot be one.
    TimeInvalid = 19,
    /// No item of the workspace has or had the asset id of a sale.
    ItemUnknown = 20,
    /// The item of a sale was not in the inventory, or could not be traded when it was sold.
    ItemNotHeld = 21,
    /// The sale was recorded before, with something else.
    SaleDiffers = 22,
    /// The purchase was imported before, with something else.
    PurchaseDiffers = 23,
    /// The item of a purchase is not said to be held, and its sale is not given.
    SaleMissing = 24,
}

names! { ReasonCode, "reason of a row":
    NumberInvalid => "NUMBER_INVALID",
    NumberTwice => "NUMBER_TWICE",
    NameInvalid => "NAME_INVALID",
    NameTaken => "NAME_TAKEN",
    SecretInvalid => "SECRET_INVALID",
    TokenInvalid => "TOKEN_INVALID",
    FileInvalid => "FILE_INVALID",
    FileEncrypted => "FILE_ENCRYPTED",
    AccountElsewhere => "ACCOUNT_ELSEWHERE",
    GroupFull => "GROUP_FULL",
    AccountUnknown => "ACCOUNT_UNKNOWN",
    AssetInvalid => "ASSET_INVALID",
    AssetTwice => "ASSET_TWICE",
    AssetKnown => "ASSET_KNOWN",
    HoldingDiffers => "HOLDING_DIFFERS",
    FieldInvalid => "FIELD_INVALID",
    PriceInvalid => "PRICE_INVALID",
    OrderTaken => "ORDER_TAKEN",
    TimeInvalid => "TIME_INVALID",
    ItemUnknown => "ITEM_UNKNOWN",
    ItemNotHeld => "ITEM_NOT_HELD",
    SaleDiffers => "SALE_DIFFERS",
    PurchaseDiffers => "PURCHASE_DIFFERS",
    SaleMissing => "SALE_MISSING",
}

/// A field that an account of an import may have besides its number and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReadField {
    /// The name under which it signs in.
    LoginName = 1,
    /// Its password.
    Password = 2,
    /// The secret that codes are made of.
    SharedSecret = 3,
    /// The secret that confirmations are answered with.
    IdentitySecret = 4,
    /// The platform's API key of the account.
    ApiKey = 5,
    /// The token of its trade URL.
    TradeToken = 6,
    /// The code that removes its mobile authenticator.
    RevocationCode = 7,
    /// The device of its mobile authenticator.
    DeviceId = 8,
    /// The serial number of its mobile authenticator.
    SerialNumber = 9,
    /// The address of its mobile authenticator.
    Uri = 10,
    /// A further secret of its mobile authenticator.
    Secret1 = 11,
}

names! { ReadField, "field of an imported account":
    LoginName => "login_name",
    Password => "password",
    SharedSecret => "shared_secret",
    IdentitySecret => "identity_secret",
    ApiKey => "api_key",
    TradeToken => "trade_token",
    RevocationCode => "revocation_code",
    DeviceId => "device_id",
    SerialNumber => "serial_number",
    Uri => "uri",
    Secret1 => "secret_1",
}

/// Why a row is not applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowReason {
    /// The kind of reason.
    pub code: ReasonCode,
    /// What was found, for people. Never a secret.
    pub detail: Description,
}

/// A row of an import: one account, one item that an account holds, one sale, or one purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    /// Its place in the content, from 1.
    pub number: u32,
    /// The platform's number of the account; `None` where it was not understood.
    pub platform_user_id: Option<PlatformUserId>,
    /// The name that the account has, or gets.
    pub name: Option<AccountName>,
    /// The fields that were given.
    pub given: BTreeSet<ReadField>,
    /// What applying does, or did.
    pub outcome: RowOutcome,
    /// Why it is not applied.
    pub reasons: Vec<RowReason>,
    /// The account that it concerns.
    pub account_id: Option<AccountId>,
    /// The holding, the sale or the purchase of an item; `None` of a row that is an account.
    pub holding: Option<Box<HoldingRow>>,
}

/// The rows of an import. They are checked together and applied in parts, each time with the import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRows {
    /// The import.
    pub import_id: ImportId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The rows, in the order of the content.
    pub rows: Vec<ImportRow>,
}

/// How many rows an import has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowTally {
    /// All of them.
    pub rows: u32,
    /// Those that can be applied or are.
    pub accepted: u32,
    /// Those that were refused or failed.
    pub rejected: u32,
}

impl ImportRows {
    /// Counts the rows.
    pub fn tally(&self) -> RowTally {
        let rejected = self.rows.iter().filter(|row| row.outcome.is_rejected()).count();
        let count = |many: usize| u32::try_from(many).unwrap_or(u32::MAX);
        RowTally {
            rows: count(self.rows.len()),
            accepted: count(self.rows.len().saturating_sub(rejected)),
            rejected: count(rejected),
        }
    }

    /// Returns the rows with other ones in place of those with their numbers.
    #[must_use]
    pub fn with(mut self, applied: Vec<ImportRow>) -> Self {
        for row in applied {
            if let Some(known) = self.rows.iter_mut().find(|known| known.number == row.number) {
                *known = row;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: u32, outcome: RowOutcome) -> ImportRow {
        ImportRow {
            number,
            platform_user_id: None,
            name: None,
            given: BTreeSet::new(),
            outcome,
            reasons: Vec::new(),
            account_id: None,
            holding: None,
        }
    }

    fn rows(outcomes: &[RowOutcome]) -> ImportRows {
        let rows = (1..).zip(outcomes).map(|(number, outcome)| row(number, *outcome)).collect();
        ImportRows { import_id: ImportId::from_bytes([1; 16]), workspace_id: WorkspaceId::from_bytes([2; 16]), rows }
    }

    #[test]
    fn every_row_is_accepted_or_rejected() {
        let tally = rows(RowOutcome::ALL).tally();
        assert_eq!(tally, RowTally { rows: 7, accepted: 5, rejected: 2 });
    }

    #[test]
    fn an_applied_row_takes_the_place_of_its_number() {
        let before = rows(&[RowOutcome::WillCreate, RowOutcome::WillCreate]);
        let after = before.with(vec![row(2, RowOutcome::Created)]);
        let outcomes: Vec<RowOutcome> = after.rows.iter().map(|row| row.outcome).collect();
        assert_eq!(outcomes, [RowOutcome::WillCreate, RowOutcome::Created]);
    }
}
