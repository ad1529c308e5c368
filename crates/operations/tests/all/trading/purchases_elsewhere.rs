//! Imports of purchases: made elsewhere, with their items and the sales of these.

use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::ledger::report::{Grouping, day_of, midnight_of};
use tradepost_domain::contracts::ledger::{Account, Posting};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::money::Amount;
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::{HoldingField, Import, ImportKind, ImportRow, ReasonCode, RowOutcome};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{GetProfitAndLoss, ReportOf, VerifyAssetIDChain};
use tradepost_operations::trading::CreateImport;
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::changes::Changes;
use tradepost_ports::imports::ReadHolding;
use tradepost_ports::store::{Records as _, Store as _};
use tradepost_testkit::samples::Samples;

use super::holdings::{bare, bought, with, without};
use super::imports::Importing;
use super::refusal;

const BOUGHT: &str = "2020-01-31T00:00:00Z";
const SOLD: &str = "2020-03-01T10:00:00Z";

/// A purchase by `trader-1` for 12.00 and 0.30 of fee, whose item is held.
fn held(number: u32) -> ReadHolding {
    with(bought(number), &[(HoldingField::BoughtAt, "2020-01-31"), (HoldingField::Held, "yes")])
}

/// The same, whose item was sold for 15.00, of which the marketplace kept 0.75.
fn sold(number: u32) -> ReadHolding {
    with(
        without(held(number), HoldingField::Held),
        &[
            (HoldingField::SalePrice, "15.00"),
            (HoldingField::SaleFee, "0.75"),
            (HoldingField::SaleMarketplace, "skinport"),
            (HoldingField::SaleOrderId, "S-1"),
            (HoldingField::SoldAt, SOLD),
        ],
    )
}

impl Importing {
    async fn buy(&self, purchases: Vec<ReadHolding>) -> OpResult<Import> {
        self.reader.reads_holdings(purchases);
        let command = CreateImport { kind: ImportKind::Purchases, ..self.command() };
        Ok(self.staff.world.operations.create_import(&Caller::system(), command).await?.value)
    }

    /// Imports purchases, and returns the rows as they are then.
    async fn import_purchases(&self, purchases: Vec<ReadHolding>) -> OpResult<Vec<ImportRow>> {
        let import = self.buy(purchases).await?;
        self.apply(import.id).await?;
        Ok(self.rows(import.id).await)
    }

    /// The outcome and the reasons of the only row of an import of purchases, once it was applied.
    async fn judged_purchase(&self, purchase: ReadHolding) -> OpResult<(RowOutcome, Vec<ReasonCode>)> {
        let rows = self.import_purchases(vec![purchase]).await?;
        let reasons = rows.iter().flat_map(|row| &row.reasons).map(|reason| reason.code).collect();
        Ok((rows[0].outcome, reasons))
    }

    /// What was booked for an item, with its time, in the order of time.
    async fn booked(&self, item: &InventoryItem) -> OpResult<Vec<(String, Posting)>> {
        let entries = self.profit_of(item).await?.entries;
        let mut booked: Vec<_> = entries.iter().map(|entry| (entry.at.to_string(), entry.posting)).collect();
        booked.sort_unstable();
        Ok(booked)
    }

    /// The realised profit and the number of sales of the day of this moment, by what they are grouped by.
    async fn earned_on(&self, at: Timestamp, group_by: Grouping) -> OpResult<Vec<(String, i64, i64)>> {
        let (workspace_id, of, day) = (self.staff.world.workspace_id, ReportOf::default(), day_of(at));
        let (from, to) = (Some(midnight_of(day)), Some(midnight_of(day + 1)));
        let report = GetProfitAndLoss { workspace_id, from, to, group_by, of };
        let report = self.staff.world.operations.get_profit_and_loss(&self.staff.keeper, report).await?;
        let figures = report.rows.into_iter().map(|row| (row.key.to_string(), row.figures.realised, row.figures.sold));
        Ok(figures.filter(|(_, realised, sold)| (*realised, *sold) != (0, 0)).collect())
    }
}

#[tokio::test]
async fn checking_purchases_records_nothing() -> OpResult<()> {
    let on = Importing::holding().await;
    for _ in 0..2 {
        let import = on.buy(vec![held(1), sold(2)]).await?;
        assert_eq!((import.tally.rows, import.tally.accepted), (2, 2));
        assert_eq!(on.outcomes(import.id).await, [RowOutcome::WillCreate; 2]);
    }
    let rows = on.rows(on.buy(vec![held(1)]).await?.id).await;
    let purchase = rows[0].holding.as_deref().unwrap();
    assert_eq!((purchase.key().as_deref(), purchase.purchase_id), (Some("csfloat:order-1"), None));
    Ok(())
}

#[tokio::test]
async fn a_purchase_of_a_held_item_is_final_and_its_cost_is_put_in_on_its_day() -> OpResult<()> {
    let on = Importing::holding().await;
    let rows = on.import_purchases(vec![with(held(1), &[(HoldingField::ListingId, "L-1")])]).await?;
    assert_eq!(rows[0].outcome, RowOutcome::Created);
    let (item, purchase) = on.records(&rows[0]).await?;
    assert_eq!((item.status, item.contract_id, item.buy_price.get()), (ItemStatus::InInventory, None, 1_200));
    assert_eq!((purchase.status, purchase.terms.contract_id), (PurchaseStatus::Settled, None));
    assert_eq!(purchase.known_cost().map(Amount::get), Some(1_230));
    assert_eq!((purchase.order_id().map(Text::as_str), purchase.terms.listing_id.as_str()), (Some("order-1"), "L-1"));
    assert_eq!(purchase.created_at.to_string(), BOUGHT);
    assert_eq!(on.booked(&item).await?, [(BOUGHT.to_owned(), Posting::Imported)]);
    assert_eq!(on.profit_of(&item).await?.open.items, 1);
    Ok(())
}

#[tokio::test]
async fn a_purchase_of_a_sold_item_is_recorded_with_its_closed_sale() -> OpResult<()> {
    let on = Importing::holding().await;
    let rows = on.import_purchases(vec![sold(1)]).await?;
    assert_eq!(rows[0].outcome, RowOutcome::Created);
    let (item, _) = on.records(&rows[0]).await?;
    assert_eq!((item.status, item.head.source, item.head.step), (ItemStatus::Settled, Source::SaleElsewhere, 1));
    assert_eq!(item.sold_at.map(|at| at.to_string()).as_deref(), Some(SOLD));
    assert_eq!(item.sale_place.as_ref().map(|place| place.marketplace.as_str()), Some("skinport"));
    let verify = VerifyAssetIDChain { workspace_id: item.workspace_id, inventory_item_id: item.id };
    assert_eq!(on.staff.world.operations.verify_asset_id_chain(&on.staff.keeper, verify).await?, []);
    let transitions = on.staff.world.store.transitions();
    let log = transitions.list_of(on.staff.scope(), Subject::InventoryItem(item.id), 9).await?;
    let log: Vec<_> = log.iter().map(|step| (step.from, step.to, step.trigger)).collect();
    assert_eq!(log, [(None, "SETTLED", "imported")]);
    Ok(())
}

#[tokio::test]
async fn the_entries_of_a_sold_purchase_sum_to_its_profit_on_the_day_of_its_sale() -> OpResult<()> {
    let on = Importing::holding().await;
    let rows = on.import_purchases(vec![sold(1)]).await?;
    let (item, purchase) = on.records(&rows[0]).await?;
    let (bought, sold) = (BOUGHT.to_owned(), SOLD.to_owned());
    let expected = [(bought, Posting::Imported), (sold.clone(), Posting::Delivered), (sold, Posting::SaleSettled)];
    assert_eq!(on.booked(&item).await?, expected);
    let profit = on.profit_of(&item).await?;
    let sum = |account| profit.entries.iter().map(|entry| entry.amounts.of(account).get()).sum::<i64>();
    let left = [Account::InventoryAtCost, Account::DeliveredAtCost, Account::Receivable, Account::Capital].map(sum);
    assert_eq!(left, [0, 0, 0, 1_425 - 1_230]);
    assert_eq!((profit.figures.realised, profit.figures.pending, profit.open.items), (195, 0, 0));
    let day = item.sold_at.unwrap();
    assert_eq!(on.earned_on(day, Grouping::SellMarketplace).await?, [("skinport".to_owned(), 195, 1)]);
    assert_eq!(on.earned_on(day, Grouping::BuyMarketplace).await?, [("csfloat".to_owned(), 195, 1)]);
    assert_eq!(on.earned_on(day, Grouping::Account).await?, [("trader-1".to_owned(), 195, 1)]);
    assert_eq!(on.earned_on(purchase.created_at, Grouping::Nothing).await?, []);
    Ok(())
}

#[tokio::test]
async fn importing_purchases_twice_changes_nothing() -> OpResult<()> {
    let on = Importing::holding().await;
    let by_listing = with(without(held(3), HoldingField::OrderId), &[(HoldingField::ListingId, "L-3")]);
    let purchases = vec![held(1), sold(2), by_listing];
    let first = on.import_purchases(purchases.clone()).await?;
    let second = on.buy(purchases).await?;
    assert_eq!(on.outcomes(second.id).await, [RowOutcome::Same; 3]);
    on.apply(second.id).await?;
    let records = |rows: &[ImportRow]| rows.iter().map(|row| row.holding.clone()).collect::<Vec<_>>();
    assert_eq!(records(&on.rows(second.id).await), records(&first));
    for (row, entries) in first.iter().zip([1, 3, 1]) {
        let (item, _) = on.records(row).await?;
        assert_eq!(on.booked(&item).await?.len(), entries);
    }
    Ok(())
}

#[tokio::test]
async fn a_holding_with_the_order_of_a_purchase_is_that_purchase() -> OpResult<()> {
    let on = Importing::holding().await;
    on.held(vec![with(bought(1), &[(HoldingField::BoughtAt, "2020-01-31")]), bare(2)]).await?;
    assert_eq!(on.judged_purchase(held(1)).await?, (RowOutcome::Same, Vec::new()));
    assert_eq!(on.judged_purchase(held(2)).await?, (RowOutcome::Refused, vec![ReasonCode::AssetKnown]));
    Ok(())
}

#[tokio::test]
async fn a_purchase_that_differs_from_what_was_imported_is_refused_with_its_kind_of_difference() -> OpResult<()> {
    let on = Importing::holding().await;
    on.staff.register(2).await;
    on.import_purchases(vec![sold(1)]).await?;
    for (field, text, code) in [
        (HoldingField::Account, "trader-2", ReasonCode::PurchaseDiffers),
        (HoldingField::AssetId, "39999", ReasonCode::PurchaseDiffers),
        (HoldingField::MarketHashName, "Glove Case", ReasonCode::PurchaseDiffers),
        (HoldingField::Price, "13.00", ReasonCode::PurchaseDiffers),
        (HoldingField::Fee, "0.31", ReasonCode::PurchaseDiffers),
        (HoldingField::BoughtAt, "2020-02-01", ReasonCode::PurchaseDiffers),
        (HoldingField::ListingId, "L-1", ReasonCode::PurchaseDiffers),
        (HoldingField::SalePrice, "16.00", ReasonCode::SaleDiffers),
        (HoldingField::SaleFee, "0.80", ReasonCode::SaleDiffers),
        (HoldingField::SaleMarketplace, "csfloat", ReasonCode::SaleDiffers),
        (HoldingField::SaleOrderId, "S-2", ReasonCode::SaleDiffers),
        (HoldingField::SoldAt, "2020-03-02", ReasonCode::SaleDiffers),
        (HoldingField::Marketplace, "dmarket", ReasonCode::AssetKnown),
        (HoldingField::OrderId, "order-9", ReasonCode::AssetKnown),
    ] {
        let judged = on.judged_purchase(with(sold(1), &[(field, text)])).await?;
        assert_eq!(judged, (RowOutcome::Refused, vec![code]), "{field}");
    }
    Ok(())
}

#[tokio::test]
async fn the_sale_of_a_purchase_on_record_is_recorded_by_a_later_import() -> OpResult<()> {
    let on = Importing::holding().await;
    on.import_purchases(vec![held(1)]).await?;
    let import = on.buy(vec![sold(1)]).await?;
    assert_eq!(on.outcomes(import.id).await, [RowOutcome::WillUpdate]);
    on.apply(import.id).await?;
    let rows = on.rows(import.id).await;
    assert_eq!(rows[0].outcome, RowOutcome::Updated);
    let (item, _) = on.records(&rows[0]).await?;
    assert_eq!((item.status, on.profit_of(&item).await?.figures.realised), (ItemStatus::Settled, 195));
    for same in [sold(1), held(1)] {
        assert_eq!(on.judged_purchase(same).await?, (RowOutcome::Same, Vec::new()));
    }
    Ok(())
}

#[tokio::test]
async fn a_purchase_that_was_made_here_is_not_imported() -> OpResult<()> {
    let on = Importing::holding().await;
    let samples = Samples::seeded(7);
    let purchase = samples.purchase(on.staff.world.workspace_id, samples.id(), PurchaseStatus::Paid);
    let (order, marketplace) = (purchase.order_id().cloned().unwrap(), purchase.terms.marketplace.clone());
    let mut changes = Changes::by(&Caller::system());
    changes.insert(purchase);
    on.staff.world.store.commit(changes).await?;
    let known = [(HoldingField::OrderId, order.as_str()), (HoldingField::Marketplace, marketplace.as_str())];
    let judged = on.judged_purchase(with(sold(1), &known)).await?;
    assert_eq!(judged, (RowOutcome::Refused, vec![ReasonCode::OrderTaken]));
    Ok(())
}

#[tokio::test]
async fn a_purchase_that_cannot_be_applied_says_why_and_the_others_are_applied() -> OpResult<()> {
    let on = Importing::holding().await;
    for (purchase, code) in [
        (with(held(1), &[(HoldingField::Account, "trader-2")]), ReasonCode::AccountUnknown),
        (without(held(1), HoldingField::Account), ReasonCode::AccountUnknown),
        (without(held(1), HoldingField::AssetId), ReasonCode::AssetInvalid),
        (without(held(1), HoldingField::MarketHashName), ReasonCode::FieldInvalid),
        (without(held(1), HoldingField::Marketplace), ReasonCode::FieldInvalid),
        (without(held(1), HoldingField::OrderId), ReasonCode::FieldInvalid),
        (with(sold(1), &[(HoldingField::Held, "yes")]), ReasonCode::FieldInvalid),
        (with(held(1), &[(HoldingField::Currency, "EUR")]), ReasonCode::PriceInvalid),
        (without(sold(1), HoldingField::SaleFee), ReasonCode::PriceInvalid),
        (without(held(1), HoldingField::BoughtAt), ReasonCode::TimeInvalid),
        (with(sold(1), &[(HoldingField::SoldAt, "2020-01-30")]), ReasonCode::TimeInvalid),
        (without(held(1), HoldingField::Held), ReasonCode::SaleMissing),
        (with(held(1), &[(HoldingField::Held, "no")]), ReasonCode::SaleMissing),
    ] {
        assert_eq!(on.judged_purchase(purchase).await?, (RowOutcome::Refused, vec![code]), "{code}");
    }
    let twice = with(held(4), &[(HoldingField::AssetId, "30001")]);
    let taken = with(held(5), &[(HoldingField::OrderId, "order-2")]);
    let rows = on.import_purchases(vec![held(1), sold(2), twice, taken]).await?;
    let outcomes: Vec<_> = rows.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes, [RowOutcome::Created, RowOutcome::Created, RowOutcome::Refused, RowOutcome::Refused]);
    let reasons = [&rows[2], &rows[3]].map(|row| row.reasons[0].code);
    assert_eq!(reasons, [ReasonCode::AssetTwice, ReasonCode::OrderTaken]);
    Ok(())
}

#[tokio::test]
async fn a_purchase_whose_sale_the_ledger_cannot_add_is_refused_and_the_others_are_applied() -> OpResult<()> {
    let on = Importing::holding().await;
    let costly = with(sold(1), &[(HoldingField::Price, "99999999999.00"), (HoldingField::SaleFee, "0.71")]);
    let import = on.buy(vec![costly, sold(2)]).await?;
    assert_eq!(on.outcomes(import.id).await, [RowOutcome::Refused, RowOutcome::WillCreate]);
    assert_eq!(on.rows(import.id).await[0].reasons[0].code, ReasonCode::PriceInvalid);
    on.apply(import.id).await?;
    assert_eq!(on.outcomes(import.id).await, [RowOutcome::Refused, RowOutcome::Created]);
    Ok(())
}

#[tokio::test]
async fn what_was_imported_since_the_check_of_purchases_is_decided_again() -> OpResult<()> {
    let on = Importing::holding().await;
    let import = on.buy(vec![held(1), held(2), sold(3)]).await?;
    on.import_purchases(vec![held(1), with(held(2), &[(HoldingField::Price, "11.00")]), held(3)]).await?;
    on.apply(import.id).await?;
    let rows = on.rows(import.id).await;
    let outcomes: Vec<_> = rows.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes, [RowOutcome::Same, RowOutcome::Failed, RowOutcome::Updated]);
    assert_eq!(rows[1].reasons[0].code, ReasonCode::PurchaseDiffers);
    Ok(())
}

#[tokio::test]
async fn many_purchases_are_applied_in_parts() -> OpResult<()> {
    let on = Importing::holding().await;
    let import = on.buy((1..=60).map(sold).collect()).await?;
    assert_eq!(on.apply(import.id).await?.version, 5);
    assert!(on.outcomes(import.id).await.iter().all(|outcome| *outcome == RowOutcome::Created));
    Ok(())
}

#[tokio::test]
async fn purchases_need_the_policy_trading() {
    let on = Importing::holding().await;
    let keeper = on.staff.world.key(PolicySet::of(&[Policy::Accounts])).await;
    let command = CreateImport { kind: ImportKind::Purchases, ..on.command() };
    let refused = refusal(on.staff.world.operations.create_import(&keeper, command)).await;
    assert_eq!(refused, (Code::PermissionDenied, "PERMISSION_DENIED"));
}
