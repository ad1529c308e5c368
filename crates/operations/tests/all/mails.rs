//! Mails: written with the change that they report, handed over later, tried again, and abandoned.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tradepost_ports::store::Records;

use async_trait::async_trait;
use secrecy::ExposeSecret as _;
use time::Duration;
use tradepost_domain::accounts::mail::OutgoingMail;
use tradepost_domain::time::Timestamp;
use tradepost_operations::Caller;
use tradepost_operations::accounts::RequestPasswordReset;
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::mailer::{Mail, MailError, Mailer};
use tradepost_ports::store::Store as _;
use tradepost_testkit::fakes::FakeBotCheck;

use crate::harness::{Fate, World, address};

const ADA: &str = "ada@example.com";

/// Rejects every mail permanently.
#[derive(Debug, Default)]
struct RejectingMailer {
    attempts: AtomicU32,
}

#[async_trait]
impl Mailer for RejectingMailer {
    async fn send(&self, _: Mail) -> Result<(), MailError> {
        self.attempts.fetch_add(1, Ordering::SeqCst);
        Err(MailError { reason: "no such mailbox".to_owned(), is_transient: false })
    }
}

async fn forget_password(world: &World, email: &str) {
    let command = RequestPasswordReset { email: email.to_owned(), bot_check_token: FakeBotCheck::HUMAN.into() };
    world.operations.request_password_reset(&Caller::anonymous(None), command).await.unwrap();
}

/// The mails that are still to be handed over, whenever they are due.
async fn waiting(world: &World) -> Vec<OutgoingMail> {
    let waiting = world.store.outbox().list_due(Timestamp::MAX, 100).await.unwrap();
    waiting.into_iter().map(|mail| mail.into_display().0).collect()
}

#[tokio::test]
async fn a_mail_server_that_is_out_costs_a_caller_nothing_and_the_mail_goes_out_later() {
    let world = World::new().await;
    world.mailer.refuse(true);
    forget_password(&world, world.owner.as_str()).await;
    assert!(world.mailer.last_to(&world.owner).is_none());
    world.mailer.refuse(false);
    assert!(world.mailer.last_to(&world.owner).is_none(), "it is not due again yet");
    world.advance(Duration::minutes(1));
    assert_eq!(world.mailer.last_to(&world.owner).unwrap().subject, "Set a new password");
}

#[tokio::test]
async fn a_mail_leaves_the_outbox_once_it_was_taken() {
    let world = World::new().await;
    forget_password(&world, ADA).await;
    assert_eq!(waiting(&world).await.len(), 1);
    assert_eq!(world.mailer.sent().len(), 1);
    assert!(waiting(&world).await.is_empty());
}

#[tokio::test]
async fn a_mail_is_abandoned_after_eight_tries() {
    let world = World::new().await;
    world.mailer.refuse(true);
    forget_password(&world, ADA).await;
    let mut tries = 0;
    while let Some(mail) = waiting(&world).await.pop() {
        world.clock.set(mail.due_at);
        world.mailer.hand_over();
        tries += 1;
    }
    assert_eq!(tries, 8);
}

#[tokio::test]
async fn a_permanently_rejected_mail_is_abandoned_at_once() {
    let mailer = Arc::new(RejectingMailer::default());
    let world = World::with(|ports| ports.mailer = mailer.clone()).await;
    forget_password(&world, ADA).await;
    world.mailer.hand_over();
    assert!(waiting(&world).await.is_empty());
    assert_eq!(mailer.attempts.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_mail_whose_process_ended_half_way_is_handed_over_by_another() {
    let world = World::new().await;
    forget_password(&world, ADA).await;
    let mail = world.store.outbox().list_due(Timestamp::MAX, 1).await.unwrap().pop().unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes.revise(mail, |mail| mail.claim(world.clock.now())).unwrap();
    world.store.commit(changes).await.unwrap();
    assert!(world.mailer.sent().is_empty(), "it is the other one's for a while");
    world.advance(Duration::minutes(1));
    assert!(world.mailer.last_to(&address(ADA)).is_some());
}

#[tokio::test]
async fn what_a_waiting_mail_says_is_sealed() {
    let world = World::new().await;
    forget_password(&world, world.owner.as_str()).await;
    let sealed = waiting(&world).await.pop().unwrap().sealed;
    let token = world.mailed_token(&world.owner);
    let token = token.expose_secret().as_bytes();
    assert!(!sealed.windows(token.len()).any(|window| window == token));
}

#[tokio::test]
async fn a_mail_of_a_known_address_and_one_of_an_unknown_address_wait_alike() {
    let world = World::new().await;
    for email in [world.owner.as_str(), ADA] {
        forget_password(&world, email).await;
    }
    let [known, unknown] = waiting(&world).await.try_into().unwrap();
    assert_eq!((known.tries, known.due_at), (unknown.tries, unknown.due_at));
}

#[tokio::test]
async fn a_mail_that_cannot_be_claimed_keeps_no_other_and_is_an_error_once_nothing_else_waits() {
    let world = World::new().await;
    forget_password(&world, ADA).await;
    forget_password(&world, world.owner.as_str()).await;
    // The claims of both, the end of the second; then the claim of the first.
    let process = world.scripted([Fate::broken(), Fate::Made, Fate::Made, Fate::broken()]);
    assert!(process.operations.hand_over_mails().await.unwrap());
    assert_eq!(waiting(&world).await.len(), 1);
    process.operations.hand_over_mails().await.unwrap_err();
    assert!(process.operations.hand_over_mails().await.unwrap());
    assert!(waiting(&world).await.is_empty());
}
