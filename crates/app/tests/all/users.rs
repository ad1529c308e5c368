//! `user`: who there is, and the way back in, while a server runs.

use serde_json::{Value, json};

use crate::command::{Place, Server};

const RESET: &str = "accounts.v1.Accounts/ResetPassword";
const SIGN_IN: &str = "accounts.v1.Accounts/SignIn";
const NEW_PASSWORD: &str = "nine quiet herons cross the marsh";

/// A running server, and the address of the owner whom the first start made.
fn served() -> (Place, Server, String) {
    let place = Place::new();
    let server = place.serve(&[]);
    let listed = place.run(&["user", "list", "-o", "json"]).expect_success().json();
    let email = listed["users"][0]["email"].as_str().unwrap().to_owned();
    (place, server, email)
}

#[tokio::test]
async fn a_link_for_a_new_password_lets_somebody_in_who_has_lost_theirs() {
    let (place, server, email) = served();
    let made = place.run(&["user", "reset-password", &email, "-o", "json"]).expect_success().json();
    assert_eq!(made["needsCode"], json!(false));
    let token = made["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
    let reset = json!({ "token": token, "newPassword": NEW_PASSWORD });
    assert_eq!(server.call("", RESET, reset.clone()).await, (200, json!({})));
    let signed_in = server.call("", SIGN_IN, json!({ "email": email, "password": NEW_PASSWORD })).await;
    assert!(signed_in.1["sessionToken"].as_str().unwrap().starts_with("tps_"), "{signed_in:?}");
    assert_eq!(server.call("", RESET, reset).await.0, 400);
}

#[tokio::test]
async fn a_user_who_was_made_sets_a_password_by_the_link_and_signs_in() {
    let (place, server, _) = served();
    let made = place.run(&["user", "create", "ada@example.com", "--name", "Ada", "-o", "json"]).expect_success().json();
    let token = made["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
    assert_eq!(server.call("", RESET, json!({ "token": token, "newPassword": NEW_PASSWORD })).await, (200, json!({})));
    let signed_in = server.call("", SIGN_IN, json!({ "email": "ada@example.com", "password": NEW_PASSWORD })).await;
    assert_eq!(signed_in.1["user"]["id"], made["userId"]);
    let again = place.run(&["user", "create", "ada@example.com", "--name", "Ada"]);
    assert!(
        again.code == Some(1) && again.stderr.contains("another account uses this e-mail address"),
        "{}",
        again.stderr
    );
}

#[test]
fn the_link_alone_is_on_stdout_for_people() {
    let (place, _server, email) = served();
    let made = place.run(&["user", "reset-password", &email]).expect_success();
    assert!(made.stdout.trim().contains("/email/reset#tpe_") && made.stdout.lines().count() == 1, "{}", made.stdout);
    assert!(made.stderr.contains("good once and until"), "{}", made.stderr);
}

#[test]
fn second_factors_are_taken_away_and_it_is_said_which() {
    let (place, _server, email) = served();
    let done = place.run(&["user", "reset-2fa", &email]).expect_success();
    let printed = format!("Took no authenticator app and 0 passkeys of {email} away and ended every session.");
    assert!(done.stdout.starts_with(&printed), "{}", done.stdout);
    let json: Value = place.run(&["user", "reset-2fa", &email, "-o", "json"]).expect_success().json();
    assert_eq!((&json["hadTotp"], &json["passkeys"]), (&json!(false), &json!(0)));
}

#[test]
fn a_user_is_shown_with_what_they_sign_in_with_and_where_they_are_a_member() {
    let (place, _server, email) = served();
    let shown = place.run(&["user", "show", &email, "-o", "json"]).expect_success().json();
    assert_eq!((&shown["email"], &shown["totpEnabled"]), (&json!(email), &json!(false)));
    assert_eq!(shown["workspaces"].as_array().unwrap().len(), 1);
    assert!(place.run(&["user", "show", &email]).expect_success().stdout.contains("member of"));
    let by_id = place.run(&["user", "show", shown["id"].as_str().unwrap(), "-o", "json"]).expect_success().json();
    assert_eq!(by_id, shown);
}

#[test]
fn somebody_who_is_not_there_is_a_failure_that_says_what_to_do() {
    let (place, _server, _) = served();
    for action in ["show", "reset-2fa", "reset-password"] {
        let ended = place.run(&["user", action, "nobody@example.com"]);
        assert_eq!(ended.code, Some(1), "{}", ended.stderr);
        assert!(ended.stderr.contains("tradepost user list shows them"), "{}", ended.stderr);
        assert_eq!(place.run(&["user", action, "nobody"]).code, Some(2));
    }
}
