//! What is known to an evaluation in the tests, and how its reasons are written.

use tradepost_domain::contracts::contract::{BasisPoints, BuyingTerms, Contract, ContractDraft, Terms};
use tradepost_domain::contracts::evaluation::{
    Activity, Circumstances, Evaluation, Figure, Holding, ListingContext, Reason, Rule, evaluate_item, evaluate_listing,
};
use tradepost_domain::contracts::filter_set::{Features, FilterSetVersion, RuleParts, Rules, Values};
use tradepost_domain::markets::fees::{Charges, FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::markets::pricing::{PriceOverride, Quote, Quotes, Sales};
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::{MarketHashName, Marketplace};

use crate::given::{at, cents, draft, id, text};
use crate::offers::redline;

pub(crate) const NOW: i64 = 5_000;

/// What is known in a test: half a percent for buyers, two for sellers, three sources that agree on 1 300 cents.
pub(crate) struct Known {
    pub(crate) marketplace: Marketplace,
    pub(crate) fees: Option<Charges>,
    pub(crate) exits: Vec<Charges>,
    pub(crate) filter: Option<FilterSetVersion>,
    pub(crate) quotes: Quotes,
    pub(crate) price_override: Option<PriceOverride>,
    pub(crate) activity: Activity,
    pub(crate) at: i64,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            marketplace: text("sim"),
            fees: Some(fees(50, 200)),
            exits: vec![fees(50, 200)],
            filter: None,
            quotes: quotes(&[1_300, 1_300, 1_300]),
            price_override: None,
            activity: Activity::default(),
            at: NOW,
        }
    }
}

impl Known {
    fn circumstances(&self) -> Circumstances<'_> {
        Circumstances {
            marketplace: &self.marketplace,
            fees: self.fees.as_ref(),
            filter: self.filter.as_ref(),
            quotes: &self.quotes,
            price_override: self.price_override.as_ref(),
            at: at(self.at),
        }
    }

    pub(crate) fn evaluate(&self, contract: &Contract, listing: &Listing) -> Option<Evaluation> {
        let context = ListingContext { listing, exits: &self.exits, activity: self.activity };
        evaluate_listing(contract, &context, &self.circumstances())
    }

    pub(crate) fn evaluate_item(&self, contract: &Contract, holding: &Holding<'_>) -> Option<Evaluation> {
        evaluate_item(contract, holding, &self.circumstances())
    }

    /// The rules that fail for the redline of 1 000 cents.
    pub(crate) fn failed(&self, contract: &Contract) -> Vec<Rule> {
        self.evaluate(contract, &listing()).unwrap().failed().collect()
    }

    pub(crate) fn reason(&self, contract: &Contract, rule: Rule) -> Reason {
        let evaluation = self.evaluate(contract, &listing()).unwrap();
        evaluation.reasons.into_iter().find(|reason| reason.rule == rule).unwrap()
    }
}

pub(crate) fn fees(buying: u16, selling: u16) -> Charges {
    let rate = |share| FeeRate { share: share_of(share), minimum: VenueCents::ZERO, rounding: Rounding::HalfUp };
    FeeSchedule { buying: rate(buying), selling: rate(selling), overrides: Vec::new() }.into()
}

pub(crate) fn share_of(points: u16) -> BasisPoints {
    BasisPoints::new(points).unwrap()
}

pub(crate) fn quotes(asks: &[i64]) -> Quotes {
    let quote = |number: usize, ask: i64| Quote {
        source: text(&format!("source-{number}")),
        lowest_ask: Some(cents(ask)),
        highest_bid: None,
        sales: Some(Sales { average: cents(ask), count: 5 }),
        observed_at: at(NOW),
    };
    asks.iter().enumerate().map(|(number, ask)| quote(number, *ask)).collect()
}

pub(crate) fn listing() -> Listing {
    Listing { price: cents(1_000), ..redline() }
}

pub(crate) fn contract(terms: BuyingTerms) -> Contract {
    active(draft(Terms::Buying(terms)))
}

pub(crate) fn active(draft: ContractDraft) -> Contract {
    Contract::draft(draft, at(0)).unwrap().activate(at(0)).unwrap()
}

pub(crate) fn filter_of(names: &[&str]) -> FilterSetVersion {
    let market_hash_names = Values::<MarketHashName>::new(names.iter().map(|name| text(name)).collect()).unwrap();
    let features = Features { market_hash_names, ..Features::default() };
    FilterSetVersion {
        workspace_id: id(1),
        filter_set_id: id(7),
        version: 3,
        name: text("Redlines"),
        rules: Rules::new(RuleParts { features, ..RuleParts::default() }).unwrap(),
        created_at: at(0),
    }
}

pub(crate) fn money(amount: i64) -> Figure {
    Figure::Money(cents(amount))
}

pub(crate) fn points(number: i64) -> Figure {
    Figure::BasisPoints(number)
}

pub(crate) fn reason(rule: Rule, passed: bool, actual: Option<Figure>, limit: Option<Figure>) -> Reason {
    Reason { rule, passed, actual, limit }
}

/// A reason with a finding and a limit.
pub(crate) fn held(rule: Rule, passed: bool, actual: Figure, limit: Figure) -> Reason {
    reason(rule, passed, Some(actual), Some(limit))
}
