//! What adds a way to sign in adds it once, however many finish it at the same moment.

use secrecy::ExposeSecret as _;
use tradepost::auth::Rfc6238;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::accounts::step_up::Method;
use tradepost_operations::Caller;
use tradepost_operations::accounts::{
    BeginLink, BeginPasskeyRegistration, CompleteStepUp, ConfirmTotpEnrollment, FinishLink, FinishPasskeyRegistration,
    SignIn, SignInAnswer,
};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FakeLinking;

use super::single_use::{exactly_one_succeeds, in_rounds};
use crate::harness::{Authenticator, ORIGIN, PASSWORD, World, registered};

in_rounds! {
    async fn of_sixty_four_who_confirm_an_authenticator_app_one_gets_recovery_codes(database, rounds) {
        let world = World::new(database).await;
        let operations = world.app.operations();
        for round in 0..rounds {
            let newcomer = newcomer(&world, round).await;
            let begun = operations.begin_totp_enrollment(&newcomer).await.unwrap();
            let code = Rfc6238::code(begun.secret.expose_secret(), world.clock.now()).unwrap();
            let one_does = exactly_one_succeeds(|_| {
                let command = ConfirmTotpEnrollment { enrollment_id: begun.enrollment_id, code: code.clone() };
                async { operations.confirm_totp_enrollment(&newcomer, command).await.map(drop) }
            });
            one_does.await;
        }
    }

    async fn of_sixty_four_who_register_a_passkey_one_does(database, rounds) {
        let world = World::new(database).await;
        let operations = world.app.operations();
        for round in 0..rounds {
            let newcomer = newcomer(&world, round).await;
            let named = BeginPasskeyRegistration { name: "laptop".to_owned() };
            let options = operations.begin_passkey_registration(&newcomer, named).await.unwrap();
            let credential = Authenticator::default().register(ORIGIN, &options);
            let one_does = exactly_one_succeeds(|_| {
                let command = FinishPasskeyRegistration { credential: credential.clone() };
                async { operations.finish_passkey_registration(&newcomer, command).await.map(drop) }
            });
            one_does.await;
            assert_eq!(operations.list_passkeys(&again(&newcomer)).await.unwrap().len(), 1);
        }
    }

    async fn of_sixty_four_who_link_an_identity_with_one_answer_one_does(database, rounds) {
        let world = World::new(database).await;
        let operations = world.app.operations();
        for round in 0..rounds {
            let newcomer = newcomer(&world, round).await;
            let question = BeginLink { provider: Provider::Discord, redirect_uri: FakeLinking::REDIRECT.to_owned() };
            let begun = operations.begin_account_link(&newcomer, question).await.unwrap();
            let answer = FinishLink {
                link_id: begun.link_id,
                state: FakeLinking::state_of(&begun.authorization_url),
                code: FakeLinking::code_of(&format!("identity {round}")),
                issuer: String::new(),
                open_id_params: String::new(),
            };
            let one_does = exactly_one_succeeds(|_| async {
                operations.finish_account_link(&newcomer, answer.clone()).await.map(drop)
            });
            one_does.await;
            assert_eq!(operations.list_linked_accounts(&again(&newcomer)).await.unwrap().len(), 1);
        }
    }
}

/// A new user who has just signed in and stepped up.
async fn newcomer(world: &World, round: usize) -> Caller {
    let (operations, email) = (world.app.operations(), format!("newcomer-{round}@example.com"));
    registered(operations, &email).await;
    let command = SignIn {
        email: email.clone(),
        password: PASSWORD.into(),
        bot_check_token: None,
        device_token: None,
        user_agent: None,
    };
    let SignInAnswer::Open(signed_in) = operations.sign_in(&Caller::anonymous(None), command).await.unwrap() else {
        panic!("a second factor is asked for")
    };
    let caller = operations.authenticate(signed_in.session_token.expose_secret(), None).await.unwrap();
    let challenge_id = operations.begin_step_up(&caller).await.unwrap().challenge_id;
    let code = world.mailbox.code(&email).into();
    let command = CompleteStepUp { challenge_id, method: Method::Email, code, credential: String::new() };
    let stepped_up = operations.complete_step_up(&caller, command).await.unwrap();
    operations.authenticate(stepped_up.session_token.unwrap().expose_secret(), None).await.unwrap()
}

/// The caller after what was seen of them has changed.
fn again(caller: &Caller) -> Caller {
    Caller { guards: Vec::new(), ..caller.clone() }
}
