//! The released program with a database of its own, over the facades of Steam in this process: it is started, killed, and started again.

use std::fs::File;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use secrecy::ExposeSecret as _;
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tradepost::engine::TradingAccount;
use tradepost::{SystemClock, Tradepost};
use tradepost_adapters_simulator::{AccountSignIn, Settings, Simulator, World};
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::id::{AccountId, UserId, WorkspaceId};
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_fakes::{Addresses, Fakes, Served, serve};
use tradepost_operations::accounts::{IssueApiKey, RegisterUser};
use tradepost_operations::trading::{AccountSecrets, AccountTokens};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{email, text};

use super::desk::{IDENTITY_SECRET, connect_steam, open_workspace, quiet, record_account};
use crate::harness::{Database, Place, open, program};

const CUSTOMER: &str = "desk";
/// The address of the owner of the workspace.
const OWNER: &str = "ada@example.com";
/// How often the engine takes a pass, in milliseconds.
const INTERVAL: &str = "100";
/// How often it is looked how many requests the facades have got.
const LOOKING: Duration = Duration::from_millis(20);

/// Where the program runs, with what it calls.
pub(super) struct Site {
    pub(super) folder: TempDir,
    pub(super) place: Place,
    pub(super) fakes: Fakes,
    served: Served,
    keeps_time: JoinHandle<()>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.keeps_time.abort();
    }
}

impl Site {
    /// The first start has made the root secret.
    pub(super) async fn open(database: Database, seed: u64) -> Self {
        let settings = Settings { start: SystemClock.now(), ..quiet() };
        let fakes = Fakes::new(Simulator::new(World::new(seed, settings))).unwrap();
        let served = serve(&fakes, Addresses::default(), "token").await.unwrap();
        let time = fakes.clone();
        let keeps_time = tokio::spawn(async move { time.keep_time().await });
        let (folder, place) = (tempfile::tempdir().unwrap(), Place::new(database).await);
        let site = Self { folder, place, fakes, served, keeps_time };
        site.start("info").await.kill().await;
        site
    }

    /// What the program logs; a later start begins it again.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.path().join("tradepost.log")
    }

    /// Starts the program, which logs what is of this level.
    pub(super) async fn start(&self, level: &str) -> Running {
        let mut command = self.command(&["--listen", "127.0.0.1:0"]);
        command
            .env("TRADEPOST_LOG__LEVEL", level)
            .env("TRADEPOST_TRADING__INTERVAL_MILLISECONDS", INTERVAL)
            .env("TRADEPOST_OUTSIDE__ADDRESSES__STEAM_API", &self.served.steam_api)
            .env("TRADEPOST_OUTSIDE__ADDRESSES__STEAM_COMMUNITY", &self.served.steam_community)
            .stdout(Stdio::piped())
            .stderr(File::create(self.log()).unwrap());
        let mut process = command.spawn().unwrap();
        let line = BufReader::new(process.stdout.take().unwrap()).lines().next_line().await.unwrap();
        let line = line.unwrap_or_else(|| panic!("it printed nothing: {}", self.logged()));
        Running { process, line: serde_json::from_str(&line).unwrap() }
    }

    /// A command of the program, with its database and its root secret.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let folder = self.folder.path();
        let mut command = Command::new(program());
        command
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .env("HOME", folder)
            .env("TMPDIR", folder)
            .env("TRADEPOST_DATABASE__URL", self.place.url())
            .env("TRADEPOST_SECRET__ROOT_FILE", self.root_secret())
            .stdin(Stdio::null())
            .kill_on_drop(true);
        command
    }

    pub(super) fn logged(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.log()).unwrap()).into_owned()
    }

    /// The same database in this process, while no program runs.
    pub(super) async fn app(&self) -> Tradepost {
        open(&self.place, &self.root_secret()).await
    }

    fn root_secret(&self) -> PathBuf {
        self.folder.path().join("root-secret")
    }

    /// The key that the first start wrote for its operator: next to the database, or in `data` where that has no file.
    pub(super) fn first_key(&self) -> String {
        let folder = match &self.place {
            Place::File(folder) => folder.path().to_owned(),
            Place::Server { .. } | Place::At { .. } => self.folder.path().join("data"),
        };
        let credentials = std::fs::read_to_string(folder.join("initial-credentials")).unwrap();
        credentials.lines().find_map(|line| line.strip_prefix("apiKey=")).unwrap().to_owned()
    }

    /// Waits until the facades have got so many requests, for so long at most.
    pub(super) async fn until_called(&self, calls: usize, most: Duration) {
        let called = async {
            let mut looks = tokio::time::interval(LOOKING);
            while self.fakes.ledger().len() < calls {
                looks.tick().await;
            }
        };
        // Whether they came in time does not count.
        drop(tokio::time::timeout(most, called).await);
    }

    /// Opens an account at Steam that signs in so.
    pub(super) fn account(&self, name: &str, by: AccountSignIn) -> TradingAccount {
        let address = self.fakes.simulator().world(|world| {
            let address = world.open_account(CUSTOMER);
            world.require_sign_in(address.user, by).unwrap();
            address
        });
        self.fakes.set_identity_secret(address.user, IDENTITY_SECRET);
        TradingAccount { name: text(name), address }
    }

    /// An account that is not of the workspace.
    pub(super) fn stranger(&self) -> TradeAddress {
        self.fakes.simulator().world(|world| world.open_account("partner"))
    }
}

/// A workspace at Steam with its accounts.
pub(super) struct AtSteam {
    pub(super) workspace_id: WorkspaceId,
    pub(super) accounts: Vec<(AccountId, TradingAccount)>,
}

impl AtSteam {
    /// Records a workspace with these accounts and what each signs in by. A person lets them give items.
    pub(super) async fn record(app: &Tradepost, accounts: Vec<(TradingAccount, AccountSecrets)>) -> Self {
        let owner_id = owner(app.operations()).await;
        let workspace_id = open_workspace(app.operations(), owner_id).await;
        connect_steam(app.operations(), workspace_id).await;
        let mut recorded = Vec::new();
        for (account, secrets) in accounts {
            let id = record_account(app.operations(), workspace_id, &account, secrets).await;
            recorded.push((id, account));
        }
        Self { workspace_id, accounts: recorded }
    }

    /// A key of the owner, with every right.
    pub(super) async fn key(&self, app: &Tradepost) -> String {
        let (workspace_id, owner, name) = (self.workspace_id, email(OWNER), text("exports"));
        let policies = PolicySet::of(&Policy::ALL);
        let command = IssueApiKey { workspace_id, owner, name, policies, expires_at: None };
        let issued = app.operations().issue_api_key(&Caller::system(), command).await.unwrap();
        issued.raw_key.expose_secret().to_owned()
    }

    /// What a driver knows of the accounts.
    pub(super) fn vault(&self, app: &Tradepost) -> AccountTokens {
        AccountTokens::new(app.operations().clone(), self.workspace_id, text("steam"))
    }
}

async fn owner(operations: &Operations) -> UserId {
    let register = RegisterUser {
        email: email(OWNER),
        display_name: text("Ada"),
        password: "copper lantern under seven bridges".into(),
    };
    operations.register_user(&Caller::system(), register).await.unwrap().id
}

/// The program while it runs; it is killed with the value.
pub(super) struct Running {
    pub(super) process: Child,
    line: Value,
}

impl Running {
    pub(super) fn url(&self) -> &str {
        self.line["baseUrl"].as_str().unwrap()
    }

    /// Ends it at once, wherever it is.
    pub(super) async fn kill(mut self) {
        self.process.kill().await.unwrap();
    }
}
