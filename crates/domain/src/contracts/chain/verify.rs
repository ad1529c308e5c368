//! Checks a stored chain against every law, and says in words what is broken and where.

use std::collections::BTreeMap;
use std::fmt;

use super::{AssetIdLink, ChainHead, ChainOwner, Source};
use crate::asset::AssetId;
use crate::time::Timestamp;

/// A law that a stored chain breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainProblem {
    /// The step at which it is broken, counted from 0 by position.
    pub step: u32,
    /// The law and what was found.
    pub law: ChainLaw,
}

/// The laws of a stored chain, each with what was found instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChainLaw {
    /// An item has at least one link.
    #[error("the chain has no links")]
    Empty,
    /// Steps count 0, 1, 2 without a gap.
    #[error("the link is numbered {found}")]
    Gap {
        /// The step that the link says it is.
        found: u32,
    },
    /// The first link is a listing or an import, and no later one is.
    #[error("the chain starts with {found}, not with listing or import")]
    WrongStart {
        /// The source of the first link.
        found: Source,
    },
    /// Each link names the asset id of the link before it, the first one none.
    #[error("the previous asset id is {found}, the step before has {expected}", found = or_none(.found.as_ref()), expected = or_none(.expected.as_ref()))]
    WrongPrevious {
        /// The asset id of the step before.
        expected: Option<AssetId>,
        /// The one that the link names.
        found: Option<AssetId>,
    },
    /// Only certain sources may follow each other.
    #[error("{found} cannot follow {after}")]
    IllegalSuccessor {
        /// The source of the step before.
        after: Source,
        /// The source of this step.
        found: Source,
    },
    /// A trade gives a new asset id.
    #[error("{found} did not change the asset id")]
    IdUnchanged {
        /// The source of this step.
        found: Source,
    },
    /// Only a bought item can have its purchase reversed.
    #[error("the purchase of an item that was not bought is reversed")]
    NotBought,
    /// A fact is recorded once.
    #[error("the same fact is recorded at step {first} already")]
    DuplicateEvidence {
        /// The first step that records it.
        first: u32,
    },
    /// Links are recorded in the order of time.
    #[error("recorded at {found}, before the step before it ({previous})")]
    TimeGoesBack {
        /// When the step before was recorded.
        previous: Timestamp,
        /// When this step was recorded.
        found: Timestamp,
    },
    /// Each link carries the workspace, the item and the purchase of its item.
    #[error("the link belongs to another {0}")]
    Foreign(
        /// What differs: `workspace`, `inventory item` or `purchase`.
        &'static str,
    ),
    /// The item's head repeats the last link.
    #[error("the item says that its {field} is {item}, the chain says {chain}")]
    TipDiffers {
        /// What differs.
        field: &'static str,
        /// What the item says.
        item: String,
        /// What the links say.
        chain: String,
    },
}

impl fmt::Display for ChainProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.law)
    }
}

fn or_none(asset_id: Option<&AssetId>) -> &str {
    asset_id.map_or("none", AssetId::as_str)
}

/// Checks the links of one item, in the order of their steps, against every law and against the item's `head`.
///
/// Gives every broken law; none means that the chain is whole.
pub fn verify(links: &[AssetIdLink], owner: ChainOwner, head: &ChainHead) -> Vec<ChainProblem> {
    let mut problems = Vec::new();
    let mut facts = BTreeMap::new();
    let mut previous: Option<&AssetIdLink> = None;
    for (step, link) in (0_u32..).zip(links) {
        let mut broken = |law| problems.push(ChainProblem { step, law });
        check_ownership(link, owner, &mut broken);
        if link.step != step {
            broken(ChainLaw::Gap { found: link.step });
        }
        let expected = previous.map(|before| before.asset_id.clone());
        if link.previous != expected {
            broken(ChainLaw::WrongPrevious { expected, found: link.previous.clone() });
        }
        match previous {
            None if !link.source.starts_chain() => broken(ChainLaw::WrongStart { found: link.source }),
            None => {}
            Some(before) => check_succession(before, link, &mut broken),
        }
        let not_bought = links.first().is_some_and(|first| first.source != Source::Listing);
        if link.source.needs_bought_origin() && not_bought {
            broken(ChainLaw::NotBought);
        }
        let first = *facts.entry((link.source, &link.source_id)).or_insert(step);
        if first != step {
            broken(ChainLaw::DuplicateEvidence { first });
        }
        previous = Some(link);
    }
    check_head(links, head, &mut problems);
    problems
}

fn check_ownership(link: &AssetIdLink, owner: ChainOwner, broken: &mut impl FnMut(ChainLaw)) {
    if link.workspace_id != owner.workspace_id {
        broken(ChainLaw::Foreign("workspace"));
    }
    if link.inventory_item_id != owner.inventory_item_id {
        broken(ChainLaw::Foreign("inventory item"));
    }
    if link.purchase_id != owner.purchase_id {
        broken(ChainLaw::Foreign("purchase"));
    }
}

fn check_succession(before: &AssetIdLink, link: &AssetIdLink, broken: &mut impl FnMut(ChainLaw)) {
    if !link.source.may_follow(before.source) {
        broken(ChainLaw::IllegalSuccessor { after: before.source, found: link.source });
    }
    if link.source.must_change_id() && link.asset_id == before.asset_id {
        broken(ChainLaw::IdUnchanged { found: link.source });
    }
    if link.created_at < before.created_at {
        broken(ChainLaw::TimeGoesBack { previous: before.created_at, found: link.created_at });
    }
}

fn check_head(links: &[AssetIdLink], head: &ChainHead, problems: &mut Vec<ChainProblem>) {
    let (Some(first), Some(last)) = (links.first(), links.last()) else {
        problems.push(ChainProblem { step: 0, law: ChainLaw::Empty });
        return;
    };
    let pairs = [
        ("last step", head.step.to_string(), last.step.to_string()),
        ("current asset id", head.asset_id.to_string(), last.asset_id.to_string()),
        ("last source", head.source.to_string(), last.source.to_string()),
        ("first source", head.origin.to_string(), first.source.to_string()),
        ("last change of asset id", head.at.to_string(), last.created_at.to_string()),
    ];
    for (field, item, chain) in pairs {
        if item != chain {
            problems.push(ChainProblem { step: last.step, law: ChainLaw::TipDiffers { field, item, chain } });
        }
    }
}
