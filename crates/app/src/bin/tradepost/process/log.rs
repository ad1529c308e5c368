//! The log: where its lines go and how they look. Set up once, before anything is worth a line.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal as _, Write, stderr};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anstream::{AutoStream, ColorChoice};
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::SubscriberBuilder;
use tracing_subscriber::fmt::format::{DefaultFields, Format};
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::{EnvFilter, reload};

use crate::banner::Banner;
use crate::failure::{Exit, Failure, Outcome};
use crate::live_display::LogAboveDisplay;
use crate::settings::{Loaded, Log as LogSettings, LogFormat};

/// What is written to the file in one go while lines come faster than the disk takes them.
const BUFFER: usize = 64 * 1024;
/// What is logged above the display of a demo: each call that succeeds would push it off the screen.
const ABOVE_DISPLAY: &str = "info,tradepost::access=warn";
/// What the driver logs of each of its connections is a line a call in an outage, which has a line of its own.
const NO_CONNECTIONS: &str = "sqlx_core::pool=off";
/// What a server logs of its database while it starts: no statement, however slow. Those of a new schema are slow, and say nothing to an
/// operator. Later a slow statement is a warning.
const NO_STATEMENTS: &str = "sqlx=error";
/// What a person who sees the banner of a start sees of the log.
const BELOW_BANNER: &str = "warn";

/// The log while it is written. To be kept until the process ends: dropping it writes the lines that wait.
#[must_use]
pub(crate) struct Log {
    _to_file: Option<WorkerGuard>,
    reloading: Reloading,
}

/// What can change about the log while it is written.
#[derive(Clone)]
pub(crate) struct Reloading {
    levels: Levels,
    file: Option<LogFile>,
}

/// Begins to log as the settings say, first of all what was strange about them.
pub(crate) fn begin(loaded: &Loaded) -> Outcome<Log> {
    let log = &loaded.settings.log;
    let on_terminal = log.file.is_none() && stderr().is_terminal();
    let with_colours = on_terminal && AutoStream::choice(&stderr()) != ColorChoice::Never;
    let filter = filter(loaded)?;
    let (writer, to_file, file) = writer(loaded)?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(with_colours)
        .with_writer(writer)
        // It would report an unwritable line on stderr, and panic where stderr has no reader.
        .log_internal_errors(false);
    let levels = match log.format {
        LogFormat::Text => as_text(lines),
        LogFormat::Auto if on_terminal => as_text(lines),
        LogFormat::Json | LogFormat::Auto => {
            let lines = lines.json().flatten_event(true).with_span_list(false).with_filter_reloading();
            let levels = levels(lines.reload_handle());
            lines.init();
            levels
        }
    };
    for warning in &loaded.warnings {
        tracing::warn!("{warning}");
    }
    Ok(Log { _to_file: to_file, reloading: Reloading { levels, file } })
}

type Levels = Arc<dyn Fn(EnvFilter) -> Result<(), reload::Error> + Send + Sync>;

fn as_text(lines: SubscriberBuilder<DefaultFields, Format, EnvFilter, BoxMakeWriter>) -> Levels {
    let lines = lines.with_filter_reloading();
    let levels = levels(lines.reload_handle());
    lines.init();
    levels
}

fn levels<S: 'static>(handle: reload::Handle<EnvFilter, S>) -> Levels {
    Arc::new(move |filter| handle.reload(filter))
}

impl Log {
    /// What is needed to change it.
    pub(crate) fn reloading(&self) -> Reloading {
        self.reloading.clone()
    }

    /// Begins a start. Until its end no statement of the database is written, and where a person sees its banner, only warnings: the banner
    /// has what a start logs. At a level that an operator has chosen nothing is left out.
    pub(crate) fn begin_start(&self, loaded: &Loaded, quiet: bool) -> Outcome<Start> {
        let log = &loaded.settings.log;
        let is_seen = Banner::is_on_terminal(quiet) && log.file.is_none();
        let levels = while_starting(&log.level, is_seen);
        if let Some(levels) = &levels {
            self.reloading.set_levels(EnvFilter::new(levels))?;
        }
        Ok(Start { quiet, is_seen, hushed: levels.map(|_| self.reloading.clone()) })
    }
}

/// What is logged while a server starts, unless an operator has chosen a level.
fn while_starting(level: &str, is_seen: bool) -> Option<String> {
    let least = if is_seen { BELOW_BANNER } else { level };
    (level == LogSettings::default().level).then(|| format!("{least},{NO_STATEMENTS},{NO_CONNECTIONS}"))
}

/// What a start writes for people.
#[must_use]
pub(crate) struct Start {
    /// Whether it shows neither banner nor progress.
    pub(crate) quiet: bool,
    /// Whether a person sees its banner.
    is_seen: bool,
    hushed: Option<Reloading>,
}

impl Start {
    /// From now on every line of the settings' level is written.
    pub(crate) fn end(self, loaded: &Loaded) -> Outcome {
        self.hushed.map_or(Ok(()), |reloading| reloading.set_levels(filter(loaded)?))
    }

    /// The same where a display follows the banner.
    pub(crate) fn end_with_display(self) -> Outcome {
        let level = LogSettings::default().level;
        let levels = if self.is_seen { ABOVE_DISPLAY.to_owned() } else { format!("{level},{NO_CONNECTIONS}") };
        self.hushed.map_or(Ok(()), |reloading| reloading.set_levels(EnvFilter::new(levels)))
    }
}

impl Reloading {
    /// Takes the level of these settings, and opens the file again: it may have been moved away to begin another one.
    pub(crate) fn again(&self, loaded: &Loaded) -> Outcome {
        self.set_levels(filter(loaded)?)?;
        match (&self.file, &loaded.settings.log.file) {
            (Some(file), Some(path)) => file.replace(open(loaded, path)?),
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => {
                tracing::warn!("whether the log is written to a file is changed by a restart alone");
            }
        }
        Ok(())
    }

    fn set_levels(&self, filter: EnvFilter) -> Outcome {
        let refused = |error| Failure::new(Exit::Failed, "the level of the log was not changed").because(error);
        (self.levels)(filter).map_err(refused)
    }
}

/// The file that is written at the moment.
#[derive(Clone)]
struct LogFile(Arc<Mutex<File>>);

impl LogFile {
    fn replace(&self, by: File) {
        *self.current() = by;
    }

    fn current(&self) -> MutexGuard<'_, File> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.current().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.current().flush()
    }
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
    // The filter takes a word that is not a log level for the name of a module, and would then log nothing at all.
    let mut directives = level.split(',');
    let filter = match directives.find(|part| !part.contains('=') && part.trim().parse::<LevelFilter>().is_err()) {
        Some(word) => return Err(refused(format!("{word:?} is not a log level"))),
        None if !level.contains("sqlx") => EnvFilter::try_new(format!("{level},{NO_CONNECTIONS}")),
        None => EnvFilter::try_new(level),
    };
    filter.map_err(|error| refused(error.to_string()))
}

/// Lines to the file are written by a thread of their own, so that no call waits for the disk. When that thread cannot
/// keep up, calls wait rather than lose lines.
fn writer(loaded: &Loaded) -> Outcome<(BoxMakeWriter, Option<WorkerGuard>, Option<LogFile>)> {
    let Some(path) = &loaded.settings.log.file else { return Ok((BoxMakeWriter::new(|| LogAboveDisplay), None, None)) };
    let file = LogFile(Arc::new(Mutex::new(open(loaded, path)?)));
    let buffered = BufWriter::with_capacity(BUFFER, file.clone());
    let (lines, to_file) = NonBlockingBuilder::default().lossy(false).finish(buffered);
    Ok((BoxMakeWriter::new(lines), Some(to_file), Some(file)))
}

fn open(loaded: &Loaded, path: &Path) -> Outcome<File> {
    OpenOptions::new().create(true).append(true).open(path).map_err(|error| {
        let rule = format!("names {}, which cannot be written: {error}", path.display());
        loaded.wrong("log.file", rule, "make its folder, or let this user write there")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_logs_no_statement_unless_an_operator_has_chosen_a_level() {
        assert_eq!(while_starting("info", true).unwrap(), "warn,sqlx=error,sqlx_core::pool=off");
        assert_eq!(while_starting("info", false).unwrap(), "info,sqlx=error,sqlx_core::pool=off");
        assert_eq!(while_starting("debug", true), None);
        assert_eq!(while_starting("info,sqlx=debug", false), None);
    }
}
