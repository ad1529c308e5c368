//! What one pass did.

use tradepost_domain::contract::Contract;
use tradepost_domain::evaluation::{Decision, Evaluation, Rule};
use tradepost_domain::listing::Listing;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{MarketHashName, Name};

use crate::Trouble;

/// As many decisions as one pass tells of.
const MOST_TOLD: usize = 100;

/// What a contract decided on a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// The contract's name.
    pub contract: Name,
    /// The item on offer.
    pub item: MarketHashName,
    /// Its price.
    pub price: Cents,
    /// What was decided.
    pub decision: Decision,
    /// The rules that were not met.
    pub failed: Vec<Rule>,
}

/// What one pass did, for whoever watches.
#[derive(Debug, Default)]
pub struct Pass {
    /// Listings that were looked at.
    pub observed: usize,
    /// Purchases that were recorded.
    pub bought: usize,
    /// Items that were put on sale.
    pub listed: usize,
    /// What was decided, of the first listings of the pass.
    pub decisions: Vec<Decided>,
    /// What could not be done. Whatever it was is tried again.
    pub troubles: Vec<Trouble>,
}

impl Decided {
    pub(crate) fn on(contract: &Contract, listing: &Listing, evaluation: &Evaluation) -> Self {
        Self {
            contract: contract.name.clone(),
            item: listing.variant.market_hash_name.clone(),
            price: listing.price,
            decision: evaluation.decision,
            failed: evaluation.failed().collect(),
        }
    }
}

impl Pass {
    /// Tells of a decision, as long as there is room.
    pub(crate) fn decided(&mut self, decided: impl FnOnce() -> Decided) {
        if self.decisions.len() < MOST_TOLD {
            self.decisions.push(decided());
        }
    }

    /// Goes on after steps of which some failed.
    pub(crate) fn note_all(&mut self, tried: impl IntoIterator<Item = Result<(), Trouble>>) {
        tried.into_iter().for_each(|tried| self.note(tried));
    }

    /// Goes on after a step that failed.
    pub(crate) fn note(&mut self, tried: Result<(), Trouble>) {
        if let Err(trouble) = tried {
            tracing::debug!(%trouble, "a step of the engine was not taken");
            self.troubles.push(trouble);
        }
    }
}
