//! Profit and loss.

use std::sync::Arc;

use time::Duration;
use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::inventory_item::{ItemEvent, ItemStatus, Proceeds};
use tradepost_domain::contracts::ledger::Account;
use tradepost_domain::contracts::ledger::report::{
    Figures, GroupKey, Grouping, Open, Span, ZoneDays, day_of, midnight_of,
};
use tradepost_domain::contracts::purchase::{PurchaseEvent, PurchaseStatus};
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::id::{ContractId, Id, InventoryItemId};
use tradepost_domain::markets::pricing::{Quote, Sales};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{
    ExportProfitAndLoss, GetItemProfitAndLoss, GetLedgerEntries, GetProfitAndLoss, GetProfitAndLossSeries,
    ListLedgerEntries, ProfitAndLossRow, ReportOf,
};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::changes::{AppendedRow, Changes};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::Store as _;
use tradepost_testkit::fakes::FixedClock;
use tradepost_testkit::samples::{Samples, text};

use super::items::asset;
use super::{Desk, cents, on_sale_at};

const NAME: &str = "AK-47 | Redline (Field-Tested)";
/// Bought for 11.90 and 0.30, sold for 15.00 less 0.75.
const SOLD: Figures = Figures {
    realised: 205,
    pending: 0,
    buy_fees: 30,
    sale_fees: 75,
    write_offs: 0,
    cost_sold: 1_190,
    proceeds: 1_500,
    sold: 1,
};

impl Desk {
    /// The midnight with which the day so many days from now begins.
    fn midnight(&self, days: i64) -> Timestamp {
        midnight_of(day_of(self.world.clock.now()) + days)
    }

    /// Gives an item to a buyer.
    pub(super) async fn deliver(&self, item: InventoryItemId, number: u32, seller: Option<ContractId>) {
        let proceeds = Proceeds::new(cents(1_500), cents(75)).unwrap();
        let asset_id = self.owned(item).await.value.current_asset_id().clone();
        let listing_id = text(&format!("sale-{number}"));
        for event in [
            ItemEvent::ListingStarted {
                place: on_sale_at(seller),
                price: cents(1_500),
                takes_locked: true,
                exchange_rate: None,
            },
            ItemEvent::ListingAccepted { listing_id, asset_id: asset_id.clone() },
            ItemEvent::SaleNoticed { listing_id: text(&format!("sale-{number}")), proceeds },
            ItemEvent::DeliveryStarted { asset_id },
            ItemEvent::Given { trade_id: text(&format!("given-{number}")), asset_id: asset(&format!("3{number:04}")) },
        ] {
            self.advance_item(item, event).await.unwrap();
        }
    }

    pub(super) async fn settle(&self, item: InventoryItemId) {
        let proceeds = Proceeds::new(cents(1_500), cents(75)).unwrap();
        let event = ItemEvent::ProceedsBooked { proceeds, protected_until: self.world.clock.now(), paid_out: false };
        self.advance_item(item, event).await.unwrap();
    }

    fn report_of(&self, from: i64, to: i64, group_by: Grouping) -> GetProfitAndLoss {
        let (from, to) = (Some(self.midnight(from)), Some(self.midnight(to)));
        GetProfitAndLoss { workspace_id: self.workspace_id(), from, to, group_by, of: ReportOf::default() }
    }

    async fn rows(&self, command: GetProfitAndLoss) -> Vec<(String, Figures, Open)> {
        let report = self.operations().get_profit_and_loss(&self.trader, command).await.unwrap();
        assert!(!report.truncated);
        report.rows.into_iter().map(|row| (row.key.to_string(), row.figures, row.open)).collect()
    }

    async fn report(&self, from: i64, to: i64, group_by: Grouping) -> Vec<(String, Figures, Open)> {
        self.rows(self.report_of(from, to, group_by)).await
    }

    /// A series by days of Shanghai, from so many days before today to so many behind it.
    fn shanghai(&self, from: i64, to: i64, span: Span) -> GetProfitAndLossSeries {
        let (days, of) = (shanghai(), in_shanghai());
        let today = day_of(self.world.clock.now());
        let (from, to) = (Some(days.start_of(today + from)), Some(days.start_of(today + to)));
        GetProfitAndLossSeries { from, to, of, ..self.series_of(0, 1, span) }
    }

    fn series_of(&self, from: i64, to: i64, span: Span) -> GetProfitAndLossSeries {
        let (from, to) = (Some(self.midnight(from)), Some(self.midnight(to)));
        GetProfitAndLossSeries { workspace_id: self.workspace_id(), from, to, span, of: ReportOf::default() }
    }

    /// Two sources that ask this much.
    pub(super) async fn worth(&self, ask: i64) {
        let variant = Variant { app_id: AppId::CS2, market_hash_name: text(NAME), phase: None };
        let quote = |source| Quote {
            source: text(source),
            lowest_ask: Some(cents(ask)),
            highest_bid: None,
            sales: Some(Sales { average: cents(ask), count: 7 }),
            observed_at: self.world.clock.now(),
        };
        let quotes = [(variant.clone(), quote("first")), (variant, quote("second"))];
        self.operations().record_quotes(&self.trader, self.workspace_id(), &quotes).await.unwrap();
    }
}

fn shanghai() -> ZoneDays {
    ZoneDays::of(TimeZone::new("Asia/Shanghai").unwrap())
}

fn in_shanghai() -> ReportOf {
    ReportOf { time_zone: "Asia/Shanghai".to_owned(), ..ReportOf::default() }
}

fn unpriced(items: i64) -> Open {
    Open { items, unpriced: items, ..Open::default() }
}

#[tokio::test]
async fn without_times_a_report_is_of_the_last_days_of_the_world_that_is_traded_in() {
    let desk = Desk::open().await;
    let seller = desk.seller(None).await;
    let sold = desk.item(1).await;
    desk.deliver(sold, 1, Some(seller)).await;
    desk.settle(sold).await;
    let lately = || GetProfitAndLoss { from: None, to: None, ..desk.report_of(0, 1, Grouping::Nothing) };
    let realised = async || desk.rows(lately()).await.iter().map(|(_, figures, _)| figures.realised).sum::<i64>();
    assert_eq!(realised().await, SOLD.realised);
    for (days, expected) in [(29, SOLD.realised), (31, 0)] {
        let clock = Arc::new(FixedClock::at(desk.midnight(days)));
        desk.operations().trade_by(desk.workspace_id(), clock).await.unwrap();
        assert_eq!(realised().await, expected, "{days} days later");
    }
}

#[tokio::test]
async fn a_sale_counts_once_it_is_final_and_is_pending_before() {
    let desk = Desk::open().await;
    let seller = desk.seller(None).await;
    let (sold, given) = (desk.item(1).await, desk.item(2).await);
    desk.item(3).await;
    desk.deliver(sold, 1, Some(seller)).await;
    desk.deliver(given, 2, Some(seller)).await;
    desk.settle(sold).await;
    let expected = Figures { pending: 205, ..SOLD };
    for (grouping, key) in [
        (Grouping::Nothing, String::new()),
        (Grouping::Contract, desk.contract_id.to_string()),
        (Grouping::Account, "trader-1".to_owned()),
        (Grouping::BuyMarketplace, "csfloat".to_owned()),
        (Grouping::ItemName, NAME.to_owned()),
        (Grouping::Pool, String::new()),
    ] {
        assert_eq!(desk.report(0, 1, grouping).await, [(key, expected, unpriced(1))], "{grouping}");
    }
    for (grouping, key) in
        [(Grouping::SellingContract, seller.to_string()), (Grouping::SellMarketplace, "csfloat".to_owned())]
    {
        let unsold = (String::new(), Figures::default(), unpriced(1));
        assert_eq!(desk.report(0, 1, grouping).await, [unsold, (key, expected, Open::default())], "{grouping}");
    }
}

#[tokio::test]
async fn a_report_has_what_happened_in_its_time_and_what_was_pending_at_its_end() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.deliver(item, 1, None).await;
    desk.advance_clock(Duration::days(1));
    desk.settle(item).await;
    let row_of = |figures| [(String::new(), figures, Open::default())];
    assert_eq!(desk.report(-1, 0, Grouping::Nothing).await, row_of(Figures { pending: 205, ..Figures::default() }));
    assert_eq!(desk.report(0, 1, Grouping::Nothing).await, row_of(SOLD));
    assert_eq!(desk.report(-1, 1, Grouping::Nothing).await, row_of(SOLD));
    assert_eq!(desk.report(1, 2, Grouping::Nothing).await, []);
}

#[tokio::test]
async fn a_day_of_a_time_zone_has_what_happened_between_its_midnights() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.deliver(item, 1, None).await;
    // In Shanghai, 17:00 of UTC is an hour behind midnight.
    desk.advance_clock(desk.midnight(0).plus(Duration::hours(17)).since(desk.world.clock.now()));
    desk.settle(item).await;
    let today = day_of(desk.world.clock.now());
    let at = |days: i64| shanghai().start_of(today + days);
    let given = Figures { pending: 205, ..Figures::default() };
    for (from, expected) in [(0, given), (1, SOLD)] {
        let (from, to) = (Some(at(from)), Some(at(from + 1)));
        let asked = GetProfitAndLoss { from, to, of: in_shanghai(), ..desk.report_of(0, 1, Grouping::Nothing) };
        assert_eq!(desk.rows(asked).await, [(String::new(), expected, Open::default())]);
    }
    let series = desk.shanghai(0, 2, Span::Day);
    let points = desk.operations().get_profit_and_loss_series(&desk.trader, series).await.unwrap();
    let points: Vec<_> = points.into_iter().map(|point| (point.at, point.figures)).collect();
    assert_eq!(points, [(at(0), given), (at(1), SOLD)]);
}

#[tokio::test]
async fn a_reversed_sale_is_deducted_in_the_period_of_the_reversal() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.deliver(item, 1, None).await;
    desk.advance_clock(Duration::days(1));
    let back = ItemEvent::SaleReversed { rollback_trade_id: text("rollback"), asset_id: asset("39998") };
    desk.advance_item(item, back).await.unwrap();
    let pending: Vec<_> = desk.points(desk.series_of(-1, 1, Span::Day)).await.iter().map(|sum| sum.pending).collect();
    assert_eq!(pending, [205, 0]);
    let sold_on = desk.report(0, 1, Grouping::SellMarketplace).await;
    assert_eq!(sold_on, [(String::new(), Figures::default(), unpriced(1))], "where it was sold nothing is left");
}

impl Desk {
    async fn points(&self, command: GetProfitAndLossSeries) -> Vec<Figures> {
        let points = self.operations().get_profit_and_loss_series(&self.trader, command).await.unwrap();
        points.into_iter().map(|point| point.figures).collect()
    }
}

#[tokio::test]
async fn write_offs_are_reported_separately_from_realised_results() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let now = desk.world.clock.now();
    let absent = ItemEvent::WentMissing { first_absent_at: now, last_absent_at: now.plus(Duration::minutes(10)) };
    desk.advance_item(item, absent).await.unwrap();
    assert_eq!(desk.report(0, 1, Grouping::Nothing).await, [(String::new(), Figures::default(), unpriced(1))]);
    desk.advance_item(item, ItemEvent::GivenUp).await.unwrap();
    let lost = Figures { write_offs: 1_220, ..Figures::default() };
    assert_eq!(desk.report(0, 1, Grouping::Nothing).await, [(String::new(), lost, Open::default())]);
}

#[tokio::test]
async fn what_its_buyer_keeps_with_the_money_is_lost_and_earns_nothing_anywhere() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.deliver(item, 1, None).await;
    assert_eq!(desk.report(0, 1, Grouping::Nothing).await[0].1.pending, 205);
    desk.open_problem(RemediationKind::MissingItem, Subject::InventoryItem(item)).await;
    desk.advance_item(item, ItemEvent::GivenUp).await.unwrap();
    let lost = Figures { write_offs: 1_220, ..Figures::default() };
    assert_eq!(desk.report(0, 1, Grouping::Nothing).await, [(String::new(), lost, Open::default())]);
    let by_market = desk.report(0, 1, Grouping::SellMarketplace).await;
    assert_eq!(by_market, [(String::new(), lost, Open::default())], "where it was sold nothing is left");
}

#[tokio::test]
async fn a_written_off_item_that_is_owed_after_all_is_not_lost() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let now = desk.world.clock.now();
    let absent = ItemEvent::WentMissing { first_absent_at: now, last_absent_at: now.plus(Duration::minutes(10)) };
    desk.advance_item(item, absent).await.unwrap();
    desk.advance_item(item, ItemEvent::GivenUp).await.unwrap();
    let purchase_id = desk.owned(item).await.value.purchase_id;
    let reversed = PurchaseEvent::TradeReversed { rollback_trade_id: text("rollback-1") };
    let owed = desk.advance(purchase_id, reversed.clone()).await.unwrap();
    assert_eq!(owed.value.status, PurchaseStatus::Reverted);
    assert_eq!(desk.advance(purchase_id, reversed).await.unwrap(), owed, "reported again");
    assert_eq!(desk.owned(item).await.value.status, ItemStatus::WrittenOff);
    assert_eq!(desk.report(0, 1, Grouping::Nothing).await, [], "nothing is lost, earned or open");
    desk.advance(purchase_id, PurchaseEvent::RefundBooked { amount: cents(1_220) }).await.unwrap();
    let list = ListLedgerEntries {
        workspace_id: desk.workspace_id(),
        limit: 200,
        cursor: String::new(),
        account: None,
        pool_id: None,
        contract_id: None,
        from: None,
        to: None,
    };
    let ledger_entry_ids = desk.operations().list_ledger_entries(&desk.trader, list).await.unwrap().entries;
    let get = GetLedgerEntries { workspace_id: desk.workspace_id(), ledger_entry_ids };
    let entries = desk.operations().get_ledger_entries(&desk.trader, get).await.unwrap().entries;
    for account in Account::ALL {
        let sum: i64 = entries.iter().map(|entry| entry.amounts.of(*account).get()).sum();
        assert_eq!(sum, 0, "{account:?}");
    }
}

#[tokio::test]
async fn open_items_bring_what_they_are_worth_less_the_fee_of_a_sale() {
    let desk = Desk::open().await;
    let sold = desk.item(1).await;
    desk.item(2).await;
    desk.worth(1_400).await;
    let open = async || desk.report(0, 1, Grouping::Contract).await[0].2;
    let oldest_value_at = Some(desk.world.clock.now());
    let valued = |unrealised, items, stale| Open { unrealised, items, unpriced: 0, stale, oldest_value_at };
    assert_eq!(open().await, valued(2 * (1_400 - 1_220), 2, 0), "no sale says its fee");
    desk.deliver(sold, 1, None).await;
    desk.settle(sold).await;
    assert_eq!(open().await, valued(1_400 - 70 - 1_220, 1, 0));
    desk.advance_clock(Duration::minutes(16));
    assert_eq!(open().await, valued(1_400 - 70 - 1_220, 1, 1), "the last known value counts, and says its age");
}

#[tokio::test]
async fn the_fee_of_a_sale_counts_for_open_items_for_90_days() {
    let desk = Desk::open().await;
    let sold = desk.item(1).await;
    desk.item(2).await;
    desk.deliver(sold, 1, None).await;
    desk.settle(sold).await;
    let unrealised = async || {
        desk.worth(1_400).await;
        desk.report(0, 1, Grouping::Nothing).await[0].2.unrealised
    };
    desk.advance_clock(Duration::days(90));
    assert_eq!(unrealised().await, 1_400 - 70 - 1_220);
    desk.advance_clock(Duration::DAY);
    assert_eq!(unrealised().await, 1_400 - 1_220, "no later sale says its fee");
}

#[tokio::test]
async fn an_item_counts_at_what_one_source_says_and_at_its_cost_where_none_does() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let open = async || desk.report(0, 1, Grouping::Nothing).await[0].2;
    assert_eq!(open().await, unpriced(1));
    let variant = Variant { app_id: AppId::CS2, market_hash_name: text(NAME), phase: None };
    let said = Quote::of_ask(text("only"), cents(1_000), desk.world.clock.now());
    desk.operations().record_quotes(&desk.trader, desk.workspace_id(), &[(variant, said)]).await.unwrap();
    let oldest_value_at = Some(desk.world.clock.now());
    let valued = |stale| Open { unrealised: 1_000 - 1_220, items: 1, unpriced: 0, stale, oldest_value_at };
    assert_eq!(open().await, valued(0));
    desk.advance_clock(Duration::days(3));
    assert_eq!(open().await, valued(1));
    let command = GetItemProfitAndLoss { workspace_id: desk.workspace_id(), inventory_item_id: item };
    let of_item = desk.operations().get_item_profit_and_loss(&desk.trader, command).await.unwrap();
    assert_eq!(of_item.open, valued(1));
}

#[tokio::test]
async fn a_report_is_narrowed_to_what_is_asked_for() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.deliver(item, 1, None).await;
    desk.settle(item).await;
    let narrowed = |group_by, of| GetProfitAndLoss { of, ..desk.report_of(0, 1, group_by) };
    let named = |name: &str| ReportOf { market_hash_name: name.to_owned(), ..ReportOf::default() };
    let here = ReportOf {
        contract_id: Some(desk.contract_id),
        account_name: "trader-1".to_owned(),
        buy_marketplace: "csfloat".to_owned(),
        sell_marketplace: "csfloat".to_owned(),
        ..ReportOf::default()
    };
    for of in [here, named(NAME)] {
        let row = (desk.contract_id.to_string(), SOLD, Open::default());
        assert_eq!(desk.rows(narrowed(Grouping::Contract, of)).await, [row]);
    }
    for of in [
        ReportOf { contract_id: Some(Id::from_bytes([9; 16])), ..ReportOf::default() },
        ReportOf { pool_id: Some(Id::from_bytes([9; 16])), ..ReportOf::default() },
        ReportOf { selling_contract_id: Some(desk.contract_id), ..ReportOf::default() },
        ReportOf { account_name: "trader-2".to_owned(), ..ReportOf::default() },
        ReportOf { buy_marketplace: "skinport".to_owned(), ..ReportOf::default() },
        ReportOf { sell_marketplace: "skinport".to_owned(), ..ReportOf::default() },
        named("AWP | Asiimov (Battle-Scarred)"),
    ] {
        assert_eq!(desk.rows(narrowed(Grouping::Contract, of.clone())).await, [], "{of:?}");
    }
}

#[tokio::test]
async fn a_series_has_a_point_for_every_day_and_sums_to_the_report() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.deliver(item, 1, None).await;
    desk.advance_clock(Duration::days(2));
    desk.settle(item).await;
    let amounts = |figures: &Figures| (figures.realised, figures.pending);
    let points = desk.points(desk.series_of(-2, 2, Span::Day)).await;
    assert_eq!(points.iter().map(amounts).collect::<Vec<_>>(), [(0, 205), (0, 205), (205, 0), (0, 0)]);
    let later = desk.points(desk.series_of(-1, 1, Span::Day)).await;
    assert_eq!(later.iter().map(amounts).collect::<Vec<_>>(), [(0, 205), (205, 0)], "what was pending before is known");
    for span in [Span::Week, Span::Month] {
        let points = desk.points(desk.series_of(-2, 1, span)).await;
        assert_eq!(points.iter().map(|figures| figures.realised).sum::<i64>(), SOLD.realised);
    }
}

#[tokio::test]
async fn an_item_that_was_just_bought_shows_the_fee_of_buying_it() {
    let desk = Desk::open().await;
    let inventory_item_id = desk.item(1).await;
    let command = GetItemProfitAndLoss { workspace_id: desk.workspace_id(), inventory_item_id };
    let bought = desk.operations().get_item_profit_and_loss(&desk.trader, command).await.unwrap();
    assert!(bought.entries.iter().all(|entry| Figures::of(entry).buy_fees == 0), "no entry books it before the sale");
    assert_eq!(bought.figures, Figures { buy_fees: 30, ..Figures::default() });
}

#[tokio::test]
async fn an_item_shows_what_it_cost_and_brought() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.item(2).await;
    desk.worth(1_400).await;
    let of_item = async |inventory_item_id| {
        let command = GetItemProfitAndLoss { workspace_id: desk.workspace_id(), inventory_item_id };
        desk.operations().get_item_profit_and_loss(&desk.trader, command).await
    };
    let held = of_item(item).await.unwrap();
    let oldest_value_at = Some(desk.world.clock.now());
    let open = Open { unrealised: 180, items: 1, oldest_value_at, ..Open::default() };
    let bought = Figures { buy_fees: 30, ..Figures::default() };
    assert_eq!((held.figures, held.open, held.entries.len()), (bought, open, 3));
    desk.deliver(item, 1, None).await;
    desk.settle(item).await;
    let sold = of_item(item).await.unwrap();
    assert_eq!((sold.figures, sold.open, sold.entries.len()), (SOLD, Open::default(), 5));
    desk.refused(of_item(Id::from_bytes([9; 16])), Code::NotFound, "NOT_FOUND").await;
}

#[tokio::test]
async fn an_export_has_the_rows_of_the_report() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.deliver(item, 1, None).await;
    desk.settle(item).await;
    let command = ExportProfitAndLoss { report: desk.report_of(0, 1, Grouping::ItemName) };
    let rows: OpResult<_> = desk.operations().export_profit_and_loss(&desk.trader, command).await;
    let row = ProfitAndLossRow { key: GroupKey::Name(NAME.to_owned()), figures: SOLD, open: Open::default() };
    assert_eq!(rows.unwrap(), [row]);
}

#[tokio::test]
async fn a_report_that_makes_no_sense_is_refused() {
    let desk = Desk::open().await;
    let plain = || desk.report_of(0, 1, Grouping::Nothing);
    let second = Some(desk.midnight(0).plus(Duration::seconds(1)));
    let named = ReportOf { market_hash_name: NAME.to_owned(), ..ReportOf::default() };
    let of_account = ReportOf { account_name: "trader-1".to_owned(), ..ReportOf::default() };
    for command in [
        GetProfitAndLoss { from: second, ..plain() },
        GetProfitAndLoss { to: Some(desk.midnight(0)), ..plain() },
        GetProfitAndLoss { group_by: Grouping::Account, of: named, ..plain() },
        GetProfitAndLoss { group_by: Grouping::ItemName, of: of_account, ..plain() },
        GetProfitAndLoss { of: ReportOf { account_name: "x".repeat(65), ..ReportOf::default() }, ..plain() },
        GetProfitAndLoss { of: ReportOf { time_zone: "Europe/Atlantis".to_owned(), ..ReportOf::default() }, ..plain() },
        GetProfitAndLoss { of: in_shanghai(), ..plain() },
    ] {
        let export = ExportProfitAndLoss { report: command.clone() };
        let exported = desk.operations().export_profit_and_loss(&desk.trader, export);
        desk.refused(exported, Code::InvalidArgument, "INVALID_FIELD").await;
        let asked = desk.operations().get_profit_and_loss(&desk.trader, command);
        desk.refused(asked, Code::InvalidArgument, "INVALID_FIELD").await;
    }
    let long = desk.series_of(-1_001, 0, Span::Day);
    let asked = desk.operations().get_profit_and_loss_series(&desk.trader, long);
    desk.refused(asked, Code::InvalidArgument, "INVALID_FIELD").await;
}

#[tokio::test]
async fn a_date_that_a_time_zone_never_had_has_no_point_and_its_profit_is_of_the_days_around_it() {
    let (desk, samples) = (Desk::open().await, Samples::seeded(9));
    let mut changes = Changes::by(&Caller::system());
    // Samoa had no 30 December 2011. The 29th ended at 10:00 of UTC, and the 31st began.
    for (at, realised) in [("2011-12-30T09:00:00Z", 3), ("2011-12-30T11:00:00Z", 40), ("2011-12-31T11:00:00Z", 500)] {
        let sold = samples.purchase(desk.workspace_id(), desk.contract_id, PurchaseStatus::Traded);
        changes.append(AppendedRow::Ledger(samples.settled(&sold, realised, at.parse().unwrap())));
    }
    desk.world.store.commit(changes).await.unwrap();
    let of = ReportOf { time_zone: "Pacific/Apia".to_owned(), ..ReportOf::default() };
    let [from, to] = ["2011-12-29T10:00:00Z", "2012-01-01T10:00:00Z"].map(|at| at.parse().ok());
    let asked = GetProfitAndLossSeries { from, to, of, ..desk.series_of(0, 1, Span::Day) };
    let points = desk.operations().get_profit_and_loss_series(&desk.trader, asked).await.unwrap();
    assert_eq!(points.iter().map(|point| point.figures.realised).collect::<Vec<_>>(), [3, 40, 500]);
}

#[tokio::test]
async fn a_series_by_days_of_a_time_zone_has_400_points_at_most() {
    let desk = Desk::open().await;
    let asked = |from, span| desk.operations().get_profit_and_loss_series(&desk.trader, desk.shanghai(from, 0, span));
    assert_eq!(asked(-400, Span::Day).await.unwrap().len(), 400);
    assert!(asked(-1_400, Span::Month).await.unwrap().len() > 40, "months are few");
    desk.refused(asked(-401, Span::Day), Code::InvalidArgument, "INVALID_FIELD").await;
}
