//! `sim run`: days of trading in a world of its own, and our ledger next to the world's.

use crate::command::{Ended, Place};

fn run(arguments: &[&str]) -> Ended {
    Place::new().run(&[&["sim", "run"], arguments].concat())
}

#[test]
fn money_that_is_missing_without_a_reason_is_found_by_the_ledger() {
    let ended = run(&["--scenario", "balance_drift", "--days", "1", "-o", "json"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let report = ended.json();
    let csv = run(&["--scenario", "balance_drift", "--days", "1", "-o", "csv"]).stdout;
    assert_eq!(csv.lines().last(), Some("books,difference,-700"), "{csv}");
    assert_eq!(report["problems"], serde_json::json!({ "BALANCE_MISMATCH": 1 }), "{report}");
    // One unit of the currency every three hours.
    let difference = report["marketplaceCents"].as_i64().unwrap() - report["oursCents"].as_i64().unwrap();
    assert_eq!((difference, &report["equal"]), (-700, &serde_json::json!(false)), "{report}");
    assert_eq!(
        ended.stderr,
        "error: ledger and marketplace differ\n  why: the marketplace has 7.00 less than our ledger\n"
    );
}

#[test]
fn every_scenario_is_reported_and_no_other_is_taken() {
    let listed = Place::new().run(&["sim", "scenarios", "-o", "json"]).expect_success().json();
    assert_eq!(listed["scenarios"].as_array().unwrap().len(), 34);
    let ended = run(&["--scenario", "doomsday"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("[possible values: calm, "), "{}", ended.stderr);
}

/// Days of trading, a minute each: `cargo xtask nightly` runs them.
mod long {
    use super::run;

    #[test]
    fn a_run_of_everything_that_can_go_wrong_ends_with_equal_books_and_can_be_repeated() {
        // In less than six days not all of it has struck.
        let arguments = ["--scenario", "everything", "--seed", "7", "--days", "6"];
        let first = run(&arguments).expect_success();
        let lines: Vec<&str> = first.stdout.lines().collect();
        assert!(lines.iter().any(|line| line.starts_with("capital") && line.contains("-10000.00")), "{}", first.stdout);
        assert!(lines.iter().any(|line| line.starts_with("purchases")), "{}", first.stdout);
        assert!(lines.last().unwrap().ends_with("equal"), "{}", first.stdout);
        assert_eq!(first.stderr, "");
        assert_eq!(run(&arguments).stdout, first.stdout);
    }

    #[test]
    fn deals_in_another_currency_are_in_our_books_what_they_were_there_by_their_rates() {
        let report =
            run(&["--scenario", "foreign", "--seed", "7", "--days", "4", "-o", "json"]).expect_success().json();
        assert_eq!(report["equal"], serde_json::json!(true), "{report}");
        for status in ["TRADED", "REFUNDED"] {
            assert!(report["purchases"][status].as_i64().is_some_and(|count| count > 0), "{report}");
        }
    }

    #[test]
    fn what_the_platform_has_lost_is_reported_as_a_problem_and_the_books_are_equal() {
        let report = run(&["--scenario", "rollback_failed", "--days", "6", "-o", "json"]).expect_success().json();
        assert_eq!(report["equal"], serde_json::json!(true), "{report}");
        let owed = report["purchases"]["REFUND_PENDING"].as_i64().unwrap();
        assert!(owed > 0 && report["problems"]["PAID_NOT_DELIVERED"] == owed, "{report}");
    }

    #[test]
    fn at_a_marketplace_that_works_otherwise_the_books_are_equal() {
        for scenario in ["custody", "announcement_refused"] {
            let report = run(&["--scenario", scenario, "--days", "6", "-o", "json"]).expect_success().json();
            assert_eq!(report["equal"], serde_json::json!(true), "{report}");
            assert!(report["purchases"]["TRADED"].as_i64().is_some_and(|traded| traded > 0), "{report}");
        }
    }
}
