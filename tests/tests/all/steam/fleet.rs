//! A day of a fleet at Steam: every account stays signed in, at the facades no budget is exceeded, no token is renewed late, and the process stays
//! small. The clock of the world and that of the clients move together, in steps between which calls are answered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use secrecy::SecretString;
use tokio::task::yield_now;
use tokio::time::{MissedTickBehavior, interval};
use tradepost::engine::Engine;
use tradepost::outside::Budget;
use tradepost::steam::{Limits, SteamPlatform, SteamSessions};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::{AccountSession, Guard, SessionStatus};
use tradepost_domain::trading::trading_account::AccountStatus;
use tradepost_fakes::Fakes;
use tradepost_operations::Caller;
use tradepost_operations::trading::{AccountOnRecord, GetAccountSessions, ListAccountSessions};
use tradepost_ports::game_platform::sessions::{Attempt, PlatformSessions, SessionResult, SignIn, SignInAs, Tokens};

use super::desk::{Desk, Member, Reach};

/// By which both clocks move at once, and how often other tasks have their turn in between: a call on loopback takes a few turns.
const STEP: Duration = Duration::from_millis(100);
const TURNS: usize = 200;
/// By which the arrivals of two calls are nearer than their departures at most.
const NEARER: Duration = Duration::from_millis(200);
/// After so many steps the requests at the facades are counted and forgotten.
const COUNTED_EVERY: u128 = 600;
/// The time between two passes.
const PACE: Duration = Duration::from_secs(5);
/// The shortest time between two sign-ins from one address.
const BETWEEN_SIGN_INS: time::Duration = time::Duration::seconds(10);
/// The life of an access token, and the part of it that is left when the token is renewed at the latest.
const ACCESS_LASTS: time::Duration = time::Duration::hours(24);
const LEFT_PERCENT: i32 = 20;

/// Calls that share a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sharing {
    SignIns,
    Reads,
    Inventories,
    Community,
    Offers,
    Answers,
}

impl Sharing {
    fn of(route: &str) -> Self {
        let has = |part: &str| route.contains(part);
        if has("/IAuthenticationService/") {
            Self::SignIns
        } else if has("/GetInventoryItemsWithDescriptions/") {
            Self::Inventories
        } else if has("/dev/apikey") || has("/mobileconf/getlist") || route.starts_with("GET /tradeoffer/") {
            Self::Community
        } else if has("/tradeoffer/") {
            Self::Offers
        } else if has("/mobileconf/ajaxop") {
            Self::Answers
        } else {
            Self::Reads
        }
    }

    const fn budget(self, limits: &Limits) -> Budget {
        match self {
            Self::SignIns => limits.sign_in.budget,
            Self::Reads => limits.reads.budget,
            Self::Inventories => limits.inventories.budget,
            Self::Community => limits.community.budget,
            Self::Offers => limits.offers.budget,
            Self::Answers => limits.answers.budget,
        }
    }

    /// Asserts that calls at these times, in microseconds, keep to the budget.
    fn assert_kept(self, at: &[i64]) {
        let budget = self.budget(&Limits::default());
        let calls = usize::try_from(budget.calls).unwrap();
        let micros = |time: Duration| i64::try_from(time.saturating_sub(NEARER).as_micros()).unwrap();
        let (gap, window) = (micros(budget.gap), micros(budget.window));
        assert!(at.windows(2).all(|pair| pair[1] - pair[0] >= gap), "{self:?}: two calls are too near");
        assert!(at.windows(calls + 1).all(|all| all[calls] - all[0] >= window), "{self:?}: too many in a window");
    }
}

/// Signing in, with counters as the platform has them.
struct Counted {
    sessions: SteamSessions,
    fakes: Fakes,
    begun: Mutex<Vec<Timestamp>>,
    /// The life that was left of each access token that was renewed.
    left: Mutex<Vec<time::Duration>>,
}

#[async_trait]
impl PlatformSessions for Counted {
    async fn begin(&self, who: &SignInAs) -> SessionResult<SignIn> {
        let now = self.fakes.now();
        let begun = self.sessions.begin(who).await?;
        self.begun.lock().unwrap().push(now);
        Ok(begun)
    }

    async fn give_code(&self, attempt: &Attempt, guard: Guard, code: &SecretString) -> SessionResult<()> {
        self.sessions.give_code(attempt, guard, code).await
    }

    async fn poll(&self, attempt: &Attempt) -> SessionResult<Option<Tokens>> {
        self.sessions.poll(attempt).await
    }

    async fn renew(&self, tokens: &Tokens, also_refresh: bool) -> SessionResult<Tokens> {
        let renewed = self.sessions.renew(tokens, also_refresh).await?;
        self.left.lock().unwrap().push(tokens.expiry.access.since(self.fakes.now()));
        Ok(renewed)
    }

    async fn revoke(&self, tokens: &Tokens) -> SessionResult<()> {
        self.sessions.revoke(tokens).await
    }
}

/// A fleet, and the times at which each budget was used.
struct Day {
    desk: Desk,
    counted: Arc<Counted>,
    used: BTreeMap<Sharing, Vec<i64>>,
}

impl Day {
    /// Keeps so many accounts signed in for this time, within the usual limits.
    async fn of(accounts: usize, time: Duration) -> Self {
        let desk = Desk::of(accounts).await;
        let (services, fakes) = (desk.services(&Limits::default()), desk.fakes.clone());
        let platform = Arc::new(SteamPlatform::new(services.clone(), Arc::new(desk.vault())));
        let (sessions, begun, left) = (SteamSessions::new(services), Mutex::default(), Mutex::default());
        let counted = Arc::new(Counted { sessions, fakes, begun, left });
        let reach = Reach { platform, social: None, sessions: Some(counted.clone()) };
        let passes = tokio::spawn(keep_passing(desk.engine(reach)));
        let used = let_pass(&desk.fakes, time).await;
        passes.abort();
        assert!(passes.await.unwrap_err().is_cancelled(), "the engine has ended");
        Self { desk, counted, used }
    }

    fn assert_budgets_are_kept(&self) {
        for (sharing, at) in &self.used {
            println!("{sharing:?}: {} calls", at.len());
            sharing.assert_kept(at);
        }
    }

    /// Asserts that every account works by its first session.
    async fn assert_none_is_lost(&self) {
        for member in &self.desk.members {
            let (sessions, status) = (self.sessions_of(member).await, self.status_of(member).await);
            let statuses: Vec<SessionStatus> = sessions.iter().map(|session| session.status).collect();
            assert_eq!(statuses, [SessionStatus::Active], "{}", member.account.name);
            assert_eq!(status, AccountStatus::Ready, "{}", member.account.name);
        }
    }

    /// Asserts that sign-ins were as far apart as the platform wants them, and one of each account.
    fn assert_signed_in_once(&self) {
        let begun = self.counted.begun.lock().unwrap();
        assert_eq!(begun.len(), self.desk.members.len(), "an account signs in once");
        let nearest = begun.windows(2).map(|pair| pair[1].since(pair[0])).min();
        assert!(nearest.is_none_or(|nearest| nearest >= BETWEEN_SIGN_INS), "two sign-ins within {nearest:?}");
    }

    fn assert_renewed_in_time(&self) {
        let left = self.counted.left.lock().unwrap();
        assert!(left.len() >= self.desk.members.len(), "{} renewals", left.len());
        let least = left.iter().min().copied().unwrap();
        assert!(least >= ACCESS_LASTS * LEFT_PERCENT / 100, "a token was renewed {least} before its end");
    }

    async fn sessions_of(&self, member: &Member) -> Vec<AccountSession> {
        let (on, workspace_id, system) = (&self.desk.operations, self.desk.workspace_id, Caller::system());
        let (limit, cursor, account_id) = (200, String::new(), Some(member.id));
        let list = ListAccountSessions { workspace_id, limit, cursor, account_id, status: None };
        let account_session_ids = on.list_account_sessions(&system, list).await.unwrap().entries;
        if account_session_ids.is_empty() {
            return Vec::new();
        }
        let get = GetAccountSessions { workspace_id, account_session_ids };
        let found = on.get_account_sessions(&system, get).await.unwrap().found;
        found.into_iter().map(|found| found.value).collect()
    }

    async fn status_of(&self, member: &Member) -> AccountStatus {
        let (workspace_id, name) = (self.desk.workspace_id, member.account.name.clone());
        let system = Caller::system();
        let found = self.desk.operations.account_on_record(&system, AccountOnRecord { workspace_id, name });
        found.await.unwrap().unwrap().status
    }
}

async fn keep_passing(mut engine: Engine) {
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        pace.tick().await;
        engine.pass().await;
    }
}

/// Moves both clocks. There is always a task to run, so that the client's moves here alone. Returns when each budget was used.
async fn let_pass(fakes: &Fakes, time: Duration) -> BTreeMap<Sharing, Vec<i64>> {
    let mut used = BTreeMap::<Sharing, Vec<i64>>::new();
    tokio::time::pause();
    for step in 0..time.as_millis() / STEP.as_millis() {
        for _ in 0..TURNS {
            yield_now().await;
        }
        tokio::time::advance(STEP).await;
        fakes.advance(time::Duration::try_from(STEP).unwrap());
        if step.is_multiple_of(COUNTED_EVERY) {
            count(fakes, &mut used);
        }
    }
    tokio::time::resume();
    count(fakes, &mut used);
    used
}

fn count(fakes: &Fakes, used: &mut BTreeMap<Sharing, Vec<i64>>) {
    for entry in fakes.take_ledger() {
        used.entry(Sharing::of(&entry.route)).or_default().push(entry.at);
    }
}

#[tokio::test]
async fn a_few_accounts_are_signed_in_and_read_within_every_budget() {
    let day = Day::of(3, Duration::from_mins(20)).await;
    day.assert_budgets_are_kept();
    day.assert_signed_in_once();
    day.assert_none_is_lost().await;
}

/// A day of 500 accounts, most of an hour: `cargo xtask nightly` lives through it.
mod long {
    use std::fs;
    use std::time::Duration;

    use super::Day;

    /// The most memory of the process: that of the engine, of its records in memory, and of the facades and their world.
    const MOST_MIB: u64 = 300;

    /// The most memory that this process has had at a time.
    fn peak_mib() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let kib: u64 = peak.trim().trim_end_matches("kB").trim_end().parse().unwrap();
        kib / 1_024
    }

    #[tokio::test]
    async fn a_day_of_five_hundred_accounts_loses_none_renews_in_time_and_exceeds_no_limit() {
        let day = Day::of(500, Duration::from_hours(24)).await;
        let peak = peak_mib();
        println!("at most {peak} MiB");
        day.assert_budgets_are_kept();
        day.assert_signed_in_once();
        day.assert_none_is_lost().await;
        day.assert_renewed_in_time();
        assert!(peak <= MOST_MIB, "{peak} MiB");
    }
}
