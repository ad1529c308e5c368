//! What a contract would have done with what was observed.

use time::Duration;
use tradepost_domain::contracts::evaluation::{Decision, Rule};
use tradepost_domain::id::{Id, ObservationId};
use tradepost_domain::markets::observation::ListingSnapshot;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::money::Cents;
use tradepost_domain::time::Timestamp;
use tradepost_operations::contracts::{
    BuyingLimits, ContractTerms, CreateContract, EvaluateContract, FeeInput, MarketView, SellingLimits,
    SimulateContract, Simulated, Simulation, ToEvaluate, WouldHaveBought,
};
use tradepost_operations::markets::{ListMarketObservations, SetPriceOverride, VariantName};
use tradepost_operations::{Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{Samples, text, variant};

use super::{Desk, buying_limits, cents, contract, draft};

const REDLINE: &str = "AK-47 | Redline (Field-Tested)";
const ASIIMOV: &str = "AWP | Asiimov (Battle-Scarred)";

/// A desk on whose markets something happens minute by minute.
struct Past {
    desk: Desk,
    samples: Samples,
    from: Timestamp,
}

impl Past {
    async fn open() -> Self {
        let desk = Desk::open().await;
        let from = desk.world.clock.now();
        Self { desk, samples: Samples::seeded(9), from }
    }

    /// A listing that is observed now, and the next minute begins.
    async fn see(&self, name: &str, price: i64) -> ListingSnapshot {
        let seen = self.samples.on_offer(variant(name), price, self.desk.world.clock.now());
        self.see_again(ListingSnapshot { marketplace: text("csfloat"), ..seen }).await
    }

    async fn see_again(&self, seen: ListingSnapshot) -> ListingSnapshot {
        let seen = ListingSnapshot { observed_at: self.desk.world.clock.now(), ..seen };
        let (workspace_id, sightings) = (self.desk.workspace_id(), vec![seen.clone()]);
        self.desk.operations().record_listings(&self.desk.trader, workspace_id, sightings).await.unwrap();
        self.desk.advance_clock(Duration::minutes(1));
        seen
    }

    /// Two sources ask so much from now on.
    async fn quote(&self, name: &str, price: i64) {
        let ask = |source| Quote::of_ask(text(source), cents(price), self.desk.world.clock.now());
        let quotes = [(variant(name), ask("skinport")), (variant(name), ask("buff"))];
        self.desk.operations().record_quotes(&self.desk.trader, self.desk.workspace_id(), &quotes).await.unwrap();
    }

    async fn value_at(&self, name: &str, price: i64) {
        let variant = VariantName { app_id: 0, market_hash_name: name.to_owned(), phase: None };
        let command = SetPriceOverride {
            workspace_id: self.desk.workspace_id(),
            variant,
            price_cents: Some(price),
            expires_at: Some(self.desk.world.clock.now().plus(Duration::hours(1))),
            reason: "known better".to_owned(),
            expected_version: None,
        };
        self.desk.operations().set_price_override(&self.desk.trader, command).await.unwrap();
    }

    fn of(&self, limits: BuyingLimits) -> SimulateContract {
        let drafted = draft(self.desk.workspace_id(), ContractTerms::Buying(limits));
        let fees = FeeInput { marketplace: "csfloat".to_owned(), buy_fee_bps: Some(250), sell_fee_bps: None };
        SimulateContract {
            workspace_id: self.desk.workspace_id(),
            contract: Simulated::Draft(Box::new(drafted)),
            from: self.from,
            to: None,
            limit: 0,
            fees: vec![fees],
        }
    }

    /// The newest first.
    async fn observations(&self) -> Vec<ObservationId> {
        let listed = ListMarketObservations {
            workspace_id: self.desk.workspace_id(),
            limit: 0,
            cursor: String::new(),
            marketplace: String::new(),
            market_hash_name: String::new(),
            since: None,
        };
        self.desk.operations().list_market_observations(&self.desk.trader, listed).await.unwrap().entries
    }

    async fn simulate(&self, command: SimulateContract) -> OpResult<Simulation> {
        self.desk.operations().simulate_contract(&self.desk.trader, command).await
    }

    async fn would_buy(&self, limits: BuyingLimits) -> u32 {
        self.simulate(self.of(limits)).await.unwrap().would_buy
    }
}

/// A tenth below what it is worth.
fn discounted() -> BuyingLimits {
    BuyingLimits { min_discount_bps: Some(1_000), ..buying_limits() }
}

#[tokio::test]
async fn a_period_with_known_observations_gives_known_figures() {
    let past = Past::open().await;
    let before = past.see(REDLINE, 1_300).await;
    past.quote(REDLINE, 1_700).await;
    past.see(REDLINE, 1_200).await;
    past.see(REDLINE, 1_600).await;
    past.see(ASIIMOV, 900).await;
    past.see(REDLINE, 1_100).await;
    past.see(REDLINE, 1_000).await;
    past.see_again(ListingSnapshot { marketplace: text("elsewhere"), ..before }).await;
    let limits = BuyingLimits { target_quantity: Some(2), ..discounted() };
    let stored = format!("{:?}", past.desk.world.store);
    let found = past.simulate(past.of(limits)).await.unwrap();
    assert_eq!((found.observed, found.matched, found.would_buy), (7, 6, 2));
    assert_eq!(found.spend, cents(1_230 + 1_128));
    let reasons = [(Rule::Discount, 3), (Rule::FairValue, 2), (Rule::Confidence, 2), (Rule::Quantity, 1)];
    assert_eq!(found.top_reasons[..4], reasons);
    assert_eq!((found.truncated, found.until), (false, Some(past.from.plus(Duration::minutes(6)))));
    assert_eq!(format!("{:?}", past.desk.world.store), stored);
}

#[tokio::test]
async fn a_listing_that_would_be_bought_is_named_with_its_price_cost_and_value() -> OpResult<()> {
    let past = Past::open().await;
    past.quote(REDLINE, 1_700).await;
    let first = past.see(REDLINE, 1_200).await;
    past.see(REDLINE, 1_600).await;
    let second = past.see(REDLINE, 1_100).await;
    let found = past.simulate(past.of(discounted())).await?;
    let [earlier, later] = found.would_have_bought.as_slice() else { panic!("{found:?}") };
    let seen = past.observations().await;
    assert_eq!([earlier, later].map(|bought| bought.observation.id), [seen[2], seen[0]]);
    assert_eq!([&earlier.observation.snapshot, &later.observation.snapshot], [&first, &second]);
    let sums = |bought: &WouldHaveBought| (bought.fee, bought.all_in_cost, bought.fair_value);
    assert_eq!(sums(earlier), (cents(30), cents(1_230), Some(cents(1_700))));
    assert_eq!(sums(later), (cents(28), cents(1_128), Some(cents(1_700))));
    Ok(())
}

#[tokio::test]
async fn the_first_200_purchases_are_named_and_all_are_counted() -> OpResult<()> {
    let past = Past::open().await;
    for _ in 0..=200 {
        past.see(REDLINE, 100).await;
    }
    let limits = BuyingLimits { target_quantity: Some(1_000), budget_cents: Some(100_000), ..buying_limits() };
    let found = past.simulate(past.of(limits)).await?;
    assert_eq!((found.would_buy, found.spend), (201, cents(201 * 103)));
    let times = found.would_have_bought.iter().map(|bought| bought.observation.recorded_at);
    let expected = (0..200).map(|minute| past.from.plus(Duration::minutes(minute)));
    assert_eq!(times.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    Ok(())
}

#[tokio::test]
async fn a_price_that_came_later_changes_nothing() {
    let past = Past::open().await;
    past.see(REDLINE, 1_200).await;
    past.quote(REDLINE, 1_700).await;
    past.see(REDLINE, 1_210).await;
    past.value_at(REDLINE, 1_300).await;
    past.see(REDLINE, 1_220).await;
    let found = past.simulate(past.of(discounted())).await.unwrap();
    // Before a price was reported, after two sources reported one, and once a value was given.
    assert_eq!((found.observed, found.would_buy, found.spend), (3, 1, cents(1_241)));
    past.quote(REDLINE, 5_000).await;
    past.value_at(REDLINE, 9_000).await;
    let to = Some(past.desk.world.clock.now());
    assert_eq!(past.simulate(SimulateContract { to, ..past.of(discounted()) }).await.unwrap(), found);
    past.see(REDLINE, 1_230).await;
    assert_eq!(past.would_buy(discounted()).await, 2);
}

#[tokio::test]
async fn a_marketplace_takes_its_reported_fees_unless_the_request_says_otherwise() {
    let past = Past::open().await;
    past.see(REDLINE, 1_200).await;
    let with = |fees| SimulateContract { fees, ..past.of(buying_limits()) };
    assert_eq!(past.simulate(with(Vec::new())).await.unwrap().would_buy, 0, "what it takes is not known");
    past.desk.takes("csfloat", "USD", super::fees::fees([50, 200], 1)).await;
    assert_eq!(past.simulate(with(Vec::new())).await.unwrap().spend, cents(1_206));
    assert_eq!(past.simulate(past.of(buying_limits())).await.unwrap().spend, cents(1_230));
}

#[tokio::test]
async fn limits_are_held_in_the_order_of_what_was_observed() {
    let past = Past::open().await;
    let first = past.see(REDLINE, 1_000).await;
    for (name, price) in [(ASIIMOV, 1_000), (REDLINE, 1_000), (REDLINE, 400)] {
        past.see(name, price).await;
    }
    past.see_again(ListingSnapshot {
        listing: past.samples.on_offer(variant(REDLINE), 900, past.from).listing,
        ..first
    })
    .await;
    past.desk.advance_clock(Duration::days(1));
    past.see(REDLINE, 1_000).await;
    let plain = buying_limits;
    // What is bought is no longer there when it is seen at another price.
    assert_eq!(past.would_buy(plain()).await, 5);
    assert_eq!(past.would_buy(BuyingLimits { budget_cents: Some(2_500), ..plain() }).await, 3);
    assert_eq!(past.would_buy(BuyingLimits { max_per_item_name: Some(1), ..plain() }).await, 2);
    assert_eq!(past.would_buy(BuyingLimits { daily_budget_cents: Some(1_500), ..plain() }).await, 3);
    assert_eq!(past.would_buy(BuyingLimits { max_open_purchases: Some(4), ..plain() }).await, 4);
    assert_eq!(past.would_buy(BuyingLimits { cooldown_seconds: Some(120), ..plain() }).await, 3);
    let some = past.simulate(SimulateContract { limit: 2, ..past.of(plain()) }).await.unwrap();
    assert_eq!((some.observed, some.would_buy, some.truncated), (2, 2, true));
    let until = past.from.plus(Duration::minutes(2));
    let early = past.simulate(SimulateContract { to: Some(until), ..past.of(plain()) }).await.unwrap();
    assert_eq!((early.observed, early.truncated), (2, false));
}

#[tokio::test]
async fn a_contract_is_simulated_as_if_it_began_then_with_nothing_bought() {
    let past = Past::open().await;
    let desk = &past.desk;
    past.see(REDLINE, 1_200).await;
    desk.item(1).await;
    let stored =
        |contract_id| SimulateContract { contract: Simulated::Stored(contract_id), ..past.of(buying_limits()) };
    assert_eq!(past.simulate(stored(desk.contract_id)).await.unwrap().would_buy, 1);
    desk.refused(past.simulate(stored(Id::from_bytes([9; 16]))), Code::NotFound, "NOT_FOUND").await;
    let limits = SellingLimits { floor_price_cents: Some(1_300), ..SellingLimits::default() };
    let selling = contract(&desk.world, &desk.trader, ContractTerms::Selling(limits)).await;
    desk.forbidden(past.simulate(stored(selling)), "CONTRACT_NEVER_BUYS").await;
    let contradictory = BuyingLimits { max_buy_price_cents: Some(99_999), ..buying_limits() };
    desk.forbidden(past.simulate(past.of(contradictory)), "CONTRACT_LIMITS").await;
    let unknown = CreateContract {
        filter_set_id: Some(Id::from_bytes([9; 16])),
        ..draft(desk.workspace_id(), ContractTerms::Buying(buying_limits()))
    };
    let unknown = SimulateContract { contract: Simulated::Draft(Box::new(unknown)), ..past.of(buying_limits()) };
    desk.refused(past.simulate(unknown), Code::NotFound, "NOT_FOUND").await;
    let fees = past.of(buying_limits()).fees;
    for command in [
        SimulateContract { to: Some(past.from), ..past.of(buying_limits()) },
        SimulateContract { limit: -1, ..past.of(buying_limits()) },
        SimulateContract { fees: [fees.clone(), fees].concat(), ..past.of(buying_limits()) },
    ] {
        desk.refused(past.simulate(command), Code::InvalidArgument, "INVALID_FIELD").await;
    }
}

#[tokio::test]
async fn an_observation_is_judged_by_the_prices_of_its_time_and_a_listing_by_those_of_now() {
    let past = Past::open().await;
    let desk = &past.desk;
    let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(discounted())).await;
    let command = |about| EvaluateContract {
        workspace_id: desk.workspace_id(),
        contract_id,
        marketplace: "csfloat".to_owned(),
        about,
        market: MarketView { buy_fee_bps: Some(250), ..MarketView::default() },
    };
    past.quote(REDLINE, 1_700).await;
    let seen = past.see(REDLINE, 1_200).await;
    desk.advance_clock(Duration::minutes(20));
    past.quote(REDLINE, 1_000).await;
    let then = command(ToEvaluate::Observation(past.observations().await[0]));
    let then = desk.operations().evaluate_contract(&desk.trader, then).await.unwrap();
    assert_eq!((then.decision, then.sums.fair_value, then.at), (Decision::Buy, Some(cents(1_700)), past.from));
    assert_eq!(then.sums.all_in_cost.map(Cents::get), Some(1_230));
    let now = tradepost_operations::contracts::SampleListing {
        market_hash_name: seen.listing.variant.market_hash_name.to_string(),
        price_cents: Some(1_200),
        ..Default::default()
    };
    let now =
        desk.operations().evaluate_contract(&desk.trader, command(ToEvaluate::Listing(Box::new(now)))).await.unwrap();
    assert_eq!((now.decision, now.sums.fair_value), (Decision::Skip, Some(cents(1_000))));
    let unknown = command(ToEvaluate::Observation(Id::from_bytes([9; 16])));
    let unknown = desk.operations().evaluate_contract(&desk.trader, unknown);
    desk.refused(unknown, Code::NotFound, "NOT_FOUND").await;
}

#[tokio::test]
async fn an_observation_is_judged_by_what_the_contract_had_bought_by_then() {
    let mut past = Past::open().await;
    let limits = BuyingLimits { cooldown_seconds: Some(600), ..buying_limits() };
    past.desk.contract_id = contract(&past.desk.world, &past.desk.trader, ContractTerms::Buying(limits)).await;
    past.see(REDLINE, 1_200).await;
    past.desk.buy(1).await;
    past.desk.advance_clock(Duration::minutes(1));
    past.see(REDLINE, 1_200).await;
    let mut decisions = Vec::new();
    for observation in past.observations().await {
        let command = EvaluateContract {
            workspace_id: past.desk.workspace_id(),
            contract_id: past.desk.contract_id,
            marketplace: String::new(),
            about: ToEvaluate::Observation(observation),
            market: MarketView { buy_fee_bps: Some(250), ..MarketView::default() },
        };
        let evaluation = past.desk.operations().evaluate_contract(&past.desk.trader, command).await.unwrap();
        let cooldown = evaluation.reasons.into_iter().find(|reason| reason.rule == Rule::Cooldown).unwrap();
        decisions.push((evaluation.decision, cooldown.actual));
    }
    assert_eq!(decisions, [(Decision::Skip, Some("60".to_owned())), (Decision::Buy, None)]);
}
