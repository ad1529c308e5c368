//! Who may call what: every operation by every kind of caller, against a table that was written from the design and not from the
//! program.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::callers::{CALLERS, Crowd};
use crate::cases::{self, Case};
use crate::descriptor;
use crate::harness::{Answer, Database, Mould, World};

/// A row for each operation, a column for each caller: `u` unauthenticated, `d` denied, `s` asked for a second factor, `a`
/// admitted, whatever becomes of the call then.
const TABLE: &str = include_str!("matrix.csv");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_read_admits_whom_the_table_names_and_nobody_else() {
    let crowd = Crowd::gathered(World::new(Database::Sqlite).await).await;
    let mut wrong = String::new();
    for (case, row) in rows().into_iter().filter(|(case, _)| descriptor::is_read(case.method)) {
        let request = case.ready(&crowd.world).await;
        let mut seen = String::new();
        for caller in 0..CALLERS.len() {
            seen.push(outcome(&crowd.call(caller, case.method, &request).await));
        }
        compare(&case, &row, &seen, &mut wrong);
    }
    assert!(wrong.is_empty(), "not as the table says:\n{wrong}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_mutation_admits_whom_the_table_names_and_nobody_else() {
    let (mould, mut wrong) = (Mould::of(Database::Sqlite).await, String::new());
    for (case, row) in rows().into_iter().filter(|(case, _)| !descriptor::is_read(case.method)) {
        let crowd = Crowd::gathered(mould.cast().await).await;
        let request = case.ready(&crowd.world).await;
        let mut seen = vec![' '; CALLERS.len()];
        let expected: Vec<char> = row.chars().collect();
        // Who is refused changes nothing; so all of them share a world, and come before who does.
        let (admitted, refused): (Vec<_>, Vec<_>) =
            (0..CALLERS.len()).partition(|caller| expected.get(*caller) == Some(&'a'));
        for caller in refused.into_iter().chain(admitted) {
            seen[caller] = outcome(&crowd.call(caller, case.method, &request).await);
            if expected.get(caller).is_some_and(|expected| *expected != seen[caller]) {
                // Somebody who was admitted may have changed what this caller is.
                let crowd = Crowd::gathered(mould.cast().await).await;
                let request = case.ready(&crowd.world).await;
                seen[caller] = outcome(&crowd.call(caller, case.method, &request).await);
            }
        }
        compare(&case, &row, &seen.into_iter().collect::<String>(), &mut wrong);
    }
    assert!(wrong.is_empty(), "not as the table says:\n{wrong}");
}

#[test]
fn the_table_has_a_row_for_each_operation_and_a_column_for_each_caller() {
    let mut lines = TABLE.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[1..], CALLERS);
    let methods: Vec<&str> = lines.map(|line| line.split(',').next().unwrap()).collect();
    let mut described: Vec<String> = descriptor::methods().iter().map(|method| method.name().to_owned()).collect();
    described.sort();
    assert_eq!(methods, described);
    assert!(methods.len() * CALLERS.len() >= 1_500, "{} cases", methods.len() * CALLERS.len());
}

/// The cases with what is expected of each caller; nothing for an operation without a row.
fn rows() -> Vec<(Case, String)> {
    let mut expected: BTreeMap<&str, String> = TABLE
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap())
        .map(|(method, row)| (method, row.replace(',', "")))
        .collect();
    cases::all()
        .into_iter()
        .map(|case| (expected.remove(case.method).unwrap_or_default(), case))
        .map(|(row, case)| (case, row))
        .collect()
}

fn outcome(answer: &Answer) -> char {
    if answer.status == 200 {
        return 'a';
    }
    let (status, _, reason) = answer.refusal();
    assert!(status < 500, "{answer:?}");
    match reason.as_str() {
        "UNAUTHENTICATED" => 'u',
        "PERMISSION_DENIED" => 'd',
        "STEP_UP_REQUIRED" => 's',
        _ => 'a',
    }
}

fn compare(case: &Case, expected: &str, seen: &str, wrong: &mut String) {
    if expected != seen {
        let row = seen.chars().map(String::from).collect::<Vec<_>>().join(",");
        writeln!(wrong, "{},{row}", case.method).unwrap();
    }
}
