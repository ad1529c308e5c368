//! The soak at the size of continuous integration: the one of every night is `cargo xtask soak`.

use std::process::Command;

/// What the nightly run does with 100,000 purchases and 50 kills.
const SIZE: [&str; 6] = ["--purchases", "2000", "--kills", "5", "--seed", "7"];

#[test]
fn after_every_fault_and_five_kills_everything_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let soak = Command::new(env!("CARGO_BIN_EXE_tradepost-bench"))
        .arg("soak")
        .args(SIZE)
        .arg("--folder")
        .arg(folder.path().join("soak"))
        .output()
        .unwrap();
    let (said, complained) = (String::from_utf8_lossy(&soak.stdout), String::from_utf8_lossy(&soak.stderr));
    assert!(soak.status.success(), "{said}\n{complained}");
}
