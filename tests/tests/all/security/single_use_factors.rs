//! What proves who somebody is proves it once, however many show it at the same moment.

use futures::future::join_all;
use serde_json::{Value, json};
use time::Duration;

use crate::harness::{Key, MEMBER, World, on_both_databases};

const ROUNDS: usize = 100;
const TRIES: usize = 64;
/// Challenges that can be answered at a time: what works once works on one of them.
const CHALLENGES: usize = 3;
const RECOVERY_CODES: usize = 10;

on_both_databases! {
    async fn of_sixty_four_who_answer_with_a_mailed_code_one_steps_up(database) {
        let world = World::new(database).await;
        for _ in 0..ROUNDS {
            let answer = world.step_up_answer(Key::Member, Some(MEMBER)).await;
            exactly_one_steps_up(&world, Key::Member, &[answer]).await;
        }
    }

    async fn of_sixty_four_who_answer_with_a_code_of_the_app_one_steps_up(database) {
        let world = World::new(database).await;
        for _ in 0..ROUNDS {
            world.clock.advance(Duration::seconds(30));
            let answer = world.step_up_answer(Key::Unproven, None).await;
            let answers = on_several_challenges(&world, &answer).await;
            exactly_one_steps_up(&world, Key::Unproven, &answers).await;
        }
    }

    async fn of_sixty_four_who_answer_with_a_recovery_code_one_steps_up(database) {
        let world = World::new(database).await;
        for _ in 0..ROUNDS / RECOVERY_CODES {
            let made = world.call(Key::Full, "RegenerateRecoveryCodes", &json!({})).await.ok();
            for code in made["recoveryCodes"].as_array().unwrap() {
                let answer = json!({ "method": "TWO_FACTOR_METHOD_RECOVERY_CODE", "code": code });
                let answers = on_several_challenges(&world, &answer).await;
                exactly_one_steps_up(&world, Key::Unproven, &answers).await;
            }
        }
    }

    async fn of_sixty_four_who_answer_with_a_passkey_one_signs_in(database) {
        let world = World::new(database).await;
        let mut authenticator = world.registered(Key::Full).await;
        for _ in 0..ROUNDS {
            let answer = world.passkey_sign_in(&mut authenticator).await;
            exactly_one_succeeds(&world, None, "FinishPasskeySignIn", &[answer]).await;
        }
    }
}

/// The answer as one to each of the challenges that the owner's key can have open.
async fn on_several_challenges(world: &World, answer: &Value) -> Vec<Value> {
    let mut answers = Vec::new();
    for _ in 0..CHALLENGES {
        let begun = world.call(Key::Unproven, "BeginStepUp", &json!({})).await.ok();
        answers.push(json!({
            "challengeId": begun["challengeId"],
            "method": answer["method"],
            "code": answer["code"],
        }));
    }
    answers
}

async fn exactly_one_steps_up(world: &World, key: Key, answers: &[Value]) {
    exactly_one_succeeds(world, Some(key), "CompleteStepUp", answers).await;
}

/// Gives the answers in turns, all at once.
async fn exactly_one_succeeds(world: &World, key: Option<Key>, method: &str, answers: &[Value]) {
    let token = key.map(|key| world.token(key));
    let tries = answers.iter().cycle().take(TRIES).map(|answer| world.client.call(token, method, answer));
    let outcomes = join_all(tries).await;
    let succeeded = outcomes.iter().filter(|outcome| outcome.status == 200).count();
    let refused = outcomes.iter().filter(|outcome| (400..500).contains(&outcome.status)).count();
    assert_eq!((succeeded, refused), (1, TRIES - 1), "{outcomes:?}");
}
