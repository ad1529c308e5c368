//! A listing against the terms of a buying contract.

use time::Duration;

use crate::contracts::contract::{BuyingTerms, Contract, Terms};
use crate::money::Cents;

use super::basis::Basis;
use super::reason::{Figure, Reason};
use super::rule::Rule;
use super::subject::ListingContext;
use super::sums::Sums;
use super::{Circumstances, Decision, Evaluation};

/// Whether a contract would buy a listing. None for a selling contract, which buys nothing.
pub fn evaluate_listing(
    contract: &Contract,
    context: &ListingContext<'_>,
    known: &Circumstances<'_>,
) -> Option<Evaluation> {
    let Terms::Buying(terms) = &contract.terms else { return None };
    let basis = Basis::of(contract, known, terms.need_value());
    let sums = Sums::of_buying(context, known, basis.value());
    let reasons = Case { terms, context, basis: &basis, sums: &sums }.reasons();
    let all_met = reasons.iter().all(|reason| reason.passed);
    Some(Evaluation {
        decision: if all_met { Decision::Buy } else { Decision::Skip },
        reasons,
        fair_value: basis.value(),
        confidence: basis.fair().map(|fair| fair.confidence),
        asking_price: None,
        expected_net: sums.net,
        expected_margin: sums.margin,
        all_in_cost: sums.cost,
    })
}

/// Everything that the rules look at.
struct Case<'a> {
    terms: &'a BuyingTerms,
    context: &'a ListingContext<'a>,
    basis: &'a Basis<'a>,
    sums: &'a Sums,
}

impl Case<'_> {
    fn reasons(&self) -> Vec<Reason> {
        let Self { terms, context: ListingContext { listing, activity, .. }, basis, sums } = self;
        let counters = &basis.contract.counters;
        let (proposed, sum) = (activity.proposed, u32::saturating_add);
        let taken = sum(sum(counters.filled_quantity, counters.open_quantity), proposed.quantity);
        let open = sum(counters.open_quantity, proposed.open);
        let used = counters.spent.plus(counters.reserved).and_then(|used| used.plus(proposed.cost));
        let used = used.unwrap_or(Cents::MAX);
        let lock_days = Some(listing.trade_lock_days);
        vec![
            basis.is_active(),
            basis.is_in_time(),
            Reason::one_more_at_most(Rule::Quantity, taken, Some(terms.target_quantity)),
            Reason::one_more_at_most(Rule::OpenPurchases, open, terms.max_open_purchases),
            Reason::one_more_at_most(Rule::ItemNameQuantity, activity.of_item_name, terms.max_per_item_name),
            self.has_cooled_down(),
            basis.is_chosen(listing),
            basis.is_on_marketplace(),
            Reason::share_at_least(
                Rule::SellerSuccess,
                listing.seller_success.map(i64::from),
                terms.min_seller_success,
            ),
            Reason::at_most(Rule::TradeLock, lock_days, terms.max_trade_lock_days, Figure::Days),
            Reason::at_most(Rule::BuyPrice, sums.cost, Some(terms.max_buy_price), Figure::Money),
            self.is_within(Rule::Budget, used, Some(terms.budget)),
            self.is_within(Rule::DailyBudget, activity.spent_today, terms.daily_budget),
            basis.is_valued(),
            basis.is_trusted(),
            Reason::at_least(Rule::Liquidity, basis.price.liquidity, terms.min_liquidity_score, Figure::Score),
            Reason::share_at_least(Rule::Discount, sums.discount, terms.min_discount),
            Reason::share_at_least(Rule::ExpectedMargin, sums.margin, terms.min_expected_margin),
        ]
    }

    fn has_cooled_down(&self) -> Reason {
        let (at, limit) = (self.basis.known.at, self.terms.cooldown_seconds.map(i64::from));
        let elapsed = self.context.activity.last_purchase_at.map(|last| at.since(last));
        Reason {
            rule: Rule::Cooldown,
            passed: elapsed.zip(limit).is_none_or(|(elapsed, limit)| elapsed >= Duration::seconds(limit)),
            actual: elapsed.map(|elapsed| Figure::Seconds(elapsed.whole_seconds())),
            limit: limit.map(Figure::Seconds),
        }
    }

    /// What is used of a budget, and this purchase.
    fn is_within(&self, rule: Rule, used: Cents, budget: Option<Cents>) -> Reason {
        let with_this = self.sums.cost.and_then(|cost| used.plus(cost).ok());
        Reason::at_most(rule, with_this, budget, Figure::Money)
    }
}
