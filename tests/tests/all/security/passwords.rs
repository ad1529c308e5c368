//! An address for sessions with PostgreSQL or of a standby at which no server answers, where the database itself does: its password is
//! printed by no command, and `doctor` names it.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use tempfile::TempDir;
use tokio::process::Command;

use crate::harness::{Database, Place, program};

const SECRET: &str = "Tr0ub4dor";
/// Nothing listens there.
const ADDRESSES: [&str; 5] = [
    "postgres://app:Tr0ub4dor@127.0.0.1:9/tp",
    "postgres://app:Tr0ub4dor@127.0.0.1:port/tp",
    "postgres://app:Tr0ub4dor@127.0.0.1:9,127.0.0.1:10/tp",
    "postgres://app@127.0.0.1:9,app:Tr0ub4dor@127.0.0.1:10/tp",
    "postgres://app@127.0.0.1:9,127.0.0.1:10/tp?sslmode=Tr0ub4dor",
];
const COMMANDS: [&[&str]; 5] =
    [&["--listen", "127.0.0.1:0"], &["migrate"], &["doctor"], &["key", "list"], &["user", "list"]];

/// The program with an address for sessions, where nothing but the root secret is made.
struct Installation {
    place: Place,
    folder: TempDir,
}

impl Installation {
    async fn new() -> Self {
        let installation = Self { place: Place::new(Database::Postgres).await, folder: tempfile::tempdir().unwrap() };
        let root_secret = installation.path("root-secret");
        std::fs::write(&root_secret, [7; 32]).unwrap();
        std::fs::set_permissions(&root_secret, Permissions::from_mode(0o600)).unwrap();
        installation
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn run(&self, arguments: &[&str], address: &str) -> Output {
        let pooled = [("TRADEPOST_DATABASE__SESSION_URL", address), ("TRADEPOST_DATABASE__POOLER", "transaction")];
        self.run_with(arguments, &pooled).await
    }

    async fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut command = Command::new(program());
        command.args(arguments).current_dir(&self.folder).env_clear().stdin(Stdio::null()).kill_on_drop(true);
        command.env("TRADEPOST_SECRET__ROOT_FILE", self.path("root-secret"));
        command.env("TRADEPOST_DATABASE__URL", self.place.url()).envs(variables.iter().copied());
        command.env("TRADEPOST_DATABASE__ACQUIRE_TIMEOUT_SECONDS", "1");
        command.env("TRADEPOST_LOG__LEVEL", "trace").env("TRADEPOST_LOG__FILE", self.path("log"));
        command.output().await.unwrap()
    }
}

#[tokio::test]
async fn no_command_prints_the_password_of_an_address_for_sessions_that_nobody_answers_at() {
    let installation = Installation::new().await;
    for (arguments, address) in COMMANDS.iter().flat_map(|command| ADDRESSES.map(|address| (command, address))) {
        let output = installation.run(arguments, address).await;
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!output.status.success(), "{arguments:?} with {address}: {printed}");
        assert!(printed.contains("storage is unavailable"), "{arguments:?} with {address}: {printed}");
        let logged = std::fs::read_to_string(installation.path("log")).unwrap_or_default();
        for (where_to, text) in [("prints", &printed), ("logs", &logged)] {
            assert!(!text.contains(SECRET), "{arguments:?} with {address} {where_to} {text}");
        }
    }
}

#[tokio::test]
async fn doctor_names_an_address_for_sessions_at_which_no_server_answers() {
    let output = Installation::new().await.run(&["doctor"], ADDRESSES[0]).await;
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    for line in [
        "ok    database     answers",
        "fail  sessions     storage is unavailable",
        "fix: check that the server of database.session_url runs and that name and password are right",
    ] {
        assert!(printed.contains(line), "{line} in {printed}");
    }
}

#[tokio::test]
async fn doctor_names_a_standby_at_which_no_server_answers_without_its_password() {
    let standby = [("TRADEPOST_DATABASE__READ_URL", ADDRESSES[0])];
    let output = Installation::new().await.run_with(&["doctor"], &standby).await;
    let printed = String::from_utf8(output.stdout).unwrap();
    for line in [
        "ok    database     answers",
        "warn  standby      storage is unavailable: no answer within 1 s",
        "fix: check that database.read_url names a standby of the primary",
    ] {
        assert!(printed.contains(line), "{line} in {printed}");
    }
    assert!(!printed.contains(SECRET), "{printed}");
}

#[tokio::test]
async fn doctor_prints_the_password_of_no_address_of_a_standby() {
    let installation = Installation::new().await;
    for address in ADDRESSES {
        let output = installation.run_with(&["doctor"], &[("TRADEPOST_DATABASE__READ_URL", address)]).await;
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let logged = std::fs::read_to_string(installation.path("log")).unwrap_or_default();
        assert!(printed.contains("database"), "{address}: {printed}");
        for (where_to, text) in [("prints", &printed), ("logs", &logged)] {
            assert!(!text.contains(SECRET), "with {address} it {where_to} {text}");
        }
    }
}
