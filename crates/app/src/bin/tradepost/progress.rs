//! Bars that show how far something long has come.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// A bar on stderr that disappears when it is dropped. Nothing is shown if stderr is not a terminal, or with `--quiet`.
pub(crate) fn bar(quiet: bool, length: u64, template: &str) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(length), target).with_style(style).with_finish(ProgressFinish::AndClear)
}
