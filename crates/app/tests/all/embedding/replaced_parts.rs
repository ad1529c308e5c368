//! Each part that the builder lets a program replace is the one that is used.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tradepost_ports::store::Records;

use secrecy::{ExposeSecret as _, SecretString};
use tempfile::TempDir;
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::accounts::policy::{Policy, PolicySet};
use tradepost::domain::accounts::step_up::Method;
use tradepost::domain::id::{ChallengeId, UserId};
use tradepost::domain::money::Currency;
use tradepost::domain::text::Name;
use tradepost::domain::time::Timestamp;
use tradepost::domain::trading::trade::PlatformUserId;
use tradepost::operations::accounts::{
    BootstrapWorkspace, CompleteStepUp, ConfirmTotpEnrollment, IssueApiKey, RegisterUser,
};
use tradepost::operations::{Caller, OpResult};
use tradepost::ports::clock::Clock as _;
use tradepost::ports::game_platform::sessions::{ConfirmationKey, ConfirmationTag};
use tradepost::ports::limiter::{Limiter, Quota, RateClass, Verdict};
use tradepost::ports::mailer::{Mail, MailError, Mailer};
use tradepost::ports::store::StoreResult;
use tradepost::ports::totp::{LoginCode, TotpCodes, TotpSetup};
use tradepost::testkit::fakes::{FakePasswords, FakeTotp, FixedClock};
use tradepost::testkit::memory::MemoryStore;
use tradepost::{BuildError, Tradepost, async_trait};

use super::{builder, on_a_database};

const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "copper lantern under seven bridges";

async fn register(app: &Tradepost, password: &str) -> OpResult<UserId> {
    let register = RegisterUser {
        email: EmailAddress::new(EMAIL).unwrap(),
        display_name: Name::new("Ada").unwrap(),
        password: password.into(),
    };
    Ok(app.operations().register_user(&Caller::system(), register).await?.id)
}

/// The secret of a key of the registered user, for a workspace of their own.
async fn key(app: &Tradepost, policy: Policy) -> SecretString {
    let owner_id = register(app, PASSWORD).await.unwrap();
    let (operations, system) = (app.operations(), Caller::system());
    let name = Name::new("Parts").unwrap();
    let found = BootstrapWorkspace { owner_id, name, description: None, base_currency: Currency::USD };
    let workspace_id = operations.bootstrap_workspace(&system, found).await.unwrap().workspace.id;
    let issue = IssueApiKey {
        workspace_id,
        owner: EmailAddress::new(EMAIL).unwrap(),
        name: Name::new("My program").unwrap(),
        policies: PolicySet::of(&[policy]),
        expires_at: None,
    };
    operations.issue_api_key(&system, issue).await.unwrap().raw_key
}

#[tokio::test]
async fn a_store_of_the_program_keeps_the_records_over_restarts() {
    let (folder, store) = (TempDir::new().unwrap(), Arc::new(MemoryStore::default()));
    let app = builder(&folder).store(store.clone()).build().await.unwrap();
    let user_id = register(&app, PASSWORD).await.unwrap();
    assert!(app.database().is_none());
    app.shutdown().await.unwrap();
    assert!(store.users().find(user_id).await.unwrap().is_some());
    let again = builder(&folder).store(store).build().await.unwrap();
    assert!(again.store().users().find(user_id).await.unwrap().is_some());
    again.shutdown().await.unwrap();
}

#[tokio::test]
async fn a_store_of_the_program_does_not_open_with_another_root_secret() {
    let (folder, store) = (TempDir::new().unwrap(), Arc::new(MemoryStore::default()));
    builder(&folder).store(store.clone()).build().await.unwrap().shutdown().await.unwrap();
    let other = TempDir::new().unwrap();
    let refused = builder(&other).store(store).build().await;
    assert!(matches!(refused, Err(BuildError::KeyEncryption(_))), "{refused:?}");
}

#[tokio::test]
async fn without_a_store_and_a_database_nothing_is_built() {
    let folder = TempDir::new().unwrap();
    assert!(matches!(builder(&folder).build().await, Err(BuildError::NoDatabase)));
}

#[tokio::test]
async fn passwords_of_the_program_score_and_hash() {
    let folder = TempDir::new().unwrap();
    let app = on_a_database(&folder).passwords(Arc::new(FakePasswords)).build().await.unwrap();
    let refused = register(&app, FakePasswords::BREACHED).await.unwrap_err();
    assert_eq!(refused.reason.as_str(), "PASSWORD_BREACHED");
    let user_id = register(&app, PASSWORD).await.unwrap();
    let (user, _) = app.store().users().find(user_id).await.unwrap().unwrap().into_display();
    assert_eq!(user.password.map(|password| password.hash), Some(FakePasswords::hash_of(PASSWORD)));
    app.shutdown().await.unwrap();
}

/// Lets no call through.
struct Closed;

const ONE: Quota = Quota { calls: 1, window: Duration::from_mins(1), burst: 1 };

#[async_trait]
impl Limiter for Closed {
    async fn charge_several(&self, _: RateClass, _: &[u8], _: u32) -> Verdict {
        Verdict { allowed: false, quota: ONE, remaining: 0, wait: ONE.window }
    }

    async fn refund(&self, _: RateClass, _: &[u8]) {}

    fn quota(&self, _: RateClass) -> Quota {
        ONE
    }

    async fn charge_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<Verdict> {
        Ok(self.charge(class, partition).await)
    }

    async fn refund_exactly(&self, _: RateClass, _: &[u8]) -> StoreResult<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_limiter_of_the_program_decides_about_calls() {
    let folder = TempDir::new().unwrap();
    let app = on_a_database(&folder).limiter(Arc::new(Closed)).build().await.unwrap();
    let key = key(&app, Policy::Analytics).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/accounts.v1.Accounts/CountAPIKeys", listener.local_addr().unwrap());
    let router = app.router().await.into_make_service_with_connect_info::<SocketAddr>();
    let server = tokio::spawn(tradepost::axum::serve(listener, router).into_future());
    let request = reqwest::Client::new().post(url).bearer_auth(key.expose_secret());
    let answer = request.header("content-type", "application/json").body("{}").send().await.unwrap();
    assert_eq!(answer.status(), 429);
    server.abort();
    app.shutdown().await.unwrap();
}

/// From one code to the next.
const SECOND_STEP: tradepost::time::Duration = tradepost::time::Duration::seconds(30);

/// Codes of the program, which remember what they were asked.
#[derive(Default)]
struct OwnCodes {
    codes: FakeTotp,
    asked: Mutex<Vec<String>>,
}

impl OwnCodes {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

impl TotpCodes for OwnCodes {
    fn setup(&self, account: &str) -> TotpSetup {
        self.asked.lock().unwrap().push(format!("setup of {account}"));
        self.codes.setup(account)
    }

    fn step_of(&self, secret: &[u8], code: &str, at: Timestamp) -> Option<u64> {
        self.asked.lock().unwrap().push(format!("step of {code}"));
        self.codes.step_of(secret, code, at)
    }

    fn login_code(&self, shared_secret: &SecretString, at: Timestamp) -> Option<LoginCode> {
        self.codes.login_code(shared_secret, at)
    }

    fn confirmation_key(
        &self,
        identity_secret: &SecretString,
        account: PlatformUserId,
        at: Timestamp,
        tag: ConfirmationTag,
    ) -> Option<ConfirmationKey> {
        self.codes.confirmation_key(identity_secret, account, at, tag)
    }
}

/// Passes every mail on to the test.
struct Posted(tokio::sync::mpsc::UnboundedSender<Mail>);

#[async_trait]
impl Mailer for Posted {
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        self.0.send(mail).map_err(|error| MailError { reason: error.to_string(), is_transient: false })
    }
}

fn step_up(challenge_id: ChallengeId, method: Method, code: &str) -> CompleteStepUp {
    CompleteStepUp { challenge_id, method, code: code.into(), credential: String::new() }
}

#[tokio::test]
async fn one_time_passwords_of_the_program_enrol_and_verify() {
    let (folder, totp, clock) =
        (TempDir::new().unwrap(), Arc::new(OwnCodes::default()), Arc::new(FixedClock::default()));
    let (post, mut mails) = tokio::sync::mpsc::unbounded_channel();
    let parts = builder(&folder).store(Arc::new(MemoryStore::default())).clock(clock.clone());
    let app = parts.mailer(Arc::new(Posted(post))).totp(totp.clone()).build().await.unwrap();
    let (operations, key) = (app.operations(), key(&app, Policy::Identity).await);
    let caller = operations.authenticate(key.expose_secret(), None).await.unwrap();
    let refused = operations.begin_totp_enrollment(&caller).await.unwrap_err();
    assert_eq!((refused.reason.as_str(), totp.take()), ("STEP_UP_REQUIRED", Vec::new()));
    let challenge_id = operations.begin_step_up(&caller).await.unwrap().challenge_id;
    let code = loop {
        let text = mails.recv().await.unwrap().text;
        let digits = text.split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 8).map(str::to_owned);
        if let Some(code) = digits {
            break code;
        }
    };
    operations.complete_step_up(&caller, step_up(challenge_id, Method::Email, &code)).await.unwrap();
    let offered = operations.begin_totp_enrollment(&caller).await.unwrap();
    assert_eq!(
        (offered.secret.expose_secret(), totp.take()),
        ("A".repeat(32).as_str(), vec![format!("setup of {EMAIL}")])
    );
    let now = clock.now();
    let [first, second] = [now, now.plus(SECOND_STEP)].map(|at| FakeTotp::code(&[1; 20], at));
    let confirm = ConfirmTotpEnrollment { enrollment_id: offered.enrollment_id, code: first.as_str().into() };
    assert_eq!(operations.confirm_totp_enrollment(&caller, confirm).await.unwrap().len(), 10);
    let challenge_id = operations.begin_step_up(&caller).await.unwrap().challenge_id;
    operations.complete_step_up(&caller, step_up(challenge_id, Method::Totp, &second)).await.unwrap();
    assert_eq!(totp.take(), [format!("step of {first}"), format!("step of {second}")]);
    app.shutdown().await.unwrap();
}
