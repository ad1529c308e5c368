//! The steps of a trade offer: by the platform's report of it, and by the step of its purchase or item.

use super::{
    OfferDraft, OfferOrigin, OfferReport, OfferTrade, OfferedAsset, OwnerChange, SeenOffer, TradeOffer,
    TradeOfferParts, TradeOfferStatus, TradedAsset,
};
use crate::id::{RecordKey, TradeOfferId};
use crate::text::ExternalId;
use crate::time::Timestamp;
use crate::trading::trade::TradeStatus;

impl TradeOffer {
    /// Returns an offer that is seen for the first time. One with an unknown number is [`TradeOfferStatus::Unknown`].
    pub fn first_seen(
        RecordKey { workspace_id, id }: RecordKey<TradeOfferId>,
        SeenOffer { account_name, report, owner }: SeenOffer,
        at: Timestamp,
    ) -> Self {
        let parts = TradeOfferParts {
            id,
            workspace_id,
            account_name,
            partner: report.partner,
            direction: report.direction,
            offer_id: Some(report.offer_id.clone()),
            status: status_from_report(&report, owner.is_some()).unwrap_or(TradeOfferStatus::Unknown),
            shown: None,
            is_glitched: false,
            gives: Vec::new(),
            receives: Vec::new(),
            owner,
            trade: None,
            created_at: report.created_at.min(at),
            updated_at: at,
            expires_at: None,
            origin: if owner.is_some() { OfferOrigin::Engine } else { OfferOrigin::Outside },
            wish: None,
            request: None,
            request_failure: None,
            strangeness: None,
            hold_seconds: None,
            given: None,
        };
        Self(parts).see(report, at)
    }

    /// Returns the offer with the platform's latest report. A missing or late report reverts nothing.
    ///
    /// The outcome of a trade for our purchase or item is recorded by [`TradeOffer::follow`] in the commit of that step. Only its failure
    /// is taken from the report.
    #[must_use]
    pub fn see(self, report: OfferReport, at: Timestamp) -> Self {
        let before = self.0.clone();
        let mut parts = self.0;
        parts.is_glitched = report.gives.is_empty() && report.receives.is_empty();
        parts.shown = Some(report.status);
        // What was drafted was sent, whatever the number means.
        let reported = status_from_report(&report, parts.owner.is_some()).unwrap_or(TradeOfferStatus::Unknown);
        if parts.status.leads_to(reported) {
            parts.status = reported;
        }
        parts.offer_id = Some(report.offer_id);
        if !parts.is_glitched {
            parts.gives = report.gives;
            parts.receives = report.receives;
        }
        parts.expires_at = Some(report.expires_at);
        parts.hold_seconds = report.hold_seconds.or(parts.hold_seconds);
        if let Some(trade) = report.trade {
            parts.trade = Some(merged(parts.trade, trade));
        }
        if before.status == TradeOfferStatus::Completed && is_over(&parts, at) {
            parts.status = TradeOfferStatus::Final;
        }
        parts.request = parts.open_request();
        parts.given = parts.given_at_status(at);
        if parts != before {
            parts.updated_at = at.max(before.updated_at);
        }
        Self(parts)
    }

    /// The offer after the call that sent it ended without an answer.
    #[must_use]
    pub fn send_lost(self, at: Timestamp) -> Self {
        self.moved(TradeOfferStatus::SendUncertain, at)
    }

    /// Returns the draft with the items to send: from now on it may be in flight.
    #[must_use]
    pub fn redrafted(self, draft: OfferDraft, at: Timestamp) -> Self {
        let updated_at = at.max(self.0.updated_at);
        Self(TradeOfferParts { partner: draft.partner, gives: draft.gives, updated_at, ..self.0 })
    }

    /// The offer after a step of the purchase or item that it is for.
    #[must_use]
    pub fn follow(self, step: OwnerChange, at: Timestamp) -> Self {
        match step {
            OwnerChange::Held { trade_id, held_until } => self.with_trade(TradeOfferStatus::InEscrow, at, |parts| {
                let mut trade = trade_of(parts, trade_id)?;
                trade.held_until = held_until.or(trade.held_until);
                Some(OfferTrade { status: Some(TradeStatus::InEscrow), ..trade })
            }),
            OwnerChange::Completed { trade_id, asset_id, context_id, protected_until } => {
                self.with_trade(TradeOfferStatus::Completed, at, |parts| {
                    let trade = trade_of(parts, Some(trade_id))?;
                    let mut assets = trade.assets.clone();
                    // The step does not name one of several items; the mapping is then the one of the trade.
                    if let [moved] = assets.as_mut_slice() {
                        moved.moved_to = Some(asset_id);
                        moved.context_id = context_id.or(moved.context_id);
                    }
                    let protected_until = protected_until.or(trade.protected_until);
                    Some(OfferTrade { status: Some(TradeStatus::Complete), assets, protected_until, ..trade })
                })
            }
            OwnerChange::Reverted { rollback_trade_id } => self.with_trade(TradeOfferStatus::Reverted, at, |parts| {
                let trade = trade_of(parts, None)?;
                let status = trade.status.filter(|status| *status != TradeStatus::Complete);
                Some(OfferTrade {
                    status: status.or(Some(TradeStatus::ProtectionRollback)),
                    rollback_trade_id: Some(rollback_trade_id),
                    ..trade
                })
            }),
            OwnerChange::RolledBack => self.with_trade(TradeOfferStatus::RolledBack, at, |parts| {
                let trade = trade_of(parts, None)?;
                let status = trade.status.filter(|status| *status != TradeStatus::InEscrow);
                Some(OfferTrade { status: status.or(Some(TradeStatus::EscrowRollback)), ..trade })
            }),
            OwnerChange::ProtectionEnded => self.moved(TradeOfferStatus::Final, at),
            OwnerChange::Withdrawn if self.is_unsent() => self.moved(TradeOfferStatus::Cancelled, at),
            OwnerChange::Withdrawn => self,
        }
    }

    pub(super) fn moved(self, to: TradeOfferStatus, at: Timestamp) -> Self {
        if !self.0.status.leads_to(to) {
            return self;
        }
        let updated_at = at.max(self.0.updated_at);
        Self(TradeOfferParts { status: to, updated_at, ..self.0 })
    }

    fn with_trade(
        self,
        to: TradeOfferStatus,
        at: Timestamp,
        trade: impl FnOnce(&TradeOfferParts) -> Option<OfferTrade>,
    ) -> Self {
        if self.0.offer_id.is_none() || !self.0.status.leads_to(to) {
            return self;
        }
        let trade = trade(&self.0).or_else(|| self.0.trade.clone());
        let moved = self.moved(to, at);
        Self(TradeOfferParts { trade, ..moved.0 })
    }
}

/// Returns whether the complete trade of an offer for nothing of ours can no longer be reversed. The step of a purchase or an item says so
/// of any other.
fn is_over(parts: &TradeOfferParts, at: Timestamp) -> bool {
    let trade = parts.trade.as_ref().filter(|trade| trade.status == Some(TradeStatus::Complete));
    let until = trade.and_then(|trade| trade.protected_until);
    parts.owner.is_none() && parts.status == TradeOfferStatus::Completed && until.is_some_and(|until| until <= at)
}

/// Returns the status of an offer by the platform's report; none where the report does not decide it.
fn status_from_report(report: &OfferReport, is_owned: bool) -> Option<TradeOfferStatus> {
    use TradeOfferStatus as Is;
    let by_trade = report.trade.as_ref().and_then(|trade| {
        let is_mapped = !trade.assets.is_empty() && trade.assets.iter().all(|asset| asset.moved_to.is_some());
        let status = trade.status?;
        if is_owned && status == TradeStatus::EscrowRollback {
            return Some(Is::Accepted);
        }
        Is::of_trade(status, is_mapped)
    });
    let reported = by_trade.or_else(|| Is::of_offer(report.status))?;
    let is_owners = matches!(reported, Is::InEscrow | Is::Completed | Is::Reverted | Is::Final);
    Some(if is_owned && is_owners { Is::Accepted } else { reported })
}

/// What is known of a trade with what is seen of it now.
fn merged(known: Option<OfferTrade>, seen: OfferTrade) -> OfferTrade {
    let Some(known) = known.filter(|known| known.id == seen.id) else { return seen };
    OfferTrade {
        id: seen.id,
        status: seen.status.or(known.status),
        assets: if seen.assets.is_empty() { known.assets } else { seen.assets },
        held_until: seen.held_until.or(known.held_until),
        protected_until: seen.protected_until.or(known.protected_until),
        rollback_trade_id: seen.rollback_trade_id.or(known.rollback_trade_id),
    }
}

/// The trade of an offer, with its items as they were offered; the one of this id, if one is given.
fn trade_of(parts: &TradeOfferParts, trade_id: Option<ExternalId>) -> Option<OfferTrade> {
    let known = parts.trade.clone().filter(|known| trade_id.as_ref().is_none_or(|id| *id == known.id));
    let id = known.as_ref().map(|known| known.id.clone()).or(trade_id)?;
    let offered = |is_given: bool| {
        move |asset: &OfferedAsset| TradedAsset {
            asset: asset.clone(),
            is_given,
            moved_to: None,
            context_id: None,
            returned_as: None,
        }
    };
    let made = || OfferTrade {
        id,
        status: None,
        assets: Vec::new(),
        held_until: None,
        protected_until: None,
        rollback_trade_id: None,
    };
    let mut trade = known.unwrap_or_else(made);
    if trade.assets.is_empty() {
        let given = parts.gives.iter().map(offered(true));
        trade.assets = given.chain(parts.receives.iter().map(offered(false))).collect();
    }
    Some(trade)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use time::Duration;

    use super::*;
    use crate::asset::{AppId, AssetId, ContextId};
    use crate::id::WorkspaceId;
    use crate::text::Text;
    use crate::trading::trade::{OfferStatus, PlatformUserId};
    use crate::trading::trade_offer::{OfferDirection, OfferOwner};

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes))
    }

    fn asset(id: &str) -> OfferedAsset {
        let market_hash_name = Text::new("AK-47 | Redline (Field-Tested)").unwrap();
        OfferedAsset { app_id: AppId::CS2, asset_id: AssetId::new(id).unwrap(), market_hash_name }
    }

    fn report(status: OfferStatus) -> OfferReport {
        OfferReport {
            offer_id: ExternalId::from(7),
            partner: PlatformUserId::new(NonZeroU64::new(9).unwrap()),
            direction: OfferDirection::Received,
            status,
            gives: Vec::new(),
            receives: vec![asset("1")],
            trade: None,
            hold_seconds: None,
            created_at: at(0),
            expires_at: at(60),
        }
    }

    fn seen(status: OfferStatus) -> TradeOffer {
        let key = RecordKey { workspace_id: WorkspaceId::from_bytes([2; 16]), id: TradeOfferId::from_bytes([1; 16]) };
        let owner = OfferOwner::Purchase(crate::id::PurchaseId::from_bytes([3; 16]));
        let account_name = Text::new("trader-1").unwrap();
        TradeOffer::first_seen(key, SeenOffer { account_name, report: report(status), owner: Some(owner) }, at(1))
    }

    fn received(trade: u64) -> OwnerChange {
        OwnerChange::Completed {
            trade_id: ExternalId::from(trade),
            asset_id: AssetId::new("2").unwrap(),
            context_id: Some(ContextId::PROTECTED),
            protected_until: Some(at(100)),
        }
    }

    #[test]
    fn a_sight_that_comes_late_takes_nothing_back() {
        for known in 1..=11 {
            for later in 1..=11 {
                let offer = seen(OfferStatus::from_number(known));
                let from = offer.status;
                let after = offer.see(report(OfferStatus::from_number(later)), at(2));
                assert!(after.status == from || from.leads_to(after.status), "{from} to {}", after.status);
                assert!(!from.is_terminal() || after.status == from);
                assert_eq!(TradeOffer::restore((*after).clone()), Ok(after));
            }
        }
        let accepted = seen(OfferStatus::Accepted);
        assert_eq!(accepted.clone().see(report(OfferStatus::Accepted), at(2)), accepted);
        assert_eq!(accepted.see(report(OfferStatus::Active), at(2)).status, TradeOfferStatus::Accepted);
    }

    #[test]
    fn a_number_that_nobody_knows_is_kept_and_moves_nothing() {
        let unknown = OfferStatus::from_number(99);
        assert_eq!(seen(unknown).status, TradeOfferStatus::Unknown);
        assert_eq!(seen(unknown).see(report(OfferStatus::Active), at(2)).status, TradeOfferStatus::Active);
        let kept = seen(OfferStatus::Active).see(report(unknown), at(2));
        assert_eq!((kept.status, kept.shown), (TradeOfferStatus::Active, Some(unknown)));
    }

    #[test]
    fn items_that_are_not_shown_at_present_are_remembered() {
        let glitched = OfferReport { receives: Vec::new(), ..report(OfferStatus::Active) };
        let offer = seen(OfferStatus::Active).see(glitched.clone(), at(2));
        assert!(offer.is_glitched);
        assert_eq!((offer.receives.len(), offer.updated_at), (1, at(2)));
        assert!(!offer.see(report(OfferStatus::Active), at(3)).is_glitched);
    }

    #[test]
    fn the_trade_of_a_purchase_is_recorded_by_the_step_of_the_purchase() {
        let trade = OfferTrade { status: Some(TradeStatus::InEscrow), ..merged(None, trade(5)) };
        let held = OfferReport { trade: Some(trade), ..report(OfferStatus::InEscrow) };
        let offer = seen(OfferStatus::Active).see(held, at(2));
        assert_eq!(offer.status, TradeOfferStatus::Accepted);
        let offer = offer.follow(OwnerChange::Held { trade_id: None, held_until: Some(at(50)) }, at(3));
        assert_eq!(offer.status, TradeOfferStatus::InEscrow);
        let offer = offer.follow(received(5), at(4));
        let trade = offer.trade.clone().unwrap();
        assert_eq!((offer.status, trade.status), (TradeOfferStatus::Completed, Some(TradeStatus::Complete)));
        assert_eq!((trade.held_until, trade.protected_until), (Some(at(50)), Some(at(100))));
        let moved: Vec<_> = trade.assets.iter().map(|asset| asset.moved_to.as_ref().unwrap().as_str()).collect();
        assert_eq!(moved, ["2"]);
        let reverted = OwnerChange::Reverted { rollback_trade_id: ExternalId::from(6) };
        let reverted = offer.clone().follow(reverted, at(5));
        let trade = reverted.trade.clone().unwrap();
        assert_eq!(
            (reverted.status, trade.status),
            (TradeOfferStatus::Reverted, Some(TradeStatus::ProtectionRollback))
        );
        assert_eq!(trade.rollback_trade_id, Some(ExternalId::from(6)));
        assert_eq!(reverted.clone().follow(OwnerChange::ProtectionEnded, at(6)), reverted);
        assert_eq!(offer.follow(OwnerChange::ProtectionEnded, at(5)).status, TradeOfferStatus::Final);
    }

    fn trade(id: u64) -> OfferTrade {
        OfferTrade {
            id: ExternalId::from(id),
            status: None,
            assets: Vec::new(),
            held_until: None,
            protected_until: None,
            rollback_trade_id: None,
        }
    }

    #[test]
    fn a_draft_is_sent_lost_or_never_sent() {
        let draft = OfferDraft {
            partner: PlatformUserId::new(NonZeroU64::new(9).unwrap()),
            gives: vec![asset("1")],
            owner: OfferOwner::Item(crate::id::InventoryItemId::from_bytes([3; 16])),
        };
        let key = RecordKey { workspace_id: WorkspaceId::from_bytes([2; 16]), id: TradeOfferId::from_bytes([1; 16]) };
        let draft = TradeOffer::draft(key, Text::new("trader-1").unwrap(), draft, at(0));
        let (gives, receives) = (vec![asset("1")], Vec::new());
        let report = |status| OfferReport {
            direction: OfferDirection::Sent,
            gives: gives.clone(),
            receives: receives.clone(),
            ..report(status)
        };
        assert!(draft.is_shown_by(&report(OfferStatus::Active)));
        assert!(!draft.is_shown_by(&OfferReport { gives: vec![asset("2")], ..report(OfferStatus::Active) }));
        let lost = draft.clone().send_lost(at(1));
        assert_eq!(lost.status, TradeOfferStatus::SendUncertain);
        for unsent in [draft, lost] {
            assert_eq!(unsent.clone().follow(OwnerChange::Withdrawn, at(2)).status, TradeOfferStatus::Cancelled);
            assert_eq!(unsent.clone().follow(received(5), at(2)), unsent);
            let sent = unsent.see(report(OfferStatus::NeedsConfirmation), at(2));
            assert_eq!(sent.status, TradeOfferStatus::NeedsConfirmation);
            assert_eq!(sent.clone().follow(OwnerChange::Withdrawn, at(3)), sent);
        }
    }
}
