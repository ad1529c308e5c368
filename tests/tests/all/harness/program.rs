//! The program, as its users run it.

use std::path::{Path, PathBuf};

/// Where it is: it is next to the tests once it is built, unless the test command names another one.
#[expect(clippy::disallowed_methods, reason = "the test command names another program in this variable")]
pub(crate) fn program() -> PathBuf {
    if let Some(named) = std::env::var_os("TRADEPOST_BIN") {
        return named.into();
    }
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).map(|folder| folder.join("tradepost")).unwrap_or_default();
    let advice = "`cargo xtask test` builds it; for this package alone run `cargo build -p tradepost` first";
    assert!(Path::new(&program).is_file(), "there is no program {}: {advice}", program.display());
    program
}
