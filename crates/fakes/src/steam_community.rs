//! The facade of the Steam Community: the page of the Web API key of an account, which its cookie signs in.

use serde_json::{Value, json};
use tradepost_adapters_simulator::PlatformCall;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{AccountState, PlatformRefusal};

use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::steam_bearer::Bearer;

const API_KEY: &str = "GET /dev/apikey";
/// The cookie: the number of the account, two bars, and its access token.
const COOKIE: &str = "steamLoginSecure=";
const BARS: &str = "%7C%7C";
const TOO_MANY: &str = "<html><body><h1>Too Many Requests</h1></body></html>";
/// The key of an account that has one.
const KEY: &str = "0123456789ABCDEF0123456789ABCDEF";

pub(crate) const FACADE: Facade = Facade {
    name: "steam-community",
    routes: &[API_KEY],
    form: |_, _| Form::Html,
    answer,
    limited: || Reply::of("steam-community.limited", 429, json!(TOO_MANY)),
    make_odd: |body| {
        let page = body.as_str().unwrap_or_default().replace("</body>", "<div id=\"notice_97\">New</div></body>");
        *body = json!(page);
    },
    // A page has no types.
    swap_types: |_| {},
    drift: |body| *body = page("76561197960265729", "<h2>Something else</h2>"),
};

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    let Some(bearer) = signed_in(fakes, asked) else {
        let to_sign_in = "/login/?goto=%2Fdev%2Fapikey".to_owned();
        return Reply::of("steam-community.signed-out", 302, json!("")).with("location", to_sign_in);
    };
    match bearer.ask::<AccountState>(fakes, PlatformCall::Account) {
        Ok(state) => shown(&bearer, &state),
        Err(error) => failed(&error),
    }
}

/// The account of the cookie.
fn signed_in(fakes: &Fakes, asked: &Asked) -> Option<Bearer> {
    let mut cookies = asked.header("cookie").split(';');
    let (user, token) = cookies.find_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.split_once(BARS))?;
    Bearer::read(token, fakes.now()).filter(|bearer| bearer.user.to_string() == user)
}

/// The page of an account. One that is banned may have no key.
fn shown(bearer: &Bearer, state: &AccountState) -> Reply {
    let (card, content) = match (state.is_banned, state.is_api_key_ours) {
        (true, _) => (
            "steam-community.api-key.denied",
            "<h2>Access Denied</h2><p>You will be granted access to Steam Web API keys when you have games in your \
             Steam account.</p>"
                .to_owned(),
        ),
        (false, true) => (
            "steam-community.api-key.none",
            "<h2>Register for a new Steam Web API Key</h2><form action=\"/dev/requestkey\" method=\"POST\">\
             <input type=\"text\" name=\"domain\"></form>"
                .to_owned(),
        ),
        (false, false) => (
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
        ExternalError::RateLimited { retry_after, effect: _ } => {
            (FACADE.limited)().with("retry-after", retry_after.as_secs().max(1).to_string())
        }
        ExternalError::Unknown(_) | ExternalError::Rejected(_) => {
            Reply::of("steam-community.lost", 502, json!("<html><body><h1>502 Bad Gateway</h1></body></html>"))
        }
    }
}

/// A page as this account sees it; without an account, as one sees it who is signed out.
fn page(user: &str, content: &str) -> Value {
    let user = if user.is_empty() { "false".to_owned() } else { format!("\"{user}\"") };
    json!(format!("<!DOCTYPE html><html><body><script>g_steamID = {user};</script>{content}</body></html>"))
}

#[cfg(test)]
mod tests;
