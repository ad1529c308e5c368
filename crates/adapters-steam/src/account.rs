//! An account as Steam shows it: its bans, its authenticator, its API key, and the token of its trade URL. Steam's time is here too.

use std::time::Duration;

use tradepost_adapters_outside::{JsonType, RequiredShape, ServiceAnswer, answers};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::{AccountLock, LockReason};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{AccountState, PlatformRefusal, PlatformResult};

use crate::inventory;
use crate::messages::{AuthenticatorAnswer, AuthenticatorRequest};
use crate::protobuf_call;
use crate::reading::{
    Entry, FLAG, NUMBER, OBJECT, json, message, needed, response, signed_out, time_of, unavailable, unknown,
};
use crate::remembered::Remembered;
use crate::routes::{API_KEY_PAGE, AUTHENTICATOR, BANS, TIME, TRADE_TOKEN};
use crate::services::Services;
use crate::signed_in::{ACCESS_TOKEN, SignedIn, heard, leads_to_sign_in, question};

const TEXT: &[JsonType] = &[JsonType::String];
const ARRAY: &[JsonType] = &[JsonType::Array];

const BANS_SHAPE: &[RequiredShape] = &[
    needed("$", OBJECT),
    needed("$.players", ARRAY),
    needed("$.players[]", OBJECT),
    needed("$.players[].SteamId", NUMBER),
    needed("$.players[].CommunityBanned", FLAG),
    needed("$.players[].EconomyBan", TEXT),
];
const TIME_SHAPE: &[RequiredShape] =
    &[needed("$", OBJECT), needed("$.response", OBJECT), needed("$.response.server_time", NUMBER)];
const TRADE_TOKEN_SHAPE: &[RequiredShape] =
    &[needed("$", OBJECT), needed("$.response", OBJECT), needed("$.response.trade_offer_access_token", TEXT)];

/// The state of an authenticator that is active.
const ACTIVE: u32 = 1;
/// How long the answers of two cheap reads count. The engine asks for the state of an account every minute.
const BY_THE_API_LASTS: Duration = Duration::from_mins(10);
/// How long the number of items and the page of the API key count, whose calls are paced more slowly.
const BY_PAGES_LASTS: Duration = Duration::from_mins(30);
/// How long they replace those that cannot be read. The pages of the community are refused to some clients for hours, and a key that a thief
/// registers in the meantime is not seen.
const BY_PAGES_KEPT: Duration = Duration::from_hours(6);
/// What the page of the API key has, in English: a key; the form to register one; and a visitor who is not signed in.
const KEY: &str = "<p>Key:";
const NO_KEY: &str = "Register for a new Steam Web API Key";
const VISITOR: &str = "g_steamID = false;";

/// A probation. Steam shows no end of it, and of the reasons that an account has, a hold concerns its trades too.
const PROBATION: AccountLock = AccountLock { reason: LockReason::TradeHold, until: Timestamp::MAX };

/// What bans mean for trading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bans {
    is_banned: bool,
    restriction: Option<AccountLock>,
}

/// What accounts have shown of their state. What one read of it has found stays when the next one fails.
///
/// Without bans and authenticator the whole state fails. The number of items and the page of the key have limits of their own, and the page is
/// on another host: one of them that cannot be read leaves the rest as it is.
#[derive(Debug)]
pub(crate) struct States {
    bans: Remembered<Bans>,
    authenticators: Remembered<Option<Timestamp>>,
    keys: Remembered<bool>,
    counts: Remembered<u32>,
}

impl Default for States {
    fn default() -> Self {
        Self {
            bans: Remembered::for_a_time(BY_THE_API_LASTS),
            authenticators: Remembered::for_a_time(BY_THE_API_LASTS),
            keys: Remembered::kept_for(BY_PAGES_KEPT, BY_PAGES_LASTS),
            counts: Remembered::kept_for(BY_PAGES_KEPT, BY_PAGES_LASTS),
        }
    }
}

impl States {
    /// Returns the state of an account, and reads what is not known of it.
    pub(crate) async fn of(&self, account: &SignedIn<'_>) -> PlatformResult<AccountState> {
        let user = account.user();
        let Bans { is_banned, restriction } = match self.bans.of(user) {
            Some(bans) => bans,
            None => self.bans.keep(user, bans(account).await?),
        };
        let authenticator_since = match self.authenticators.of(user) {
            Some(since) => since,
            None => self.authenticators.keep(user, authenticator_since(account).await?),
        };
        let key = Part::read(&self.keys, user, is_without_key(account)).await?;
        let count = Part::read(&self.counts, user, inventory_count(account)).await?;
        Ok(AccountState {
            authenticator_since,
            restriction,
            is_banned,
            inventory_count: count.value,
            is_api_key_ours: key.value,
            unread: key.unread.or(count.unread),
        })
    }
}

/// A part of a state that may be missing.
struct Part<T> {
    value: Option<T>,
    /// Why it could not be read now.
    unread: Option<ExternalError<PlatformRefusal>>,
}

impl<T: Copy> Part<T> {
    /// Reads a part, unless it is remembered. A session that the read shows to be lost is one for the whole state.
    async fn read(
        remembered: &Remembered<T>,
        user: PlatformUserId,
        read: impl Future<Output = PlatformResult<T>>,
    ) -> PlatformResult<Self> {
        if let Some(value) = remembered.of(user) {
            return Ok(Self { value: Some(value), unread: None });
        }
        match read.await {
            Ok(value) => Ok(Self { value: Some(remembered.keep(user, value)), unread: None }),
            Err(lost @ ExternalError::AuthLost { .. }) => Err(lost),
            Err(unread) => Ok(Self { value: remembered.last(user), unread: Some(unread) }),
        }
    }
}

/// Reads the token of the account's trade URL. The question says that no new one is wanted.
pub(crate) async fn trade_token(account: &SignedIn<'_>) -> PlatformResult<ExternalId> {
    read_trade_token(&account.read(TRADE_TOKEN, &[("generate_new_token", "false")]).await?)
}

/// Reads Steam's time, for which no account is signed in.
pub(crate) async fn server_time(services: &Services) -> PlatformResult<Timestamp> {
    read_time(&heard(services.read(question(TIME, &[])).await)?)
}

async fn bans(account: &SignedIn<'_>) -> PlatformResult<Bans> {
    let user = account.user().to_string();
    read_bans(&account.read(BANS, &[("steamids", user.as_str())]).await?, account.user())
}

async fn authenticator_since(account: &SignedIn<'_>) -> PlatformResult<Option<Timestamp>> {
    let request = AuthenticatorRequest { steamid: account.user().number().get() };
    let query = [(ACCESS_TOKEN, account.token())];
    read_authenticator(&account.ask(protobuf_call::post(AUTHENTICATOR, &request, &query)).await?)
}

async fn is_without_key(account: &SignedIn<'_>) -> PlatformResult<bool> {
    has_no_key(&account.read_page(API_KEY_PAGE, &[("l", "english")]).await?)
}

/// Counts the items of Counter-Strike 2. Each context of another game would be a call of its own.
async fn inventory_count(account: &SignedIn<'_>) -> PlatformResult<u32> {
    let ordinary = inventory::count(account, AppId::CS2, ContextId::ORDINARY).await?;
    let protected = inventory::count(account, AppId::CS2, ContextId::PROTECTED).await?;
    Ok(ordinary.saturating_add(protected))
}

fn read_bans(answer: &ServiceAnswer, user: PlatformUserId) -> PlatformResult<Bans> {
    let whole = json(answer, &[BANS_SHAPE])?;
    let players = Entry::of(&whole).list("players");
    let [player] = players.as_slice() else { return Err(unavailable("the bans of another number of accounts than 1")) };
    if player.id("SteamId")? != user.number() {
        return Err(unknown("it answered the bans of another account".to_owned()));
    }
    let is_shut_out = player.flag("CommunityBanned")?;
    match player.text("EconomyBan") {
        Some("none") => Ok(Bans { is_banned: is_shut_out, restriction: None }),
        Some("probation") => Ok(Bans { is_banned: is_shut_out, restriction: Some(PROBATION) }),
        Some("banned") => Ok(Bans { is_banned: true, restriction: None }),
        Some(_) | None => Err(player.unread("EconomyBan")),
    }
}

/// Returns the time since which the account has its authenticator on its current device; nothing without an active one.
fn read_authenticator(answer: &ServiceAnswer) -> PlatformResult<Option<Timestamp>> {
    let found: AuthenticatorAnswer = message(answer)?;
    if found.state != ACTIVE {
        return Ok(None);
    }
    let since = found.time_created.max(found.time_transferred);
    // Without a time, an authenticator of today would look like one of 1970.
    let since = time_of(since.into()).filter(|_| since > 0);
    since.map(Some).ok_or_else(|| unavailable("an authenticator without the time of its creation"))
}

fn read_trade_token(answer: &ServiceAnswer) -> PlatformResult<ExternalId> {
    const NAME: &str = "trade_offer_access_token";
    let whole = response(answer, &[TRADE_TOKEN_SHAPE])?.ok_or_else(|| unavailable("no token of a trade URL"))?;
    let response = Entry::of(&whole).object("response")?;
    let token = response.text(NAME).and_then(|token| ExternalId::new(token).ok());
    token.ok_or_else(|| response.unread(NAME))
}

fn read_time(answer: &ServiceAnswer) -> PlatformResult<Timestamp> {
    let whole = response(answer, &[TIME_SHAPE])?.ok_or_else(|| unavailable("no time"))?;
    Entry::of(&whole).object("response")?.time("server_time")
}

/// Returns whether the page says that no API key is registered. We register none, so that a key that is there is another's.
fn has_no_key(answer: &ServiceAnswer) -> PlatformResult<bool> {
    if leads_to_sign_in(answer) {
        return Err(signed_out());
    }
    answers::check_status(answer)?;
    let page = String::from_utf8_lossy(&answer.body);
    if page.contains(VISITOR) {
        Err(signed_out())
    } else if page.contains(KEY) {
        Ok(false)
    } else if page.contains(NO_KEY) {
        Ok(true)
    } else {
        Err(unknown("its page of the API key shows neither a key nor that there is none".to_owned()))
    }
}

#[cfg(test)]
mod tests;
