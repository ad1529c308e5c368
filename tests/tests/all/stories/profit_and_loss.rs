//! Profit and loss of a random history: in every report they add up to what the ledger says, and every day to equity.

use serde_json::{Value, json};
use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::inventory_item::{
    AssetEvidence, InventoryItem, ItemEvent, ItemStatus, Proceeds, SalePlace,
};
use tradepost_domain::contracts::purchase::PurchaseEvent;
use tradepost_domain::id::{ContractId, InventoryItemId};
use tradepost_domain::money::Cents;
use tradepost_operations::contracts::{
    ActivateContract, AdvanceItem, AdvancePurchase, ContractTerms, CreateContract, GetInventoryItem, SellingLimits,
};
use tradepost_operations::{Caller, Code};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::text;

use super::pools::{buying_from_a_pool, in_workspace, trading};
use crate::harness::{Key, World, on_both_databases};

const GROUPINGS: [&str; 8] =
    ["NONE", "CONTRACT", "SELLING_CONTRACT", "POOL", "ACCOUNT", "BUY_MARKETPLACE", "SELL_MARKETPLACE", "ITEM_NAME"];
const FIGURES: [&str; 8] = [
    "realisedCents",
    "pendingCents",
    "buyFeesCents",
    "saleFeesCents",
    "writeOffsCents",
    "costSoldCents",
    "proceedsCents",
    "soldCount",
];

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

struct History<'a> {
    world: &'a World,
    dice: Dice,
    buyers: [ContractId; 2],
    seller: ContractId,
    items: Vec<InventoryItemId>,
    number: u32,
}

fn number(value: &Value) -> i64 {
    value.as_i64().or_else(|| value.as_str()?.parse().ok()).unwrap_or(0)
}

impl<'a> History<'a> {
    async fn begun(world: &'a World) -> Self {
        let trading = trading(world);
        let (_, pooled) = buying_from_a_pool(world, 60_000).await;
        let buyers =
            [trading.active("Redlines", ApprovalMode::Automatic).await, pooled.as_str().unwrap().parse().unwrap()];
        let workspace_id = world.desk.workspace_id;
        let limits = SellingLimits { floor_price_cents: Some(1), ..SellingLimits::default() };
        let draft = CreateContract {
            workspace_id,
            name: "Sales".to_owned(),
            terms: ContractTerms::Selling(limits),
            filter_set_id: None,
            pool_id: None,
            approval_mode: ApprovalMode::Automatic,
            marketplaces: Vec::new(),
            price_reference: None,
            starts_at: None,
            ends_at: None,
        };
        let seller = world.app.operations().create_contract(&Caller::system(), draft).await.unwrap().value.id;
        let command = ActivateContract { workspace_id, contract_id: seller, expected_version: None };
        world.app.operations().activate_contract(&Caller::system(), command).await.unwrap();
        Self { world, dice: Dice(7), buyers, seller, items: Vec::new(), number: 5_000 }
    }

    async fn step(&mut self) {
        let hours = self.dice.below(60);
        self.world.clock.advance(Duration::hours(i64::try_from(hours).unwrap()));
        if self.items.len() < 12 && self.dice.below(4) == 0 {
            self.number += 1;
            let buyer = self.dice.pick(&self.buyers);
            self.items.push(trading(self.world).receive(buyer, self.number).await.1);
        } else if !self.items.is_empty() {
            let id = self.dice.pick(&self.items);
            let item = self.item(id).await;
            match self.next(&item) {
                Some(event) => self.advance_item(id, event).await,
                None if item.status == ItemStatus::Reverted => self.end_purchase(&item).await,
                None => {}
            }
        }
    }

    async fn item(&self, inventory_item_id: InventoryItemId) -> InventoryItem {
        let command = GetInventoryItem { workspace_id: self.world.desk.workspace_id, inventory_item_id };
        self.world.app.operations().get_inventory_item(&Caller::system(), command).await.unwrap().value
    }

    /// Something that can happen to the item in its status.
    fn next(&mut self, item: &InventoryItem) -> Option<ItemEvent> {
        self.number += 1;
        let (way, now) = (self.dice.below(4), self.world.clock.now());
        let fresh = |what: &str| text(&format!("{what}-{}", self.number));
        let (ours, other) = (item.current_asset_id().clone(), AssetId::new(&format!("7{:08}", self.number)).unwrap());
        let cents = |amount| Cents::new(amount).unwrap();
        let proceeds = Proceeds::new(cents(900 + 10 * i64::from(self.number % 90)), cents(55)).unwrap();
        let seen = || AssetEvidence { asset_id: ours.clone(), source_id: fresh("snapshot") };
        Some(match (item.status, way) {
            (ItemStatus::InInventory, 0) => {
                ItemEvent::WentMissing { first_absent_at: now, last_absent_at: now.plus(Duration::minutes(10)) }
            }
            (ItemStatus::InInventory, 1) => {
                ItemEvent::PurchaseReversed { rollback_trade_id: fresh("rollback"), asset_id: None }
            }
            (ItemStatus::InInventory, _) => {
                let contract_id = (way == 2).then_some(self.seller);
                let place = SalePlace { marketplace: text(if way == 2 { "skinport" } else { "dmarket" }), contract_id };
                ItemEvent::ListingStarted { place, price: cents(1_500), takes_locked: true, exchange_rate: None }
            }
            (ItemStatus::Listing, 0) => ItemEvent::ListingRefused,
            (ItemStatus::Listing, _) => ItemEvent::ListingAccepted { listing_id: fresh("sale"), asset_id: ours },
            (ItemStatus::Listed, 0) => ItemEvent::ListingEnded { seen: seen() },
            (ItemStatus::Listed, _) => ItemEvent::SaleNoticed { listing_id: item.sale_listing_id.clone()?, proceeds },
            (ItemStatus::Reserved, _) => ItemEvent::DeliveryStarted { asset_id: ours },
            (ItemStatus::Delivering, 0) => ItemEvent::SaleFellThrough { still_listed: false, seen: seen() },
            (ItemStatus::Delivering, _) => ItemEvent::Given { trade_id: fresh("given"), asset_id: other },
            (ItemStatus::Sold, 0) => ItemEvent::SaleReversed { rollback_trade_id: fresh("back"), asset_id: other },
            (ItemStatus::Sold, _) => ItemEvent::ProceedsBooked { proceeds, protected_until: now, paid_out: way > 1 },
            (ItemStatus::Missing, 0) => ItemEvent::GivenUp,
            (ItemStatus::Missing, _) => ItemEvent::Found { seen: seen() },
            (ItemStatus::Held | ItemStatus::Settled | ItemStatus::Reverted | ItemStatus::WrittenOff, _) => return None,
        })
    }

    /// What a guard refuses does not happen.
    async fn advance_item(&self, inventory_item_id: InventoryItemId, event: ItemEvent) {
        let workspace_id = self.world.desk.workspace_id;
        let command = AdvanceItem { workspace_id, inventory_item_id, event, expected_version: None };
        let advanced = self.world.app.operations().advance_item(&Caller::system(), command).await;
        assert!(advanced.as_ref().err().is_none_or(|error| error.code == Code::FailedPrecondition), "{advanced:?}");
    }

    async fn end_purchase(&mut self, item: &InventoryItem) {
        let back = Cents::new(1_000 + 20 * i64::try_from(self.dice.below(12)).unwrap()).unwrap();
        let event = if self.dice.below(3) == 0 {
            PurchaseEvent::WrittenOff
        } else {
            PurchaseEvent::RefundBooked { amount: back }
        };
        let (workspace_id, purchase_id) = (item.workspace_id, item.purchase_id);
        let command = AdvancePurchase { workspace_id, purchase_id, event, expected_version: None };
        // One that has ended stays as it ended.
        let _ = self.world.app.operations().advance_purchase(&Caller::system(), command).await;
    }
}

fn of_years(world: &World, fields: Value) -> Value {
    let mut request = in_workspace(world, fields);
    request["from"] = json!("2025-12-01T00:00:00Z");
    request["to"] = json!("2028-06-01T00:00:00Z");
    request
}

/// The same by days of New York, whose midnights are 5 h, in summer 4 h, behind those of UTC.
fn in_new_york(request: &Value) -> Value {
    let mut request = request.clone();
    request["timeZone"] = json!("America/New_York");
    request["from"] = json!("2025-12-01T05:00:00Z");
    request["to"] = json!("2028-06-01T04:00:00Z");
    request
}

/// The sums over all rows of a report.
async fn report(world: &World, grouping: &str) -> Vec<i64> {
    let request = of_years(world, json!({ "groupBy": format!("PROFIT_AND_LOSS_GROUPING_{grouping}") }));
    let answer = world.call(Key::Reader, "GetProfitAndLoss", &request).await.ok();
    let rows = answer["rows"].as_array().cloned().unwrap_or_default();
    let sum = |name: &&str| rows.iter().map(|row| number(&row[*name])).sum();
    FIGURES.iter().chain(&["openCount"]).map(sum).collect()
}

/// What the entries of the ledger come to: realised, pending and written off.
async fn ledger(world: &World) -> [i64; 3] {
    let (mut sums, mut cursor) = ([0; 3], String::new());
    loop {
        let list = in_workspace(world, json!({ "limit": 200, "cursor": cursor }));
        let page = world.call(Key::Reader, "ListLedgerEntries", &list).await.ok();
        let request = in_workspace(world, json!({ "ledgerEntryIds": page["ledgerEntryIds"] }));
        let entries = world.call(Key::Reader, "GetLedgerEntries", &request).await.ok();
        for entry in entries["ledgerEntries"].as_array().unwrap() {
            sums[1] += number(&entry["pendingCents"]);
            for leg in entry["legs"].as_array().unwrap() {
                match leg["account"].as_str().unwrap() {
                    "LEDGER_ACCOUNT_REALISED_PNL" | "LEDGER_ACCOUNT_FEES" => sums[0] -= number(&leg["amountCents"]),
                    "LEDGER_ACCOUNT_WRITE_OFFS" => sums[2] += number(&leg["amountCents"]),
                    _ => {}
                }
            }
        }
        page["nextCursor"].as_str().unwrap_or_default().clone_into(&mut cursor);
        if cursor.is_empty() {
            return sums;
        }
    }
}

/// How many items are ours and not given to a buyer.
async fn open_items(world: &World) -> i64 {
    let counted = world.call(Key::Reader, "CountInventoryItems", &in_workspace(world, json!({}))).await.ok();
    let is_open =
        |status: &str| !["_SOLD", "_SETTLED", "_REVERTED", "_WRITTEN_OFF"].iter().any(|end| status.ends_with(end));
    let counts = counted["counts"].as_array().unwrap().iter();
    counts.filter(|count| is_open(count["status"].as_str().unwrap())).map(|count| number(&count["count"])).sum()
}

/// What the workspace is worth now, once every point of its series is capital and profit to the cent.
async fn equity_of_every_day_adds_up(world: &World) -> Value {
    const PLACES: [&str; 7] = [
        "availableCents",
        "reservedCents",
        "paidInTransitCents",
        "refundDueCents",
        "inventoryAtCostCents",
        "deliveredAtCostCents",
        "receivableCents",
    ];
    let series = world.call(Key::Reader, "GetEquitySeries", &of_years(world, json!({}))).await.ok();
    let points = series["points"].as_array().unwrap();
    assert!(points.len() > 10, "{} days are marked", points.len());
    for point in points.iter().chain([&series["now"]]) {
        let of = |name: &str| number(&point[name]);
        let earned = of("realisedCents") - of("writeOffsCents");
        assert_eq!(PLACES.map(of).iter().sum::<i64>(), of("capitalCents") + earned, "{point}");
        assert_eq!(of("profitCents"), earned + of("pendingCents") + of("unrealisedCents"), "{point}");
        assert_eq!(of("equityCents"), of("capitalCents") + of("profitCents"), "{point}");
    }
    let capital = world.call(Key::Reader, "GetCapital", &in_workspace(world, json!({}))).await.ok()["capital"].clone();
    let by_pool = of_years(world, json!({ "groupBy": "PROFIT_AND_LOSS_GROUPING_POOL" }));
    let by_pool = world.call(Key::Reader, "GetProfitAndLoss", &by_pool).await.ok();
    let unpooled = by_pool["rows"].as_array().unwrap().iter().find(|row| row["key"] == "").unwrap();
    let taken_out = number(&unpooled["realisedCents"]) - number(&unpooled["writeOffsCents"]);
    let put_in = number(&capital["capitalCents"]) + number(&capital["unpooledInventoryAtCostCents"]);
    assert_eq!(number(&series["now"]["capitalCents"]), put_in - taken_out);
    series["now"].clone()
}

on_both_databases! {
    async fn profit_and_loss_of_a_random_history_equal_the_ledger(database) {
        let world = World::new(database).await;
        let mut history = History::begun(&world).await;
        for step in 0..220 {
            history.step().await;
            if step % 10 == 0 {
                world.app.operations().take_equity_marks().await.unwrap();
            }
        }
        let [realised, pending, write_offs] = ledger(&world).await;
        let whole = report(&world, "NONE").await;
        assert_eq!((whole[0], whole[1], whole[4]), (realised, pending, write_offs));
        assert!(whole[7] > 0 && realised != 0 && write_offs > 0, "the history has nothing to report: {whole:?}");
        let now = equity_of_every_day_adds_up(&world).await;
        assert_eq!(["realisedCents", "pendingCents", "writeOffsCents", "itemCount"].map(|name| number(&now[name])),
            [realised, pending, write_offs, open_items(&world).await]);
        let [buy_fees, sale_fees, cost_sold, proceeds] = [whole[2], whole[3], whole[5], whole[6]];
        assert_eq!(proceeds - cost_sold - buy_fees - sale_fees, realised, "nothing but sales was realised");
        assert_eq!(whole[8], open_items(&world).await);
        for grouping in GROUPINGS {
            assert_eq!(report(&world, grouping).await, whole, "{grouping}");
        }
        for bucket in ["WEEK", "MONTH"] {
            let request = of_years(&world, json!({ "bucket": format!("PROFIT_AND_LOSS_BUCKET_{bucket}") }));
            for request in [in_new_york(&request), request] {
                let points = world.call(Key::Reader, "GetProfitAndLossSeries", &request).await.ok()["points"].clone();
                let points = points.as_array().unwrap();
                let sum = |name: &str| points.iter().map(|point| number(&point[name])).sum::<i64>();
                assert_eq!((sum("realisedCents"), sum("writeOffsCents"), sum("soldCount")), (realised, write_offs, whole[7]));
                assert_eq!(number(&points.last().unwrap()["pendingCents"]), pending, "{request}");
            }
        }
        let request = of_years(&world, json!({
            "groupBy": "PROFIT_AND_LOSS_GROUPING_ITEM_NAME",
            "format": "PROFIT_AND_LOSS_FORMAT_CSV",
        }));
        let file = world.call(Key::Reader, "ExportProfitAndLoss", &request).await.ok()["content"].clone();
        let lines: Vec<&str> = file.as_str().unwrap().lines().collect();
        // Counted from the end: names of items have commas.
        let place = lines[0].rsplit(',').position(|heading| heading == "realisedCents").unwrap();
        let column = |line: &&str| line.rsplit(',').nth(place).unwrap().parse::<i64>().unwrap();
        assert_eq!(lines.iter().skip(1).map(column).sum::<i64>(), realised);
    }
}
