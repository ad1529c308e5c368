//! The released program is killed at any moment while it gives what people have asked for, and while it replaces tokens: no offer is sent twice,
//! nothing is given that no one has asked for, and no tokens are lost without a word.

use std::sync::Arc;
use std::time::Duration;

use tradepost::Tradepost;
use tradepost_adapters_simulator::SimulatedPlatform;
use tradepost_domain::id::AccountId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::SessionStatus;
use tradepost_domain::trading::renewal::{RenewalKind, RenewalStatus};
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeAddress};
use tradepost_domain::trading::trade_offer::{OfferDirection, TradeOffer, TradeOfferStatus};
use tradepost_fakes::LedgerEntry;
use tradepost_operations::trading::{
    AcceptTradeOffer, CancelTradeOffer, GetAccountSessions, GetRenewals, ListAccountSessions, ListRenewals,
    RequestRenewal, StartAccountSession,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::game_platform::{ConfirmationAnswer, GamePlatform as _, NewOffer};

use super::desk::{secrets_of, signing_in_as};
use super::program::{AtSteam, Site};
use super::records::{Gift, ask_to_send, assert_given_on_request_alone, newest_offers};
use super::vault::WorldTokens;
use crate::harness::Database;

const SEND: &str = "POST /tradeoffer/new/send";
/// How many requests wait for the engine at a time.
const MOST_OPEN: usize = 2;
/// The most requests at the facades after which a program is killed, and how long it lives at most.
const MOST_CALLS: u64 = 24;
const LIFE: Duration = Duration::from_secs(6);
/// More lives than it takes until nothing is open: what is not confirmed is cancelled after ten minutes.
const MOST_LIVES: usize = 200;
/// Accounts whose tokens are replaced: each is signed in five times in ten minutes at most.
const RENEWING: usize = 10;

/// The same draws for a seed in every run (xorshift64, Marsaglia 2003).
struct Chance(u64);

impl Chance {
    const fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below an end that is not zero.
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// A program that is killed, and what is outside of it.
struct Story {
    site: Site,
    at_steam: AtSteam,
    partner: TradeAddress,
    chance: Chance,
    /// How many offers people have asked for.
    asked: usize,
    /// The offers that the facade has taken.
    sent: usize,
}

impl Story {
    async fn begin(seed: u64, accounts: usize) -> Self {
        let site = Site::open(Database::Sqlite, seed).await;
        let names: Vec<String> = (0..accounts).map(|number| format!("bot-{number}")).collect();
        let accounts = names.iter().map(|name| (site.account(name, signing_in_as(name)), secrets_of(name))).collect();
        let (app, partner) = (site.app().await, site.stranger());
        let at_steam = AtSteam::record(&app, accounts).await;
        let story = Self { site, at_steam, partner, chance: Chance::of(seed), asked: 0, sent: 0 };
        for number in 0..story.at_steam.accounts.len() {
            story.start_session(&app, number).await;
        }
        app.shutdown().await.unwrap();
        story
    }

    fn account(&self, number: usize) -> (AccountId, &TradeAddress) {
        let (id, account) = &self.at_steam.accounts[number];
        (*id, &account.address)
    }

    /// The platform of the world, which knows our accounts by the tokens on record.
    fn world(&self, app: &Tradepost) -> SimulatedPlatform {
        let vault = Arc::new(self.at_steam.vault(app));
        self.site.fakes.simulator().platform().with_vault(Arc::new(WorldTokens(vault)))
    }

    /// Lets the program live until the facades have got so many requests, and kills it.
    async fn live(&mut self, calls: usize) {
        let running = self.site.start("info").await;
        self.site.until_called(calls, LIFE).await;
        running.kill().await;
        let is_sent = |entry: &&LedgerEntry| entry.route == SEND && entry.fault.is_none() && entry.status == 200;
        self.sent += self.site.fakes.take_ledger().iter().filter(is_sent).count();
    }

    /// The number of requests after which the next program is killed.
    fn moment(&mut self) -> usize {
        usize::try_from(self.chance.below(MOST_CALLS)).unwrap()
    }
}

/// Giving items.
impl Story {
    /// People ask for what they do not wait for already.
    async fn ask(&mut self, app: &Tradepost) {
        let (workspace_id, account_id) = (self.at_steam.workspace_id, self.account(0).0);
        let offers = newest_offers(app.operations(), workspace_id).await;
        let open = offers.iter().filter(|offer| offer.value.request.is_some()).count();
        for _ in open..MOST_OPEN {
            let ours = self.account(0).1.user;
            let item = self.site.fakes.simulator().world(|world| world.give_item(ours)).unwrap();
            let gift = Gift { account_id, to: &self.partner, item };
            ask_to_send(app.operations(), workspace_id, gift).await;
            self.asked += 1;
        }
        for offer in offers.iter().filter(|offer| waits_for_us(&offer.value)) {
            self.decide(app, offer).await;
        }
    }

    /// A person cancels one of ten offers that are out, and accepts one of three gifts.
    async fn decide(&mut self, app: &Tradepost, offer: &Versioned<TradeOffer>) {
        let (on, system, workspace_id) = (app.operations(), Caller::system(), self.at_steam.workspace_id);
        let (trade_offer_id, expected_version) = (offer.value.id, Some(offer.version));
        if offer.value.direction == OfferDirection::Sent {
            if self.chance.below(10) == 0 {
                let cancel = CancelTradeOffer { workspace_id, trade_offer_id, expected_version };
                on.cancel_trade_offer(&system, cancel).await.unwrap();
            }
        } else if self.chance.below(3) == 0 {
            let accept = AcceptTradeOffer { workspace_id, trade_offer_id, expected_version, accept_hold: false };
            on.accept_trade_offer(&system, accept).await.unwrap();
        }
    }

    /// The partner accepts what was sent to them, and gives something at times.
    async fn partner_acts(&mut self) {
        let (platform, partner) = (self.site.fakes.simulator().platform(), self.partner.user);
        for waiting in platform.confirmations(partner).await.unwrap() {
            platform.answer(partner, &waiting, ConfirmationAnswer::Allow).await.unwrap();
        }
        for offer in platform.offers(partner, Timestamp::MIN).await.unwrap() {
            let can_be_accepted = !offer.is_ours && offer.status == OfferStatus::Active;
            if can_be_accepted && self.chance.below(4) == 0 {
                platform.accept(partner, &offer.id).await.unwrap();
            }
        }
        if self.chance.below(5) == 0 {
            let item = self.site.fakes.simulator().world(|world| world.give_item(partner)).unwrap();
            let to = self.account(0).1.clone();
            let gift = NewOffer { to, give: vec![item], receive: Vec::new(), message: None };
            platform.send(partner, &gift).await.unwrap();
        }
    }

    /// Asserts that no offer was sent twice, and that what was given was asked for. The platform shows our offers while the account is signed in.
    async fn assert_given_on_request_alone(&self, app: &Tradepost) -> bool {
        assert!(self.sent <= self.asked, "{} offers were sent, and {} were asked for", self.sent, self.asked);
        assert_eq!(self.site.fakes.simulator().world(|world| world.check_books()), Ok(()));
        let Ok(shown) = self.world(app).offers(self.account(0).1.user, Timestamp::MIN).await else { return false };
        assert_given_on_request_alone(app.operations(), self.at_steam.workspace_id, &shown).await;
        true
    }
}

fn waits_for_us(offer: &TradeOffer) -> bool {
    offer.status == TradeOfferStatus::Active && offer.request.is_none()
}

/// Kills the program so often while it gives items. Returns how often the platform showed our offers in between.
async fn give_while_killed(seed: u64, kills: usize) -> usize {
    let (mut story, mut looks) = (Story::begin(seed, 1).await, 0);
    for _ in 0..kills {
        let app = story.site.app().await;
        looks += usize::from(story.assert_given_on_request_alone(&app).await);
        story.ask(&app).await;
        app.shutdown().await.unwrap();
        story.partner_acts().await;
        let calls = story.moment();
        story.live(calls).await;
    }
    for _ in 0..MOST_LIVES {
        story.live(usize::MAX).await;
        let app = story.site.app().await;
        let is_shown = story.assert_given_on_request_alone(&app).await;
        let offers = newest_offers(app.operations(), story.at_steam.workspace_id).await;
        app.shutdown().await.unwrap();
        if is_shown && offers.iter().all(|offer| offer.value.request.is_none()) {
            println!("{kills} kills: {} asked for, {} sent, looked at {looks} times", story.asked, story.sent);
            assert!(story.sent > 0, "nothing was sent");
            return looks;
        }
    }
    panic!("something is open for ever, or the account stays signed out");
}

/// Replacing tokens.
impl Story {
    async fn start_session(&self, app: &Tradepost, number: usize) {
        let (workspace_id, account_id) = (self.at_steam.workspace_id, self.account(number).0);
        let start = StartAccountSession { workspace_id, account_id, uses_stored_code: true };
        // One that works or that is started already stays.
        passed_or_refused(app.operations().start_account_session(&Caller::system(), start).await);
    }

    async fn renew(&self, app: &Tradepost, number: usize) {
        let (workspace_id, account_id) = (self.at_steam.workspace_id, self.account(number).0);
        let renew = RequestRenewal { workspace_id, account_id, kind: RenewalKind::RefreshToken };
        // While the platform is called for one, and without a session that works, there is none.
        passed_or_refused(app.operations().request_renewal(&Caller::system(), renew).await);
    }

    /// The status of the newest session of an account.
    async fn session(&self, app: &Tradepost, account_id: AccountId) -> SessionStatus {
        let (on, workspace_id, system) = (app.operations(), self.at_steam.workspace_id, Caller::system());
        let (limit, cursor, account_id) = (1, String::new(), Some(account_id));
        let list = ListAccountSessions { workspace_id, limit, cursor, account_id, status: None };
        let account_session_ids = on.list_account_sessions(&system, list).await.unwrap().entries;
        let get = GetAccountSessions { workspace_id, account_session_ids };
        on.get_account_sessions(&system, get).await.unwrap().found.remove(0).value.status
    }

    /// Whether a renewal of an account has no outcome yet.
    async fn has_open_renewal(&self, app: &Tradepost, account_id: AccountId) -> bool {
        let (on, workspace_id, system) = (app.operations(), self.at_steam.workspace_id, Caller::system());
        let (limit, cursor, account_id) = (20, String::new(), Some(account_id));
        let list = ListRenewals { workspace_id, limit, cursor, account_id, kind: None, status: None, due_before: None };
        let renewal_ids = on.list_renewals(&system, list).await.unwrap().entries;
        if renewal_ids.is_empty() {
            return false;
        }
        let found = on.get_renewals(&system, GetRenewals { workspace_id, renewal_ids }).await.unwrap().found;
        let is_open = |status| matches!(status, RenewalStatus::Running | RenewalStatus::Uncertain);
        found.iter().any(|renewal| is_open(renewal.value.status))
    }

    async fn is_accepted(&self, app: &Tradepost, user: PlatformUserId) -> bool {
        self.world(app).account(user).await.is_ok()
    }

    /// Whether an account works by the tokens on record. Asserts that otherwise the record says so.
    async fn works(&self, app: &Tradepost, number: usize) -> bool {
        let (account_id, user) = (self.account(number).0, self.account(number).1.user);
        let status = self.session(app, account_id).await;
        let is_accepted = self.is_accepted(app, user).await;
        let is_known = status != SessionStatus::Active || self.has_open_renewal(app, account_id).await;
        assert!(is_accepted || is_known, "a session that is {status} has lost its tokens");
        is_accepted && status == SessionStatus::Active
    }
}

#[track_caller]
fn passed_or_refused<T>(result: OpResult<T>) {
    if let Err(refused) = result {
        assert_eq!(refused.code, Code::FailedPrecondition, "{refused:?}");
    }
}

/// Kills the program so often while tokens are replaced.
async fn renew_while_killed(seed: u64, kills: usize) {
    let (mut story, mut worked) = (Story::begin(seed, RENEWING).await, 0);
    for kill in 0..kills {
        let (app, number) = (story.site.app().await, kill % RENEWING);
        for number in 0..RENEWING {
            worked += usize::from(story.works(&app, number).await);
        }
        story.start_session(&app, number).await;
        story.renew(&app, number).await;
        app.shutdown().await.unwrap();
        let calls = story.moment() / 3;
        story.live(calls).await;
    }
    for _ in 0..MOST_LIVES {
        story.live(usize::MAX).await;
        let (app, mut all_work) = (story.site.app().await, true);
        for number in 0..RENEWING {
            all_work &= story.works(&app, number).await;
            story.start_session(&app, number).await;
        }
        app.shutdown().await.unwrap();
        if all_work {
            println!("{kills} kills: accounts worked in {worked} looks");
            assert!(worked > kills, "accounts worked in {worked} looks");
            return;
        }
    }
    panic!("an account never works again");
}

/// Hundreds of kills, most of an hour; even after two the last offer can take ten minutes to end. `cargo xtask nightly` makes them.
mod long {
    use super::{give_while_killed, renew_while_killed};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_program_that_is_killed_five_hundred_times_sends_nothing_twice_and_gives_on_request_alone() {
        let looks = give_while_killed(5_002, 500).await;
        assert!(looks > 250, "our offers were looked at {looks} times");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_program_that_is_killed_two_hundred_times_while_it_replaces_tokens_loses_none_silently() {
        renew_while_killed(5_003, 200).await;
    }
}
