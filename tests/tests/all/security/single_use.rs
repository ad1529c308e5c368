//! What works once works once, however many try at the same moment.

use futures::future::join_all;
use secrecy::SecretString;
use tradepost_domain::accounts::policy::Role;
use tradepost_operations::accounts::{
    AcceptMembership, ChangeEmail, ConfirmAddress, FollowEmailLink, InviteMember, LeaveWorkspace, RequestPasswordReset,
    ResetPassword, SignUp,
};
use tradepost_operations::{Caller, OpResult};

use crate::harness::{MEMBER, PASSWORD, World, registered};

const TRIES: usize = 64;

/// Makes three tests of each promise: of 20 rounds on PostgreSQL, and of 100 on either database for `cargo xtask nightly`.
macro_rules! in_rounds {
    ($(async fn $promise:ident($database:ident, $rounds:ident) $body:block)*) => {$(
        mod $promise {
            use super::*;

            async fn promise($database: crate::harness::Database, $rounds: usize) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_postgresql() {
                promise(crate::harness::Database::Postgres, 20).await;
            }

            mod long {
                use super::*;

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_postgresql() {
                    promise(crate::harness::Database::Postgres, 100).await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_sqlite() {
                    promise(crate::harness::Database::Sqlite, 100).await;
                }
            }
        }
    )*};
}
pub(super) use in_rounds;

in_rounds! {
    async fn of_sixty_four_who_follow_a_reset_link_one_sets_the_password(database, rounds) {
        let world = World::new(database).await;
        for round in 0..rounds {
            let request = RequestPasswordReset { email: MEMBER.to_owned(), bot_check_token: development() };
            world.app.operations().request_password_reset(&stranger(), request).await.unwrap();
            let token = world.mailbox.token(MEMBER, "reset");
            let new_password = || format!("nine quiet herons cross the marsh {round}").into();
            let one_does = exactly_one_succeeds(|_| {
                let command = ResetPassword { token: token.as_str().into(), new_password: new_password(), code: None };
                async { world.app.operations().reset_password(&stranger(), command).await.map(drop) }
            });
            one_does.await;
        }
    }

    async fn of_sixty_four_who_follow_the_link_of_a_sign_up_one_opens_the_account(database, rounds) {
        let world = World::new(database).await;
        for round in 0..rounds {
            let email = format!("newcomer-{round}@example.com");
            let command = SignUp {
                email: email.clone(),
                password: PASSWORD.into(),
                display_name: "Newcomer".to_owned(),
                bot_check_token: development(),
            };
            world.app.operations().sign_up(&stranger(), command).await.unwrap();
            let token = world.mailbox.token(&email, "verify");
            let one_does = exactly_one_succeeds(|_| {
                let command = ConfirmAddress { token: token.as_str().into(), password: PASSWORD.into() };
                async { world.app.operations().verify_email(&stranger(), command).await }
            });
            one_does.await;
        }
    }

    async fn of_sixty_four_who_confirm_or_take_back_a_change_of_address_one_does(database, rounds) {
        let world = World::new(database).await;
        let operations = world.app.operations();
        for round in 0..rounds {
            let email = format!("mover-{round}@example.com");
            let mover = Caller::person(registered(operations, &email).await);
            let change = ChangeEmail { new_email: format!("moved-{round}@example.com"), password: PASSWORD.into() };
            operations.change_email(&mover, change).await.unwrap();
            let confirm = world.mailbox.token(&format!("moved-{round}@example.com"), "confirm");
            let one_does = exactly_one_succeeds(|_| {
                let command = ConfirmAddress { token: confirm.as_str().into(), password: PASSWORD.into() };
                async { operations.confirm_email_change(&stranger(), command).await }
            });
            one_does.await;
            let revert = world.mailbox.token(&email, "revert");
            let one_does = exactly_one_succeeds(|_| {
                let command = FollowEmailLink { token: revert.as_str().into() };
                async { operations.revert_email_change(&stranger(), command).await }
            });
            one_does.await;
        }
    }

    async fn of_sixty_four_who_accept_an_invitation_one_does(database, rounds) {
        let world = World::new(database).await;
        let (operations, workspace_id) = (world.app.operations(), world.people.other_workspace_id);
        for round in 0..rounds {
            let email = format!("guest-{round}@example.com");
            let guest = Caller::person(registered(operations, &email).await);
            let invite = InviteMember { workspace_id, email, role: Role::Member, policies: Vec::new() };
            let membership_id = operations.invite_member(&Caller::system(), invite).await.unwrap().id;
            let one_does = exactly_one_succeeds(|_| async {
                operations.accept_membership(&guest, AcceptMembership { membership_id }).await.map(drop)
            });
            one_does.await;
            operations.leave_workspace(&guest, LeaveWorkspace { workspace_id }).await.unwrap();
        }
    }
}

/// Tries all at once.
pub(super) async fn exactly_one_succeeds<F: Future<Output = OpResult<()>>>(attempt: impl Fn(usize) -> F) {
    let outcomes = join_all((0..TRIES).map(attempt)).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
}

fn stranger() -> Caller {
    Caller::anonymous(None)
}

fn development() -> SecretString {
    "development".into()
}
