//! Samples of trade offers, made as the platform shows them.

use std::num::NonZeroU64;

use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::id::{RecordKey, WorkspaceId};
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeStatus};
use tradepost_domain::trading::trade_offer::{
    AssetReference, OfferDirection, OfferDraft, OfferOwner, OfferReport, OfferTrade, OfferWish, OfferedAsset,
    OwnerChange, SeenOffer, TradeOffer, TradeOfferStatus, TradedAsset,
};

use super::{Samples, minute, start, text};

impl Samples {
    /// Returns an item of an offer.
    ///
    /// # Panics
    /// Never: the id is legal.
    pub fn offered_asset(&self, asset_id: u64) -> OfferedAsset {
        let asset_id = AssetId::new(&asset_id.to_string()).unwrap();
        OfferedAsset { app_id: AppId::CS2, asset_id, market_hash_name: text("AK-47 | Redline (Field-Tested)") }
    }

    /// Returns an offer that another account sent, as the platform shows it.
    ///
    /// # Panics
    /// Never: the numbers are legal.
    pub fn offer_report(&self, status: OfferStatus) -> OfferReport {
        OfferReport {
            offer_id: self.external_id(),
            partner: PlatformUserId::new(NonZeroU64::new(76_561_198_000_000_009).unwrap()),
            direction: OfferDirection::Received,
            status,
            gives: Vec::new(),
            receives: vec![self.offered_asset(27_348_562_871)],
            trade: None,
            hold_seconds: None,
            created_at: start(),
            expires_at: minute(14 * 24 * 60),
        }
    }

    /// Returns a complete trade of this one item, with every optional field.
    ///
    /// # Panics
    /// Never: the ids are legal.
    pub fn whole_trade(&self) -> OfferTrade {
        let traded = TradedAsset {
            asset: self.offered_asset(27_348_562_871),
            is_given: false,
            moved_to: Some(AssetId::new("27348562872").unwrap()),
            context_id: Some(ContextId::PROTECTED),
            returned_as: None,
        };
        let returned = TradedAsset {
            is_given: true,
            moved_to: None,
            context_id: None,
            returned_as: Some(AssetId::new("9").unwrap()),
            ..traded.clone()
        };
        OfferTrade {
            id: self.external_id(),
            status: Some(TradeStatus::Complete),
            assets: vec![traded, returned],
            held_until: Some(minute(10)),
            protected_until: Some(minute(20)),
            rollback_trade_id: Some(self.external_id()),
        }
    }

    /// Returns an offer that a person asked for, with every optional field of that.
    ///
    /// # Panics
    /// Never: the ids are legal.
    pub fn requested_offer(&self, workspace_id: WorkspaceId, gives: &[u64], receives: &[u64]) -> TradeOffer {
        let asset = |id: &u64| AssetReference {
            app_id: AppId::CS2,
            context_id: ContextId::ORDINARY,
            asset_id: AssetId::new(&id.to_string()).unwrap(),
        };
        let wish = OfferWish {
            token: text("token"),
            gives: gives.iter().map(asset).collect(),
            receives: receives.iter().map(asset).collect(),
            message: Some(text("for the other account")),
            intent_id: Some(self.id()),
            accepts_hold: true,
        };
        let partner = self.offer_report(OfferStatus::Active).partner;
        let key = RecordKey { workspace_id, id: self.id() };
        TradeOffer::requested(key, text("trader-1"), partner, wish, start())
    }

    /// Returns an offer of the account `trader-1` for this owner, in a status.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn trade_offer_in(&self, workspace_id: WorkspaceId, status: TradeOfferStatus, owner: OfferOwner) -> TradeOffer {
        use TradeOfferStatus as Is;
        let seen = |shown: OfferStatus| {
            let report = self.offer_report(shown);
            let offer = SeenOffer { account_name: text("trader-1"), report, owner: Some(owner) };
            TradeOffer::first_seen(RecordKey { workspace_id, id: self.id() }, offer, start())
        };
        let draft = || {
            let partner = self.offer_report(OfferStatus::Active).partner;
            let draft = OfferDraft { partner, gives: vec![self.offered_asset(1)], owner };
            TradeOffer::draft(RecordKey { workspace_id, id: self.id() }, text("trader-1"), draft, start())
        };
        let completed = || {
            let step = OwnerChange::Completed {
                trade_id: self.external_id(),
                asset_id: AssetId::new("2").unwrap(),
                context_id: Some(ContextId::PROTECTED),
                protected_until: Some(minute(20)),
            };
            seen(OfferStatus::Accepted).follow(step, start())
        };
        match status {
            Is::Draft => draft(),
            Is::SendUncertain => draft().send_lost(start()),
            Is::NeedsConfirmation => seen(OfferStatus::NeedsConfirmation),
            Is::Active => seen(OfferStatus::Active),
            Is::Accepted => seen(OfferStatus::Accepted),
            Is::Countered => seen(OfferStatus::Countered),
            Is::Expired => seen(OfferStatus::Expired),
            Is::Cancelled => draft().follow(OwnerChange::Withdrawn, start()),
            Is::Declined => seen(OfferStatus::Declined),
            Is::InvalidItems => seen(OfferStatus::InvalidItems),
            Is::CancelledBySecondFactor => seen(OfferStatus::CancelledBySecondFactor),
            Is::InEscrow => {
                let held = OwnerChange::Held { trade_id: Some(self.external_id()), held_until: Some(minute(9)) };
                seen(OfferStatus::Accepted).follow(held, start())
            }
            Is::Invalid => seen(OfferStatus::Invalid),
            Is::Completed => completed(),
            Is::Reverted => {
                completed().follow(OwnerChange::Reverted { rollback_trade_id: self.external_id() }, start())
            }
            Is::RolledBack => seen(OfferStatus::Accepted).follow(OwnerChange::RolledBack, start()),
            Is::Final => completed().follow(OwnerChange::ProtectionEnded, start()),
            Is::Unknown => seen(OfferStatus::Unknown(4_000_000_000)),
        }
    }
}
