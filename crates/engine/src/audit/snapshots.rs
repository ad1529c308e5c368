//! Takes snapshots of inventories: those that people ask for, one after each trade, and one of each account with items every half hour.
//! What changed between two complete ones is recorded with what explains it.
//!
//! One account is read at a time. A process that dies while it reads leaves a snapshot that waits; it is taken again.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::id::AccountId;
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::snapshot::{ItemPlace, ShownItem, Snapshot, SnapshotTrigger, TradeMove};
use tradepost_domain::trading::trading_account::REFRESH_WAITS;
use tradepost_operations::contracts::ItemsOfAccount;
use tradepost_operations::trading::{
    BeginSnapshot, ContextReading, FailSnapshot, GetAccount, RecordInventoryChanges, RecordSnapshot, ReportOrphans,
    SnapshotReading, SnapshotsToTake, ThinSnapshots,
};
use tradepost_ports::game_platform::{Asset, Inventory, MovedAsset, Trade};

use crate::audit::Audit;
use crate::context::Context;
use crate::desk::TradingAccount;
use crate::error::EngineResult;
use crate::mark::{Mark, is_due};

/// Shortest time between two snapshots: the platform limits how often inventories are read from one address.
const SPACING: Duration = Duration::seconds(5);
/// Shortest time from one scheduled snapshot of an account to the next.
const AT_LEAST_EVERY: Duration = Duration::minutes(25);
/// By how much that time differs from account to account and from turn to turn, so that accounts are not read all at once.
const SPREAD: Duration = Duration::minutes(10);
/// How often items that nothing explains are looked for.
const ORPHANS_EVERY: Duration = Duration::MINUTE;
/// Why the snapshot of an account that is not one of the desk is not taken.
const NOT_OF_DESK: &str = "the engine of the workspace does not trade with the account";
/// The most items that are read at once, to learn which games an account has.
const ITEM_PAGE: u32 = 200;

/// When snapshots were taken, and when they are due.
#[derive(Debug, Default)]
pub(crate) struct SnapshotSchedule {
    looked_at: Option<Mark>,
    orphans_at: Option<Mark>,
    due_at: BTreeMap<AccountName, Mark>,
    turns: u8,
}

/// An account of the desk that is on record.
type RecordedAccount = (TradingAccount, AccountId);

/// A snapshot that is to be taken now.
struct DueSnapshot {
    account: TradingAccount,
    account_id: AccountId,
    trigger: SnapshotTrigger,
}

impl SnapshotSchedule {
    /// Returns the accounts whose scheduled snapshot is due, those that have waited longest first, and sets the first time of the others.
    fn overdue(&mut self, accounts: Vec<RecordedAccount>, now: Mark) -> Vec<RecordedAccount> {
        for (account, account_id) in &accounts {
            if !self.due_at.contains_key(&account.name) {
                self.postpone(&account.name, *account_id, now);
            }
        }
        let due_at = |account: &RecordedAccount| self.due_at.get(&account.0.name).copied().filter(|at| *at <= now);
        let mut overdue = accounts;
        overdue.retain(|account| due_at(account).is_some());
        overdue.sort_by_key(due_at);
        overdue
    }

    /// Sets the time of the next scheduled snapshot.
    fn postpone(&mut self, name: &AccountName, account_id: AccountId, now: Mark) {
        self.turns = self.turns.wrapping_add(89);
        let [.., last] = account_id.to_bytes();
        let share = i32::from(last.wrapping_add(self.turns));
        let after = AT_LEAST_EVERY.saturating_add(SPREAD.saturating_mul(share) / i32::from(u8::MAX));
        self.due_at.insert(name.clone(), now.plus(after));
    }
}

impl Audit {
    /// Takes the next snapshot that is due, if it is time, and reports items that nothing explains.
    pub(crate) async fn take_next_snapshot(&mut self, context: &Context) -> EngineResult {
        let now = context.mark();
        if !context.holds_inventory() || !is_due(self.snapshots.looked_at.as_ref(), now, SPACING) {
            return Ok(());
        }
        self.snapshots.looked_at = Some(now);
        let workspace_id = context.desk().workspace_id;
        if is_due(self.snapshots.orphans_at.as_ref(), now, ORPHANS_EVERY) {
            context.operations().report_orphans(context.caller(), ReportOrphans { workspace_id }).await?;
            self.snapshots.orphans_at = Some(now);
        }
        let Some(due) = self.next_snapshot(context, now).await? else { return Ok(()) };
        self.snapshots.postpone(&due.account.name, due.account_id, now);
        let name = due.account.name.clone();
        context.track_session(&name, take_snapshot(context, due)).await
    }

    /// Returns what is due: what a person asked for, or what was begun; then what a trade has changed; then what the schedule says.
    async fn next_snapshot(&mut self, context: &Context, now: Mark) -> EngineResult<Option<DueSnapshot>> {
        let ask = SnapshotsToTake { workspace_id: context.desk().workspace_id };
        for waiting in context.operations().snapshots_to_take(context.caller(), ask).await? {
            let account = context.recorded_accounts_of_desk().find(|(_, id)| *id == waiting.value.account_id);
            if let Some((account, account_id)) = account {
                let trigger = waiting.value.trigger;
                return Ok(Some(DueSnapshot { account: account.clone(), account_id, trigger }));
            }
            end_unless_of_desk(context, &waiting.value).await?;
        }
        let traded = context.take_traded_account();
        for (account, account_id) in context.recorded_accounts_of_desk() {
            if traded.as_ref() == Some(&account.name) {
                let (account, trigger) = (account.clone(), SnapshotTrigger::Trade);
                return Ok(Some(DueSnapshot { account, account_id, trigger }));
            }
        }
        let accounts = context.recorded_accounts_of_desk().map(|(account, id)| (account.clone(), id)).collect();
        for (account, account_id) in context.time_slice().of(self.snapshots.overdue(accounts, now)) {
            self.snapshots.postpone(&account.name, account_id, now);
            if !games_of(context, &account).await?.is_empty() {
                return Ok(Some(DueSnapshot { account, account_id, trigger: SnapshotTrigger::Schedule }));
            }
        }
        Ok(None)
    }
}

/// Ends a snapshot that has waited for [`REFRESH_WAITS`] if its account is not one of the desk. One whose items are partly recorded stays.
async fn end_unless_of_desk(context: &Context, waiting: &Snapshot) -> EngineResult {
    if waiting.number.is_some() || context.now().since(waiting.created_at) < REFRESH_WAITS {
        return Ok(());
    }
    let (operations, caller, workspace_id) = (context.operations(), context.caller(), context.desk().workspace_id);
    let get = GetAccount { workspace_id, account_id: waiting.account_id };
    let account = operations.get_account(caller, get).await?;
    if context.desk().account(&account.value.name).is_none() {
        let (snapshot_id, why) = (waiting.id, NOT_OF_DESK.to_owned());
        operations.fail_snapshot(caller, FailSnapshot { workspace_id, snapshot_id, why }).await?;
    }
    Ok(())
}

/// Returns the games of the items that an account has by our records.
async fn games_of(context: &Context, account: &TradingAccount) -> EngineResult<BTreeSet<AppId>> {
    let (workspace_id, mut games, mut after) = (context.desk().workspace_id, BTreeSet::new(), None);
    loop {
        let ask = ItemsOfAccount { workspace_id, account_name: account.name.clone(), after, most: ITEM_PAGE };
        let slice = context.operations().items_of_account(context.caller(), ask).await?;
        games.extend(slice.iter().map(|item| item.value.app_id));
        after = slice.last().map(|last| last.value.id);
        if slice.len() < ITEM_PAGE as usize {
            return Ok(games);
        }
    }
}

/// Takes a snapshot of an account, and records what changed.
async fn take_snapshot(context: &Context, due: DueSnapshot) -> EngineResult {
    let DueSnapshot { account, account_id, trigger } = due;
    let (operations, caller, workspace_id) = (context.operations(), context.caller(), context.desk().workspace_id);
    let begun = operations.begin_snapshot(caller, BeginSnapshot { workspace_id, account_id, trigger }).await?;
    let snapshot_id = begun.value.id;
    let (reading, moves) = match read_account(context, &account).await {
        Ok(read) => read,
        Err(error) => {
            let why = error.to_string();
            operations.fail_snapshot(caller, FailSnapshot { workspace_id, snapshot_id, why }).await?;
            return Err(error);
        }
    };
    let compare = || RecordInventoryChanges { workspace_id, account_id, moves: moves.clone() };
    // What another process has left is recorded before there is a later snapshot.
    operations.record_inventory_changes(caller, compare()).await?;
    operations.record_snapshot(caller, RecordSnapshot { workspace_id, snapshot_id, reading }).await?;
    operations.record_inventory_changes(caller, compare()).await?;
    operations.thin_snapshots(caller, ThinSnapshots { workspace_id, account_id }).await?;
    Ok(())
}

/// Reads the inventory of an account, and how trades moved its items. Without the trades nothing is recorded: the changes up to a snapshot
/// have to be compared before there is a later one.
async fn read_account(context: &Context, account: &TradingAccount) -> EngineResult<(SnapshotReading, Vec<TradeMove>)> {
    let reading = read_inventory(context, account).await?;
    // After the inventory, so that a trade that it shows is among them.
    let since = context.now().plus(-context.timings().trade_lookback);
    let trades = context.desk().platform.trades(account.address.user, since).await?;
    Ok((reading, trades.iter().flat_map(moves_of).collect()))
}

/// Reads every context of the games that an account has.
async fn read_inventory(context: &Context, account: &TradingAccount) -> EngineResult<SnapshotReading> {
    let mut games = games_of(context, account).await?;
    games.insert(AppId::CS2);
    let (mut contexts, mut shown_at) = (Vec::new(), context.now());
    for app_id in games {
        let protected = (app_id.protection_days() > 0).then_some(ContextId::PROTECTED);
        // What changes its context between two reads is seen in the later one.
        for context_id in protected.into_iter().chain([ContextId::ORDINARY]) {
            let shown = context.desk().platform.inventory(account.address.user, app_id, context_id).await?;
            shown_at = shown.seen_at;
            contexts.push(reading_of(app_id, context_id, shown));
        }
    }
    Ok(SnapshotReading { contexts, shown_at })
}

fn reading_of(app_id: AppId, context_id: ContextId, shown: Inventory) -> ContextReading {
    let item = |asset: Asset| ShownItem {
        app_id,
        market_hash_name: asset.market_hash_name,
        face: (&asset.traits).into(),
        place: ItemPlace { asset_id: asset.asset_id, context_id, locked_until: asset.locked_until },
    };
    let items = shown.assets.into_iter().map(item).collect();
    ContextReading { app_id, context_id, items, is_complete: shown.is_complete }
}

/// Returns how a trade moved items: what was given has left, and may be back under another id; what was received has arrived, and may have
/// left again.
fn moves_of(trade: &Trade) -> Vec<TradeMove> {
    let moved = |asset: &MovedAsset, left, arrived| TradeMove {
        trade_id: trade.id.clone(),
        app_id: asset.app_id,
        left,
        arrived,
    };
    let given = trade.given.iter().map(|asset| moved(asset, Some(asset.asset_id.clone()), asset.returned_as.clone()));
    let received = trade.received.iter().flat_map(|asset| {
        let ours = asset.moved_to.as_ref().map(|(_, id)| id.clone());
        let left = ours.clone().filter(|_| asset.returned_as.is_some());
        [ours.map(|id| moved(asset, None, Some(id))), left.map(|id| moved(asset, Some(id), None))]
    });
    given.chain(received.flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress, TradeStatus};
    use tradepost_testkit::samples::text;

    use crate::samples::{asset_id, moved, trade};

    const ACCOUNT: AccountId = AccountId::from_bytes([7; 16]);

    fn minute(minutes: i64) -> Mark {
        Mark::START.plus(Duration::minutes(minutes))
    }

    fn account(name: &str) -> TradingAccount {
        let user = PlatformUserId::new(std::num::NonZeroU64::MIN);
        TradingAccount { name: text(name), address: TradeAddress { user, token: text("token") } }
    }

    fn is_due(schedule: &mut SnapshotSchedule, account_id: AccountId, at: i64) -> bool {
        !schedule.overdue(vec![(account("trader-1"), account_id)], minute(at)).is_empty()
    }

    /// The minutes at which the snapshot of an account is taken when it is looked at every minute.
    fn due_minutes(account_id: AccountId, until: i64) -> Vec<i64> {
        let mut schedule = SnapshotSchedule::default();
        let due = (0..until).filter(|at| {
            let is_due = is_due(&mut schedule, account_id, *at);
            if is_due {
                schedule.postpone(&text("trader-1"), account_id, minute(*at));
            }
            is_due
        });
        due.collect()
    }

    #[test]
    fn an_account_has_a_snapshot_about_every_half_hour_and_none_at_the_start() {
        let due = due_minutes(ACCOUNT, 600);
        let between: Vec<i64> = due.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(due[0] >= 25 && between.iter().all(|minutes| (25..=36).contains(minutes)), "{due:?}");
    }

    #[test]
    fn accounts_are_not_read_all_at_once() {
        let first: BTreeSet<i64> = (0..=250)
            .step_by(50)
            .map(|last| {
                let mut bytes = [0; 16];
                bytes[15] = last;
                due_minutes(AccountId::from_bytes(bytes), 60)[0]
            })
            .collect();
        assert!(first.len() >= 4, "{first:?}");
    }

    #[test]
    fn a_snapshot_for_another_reason_postpones_the_next_one() {
        let mut schedule = SnapshotSchedule::default();
        assert!(!is_due(&mut schedule, ACCOUNT, 0));
        schedule.postpone(&text("trader-1"), ACCOUNT, minute(24));
        assert!(!is_due(&mut schedule, ACCOUNT, 40));
        assert!(is_due(&mut schedule, ACCOUNT, 60));
    }

    #[test]
    fn the_account_that_has_waited_longest_has_the_next_snapshot() {
        let mut schedule = SnapshotSchedule::default();
        schedule.postpone(&text("trader-1"), ACCOUNT, minute(60));
        schedule.postpone(&text("trader-2"), ACCOUNT, minute(0));
        let accounts = ["trader-1", "trader-2", "trader-3"].map(|name| (account(name), ACCOUNT));
        let overdue = schedule.overdue(accounts.to_vec(), minute(120));
        let names: Vec<&str> = overdue.iter().map(|(account, _)| account.name.as_str()).collect();
        assert_eq!(names, ["trader-2", "trader-1"]);
    }

    #[test]
    fn a_trade_moves_what_it_gave_and_what_it_brought() {
        let gave = MovedAsset { moved_to: None, returned_as: None, ..moved() };
        let brought =
            MovedAsset { moved_to: Some((ContextId::PROTECTED, asset_id("9"))), returned_as: None, ..moved() };
        let seen = Trade { given: vec![gave.clone()], received: vec![brought.clone()], ..trade(TradeStatus::Complete) };
        let ids = |moves: &[TradeMove]| {
            moves.iter().map(|moved| (moved.left.clone(), moved.arrived.clone())).collect::<Vec<_>>()
        };
        assert_eq!(ids(&moves_of(&seen)), [(Some(gave.asset_id.clone()), None), (None, Some(asset_id("9")))]);
    }

    #[test]
    fn a_trade_that_was_rolled_back_returns_what_it_gave_and_takes_what_it_brought() {
        let gave = MovedAsset { moved_to: None, returned_as: Some(asset_id("8")), ..moved() };
        let brought = MovedAsset {
            moved_to: Some((ContextId::PROTECTED, asset_id("9"))),
            returned_as: Some(asset_id("10")),
            ..moved()
        };
        let seen = Trade { given: vec![gave.clone()], received: vec![brought], ..trade(TradeStatus::Failed) };
        let moves = moves_of(&seen);
        assert_eq!((&moves[0].left, &moves[0].arrived), (&Some(gave.asset_id), &Some(asset_id("8"))));
        assert_eq!((&moves[2].left, &moves[2].arrived), (&Some(asset_id("9")), &None));
    }
}
