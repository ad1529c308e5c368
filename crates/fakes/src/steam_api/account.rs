//! What Steam says of an account, and of the time.

use serde_json::{Value, json};
use time::Duration;
use tradepost_adapters_simulator::{Answer, PlatformCall, Request};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{AccountState, Hold, PlatformRefusal};

use super::messages;
use super::replies::{bad_request, done, failed, lost, read, refused, signed_in, unauthorized};
use super::sign_in::{ACCESS_DENIED, INVALID_PARAMETER, is_of};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::seconds;

/// An authenticator that works, in an app of Steam's own.
const ACTIVE: u32 = 1;
const OF_THE_APP: u32 = 1;
/// How long the account had another authenticator before that of the world was moved to its phone.
const OTHER_BEFORE: Duration = Duration::days(365);

/// The time, with texts alongside numbers.
pub(super) fn time(fakes: &Fakes) -> Reply {
    let answer = fakes.simulator().world(|world| world.answer(&Request::PlatformTime));
    let time = match Timestamp::try_from(answer) {
        Ok(time) => seconds(time),
        Err(Answer::PlatformFailed(error)) => return failed(&error, "steam-api.time"),
        Err(_) => return lost(),
    };
    let body = json!({
        "server_time": time.to_string(),
        "skew_tolerance_seconds": "60",
        "large_time_jink": "86400",
        "probe_frequency_seconds": 3_600,
        "adjusted_time_probe_frequency_seconds": 300,
        "hint_probe_frequency_seconds": 60,
        "sync_timeout": 60,
        "try_again_seconds": 900,
        "max_attempts": 3,
    });
    done("steam-api.time", json!({ "response": body }))
}

/// The authenticator of an account, which asks for no other account's.
pub(super) fn authenticator(fakes: &Fakes, asked: &Asked) -> Reply {
    const REFUSED: &str = "steam-api.authenticator.refused";
    let Some(bearer) = signed_in(fakes, asked) else { return unauthorized() };
    let Some(request) = messages::of_request(asked, messages::AUTHENTICATOR_REQUEST) else {
        return refused(REFUSED, INVALID_PARAMETER);
    };
    if !is_of(&request, bearer.user) {
        return refused(REFUSED, ACCESS_DENIED);
    }
    read(fakes, asked, "steam-api.authenticator", |bearer| {
        Ok(shown_authenticator(&bearer.ask(fakes, PlatformCall::Account)?))
    })
}

/// An authenticator that was moved from another phone; none where the account has none.
pub(super) fn shown_authenticator(state: &AccountState) -> Value {
    let Some(since) = state.authenticator_since else {
        return json!({ "state": 0, "authenticator_type": 0, "authenticator_allowed": true });
    };
    json!({
        "state": ACTIVE,
        "inactivation_reason": 0,
        "authenticator_type": OF_THE_APP,
        "authenticator_allowed": true,
        "steamguard_scheme": 2,
        "email_validated": true,
        "time_created": seconds(since.plus(-OTHER_BEFORE)),
        "revocation_attempts_remaining": 5,
        "time_transferred": seconds(since),
        "version": 2,
    })
}

/// How long a trade with another account would be held; nothing for a token that is not the one of its trade URL.
pub(super) fn holds(fakes: &Fakes, asked: &Asked) -> Reply {
    let target = asked.query.get("steamid_target").and_then(|number| number.parse().ok());
    let Some(user) = target.map(PlatformUserId::new) else { return bad_request() };
    let token = asked.query.get("trade_offer_access_token").and_then(|token| ExternalId::new(token).ok());
    read(fakes, asked, "steam-api.holds", |bearer| {
        let token = token.ok_or(ExternalError::Rejected(PlatformRefusal::PartnerRefused))?;
        let call = PlatformCall::HoldWith { partner: TradeAddress { user, token } };
        let Hold { ours, theirs, both } = bearer.ask(fakes, call)?;
        let side = |seconds: u32| json!({ "escrow_end_duration_seconds": seconds });
        let sides = json!({ "my_escrow": side(ours), "their_escrow": side(theirs), "both_escrow": side(both) });
        Ok(json!({ "response": sides }))
    })
}

/// The token of the trade URL. A caller that wants a new one gets a new one.
pub(super) fn trade_token(fakes: &Fakes, asked: &Asked) -> Reply {
    let is_renewed = asked.is_set("generate_new_token");
    let call = if is_renewed { PlatformCall::RenewTradeToken } else { PlatformCall::TradeToken };
    read(fakes, asked, "steam-api.trade-token", |bearer| {
        let token: ExternalId = bearer.ask(fakes, call)?;
        Ok(json!({ "response": { "trade_offer_access_token": token.as_str() } }))
    })
}

/// The bans of the account, if it is one of those that are asked for.
pub(super) fn bans(fakes: &Fakes, asked: &Asked) -> Reply {
    let Some(users) = asked.query.get("steamids") else { return bad_request() };
    read(fakes, asked, "steam-api.bans", |bearer| {
        let is_asked_for = users.split(',').any(|user| user == bearer.user.to_string());
        let state: AccountState = bearer.ask(fakes, PlatformCall::Account)?;
        let players: Vec<Value> = is_asked_for.then(|| shown_bans(bearer.user, &state)).into_iter().collect();
        Ok(json!({ "players": players }))
    })
}

/// What keeps an account from trading. A restriction is shown as a probation, without its end.
pub(super) fn shown_bans(user: PlatformUserId, state: &AccountState) -> Value {
    let economy = match (state.is_banned, state.restriction) {
        (true, _) => "banned",
        (false, Some(_)) => "probation",
        (false, None) => "none",
    };
    json!({
        "SteamId": user.to_string(),
        "CommunityBanned": state.is_banned,
        "VACBanned": false,
        "NumberOfVACBans": 0,
        "DaysSinceLastBan": 0,
        "NumberOfGameBans": 0,
        "EconomyBan": economy,
    })
}
