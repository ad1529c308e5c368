//! One account of ours and a partner, and a row of the table after the other: what a person asks for, what goes wrong with it, how the process
//! ends, and what is so afterwards.

mod social;

use std::sync::Arc;
use std::time::Duration;

use tradepost::engine::Engine;
use tradepost::steam::{SteamPlatform, SteamSessions, SteamSocial};
use tradepost_adapters_simulator::{Fault as WorldFault, SimulatedPlatform};
use tradepost_domain::asset::AssetId;
use tradepost_domain::id::{ConfirmationId, TradeOfferId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::confirmation::{Confirmation, ConfirmationStatus};
use tradepost_domain::trading::trade::{OfferStatus, TradeAddress};
use tradepost_domain::trading::trade_offer::{TradeOffer, TradeOfferStatus};
use tradepost_domain::trading::trading_account::{AccountStatus, TradingAccount};
use tradepost_fakes::LedgerEntry;
use tradepost_operations::trading::{
    AcceptTradeOffer, AccountOnRecord, CancelTradeOffer, DeclineTradeOffer, DenyConfirmation, GetConfirmations,
    GetTradeOffers, ListConfirmations, RefreshConfirmations, RefreshTradeOffers, RefreshTradeToken,
};
use tradepost_operations::{Caller, Versioned};
use tradepost_ports::game_platform::sessions::{PlatformSessions as _, SignInAs, Tokens};
use tradepost_ports::game_platform::social::Social;
use tradepost_ports::game_platform::{ConfirmationAnswer, GamePlatform as _, NewOffer, Offer};

use super::super::desk::{Desk, PASSWORD, Reach, unpaced};
use super::super::mortal::{End, Fate, Mortal, MortalSocial};
use super::super::records::{Gift, ask_to_send, assert_given_on_request_alone, newest_offers};
use super::super::vault::{OneSignIn, WorldTokens};
use super::Write;
use super::strikes::Strike;
use social::SocialTask;

/// The time between two passes.
const STEP: Duration = Duration::from_secs(20);
/// More passes than anything takes: what is not confirmed is cancelled after ten minutes.
const MOST_PASSES: usize = 150;
/// Passes until what was read last is on record, and until an outage is over.
const CALM: usize = 3;
const LONG_CALM: usize = 12;
/// For how long the token of a sign-in is used: half of its life.
const TOKEN_USED: time::Duration = time::Duration::hours(12);
/// Until the partner can confirm what they have sent.
const CONFIRMATION: time::Duration = time::Duration::minutes(2);
/// The kind of a confirmation that keeps an account from nothing, and waits for a person.
const MARKET_LISTING: u32 = 3;

/// What is tried.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) write: Write,
    pub(super) strike: Option<Strike>,
    pub(super) end: Option<End>,
}

/// What a person has asked for.
#[derive(Debug)]
enum Task {
    /// To send an offer that gives an item.
    Sending { offer: TradeOfferId, item: AssetId },
    /// To accept, decline or cancel an offer that the platform has.
    Ending { offer: TradeOfferId, at_platform: ExternalId },
    /// To deny a confirmation.
    Denying { confirmation: ConfirmationId, at_platform: ExternalId },
    /// To replace the trade URL.
    Renewing,
    /// To change friends or chats.
    Social(SocialTask),
}

/// The account and its partner.
pub(super) struct Table {
    pub(super) desk: Desk,
    vault: Arc<OneSignIn>,
    signed_in_at: Timestamp,
    partner: TradeAddress,
    /// Whether its processes have friends and chats.
    has_social: bool,
}

async fn signed_in(desk: &Desk) -> Tokens {
    let sessions = SteamSessions::new(desk.services(&unpaced()));
    let login_name = desk.first().account.name.as_str().into();
    let begun = sessions.begin(&SignInAs { login_name, password: PASSWORD.into() }).await.unwrap();
    sessions.poll(&begun.attempt).await.unwrap().unwrap()
}

impl Table {
    /// A table for a write.
    pub(super) async fn of(write: Write) -> Self {
        let table = Self::open().await;
        if matches!(write, Write::Social(_)) { table.with_social().await } else { table }
    }

    /// A thief has our session, too: what they have sent in our name is cancelled before anything else is tried.
    async fn open() -> Self {
        let desk = Desk::of(1).await;
        let vault = Arc::new(OneSignIn::new(desk.vault(), signed_in(&desk).await.access));
        let (signed_in_at, partner, thief) = (desk.fakes.now(), desk.stranger("partner"), desk.stranger("thief"));
        let table = Self { desk, vault, signed_in_at, partner, has_social: false };
        let (mut engine, _) = table.process(None);
        table.be_ready(&mut engine).await;
        table.refresh_offers().await;
        table.be_calm(&mut engine, CALM).await;
        let give = vec![table.desk.item_of(table.ours())];
        let stolen = NewOffer { to: thief, give, receive: Vec::new(), message: None };
        let stolen = table.world().send(table.ours().user, &stolen).await.unwrap().id;
        let is_cancelled = async || table.shown(&stolen).await.status == OfferStatus::Cancelled;
        for _ in 0..MOST_PASSES {
            if is_cancelled().await {
                break;
            }
            table.desk.pass_time(STEP).await;
            engine.pass().await;
        }
        assert!(is_cancelled().await, "what the thief has sent is still there");
        table
    }

    fn ours(&self) -> &TradeAddress {
        &self.desk.first().account.address
    }

    /// The platform of the world, in process and without Steam's wire.
    fn world(&self) -> SimulatedPlatform {
        self.desk.fakes.simulator().platform().with_vault(Arc::new(WorldTokens(self.vault.clone())))
    }

    /// A process that has read nothing yet.
    fn process(&self, end: Option<End>) -> (Engine, Arc<Fate>) {
        let (services, fate) = (self.desk.services(&unpaced()), Arc::new(Fate::new(end)));
        let social = self.has_social.then(|| {
            let social = SteamSocial::new(services.clone(), self.vault.clone());
            Arc::new(MortalSocial::new(social, fate.clone())) as Arc<dyn Social>
        });
        let platform = SteamPlatform::new(services, self.vault.clone());
        let platform = Arc::new(Mortal::new(platform, fate.clone()));
        (self.desk.engine(Reach { platform, social, sessions: None }), fate)
    }

    /// Takes passes until the account works.
    async fn be_ready(&self, engine: &mut Engine) {
        for _ in 0..MOST_PASSES {
            engine.pass().await;
            if self.account().await.status == AccountStatus::Ready {
                return;
            }
            self.desk.pass_time(STEP).await;
        }
        panic!("the account is {}", self.account().await.status);
    }

    async fn be_calm(&self, engine: &mut Engine, passes: usize) {
        for _ in 0..passes {
            self.desk.pass_time(STEP).await;
            engine.pass().await;
        }
    }

    /// Tries a row. Returns whether the process has ended in it.
    pub(super) async fn run(&mut self, row: &Row) -> bool {
        println!("{row:?}");
        if self.desk.fakes.now().since(self.signed_in_at) > TOKEN_USED {
            self.vault.replace(signed_in(&self.desk).await.access);
            self.signed_in_at = self.desk.fakes.now();
        }
        let (mut engine, _) = self.process(None);
        self.be_ready(&mut engine).await;
        let task = self.ask(row.write, &mut engine).await;
        let before = self.desk.fakes.ledger().len();
        if let Some(strike) = &row.strike {
            strike.arm(row.write, &self.desk.fakes);
        }
        let (mut engine, fate) = self.process(row.end);
        let has_ended = self.follow(&mut engine, &fate, &task).await;
        if has_ended {
            let (heir, immortal) = self.process(None);
            engine = heir;
            assert!(!self.follow(&mut engine, &immortal, &task).await);
        }
        let calm = if row.strike.as_ref().is_some_and(Strike::lasts) { LONG_CALM } else { CALM };
        self.be_calm(&mut engine, calm).await;
        self.desk.fakes.arm(Vec::new());
        self.assert_once(row.write, &task, before).await;
        has_ended
    }

    /// Takes passes until what was asked for is over. Returns whether the process has ended before.
    async fn follow(&self, engine: &mut Engine, fate: &Fate, task: &Task) -> bool {
        for _ in 0..MOST_PASSES {
            let is_dead = tokio::select! {
                biased;
                _ = engine.pass() => false,
                () = fate.died() => true,
            };
            if is_dead || self.is_over(task).await {
                return is_dead;
            }
            self.desk.pass_time(STEP).await;
        }
        panic!("{task:?} is never over: {:?}", self.records().await.first());
    }

    async fn is_over(&self, task: &Task) -> bool {
        match task {
            Task::Sending { offer, .. } | Task::Ending { offer, .. } => self.record(*offer).await.request.is_none(),
            Task::Denying { confirmation, .. } => self.confirmation(*confirmation).await.answer.is_none(),
            Task::Renewing => self.account().await.refresh.is_none_or(|refresh| refresh.renewal.is_none()),
            Task::Social(task) => self.is_social_over(task).await,
        }
    }
}

/// What a person does.
impl Table {
    async fn ask(&self, write: Write, engine: &mut Engine) -> Task {
        let (on, workspace_id, system) = (&self.desk.operations, self.desk.workspace_id, Caller::system());
        let account_id = self.desk.first().id;
        match write {
            Write::Send | Write::Allow => {
                let item = self.desk.item_of(self.ours());
                Task::Sending { offer: self.ask_to_send(item.clone()).await, item }
            }
            Write::Accept => {
                let offered = self.received(engine).await;
                let (trade_offer_id, expected_version) = (offered.value.id, Some(offered.version));
                let command = AcceptTradeOffer { workspace_id, trade_offer_id, expected_version, accept_hold: false };
                on.accept_trade_offer(&system, command).await.unwrap();
                Task::ending(&offered.value)
            }
            Write::Decline => {
                let offered = self.received(engine).await.value;
                let decline = DeclineTradeOffer { workspace_id, trade_offer_id: offered.id, expected_version: None };
                on.decline_trade_offer(&system, decline).await.unwrap();
                Task::ending(&offered)
            }
            Write::Cancel => {
                let id = self.ask_to_send(self.desk.item_of(self.ours())).await;
                let is_out = |record: &TradeOffer| record.id == id && record.status == TradeOfferStatus::Active;
                let sent = self.until(engine, is_out).await.value;
                let cancel = CancelTradeOffer { workspace_id, trade_offer_id: sent.id, expected_version: None };
                on.cancel_trade_offer(&system, cancel).await.unwrap();
                Task::ending(&sent)
            }
            Write::Deny => {
                let strange = self.strange(engine).await;
                let (confirmation_id, expected_version) = (strange.id, None);
                let deny = DenyConfirmation { workspace_id, confirmation_id, expected_version };
                on.deny_confirmation(&system, deny).await.unwrap();
                Task::Denying { confirmation: strange.id, at_platform: strange.shown.platform_id }
            }
            Write::Renew => {
                let renew = RefreshTradeToken { workspace_id, account_id, renew: true };
                on.refresh_trade_token(&system, renew).await.unwrap();
                Task::Renewing
            }
            Write::Social(write) => Task::Social(self.ask_social(write, engine).await),
        }
    }

    async fn ask_to_send(&self, item: AssetId) -> TradeOfferId {
        let gift = Gift { account_id: self.desk.first().id, to: &self.partner, item };
        ask_to_send(&self.desk.operations, self.desk.workspace_id, gift).await
    }

    async fn refresh_offers(&self) {
        let refresh = RefreshTradeOffers { workspace_id: self.desk.workspace_id, account_id: self.desk.first().id };
        self.desk.operations.refresh_trade_offers(&Caller::system(), refresh).await.unwrap();
    }

    /// A gift of the partner that is on record.
    async fn received(&self, engine: &mut Engine) -> Versioned<TradeOffer> {
        let (platform, partner) = (self.desk.fakes.simulator().platform(), self.partner.user);
        let give = vec![self.desk.item_of(&self.partner)];
        let gift = NewOffer { to: self.ours().clone(), give, receive: Vec::new(), message: None };
        let gift = platform.send(partner, &gift).await.unwrap().id;
        self.desk.fakes.advance(CONFIRMATION);
        for waiting in platform.confirmations(partner).await.unwrap() {
            platform.answer(partner, &waiting, ConfirmationAnswer::Allow).await.unwrap();
        }
        self.refresh_offers().await;
        let is_there = |record: &TradeOffer| record.offer_id.as_ref() == Some(&gift);
        self.until(engine, is_there).await
    }

    /// Takes passes until an offer is on record. Returns it.
    async fn until(&self, engine: &mut Engine, is_it: impl Fn(&TradeOffer) -> bool) -> Versioned<TradeOffer> {
        for _ in 0..MOST_PASSES {
            if let Some(found) = self.records().await.into_iter().find(|record| is_it(&record.value)) {
                return found;
            }
            self.desk.pass_time(STEP).await;
            engine.pass().await;
        }
        panic!("no such offer among {:?}", self.records().await.first());
    }

    /// A confirmation of a kind that the engine does not make, once a person can decide about it.
    async fn strange(&self, engine: &mut Engine) -> Confirmation {
        let strange = WorldFault::StrangeConfirmation { number: MARKET_LISTING };
        self.desk.fakes.simulator().world(|world| world.inject(strange));
        for _ in 0..MOST_PASSES {
            let mut all = self.confirmations().await.into_iter();
            if let Some(found) = all.find(|confirmation| confirmation.status == ConfirmationStatus::Strange) {
                return found;
            }
            let (workspace_id, account_id) = (self.desk.workspace_id, self.desk.first().id);
            let refresh = RefreshConfirmations { workspace_id, account_id };
            self.desk.operations.refresh_confirmations(&Caller::system(), refresh).await.unwrap();
            self.desk.pass_time(STEP).await;
            engine.pass().await;
        }
        panic!("no strange confirmation among {:?}", self.confirmations().await);
    }
}

impl Task {
    fn ending(offer: &TradeOffer) -> Self {
        Self::Ending { offer: offer.id, at_platform: offer.offer_id.clone().unwrap() }
    }
}

/// What is on record, and what the platform shows.
impl Table {
    /// The newest offers.
    async fn records(&self) -> Vec<Versioned<TradeOffer>> {
        newest_offers(&self.desk.operations, self.desk.workspace_id).await
    }

    async fn record(&self, id: TradeOfferId) -> TradeOffer {
        let (workspace_id, trade_offer_ids) = (self.desk.workspace_id, vec![id]);
        let get = GetTradeOffers { workspace_id, trade_offer_ids };
        self.desk.operations.get_trade_offers(&Caller::system(), get).await.unwrap().found.remove(0).value
    }

    /// The newest confirmations.
    async fn confirmations(&self) -> Vec<Confirmation> {
        let (workspace_id, limit, cursor) = (self.desk.workspace_id, 200, String::new());
        let list = ListConfirmations { workspace_id, limit, cursor, account_id: None, status: None, kind: None };
        let ids = self.desk.operations.list_confirmations(&Caller::system(), list).await.unwrap().entries;
        if ids.is_empty() { Vec::new() } else { self.confirmations_by_id(ids).await }
    }

    async fn confirmations_by_id(&self, confirmation_ids: Vec<ConfirmationId>) -> Vec<Confirmation> {
        let get = GetConfirmations { workspace_id: self.desk.workspace_id, confirmation_ids };
        let found = self.desk.operations.get_confirmations(&Caller::system(), get).await.unwrap().found;
        found.into_iter().map(|confirmation| confirmation.value).collect()
    }

    async fn confirmation(&self, id: ConfirmationId) -> Confirmation {
        self.confirmations_by_id(vec![id]).await.remove(0)
    }

    async fn account(&self) -> TradingAccount {
        let (workspace_id, name) = (self.desk.workspace_id, self.desk.first().account.name.clone());
        let ask = AccountOnRecord { workspace_id, name };
        self.desk.operations.account_on_record(&Caller::system(), ask).await.unwrap().unwrap()
    }

    async fn shown(&self, id: &ExternalId) -> Offer {
        self.world().offer(self.ours().user, id).await.unwrap()
    }

    /// Every offer that the platform shows to us.
    async fn offers(&self) -> Vec<Offer> {
        self.world().offers(self.ours().user, Timestamp::MIN).await.unwrap()
    }
}

/// What is so after a row.
impl Table {
    /// Asserts that the write was made once at most, and that the record agrees with the platform.
    async fn assert_once(&self, write: Write, task: &Task, before: usize) {
        let is_carried_out = |entry: &&LedgerEntry| {
            let is_not = |fault: &String| fault.starts_with("Before") || fault.starts_with("Sample");
            write.is_call(entry) && !entry.fault.as_ref().is_some_and(is_not)
        };
        let made = self.desk.fakes.ledger().iter().skip(before).filter(is_carried_out).count();
        assert!(!write.is_made_once() || made <= 1, "{write:?} was carried out {made} times");
        match task {
            Task::Sending { offer, item } => self.assert_sent(*offer, item).await,
            Task::Ending { offer, at_platform } => {
                let (record, shown) = (self.record(*offer).await, self.shown(at_platform).await);
                let is_done = match write {
                    Write::Accept => [shown.status == OfferStatus::Accepted, record.status != TradeOfferStatus::Active],
                    Write::Decline => {
                        [shown.status == OfferStatus::Declined, record.status == TradeOfferStatus::Declined]
                    }
                    Write::Send | Write::Allow | Write::Cancel | Write::Deny | Write::Renew | Write::Social(_) => {
                        [shown.status == OfferStatus::Cancelled, record.status == TradeOfferStatus::Cancelled]
                    }
                };
                assert_eq!(is_done[0], is_done[1], "{shown:?} {record:?}");
                assert!(is_done[0] || record.request_failure.is_some(), "no one learns that nothing was done");
            }
            Task::Denying { confirmation, at_platform } => {
                let listed = self.world().confirmations(self.ours().user).await.unwrap();
                let is_listed = listed.iter().any(|listed| listed.id == *at_platform);
                let record = self.confirmation(*confirmation).await;
                assert_ne!(is_listed, record.status.is_terminal(), "{record:?}");
            }
            Task::Renewing => {
                let shown = self.world().trade_token(self.ours().user).await.unwrap();
                assert_eq!(self.account().await.trade_token, Some(shown));
            }
            Task::Social(task) => self.assert_changed(task, made).await,
        }
        assert_eq!(self.desk.fakes.simulator().world(|world| world.check_books()), Ok(()));
    }

    async fn assert_sent(&self, offer: TradeOfferId, item: &AssetId) {
        let (record, offers) = (self.record(offer).await, self.offers().await);
        let gives_it = |offer: &&Offer| offer.is_ours && offer.give.iter().any(|asset| asset.asset_id == *item);
        let sent: Vec<&Offer> = offers.iter().filter(gives_it).collect();
        match sent.as_slice() {
            [] => assert!(record.offer_id.is_none() && record.status != TradeOfferStatus::Active, "{record:?}"),
            [sent] => {
                assert_eq!(record.offer_id.as_ref(), Some(&sent.id), "{record:?}");
                assert_eq!(record.status == TradeOfferStatus::Active, sent.status == OfferStatus::Active, "{record:?}");
            }
            several => panic!("sent several times: {several:?}"),
        }
    }

    /// Asserts that nothing was confirmed that no one has asked for.
    pub(super) async fn assert_given_on_request_alone(&self) {
        assert_given_on_request_alone(&self.desk.operations, self.desk.workspace_id, &self.offers().await).await;
    }
}
