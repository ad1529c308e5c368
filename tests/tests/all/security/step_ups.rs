//! Proofs of a second factor where the market's clock is a year from the server's: every operation takes them by the server's.

use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use time::Duration;
use tradepost_domain::accounts::access::Prover;
use tradepost_domain::accounts::step_up::{CRITICAL_WINDOW, WINDOW};
use tradepost_operations::Caller;
use tradepost_operations::rules::{RULES, StepUp};
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FixedClock;

use crate::cases;
use crate::harness::{Answer, Database, Key, MEMBER, Mould, World, enrol_authenticator};

const YEAR: Duration = Duration::days(365);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proof_ages_by_the_server_where_the_market_is_a_year_ahead() {
    every_proof_is_good_for_its_minutes_of_the_server(YEAR).await;
}

/// The other direction.
mod long {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_proof_ages_by_the_server_where_the_market_is_a_year_behind() {
        every_proof_is_good_for_its_minutes_of_the_server(-YEAR).await;
    }
}

async fn every_proof_is_good_for_its_minutes_of_the_server(apart: Duration) {
    let mould = Mould::of(Database::Sqlite).await;
    for rule in RULES.iter().filter(|rule| rule.step_up != StepUp::No) {
        let (world, case) = (mould.cast().await, cases::named(rule.method));
        let request = case.ready_for_step_up(&world).await;
        trade_apart(&world, &request, apart).await;
        let mut caller = Unproven::of(&world, case.by).await;
        assert_asks(rule.method, "nothing was proved", &caller.call(rule.method, &request).await);
        caller.prove().await;
        let proved_at = world.clock.now();
        world.clock.set(proved_at.plus(good_for(rule.step_up)));
        assert_asks(rule.method, "the proof is too old", &caller.call(rule.method, &request).await);
        // A refused call changes nothing, and the request may be good for less time than the proof.
        world.clock.set(proved_at);
        let answer = caller.call(rule.method, &request).await;
        assert_eq!(answer.status, 200, "{}, the market is {apart} apart: {answer:?}", rule.method);
        world.end().await;
    }
}

/// How long a proof is good for.
fn good_for(needed: StepUp) -> Duration {
    if matches!(needed, StepUp::Fresh | StepUp::IfGivesFresh) { CRITICAL_WINDOW } else { WINDOW }
}

/// From now on the workspaces, also that of the request, trade in markets whose clock is so far from the server's.
async fn trade_apart(world: &World, request: &Value, apart: Duration) {
    let market = Arc::new(FixedClock::at(world.clock.now().plus(apart)));
    let named = request["workspaceId"].as_str().map(|id| id.parse().unwrap());
    for workspace_id in [world.people.workspace_id, world.people.other_workspace_id].into_iter().chain(named) {
        world.app.operations().trade_by(workspace_id, market.clone()).await.unwrap();
    }
}

#[track_caller]
fn assert_asks(method: &str, why: &str, answer: &Answer) {
    let (_, code, reason) = answer.refusal();
    assert_eq!(
        (code.as_str(), reason.as_str()),
        ("failed_precondition", "STEP_UP_REQUIRED"),
        "{method}, {why}: {answer:?}"
    );
}

/// A caller who can prove a second factor and has not.
struct Unproven<'w> {
    world: &'w World,
    key: Key,
    token: String,
    /// The secret of an authenticator app that only this caller has.
    own_app: Option<SecretString>,
}

impl<'w> Unproven<'w> {
    async fn of(world: &'w World, key: Key) -> Self {
        let token = world.token(key).to_owned();
        let known = world.app.operations().authenticate(&token, None).await.unwrap();
        let prover = known.principal.prover().unwrap();
        forget_proof(world, prover).await;
        let mut own_app = None;
        if key == Key::Chat {
            // Without a factor there is nothing to prove.
            own_app = Some(enrol_authenticator(world.app.operations(), prover.user_id, &world.clock).await);
        }
        Self { world, key, token, own_app }
    }

    async fn call(&self, method: &str, request: &Value) -> Answer {
        self.world.client.call(Some(&self.token), method, request).await
    }

    async fn prove(&mut self) {
        let begun = self.call("BeginStepUp", &json!({})).await.ok();
        let (challenge_id, method, code) = (&begun["challengeId"], &begun["allowedMethods"][0], self.code());
        let answer = json!({ "challengeId": challenge_id, "method": method, "code": code });
        let proven = self.call("CompleteStepUp", &answer).await.ok();
        // A session goes on under another token.
        if let Some(token) = proven["sessionToken"].as_str().filter(|token| !token.is_empty()) {
            token.clone_into(&mut self.token);
        }
    }

    fn code(&self) -> String {
        match (self.key, &self.own_app) {
            (Key::Member | Key::Session, _) => self.world.mailbox.code(MEMBER),
            (_, Some(secret)) => {
                // A code works once, and that of this period enrolled the app.
                self.world.clock.advance(Duration::seconds(30));
                self.world.code_of(secret.expose_secret())
            }
            (_, None) => self.world.totp_code(),
        }
    }
}

/// Removes the proof that a key or session gave while its world was made.
async fn forget_proof(world: &World, prover: Prover) {
    let Some(proof) = world.app.store().step_ups().find_grant(prover).await.unwrap() else { return };
    let mut changes = Changes::by(&Caller::system());
    changes.remove(proof);
    world.app.store().commit(changes).await.unwrap();
}
