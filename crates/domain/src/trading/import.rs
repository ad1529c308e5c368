//! An import: trading accounts that another program keeps, items that accounts hold, or purchases and sales made elsewhere, read and checked
//! before anything is created.
//!
//! Creating an import applies nothing. Its rows say what applying does with each, and later what it did. An import that is not applied
//! within [`IMPORT_LIFE`] expires. What was read is kept elsewhere, sealed, and destroyed when the import ends.

mod holding;
mod holding_row;
mod machine;
mod purchase;
mod row;
mod sale;

use std::collections::BTreeSet;

use time::Duration;

use crate::id::{AccountGroupId, ImportId, UserId, WorkspaceId};
use crate::names::names;
use crate::text::Name;
use crate::time::Timestamp;
use crate::trading::trading_account::{AccountLimits, AccountRole};

pub use holding::{ELSEWHERE, Objection, imported_item};
pub use holding_row::{HoldingField, HoldingFields, HoldingRow};
pub use machine::{ImportError, ImportEvent};
pub use purchase::{ImportedPurchase, imported_purchase};
pub use row::{ImportRow, ImportRows, ReadField, ReasonCode, RowOutcome, RowReason, RowTally};
pub use sale::{ImportedSale, imported_sale};

/// How long an import can be applied.
pub const IMPORT_LIFE: Duration = Duration::hours(1);

/// The most rows of an import.
pub const MOST_ROWS: usize = 1_000;

/// What an import brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImportKind {
    /// Trading accounts with what they sign in by.
    Accounts = 1,
    /// Items that trading accounts hold already.
    Holdings = 2,
    /// Purchases that were made elsewhere, with their items and the sales of these.
    Purchases = 3,
    /// Sales elsewhere of items that are on record.
    Sales = 4,
}

names! { ImportKind, "kind of import":
    Accounts => "ACCOUNTS",
    Holdings => "HOLDINGS",
    Purchases => "PURCHASES",
    Sales => "SALES",
}

/// How the content of an import is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImportFormat {
    /// One `.maFile`.
    MaFile = 1,
    /// A folder of `.maFile` files with its manifest.
    MaFileBundle = 2,
    /// Account files of steamguard-cli.
    SteamguardCli = 3,
    /// Configurations and databases of ASF.
    AsfDb = 4,
    /// Lines of `otpauth://`.
    WinAuth = 5,
    /// An array of objects.
    Json = 6,
    /// Comma-separated values with a header line.
    Csv = 7,
}

names! { ImportFormat, "format of an import":
    MaFile => "MAFILE",
    MaFileBundle => "MAFILE_BUNDLE",
    SteamguardCli => "STEAMGUARD_CLI",
    AsfDb => "ASF_DB",
    WinAuth => "WINAUTH",
    Json => "JSON",
    Csv => "CSV",
}

/// The status of an import. The numbers 1 and 5 are kept for imports that are checked after their call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportStatus {
    /// Its rows say what applying does.
    Checked = 2,
    /// A part of its rows is applied.
    Applying = 3,
    /// Final: every row is applied, or says why it is not.
    Applied = 4,
    /// Final: a person cancelled it.
    Cancelled = 6,
    /// Final: it was not applied in time.
    Expired = 7,
}

names! { ImportStatus, "status of an import":
    Checked => "CHECKED",
    Applying => "APPLYING",
    Applied => "APPLIED",
    Cancelled => "CANCELLED",
    Expired => "EXPIRED",
}

impl ImportStatus {
    /// Returns whether nothing follows.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Applied | Self::Cancelled | Self::Expired)
    }
}

/// What each account that an import creates gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportDefaults {
    /// The group that it is put into.
    pub group_id: Option<AccountGroupId>,
    /// How far it may go.
    pub limits: AccountLimits,
    /// What it may do.
    pub capabilities: BTreeSet<AccountRole>,
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Its own id.
    pub id: ImportId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// What it brings.
    pub kind: ImportKind,
    /// How its content was written.
    pub format: ImportFormat,
    /// The status.
    pub status: ImportStatus,
    /// What its caller named it.
    pub name: Option<Name>,
    /// Its rows, counted.
    pub tally: RowTally,
    /// What each account that it creates gets.
    pub defaults: ImportDefaults,
    /// The user who created it; `None` for the process itself.
    pub created_by: Option<UserId>,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}
