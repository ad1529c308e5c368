//! What the schema and the program have that a database which is split by homes cannot offer, or offers only within one of its places.

use std::collections::BTreeSet;
use std::path::Path;

use super::HOMES;
use crate::support::{column, postgres};

const SEARCHED: &str = "it is found without its workspace, so that no two workspaces may have the same";
const POSITIONS: &str = "the positions of changes are one sequence over all workspaces";
const NOTICES: &str = "a notice only saves time: without it, a caller is remembered for 5 s";

/// Unique indexes without the home of their rows.
const INDEXES: &[(&str, &str)] = &[
    ("api_keys_digest", SEARCHED),
    ("audit_waiting_pkey", "events of all logs are chained in the order of their ids"),
    ("memberships_invitation_token", SEARCHED),
    ("transition_places_pkey", POSITIONS),
    ("transitions_waiting_pkey", POSITIONS),
];

/// Triggers that read the rows which a statement has changed.
const TRIGGERS: &[(&str, &str)] = &[
    ("audit_chain_ends_the_wait", "an event waits until it is chained, whatever writes it"),
    ("audit_events_wait", "an event waits until it is chained, whatever writes it"),
    ("transitions_await_a_place", "a change waits for its position, whatever writes it"),
];

const WAITING: &str = "it waits for its number, whatever writes it";

/// Triggers that do more than refuse a change.
const EFFECTS: &[(&str, &str)] = &[
    ("api_keys_tell_of_rights", NOTICES),
    ("audit_chain_ends_the_wait", WAITING),
    ("audit_events_wait", WAITING),
    ("memberships_tell_of_rights", NOTICES),
    ("sessions_take_along", "what belongs to a session is deleted with it, whatever deletes it"),
    ("sessions_tell_of_rights", NOTICES),
    ("transitions_await_a_place", WAITING),
    ("users_tell_of_rights", NOTICES),
];

const SEQUENCES: &[(&str, &str)] = &[("transition_places_position_seq", POSITIONS)];

/// Functions of the schema that notify, lock or draw numbers.
const FUNCTIONS: &[(&str, &str)] = &[("tell_of_rights", NOTICES)];

/// Files of the program that listen, or take locks that the database knows by a number.
const FILES: &[(&str, &str)] = &[
    ("clearing.rs", "one process clears, and one reads feeds; a second one costs only calls"),
    ("migrate/postgres.rs", "one process changes the schema at a time"),
    ("moving/target.rs", "one process moves data into a database at a time"),
    ("postgres/rights.rs", NOTICES),
    ("read/transitions.rs", POSITIONS),
];

fn assert_only(found: &BTreeSet<String>, listed: &[(&str, &str)]) {
    let names: BTreeSet<String> = listed.iter().map(|(name, _)| (*name).to_owned()).collect();
    let new: Vec<_> = found.difference(&names).collect();
    assert!(new.is_empty(), "do without {new:?}, or add the reason for which it cannot be done otherwise");
    for (name, why) in listed {
        assert!(found.contains(*name), "nothing needs this exception now, so remove it: {name} ({why})");
    }
}

/// The names that a query of the catalogue returns.
async fn names(query: &str) -> BTreeSet<String> {
    column(&postgres().await.place.connect().await, 0, query).await.into_iter().collect()
}

/// Adds the files of a folder with one of these words, by their paths from the first folder.
fn find(root: &Path, folder: &Path, words: &[&str], found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(root, &path, words, found);
        } else if words.iter().any(|word| std::fs::read_to_string(&path).unwrap().contains(word)) {
            found.insert(path.strip_prefix(root).unwrap().display().to_string());
        }
    }
}

#[tokio::test]
async fn every_unique_index_of_rows_with_a_home_contains_it() {
    let query = format!(
        "{HOMES} SELECT i.relname::text FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid \
         JOIN homes h ON h.id = x.indrelid WHERE x.indisunique AND NOT h.number = ANY (x.indkey)"
    );
    assert_only(&names(&query).await, INDEXES);
}

#[tokio::test]
async fn no_trigger_reads_the_rows_of_its_statement() {
    let query = "SELECT tgname::text FROM pg_trigger \
                 WHERE NOT tgisinternal AND coalesce(tgnewtable, tgoldtable) IS NOT NULL";
    assert_only(&names(query).await, TRIGGERS);
}

#[tokio::test]
async fn every_trigger_does_nothing_but_refuse_changes() {
    let query = "SELECT tgname::text FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid \
                 WHERE NOT tgisinternal AND p.proname <> 'refuse_change'";
    assert_only(&names(query).await, EFFECTS);
}

#[tokio::test]
async fn no_row_is_numbered_by_a_sequence() {
    let query = "SELECT relname::text FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace";
    assert_only(&names(query).await, SEQUENCES);
}

#[tokio::test]
async fn no_function_of_the_schema_notifies_or_locks() {
    let query = "SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace \
                 AND prosrc ~* 'notify|advisory|nextval'";
    assert_only(&names(query).await, FUNCTIONS);
}

#[test]
fn no_further_part_of_the_program_listens_or_locks() {
    let (root, mut found) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), BTreeSet::new());
    find(&root, &root, &["advisory_", "PgListener"], &mut found);
    assert_only(&found, FILES);
}
