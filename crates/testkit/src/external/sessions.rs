//! Promises of signing in, shown on four accounts, each of which is asked for something else.

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::{Guard, SIGN_IN_LASTS};
use tradepost_domain::trading::trade::PlatformUserId;

use super::{FaultInjection, retry_after};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::sessions::{
    Attempt, PlatformSessions, SessionRefusal, SessionResult, SignIn, SignInAs, Tokens,
};

/// What no platform takes for a code.
const WRONG: &str = "-----";
/// No platform begins so many sign-ins of an account one after another.
const TOO_MANY: usize = 100;

/// A game platform with trading accounts that need a sign-in. One is asked for nothing further, one for a mailed code, one for a code of the
/// authenticator, and one for an approval in the app.
#[async_trait]
pub trait SessionsFixture: FaultInjection {
    /// Returns how they are signed in.
    fn sessions(&self) -> &dyn PlatformSessions;
    /// Returns the account that is asked for this, and what it signs in by.
    fn account(&self, asked: Option<Guard>) -> (PlatformUserId, SignInAs);
    /// Returns the code that answers a guard now.
    async fn code(&self, guard: Guard) -> SecretString;
    /// Approves or denies the sign-in that waits for it.
    async fn decide(&self, approve: bool);
    /// Returns whether calls of an account are answered that have this token.
    async fn answers(&self, user: PlatformUserId, access: &SecretString) -> bool;
    /// Returns the time of the platform.
    async fn now(&self) -> Timestamp;
    /// Lets time pass.
    async fn pass(&self, by: Duration);
    /// Executes the next renewal, and loses its answer.
    async fn lose_next_renewal(&self);
    /// Issues the next tokens, and loses the answer.
    async fn lose_next_tokens(&self);
}

fn refused<T>(reason: SessionRefusal) -> SessionResult<T> {
    Err(ExternalError::Rejected(reason))
}

fn signed_out<T>() -> SessionResult<T> {
    Err(ExternalError::AuthLost { effect: Effect::Nothing })
}

/// Begins to sign the account in that is asked for this.
async fn begun(fixture: &dyn SessionsFixture, asked: Option<Guard>) -> Attempt {
    let (_, who) = fixture.account(asked);
    let SignIn { attempt, asked: shown, .. } = fixture.sessions().begin(&who).await.unwrap();
    assert!(asked.map_or(shown.guards.is_empty(), |guard| shown.guards.contains(&guard)), "{shown:?}");
    attempt
}

async fn issued(fixture: &dyn SessionsFixture, attempt: &Attempt) -> Tokens {
    fixture.sessions().poll(attempt).await.unwrap().unwrap()
}

/// Signs the account in that is asked for nothing further.
async fn signed_in(fixture: &dyn SessionsFixture) -> Tokens {
    let attempt = begun(fixture, None).await;
    issued(fixture, &attempt).await
}

/// Gives the code that answers a guard.
async fn given(fixture: &dyn SessionsFixture, attempt: &Attempt, guard: Guard) -> SessionResult<()> {
    let code = fixture.code(guard).await;
    fixture.sessions().give_code(attempt, guard, &code).await
}

async fn is_signed_in_by_code(fixture: &dyn SessionsFixture, guard: Guard) -> bool {
    let attempt = begun(fixture, Some(guard)).await;
    assert_eq!(fixture.sessions().poll(&attempt).await, Ok(None));
    given(fixture, &attempt, guard).await.unwrap();
    let tokens = issued(fixture, &attempt).await;
    tokens.user == fixture.account(Some(guard)).0 && fixture.answers(tokens.user, &tokens.access).await
}

fn same(one: &SecretString, other: &SecretString) -> bool {
    one.expose_secret() == other.expose_secret()
}

pub async fn an_account_that_is_asked_for_nothing_further_is_signed_in_at_once(fixture: &dyn SessionsFixture) {
    let tokens = signed_in(fixture).await;
    assert_eq!(tokens.user, fixture.account(None).0);
    assert!(fixture.answers(tokens.user, &tokens.access).await);
}

pub async fn a_mailed_code_signs_an_account_in(fixture: &dyn SessionsFixture) {
    assert!(is_signed_in_by_code(fixture, Guard::EmailCode).await);
}

pub async fn a_code_of_the_authenticator_signs_an_account_in(fixture: &dyn SessionsFixture) {
    assert!(is_signed_in_by_code(fixture, Guard::DeviceCode).await);
}

pub async fn another_code_can_be_given_after_a_wrong_one(fixture: &dyn SessionsFixture) {
    for guard in [Guard::EmailCode, Guard::DeviceCode] {
        let attempt = begun(fixture, Some(guard)).await;
        let wrong = fixture.sessions().give_code(&attempt, guard, &SecretString::from(WRONG)).await;
        assert_eq!(wrong, refused(SessionRefusal::WrongCode));
        assert_eq!(fixture.sessions().poll(&attempt).await, Ok(None));
        given(fixture, &attempt, guard).await.unwrap();
        issued(fixture, &attempt).await;
    }
}

pub async fn an_account_is_signed_in_once_its_owner_approves(fixture: &dyn SessionsFixture) {
    let attempt = begun(fixture, Some(Guard::DeviceApproval)).await;
    assert_eq!(fixture.sessions().poll(&attempt).await, Ok(None));
    fixture.decide(true).await;
    let tokens = issued(fixture, &attempt).await;
    assert!(fixture.answers(tokens.user, &tokens.access).await);
}

pub async fn a_denied_sign_in_issues_no_tokens(fixture: &dyn SessionsFixture) {
    let attempt = begun(fixture, Some(Guard::DeviceApproval)).await;
    fixture.decide(false).await;
    assert_eq!(fixture.sessions().poll(&attempt).await, refused(SessionRefusal::ApprovalDenied));
}

pub async fn a_wrong_password_and_an_unknown_login_name_are_refused_alike(fixture: &dyn SessionsFixture) {
    let (_, who) = fixture.account(None);
    let wrong = SignInAs { password: SecretString::from("wrong"), ..who.clone() };
    let unknown = SignInAs { login_name: SecretString::from("unknown"), ..who };
    for who in [wrong, unknown] {
        assert_eq!(fixture.sessions().begin(&who).await, refused(SessionRefusal::WrongPassword));
    }
}

pub async fn tokens_are_issued_once(fixture: &dyn SessionsFixture) {
    let attempt = begun(fixture, None).await;
    let tokens = issued(fixture, &attempt).await;
    assert_eq!(fixture.sessions().poll(&attempt).await, refused(SessionRefusal::Expired));
    assert!(fixture.answers(tokens.user, &tokens.access).await);
}

pub async fn tokens_whose_answer_was_lost_are_not_issued_again(fixture: &dyn SessionsFixture) {
    let attempt = begun(fixture, None).await;
    fixture.lose_next_tokens().await;
    let lost = fixture.sessions().poll(&attempt).await;
    assert!(matches!(lost, Err(ExternalError::Unknown(_))), "{lost:?}");
    assert_eq!(fixture.sessions().poll(&attempt).await, refused(SessionRefusal::Expired));
    signed_in(fixture).await;
}

pub async fn a_sign_in_that_takes_too_long_is_forgotten(fixture: &dyn SessionsFixture) {
    let attempt = begun(fixture, Some(Guard::EmailCode)).await;
    fixture.pass(SIGN_IN_LASTS).await;
    assert_eq!(given(fixture, &attempt, Guard::EmailCode).await, refused(SessionRefusal::Expired));
    assert_eq!(fixture.sessions().poll(&attempt).await, refused(SessionRefusal::Expired));
}

pub async fn an_access_token_is_accepted_until_it_expires(fixture: &dyn SessionsFixture) {
    let tokens = signed_in(fixture).await;
    let left = tokens.expiry.access.since(fixture.now().await);
    assert!(left.is_positive() && tokens.expiry.access < tokens.expiry.refresh, "{:?}", tokens.expiry);
    fixture.pass(left - Duration::minutes(1)).await;
    assert!(fixture.answers(tokens.user, &tokens.access).await);
    fixture.pass(Duration::minutes(1)).await;
    assert!(!fixture.answers(tokens.user, &tokens.access).await);
}

pub async fn a_renewal_issues_an_access_token_and_keeps_the_refresh_token(fixture: &dyn SessionsFixture) {
    let tokens = signed_in(fixture).await;
    fixture.pass(tokens.expiry.access.since(fixture.now().await)).await;
    let renewed = fixture.sessions().renew(&tokens, false).await.unwrap();
    assert!(same(&renewed.refresh, &tokens.refresh) && !same(&renewed.access, &tokens.access));
    assert_eq!((renewed.user, renewed.expiry.refresh), (tokens.user, tokens.expiry.refresh));
    assert!(renewed.expiry.access > tokens.expiry.access);
    assert!(fixture.answers(renewed.user, &renewed.access).await);
    assert!(fixture.sessions().renew(&tokens, false).await.is_ok(), "the refresh token is the same");
}

pub async fn a_renewed_refresh_token_replaces_the_former_one(fixture: &dyn SessionsFixture) {
    let tokens = signed_in(fixture).await;
    fixture.pass(Duration::hours(1)).await;
    let renewed = fixture.sessions().renew(&tokens, true).await.unwrap();
    assert!(!same(&renewed.refresh, &tokens.refresh) && renewed.expiry.refresh > tokens.expiry.refresh);
    assert_eq!(fixture.sessions().renew(&tokens, false).await, signed_out());
    assert!(fixture.answers(renewed.user, &renewed.access).await);
    assert!(fixture.sessions().renew(&renewed, false).await.is_ok());
}

pub async fn a_renewal_whose_answer_was_lost_has_replaced_the_refresh_token(fixture: &dyn SessionsFixture) {
    let tokens = signed_in(fixture).await;
    fixture.lose_next_renewal().await;
    let lost = fixture.sessions().renew(&tokens, true).await;
    assert!(matches!(lost, Err(ExternalError::Unknown(_))), "{lost:?}");
    assert_eq!(fixture.sessions().renew(&tokens, true).await, signed_out());
}

pub async fn revoked_tokens_are_no_longer_accepted(fixture: &dyn SessionsFixture) {
    let tokens = signed_in(fixture).await;
    fixture.sessions().revoke(&tokens).await.unwrap();
    assert!(!fixture.answers(tokens.user, &tokens.access).await);
    assert_eq!(fixture.sessions().renew(&tokens, false).await, signed_out());
}

pub async fn a_repeated_revocation_leaves_a_later_session_as_it_is(fixture: &dyn SessionsFixture) {
    let tokens = signed_in(fixture).await;
    fixture.sessions().revoke(&tokens).await.unwrap();
    let later = signed_in(fixture).await;
    assert_eq!(fixture.sessions().revoke(&tokens).await, signed_out());
    assert!(fixture.answers(later.user, &later.access).await);
}

pub async fn a_token_is_accepted_for_its_own_account_alone(fixture: &dyn SessionsFixture) {
    let tokens = signed_in(fixture).await;
    let (other, _) = fixture.account(Some(Guard::EmailCode));
    assert!(!fixture.answers(other, &tokens.access).await);
}

pub async fn an_account_that_signs_in_too_often_is_limited_for_a_while(fixture: &dyn SessionsFixture) {
    let (_, who) = fixture.account(None);
    let mut answer = fixture.sessions().begin(&who).await;
    for _ in 0..TOO_MANY {
        if answer.is_err() {
            break;
        }
        answer = fixture.sessions().begin(&who).await;
    }
    assert!(answer.as_ref().is_err_and(ExternalError::did_nothing), "{answer:?}");
    fixture.pass(retry_after(answer).try_into().unwrap()).await;
    fixture.sessions().begin(&who).await.unwrap();
}

pub async fn a_call_too_many_does_nothing_and_says_when_to_come_back(fixture: &dyn SessionsFixture) {
    let tokens = signed_in(fixture).await;
    fixture.limit_rate().await;
    let (_, who) = fixture.account(None);
    assert!(!retry_after(fixture.sessions().begin(&who).await).is_zero());
    assert!(!retry_after(fixture.sessions().renew(&tokens, true).await).is_zero());
    assert!(!retry_after(fixture.sessions().revoke(&tokens).await).is_zero());
}

pub async fn a_lost_session_is_reported(fixture: &dyn SessionsFixture) {
    let tokens = signed_in(fixture).await;
    fixture.lose_session().await;
    assert_eq!(fixture.sessions().renew(&tokens, false).await, signed_out());
    assert!(!fixture.answers(tokens.user, &tokens.access).await);
}
