//! The first start: the link by which the owner of a new installation chooses a password.

use std::sync::Arc;

use secrecy::SecretString;
use time::Duration;
use tradepost_operations::accounts::{Bootstrap, ResetPassword, SignInAnswer};
use tradepost_operations::{Caller, Code, OpResult, Operations};
use tradepost_testkit::fakes::FakePorts;
use tradepost_testkit::samples::text;

use crate::harness::{PASSWORD, address, refusal, sign_in};

const OWNER: &str = "owner@example.com";
const CHOSEN: &str = "nine quiet herons cross the marsh";
const INVALID: (Code, &str) = (Code::FailedPrecondition, "TOKEN_INVALID");

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

    async fn sign_in(&self, password: &str) -> OpResult<SignInAnswer> {
        self.operations.sign_in(&Caller::anonymous(None), sign_in(OWNER, password)).await
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
async fn an_installation_with_a_chosen_password_has_no_link() {
    assert!(Fresh::new().started(false).await.is_none());
}
