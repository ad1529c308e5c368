//! The facade of Steam's Web API: signing in by protocol buffers, what an account can read, and messages that it sends, for the accounts of a
//! world.
//!
//! It knows an account by its access token. The time is that of the world, by which codes and tokens expire.

mod account;
mod changes;
mod described;
mod inventory;
mod key;
mod messages;
mod offers;
mod replies;
mod sign_in;
mod sign_ins;
mod social;
mod trades;

use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;

pub(crate) use key::SteamKey;
pub(crate) use sign_ins::SignIns;

const KEY: &str = "GET /IAuthenticationService/GetPasswordRSAPublicKey/v1/";
const BEGIN: &str = "POST /IAuthenticationService/BeginAuthSessionViaCredentials/v1/";
const CODE: &str = "POST /IAuthenticationService/UpdateAuthSessionWithSteamGuardCode/v1/";
const POLL: &str = "POST /IAuthenticationService/PollAuthSessionStatus/v1/";
const RENEW: &str = "POST /IAuthenticationService/GenerateAccessTokenForApp/v1/";
const REVOKE: &str = "POST /IAuthenticationService/RevokeToken/v1/";
const TIME: &str = "POST /ITwoFactorService/QueryTime/v1/";
const AUTHENTICATOR: &str = "POST /ITwoFactorService/QueryStatus/v1/";
const INVENTORY: &str = "GET /IEconService/GetInventoryItemsWithDescriptions/v1/";
const OFFERS: &str = "GET /IEconService/GetTradeOffers/v1/";
const OFFER: &str = "GET /IEconService/GetTradeOffer/v1/";
const TRADE: &str = "GET /IEconService/GetTradeStatus/v1/";
const TRADES: &str = "GET /IEconService/GetTradeHistory/v1/";
const HOLDS: &str = "GET /IEconService/GetTradeHoldDurations/v1/";
const TRADE_TOKEN: &str = "GET /IEconService/GetTradeOfferAccessToken/v1/";
const BANS: &str = "GET /ISteamUser/GetPlayerBans/v1/";
const FRIENDS: &str = "GET /IFriendsListService/GetFriendsList/v1/";
const CONVERSATIONS: &str = "GET /IFriendMessagesService/GetActiveMessageSessions/v1/";
const MESSAGES: &str = "GET /IFriendMessagesService/GetRecentMessages/v1/";
const SAY: &str = "POST /IFriendMessagesService/SendMessage/v1/";
const READ_MARK: &str = "POST /IFriendMessagesService/AckMessage/v1/";

pub(crate) const FACADE: Facade = Facade {
    name: "steam-api",
    routes: &[
        KEY,
        BEGIN,
        CODE,
        POLL,
        RENEW,
        REVOKE,
        TIME,
        AUTHENTICATOR,
        INVENTORY,
        OFFERS,
        OFFER,
        TRADE,
        TRADES,
        HOLDS,
        TRADE_TOKEN,
        BANS,
        FRIENDS,
        CONVERSATIONS,
        MESSAGES,
        SAY,
        READ_MARK,
    ],
    form,
    answer,
    limited: replies::limited,
    make_odd: changes::odd,
    swap_types: changes::swapped,
    drift: changes::drifted,
};

/// Errors are pages, whatever the route answers.
fn form(route: &str, status: u16) -> Form {
    if status != 200 {
        return Form::Html;
    }
    match route {
        KEY => Form::Protobuf(messages::KEY),
        BEGIN => Form::Protobuf(messages::BEGIN),
        CODE => Form::Protobuf(messages::CODE),
        POLL => Form::Protobuf(messages::POLL),
        RENEW => Form::Protobuf(messages::RENEWAL),
        REVOKE => Form::Protobuf(messages::REVOCATION),
        AUTHENTICATOR => Form::Protobuf(messages::AUTHENTICATOR),
        CONVERSATIONS => Form::Protobuf(messages::CONVERSATIONS),
        MESSAGES => Form::Protobuf(messages::RECENT),
        SAY => Form::Protobuf(messages::SAY),
        READ_MARK => Form::Protobuf(messages::READ_MARK),
        _ => Form::Json,
    }
}

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    match asked.route {
        KEY => sign_in::key(fakes, asked),
        BEGIN => sign_in::begin(fakes, asked),
        CODE => sign_in::code(fakes, asked),
        POLL => sign_in::poll(fakes, asked),
        RENEW => sign_in::renew(fakes, asked),
        REVOKE => sign_in::revoke(fakes, asked),
        TIME => account::time(fakes),
        AUTHENTICATOR => account::authenticator(fakes, asked),
        INVENTORY => inventory::page(fakes, asked),
        OFFERS => offers::page(fakes, asked),
        OFFER => offers::single(fakes, asked),
        TRADE => trades::single(fakes, asked),
        TRADES => trades::page(fakes, asked),
        HOLDS => account::holds(fakes, asked),
        TRADE_TOKEN => account::trade_token(fakes, asked),
        FRIENDS => social::friends(fakes, asked),
        CONVERSATIONS => social::conversations(fakes, asked),
        MESSAGES => social::recent(fakes, asked),
        SAY => social::say(fakes, asked),
        READ_MARK => social::mark_read(fakes, asked),
        _ => account::bans(fakes, asked),
    }
}

#[cfg(test)]
mod tests;
