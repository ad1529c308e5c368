//! An item against the terms of a selling contract: at which price it would be put on sale, and whether that is enough.

use crate::contracts::contract::{Contract, SellingTerms, Terms, Undercut};
use crate::contracts::inventory_item::{InventoryItem, ItemStatus};
use crate::markets::fees::Rounding;
use crate::markets::listing::Listing;
use crate::markets::variant::Variant;
use crate::money::Cents;
use crate::time::Timestamp;

use super::basis::Basis;
use super::reason::{Figure, Reason};
use super::rule::Rule;
use super::subject::Holding;
use super::sums::Sums;
use super::{Circumstances, Decision, Evaluation};

/// Whether a contract would put an item on sale. None for a buying contract, which sells nothing.
pub fn evaluate_item(contract: &Contract, holding: &Holding<'_>, known: &Circumstances<'_>) -> Option<Evaluation> {
    let Terms::Selling(terms) = &contract.terms else { return None };
    let basis = Basis::of(contract, known, true);
    let (value, band) = (basis.value(), basis.value().map(|value| terms.band(value)));
    let asked = value.map(|value| terms.asked(value, holding.competing_price));
    let asking_price = asked.zip(band.as_ref()).map(|(asked, band)| terms.asking_price(asked, band));
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
        earns(&sums, terms),
        Reason::at_least(Rule::PriceBand, asking_price, band.map(|band| band.least), Figure::Money),
    ];
    let all_met = reasons.iter().all(|reason| reason.passed);
    Some(Evaluation {
        decision: if all_met { Decision::Sell } else { Decision::Hold },
        reasons,
        fair_value: value,
        confidence: basis.fair().map(|fair| fair.confidence),
        asking_price,
        expected_net: sums.net,
        expected_margin: sums.margin,
        all_in_cost: sums.cost,
    })
}

/// Between which prices is asked, whatever others ask.
struct Band {
    least: Cents,
    most: Cents,
}

impl SellingTerms {
    /// What is asked for an item of this value.
    fn band(&self, value: Cents) -> Band {
        let below = self.max_below_value.unwrap_or(Self::BAND);
        let above = Rounding::Floor.share(value, self.max_above_value.unwrap_or(Self::BAND));
        Band {
            least: value.minus(Rounding::Floor.share(value, below)).unwrap_or(Cents::ZERO),
            most: value.plus(above).unwrap_or(Cents::MAX),
        }
    }

    /// The value, or as far below the competition as is to be asked.
    fn asked(&self, value: Cents, competing: Option<Cents>) -> Cents {
        let below = |undercut: Undercut, price: Cents| {
            let by = match undercut {
                Undercut::Amount(amount) => amount,
                Undercut::Share(share) => Rounding::Ceil.share(price, share),
            };
            price.minus(by).unwrap_or(Cents::ZERO)
        };
        self.undercut.zip(competing).map_or(value, |(undercut, price)| below(undercut, price))
    }

    /// Returns the price within the band and at most the ceiling. A ceiling below the band is not a market price: nothing is sold then.
    fn asking_price(&self, asked: Cents, band: &Band) -> Cents {
        let within = asked.clamp(band.least, band.most);
        self.ceiling_price.map_or(within, |ceiling| within.min(ceiling))
    }
}

/// Whether enough is left after fees. What a marketplace takes that has not said so is not nothing.
fn earns(sums: &Sums, terms: &SellingTerms) -> Reason {
    let earns = Reason::share_at_least(Rule::ExpectedMargin, sums.margin, terms.min_margin);
    Reason { passed: earns.passed && sums.net.is_some(), ..earns }
}

fn is_free(item: &InventoryItem) -> Reason {
    Reason {
        rule: Rule::ItemFree,
        passed: item.status == ItemStatus::InInventory,
        actual: Some(Figure::ItemStatus(item.status)),
        limit: Some(Figure::ItemStatus(ItemStatus::InInventory)),
    }
}

/// The item as it would be on offer, for the filter set to choose by. What is not known of an item meets no rule.
fn as_listing(item: &InventoryItem, asking_price: Option<Cents>, at: Timestamp) -> Listing {
    let traits = &item.traits;
    Listing {
        variant: Variant {
            app_id: item.app_id,
            market_hash_name: item.market_hash_name.clone(),
            phase: traits.phase.clone(),
        },
        rarity: traits.rarity,
        float_value: traits.wear.as_ref().map(Into::into),
        paint_seed: traits.paint_seed,
        paint_index: traits.paint_index,
        stickers: traits.stickers.clone().unwrap_or_default(),
        charms: traits.charms.clone().unwrap_or_default(),
        price: asking_price.unwrap_or(Cents::ZERO),
        trade_lock_days: item.lock.map_or(0, |lock| lock.until.days_since(at)),
        seller_success: None,
    }
}
