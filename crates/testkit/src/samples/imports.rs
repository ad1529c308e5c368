//! Samples of imports and their rows, and of imported items.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::contracts::imported_item::{ImportedIds, ImportedItem, ImportedRecords, Paid};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::Description;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::{
    HoldingField, HoldingRow, IMPORT_LIFE, Import, ImportDefaults, ImportFormat, ImportKind, ImportRow, ImportRows,
    ImportStatus, ReadField, ReasonCode, RowOutcome, RowReason, RowTally,
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
            holding: None,
        };
        let bare = ImportRow {
            number: 8,
            platform_user_id: None,
            name: None,
            given: BTreeSet::new(),
            outcome: RowOutcome::Refused,
            reasons: Vec::new(),
            account_id: None,
            holding: None,
        };
        let fields: [(HoldingField, Description); 2] =
            [(HoldingField::AssetId, text("27348562871")), (HoldingField::Price, text("12.50"))];
        let held = HoldingRow {
            fields: fields.into(),
            item_id: Some(self.id()),
            purchase_id: Some(self.id()),
            is_purchase: false,
        };
        let bought: [(HoldingField, Description); 2] =
            [(HoldingField::Marketplace, text("csfloat")), (HoldingField::OrderId, text("A-1001"))];
        let bought = HoldingRow { fields: bought.into(), is_purchase: true, ..HoldingRow::default() };
        let purchase = ImportRow { number: 10, holding: Some(Box::new(bought)), ..bare.clone() };
        let holding = ImportRow { number: 9, holding: Some(Box::new(held)), ..bare.clone() };
        let rows = (1..).zip(RowOutcome::ALL).map(row).chain([bare, holding, purchase]).collect();
        ImportRows { import_id: import.id, workspace_id: import.workspace_id, rows }
    }

    /// Returns the records of an imported item at a price with a fee of 30 cents; without a price its cost is unknown.
    ///
    /// # Panics
    /// On a negative price.
    pub fn imported_item(&self, workspace_id: WorkspaceId, price: Option<i64>) -> ImportedRecords {
        self.record(workspace_id, &self.unbought(price.map(|price| Paid { price: cents(price), fee: cents(30) })))
    }

    /// Returns the records of a purchase that was made elsewhere at this time, for 12.00 and 0.30 of fee.
    ///
    /// # Panics
    /// For a time after [`start`].
    pub fn purchase_elsewhere(&self, workspace_id: WorkspaceId, bought_at: Timestamp) -> ImportedRecords {
        let item = self.unbought(Some(Paid { price: cents(1_200), fee: cents(30) }));
        let (order_id, listing_id) = (Some(self.external_id()), Some(self.external_id()));
        self.record(workspace_id, &ImportedItem { order_id, listing_id, bought_at: Some(bought_at), ..item })
    }

    fn record(&self, workspace_id: WorkspaceId, item: &ImportedItem) -> ImportedRecords {
        let ids = ImportedIds { workspace_id, purchase_id: self.id(), item_id: self.id(), link_id: self.id() };
        item.record(ids, text("trader-1"), self.external_id(), start()).unwrap()
    }

    /// An imported item of which nothing but its cost is said about its purchase.
    fn unbought(&self, paid: Option<Paid>) -> ImportedItem {
        ImportedItem {
            app_id: AppId::CS2,
            context_id: ContextId::ORDINARY,
            asset_id: self.asset_id(),
            market_hash_name: text("AK-47 | Redline (Field-Tested)"),
            traits: Traits { paint_seed: Some(412), ..Traits::default() },
            paid,
            marketplace: text("import"),
            order_id: None,
            listing_id: None,
            bought_at: None,
            protected_until: None,
        }
    }
}
