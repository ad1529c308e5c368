//! A listing against the terms of a buying contract.

use std::borrow::Cow;

use time::Duration;

use crate::contract::{BasisPoints, BuyingTerms, Contract, ContractStatus, PriceReference, Terms};
use crate::listing::Listing;
use crate::money::Cents;
use crate::pricing::Price;

use super::reason::{Figure, Reason};
use super::rule::Rule;
use super::sums::Sums;
use super::{Circumstances, Decision, Evaluation};

/// Whether a contract would buy a listing. None for a selling contract, which buys nothing.
pub fn evaluate_listing(contract: &Contract, listing: &Listing, known: &Circumstances<'_>) -> Option<Evaluation> {
    let Terms::Buying(terms) = &contract.terms else { return None };
    let named = contract.price_reference.as_ref();
    let reference = named.map_or_else(|| Cow::Owned(PriceReference::default()), Cow::Borrowed);
    let price = Price::of(known.quotes, known.price_override, &reference, known.at);
    let sums = Sums::of(listing, known, price.fair_value.ok().map(|fair| fair.value));
    let case = Case { contract, terms, listing, known, reference: &reference, price: &price, sums: &sums };
    let reasons: Vec<Reason> = Rule::ALL.iter().map(|rule| case.judge(*rule)).collect();
    let all_met = reasons.iter().all(|reason| reason.passed);
    Some(Evaluation {
        decision: if all_met { Decision::Buy } else { Decision::Skip },
        reasons,
        fair_value: price.fair_value.ok().map(|fair| fair.value),
        confidence: price.fair_value.ok().map(|fair| fair.confidence),
        expected_net: sums.expected_net,
        expected_margin: sums.expected_margin,
        all_in_cost: sums.all_in_cost,
    })
}

/// Everything that the rules look at.
struct Case<'a> {
    contract: &'a Contract,
    terms: &'a BuyingTerms,
    listing: &'a Listing,
    known: &'a Circumstances<'a>,
    reference: &'a PriceReference,
    price: &'a Price<'a>,
    sums: &'a Sums,
}

impl Case<'_> {
    fn judge(&self, rule: Rule) -> Reason {
        let Self { terms, listing, known, sums, .. } = self;
        let (counters, activity) = (&self.contract.counters, &known.activity);
        let count = |taken: u32, limit| Reason::at_most(rule, taken.checked_add(1), limit, Figure::Count);
        let share = |found, least: Option<BasisPoints>| {
            Reason::at_least(rule, found, least.map(|least| i64::from(least.get())), Figure::BasisPoints)
        };
        match rule {
            Rule::ContractActive => self.is_active(),
            Rule::ContractPeriod => self.is_in_time(),
            Rule::Quantity => {
                count(counters.filled_quantity.saturating_add(counters.open_quantity), Some(terms.target_quantity))
            }
            Rule::OpenPurchases => count(counters.open_quantity, terms.max_open_purchases),
            Rule::ItemNameQuantity => count(activity.of_item_name, terms.max_per_item_name),
            Rule::Cooldown => self.has_cooled_down(),
            Rule::Filter => self.is_chosen(),
            Rule::Marketplace => self.is_on_marketplace(),
            Rule::SellerSuccess => {
                share(listing.seller_success.map(|share| i64::from(share.get())), terms.min_seller_success)
            }
            Rule::TradeLock => {
                Reason::at_most(rule, Some(listing.trade_lock_days), terms.max_trade_lock_days, Figure::Days)
            }
            Rule::BuyPrice => Reason::at_most(rule, sums.all_in_cost, Some(terms.max_buy_price), Figure::Money),
            Rule::Budget => {
                let used = counters.spent.plus(counters.reserved).unwrap_or(Cents::MAX);
                self.is_within(rule, used, Some(terms.budget))
            }
            Rule::DailyBudget => self.is_within(rule, activity.spent_today, terms.daily_budget),
            Rule::FairValue => self.is_valued(),
            Rule::Confidence => {
                let found = self.price.fair_value.ok().map(|fair| i64::from(fair.confidence.get()));
                share(found, self.needs_value().then_some(self.reference.min_confidence))
            }
            Rule::Liquidity => Reason::at_least(rule, self.price.liquidity, terms.min_liquidity_score, Figure::Score),
            Rule::Discount => share(sums.discount, terms.min_discount),
            Rule::ExpectedMargin => share(sums.expected_margin, terms.min_expected_margin),
        }
    }

    fn is_active(&self) -> Reason {
        let status = self.contract.status;
        Reason {
            rule: Rule::ContractActive,
            passed: status == ContractStatus::Active,
            actual: Some(Figure::Status(status)),
            limit: Some(Figure::Status(ContractStatus::Active)),
        }
    }

    /// Held against the end of the time that is not kept; if both are, against the later one.
    fn is_in_time(&self) -> Reason {
        let (at, starts_at, ends_at) = (self.known.at, self.contract.starts_at, self.contract.ends_at);
        let early = starts_at.filter(|starts_at| at < *starts_at);
        Reason {
            rule: Rule::ContractPeriod,
            passed: early.is_none() && ends_at.is_none_or(|ends_at| at < ends_at),
            actual: Some(Figure::Time(at)),
            limit: early.or(ends_at).or(starts_at).map(Figure::Time),
        }
    }

    fn has_cooled_down(&self) -> Reason {
        let (at, limit) = (self.known.at, self.terms.cooldown_seconds);
        let passed_since = self.known.activity.last_purchase_at.map(|last| at.since(last));
        let most = limit.map(|seconds| Duration::seconds(i64::from(seconds)));
        Reason {
            rule: Rule::Cooldown,
            passed: passed_since.zip(most).is_none_or(|(since, most)| since >= most),
            actual: passed_since.map(|since| Figure::Seconds(since.whole_seconds())),
            limit: limit.map(|seconds| Figure::Seconds(i64::from(seconds))),
        }
    }

    /// A contract that names a filter set is judged by no other; without it, it buys nothing.
    fn is_chosen(&self) -> Reason {
        let filter = self.known.filter.filter(|filter| self.contract.filter_set_id == Some(filter.filter_set_id));
        let failed = filter.and_then(|filter| filter.rules.judge(self.listing).err());
        Reason {
            rule: Rule::Filter,
            passed: failed.is_none() && filter.is_some() == self.contract.filter_set_id.is_some(),
            actual: failed.map(Figure::FilterRule),
            limit: filter.map(|filter| Figure::FilterVersion(filter.version)),
        }
    }

    fn is_on_marketplace(&self) -> Reason {
        let (here, named) = (self.known.marketplace, &self.contract.marketplaces);
        Reason {
            rule: Rule::Marketplace,
            passed: named.is_empty() || named.contains(here),
            actual: Some(Figure::Marketplaces(vec![here.clone()])),
            limit: (!named.is_empty()).then(|| Figure::Marketplaces(named.clone())),
        }
    }

    /// What is used of a budget, and this purchase.
    fn is_within(&self, rule: Rule, used: Cents, budget: Option<Cents>) -> Reason {
        let with_this = self.sums.all_in_cost.and_then(|cost| used.plus(cost).ok());
        Reason::at_most(rule, with_this, budget, Figure::Money)
    }

    fn is_valued(&self) -> Reason {
        let found = self.price.fair_value.map_or_else(Figure::Unpriced, |fair| Figure::Money(fair.value));
        let passed = self.price.fair_value.is_ok() || !self.needs_value();
        Reason { rule: Rule::FairValue, passed, actual: Some(found), limit: None }
    }

    /// A contract needs a value if it says where from, or has a limit that is held against it.
    fn needs_value(&self) -> bool {
        let terms = self.terms;
        let by_limits = terms.min_discount.is_some() || terms.min_expected_margin.is_some();
        self.contract.price_reference.is_some() || by_limits
    }
}
