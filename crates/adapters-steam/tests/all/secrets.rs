//! Login names, passwords, codes and tokens of a run: they are in no error, in nothing that is shown for debugging, and in no record of the
//! facades, which leave out of a query what the wire has to carry.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::trading::account_session::Guard;
use tradepost_fakes::Fault;
use tradepost_ports::game_platform::sessions::{PlatformSessions as _, SignInAs};

use crate::calls::{Read, Reads, SessionCall};
use crate::deeds::Write;
use crate::facades::Facades;
use crate::scene::{PASSWORD, Scene};
use crate::social::Chatters;
use crate::social_deeds::{SocialWrite, TEXT};
use crate::traders::{IDENTITY_SECRET, Traders};

/// With this every token begins: the first characters of its header.
const TOKEN: &str = "eyJ";
/// The routes whose query carries a token, which the facades leave out of their records.
const WITH_TOKEN: &str = "access_token=redacted";

fn faults() -> Vec<Fault> {
    vec![
        Fault::F05 { status: 500 },
        Fault::F06,
        Fault::F07 { bytes: 0 },
        Fault::F08Truncated,
        Fault::F08WrongGzip,
        Fault::F09 { status: 401 },
        Fault::F09 { status: 302 },
        Fault::F10,
        Fault::F11 { message: "no".to_owned() },
        Fault::F12 { eresult: 15 },
        Fault::F13,
        Fault::Drift,
    ]
}

fn assert_shows_none(text: &str, secrets: &[&str]) {
    for secret in secrets {
        assert!(!text.contains(secret), "{text}");
    }
}

/// The secrets of a scene that are the same in every run.
fn fixed(scene: &Scene) -> Vec<&str> {
    let names = scene.accounts.iter().map(|account| account.login_name);
    names.chain([PASSWORD, TOKEN, IDENTITY_SECRET]).collect()
}

fn recorded(facades: &Facades) -> String {
    format!("{:?}", facades.fakes.ledger())
}

#[tokio::test]
async fn no_failure_of_a_read_shows_a_secret() {
    let reads = Reads::new().await;
    let secrets = fixed(&reads.traders.scene);
    let mut failures = 0;
    for read in Read::ALL {
        for fault in faults() {
            if let Err(failed) = reads.read_with(read, fault).await {
                assert_shows_none(&format!("{failed} {failed:?}"), &secrets);
                failures += 1;
            }
        }
    }
    assert!(failures > 90, "{failures}");
    assert_shows_none(&recorded(&reads.traders.scene.facades), &secrets);
}

#[tokio::test]
async fn no_failure_of_a_write_shows_a_secret() {
    let traders = Traders::who_give().await;
    let secrets = fixed(&traders.scene);
    let mut failures = 0;
    for write in Write::ALL {
        for fault in faults() {
            let deed = traders.deed(write).await;
            if let Err(failed) = traders.make_with(write, &deed, fault).await {
                assert_shows_none(&format!("{failed} {failed:?}"), &secrets);
                failures += 1;
            }
        }
    }
    assert!(failures > 60, "{failures}");
    assert_shows_none(&recorded(&traders.scene.facades), &secrets);
}

#[tokio::test]
async fn no_failure_of_a_change_of_friends_or_chats_shows_a_secret_or_a_text() {
    let chatters = Chatters::new().await;
    let mut secrets = fixed(&chatters.traders.scene);
    secrets.push(TEXT);
    let mut failures = 0;
    for write in SocialWrite::ALL {
        for fault in faults() {
            let deed = chatters.social_deed(write);
            if let Err(failed) = chatters.change_with(&deed, fault).await {
                assert_shows_none(&format!("{failed} {failed:?}"), &secrets);
                failures += 1;
            }
        }
    }
    assert!(failures > 60, "{failures}");
    assert_shows_none(&recorded(chatters.facades()), &secrets);
}

#[tokio::test]
async fn no_failure_of_a_call_about_a_session_shows_a_secret() {
    let scene = Scene::new().await;
    let secrets = fixed(&scene);
    let mut failures = 0;
    for call in SessionCall::ALL {
        for fault in faults() {
            scene.rest();
            if let Err(failed) = scene.make_with(call, fault).await {
                assert_shows_none(&format!("{failed} {failed:?}"), &secrets);
                failures += 1;
            }
        }
    }
    assert!(failures > 60, "{failures}");
    assert_shows_none(&recorded(&scene.facades), &secrets);
}

#[tokio::test]
async fn a_refused_sign_in_shows_neither_name_nor_password_nor_code() {
    let scene = Scene::new().await;
    let mailed = scene.asked(Some(Guard::EmailCode));
    let wrong = "kW4-silver-Otter-29";
    let who = SignInAs { password: SecretString::from(wrong), ..mailed.who() };
    let refused = scene.sessions.begin(&who).await.unwrap_err();
    let begun = scene.sessions.begin(&mailed.who()).await.unwrap();
    let code = SecretString::from("ZZ9-ZZ");
    let no_code = scene.sessions.give_code(&begun.attempt, Guard::EmailCode, &code).await.unwrap_err();
    let mut secrets = fixed(&scene);
    secrets.extend([wrong, "ZZ9-ZZ"]);
    assert_shows_none(&format!("{refused} {refused:?} {no_code} {no_code:?}"), &secrets);
    assert_shows_none(&recorded(&scene.facades), &secrets);
}

#[tokio::test]
async fn nothing_that_is_shown_for_debugging_has_a_secret() {
    let reads = Reads::new().await;
    let scene = &reads.traders.scene;
    let mailed = scene.asked(Some(Guard::EmailCode));
    let begun = scene.sessions.begin(&mailed.who()).await.unwrap();
    let code = scene.code(Guard::EmailCode);
    scene.sessions.give_code(&begun.attempt, Guard::EmailCode, &code).await.unwrap();
    let tokens = scene.sessions.poll(&begun.attempt).await.unwrap().unwrap();
    let renewed = scene.sessions.renew(&tokens, true).await.unwrap();
    let shown = format!(
        "{:?} {:?} {:?} {begun:?} {tokens:?} {renewed:?}",
        scene.services, scene.sessions, reads.traders.platform
    );
    let mut secrets = fixed(scene);
    secrets.extend([code.expose_secret(), begun.attempt.0.as_str()]);
    for tokens in [&tokens, &renewed] {
        secrets.extend([tokens.access.expose_secret(), tokens.refresh.expose_secret()]);
    }
    assert_shows_none(&shown, &secrets);
    assert_shows_none(&recorded(&scene.facades), &secrets);
}

#[tokio::test]
async fn a_token_is_in_the_query_of_reads_of_the_api_alone() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        reads.read(read).await.unwrap();
    }
    let tokens = reads.traders.scene.sign_in(&reads.traders.scene.accounts[1]).await;
    reads.traders.scene.sessions.renew(&tokens, true).await.unwrap();
    let of_sessions: Vec<&str> = SessionCall::ALL.into_iter().map(SessionCall::route).collect();
    for entry in reads.traders.scene.facades.fakes.ledger() {
        let has_token = entry.query.contains(WITH_TOKEN);
        let needs_none = [Read::Time, Read::ApiKeyPage, Read::OfferPage, Read::Confirmations]
            .map(Read::route)
            .contains(&entry.route.as_str());
        let is_of_session = of_sessions.contains(&entry.route.as_str());
        assert_eq!(has_token, !needs_none && !is_of_session, "{} {}", entry.route, entry.query);
        if is_of_session && entry.route != SessionCall::Key.route() {
            assert_eq!(entry.query, "", "{}", entry.route);
        }
    }
}
