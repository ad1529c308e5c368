//! Codes with which people sign in to trading accounts.

use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::id::AccountId;
use tradepost_operations::trading::{AccountSecrets, CreateAccount, GetAccountLoginCode, RemoveAccount};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::limiter::RateClass;
use tradepost_ports::totp::{LoginCode, TotpCodes as _};
use tradepost_testkit::fakes::{FakeTotp, ScriptedLimiter};

use super::{Staff, refusal};
use crate::harness::World;

const SHARED_SECRET: &str = "zvIayp3JPvtvX/QGHqsqKBk/44s=";

impl Staff {
    async fn with_shared_secret(&self, secret: &str) -> AccountId {
        let secrets = AccountSecrets { shared_secret: Some(secret.into()), ..AccountSecrets::default() };
        let command = CreateAccount { secrets, ..self.registration(1) };
        self.world.operations.create_account(&Caller::system(), command).await.unwrap().value.id
    }

    async fn login_code(&self, caller: &Caller, account_id: AccountId) -> OpResult<LoginCode> {
        let command = GetAccountLoginCode { workspace_id: self.world.workspace_id, account_id };
        self.world.operations.get_account_login_code(caller, command).await
    }
}

#[tokio::test]
async fn a_person_gets_the_code_that_the_authenticator_of_the_account_shows_now() {
    let staff = Staff::open().await;
    let account = staff.with_shared_secret(SHARED_SECRET).await;
    staff.world.step_up(&staff.keeper).await;
    let login = staff.login_code(&staff.keeper, account).await.unwrap();
    let shown = FakeTotp::default().login_code(&SecretString::from(SHARED_SECRET), staff.world.clock.now()).unwrap();
    assert_eq!(login.code.expose_secret(), shown.code.expose_secret());
    assert_eq!(login.valid_until, shown.valid_until);
}

#[tokio::test]
async fn codes_are_charged_to_their_account_for_every_caller() {
    let limiter = Arc::new(ScriptedLimiter::allowing(RateClass::LoginCode, 1));
    let staff = Staff::in_world(World::with(|ports| ports.limiter = Arc::clone(&limiter) as _).await).await;
    let account = staff.with_shared_secret(SHARED_SECRET).await;
    staff.login_code(&Caller::system(), account).await.unwrap();
    staff.world.step_up(&staff.keeper).await;
    let second = refusal(staff.login_code(&staff.keeper, account)).await;
    assert_eq!(second, (Code::ResourceExhausted, "RATE_LIMITED"));
    assert!(limiter.charges().contains(&(RateClass::LoginCode, account.to_bytes().to_vec())));
}

#[tokio::test]
async fn an_account_without_a_shared_secret_makes_no_code() {
    let staff = Staff::open().await;
    let (password_only, nonsense) = (staff.register(2).await.id, staff.with_shared_secret("nonsense").await);
    for account in [password_only, nonsense] {
        let refused = refusal(staff.login_code(&Caller::system(), account)).await;
        assert_eq!(refused, (Code::FailedPrecondition, "ACCOUNT_WITHOUT_AUTHENTICATOR"));
    }
}

#[tokio::test]
async fn a_removed_account_makes_no_code() {
    let staff = Staff::open().await;
    let account_id = staff.with_shared_secret(SHARED_SECRET).await;
    let remove = RemoveAccount { workspace_id: staff.world.workspace_id, account_id, expected_version: None };
    staff.world.operations.remove_account(&Caller::system(), remove).await.unwrap();
    let refused = refusal(staff.login_code(&Caller::system(), account_id)).await;
    assert_eq!(refused, (Code::FailedPrecondition, "ACCOUNT_REMOVED"));
}
