//! Reads the trade offers of accounts: those that others send, those that people have asked for, and those that another program with the
//! account's session sends.
//!
//! An offer that gives our items and was not drafted here is reported as `STRANGE_OFFER`, and cancelled unless the account says otherwise. Offers
//! that others send are recorded and left to a person.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::id::AccountId;
use tradepost_domain::text::AccountName;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::offer_reading::OfferReading;
use tradepost_domain::trading::trade_offer::{OfferDirection, Strangeness, TradeOffer, TradeOfferStatus};
use tradepost_operations::trading::{OfferReadings, RecordAccountOffer, RecordOfferReading, UnownedTradeOffers};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{Offer, PlatformRefusal};

use crate::audit::Audit;
use crate::context::Context;
use crate::context::trade_offers::offer_report;
use crate::desk::TradingAccount;
use crate::error::EngineResult;
use crate::mark::{Mark, is_due};
use crate::pass::Pass;
use crate::turns::Turns;

/// Average time between two readings: the platform limits how often it is called from one address.
const SPACING: Duration = Duration::seconds(2);
/// Time from one reading of an account to the next.
const READ_EVERY: Duration = Duration::minutes(5);
/// Time after a reading that failed until the next one that a person has asked for.
const ASKED_AGAIN: Duration = Duration::seconds(30);

/// When the offers of accounts are read.
#[derive(Debug, Default)]
pub(crate) struct OfferWatch {
    looked_at: Option<Mark>,
    /// When each account was last read or tried, and when that last failed.
    read: Turns<AccountName>,
    failed: Turns<AccountName>,
    /// The requests of people that were tried and failed, by when they were made.
    failed_requests: BTreeMap<AccountName, Timestamp>,
}

/// An account whose offers are to be read now.
struct DueReading {
    account: TradingAccount,
    account_id: AccountId,
    last: Option<OfferReading>,
}

impl DueReading {
    fn name(&self) -> &AccountName {
        &self.account.name
    }

    /// When a person asked for it, if one did.
    fn asked_at(&self) -> Option<Timestamp> {
        self.last.and_then(|reading| reading.requested_at)
    }
}

impl Audit {
    /// Reads the offers of accounts that are due, if it is time: one for each spacing that has passed since the last time.
    pub(crate) async fn read_next_offers(&mut self, context: &Context, pass: &mut Pass) -> EngineResult {
        let (now, watch) = (context.mark(), &mut self.offers);
        if !context.holds_inventory() || !is_due(watch.looked_at.as_ref(), now, SPACING) {
            return Ok(());
        }
        let most = watch.looked_at.map_or(1, |last| spacings_in(now.since(last)));
        watch.looked_at = Some(now);
        let due = watch.due(context).await?;
        for due in context.time_slice().of(due).take(most) {
            let (name, asked_at) = (due.name().clone(), due.asked_at());
            watch.read.note(name.clone(), context.mark());
            let read = context.track_session(&name, read_offers(context, due)).await;
            if read.is_err() {
                watch.note_failure(name, asked_at, context.mark());
            }
            pass.record_error(read);
        }
        Ok(())
    }
}

/// Returns how many readings a time has room for.
fn spacings_in(time: Duration) -> usize {
    usize::try_from(time.whole_milliseconds() / SPACING.whole_milliseconds()).unwrap_or(usize::MAX)
}

impl OfferWatch {
    fn note_failure(&mut self, name: AccountName, asked_at: Option<Timestamp>, now: Mark) {
        if let Some(asked_at) = asked_at {
            self.failed_requests.insert(name.clone(), asked_at);
        }
        self.failed.note(name, now);
    }

    /// Whether a reading comes before the others: a person has asked for it, and it has not failed since. Otherwise accounts that cannot be read
    /// would take every turn.
    fn comes_first(&self, name: &AccountName, asked_at: Option<Timestamp>) -> bool {
        asked_at.is_some() && self.failed_requests.get(name) != asked_at.as_ref()
    }

    /// Returns the accounts whose offers a person wants to be read, and after them those that are due; of both, the longest unread ones first.
    async fn due(&self, context: &Context) -> EngineResult<Vec<DueReading>> {
        let accounts: Vec<(TradingAccount, AccountId)> =
            context.recorded_accounts_of_desk().map(|(account, id)| (account.clone(), id)).collect();
        if accounts.is_empty() {
            return Ok(Vec::new());
        }
        let account_ids = accounts.iter().map(|(_, id)| *id).collect();
        let ask = OfferReadings { workspace_id: context.desk().workspace_id, account_ids };
        let readings = context.operations().offer_readings(context.caller(), ask).await?;
        let readings: BTreeMap<AccountId, OfferReading> =
            readings.into_iter().map(|reading| (reading.account_id, reading)).collect();
        let (mut asked, mut others) = (Vec::new(), Vec::new());
        for (account, account_id) in accounts {
            let due = DueReading { account, account_id, last: readings.get(&account_id).copied() };
            let (user, name) = (due.account.address.user, due.name());
            let asked_at = due.asked_at();
            let is_asked = asked_at.is_some() && context.is_account_due(user, self.failed.last(name), ASKED_AGAIN);
            if is_asked && self.comes_first(name, asked_at) {
                asked.push(due);
            } else if is_asked || context.is_account_due(user, self.read.last(name), READ_EVERY) {
                others.push(due);
            }
        }
        let mut due = self.read.sort(asked, DueReading::name);
        due.extend(self.read.sort(others, DueReading::name));
        Ok(due)
    }
}

/// Reads and records the offers of an account whose status has changed since the last reading, and the state of older ones.
async fn read_offers(context: &Context, due: DueReading) -> EngineResult {
    let DueReading { account, account_id, last } = due;
    let (began_at, workspace_id) = (context.now(), context.desk().workspace_id);
    let read_at = last.and_then(|reading| reading.read_at);
    let since = read_at.unwrap_or_else(|| began_at.plus(-context.timings().trade_lookback));
    let since = since.plus(-context.timings().trade_backdating);
    let shown = context.desk().platform.offers(account.address.user, since).await?;
    for offer in &shown {
        record_shown(context, &account, offer, read_at).await?;
    }
    let ask = UnownedTradeOffers { workspace_id, account_name: account.name.clone() };
    for offer in context.operations().unowned_trade_offers(context.caller(), ask).await? {
        let is_shown = shown.iter().any(|shown| Some(&shown.id) == offer.value.offer_id.as_ref());
        if is_shown || may_have_changed(&offer.value, began_at) {
            follow_unowned(context, &account, &offer.value).await?;
        }
    }
    let read = RecordOfferReading { workspace_id, account_id, began_at };
    context.operations().record_offer_reading(context.caller(), read).await?;
    Ok(())
}

async fn record_shown(
    context: &Context,
    account: &TradingAccount,
    offer: &Offer,
    watched_since: Option<Timestamp>,
) -> EngineResult {
    let command = RecordAccountOffer {
        workspace_id: context.desk().workspace_id,
        account_name: account.name.clone(),
        report: offer_report(offer, None),
        answers: None,
        watched_since,
    };
    context.operations().record_account_offer(context.caller(), command).await?;
    Ok(())
}

/// Whether an offer that a reading of changes does not show may have another status by now: its trade goes on, or its time is over.
fn may_have_changed(offer: &TradeOffer, now: Timestamp) -> bool {
    let is_over = |at: Option<Timestamp>| at.is_some_and(|at| at <= now);
    match offer.status {
        TradeOfferStatus::Accepted | TradeOfferStatus::InEscrow => true,
        TradeOfferStatus::Completed => is_over(offer.trade.as_ref().and_then(|trade| trade.protected_until)),
        TradeOfferStatus::NeedsConfirmation | TradeOfferStatus::Active | TradeOfferStatus::Unknown => {
            is_over(offer.expires_at)
        }
        TradeOfferStatus::Draft
        | TradeOfferStatus::SendUncertain
        | TradeOfferStatus::Countered
        | TradeOfferStatus::Expired
        | TradeOfferStatus::Cancelled
        | TradeOfferStatus::Declined
        | TradeOfferStatus::InvalidItems
        | TradeOfferStatus::CancelledBySecondFactor
        | TradeOfferStatus::Invalid
        | TradeOfferStatus::Reverted
        | TradeOfferStatus::RolledBack
        | TradeOfferStatus::Final => false,
    }
}

/// Reads an offer with its trade, and cancels a strange one that can still be accepted.
async fn follow_unowned(context: &Context, account: &TradingAccount, offer: &TradeOffer) -> EngineResult {
    let Some(id) = &offer.offer_id else { return Ok(()) };
    let (platform, user) = (&context.desk().platform, account.address.user);
    if is_to_be_cancelled(offer) && context.cancels_strange_offers(&account.name) {
        match platform.cancel(user, id).await {
            Ok(()) => tracing::warn!(offer = %id, "strange offer cancelled"),
            // It was accepted, cancelled or answered in between, as the next lines show, or the account may not give.
            Err(ExternalError::Rejected(why)) => tracing::warn!(offer = %id, %why, "strange offer not cancelled"),
            Err(error) => return Err(error.into()),
        }
    }
    match platform.offer(user, id).await {
        Err(ExternalError::Rejected(PlatformRefusal::NotFound)) => Ok(()),
        shown => context.record_shown(account, &shown?, None).await.map(drop),
    }
}

/// Whether an offer gives our items, was not sent here, and can still be accepted.
fn is_to_be_cancelled(offer: &TradeOffer) -> bool {
    offer.strangeness == Some(Strangeness::NotSentHere)
        && offer.direction == OfferDirection::Sent
        && matches!(offer.status, TradeOfferStatus::NeedsConfirmation | TradeOfferStatus::Active)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::trading::trade_offer::OfferOwner;
    use tradepost_testkit::samples::{Samples, minute, start};

    fn recorded(status: TradeOfferStatus) -> TradeOffer {
        let samples = Samples::seeded(10);
        samples.trade_offer_in(samples.id(), status, OfferOwner::Item(samples.id()))
    }

    #[test]
    fn only_a_strange_offer_that_can_still_be_accepted_is_cancelled() {
        let samples = Samples::seeded(11);
        let ours = samples.requested_offer(samples.id(), &[1], &[]);
        assert!(!is_to_be_cancelled(&ours));
        let received = recorded(TradeOfferStatus::Active).strange(Strangeness::NotSentHere, start());
        assert!(!is_to_be_cancelled(&received), "the partner sent it");
        assert!(!is_to_be_cancelled(&ours.strange(Strangeness::ContentDiffers, start())));
    }

    #[test]
    fn a_trade_is_followed_until_its_protection_ends() {
        assert!(may_have_changed(&recorded(TradeOfferStatus::Accepted), start()));
        let complete = recorded(TradeOfferStatus::Completed);
        assert!(!may_have_changed(&complete, minute(19)));
        assert!(may_have_changed(&complete, minute(20)));
        assert!(!may_have_changed(&recorded(TradeOfferStatus::Declined), minute(20)));
    }

    #[test]
    fn a_reading_that_was_asked_for_comes_first_until_it_fails() {
        let (mut watch, name) = (OfferWatch::default(), AccountName::new("trader-1").unwrap());
        let comes_first = |watch: &OfferWatch, asked_at| watch.comes_first(&name, asked_at);
        assert!(!comes_first(&watch, None) && comes_first(&watch, Some(minute(1))));
        watch.note_failure(name.clone(), Some(minute(1)), Mark::START);
        assert!(!comes_first(&watch, Some(minute(1))), "its request has failed");
        assert!(comes_first(&watch, Some(minute(2))), "a later request has not");
    }

    #[test]
    fn accounts_are_read_one_in_two_seconds_on_average() {
        let room = |milliseconds| spacings_in(Duration::milliseconds(milliseconds));
        assert_eq!([2_000, 3_999, 4_000, 60_000].map(room), [1, 1, 2, 30]);
    }

    #[test]
    fn an_open_offer_is_read_again_once_its_time_is_over() {
        let open = recorded(TradeOfferStatus::Active);
        assert!(!may_have_changed(&open, minute(60)));
        assert!(may_have_changed(&open, minute(14 * 24 * 60)));
    }
}
