//! Many accounts of one address that all call at once, for longer than any window: at the facades no budget is exceeded. The clock of the client
//! and that of the world move together, in steps between which calls are answered.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinSet, yield_now};
use tokio::time::{MissedTickBehavior, interval};
use tradepost_adapters_outside::{Budget, ServiceLimits};
use tradepost_adapters_simulator::{AccountSignIn, SimulatedGuard};
use tradepost_adapters_steam::{Limits, SteamPlatform, SteamSessions};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::game_platform::sessions::{PlatformSessions as _, SignInAs, Tokens};

use crate::calls::{Read, SessionCall};
use crate::facades::{Facades, unpaced};
use crate::scene::PASSWORD;
use crate::traders::IDENTITY_SECRET;
use crate::vault::Vault;

/// By which both clocks move at once.
const STEP: Duration = Duration::from_millis(100);
/// How often other tasks have their turn between two steps: a call on loopback takes a few of them.
const TURNS: usize = 600;
/// By which the arrivals of two calls are nearer than their departures at most.
const NEARER: Duration = Duration::from_millis(200);
/// How often an account makes its calls, if they have their turn.
const PACE: Duration = Duration::from_secs(1);

/// Calls that share a budget.
struct Sharing {
    name: &'static str,
    budget: Budget,
    routes: Vec<&'static str>,
}

fn all_that_share() -> [Sharing; 4] {
    let limits = Limits::default();
    let reading = |name: &'static str, of: ServiceLimits| {
        let routes = Read::ALL.into_iter().filter(|read| read.limits(&limits) == of).map(Read::route).collect();
        Sharing { name, budget: of.budget, routes }
    };
    let routes = SessionCall::ALL.map(SessionCall::route).to_vec();
    [
        reading("reads", limits.reads),
        reading("inventories", limits.inventories),
        reading("community", limits.community),
        Sharing { name: "sessions", budget: limits.sign_in.budget, routes },
    ]
}

impl Sharing {
    /// Asserts that calls at these times, in microseconds, keep to the budget.
    fn assert_kept(&self, at: &[i64]) {
        let (name, calls) = (self.name, usize::try_from(self.budget.calls).unwrap());
        let micros = |time: Duration| i64::try_from(time.saturating_sub(NEARER).as_micros()).unwrap();
        let (gap, window) = (micros(self.budget.gap), micros(self.budget.window));
        assert!(at.windows(2).all(|pair| pair[1] - pair[0] >= gap), "{name}: two calls are too near");
        assert!(at.windows(calls + 1).all(|all| all[calls] - all[0] >= window), "{name}: too many calls in a window");
    }
}

/// Accounts that are signed in.
struct Fleet {
    facades: Facades,
    vault: Arc<Vault>,
    tokens: Vec<Tokens>,
}

impl Fleet {
    async fn of(size: usize) -> Self {
        let (facades, vault) = (Facades::new().await, Arc::new(Vault::default()));
        let sessions = SteamSessions::new(facades.services(&unpaced()));
        let mut tokens = Vec::new();
        for number in 0..size {
            let (login_name, password) = (format!("fleet-{number}"), PASSWORD.to_owned());
            let who = SignInAs { login_name: login_name.clone().into(), password: password.clone().into() };
            let by = AccountSignIn { login_name, password, guard: SimulatedGuard::None };
            let user = facades.open_account(by).user;
            let begun = sessions.begin(&who).await.unwrap();
            let of_account = sessions.poll(&begun.attempt).await.unwrap().unwrap();
            vault.keep(&of_account);
            facades.fakes.set_identity_secret(user, IDENTITY_SECRET);
            vault.keep_identity_secret(user, IDENTITY_SECRET);
            tokens.push(of_account);
        }
        Self { facades, vault, tokens }
    }

    /// Lets every account call for this time. Returns when each budget was used, in microseconds.
    async fn call_for(&self, time: Duration) -> Vec<(Sharing, Vec<i64>)> {
        let services = self.facades.services(&Limits::default());
        let platform = Arc::new(SteamPlatform::new(services.clone(), self.vault.clone()));
        let (sessions, before) = (Arc::new(SteamSessions::new(services)), self.facades.fakes.ledger().len());
        let mut callers = JoinSet::new();
        for tokens in &self.tokens {
            callers.spawn(keep_calling(Arc::clone(&platform), Arc::clone(&sessions), tokens.clone()));
        }
        self.let_pass(time).await;
        callers.shutdown().await;
        let made = self.facades.fakes.ledger().split_off(before);
        let with_times = |sharing: Sharing| {
            let of_budget = made.iter().filter(|entry| sharing.routes.contains(&entry.route.as_str()));
            let at: Vec<i64> = of_budget.map(|entry| entry.at).collect();
            (sharing, at)
        };
        all_that_share().into_iter().map(with_times).collect()
    }

    /// Moves both clocks. There is always a task to run, so that the client's moves here alone.
    async fn let_pass(&self, time: Duration) {
        tokio::time::pause();
        for _ in 0..time.as_millis() / STEP.as_millis() {
            for _ in 0..TURNS {
                yield_now().await;
            }
            tokio::time::advance(STEP).await;
            self.facades.fakes.advance(time::Duration::try_from(STEP).unwrap());
        }
        tokio::time::resume();
    }
}

/// Makes calls of each budget for an account, whatever comes of them.
async fn keep_calling(platform: Arc<SteamPlatform>, sessions: Arc<SteamSessions>, tokens: Tokens) {
    let (user, mut pace) = (tokens.user, interval(PACE));
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        pace.tick().await;
        drop(platform.inventory(user, AppId::CS2, ContextId::ORDINARY).await);
        drop(platform.confirmations(user).await);
        drop(platform.offers(user, Timestamp::MIN).await);
        drop(sessions.renew(&tokens, false).await);
    }
}

/// Lets so many accounts call, and checks every budget at the facades.
async fn assert_budgets_are_kept(accounts: usize, time: Duration) {
    let fleet = Fleet::of(accounts).await;
    for (sharing, at) in fleet.call_for(time).await {
        println!("{}: {} calls", sharing.name, at.len());
        sharing.assert_kept(&at);
        let is_least = sharing.name == "inventories";
        assert!(!is_least || at.len() >= sharing.budget.calls as usize / 2, "the accounts hardly call");
    }
}

#[tokio::test]
async fn accounts_that_all_call_at_once_exceed_no_budget_at_the_facades() {
    assert_budgets_are_kept(24, Duration::from_mins(6)).await;
}

/// Hours of 500 accounts, minutes: `cargo xtask nightly` runs them.
mod long {
    use std::time::Duration;

    use super::assert_budgets_are_kept;

    #[tokio::test]
    async fn five_hundred_accounts_that_all_call_at_once_exceed_no_budget_at_the_facades() {
        assert_budgets_are_kept(500, Duration::from_hours(2)).await;
    }
}
