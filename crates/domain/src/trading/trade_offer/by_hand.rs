//! What people ask for: offers that they have sent, accepted, declined or cancelled by the engine.
//!
//! A request is recorded with the offer. The engine records that it begins before it calls the platform, and ends the request by what
//! the platform shows. A request whose call may have had an effect is looked up and never repeated.

use ::time::Duration;

use super::{
    OfferDirection, OfferOrigin, OfferOwner, OfferReport, OfferedAsset, TradeOffer, TradeOfferParts, TradeOfferStatus,
};
use crate::asset::{AppId, AssetId, ContextId};
use crate::id::{IntentId, RecordKey, TradeOfferId};
use crate::names::names;
use crate::text::{AccountName, ExternalId, ReasonText, Text};
use crate::time::Timestamp;
use crate::trading::trade::PlatformUserId;

/// The message of an offer, 1 to 128 characters.
pub type OfferMessage = Text<128>;

/// How long a request waits for an engine. Later it is not carried out: what it was decided on may have changed.
pub const REQUEST_LASTS: Duration = Duration::minutes(15);

/// How far the platform may date an offer before its draft.
const DATED_BACK: Duration = Duration::seconds(30);

/// What a person asks the engine to do about an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OfferStep {
    /// Send it.
    Send = 1,
    /// Accept it.
    Accept = 2,
    /// Decline it.
    Decline = 3,
    /// Cancel it.
    Cancel = 4,
}

names! { OfferStep, "request about a trade offer":
    Send => "SEND",
    Accept => "ACCEPT",
    Decline => "DECLINE",
    Cancel => "CANCEL",
}

/// Why an offer was reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strangeness {
    /// It gives our items, and this installation did not send it.
    NotSentHere = 1,
    /// The platform shows other items or another partner than the request names.
    ContentDiffers = 2,
}

names! { Strangeness, "strangeness of a trade offer":
    NotSentHere => "NOT_SENT_HERE",
    ContentDiffers => "CONTENT_DIFFERS",
}

/// An item that a person names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetReference {
    /// The game.
    pub app_id: AppId,
    /// The context of its inventory.
    pub context_id: ContextId,
    /// The id.
    pub asset_id: AssetId,
}

/// What distinguishes an item from all others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetKey {
    /// The game.
    pub app_id: AppId,
    /// The id.
    pub asset_id: AssetId,
}

impl AssetKey {
    fn new(app_id: AppId, asset_id: &AssetId) -> Self {
        Self { app_id, asset_id: asset_id.clone() }
    }
}

impl From<&OfferedAsset> for AssetKey {
    fn from(asset: &OfferedAsset) -> Self {
        Self::new(asset.app_id, &asset.asset_id)
    }
}

/// The offer that a person wants to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferWish {
    /// The token of the partner's trade URL.
    pub token: ExternalId,
    /// The items to give.
    pub gives: Vec<AssetReference>,
    /// The items to receive.
    pub receives: Vec<AssetReference>,
    /// The message to the partner.
    pub message: Option<OfferMessage>,
    /// The intent that it belongs to.
    pub intent_id: Option<IntentId>,
    /// Whether it is sent though the platform would hold its items.
    pub accepts_hold: bool,
}

/// A request that the engine has not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfferRequest {
    /// What is to be done.
    pub step: OfferStep,
    /// When a person asked for it.
    pub requested_at: Timestamp,
    /// When the engine began: from then on its call may have had an effect.
    pub begun_at: Option<Timestamp>,
    /// Of an acceptance: whether it is made though the platform would hold the items. An offer to send has it in its wish.
    pub accepts_hold: bool,
}

impl OfferRequest {
    /// A request that the engine has not begun.
    const fn asked(step: OfferStep, at: Timestamp) -> Self {
        Self { step, requested_at: at, begun_at: None, accepts_hold: false }
    }
}

/// Why a request about an offer is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The engine decides about it.
    #[error("the engine handles the offer of a purchase or a sale: cancel the sale or the purchase instead")]
    OfEngine,
    /// Another request is not finished.
    #[error("the request {0} of this offer is not finished: read the offer again until it is")]
    Unfinished(OfferStep),
    /// The step is not for offers of this direction.
    #[error("{step} is not for an offer that was {direction}")]
    Direction {
        /// The step.
        step: OfferStep,
        /// The direction of the offer.
        direction: OfferDirection,
    },
    /// The step is not for offers in this status.
    #[error("{step} is not for an offer that is {status}")]
    Status {
        /// The step.
        step: OfferStep,
        /// The status of the offer.
        status: TradeOfferStatus,
    },
    /// The platform does not show the items.
    #[error("the platform does not show the items of this offer at present: refresh the offers, then try again")]
    Glitched,
}

impl TradeOffer {
    /// An offer that a person asks for. The engine sends it.
    pub fn requested(
        RecordKey { workspace_id, id }: RecordKey<TradeOfferId>,
        account_name: AccountName,
        partner: PlatformUserId,
        wish: OfferWish,
        at: Timestamp,
    ) -> Self {
        Self(TradeOfferParts {
            id,
            workspace_id,
            account_name,
            partner,
            direction: OfferDirection::Sent,
            offer_id: None,
            status: TradeOfferStatus::Draft,
            shown: None,
            is_glitched: false,
            gives: Vec::new(),
            receives: Vec::new(),
            owner: None,
            trade: None,
            created_at: at,
            updated_at: at,
            expires_at: None,
            origin: OfferOrigin::Person,
            wish: Some(wish),
            request: Some(OfferRequest::asked(OfferStep::Send, at)),
            request_failure: None,
            strangeness: None,
            hold_seconds: None,
            given: None,
        })
    }

    /// Returns the offer with the request of a person. An offer that was never sent is cancelled at once.
    ///
    /// # Errors
    /// [`RequestError`].
    pub fn request(self, step: OfferStep, at: Timestamp) -> Result<Self, RequestError> {
        self.check_request(step)?;
        if step == OfferStep::Cancel && self.is_unsent() {
            let cancelled = self.moved(TradeOfferStatus::Cancelled, at);
            return Ok(Self(TradeOfferParts { request: None, request_failure: None, ..cancelled.0 }));
        }
        let request = Some(OfferRequest::asked(step, at));
        let updated_at = at.max(self.0.updated_at);
        Ok(Self(TradeOfferParts { request, request_failure: None, updated_at, ..self.0 }))
    }

    /// Returns the offer whose request to accept it holds though the platform would hold the items.
    #[must_use]
    pub fn accepting_hold(self) -> Self {
        let request = self.0.request.map(|request| OfferRequest { accepts_hold: true, ..request });
        Self(TradeOfferParts { request, ..self.0 })
    }

    fn check_request(&self, step: OfferStep) -> Result<(), RequestError> {
        use TradeOfferStatus as Is;
        let (status, direction) = (self.0.status, self.0.direction);
        if self.0.owner.is_some() {
            return Err(RequestError::OfEngine);
        }
        let wanted = match step {
            OfferStep::Send | OfferStep::Cancel => OfferDirection::Sent,
            OfferStep::Accept | OfferStep::Decline => OfferDirection::Received,
        };
        if direction != wanted {
            return Err(RequestError::Direction { step, direction });
        }
        let is_possible = match step {
            OfferStep::Send => false,
            OfferStep::Accept | OfferStep::Decline => status == Is::Active,
            OfferStep::Cancel => matches!(status, Is::Draft | Is::SendUncertain | Is::NeedsConfirmation | Is::Active),
        };
        if !is_possible {
            return Err(RequestError::Status { step, status });
        }
        // What is known to be out, or was not begun, can be cancelled while it is being sent.
        let is_in_flight = |request: &OfferRequest| request.step != OfferStep::Send || self.may_be_in_flight();
        if let Some(request) = self.0.request.filter(is_in_flight) {
            return Err(RequestError::Unfinished(request.step));
        }
        if step == OfferStep::Accept && self.0.is_glitched {
            return Err(RequestError::Glitched);
        }
        Ok(())
    }

    /// Whether the call that sends it may have been made, and the platform has not shown it.
    fn may_be_in_flight(&self) -> bool {
        self.is_unsent() && self.0.request.is_some_and(|request| request.begun_at.is_some())
    }

    /// The offer once the engine is about to call the platform for the request.
    #[must_use]
    pub fn begun(self, at: Timestamp) -> Self {
        let request = self.0.request.map(|request| OfferRequest { begun_at: Some(at), ..request });
        Self(TradeOfferParts { request, updated_at: at.max(self.0.updated_at), ..self.0 })
    }

    /// The offer after a call that certainly did nothing and can be repeated.
    #[must_use]
    pub fn not_begun(self, at: Timestamp) -> Self {
        let request = self.0.request.map(|request| OfferRequest { begun_at: None, ..request });
        Self(TradeOfferParts { request, updated_at: at.max(self.0.updated_at), ..self.0 })
    }

    /// The offer once its request was not carried out. One that was certainly not sent is cancelled; the outcome of one that may have been
    /// sent stays uncertain until the platform shows it or a person cancels it.
    #[must_use]
    pub fn request_failed(self, failure: ReasonText, is_certain: bool, at: Timestamp) -> Self {
        let Some(request) = self.0.request else { return self };
        let offer = match request.step {
            OfferStep::Send if self.is_unsent() && is_certain => self.moved(TradeOfferStatus::Cancelled, at),
            OfferStep::Send if self.is_unsent() => self.moved(TradeOfferStatus::SendUncertain, at),
            OfferStep::Send | OfferStep::Accept | OfferStep::Decline | OfferStep::Cancel => self,
        };
        // What was certainly not accepted is not given. What was not sent has ended.
        let is_undone = is_certain && request.step == OfferStep::Accept;
        let given = offer.0.given.filter(|given| given.is_allowed || !is_undone);
        let (request_failure, updated_at) = (Some(failure), at.max(offer.0.updated_at));
        Self(TradeOfferParts { request: None, request_failure, given, updated_at, ..offer.0 })
    }

    /// The offer once its purchase or item is known, whose steps decide about it from then on.
    #[must_use]
    pub fn adopted(self, owner: OfferOwner, at: Timestamp) -> Self {
        if self.0.owner.is_some() || self.0.origin == OfferOrigin::Person {
            return self;
        }
        let (origin, updated_at) = (OfferOrigin::Engine, at.max(self.0.updated_at));
        Self(TradeOfferParts { owner: Some(owner), origin, request: None, updated_at, ..self.0 })
    }

    /// The offer once it is reported.
    #[must_use]
    pub fn strange(self, why: Strangeness, at: Timestamp) -> Self {
        Self(TradeOfferParts { strangeness: Some(why), updated_at: at.max(self.0.updated_at), ..self.0 })
    }

    /// Whether it is for no purchase and no item of ours.
    pub fn is_unowned(&self) -> bool {
        self.0.owner.is_none()
    }

    /// Whether the request has waited too long for an engine.
    pub fn is_request_late(&self, at: Timestamp) -> bool {
        let waits = self.0.request.filter(|request| request.begun_at.is_none());
        waits.is_some_and(|request| at.since(request.requested_at) >= REQUEST_LASTS)
    }

    /// Whether a report shows the partner and the items that this record has, each item once and no other.
    pub fn has_content_of(&self, report: &OfferReport) -> bool {
        report.direction == self.0.direction
            && report.partner == self.0.partner
            && named(&report.gives) == self.given_assets()
            && named(&report.receives) == self.received_assets()
    }

    /// Whether a report shows what a person asked for.
    pub(super) fn is_wish_shown_by(&self, report: &OfferReport) -> bool {
        self.has_content_of(report) && report.created_at >= self.0.created_at.plus(-DATED_BACK)
    }

    /// The games and ids of the items that we give, in order: as a person named them, or as the platform shows them.
    pub fn given_assets(&self) -> Vec<AssetKey> {
        self.0.wish.as_ref().map_or_else(|| named(&self.0.gives), |wish| wished(&wish.gives))
    }

    /// The same of the items that we receive.
    pub fn received_assets(&self) -> Vec<AssetKey> {
        self.0.wish.as_ref().map_or_else(|| named(&self.0.receives), |wish| wished(&wish.receives))
    }
}

impl TradeOfferParts {
    /// The request as far as the status has not settled it.
    pub(super) fn open_request(&self) -> Option<OfferRequest> {
        use TradeOfferStatus as Is;
        let waits = match self.status {
            Is::Draft | Is::SendUncertain | Is::Unknown | Is::NeedsConfirmation => true,
            Is::Active => self.request.is_some_and(|request| request.step != OfferStep::Send),
            Is::Accepted
            | Is::Countered
            | Is::Expired
            | Is::Cancelled
            | Is::Declined
            | Is::InvalidItems
            | Is::CancelledBySecondFactor
            | Is::InEscrow
            | Is::Invalid
            | Is::Completed
            | Is::Reverted
            | Is::RolledBack
            | Is::Final => false,
        };
        self.request.filter(|_| waits)
    }
}

fn named(assets: &[OfferedAsset]) -> Vec<AssetKey> {
    let mut ids: Vec<_> = assets.iter().map(|asset| AssetKey::new(asset.app_id, &asset.asset_id)).collect();
    ids.sort_unstable();
    ids
}

fn wished(assets: &[AssetReference]) -> Vec<AssetKey> {
    let mut ids: Vec<_> = assets.iter().map(|asset| AssetKey::new(asset.app_id, &asset.asset_id)).collect();
    ids.sort_unstable();
    ids
}

#[cfg(test)]
mod tests;
