//! What a contract did lately, as far as its limits ask for it: read once a pass, and only of contracts with such limits.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use tradepost_domain::contract::{BuyingTerms, Contract, Terms};
use tradepost_domain::evaluation::Activity;
use tradepost_domain::id::ContractId;
use tradepost_domain::money::Cents;
use tradepost_domain::purchase::Purchase;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;

use crate::Engine;
use crate::trouble::Tried;

/// The purchases of the contracts whose limits ask for them.
#[derive(Debug, Default)]
pub(crate) struct Activities(BTreeMap<ContractId, Vec<Purchase>>);

impl Activities {
    /// What a contract did, of items of this name.
    pub(crate) async fn of(&mut self, engine: &Engine, contract: &Contract, name: &MarketHashName) -> Tried<Activity> {
        let Terms::Buying(terms) = &contract.terms else { return Ok(Activity::default()) };
        if !asks_for_activity(terms) {
            return Ok(Activity::default());
        }
        let purchases = match self.0.entry(contract.id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let read = engine.purchases_of(Some(contract.id), None).await?;
                unknown.insert(read.into_iter().map(|purchase| purchase.value).collect())
            }
        };
        Ok(activity(purchases, name, engine.now()))
    }

    /// Adds a purchase that was made in this pass.
    pub(crate) fn add(&mut self, purchase: &Purchase) {
        if let Some(purchases) = self.0.get_mut(&purchase.terms.contract_id) {
            purchases.push(purchase.clone());
        }
    }
}

fn asks_for_activity(terms: &BuyingTerms) -> bool {
    terms.daily_budget.is_some() || terms.max_per_item_name.is_some() || terms.cooldown_seconds.is_some()
}

fn activity(purchases: &[Purchase], name: &MarketHashName, at: Timestamp) -> Activity {
    let mut found = Activity::default();
    for purchase in purchases {
        let footprint = purchase.footprint();
        let taken = footprint.filled_quantity.saturating_add(footprint.open_quantity);
        if purchase.created_at.is_same_day(at) {
            let used = footprint.spent.plus(footprint.reserved).unwrap_or(Cents::MAX);
            found.spent_today = found.spent_today.plus(used).unwrap_or(Cents::MAX);
        }
        if purchase.terms.market_hash_name == *name {
            found.of_item_name = found.of_item_name.saturating_add(taken);
        }
        if taken > 0 {
            found.last_purchase_at = found.last_purchase_at.max(Some(purchase.created_at));
        }
    }
    found
}
