//! The trading of the demo: contracts, and the stories of purchases and items, reported to the operations in the order of time.

use std::collections::BTreeMap;

use indicatif::ProgressBar;
use time::Duration;
use tradepost::domain::asset::{AppId, ContextId};
use tradepost::domain::contracts::contract::ApprovalMode;
use tradepost::domain::contracts::inventory_item::SalePlace;
use tradepost::domain::id::{AccountId, ContractId, FilterSetId, InventoryItemId, PurchaseId, WorkspaceId};
use tradepost::domain::money::Cents;
use tradepost::domain::text::Marketplace;
use tradepost::domain::time::Timestamp;
use tradepost::operations::contracts::{
    ActivateContract, AdvanceItem, AdvancePurchase, AppendAssetIDLink, BuyingLimits, ContractTerms, CreateContract,
    ReceiveItem, RecordPurchase, SellingLimits, UndercutBy,
};
use tradepost::operations::{Caller, Operations};

use super::catalogue::{self, BUYING, SELLING, Variant};
use super::clock::DemoClock;
use super::rng::SeededRng;
use super::scenario::{DemoEvent, DemoScenario, LISTING, STORIES, Script, asset_id, fee_of};
use super::venues::{self, ACCOUNTS, MARKETPLACES};
use super::{refused, sure};
use crate::failure::{Exit, Failure, Outcome};
use crate::sample_records;

/// The story whose records the demo names: its chain has five links, and the item is in the inventory, so that more can
/// be appended.
const EXAMPLE: DemoScenario = DemoScenario::SoldAndReturned;

/// So many of the contracts stay drafts.
const DRAFTS: usize = 1;

/// How many contracts of each type a desk has.
#[derive(Clone, Copy)]
pub(super) struct ContractCounts {
    pub(super) buying: usize,
    pub(super) selling: usize,
}

/// A workspace that trades.
pub(super) struct Desk {
    pub(super) workspace_id: WorkspaceId,
    /// The accounts that trade for it.
    accounts: Vec<AccountId>,
    /// The active contracts, with what each looks for.
    buying: Vec<(ContractId, Vec<Variant>)>,
    first_story: u64,
    lives: BTreeMap<u64, DemoPurchase>,
}

/// One purchase of the demo, as far as it has come.
#[derive(Default)]
struct DemoPurchase {
    terms: Option<Terms>,
    purchase_id: Option<PurchaseId>,
    item_id: Option<InventoryItemId>,
    is_example: bool,
}

#[derive(Clone, Copy)]
struct Terms {
    contract_id: ContractId,
    item: &'static str,
    price: Cents,
    marketplace: &'static str,
    account: &'static str,
}

/// The time that sample data covers.
#[derive(Clone, Copy)]
pub(super) struct Period {
    pub(super) began: Timestamp,
    pub(super) now: Timestamp,
}

/// Records that show the most.
pub(super) struct Example {
    pub(super) contract: ContractId,
    pub(super) purchase: PurchaseId,
    pub(super) item: InventoryItemId,
}

/// A deed of a story, with its place in time.
type Scheduled = (Timestamp, u64, DemoEvent);

/// Everything that will happen at a desk, in the order of time.
pub(super) struct EventSchedule {
    deeds: std::iter::Peekable<std::vec::IntoIter<Scheduled>>,
    /// Shows how far it has come.
    bar: ProgressBar,
}

impl Desk {
    /// Puts on record where a desk trades and by whom, and makes its contracts, one of each type a draft.
    pub(super) async fn open(
        operations: &Operations,
        workspace_id: WorkspaceId,
        first_story: u64,
        counts: ContractCounts,
    ) -> Outcome<Self> {
        let ContractCounts { buying, selling } = counts;
        let accounts = venues::introduce(operations, workspace_id).await?;
        let mut desk = Self { workspace_id, accounts, buying: Vec::new(), first_story, lives: BTreeMap::new() };
        for (place, search) in BUYING.iter().take(buying).enumerate() {
            let filter_set = sample_records::filter_set(operations, workspace_id, search.name, (search.rules)()).await;
            let filter_set_id = Some(filter_set.map_err(refused)?);
            let terms = buying_limits(search.highest_price);
            let contract = desk.contract(operations, search.name, terms, filter_set_id).await?;
            if place + DRAFTS < buying {
                desk.activate(operations, contract).await?;
                desk.buying.push((contract, search.variants().collect()));
            }
        }
        for (place, name) in SELLING.iter().take(selling).enumerate() {
            let contract = desk.contract(operations, name, selling_limits(), None).await?;
            if place + DRAFTS < selling {
                desk.activate(operations, contract).await?;
            }
        }
        Ok(desk)
    }

    async fn contract(
        &self,
        operations: &Operations,
        name: &str,
        terms: ContractTerms,
        filter_set_id: Option<FilterSetId>,
    ) -> Outcome<ContractId> {
        let command = CreateContract {
            workspace_id: self.workspace_id,
            name: name.to_owned(),
            terms,
            filter_set_id,
            pool_id: None,
            approval_mode: ApprovalMode::Automatic,
            marketplaces: MARKETPLACES.map(str::to_owned).to_vec(),
            price_reference: None,
            starts_at: None,
            ends_at: None,
        };
        Ok(operations.create_contract(&Caller::system(), command).await.map_err(refused)?.value.id)
    }

    async fn activate(&self, operations: &Operations, contract_id: ContractId) -> Outcome {
        let command = ActivateContract { workspace_id: self.workspace_id, contract_id, expected_version: None };
        operations.activate_contract(&Caller::system(), command).await.map(drop).map_err(refused)
    }

    /// Decides what will happen in this time: every story as often as in the table divided by `share`, at least once. No engine serves the
    /// marketplaces of the sample data: a demo that trades has no story that waits for them, one that stays still has every status.
    pub(super) fn plan(
        &mut self,
        dice: &mut SeededRng,
        Period { began, now }: Period,
        share: usize,
        is_still: bool,
    ) -> Outcome<EventSchedule> {
        let mut deeds: Vec<Scheduled> = Vec::new();
        let mut number = self.first_story;
        for (story, times) in STORIES.into_iter().filter(|(story, _)| is_still || !story.waits()) {
            for _ in 0..times.div_ceil(share) {
                let terms = self.terms(dice)?;
                let latest = now.plus(-story.began_before());
                let spread = if story.is_over() { latest.since(began) } else { story.began_before() / 12 };
                let spread = u64::try_from(spread.whole_seconds()).unwrap_or(0);
                let earlier = Duration::seconds(i64::try_from(dice.below(spread.max(1))).unwrap_or(0));
                let at = latest.plus(-earlier);
                let place = SalePlace { marketplace: sure(Marketplace::new(terms.marketplace))?, contract_id: None };
                let script = Script::new(number, terms.price, place, at);
                deeds.extend(story.play(script)?.into_iter().map(|(at, deed)| (at, number, deed)));
                let life = DemoPurchase { terms: Some(terms), is_example: story == EXAMPLE, ..DemoPurchase::default() };
                self.lives.insert(number, life);
                number += 1;
            }
        }
        // Stable, so that what happens to one purchase in one moment keeps its order.
        deeds.sort_by_key(|(at, number, _)| (*at, *number));
        Ok(EventSchedule { deeds: deeds.into_iter().peekable(), bar: ProgressBar::hidden() })
    }

    fn terms(&self, dice: &mut SeededRng) -> Outcome<Terms> {
        let (contract_id, variants) = dice.pick(&self.buying);
        let variant = dice.pick(variants);
        let discount = i64::try_from(dice.below(15)).unwrap_or(0);
        Ok(Terms {
            contract_id: *contract_id,
            item: variant.name,
            price: sure(Cents::new(variant.usual_price * (100 - discount) / 100))?,
            marketplace: dice.pick::<&str>(&MARKETPLACES),
            account: dice.pick::<&str>(&ACCOUNTS),
        })
    }

    /// Reports the state of its marketplaces and of its trading accounts.
    pub(super) async fn look_about(&self, operations: &Operations, now: Timestamp) -> Outcome {
        venues::look_after(operations, self.workspace_id, &self.accounts, now).await
    }

    /// The example of this desk.
    pub(super) fn example(&self) -> Outcome<Example> {
        let life = self.lives.values().find(|life| life.is_example);
        let found = life.and_then(|life| {
            Some(Example { contract: life.terms?.contract_id, purchase: life.purchase_id?, item: life.item_id? })
        });
        found.ok_or_else(|| Failure::new(Exit::Failed, "the sample data has no example"))
    }

    async fn happen(&mut self, operations: &Operations, number: u64, deed: DemoEvent) -> Outcome {
        let (system, workspace_id) = (Caller::system(), self.workspace_id);
        let life = self.lives.entry(number).or_default();
        match (deed, life.purchase_id, life.item_id) {
            (DemoEvent::Record, _, _) => {
                let command = life.record(workspace_id, number)?;
                let purchase = operations.record_purchase(&system, command).await.map_err(refused)?;
                life.purchase_id = Some(purchase.value.terms.id);
            }
            (DemoEvent::Purchase(event), Some(purchase_id), _) => {
                let command = AdvancePurchase { workspace_id, purchase_id, event, expected_version: None };
                operations.advance_purchase(&system, command).await.map_err(refused)?;
            }
            (DemoEvent::Receive { trade_id, asset_id, protected_until }, Some(purchase_id), _) => {
                let item = life.terms.map_or("", |terms| terms.item);
                let command = ReceiveItem {
                    workspace_id,
                    purchase_id,
                    trade_id: trade_id.to_string(),
                    asset_id: asset_id.to_string(),
                    protected_until,
                    app_id: AppId::CS2,
                    context_id: ContextId::ORDINARY,
                    traits: catalogue::traits(item, number)?,
                    expected_version: None,
                };
                life.item_id = Some(operations.receive_item(&system, command).await.map_err(refused)?.item.value.id);
            }
            (DemoEvent::Item(event), _, Some(inventory_item_id)) => {
                let command = AdvanceItem { workspace_id, inventory_item_id, event, expected_version: None };
                operations.advance_item(&system, command).await.map_err(refused)?;
            }
            (DemoEvent::Seen { asset_id, source_id }, _, Some(inventory_item_id)) => {
                let command = AppendAssetIDLink {
                    workspace_id,
                    inventory_item_id,
                    expected_step: None,
                    asset_id: asset_id.to_string(),
                    source: "inventory".to_owned(),
                    source_id: source_id.to_string(),
                };
                operations.append_asset_id_link(&system, command).await.map_err(refused)?;
            }
            (deed, _, _) => {
                return Err(Failure::new(Exit::Failed, format!("the sample data comes in a wrong order: {deed:?}")));
            }
        }
        Ok(())
    }
}

impl EventSchedule {
    /// How much is still to happen.
    pub(super) fn length(&self) -> u64 {
        self.deeds.len() as u64
    }

    /// From now on shows on this bar how far it has come.
    pub(super) fn show_on(&mut self, bar: ProgressBar) {
        self.bar = bar;
    }

    /// Lets everything happen that happens before `until`.
    pub(super) async fn run(
        &mut self,
        desk: &mut Desk,
        operations: &Operations,
        clock: &DemoClock,
        until: Timestamp,
    ) -> Outcome {
        while let Some((at, number, deed)) = self.deeds.next_if(|(at, ..)| *at < until) {
            clock.set(at);
            desk.happen(operations, number, deed).await?;
            self.bar.inc(1);
        }
        Ok(())
    }
}

impl DemoPurchase {
    fn record(&self, workspace_id: WorkspaceId, number: u64) -> Outcome<RecordPurchase> {
        let terms =
            self.terms.ok_or_else(|| Failure::new(Exit::Failed, "a purchase of the sample data has no terms"))?;
        let price = terms.price.get();
        let fee = fee_of(price);
        Ok(RecordPurchase {
            workspace_id,
            contract_id: terms.contract_id,
            intent_id: None,
            app_id: AppId::CS2,
            market_hash_name: terms.item.to_owned(),
            traits: catalogue::traits(terms.item, number)?,
            listing_price_cents: price,
            max_buy_price_cents: price + fee + price / 20,
            platform_fee_cents: fee,
            listing_id: format!("{LISTING}{number:06}"),
            listing_asset_id: asset_id(number, 0)?.to_string(),
            marketplace: terms.marketplace.to_owned(),
            account_name: terms.account.to_owned(),
        })
    }
}

fn buying_limits(highest_price: i64) -> ContractTerms {
    ContractTerms::Buying(BuyingLimits {
        target_quantity: Some(1_000),
        max_buy_price_cents: Some(highest_price),
        budget_cents: Some(5_000_000),
        min_discount_bps: Some(500),
        max_trade_lock_days: Some(8),
        ..BuyingLimits::default()
    })
}

fn selling_limits() -> ContractTerms {
    ContractTerms::Selling(SellingLimits {
        floor_price_cents: Some(500),
        min_margin_bps: Some(300),
        undercut: Some(UndercutBy::Cents(1)),
        reprice_interval_seconds: Some(900),
        max_listings: Some(50),
        ..SellingLimits::default()
    })
}
