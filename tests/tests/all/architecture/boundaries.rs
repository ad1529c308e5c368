//! What is only in its own layer.

use std::fs;
use std::path::Path;

use super::imports::Imports;
use super::{TextFile, assert_none, lines_with, repository, rust_files};

const CONNECT: &str = "crates/adapters-connect";

/// What is generated of the protos.
const PROTO: &str = "crates/proto";
/// Tests of the transport make the users that call it.
const WIRE_TESTS: &str = "crates/adapters-connect/src/wire_tests";
const SQL: &str = "crates/adapters-sql";
const COMMIT: &str = "crates/operations/src/commit.rs";
const ENGINE: &str = "crates/engine/src";
const WINGS: [&str; 5] = ["audit", "market", "orders", "sales", "settlement"];
/// State of a wing that other wings receive as an argument, or find in one.
const LENT_TYPES: [&str; 6] = ["CachedContract", "Market", "MarketState", "Orders", "OwnListings", "Sales"];
/// What assembles the wings, and the chores that look at two of them.
const ABOVE_THE_WINGS: [&str; 2] = ["crates/engine/src/engine.rs", "crates/engine/src/maintenance.rs"];

fn files_where(keep: impl Fn(&TextFile) -> bool) -> Vec<TextFile> {
    let files: Vec<TextFile> = rust_files().into_iter().filter(keep).collect();
    assert!(!files.is_empty(), "no file is looked at: the check looks in the wrong place");
    files
}

#[test]
fn the_domain_does_no_io_and_never_waits() {
    let reaching_out = [
        "async ",
        ".await",
        "std::fs",
        "std::io",
        "std::env",
        "std::process",
        "std::thread",
        "net::Tcp",
        "net::Udp",
        "ToSocketAddrs",
    ];
    let domain = files_where(|file| file.is_in("crates/domain/src"));
    assert_none("the domain is pure", &lines_with(&domain, &reaching_out));
}

#[test]
fn sql_is_only_in_its_adapter() {
    let statements = ["SELECT ", "INSERT INTO ", "DELETE FROM ", "CREATE TABLE ", "ALTER TABLE ", "PRAGMA "];
    // Tests of the program look at the files that it leaves as another program would.
    let from_outside = "crates/app/tests";
    let elsewhere = files_where(|file| file.is_in("crates") && !file.is_in(SQL) && !file.is_in(from_outside));
    assert_none("SQL is in adapters-sql", &lines_with(&elsewhere, &statements));
}

#[test]
fn proto_types_are_only_in_their_adapter() {
    let names = ["buffa::", "buffa_types::", "connectrpc::", "prost::", "tonic::include_proto", "tradepost_proto::"];
    // Steam has messages of its own.
    let has_them = |file: &TextFile| [CONNECT, PROTO, "crates/adapters-steam"].iter().any(|folder| file.is_in(folder));
    let elsewhere = files_where(|file| file.is_in("crates") && !has_them(file));
    assert_none("proto types stay in adapters-connect", &lines_with(&elsewhere, &names));
}

#[test]
fn nothing_from_the_network_acts_as_the_system() {
    let transport = files_where(|file| file.is_in(CONNECT) && !file.is_in(WIRE_TESTS));
    assert_none(
        "a request acts as its caller; the system is for the engine, the command line and embedders",
        &lines_with(&transport, &["Principal::System", "Caller::system"]),
    );
}

/// The methods of the port of storage when this was last counted. A split of its files must not hide any of them.
const KNOWN_METHODS_OF_STORAGE: usize = 296;
/// The methods that may be new since then. A number that is long out of date would hide a part that is not read.
const MOST_NEW_METHODS: usize = 10;

/// Every method of storage as `path: name(parameters`, without its comments.
fn methods_of_storage() -> Vec<String> {
    let is_of_storage =
        |file: &TextFile| file.is_in("crates/ports/src/store.rs") || file.is_in("crates/ports/src/store");
    files_where(is_of_storage).iter().flat_map(async_methods).collect()
}

fn async_methods(file: &TextFile) -> Vec<String> {
    let code: Vec<&str> = file.code().map(|(_, line)| line.trim()).collect();
    let code = code.join(" ");
    let signatures = code.split("async fn ").skip(1).filter_map(|rest| rest.split_once("->"));
    signatures.map(|(signature, _)| format!("{}: {signature}", file.path.display())).collect()
}

fn takes_a_bare_workspace(method: &str) -> bool {
    method.split(|char: char| !char.is_alphanumeric()).any(|word| word == "WorkspaceId" || word == "OfWorkspace")
}

#[test]
fn every_method_of_storage_is_looked_at() {
    let found = methods_of_storage().len();
    assert!(found >= KNOWN_METHODS_OF_STORAGE, "found only {found}: a part is not read");
    assert!(found <= KNOWN_METHODS_OF_STORAGE + MOST_NEW_METHODS, "found {found}: set the known number to it");
}

#[test]
fn a_read_takes_a_scope_and_never_a_bare_workspace() {
    let offences: Vec<String> =
        methods_of_storage().into_iter().filter(|method| takes_a_bare_workspace(method)).collect();
    assert_none("only an authorised caller can make a WorkspaceScope, so reads ask for one", &offences);
}

#[test]
fn a_read_of_a_bare_workspace_is_found_in_every_form() {
    let text = "
        pub trait Reads {
            async fn one(&self, scope: WorkspaceScope, id: PoolId) -> StoreResult<Pool>;
            async fn two(
                &self,
                // WorkspaceId
                of: OfWorkspace<PoolId>,
            ) -> StoreResult<Vec<Pool>>;
            async fn three(&self, ids: &[(WorkspaceId, PoolId)]) -> StoreResult<u64> {
                self.count(ids).await
            }
        }";
    let methods = async_methods(&TextFile { path: "any.rs".into(), text: text.to_owned() });
    let found: Vec<bool> = methods.iter().map(|method| takes_a_bare_workspace(method)).collect();
    assert_eq!(found, [false, true, true], "{methods:?}");
}

#[test]
fn operations_commit_in_one_place() {
    let elsewhere = files_where(|file| file.is_in("crates/operations/src") && file.path != Path::new(COMMIT));
    assert_none("an operation writes by `self.commit`", &lines_with(&elsewhere, &["store.commit("]));
}

/// The imports by which a file of the engine takes more of a wing, to which it does not belong, than the state that it is lent.
fn sideways_imports(file: &TextFile) -> Vec<String> {
    let own_wing = WINGS.into_iter().find(|wing| {
        let folder = format!("{ENGINE}/{wing}");
        file.is_in(&folder) || file.path == Path::new(&format!("{folder}.rs"))
    });
    let imports = Imports::of(&file.text);
    let paths = imports.used.iter().map(|import| &import.path).chain(&imports.inline);
    let is_sideways = |path: &&Vec<String>| match path.as_slice() {
        [root, wing, .., last] if root == "crate" && WINGS.contains(&wing.as_str()) => {
            let is_lent = own_wing.is_some() && LENT_TYPES.contains(&last.as_str());
            own_wing != Some(wing.as_str()) && !is_lent
        }
        _ => false,
    };
    paths.filter(is_sideways).map(|path| format!("{}: {}", file.path.display(), path.join("::"))).collect()
}

#[test]
fn wings_of_the_engine_import_of_each_other_only_the_state_that_they_are_lent() {
    let below =
        files_where(|file| file.is_in(ENGINE) && !ABOVE_THE_WINGS.iter().any(|above| file.path == Path::new(above)));
    let offences: Vec<String> = below.iter().flat_map(sideways_imports).collect();
    assert_none("a wing gets what it needs of another as an argument, or from what both may import", &offences);
}

#[test]
fn a_sideways_import_is_found_in_every_form() {
    let found = |path: &str, text: &str| {
        sideways_imports(&TextFile { path: Path::new(ENGINE).join(path), text: text.to_owned() }).len()
    };
    assert_eq!(found("settlement/delivery.rs", "use crate::sales::delisting::release_item;"), 1);
    assert_eq!(found("orders.rs", "use crate::sales::{Sales, delisting::{A, b}};"), 2);
    assert_eq!(found("context.rs", "fn f() { crate::market::buying::g() }"), 1);
    assert_eq!(found("context/leases.rs", "use crate::market::Market;"), 1, "the context is below the wings");
    assert_eq!(found("orders/submission.rs", "use crate::market::state::MarketState;\nuse crate::orders::a::b;"), 0);
}

#[test]
fn appended_tables_are_locked_by_triggers_on_both_databases() {
    let mut offences = Vec::new();
    for (database, locks) in [
        ("sqlite", ["BEFORE UPDATE ON ", "BEFORE DELETE ON "].as_slice()),
        ("postgres", ["BEFORE UPDATE OR DELETE ON ", "BEFORE TRUNCATE ON "].as_slice()),
    ] {
        let schema = schema(database);
        for table in [
            "asset_id_links",
            "audit_chain",
            "audit_events",
            "contract_versions",
            "equity_marks",
            "filter_set_versions",
            "ledger_entries",
            "transitions",
        ] {
            let missing = locks.iter().filter(|lock| !schema.contains(&format!("{lock}{table}\n")));
            offences.extend(missing.map(|lock| format!("{database}: no trigger {lock}{table}")));
        }
    }
    assert_none("what is appended is never changed", &offences);
}

fn schema(database: &str) -> String {
    let folder = repository().join(SQL).join("migrations").join(database);
    let files = fs::read_dir(folder).expect("the database has migrations");
    files.map(|file| fs::read_to_string(file.expect("it can be read").path()).expect("it is text")).collect()
}
