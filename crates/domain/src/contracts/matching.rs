//! Which contracts want a listing, found without asking all of them.
//!
//! Each contract is kept under the values of the one rule of its filter set that says most, and a listing is looked up under
//! its own values; bit tests and bounds narrow what is found there, and what is left is judged by all rules. So the answer is
//! the one that asking every contract would give, at a cost that grows with the contracts that come near to wanting it.

mod bucket;
mod buckets;
mod parts;
mod screen;

use std::collections::BTreeMap;

use crate::contracts::contract::{Contract, ContractStatus, ContractType};
use crate::contracts::filter_set::Rules;
use crate::id::ContractId;
use crate::markets::listing::{Listing, NameParts};

use buckets::ContractBuckets;
use screen::{ListingFeatures, Screen};

/// The active buying contracts, indexed by what they want.
#[derive(Debug, Default)]
pub struct ContractIndex {
    /// The rules by which each is kept; `None` for what wants everything.
    rules: BTreeMap<ContractId, Option<Rules>>,
    buckets: ContractBuckets,
}

/// A contract where it is kept.
#[derive(Debug, Clone)]
struct Entry {
    id: ContractId,
    screen: Screen,
    rules: Option<Rules>,
}

impl ContractIndex {
    /// Follows a contract, as it is now with the rules of its filter set: keeps it while it is active and buys.
    pub fn follow(&mut self, contract: &Contract, rules: Option<Rules>) {
        let is_buying = contract.status == ContractStatus::Active && contract.contract_type() == ContractType::Buying;
        self.remove(contract.id);
        if is_buying {
            self.insert(contract.id, rules);
        }
    }

    /// Forgets a contract, if it is there.
    pub fn remove(&mut self, id: ContractId) {
        if let Some(rules) = self.rules.remove(&id) {
            self.buckets.each_bucket(rules.as_ref(), |bucket| bucket.remove(id));
        }
    }

    /// The contracts whose rules a listing meets, each once, in the order of their ids.
    pub fn matching(&self, listing: &Listing) -> Vec<ContractId> {
        let named = NameParts::from(&listing.variant.market_hash_name);
        let features = ListingFeatures::of(listing, named);
        let wants = |entry: &&Entry| {
            entry.screen.lets_through(&features)
                && entry.rules.as_ref().is_none_or(|rules| rules.judge_named(listing, named).is_ok())
        };
        let mut found = Vec::new();
        self.buckets
            .visit(listing, named, |bucket| found.extend(bucket.near(&features).filter(wants).map(|entry| entry.id)));
        // Two stickers of one item may lead to the same contract.
        found.sort_unstable();
        found.dedup();
        found
    }

    fn insert(&mut self, id: ContractId, rules: Option<Rules>) {
        let entry = Entry { id, screen: Screen::of(rules.as_ref()), rules: rules.clone() };
        self.buckets.each_bucket(rules.as_ref(), |bucket| bucket.insert(entry.clone()));
        self.rules.insert(id, rules);
    }
}
