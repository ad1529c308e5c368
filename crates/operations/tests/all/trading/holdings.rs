//! Imports of holdings: items that trading accounts hold already.

use time::Duration;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus, LockKind};
use tradepost_domain::contracts::ledger::report::Open;
use tradepost_domain::contracts::ledger::{Account, Posting};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::money::Amount;
use tradepost_domain::text::Text;
use tradepost_domain::trading::import::{
    HoldingField, Import, ImportFormat, ImportKind, ImportRow, ImportStatus, ReasonCode, RowOutcome,
};
use tradepost_operations::contracts::{
    GetInventoryItem, GetItemProfitAndLoss, GetPurchase, ItemProfitAndLoss, VerifyAssetIDChain,
};
use tradepost_operations::trading::{ApplyImport, CreateImport, DefaultsOfImport, RemoveAccount};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::imports::{ReadFault, ReadHolding};

use super::imports::Importing;
use super::refusal;

/// A holding of `trader-1` of which only what is needed is known.
pub(super) fn bare(number: u32) -> ReadHolding {
    let asset = format!("3{number:04}");
    with(
        ReadHolding::default(),
        &[
            (HoldingField::Account, "trader-1"),
            (HoldingField::AssetId, asset.as_str()),
            (HoldingField::MarketHashName, "AK-47 | Redline (Field-Tested)"),
        ],
    )
}

/// The same with an order of 12.00 and 0.30 of fee.
pub(super) fn bought(number: u32) -> ReadHolding {
    let order = format!("order-{number}");
    with(
        bare(number),
        &[
            (HoldingField::Price, "12.00"),
            (HoldingField::Fee, "0.30"),
            (HoldingField::Marketplace, "csfloat"),
            (HoldingField::OrderId, order.as_str()),
        ],
    )
}

/// The same with other fields.
pub(super) fn with(mut holding: ReadHolding, fields: &[(HoldingField, &str)]) -> ReadHolding {
    for (field, text) in fields {
        holding.fields.retain(|(of, _)| of != field);
        holding.fields.push((*field, (*text).to_owned()));
    }
    holding
}

pub(super) fn without(mut holding: ReadHolding, field: HoldingField) -> ReadHolding {
    holding.fields.retain(|(of, _)| *of != field);
    holding
}

impl Importing {
    /// An import of holdings of `trader-1`, which is registered.
    pub(super) async fn holding() -> Self {
        let on = Self::open().await;
        on.staff.register(1).await;
        on
    }

    async fn hold(&self, holdings: Vec<ReadHolding>) -> OpResult<Import> {
        self.reader.reads_holdings(holdings);
        let command = CreateImport { kind: ImportKind::Holdings, ..self.command() };
        Ok(self.staff.world.operations.create_import(&Caller::system(), command).await?.value)
    }

    /// Imports holdings, and returns the rows as they are then.
    pub(super) async fn held(&self, holdings: Vec<ReadHolding>) -> OpResult<Vec<ImportRow>> {
        let import = self.hold(holdings).await?;
        self.apply(import.id).await?;
        Ok(self.rows(import.id).await)
    }

    /// The outcome and the reasons of the only row of an import.
    async fn judged(&self, holding: ReadHolding) -> OpResult<(RowOutcome, Vec<ReasonCode>)> {
        let import = self.hold(vec![holding]).await?;
        let rows = self.rows(import.id).await;
        self.apply(import.id).await?;
        let reasons = rows.iter().flat_map(|row| &row.reasons).map(|reason| reason.code).collect();
        Ok((rows[0].outcome, reasons))
    }

    /// The item of a row and its purchase.
    pub(super) async fn records(&self, row: &ImportRow) -> OpResult<(InventoryItem, Purchase)> {
        let (operations, workspace_id) = (&self.staff.world.operations, self.staff.world.workspace_id);
        let holding = row.holding.as_deref().unwrap();
        let get = GetInventoryItem { workspace_id, inventory_item_id: holding.item_id.unwrap() };
        let item = operations.get_inventory_item(&self.staff.keeper, get).await?;
        let get = GetPurchase { workspace_id, purchase_id: holding.purchase_id.unwrap() };
        Ok((item.value, operations.get_purchase(&self.staff.keeper, get).await?.value))
    }

    pub(super) async fn profit_of(&self, item: &InventoryItem) -> OpResult<ItemProfitAndLoss> {
        let get = GetItemProfitAndLoss { workspace_id: item.workspace_id, inventory_item_id: item.id };
        self.staff.world.operations.get_item_profit_and_loss(&self.staff.keeper, get).await
    }
}

#[tokio::test]
async fn checking_holdings_records_nothing_and_seals_nothing() -> OpResult<()> {
    let on = Importing::holding().await;
    let before = on.secrets().await;
    let import = on.hold(vec![bought(1), bare(2)]).await?;
    assert_eq!((import.status, import.tally.rows, import.tally.accepted), (ImportStatus::Checked, 2, 2));
    assert_eq!(on.outcomes(import.id).await, [RowOutcome::WillCreate; 2]);
    assert!(on.rows(import.id).await.iter().all(|row| row.account_id.is_some()));
    assert_eq!(on.secrets().await, before);
    assert_eq!(on.outcomes(on.hold(vec![bought(1)]).await?.id).await, [RowOutcome::WillCreate]);
    Ok(())
}

#[tokio::test]
async fn an_applied_holding_is_an_item_without_a_contract_whose_chain_begins_with_its_asset_id() -> OpResult<()> {
    let on = Importing::holding().await;
    let traits =
        [(HoldingField::Wear, "0.1501"), (HoldingField::PaintSeed, "412"), (HoldingField::BoughtAt, "2020-01-31")];
    let rows = on.held(vec![with(bought(1), &traits)]).await?;
    assert_eq!(rows[0].outcome, RowOutcome::Created);
    let (item, purchase) = on.records(&rows[0]).await?;
    assert_eq!((item.status, item.contract_id, item.buy_price.get()), (ItemStatus::InInventory, None, 1_200));
    assert_eq!((item.account_name.as_str(), item.traits.paint_seed), ("trader-1", Some(412)));
    assert_eq!((item.head.origin, item.head.step), (Source::Import, 0));
    assert_eq!(item.current_asset_id().as_str(), "30001");
    assert_eq!((purchase.status, purchase.terms.contract_id), (PurchaseStatus::Settled, None));
    assert_eq!(purchase.known_cost().map(Amount::get), Some(1_230));
    assert_eq!(purchase.order_id().map(Text::as_str), Some("order-1"));
    assert_eq!(purchase.created_at.to_string(), "2020-01-31T00:00:00Z");
    let verify = VerifyAssetIDChain { workspace_id: item.workspace_id, inventory_item_id: item.id };
    assert_eq!(on.staff.world.operations.verify_asset_id_chain(&on.staff.keeper, verify).await?, []);
    Ok(())
}

#[tokio::test]
async fn the_cost_of_a_holding_is_put_in_with_it() -> OpResult<()> {
    let on = Importing::holding().await;
    let rows = on.held(vec![bought(1)]).await?;
    let (item, _) = on.records(&rows[0]).await?;
    let profit = on.profit_of(&item).await?;
    let booked: Vec<_> = profit.entries.iter().map(|entry| (entry.posting, entry.pool_id)).collect();
    assert_eq!(booked, [(Posting::Imported, None)]);
    let legs: Vec<_> = profit.entries[0].amounts.legs().map(|(account, amount)| (account, amount.get())).collect();
    assert_eq!(legs, [(Account::InventoryAtCost, 1_230), (Account::Capital, -1_230)]);
    assert_eq!((profit.figures.realised, profit.figures.buy_fees, profit.open.items), (0, 30, 1));
    Ok(())
}

#[tokio::test]
async fn a_holding_of_unknown_cost_books_nothing_and_has_nothing_to_gain() -> OpResult<()> {
    let on = Importing::holding().await;
    let rows = on.held(vec![bare(1), with(bare(2), &[(HoldingField::PriceCents, "0")])]).await?;
    let (item, purchase) = on.records(&rows[0]).await?;
    assert_eq!((item.buy_price.get(), purchase.known_cost(), purchase.order_id()), (0, None, None));
    let profit = on.profit_of(&item).await?;
    assert_eq!((profit.entries.len(), profit.open), (0, Open::of_unknown_cost(1)));
    let (_, gift) = on.records(&rows[1]).await?;
    assert_eq!(gift.known_cost().map(Amount::get), Some(0), "a gift costs nothing, which is known");
    Ok(())
}

#[tokio::test]
async fn a_protected_holding_is_locked_until_its_trade_is_final() -> OpResult<()> {
    let on = Importing::holding().await;
    let until = on.staff.world.clock.now().plus(Duration::days(5));
    let protected = with(bare(1), &[(HoldingField::ProtectedUntil, until.to_string().as_str())]);
    let rows = on.held(vec![protected]).await?;
    let (item, _) = on.records(&rows[0]).await?;
    assert_eq!(item.lock.map(|lock| (lock.kind, lock.until)), Some((LockKind::TradeProtection, until)));
    assert_eq!(item.context_id.get(), 16);
    Ok(())
}

#[tokio::test]
async fn importing_holdings_twice_changes_nothing() -> OpResult<()> {
    let on = Importing::holding().await;
    let holdings = vec![bought(1), bare(2)];
    let first = on.held(holdings.clone()).await?;
    let second = on.hold(holdings).await?;
    assert_eq!(on.outcomes(second.id).await, [RowOutcome::Same; 2]);
    on.apply(second.id).await?;
    let records = |rows: &[ImportRow]| rows.iter().map(|row| row.holding.clone()).collect::<Vec<_>>();
    assert_eq!(records(&on.rows(second.id).await), records(&first));
    Ok(())
}

#[tokio::test]
async fn a_holding_that_differs_from_what_was_imported_is_refused_with_the_field() -> OpResult<()> {
    let on = Importing::holding().await;
    on.held(vec![bought(1)]).await?;
    for (field, text) in [
        (HoldingField::Price, "13.00"),
        (HoldingField::MarketHashName, "Glove Case"),
        (HoldingField::Marketplace, "skinport"),
        (HoldingField::OrderId, "order-9"),
    ] {
        let judged = on.judged(with(bought(1), &[(field, text)])).await?;
        assert_eq!(judged, (RowOutcome::Refused, vec![ReasonCode::HoldingDiffers]), "{field}");
    }
    Ok(())
}

#[tokio::test]
async fn a_holding_that_cannot_be_applied_says_why_and_the_others_are_applied() -> OpResult<()> {
    let on = Importing::holding().await;
    on.held(vec![bought(1)]).await?;
    let numbered =
        |number: &str| with(without(bare(2), HoldingField::Account), &[(HoldingField::PlatformUserId, number)]);
    let fault = ReadFault { code: ReasonCode::FileInvalid, detail: "price is neither a text nor a number".to_owned() };
    for (holding, code) in [
        (with(bare(2), &[(HoldingField::Account, "trader-2")]), ReasonCode::AccountUnknown),
        (without(bare(2), HoldingField::Account), ReasonCode::AccountUnknown),
        (numbered("76561198000000002"), ReasonCode::AccountUnknown),
        (numbered("12"), ReasonCode::AccountUnknown),
        (without(bare(2), HoldingField::AssetId), ReasonCode::AssetInvalid),
        (without(bare(2), HoldingField::MarketHashName), ReasonCode::FieldInvalid),
        (with(bare(2), &[(HoldingField::Price, "12,50")]), ReasonCode::PriceInvalid),
        (with(bought(2), &[(HoldingField::Currency, "EUR")]), ReasonCode::PriceInvalid),
        (with(bought(2), &[(HoldingField::OrderId, "order-1")]), ReasonCode::OrderTaken),
        (with(bare(2), &[(HoldingField::BoughtAt, "2999-01-01")]), ReasonCode::TimeInvalid),
        (with(bare(2), &[(HoldingField::SoldAt, "2020-03-01")]), ReasonCode::FieldInvalid),
        (ReadHolding { fault: Some(fault), ..bare(2) }, ReasonCode::FileInvalid),
    ] {
        assert_eq!(on.judged(holding).await?, (RowOutcome::Refused, vec![code]), "{code}");
    }
    assert_eq!(on.judged(numbered("76561198000000001")).await?, (RowOutcome::WillCreate, Vec::new()));
    let rows =
        on.held(vec![bare(3), bare(3), with(bought(4), &[(HoldingField::OrderId, "order-5")]), bought(5)]).await?;
    let outcomes: Vec<_> = rows.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes, [RowOutcome::Created, RowOutcome::Refused, RowOutcome::Created, RowOutcome::Refused]);
    let reasons = [&rows[1], &rows[3]].map(|row| row.reasons[0].code);
    assert_eq!(reasons, [ReasonCode::AssetTwice, ReasonCode::OrderTaken]);
    Ok(())
}

#[tokio::test]
async fn what_changed_since_the_check_is_decided_again() -> OpResult<()> {
    let on = Importing::holding().await;
    let other = on.staff.register(2).await;
    let elsewhere = with(bare(2), &[(HoldingField::Account, "trader-2")]);
    let import = on.hold(vec![bought(1), elsewhere]).await?;
    on.held(vec![bought(1)]).await?;
    let workspace_id = on.staff.world.workspace_id;
    let remove = RemoveAccount { workspace_id, account_id: other.id, expected_version: None };
    on.staff.world.operations.remove_account(&Caller::system(), remove).await?;
    let applied = on.apply(import.id).await?.value;
    assert_eq!((applied.status, applied.tally.accepted, applied.tally.rejected), (ImportStatus::Applied, 1, 1));
    let rows = on.rows(import.id).await;
    assert_eq!((rows[0].outcome, rows[1].outcome), (RowOutcome::Same, RowOutcome::Failed));
    assert_eq!(rows[1].reasons[0].code, ReasonCode::AccountUnknown);
    Ok(())
}

#[tokio::test]
async fn many_holdings_are_applied_in_parts_and_a_second_call_returns_what_was_done() -> OpResult<()> {
    let on = Importing::holding().await;
    let import = on.hold((1..=60).map(bought).collect()).await?;
    let applied = on.apply(import.id).await?;
    assert_eq!((applied.value.status, applied.version), (ImportStatus::Applied, 5));
    assert_eq!(on.outcomes(import.id).await.iter().filter(|outcome| **outcome == RowOutcome::Created).count(), 50);
    assert_eq!(on.apply(import.id).await?.version, 5);
    Ok(())
}

#[tokio::test]
async fn holdings_need_the_policy_trading_to_be_checked_and_to_be_applied() -> OpResult<()> {
    let on = Importing::holding().await;
    let denied = (Code::PermissionDenied, "PERMISSION_DENIED");
    let keeper = on.staff.world.key(PolicySet::of(&[Policy::Accounts])).await;
    let command = CreateImport { kind: ImportKind::Holdings, ..on.command() };
    assert_eq!(refusal(on.staff.world.operations.create_import(&keeper, command)).await, denied);
    let import = on.hold(vec![bare(1)]).await?;
    let keeper = on.staff.world.key(PolicySet::of(&[Policy::Accounts])).await;
    on.staff.world.step_up(&keeper).await;
    let workspace_id = on.staff.world.workspace_id;
    let apply = ApplyImport { workspace_id, import_id: import.id, expected_version: Some(1) };
    assert_eq!(refusal(on.staff.world.operations.apply_import(&keeper, apply)).await, denied);
    Ok(())
}

#[tokio::test]
async fn what_only_accounts_have_is_refused_for_holdings() {
    let on = Importing::holding().await;
    let command = || CreateImport { kind: ImportKind::Holdings, ..on.command() };
    let defaults = DefaultsOfImport { name_after_login: true, ..DefaultsOfImport::default() };
    for (command, message) in [
        (CreateImport { format: ImportFormat::MaFile, ..command() }, "format must be JSON or CSV for holdings"),
        (
            CreateImport { passphrase: Some("copper".into()), ..command() },
            "passphrase is for encrypted accounts, and not for holdings",
        ),
        (CreateImport { defaults, ..command() }, "defaults are for accounts, and not for holdings"),
        (command(), "content must have 1 to 1000 holdings"),
    ] {
        let refused = on.staff.world.operations.create_import(&Caller::system(), command).await.unwrap_err();
        assert_eq!((refused.code, refused.message.as_str()), (Code::InvalidArgument, message));
    }
}
