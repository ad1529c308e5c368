//! Items that were compared with the selling contracts and left unchanged: they are evaluated again once something has changed.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::contracts::contract::{BasisPoints, Contract, ContractParts, Counters, Terms};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::id::{ContractId, InventoryItemId};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::markets::pricing::{Quote, Quotes};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::Marketplace;
use tradepost_operations::Versioned;
use tradepost_operations::markets::PriceBasis;

use crate::mark::Mark;
use crate::timings::EngineTimings;

/// The variant of an item.
pub(crate) fn variant_of(item: &InventoryItem) -> Variant {
    Variant { app_id: item.app_id, market_hash_name: item.market_hash_name.clone(), phase: item.traits.phase.clone() }
}

/// Change of a rate after which a price is set again, in basis points.
const RATE_TOLERANCE_BPS: u16 = 100;

/// Contracts and marketplaces by which an item was evaluated: these contracts want the item at these marketplaces.
pub(crate) type Considered = BTreeSet<(ContractId, Marketplace)>;

/// Basis of every evaluation of a pass.
#[derive(Debug, Default)]
pub(crate) struct Grounds {
    /// The selling contracts.
    contracts: BTreeMap<ContractId, ContractGrounds>,
    /// What each marketplace takes.
    fees: BTreeMap<Marketplace, Charges>,
    /// Where items can be put on sale.
    enabled: BTreeSet<Marketplace>,
}

/// What evaluations depend on of a selling contract. Its counters move with every sale of any item, so only their effect counts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ContractGrounds {
    /// The contract without its counters and the time of its last change.
    definition: ContractParts,
    /// The version of its filter set.
    filter: Option<i64>,
    /// Whether it has as many listings as it may have.
    is_full: bool,
}

impl ContractGrounds {
    pub(crate) fn new(contract: &Contract, filter: Option<i64>) -> Self {
        let most = match &contract.terms {
            Terms::Selling(terms) => terms.max_listings,
            Terms::Buying(_) => None,
        };
        let is_full = most.is_some_and(|most| contract.counters.open_quantity >= most);
        let parts = contract.clone().into_parts();
        let definition = ContractParts { counters: Counters::default(), updated_at: parts.created_at, ..parts };
        Self { definition, filter, is_full }
    }

    /// Whether it wants the same items as before.
    fn wants_the_same(&self, known: &Self) -> bool {
        self.definition == known.definition && self.filter == known.filter
    }
}

/// What has changed between two passes.
enum Change {
    /// Something that may concern any item.
    Any,
    /// Something that concerns the items which these contracts or marketplaces were considered for.
    Of { contracts: BTreeSet<ContractId>, marketplaces: BTreeSet<Marketplace> },
}

impl Change {
    fn concerns(&self, considered: &Considered) -> bool {
        match self {
            Self::Any => true,
            Self::Of { contracts, marketplaces } => {
                considered.iter().any(|(contract, place)| contracts.contains(contract) || marketplaces.contains(place))
            }
        }
    }
}

impl Grounds {
    pub(crate) const fn new(
        contracts: BTreeMap<ContractId, ContractGrounds>,
        fees: BTreeMap<Marketplace, Charges>,
        enabled: BTreeSet<Marketplace>,
    ) -> Self {
        Self { contracts, fees, enabled }
    }

    fn change_since(&self, known: &Self) -> Change {
        let is_known = |id, contract: &ContractGrounds| {
            known.contracts.get(id).is_some_and(|known| contract.wants_the_same(known))
        };
        let is_wider = !self.enabled.is_subset(&known.enabled)
            || self.fees.keys().any(|marketplace| !known.fees.contains_key(marketplace));
        if is_wider || !self.contracts.iter().all(|(id, contract)| is_known(id, contract)) {
            return Change::Any;
        }
        let moved = known.contracts.iter().filter(|(id, known)| self.contracts.get(id) != Some(known));
        let closed = known.enabled.difference(&self.enabled).cloned();
        let charged = known.fees.iter().filter(|(marketplace, charges)| {
            let now = self.fees.get(*marketplace);
            !now.is_some_and(|now| are_alike(charges, now))
        });
        Change::Of {
            contracts: moved.map(|(id, _)| *id).collect(),
            marketplaces: closed.chain(charged.map(|(marketplace, _)| marketplace.clone())).collect(),
        }
    }

    /// The same with the rates from before, where they have hardly moved: so the small steps of a rate add up to a change.
    fn with_rates_of(mut self, known: Self) -> Self {
        for (marketplace, charges) in known.fees {
            if let Some(now) = self.fees.get_mut(&marketplace).filter(|now| are_alike(&charges, now)) {
                *now = charges;
            }
        }
        self
    }
}

/// Returns whether charges are the same, by a rate that has hardly moved.
fn are_alike(known: &Charges, now: &Charges) -> bool {
    let is_still = match (known.rate(), now.rate()) {
        (Some(known), Some(now)) => !has_moved(known, now),
        (known, now) => known == now,
    };
    is_still && known.schedule() == now.schedule()
}

/// Returns whether a rate has moved so far that a price set by the former one is set again.
pub(crate) fn has_moved(before: ExchangeRate, now: ExchangeRate) -> bool {
    let moved = now.micros().abs_diff(before.micros());
    u128::from(moved) * u128::from(BasisPoints::MAX.get())
        > u128::from(before.micros().unsigned_abs()) * u128::from(RATE_TOLERANCE_BPS)
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
    considered: Considered,
    at: Mark,
}

impl Judgements {
    /// Begins a pass: what was judged by something else, or long ago, is forgotten.
    pub(crate) fn go_by(
        &mut self,
        grounds: Grounds,
        worth: &BTreeMap<Variant, PriceBasis>,
        now: Mark,
        timings: &EngineTimings,
    ) {
        let change = grounds.change_since(&self.by);
        self.items.retain(|_, judged| {
            !change.concerns(&judged.considered) && now.since(judged.at) < timings.judgement_max_age
        });
        self.by = grounds.with_rates_of(std::mem::take(&mut self.by));
        // A pass reads a slice of the items and of what they are worth: the other slices come again.
        self.worth.retain(|_, worth| now.since(worth.read_at) < timings.judgement_max_age);
        for (variant, basis) in worth {
            if let Some(known) = self
                .worth
                .get_mut(variant)
                .filter(|known| is_the_same(&known.basis, basis, timings.quote_restated_within))
            {
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
    pub(crate) fn leave(&mut self, item: &Versioned<InventoryItem>, considered: Considered, at: Mark) {
        let worth = self.revision(&variant_of(&item.value));
        self.items.insert(item.value.id, Judged { version: item.version, worth, considered, at });
    }

    fn revision(&self, variant: &Variant) -> Option<u64> {
        self.worth.get(variant).map(|worth| worth.revision)
    }
}

fn is_the_same(known: &PriceBasis, now: &PriceBasis, restated_within: Duration) -> bool {
    known.given == now.given && are_the_same(&known.quotes, &now.quotes, restated_within)
}

fn are_the_same(known: &Quotes, now: &Quotes, restated_within: Duration) -> bool {
    known.len() == now.len()
        && known.iter().zip(now.iter()).all(|(known, now)| is_restated(known, now, restated_within))
}

fn is_restated(known: &Quote, now: &Quote, restated_within: Duration) -> bool {
    let moved = now.observed_at.since(known.observed_at).abs();
    moved < restated_within && *known == Quote { observed_at: known.observed_at, ..now.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::contracts::contract::SellingTerms;
    use tradepost_domain::contracts::purchase::PurchaseStatus;
    use tradepost_domain::money::{Cents, Currency};
    use tradepost_domain::time::Timestamp;
    use tradepost_testkit::fakes::FixedClock;
    use tradepost_testkit::samples::{Samples, text, variant};

    const NAME: &str = "AK-47 | Redline (Field-Tested)";

    fn id(number: u8) -> ContractId {
        ContractId::from_bytes([number; 16])
    }

    /// An item that was left as it is while its variant was asked for 1,000 cents, for one of two contracts at one of two marketplaces.
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

    /// A selling contract that may have three listings and has so many.
    fn contract(open_quantity: u32, floor: i64) -> ContractGrounds {
        let samples = Samples::seeded(5);
        let parts = samples.selling_contract(samples.id()).into_parts();
        let Terms::Selling(terms) = parts.terms else { panic!("it sells") };
        let terms = SellingTerms { max_listings: Some(3), floor_price: Cents::new(floor).unwrap(), ..terms };
        let counters = Counters { open_quantity, ..parts.counters };
        let parts = ContractParts { terms: Terms::Selling(terms), counters, ..parts };
        ContractGrounds::new(&Contract::restore(parts).unwrap(), None)
    }

    fn charges(micros: i64) -> Charges {
        let rate = ExchangeRate::new(Currency::new("EUR").unwrap(), micros, Timestamp::MIN).unwrap();
        Charges::at(Samples::seeded(5).fees(), Some(rate))
    }

    fn grounds() -> Grounds {
        Grounds {
            contracts: BTreeMap::from([(id(1), contract(0, 1)), (id(2), contract(0, 1))]),
            fees: BTreeMap::from([(text("market"), charges(1_000_000)), (text("other"), charges(1_000_000))]),
            enabled: BTreeSet::from([text("market"), text("other")]),
        }
    }

    impl Left {
        fn new() -> Self {
            let at = Mark::of(&FixedClock::default());
            let samples = Samples::seeded(5);
            let purchase = samples.purchase(samples.id(), samples.id(), PurchaseStatus::Traded);
            let sample = samples.item(&purchase).0;
            let item = Versioned { value: sample, version: 1 };
            let mut judgements = Judgements::default();
            judgements.go_by(grounds(), &worth(1_000, 0), at, &EngineTimings::default());
            judgements.leave(&item, BTreeSet::from([(id(1), text("market"))]), at);
            Self { judgements, item, at }
        }

        fn holds_after(&mut self, grounds: Grounds, worth: &BTreeMap<Variant, PriceBasis>, after: Duration) -> bool {
            self.judgements.go_by(grounds, worth, self.at.plus(after), &EngineTimings::default());
            self.judgements.holds(&self.item, &variant(NAME))
        }

        /// The same a second later at the same price.
        fn holds_by(&mut self, grounds: Grounds) -> bool {
            self.holds_after(grounds, &worth(1_000, 0), Duration::SECOND)
        }
    }

    #[test]
    fn an_evaluation_holds_without_changes_for_at_most_ten_minutes() {
        let holds = |minutes| Left::new().holds_after(grounds(), &worth(1_000, 0), Duration::minutes(minutes));
        assert_eq!([0, 9, 10].map(holds), [true, true, false]);
    }

    #[test]
    fn another_price_ends_a_judgement_and_the_same_price_stated_again_within_minutes_does_not() {
        let holds = |worth| Left::new().holds_after(grounds(), &worth, Duration::SECOND);
        assert_eq!([worth(1_000, 299), worth(1_000, 300), worth(999, 0)].map(holds), [true, false, false]);
    }

    #[test]
    fn a_counter_ends_judgements_only_of_items_of_its_contract_and_only_at_the_limit() {
        let holds = |id, open_quantity| {
            let mut now = grounds();
            now.contracts.insert(id, contract(open_quantity, 1));
            Left::new().holds_by(now)
        };
        assert_eq!([holds(id(1), 2), holds(id(1), 3)], [true, false]);
        assert_eq!([holds(id(2), 2), holds(id(2), 3)], [true, true]);
    }

    #[test]
    fn a_changed_or_new_contract_ends_every_judgement_and_a_removed_one_those_of_its_items() {
        let holds = |change: fn(&mut Grounds)| {
            let mut now = grounds();
            change(&mut now);
            Left::new().holds_by(now)
        };
        assert!(!holds(|now| {
            now.contracts.insert(id(2), contract(0, 2));
        }));
        assert!(!holds(|now| {
            now.contracts.insert(id(3), contract(0, 1));
        }));
        assert!(!holds(|now| {
            now.contracts.remove(&id(1));
        }));
        assert!(holds(|now| {
            now.contracts.remove(&id(2));
        }));
    }

    #[test]
    fn a_rate_ends_judgements_only_at_its_marketplace_and_only_once_it_has_moved() {
        let holds = |name: &str, micros| {
            let mut now = grounds();
            now.fees.insert(text(name), charges(micros));
            Left::new().holds_by(now)
        };
        assert_eq!([holds("market", 1_010_000), holds("market", 1_010_001)], [true, false]);
        assert_eq!([holds("other", 1_010_000), holds("other", 1_010_001)], [true, true]);
    }

    #[test]
    fn a_rate_that_moves_in_small_steps_ends_judgements_in_the_end() {
        let mut left = Left::new();
        let mut holds = |micros| {
            let mut now = grounds();
            now.fees.insert(text("market"), charges(micros));
            left.holds_by(now)
        };
        assert_eq!([holds(1_006_000), holds(1_012_000)], [true, false]);
    }

    #[test]
    fn a_marketplace_that_opens_ends_every_judgement_and_one_that_closes_those_of_its_items() {
        let holds = |change: fn(&mut Grounds)| {
            let mut now = grounds();
            change(&mut now);
            Left::new().holds_by(now)
        };
        assert!(!holds(|now| {
            now.enabled.insert(text("third"));
        }));
        assert!(!holds(|now| {
            now.enabled.remove(&text("market"));
        }));
        assert!(holds(|now| {
            now.enabled.remove(&text("other"));
        }));
    }

    #[test]
    fn a_changed_item_is_evaluated_again() {
        let mut left = Left::new();
        left.item.version = 2;
        assert!(!left.holds_by(grounds()));
    }
}
