//! The log: where its lines go and how they look. Set up once, before anything is worth a line.

use std::fs::OpenOptions;
use std::io::{BufWriter, IsTerminal as _, stderr};

use anstream::{AutoStream, ColorChoice};
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::writer::BoxMakeWriter;

use crate::failure::Outcome;
use crate::screen::Above;
use crate::settings::{Loaded, LogFormat};

/// What is written to the file in one go while lines come faster than the disk takes them.
const BUFFER: usize = 64 * 1024;

/// The log while it is written. To be kept until the process ends: dropping it writes the lines that wait.
#[must_use]
pub(crate) struct Log {
    _to_file: Option<WorkerGuard>,
}

/// Begins to log as the settings say, first of all what was strange about them.
pub(crate) fn begin(loaded: &Loaded) -> Outcome<Log> {
    let log = &loaded.settings.log;
    let on_terminal = log.file.is_none() && stderr().is_terminal();
    let with_colours = on_terminal && AutoStream::choice(&stderr()) != ColorChoice::Never;
    let filter = filter(loaded)?;
    let (writer, to_file) = writer(loaded)?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(with_colours)
        .with_writer(writer)
        // It would tell of a line that cannot be written on stderr, and panic where nobody reads that any more.
        .log_internal_errors(false);
    match log.format {
        LogFormat::Text => lines.init(),
        LogFormat::Auto if on_terminal => lines.init(),
        LogFormat::Json | LogFormat::Auto => lines.json().flatten_event(true).with_span_list(false).init(),
    }
    for warning in &loaded.warnings {
        tracing::warn!("{warning}");
    }
    Ok(Log { _to_file: to_file })
}

/// Which lines are written, by `log.level`.
pub(crate) fn filter(loaded: &Loaded) -> Outcome<EnvFilter> {
    let level = &loaded.settings.log.level;
    let refused = |why: String| {
        let rule = format!("cannot be {level:?}: {why}");
        loaded
            .wrong("log.level", rule, "a level: off, error, warn, info, debug, trace")
            .with_try("or levels by module, such as info,tradepost::access=warn")
    };
    // The filter takes a word that is no level for the name of a module, and would then log nothing at all.
    let mut directives = level.split(',');
    match directives.find(|part| !part.contains('=') && part.trim().parse::<LevelFilter>().is_err()) {
        Some(word) => Err(refused(format!("{word:?} is no level"))),
        None => EnvFilter::try_new(level).map_err(|error| refused(error.to_string())),
    }
}

/// Lines to the file are written by a thread of their own, so that no call waits for the disk. When that thread cannot
/// keep up, calls wait rather than lose lines.
fn writer(loaded: &Loaded) -> Outcome<(BoxMakeWriter, Option<WorkerGuard>)> {
    let Some(path) = &loaded.settings.log.file else { return Ok((BoxMakeWriter::new(|| Above), None)) };
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(|error| {
        let rule = format!("names {}, which cannot be written: {error}", path.display());
        loaded.wrong("log.file", rule, "make its folder, or let this user write there")
    })?;
    let (lines, to_file) = NonBlockingBuilder::default().lossy(false).finish(BufWriter::with_capacity(BUFFER, file));
    Ok((BoxMakeWriter::new(lines), Some(to_file)))
}
