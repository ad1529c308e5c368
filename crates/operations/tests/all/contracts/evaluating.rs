//! Whether a contract would act, asked and kept.

use time::Duration;
use tradepost_domain::contracts::evaluation::{Decision, EvaluationRecord, Rule, SKIPS_PER_SAMPLE};
use tradepost_domain::id::Id;
use tradepost_operations::contracts::{
    BuyNow, BuyingLimits, ContractTerms, EvaluateContract, GetEvaluation, GetEvaluations, GivenQuote, KeepEvaluations,
    ListEvaluations, MarketView, SampleListing, SellingLimits, ToEvaluate,
};
use tradepost_operations::{Code, OpResult};
use tradepost_testkit::samples::{Samples, text};

use super::{Desk, buying_limits, cents, contract};

const NAME: &str = "AK-47 | Redline (Field-Tested)";

impl Desk {
    async fn evaluate(&self, about: ToEvaluate, market: MarketView) -> OpResult<EvaluationRecord> {
        let command = EvaluateContract {
            workspace_id: self.workspace_id(),
            contract_id: self.contract_id,
            marketplace: "csfloat".to_owned(),
            about,
            market,
        };
        self.operations().evaluate_contract(&self.trader, command).await
    }

    async fn keep(&self, evaluations: Vec<EvaluationRecord>) -> usize {
        let command = KeepEvaluations { workspace_id: self.workspace_id(), evaluations };
        self.operations().keep_evaluations(&self.trader, command).await.unwrap()
    }

    async fn listed(&self, decision: Option<Decision>) -> usize {
        let (workspace_id, cursor, listing_id) = (self.workspace_id(), String::new(), String::new());
        let command = ListEvaluations { workspace_id, limit: 0, cursor, contract_id: None, decision, listing_id };
        self.operations().list_evaluations(&self.trader, command).await.unwrap().entries.len()
    }
}

fn listing(price: i64) -> SampleListing {
    SampleListing { market_hash_name: NAME.to_owned(), price_cents: Some(price), ..SampleListing::default() }
}

fn to_buy(price: i64) -> ToEvaluate {
    ToEvaluate::Listing(Box::new(listing(price)))
}

/// Two sources that ask so much.
fn quoted(price: i64) -> MarketView {
    let quote = |source: &str| GivenQuote {
        source: source.to_owned(),
        market_hash_name: NAME.to_owned(),
        lowest_ask_cents: Some(price),
        ..GivenQuote::default()
    };
    MarketView {
        quotes: vec![quote("skinport"), quote("buff")],
        buy_fee_bps: Some(250),
        sell_fee_bps: Some(200),
        ..MarketView::default()
    }
}

#[tokio::test]
async fn a_listing_is_judged_rule_by_rule_with_figures_and_nothing_is_kept() {
    let desk = Desk::open().await;
    let before = format!("{:?}", desk.world.store);
    let bought = desk.evaluate(to_buy(1_200), quoted(1_700)).await.unwrap();
    assert_eq!((bought.decision, bought.sums.fair_value), (Decision::Buy, Some(cents(1_700))));
    assert_eq!(bought.sums.all_in_cost, Some(cents(1_230)));
    let free = MarketView { buy_fee_bps: Some(0), ..MarketView::default() };
    let skipped = desk.evaluate(to_buy(1_464), free).await.unwrap();
    let expensive = desk.evaluate(to_buy(1_464), quoted(1_700)).await.unwrap();
    assert_eq!((skipped.decision, expensive.decision), (Decision::Buy, Decision::Skip));
    let failed: Vec<_> = expensive.reasons.iter().filter(|reason| !reason.passed).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!((failed[0].rule, failed[0].actual.as_deref()), (Rule::BuyPrice, Some("1501")));
    assert_eq!(failed[0].limit.as_deref(), Some("1500"));
    assert_eq!(format!("{:?}", desk.world.store), before);
}

#[tokio::test]
async fn where_the_fee_is_not_known_nothing_would_be_bought_or_sold() {
    let desk = Desk::open().await;
    let unknown = || MarketView { buy_fee_bps: None, sell_fee_bps: None, ..quoted(1_700) };
    let skipped = desk.evaluate(to_buy(1_200), unknown()).await.unwrap();
    let failed: Vec<_> = skipped.reasons.iter().filter(|reason| !reason.passed).map(|reason| reason.rule).collect();
    assert_eq!((skipped.decision, skipped.sums.all_in_cost), (Decision::Skip, None));
    assert_eq!(failed, [Rule::BuyPrice, Rule::Budget]);
    let item = ToEvaluate::Item(desk.item(1).await);
    let limits = SellingLimits { floor_price_cents: Some(1_300), ..SellingLimits::default() };
    let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Selling(limits)).await;
    let desk = Desk { contract_id, ..desk };
    let held = desk.evaluate(item, unknown()).await.unwrap();
    let failed: Vec<_> = held.reasons.iter().filter(|reason| !reason.passed).map(|reason| reason.rule).collect();
    assert_eq!((held.decision, failed), (Decision::Hold, vec![Rule::ExpectedMargin]));
}

#[tokio::test]
async fn what_a_contract_bought_lately_counts_against_its_limits() {
    let desk = Desk::open().await;
    let limits = BuyingLimits {
        daily_budget_cents: Some(2_000),
        max_per_item_name: Some(1),
        cooldown_seconds: Some(60),
        ..buying_limits()
    };
    let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
    let desk = Desk { contract_id, ..desk };
    let unmet = async || {
        let reasons = desk.evaluate(to_buy(1_200), quoted(1_700)).await.unwrap().reasons;
        let failed = reasons.into_iter().filter(|reason| !reason.passed);
        failed.map(|reason| (reason.rule, reason.actual.unwrap(), reason.limit.unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(unmet().await, []);
    // Reserved is what it may cost at most.
    desk.buy(1).await;
    desk.advance_clock(Duration::seconds(20));
    let found = |rule, actual: &str, limit: &str| (rule, actual.to_owned(), limit.to_owned());
    let of_name = found(Rule::ItemNameQuantity, "2", "1");
    let of_today = [found(Rule::Cooldown, "20", "60"), found(Rule::DailyBudget, "2730", "2000")];
    assert_eq!(unmet().await, [&[of_name.clone()][..], &of_today].concat());
    desk.advance_clock(Duration::days(1));
    assert_eq!(unmet().await, [of_name]);
}

#[tokio::test]
async fn an_item_is_judged_by_a_selling_contract_alone() {
    let desk = Desk::open().await;
    let item = ToEvaluate::Item(desk.item(1).await);
    desk.forbidden(desk.evaluate(item.clone(), quoted(1_700)), "CONTRACT_NEVER_SELLS").await;
    let limits = SellingLimits { floor_price_cents: Some(1_300), ..SellingLimits::default() };
    let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Selling(limits)).await;
    let desk = Desk { contract_id, ..desk };
    let sold = desk.evaluate(item.clone(), quoted(1_700)).await.unwrap();
    assert_eq!((sold.decision, sold.sums.asking_price), (Decision::Sell, Some(cents(1_700))));
    assert_eq!(sold.sums.all_in_cost, Some(cents(1_220)));
    assert_eq!(desk.evaluate(item, quoted(1_299)).await.unwrap().decision, Decision::Hold);
    desk.forbidden(desk.evaluate(to_buy(1_200), quoted(1_700)), "CONTRACT_NEVER_BUYS").await;
    let unknown = desk.evaluate(ToEvaluate::Item(Id::from_bytes([9; 16])), quoted(1_700));
    desk.refused(unknown, Code::NotFound, "NOT_FOUND").await;
}

#[tokio::test]
async fn the_success_rate_of_a_seller_is_given_with_the_listing() {
    let mut desk = Desk::open().await;
    let limits = BuyingLimits { min_seller_success_bps: Some(9_500), ..buying_limits() };
    desk.contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
    let known = async |seller_success_bps| {
        let about = ToEvaluate::Listing(Box::new(SampleListing { seller_success_bps, ..listing(1_200) }));
        desk.evaluate(about, quoted(1_700)).await.unwrap().decision
    };
    let decisions = [known(None).await, known(Some(9_499)).await, known(Some(9_500)).await];
    assert_eq!(decisions, [Decision::Skip, Decision::Skip, Decision::Buy]);
}

#[tokio::test]
async fn a_market_that_cannot_be_is_refused() {
    let desk = Desk::open().await;
    let with = |change: fn(&mut MarketView)| {
        let mut market = quoted(1_700);
        change(&mut market);
        market
    };
    for market in [
        with(|market| market.buy_fee_bps = Some(10_001)),
        with(|market| market.quotes[1].lowest_ask_cents = Some(-1)),
        with(|market| market.quotes[0].sales_count = Some(3)),
        with(|market| market.quotes[0].source = String::new()),
        with(|market| market.quotes = vec![market.quotes[0].clone(); 1_001]),
    ] {
        desk.refused(desk.evaluate(to_buy(1_200), market), Code::InvalidArgument, "INVALID_FIELD").await;
    }
}

#[tokio::test]
async fn a_sample_of_skips_and_every_other_evaluation_are_kept() {
    let desk = Desk::open().await;
    let evaluation = |decision, drawn| {
        let kept = Samples::default().evaluation(desk.workspace_id(), desk.contract_id, decision);
        let mut bytes = kept.id.to_bytes();
        (bytes[14], bytes[15]) = (decision as u8, drawn);
        EvaluationRecord { id: Id::from_bytes(bytes), ..kept }
    };
    let skips: Vec<_> = (0..=255).map(|drawn| evaluation(Decision::Skip, drawn)).collect();
    assert_eq!(desk.keep(skips).await, 256 / usize::from(SKIPS_PER_SAMPLE));
    assert_eq!(desk.keep(vec![evaluation(Decision::Buy, 7), evaluation(Decision::Hold, 9)]).await, 2);
    assert_eq!(desk.listed(None).await, 4);
    assert_eq!(desk.listed(Some(Decision::Skip)).await, 2);
}

#[tokio::test]
async fn an_evaluation_is_kept_with_the_purchase_and_forgotten_when_it_is_old() {
    let desk = Desk::open().await;
    let evaluation =
        EvaluationRecord { id: Id::from_bytes([7; 16]), ..desk.evaluate(to_buy(1_200), quoted(1_700)).await.unwrap() };
    let listing = Samples::default().listing_target();
    let command = BuyNow {
        workspace_id: desk.workspace_id(),
        contract_id: desk.contract_id,
        listing,
        account_name: text("trader-1"),
        exchange_rate: None,
        basis: tradepost_domain::contracts::intent::DecisionBasis::default(),
        evaluation: Some(evaluation.clone()),
    };
    let bought = desk.operations().buy_now(&desk.trader, command).await.unwrap();
    let (workspace_id, evaluation_id) = (desk.workspace_id(), evaluation.id);
    assert_eq!(bought.intent.value.terms.basis.evaluation_id, Some(evaluation_id));
    let command = GetEvaluation { workspace_id, evaluation_id };
    assert_eq!(desk.operations().get_evaluation(&desk.trader, command).await.unwrap(), evaluation);
    let unknown = Id::from_bytes([9; 16]);
    let several = GetEvaluations { workspace_id, evaluation_ids: vec![unknown, evaluation_id] };
    let found = desk.operations().get_evaluations(&desk.trader, several).await.unwrap();
    assert_eq!((found.found, found.missing), (vec![evaluation], vec![unknown]));
    desk.advance_clock(Duration::days(90));
    assert_eq!(desk.operations().forget_old_evaluations().await.unwrap(), 0);
    desk.advance_clock(Duration::days(1));
    assert_eq!(desk.operations().forget_old_evaluations().await.unwrap(), 1);
    desk.refused(desk.operations().get_evaluation(&desk.trader, command), Code::NotFound, "NOT_FOUND").await;
}
