//! A confirmation: a request that waits for the mobile authenticator of a trading account, and what came of it.
//!
//! The platform shows an id, a number of its kind and the id of what it is about; everything else is text for people. The engine allows
//! a confirmation only if every one of the [thirteen checks](examine) holds. A kind that changes the account is never allowed here.

mod checks;
mod machine;

use ::time::Duration;

use crate::id::{ConfirmationId, IntentId, RecordKey, TradeOfferId, WorkspaceId};
use crate::names::names;
use crate::text::{AccountName, ExternalId, ReasonText, Text};
use crate::time::Timestamp;
use crate::trading::trade_offer::TradeOffer;

pub use checks::{
    CheckCode, ConfirmationCheck, Consequence, Examination, GivenItem, Halts, Purpose, Reading, SalePurpose, Verdict,
    examine,
};
pub use machine::{ConfirmationOutcome, ConfirmationStep, StepError};

/// A line that the platform shows for people, 1 to 300 characters.
pub type ConfirmationText = Text<300>;

/// How long a confirmation of a trade offer may belong to none that is on record: the answer of the call that sent the offer may be lost.
pub const UNMATCHED_LASTS: Duration = Duration::seconds(60);

/// How often an answer without an outcome is repeated.
pub const MOST_ATTEMPTS: u8 = 5;

/// How long lists have to leave a confirmation out until it counts as missing.
pub const MISSING_LASTS: Duration = Duration::seconds(30);

/// How long the answer of a person waits for an engine. Later it is not given: what it was decided on may have changed.
pub const ANSWER_LASTS: Duration = Duration::minutes(15);

/// After this time, one that did not change is recorded as seen again.
const SEEN_AGAIN_AFTER: Duration = Duration::minutes(10);

/// What a confirmation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConfirmationKind {
    /// A trade offer that gives items.
    TradeOffer = 1,
    /// An item that is listed at the platform's own market.
    MarketListing = 2,
    /// A key for the platform's interface.
    ApiKey = 3,
    /// Another phone number.
    Phone = 4,
    /// A recovery of the account.
    Recovery = 5,
    /// A family that the account joins.
    Family = 6,
    /// A kind that is not known.
    Other = 7,
}

names! { ConfirmationKind, "kind of confirmation":
    TradeOffer => "TRADE_OFFER",
    MarketListing => "MARKET_LISTING",
    ApiKey => "API_KEY",
    Phone => "PHONE",
    Recovery => "RECOVERY",
    Family => "FAMILY",
    Other => "OTHER",
}

impl ConfirmationKind {
    /// Returns the kind that the platform gives this number; a number that is not known is [`ConfirmationKind::Other`].
    pub const fn of_platform(number: u32) -> Self {
        match number {
            2 => Self::TradeOffer,
            3 => Self::MarketListing,
            5 => Self::Phone,
            6 => Self::Recovery,
            9 => Self::ApiKey,
            11 => Self::Family,
            _ => Self::Other,
        }
    }

    /// Whether it changes who controls the account. Such a one is denied here or allowed in the platform's own app.
    pub const fn changes_account(self) -> bool {
        match self {
            Self::ApiKey | Self::Phone | Self::Recovery | Self::Family => true,
            Self::TradeOffer | Self::MarketListing | Self::Other => false,
        }
    }
}

/// The status of a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConfirmationStatus {
    /// The platform shows it.
    Seen = 1,
    /// Every check holds.
    Matched = 2,
    /// It is being allowed.
    Allowing = 3,
    /// Final: it was allowed.
    Allowed = 4,
    /// It is being denied.
    Denying = 5,
    /// Final: it was denied.
    Denied = 6,
    /// Final: the platform shows it no longer, and its offer has ended.
    Vanished = 7,
    /// The answer that allows it may have had its effect.
    Uncertain = 8,
    /// It is not what the engine does: a person decides.
    Strange = 9,
}

names! { ConfirmationStatus, "status of a confirmation":
    Seen => "SEEN",
    Matched => "MATCHED",
    Allowing => "ALLOWING",
    Allowed => "ALLOWED",
    Denying => "DENYING",
    Denied => "DENIED",
    Vanished => "VANISHED",
    Uncertain => "UNCERTAIN",
    Strange => "STRANGE",
}

impl ConfirmationStatus {
    /// The name of the step that leads to it.
    pub const fn step(self) -> &'static str {
        match self {
            Self::Seen => "seen",
            Self::Matched => "matched",
            Self::Allowing => "allowing",
            Self::Allowed => "allowed",
            Self::Denying => "denying",
            Self::Denied => "denied",
            Self::Vanished => "vanished",
            Self::Uncertain => "answer_lost",
            Self::Strange => "reported",
        }
    }

    /// Whether nothing follows.
    pub const fn is_terminal(self) -> bool {
        match self {
            Self::Allowed | Self::Denied | Self::Vanished => true,
            Self::Seen | Self::Matched | Self::Allowing | Self::Denying | Self::Uncertain | Self::Strange => false,
        }
    }
}

/// An answer that is asked for or was given, and has no outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingAnswer {
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// Whether a person asked for it. The engine asks for an answer as it gives it.
    pub is_by_person: bool,
    /// When the engine began to give it: from then on it may have had its effect.
    pub begun_at: Option<Timestamp>,
}

/// A confirmation as the platform's list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownConfirmation {
    /// The platform's id of it.
    pub platform_id: ExternalId,
    /// The platform's number of its kind.
    pub platform_kind: u32,
    /// The platform's name of its kind.
    pub kind_name: Option<ConfirmationText>,
    /// The platform's id of what it is about; of a trade offer that of the offer.
    pub creator: ExternalId,
    /// The first line.
    pub headline: Option<ConfirmationText>,
    /// The further lines.
    pub summary: Vec<ConfirmationText>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl ShownConfirmation {
    /// What it is about.
    pub const fn kind(&self) -> ConfirmationKind {
        ConfirmationKind::of_platform(self.platform_kind)
    }
}

/// A confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    /// Its own id.
    pub id: ConfirmationId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trading account.
    pub account_name: AccountName,
    /// As the platform showed it last.
    pub shown: ShownConfirmation,
    /// The current status.
    pub status: ConfirmationStatus,
    /// The offer that it is about, once that is known.
    pub trade_offer_id: Option<TradeOfferId>,
    /// The intent of that offer.
    pub intent_id: Option<IntentId>,
    /// The checks of the last examination.
    pub checks: Vec<ConfirmationCheck>,
    /// How often it was answered.
    pub attempts: u8,
    /// The answer that has no outcome yet.
    pub answer: Option<PendingAnswer>,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// When the platform showed it last.
    pub seen_at: Timestamp,
    /// Since when the lists of the platform leave it out.
    pub missing_since: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A stored confirmation breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a confirmation breaks a rule: an answer without an outcome is in a status in which it is being given")]
pub struct CorruptConfirmation;

impl Confirmation {
    /// Records one that the platform shows for the first time.
    pub fn seen(
        RecordKey { workspace_id, id }: RecordKey<ConfirmationId>,
        account_name: AccountName,
        shown: ShownConfirmation,
        at: Timestamp,
    ) -> Self {
        Self {
            id,
            workspace_id,
            account_name,
            shown,
            status: ConfirmationStatus::Seen,
            trade_offer_id: None,
            intent_id: None,
            checks: Vec::new(),
            attempts: 0,
            answer: None,
            recorded_at: at,
            seen_at: at,
            missing_since: None,
            updated_at: at,
        }
    }

    /// What it is about.
    pub const fn kind(&self) -> ConfirmationKind {
        self.shown.kind()
    }

    /// Whether something can still come of it.
    pub const fn is_open(&self) -> bool {
        !self.status.is_terminal()
    }

    /// Whether the account gives nothing because of it. A person ends that by denying it, also once the platform shows it no longer.
    pub const fn stops_giving(&self) -> bool {
        self.kind().changes_account() && self.is_open()
    }

    /// Whether the lists have left it out for so long that it is missing.
    pub fn is_missing(&self, now: Timestamp) -> bool {
        self.missing_since.is_some_and(|since| now.since(since) >= MISSING_LASTS)
    }

    /// Whether the answer of a person has waited too long for an engine.
    pub fn is_answer_late(&self, now: Timestamp) -> bool {
        let waits = self.answer.filter(|answer| answer.begun_at.is_none());
        waits.is_some_and(|answer| now.since(answer.asked_at) >= ANSWER_LASTS)
    }

    /// Whether the engine has begun to give this answer. What changes the account is never allowed here.
    pub fn is_being_answered(&self, is_allowed: bool) -> bool {
        use ConfirmationStatus as Is;
        let has_begun = self.answer.is_some_and(|answer| answer.begun_at.is_some());
        let is_it = match self.status {
            Is::Allowing => is_allowed && !self.kind().changes_account(),
            Is::Denying => !is_allowed,
            Is::Seen | Is::Matched | Is::Allowed | Is::Denied | Is::Vanished | Is::Uncertain | Is::Strange => false,
        };
        has_begun && is_it
    }

    /// Whether an offer may be the one that it is about: this installation drafted it, or accepts it for a person.
    pub fn may_be_about(&self, offer: &TradeOffer) -> bool {
        offer.offer_id.as_ref() == Some(&self.shown.creator) && checks::is_ours(offer)
    }

    /// Whether the parts contradict each other: an answer has no outcome exactly while it is being given.
    pub const fn is_corrupt(&self) -> bool {
        use ConfirmationStatus as Is;
        let is_answered = matches!(self.status, Is::Allowing | Is::Denying | Is::Uncertain);
        is_answered != self.answer.is_some()
    }

    /// Takes a confirmation back from a store.
    ///
    /// # Errors
    /// [`CorruptConfirmation`] when the parts contradict each other.
    pub fn checked(self) -> Result<Self, CorruptConfirmation> {
        if self.is_corrupt() { Err(CorruptConfirmation) } else { Ok(self) }
    }

    /// The same once it is reported: it is not what the engine does.
    #[must_use]
    pub fn reported(self, code: CheckCode, why: Option<ReasonText>, at: Timestamp) -> Self {
        if !matches!(self.status, ConfirmationStatus::Seen | ConfirmationStatus::Matched) {
            return self;
        }
        let checks = vec![ConfirmationCheck { code, holds: false, detail: why }];
        Self { status: ConfirmationStatus::Strange, checks, updated_at: at.max(self.updated_at), ..self }
    }

    /// Whether it has belonged to no offer for so long that none will be found.
    pub fn is_unmatched_too_long(&self, now: Timestamp) -> bool {
        self.trade_offer_id.is_none() && now.since(self.recorded_at) >= UNMATCHED_LASTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trade_offers_market_listings_and_unknown_kinds_leave_the_account_as_it_is() {
        let changing = ConfirmationKind::ALL.iter().filter(|kind| kind.changes_account());
        let expected =
            [ConfirmationKind::ApiKey, ConfirmationKind::Phone, ConfirmationKind::Recovery, ConfirmationKind::Family];
        assert!(changing.eq(&expected));
    }

    #[test]
    fn a_number_of_the_platform_that_is_not_known_is_carried_as_another_kind() {
        for number in [0, 1, 4, 7, 8, 10, 12, u32::MAX] {
            assert_eq!(ConfirmationKind::of_platform(number), ConfirmationKind::Other, "{number}");
        }
        let known = [2, 3, 5, 6, 9, 11].map(ConfirmationKind::of_platform);
        assert!(!known.contains(&ConfirmationKind::Other));
    }
}
