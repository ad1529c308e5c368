//! The breaker of buying contracts: what suspends one because of failed purchases, its loss on a day or outdated prices.

use std::collections::BTreeMap;

use ::time::Duration;

use super::{
    BuyingTerms, Contract, ContractEvent, ContractParts, ContractStatus, PriceReference, SuspensionCause, Terms,
};
use crate::contracts::purchase::{FailureCode, Purchase, PurchaseStatus};
use crate::markets::pricing::LEAST_SOURCES;
use crate::money::Cents;
use crate::text::Marketplace;
use crate::time::Timestamp;

/// So many purchases of a contract that fail in a row stop it.
pub const FAILURES_IN_A_ROW: usize = 10;

/// The number of latest purchases in which failures in a row are counted. Those in progress do not count.
pub const LOOKED_BACK: u32 = 100;

/// Prices older than this multiple of a contract's limit suspend it. Listings that need a value are skipped long before.
const TOO_OLD: i32 = 2;

/// Returns whether a purchase succeeded; `None` if it does not count. A purchase in progress or withdrawn before submission does not
/// count. Neither does one that another buyer won or that the balance did not cover: the balance is read again within seconds.
fn has_succeeded(purchase: &Purchase) -> Option<bool> {
    use PurchaseStatus as Is;
    match purchase.status {
        Is::Traded | Is::Settled => Some(true),
        Is::Failed => {
            let passing = [FailureCode::SoldAlready, FailureCode::PriceChanged, FailureCode::BalanceTooLow].map(Some);
            (!passing.contains(&purchase.progress.failure_code)).then_some(false)
        }
        Is::RefundPending | Is::Refunded | Is::Reverted | Is::WrittenOff => Some(false),
        Is::Pending | Is::Submitted | Is::Uncertain | Is::Paid | Is::Offered | Is::TradeHeld | Is::Cancelled => None,
    }
}

/// Whether the step of a purchase shows that it has failed.
pub fn fails(before: &Purchase, after: &Purchase) -> bool {
    let has_failed = |purchase| has_succeeded(purchase) == Some(false);
    has_failed(after) && !has_failed(before)
}

/// Whether the latest purchases of a contract, the newest first, have failed so often in a row that it is to be stopped.
pub fn is_failing<'a>(latest: impl IntoIterator<Item = &'a Purchase>) -> bool {
    let outcomes = latest.into_iter().filter_map(has_succeeded);
    outcomes.take_while(|has_succeeded| !has_succeeded).take(FAILURES_IN_A_ROW).count() == FAILURES_IN_A_ROW
}

/// What a day has lost, once that reaches the limit of a contract and stops it: `before` is what the day had earned until the step that
/// loses, `earned` what that step earns, both in cents and less than zero for a loss. Profits of the day make up for its losses.
pub fn stops_by_loss(limit: Cents, before: i64, earned: i64) -> Option<Cents> {
    let lost = before.saturating_add(earned).saturating_neg().min(Cents::MAX.get());
    Cents::new(lost).ok().filter(|lost| *lost >= limit)
}

impl BuyingTerms {
    /// Whether they can only be met by an item whose value is known.
    pub const fn need_value(&self) -> bool {
        self.min_discount.is_some() || self.min_expected_margin.is_some()
    }
}

impl Contract {
    /// Returns the loss on a day that stops it, for a step with these earnings in cents. Only a losing step is checked, so a
    /// resumed contract continues until it loses more.
    pub fn loss_limit(&self, earned: i64) -> Option<Cents> {
        match &self.0.terms {
            Terms::Buying(terms) => terms.max_daily_loss.filter(|_| earned < 0),
            Terms::Selling(_) => None,
        }
    }

    /// The same after a loss: nothing changes but when it last changed, so that of two losses at once the later one is decided with
    /// the earlier.
    #[must_use]
    pub fn lost(self, at: Timestamp) -> Self {
        let updated_at = at.max(self.0.updated_at);
        Self(ContractParts { updated_at, ..self.0 })
    }

    /// The step that it leads to when the sources of prices last said something at these times. A contract that buys by values is
    /// suspended once fewer of its sources than make a value have said anything for long, and works again by itself once enough do.
    /// What is not heard here says nothing of it: of fewer sources than make a value the others are heard elsewhere.
    pub fn due_for_prices(&self, said: &BTreeMap<Marketplace, Timestamp>, at: Timestamp) -> Option<ContractEvent> {
        let Terms::Buying(terms) = &self.0.terms else { return None };
        let named = self.0.price_reference.clone();
        let goes_by_values = named.is_some() || terms.need_value();
        let reference: PriceReference = named.unwrap_or_default();
        let ages = said.iter().filter(|(source, _)| reference.looks_at(source)).map(|(_, said)| at.since(*said));
        let ages: Vec<Duration> = ages.collect();
        let max_age = Duration::seconds(reference.max_age_seconds.into());
        let are_within = |age| ages.iter().filter(|found| **found <= age).count() >= LEAST_SOURCES;
        let are_heard = goes_by_values && ages.len() >= LEAST_SOURCES;
        if self.0.status == ContractStatus::Active && are_heard && !are_within(max_age.saturating_mul(TOO_OLD)) {
            return self.due_for(Some(SuspensionCause::PriceSourceStale));
        }
        let is_stopped = self.0.suspended_for() == Some(SuspensionCause::PriceSourceStale);
        (is_stopped && (!are_heard || are_within(max_age))).then_some(ContractEvent::Resumed)
    }
}
