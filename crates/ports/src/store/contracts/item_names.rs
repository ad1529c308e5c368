//! Reads of the market names of a workspace's records: each once, in their order.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::name_search::NameSearch;
use tradepost_domain::text::MarketHashName;

use crate::store::StoreResult;

/// The records whose market names are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedRecord {
    /// Purchases.
    Purchase,
    /// Inventory items.
    Item,
    /// Prices of hours, which market observations form.
    Candle,
    /// Prices that sources report.
    Quote,
}

/// The market names to read.
#[derive(Debug, Clone, Copy)]
pub struct NameQuery<'a> {
    /// Only names that are not before this text.
    pub from: &'a str,
    /// Only names before this text.
    pub before: &'a str,
    /// Only names that begin with this text in lower case.
    pub begins: Option<&'a str>,
    /// Only names that contain these parts.
    pub search: Option<&'a NameSearch>,
    /// The most names, at least 1.
    pub most: u32,
}

/// A text that is after every market name.
pub const AFTER_ALL_NAMES: &str = "\u{10FFFF}";

/// Market names, each once, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameList {
    /// The names.
    pub names: Vec<MarketHashName>,
    /// Whether these are all: the limit was not reached, and at most `MOST_LOOKED_AT` different names were looked at.
    pub complete: bool,
}

/// Market names of a workspace's records.
#[async_trait]
pub trait ItemNames: Send + Sync {
    /// Returns the market names of records of a kind.
    async fn list_names(&self, scope: WorkspaceScope, of: NamedRecord, query: NameQuery<'_>) -> StoreResult<NameList>;
}

/// The market names that a filter of a list accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NameFilter<'a> {
    /// Every name.
    #[default]
    Any,
    /// One of these, each of which is found by an index.
    OneOf(&'a [MarketHashName]),
    /// Names that contain these parts: the records are looked through.
    Containing(&'a NameSearch),
}

impl NameFilter<'_> {
    /// Returns whether a name is accepted.
    pub fn accepts(&self, name: &MarketHashName) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(names) => names.contains(name),
            Self::Containing(search) => search.finds_name(name),
        }
    }
}
