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

use crate::audit::problems::Problem;
use crate::context::Context;
use crate::error::{EngineError, EngineResult, is_permanent, is_version_mismatch};
use crate::pass::Pass;
use crate::sales::delisting::release_item;
use crate::settlement::Settlement;

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

impl Settlement {
    pub(crate) async fn check_protections(&mut self, context: &mut Context, pass: &mut Pass) -> EngineResult {
        let protected = context.next_purchases(PurchaseStatus::Traded).await?;
        let mut oldest: BTreeMap<AccountName, (Timestamp, BTreeSet<Marketplace>)> = BTreeMap::new();
        for purchase in &protected {
            let (made_at, terms) = (purchase.value.created_at, &purchase.value.terms);
            let (since, places) = oldest.entry(terms.account_name.clone()).or_insert((made_at, BTreeSet::new()));
            *since = made_at.min(*since);
            places.insert(terms.marketplace.clone());
        }
        // What the trades of one account say concerns no other.
        let (now, mark) = (context.now(), context.mark());
        let (mut unread, mut lasting) = (BTreeSet::new(), BTreeSet::new());
        for (account, (oldest, places)) in oldest {
            let read = self.read_reversals(context, &account, oldest).await;
            if self.unreadable.record_read(&account, &read, mark, context.timings.account_unreadable_after) {
                lasting.insert(account);
                pass.record_error(read);
                continue;
            }
            if read.is_err() {
                unread.insert(account);
            }
            pass.record_at(&places, read);
        }
        let is_lasting = |purchase: &Versioned<Purchase>| lasting.contains(&purchase.value.terms.account_name);
        let (asked, mut protected): (Vec<_>, Vec<_>) = protected.into_iter().partition(is_lasting);
        self.check_at_marketplaces(context, asked, pass).await;
        self.reversals.known.retain(|_, (_, read_at)| now.since(*read_at) < context.timings.trade_lookback);
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
        let progress = &purchase.value.progress;
        let Some((trade_id, until)) = progress.trade_id.as_ref().zip(progress.protected_until) else { return Ok(()) };
        if let Some((rollback_trade_id, _)) = self.reversals.known.get(trade_id).cloned() {
            return report_reversal(context, &purchase, rollback_trade_id).await;
        }
        if context.now() < until.plus(PROTECTION_MARGIN) {
            return Ok(());
        }
        // Asked once more before it counts as final: the offer goes on saying that all is well.
        let account = context.account(&purchase.value.terms.account_name)?;
        let trade = match context.desk.platform.trade(account.address.user, trade_id).await {
            Err(ExternalError::Rejected(PlatformRefusal::NotFound)) => None,
            trade => Some(trade?),
        };
        if trade.as_ref().is_some_and(|trade| reverses_purchase(&purchase.value, trade)) {
            return report_reversal(context, &purchase, trade_id.clone()).await;
        }
        // The state of item and money after that is not visible to the calls made here.
        let is_complete = trade.is_some_and(|trade| trade.status == TradeStatus::Complete);
        let shown = (!is_complete).then(|| Evidence { shown_by: Some(trade_id.clone()), ..Evidence::default() });
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
    /// Reads what was reversed of an account since the last time; the first time, and where an older purchase is looked at than ever
    /// before, since that was made. A reversal is a trade of its own that names the one it took back; as long as that can be
    /// reversed, nothing else shows it.
    async fn read_reversals(&mut self, context: &Context, name: &AccountName, oldest: Timestamp) -> EngineResult {
        let (now, oldest, account) =
            (context.now(), oldest.plus(-context.timings.trade_backdating), context.account(name)?);
        let read = self.reversals.read.get(name).copied();
        let since = match read {
            Some(read) if read.from <= oldest => read.to.plus(-context.timings.trade_backdating),
            _ => oldest.min(now.plus(-context.timings.trade_lookback)),
        };
        let read_now =
            async { context.desk.platform.trades(account.address.user, since).await.map_err(EngineError::from) };
        let trades = context.track_session(name, read_now).await?;
        let reversals = trades.into_iter().filter_map(|trade| Some((trade.rollback_of?, (trade.id, now))));
        self.reversals.known.extend(reversals);
        let from = read.map_or(since, |read| read.from.min(since));
        self.reversals.read.insert(name.clone(), ReadRange { from, to: now });
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
