//! Mobile confirmations: the engine allows those of its own offers alone, records each answer before it is given, and proves what came of it.

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::contracts::inventory_item::{ItemStatus, Proceeds};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::{AccountId, TradeOfferId};
use tradepost_domain::trading::confirmation::{CheckCode, Confirmation, ConfirmationKind, ConfirmationStatus};
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_domain::trading::trade_offer::{OfferOwner, TradeOffer, TradeOfferStatus};
use tradepost_engine::Engine;
use tradepost_operations::accounts::SetTradingHalt;
use tradepost_operations::trading::{
    AccountSecrets, ApproveConfirmation, AssetToTrade, ConfirmationLists, DenyConfirmation, GetConfirmations,
    GetTradeOffer, LimitsOfGiving, ListConfirmations, RefreshAccount, RefreshConfirmations, SendTradeOffer,
    UpdateAccount,
};
use tradepost_operations::{Caller, Versioned};
use tradepost_ports::game_platform::{GamePlatform as _, NewOffer};

use crate::desk::{CUSTOMER, Desk, all_items};
use crate::flaky_systems::{GIVING_IS_OFF, Moody, NotDone};
use crate::stepping::HOUR;

/// A desk with an item that no record has, and another account.
struct Giver {
    desk: Desk,
    account_id: AccountId,
    partner: TradeAddress,
    ours: AssetId,
}

impl Giver {
    async fn meet(seed: u64) -> Self {
        let mut desk = Desk::slow(seed).await;
        desk.step = Duration::seconds(20);
        let account_id = desk.on_record().await;
        let partner = desk.simulator.world(|world| world.open_account("partner"));
        let ours = desk.simulator.world(|world| world.give_item(desk.account.user)).unwrap();
        Self { desk, account_id, partner, ours }
    }

    async fn live(&self, engine: &mut Engine, minutes: i64) {
        self.desk.live(engine, Duration::minutes(minutes)).await;
    }

    /// An engine that reaches the platform through its mood.
    fn moody_engine(&self) -> (Engine, Arc<Moody>) {
        let moody = Moody::of(&self.desk);
        let marketplace = Arc::new(self.desk.simulator.marketplace(CUSTOMER));
        (self.desk.engaged_over("node-1", (marketplace, moody.clone())), moody)
    }

    fn strike(&self, fault: Fault) {
        self.desk.simulator.world(|world| world.inject(fault));
    }

    /// A person asks for an offer that gives the item.
    async fn ask(&self) -> TradeOfferId {
        let command = SendTradeOffer {
            workspace_id: self.desk.workspace_id,
            account_id: self.account_id,
            partner: self.partner.user.to_string(),
            token: self.partner.token.to_string(),
            gives: vec![AssetToTrade { app_id: None, context_id: None, asset_id: self.ours.to_string() }],
            receives: Vec::new(),
            message: String::new(),
            intent_id: None,
            accept_hold: false,
        };
        self.desk.operations.send_trade_offer(&Caller::system(), command).await.unwrap().value.id
    }

    async fn offer(&self, trade_offer_id: TradeOfferId) -> TradeOffer {
        let get = GetTradeOffer { workspace_id: self.desk.workspace_id, trade_offer_id };
        self.desk.operations.get_trade_offer(&Caller::system(), get).await.unwrap().value
    }

    async fn have_the_account_read(&self) {
        let command = RefreshAccount { workspace_id: self.desk.workspace_id, account_id: self.account_id };
        self.desk.operations.refresh_account(&Caller::system(), command).await.unwrap();
    }

    async fn refresh(&self) {
        let command = RefreshConfirmations { workspace_id: self.desk.workspace_id, account_id: self.account_id };
        self.desk.operations.refresh_confirmations(&Caller::system(), command).await.unwrap();
    }

    /// A program with our session sends our item to itself.
    async fn steal(&self) {
        let (to, give) = (self.partner.clone(), vec![self.ours.clone()]);
        let offer = NewOffer { to, give, receive: Vec::new(), message: None };
        self.desk.simulator.platform().send(self.desk.account.user, &offer).await.unwrap();
    }

    async fn still_has_it(&self) -> bool {
        let platform = self.desk.simulator.platform();
        let shown = platform.inventory(self.desk.account.user, AppId::CS2, ContextId::ORDINARY).await.unwrap();
        shown.assets.iter().any(|asset| asset.asset_id == self.ours)
    }

    /// How many confirmations the platform lists.
    async fn listed(&self) -> usize {
        self.desk.simulator.platform().confirmations(self.desk.account.user).await.unwrap().len()
    }
}

impl Desk {
    /// Limits how much an account gives within 24 h, in cents.
    async fn limit_giving(&self, account_id: AccountId, max_give_cents_per_day: Option<i64>) {
        let update = UpdateAccount {
            workspace_id: self.workspace_id,
            account_id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: None,
            secrets: AccountSecrets::default(),
            cancel_strange_offers: None,
            giving_limits: Some(LimitsOfGiving { max_give_cents_per_hour: None, max_give_cents_per_day }),
            expected_version: None,
        };
        self.operations.update_account(&Caller::system(), update).await.unwrap();
    }

    /// The confirmations on record, the newest first.
    async fn confirmations(&self) -> Vec<Versioned<Confirmation>> {
        let (workspace_id, system) = (self.workspace_id, Caller::system());
        let (limit, cursor) = (200, String::new());
        let list = ListConfirmations { workspace_id, limit, cursor, account_id: None, status: None, kind: None };
        let confirmation_ids = self.operations.list_confirmations(&system, list).await.unwrap().entries;
        if confirmation_ids.is_empty() {
            return Vec::new();
        }
        let get = GetConfirmations { workspace_id, confirmation_ids };
        self.operations.get_confirmations(&system, get).await.unwrap().found
    }
}

#[tokio::test]
async fn the_confirmation_of_a_sale_is_allowed_with_all_thirteen_checks_on_record() {
    let desk = Desk::slow(801).await.pooled().await;
    desk.buying(1).await;
    desk.selling().await;
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Settled)).await;
    let confirmations = desk.confirmations().await;
    let [allowed] = confirmations.as_slice() else { panic!("{confirmations:?}") };
    assert_eq!((allowed.value.status, allowed.value.attempts), (ConfirmationStatus::Allowed, 1));
    assert!(allowed.value.checks.iter().map(|check| &check.code).eq(CheckCode::ALL));
    assert!(allowed.value.checks.iter().all(|check| check.holds));
    assert_eq!(desk.remediations(RemediationKind::UnexpectedConfirmation).await, []);
}

#[tokio::test]
async fn whatever_happens_to_the_answer_one_of_a_person_is_given_until_it_counts() {
    for fault in [
        Fault::TimeoutBeforeCommit { call: Call::Answer },
        Fault::TimeoutAfterCommit { call: Call::Answer },
        Fault::RateLimitStorm { side: Side::Platform, seconds: 90 },
        Fault::SessionLost { side: Side::Platform, seconds: 90 },
    ] {
        let giver = Giver::meet(802).await;
        let mut engine = giver.desk.engine();
        giver.live(&mut engine, 1).await;
        let id = giver.ask().await;
        giver.strike(fault.clone());
        giver.live(&mut engine, 6).await;
        assert_eq!(giver.offer(id).await.status, TradeOfferStatus::Active, "{fault:?}");
        let confirmations = giver.desk.confirmations().await;
        let [allowed] = confirmations.as_slice() else { panic!("{fault:?}: {confirmations:?}") };
        assert_eq!((allowed.value.status, allowed.value.trade_offer_id), (ConfirmationStatus::Allowed, Some(id)));
    }
}

#[tokio::test]
async fn a_lost_answer_is_given_again_within_a_minute_whichever_way_the_clock_is_set() {
    for by in [-HOUR, HOUR] {
        let giver = Giver::meet(802).await;
        let mut engine = giver.desk.engine_by_clock(Arc::new(giver.desk.simulator.marketplace(CUSTOMER)));
        giver.live(&mut engine, 1).await;
        let id = giver.ask().await;
        giver.strike(Fault::TimeoutBeforeCommit { call: Call::Answer });
        while giver.desk.confirmations().await.iter().all(|confirmation| confirmation.value.attempts == 0) {
            giver.desk.simulator.advance(giver.desk.step);
            engine.pass().await;
        }
        giver.desk.clock.set_by(by);
        giver.live(&mut engine, 1).await;
        assert_eq!(giver.offer(id).await.status, TradeOfferStatus::Active, "set by {by}");
    }
}

#[tokio::test]
async fn a_confirmation_that_the_engine_did_not_cause_is_never_allowed_and_is_reported() {
    let giver = Giver::meet(803).await;
    let mut engine = giver.desk.engine();
    giver.live(&mut engine, 1).await;
    giver.strike(Fault::StrangeConfirmation { number: 2 });
    giver.refresh().await;
    giver.live(&mut engine, 10).await;
    let confirmations = giver.desk.confirmations().await;
    let [strange] = confirmations.as_slice() else { panic!("{confirmations:?}") };
    assert_eq!((strange.value.status, strange.value.attempts), (ConfirmationStatus::Strange, 0));
    let reported = giver.desk.remediations(RemediationKind::UnexpectedConfirmation).await;
    assert_eq!((reported, giver.listed().await), (vec![RemediationStatus::NeedsOperator], 1));
}

#[tokio::test]
async fn the_offer_of_a_thief_is_cancelled_and_its_confirmation_vanishes() {
    let giver = Giver::meet(804).await;
    let mut engine = giver.desk.engine();
    giver.live(&mut engine, 1).await;
    giver.steal().await;
    giver.desk.simulator.advance(Duration::seconds(30));
    giver.refresh().await;
    giver.live(&mut engine, 20).await;
    assert!(giver.still_has_it().await);
    let confirmations = giver.desk.confirmations().await;
    assert!(confirmations.iter().all(|seen| seen.value.status == ConfirmationStatus::Vanished), "{confirmations:?}");
    assert_eq!(giver.listed().await, 0);
}

#[tokio::test]
async fn an_account_gives_nothing_until_a_person_denies_what_would_change_it() {
    for number in [5, 6, 9, 11] {
        let giver = Giver::meet(805).await;
        let mut engine = giver.desk.engine();
        giver.live(&mut engine, 1).await;
        giver.strike(Fault::StrangeConfirmation { number });
        giver.refresh().await;
        giver.live(&mut engine, 1).await;
        let id = giver.ask().await;
        giver.live(&mut engine, 5).await;
        assert_eq!(giver.offer(id).await.status, TradeOfferStatus::Draft, "{number}");
        let strange = giver.desk.confirmations().await.remove(0).value;
        assert!(strange.kind().changes_account() && strange.status == ConfirmationStatus::Strange, "{strange:?}");
        let (workspace_id, confirmation_id) = (giver.desk.workspace_id, strange.id);
        let deny = DenyConfirmation { workspace_id, confirmation_id, expected_version: None };
        giver.desk.operations.deny_confirmation(&Caller::system(), deny).await.unwrap();
        giver.live(&mut engine, 5).await;
        assert_eq!(giver.offer(id).await.status, TradeOfferStatus::Active, "{number}");
        let reported = giver.desk.remediations(RemediationKind::UnexpectedConfirmation).await;
        assert_eq!((reported, giver.listed().await), (vec![RemediationStatus::Resolved], 0), "{number}");
    }
}

#[tokio::test]
async fn an_account_gives_nothing_while_another_has_an_api_key_of_it() {
    let giver = Giver::meet(814).await;
    let (mut engine, moody) = giver.moody_engine();
    giver.live(&mut engine, 1).await;
    moody.mood.lock().unwrap().shows_foreign_keys = true;
    giver.have_the_account_read().await;
    giver.live(&mut engine, 1).await;
    let id = giver.ask().await;
    giver.live(&mut engine, 5).await;
    assert_eq!(giver.offer(id).await.status, TradeOfferStatus::Draft);
    let reported = giver.desk.remediations(RemediationKind::UnexpectedApiKey).await;
    assert_eq!(reported, [RemediationStatus::NeedsOperator]);
    moody.mood.lock().unwrap().shows_foreign_keys = false;
    giver.have_the_account_read().await;
    giver.live(&mut engine, 5).await;
    assert_eq!(giver.offer(id).await.status, TradeOfferStatus::Active);
    let reported = giver.desk.remediations(RemediationKind::UnexpectedApiKey).await;
    assert_eq!(reported, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn a_person_approves_another_kind_and_it_is_allowed_once() {
    let giver = Giver::meet(806).await;
    let mut engine = giver.desk.engine();
    giver.live(&mut engine, 1).await;
    giver.strike(Fault::StrangeConfirmation { number: 3 });
    giver.refresh().await;
    giver.live(&mut engine, 1).await;
    let strange = giver.desk.confirmations().await.remove(0);
    assert_eq!(strange.value.kind(), ConfirmationKind::MarketListing);
    let (workspace_id, expected_version) = (giver.desk.workspace_id, Some(strange.version));
    let approve = ApproveConfirmation { workspace_id, confirmation_id: strange.value.id, expected_version };
    giver.desk.operations.approve_confirmation(&Caller::system(), approve).await.unwrap();
    giver.live(&mut engine, 12).await;
    let allowed = giver.desk.confirmations().await.remove(0).value;
    assert_eq!((allowed.status, allowed.attempts, giver.listed().await), (ConfirmationStatus::Allowed, 1, 0));
}

#[tokio::test]
async fn while_trading_is_halted_no_confirmation_is_allowed() {
    let giver = Giver::meet(807).await;
    let mut engine = giver.desk.engine();
    giver.live(&mut engine, 1).await;
    let halt = |halted| SetTradingHalt {
        workspace_id: giver.desk.workspace_id,
        halted,
        reason: if halted { "something is wrong".to_owned() } else { String::new() },
    };
    giver.desk.operations.set_trading_halt(&Caller::system(), halt(true)).await.unwrap();
    let id = giver.ask().await;
    giver.live(&mut engine, 5).await;
    assert_eq!(giver.offer(id).await.status, TradeOfferStatus::NeedsConfirmation);
    let waiting = giver.desk.confirmations().await.remove(0).value;
    let failed = waiting.checks.iter().filter(|check| !check.holds).map(|check| check.code);
    assert!(waiting.status == ConfirmationStatus::Seen && failed.eq([CheckCode::Halt]), "{waiting:?}");
    giver.desk.operations.set_trading_halt(&Caller::system(), halt(false)).await.unwrap();
    giver.live(&mut engine, 2).await;
    assert_eq!(giver.offer(id).await.status, TradeOfferStatus::Active);
}

/// A desk whose account gives nothing by its limits and has sold an item, 10 min after the sale was noticed.
async fn sold_beyond_the_limit(seed: u64) -> (Desk, AccountId, Engine) {
    let desk = Desk::slow(seed).await.pooled().await;
    let account_id = desk.on_record().await;
    desk.buying(1).await;
    desk.selling().await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    desk.limit_giving(account_id, Some(0)).await;
    let item = desk.items().await.remove(0);
    desk.simulator.world(|world| assert!(world.sell_to_stranger(item.sale_listing_id.as_ref().unwrap())));
    desk.live_until(&mut engine, all_items(1, ItemStatus::Delivering)).await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    (desk, account_id, engine)
}

#[tokio::test]
async fn a_sale_beyond_the_limit_alone_is_offered_and_waits_until_it_is_raised() {
    let (desk, account_id, mut engine) = sold_beyond_the_limit(811).await;
    let item = desk.items().await.remove(0);
    let offers = desk.offers_of(OfferOwner::Item(item.id)).await;
    let statuses: Vec<_> = offers.iter().map(|offer| offer.status).collect();
    assert_eq!(statuses, [TradeOfferStatus::NeedsConfirmation]);
    let waiting = desk.confirmations().await.remove(0).value;
    let failed = waiting.checks.iter().filter(|check| !check.holds).map(|check| check.code);
    assert!(waiting.status == ConfirmationStatus::Seen && failed.eq([CheckCode::Budget]), "{waiting:?}");
    let used_up = RemediationKind::GivingLimitReached;
    assert_eq!(desk.remediations(used_up).await, [RemediationStatus::NeedsOperator]);
    desk.limit_giving(account_id, None).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    let sold_for = desk.items().await.remove(0).proceeds.map(Proceeds::sell_price);
    let given: Vec<_> = desk.offers_of(OfferOwner::Item(item.id)).await.iter().map(|offer| offer.given).collect();
    assert!(given.iter().flatten().any(|given| given.is_allowed && given.value >= sold_for), "{given:?}");
    assert_eq!(desk.remediations(used_up).await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn a_sale_beyond_the_limit_alone_is_delivered_once_a_person_approves_it() {
    let (desk, _, mut engine) = sold_beyond_the_limit(814).await;
    let waiting = desk.confirmations().await.remove(0);
    let (workspace_id, expected_version) = (desk.workspace_id, Some(waiting.version));
    let approve = ApproveConfirmation { workspace_id, confirmation_id: waiting.value.id, expected_version };
    desk.operations.approve_confirmation(&Caller::system(), approve).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    assert_eq!(desk.confirmations().await.remove(0).value.status, ConfirmationStatus::Allowed);
}

#[tokio::test]
async fn a_request_beyond_the_limits_of_its_account_ends_with_the_reason_and_sends_nothing() {
    let giver = Giver::meet(812).await;
    let mut engine = giver.desk.engine();
    giver.live(&mut engine, 1).await;
    let id = giver.ask().await;
    giver.desk.limit_giving(giver.account_id, Some(0)).await;
    giver.live(&mut engine, 2).await;
    let offer = giver.offer(id).await;
    assert_eq!((offer.status, offer.request), (TradeOfferStatus::Cancelled, None));
    let why = offer.request_failure.as_ref().map(ToString::to_string).unwrap_or_default();
    assert!(why.starts_with("bot-1 does not give this now"), "{why}");
    assert!(giver.still_has_it().await);
}

#[tokio::test]
async fn a_confirmation_waits_for_the_limits_of_its_account() {
    let giver = Giver::meet(813).await;
    let mut engine = giver.desk.engine();
    giver.live(&mut engine, 1).await;
    let halt = |halted| SetTradingHalt {
        workspace_id: giver.desk.workspace_id,
        halted,
        reason: if halted { "something is wrong".to_owned() } else { String::new() },
    };
    giver.desk.operations.set_trading_halt(&Caller::system(), halt(true)).await.unwrap();
    let id = giver.ask().await;
    giver.live(&mut engine, 2).await;
    giver.desk.limit_giving(giver.account_id, Some(0)).await;
    giver.desk.operations.set_trading_halt(&Caller::system(), halt(false)).await.unwrap();
    giver.live(&mut engine, 2).await;
    assert_eq!(giver.offer(id).await.status, TradeOfferStatus::NeedsConfirmation);
    let waiting = giver.desk.confirmations().await.remove(0).value;
    let failed = waiting.checks.iter().filter(|check| !check.holds).map(|check| check.code);
    assert!(waiting.status == ConfirmationStatus::Seen && failed.eq([CheckCode::Budget]), "{waiting:?}");
    let reported = giver.desk.remediations(RemediationKind::GivingLimitReached).await;
    assert_eq!(reported, [RemediationStatus::NeedsOperator]);
    giver.desk.limit_giving(giver.account_id, None).await;
    giver.live(&mut engine, 2).await;
    assert_eq!(giver.offer(id).await.status, TradeOfferStatus::Active);
}

#[tokio::test]
async fn an_offer_that_the_driver_does_not_send_is_cancelled_with_the_reason() {
    let giver = Giver::meet(808).await;
    let (mut engine, moody) = giver.moody_engine();
    moody.mood.lock().unwrap().not_done = Some(NotDone::Writes);
    let id = giver.ask().await;
    giver.live(&mut engine, 2).await;
    let offer = giver.offer(id).await;
    assert_eq!((offer.status, offer.request), (TradeOfferStatus::Cancelled, None));
    assert!(offer.request_failure.as_ref().unwrap().as_str().contains(GIVING_IS_OFF));
}

#[tokio::test]
async fn an_answer_that_the_driver_does_not_give_ends_with_the_reason() {
    let giver = Giver::meet(809).await;
    let (mut engine, moody) = giver.moody_engine();
    giver.live(&mut engine, 1).await;
    giver.strike(Fault::StrangeConfirmation { number: 3 });
    giver.refresh().await;
    giver.live(&mut engine, 1).await;
    let strange = giver.desk.confirmations().await.remove(0);
    moody.mood.lock().unwrap().not_done = Some(NotDone::Writes);
    let (workspace_id, expected_version) = (giver.desk.workspace_id, Some(strange.version));
    let approve = ApproveConfirmation { workspace_id, confirmation_id: strange.value.id, expected_version };
    giver.desk.operations.approve_confirmation(&Caller::system(), approve).await.unwrap();
    giver.live(&mut engine, 2).await;
    let left = giver.desk.confirmations().await.remove(0).value;
    assert_eq!((left.status, left.answer, left.attempts), (ConfirmationStatus::Strange, None, 0));
    let halt = left.checks.iter().find(|check| check.code == CheckCode::Halt).unwrap();
    assert!(!halt.holds && halt.detail.as_ref().is_some_and(|why| why.as_str() == GIVING_IS_OFF), "{halt:?}");
    assert_eq!(giver.listed().await, 1);
}

#[tokio::test]
async fn a_reading_that_the_driver_does_not_make_ends_and_an_offer_is_cancelled_for_want_of_it() {
    let giver = Giver::meet(810).await;
    let (mut engine, moody) = giver.moody_engine();
    moody.mood.lock().unwrap().not_done = Some(NotDone::Confirmations);
    giver.refresh().await;
    giver.live(&mut engine, 1).await;
    let lists = ConfirmationLists { workspace_id: giver.desk.workspace_id, account_ids: vec![giver.account_id] };
    let lists = giver.desk.operations.confirmation_lists(&Caller::system(), lists).await.unwrap();
    assert_eq!(lists.iter().map(|list| list.requested_at).collect::<Vec<_>>(), [None]);
    let id = giver.ask().await;
    giver.live(&mut engine, 15).await;
    let offer = giver.offer(id).await;
    assert_eq!((offer.status, offer.request), (TradeOfferStatus::Cancelled, None));
    assert!(giver.still_has_it().await);
}
