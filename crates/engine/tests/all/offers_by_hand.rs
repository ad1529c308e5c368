//! Trade offers that people ask for, and those that a thief sends in our name: no offer is sent twice, and nothing is given without a request.

mod failing_calls;
mod holds;

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::{AccountId, TradeOfferId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, TradeAddress};
use tradepost_domain::trading::trade_offer::{OfferDirection, OfferOrigin, Strangeness, TradeOffer, TradeOfferStatus};
use tradepost_engine::Engine;
use tradepost_operations::trading::{
    AcceptTradeOffer, AccountSecrets, AssetToTrade, BeginOfferRequest, CancelTradeOffer, DeclineTradeOffer,
    GetTradeOffers, ListTradeOffers, RefreshTradeOffers, SendTradeOffer, UpdateAccount,
};
use tradepost_operations::{Caller, Versioned};
use tradepost_ports::game_platform::{Acceptance, GamePlatform as _, NewOffer, Offer};

use crate::desk::{CUSTOMER, Desk};
use crate::stepping::HOUR;

/// A desk and another account at the platform, each with an item that no record has.
struct Partners {
    desk: Desk,
    account_id: AccountId,
    partner: TradeAddress,
    ours: AssetId,
    theirs: AssetId,
}

impl Partners {
    async fn meet(seed: u64) -> Self {
        let mut desk = Desk::slow(seed).await;
        desk.step = Duration::minutes(1);
        let account_id = desk.on_record().await;
        let partner = desk.simulator.world(|world| world.open_account("partner"));
        let given = |address: &TradeAddress| desk.simulator.world(|world| world.give_item(address.user)).unwrap();
        let (ours, theirs) = (given(&desk.account), given(&partner));
        Self { desk, account_id, partner, ours, theirs }
    }

    async fn live(&self, engine: &mut Engine, minutes: i64) {
        self.desk.live(engine, Duration::minutes(minutes)).await;
    }

    /// Asks for an offer of these items.
    async fn ask(&self, gives: &[&AssetId], receives: &[&AssetId]) -> TradeOfferId {
        self.ask_for(gives, receives, false).await
    }

    /// The same of an offer that may be held.
    async fn ask_for(&self, gives: &[&AssetId], receives: &[&AssetId], accept_hold: bool) -> TradeOfferId {
        let named = |assets: &[&AssetId]| {
            let named = |asset: &&AssetId| AssetToTrade { app_id: None, context_id: None, asset_id: asset.to_string() };
            assets.iter().map(named).collect()
        };
        let command = SendTradeOffer {
            workspace_id: self.desk.workspace_id,
            account_id: self.account_id,
            partner: self.partner.user.to_string(),
            token: self.partner.token.to_string(),
            gives: named(gives),
            receives: named(receives),
            message: "hello".to_owned(),
            intent_id: None,
            accept_hold,
        };
        self.desk.operations.send_trade_offer(&Caller::system(), command).await.unwrap().value.id
    }

    /// The offers on record, the oldest first.
    async fn records(&self) -> Vec<Versioned<TradeOffer>> {
        let workspace_id = self.desk.workspace_id;
        let list = ListTradeOffers {
            workspace_id,
            limit: 200,
            cursor: String::new(),
            account_id: None,
            direction: None,
            status: None,
            purchase_id: None,
            inventory_item_id: None,
        };
        let system = Caller::system();
        let trade_offer_ids = self.desk.operations.list_trade_offers(&system, list).await.unwrap().entries;
        if trade_offer_ids.is_empty() {
            return Vec::new();
        }
        let get = GetTradeOffers { workspace_id, trade_offer_ids };
        let mut found = self.desk.operations.get_trade_offers(&system, get).await.unwrap().found;
        found.reverse();
        found
    }

    async fn record(&self, id: TradeOfferId) -> TradeOffer {
        self.records().await.into_iter().find(|offer| offer.value.id == id).unwrap().value
    }

    /// The first offer on record that others sent.
    async fn received(&self) -> Versioned<TradeOffer> {
        let is_received = |offer: &Versioned<TradeOffer>| offer.value.direction == OfferDirection::Received;
        self.records().await.into_iter().find(is_received).unwrap()
    }

    /// The offers that the platform shows to one of the two.
    async fn at_platform(&self, address: &TradeAddress) -> Vec<Offer> {
        let start = Timestamp::from_micros(0).unwrap();
        self.desk.simulator.platform().offers(address.user, start).await.unwrap()
    }

    /// The offers that the platform shows as sent by us.
    async fn sent(&self) -> Vec<Offer> {
        let shown = self.at_platform(&self.desk.account).await;
        shown.into_iter().filter(|offer| offer.is_ours).collect()
    }

    /// The partner sends an offer.
    async fn partner_sends(&self, gives: &[&AssetId], wants: &[&AssetId]) -> Offer {
        let ids = |assets: &[&AssetId]| assets.iter().map(|asset| (*asset).clone()).collect();
        let to = self.desk.account.clone();
        let offer = NewOffer { to, give: ids(gives), receive: ids(wants), message: None };
        let sent = self.desk.simulator.platform().send(self.partner.user, &offer).await.unwrap();
        if !gives.is_empty() {
            self.confirm_as_partner().await;
        }
        sent
    }

    async fn confirm_as_partner(&self) {
        use tradepost_ports::game_platform::ConfirmationAnswer;
        self.desk.simulator.advance(Duration::minutes(2));
        let platform = self.desk.simulator.platform();
        for waiting in platform.confirmations(self.partner.user).await.unwrap() {
            platform.answer(self.partner.user, &waiting, ConfirmationAnswer::Allow).await.unwrap();
        }
    }

    /// The partner accepts what it was sent, and confirms it.
    async fn partner_accepts(&self, id: &ExternalId) {
        let accepted = self.desk.simulator.platform().accept(self.partner.user, id).await.unwrap();
        if accepted == Acceptance::NeedsConfirmation {
            self.confirm_as_partner().await;
        }
    }

    /// Whether our item is still in our inventory.
    async fn is_ours_still_ours(&self) -> bool {
        use tradepost_domain::asset::{AppId, ContextId};
        let platform = self.desk.simulator.platform();
        let shown = platform.inventory(self.desk.account.user, AppId::CS2, ContextId::ORDINARY).await.unwrap();
        shown.assets.iter().any(|asset| asset.asset_id == self.ours)
    }

    fn strike_with(&self, fault: Fault) {
        self.desk.simulator.world(|world| world.inject(fault));
    }

    async fn accept(&self, offer: &Versioned<TradeOffer>) {
        self.accept_for(offer, false).await;
    }

    /// The same of an offer that may be held.
    async fn accept_for(&self, offer: &Versioned<TradeOffer>, accept_hold: bool) {
        let (workspace_id, expected_version) = (self.desk.workspace_id, Some(offer.version));
        let command = AcceptTradeOffer { workspace_id, trade_offer_id: offer.value.id, expected_version, accept_hold };
        self.desk.operations.accept_trade_offer(&Caller::system(), command).await.unwrap();
    }

    /// An offer of the partner that is on record.
    async fn offered(&self, engine: &mut Engine, gives: &[&AssetId], wants: &[&AssetId]) -> Versioned<TradeOffer> {
        self.partner_sends(gives, wants).await;
        self.live(engine, 6).await;
        self.received().await
    }
}

/// Every way in which a call can go wrong.
fn faults(call: Call) -> [Fault; 4] {
    [
        Fault::TimeoutBeforeCommit { call },
        Fault::TimeoutAfterCommit { call },
        Fault::RateLimitStorm { side: Side::Platform, seconds: 150 },
        Fault::SessionLost { side: Side::Platform, seconds: 150 },
    ]
}

#[tokio::test]
async fn an_offer_that_gives_an_item_is_sent_confirmed_and_followed_until_its_protection_ends() {
    let partners = Partners::meet(701).await;
    let mut engine = partners.desk.engine();
    let id = partners.ask(&[&partners.ours], &[&partners.theirs]).await;
    partners.live(&mut engine, 5).await;
    let [sent] = partners.sent().await.try_into().unwrap();
    assert_eq!((sent.status, partners.record(id).await.status), (OfferStatus::Active, TradeOfferStatus::Active));
    partners.partner_accepts(&sent.id).await;
    partners.live(&mut engine, 10).await;
    let traded = partners.record(id).await;
    assert_eq!((traded.status, traded.origin), (TradeOfferStatus::Completed, OfferOrigin::Person));
    assert!(!partners.is_ours_still_ours().await);
    partners.desk.simulator.advance(Duration::days(9));
    partners.live(&mut engine, 10).await;
    assert_eq!(partners.record(id).await.status, TradeOfferStatus::Final);
    assert_eq!(partners.desk.remediations(RemediationKind::StrangeOffer).await, []);
    partners.desk.assert_sound().await;
}

#[tokio::test]
async fn whatever_happens_to_the_call_an_offer_is_sent_once_at_most() {
    for fault in faults(Call::Send) {
        let partners = Partners::meet(702).await;
        let mut engine = partners.desk.engine();
        partners.live(&mut engine, 2).await;
        partners.strike_with(fault.clone());
        let id = partners.ask(&[&partners.ours], &[]).await;
        partners.live(&mut engine, 8).await;
        let (sent, record) = (partners.sent().await, partners.record(id).await);
        let is_lost_before = matches!(fault, Fault::TimeoutBeforeCommit { .. });
        let expected =
            if is_lost_before { (0, TradeOfferStatus::SendUncertain) } else { (1, TradeOfferStatus::Active) };
        assert_eq!((sent.len(), record.status, record.request), (expected.0, expected.1, None), "{fault:?}");
        assert_eq!(partners.desk.remediations(RemediationKind::StrangeOffer).await, [], "{fault:?}");
    }
}

#[tokio::test]
async fn a_lost_offer_is_looked_up_for_a_minute_whichever_way_the_clock_is_set() {
    for by in [-HOUR, HOUR] {
        let partners = Partners::meet(702).await;
        let desk = &partners.desk;
        let mut engine = desk.engine_by_clock(Arc::new(desk.simulator.marketplace(CUSTOMER)));
        partners.live(&mut engine, 2).await;
        partners.strike_with(Fault::TimeoutBeforeCommit { call: Call::Send });
        let id = partners.ask(&[&partners.ours], &[]).await;
        engine.pass().await;
        desk.clock.set_by(by);
        engine.pass().await;
        assert!(partners.record(id).await.request.is_some(), "set by {by}, and no time has passed");
        partners.live(&mut engine, 2).await;
        let record = partners.record(id).await;
        assert_eq!((record.status, record.request), (TradeOfferStatus::SendUncertain, None), "set by {by}");
    }
}

#[tokio::test]
async fn a_request_whose_process_died_before_the_call_is_not_made_again() {
    let partners = Partners::meet(703).await;
    let mut engine = partners.desk.engine();
    partners.live(&mut engine, 2).await;
    let id = partners.ask(&[&partners.ours], &[]).await;
    let workspace_id = partners.desk.workspace_id;
    let begin = BeginOfferRequest { workspace_id, trade_offer_id: id, expected_version: 1 };
    partners.desk.operations.begin_offer_request(&Caller::system(), begin).await.unwrap();
    partners.live(&mut engine, 5).await;
    let record = partners.record(id).await;
    assert_eq!((record.status, record.request), (TradeOfferStatus::SendUncertain, None));
    assert!(record.request_failure.is_some());
    assert_eq!(partners.sent().await, []);
    partners.ask(&[&partners.ours], &[]).await;
    partners.live(&mut engine, 5).await;
    assert_eq!(partners.sent().await.len(), 1);
}

#[tokio::test]
async fn an_offer_that_the_platform_rejects_is_cancelled_with_the_reason() {
    let partners = Partners::meet(704).await;
    let mut engine = partners.desk.engine();
    let id = partners.ask(&[], &[&partners.ours]).await;
    partners.live(&mut engine, 3).await;
    let record = partners.record(id).await;
    assert_eq!((record.status, record.request), (TradeOfferStatus::Cancelled, None));
    assert!(record.request_failure.clone().unwrap().as_str().contains("cannot be traded"));
}

#[tokio::test]
async fn a_request_that_no_engine_carries_out_in_time_is_not_carried_out_later() {
    let partners = Partners::meet(705).await;
    let id = partners.ask(&[&partners.ours], &[]).await;
    partners.desk.simulator.advance(Duration::minutes(15));
    partners.live(&mut partners.desk.engine(), 3).await;
    assert_eq!(partners.record(id).await.status, TradeOfferStatus::Cancelled);
    assert_eq!(partners.sent().await, []);
}

#[tokio::test]
async fn an_offer_whose_confirmation_does_not_appear_is_cancelled() {
    let partners = Partners::meet(706).await;
    let mut engine = partners.desk.engine();
    partners.strike_with(Fault::LostConfirmation);
    let id = partners.ask(&[&partners.ours], &[]).await;
    partners.live(&mut engine, 15).await;
    let record = partners.record(id).await;
    assert_eq!((record.status, record.request), (TradeOfferStatus::Cancelled, None));
    let stuck = partners.desk.remediations(RemediationKind::ConfirmationStuck).await;
    assert_eq!(stuck, [RemediationStatus::Resolved]);
    assert!(partners.is_ours_still_ours().await);
}

#[tokio::test]
async fn an_offer_whose_confirmation_may_not_be_allowed_is_cancelled_after_ten_minutes() {
    let partners = Partners::meet(716).await;
    let mut engine = partners.desk.engine();
    let id = partners.ask(&[&partners.ours], &[]).await;
    partners.desk.record_halt(true).await;
    partners.live(&mut engine, 15).await;
    let (sent, record) = (partners.sent().await, partners.record(id).await);
    assert_eq!((sent.len(), record.status, record.request), (1, TradeOfferStatus::Cancelled, None));
    assert!(partners.is_ours_still_ours().await);
}

#[tokio::test]
async fn a_partner_that_declines_or_counters_gets_nothing() {
    let partners = Partners::meet(707).await;
    let mut engine = partners.desk.engine();
    let declined = partners.ask(&[&partners.ours], &[&partners.theirs]).await;
    partners.live(&mut engine, 3).await;
    let sent = partners.sent().await.remove(0);
    partners.desk.simulator.platform().decline(partners.partner.user, &sent.id).await.unwrap();
    partners.live(&mut engine, 6).await;
    assert_eq!(partners.record(declined).await.status, TradeOfferStatus::Declined);
    let countered = partners.ask(&[&partners.ours], &[&partners.theirs]).await;
    partners.live(&mut engine, 3).await;
    let sent = partners.sent().await.into_iter().find(|offer| offer.status == OfferStatus::Active).unwrap();
    let counter = partners.desk.simulator.world(|world| world.counter(partners.partner.user, &sent.id)).unwrap();
    partners.live(&mut engine, 6).await;
    assert_eq!(partners.record(countered).await.status, TradeOfferStatus::Countered);
    let received = partners.received().await.value;
    assert_eq!((received.offer_id.clone(), received.status), (Some(counter), TradeOfferStatus::Active));
    assert!(partners.is_ours_still_ours().await, "the counter-offer is left to a person");
}

#[tokio::test]
async fn whatever_happens_to_the_call_a_gift_is_accepted_once_or_the_person_learns_that_it_was_not() {
    for fault in faults(Call::Accept) {
        let partners = Partners::meet(708).await;
        let mut engine = partners.desk.engine();
        partners.live(&mut engine, 2).await;
        let offer = partners.offered(&mut engine, &[&partners.theirs], &[]).await;
        partners.strike_with(fault.clone());
        partners.accept(&offer).await;
        partners.live(&mut engine, 10).await;
        let record = partners.record(offer.value.id).await;
        let is_lost_before = matches!(fault, Fault::TimeoutBeforeCommit { .. });
        let expected =
            if is_lost_before { (TradeOfferStatus::Active, true) } else { (TradeOfferStatus::Completed, false) };
        let got = (record.status, record.request_failure.is_some());
        assert_eq!((got, record.request), (expected, None), "{fault:?}");
    }
}

#[tokio::test]
async fn an_acceptance_that_gives_an_item_is_confirmed_for_exactly_what_was_seen() {
    let partners = Partners::meet(709).await;
    let mut engine = partners.desk.engine();
    let offer = partners.offered(&mut engine, &[&partners.theirs], &[&partners.ours]).await;
    partners.accept(&offer).await;
    partners.live(&mut engine, 10).await;
    assert_eq!(partners.record(offer.value.id).await.status, TradeOfferStatus::Completed);
    assert!(!partners.is_ours_still_ours().await);
}

#[tokio::test]
async fn an_offer_that_asks_for_an_item_is_left_alone_until_a_person_decides() {
    let partners = Partners::meet(710).await;
    let mut engine = partners.desk.engine();
    let offer = partners.offered(&mut engine, &[], &[&partners.ours]).await;
    partners.live(&mut engine, 60).await;
    let record = partners.record(offer.value.id).await;
    assert_eq!((record.status, record.strangeness), (TradeOfferStatus::Active, None));
    assert!(partners.is_ours_still_ours().await);
}

#[tokio::test]
async fn whatever_happens_to_the_call_a_declined_offer_is_declined_or_the_person_learns_that_it_was_not() {
    for fault in faults(Call::Decline) {
        let partners = Partners::meet(711).await;
        let mut engine = partners.desk.engine();
        partners.live(&mut engine, 2).await;
        let offer = partners.offered(&mut engine, &[], &[&partners.ours]).await;
        partners.strike_with(fault.clone());
        let (workspace_id, trade_offer_id) = (partners.desk.workspace_id, offer.value.id);
        let decline = DeclineTradeOffer { workspace_id, trade_offer_id, expected_version: None };
        partners.desk.operations.decline_trade_offer(&Caller::system(), decline).await.unwrap();
        partners.live(&mut engine, 8).await;
        let record = partners.record(trade_offer_id).await;
        let is_lost_before = matches!(fault, Fault::TimeoutBeforeCommit { .. });
        let expected =
            if is_lost_before { (TradeOfferStatus::Active, true) } else { (TradeOfferStatus::Declined, false) };
        let got = (record.status, record.request_failure.is_some());
        assert_eq!((got, record.request), (expected, None), "{fault:?}");
    }
}

#[tokio::test]
async fn whatever_happens_to_the_call_a_cancelled_offer_is_cancelled_or_the_person_learns_that_it_was_not() {
    for fault in faults(Call::Cancel) {
        let partners = Partners::meet(712).await;
        let mut engine = partners.desk.engine();
        let trade_offer_id = partners.ask(&[&partners.ours], &[]).await;
        partners.live(&mut engine, 4).await;
        partners.strike_with(fault.clone());
        let workspace_id = partners.desk.workspace_id;
        let cancel = CancelTradeOffer { workspace_id, trade_offer_id, expected_version: None };
        partners.desk.operations.cancel_trade_offer(&Caller::system(), cancel).await.unwrap();
        partners.live(&mut engine, 8).await;
        let record = partners.record(trade_offer_id).await;
        let is_lost_before = matches!(fault, Fault::TimeoutBeforeCommit { .. });
        let expected =
            if is_lost_before { (TradeOfferStatus::Active, true) } else { (TradeOfferStatus::Cancelled, false) };
        let got = (record.status, record.request_failure.is_some());
        assert_eq!((got, record.request), (expected, None), "{fault:?}");
    }
}

/// A thief with our session sends our item to itself.
async fn steal(partners: &Partners) -> Offer {
    let offer = NewOffer {
        to: partners.partner.clone(),
        give: vec![partners.ours.clone()],
        receive: Vec::new(),
        message: None,
    };
    partners.desk.simulator.platform().send(partners.desk.account.user, &offer).await.unwrap()
}

#[tokio::test]
async fn an_offer_that_was_not_sent_here_is_reported_and_cancelled_and_never_confirmed() {
    let partners = Partners::meet(713).await;
    let mut engine = partners.desk.engine();
    partners.live(&mut engine, 2).await;
    let stolen = steal(&partners).await;
    partners.live(&mut engine, 10).await;
    let record = partners.records().await.remove(0).value;
    assert_eq!((record.offer_id.clone(), record.origin), (Some(stolen.id), OfferOrigin::Outside));
    assert_eq!((record.status, record.strangeness), (TradeOfferStatus::Cancelled, Some(Strangeness::NotSentHere)));
    let reported = partners.desk.remediations(RemediationKind::StrangeOffer).await;
    assert_eq!(reported, [RemediationStatus::Resolved]);
    assert!(partners.is_ours_still_ours().await);
}

#[tokio::test]
async fn an_account_that_keeps_strange_offers_only_reports_them() {
    let partners = Partners::meet(714).await;
    let mut engine = partners.desk.engine();
    let update = UpdateAccount {
        workspace_id: partners.desk.workspace_id,
        account_id: partners.account_id,
        trade_token: None,
        capabilities: Vec::new(),
        limits: None,
        secrets: AccountSecrets::default(),
        cancel_strange_offers: Some(false),
        giving_limits: None,
        chat_enabled: None,
        expected_version: None,
    };
    partners.desk.operations.update_account(&Caller::system(), update).await.unwrap();
    partners.live(&mut engine, 2).await;
    steal(&partners).await;
    partners.live(&mut engine, 20).await;
    assert_eq!(partners.records().await[0].value.status, TradeOfferStatus::NeedsConfirmation, "it is not confirmed");
    let reported = partners.desk.remediations(RemediationKind::StrangeOffer).await;
    assert_eq!(reported, [RemediationStatus::NeedsOperator]);
}

#[tokio::test]
async fn a_person_can_have_the_offers_read_at_once() {
    let partners = Partners::meet(715).await;
    let mut engine = partners.desk.engine();
    partners.live(&mut engine, 2).await;
    partners.partner_sends(&[], &[&partners.ours]).await;
    let refresh = RefreshTradeOffers { workspace_id: partners.desk.workspace_id, account_id: partners.account_id };
    let asked = partners.desk.operations.refresh_trade_offers(&Caller::system(), refresh).await.unwrap();
    assert!(asked.requested_at.is_some());
    partners.desk.simulator.advance(Duration::MINUTE);
    engine.pass().await;
    assert_eq!(partners.received().await.value.status, TradeOfferStatus::Active);
}
