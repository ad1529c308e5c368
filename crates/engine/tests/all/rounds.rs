//! What a pass does however much is open: what is in doubt first, then buying, then a bounded part of the rest, in turns.

use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::contract::{BasisPoints, Contract, ContractParts, Counters};
use tradepost_domain::fees::{FeeRate, FeeSchedule, Rounding};
use tradepost_domain::listing::Listing;
use tradepost_domain::money::Cents;
use tradepost_domain::purchase::{Purchase, PurchaseParts, PurchaseStatus, PurchaseTerms};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trade::PlatformUserId;
use tradepost_ports::changes::Changes;
use tradepost_ports::marketplace::{
    BuyRequest, DealStatus, ListingQuery, ListingStatus, MarketListing, MarketOrder, Marketplace, MarketplaceRefusal,
    MarketplaceResult, Page, Sale, SellRequest,
};
use tradepost_ports::outside::OutsideError;
use tradepost_ports::store::Store as _;
use tradepost_ports::testing::samples::{Samples, text, variant};

use crate::desk::{Desk, MARKET, cents};

/// As many purchases of a status as a pass follows at a marketplace.
const SLICE: usize = 200;
/// What the contract of these tests would pay.
const WANTED: i64 = 1_000;

/// What a marketplace was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Asked {
    Fees,
    Balance,
    Page,
    Listing,
    Buy,
    FindOrder,
    Order(ExternalId),
}

/// A marketplace that says what a test wants it to, and remembers what it was asked.
#[derive(Default)]
struct Stub {
    pages: Mutex<Vec<Vec<MarketListing>>>,
    asked: Mutex<Vec<Asked>>,
    /// Whether orders cannot be looked up by their keys.
    is_mute: AtomicBool,
}

impl Stub {
    fn note(&self, asked: Asked) {
        self.asked.lock().unwrap().push(asked);
    }

    /// What it was asked since the last time.
    fn take(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    /// The orders that were asked for since the last time.
    fn orders(&self) -> Vec<ExternalId> {
        let orders = self.take().into_iter().filter_map(|asked| match asked {
            Asked::Order(id) => Some(id),
            Asked::Fees | Asked::Balance | Asked::Page | Asked::Listing | Asked::Buy | Asked::FindOrder => None,
        });
        orders.collect()
    }

    fn offer(&self, pages: Vec<Vec<MarketListing>>) {
        *self.pages.lock().unwrap() = pages;
    }

    fn answer(id: &ExternalId, key: &ExternalId) -> MarketOrder {
        MarketOrder {
            id: id.clone(),
            key: key.clone(),
            listing_id: text("listed"),
            asset_id: Samples::seeded(8).asset_id(),
            seller: PlatformUserId::new(NonZeroU64::new(7).unwrap()),
            price: cents(WANTED),
            fee: Cents::ZERO,
            status: DealStatus::AwaitingSeller,
            trade_offer_id: None,
            deliver_by: Timestamp::MAX,
            refunded: Cents::ZERO,
        }
    }
}

fn refused<T>() -> MarketplaceResult<T> {
    Err(OutsideError::Definite(MarketplaceRefusal::NotFound))
}

#[async_trait]
impl Marketplace for Stub {
    async fn listings(&self, _: &ListingQuery, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        self.note(Asked::Page);
        let number: usize = after.map_or(0, |after| after.as_str().parse().unwrap());
        let pages = self.pages.lock().unwrap();
        let next = (number + 1 < pages.len()).then(|| text(&(number + 1).to_string()));
        Ok(Page { items: pages.get(number).cloned().unwrap_or_default(), next })
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        self.note(Asked::Listing);
        Ok(self.pages.lock().unwrap().iter().flatten().find(|listing| listing.id == *id).cloned())
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        self.note(Asked::Buy);
        Ok(Self::answer(&request.listing_id, &request.key))
    }

    async fn find_order(&self, key: &ExternalId) -> MarketplaceResult<Option<MarketOrder>> {
        self.note(Asked::FindOrder);
        if self.is_mute.load(Ordering::SeqCst) {
            return Err(OutsideError::Unknown("no answer".to_owned()));
        }
        Ok(Some(Self::answer(key, key)))
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.note(Asked::Order(id.clone()));
        Ok(Self::answer(id, id))
    }

    async fn list(&self, _: &SellRequest) -> MarketplaceResult<MarketListing> {
        refused()
    }

    async fn reprice(&self, _: &ExternalId, _: Cents) -> MarketplaceResult<MarketListing> {
        refused()
    }

    async fn delist(&self, _: &ExternalId) -> MarketplaceResult<()> {
        refused()
    }

    async fn own_listings(&self, _: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        Ok(Page { items: Vec::new(), next: None })
    }

    async fn sales(&self, _: Timestamp) -> MarketplaceResult<Vec<Sale>> {
        Ok(Vec::new())
    }

    async fn balance(&self) -> MarketplaceResult<Cents> {
        self.note(Asked::Balance);
        Ok(cents(1_000_000))
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        self.note(Asked::Fees);
        let nothing = FeeRate { share: BasisPoints::new(0).unwrap(), minimum: Cents::ZERO, rounding: Rounding::HalfUp };
        Ok(FeeSchedule { buying: nothing, selling: nothing, overrides: Vec::new() })
    }
}

fn on_sale(id: &str, price: i64) -> MarketListing {
    MarketListing {
        id: text(id),
        asset_id: Samples::seeded(9).asset_id(),
        offered: Listing {
            variant: variant("AK-47 | Redline (Field-Tested)"),
            rarity: None,
            float_value: None,
            paint_seed: None,
            paint_index: None,
            stickers: Vec::new(),
            charms: Vec::new(),
            price: cents(price),
            trade_lock_days: 0,
            seller_success: None,
        },
        status: ListingStatus::OnSale,
    }
}

/// A contract at work that has made so many purchases, all in this status.
async fn with_purchases(desk: &Desk, number: usize, status: PurchaseStatus) -> Vec<Purchase> {
    let samples = Samples::seeded(7);
    let contract = samples.contract(desk.workspace_id);
    let made: Vec<Purchase> = (0..number)
        .map(|_| {
            let parts = samples.purchase(desk.workspace_id, contract.id, status).into_parts();
            let terms = PurchaseTerms { marketplace: text(MARKET), account_name: text("bot-1"), ..parts.terms };
            Purchase::restore(PurchaseParts { terms, ..parts }).unwrap()
        })
        .collect();
    let footprints: Vec<_> = made.iter().map(Purchase::footprint).collect();
    let sum = |amounts: Vec<Cents>| cents(amounts.iter().map(|amount| amount.get()).sum());
    let counters = Counters {
        filled_quantity: footprints.iter().map(|footprint| footprint.filled_quantity).sum(),
        open_quantity: footprints.iter().map(|footprint| footprint.open_quantity).sum(),
        spent: sum(footprints.iter().map(|footprint| footprint.spent).collect()),
        reserved: sum(footprints.iter().map(|footprint| footprint.reserved).collect()),
    };
    let parts = ContractParts { counters, marketplaces: vec![text(MARKET)], ..contract.into_parts() };
    let mut changes = Changes::by(&tradepost_ports::changes::Caller::system());
    changes.insert(Contract::restore(parts).unwrap());
    for purchase in &made {
        changes.insert(purchase.clone());
    }
    desk.store.commit(changes).await.unwrap();
    made
}

fn order_ids<'a>(purchases: impl IntoIterator<Item = &'a Purchase>) -> BTreeSet<ExternalId> {
    purchases.into_iter().filter_map(|purchase| Some(purchase.progress.order.as_ref()?.id.clone())).collect()
}

#[tokio::test]
async fn a_pass_follows_a_bounded_part_of_what_is_open_and_every_purchase_has_its_turn() {
    let desk = Desk::lively(61).await;
    let made = with_purchases(&desk, 2 * SLICE + 50, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub::default());
    let mut engine = desk.engine_at(stub.clone());
    for round in 0..2 {
        let mut followed = BTreeSet::new();
        for most in [SLICE, SLICE, 50] {
            engine.pass().await;
            let asked = stub.orders();
            assert_eq!(asked.len(), most, "in round {round}");
            followed.extend(asked);
        }
        assert_eq!(followed, order_ids(&made));
    }
}

#[tokio::test]
async fn everything_in_doubt_is_looked_up_before_anything_new_is_bought() {
    let desk = Desk::lively(62).await;
    let made = with_purchases(&desk, SLICE + 1, PurchaseStatus::Submitted).await;
    let stub = Arc::new(Stub::default());
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let pass = desk.engine_at(stub.clone()).pass().await;
    assert_eq!(pass.bought, 1, "{:?}", pass.troubles);
    let asked = stub.take();
    let bought_at = asked.iter().position(|asked| *asked == Asked::Buy).unwrap();
    let looked_up = asked[..bought_at].iter().filter(|asked| **asked == Asked::FindOrder).count();
    assert_eq!(looked_up, made.len());
    let is_settled = |purchase: &Purchase| purchase.status == PurchaseStatus::Paid;
    assert!(desk.purchases().await.iter().all(is_settled));
}

#[tokio::test]
async fn nothing_is_bought_where_a_purchase_in_doubt_cannot_be_looked_up() {
    let desk = Desk::lively(63).await;
    with_purchases(&desk, 1, PurchaseStatus::Submitted).await;
    let stub = Arc::new(Stub { is_mute: AtomicBool::new(true), ..Stub::default() });
    stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
    let mut engine = desk.engine_at(stub.clone());
    for _ in 0..2 {
        engine.pass().await;
        desk.simulator.advance(Duration::minutes(2));
    }
    assert!(!stub.take().contains(&Asked::Buy));
    stub.is_mute.store(false, Ordering::SeqCst);
    assert_eq!(engine.pass().await.bought, 1);
}

#[tokio::test]
async fn a_page_is_bought_from_before_the_next_one_is_read_once_all_were_seen() {
    let desk = Desk::lively(64).await;
    with_purchases(&desk, 0, PurchaseStatus::Paid).await;
    let stub = Arc::new(Stub::default());
    let mut engine = desk.engine_at(stub.clone());
    let order_of_calls = || stub.take().into_iter().filter(|asked| matches!(asked, Asked::Page | Asked::Buy));
    stub.offer(vec![vec![on_sale("first", WANTED)], vec![on_sale("second", WANTED)]]);
    engine.pass().await;
    let all_first: Vec<Asked> = order_of_calls().collect();
    assert_eq!(all_first, [Asked::Page, Asked::Page, Asked::Buy, Asked::Buy]);
    stub.offer(vec![vec![on_sale("third", WANTED)], vec![on_sale("fourth", WANTED)]]);
    engine.pass().await;
    let page_by_page: Vec<Asked> = order_of_calls().collect();
    assert_eq!(page_by_page, [Asked::Page, Asked::Buy, Asked::Page, Asked::Buy]);
}

#[tokio::test]
async fn fees_and_balances_are_asked_for_once_in_a_while() {
    let desk = Desk::lively(65).await;
    let stub = Arc::new(Stub::default());
    let mut engine = desk.engine_at(stub.clone());
    for expected in [1, 0, 0] {
        engine.pass().await;
        let asked = stub.take();
        for what in [Asked::Fees, Asked::Balance] {
            assert_eq!(asked.iter().filter(|asked| **asked == what).count(), expected, "{what:?}");
        }
    }
    desk.simulator.advance(Duration::minutes(1));
    engine.pass().await;
    assert!(stub.take().contains(&Asked::Fees));
}
