//! What an offer gives, by its value: what counts against the limits of its account, and from when on.

use super::{OfferDirection, TradeOffer, TradeOfferParts, TradeOfferStatus};
use crate::money::Cents;
use crate::time::Timestamp;
use crate::trading::giving::Given;

impl TradeOffer {
    /// The offer with the value of what it is about to give. One that gives nothing, or whose confirmation was allowed, stays as it is.
    #[must_use]
    pub fn about_to_give(self, value: Option<Cents>, at: Timestamp) -> Self {
        let is_allowed = self.0.given.is_some_and(|given| given.is_allowed);
        if is_allowed || self.given_assets().is_empty() {
            return self;
        }
        self.with_given(Given { value, at, is_allowed: false })
    }

    /// The offer once its confirmation is allowed: from then on the partner can have the items, which count with this value.
    #[must_use]
    pub fn giving(self, value: Option<Cents>, at: Timestamp) -> Self {
        if self.given_assets().is_empty() {
            return self;
        }
        self.with_given(Given { value, at, is_allowed: true })
    }

    fn with_given(self, given: Given) -> Self {
        let updated_at = given.at.max(self.0.updated_at);
        Self(TradeOfferParts { given: Some(given), updated_at, ..self.0 })
    }

    /// The offer as it is shown to those who may not read prices: without the value of what it gives.
    #[must_use]
    pub fn without_value(self) -> Self {
        let given = self.0.given.map(|given| Given { value: None, ..given });
        Self(TradeOfferParts { given, ..self.0 })
    }

    /// What counts against the limits of the account: nothing of an offer that has ended without giving anything.
    pub fn counted_giving(&self) -> Option<Given> {
        self.0.given.filter(|_| !self.0.status.gave_nothing())
    }
}

impl TradeOfferParts {
    /// What the offer gives as the status shows it: it counts as allowed once the offer waits for no confirmation of ours.
    pub(super) fn given_at_status(&self, at: Timestamp) -> Option<Given> {
        use TradeOfferStatus as Is;
        let waits = match self.status {
            Is::Draft | Is::SendUncertain | Is::NeedsConfirmation | Is::Unknown => true,
            // One that was received is active until we have confirmed that we accept it.
            Is::Active => self.direction == OfferDirection::Received,
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
        self.given.map(|given| if waits || given.is_allowed { given } else { Given { at, is_allowed: true, ..given } })
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use ::time::Duration;

    use super::*;
    use crate::asset::{AppId, AssetId, ContextId};
    use crate::id::{RecordKey, TradeOfferId, WorkspaceId};
    use crate::text::{ExternalId, Text};
    use crate::trading::trade::{OfferStatus, PlatformUserId};
    use crate::trading::trade_offer::{AssetReference, OfferReport, OfferStep, OfferWish, OfferedAsset, SeenOffer};

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes))
    }

    fn value() -> Option<Cents> {
        Cents::new(500).ok()
    }

    fn partner() -> PlatformUserId {
        PlatformUserId::new(NonZeroU64::new(9).unwrap())
    }

    fn key() -> RecordKey<TradeOfferId> {
        RecordKey { workspace_id: WorkspaceId::from_bytes([2; 16]), id: TradeOfferId::from_bytes([1; 16]) }
    }

    /// An offer that a person asked for, of these items.
    fn requested(gives: &[&str]) -> TradeOffer {
        let asset = |id: &&str| AssetReference {
            app_id: AppId::CS2,
            context_id: ContextId::ORDINARY,
            asset_id: AssetId::new(id).unwrap(),
        };
        let wish = OfferWish {
            token: Text::new("token").unwrap(),
            gives: gives.iter().map(asset).collect(),
            receives: vec![asset(&"9")],
            message: None,
            intent_id: None,
            accepts_hold: false,
        };
        TradeOffer::requested(key(), Text::new("trader-1").unwrap(), partner(), wish, at(0))
    }

    fn report(direction: OfferDirection, status: OfferStatus) -> OfferReport {
        let market_hash_name = Text::new("AK-47 | Redline (Field-Tested)").unwrap();
        let asset = OfferedAsset { app_id: AppId::CS2, asset_id: AssetId::new("1").unwrap(), market_hash_name };
        OfferReport {
            offer_id: ExternalId::from(7),
            partner: partner(),
            direction,
            status,
            gives: vec![asset],
            receives: Vec::new(),
            trade: None,
            hold_seconds: None,
            created_at: at(0),
            expires_at: at(60),
        }
    }

    #[test]
    fn an_offer_that_is_made_waits_and_counts_as_allowed_once_it_needs_no_confirmation() {
        let made = requested(&["1"]).about_to_give(value(), at(1)).begun(at(1));
        assert_eq!(made.counted_giving(), Some(Given { value: value(), at: at(1), is_allowed: false }));
        let sent = made.see(report(OfferDirection::Sent, OfferStatus::NeedsConfirmation), at(2));
        assert_eq!(sent.counted_giving(), Some(Given { value: value(), at: at(1), is_allowed: false }));
        let out = sent.see(report(OfferDirection::Sent, OfferStatus::Active), at(3));
        let allowed = Some(Given { value: value(), at: at(3), is_allowed: true });
        assert_eq!(out.counted_giving(), allowed);
        assert_eq!(out.see(report(OfferDirection::Sent, OfferStatus::Accepted), at(4)).counted_giving(), allowed);
    }

    #[test]
    fn what_is_allowed_counts_from_then_on_with_the_value_of_then() {
        let sent = requested(&["1"]).about_to_give(None, at(1)).giving(value(), at(5));
        assert_eq!(sent.counted_giving(), Some(Given { value: value(), at: at(5), is_allowed: true }));
        assert_eq!(sent.clone().about_to_give(None, at(6)), sent, "it is not made again");
    }

    #[test]
    fn an_offer_that_ended_without_giving_or_gives_nothing_does_not_count() {
        let sent = requested(&["1"]).giving(value(), at(1)).begun(at(1));
        for ended in [OfferStatus::Declined, OfferStatus::Cancelled, OfferStatus::Expired, OfferStatus::Countered] {
            let ended = sent.clone().see(report(OfferDirection::Sent, ended), at(2));
            assert_eq!(ended.counted_giving(), None, "{}", ended.status);
        }
        let nothing = requested(&[]);
        assert_eq!(nothing.clone().about_to_give(value(), at(1)).giving(value(), at(1)), nothing);
    }

    #[test]
    fn an_acceptance_counts_until_it_certainly_had_no_effect() {
        let seen = SeenOffer {
            account_name: Text::new("trader-1").unwrap(),
            report: report(OfferDirection::Received, OfferStatus::Active),
            owner: None,
        };
        let asked = TradeOffer::first_seen(key(), seen, at(0)).request(OfferStep::Accept, at(1)).unwrap();
        let begun = asked.about_to_give(value(), at(1)).begun(at(1));
        let again = begun.clone().see(report(OfferDirection::Received, OfferStatus::Active), at(2));
        assert_eq!(again.counted_giving().map(|given| given.is_allowed), Some(false));
        let why = || Text::new("refused").unwrap();
        assert_eq!(begun.clone().request_failed(why(), true, at(3)).counted_giving(), None);
        assert!(begun.clone().request_failed(why(), false, at(3)).counted_giving().is_some());
        let accepted = begun.see(report(OfferDirection::Received, OfferStatus::Accepted), at(3));
        assert_eq!(accepted.counted_giving().map(|given| (given.at, given.is_allowed)), Some((at(3), true)));
    }
}
