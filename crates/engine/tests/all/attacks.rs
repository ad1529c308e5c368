//! What an attack on prices costs us, and what the marketplace takes of the attacker: cents lost per cent of fees.
//!
//! The prices are those that a world shows while a fault is on. We lose what we pay above the honest price of an item, and what a sale
//! brings less than one at the honest price. No item on sale has cost enough for a rule of margin to hide a loss.

use tradepost_adapters_simulator::{Fault, Settings, Simulator, Spread, World};
use tradepost_domain::contracts::contract::{
    BasisPoints, BuyingTerms, Contract, ContractParts, PriceReference, PriceStatistic, SellingTerms, Terms, Undercut,
};
use tradepost_domain::contracts::evaluation::{
    Activity, Circumstances, Decision, Evaluation, Holding, ListingContext, evaluate_item, evaluate_listing,
};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemParts};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::markets::exchange::Conversion;
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::markets::pricing::{Quote, Quotes};
use tradepost_domain::money::{Cents, VenueCents};
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::MarketClock as _;
use tradepost_ports::marketplace::{ListingQuery, Marketplace as _};
use tradepost_ports::price_source::PriceSource as _;
use tradepost_testkit::samples::{Samples, text, variant};

use crate::desk::{CUSTOMER, MARKET, cents};
use crate::scripted_adapters::on_sale;

const ITEM: &str = "AK-47 | Redline (Field-Tested)";
/// How many sales a stranger makes to itself.
const WASHED: u32 = 5_000;

/// What an attack has come to, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Toll {
    /// By how much we are poorer.
    lost: i64,
    /// What the marketplace took of the attacker.
    fees: i64,
}

/// The prices that sources show during an attack.
struct Attacked {
    quotes: Quotes,
    fees: Charges,
    /// What a source shows before the attack.
    honest: Quote,
    /// What the attacker has paid in fees so far.
    spent: i64,
    /// The lowest price that strangers ask.
    asked: Option<Cents>,
    marketplace: Marketplace,
    at: Timestamp,
}

impl Toll {
    const NONE: Self = Self { lost: 0, fees: 1 };

    /// Whether the attacker pays more than we lose.
    fn is_cheap(self) -> bool {
        self.lost == 0 || self.lost < self.fees
    }

    /// The one with more cents lost per cent of fees.
    fn worse(self, other: Self) -> Self {
        if other.lost * self.fees > self.lost * other.fees { other } else { self }
    }
}

impl Attacked {
    /// A world without listings of others, seen by the indexes of these names and the marketplace.
    async fn by(fault: &Fault, indexes: &[&str]) -> Self {
        let settings =
            Settings { first_listings: 0, next_listing: Spread::new(u32::MAX, u32::MAX), ..Settings::default() };
        let simulator = Simulator::new(World::new(7, settings));
        let wanted = variant(ITEM);
        let quote_of = async |name: &str| {
            let given = simulator.prices(text(name)).quotes().await.unwrap();
            given.into_iter().find(|quote| quote.variant == wanted).unwrap().quote.converted(Conversion::SameCurrency)
        };
        let honest = quote_of("guide").await;
        simulator.world(|world| {
            world.pay_in(CUSTOMER, VenueCents::ONE);
            world.inject(fault.clone());
        });
        let market = simulator.marketplace(CUSTOMER);
        let fees: Charges = market.fee_schedule().await.unwrap().into();
        let query = ListingQuery { market_hash_name: Some(text(ITEM)), max_price: None, limit: 100 };
        let listings = market.listings(&query, None).await.unwrap().items;
        let asked = listings.iter().map(|listing| Conversion::SameCurrency.cost(listing.offered.price).unwrap()).min();
        let (at, mut quotes) = (simulator.market_now(), Quotes::default());
        for name in indexes {
            quotes.note(quote_of(name).await);
        }
        if let Some(asked) = asked {
            quotes.note_ask(Quote::of_ask(text(MARKET), asked, at));
        }
        let mut spent = 0;
        if let Fault::WashSales { percent, count } = fault {
            let price = cents(honest.lowest_ask.unwrap().get() * i64::from(*percent) / 100);
            let both = [fees.on_buying(&text(ITEM), at, price), fees.on_selling(&text(ITEM), at, price)];
            spent = both.into_iter().map(|fee| fee.unwrap().get()).sum::<i64>() * i64::from(*count);
        }
        Self { quotes, fees, honest, spent, asked, marketplace: text(MARKET), at }
    }

    fn known(&self) -> Circumstances<'_> {
        Circumstances {
            marketplace: &self.marketplace,
            fees: Some(&self.fees),
            filter: None,
            quotes: &self.quotes,
            price_override: None,
            at: self.at,
        }
    }

    fn judge(&self, contract: &Contract, price: i64) -> Evaluation {
        let listing = on_sale("attack", price).offered.priced(cents(price));
        let exits = std::slice::from_ref(&self.fees);
        let prospect = ListingContext { listing: &listing, exits, activity: Activity::default() };
        evaluate_listing(contract, &prospect, &self.known()).unwrap()
    }

    /// The honest price by a statistic.
    fn honest_by(&self, statistic: PriceStatistic) -> Cents {
        let price = match statistic {
            PriceStatistic::Median | PriceStatistic::LowestAsk => self.honest.lowest_ask,
            PriceStatistic::HighestBid => self.honest.highest_bid,
            PriceStatistic::Sales7d => self.honest.sales.map(|sales| sales.average),
        };
        price.unwrap()
    }

    /// The attacker sells us an item for as much as a contract pays that wants no loss. `None` if it buys at no price.
    fn sells_to(&self, statistic: PriceStatistic) -> Option<Toll> {
        let (contract, honest) =
            (contract(Terms::Buying(careful()), statistic), self.honest_by(PriceStatistic::LowestAsk));
        let buys = |price: &i64| self.judge(&contract, *price).decision == Decision::Buy;
        let near = (1..=10 * honest.get()).rev().step_by(23).find(&buys)?;
        // The highest price is that one, or lies between it and the last that the contract refuses.
        let price = (near..near + 23).rev().find(&buys)?;
        let paid = self.judge(&contract, price).all_in_cost.unwrap();
        let fee = self.fees.on_selling(&text(ITEM), self.at, cents(price)).unwrap();
        Some(Toll { lost: (paid.get() - honest.get()).max(0), fees: self.spent + fee.get() })
    }

    /// The attacker buys an item of ours for as little as a contract asks. `None` if it puts nothing on sale.
    fn buys_from(&self, terms: SellingTerms, statistic: PriceStatistic) -> Option<Toll> {
        let sold = self.offer(&contract(Terms::Selling(terms), statistic));
        let price = sold.asking_price.filter(|_| sold.decision == Decision::Sell)?;
        let fee = self.fees.on_buying(&text(ITEM), self.at, price).unwrap();
        let lost = self.brings(self.honest_by(statistic)) - self.brings(price);
        Some(Toll { lost: lost.max(0), fees: self.spent + fee.get() })
    }

    /// What a sale at a price brings us.
    fn brings(&self, price: Cents) -> i64 {
        price.get() - self.fees.on_selling(&text(ITEM), self.at, price).unwrap().get()
    }

    fn offer(&self, contract: &Contract) -> Evaluation {
        let item = free_item();
        let holding = Holding { item: &item, cost: Some(Cents::ONE), competing_price: self.asked };
        evaluate_item(contract, &holding, &self.known()).unwrap()
    }
}

fn free_item() -> InventoryItem {
    let samples = Samples::seeded(3);
    let purchase = samples.purchase(samples.id(), samples.id(), PurchaseStatus::Traded);
    let parts = samples.item(&purchase).0.into_parts();
    InventoryItem::restore(ItemParts { lock: None, ..parts }).unwrap()
}

fn contract(terms: Terms, statistic: PriceStatistic) -> Contract {
    let samples = Samples::seeded(4);
    let parts = samples.contract(samples.id()).into_parts();
    let reference = PriceReference { statistic, ..PriceReference::default() };
    let price_reference = Some(reference);
    let marketplaces = Vec::new();
    Contract::restore(ContractParts { terms, price_reference, marketplaces, filter_set_id: None, ..parts }).unwrap()
}

/// Buys whatever brings a cent more than it costs.
fn careful() -> BuyingTerms {
    BuyingTerms {
        target_quantity: 10,
        max_buy_price: cents(1_000_000),
        budget: cents(10_000_000),
        daily_budget: None,
        max_daily_loss: None,
        min_discount: None,
        min_expected_margin: Some(BasisPoints::default()),
        max_per_item_name: None,
        max_open_purchases: None,
        cooldown_seconds: None,
        max_trade_lock_days: None,
        min_liquidity_score: None,
        min_seller_success: None,
    }
}

/// Goes a cent below whatever others ask.
fn undercutting() -> SellingTerms {
    SellingTerms { undercut: Some(Undercut::Amount(Cents::ONE)), ..at_its_value() }
}

/// Asks what the item is worth, whatever others ask and whatever the item has cost.
fn at_its_value() -> SellingTerms {
    SellingTerms {
        floor_price: Cents::ONE,
        min_margin: None,
        undercut: None,
        ceiling_price: None,
        reprice_interval_seconds: None,
        max_listings: None,
        max_below_value: None,
        max_above_value: None,
    }
}

/// Everything that one attacker can do to one of two or three sources.
fn attacks() -> Vec<Fault> {
    let asks = [5, 30, 60, 120, 200, 900].map(|percent| Fault::FakeAsk { percent, seconds: 3_600 });
    let sales = [30, 120, 200, 900].map(|percent| Fault::WashSales { percent, count: WASHED });
    asks.into_iter().chain(sales).collect()
}

/// Each attack as it is seen by the sources that include the attacked one.
async fn every_attack() -> Vec<(String, Attacked)> {
    let mut all = Vec::new();
    for fault in attacks() {
        for indexes in [["index"].as_slice(), &["guide"], &["index", "guide"]] {
            all.push((format!("{fault:?} seen by {indexes:?}"), Attacked::by(&fault, indexes).await));
        }
    }
    all
}

#[tokio::test]
async fn no_attack_on_one_source_takes_more_of_us_than_the_marketplace_takes_of_the_attacker() {
    let (mut bought, mut sold) = (Vec::new(), Vec::new());
    for (attack, attacked) in every_attack().await {
        for statistic in PriceStatistic::ALL {
            let tolls = [attacked.sells_to(*statistic), attacked.buys_from(at_its_value(), *statistic)];
            assert!(tolls.into_iter().flatten().all(Toll::is_cheap), "{attack}, {statistic}: {tolls:?}");
            bought.extend(tolls[0]);
            sold.extend(tolls[1]);
        }
    }
    for (what, tolls) in [("purchases", bought), ("sales at the value", sold)] {
        assert!(!tolls.is_empty(), "no {what}");
        let Toll { lost, fees } = tolls.iter().copied().fold(Toll::NONE, Toll::worse);
        println!("{} {what} under attack, the worst: {lost} cents lost for {fees} cents of fees", tolls.len());
    }
}

#[tokio::test]
async fn no_attack_makes_an_undercutting_contract_lose_more_than_its_band() {
    let mut worst = Toll::NONE;
    for (attack, attacked) in every_attack().await {
        for statistic in PriceStatistic::ALL {
            let toll = attacked.buys_from(undercutting(), *statistic).unwrap_or(Toll::NONE);
            let band = attacked.honest_by(*statistic).get() / 2;
            assert!(toll.lost <= band, "{attack}, {statistic}: {toll:?} of a band of {band}");
            worst = worst.worse(toll);
        }
    }
    assert!(worst.lost > 0, "no bait has worked, so the band was not needed");
    println!("a contract that undercuts: {} cents lost for {} cents of fees", worst.lost, worst.fees);
}

#[tokio::test]
async fn a_bait_brings_the_ask_of_a_contract_without_a_margin_down_to_its_band_and_no_further() {
    let bait = Fault::FakeAsk { percent: 30, seconds: 3_600 };
    let attacked = Attacked::by(&bait, &["index", "guide"]).await;
    for (below, left) in [(None, 50), (Some(400), 96)] {
        let max_below_value = below.map(|points| BasisPoints::new(points).unwrap());
        let terms = Terms::Selling(SellingTerms { max_below_value, ..undercutting() });
        let sold = attacked.offer(&contract(terms, PriceStatistic::Median));
        let percent = sold.asking_price.unwrap().get() * 100 / attacked.honest_by(PriceStatistic::Median).get();
        assert_eq!((sold.decision, percent), (Decision::Sell, left));
    }
}
