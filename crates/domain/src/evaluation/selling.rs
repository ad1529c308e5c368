//! An item against the terms of a selling contract: at which price it would be put on sale, and whether that is enough.

use crate::contract::{Contract, SellingTerms, Terms, Undercut};
use crate::fees::Rounding;
use crate::inventory_item::{InventoryItem, ItemStatus};
use crate::listing::Listing;
use crate::money::Cents;
use crate::time::Timestamp;
use crate::variant::Variant;

use super::basis::Basis;
use super::reason::{Figure, Reason};
use super::rule::Rule;
use super::sums::Sums;
use super::{Circumstances, Decision, Evaluation};

/// An item of ours, and what selling it depends on.
#[derive(Debug, Clone, Copy)]
pub struct Holding<'a> {
    /// The item.
    pub item: &'a InventoryItem,
    /// What it cost, with fees; not known of every item.
    pub cost: Option<Cents>,
    /// The lowest price that somebody else asks on the marketplace.
    pub competing_price: Option<Cents>,
}

/// Whether a contract would put an item on sale. None for a buying contract, which sells nothing.
pub fn evaluate_item(contract: &Contract, holding: &Holding<'_>, known: &Circumstances<'_>) -> Option<Evaluation> {
    let Terms::Selling(terms) = &contract.terms else { return None };
    let basis = Basis::of(contract, known, true);
    let asking_price = basis.fair().map(|fair| terms.asking_price(fair.value, holding.competing_price));
    let sums = Sums::of_selling(holding, known, asking_price);
    let listing = as_listing(holding.item, asking_price, known.at);
    let reasons = vec![
        basis.is_active(),
        basis.is_in_time(),
        Reason::one_more_at_most(Rule::Listings, contract.counters.open_quantity, terms.max_listings),
        is_free(holding.item),
        basis.is_chosen(&listing),
        basis.is_on_marketplace(),
        Reason::at_most(Rule::TradeLock, Some(listing.trade_lock_days), Some(0), Figure::Days),
        basis.is_valued(),
        basis.is_trusted(),
        Reason::at_least(Rule::FloorPrice, asking_price, Some(terms.floor_price), Figure::Money),
        Reason::share_at_least(Rule::ExpectedMargin, sums.margin, terms.min_margin),
    ];
    let all_met = reasons.iter().all(|reason| reason.passed);
    Some(Evaluation {
        decision: if all_met { Decision::Sell } else { Decision::Hold },
        reasons,
        fair_value: basis.fair().map(|fair| fair.value),
        confidence: basis.fair().map(|fair| fair.confidence),
        asking_price,
        expected_net: sums.net,
        expected_margin: sums.margin,
        all_in_cost: sums.cost,
    })
}

impl SellingTerms {
    /// The value, or as far below the competition as is to be asked; the ceiling at most.
    fn asking_price(&self, value: Cents, competing: Option<Cents>) -> Cents {
        let below = |(undercut, price): (Undercut, Cents)| {
            let by = match undercut {
                Undercut::Amount(amount) => amount,
                Undercut::Share(share) => Rounding::Ceil.share(price, share),
            };
            price.minus(by).unwrap_or(Cents::ZERO)
        };
        let asked = self.undercut.zip(competing).map_or(value, below);
        self.ceiling_price.map_or(asked, |ceiling| asked.min(ceiling))
    }
}

fn is_free(item: &InventoryItem) -> Reason {
    Reason {
        rule: Rule::ItemFree,
        passed: item.status == ItemStatus::InInventory,
        actual: Some(Figure::ItemStatus(item.status)),
        limit: Some(Figure::ItemStatus(ItemStatus::InInventory)),
    }
}

/// The item as it would be on offer, for the filter set to choose by. What is not kept of an item meets no rule.
fn as_listing(item: &InventoryItem, asking_price: Option<Cents>, at: Timestamp) -> Listing {
    let traits = &item.traits;
    Listing {
        variant: Variant {
            app_id: item.app_id,
            market_hash_name: item.market_hash_name.clone(),
            phase: traits.phase.clone(),
        },
        rarity: None,
        float_value: traits.wear.as_ref().map(Into::into),
        paint_seed: traits.paint_seed,
        paint_index: None,
        stickers: Vec::new(),
        charms: Vec::new(),
        price: asking_price.unwrap_or(Cents::ZERO),
        trade_lock_days: item.lock.map_or(0, |lock| lock.until.days_since(at)),
        seller_success: None,
    }
}
