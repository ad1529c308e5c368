//! What contracts would buy at a marketplace that is only read.

use tradepost_domain::contracts::evaluation::Decision;
use tradepost_domain::contracts::intent::{FOLLOWED_AFTER, FOLLOWED_FOR, FollowUp, FollowUpOutcome};
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::provider::{Driver, ProviderCapability, ProviderKind, Served};
use tradepost_operations::contracts::{
    ActOn, CreateIntent, FollowedListing, GetEvaluation, GetWouldBuyReport, ListWouldBuys, WantedListing,
    WatchListings, WatchedListings,
};
use tradepost_ports::marketplace::{ListingStatus, MarketListing};
use tradepost_testkit::fakes::example_driver;
use tradepost_testkit::samples::{Samples, variant};

use super::*;
use crate::contracts::fees::fees;

const REDLINE: &str = "AK-47 | Redline (Field-Tested)";

/// A desk whose only marketplace is read, and whose contract buys by itself what is a tenth below its value.
struct Watch {
    desk: Desk,
    samples: Samples,
}

impl Watch {
    async fn open() -> Self {
        let limits = BuyingLimits { min_discount_bps: Some(1_000), ..buying_limits() };
        Self::with(limits).await.valued_by(&["skinport", "buff"]).await
    }

    async fn with(limits: BuyingLimits) -> Self {
        let desk = Desk::open().await;
        let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
        let cancel =
            CancelContract { workspace_id: desk.workspace_id(), contract_id: desk.contract_id, expected_version: None };
        desk.operations().cancel_contract(&desk.trader, cancel).await.unwrap();
        let watch = Self { desk: Desk { contract_id, ..desk }, samples: Samples::seeded(3) };
        let only_reads = [ProviderCapability::Listings].into();
        let serves = vec![Served { kind: ProviderKind::Marketplace, capabilities: only_reads }];
        watch.desk.operations().offer_driver(Driver { serves, ..example_driver() });
        watch.desk.takes("csfloat", "USD", fees([250, 0], 0)).await;
        watch
    }

    /// Each of these sources asks 17.00.
    async fn valued_by(self, sources: &[&str]) -> Self {
        for source in sources {
            self.quote(source, 1_700).await;
        }
        self
    }

    async fn quote(&self, source: &str, price: i64) {
        let ask = Quote::of_ask(text(source), cents(price), self.desk.world.clock.now());
        let quotes = [(variant(REDLINE), ask)];
        self.desk.operations().record_quotes(&Caller::system(), self.desk.workspace_id(), &quotes).await.unwrap();
    }

    fn listing(&self, price: i64) -> MarketListing {
        let seen = self.samples.on_offer(variant(REDLINE), price, self.desk.world.clock.now());
        MarketListing {
            id: seen.listing_id,
            asset_id: self.samples.asset_id(),
            offered: seen.listing.priced(cents(price)),
            status: ListingStatus::OnSale,
        }
    }

    async fn watch(&self, listings: &[MarketListing]) -> WatchedListings {
        let (workspace_id, marketplace) = (self.desk.workspace_id(), text("csfloat"));
        let command = WatchListings { workspace_id, marketplace, listings: listings.to_vec() };
        self.desk.operations().watch_listings(&Caller::system(), command).await.unwrap()
    }

    async fn would_buys(&self) -> Vec<Versioned<Intent>> {
        let (workspace_id, cursor) = (self.desk.workspace_id(), String::new());
        let command = ListWouldBuys { workspace_id, limit: 0, cursor, contract_id: None };
        self.desk.operations().list_would_buys(&self.desk.trader, command).await.unwrap().entries
    }

    /// Records what is found of every listing that is due. Returns their number.
    async fn follow_up(&self, found: FollowedListing) -> usize {
        let (system, workspace_id) = (Caller::system(), self.desk.workspace_id());
        let csfloat = text("csfloat");
        let due = self.desk.operations().list_due_follow_ups(&system, workspace_id, &csfloat, 9).await.unwrap();
        for due in &due {
            self.desk.operations().record_follow_up(&system, workspace_id, due, found).await.unwrap();
        }
        due.len()
    }

    /// Ends the follow-ups whose hour is over. Returns their number.
    async fn end_late(&self) -> usize {
        let (system, workspace_id) = (Caller::system(), self.desk.workspace_id());
        self.desk.operations().end_late_follow_ups(&system, workspace_id, &text("csfloat")).await.unwrap()
    }

    /// The outcome of the follow-ups, the newest first; `None` of those that wait.
    async fn outcomes(&self) -> Vec<Option<FollowUpOutcome>> {
        let outcome = |intent: Versioned<Intent>| match intent.value.follow_up {
            Some(FollowUp::Done(seen)) => Some(seen.outcome),
            Some(FollowUp::Due(_)) | None => None,
        };
        self.would_buys().await.into_iter().map(outcome).collect()
    }
}

#[tokio::test]
async fn a_new_listing_that_a_contract_wants_becomes_a_dry_run_with_its_evaluation() {
    let watch = Watch::open().await;
    let (wanted, expensive) = (watch.listing(1_200), watch.listing(1_600));
    let seen = watch.watch(&[expensive, wanted.clone()]).await;
    assert_eq!(seen, WatchedListings { new: 2, would_buy: 1 });
    let [intent] = watch.would_buys().await.try_into().unwrap();
    let Target::Listing(listing) = &intent.value.terms.target else { panic!("it is about a listing") };
    assert_eq!((&listing.listing_id, listing.price, listing.platform_fee), (&wanted.id, cents(1_200), cents(30)));
    assert_eq!(
        (intent.value.status, intent.value.terms.approval_mode),
        (IntentStatus::Cancelled, ApprovalMode::DryRun)
    );
    let due = watch.desk.world.clock.now().plus(FOLLOWED_AFTER);
    assert_eq!(intent.value.follow_up, Some(FollowUp::Due(due)));
    let workspace_id = watch.desk.workspace_id();
    let get = GetEvaluation { workspace_id, evaluation_id: intent.value.terms.basis.evaluation_id.unwrap() };
    let evaluation = watch.desk.operations().get_evaluation(&watch.desk.trader, get).await.unwrap();
    assert_eq!((evaluation.decision, evaluation.sums.fair_value), (Decision::Buy, Some(cents(1_700))));
    let contract = watch.desk.contract().await.value;
    assert_eq!((contract.counters.open_quantity, contract.counters.filled_quantity), (0, 0), "nothing was bought");
}

#[tokio::test]
async fn a_listing_is_judged_once_at_each_price_and_would_be_bought_once() {
    let watch = Watch::open().await;
    let dear = watch.listing(1_600);
    let at = |price| MarketListing { offered: dear.offered.clone().priced(cents(price)), ..dear.clone() };
    assert_eq!(watch.watch(std::slice::from_ref(&dear)).await, WatchedListings { new: 1, would_buy: 0 });
    assert_eq!(watch.watch(std::slice::from_ref(&dear)).await, WatchedListings::default());
    assert_eq!(watch.watch(&[at(1_200)]).await, WatchedListings { new: 1, would_buy: 1 });
    assert_eq!(watch.watch(&[at(1_100)]).await, WatchedListings { new: 1, would_buy: 0 });
    assert_eq!(watch.would_buys().await.len(), 1);
}

#[tokio::test]
async fn what_is_not_on_sale_is_not_looked_at() {
    let watch = Watch::open().await;
    let sold = MarketListing { status: ListingStatus::Sold, ..watch.listing(1_200) };
    assert_eq!(watch.watch(&[sold]).await, WatchedListings::default());
}

#[tokio::test]
async fn what_a_marketplace_asks_is_no_witness_of_the_value_of_its_own_listings() {
    let limits = BuyingLimits { min_discount_bps: Some(1_000), ..buying_limits() };
    let watch = Watch::with(limits).await.valued_by(&["skinport", "csfloat"]).await;
    assert_eq!(watch.watch(&[watch.listing(1_200)]).await, WatchedListings { new: 1, would_buy: 0 });
    let watch = watch.valued_by(&["buff"]).await;
    assert_eq!(watch.watch(&[watch.listing(1_200)]).await, WatchedListings { new: 1, would_buy: 1 });
}

#[tokio::test]
async fn what_would_be_bought_counts_against_the_limits_of_a_contract_that_buys_by_itself() {
    let limits = BuyingLimits { target_quantity: Some(2), ..buying_limits() };
    let watch = Watch::with(limits).await.valued_by(&["skinport", "buff"]).await;
    let listings: Vec<_> = (0..3).map(|_| watch.listing(1_200)).collect();
    assert_eq!(watch.watch(&listings).await, WatchedListings { new: 3, would_buy: 2 });
    assert_eq!(watch.watch(&[watch.listing(1_200)]).await, WatchedListings { new: 1, would_buy: 0 });
}

#[tokio::test]
async fn a_listing_is_looked_at_again_after_ten_minutes_and_once() {
    let watch = Watch::open().await;
    watch.watch(&[watch.listing(1_200)]).await;
    watch.desk.advance_clock(FOLLOWED_AFTER - Duration::MICROSECOND);
    assert_eq!(watch.follow_up(FollowedListing::OffSale).await, 0);
    watch.desk.advance_clock(Duration::MICROSECOND);
    assert_eq!(watch.follow_up(FollowedListing::OnSale(cents(1_200))).await, 1);
    assert_eq!(watch.outcomes().await, [Some(FollowUpOutcome::OnSale)]);
    assert_eq!(watch.follow_up(FollowedListing::OffSale).await, 0);
    assert_eq!(watch.outcomes().await, [Some(FollowUpOutcome::OnSale)]);
}

#[tokio::test]
async fn a_listing_that_is_not_shown_lets_the_next_one_go_first_and_counts_as_not_shown_after_an_hour() {
    let watch = Watch::open().await;
    watch.watch(&[watch.listing(1_200)]).await;
    watch.desk.advance_clock(FOLLOWED_AFTER);
    assert_eq!(watch.follow_up(FollowedListing::Unread).await, 1);
    assert_eq!(watch.follow_up(FollowedListing::Unread).await, 0, "it is looked at ten minutes later");
    watch.desk.advance_clock(FOLLOWED_AFTER);
    assert_eq!(watch.follow_up(FollowedListing::Unread).await, 1);
    assert_eq!(watch.outcomes().await, [None]);
    watch.desk.advance_clock(FOLLOWED_FOR);
    assert_eq!(watch.end_late().await, 1);
    assert_eq!(watch.outcomes().await, [Some(FollowUpOutcome::NotShown)]);
    assert_eq!(watch.end_late().await, 0);
}

#[tokio::test]
async fn a_look_that_comes_too_late_counts_as_none() {
    let watch = Watch::open().await;
    watch.watch(&[watch.listing(1_200)]).await;
    watch.desk.advance_clock(FOLLOWED_FOR);
    assert_eq!(watch.follow_up(FollowedListing::OnSale(cents(1_200))).await, 1);
    assert_eq!(watch.outcomes().await, [Some(FollowUpOutcome::NotShown)]);
}

#[tokio::test]
async fn the_report_sums_what_would_have_been_bought_by_its_outcome() {
    let watch = Watch::open().await;
    let listings = [watch.listing(1_200), watch.listing(1_100)];
    watch.watch(&listings).await;
    watch.desk.advance_clock(FOLLOWED_AFTER);
    watch.follow_up(FollowedListing::OnSale(cents(1_150))).await;
    watch.watch(&[watch.listing(1_000)]).await;
    let workspace_id = watch.desk.workspace_id();
    let command = GetWouldBuyReport { workspace_id, contract_id: None, from: None, to: None };
    watch.desk.advance_clock(Duration::MINUTE);
    let report = watch.desk.operations().get_would_buy_report(&watch.desk.trader, command).await.unwrap();
    let sums: Vec<_> =
        report.sums.iter().map(|sum| (sum.outcome, sum.count, sum.cost.get(), sum.fair_value.get())).collect();
    let expected = [
        (None, 1, 1_025, 1_700),
        (Some(FollowUpOutcome::OnSale), 1, 1_230, 1_700),
        (Some(FollowUpOutcome::PriceRaised), 1, 1_128, 1_700),
        (Some(FollowUpOutcome::OffSale), 0, 0, 0),
        (Some(FollowUpOutcome::NotShown), 0, 0, 0),
    ];
    assert_eq!(sums, expected);
    let backwards = GetWouldBuyReport { from: Some(report.to), to: Some(report.from), ..command };
    let refused = watch.desk.operations().get_would_buy_report(&watch.desk.trader, backwards).await.unwrap_err();
    assert_eq!(refused.code, Code::InvalidArgument);
}

#[tokio::test]
async fn nothing_is_bought_or_listed_by_hand_where_listings_are_only_read() {
    let watch = Watch::open().await;
    let buy = |marketplace: &str| CreateIntent {
        workspace_id: watch.desk.workspace_id(),
        contract_id: watch.desk.contract_id,
        kind: IntentKind::Buy,
        act_on: ActOn::Listing(WantedListing {
            marketplace: marketplace.to_owned(),
            listing_id: "listing-1".to_owned(),
            listing_asset_id: "10001".to_owned(),
            market_hash_name: REDLINE.to_owned(),
            phase: String::new(),
            price_cents: Some(1_200),
            platform_fee_cents: None,
            max_buy_price_cents: None,
        }),
    };
    let refused = watch.desk.operations().create_intent(&watch.desk.trader, buy("csfloat"));
    watch.desk.forbidden(refused, "MARKETPLACE_READ_ONLY").await;
    // With a driver that buys, the same request is accepted.
    watch.desk.operations().offer_driver(example_driver());
    watch.desk.operations().create_intent(&watch.desk.trader, buy("csfloat")).await.unwrap();
}

#[tokio::test]
async fn a_contract_whose_marketplaces_are_only_read_is_no_problem_until_its_provider_is_disabled() {
    let watch = Watch::open().await;
    let look = async || {
        for _ in 0..2 {
            watch.desk.operations().look_for_unserved_contracts().await.unwrap();
        }
        let (on, id) = (watch.desk.operations(), watch.desk.contract_id);
        (on.is_only_read(id), on.is_unserved(id))
    };
    assert_eq!(look().await, (true, false));
    assert_eq!(watch.desk.problem_states().await, []);
    let provider_id = watch.desk.provider("csfloat").await;
    watch.desk.disable(provider_id).await;
    assert_eq!(look().await, (false, true));
}
