//! Ends trade protection, or detects a reversal of the trade.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt as _;
use time::Duration;
use tradepost_domain::contracts::purchase::{PROTECTION_MARGIN, Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::{AccountName, ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::TradeStatus;
use tradepost_domain::transition::Subject;
use tradepost_operations::{OpError, Versioned};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{MovedAsset, PlatformRefusal, Trade};

use crate::context::Context;
use crate::context::delisting::release_item;
use crate::context::problems::Problem;
use crate::error::{EngineError, EngineResult, is_permanent, is_version_mismatch};
use crate::mark::is_due;
use crate::pass::Pass;
use crate::settlement::Settlement;
use crate::timings::EngineTimings;

/// The trades that took another back, by the one that they took back, as far as they can matter still.
#[derive(Debug, Default)]
pub(crate) struct Reversals {
    known: BTreeMap<ExternalId, (ExternalId, Timestamp)>,
    /// The time whose trades were read, of each account.
    read: BTreeMap<AccountName, ReadRange>,
}

#[derive(Debug, Clone, Copy)]
struct ReadRange {
    from: Timestamp,
    to: Timestamp,
}

impl Reversals {
    /// Returns the time from which the trades of an account are read: since the last time; the first time, and where an older purchase is
    /// looked at than ever before, since that was made.
    fn read_from(
        &self,
        account: &AccountName,
        oldest: Timestamp,
        now: Timestamp,
        timings: &EngineTimings,
    ) -> Timestamp {
        let oldest = oldest.plus(-timings.trade_backdating);
        match self.read.get(account) {
            Some(read) if read.from <= oldest => read.to.plus(-timings.trade_backdating),
            _ => oldest.min(now.plus(-timings.trade_lookback)),
        }
    }

    /// Takes in the trades of an account since a time.
    fn apply(&mut self, account: &AccountName, trades: Vec<Trade>, since: Timestamp, now: Timestamp) {
        let reversals = trades.into_iter().filter_map(|trade| Some((trade.rollback_of?, (trade.id, now))));
        self.known.extend(reversals);
        let from = self.read.get(account).map_or(since, |read| read.from.min(since));
        self.read.insert(account.clone(), ReadRange { from, to: now });
    }

    /// Returns the trade that took another back.
    fn of(&self, trade_id: &ExternalId) -> Option<&ExternalId> {
        self.known.get(trade_id).map(|(reversal, _)| reversal)
    }

    fn prune(&mut self, now: Timestamp, lookback: Duration) {
        self.known.retain(|_, (_, read_at)| now.since(*read_at) < lookback);
    }
}

/// Next step of a protected purchase.
#[derive(Debug, PartialEq, Eq)]
enum ProtectionStep {
    /// Report that this trade reversed it.
    ReportReversal(ExternalId),
    /// Nothing: its trade can still be reversed.
    Wait,
    /// Read its trade once more: the offer still reports that all is well after a reversal.
    ReadTrade(ExternalId),
}

impl ProtectionStep {
    fn of(purchase: &Purchase, reversals: &Reversals, now: Timestamp) -> Self {
        let progress = &purchase.progress;
        let Some((trade_id, until)) = progress.trade_id.as_ref().zip(progress.protected_until) else {
            return Self::Wait;
        };
        match reversals.of(trade_id) {
            Some(reversal) => Self::ReportReversal(reversal.clone()),
            None if now < until.plus(PROTECTION_MARGIN) => Self::Wait,
            None => Self::ReadTrade(trade_id.clone()),
        }
    }
}

/// State of a trade at the end of its protection.
#[derive(Debug, PartialEq, Eq)]
enum ProtectedTrade {
    /// The item is ours.
    Complete,
    /// The item was returned.
    Reversed,
    /// The platform does not show where item and money are.
    Unclear,
}

impl ProtectedTrade {
    fn of(purchase: &Purchase, trade: Option<&Trade>) -> Self {
        match trade {
            Some(trade) if reverses_purchase(purchase, trade) => Self::Reversed,
            Some(trade) if trade.status == TradeStatus::Complete => Self::Complete,
            Some(_) | None => Self::Unclear,
        }
    }
}

/// The purchases of an account whose trades are read together.
#[derive(Debug, PartialEq, Eq)]
struct ProtectedPurchases {
    /// When the oldest was made.
    since: Timestamp,
    marketplaces: BTreeSet<Marketplace>,
}

fn by_account<'a>(purchases: impl Iterator<Item = &'a Purchase>) -> BTreeMap<AccountName, ProtectedPurchases> {
    let mut accounts = BTreeMap::new();
    for purchase in purchases {
        let (made_at, terms) = (purchase.created_at, &purchase.terms);
        let of_account = accounts
            .entry(terms.account_name.clone())
            .or_insert_with(|| ProtectedPurchases { since: made_at, marketplaces: BTreeSet::new() });
        of_account.since = made_at.min(of_account.since);
        of_account.marketplaces.insert(terms.marketplace.clone());
    }
    accounts
}

impl Settlement {
    /// Ends the protection of purchases whose trade can no longer be reversed, and reports those that were reversed.
    pub(crate) async fn check_protections(&mut self, context: &mut Context, pass: &mut Pass) -> EngineResult {
        let protected = context.next_purchases(PurchaseStatus::Traded).await?;
        // What the trades of one account say concerns no other.
        let (now, mark) = (context.now(), context.mark());
        let (mut unread, mut lasting) = (BTreeSet::new(), BTreeSet::new());
        let accounts: Vec<_> = by_account(protected.iter().map(|purchase| &purchase.value)).into_iter().collect();
        let mut accounts = self.asked_reversals.in_turn(accounts, |(account, _)| account, context.time_slice());
        for (account, purchases) in accounts.by_ref() {
            self.asked_reversals.note(account.clone(), context.mark());
            let read = self.read_reversals(context, &account, purchases.since).await;
            if self.unreadable.record_read(&account, &read, mark, context.timings().account_unreadable_after) {
                lasting.insert(account);
                pass.record_error(read);
                continue;
            }
            if read.is_err() {
                unread.insert(account);
            } else {
                self.seen_reversals.note(account, mark);
            }
            pass.record_at(&purchases.marketplaces, read);
        }
        for (account, purchases) in accounts.left() {
            if self.unreadable.is_lasting(&account, mark, context.timings().account_unreadable_after) {
                lasting.insert(account);
                continue;
            }
            // A reversal may have been paid back since then.
            if is_due(self.seen_reversals.last(&account), mark, context.timings().refund_answer_valid_for) {
                for place in &purchases.marketplaces {
                    pass.mark_unbooked(place);
                }
            }
            unread.insert(account);
        }
        let is_lasting = |purchase: &Versioned<Purchase>| lasting.contains(&purchase.value.terms.account_name);
        let (asked, mut protected): (Vec<_>, Vec<_>) = protected.into_iter().partition(is_lasting);
        self.check_at_marketplaces(context, asked, pass).await;
        self.reversals.prune(now, context.timings().trade_lookback);
        protected.retain(|purchase| !unread.contains(&purchase.value.terms.account_name));
        let watch = |purchase: Versioned<Purchase>| {
            let place = Some(purchase.value.terms.marketplace.clone());
            self.check_protection(context, purchase).map(|result| (place, result))
        };
        pass.record_results(context.run_concurrently(protected.into_iter().map(watch)).await);
        Ok(())
    }

    async fn check_protection(&self, context: &Context, purchase: Versioned<Purchase>) -> EngineResult {
        let account_name = purchase.value.terms.account_name.clone();
        context.track_session(&account_name, self.end_protection(context, purchase)).await
    }

    async fn end_protection(&self, context: &Context, purchase: Versioned<Purchase>) -> EngineResult {
        let trade_id = match ProtectionStep::of(&purchase.value, &self.reversals, context.now()) {
            ProtectionStep::Wait => return Ok(()),
            ProtectionStep::ReportReversal(reversal) => return report_reversal(context, &purchase, reversal).await,
            ProtectionStep::ReadTrade(trade_id) => trade_id,
        };
        let account = context.account(&purchase.value.terms.account_name)?;
        let trade = match context.desk().platform.trade(account.address.user, &trade_id).await {
            Err(ExternalError::Rejected(PlatformRefusal::NotFound)) => None,
            trade => Some(trade?),
        };
        let shown = match ProtectedTrade::of(&purchase.value, trade.as_ref()) {
            ProtectedTrade::Reversed => return report_reversal(context, &purchase, trade_id).await,
            ProtectedTrade::Complete => None,
            ProtectedTrade::Unclear => Some(Evidence { shown_by: Some(trade_id), ..Evidence::default() }),
        };
        let is_complete = shown.is_none();
        context.report_problem(reversal_problem(&purchase.value), Duration::ZERO, shown).await?;
        if is_complete {
            context.apply_purchase_event(&purchase, PurchaseEvent::ProtectionEnded).await?;
        }
        Ok(())
    }
}

/// Reports a reversed trade once its item is not on sale. A reversal that the item's status does not allow, because it was already
/// delivered to a buyer, becomes a problem of the purchase: the item has left us and the money is owed all the same.
async fn report_reversal(
    context: &Context,
    purchase: &Versioned<Purchase>,
    rollback_trade_id: ExternalId,
) -> EngineResult {
    if !release_item(context, &purchase.value).await? {
        return Ok(());
    }
    let shown = Evidence { shown_by: Some(rollback_trade_id.clone()), ..Evidence::default() };
    match context.apply_purchase_event(purchase, PurchaseEvent::TradeReversed { rollback_trade_id }).await {
        Err(EngineError::Operation(refusal)) if is_lasting_refusal(&refusal) => {
            context.report_problem(reversal_problem(&purchase.value), Duration::ZERO, Some(shown)).await?;
            Err(refusal.into())
        }
        reported => reported.map(drop),
    }
}

impl Settlement {
    /// Reads what was reversed of an account. A reversal is a trade of its own that names the one it took back; as long as that can be
    /// reversed, nothing else shows it.
    async fn read_reversals(&mut self, context: &Context, name: &AccountName, oldest: Timestamp) -> EngineResult {
        let (now, account) = (context.now(), context.account(name)?);
        let since = self.reversals.read_from(name, oldest, now, context.timings());
        let read_now =
            async { context.desk().platform.trades(account.address.user, since).await.map_err(EngineError::from) };
        let trades = context.track_session(name, read_now).await?;
        self.reversals.apply(name, trades, since, now);
        Ok(())
    }
}

/// Whether a refusal would be the same again, as long as nothing else happens.
fn is_lasting_refusal(refusal: &OpError) -> bool {
    is_permanent(refusal) && !is_version_mismatch(refusal)
}

pub(crate) fn reversal_problem(purchase: &Purchase) -> Problem {
    (RemediationKind::TradeReversed, Subject::Purchase(purchase.terms.id))
}

/// Returns whether a trade alone shows that the purchase was returned: support does that without another trade.
fn reverses_purchase(purchase: &Purchase, trade: &Trade) -> bool {
    let is_it = |moved: &&MovedAsset| {
        moved.market_hash_name == purchase.terms.market_hash_name || purchase.terms.listing_asset_id == moved.asset_id
    };
    let is_rolled_back = matches!(
        trade.status,
        TradeStatus::ProtectionRollback
            | TradeStatus::PartialSupportRollback
            | TradeStatus::FullSupportRollback
            | TradeStatus::SelectiveSupportRollback
    );
    is_rolled_back && trade.received.iter().find(is_it).is_some_and(|moved| moved.returned_as.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_testkit::samples::{minute, start, text};

    use crate::samples::{asset_id, moved, purchase, trade, trade_in};

    const DAY: i64 = 24 * 60;

    fn protected() -> Purchase {
        let mut parts = purchase(PurchaseStatus::Traded).into_parts();
        (parts.progress.trade_id, parts.progress.protected_until) = (Some(text("trade-1")), Some(minute(7 * DAY)));
        Purchase::restore(parts).unwrap()
    }

    fn reversal() -> Trade {
        Trade { id: text("trade-2"), rollback_of: Some(text("trade-1")), ..trade(TradeStatus::Complete) }
    }

    fn protected_until() -> Timestamp {
        minute(7 * DAY).plus(PROTECTION_MARGIN)
    }

    #[test]
    fn a_purchase_waits_while_its_trade_can_be_reversed() {
        let step = |at| ProtectionStep::of(&protected(), &Reversals::default(), at);
        assert_eq!(step(protected_until().plus(-Duration::SECOND)), ProtectionStep::Wait);
        assert_eq!(step(protected_until()), ProtectionStep::ReadTrade(text("trade-1")));
    }

    #[test]
    fn a_purchase_without_a_trade_waits() {
        let bought = purchase(PurchaseStatus::Paid);
        assert_eq!(ProtectionStep::of(&bought, &Reversals::default(), protected_until()), ProtectionStep::Wait);
    }

    #[test]
    fn a_reversal_is_reported_whenever_it_is_seen() {
        let mut reversals = Reversals::default();
        reversals.apply(&text("trader-1"), vec![reversal()], start(), minute(1));
        for at in [minute(1), protected_until()] {
            let step = ProtectionStep::of(&protected(), &reversals, at);
            assert_eq!(step, ProtectionStep::ReportReversal(text("trade-2")));
        }
    }

    #[test]
    fn a_reversal_is_forgotten_when_its_trade_can_no_longer_matter() {
        let mut reversals = Reversals::default();
        reversals.apply(&text("trader-1"), vec![reversal()], start(), minute(1));
        reversals.prune(minute(60), Duration::hours(1));
        assert!(reversals.of(&text("trade-1")).is_some());
        reversals.prune(minute(61), Duration::hours(1));
        assert!(reversals.of(&text("trade-1")).is_none());
    }

    #[test]
    fn the_trades_of_an_account_are_read_from_the_last_time_on_unless_an_older_purchase_is_looked_at() {
        let (mut reversals, account, timings) = (Reversals::default(), text("trader-1"), EngineTimings::default());
        let before = |at: Timestamp, span: Duration| at.plus(-span);
        let now = minute(100 * DAY);
        let first = reversals.read_from(&account, now, now, &timings);
        assert_eq!(first, before(now, timings.trade_lookback));
        reversals.apply(&account, Vec::new(), first, now);
        let later = minute(101 * DAY);
        assert_eq!(reversals.read_from(&account, now, later, &timings), before(now, timings.trade_backdating));
        assert_eq!(reversals.read_from(&account, start(), later, &timings), before(start(), timings.trade_backdating));
    }

    #[test]
    fn protection_ends_with_a_complete_trade() {
        let state = ProtectedTrade::of(&protected(), Some(&trade_in(TradeStatus::Complete)));
        assert_eq!(state, ProtectedTrade::Complete);
    }

    #[test]
    fn a_trade_that_the_platform_does_not_show_or_has_ended_leaves_the_purchase_unclear() {
        assert_eq!(ProtectedTrade::of(&protected(), None), ProtectedTrade::Unclear);
        for status in [TradeStatus::Failed, TradeStatus::RollbackFailed, TradeStatus::ProtectionRollback] {
            assert_eq!(ProtectedTrade::of(&protected(), Some(&trade_in(status))), ProtectedTrade::Unclear);
        }
    }

    #[test]
    fn a_trade_that_support_rolled_back_with_the_item_is_reversed() {
        let returned = MovedAsset { returned_as: Some(asset_id("9")), ..moved() };
        let other = MovedAsset { market_hash_name: text("Glove Case"), asset_id: asset_id("1"), ..returned.clone() };
        let state = |moved| {
            let trade = Trade { received: vec![moved], ..trade(TradeStatus::PartialSupportRollback) };
            ProtectedTrade::of(&protected(), Some(&trade))
        };
        assert_eq!(state(returned), ProtectedTrade::Reversed);
        assert_eq!(state(other), ProtectedTrade::Unclear, "another item of the trade was returned");
    }

    #[test]
    fn the_trades_of_an_account_are_read_for_its_oldest_purchase() {
        let (newer, older) = (protected(), protected());
        let mut parts = older.into_parts();
        (parts.created_at, parts.terms.marketplace) = (minute(-5), text("skinport"));
        let older = Purchase::restore(parts).unwrap();
        let marketplaces = BTreeSet::from([text("csfloat"), text("skinport")]);
        let expected = ProtectedPurchases { since: minute(-5), marketplaces };
        assert_eq!(by_account([&newer, &older].into_iter()), BTreeMap::from([(text("trader-1"), expected)]));
    }
}
