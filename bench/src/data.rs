//! The data that is measured on: a workspace's purchases, items and links, made from their number alone, so that every
//! program knows every id without asking. Nothing here knows a database.

use std::collections::BTreeMap;

use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::{ItemStatus, LockKind};
use tradepost_domain::contracts::purchase::{FailureCode, PurchaseStatus};
use uuid::Uuid;

/// 2026-01-01T00:00:00Z, in milliseconds since 1970: when the first purchase was recorded. One followed each millisecond.
const FIRST_MS: u64 = 1_767_225_600_000;
/// Every so many purchases brought an item.
const PURCHASES_PER_ITEM: u32 = 5;
/// Listing, trade, and one other id seen in the inventory.
pub(crate) const LINKS_PER_ITEM: u32 = 3;
/// Buying contracts; purchase `n` is of contract `n % CONTRACTS`.
pub(crate) const CONTRACTS: u32 = 16;
/// The numbers under which purchases and items are counted.
const PURCHASE_KIND: i64 = 15;
const ITEM_KIND: i64 = 16;
const FEE_CENTS: i64 = 30;
const MARGIN_CENTS: i64 = 50;
const GAME: i64 = 730;
/// Where everything is bought and on sale.
pub(crate) const MARKETPLACE: &str = "csfloat";
/// A name and an account that both purchases and items have, and a part of a name.
pub(crate) const NAME: &str = "AK-47 | Redline 40 (Field-Tested)";
pub(crate) const NAME_PART: &str = "redline 40";
pub(crate) const ACCOUNT: &str = "trader-40";
/// 2096-10-02T07:06:40Z, in microseconds since 1970: until when locked items are locked.
const LOCKED_UNTIL: i64 = 4_000_000_000_000_000;
const ORDINARY_CONTEXT: i64 = 2;

/// How much is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Purchases of the workspace.
    pub(crate) purchases: u32,
    /// Users with workspaces of their own, and as many expired keys in ours: what the account counters must not notice.
    pub(crate) strangers: u32,
}

impl Sizes {
    /// What the counters are compared with. It has as many expired keys as the product ever shows: CountAPIKeys counts those.
    pub(crate) const SMALL: Self = Self { purchases: 1_000, strangers: 100 };

    pub(crate) const fn items(self) -> u32 {
        self.purchases / PURCHASES_PER_ITEM
    }

    pub(crate) const fn links(self) -> u32 {
        self.items() * LINKS_PER_ITEM
    }
}

/// What an id is of; keeps the ids of two kinds made at the same time apart.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Of {
    Contract = 1,
    Purchase,
    Item,
    Link,
    User,
    Workspace,
    Membership,
    Key,
}

/// The id of the `number`th record of a kind: a `UUIDv7` whose random part is a fixed one.
pub(crate) fn id(of: Of, number: u32) -> Uuid {
    let mixed = mix((of as u64) << 32 | u64::from(number));
    let mut random = [0; 10];
    random[..8].copy_from_slice(&mixed.to_be_bytes());
    random[8..].copy_from_slice(&(of as u16).to_be_bytes());
    uuid::Builder::from_unix_timestamp_millis(FIRST_MS + u64::from(number), &random).into_uuid()
}

/// A well-mixed number made of another one (the finaliser of `SplitMix64`).
pub(crate) const fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// When the `number`th record was made, in microseconds since 1970.
pub(crate) fn made_at(number: u32) -> i64 {
    i64::try_from((FIRST_MS + u64::from(number)) * 1_000).unwrap_or(i64::MAX)
}

/// One value of a row.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Id(Uuid),
    Text(String),
    Number(i64),
    Nothing,
}

impl From<Uuid> for Cell {
    fn from(id: Uuid) -> Self {
        Self::Id(id)
    }
}
impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}
impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

/// A table with the columns that are filled.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [&'static str],
}

pub(crate) const PURCHASES: Table = Table {
    name: "purchases",
    columns: &[
        "workspace_id",
        "id",
        "contract_id",
        "market_hash_name",
        "listing_price_cents",
        "max_buy_price_cents",
        "platform_fee_cents",
        "listing_id",
        "listing_asset_id",
        "marketplace",
        "account_name",
        "status",
        "order_id",
        "executed_price_cents",
        "executed_fee_cents",
        "trade_offer_id",
        "trade_id",
        "protected_until",
        "failure_code",
        "refunded_cents",
        "created_at",
        "updated_at",
        "version",
    ],
};
pub(crate) const ITEMS: Table = Table {
    name: "inventory_items",
    columns: &[
        "workspace_id",
        "id",
        "purchase_id",
        "contract_id",
        "market_hash_name",
        "status",
        "buy_price_cents",
        "account_name",
        "app_id",
        "context_id",
        "lock_kind",
        "locked_until",
        "sale_marketplace",
        "sale_listing_id",
        "list_price_cents",
        "last_step",
        "current_asset_id",
        "last_source",
        "first_source",
        "chained_at",
        "created_at",
        "updated_at",
        "version",
    ],
};
pub(crate) const LINKS: Table = Table {
    name: "asset_id_links",
    columns: &[
        "workspace_id",
        "inventory_item_id",
        "step",
        "id",
        "purchase_id",
        "asset_id",
        "previous_asset_id",
        "source",
        "source_id",
        "created_at",
    ],
};

/// A purchase, as far as it differs from the others.
pub(crate) struct Purchase {
    number: u32,
    status: PurchaseStatus,
}

/// Where the money of a contract's purchases is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Totals {
    pub(crate) filled: u32,
    pub(crate) open: u32,
    pub(crate) spent_cents: i64,
    pub(crate) reserved_cents: i64,
}

/// The status that most purchases have: the longest of the filtered lists.
pub(crate) const MOST_FREQUENT: PurchaseStatus = PurchaseStatus::Failed;

impl Purchase {
    pub(crate) const fn new(number: u32) -> Self {
        let status = match number % 20 {
            0 | 5 | 10 => PurchaseStatus::Settled,
            15 => PurchaseStatus::Traded,
            11 | 12 | 13 | 14 | 16 => PurchaseStatus::Cancelled,
            17 => PurchaseStatus::Pending,
            18 => PurchaseStatus::Paid,
            19 => PurchaseStatus::Refunded,
            _ => MOST_FREQUENT,
        };
        Self { number, status }
    }

    const fn contract(&self) -> u32 {
        self.number % CONTRACTS
    }

    fn price(&self) -> i64 {
        1_000 + i64::from(self.number % 5_000)
    }

    const fn brought_an_item(&self) -> bool {
        matches!(self.status, PurchaseStatus::Settled | PurchaseStatus::Traded)
    }

    fn trade_id(&self) -> Option<String> {
        self.brought_an_item().then(|| format!("trade-{}", self.number))
    }

    fn market_hash_name(&self) -> String {
        format!("AK-47 | Redline {} (Field-Tested)", self.number % 1_000)
    }

    /// The row in the order of [`PURCHASES`].
    pub(crate) fn row(&self, workspace: Uuid) -> Vec<Cell> {
        let (number, price, at) = (self.number, self.price(), made_at(self.number));
        let paid = self.status.was_paid();
        let refunded = self.status == PurchaseStatus::Refunded;
        let failure = if refunded {
            Some(FailureCode::SellerLate)
        } else {
            (self.status == PurchaseStatus::Failed).then_some(FailureCode::SoldAlready)
        };
        vec![
            workspace.into(),
            id(Of::Purchase, number).into(),
            id(Of::Contract, self.contract()).into(),
            self.market_hash_name().into(),
            price.into(),
            (price + FEE_CENTS + MARGIN_CENTS).into(),
            FEE_CENTS.into(),
            format!("listing-{number}").into(),
            listed_asset(number).into(),
            MARKETPLACE.into(),
            format!("trader-{}", number % 50).into(),
            i64::from(self.status as i16).into(),
            paid.then(|| format!("order-{number}")).into(),
            paid.then_some(price).into(),
            paid.then_some(FEE_CENTS).into(),
            self.brought_an_item().then(|| format!("offer-{number}")).into(),
            self.trade_id().into(),
            self.brought_an_item().then_some(at + 7 * 86_400_000_000).into(),
            failure.map(|failure| i64::from(failure as i16)).into(),
            (if refunded { price + FEE_CENTS } else { 0 }).into(),
            at.into(),
            (at + 60_000_000).into(),
            4_i64.into(),
        ]
    }

    /// Adds the purchase to the totals of its contract.
    pub(crate) fn add_to(&self, totals: &mut Totals) {
        totals.filled += u32::from(self.brought_an_item());
        totals.open += u32::from(matches!(self.status, PurchaseStatus::Paid | PurchaseStatus::Pending));
        if self.brought_an_item() || self.status == PurchaseStatus::Paid {
            totals.spent_cents += self.price() + FEE_CENTS;
        } else if self.status == PurchaseStatus::Pending {
            totals.reserved_cents += self.price() + FEE_CENTS + MARGIN_CENTS;
        }
    }
}

/// The asset id that a listed item has with its seller.
fn listed_asset(purchase: u32) -> String {
    (50_000_000_000 + u64::from(purchase)).to_string()
}

/// An item's asset id at a step; step 0 is the listing's.
pub(crate) fn asset_at(item: u32, step: u32) -> u64 {
    match step {
        0 => 50_000_000_000 + u64::from(item * PURCHASES_PER_ITEM),
        _ => 60_000_000_000 + u64::from(item) * 10 + u64::from(step),
    }
}

/// An item, the one that the purchase brought.
pub(crate) struct Item {
    number: u32,
    purchase: Purchase,
}

impl Item {
    pub(crate) const fn new(number: u32) -> Self {
        Self { number, purchase: Purchase::new(number * PURCHASES_PER_ITEM) }
    }

    /// One of four is on sale, and one of four is locked.
    const fn status(&self) -> ItemStatus {
        if self.number.is_multiple_of(4) { ItemStatus::Listed } else { ItemStatus::InInventory }
    }

    /// The row in the order of [`ITEMS`].
    pub(crate) fn row(&self, workspace: Uuid) -> Vec<Cell> {
        let purchase = &self.purchase;
        let (is_on_sale, is_locked) = (self.status() == ItemStatus::Listed, self.number % 4 == 1);
        let last = LINKS_PER_ITEM - 1;
        vec![
            workspace.into(),
            id(Of::Item, self.number).into(),
            id(Of::Purchase, purchase.number).into(),
            id(Of::Contract, purchase.contract()).into(),
            purchase.market_hash_name().into(),
            i64::from(self.status() as i16).into(),
            purchase.price().into(),
            format!("trader-{}", purchase.number % 50).into(),
            GAME.into(),
            ORDINARY_CONTEXT.into(),
            is_locked.then_some(i64::from(LockKind::TradeHold as i16)).into(),
            is_locked.then_some(LOCKED_UNTIL).into(),
            is_on_sale.then_some(MARKETPLACE).into(),
            is_on_sale.then(|| format!("sale-{}", self.number)).into(),
            is_on_sale.then(|| purchase.price() + MARGIN_CENTS).into(),
            i64::from(last).into(),
            asset_at(self.number, last).to_string().into(),
            i64::from(Source::Inventory as i16).into(),
            i64::from(Source::Listing as i16).into(),
            self.linked_at(last).into(),
            self.linked_at(0).into(),
            self.linked_at(last).into(),
            2_i64.into(),
        ]
    }

    /// The rows of its chain in the order of [`LINKS`].
    pub(crate) fn link_rows(&self, workspace: Uuid) -> impl Iterator<Item = Vec<Cell>> {
        (0..LINKS_PER_ITEM).map(move |step| self.link_row(workspace, step))
    }

    fn link_row(&self, workspace: Uuid, step: u32) -> Vec<Cell> {
        let purchase = self.purchase.number;
        let (source, source_id) = match step {
            0 => (Source::Listing, format!("listing-{purchase}")),
            1 => (Source::PurchaseTrade, format!("trade-{purchase}")),
            _ => (Source::Inventory, format!("seen-{}-{step}", self.number)),
        };
        vec![
            workspace.into(),
            id(Of::Item, self.number).into(),
            i64::from(step).into(),
            id(Of::Link, self.number * LINKS_PER_ITEM + step).into(),
            id(Of::Purchase, purchase).into(),
            asset_at(self.number, step).to_string().into(),
            step.checked_sub(1).map(|before| asset_at(self.number, before).to_string()).into(),
            i64::from(source as i16).into(),
            source_id.into(),
            self.linked_at(step).into(),
        ]
    }

    fn linked_at(&self, step: u32) -> i64 {
        made_at(self.purchase.number) + 60_000_000 + i64::from(step / 2) * 3_600_000_000
    }
}

/// A counter's key: kind, contract (none for the whole workspace), status.
pub(crate) type Counted = (i64, Option<Uuid>, i64);

/// What the counters of the workspace and of its contracts have to say.
pub(crate) fn counters(sizes: Sizes) -> BTreeMap<Counted, i64> {
    let mut counters = BTreeMap::new();
    let mut count = |kind, contract, status: i64| {
        for contract in [None, Some(id(Of::Contract, contract))] {
            *counters.entry((kind, contract, status)).or_default() += 1;
        }
    };
    for purchase in (0..sizes.purchases).map(Purchase::new) {
        count(PURCHASE_KIND, purchase.contract(), (purchase.status as i16).into());
    }
    for item in (0..sizes.items()).map(Item::new) {
        count(ITEM_KIND, item.purchase.contract(), (item.status() as i16).into());
    }
    counters
}

/// The totals of each contract.
pub(crate) fn totals(sizes: Sizes) -> Vec<Totals> {
    let mut totals = vec![Totals::default(); CONTRACTS as usize];
    for purchase in (0..sizes.purchases).map(Purchase::new) {
        if let Some(of_contract) = totals.get_mut(purchase.contract() as usize) {
            purchase.add_to(of_contract);
        }
    }
    totals
}
