//! The index of contracts: it gives what asking every contract gives, whatever came and went.

use std::collections::BTreeMap;

use proptest::prelude::*;

use tradepost_domain::contracts::contract::{Contract, ContractDraft, ContractEvent, Terms};
use tradepost_domain::contracts::filter_set::Rules;
use tradepost_domain::contracts::matching::ContractIndex;
use tradepost_domain::id::ContractId;
use tradepost_domain::markets::listing::Listing;

use crate::given::{at, buying, draft, id, selling};
use crate::offers::{listings, redline, rules};

/// An active buying contract.
fn contract(number: u8) -> Contract {
    let named = ContractDraft { id: id(number), ..draft(Terms::Buying(buying())) };
    Contract::draft(named, at(0)).unwrap().activate(at(0)).unwrap()
}

fn any_rules() -> impl Strategy<Value = Option<Rules>> {
    prop::option::weighted(0.95, rules().prop_map(|(_, rules)| rules))
}

/// What happens to the contract of that number: it is there with these rules, or ends.
#[derive(Debug, Clone)]
enum Step {
    Follow(u8, Option<Rules>),
    Pause(u8),
    Remove(u8),
}

fn any_step() -> impl Strategy<Value = Step> {
    let number = || 0..12_u8;
    prop_oneof![
        6 => (number(), any_rules()).prop_map(|(number, rules)| Step::Follow(number, rules)),
        1 => number().prop_map(Step::Pause),
        1 => number().prop_map(Step::Remove),
    ]
}

/// The same contracts, each of which is asked.
#[derive(Debug, Default)]
struct EachAsked(BTreeMap<ContractId, Option<Rules>>);

impl EachAsked {
    fn matching(&self, listing: &Listing) -> Vec<ContractId> {
        let wants = |rules: &Option<Rules>| rules.as_ref().is_none_or(|rules| rules.judge(listing).is_ok());
        self.0.iter().filter(|(_, rules)| wants(rules)).map(|(id, _)| *id).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_index_gives_what_asking_every_contract_gives(
        steps in prop::collection::vec(any_step(), 1..40),
        listings in prop::collection::vec(listings(), 1..12),
    ) {
        let (mut index, mut each) = (ContractIndex::default(), EachAsked::default());
        for step in steps {
            match step {
                Step::Follow(number, rules) => {
                    index.follow(&contract(number), rules.clone());
                    each.0.insert(id(number), rules);
                }
                Step::Pause(number) => {
                    let paused = contract(number).apply(ContractEvent::Paused { reason: None }, at(1)).unwrap();
                    index.follow(&paused, None);
                    each.0.remove(&id(number));
                }
                Step::Remove(number) => {
                    index.remove(id(number));
                    each.0.remove(&id(number));
                }
            }
            for listing in &listings {
                prop_assert_eq!(index.matching(listing), each.matching(listing));
            }
        }
    }
}

#[test]
fn only_buying_contracts_at_work_are_kept() {
    let mut index = ContractIndex::default();
    let drafted = |number, terms| Contract::draft(ContractDraft { id: id(number), ..draft(terms) }, at(0)).unwrap();
    index.follow(&drafted(1, Terms::Selling(selling())).activate(at(0)).unwrap(), None);
    index.follow(&drafted(2, Terms::Buying(buying())), None);
    assert_eq!(index.matching(&redline()), []);
    index.follow(&contract(2), None);
    assert_eq!(index.matching(&redline()), [id(2)]);
}
