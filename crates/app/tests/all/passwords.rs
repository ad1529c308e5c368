//! The database's password is printed by no command, however wrong its address is, and however much is logged.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use crate::command::Place;
use crate::filled_demo;

const SECRET: &str = "Tr0ub4dor";
/// Nothing listens there.
const ADDRESSES: [&str; 21] = [
    "postgres://app:Tr0ub4dor@127.0.0.1:9/tp",
    "postgresql://app:Tr0ub4dor@127.0.0.1:9/tp",
    "postgres://app:Tr0ub4dor@[::1/tp",
    "postgres://app:Tr0ub4dor@127.0.0.1:port/tp",
    "postgres://app:Tr0ub4dor@127.0.0.1:99999/tp",
    "postgres://app:Tr0ub4dor/1@127.0.0.1:9/tp",
    "postgres://app:9/Tr0ub4dor@127.0.0.1:9/tp",
    "postgres://app:9#Tr0ub4dor@127.0.0.1:9/tp",
    "postgres://app:9?Tr0ub4dor@127.0.0.1:9/tp",
    "postgres://app:%ffTr0ub4dor@127.0.0.1:9/tp",
    "postgres://app:Tr0ub4dor",
    "postgres://app@127.0.0.1:9/tp?pasword=Tr0ub4dor",
    "postgres://app@127.0.0.1:9/tp?sslmode=Tr0ub4dor",
    "mysql://app:Tr0ub4dor@127.0.0.1:9/tp",
    "Postgres://app:Tr0ub4dor@127.0.0.1:9/tp",
    // Of several servers.
    "postgres://app:Tr0ub4dor@127.0.0.1:9,127.0.0.1:10/tp",
    "postgres://app:Tr0ub4dor@127.0.0.1:9,127.0.0.1:port/tp",
    "postgres://app:Tr0ub4dor@127.0.0.1:9,[::1/tp",
    "postgres://app:Tr0ub4dor,1@127.0.0.1:9,127.0.0.1:10/tp",
    "postgres://app@127.0.0.1:9,app:Tr0ub4dor@127.0.0.1:10/tp",
    "postgres://app@127.0.0.1:9,127.0.0.1:10/tp?sslmode=Tr0ub4dor",
];
const COMMANDS: [&[&str]; 11] = [
    &["--listen", "127.0.0.1:0"],
    &["doctor"],
    &["migrate"],
    &["backup", "copy.db"],
    &["restore", "copy.db"],
    &["move", "kept/tradepost.db"],
    &["key", "list"],
    &["user", "list"],
    &["user", "show", "ada@example.com"],
    &["user", "create", "ada@example.com", "--name", "Ada"],
    &["user", "reset-password", "ada@example.com"],
];

/// The root secret of a command. One that moves data looks at the file before it connects, and the file needs its own.
fn root_secret_for(arguments: &[&str], place: &Place) -> PathBuf {
    if arguments[0] == "move" {
        filled_demo::keep(place);
        return place.path("kept/root-secret");
    }
    let root_secret = place.path("root-secret");
    std::fs::write(&root_secret, [7; 32]).unwrap();
    std::fs::set_permissions(&root_secret, Permissions::from_mode(0o600)).unwrap();
    root_secret
}

/// Runs every command with every address in its settings, and looks for the password in what it prints and logs.
fn assert_kept_secret(with_address: fn(&mut Command, &str)) {
    thread::scope(|scope| {
        for arguments in COMMANDS {
            scope.spawn(move || {
                let place = Place::new();
                let root_secret = root_secret_for(arguments, &place);
                for address in ADDRESSES {
                    let mut command = place.command(arguments);
                    with_address(&mut command, address);
                    command.env("TRADEPOST_SECRET__ROOT_FILE", &root_secret);
                    command.env("TRADEPOST_DATABASE__ACQUIRE_TIMEOUT_SECONDS", "1");
                    command.env("TRADEPOST_LOG__LEVEL", "trace").env("TRADEPOST_LOG__FILE", place.path("log"));
                    let output = command.output().unwrap();
                    // Of PostgreSQL a backup is made by its own program, which the command only names.
                    assert!(arguments[0] == "backup" || !output.status.success(), "{arguments:?} with {address}");
                    let printed = [output.stdout, output.stderr].concat();
                    let printed = String::from_utf8_lossy(&printed).into_owned();
                    let logged = std::fs::read_to_string(place.path("log")).unwrap_or_default();
                    assert!(!printed.contains("belongs to the root secret"), "{arguments:?} ends too early: {printed}");
                    assert!(!printed.contains(SECRET), "{arguments:?} with {address} prints {printed}");
                    assert!(!logged.contains(SECRET), "{arguments:?} with {address} logs {logged}");
                }
            });
        }
    });
}

#[test]
fn no_command_prints_the_password_of_a_database_that_it_cannot_use() {
    assert_kept_secret(|command, address| {
        command.env("TRADEPOST_DATABASE__URL", address);
    });
}

#[test]
fn no_command_prints_the_password_of_an_address_for_sessions_that_it_cannot_use() {
    assert_kept_secret(|command, address| {
        command.env("TRADEPOST_DATABASE__URL", "postgres://app@127.0.0.1:9/tp");
        command.env("TRADEPOST_DATABASE__SESSION_URL", address).env("TRADEPOST_DATABASE__POOLER", "transaction");
    });
}

#[test]
fn no_command_prints_the_password_of_a_standby_that_it_cannot_use() {
    assert_kept_secret(|command, address| {
        command.env("TRADEPOST_DATABASE__URL", "postgres://app@127.0.0.1:9/tp");
        command.env("TRADEPOST_DATABASE__READ_URL", address);
    });
}
