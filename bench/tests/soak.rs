//! The soak at a size for every run of the tests: the one of every night is `cargo xtask soak --purchases 100000 --kills 50`.

use std::process::Command;

/// Without optimisation a purchase takes a tenth of a second of a processor, from its listing to the end of its sale.
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
