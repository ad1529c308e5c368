//! The first start: the link by which the owner of a new installation chooses a password.

use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_operations::accounts::{Bootstrap, RequestPasswordReset, ResetPassword, SignInAnswer};
use tradepost_operations::{Caller, Code, OpResult, Operations};
use tradepost_testkit::fakes::{FakeBotCheck, FakePorts};
use tradepost_testkit::samples::text;

use crate::harness::{PASSWORD, address, refusal, sign_in};

const OWNER: &str = "owner@example.com";
const CHOSEN: &str = "nine quiet herons cross the marsh";
const INVALID: (Code, &str) = (Code::FailedPrecondition, "TOKEN_INVALID");
const STEP_UP_REQUIRED: (Code, &str) = (Code::FailedPrecondition, "STEP_UP_REQUIRED");

/// A new installation.
struct Fresh {
    fakes: FakePorts,
    operations: Arc<Operations>,
}

impl Fresh {
    fn new() -> Self {
        let fakes = FakePorts::default();
        let operations = Arc::new(Operations::new(fakes.ports(), "https://trade.example.com"));
        Self { fakes, operations }
    }

    /// The token of the link, if one was wanted.
    async fn started(&self, setup_link: bool) -> Option<SecretString> {
        let first = Bootstrap {
            email: address(OWNER),
            display_name: text("Owner"),
            password: PASSWORD.into(),
            workspace: text("Desk"),
            key_name: text("First key"),
            key: None,
            setup_link,
        };
        self.operations.bootstrap(&Caller::system(), first).await.unwrap().unwrap().setup_token
    }

    async fn choose(&self, token: &SecretString) -> OpResult<()> {
        let command = ResetPassword { token: token.clone(), new_password: CHOSEN.into(), code: None };
        self.operations.reset_password(&Caller::anonymous(None), command).await
    }

    /// The first start, whose link the owner has used to choose a password.
    async fn set_up(&self) {
        let token = self.started(true).await.unwrap();
        self.choose(&token).await.unwrap();
    }

    async fn sign_in(&self, password: &str) -> OpResult<SignInAnswer> {
        self.operations.sign_in(&Caller::anonymous(None), sign_in(OWNER, password)).await
    }

    /// The owner, signed in with this password.
    async fn owner(&self, password: &str) -> Caller {
        let SignInAnswer::Open(signed_in) = self.sign_in(password).await.unwrap() else { panic!("asked for a factor") };
        self.operations.authenticate(signed_in.session_token.expose_secret(), None).await.unwrap()
    }
}

#[tokio::test]
async fn the_link_of_the_first_start_sets_the_owners_password_once() {
    let fresh = Fresh::new();
    let token = fresh.started(true).await.unwrap();
    fresh.fakes.clock.advance(Duration::minutes(29));
    fresh.choose(&token).await.unwrap();
    assert_eq!(refusal(fresh.choose(&token).await), INVALID);
    assert_eq!(refusal(fresh.sign_in(PASSWORD).await), (Code::Unauthenticated, "WRONG_CREDENTIALS"));
    fresh.sign_in(CHOSEN).await.unwrap();
}

#[tokio::test]
async fn the_link_of_the_first_start_is_void_after_30_minutes() {
    let fresh = Fresh::new();
    let token = fresh.started(true).await.unwrap();
    fresh.fakes.clock.advance(Duration::minutes(30));
    assert_eq!(refusal(fresh.choose(&token).await), INVALID);
}

#[tokio::test]
async fn the_link_of_the_first_start_is_void_once_the_owner_has_signed_in() {
    let fresh = Fresh::new();
    let token = fresh.started(true).await.unwrap();
    fresh.sign_in(PASSWORD).await.unwrap();
    assert_eq!(refusal(fresh.choose(&token).await), INVALID);
    fresh.sign_in(PASSWORD).await.unwrap();
}

#[tokio::test]
async fn the_owner_of_a_first_start_adds_an_authenticator_app_without_a_mailbox() {
    let fresh = Fresh::new();
    fresh.set_up().await;
    let owner = fresh.owner(CHOSEN).await;
    fresh.operations.begin_totp_enrollment(&owner).await.unwrap();
}

#[tokio::test]
async fn the_owner_of_a_first_start_needs_a_sign_in_within_ten_minutes_to_add_an_authenticator_app() {
    let fresh = Fresh::new();
    fresh.set_up().await;
    let owner = fresh.owner(CHOSEN).await;
    fresh.fakes.clock.advance(Duration::minutes(10));
    let late = fresh.operations.begin_totp_enrollment(&owner).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "REAUTH_REQUIRED"));
}

#[tokio::test]
async fn half_an_hour_after_the_first_start_an_authenticator_app_takes_a_mailed_code() {
    let fresh = Fresh::new();
    fresh.set_up().await;
    fresh.fakes.clock.advance(Duration::minutes(30));
    let owner = fresh.owner(CHOSEN).await;
    assert_eq!(refusal(fresh.operations.begin_totp_enrollment(&owner).await), STEP_UP_REQUIRED);
}

#[tokio::test]
async fn a_link_for_a_forgotten_password_ends_what_the_first_start_allows() {
    let fresh = Fresh::new();
    fresh.set_up().await;
    fresh.fakes.clock.advance(Duration::minutes(1));
    let forgotten = RequestPasswordReset { email: OWNER.to_owned(), bot_check_token: FakeBotCheck::HUMAN.into() };
    fresh.operations.request_password_reset(&Caller::anonymous(None), forgotten).await.unwrap();
    let owner = fresh.owner(CHOSEN).await;
    assert_eq!(refusal(fresh.operations.begin_totp_enrollment(&owner).await), STEP_UP_REQUIRED);
}

#[tokio::test]
async fn an_authenticator_app_takes_a_mailed_code_where_the_operator_has_chosen_the_password() {
    let fresh = Fresh::new();
    fresh.started(false).await;
    let owner = fresh.owner(PASSWORD).await;
    assert_eq!(refusal(fresh.operations.begin_totp_enrollment(&owner).await), STEP_UP_REQUIRED);
}

#[tokio::test]
async fn an_installation_with_a_chosen_password_has_no_link() {
    assert!(Fresh::new().started(false).await.is_none());
}
