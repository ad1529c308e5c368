//! Reads the trade offers of one account after another: those that others send, those that people have asked for, and those that another program
//! with the account's session sends.
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

/// Shortest time between two readings: the platform limits how often it is called from one address.
const SPACING: Duration = Duration::seconds(2);
/// Time from one reading of an account to the next.
const READ_EVERY: Duration = Duration::minutes(5);

/// When the offers of accounts are read.
#[derive(Debug, Default)]
pub(crate) struct OfferWatch {
    looked_at: Option<Mark>,
    read_at: BTreeMap<AccountName, Mark>,
}

/// An account whose offers are to be read now.
struct DueReading {
    account: TradingAccount,
    account_id: AccountId,
    last: Option<OfferReading>,
}

impl Audit {
    /// Reads the offers of the next account that is due, if it is time.
    pub(crate) async fn read_next_offers(&mut self, context: &Context) -> EngineResult {
        let now = context.mark();
        if !context.holds_inventory() || !is_due(self.offers.looked_at.as_ref(), now, SPACING) {
            return Ok(());
        }
        self.offers.looked_at = Some(now);
        let Some(due) = self.offers.next(context, now).await? else { return Ok(()) };
        let name = due.account.name.clone();
        self.offers.read_at.insert(name.clone(), now);
        context.track_session(&name, read_offers(context, due)).await
    }
}

impl OfferWatch {
    /// Returns the account whose offers a person wants to be read, or the one that was read longest ago, if it is due.
    async fn next(&self, context: &Context, now: Mark) -> EngineResult<Option<DueReading>> {
        let accounts: Vec<(TradingAccount, AccountId)> =
            context.recorded_accounts_of_desk().map(|(account, id)| (account.clone(), id)).collect();
        if accounts.is_empty() {
            return Ok(None);
        }
        let account_ids = accounts.iter().map(|(_, id)| *id).collect();
        let ask = OfferReadings { workspace_id: context.desk().workspace_id, account_ids };
        let readings = context.operations().offer_readings(context.caller(), ask).await?;
        let last_of = |id: AccountId| readings.iter().find(|reading| reading.account_id == id).copied();
        let is_asked = |id: AccountId| last_of(id).is_some_and(|reading| reading.requested_at.is_some());
        let asked = accounts.iter().find(|(_, id)| is_asked(*id));
        let due = asked.or_else(|| {
            let due = accounts.iter().filter(|(account, _)| is_due(self.read_at.get(&account.name), now, READ_EVERY));
            due.min_by_key(|(account, _)| self.read_at.get(&account.name).copied())
        });
        Ok(due.map(|(account, id)| DueReading { account: account.clone(), account_id: *id, last: last_of(*id) }))
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
            // It was accepted, cancelled or answered in between, as the next lines show, or the platform is only read.
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
    fn an_open_offer_is_read_again_once_its_time_is_over() {
        let open = recorded(TradeOfferStatus::Active);
        assert!(!may_have_changed(&open, minute(60)));
        assert!(may_have_changed(&open, minute(14 * 24 * 60)));
    }
}
