//! The connection options that both databases share.

use std::time::Duration;

use log::LevelFilter;
use sea_orm::ConnectOptions;

/// Statements that take longer are logged as warnings, without their values.
pub(crate) const SLOW: Duration = Duration::from_millis(200);
/// Prepared statements kept for each connection, those that were used last. All texts but those of commits on PostgreSQL are fewer. Such a
/// commit has a text for each number of records that it writes of a kind, and one that was not used for long is prepared again.
pub(crate) const STATEMENTS_KEPT: usize = 256;

/// Disables the log of statements, except for slow ones.
pub(crate) fn quiet(options: &mut ConnectOptions) -> &mut ConnectOptions {
    options
        .sqlx_logging(true)
        .sqlx_logging_level(LevelFilter::Off)
        .sqlx_slow_statements_logging_settings(LevelFilter::Warn, SLOW)
        .record_stmt_in_spans(false)
}
