//! The commands that describe a desk in a file, or in answers to questions.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Apply {
    /// The file, TOML or JSON; - reads standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// With --dry-run: end with 3 when something would change
    #[arg(long, requires = "dry_run")]
    pub(crate) exit_code: bool,
}

#[derive(Debug, Args)]
pub(crate) struct NewContract {
    /// Append the contract to a desk file instead of creating it
    #[arg(long, value_name = "FILE")]
    pub(crate) write: Option<PathBuf>,
}
