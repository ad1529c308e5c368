//! The password in an address for sessions with PostgreSQL, where the database itself answers.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

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

#[tokio::test]
async fn no_command_prints_the_password_of_an_address_for_sessions_that_nobody_answers_at() {
    let (place, folder) = (Place::new(Database::Postgres).await, tempfile::tempdir().unwrap());
    let (log, root_secret) = (folder.path().join("log"), folder.path().join("root-secret"));
    std::fs::write(&root_secret, [7; 32]).unwrap();
    std::fs::set_permissions(&root_secret, Permissions::from_mode(0o600)).unwrap();
    for (arguments, address) in COMMANDS.iter().flat_map(|command| ADDRESSES.map(|address| (command, address))) {
        let mut command = Command::new(program());
        command.args(*arguments).current_dir(&folder).env_clear().stdin(Stdio::null()).kill_on_drop(true);
        command.env("TRADEPOST_SECRET__ROOT_FILE", &root_secret);
        command.env("TRADEPOST_DATABASE__URL", place.url()).env("TRADEPOST_DATABASE__SESSION_URL", address);
        command
            .env("TRADEPOST_DATABASE__POOLER", "transaction")
            .env("TRADEPOST_DATABASE__ACQUIRE_TIMEOUT_SECONDS", "1");
        let output =
            command.env("TRADEPOST_LOG__LEVEL", "trace").env("TRADEPOST_LOG__FILE", &log).output().await.unwrap();
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!output.status.success(), "{arguments:?} with {address}: {printed}");
        assert!(printed.contains("storage is unavailable"), "{arguments:?} with {address}: {printed}");
        let logged = std::fs::read_to_string(&log).unwrap_or_default();
        for (where_to, text) in [("prints", &printed), ("logs", &logged)] {
            assert!(!text.contains(SECRET), "{arguments:?} with {address} {where_to} {text}");
        }
    }
}
