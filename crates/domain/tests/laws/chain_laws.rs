//! The laws of the asset-id chain.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use tradepost_domain::contracts::chain::{
    AssetIdLink, ChainError, ChainHead, ChainLaw, ChainOwner, Evidence, NewLink, Source, verify,
};

use crate::given::{asset, at, id, text};

const OWNER: ChainOwner = ChainOwner {
    workspace_id: tradepost_domain::id::Id::from_bytes([1; 16]),
    inventory_item_id: tradepost_domain::id::Id::from_bytes([2; 16]),
    purchase_id: tradepost_domain::id::Id::from_bytes([3; 16]),
};

#[derive(Debug, Clone)]
struct Chain {
    links: Vec<AssetIdLink>,
    head: ChainHead,
}

impl Chain {
    fn start(source: Source) -> Self {
        let evidence = Evidence { asset_id: asset(1), source, source_id: text("start") };
        let first = NewLink::first(evidence, at(0)).unwrap();
        Self { head: ChainHead::of_first(&first), links: vec![first.of(OWNER, id(0))] }
    }

    /// Appends as a store does: the same evidence is found first.
    fn append(&mut self, evidence: Evidence, seconds: i64) -> Result<(), ChainError> {
        for link in &self.links {
            if link.records(&evidence)? {
                return Ok(());
            }
        }
        let link = self.head.next(evidence, None, at(seconds))?;
        self.head = self.head.after(&link);
        self.links.push(link.of(OWNER, id(0)));
        Ok(())
    }

    fn problems(&self) -> Vec<String> {
        verify(&self.links, OWNER, &self.head).iter().map(ToString::to_string).collect()
    }
}

fn evidence(asset_number: u64, source: Source, source_id: &str) -> Evidence {
    Evidence { asset_id: asset(asset_number), source, source_id: text(source_id) }
}

fn any_source() -> impl Strategy<Value = Source> {
    select(Source::ALL)
}

/// From so few ids and facts that repeats and contradictions are common.
fn any_evidence() -> impl Strategy<Value = Evidence> {
    (1..6_u64, any_source(), 0..6_u8).prop_map(|(number, source, fact)| evidence(number, source, &fact.to_string()))
}

fn any_chain() -> impl Strategy<Value = Chain> {
    let start = prop_oneof![4 => Just(Source::Listing), 1 => Just(Source::Import)];
    (start, prop::collection::vec((any_evidence(), -5..50_i64), 0..60)).prop_map(|(start, facts)| {
        let mut chain = Chain::start(start);
        for (fact, seconds) in facts {
            // What breaks a law is refused; the rest is the chain.
            let _refused_or_appended = chain.append(fact, seconds);
        }
        chain
    })
}

/// The table of legal successors, written down a second time.
fn successors(head: Source) -> &'static [Source] {
    use Source::{
        Inventory, PurchaseReversal, PurchaseTrade, SaleElsewhere, SaleListing, SaleReturn, SaleTrade, Transfer,
    };
    match head {
        Source::Listing => &[PurchaseTrade],
        PurchaseTrade | Inventory | Transfer | Source::Import | SaleReturn => {
            &[Inventory, Transfer, SaleListing, SaleTrade, PurchaseReversal, SaleElsewhere]
        }
        SaleListing => &[SaleListing, Inventory, SaleTrade, PurchaseReversal],
        SaleTrade => &[SaleReturn],
        PurchaseReversal | SaleElsewhere => &[],
    }
}

#[test]
fn a_source_follows_exactly_its_legal_predecessors() {
    for head in Source::ALL {
        for next in Source::ALL {
            assert_eq!(next.may_follow(*head), successors(*head).contains(next), "{next} after {head}");
        }
    }
}

#[test]
fn a_chain_starts_with_a_listing_or_an_import() {
    for source in Source::ALL {
        let first = NewLink::first(evidence(1, *source, "start"), at(0));
        assert_eq!(first.is_ok(), matches!(source, Source::Listing | Source::Import), "{source}");
    }
}

#[test]
fn a_trade_must_change_the_asset_id() {
    let changing = Source::ALL.iter().copied().filter(|source| source.must_change_id());
    assert!(changing.eq([Source::PurchaseTrade, Source::Transfer, Source::SaleTrade]));
    let mut chain = Chain::start(Source::Listing);
    let refused = chain.append(evidence(1, Source::PurchaseTrade, "trade"), 1);
    assert_eq!(refused, Err(ChainError::IdUnchanged { given: Source::PurchaseTrade, asset_id: asset(1) }));
}

#[test]
fn a_returned_item_may_have_an_earlier_asset_id() {
    let mut chain = Chain::start(Source::Listing);
    chain.append(evidence(2, Source::PurchaseTrade, "bought"), 1).unwrap();
    chain.append(evidence(3, Source::SaleTrade, "sold"), 2).unwrap();
    chain.append(evidence(2, Source::SaleReturn, "returned"), 3).unwrap();
    assert_eq!((chain.links.len(), chain.problems()), (4, vec![]));
}

#[test]
fn only_a_bought_item_goes_back_to_its_seller() {
    let mut chain = Chain::start(Source::Import);
    let refused = chain.append(evidence(1, Source::PurchaseReversal, "rollback"), 1);
    assert_eq!(refused, Err(ChainError::NotBought { origin: Source::Import }));
}

#[test]
fn a_resold_item_does_not_go_back_to_its_seller() {
    let mut chain = Chain::start(Source::Listing);
    chain.append(evidence(2, Source::PurchaseTrade, "bought"), 1).unwrap();
    chain.append(evidence(3, Source::SaleTrade, "sold"), 2).unwrap();
    let refused = chain.append(evidence(2, Source::PurchaseReversal, "rollback"), 3);
    let (after, given) = (Source::SaleTrade, Source::PurchaseReversal);
    assert_eq!(refused, Err(ChainError::IllegalSuccessor { after, given }));
}

#[test]
fn a_chain_without_links_is_a_problem() {
    let chain = Chain::start(Source::Listing);
    let problems = verify(&[], OWNER, &chain.head);
    assert_eq!(problems.first().map(|problem| &problem.law), Some(&ChainLaw::Empty));
}

/// A way to break one law, and the words for it.
type Breach = (fn(&mut Chain), &'static str);

#[test]
fn each_law_is_reported_in_its_own_words() {
    let cases: [Breach; 10] = [
        (|chain| chain.links[1].step = 7, "step 1: the link is numbered 7"),
        (|chain| chain.links[3].previous = None, "step 3: the previous asset id is none, the step before has 2"),
        (|chain| chain.links[2].source = Source::SaleReturn, "step 2: sale_return cannot follow purchase_trade"),
        (|chain| chain.links[2].source = Source::Transfer, "step 2: transfer did not change the asset id"),
        (|chain| chain.links[3].source_id = text("seen-1"), "step 3: the same fact is recorded at step 2 already"),
        (
            |chain| chain.links[1].created_at = at(9),
            "step 2: recorded at 1970-01-01T00:00:02Z, before the step before it (1970-01-01T00:00:09Z)",
        ),
        (|chain| chain.links[0].workspace_id = id(9), "step 0: the link belongs to another workspace"),
        (|chain| chain.links[1].inventory_item_id = id(9), "step 1: the link belongs to another inventory item"),
        (|chain| chain.links[2].purchase_id = id(9), "step 2: the link belongs to another purchase"),
        (
            |chain| chain.head.asset_id = asset(7),
            "step 3: the item says that its current asset id is 7, the chain says 2",
        ),
    ];
    for (break_law, problem) in cases {
        let mut chain = Chain::start(Source::Listing);
        chain.append(evidence(2, Source::PurchaseTrade, "bought"), 1).unwrap();
        chain.append(evidence(2, Source::Inventory, "seen-1"), 2).unwrap();
        chain.append(evidence(2, Source::Inventory, "seen-2"), 3).unwrap();
        break_law(&mut chain);
        assert_eq!(chain.problems(), [problem]);
    }
}

#[test]
fn a_stored_chain_with_a_wrong_beginning_is_a_problem() {
    let mut chain = Chain::start(Source::Listing);
    chain.append(evidence(2, Source::PurchaseTrade, "bought"), 1).unwrap();
    chain.links.remove(0);
    let laws: Vec<_> = verify(&chain.links, OWNER, &chain.head).into_iter().map(|problem| problem.law).collect();
    assert!(laws.contains(&ChainLaw::WrongStart { found: Source::PurchaseTrade }), "{laws:?}");
}

#[test]
fn a_stored_reversal_of_an_imported_item_is_a_problem() {
    let mut chain = Chain::start(Source::Import);
    chain.append(evidence(2, Source::Inventory, "seen"), 1).unwrap();
    chain.links[1].source = Source::PurchaseReversal;
    chain.head.source = Source::PurchaseReversal;
    assert_eq!(chain.problems(), ["step 1: the purchase of an item that was not bought is reversed"]);
}

proptest! {
    #[test]
    fn whatever_is_appended_the_chain_keeps_every_law(chain in any_chain()) {
        prop_assert_eq!(chain.problems(), Vec::<String>::new());
    }

    #[test]
    fn an_append_leaves_every_earlier_link_as_it_was(chain in any_chain(), fact in any_evidence()) {
        let mut longer = chain.clone();
        let before = chain.links.len();
        let appended = longer.append(fact, 60).is_ok();
        prop_assert_eq!(&longer.links[..before], &chain.links[..]);
        prop_assert!(longer.links.len() <= before + usize::from(appended));
    }

    #[test]
    fn a_fact_recorded_before_is_not_recorded_again(chain in any_chain(), which in any::<Index>()) {
        let link = which.get(&chain.links);
        let repeat = Evidence { asset_id: link.asset_id.clone(), source: link.source, source_id: link.source_id.clone() };
        let mut again = chain.clone();
        prop_assert_eq!(again.append(repeat, 60), Ok(()));
        prop_assert_eq!(again.links, chain.links);
    }

    #[test]
    fn a_fact_recorded_before_with_another_asset_id_is_refused(chain in any_chain(), which in any::<Index>()) {
        let link = which.get(&chain.links);
        let other = Evidence { asset_id: asset(77), source: link.source, source_id: link.source_id.clone() };
        let mismatch = ChainError::AssetIdMismatch { step: link.step, recorded: link.asset_id.clone(), given: asset(77) };
        prop_assert_eq!(chain.clone().append(other, 60), Err(mismatch));
    }

    #[test]
    fn only_the_next_step_can_be_expected(chain in any_chain(), fact in any_evidence(), expected in 0..70_u32) {
        let next = chain.head.step + 1;
        let decided = chain.head.next(fact, Some(expected), at(60));
        prop_assert_eq!(decided == Err(ChainError::StaleStep { expected, next }), expected != next);
    }

    #[test]
    fn nothing_follows_the_reversal_of_a_purchase(fact in any_evidence()) {
        let mut chain = Chain::start(Source::Listing);
        chain.append(evidence(2, Source::PurchaseTrade, "bought"), 1)?;
        chain.append(evidence(1, Source::PurchaseReversal, "rollback"), 2)?;
        let refused = ChainError::IllegalSuccessor { after: Source::PurchaseReversal, given: fact.source };
        prop_assert_eq!(chain.head.next(fact, None, at(60)), Err(refused));
    }

    #[test]
    fn a_clock_that_runs_behind_does_not_turn_time_back(chain in any_chain(), seconds in -100..100_i64) {
        let mut longer = chain.clone();
        if longer.append(evidence(50, Source::Inventory, "seen"), seconds).is_ok() {
            prop_assert_eq!(longer.head.at, chain.head.at.max(at(seconds)));
        }
    }

    #[test]
    fn every_tampering_with_a_chain_is_found(chain in any_chain(), tampering in any_tampering()) {
        let mut tampered = chain;
        tampering.apply(&mut tampered);
        prop_assert_ne!(tampered.problems(), Vec::<String>::new());
    }
}

/// A change that a store must never make, at some link.
#[derive(Debug, Clone)]
enum Tampering {
    Dropped(Index),
    Repeated(Index),
    Renumbered(Index),
    AssetIdChanged(Index),
    PreviousChanged(Index),
    SourceChanged(Index),
    EvidenceCopied(Index),
    TimeChanged(Index),
    MovedToOtherWorkspace(Index),
    MovedToOtherItem(Index),
    MovedToOtherPurchase(Index),
    HeadMoved(fn(&mut ChainHead)),
}

fn any_tampering() -> impl Strategy<Value = Tampering> {
    let at_link = select(vec![
        Tampering::Dropped as fn(Index) -> Tampering,
        Tampering::Repeated,
        Tampering::Renumbered,
        Tampering::AssetIdChanged,
        Tampering::PreviousChanged,
        Tampering::SourceChanged,
        Tampering::EvidenceCopied,
        Tampering::TimeChanged,
        Tampering::MovedToOtherWorkspace,
        Tampering::MovedToOtherItem,
        Tampering::MovedToOtherPurchase,
    ]);
    let at_tip = select(vec![
        Tampering::HeadMoved(|head| head.step += 1),
        Tampering::HeadMoved(|head| head.asset_id = asset(99)),
        Tampering::HeadMoved(|head| head.source = other_source(head.source)),
        Tampering::HeadMoved(|head| head.origin = other_source(head.origin)),
        Tampering::HeadMoved(|head| head.at = at(-99)),
    ]);
    prop_oneof![4 => (at_link, any::<Index>()).prop_map(|(kind, which)| kind(which)), 1 => at_tip]
}

fn other_source(source: Source) -> Source {
    if source == Source::Transfer { Source::SaleReturn } else { Source::Transfer }
}

impl Tampering {
    fn apply(&self, chain: &mut Chain) {
        let links = &mut chain.links;
        let many = links.len();
        match self {
            Self::Dropped(which) => drop(links.remove(which.index(many))),
            Self::Repeated(which) => links.insert(which.index(many), which.get(links).clone()),
            Self::Renumbered(which) => which.get_mut(links).step += 1,
            Self::AssetIdChanged(which) => which.get_mut(links).asset_id = asset(99),
            Self::PreviousChanged(which) => which.get_mut(links).previous = Some(asset(99)),
            Self::SourceChanged(which) => {
                let link = which.get_mut(links);
                link.source = if link.step == 0 { Source::Inventory } else { Source::Listing };
            }
            Self::EvidenceCopied(which) => {
                let mut copy = which.get(links).clone();
                copy.step = chain.head.step + 1;
                links.push(copy);
            }
            Self::TimeChanged(which) => {
                // The first link later than all others; if it is the only one, only the item shows it.
                let link = which.get_mut(links);
                link.created_at = at(if link.step == 0 { 99 } else { -99 });
            }
            Self::MovedToOtherWorkspace(which) => which.get_mut(links).workspace_id = id(9),
            Self::MovedToOtherItem(which) => which.get_mut(links).inventory_item_id = id(9),
            Self::MovedToOtherPurchase(which) => which.get_mut(links).purchase_id = id(9),
            Self::HeadMoved(change) => change(&mut chain.head),
        }
    }
}
