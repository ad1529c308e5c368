//! A server whose clock is wrong (F19): its accounts sign in all the same, by codes of Steam's time, and nothing is sent until the clock is right,
//! because offers whose answers are lost are found by the times of both.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use tradepost::engine::Engine;
use tradepost::steam::{SteamPlatform, SteamSessions};
use tradepost_adapters_simulator::{AccountSignIn, SimulatedGuard, Simulator};
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trading_account::AccountStatus;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{GetRemediations, ListRemediations};
use tradepost_operations::trading::{AccountOnRecord, AccountSecrets};
use tradepost_ports::clock::MarketClock;
use tradepost_ports::game_platform::sessions::PlatformSessions;

use super::desk::{Desk, Reach, secrets_of, signing_in_as, unpaced};
use super::records::{Gift, ask_to_send};

const LOGIN_NAME: &str = "lantern";
/// What an authenticator shares with Steam: the example of steamguard-cli.
const SHARED_SECRET: &str = "zvIayp3JPvtvX/QGHqsqKBk/44s=";
const CODE: &str = "POST /IAuthenticationService/UpdateAuthSessionWithSteamGuardCode/v1/";
const SEND: &str = "POST /tradeoffer/new/send";
/// The time between two passes, and more passes than anything takes.
const STEP: Duration = Duration::from_secs(20);
const MOST_PASSES: usize = 60;
/// Passes after which nothing is left to do.
const CALM: usize = 15;
/// By how many seconds the clock is ahead.
const WRONG_BY: [i64; 4] = [-600, -40, 40, 600];

/// The clock of the real market, as a server shows it whose clock is ahead by so many seconds.
struct WrongClock {
    right: Simulator,
    ahead: Arc<AtomicI64>,
}

impl MarketClock for WrongClock {
    fn market_now(&self) -> Timestamp {
        self.right.market_now().plus(time::Duration::seconds(self.ahead.load(Ordering::SeqCst)))
    }

    fn market_elapsed(&self) -> Duration {
        self.right.market_elapsed()
    }

    fn kind(&self) -> MarketKind {
        MarketKind::Real
    }
}

/// A desk with an account that signs in by codes of its authenticator, and an engine.
struct WrongDesk {
    desk: Desk,
    engine: Engine,
    ahead: Arc<AtomicI64>,
}

impl WrongDesk {
    async fn ahead_by(seconds: i64) -> Self {
        let (mut desk, ahead) = (Desk::of(0).await, Arc::new(AtomicI64::new(seconds)));
        let clock = Arc::new(WrongClock { right: desk.fakes.simulator().clone(), ahead: ahead.clone() });
        desk.operations.trade_by(desk.workspace_id, clock.clone()).await.unwrap();
        let guard = SimulatedGuard::DeviceCode { shared_secret: SHARED_SECRET.to_owned() };
        let secrets = AccountSecrets { shared_secret: Some(SHARED_SECRET.into()), ..secrets_of(LOGIN_NAME) };
        desk.enlist(AccountSignIn { guard, ..signing_in_as(LOGIN_NAME) }, secrets).await;
        let services = desk.services(&unpaced());
        let platform = Arc::new(SteamPlatform::new(services.clone(), Arc::new(desk.vault())));
        let sessions: Option<Arc<dyn PlatformSessions>> = Some(Arc::new(SteamSessions::new(services)));
        let engine = desk.engine_by(clock, Reach { platform, social: None, sessions });
        Self { desk, engine, ahead }
    }

    async fn pass(&mut self) {
        self.desk.pass_time(STEP).await;
        self.engine.pass().await;
    }

    async fn sign_in(&mut self) {
        for _ in 0..MOST_PASSES {
            self.pass().await;
            if self.status().await == AccountStatus::Ready {
                return;
            }
        }
        panic!("the account is {}", self.status().await);
    }

    async fn status(&self) -> AccountStatus {
        let (workspace_id, name) = (self.desk.workspace_id, self.desk.first().account.name.clone());
        let ask = AccountOnRecord { workspace_id, name };
        self.desk.operations.account_on_record(&Caller::system(), ask).await.unwrap().unwrap().status
    }

    /// A person has an item given to another account.
    async fn ask_to_give(&self) {
        let member = self.desk.first();
        let (to, item) = (self.desk.stranger("partner"), self.desk.item_of(&member.account.address));
        ask_to_send(&self.desk.operations, self.desk.workspace_id, Gift { account_id: member.id, to: &to, item }).await;
    }

    fn calls(&self, route: &str) -> usize {
        self.desk.fakes.ledger().iter().filter(|entry| entry.route == route).count()
    }

    /// Why the platform cannot be used, as its owner sees it.
    async fn problems(&self) -> Vec<String> {
        let (workspace_id, system) = (self.desk.workspace_id, Caller::system());
        let (status, kind) = (Some(RemediationStatus::Open), Some(RemediationKind::ProviderDown));
        let (cursor, severity, subject) = (String::new(), None, None);
        let list = ListRemediations { workspace_id, limit: 10, cursor, status, kind, severity, subject };
        let remediation_ids = self.desk.operations.list_remediations(&system, list).await.unwrap().entries;
        if remediation_ids.is_empty() {
            return Vec::new();
        }
        let get = GetRemediations { workspace_id, remediation_ids };
        let found = self.desk.operations.get_remediations(&system, get).await.unwrap().found;
        found.iter().filter_map(|one| one.value.evidence.found.as_ref()).map(ToString::to_string).collect()
    }
}

#[tokio::test]
async fn f19_the_first_code_is_right_however_wrong_our_clock_is() {
    for seconds in WRONG_BY {
        let mut wrong = WrongDesk::ahead_by(seconds).await;
        wrong.sign_in().await;
        assert_eq!(wrong.calls(CODE), 1, "{seconds} s");
    }
}

#[tokio::test]
async fn f19_nothing_is_sent_while_our_clock_is_wrong_and_the_owner_of_the_account_learns_why() {
    for seconds in WRONG_BY {
        let mut wrong = WrongDesk::ahead_by(seconds).await;
        wrong.sign_in().await;
        wrong.ask_to_give().await;
        for _ in 0..3 {
            wrong.pass().await;
        }
        assert_eq!(wrong.calls(SEND), 0, "{seconds} s");
        let side = if seconds > 0 { "ahead of" } else { "behind" };
        let seconds = seconds.unsigned_abs();
        let why = format!("the clock of this server is {seconds} s {side} that of the platform: nothing is sent");
        assert_eq!(wrong.problems().await, [why]);
    }
}

#[tokio::test]
async fn f19_what_waited_is_sent_once_when_the_clock_is_right() {
    let mut wrong = WrongDesk::ahead_by(-40).await;
    wrong.sign_in().await;
    wrong.ask_to_give().await;
    wrong.pass().await;
    assert_eq!(wrong.calls(SEND), 0);
    wrong.ahead.store(0, Ordering::SeqCst);
    for _ in 0..CALM {
        wrong.pass().await;
    }
    assert_eq!(wrong.calls(SEND), 1);
    assert_eq!(wrong.problems().await, Vec::<String>::new());
}
