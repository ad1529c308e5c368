//! Imports of sales: items of the workspace that were sold elsewhere.

use time::Duration;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::ledger::report::{Grouping, day_of, midnight_of};
use tradepost_domain::contracts::ledger::{Account, Posting};
use tradepost_domain::trading::import::{HoldingField, Import, ImportKind, ImportRow, ReasonCode, RowOutcome};
use tradepost_operations::contracts::{GetProfitAndLoss, ReportOf, VerifyAssetIDChain};
use tradepost_operations::trading::{CreateImport, ListImportRows};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::imports::ReadHolding;

use super::holdings::{bare, bought, with, without};
use super::imports::{Importing, account};
use super::refusal;

/// The sale of a holding for 15.00, of which the marketplace kept 0.75.
fn sold(number: u32) -> ReadHolding {
    let asset = format!("3{number:04}");
    with(
        ReadHolding::default(),
        &[
            (HoldingField::AssetId, asset.as_str()),
            (HoldingField::Price, "15.00"),
            (HoldingField::Fee, "0.75"),
            (HoldingField::Marketplace, "skinport"),
            (HoldingField::OrderId, "S-1"),
            (HoldingField::SoldAt, "2020-03-01T10:00:00Z"),
        ],
    )
}

/// A holding that was bought before its sale.
fn bought_before(number: u32) -> ReadHolding {
    with(bought(number), &[(HoldingField::BoughtAt, "2020-01-31")])
}

impl Importing {
    async fn sell(&self, sales: Vec<ReadHolding>) -> OpResult<Import> {
        self.reader.reads_holdings(sales);
        let command = CreateImport { kind: ImportKind::Sales, ..self.command() };
        Ok(self.staff.world.operations.create_import(&Caller::system(), command).await?.value)
    }

    /// Imports sales, and returns the rows as they are then.
    async fn import_sales(&self, sales: Vec<ReadHolding>) -> OpResult<Vec<ImportRow>> {
        let import = self.sell(sales).await?;
        self.apply(import.id).await?;
        Ok(self.rows(import.id).await)
    }

    /// The outcome and the reasons of the only row of an import of sales, once it was applied.
    async fn judged_sale(&self, sale: ReadHolding) -> OpResult<(RowOutcome, Vec<ReasonCode>)> {
        let rows = self.import_sales(vec![sale]).await?;
        let reasons = rows.iter().flat_map(|row| &row.reasons).map(|reason| reason.code).collect();
        Ok((rows[0].outcome, reasons))
    }
}

#[tokio::test]
async fn checking_sales_changes_no_item() -> OpResult<()> {
    let on = Importing::holding().await;
    let held = on.held(vec![bought_before(1)]).await?;
    let import = on.sell(vec![sold(1)]).await?;
    let rows = on.rows(import.id).await;
    assert_eq!((rows[0].outcome, rows[0].account_id.is_some()), (RowOutcome::WillUpdate, true));
    let records = |row: &ImportRow| row.holding.as_deref().map(|holding| (holding.item_id, holding.purchase_id));
    assert_eq!(records(&rows[0]), records(&held[0]));
    assert_eq!(on.records(&rows[0]).await?.0.status, ItemStatus::InInventory);
    Ok(())
}

#[tokio::test]
async fn an_item_that_was_sold_elsewhere_is_settled_with_its_sale_and_its_chain_ends() -> OpResult<()> {
    let on = Importing::holding().await;
    on.held(vec![bought_before(1)]).await?;
    let rows = on.import_sales(vec![sold(1)]).await?;
    assert_eq!(rows[0].outcome, RowOutcome::Updated);
    let (item, _) = on.records(&rows[0]).await?;
    assert_eq!((item.status, item.head.source, item.head.step), (ItemStatus::Settled, Source::SaleElsewhere, 1));
    assert_eq!(item.sold_at.map(|at| at.to_string()).as_deref(), Some("2020-03-01T10:00:00Z"));
    assert_eq!(item.sale_place.as_ref().map(|place| place.marketplace.as_str()), Some("skinport"));
    let proceeds = item.proceeds.map(|proceeds| (proceeds.sell_price().get(), proceeds.sale_fee().get()));
    assert_eq!(proceeds, Some((1_500, 75)));
    let verify = VerifyAssetIDChain { workspace_id: item.workspace_id, inventory_item_id: item.id };
    assert_eq!(on.staff.world.operations.verify_asset_id_chain(&on.staff.keeper, verify).await?, []);
    Ok(())
}

#[tokio::test]
async fn the_profit_of_a_sale_elsewhere_is_that_of_its_day_and_its_marketplace() -> OpResult<()> {
    let on = Importing::holding().await;
    on.held(vec![bought_before(1)]).await?;
    let rows = on.import_sales(vec![sold(1)]).await?;
    let (item, _) = on.records(&rows[0]).await?;
    let day = day_of(item.sold_at.unwrap());
    let mut found = Vec::new();
    for (group_by, from) in [(Grouping::SellMarketplace, day), (Grouping::Account, day), (Grouping::Nothing, day + 1)] {
        let (workspace_id, of) = (item.workspace_id, ReportOf::default());
        let (from, to) = (Some(midnight_of(from)), Some(midnight_of(from + 1)));
        let report = GetProfitAndLoss { workspace_id, from, to, group_by, of };
        let report = on.staff.world.operations.get_profit_and_loss(&on.staff.keeper, report).await?;
        found.extend(report.rows.into_iter().map(|row| (row.key.to_string(), row.figures.realised, row.figures.sold)));
    }
    assert_eq!(found, [("skinport".to_owned(), 195, 1), ("trader-1".to_owned(), 195, 1)]);
    Ok(())
}

#[tokio::test]
async fn what_a_sale_elsewhere_brought_is_taken_out_with_it() -> OpResult<()> {
    let on = Importing::holding().await;
    on.held(vec![bought_before(1)]).await?;
    let rows = on.import_sales(vec![sold(1)]).await?;
    let (item, _) = on.records(&rows[0]).await?;
    let profit = on.profit_of(&item).await?;
    let mut booked: Vec<_> = profit.entries.iter().map(|entry| entry.posting).collect();
    booked.sort_unstable();
    assert_eq!(booked, [Posting::Delivered, Posting::SaleSettled, Posting::Imported]);
    let sum = |account| profit.entries.iter().map(|entry| entry.amounts.of(account).get()).sum::<i64>();
    let left = [Account::InventoryAtCost, Account::DeliveredAtCost, Account::Receivable, Account::Capital].map(sum);
    assert_eq!(left, [0, 0, 0, 1_425 - 1_230]);
    assert_eq!((profit.figures.realised, profit.open.items), (195, 0));
    Ok(())
}

#[tokio::test]
async fn a_sale_elsewhere_of_an_item_of_unknown_cost_books_nothing() -> OpResult<()> {
    let on = Importing::holding().await;
    on.held(vec![bare(1)]).await?;
    let rows = on.import_sales(vec![sold(1)]).await?;
    let (item, _) = on.records(&rows[0]).await?;
    let profit = on.profit_of(&item).await?;
    assert_eq!((item.status, profit.entries.len(), profit.figures.realised), (ItemStatus::Settled, 0, 0));
    Ok(())
}

#[tokio::test]
async fn importing_sales_twice_changes_nothing() -> OpResult<()> {
    let on = Importing::holding().await;
    on.held(vec![bought_before(1)]).await?;
    let first = on.import_sales(vec![sold(1)]).await?;
    let (item, _) = on.records(&first[0]).await?;
    let second = on.sell(vec![sold(1)]).await?;
    assert_eq!(on.outcomes(second.id).await, [RowOutcome::Same]);
    on.apply(second.id).await?;
    assert_eq!(on.records(&on.rows(second.id).await[0]).await?.0, item);
    assert_eq!(on.profit_of(&item).await?.entries.len(), 3);
    for (field, text) in [
        (HoldingField::Price, "16.00"),
        (HoldingField::Fee, "0.80"),
        (HoldingField::Marketplace, "csfloat"),
        (HoldingField::OrderId, "S-2"),
        (HoldingField::SoldAt, "2020-03-02"),
    ] {
        let judged = on.judged_sale(with(sold(1), &[(field, text)])).await?;
        assert_eq!(judged, (RowOutcome::Refused, vec![ReasonCode::SaleDiffers]), "{field}");
    }
    Ok(())
}

#[tokio::test]
async fn a_sale_that_cannot_be_applied_says_why() -> OpResult<()> {
    let on = Importing::holding().await;
    let until = on.staff.world.clock.now().plus(Duration::days(5)).to_string();
    let protected = with(bare(2), &[(HoldingField::ProtectedUntil, until.as_str())]);
    on.held(vec![bought_before(1), protected]).await?;
    for (sale, code) in [
        (sold(9), ReasonCode::ItemUnknown),
        (with(sold(1), &[(HoldingField::AppId, "440")]), ReasonCode::ItemUnknown),
        (with(sold(1), &[(HoldingField::Account, "trader-2")]), ReasonCode::AccountUnknown),
        (with(sold(1), &[(HoldingField::PlatformUserId, "76561198000000002")]), ReasonCode::AccountUnknown),
        (with(sold(1), &[(HoldingField::MarketHashName, "Glove Case")]), ReasonCode::FieldInvalid),
        (with(sold(1), &[(HoldingField::Wear, "0.15")]), ReasonCode::FieldInvalid),
        (with(sold(1), &[(HoldingField::SoldAt, "2020-01-30")]), ReasonCode::TimeInvalid),
        (without(sold(1), HoldingField::SoldAt), ReasonCode::TimeInvalid),
        (with(sold(1), &[(HoldingField::Fee, "15.01")]), ReasonCode::PriceInvalid),
        (without(sold(1), HoldingField::Fee), ReasonCode::PriceInvalid),
        (sold(2), ReasonCode::ItemNotHeld),
    ] {
        assert_eq!(on.judged_sale(sale).await?, (RowOutcome::Refused, vec![code]), "{code}");
    }
    let rows = on.import_sales(vec![sold(1), sold(1)]).await?;
    let outcomes: Vec<_> = rows.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes, [RowOutcome::Updated, RowOutcome::Refused]);
    assert_eq!(rows[1].reasons[0].code, ReasonCode::AssetTwice);
    Ok(())
}

#[tokio::test]
async fn a_sale_that_the_ledger_cannot_add_is_refused_and_the_others_are_applied() -> OpResult<()> {
    let on = Importing::holding().await;
    on.held(vec![with(bought_before(1), &[(HoldingField::Price, "99999999999.00")]), bought_before(2)]).await?;
    let import = on.sell(vec![with(sold(1), &[(HoldingField::Fee, "0.71")]), sold(2)]).await?;
    assert_eq!(on.outcomes(import.id).await, [RowOutcome::Refused, RowOutcome::WillUpdate]);
    assert_eq!(on.rows(import.id).await[0].reasons[0].code, ReasonCode::PriceInvalid);
    on.apply(import.id).await?;
    assert_eq!(on.outcomes(import.id).await, [RowOutcome::Refused, RowOutcome::Updated]);
    Ok(())
}

#[tokio::test]
async fn sales_need_the_policy_trading() {
    let on = Importing::holding().await;
    let keeper = on.staff.world.key(PolicySet::of(&[Policy::Accounts])).await;
    let command = CreateImport { kind: ImportKind::Sales, ..on.command() };
    let refused = refusal(on.staff.world.operations.create_import(&keeper, command)).await;
    assert_eq!(refused, (Code::PermissionDenied, "PERMISSION_DENIED"));
}

#[tokio::test]
async fn rows_of_items_are_read_by_who_may_read_what_is_traded() -> OpResult<()> {
    let on = Importing::holding().await;
    let world = &on.staff.world;
    on.reader.reads_holdings(vec![bought_before(1)]);
    let mut imports = vec![on.create(vec![account(2)]).await];
    for kind in [ImportKind::Holdings, ImportKind::Purchases, ImportKind::Sales] {
        let command = CreateImport { kind, ..on.command() };
        imports.push(world.operations.create_import(&Caller::system(), command).await?.value);
    }
    for (policy, allowed) in [(Policy::Accounts, [true, false, false, false]), (Policy::Analytics, [true; 4])] {
        let caller = world.key(PolicySet::of(&[policy])).await;
        for (import, is_allowed) in imports.iter().zip(allowed) {
            let (workspace_id, import_id, cursor) = (world.workspace_id, import.id, String::new());
            let rows = ListImportRows { workspace_id, import_id, limit: 0, cursor, outcome: None };
            let refused = world.operations.list_import_rows(&caller, rows).await.err().map(|error| error.code);
            let expected = (!is_allowed).then_some(Code::PermissionDenied);
            assert_eq!(refused, expected, "{} {}", import.kind, policy.name());
        }
    }
    Ok(())
}
