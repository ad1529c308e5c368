//! A fleet for a day: every account stays signed in by one session unless another program takes it, sign-ins are as far apart as the platform
//! wants them, and no token is renewed late.

mod paced;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use secrecy::SecretString;
use time::Duration;
use tradepost_adapters_simulator::{AccountSignIn, SimulatedGuard, SimulatedSessions, Simulator};
use tradepost_domain::id::AccountId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::{AccountSession, Guard, SessionStatus};
use tradepost_domain::trading::trading_account::AccountStatus;
use tradepost_engine::{Desk as Engaged, Engine, TradingAccount};
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    AccountSecrets, CreateAccount, GetAccountSessions, LimitsOfAccount, ListAccountSessions,
};
use tradepost_ports::game_platform::GamePlatform;
use tradepost_ports::game_platform::sessions::{Attempt, PlatformSessions, SessionResult, SignIn, SignInAs, Tokens};
use tradepost_testkit::samples::text;

use super::PASSWORD;
use crate::desk::{CUSTOMER, Desk};

/// The shortest time between two sign-ins from one address.
const BETWEEN_SIGN_INS: Duration = Duration::seconds(10);
/// The life of an access token, and the part of it that is left when the token is renewed at the latest.
const ACCESS_LASTS: Duration = Duration::hours(24);
const LEFT_PERCENT: i32 = 20;

/// Signing in, with counters as the platform has them.
struct Counted {
    sessions: SimulatedSessions,
    simulator: Simulator,
    begun: Mutex<Vec<Timestamp>>,
    /// The life that was left of each access token that was renewed.
    renewed: Mutex<Vec<Duration>>,
}

#[async_trait]
impl PlatformSessions for Counted {
    async fn begin(&self, who: &SignInAs) -> SessionResult<SignIn> {
        self.begun.lock().unwrap().push(self.simulator.world(|world| world.now()));
        self.sessions.begin(who).await
    }

    async fn give_code(&self, attempt: &Attempt, guard: Guard, code: &SecretString) -> SessionResult<()> {
        self.sessions.give_code(attempt, guard, code).await
    }

    async fn poll(&self, attempt: &Attempt) -> SessionResult<Option<Tokens>> {
        self.sessions.poll(attempt).await
    }

    async fn renew(&self, tokens: &Tokens, also_refresh: bool) -> SessionResult<Tokens> {
        let now = self.simulator.world(|world| world.now());
        self.renewed.lock().unwrap().push(tokens.expiry.access.since(now));
        self.sessions.renew(tokens, also_refresh).await
    }

    async fn revoke(&self, tokens: &Tokens) -> SessionResult<()> {
        self.sessions.revoke(tokens).await
    }
}

/// An account of the fleet.
struct Member {
    id: AccountId,
    account: TradingAccount,
}

impl Member {
    fn who(&self) -> SignInAs {
        SignInAs { login_name: self.account.name.to_string().into(), password: PASSWORD.into() }
    }
}

struct Fleet {
    desk: Desk,
    members: Vec<Member>,
    counted: Arc<Counted>,
}

impl Fleet {
    async fn of(size: usize, step: Duration) -> Self {
        let mut desk = Desk::slow(1_341).await;
        desk.step = step;
        desk.acknowledge_risks().await;
        let mut members = Vec::new();
        for number in 0..size {
            members.push(enlist(&desk, number).await);
        }
        let (sessions, simulator) = (desk.simulator.sessions(), desk.simulator.clone());
        let (begun, renewed) = (Mutex::default(), Mutex::default());
        Self { desk, members, counted: Arc::new(Counted { sessions, simulator, begun, renewed }) }
    }

    /// An engine that only keeps the fleet signed in.
    fn engine(&self) -> Engine {
        self.engine_over("node-1", Arc::new(self.desk.simulator.platform().with_vault(self.desk.vault())))
    }

    /// The same of a node that reaches the platform in another way.
    fn engine_over(&self, node: &str, platform: Arc<dyn GamePlatform>) -> Engine {
        let desk = Engaged { node: text(node), platform, ..self.desk.signing_in() };
        let accounts = self.members.iter().map(|member| member.account.clone()).collect();
        let sessions: Arc<dyn PlatformSessions> = self.counted.clone();
        let (venues, price_sources, sessions) = (Vec::new(), Vec::new(), Some(sessions));
        let fleet = Engaged { accounts, venues, price_sources, sessions, social: None, rates: None, ..desk };
        self.desk.engine_for(fleet)
    }

    /// Another program signs in as every so many-th account, which ends the session that we have of it.
    async fn take_every(&self, many: usize) -> usize {
        let taken: Vec<&Member> = self.members.iter().step_by(many).collect();
        for member in &taken {
            let begun = self.counted.sessions.begin(&member.who()).await.unwrap();
            assert!(self.counted.sessions.poll(&begun.attempt).await.unwrap().is_some());
        }
        taken.len()
    }

    /// The sessions of a member, the newest first.
    async fn sessions_of(&self, member: &Member) -> Vec<AccountSession> {
        let (on, workspace_id, system) = (&self.desk.operations, self.desk.workspace_id, Caller::system());
        let (limit, cursor, account_id) = (200, String::new(), Some(member.id));
        let list = ListAccountSessions { workspace_id, limit, cursor, account_id, status: None };
        let account_session_ids = on.list_account_sessions(&system, list).await.unwrap().entries;
        let get = GetAccountSessions { workspace_id, account_session_ids };
        let found = on.get_account_sessions(&system, get).await.unwrap().found;
        found.into_iter().map(|found| found.value).collect()
    }

    /// Asserts that every account works, by its first session unless another program has taken it.
    async fn assert_works(&self, taken: usize) {
        let mut lost = 0;
        for member in &self.members {
            let (name, sessions) = (&member.account.name, self.sessions_of(member).await);
            assert_eq!(sessions[0].status, SessionStatus::Active, "{name}: {sessions:?}");
            assert_eq!(self.desk.account_status(member.id).await, AccountStatus::Ready, "{name}");
            lost += usize::from(sessions.len() > 1);
        }
        assert_eq!(lost, taken, "accounts whose first session is lost");
    }

    /// Asserts that sign-ins were as far apart as the platform wants them, and that no token was renewed too late.
    fn assert_within_limits(&self, sign_ins: usize) {
        let (begun, renewed) = (self.counted.begun.lock().unwrap(), self.counted.renewed.lock().unwrap());
        assert_eq!(begun.len(), sign_ins, "an account signs in once for each session");
        assert!(begun.windows(2).all(|pair| pair[1].since(pair[0]) >= BETWEEN_SIGN_INS), "two sign-ins at once");
        assert!(renewed.len() >= self.members.len(), "{} renewals", renewed.len());
        let least = renewed.iter().min().copied().unwrap();
        assert!(least >= ACCESS_LASTS * LEFT_PERCENT / 100, "a token was renewed {least} before its end");
    }
}

/// Opens an account that signs in by its password alone, and registers it.
async fn enlist(desk: &Desk, number: usize) -> Member {
    let name = format!("fleet-{number}");
    let by = AccountSignIn { login_name: name.clone(), password: PASSWORD.to_owned(), guard: SimulatedGuard::None };
    let address = desk.simulator.world(|world| {
        let address = world.open_account(CUSTOMER);
        world.require_sign_in(address.user, by).map(|()| address)
    });
    let address = address.unwrap();
    let secrets = AccountSecrets {
        login_name: Some(name.clone().into()),
        password: Some(PASSWORD.into()),
        ..AccountSecrets::default()
    };
    let account = TradingAccount { name: text(&name), address: address.clone() };
    let command = CreateAccount {
        workspace_id: desk.workspace_id,
        name,
        platform: "steam".to_owned(),
        platform_user_id: address.user.to_string(),
        trade_token: Some(address.token.to_string()),
        capabilities: Vec::new(),
        limits: LimitsOfAccount::default(),
        giving_limits: None,
        secrets,
    };
    let id = desk.operations.create_account(&Caller::system(), command).await.unwrap().value.id;
    Member { id, account }
}

/// Signs a fleet in and keeps it for a day, in the middle of which another program takes every so many-th account.
async fn keep_for_a_day(size: usize, step: Duration, taken: usize) {
    let fleet = Fleet::of(size, step).await;
    let mut engine = fleet.engine();
    fleet.desk.live(&mut engine, Duration::hours(12)).await;
    fleet.assert_works(0).await;
    let taken = fleet.take_every(taken).await;
    fleet.desk.live(&mut engine, Duration::hours(12)).await;
    fleet.assert_works(taken).await;
    fleet.assert_within_limits(size + taken);
}

#[tokio::test]
async fn a_fleet_stays_signed_in_for_a_day_and_only_what_another_program_takes_is_signed_in_again() {
    keep_for_a_day(9, Duration::minutes(1), 4).await;
}

/// A day of 500 accounts, minutes: `cargo xtask nightly` runs it.
mod long {
    use time::Duration;

    use super::keep_for_a_day;

    #[tokio::test]
    async fn five_hundred_accounts_stay_signed_in_for_a_day() {
        keep_for_a_day(500, Duration::seconds(20), 100).await;
    }
}
