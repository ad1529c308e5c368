//! The fees that marketplaces have reported: a contract is evaluated, and a purchase proposed, with them, unless the request says otherwise.

use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::contracts::intent::{Intent, IntentKind, Target};
use tradepost_domain::markets::fees::{FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::provider::{ProviderKind, ProviderReport};
use tradepost_domain::money::Cents;
use tradepost_operations::contracts::{
    ActOn, CreateIntent, EvaluateContract, GivenQuote, MarketView, SampleListing, ToEvaluate, UpdateContract,
    WantedListing,
};
use tradepost_operations::markets::RecordProviderHealth;
use tradepost_operations::{Caller, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{Samples, text};

use super::limits::wanted;
use super::{Desk, accepted, cents, on_record, renamed, submitted};

const NAME: &str = "AK-47 | Redline (Field-Tested)";

/// Shares of buyers and of sellers, and the least that is taken.
pub(super) fn fees([buying, selling]: [u16; 2], minimum: i64) -> FeeSchedule {
    let rate = |points| FeeRate {
        share: BasisPoints::new(points).unwrap(),
        minimum: cents(minimum),
        rounding: Rounding::Floor,
    };
    FeeSchedule { buying: rate(buying), selling: rate(selling), overrides: Vec::new() }
}

impl Desk {
    /// Puts a marketplace on record, with the fees that it has reported.
    pub(super) async fn takes(&self, name: &str, currency: &str, fees: FeeSchedule) {
        let (workspace_id, kind) = (self.workspace_id(), ProviderKind::Marketplace);
        on_record(&self.world, name, currency).await;
        let report = Samples::seeded(9).good_report(self.world.clock.now());
        let report = ProviderReport { fees: Some(fees), ..report };
        let command = RecordProviderHealth { workspace_id, kind, name: text(name), report };
        self.operations().record_provider_health(&Caller::system(), command).await.unwrap();
    }

    /// What a listing of 12.00 costs at a marketplace, and what it would bring elsewhere, worth 17.00.
    async fn costs_and_brings(&self, marketplace: &str, said: MarketView) -> [Option<i64>; 2] {
        let quote = |source: &str| GivenQuote {
            source: source.to_owned(),
            market_hash_name: NAME.to_owned(),
            lowest_ask_cents: Some(1_700),
            ..GivenQuote::default()
        };
        let listing =
            SampleListing { market_hash_name: NAME.to_owned(), price_cents: Some(1_200), ..SampleListing::default() };
        let command = EvaluateContract {
            workspace_id: self.workspace_id(),
            contract_id: self.contract_id,
            marketplace: marketplace.to_owned(),
            about: ToEvaluate::Listing(Box::new(listing)),
            market: MarketView { quotes: vec![quote("skinport"), quote("buff")], ..said },
        };
        let sums = self.operations().evaluate_contract(&self.trader, command).await.unwrap().sums;
        [sums.all_in_cost, sums.expected_net].map(|amount| amount.map(Cents::get))
    }

    /// Proposes that a listing of 12.00 be bought, with what the proposer says of its fee and of its greatest cost.
    async fn proposed(&self, number: u32, said: [Option<i64>; 2]) -> OpResult<Versioned<Intent>> {
        let [platform_fee_cents, max_buy_price_cents] = said;
        self.proposes(WantedListing { platform_fee_cents, max_buy_price_cents, ..wanted(number) }).await
    }

    async fn proposes(&self, listing: WantedListing) -> OpResult<Versioned<Intent>> {
        let command = CreateIntent {
            workspace_id: self.workspace_id(),
            contract_id: self.contract_id,
            kind: IntentKind::Buy,
            act_on: ActOn::Listing(listing),
        };
        self.operations().create_intent(&self.trader, command).await
    }
}

/// The fee that an intent expects, and the most that it may cost.
fn expects(intent: &Versioned<Intent>) -> Option<[i64; 2]> {
    let Target::Listing(listing) = &intent.value.terms.target else { return None };
    Some([listing.platform_fee.get(), listing.max_buy_price.get()])
}

#[tokio::test]
async fn a_listing_is_evaluated_with_the_reported_fees_unless_the_request_says_otherwise() {
    let desk = Desk::open().await;
    let known = MarketView::default;
    // What is left of the value after the days in which nothing can be sold.
    let value = 1_676;
    assert_eq!(desk.costs_and_brings("csfloat", known()).await, [None, None], "what a marketplace takes is not known");
    desk.takes("csfloat", "USD", fees([50, 200], 1)).await;
    assert_eq!(desk.costs_and_brings("csfloat", known()).await, [Some(1_206), Some(value - 34)]);
    let said = || MarketView { buy_fee_bps: Some(250), ..MarketView::default() };
    assert_eq!(desk.costs_and_brings("csfloat", said()).await, [Some(1_230), Some(value - 34)]);
    let said = || MarketView { sell_fee_bps: Some(0), ..MarketView::default() };
    assert_eq!(desk.costs_and_brings("csfloat", said()).await, [Some(1_206), Some(value)]);
    // It is sold on where most is left of it, and a minimum fee abroad is not an amount in our currency.
    desk.takes("abroad", "EUR", fees([100, 100], 500)).await;
    assert_eq!(desk.costs_and_brings("csfloat", known()).await, [Some(1_206), Some(value - 17)]);
    assert_eq!(desk.costs_and_brings("abroad", known()).await, [Some(1_212), Some(value - 17)]);
}

#[tokio::test]
async fn a_purchase_that_is_proposed_without_a_fee_expects_the_reported_one_and_is_not_overpaid() {
    let desk = Desk::open().await;
    let unknown = desk.proposed(1, [None, None]).await.unwrap();
    assert_eq!(expects(&unknown), Some([0, 1_200]), "what a marketplace takes is not known");
    desk.takes("csfloat", "USD", fees([250, 200], 1)).await;
    let named = desk.proposed(2, [Some(12), None]).await.unwrap();
    assert_eq!(expects(&named), Some([12, 1_212]));
    let refused = desk.proposed(3, [None, Some(1_229)]).await.unwrap_err();
    assert!(refused.message.starts_with("listing.maxBuyPriceCents"), "{}", refused.message);
    let intent = desk.proposed(4, [None, None]).await.unwrap();
    assert_eq!(expects(&intent), Some([30, 1_230]));
    let purchase_id = desk.buy_approved(&intent).await.unwrap().purchase.value.terms.id;
    desk.advance(purchase_id, submitted()).await.unwrap();
    desk.advance(purchase_id, accepted(4)).await.unwrap();
    assert_eq!(desk.problem_states().await, []);
}

#[tokio::test]
async fn a_purchase_abroad_that_is_proposed_without_a_fee_expects_the_share_and_has_room_for_what_is_rounded() {
    let desk = Desk::open().await;
    desk.takes("abroad", "EUR", fees([250, 200], 500)).await;
    let everywhere =
        UpdateContract { marketplaces: Some(Vec::new()), ..renamed(desk.workspace_id(), desk.contract_id) };
    desk.operations().update_contract(&desk.trader, everywhere).await.unwrap();
    let unsaid = WantedListing {
        marketplace: "abroad".to_owned(),
        platform_fee_cents: None,
        max_buy_price_cents: None,
        ..wanted(1)
    };
    let intent = desk.proposes(unsaid).await.unwrap();
    assert_eq!(expects(&intent), Some([30, 1_232]), "a minimum fee abroad is not an amount in our currency");
}
