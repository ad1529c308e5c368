//! The calls of the driver by their routes: every read, and every call about a session.

use std::fmt::Debug;

use tradepost_adapters_outside::ServiceLimits;
use tradepost_adapters_steam::{Limits, SteamPlatform};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::Guard;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_fakes::Fault;
use tradepost_ports::external::Effect;
use tradepost_ports::game_platform::sessions::{PlatformSessions as _, SessionResult};
use tradepost_ports::game_platform::{AccountState, GamePlatform as _, PlatformResult};

use crate::scene::Scene;
use crate::traders::{Given, Traders};

/// A route that is read as an account that is signed in, or, for the time, as none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    Time,
    Authenticator,
    Bans,
    ApiKeyPage,
    Confirmations,
    Inventory,
    Offers,
    Offer,
    Trade,
    Trades,
    Holds,
    OfferPage,
    TradeToken,
}

impl Read {
    pub(crate) const ALL: [Self; 13] = [
        Self::Time,
        Self::Authenticator,
        Self::Bans,
        Self::ApiKeyPage,
        Self::Confirmations,
        Self::Inventory,
        Self::Offers,
        Self::Offer,
        Self::Trade,
        Self::Trades,
        Self::Holds,
        Self::OfferPage,
        Self::TradeToken,
    ];

    pub(crate) const fn route(self) -> &'static str {
        match self {
            Self::Time => "POST /ITwoFactorService/QueryTime/v1/",
            Self::Authenticator => "POST /ITwoFactorService/QueryStatus/v1/",
            Self::Bans => "GET /ISteamUser/GetPlayerBans/v1/",
            Self::ApiKeyPage => "GET /dev/apikey",
            Self::Confirmations => "GET /mobileconf/getlist",
            Self::Inventory => "GET /IEconService/GetInventoryItemsWithDescriptions/v1/",
            Self::Offers => "GET /IEconService/GetTradeOffers/v1/",
            Self::Offer => "GET /IEconService/GetTradeOffer/v1/",
            Self::Trade => "GET /IEconService/GetTradeStatus/v1/",
            Self::Trades => "GET /IEconService/GetTradeHistory/v1/",
            Self::Holds => "GET /IEconService/GetTradeHoldDurations/v1/",
            Self::OfferPage => "GET /tradeoffer/{id}/",
            Self::TradeToken => "GET /IEconService/GetTradeOfferAccessToken/v1/",
        }
    }

    /// Returns the limits that its calls share with others.
    pub(crate) const fn limits(self, of: &Limits) -> ServiceLimits {
        match self {
            Self::ApiKeyPage | Self::Confirmations | Self::OfferPage => of.community,
            Self::Inventory => of.inventories,
            Self::Time
            | Self::Authenticator
            | Self::Bans
            | Self::Offers
            | Self::Offer
            | Self::Trade
            | Self::Trades
            | Self::Holds
            | Self::TradeToken => of.reads,
        }
    }

    /// Whether its answer is in JSON with the content under `response`.
    pub(crate) const fn has_response(self) -> bool {
        match self {
            Self::Time
            | Self::Inventory
            | Self::Offers
            | Self::Offer
            | Self::Trade
            | Self::Trades
            | Self::Holds
            | Self::TradeToken => true,
            Self::Authenticator | Self::Bans | Self::ApiKeyPage | Self::Confirmations | Self::OfferPage => false,
        }
    }

    /// Whether its answer is longer than 200 bytes, its head included.
    pub(crate) const fn is_long(self) -> bool {
        match self {
            Self::Time
            | Self::Bans
            | Self::ApiKeyPage
            | Self::Confirmations
            | Self::Inventory
            | Self::Offers
            | Self::Offer
            | Self::Trade
            | Self::Trades
            | Self::Holds
            | Self::OfferPage => true,
            Self::Authenticator | Self::TradeToken => false,
        }
    }
}

/// Accounts that have traded, the records that are read, an offer that can be accepted, and one that waits for its confirmation.
pub(crate) struct Reads {
    pub(crate) traders: Traders,
    pub(crate) offer: ExternalId,
    pub(crate) received: ExternalId,
    pub(crate) trade: ExternalId,
}

impl Reads {
    pub(crate) async fn new() -> Self {
        let traders = Traders::new().await;
        traders.item_of(traders.ada());
        let Given { offer, trade } = traders.given(traders.bob(), traders.ada()).await;
        let received = traders.offered(traders.bob(), traders.ada()).await.id;
        traders.share_identity_secret(traders.ada());
        traders.waiting(traders.ada(), traders.bob()).await;
        Self { traders, offer, received, trade }
    }

    pub(crate) fn user(&self) -> PlatformUserId {
        self.traders.ada().user
    }

    /// Reads a route, and returns the value as a text.
    pub(crate) async fn read(&self, read: Read) -> PlatformResult<String> {
        self.read_by(&self.traders.platform_by(&self.traders.scene.services), read).await
    }

    /// Lets a fault happen to the next call of a route, and reads it.
    pub(crate) async fn read_with(&self, read: Read, fault: Fault) -> PlatformResult<String> {
        self.traders.scene.facades.arm(read.route(), fault);
        self.read(read).await
    }

    pub(crate) async fn read_by(&self, platform: &SteamPlatform, read: Read) -> PlatformResult<String> {
        let user = self.user();
        match read {
            Read::Time => shown(platform.server_time().await),
            Read::Authenticator | Read::Bans | Read::ApiKeyPage => shown(whole(platform.account(user).await)),
            Read::Confirmations => shown(platform.confirmations(user).await),
            Read::Inventory => shown(platform.inventory(user, AppId::CS2, ContextId::ORDINARY).await),
            Read::Offers => shown(platform.offers(user, Timestamp::MIN).await),
            Read::Offer => shown(platform.offer(user, &self.offer).await),
            Read::Trade => shown(platform.trade(user, &self.trade).await),
            Read::Trades => shown(platform.trades(user, Timestamp::MIN).await),
            Read::Holds => shown(platform.hold_with(user, self.traders.bob()).await),
            Read::OfferPage => shown(platform.hold_of(user, &self.received).await),
            Read::TradeToken => shown(platform.trade_token(user).await),
        }
    }
}

/// Returns a state of which every part was read; else, why one was not.
pub(crate) fn whole(state: PlatformResult<AccountState>) -> PlatformResult<AccountState> {
    let mut state = state?;
    state.unread.take().map_or(Ok(state), Err)
}

fn shown<T: Debug>(read: PlatformResult<T>) -> PlatformResult<String> {
    read.map(|value| format!("{value:?}"))
}

/// A route of signing in and of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionCall {
    Key,
    Begin,
    Code,
    Poll,
    Renew,
    Revoke,
}

impl SessionCall {
    pub(crate) const ALL: [Self; 6] = [Self::Key, Self::Begin, Self::Code, Self::Poll, Self::Renew, Self::Revoke];

    pub(crate) const fn route(self) -> &'static str {
        match self {
            Self::Key => "GET /IAuthenticationService/GetPasswordRSAPublicKey/v1/",
            Self::Begin => "POST /IAuthenticationService/BeginAuthSessionViaCredentials/v1/",
            Self::Code => "POST /IAuthenticationService/UpdateAuthSessionWithSteamGuardCode/v1/",
            Self::Poll => "POST /IAuthenticationService/PollAuthSessionStatus/v1/",
            Self::Renew => "POST /IAuthenticationService/GenerateAccessTokenForApp/v1/",
            Self::Revoke => "POST /IAuthenticationService/RevokeToken/v1/",
        }
    }

    /// Returns the effect that a call may have had which was limited: the key alone is read.
    pub(crate) const fn effect(self) -> Effect {
        match self {
            Self::Key => Effect::Nothing,
            Self::Begin | Self::Code | Self::Poll | Self::Renew | Self::Revoke => Effect::Unknown,
        }
    }

    /// Whether its answer has content. One without content says everything with its result.
    pub(crate) const fn has_content(self) -> bool {
        match self {
            Self::Key | Self::Begin | Self::Poll | Self::Renew => true,
            Self::Code | Self::Revoke => false,
        }
    }

    /// Whether its answer is longer than 200 bytes, its head included.
    pub(crate) const fn is_long(self) -> bool {
        match self {
            Self::Key | Self::Poll | Self::Renew => true,
            Self::Begin | Self::Code | Self::Revoke => false,
        }
    }
}

impl Scene {
    /// Makes a call, after all calls that it needs.
    pub(crate) async fn make(&self, call: SessionCall) -> SessionResult<()> {
        let plain = self.asked(None);
        match call {
            SessionCall::Key | SessionCall::Begin => self.sessions.begin(&plain.who()).await.map(drop),
            SessionCall::Code => {
                let mailed = self.asked(Some(Guard::EmailCode));
                let begun = self.sessions.begin(&mailed.who()).await.unwrap();
                let code = self.code(Guard::EmailCode);
                self.sessions.give_code(&begun.attempt, Guard::EmailCode, &code).await
            }
            SessionCall::Poll => {
                let begun = self.sessions.begin(&plain.who()).await.unwrap();
                self.sessions.poll(&begun.attempt).await.map(drop)
            }
            SessionCall::Renew => {
                let tokens = self.sign_in(plain).await;
                self.sessions.renew(&tokens, true).await.map(drop)
            }
            SessionCall::Revoke => {
                let tokens = self.sign_in(plain).await;
                self.sessions.revoke(&tokens).await
            }
        }
    }

    /// Lets a fault happen to the next call of a route, and makes it.
    pub(crate) async fn make_with(&self, call: SessionCall, fault: Fault) -> SessionResult<()> {
        self.facades.arm(call.route(), fault);
        self.make(call).await
    }
}
