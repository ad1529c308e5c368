//! Accounts as Steam shows them: bans, authenticators, API keys, and the token of a trade URL.

use std::num::NonZeroU64;

use prost::Message as _;
use serde_json::{Value, json};

use super::*;
use crate::reading::tests::{NOW, answer, answer_of, at, swapped, unknown_text};

const USER: u64 = 76_561_198_046_968_201;

fn bans_of(community: bool, economy: &str) -> Value {
    json!({ "players": [{
        "SteamId": USER.to_string(), "CommunityBanned": community, "VACBanned": false, "NumberOfVACBans": 0,
        "DaysSinceLastBan": 0, "NumberOfGameBans": 0, "EconomyBan": economy,
    }] })
}

fn read(content: &Value) -> PlatformResult<Bans> {
    let user = PlatformUserId::new(NonZeroU64::new(USER).unwrap());
    read_bans(&answer_of(None, &content.to_string()), user)
}

fn page(status: u16, html: &str) -> PlatformResult<bool> {
    has_no_key(&ServiceAnswer { status, ..answer_of(None, html) })
}

fn authenticator(state: u32, time_created: u32, time_transferred: u32) -> PlatformResult<Option<Timestamp>> {
    let body = AuthenticatorAnswer { state, time_created, time_transferred }.encode_to_vec();
    read_authenticator(&ServiceAnswer { body, ..answer_of(Some("1"), "") })
}

#[test]
fn an_account_is_banned_by_the_community_or_in_the_economy() {
    let free = Bans { is_banned: false, restriction: None };
    for (community, economy, expected) in [
        (false, "none", free),
        (true, "none", Bans { is_banned: true, ..free }),
        (false, "banned", Bans { is_banned: true, ..free }),
        (false, "probation", Bans { restriction: Some(PROBATION), ..free }),
    ] {
        assert_eq!(read(&bans_of(community, economy)), Ok(expected), "{community} {economy}");
        assert_eq!(read(&swapped(&bans_of(community, economy))), Ok(expected), "in other types");
    }
}

#[test]
fn bans_of_another_account_or_of_an_unknown_kind_prove_nothing() {
    assert_eq!(
        unknown_text(read(&bans_of(false, "secret"))),
        "SHAPE_DRIFT: $.players[].EconomyBan is missing or cannot be read"
    );
    let mut other = bans_of(false, "none");
    other["players"][0]["SteamId"] = json!("76561198046968202");
    assert_eq!(unknown_text(read(&other)), "it answered the bans of another account");
    unknown_text(read(&json!({ "players": [] })));
    assert_eq!(unknown_text(read(&json!({}))), "SHAPE_DRIFT: $.players is missing");
}

#[test]
fn an_authenticator_is_as_old_as_its_last_transfer() {
    assert_eq!(authenticator(1, 1_600_000_000, 0), Ok(Some(at(1_600_000_000))));
    assert_eq!(authenticator(1, 1_600_000_000, 1_700_000_000), Ok(Some(at(1_700_000_000))));
    assert_eq!((authenticator(0, 1_600_000_000, 0), authenticator(2, 1, 1)), (Ok(None), Ok(None)));
    unknown_text(authenticator(1, 0, 0));
}

#[test]
fn an_authenticator_that_is_not_shown_is_not_a_missing_one() {
    let signed_out = ServiceAnswer { status: 401, ..answer_of(None, "<html>") };
    assert_eq!(read_authenticator(&signed_out), Err(crate::reading::signed_out()));
    assert_eq!(unknown_text(read_authenticator(&answer_of(Some("2"), ""))), "it answered result 2");
    unknown_text(read_authenticator(&answer_of(None, "<html>")));
}

#[test]
fn an_api_key_that_is_registered_is_another_s() {
    assert_eq!(page(200, "<h2>Register for a new Steam Web API Key</h2>"), Ok(true));
    let key = "<h2>Your Steam Web API Key</h2><p>Key: 0123456789ABCDEF0123456789ABCDEF</p>";
    assert_eq!(page(200, key), Ok(false));
    assert_eq!(page(200, &format!("{key}<h2>Register for a new Steam Web API Key</h2>")), Ok(false));
}

#[test]
fn a_page_for_visitors_is_a_lost_session_and_any_other_proves_nothing() {
    let lost = Err(ExternalError::AuthLost { effect: tradepost_ports::external::Effect::Nothing });
    assert_eq!(page(200, "<script>g_steamID = false;</script>Register for a new Steam Web API Key"), lost);
    assert_eq!(page(401, ""), lost);
    let headers = |address: &str| vec![("location", address.to_owned())];
    let moved = |address: &str| {
        has_no_key(&ServiceAnswer { status: 302, headers: headers(address), date: None, body: Vec::new() })
    };
    assert_eq!(moved("https://community.example.com/login/?goto=dev%2Fapikey"), lost);
    assert_eq!(unknown_text(moved("https://community.example.com/maintenance")), "it answered 302");
    for html in ["<h2>Access Denied</h2>", "<html>maintenance</html>", ""] {
        unknown_text(page(200, html));
    }
    assert_eq!(unknown_text(page(403, "<p>Key: secret</p>")), "it answered 403");
}

#[test]
fn the_token_of_a_trade_url_is_a_text() {
    let token = read_trade_token(&answer(&json!({ "trade_offer_access_token": "AbCdEf12" }))).unwrap();
    assert_eq!(token.as_str(), "AbCdEf12");
    for content in [json!({}), json!({ "trade_offer_access_token": "" }), json!({ "other": 1 })] {
        unknown_text(read_trade_token(&answer(&content)));
    }
}

#[test]
fn the_time_of_steam_is_read_as_digits_or_as_a_number() {
    let content = json!({ "server_time": NOW.to_string(), "skew_tolerance_seconds": "60", "max_attempts": 3 });
    assert_eq!(read_time(&answer(&content)), Ok(at(NOW)));
    assert_eq!(read_time(&answer_of(None, &json!({ "response": swapped(&content) }).to_string())), Ok(at(NOW)));
    unknown_text(read_time(&answer(&json!({}))));
}
