//! The differences between two complete snapshots, and what explains each.
//!
//! A trade's map from old ids to new ones explains first. Then an item that has the same wear and seed under another id is the same item,
//! if no other item could be it. An item whose trade protection ended has changed its context. Nothing explains the rest.

use std::collections::BTreeMap;

use super::{ItemPlace, ShownItem};
use crate::asset::{AppId, AssetId, ContextId};
use crate::float_value::FloatValue;
use crate::names::names;
use crate::text::{ExternalId, MarketHashName};

/// What changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// The later snapshot shows an item that the earlier one does not.
    Appeared = 1,
    /// The earlier snapshot shows an item that the later one does not.
    Disappeared = 2,
    /// The same item has another asset id.
    AssetIdChanged = 3,
    /// The same item is in another context.
    ContextChanged = 4,
    /// The same item is locked until another time.
    LockChanged = 5,
}

names! { ChangeKind, "kind of inventory change":
    Appeared => "APPEARED",
    Disappeared => "DISAPPEARED",
    AssetIdChanged => "ASSET_ID_CHANGED",
    ContextChanged => "CONTEXT_CHANGED",
    LockChanged => "LOCK_CHANGED",
}

/// What explains a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Explanation {
    /// This trade has moved the item.
    Trade(ExternalId),
    /// It is the only item with this wear and seed in both snapshots.
    SameItem,
    /// Its trade protection ended.
    ProtectionEnded,
    /// The platform has set another time. It needs no explanation.
    LockMoved,
}

impl Explanation {
    /// The explanation in words, as it is recorded.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Trade(_) => "a trade moved it",
            Self::SameItem => "the only item with this wear and seed",
            Self::ProtectionEnded => "its trade protection ended",
            Self::LockMoved => "the platform set another time",
        }
    }

    /// The trade, if it is one.
    pub const fn trade_id(&self) -> Option<&ExternalId> {
        match self {
            Self::Trade(id) => Some(id),
            Self::SameItem | Self::ProtectionEnded | Self::LockMoved => None,
        }
    }
}

/// How a trade moved one item, as the account sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeMove {
    /// The trade.
    pub trade_id: ExternalId,
    /// The game.
    pub app_id: AppId,
    /// The id under which the account no longer has it.
    pub left: Option<AssetId>,
    /// The id under which the account has it now.
    pub arrived: Option<AssetId>,
}

/// A difference between two snapshots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotDifference {
    /// What changed.
    pub kind: ChangeKind,
    /// The item as the earlier snapshot shows it; as the later one does if it appeared.
    pub item: ShownItem,
    /// Where the later snapshot shows it, unless it appeared or disappeared.
    pub after: Option<ItemPlace>,
    /// What explains it.
    pub explanation: Option<Explanation>,
}

impl SnapshotDifference {
    /// The ids that it is about.
    pub fn asset_ids(&self) -> impl Iterator<Item = &AssetId> {
        std::iter::once(&self.item.place.asset_id).chain(self.after.as_ref().map(|after| &after.asset_id))
    }
}

type Key<'a> = (AppId, &'a AssetId);
type Shown<'a> = BTreeMap<Key<'a>, &'a ShownItem>;

fn by_id(items: &[ShownItem]) -> Shown<'_> {
    items.iter().map(|item| ((item.app_id, &item.place.asset_id), item)).collect()
}

/// Returns the differences between two complete snapshots of the same games, by the ids that the items had.
pub fn differences(from: &[ShownItem], to: &[ShownItem], moves: &[TradeMove]) -> Vec<SnapshotDifference> {
    let (before, after) = (by_id(from), by_id(to));
    let mut left: Shown<'_> = before.clone();
    left.retain(|key, _| !after.contains_key(key));
    let mut arrived: Shown<'_> = after.clone();
    arrived.retain(|key, _| !before.contains_key(key));
    let stayed = before.iter().filter_map(|(key, item)| after.get(key).and_then(|now| moved_in_place(item, now)));
    let mut found: Vec<SnapshotDifference> = stayed.collect();
    found.extend(renamed_by_trades(&mut left, &mut arrived, moves));
    found.extend(renamed_by_faces(&mut left, &mut arrived));
    found.extend(left.values().map(|item| alone(ChangeKind::Disappeared, item, moves, |moved| moved.left.as_ref())));
    found.extend(arrived.values().map(|item| alone(ChangeKind::Appeared, item, moves, |moved| moved.arrived.as_ref())));
    found.sort_by(|one, other| place_of(one).cmp(&place_of(other)));
    found
}

/// The place of a difference in their order.
fn place_of(difference: &SnapshotDifference) -> (AppId, &AssetId) {
    (difference.item.app_id, &difference.item.place.asset_id)
}

/// What changed of an item that kept its id.
fn moved_in_place(before: &ShownItem, now: &ShownItem) -> Option<SnapshotDifference> {
    let (from, to) = (&before.place, &now.place);
    let (kind, explanation) = if from.context_id != to.context_id {
        let protection_ended = from.context_id == ContextId::PROTECTED && to.context_id == ContextId::ORDINARY;
        (ChangeKind::ContextChanged, protection_ended.then_some(Explanation::ProtectionEnded))
    } else if from.locked_until != to.locked_until {
        (ChangeKind::LockChanged, Some(Explanation::LockMoved))
    } else {
        return None;
    };
    Some(SnapshotDifference { kind, item: before.clone(), after: Some(to.clone()), explanation })
}

fn renamed(before: &ShownItem, now: &ShownItem, explanation: Explanation) -> SnapshotDifference {
    SnapshotDifference {
        kind: ChangeKind::AssetIdChanged,
        item: before.clone(),
        after: Some(now.place.clone()),
        explanation: Some(explanation),
    }
}

/// Takes out the items of which a trade says both ids.
fn renamed_by_trades<'a>(
    left: &mut Shown<'a>,
    arrived: &mut Shown<'a>,
    moves: &'a [TradeMove],
) -> Vec<SnapshotDifference> {
    let mut found = Vec::new();
    for moved in moves {
        let (Some(from), Some(to)) = (&moved.left, &moved.arrived) else { continue };
        let (from, to) = ((moved.app_id, from), (moved.app_id, to));
        let both = left.get(&from).copied().zip(arrived.get(&to).copied());
        if let Some((before, now)) = both.filter(|(before, now)| before.market_hash_name == now.market_hash_name) {
            left.remove(&from);
            arrived.remove(&to);
            found.push(renamed(before, now, Explanation::Trade(moved.trade_id.clone())));
        }
    }
    found
}

/// What identifies an item: without a wear, nothing does.
type Likeness<'a> = (AppId, &'a MarketHashName, FloatValue, Option<u32>);

fn likeness(item: &ShownItem) -> Option<Likeness<'_>> {
    let wear = FloatValue::from(item.face.wear.as_ref()?);
    Some((item.app_id, &item.market_hash_name, wear, item.face.paint_seed))
}

/// Takes out the items that are the only ones like each other.
fn renamed_by_faces<'a>(left: &mut Shown<'a>, arrived: &mut Shown<'a>) -> Vec<SnapshotDifference> {
    let mut alike: BTreeMap<Likeness<'a>, [Vec<&'a ShownItem>; 2]> = BTreeMap::new();
    for (side, items) in [&*left, &*arrived].into_iter().enumerate() {
        for item in items.values().copied() {
            if let Some(like) = likeness(item)
                && let Some(of_side) = alike.entry(like).or_default().get_mut(side)
            {
                of_side.push(item);
            }
        }
    }
    let mut found = Vec::new();
    for pair in alike.into_values() {
        if let ([before], [now]) = (pair[0].as_slice(), pair[1].as_slice()) {
            left.remove(&(before.app_id, &before.place.asset_id));
            arrived.remove(&(now.app_id, &now.place.asset_id));
            found.push(renamed(before, now, Explanation::SameItem));
        }
    }
    found
}

/// An item that only one of the snapshots shows.
fn alone(
    kind: ChangeKind,
    item: &ShownItem,
    moves: &[TradeMove],
    id: impl Fn(&TradeMove) -> Option<&AssetId>,
) -> SnapshotDifference {
    let explains = |moved: &&TradeMove| moved.app_id == item.app_id && id(moved) == Some(&item.place.asset_id);
    let explanation = moves.iter().find(explains).map(|moved| Explanation::Trade(moved.trade_id.clone()));
    SnapshotDifference { kind, item: item.clone(), after: None, explanation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::Wear;
    use crate::text::Text;
    use crate::time::Timestamp;
    use crate::trading::snapshot::Face;
    use ::time::Duration;

    fn id(number: u64) -> AssetId {
        AssetId::new(&number.to_string()).unwrap()
    }

    /// An item of a wear that its number gives.
    fn item(asset: u64, wear: u64) -> ShownItem {
        let wear = (wear > 0).then(|| Wear::new(&format!("0.{wear}")).unwrap());
        ShownItem {
            app_id: AppId::CS2,
            market_hash_name: Text::new("AK-47 | Redline (Field-Tested)").unwrap(),
            face: Face { wear, paint_seed: Some(412), phase: None },
            place: ItemPlace { asset_id: id(asset), context_id: ContextId::ORDINARY, locked_until: None },
        }
    }

    fn protected(asset: u64) -> ShownItem {
        let item = item(asset, 1);
        let locked_until = Some(Timestamp::from_micros(0).unwrap().plus(Duration::DAY));
        ShownItem { place: ItemPlace { context_id: ContextId::PROTECTED, locked_until, ..item.place.clone() }, ..item }
    }

    fn trade(left: Option<u64>, arrived: Option<u64>) -> TradeMove {
        let trade_id = ExternalId::new("trade-1").unwrap();
        TradeMove { trade_id, app_id: AppId::CS2, left: left.map(id), arrived: arrived.map(id) }
    }

    /// Kind, ids and explanation of each difference.
    fn seen(from: &[ShownItem], to: &[ShownItem], moves: &[TradeMove]) -> Vec<(ChangeKind, Vec<String>, &'static str)> {
        let shown = |found: &SnapshotDifference| {
            let ids = found.asset_ids().map(ToString::to_string).collect();
            (found.kind, ids, found.explanation.as_ref().map_or("", Explanation::as_str))
        };
        differences(from, to, moves).iter().map(shown).collect()
    }

    fn ids<const N: usize>(ids: [&str; N]) -> Vec<String> {
        ids.map(str::to_owned).to_vec()
    }

    #[test]
    fn equal_snapshots_have_no_difference() {
        let shown = [item(1, 1), item(2, 2)];
        assert_eq!(seen(&shown, &shown, &[]), []);
    }

    #[test]
    fn a_trade_explains_what_came_and_what_went() {
        let moves = [trade(Some(1), None), trade(None, Some(2))];
        let trade = "a trade moved it";
        let expected = [(ChangeKind::Disappeared, ids(["1"]), trade), (ChangeKind::Appeared, ids(["2"]), trade)];
        assert_eq!(seen(&[item(1, 1)], &[item(2, 2)], &moves), expected);
    }

    #[test]
    fn a_trade_that_returned_an_item_says_its_new_id_although_another_item_is_like_it() {
        let (from, to) = ([item(1, 5), item(2, 5)], [item(3, 5), item(4, 5)]);
        let found = seen(&from, &to, &[trade(Some(1), Some(4))]);
        let by_trade = (ChangeKind::AssetIdChanged, ids(["1", "4"]), "a trade moved it");
        let by_face = (ChangeKind::AssetIdChanged, ids(["2", "3"]), "the only item with this wear and seed");
        assert_eq!(found, [by_trade, by_face]);
    }

    #[test]
    fn an_item_is_the_same_under_another_id_if_no_other_could_be_it() {
        let same = "the only item with this wear and seed";
        let expected = [(ChangeKind::AssetIdChanged, ids(["1", "2"]), same)];
        assert_eq!(seen(&[item(1, 5)], &[item(2, 5)], &[]), expected);
        let kinds = |from: &[ShownItem], to: &[ShownItem]| {
            seen(from, to, &[]).into_iter().map(|(kind, _, _)| kind).collect::<Vec<_>>()
        };
        let (left, came) = (ChangeKind::Disappeared, ChangeKind::Appeared);
        assert_eq!(kinds(&[item(1, 5)], &[item(2, 5), item(3, 5)]), [left, came, came], "it may be either");
        assert_eq!(kinds(&[item(1, 5)], &[item(2, 6)]), [left, came], "another wear");
        assert_eq!(kinds(&[item(1, 0)], &[item(2, 0)]), [left, came], "without a wear nothing identifies it");
    }

    #[test]
    fn an_item_changes_its_context_when_its_protection_ends() {
        let expected = [(ChangeKind::ContextChanged, ids(["1", "1"]), "its trade protection ended")];
        assert_eq!(seen(&[protected(1)], &[item(1, 1)], &[]), expected);
        let back = [(ChangeKind::ContextChanged, ids(["1", "1"]), "")];
        assert_eq!(seen(&[item(1, 1)], &[protected(1)], &[]), back, "nothing explains the way back");
    }

    #[test]
    fn another_lock_of_the_same_item_is_a_difference_of_its_own() {
        let locked = protected(1);
        let place = ItemPlace { locked_until: None, ..locked.place.clone() };
        let free = ShownItem { place, ..locked.clone() };
        let expected = [(ChangeKind::LockChanged, ids(["1", "1"]), "the platform set another time")];
        assert_eq!(seen(&[locked], &[free], &[]), expected);
    }

    #[test]
    fn nothing_explains_what_no_trade_moved() {
        let expected = [(ChangeKind::Disappeared, ids(["1"]), ""), (ChangeKind::Appeared, ids(["2"]), "")];
        assert_eq!(seen(&[item(1, 1)], &[item(2, 2)], &[trade(Some(8), Some(9))]), expected);
    }
}
