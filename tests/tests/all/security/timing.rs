//! How long an answer takes says nothing about whether there is such an account.

use std::time::Instant;

use serde_json::{Value, json};

use crate::harness::{Answer, Database, MEMBER, World};

const SAMPLES: usize = 1_000;
const NOBODY: &str = "nobody@example.com";

/// `cargo xtask nightly` runs it.
mod long {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_sign_in_with_a_known_address_takes_as_long_as_one_with_an_unknown_address() {
        // With the token that is asked for after five failures.
        let wrong = |email: &str| json!({ "email": email, "password": "not the password of anybody", "botCheckToken": "development" });
        compare("SignIn", wrong, |answer| answer.assert_refused("unauthenticated", "WRONG_CREDENTIALS")).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_forgotten_password_of_a_known_address_takes_as_long_as_one_of_an_unknown_address() {
        let forgotten = |email: &str| json!({ "email": email, "botCheckToken": "development" });
        compare("RequestPasswordReset", forgotten, |answer| drop(answer.ok())).await;
    }
}

/// Calls with a known and an unknown address in turns, and compares how long the answers take.
async fn compare(method: &str, request: impl Fn(&str) -> Value, check: impl Fn(Answer)) {
    let world = World::new(Database::Sqlite).await;
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for sample in 0..SAMPLES {
        // Whichever comes first finds other caches than the second: both are first as often.
        let turns = if sample % 2 == 0 { [MEMBER, NOBODY] } else { [NOBODY, MEMBER] };
        for email in turns {
            let request = request(email);
            let begun = Instant::now();
            let answer = world.client.call(None, method, &request).await;
            let took = begun.elapsed().as_secs_f64() * 1e6;
            if email == MEMBER {
                known.push(took)
            } else {
                unknown.push(took)
            }
            check(answer);
        }
    }
    let (difference, t) = (median(&mut known) - median(&mut unknown), welch(&known, &unknown));
    println!("{method}: medians {difference:+.1} µs apart, t = {t:+.2} ({SAMPLES} samples of each)");
    assert!(difference.abs() < 1_000.0, "the medians are {difference} µs apart");
    assert!(t.abs() < 4.5, "t = {t}: the two can be distinguished");
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Welch's t of two samples of the same size, each without its slowest twentieth: what the machine did in the meantime, and not the
/// server.
fn welch(one: &[f64], other: &[f64]) -> f64 {
    let ((mean_one, spread_one), (mean_other, spread_other)) = (mean_and_spread(one), mean_and_spread(other));
    (mean_one - mean_other) / (spread_one + spread_other).sqrt()
}

/// The mean of sorted samples, and the square of its error.
fn mean_and_spread(sorted: &[f64]) -> (f64, f64) {
    let kept = &sorted[..sorted.len() * 19 / 20];
    let count = kept.len() as f64;
    let mean = kept.iter().sum::<f64>() / count;
    let variance = kept.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, variance / count)
}
