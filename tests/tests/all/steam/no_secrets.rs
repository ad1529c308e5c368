//! The secrets of an account at Steam, while the released program signs it in, renews its tokens, and sends and confirms an offer: they are in no
//! log, row, file, metric or list of processes, in no answer of a call or a command that fails, in nothing that people export or copy, and in
//! nothing that a crash leaves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use secrecy::ExposeSecret as _;
use serde_json::json;
use tokio::process::Command;
use tradepost::Tradepost;
use tradepost_adapters_simulator::{AccountSignIn, SimulatedGuard};
use tradepost_domain::trading::renewal::RenewalKind;
use tradepost_fakes::LedgerEntry;
use tradepost_operations::Caller;
use tradepost_operations::trading::{AccountSecrets, ReadSessionTokens, RequestRenewal, StartAccountSession};

use super::desk::{IDENTITY_SECRET, PASSWORD, secrets_of};
use super::program::{AtSteam, Running, Site};
use super::records::{Gift, ask_to_send};
use crate::harness::{Client, Place, on_both_databases, program};
use crate::security::canaries::Search;

const LOGIN_NAME: &str = "qx7-lantern-204-harbour";
/// What the authenticator of the account shares with Steam.
const SHARED_SECRET: &str = "zvIayp3JPvtvX/QGHqsqKBk/44s=";
/// A password that a person gives to the command line.
const OTHER_PASSWORD: &str = "kW4-silver-Otter-29-meadow";
/// Calls that only an account that is signed in makes.
const SIGNED_IN: [&str; 1] = ["GET /IEconService/GetTradeOffers/v1/"];
/// What is to be done before the search.
const DONE: [&str; 3] = [
    "POST /tradeoffer/new/send",
    "GET /mobileconf/ajaxop",
    "POST /IAuthenticationService/GenerateAccessTokenForApp/v1/",
];
const PATIENCE: Duration = Duration::from_mins(2);
const LOOKING: Duration = Duration::from_millis(100);
/// Commands by which people take data out of the program.
const EXPORTS: [&[&str]; 13] = [
    &["accounts", "list", "-o", "json"],
    &["accounts", "show", "bot-1", "-o", "json"],
    &["accounts", "ready", "bot-1", "-o", "json"],
    &["account-sessions", "list", "-o", "json"],
    &["renewals", "list", "-o", "json"],
    &["confirmations", "list", "-o", "json"],
    &["offers", "list", "-o", "json"],
    &["snapshots", "list", "-o", "json"],
    &["inventory-changes", "list", "-o", "json"],
    &["providers", "list", "-o", "json"],
    &["audit", "list", "-o", "json"],
    &["transitions", "list", "-o", "json"],
    &["pnl", "-o", "csv"],
];
/// Where the program keeps secrets for its operator, and what a person wrote for a command.
const KEPT: [&str; 4] = ["root-secret", "initial-credentials", "mail", "bot-2.secrets"];

impl Site {
    /// Waits until each of these routes was called, and answered as usual.
    async fn until_answered(&self, routes: &[&str]) {
        let is_answered = |route: &&str| {
            let is_it = |entry: &LedgerEntry| entry.route == **route && entry.status == 200;
            self.fakes.ledger().iter().any(is_it)
        };
        let answered = async {
            let mut looks = tokio::time::interval(LOOKING);
            while !routes.iter().all(is_answered) {
                looks.tick().await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, answered).await;
        assert!(in_time.is_ok(), "never answered: {routes:?}\n{}", self.logged());
    }
}

/// The command lines of all processes of this machine, as anyone sees them.
fn command_lines() -> String {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    // A process may have ended in the meantime.
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).collect::<Vec<_>>().join("\n")
}

/// The files below a folder, apart from those that keep secrets.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let is_kept = entry.file_name().to_str().is_some_and(|name| KEPT.contains(&name));
        match entry.file_type().unwrap() {
            _ if is_kept => {}
            kind if kind.is_dir() => found.extend(files_below(&entry.path())),
            _ => found.push(entry.path()),
        }
    }
    found
}

/// What a call without a key, and a command whose account is refused, say to their callers.
async fn refusals(site: &Site, running: &Running) -> String {
    let client = Client::of(running.url());
    let secrets = json!({ "loginName": LOGIN_NAME, "password": PASSWORD, "sharedSecret": SHARED_SECRET });
    let request = json!({ "name": "", "platform": "steam", "platformUserId": "no number", "secrets": secrets });
    let refused = client.call(None, "CreateAccount", &request).await.body;
    let file = site.folder.path().join("bot-2.secrets");
    fs::write(&file, format!("loginName={LOGIN_NAME}\npassword={OTHER_PASSWORD}\n")).unwrap();
    let command = Command::new(program())
        .args(["accounts", "create", "--name", "bot-2", "--platform", "steam", "--user-id", "7", "--secrets-file"])
        .arg(&file)
        .env("TRADEPOST_URL", running.url())
        .env("TRADEPOST_API_KEY", site.first_key())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let seen = command_lines();
    let output = command.wait_with_output().await.unwrap();
    assert!(!output.status.success(), "the account was created");
    format!("{refused}{seen}{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// What a person with every right takes out of the program while it runs. The copy that an operator makes of SQLite is a file of the site.
async fn exports(site: &Site, running: &Running, key: &str) -> String {
    let mut taken = String::new();
    for arguments in EXPORTS {
        let mut command = site.command(arguments);
        command.env("TRADEPOST_URL", running.url()).env("TRADEPOST_API_KEY", key);
        let output = command.output().await.unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        taken.push_str(&String::from_utf8_lossy(&output.stdout));
    }
    if matches!(site.place, Place::File(_)) {
        let output = site.command(&["backup", "copy.db"]).output().await.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    taken
}

/// The tokens of the account, and the key of the operator.
async fn other_secrets(site: &Site, at_steam: &AtSteam, app: &Tradepost) -> Vec<String> {
    let (workspace_id, account_id) = (at_steam.workspace_id, at_steam.accounts[0].0);
    let read = ReadSessionTokens { workspace_id, account_id };
    let tokens = app.operations().read_session_tokens(&Caller::system(), read).await.unwrap().unwrap();
    vec![tokens.access.expose_secret().to_owned(), tokens.refresh.expose_secret().to_owned(), site.first_key()]
}

/// A workspace whose account has every secret, and is to be signed in.
async fn with_secrets(site: &Site) -> AtSteam {
    let guard = SimulatedGuard::DeviceCode { shared_secret: SHARED_SECRET.to_owned() };
    let by = AccountSignIn { login_name: LOGIN_NAME.to_owned(), password: PASSWORD.to_owned(), guard };
    let secrets = AccountSecrets { shared_secret: Some(SHARED_SECRET.into()), ..secrets_of(LOGIN_NAME) };
    let (app, account) = (site.app().await, site.account("bot-1", by));
    let at_steam = AtSteam::record(&app, vec![(account, secrets)]).await;
    let (workspace_id, account_id) = (at_steam.workspace_id, at_steam.accounts[0].0);
    let start = StartAccountSession { workspace_id, account_id, uses_stored_code: true };
    app.operations().start_account_session(&Caller::system(), start).await.unwrap();
    app.shutdown().await.unwrap();
    at_steam
}

/// A person has an item sent, and the tokens replaced.
async fn ask(site: &Site, at_steam: &AtSteam, app: &Tradepost) {
    let (workspace_id, partner) = (at_steam.workspace_id, site.stranger());
    let (account_id, account) = &at_steam.accounts[0];
    let (account_id, ours) = (*account_id, account.address.user);
    let item = site.fakes.simulator().world(|world| world.give_item(ours)).unwrap();
    ask_to_send(app.operations(), workspace_id, Gift { account_id, to: &partner, item }).await;
    let renew = RequestRenewal { workspace_id, account_id, kind: RenewalKind::RefreshToken };
    app.operations().request_renewal(&Caller::system(), renew).await.unwrap();
}

/// Ends the program as a crash does: what that leaves is among its files.
async fn crash(mut running: Running) {
    let id = running.process.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-ABRT", &id]).status().await.unwrap().success());
    running.process.wait().await.unwrap();
}

on_both_databases! {
    long on_postgresql;

    async fn no_secret_of_an_account_is_logged_stored_listed_or_left_by_a_crash(database) {
        let site = Site::open(database, 5_101).await;
        let at_steam = with_secrets(&site).await;
        let running = site.start("trace").await;
        site.until_answered(&SIGNED_IN).await;
        running.kill().await;
        let mut logged = site.logged();

        let fixed = [LOGIN_NAME, PASSWORD, SHARED_SECRET, IDENTITY_SECRET, OTHER_PASSWORD];
        let mut secrets: Vec<String> = fixed.into_iter().map(str::to_owned).collect();
        let app = site.app().await;
        secrets.extend(other_secrets(&site, &at_steam, &app).await);
        let key = at_steam.key(&app).await;
        secrets.push(key.clone());
        ask(&site, &at_steam, &app).await;
        app.shutdown().await.unwrap();

        let running = site.start("trace").await;
        site.until_answered(&DONE).await;
        let said = refusals(&site, &running).await;
        let exported = exports(&site, &running, &key).await;
        let metrics = reqwest::get(format!("{}/metrics", running.url())).await.unwrap().text().await.unwrap();
        let rows: String = site.place.contents().await.into_values().flatten().collect();
        crash(running).await;
        logged.push_str(&site.logged());
        let app = site.app().await;
        secrets.extend(other_secrets(&site, &at_steam, &app).await);
        app.shutdown().await.unwrap();

        let search = Search::of(&secrets);
        let facades = format!("{:?}", site.fakes.ledger());
        let places = [
            ("log", &logged), ("database", &rows), ("list of processes or a refusal", &said), ("metrics", &metrics),
            ("records of the facades", &facades), ("exports", &exported),
        ];
        for (place, text) in places {
            assert!(text.len() > 500, "the {place} was not read");
            search.assert_clean(place, text);
        }
        let mut files = files_below(site.folder.path());
        if let Place::File(folder) = &site.place {
            files.extend(files_below(folder.path()));
        }
        for file in files {
            let bytes = fs::read(&file).unwrap();
            search.assert_clean(&file.display().to_string(), &String::from_utf8_lossy(&bytes));
        }
    }
}
