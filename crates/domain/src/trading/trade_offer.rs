//! A trade offer as one of our accounts sees it: its partner and items, its purchase or item, its status and the resulting trade.
//!
//! A [`TradeOffer`] can be read freely but only made by [`TradeOffer::draft`] and [`TradeOffer::first_seen`], changed by
//! [`TradeOffer::see`] and [`TradeOffer::follow`], and read back from a store by [`TradeOffer::restore`]. How the platform is read,
//! and which offers are accepted or sent, is not known here.

mod by_hand;
mod following;
mod giving;
mod machine;
mod status;

use std::ops::Deref;

use ::time::Duration;

use crate::asset::{AppId, AssetId, ContextId};
use crate::id::{InventoryItemId, PurchaseId, RecordKey, TradeOfferId, WorkspaceId};
use crate::names::names;
use crate::text::{AccountName, ExternalId, MarketHashName, ReasonText};
use crate::time::Timestamp;
use crate::trading::giving::Given;
use crate::trading::trade::{OfferStatus, PlatformUserId, TradeStatus};

pub use by_hand::{
    AssetKey, AssetReference, OfferMessage, OfferRequest, OfferStep, OfferWish, REQUEST_LASTS, RequestError,
    Strangeness,
};
pub use following::OwnerChange;
pub use status::TradeOfferStatus;

/// Longer than any offer can be accepted, and than the platform holds any trade.
const STALE: Duration = Duration::days(30);

/// Who sent an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OfferDirection {
    /// The partner.
    Received = 1,
    /// We.
    Sent = 2,
}

names! { OfferDirection, "direction of a trade offer":
    Received => "RECEIVED",
    Sent => "SENT",
}

/// Where an offer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OfferOrigin {
    /// The engine sent it, or it delivers a purchase of the engine.
    Engine = 1,
    /// A person asked for it.
    Person = 2,
    /// The platform showed it, and no record explains it.
    Outside = 3,
}

names! { OfferOrigin, "origin of a trade offer":
    Engine => "ENGINE",
    Person => "PERSON",
    Outside => "OUTSIDE",
}

/// What an offer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OfferOwner {
    /// The purchase that it delivers.
    Purchase(PurchaseId),
    /// The item that it gives to its buyer.
    Item(InventoryItemId),
}

/// An item of an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedAsset {
    /// The game.
    pub app_id: AppId,
    /// Its id before the trade.
    pub asset_id: AssetId,
    /// The variant.
    pub market_hash_name: MarketHashName,
}

/// An item of a trade, with the ids that the trade gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradedAsset {
    /// The item as it was offered.
    pub asset: OfferedAsset,
    /// Whether we gave it; else we received it.
    pub is_given: bool,
    /// Its id with its new owner, once it moved.
    pub moved_to: Option<AssetId>,
    /// The context of that, where it is known.
    pub context_id: Option<ContextId>,
    /// Its id with its old owner, where it went back.
    pub returned_as: Option<AssetId>,
}

/// The trade that came of an offer, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferTrade {
    /// The platform's id of it.
    pub id: ExternalId,
    /// The status by the platform's number; none until it was read.
    pub status: Option<TradeStatus>,
    /// Its items: the map from old ids to new ones.
    pub assets: Vec<TradedAsset>,
    /// Until when the platform holds the items, if it does or did.
    pub held_until: Option<Timestamp>,
    /// Until when either side can take it back, once it is complete.
    pub protected_until: Option<Timestamp>,
    /// The trade that took it back.
    pub rollback_trade_id: Option<ExternalId>,
}

/// An offer as the platform shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferReport {
    /// The platform's id of it.
    pub offer_id: ExternalId,
    /// The other side.
    pub partner: PlatformUserId,
    /// Who sent it.
    pub direction: OfferDirection,
    /// The status by the platform's number.
    pub status: OfferStatus,
    /// What we would give. With nothing to receive either, the platform does not show the items at present.
    pub gives: Vec<OfferedAsset>,
    /// What we would receive.
    pub receives: Vec<OfferedAsset>,
    /// The trade, once it was begun.
    pub trade: Option<OfferTrade>,
    /// For how long the platform holds the items of the trade, where it does.
    pub hold_seconds: Option<u32>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it can be accepted no longer.
    pub expires_at: Timestamp,
}

/// An offer that an account sees for the first time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenOffer {
    /// The account.
    pub account_name: AccountName,
    /// The platform's report.
    pub report: OfferReport,
    /// The purchase or item of the offer, if it is known.
    pub owner: Option<OfferOwner>,
}

/// An offer of ours that is about to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferDraft {
    /// To whom.
    pub partner: PlatformUserId,
    /// What we give.
    pub gives: Vec<OfferedAsset>,
    /// What it is for.
    pub owner: OfferOwner,
}

/// All fields of an offer, as a store keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeOfferParts {
    /// Its own id.
    pub id: TradeOfferId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_name: AccountName,
    /// The other side.
    pub partner: PlatformUserId,
    /// Who sent it.
    pub direction: OfferDirection,
    /// The platform's id of it; nothing before it was sent.
    pub offer_id: Option<ExternalId>,
    /// The current status.
    pub status: TradeOfferStatus,
    /// The platform's number for that, as it was last shown.
    pub shown: Option<OfferStatus>,
    /// Whether the platform did not show its items when it was last seen.
    pub is_glitched: bool,
    /// What we give.
    pub gives: Vec<OfferedAsset>,
    /// What we receive.
    pub receives: Vec<OfferedAsset>,
    /// What it is for; nothing where it belongs to nothing of ours.
    pub owner: Option<OfferOwner>,
    /// The trade that came of it.
    pub trade: Option<OfferTrade>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When something of this was last seen to change.
    pub updated_at: Timestamp,
    /// When it can be accepted no longer, where the platform said so.
    pub expires_at: Option<Timestamp>,
    /// Where it comes from.
    pub origin: OfferOrigin,
    /// What a person asked to be sent; nothing of any other offer.
    pub wish: Option<OfferWish>,
    /// What a person has requested and the engine has not finished.
    pub request: Option<OfferRequest>,
    /// Why the last request was not carried out.
    pub request_failure: Option<ReasonText>,
    /// Why it was reported.
    pub strangeness: Option<Strangeness>,
    /// For how long the platform holds the items of its trade, as last shown.
    pub hold_seconds: Option<u32>,
    /// What it gives, by value; nothing of an offer that gives nothing, or that was not sent here.
    pub given: Option<Given>,
}

/// A trade offer that keeps every rule. Its parts are read through [`Deref`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeOffer(TradeOfferParts);

/// A stored trade offer breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a trade offer that is {status} breaks a rule: {rule}")]
pub struct CorruptTradeOffer {
    /// The stored status.
    pub status: TradeOfferStatus,
    /// The rule.
    pub rule: &'static str,
}

impl TradeOffer {
    /// An offer of ours before it is sent.
    pub fn draft(
        RecordKey { workspace_id, id }: RecordKey<TradeOfferId>,
        account_name: AccountName,
        draft: OfferDraft,
        at: Timestamp,
    ) -> Self {
        Self(TradeOfferParts {
            id,
            workspace_id,
            account_name,
            partner: draft.partner,
            direction: OfferDirection::Sent,
            offer_id: None,
            status: TradeOfferStatus::Draft,
            shown: None,
            is_glitched: false,
            gives: draft.gives,
            receives: Vec::new(),
            owner: Some(draft.owner),
            trade: None,
            created_at: at,
            updated_at: at,
            expires_at: None,
            origin: OfferOrigin::Engine,
            wish: None,
            request: None,
            request_failure: None,
            strangeness: None,
            hold_seconds: None,
            given: None,
        })
    }

    /// Takes an offer back from a store.
    ///
    /// # Errors
    /// [`CorruptTradeOffer`] when the parts contradict each other.
    pub fn restore(parts: TradeOfferParts) -> Result<Self, CorruptTradeOffer> {
        match parts.broken_rule() {
            Some(rule) => Err(CorruptTradeOffer { status: parts.status, rule }),
            None => Ok(Self(parts)),
        }
    }

    /// Whether something can still come of it.
    pub fn is_open(&self) -> bool {
        !self.0.status.is_terminal()
    }

    /// Whether items may move by it yet. What is complete has moved them; and what has not changed for so long never will.
    pub fn may_move_items(&self, at: Timestamp) -> bool {
        let is_under_way = !self.0.status.is_terminal() && self.0.status != TradeOfferStatus::Completed;
        is_under_way && at.since(self.0.updated_at) < STALE
    }

    /// Whether it was not sent yet, as far as is known.
    pub fn is_unsent(&self) -> bool {
        self.0.offer_id.is_none()
    }

    /// Whether a report shows what this one was to be: an offer of ours to the same partner that gives the same. What a person asked for is
    /// shown by an offer of exactly these items alone.
    pub fn is_shown_by(&self, report: &OfferReport) -> bool {
        if self.0.wish.is_some() {
            return self.is_wish_shown_by(report);
        }
        let ids = |assets: &[OfferedAsset]| assets.iter().map(|asset| asset.asset_id.clone()).collect::<Vec<_>>();
        report.direction == self.0.direction
            && report.partner == self.0.partner
            && ids(&report.gives) == ids(&self.0.gives)
            && report.receives.is_empty() == self.0.receives.is_empty()
    }
}

impl Deref for TradeOffer {
    type Target = TradeOfferParts;

    fn deref(&self) -> &TradeOfferParts {
        &self.0
    }
}

impl TradeOfferParts {
    /// The first rule that the parts break. Every record that is made here breaks none.
    fn broken_rule(&self) -> Option<&'static str> {
        use TradeOfferStatus as Is;
        let is_unsent = matches!(self.status, Is::Draft | Is::SendUncertain);
        let was_sent = !is_unsent && self.status != Is::Cancelled;
        let rules = [
            (!is_unsent || self.offer_id.is_none(), "what was not sent has no id at the platform"),
            (!was_sent || self.offer_id.is_some(), "what was sent has an id at the platform"),
            (self.offer_id.is_some() || self.direction == OfferDirection::Sent, "what was received was sent"),
            (self.created_at <= self.updated_at, "it does not change before it is made"),
            (
                self.request.is_none() || self.owner.is_none(),
                "the engine decides about the offers of its purchases and items",
            ),
            (self.wish.is_none() || self.origin == OfferOrigin::Person, "what a person asked for comes from a person"),
        ];
        rules.into_iter().find(|(kept, _)| !kept).map(|(_, rule)| rule)
    }
}
