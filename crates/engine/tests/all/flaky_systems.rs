//! The game platform on days when it does not answer every account, or shows trades otherwise than they are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tradepost_adapters_simulator::SimulatedPlatform;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress, TradeStatus};
use tradepost_engine::{Engine, TradingAccount};
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Hold, Inventory, NewOffer, Offer,
    PlatformRefusal, PlatformResult, Trade,
};
use tradepost_testkit::samples::text;

use crate::desk::{CUSTOMER, Desk};
use crate::stalling::Stalling;

/// Why a driver makes no call.
pub(crate) const GIVING_IS_OFF: &str = "giving is not enabled for the account";

/// The simulated platform, as far as its mood lets it show.
pub(crate) struct Moody {
    platform: SimulatedPlatform,
    pub(crate) mood: Mutex<Mood>,
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each mood is there or not, whatever the others are")]
pub(crate) struct Mood {
    /// The answer that each account gets to any call.
    pub(crate) refuses: BTreeMap<PlatformUserId, ExternalError<PlatformRefusal>>,
    /// What every trade is shown as.
    pub(crate) trades_are: Option<TradeStatus>,
    /// The answer to the question for an account's trades. A single trade is shown nevertheless.
    pub(crate) refuses_trades: Option<ExternalError<PlatformRefusal>>,
    /// The answer to the question for the hold of a trade with an address.
    pub(crate) refuses_holds: Option<ExternalError<PlatformRefusal>>,
    /// Whether trades that took others back are left out.
    pub(crate) hides_reversals: bool,
    /// The accounts that made a call.
    pub(crate) asked: Vec<PlatformUserId>,
    /// How often offers were read.
    pub(crate) offers_read: usize,
    /// How often trades were read.
    pub(crate) trades_read: usize,
    /// Whether offers are sent later, and the call that sends them has no answer.
    pub(crate) holds_sends: bool,
    /// Those that are to be sent.
    pub(crate) held: Vec<(PlatformUserId, NewOffer)>,
    /// Whether what was received is shown as reversed by support.
    pub(crate) support_takes_back: bool,
    /// What stalls after offers were read.
    pub(crate) stalls: Option<Arc<Stalling>>,
    /// The calls that the driver does not make, as it says before any.
    pub(crate) not_done: Option<NotDone>,
    /// Why the platform refuses this client.
    pub(crate) refuses_client: Option<String>,
    /// Whether accounts show an API key that another registered.
    pub(crate) shows_foreign_keys: bool,
}

/// Calls that a driver does not make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotDone {
    /// All that change something.
    Writes,
    /// The list of confirmations.
    Confirmations,
}

impl Desk {
    /// An engine that reaches the platform through its mood, with another trading account in addition to the desk's own.
    pub(crate) fn moody_engine(&self) -> (Engine, Arc<Moody>, TradeAddress) {
        let moody = Moody::of(self);
        let other = self.simulator.world(|world| world.open_account(CUSTOMER));
        let mut desk = self.engaged("node-1", Arc::new(self.simulator.marketplace(CUSTOMER)));
        desk.platform = moody.clone();
        desk.accounts.push(TradingAccount { name: text("bot-2"), address: other.clone() });
        (self.engine_for(desk), moody, other)
    }
}

impl Moody {
    /// The platform of a desk.
    pub(crate) fn of(desk: &Desk) -> Arc<Self> {
        Arc::new(Self { platform: desk.simulator.platform(), mood: Mutex::default() })
    }

    /// Sends what was held.
    pub(crate) async fn carry_out(&self) {
        let held = std::mem::take(&mut self.mood.lock().unwrap().held);
        for (account, offer) in held {
            self.platform.send(account, &offer).await.unwrap();
        }
    }

    async fn ask<T>(
        &self,
        account: PlatformUserId,
        call: impl Future<Output = PlatformResult<T>> + Send,
    ) -> PlatformResult<T> {
        let refusal = {
            let mut mood = self.mood.lock().unwrap();
            mood.asked.push(account);
            mood.refuses.get(&account).cloned()
        };
        match refusal {
            Some(refusal) => Err(refusal),
            None => call.await,
        }
    }

    /// Makes a call that changes something.
    async fn act<T>(
        &self,
        account: PlatformUserId,
        call: impl Future<Output = PlatformResult<T>> + Send,
    ) -> PlatformResult<T> {
        if self.does_not(NotDone::Writes) { Err(not_done()) } else { self.ask(account, call).await }
    }

    fn does_not(&self, calls: NotDone) -> bool {
        self.mood.lock().unwrap().not_done == Some(calls)
    }
}

/// The refusal of a driver that makes no such call.
fn not_done() -> ExternalError<PlatformRefusal> {
    ExternalError::Rejected(PlatformRefusal::NotDone(GIVING_IS_OFF.to_owned()))
}

#[async_trait]
impl GamePlatform for Moody {
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState> {
        let state = self.ask(account, self.platform.account(account)).await?;
        let is_foreign = self.mood.lock().unwrap().shows_foreign_keys;
        Ok(if is_foreign { AccountState { is_api_key_ours: Some(false), ..state } } else { state })
    }

    async fn inventory(
        &self,
        account: PlatformUserId,
        app_id: AppId,
        context_id: ContextId,
    ) -> PlatformResult<Inventory> {
        self.ask(account, self.platform.inventory(account, app_id, context_id)).await
    }

    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        {
            let mut mood = self.mood.lock().unwrap();
            mood.offers_read += 1;
            if let Some(stalls) = &mood.stalls {
                stalls.stall_next();
            }
        }
        self.ask(account, self.platform.offers_page(account, since, after)).await
    }

    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer> {
        self.ask(account, self.platform.offer(account, id)).await
    }

    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance> {
        self.act(account, self.platform.accept(account, id)).await
    }

    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.act(account, self.platform.decline(account, id)).await
    }

    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.act(account, self.platform.cancel(account, id)).await
    }

    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer> {
        let is_held = {
            let mut mood = self.mood.lock().unwrap();
            let is_held = mood.holds_sends;
            mood.held.extend(is_held.then(|| (account, offer.clone())));
            is_held
        };
        if is_held {
            return Err(ExternalError::Unknown("no answer came in time".to_owned()));
        }
        self.act(account, self.platform.send(account, offer)).await
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        if self.does_not(NotDone::Confirmations) {
            return Err(not_done());
        }
        self.ask(account, self.platform.confirmations(account)).await
    }

    async fn answer(
        &self,
        account: PlatformUserId,
        confirmation: &Confirmation,
        answer: ConfirmationAnswer,
    ) -> PlatformResult<()> {
        self.act(account, self.platform.answer(account, confirmation, answer)).await
    }

    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade> {
        let trade = self.ask(account, self.platform.trade(account, id)).await?;
        let mood = self.mood.lock().unwrap();
        let (status, mut received) = (mood.trades_are.unwrap_or(trade.status), trade.received.clone());
        if !mood.support_takes_back {
            return Ok(Trade { status, ..trade });
        }
        for moved in &mut received {
            moved.returned_as = Some(moved.asset_id.clone());
        }
        Ok(Trade { status: TradeStatus::FullSupportRollback, received, ..trade })
    }

    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        let mut trades = self.ask(account, self.platform.trades_page(account, since, after)).await?;
        let mut mood = self.mood.lock().unwrap();
        mood.trades_read += 1;
        if let Some(refusal) = &mood.refuses_trades {
            return Err(refusal.clone());
        }
        let hides_reversals = mood.hides_reversals;
        trades.items.retain(|trade| !hides_reversals || trade.rollback_of.is_none());
        Ok(trades)
    }

    async fn hold_with(&self, account: PlatformUserId, partner: &TradeAddress) -> PlatformResult<Hold> {
        let refusal = self.mood.lock().unwrap().refuses_holds.clone();
        match refusal {
            Some(refusal) => Err(refusal),
            None => self.ask(account, self.platform.hold_with(account, partner)).await,
        }
    }

    async fn hold_of(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Hold> {
        self.ask(account, self.platform.hold_of(account, id)).await
    }

    async fn trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.ask(account, self.platform.trade_token(account)).await
    }

    async fn renew_trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.act(account, self.platform.renew_trade_token(account)).await
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        self.platform.server_time().await
    }

    fn refuses_client(&self) -> Option<String> {
        self.mood.lock().unwrap().refuses_client.clone()
    }
}
