//! The facade of the Steam Community: the page of the Web API key of an account, its mobile confirmations and answers to them, the pages of trade
//! offers that it has received, the forms by which offers are sent, accepted, declined and cancelled, and those by which friends are added,
//! removed and blocked.
//!
//! A cookie signs the account in.

mod changes;
mod confirmations;
mod cookie;
mod friends;
mod identity_secrets;
mod offer_page;
mod offers;
mod replies;

use serde_json::{Value, json};
use tradepost_adapters_simulator::PlatformCall;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{AccountState, PlatformRefusal};

use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::steam_bearer::Bearer;
use cookie::signed_in;
use replies::{limited, limited_for, lost};

pub(crate) use identity_secrets::IdentitySecrets;

const API_KEY: &str = "GET /dev/apikey";
const CONFIRMATIONS: &str = "GET /mobileconf/getlist";
const ANSWER: &str = "GET /mobileconf/ajaxop";
const OFFER_PAGE: &str = "GET /tradeoffer/{id}/";
const SEND: &str = "POST /tradeoffer/new/send";
const ACCEPT: &str = "POST /tradeoffer/{id}/accept";
const DECLINE: &str = "POST /tradeoffer/{id}/decline";
const CANCEL: &str = "POST /tradeoffer/{id}/cancel";
const ADD_FRIEND: &str = "POST /actions/AddFriendAjax";
const REMOVE_FRIEND: &str = "POST /actions/RemoveFriendAjax";
const IGNORE_REQUEST: &str = "POST /actions/IgnoreFriendInviteAjax";
const BLOCK: &str = "POST /actions/BlockUserAjax";
/// The key of an account that has one.
const KEY: &str = "0123456789ABCDEF0123456789ABCDEF";

pub(crate) const FACADE: Facade = Facade {
    name: "steam-community",
    routes: &[
        API_KEY,
        CONFIRMATIONS,
        ANSWER,
        OFFER_PAGE,
        SEND,
        ACCEPT,
        DECLINE,
        CANCEL,
        ADD_FRIEND,
        REMOVE_FRIEND,
        IGNORE_REQUEST,
        BLOCK,
    ],
    form,
    answer,
    limited,
    make_odd: changes::odd,
    swap_types: changes::swapped,
    drift: changes::drifted,
};

/// Errors are pages, except for the refusals of forms.
fn form(route: &str, status: u16) -> Form {
    match (route, status) {
        (CONFIRMATIONS | ANSWER, 200)
        | (SEND | ACCEPT | DECLINE | CANCEL, 200 | 500)
        | (ADD_FRIEND | REMOVE_FRIEND | IGNORE_REQUEST | BLOCK, 200 | 400) => Form::Json,
        (_, _) => Form::Html,
    }
}

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    match asked.route {
        CONFIRMATIONS => confirmations::list(fakes, asked),
        ANSWER => confirmations::answer(fakes, asked),
        OFFER_PAGE => offer_page::show(fakes, asked),
        SEND => offers::send(fakes, asked),
        ACCEPT => offers::accept(fakes, asked),
        DECLINE => offers::decline(fakes, asked),
        CANCEL => offers::cancel(fakes, asked),
        ADD_FRIEND => friends::add(fakes, asked),
        REMOVE_FRIEND => friends::remove(fakes, asked),
        IGNORE_REQUEST => friends::ignore(fakes, asked),
        BLOCK => friends::block(fakes, asked),
        _ => api_key(fakes, asked),
    }
}

/// The page of the key.
fn api_key(fakes: &Fakes, asked: &Asked) -> Reply {
    let Some(bearer) = signed_in(fakes, asked) else {
        let to_sign_in = "/login/?goto=%2Fdev%2Fapikey".to_owned();
        return Reply::of("steam-community.signed-out", 302, json!("")).with("location", to_sign_in);
    };
    match bearer.ask::<AccountState>(fakes, PlatformCall::Account) {
        Ok(state) => shown(&bearer, &state),
        Err(error) => failed(&error),
    }
}

/// The page of an account. One that is banned may have no key.
fn shown(bearer: &Bearer, state: &AccountState) -> Reply {
    let (card, content) = match (state.is_banned, state.is_api_key_ours == Some(false)) {
        (true, _) => (
            "steam-community.api-key.denied",
            "<h2>Access Denied</h2><p>You will be granted access to Steam Web API keys when you have games in your \
             Steam account.</p>"
                .to_owned(),
        ),
        (false, false) => (
            "steam-community.api-key.none",
            "<h2>Register for a new Steam Web API Key</h2><form action=\"/dev/requestkey\" method=\"POST\">\
             <input type=\"text\" name=\"domain\"></form>"
                .to_owned(),
        ),
        (false, true) => (
            "steam-community.api-key.registered",
            format!(
                "<h2>Your Steam Web API Key</h2><p>Key: {KEY}</p><p>Domain Name: example.com</p>\
                 <form action=\"/dev/revokekey\" method=\"POST\"></form>"
            ),
        ),
    };
    Reply::of(card, 200, page(&bearer.user.to_string(), &content))
}

fn failed(error: &ExternalError<PlatformRefusal>) -> Reply {
    match error {
        ExternalError::AuthLost { effect: _ } => {
            let form = "<title>Sign In</title><h2>Sign In</h2>";
            Reply::of("steam-community.signed-out.page", 200, page("", form))
        }
        ExternalError::RateLimited { retry_after, effect: _ } => limited_for(*retry_after),
        ExternalError::Unknown(_) | ExternalError::Rejected(_) => lost(),
    }
}

/// A page as this account sees it; without an account, as one sees it who is signed out.
fn page(user: &str, content: &str) -> Value {
    let user = if user.is_empty() { "false".to_owned() } else { format!("\"{user}\"") };
    json!(format!("<!DOCTYPE html><html><body><script>g_steamID = {user};</script>{content}</body></html>"))
}

#[cfg(test)]
mod tests;
