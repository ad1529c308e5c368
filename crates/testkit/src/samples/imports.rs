//! Samples of imports and their rows.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::trading::import::{
    IMPORT_LIFE, Import, ImportDefaults, ImportFormat, ImportKind, ImportRow, ImportRows, ImportStatus, ReadField,
    ReasonCode, RowOutcome, RowReason, RowTally,
};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::{AccountLimits, AccountRole};

use super::trading::cents;
use super::{Samples, start, text};

impl Samples {
    /// Returns an import with every field set.
    ///
    /// # Panics
    /// Never: its texts are legal.
    pub fn import(&self, workspace_id: WorkspaceId, status: ImportStatus) -> Import {
        let limits = AccountLimits { max_inventory: 5, max_open_purchases: Some(2), min_balance: Some(cents(3)) };
        Import {
            id: self.id(),
            workspace_id,
            kind: ImportKind::Accounts,
            format: ImportFormat::MaFileBundle,
            status,
            name: Some(text("the farm")),
            tally: RowTally { rows: 7, accepted: 5, rejected: 2 },
            defaults: ImportDefaults {
                group_id: Some(self.id()),
                limits,
                capabilities: [AccountRole::Buy, AccountRole::Store].into(),
            },
            created_by: Some(self.id()),
            expires_at: start().plus(IMPORT_LIFE),
            created_at: start(),
            updated_at: start(),
        }
    }

    /// Returns what an import gives unless something else is said.
    pub fn plain_defaults(&self) -> ImportDefaults {
        let capabilities = AccountRole::ALL.iter().copied().collect();
        ImportDefaults { group_id: None, limits: AccountLimits::default(), capabilities }
    }

    /// Returns the rows of an import: one with every outcome.
    ///
    /// # Panics
    /// Never: their texts are legal.
    pub fn import_rows(&self, import: &Import) -> ImportRows {
        let row = |(number, outcome): (u32, &RowOutcome)| ImportRow {
            number,
            platform_user_id: NonZeroU64::new(76_561_198_000_000_000 + u64::from(number)).map(PlatformUserId::new),
            name: Some(self.unique("harbour")),
            given: [ReadField::SharedSecret, ReadField::RevocationCode].into(),
            outcome: *outcome,
            reasons: vec![RowReason { code: ReasonCode::NameTaken, detail: text("another account has the name") }],
            account_id: Some(self.id()),
        };
        let bare = ImportRow {
            number: 8,
            platform_user_id: None,
            name: None,
            given: BTreeSet::new(),
            outcome: RowOutcome::Refused,
            reasons: Vec::new(),
            account_id: None,
        };
        let rows = (1..).zip(RowOutcome::ALL).map(row).chain([bare]).collect();
        ImportRows { import_id: import.id, workspace_id: import.workspace_id, rows }
    }
}
