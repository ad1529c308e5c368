//! Answering confirmations: an answer is recorded before it is given, and what the platform shows afterwards decides what came of it.
//!
//! The engine allows a confirmation only if all thirteen checks hold, by readings that were made after the list.

use std::collections::BTreeSet;

use time::Duration;
use tokio::time::Instant;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::trading::confirmation::{
    Confirmation, ConfirmationKind, ConfirmationOutcome, ConfirmationStatus, Consequence,
};
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_operations::Versioned;
use tradepost_operations::trading::{
    BeginConfirmation, ExamineConfirmation, PostponeConfirmation, RecordConfirmationOutcome, RecordConfirmations,
    RefuseConfirmation, SaleReading, StoppedAccounts,
};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{self, ConfirmationAnswer, Offer, PlatformRefusal};

use crate::context::Context;
use crate::context::steps::Step;
use crate::context::trade_offers::offer_report;
use crate::desk::TradingAccount;
use crate::error::{EngineError, EngineResult};

/// After each answer, the engine waits by so much longer until it gives the next one.
const BETWEEN_ANSWERS: Duration = Duration::seconds(5);

/// An offer whose confirmation may be allowed.
#[derive(Clone, Copy)]
pub(crate) struct Confirming<'a> {
    /// The platform's id of it.
    pub(crate) offer_id: &'a ExternalId,
    /// The sale that it delivers, and when it was read.
    pub(crate) sale: Option<(SaleReading, Instant)>,
    /// Whether this node does the work that the offer belongs to.
    pub(crate) holds_lease: bool,
}

/// What came of the wish to have an offer confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Confirmed {
    /// The platform lists no confirmation, or it is not read.
    Missing,
    /// The platform lists it, and it waits for something that may not come: something is halted, say.
    Waits,
    /// It is answered or followed, or was found not to be allowed.
    Followed,
}

impl Confirmed {
    /// Whether the platform lists a confirmation, or did until it was answered.
    pub(crate) const fn is_listed(self) -> bool {
        matches!(self, Self::Waits | Self::Followed)
    }
}

/// What the platform lists of an account, and what is on record of it.
pub(crate) struct ConfirmationReadings {
    pub(crate) shown: Vec<game_platform::Confirmation>,
    pub(crate) open: Vec<Versioned<Confirmation>>,
}

impl ConfirmationReadings {
    /// The confirmation as the platform lists it.
    pub(crate) fn listed(&self, recorded: &Confirmation) -> Option<&game_platform::Confirmation> {
        self.shown.iter().find(|shown| shown.id == recorded.shown.platform_id)
    }
}

/// A confirmation that is answered.
#[derive(Clone, Copy)]
pub(crate) struct Answering<'a> {
    pub(crate) listed: Option<&'a game_platform::Confirmation>,
    pub(crate) recorded: &'a Versioned<Confirmation>,
}

impl Context {
    /// Reads the accounts that give nothing, once in each pass.
    pub(crate) async fn refresh_stopped_accounts(&mut self) -> EngineResult {
        let ask = StoppedAccounts { workspace_id: self.desk.workspace_id };
        let stopped = self.operations.stopped_accounts(&self.caller, ask).await?;
        self.state.platform.stopped = stopped.into_iter().collect();
        Ok(())
    }

    /// Whether an account gives nothing: a confirmation would change who controls it, another has an API key of it, no one has accepted the
    /// platform's notice, or the clocks differ.
    pub(crate) fn gives_nothing(&self, name: &AccountName) -> bool {
        let is_at_risk = self.state.platform.stopped.contains(name) || self.has_foreign_key(name);
        is_at_risk || !self.may_trade(name) || self.clocks_apart().is_some()
    }

    /// Reads and records the confirmations of an account.
    pub(crate) async fn read_confirmations(&self, account: &TradingAccount) -> EngineResult<ConfirmationReadings> {
        let shown = self.desk.platform.confirmations(account.address.user).await?;
        let (workspace_id, account_name) = (self.desk.workspace_id, account.name.clone());
        let record = RecordConfirmations { workspace_id, account_name, shown: shown.clone() };
        let open = self.operations.record_confirmations(&self.caller, &record).await?;
        Ok(ConfirmationReadings { shown, open })
    }

    /// Allows the confirmation of an offer if every check holds, and follows one that is being answered.
    pub(crate) async fn confirm_offer(
        &self,
        account: &TradingAccount,
        confirming: Confirming<'_>,
    ) -> EngineResult<Confirmed> {
        if !self.may_trade(&account.name) {
            // It stays as it is, and its offer is not cancelled for want of it.
            return Ok(Confirmed::Followed);
        }
        let list_read = Instant::now();
        let read = match self.read_confirmations(account).await {
            Err(error) if error.is_not_done() => {
                // Its owner can allow it with the app of the platform. Otherwise the offer is cancelled like one without a confirmation.
                tracing::debug!(offer = %confirming.offer_id, %error, "confirmations are not read");
                return Ok(Confirmed::Missing);
            }
            read => read?,
        };
        let is_it = |open: &&Versioned<Confirmation>| {
            open.value.kind() == ConfirmationKind::TradeOffer && open.value.shown.creator == *confirming.offer_id
        };
        let Some(recorded) = read.open.iter().find(is_it) else { return Ok(Confirmed::Missing) };
        let listed = read.listed(&recorded.value);
        let followed = self.follow_answer(account, Answering { listed, recorded }).await?;
        if !matches!(followed.value.status, ConfirmationStatus::Seen | ConfirmationStatus::Matched) {
            return Ok(Confirmed::Followed);
        }
        let Some(listed) = listed else { return Ok(Confirmed::Missing) };
        let offer_read = Instant::now();
        let shown = self.desk.platform.offer(account.address.user, confirming.offer_id).await?;
        let command = ExamineConfirmation {
            workspace_id: self.desk.workspace_id,
            confirmation_id: followed.value.id,
            report: Some(offer_report(&shown, None)),
            holds_lease: confirming.holds_lease,
            list_age: age_of(list_read),
            offer_age: age_of(offer_read),
            sale: confirming
                .sale
                .map(|(sale, read)| SaleReading { age: sale.age.saturating_add(age_of(read)), ..sale }),
        };
        let examined = self.operations.examine_confirmation(&self.caller, &command).await?;
        match examined.refusal {
            None => {
                let answering = Answering { listed: Some(listed), recorded: &examined.confirmation };
                match self.give_answer(account, answering).await {
                    // Another node has allowed something of the account since the examination.
                    Err(error) if error.is_giving_limit() => return Ok(Confirmed::Waits),
                    given => given?,
                }
            }
            Some(Consequence::Wait) => return Ok(Confirmed::Waits),
            Some(refusal) => self.after_refusal(account, &shown, refusal).await?,
        }
        Ok(Confirmed::Followed)
    }

    /// Cancels an offer that is not what was drafted, or that is for nothing.
    async fn after_refusal(&self, account: &TradingAccount, offer: &Offer, refusal: Consequence) -> EngineResult {
        match refusal {
            Consequence::CancelOffer | Consequence::ReportAndCancel if offer.is_ours => {
                tracing::warn!(offer = %offer.id, ?refusal, "confirmation not allowed; offer cancelled");
                self.cancel_offer(account, &offer.id).await
            }
            Consequence::Wait
            | Consequence::ReadAgain
            | Consequence::CancelOffer
            | Consequence::Report
            | Consequence::ReportAndCancel
            | Consequence::StopAccount => {
                tracing::debug!(offer = %offer.id, ?refusal, "confirmation not allowed");
                Ok(())
            }
        }
    }

    /// Cancels an offer. One that the driver does not cancel, for any account or for this one, stays for its owner.
    pub(crate) async fn cancel_offer(&self, account: &TradingAccount, id: &ExternalId) -> EngineResult {
        match self.desk.platform.cancel(account.address.user, id).await {
            Err(ExternalError::Rejected(PlatformRefusal::NotDone(why))) => {
                tracing::warn!(offer = %id, %why, "offer not cancelled");
                Ok(())
            }
            cancelled => Ok(cancelled?),
        }
    }

    /// Records that an answer is given, gives it, and records what the platform shows then.
    pub(crate) async fn give_answer(&self, account: &TradingAccount, answering: Answering<'_>) -> EngineResult {
        let Some(listed) = answering.listed else { return Ok(()) };
        if answering.recorded.value.status != ConfirmationStatus::Denying && !self.may_trade(&account.name) {
            return Ok(());
        }
        let (workspace_id, confirmation_id) = (self.desk.workspace_id, answering.recorded.value.id);
        let (started, expected_version) = (Instant::now(), answering.recorded.version);
        let command = BeginConfirmation { workspace_id, confirmation_id, expected_version };
        let begun = self.operations.begin_confirmation(&self.caller, command).await?;
        if started.elapsed() >= self.timings.sent_within {
            return Err(EngineError::SubmitTooLate);
        }
        let is_denied = begun.value.status == ConfirmationStatus::Denying;
        let answer = if is_denied { ConfirmationAnswer::Deny } else { ConfirmationAnswer::Allow };
        match self.desk.platform.answer(account.address.user, listed, answer).await {
            // No call was made, and none would be the next time.
            Err(ExternalError::Rejected(PlatformRefusal::NotDone(why))) => {
                let command = RefuseConfirmation { workspace_id, confirmation_id, why };
                self.operations.refuse_confirmation(&self.caller, command).await?;
                return Ok(());
            }
            // "Not found" often means that it was answered before.
            Ok(()) | Err(ExternalError::Rejected(_)) => {}
            Err(error) if error.did_nothing() => {
                let command = PostponeConfirmation { workspace_id, confirmation_id };
                self.operations.postpone_confirmation(&self.caller, command).await?;
                return Err(error.into());
            }
            Err(error) => {
                self.record_outcome(&begun.value, ConfirmationOutcome::Unknown).await?;
                return Err(error.into());
            }
        }
        // The list is read again before anything is concluded from what it leaves out.
        match self.outcome_of_offer(account, &begun.value, None).await? {
            Some(outcome) => self.record_outcome(&begun.value, outcome).await.map(drop),
            None => Ok(()),
        }
    }

    /// Follows an answer that was begun, by the offer and by a list that was read since.
    pub(crate) async fn follow_answer(
        &self,
        account: &TradingAccount,
        answering: Answering<'_>,
    ) -> EngineResult<Versioned<Confirmation>> {
        let (unchanged, recorded) = (answering.recorded, &answering.recorded.value);
        let Some(begun_at) = recorded.answer.and_then(|answer| answer.begun_at) else { return Ok(unchanged.clone()) };
        let rest = BETWEEN_ANSWERS.checked_mul(i32::from(recorded.attempts)).unwrap_or(BETWEEN_ANSWERS);
        if self.waited_for(Step::new(recorded.id, begun_at)) < rest {
            return Ok(unchanged.clone());
        }
        let is_listed = answering.listed.is_some();
        let outcome = if recorded.kind() == ConfirmationKind::TradeOffer {
            self.outcome_of_offer(account, recorded, Some(is_listed)).await?
        } else {
            Some(outcome_of_list(recorded.status, is_listed))
        };
        match outcome {
            Some(outcome) => self.record_outcome(recorded, outcome).await,
            None => Ok(unchanged.clone()),
        }
    }

    /// What the offer of a confirmation shows; nothing where it has none, or where it still waits and the list was not read again.
    pub(crate) async fn outcome_of_offer(
        &self,
        account: &TradingAccount,
        recorded: &Confirmation,
        is_listed: Option<bool>,
    ) -> EngineResult<Option<ConfirmationOutcome>> {
        if recorded.kind() != ConfirmationKind::TradeOffer {
            return Ok(None);
        }
        match self.desk.platform.offer(account.address.user, &recorded.shown.creator).await {
            Err(ExternalError::Rejected(PlatformRefusal::NotFound)) => Ok(Some(ConfirmationOutcome::Gone)),
            shown => Ok(outcome_of(&shown?, is_listed)),
        }
    }

    pub(crate) async fn record_outcome(
        &self,
        recorded: &Confirmation,
        outcome: ConfirmationOutcome,
    ) -> EngineResult<Versioned<Confirmation>> {
        let (workspace_id, confirmation_id) = (self.desk.workspace_id, recorded.id);
        let command = RecordConfirmationOutcome { workspace_id, confirmation_id, outcome };
        Ok(self.operations.record_confirmation_outcome(&self.caller, command).await?)
    }
}

/// How long ago something was read, by the time of this process.
fn age_of(read: Instant) -> Duration {
    Duration::try_from(read.elapsed()).unwrap_or(Duration::MAX)
}

/// What an offer shows of its confirmation.
fn outcome_of(offer: &Offer, is_listed: Option<bool>) -> Option<ConfirmationOutcome> {
    use ConfirmationOutcome as Shows;
    let waits = is_listed.map(|is_listed| if is_listed { Shows::StillWaits } else { Shows::Gone });
    match offer.status {
        OfferStatus::NeedsConfirmation => waits,
        OfferStatus::Active if !offer.is_ours => waits,
        OfferStatus::CancelledBySecondFactor => Some(Shows::Denied),
        OfferStatus::Active
        | OfferStatus::Accepted
        | OfferStatus::InEscrow
        | OfferStatus::Declined
        | OfferStatus::Countered
        | OfferStatus::InvalidItems => Some(Shows::Allowed),
        OfferStatus::Cancelled | OfferStatus::Expired => Some(Shows::Gone),
        OfferStatus::Invalid | OfferStatus::Unknown(_) => None,
    }
}

/// What a list shows of an answer to something else than an offer.
const fn outcome_of_list(status: ConfirmationStatus, is_listed: bool) -> ConfirmationOutcome {
    if is_listed {
        return ConfirmationOutcome::StillWaits;
    }
    match status {
        ConfirmationStatus::Allowing | ConfirmationStatus::Uncertain => ConfirmationOutcome::Allowed,
        ConfirmationStatus::Seen
        | ConfirmationStatus::Matched
        | ConfirmationStatus::Allowed
        | ConfirmationStatus::Denying
        | ConfirmationStatus::Denied
        | ConfirmationStatus::Vanished
        | ConfirmationStatus::Strange => ConfirmationOutcome::Gone,
    }
}

/// The accounts that give nothing.
pub(crate) type StoppedNames = BTreeSet<AccountName>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::offer;

    #[test]
    fn an_offer_of_ours_shows_whether_its_confirmation_was_allowed() {
        use ConfirmationOutcome as Shows;
        for (status, expected) in [
            (OfferStatus::NeedsConfirmation, Some(Shows::StillWaits)),
            (OfferStatus::Active, Some(Shows::Allowed)),
            (OfferStatus::Accepted, Some(Shows::Allowed)),
            (OfferStatus::Declined, Some(Shows::Allowed)),
            (OfferStatus::CancelledBySecondFactor, Some(Shows::Denied)),
            (OfferStatus::Cancelled, Some(Shows::Gone)),
            (OfferStatus::Unknown(77), None),
        ] {
            let ours = Offer { is_ours: true, ..offer(status) };
            assert_eq!(outcome_of(&ours, Some(true)), expected, "{status:?}");
        }
        let waits = Offer { is_ours: true, ..offer(OfferStatus::NeedsConfirmation) };
        assert_eq!((outcome_of(&waits, Some(false)), outcome_of(&waits, None)), (Some(Shows::Gone), None));
        let received = Offer { is_ours: false, ..offer(OfferStatus::Active) };
        assert_eq!(outcome_of(&received, Some(true)), Some(Shows::StillWaits));
    }

    #[test]
    fn a_list_that_leaves_an_answered_confirmation_out_shows_that_the_answer_counted() {
        use ConfirmationOutcome as Shows;
        assert_eq!(outcome_of_list(ConfirmationStatus::Allowing, true), Shows::StillWaits);
        assert_eq!(outcome_of_list(ConfirmationStatus::Uncertain, false), Shows::Allowed);
        assert_eq!(outcome_of_list(ConfirmationStatus::Denying, false), Shows::Gone);
    }
}
