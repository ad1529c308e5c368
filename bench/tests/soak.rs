//! The soak at a size for every run of the tests: the nightly one is `cargo xtask nightly --only soak`.

use std::process::Command;

/// Without optimisation a purchase takes a tenth of a second of a processor, from its listing to the end of its sale.
const SMALL: &[&str] = &["--purchases", "100", "--kills", "2", "--seed", "7"];
const ON_SQLITE: &[&str] = &["--purchases", "250", "--kills", "5", "--seed", "7"];
/// The first kill leaves a node away until the other one has taken its leases.
const ON_POSTGRES: &[&str] =
    &["--purchases", "150", "--kills", "3", "--seed", "7", "--database", "postgres", "--nodes", "2"];

#[track_caller]
fn assert_adds_up(size: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let soak = Command::new(env!("CARGO_BIN_EXE_tradepost-bench"))
        .arg("soak")
        .args(size)
        .arg("--folder")
        .arg(folder.path().join("soak"))
        .output()
        .unwrap();
    let (printed, errors) = (String::from_utf8_lossy(&soak.stdout), String::from_utf8_lossy(&soak.stderr));
    assert!(soak.status.success(), "{printed}\n{errors}");
}

#[test]
fn after_faults_and_two_kills_everything_adds_up() {
    assert_adds_up(SMALL);
}

/// `cargo xtask nightly` runs it.
mod long {
    use super::{ON_POSTGRES, ON_SQLITE, assert_adds_up};

    #[test]
    fn after_every_fault_and_five_kills_everything_adds_up() {
        assert_adds_up(ON_SQLITE);
    }

    #[test]
    fn everything_adds_up_when_two_nodes_on_postgresql_are_killed_three_times() {
        assert_adds_up(ON_POSTGRES);
    }
}
