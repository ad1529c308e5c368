//! Signing up: the link, the account, and what strangers learn about addresses.

use std::sync::Arc;

use secrecy::SecretString;
use tradepost_operations::accounts::{ConfirmAddress, ResendEmailVerification, SignIn, SignUp};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::limiter::RateClass;
use tradepost_testkit::fakes::{FakeBotCheck, FakePasswords, ScriptedLimiter};

use crate::harness::{PASSWORD, World, address, refusal, sign_in};

const ADA: &str = "ada@example.com";

fn stranger() -> Caller {
    Caller::anonymous(Some([192, 0, 2, 7].into()))
}

fn asked_by(email: &str, password: &str) -> SignUp {
    SignUp {
        email: email.to_owned(),
        password: password.into(),
        display_name: "Ada".to_owned(),
        bot_check_token: FakeBotCheck::HUMAN.into(),
    }
}

async fn sign_up(world: &World, email: &str) -> OpResult<()> {
    world.operations.sign_up(&stranger(), asked_by(email, PASSWORD)).await
}

fn confirming(token: SecretString, password: &str) -> ConfirmAddress {
    ConfirmAddress { token, password: password.into() }
}

async fn resend(world: &World, email: &str) -> OpResult<()> {
    let command = ResendEmailVerification { email: email.to_owned(), bot_check_token: FakeBotCheck::HUMAN.into() };
    world.operations.resend_email_verification(&stranger(), command).await
}

#[tokio::test]
async fn an_account_opens_once_its_link_is_followed() {
    let world = World::new().await;
    sign_up(&world, ADA).await.unwrap();
    let early = world.operations.sign_in(&stranger(), sign_in(ADA, PASSWORD)).await;
    assert_eq!(refusal(early), (Code::Unauthenticated, "WRONG_CREDENTIALS"));
    let token = world.mailed_token(&address(ADA));
    world.operations.verify_email(&stranger(), confirming(token, PASSWORD)).await.unwrap();
    let caller = world.caller(&world.signed_in(&address(ADA)).await).await;
    let current = world.operations.get_current_user(&caller).await.unwrap();
    let user = current.user.value;
    assert_eq!((user.email, user.display_name.as_str()), (Some(address(ADA)), "Ada"));
}

#[tokio::test]
async fn signing_up_with_a_known_address_answers_the_same_and_notifies_its_holder() {
    let world = World::new().await;
    sign_up(&world, world.owner.as_str()).await.unwrap();
    let mail = world.mailer.last_to(&world.owner).unwrap();
    assert_eq!(mail.subject, "You have an account already");
    assert!(!mail.text.contains('#'), "no link is in it");
}

#[tokio::test]
async fn no_account_opens_for_who_follows_the_link_of_a_stranger() {
    let world = World::new().await;
    world.operations.sign_up(&stranger(), asked_by(ADA, "the password of a stranger")).await.unwrap();
    let mail = world.mailer.last_to(&address(ADA)).unwrap();
    assert!(mail.text.contains("under the name \"Ada\""), "{}", mail.text);
    let token = world.mailed_token(&address(ADA));
    let follow = async |password| world.operations.verify_email(&stranger(), confirming(token.clone(), password)).await;
    assert_eq!(refusal(follow("").await), (Code::InvalidArgument, "INVALID_FIELD"));
    assert_eq!(refusal(follow(PASSWORD).await), (Code::PermissionDenied, "PASSWORD_MISMATCH"));
    let closed = world.operations.sign_in(&stranger(), sign_in(ADA, "the password of a stranger")).await;
    assert_eq!(refusal(closed), (Code::Unauthenticated, "WRONG_CREDENTIALS"));
    follow("the password of a stranger").await.unwrap();
}

#[tokio::test]
async fn a_newer_sign_up_with_the_address_ends_the_links_of_older_ones() {
    let world = World::new().await;
    sign_up(&world, ADA).await.unwrap();
    let first = world.mailed_token(&address(ADA));
    world.advance(time::Duration::seconds(1));
    sign_up(&world, "ADA@example.com").await.unwrap();
    let second = world.mailed_token(&address(ADA));
    let old = world.operations.verify_email(&stranger(), confirming(first.clone(), PASSWORD)).await;
    assert_eq!(refusal(old), (Code::FailedPrecondition, "TOKEN_INVALID"));
    world.operations.verify_email(&stranger(), confirming(second, PASSWORD)).await.unwrap();
    let late = world.operations.verify_email(&stranger(), confirming(first, PASSWORD)).await;
    assert_eq!(refusal(late), (Code::AlreadyExists, "EMAIL_TAKEN"));
}

#[tokio::test]
async fn a_link_that_was_mailed_again_replaces_the_one_before() {
    let world = World::new().await;
    sign_up(&world, ADA).await.unwrap();
    let first = world.mailed_token(&address(ADA));
    resend(&world, "ADA@example.com").await.unwrap();
    let second = world.mailed_token(&address(ADA));
    let old = world.operations.verify_email(&stranger(), confirming(first, PASSWORD)).await;
    assert_eq!(refusal(old), (Code::FailedPrecondition, "TOKEN_INVALID"));
    world.operations.verify_email(&stranger(), confirming(second, PASSWORD)).await.unwrap();
}

#[tokio::test]
async fn asking_for_a_link_in_vain_answers_the_same_and_the_mail_says_why() {
    let world = World::new().await;
    resend(&world, ADA).await.unwrap();
    assert_eq!(world.mailer.last_to(&address(ADA)).unwrap().subject, "There is no account with this address");
    resend(&world, world.owner.as_str()).await.unwrap();
    assert_eq!(world.mailer.last_to(&world.owner).unwrap().subject, "You have an account already");
}

#[tokio::test]
async fn a_script_makes_no_account() {
    let world = World::new().await;
    let command = SignUp {
        email: ADA.to_owned(),
        password: PASSWORD.into(),
        display_name: "Ada".to_owned(),
        bot_check_token: "a script".into(),
    };
    let refused = world.operations.sign_up(&stranger(), command).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "BOT_CHECK_FAILED"));
    assert!(world.mailer.last_to(&address(ADA)).is_none());
}

#[tokio::test]
async fn mails_are_charged_to_the_network_and_to_the_address_before_anything_is_sent() {
    let (network, address) = (vec![192, 0, 2, 7], ADA.as_bytes().to_vec());
    for (class, partition) in
        [(RateClass::SignUp, network.clone()), (RateClass::MailNetwork, network), (RateClass::MailAddress, address)]
    {
        let limiter = Arc::new(ScriptedLimiter::allowing(class, 1));
        let world = World::with(|ports| ports.limiter = limiter.clone()).await;
        sign_up(&world, ADA).await.unwrap();
        let sent = world.mailer.sent().len();
        assert_eq!(refusal(sign_up(&world, ADA).await), (Code::ResourceExhausted, "RATE_LIMITED"));
        assert_eq!(world.mailer.sent().len(), sent);
        assert!(limiter.charges().contains(&(class, partition)), "{class:?}");
    }
}

#[tokio::test]
async fn a_script_uses_up_none_of_the_mails_to_an_address() {
    let limiter = Arc::new(ScriptedLimiter::default());
    let world = World::with(|ports| ports.limiter = limiter.clone()).await;
    let command = ResendEmailVerification { email: ADA.to_owned(), bot_check_token: "a script".into() };
    let refused = world.operations.resend_email_verification(&stranger(), command).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "BOT_CHECK_FAILED"));
    assert!(limiter.charges().iter().all(|(class, _)| *class != RateClass::MailAddress));
}

#[tokio::test]
async fn a_visitor_cannot_sign_up_where_the_operator_makes_accounts() {
    let world = World::closed().await;
    assert_eq!(refusal(sign_up(&world, ADA).await), (Code::FailedPrecondition, "SIGN_UP_CLOSED"));
}

#[tokio::test]
async fn a_busy_server_gives_the_sign_up_back_to_the_network() {
    let limiter = Arc::new(ScriptedLimiter::allowing(RateClass::SignUp, 1));
    let world = World::with(|ports| ports.limiter = limiter.clone()).await;
    let busy = world.operations.sign_up(&stranger(), asked_by(ADA, FakePasswords::BUSY)).await;
    assert_eq!(refusal(busy), (Code::ResourceExhausted, "BUSY"));
    assert_eq!(limiter.refunds(), [(RateClass::SignUp, vec![192, 0, 2, 7])]);
    sign_up(&world, ADA).await.unwrap();
    assert_eq!(limiter.refunds().len(), 1, "what is done is not refunded");
}

#[tokio::test]
async fn a_busy_server_gives_a_try_of_a_password_back() {
    let limiter = Arc::new(ScriptedLimiter::default());
    let world = World::with(|ports| ports.limiter = limiter.clone()).await;
    let command = SignIn { device_token: None, ..sign_in(world.owner.as_str(), FakePasswords::BUSY) };
    let busy = world.operations.sign_in(&stranger(), command).await;
    assert_eq!(refusal(busy), (Code::ResourceExhausted, "BUSY"));
    let classes: Vec<RateClass> = limiter.refunds().into_iter().map(|(class, _)| class).collect();
    assert_eq!(classes, [RateClass::PasswordNetwork, RateClass::Password, RateClass::PasswordAddress]);
}

#[tokio::test]
async fn who_is_refused_anyway_costs_no_estimate() {
    let costly = || asked_by(ADA, FakePasswords::BUSY);
    let closed = World::closed().await.operations.sign_up(&stranger(), costly()).await;
    assert_eq!(refusal(closed), (Code::FailedPrecondition, "SIGN_UP_CLOSED"));
    let limiter = Arc::new(ScriptedLimiter::allowing(RateClass::SignUp, 1));
    let world = World::with(|ports| ports.limiter = limiter).await;
    let script = SignUp { bot_check_token: "a script".into(), ..costly() };
    let refused = world.operations.sign_up(&stranger(), script).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "BOT_CHECK_FAILED"));
    let often = world.operations.sign_up(&stranger(), costly()).await;
    assert_eq!(refusal(often), (Code::ResourceExhausted, "RATE_LIMITED"));
}
