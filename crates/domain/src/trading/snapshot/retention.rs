//! How long snapshots are kept: all of two days, then one a day.

use std::collections::BTreeMap;

use ::time::Duration;

use super::{Snapshot, SnapshotStatus};
use crate::id::SnapshotId;
use crate::time::Timestamp;

/// For how long every snapshot is kept. A person who inspects a problem of the weekend on Monday finds all of it.
pub const KEPT_WHOLE_FOR: Duration = Duration::hours(48);
/// For how long one snapshot a day is kept. A trade can be disputed for some weeks.
pub const KEPT_DAILY_FOR: Duration = Duration::days(90);

/// When a snapshot was.
fn time_of(snapshot: &Snapshot) -> Timestamp {
    snapshot.taken_at.unwrap_or(snapshot.created_at)
}

/// Returns those of the snapshots of an account that are no longer kept, the oldest first.
///
/// The last complete one of each day is kept longer. The latest complete one is always kept, however old: the next one is compared
/// with it. One that is not compared yet keeps those before it.
pub fn outdated(snapshots: &[Snapshot], now: Timestamp) -> Vec<SnapshotId> {
    let mut by_time: Vec<&Snapshot> = snapshots.iter().collect();
    by_time.sort_by_key(|snapshot| (time_of(snapshot), snapshot.number, snapshot.id));
    let is_complete = |snapshot: &&&Snapshot| snapshot.status == SnapshotStatus::Complete;
    let latest = by_time.iter().rev().find(is_complete).map(|snapshot| snapshot.id);
    let waiting = by_time.iter().position(|snapshot| !snapshot.is_compared).unwrap_or(by_time.len());
    // Later ones replace earlier ones of their day.
    let of_day = by_time.iter().filter(is_complete).map(|snapshot| (time_of(snapshot).start_of_day(), snapshot.id));
    let last_of_day: BTreeMap<Timestamp, SnapshotId> = of_day.collect();
    let before_waiting = by_time.iter().take(waiting).rev().find(is_complete).map(|snapshot| snapshot.id);
    let is_outdated = |snapshot: &&Snapshot| {
        let (at, id) = (time_of(snapshot), snapshot.id);
        let age = now.since(at);
        let is_last_of_day = last_of_day.get(&at.start_of_day()) == Some(&id);
        let is_needed = Some(id) == latest || Some(id) == before_waiting || !snapshot.is_compared;
        !is_needed && age > KEPT_WHOLE_FOR && (age > KEPT_DAILY_FOR || !is_last_of_day)
    };
    by_time.into_iter().filter(is_outdated).map(|snapshot| snapshot.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::{AppId, ContextId};
    use crate::id::{AccountId, RecordKey, WorkspaceId};
    use crate::trading::snapshot::{SnapshotContext, SnapshotTrigger};

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::hours(hours))
    }

    fn id(hours: i64) -> SnapshotId {
        SnapshotId::from_bytes(u128::try_from(hours).unwrap().to_be_bytes())
    }

    /// A snapshot of an hour, which is its number and its id.
    fn taken(hours: i64, is_complete: bool) -> Snapshot {
        let key = RecordKey { workspace_id: WorkspaceId::from_bytes([1; 16]), id: id(hours) };
        let asked = Snapshot::asked(key, AccountId::from_bytes([3; 16]), SnapshotTrigger::Schedule, at(hours));
        let (app_id, context_id) = (AppId::CS2, ContextId::ORDINARY);
        let contexts = vec![SnapshotContext { app_id, context_id, shown: 0, is_complete }];
        let number = u32::try_from(hours).unwrap();
        let taken = asked.numbered(number, at(hours)).unwrap().taken(contexts, at(hours), at(hours)).unwrap();
        taken.with_changes(0, true, at(hours))
    }

    fn outdated_hours(snapshots: &[Snapshot], now: i64) -> Vec<i64> {
        let hours = |id: SnapshotId| i64::try_from(u128::from_be_bytes(id.to_bytes())).unwrap();
        outdated(snapshots, at(now)).into_iter().map(hours).collect()
    }

    #[test]
    fn everything_of_two_days_is_kept() {
        let snapshots: Vec<Snapshot> = (0..48).map(|hour| taken(hour, hour % 5 != 0)).collect();
        assert_eq!(outdated_hours(&snapshots, 48), [0_i64; 0]);
    }

    #[test]
    fn then_the_last_complete_snapshot_of_each_day_is_kept() {
        let snapshots = [taken(1, true), taken(20, true), taken(23, false), taken(30, true), taken(100, true)];
        assert_eq!(outdated_hours(&snapshots, 100), [1, 23]);
    }

    #[test]
    fn after_ninety_days_nothing_is_kept_but_the_latest_complete_one() {
        let (day, now) = (24, 24 * 200);
        let snapshots = [taken(1, true), taken(day, true), taken(2 * day, false)];
        assert_eq!(outdated_hours(&snapshots, now), [1, 2 * day]);
    }

    #[test]
    fn a_snapshot_that_is_not_compared_keeps_itself_and_the_one_before_it() {
        let waiting = taken(30, true).with_changes(0, false, at(30));
        let snapshots = [taken(1, true), taken(2, true), waiting, taken(31, true), taken(2_500, true)];
        assert_eq!(outdated_hours(&snapshots, 2_500), [1, 31]);
    }
}
