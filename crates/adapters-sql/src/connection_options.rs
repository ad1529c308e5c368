//! The connection options that both databases share.

use std::time::Duration;

use log::LevelFilter;
use sea_orm::ConnectOptions;

/// Statements that take longer are logged as warnings, without their values.
pub(crate) const SLOW: Duration = Duration::from_millis(200);
/// Prepared statements kept for each connection; there are fewer different texts than that.
pub(crate) const STATEMENTS_KEPT: usize = 256;

/// Disables the log of statements, except for slow ones.
pub(crate) fn quiet(options: &mut ConnectOptions) -> &mut ConnectOptions {
    options
        .sqlx_logging(true)
        .sqlx_logging_level(LevelFilter::Off)
        .sqlx_slow_statements_logging_settings(LevelFilter::Warn, SLOW)
        .record_stmt_in_spans(false)
}
