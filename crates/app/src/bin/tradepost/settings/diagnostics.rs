//! Turning what the settings library says into a failure that names key, origin and remedy.

use std::path::Path;

use figment::error::Kind;
use figment::{Error, Metadata, Source};

use crate::failure::{Exit, Failure};

/// How alike two names must be, from 0 to 1, to suppose that one was meant for the other.
const ALIKE: f64 = 0.8;

/// The failure of a value that cannot be read.
pub(super) fn failure(error: &Error) -> Failure {
    let key = error.path.join(".");
    let origin = error.metadata.as_ref().map(origin);
    let (what, advice) = match &error.kind {
        Kind::UnknownField(name, known) => {
            let section = error.path.split_last().map_or(&[][..], |(_, section)| section).join(".");
            (format!("there is no setting {}", dotted(&section, name)), suggestion(&section, name, known))
        }
        Kind::UnknownVariant(given, known) => {
            (format!("setting {key} cannot be {given:?}"), format!("one of: {}", known.join(", ")))
        }
        Kind::InvalidType(given, expected) | Kind::InvalidValue(given, expected) => (
            format!("setting {key} must be {expected}, not {given}"),
            format!("correct {key} there, or remove it to get the default"),
        ),
        Kind::Message(_)
        | Kind::InvalidLength(..)
        | Kind::MissingField(_)
        | Kind::DuplicateField(_)
        | Kind::ISizeOutOfRange(_)
        | Kind::USizeOutOfRange(_)
        | Kind::Unsupported(_)
        | Kind::UnsupportedKey(..) => {
            (format!("setting {key}: {}", error.kind), format!("correct {key} there, or remove it to get the default"))
        }
    };
    let failure = Failure::new(Exit::Config, what).with_try(advice);
    match origin {
        Some(origin) => failure.because(format!("it comes from {origin}")),
        None => failure,
    }
}

/// Where a value came from, in words.
pub(super) fn origin(metadata: &Metadata) -> String {
    match &metadata.source {
        Some(Source::File(path)) => format!("the file {}", display(path)),
        _ => metadata.name.to_string(),
    }
}

/// The name that was probably meant.
pub(super) fn did_you_mean<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    let scored = known.iter().map(|name| (strsim::jaro_winkler(given, name), *name));
    scored.filter(|(score, _)| *score >= ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

fn suggestion(section: &str, given: &str, known: &[&str]) -> String {
    match did_you_mean(given, known) {
        Some(meant) => format!("did you mean {}?", dotted(section, meant)),
        None if section.is_empty() => format!("the sections are: {}", known.join(", ")),
        None => format!("the settings of {section} are: {}", known.join(", ")),
    }
}

/// The name of a setting or section with that of the section that it is in.
pub(super) fn dotted(section: &str, name: &str) -> String {
    if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") }
}

fn display(path: &Path) -> String {
    path.display().to_string()
}
