//! A proof of a user's identity works once, however many callers show it at the same moment. Each round is on a day of its own:
//! each loser has shown a wrong code, of which there are only so many a day.

use secrecy::SecretString;
use serde_json::json;
use tradepost_domain::accounts::guesses::DAY;
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::id::ChallengeId;
use tradepost_operations::Caller;
use tradepost_operations::accounts::{CompleteSignIn, CompleteStepUp, FinishPasskeySignIn};

use super::single_use::{exactly_one_succeeds, in_rounds};
use crate::harness::{Key, MEMBER, ORIGIN, World};

/// Challenges that can be answered at a time: what works once works on one of them.
const CHALLENGES: usize = 3;
const RECOVERY_CODES: usize = 10;

in_rounds! {
    async fn of_sixty_four_who_answer_with_a_mailed_code_one_steps_up(database, rounds) {
        let world = World::new(database).await;
        let caller = caller(&world, Key::Member).await;
        for _ in 0..rounds {
            world.clock.advance(DAY);
            let asked = world.app.operations().begin_step_up(&caller).await.unwrap();
            let code = world.mailbox.code(MEMBER);
            exactly_one_steps_up(&world, &caller, Method::Email, &code, &[asked.challenge_id]).await;
        }
    }

    async fn of_sixty_four_who_answer_with_a_code_of_the_app_one_steps_up(database, rounds) {
        let world = World::new(database).await;
        let caller = caller(&world, Key::Unproven).await;
        for _ in 0..rounds {
            world.clock.advance(DAY);
            let challenges = challenges(&world, &caller).await;
            exactly_one_steps_up(&world, &caller, Method::Totp, &world.totp_code(), &challenges).await;
        }
    }

    async fn of_sixty_four_who_answer_with_a_recovery_code_one_steps_up(database, rounds) {
        let world = World::new(database).await;
        let caller = caller(&world, Key::Unproven).await;
        for _ in 0..rounds / RECOVERY_CODES {
            let made = world.call(Key::Full, "RegenerateRecoveryCodes", &json!({})).await.ok();
            for code in made["recoveryCodes"].as_array().unwrap() {
                let challenges = challenges(&world, &caller).await;
                exactly_one_steps_up(&world, &caller, Method::RecoveryCode, code.as_str().unwrap(), &challenges).await;
            }
        }
    }

    async fn of_sixty_four_who_complete_a_sign_in_one_does(database, rounds) {
        let world = World::new(database).await;
        for _ in 0..rounds {
            world.clock.advance(DAY);
            let asked = world.begun_sign_in().await;
            let [challenge_id, code] = ["challengeId", "code"].map(|field| asked[field].as_str().unwrap());
            let one_does = exactly_one_succeeds(|_| {
                let command = CompleteSignIn {
                    challenge_id: challenge_id.parse().unwrap(),
                    method: Method::Totp,
                    code: code.into(),
                    credential: String::new(),
                    user_agent: None,
                };
                async { world.app.operations().complete_sign_in(&Caller::anonymous(None), command).await.map(drop) }
            });
            one_does.await;
        }
    }

    async fn of_sixty_four_who_answer_with_a_passkey_one_signs_in(database, rounds) {
        let world = World::new(database).await;
        let (operations, stranger) = (world.app.operations(), Caller::anonymous(None));
        let mut authenticator = world.registered(Key::Full).await;
        for _ in 0..rounds {
            let asked = operations.begin_passkey_sign_in(&stranger).await.unwrap();
            let credential = authenticator.sign_in(ORIGIN, &asked.options);
            let one_does = exactly_one_succeeds(|_| {
                let command = FinishPasskeySignIn {
                    challenge_id: asked.challenge_id,
                    credential: credential.clone(),
                    user_agent: None,
                };
                async { operations.finish_passkey_sign_in(&stranger, command).await.map(drop) }
            });
            one_does.await;
        }
    }
}

async fn caller(world: &World, key: Key) -> Caller {
    world.app.operations().authenticate(world.token(key), None).await.unwrap()
}

/// All the challenges that a key can have open.
async fn challenges(world: &World, caller: &Caller) -> Vec<ChallengeId> {
    let mut challenges = Vec::new();
    for _ in 0..CHALLENGES {
        challenges.push(world.app.operations().begin_step_up(caller).await.unwrap().challenge_id);
    }
    challenges
}

/// Answers the challenges in turns with the same code.
async fn exactly_one_steps_up(world: &World, caller: &Caller, method: Method, code: &str, challenges: &[ChallengeId]) {
    let one_does = exactly_one_succeeds(|attempt| {
        let challenge_id = challenges[attempt % challenges.len()];
        let code = SecretString::from(code);
        let command = CompleteStepUp { challenge_id, method, code, credential: String::new() };
        async { world.app.operations().complete_step_up(caller, command).await.map(drop) }
    });
    one_does.await;
}
