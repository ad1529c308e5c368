//! Purchases in bulk at a size for every run of the tests, and `doctor --deep` on them: the nightly one is
//! `cargo xtask nightly --only doctor`, with a million.
#![cfg(feature = "books")]

use std::path::Path;
use std::process::Command;

use tradepost_adapters_sql::{DatabaseSettings, PostgresSettings, SqlStore, SqliteSettings};

const PURCHASES: u64 = 20_000;

fn write_books(folder: &Path, database: &str) {
    let purchases = PURCHASES.to_string();
    let written = Command::new(env!("CARGO_BIN_EXE_tradepost-bench"))
        .args(["books", "--purchases", &purchases, "--database", database, "--folder"])
        .arg(folder)
        .output()
        .unwrap();
    let (said, complained) = (String::from_utf8_lossy(&written.stdout), String::from_utf8_lossy(&written.stderr));
    assert!(written.status.success(), "{said}\n{complained}");
}

/// The same as its users see it, with the check of the audit log, for which the root secret is needed.
fn the_program_finds_nothing_wrong(folder: &Path, database: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_tradepost-bench")).with_file_name("tradepost");
    let examined = Command::new(program)
        .args(["doctor", "--deep", "--database", database])
        .current_dir(folder)
        .env_clear()
        .env("TRADEPOST_SECRET__ROOT_FILE", folder.join("root-secret"))
        .output()
        .unwrap();
    let (said, complained) = (String::from_utf8_lossy(&examined.stdout), String::from_utf8_lossy(&examined.stderr));
    assert!(examined.status.success(), "{said}\n{complained}");
    for check in ["ok    audit ", "ok    rights ", "ok    purchases    20000 "] {
        assert!(said.contains(check), "{check} in {said}");
    }
}

async fn nothing_is_wrong(settings: DatabaseSettings) {
    let store = SqlStore::open(settings).await.unwrap();
    assert_eq!(store.check_records(|_| ()).await.unwrap().findings, Vec::<String>::new());
    assert_eq!(store.verify_chains(|_| ()).await.unwrap().findings, Vec::<String>::new());
    assert_eq!(store.check_counters().await.unwrap(), []);
    assert_eq!(store.check_contracts(|_| ()).await.unwrap().findings, []);
    let books = store.check_books(|_| ()).await.unwrap();
    assert_eq!(books.findings, []);
    assert!(books.entries > 3 * PURCHASES, "{books:?}");
    assert_eq!(store.check_sums(|_| ()).await.unwrap(), []);
    let purchases = store.check_purchases(|_| ()).await.unwrap();
    assert_eq!((purchases.purchases, purchases.findings), (PURCHASES, Vec::new()));
    assert_eq!(store.check_rights(|_| ()).await.unwrap().findings, []);
    store.close().await.unwrap();
}

#[tokio::test]
async fn twenty_thousand_purchases_are_looked_at_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tradepost.db");
    let url = format!("sqlite://{}", file.display());
    write_books(folder.path(), &url);
    nothing_is_wrong(DatabaseSettings::Sqlite(SqliteSettings::at(&file))).await;
    the_program_finds_nothing_wrong(folder.path(), &url);
}

#[tokio::test]
async fn twenty_thousand_purchases_are_looked_at_on_postgres() {
    let folder = tempfile::tempdir().unwrap();
    #[expect(clippy::disallowed_methods, reason = "where the server of the tests is")]
    let server = std::env::var("TRADEPOST_TEST_POSTGRES").expect("TRADEPOST_TEST_POSTGRES names a server");
    let name = format!("test_books_{}", std::process::id());
    let (client, connection) = tokio_postgres::connect(&server, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
    let (address, _) = server.rsplit_once('/').unwrap();
    let url = format!("{address}/{name}");
    write_books(folder.path(), &url);
    nothing_is_wrong(DatabaseSettings::Postgres(PostgresSettings::at(url.clone()))).await;
    the_program_finds_nothing_wrong(folder.path(), &url);
    client.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await.unwrap();
}
