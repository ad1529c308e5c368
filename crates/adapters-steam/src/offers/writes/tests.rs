//! What is sent and what is refused without a call, and what answers mean.

use std::num::NonZeroU64;

use tradepost_domain::trading::trade::TradeAddress;

use super::*;

fn user(number: u64) -> PlatformUserId {
    PlatformUserId::new(NonZeroU64::new(number).unwrap())
}

fn asset(id: &str) -> AssetId {
    AssetId::new(id).unwrap()
}

fn offer_of(give: &[&str], receive: &[&str]) -> NewOffer {
    let to = TradeAddress { user: user(76_561_198_046_968_201), token: ExternalId::new("AbCdEf12").unwrap() };
    let [give, receive] = [give, receive].map(|ids| ids.iter().map(|id| asset(id)).collect());
    NewOffer { to, give, receive, message: None }
}

fn answer_of(status: u16, body: &str) -> ServiceAnswer {
    ServiceAnswer { status, headers: Vec::new(), date: None, body: body.as_bytes().to_vec() }
}

/// What Steam said, as a text.
fn heard(status: u16, body: &str) -> Result<String, String> {
    match said(&answer_of(status, body), SENT) {
        Ok(Said::Done(body)) => Ok(body.to_string()),
        Ok(Said::Refused(refusal)) => Ok(format!("{refusal:?}")),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn the_items_of_both_sides_are_sent_with_their_ids_as_texts() {
    let sent = trade(&offer_of(&["11145843479"], &["7", "8"]));
    let item = |id: &str| json!({ "appid": 730, "contextid": "2", "amount": 1, "assetid": id });
    assert_eq!(sent["me"], json!({ "assets": [item("11145843479")], "currency": [], "ready": false }));
    assert_eq!(sent["them"]["assets"], json!([item("7"), item("8")]));
    assert_eq!((&sent["version"], &sent["newversion"]), (&json!(4), &json!(true)));
    assert_eq!(short(user(76_561_198_046_968_201)), 86_702_473);
}

#[test]
fn an_offer_that_cannot_be_one_is_refused_without_a_call() {
    let (us, rejected) = (user(76_561_197_960_265_729), |refusal| Err(ExternalError::Rejected(refusal)));
    assert_eq!(check(us, &offer_of(&["7"], &["8"])), Ok(()));
    assert_eq!(check(us, &offer_of(&[], &[])), rejected(PlatformRefusal::EmptyOffer));
    assert_eq!(check(user(76_561_198_046_968_201), &offer_of(&["7"], &[])), rejected(PlatformRefusal::EmptyOffer));
    assert_eq!(check(us, &offer_of(&["7"], &["7"])), rejected(PlatformRefusal::AssetUnavailable(asset("7"))));
    let to = TradeAddress { user: user(7), token: ExternalId::new("AbCdEf12").unwrap() };
    let nowhere = NewOffer { to, ..offer_of(&["7"], &[]) };
    assert_eq!(check(us, &nowhere), rejected(PlatformRefusal::PartnerRefused));
}

#[test]
fn a_refusal_is_read_whatever_its_status_and_anything_else_proves_nothing() {
    let refusal = r#"{"strError":"There was an error. (26)"}"#;
    for status in [200, 500] {
        assert_eq!(heard(status, refusal), Ok("ItemMissing".to_owned()), "{status}");
    }
    assert_eq!(heard(200, r#"{"tradeofferid":"7"}"#), Ok(r#"{"tradeofferid":"7"}"#.to_owned()));
    for (status, body) in [
        (500, r#"{"tradeofferid":"7"}"#),
        (500, "<html>"),
        (500, "null"),
        (200, "null"),
        (200, "<html>secret"),
        (200, r#"{"success":false,"error":"secret"}"#),
        (403, refusal),
        (502, ""),
    ] {
        let text = heard(status, body).unwrap_err();
        assert!(text.starts_with("the outcome is unknown: ") && !text.contains("secret"), "{status} {body}: {text}");
    }
}

#[test]
fn an_acceptance_begins_a_trade_or_waits_for_a_confirmation() {
    let accepted = |body: Value| accepted(&Entry::of(&body));
    let trade_id = ExternalId::from(798_942_565_122_442_387);
    assert_eq!(accepted(json!({ "tradeid": "798942565122442387" })), Ok(Acceptance::Begun { trade_id }));
    for needs in ["needs_mobile_confirmation", "needs_email_confirmation"] {
        assert_eq!(accepted(json!({ needs: true })), Ok(Acceptance::NeedsConfirmation), "{needs}");
    }
    for nothing in [json!({}), json!({ "needs_mobile_confirmation": false }), json!({ "tradeid": null })] {
        assert!(matches!(accepted(nothing), Err(ExternalError::Unknown(_))));
    }
}
