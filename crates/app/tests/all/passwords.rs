//! The database's password is printed by no command, however wrong its address is, and however much is logged.

use std::thread;

use crate::command::Place;

const SECRET: &str = "Tr0ub4dor";
/// Nothing listens there.
const ADDRESSES: [&str; 15] = [
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
];
const COMMANDS: [&[&str]; 5] =
    [&["--listen", "127.0.0.1:0"], &["doctor"], &["migrate"], &["backup", "copy.db"], &["key", "list"]];

#[test]
fn no_command_prints_the_password_of_a_database_that_it_cannot_use() {
    thread::scope(|scope| {
        for arguments in COMMANDS {
            scope.spawn(move || {
                let place = Place::new();
                for address in ADDRESSES {
                    let mut command = place.command(arguments);
                    command.env("TRADEPOST_DATABASE__URL", address).env("TRADEPOST_LOG__LEVEL", "trace");
                    let output = command.env("TRADEPOST_LOG__FILE", place.path("log")).output().unwrap();
                    // Of PostgreSQL a backup is made by its own program, which the command only names.
                    assert!(arguments[0] == "backup" || !output.status.success(), "{arguments:?} with {address}");
                    let printed = [output.stdout, output.stderr].concat();
                    let printed = String::from_utf8_lossy(&printed).into_owned();
                    let logged = std::fs::read_to_string(place.path("log")).unwrap_or_default();
                    assert!(!printed.contains(SECRET), "{arguments:?} with {address} prints {printed}");
                    assert!(!logged.contains(SECRET), "{arguments:?} with {address} logs {logged}");
                }
            });
        }
    });
}
