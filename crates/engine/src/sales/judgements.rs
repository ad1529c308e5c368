//! Items that were compared with the selling contracts and left unchanged: they are evaluated again once something has changed.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::id::{ContractId, InventoryItemId};
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::markets::pricing::{Quote, Quotes};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::Marketplace;
use tradepost_operations::Versioned;
use tradepost_operations::markets::PriceBasis;

use crate::mark::Mark;

/// Time for which an evaluation holds without any change: locks, windows of time and the age of prices change by themselves.
const MAX_AGE: Duration = Duration::minutes(10);
/// Sources state the same price again and again. A statement that is newer by less than this changes nothing.
const RESTATED: Duration = Duration::minutes(5);

/// Basis of every evaluation of a pass.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Grounds {
    /// The selling contracts, each with its version and that of its filter set.
    pub(crate) contracts: Vec<(ContractId, i64, Option<i64>)>,
    /// What each marketplace takes.
    pub(crate) fees: BTreeMap<Marketplace, Charges>,
    /// Where items can be put on sale.
    pub(crate) enabled: BTreeSet<Marketplace>,
}

/// Evaluations that still hold.
#[derive(Debug, Default)]
pub(crate) struct Judgements {
    by: Grounds,
    worth: BTreeMap<Variant, Worth>,
    revisions: u64,
    items: BTreeMap<InventoryItemId, Judged>,
}

/// Value of a variant, with a new number for each change.
#[derive(Debug)]
struct Worth {
    basis: PriceBasis,
    revision: u64,
    read_at: Mark,
}

/// An item that was left as it is, at this version and worth.
#[derive(Debug)]
struct Judged {
    version: i64,
    worth: Option<u64>,
    at: Mark,
}

impl Judgements {
    /// Begins a pass: what was judged by something else, or long ago, is forgotten.
    pub(crate) fn go_by(&mut self, grounds: Grounds, worth: &BTreeMap<Variant, PriceBasis>, now: Mark) {
        if self.by != grounds {
            self.items.clear();
            self.by = grounds;
        }
        self.items.retain(|_, judged| now.since(judged.at) < MAX_AGE);
        // A pass reads a slice of the items and of what they are worth: the other slices come again.
        self.worth.retain(|_, worth| now.since(worth.read_at) < MAX_AGE);
        for (variant, basis) in worth {
            if let Some(known) = self.worth.get_mut(variant).filter(|known| is_the_same(&known.basis, basis)) {
                known.read_at = now;
                continue;
            }
            self.revisions = self.revisions.wrapping_add(1);
            let worth = Worth { basis: basis.clone(), revision: self.revisions, read_at: now };
            self.worth.insert(variant.clone(), worth);
        }
    }

    /// Whether nothing has changed since an item was left as it is.
    pub(crate) fn holds(&self, item: &Versioned<InventoryItem>, variant: &Variant) -> bool {
        let judged = self.items.get(&item.value.id);
        judged.is_some_and(|judged| judged.version == item.version && judged.worth == self.revision(variant))
    }

    /// An item is left as it is.
    pub(crate) fn leave(&mut self, item: &Versioned<InventoryItem>, variant: &Variant, at: Mark) {
        let worth = self.revision(variant);
        self.items.insert(item.value.id, Judged { version: item.version, worth, at });
    }

    fn revision(&self, variant: &Variant) -> Option<u64> {
        self.worth.get(variant).map(|worth| worth.revision)
    }
}

fn is_the_same(known: &PriceBasis, now: &PriceBasis) -> bool {
    known.given == now.given && are_the_same(&known.quotes, &now.quotes)
}

fn are_the_same(known: &Quotes, now: &Quotes) -> bool {
    known.len() == now.len() && known.iter().zip(now.iter()).all(|(known, now)| is_restated(known, now))
}

fn is_restated(known: &Quote, now: &Quote) -> bool {
    let moved = now.observed_at.since(known.observed_at).abs();
    moved < RESTATED && *known == Quote { observed_at: known.observed_at, ..now.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::contracts::purchase::PurchaseStatus;
    use tradepost_domain::money::Cents;
    use tradepost_domain::time::Timestamp;
    use tradepost_testkit::fakes::FixedClock;
    use tradepost_testkit::samples::{Samples, text, variant};

    const NAME: &str = "AK-47 | Redline (Field-Tested)";

    /// An item that was left as it is while its variant was asked for 1,000 cents.
    struct Left {
        judgements: Judgements,
        item: Versioned<InventoryItem>,
        at: Mark,
    }

    fn worth(cents: i64, seconds: i64) -> BTreeMap<Variant, PriceBasis> {
        let at = Timestamp::MIN.plus(Duration::seconds(seconds));
        let quotes = [Quote::of_ask(text("guide"), Cents::new(cents).unwrap(), at)].into_iter().collect();
        BTreeMap::from([(variant(NAME), PriceBasis { quotes, given: None })])
    }

    impl Left {
        fn new() -> Self {
            let at = Mark::of(&FixedClock::default());
            let samples = Samples::seeded(5);
            let purchase = samples.purchase(samples.id(), samples.id(), PurchaseStatus::Traded);
            let item = Versioned { value: samples.item(&purchase).0, version: 1 };
            let mut judgements = Judgements::default();
            judgements.go_by(Grounds::default(), &worth(1_000, 0), at);
            judgements.leave(&item, &variant(NAME), at);
            Self { judgements, item, at }
        }

        fn holds_after(mut self, grounds: Grounds, worth: &BTreeMap<Variant, PriceBasis>, after: Duration) -> bool {
            self.judgements.go_by(grounds, worth, self.at.plus(after));
            self.judgements.holds(&self.item, &variant(NAME))
        }
    }

    #[test]
    fn an_evaluation_holds_without_changes_for_at_most_ten_minutes() {
        let holds = |minutes| Left::new().holds_after(Grounds::default(), &worth(1_000, 0), Duration::minutes(minutes));
        assert_eq!([0, 9, 10].map(holds), [true, true, false]);
    }

    #[test]
    fn another_price_ends_a_judgement_and_the_same_price_stated_again_within_minutes_does_not() {
        let holds = |worth| Left::new().holds_after(Grounds::default(), &worth, Duration::SECOND);
        assert_eq!([worth(1_000, 299), worth(1_000, 300), worth(999, 0)].map(holds), [true, false, false]);
    }

    #[test]
    fn a_changed_contract_fee_or_marketplace_ends_every_judgement() {
        let contracts = vec![(ContractId::from_bytes([1; 16]), 1, None)];
        let fees = BTreeMap::from([(text("market"), Charges::from(Samples::seeded(5).fees()))]);
        let enabled = BTreeSet::from([text("market")]);
        let changed = [
            Grounds { contracts, ..Grounds::default() },
            Grounds { fees, ..Grounds::default() },
            Grounds { enabled, ..Grounds::default() },
        ];
        for grounds in changed {
            assert!(!Left::new().holds_after(grounds, &worth(1_000, 0), Duration::SECOND));
        }
    }

    #[test]
    fn a_changed_item_is_evaluated_again() {
        let mut left = Left::new();
        left.item.version = 2;
        assert!(!left.holds_after(Grounds::default(), &worth(1_000, 0), Duration::SECOND));
    }
}
