//! The log: where its lines go and how they look. Set up once, before anything is worth a line.

use std::fs::OpenOptions;
use std::io::{IsTerminal as _, stderr};
use std::sync::Arc;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::writer::BoxMakeWriter;

use crate::failure::Outcome;
use crate::settings::{Loaded, LogFormat};

/// Begins to log as the settings say, first of all what was strange about them.
pub(crate) fn begin(loaded: &Loaded) -> Outcome {
    let log = &loaded.settings.log;
    let refused = |why: String| {
        let rule = format!("cannot be {:?}: {why}", log.level);
        loaded
            .wrong("log.level", rule, "a level: off, error, warn, info, debug, trace")
            .with_try("or levels by module, such as info,tradepost::access=warn")
    };
    // The filter takes a word that is no level for the name of a module, and would then log nothing at all.
    if let Some(word) =
        log.level.split(',').find(|part| !part.contains('=') && part.trim().parse::<LevelFilter>().is_err())
    {
        return Err(refused(format!("{word:?} is no level")));
    }
    let filter = EnvFilter::try_new(&log.level).map_err(|error| refused(error.to_string()))?;
    let on_terminal = log.file.is_none() && stderr().is_terminal();
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(on_terminal).with_writer(writer(loaded)?);
    match log.format {
        LogFormat::Text => lines.init(),
        LogFormat::Auto if on_terminal => lines.init(),
        LogFormat::Json | LogFormat::Auto => lines.json().flatten_event(true).with_span_list(false).init(),
    }
    for warning in &loaded.warnings {
        tracing::warn!("{warning}");
    }
    Ok(())
}

fn writer(loaded: &Loaded) -> Outcome<BoxMakeWriter> {
    let Some(path) = &loaded.settings.log.file else { return Ok(BoxMakeWriter::new(stderr)) };
    // Each line is one write to a file opened for appending, so that lines of several processes do not mix.
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(|error| {
        let rule = format!("names {}, which cannot be written: {error}", path.display());
        loaded.wrong("log.file", rule, "make its folder, or let this user write there")
    })?;
    Ok(BoxMakeWriter::new(Arc::new(file)))
}
