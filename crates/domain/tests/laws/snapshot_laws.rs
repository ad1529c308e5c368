//! Snapshots of random inventories: their changes, replayed, give the last one, and a partial reading reports nothing as missing.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tradepost_domain::asset::{AppId, AssetId, ContextId, Wear};
use tradepost_domain::id::{AccountId, RecordKey, SnapshotId, WorkspaceId};
use tradepost_domain::text::{ExternalId, Text};
use tradepost_domain::trading::snapshot::{
    ChangeKind, Explanation, Face, ItemPlace, ShownItem, Snapshot, SnapshotContext, SnapshotDifference,
    SnapshotTrigger, TradeMove, differences,
};

use crate::given::at;

/// What happens to an inventory; the number chooses the item.
#[derive(Debug, Clone)]
enum Happening {
    /// An item arrives by a trade, under protection or not.
    Arrives { wear: u8, is_protected: bool, is_known: bool },
    /// An item leaves by a trade.
    Leaves { which: u8, is_known: bool },
    /// An item that had left comes back, or the platform gives one another id.
    Renamed { which: u8, is_known: bool },
    /// The protection of an item ends.
    Unprotected { which: u8 },
    /// The platform sets another lock.
    Locked { which: u8, hours: i64 },
    /// The inventory is read; some of it is not shown where a part is.
    Read { hidden: Option<u8> },
}

fn any_happening() -> impl Strategy<Value = Happening> {
    let read = || prop::option::weighted(0.3, 1_u8..4);
    prop_oneof![
        3 => (0_u8..6, any::<bool>(), any::<bool>())
            .prop_map(|(wear, is_protected, is_known)| Happening::Arrives { wear, is_protected, is_known }),
        2 => (any::<u8>(), any::<bool>()).prop_map(|(which, is_known)| Happening::Leaves { which, is_known }),
        2 => (any::<u8>(), any::<bool>()).prop_map(|(which, is_known)| Happening::Renamed { which, is_known }),
        1 => any::<u8>().prop_map(|which| Happening::Unprotected { which }),
        1 => (any::<u8>(), 0_i64..5).prop_map(|(which, hours)| Happening::Locked { which, hours }),
        4 => read().prop_map(|hidden| Happening::Read { hidden }),
    ]
}

/// An inventory at the platform, with the trades that are known since the last complete reading.
#[derive(Default)]
struct Inventory {
    items: Vec<ShownItem>,
    next_id: u64,
    trades: u64,
    moves: Vec<TradeMove>,
    readings: Vec<(Snapshot, Vec<ShownItem>)>,
}

impl Inventory {
    /// An inventory to which all of this has happened.
    fn lived(happenings: &[Happening]) -> Self {
        let mut inventory = Self::default();
        for happening in happenings {
            inventory.happen(happening);
        }
        inventory
    }

    fn fresh_id(&mut self) -> AssetId {
        self.next_id += 1;
        AssetId::new(&self.next_id.to_string()).unwrap()
    }

    fn place(&self, which: u8) -> Option<usize> {
        usize::from(which).checked_rem(self.items.len())
    }

    fn trade(&mut self, is_known: bool, left: Option<AssetId>, arrived: Option<AssetId>) {
        self.trades += 1;
        let trade_id = ExternalId::new(&format!("trade-{}", self.trades)).unwrap();
        self.moves.extend(is_known.then_some(TradeMove { trade_id, app_id: AppId::CS2, left, arrived }));
    }

    fn happen(&mut self, happening: &Happening) {
        match *happening {
            Happening::Arrives { wear, is_protected, is_known } => self.arrive(wear, is_protected, is_known),
            Happening::Leaves { which, is_known } => {
                if let Some(place) = self.place(which) {
                    let left = self.items.swap_remove(place).place.asset_id;
                    self.trade(is_known, Some(left), None);
                }
            }
            Happening::Renamed { which, is_known } => {
                if let Some(place) = self.place(which) {
                    let id = self.fresh_id();
                    let left = std::mem::replace(&mut self.items[place].place.asset_id, id.clone());
                    self.trade(is_known, Some(left), Some(id));
                }
            }
            Happening::Unprotected { which } => {
                if let Some(place) = self.place(which) {
                    let place = &mut self.items[place].place;
                    (place.context_id, place.locked_until) = (ContextId::ORDINARY, None);
                }
            }
            Happening::Locked { which, hours } => {
                if let Some(place) = self.place(which) {
                    self.items[place].place.locked_until = (hours > 0).then(|| at(hours));
                }
            }
            Happening::Read { hidden } => self.read(hidden),
        }
    }

    fn arrive(&mut self, wear: u8, is_protected: bool, is_known: bool) {
        let asset_id = self.fresh_id();
        let context_id = if is_protected { ContextId::PROTECTED } else { ContextId::ORDINARY };
        let wear = (wear > 0).then(|| Wear::new(&format!("0.{wear}")).unwrap());
        self.items.push(ShownItem {
            app_id: AppId::CS2,
            market_hash_name: Text::new("AK-47 | Redline (Field-Tested)").unwrap(),
            face: Face { wear, paint_seed: Some(1), phase: None },
            place: ItemPlace { asset_id: asset_id.clone(), context_id, locked_until: is_protected.then(|| at(9)) },
        });
        self.trade(is_known, None, Some(asset_id));
    }

    /// Takes a snapshot, which does not show every `hidden`th item if there is such a number.
    fn read(&mut self, hidden: Option<u8>) {
        let is_shown = |place: usize| hidden.is_none_or(|hidden| !place.is_multiple_of(usize::from(hidden)));
        let shown: Vec<ShownItem> =
            self.items.iter().enumerate().filter(|(place, _)| is_shown(*place)).map(|(_, item)| item.clone()).collect();
        let number = u32::try_from(self.readings.len()).unwrap() + 1;
        let key = RecordKey { workspace_id: WorkspaceId::from_bytes([1; 16]), id: SnapshotId::from_bytes([2; 16]) };
        let asked = Snapshot::asked(key, AccountId::from_bytes([3; 16]), SnapshotTrigger::Schedule, at(0));
        let context = SnapshotContext {
            app_id: AppId::CS2,
            context_id: ContextId::ORDINARY,
            shown: u32::try_from(shown.len()).unwrap(),
            is_complete: hidden.is_none(),
        };
        let taken = asked.numbered(number, at(0)).unwrap().taken(vec![context], at(0), at(0)).unwrap();
        self.readings.push((taken, shown));
    }
}

type Replayed = BTreeMap<AssetId, ItemPlace>;

fn places(items: &[ShownItem]) -> Replayed {
    items.iter().map(|item| (item.place.asset_id.clone(), item.place.clone())).collect()
}

fn replay(shown: &mut Replayed, difference: &SnapshotDifference) {
    let before = &difference.item.place;
    if difference.kind == ChangeKind::Appeared {
        assert_eq!(shown.insert(before.asset_id.clone(), before.clone()), None, "it appeared once");
        return;
    }
    assert_eq!(shown.remove(&before.asset_id).as_ref(), Some(before), "it was there as the change says");
    if let Some(after) = &difference.after {
        assert_eq!(shown.insert(after.asset_id.clone(), after.clone()), None);
    }
}

/// The differences between each two complete snapshots that follow each other, and how often such two were compared.
fn compared(inventory: &Inventory) -> Vec<(Vec<ShownItem>, Vec<ShownItem>, Vec<SnapshotDifference>)> {
    let (mut found, mut last) = (Vec::new(), None::<&(Snapshot, Vec<ShownItem>)>);
    for reading in &inventory.readings {
        let (snapshot, shown) = reading;
        match last {
            Some((before, from)) if before.comparable_with(snapshot).is_some() => {
                found.push((from.clone(), shown.clone(), differences(from, shown, &inventory.moves)));
                last = Some(reading);
            }
            None if snapshot.is_compared => {}
            None => last = Some(reading),
            Some(_) => assert!(snapshot.is_compared, "only a part is compared with nothing"),
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn changes_replayed_over_the_first_complete_snapshot_give_the_last_one(
        happenings in prop::collection::vec(any_happening(), 1..40),
    ) {
        let inventory = Inventory::lived(&happenings);
        let compared = compared(&inventory);
        if let (Some((first, _, _)), Some((_, last, _))) = (compared.first(), compared.last()) {
            let mut shown = places(first);
            for difference in compared.iter().flat_map(|(_, _, differences)| differences) {
                replay(&mut shown, difference);
            }
            prop_assert_eq!(shown, places(last));
        }
    }

    #[test]
    fn a_partial_reading_reports_no_item_as_missing(
        happenings in prop::collection::vec(any_happening(), 1..40),
    ) {
        let inventory = Inventory::lived(&happenings);
        for (_, to, found) in compared(&inventory) {
            for difference in found.iter().filter(|found| found.kind == ChangeKind::Disappeared) {
                let id = &difference.item.place.asset_id;
                let is_in_reading = to.iter().any(|item| item.place.asset_id == *id);
                let is_complete = inventory.readings.iter().any(|(snapshot, shown)| !snapshot.is_compared && *shown == to);
                prop_assert!(is_complete && !is_in_reading, "{:?}", difference);
            }
        }
    }

    #[test]
    fn each_item_is_in_one_difference_and_a_trade_explains_what_it_moved(
        happenings in prop::collection::vec(any_happening(), 1..40),
    ) {
        let inventory = Inventory::lived(&happenings);
        for (from, to, found) in compared(&inventory) {
            let mut before: Vec<_> = found.iter().filter(|found| found.kind != ChangeKind::Appeared).collect();
            let count = before.len();
            before.dedup_by_key(|found| found.item.place.asset_id.clone());
            prop_assert_eq!(before.len(), count);
            prop_assert!(found.len() <= from.len() + to.len());
            for difference in &found {
                if let Some(Explanation::Trade(trade)) = &difference.explanation {
                    let moved = inventory.moves.iter().find(|moved| moved.trade_id == *trade).unwrap();
                    let ids = [&moved.left, &moved.arrived];
                    prop_assert!(difference.asset_ids().all(|id| ids.contains(&&Some(id.clone()))));
                }
            }
        }
    }
}
