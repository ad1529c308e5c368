//! Processes that end while tokens are replaced, before a call or before its answer is read: the tokens on record work afterwards, or the record
//! says that this is not known.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use secrecy::SecretString;
use time::Duration;
use tokio::sync::Notify;
use tradepost_adapters_simulator::{SimulatedGuard, SimulatedSessions};
use tradepost_domain::trading::account_session::{Guard, SessionStatus};
use tradepost_domain::trading::renewal::{Renewal, RenewalKind, RenewalStatus};
use tradepost_domain::trading::trading_account::AccountStatus;
use tradepost_engine::{Desk as Engaged, Engine};
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::game_platform::sessions::{Attempt, PlatformSessions, SessionResult, SignIn, SignInAs, Tokens};

use super::minute;
use crate::chance::Chance;
use crate::desk::Desk;
use crate::killed::Death;

/// Passes of a process that is to end: ten minutes.
const PASSES: usize = 20;
/// The time between two passes until everything works, and how often there is one: two days, because an account is signed in again without a
/// person three times a day.
const PAUSE: Duration = Duration::minutes(5);
const MOST_PAUSES: usize = 2 * 24 * 12;

/// Signing in, by a process that ends at one of its calls.
struct Deadly {
    sessions: SimulatedSessions,
    /// How many calls it makes before that one, and where in the call it ends.
    due: Mutex<Option<(u64, Death)>>,
    died: Notify,
}

impl Deadly {
    fn of(desk: &Desk) -> Arc<Self> {
        Arc::new(Self { sessions: desk.simulator.sessions(), due: Mutex::new(None), died: Notify::new() })
    }

    fn set(&self, due: Option<(u64, Death)>) {
        *self.due.lock().unwrap() = due;
    }

    /// Where the process ends in this call, if it does.
    fn strike(&self) -> Option<Death> {
        let mut due = self.due.lock().unwrap();
        let (before, death) = (*due)?;
        *due = before.checked_sub(1).map(|left| (left, death));
        (before == 0).then_some(death)
    }

    async fn die<T>(&self) -> T {
        self.died.notify_one();
        std::future::pending().await
    }

    async fn call<T>(&self, call: impl Future<Output = SessionResult<T>> + Send) -> SessionResult<T> {
        match self.strike() {
            None => call.await,
            Some(Death::Before) => self.die().await,
            Some(Death::After) => {
                drop(call.await);
                self.die().await
            }
        }
    }
}

#[async_trait]
impl PlatformSessions for Deadly {
    async fn begin(&self, who: &SignInAs) -> SessionResult<SignIn> {
        self.call(self.sessions.begin(who)).await
    }

    async fn give_code(&self, attempt: &Attempt, guard: Guard, code: &SecretString) -> SessionResult<()> {
        self.call(self.sessions.give_code(attempt, guard, code)).await
    }

    async fn poll(&self, attempt: &Attempt) -> SessionResult<Option<Tokens>> {
        self.call(self.sessions.poll(attempt)).await
    }

    async fn renew(&self, tokens: &Tokens, also_refresh: bool) -> SessionResult<Tokens> {
        self.call(self.sessions.renew(tokens, also_refresh)).await
    }

    async fn revoke(&self, tokens: &Tokens) -> SessionResult<()> {
        self.call(self.sessions.revoke(tokens)).await
    }
}

impl Desk {
    /// An engine that only keeps its accounts signed in.
    fn engine_of_accounts(&self, sessions: Arc<Deadly>) -> Engine {
        let desk = self.signing_in();
        let (venues, price_sources) = (Vec::new(), Vec::new());
        self.engine_for(Engaged { sessions: Some(sessions), venues, price_sources, social: None, rates: None, ..desk })
    }

    /// Whether a process ends before its ten minutes are over.
    async fn ends(&self, engine: &mut Engine, deadly: &Deadly) -> bool {
        for _ in 0..PASSES {
            let is_dead = tokio::select! {
                biased;
                _ = engine.pass() => false,
                () = deadly.died.notified() => true,
            };
            if is_dead {
                return true;
            }
            self.simulator.advance(self.step);
        }
        false
    }

    /// Whether the platform accepts the access token on record.
    async fn is_accepted(&self) -> bool {
        self.simulator.platform().with_vault(self.vault()).account(self.account.user).await.is_ok()
    }

    /// The renewals whose outcome is not known.
    async fn of_unknown_outcome(&self) -> Vec<Renewal> {
        let mut all = self.renewals(RenewalKind::RefreshToken).await;
        all.extend(self.renewals(RenewalKind::AccessToken).await);
        all.retain(|renewal| matches!(renewal.status, RenewalStatus::Running | RenewalStatus::Uncertain));
        all
    }

    /// Asserts that the tokens on record work, or that it is on record that this is not known.
    async fn assert_nothing_is_lost_silently(&self) {
        let status = self.session_status().await;
        let is_on_record = status.is_signing_in() || !self.of_unknown_outcome().await.is_empty();
        assert!(self.is_accepted().await || is_on_record, "a session that is {status} has lost its tokens");
    }

    /// Lives until the session works and every outcome is known.
    async fn settle(&self, deadly: &Arc<Deadly>) {
        deadly.set(None);
        let mut engine = self.engine_of_accounts(Arc::clone(deadly));
        for _ in 0..MOST_PAUSES {
            engine.pass().await;
            let works = self.session_status().await == SessionStatus::Active && self.is_accepted().await;
            if works && self.of_unknown_outcome().await.is_empty() {
                return;
            }
            self.simulator.advance(PAUSE);
        }
        panic!("it never works again: {:?} {:?}", self.sessions().await.first(), self.of_unknown_outcome().await);
    }
}

/// Replaces tokens until so many processes have ended, up to four of them at each replacement. Returns what came of the replacements.
async fn outlive(seed: u64, kills: usize) -> Vec<RenewalStatus> {
    let (desk, account_id) = Desk::locked(seed, SimulatedGuard::None).await;
    let (deadly, mut chance, mut killed) = (Deadly::of(&desk), Chance::of(seed), 0);
    desk.start_session(account_id).await;
    while killed < kills {
        desk.settle(&deadly).await;
        desk.request_renewal(account_id, RenewalKind::RefreshToken).await;
        for _ in 0..=chance.below(4) {
            let death = if chance.below(2) == 0 { Death::Before } else { Death::After };
            deadly.set(Some((chance.below(2), death)));
            if !desk.ends(&mut desk.engine_of_accounts(Arc::clone(&deadly)), &deadly).await {
                break;
            }
            killed += 1;
            desk.assert_nothing_is_lost_silently().await;
        }
    }
    desk.settle(&deadly).await;
    desk.live(&mut desk.engine_of_accounts(deadly), minute() * 3).await;
    assert_eq!(desk.account_status(account_id).await, AccountStatus::Ready);
    desk.renewal_statuses(RenewalKind::RefreshToken).await
}

#[tokio::test]
async fn a_session_whose_tokens_are_replaced_while_processes_end_is_never_lost_silently() {
    let replaced = outlive(1_351, 16).await;
    assert!(replaced.contains(&RenewalStatus::Succeeded), "{replaced:?}");
}

/// Months of virtual time, a minute or more: `cargo xtask nightly` runs them.
mod long {
    use super::{RenewalStatus, outlive};

    #[tokio::test]
    async fn a_session_whose_tokens_are_replaced_while_two_hundred_processes_end_is_never_lost_silently() {
        let replaced = outlive(1_352, 200).await;
        for both in [RenewalStatus::Succeeded, RenewalStatus::Exhausted] {
            assert!(replaced.contains(&both), "both happen: {replaced:?}");
        }
    }
}
