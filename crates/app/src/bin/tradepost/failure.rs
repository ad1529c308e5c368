//! How a command fails: what happened, why, what to try, and the exit code that scripts read.
//!
//! Every error that a person at the terminal can meet becomes a [`Failure`]; nothing else ends a command.

use std::fmt;
use std::process::ExitCode;

/// The exit codes, those of `sysexits.h` where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did not work.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A dry run found something to do, and was to report it.
    Pending = 3,
    /// Something that it needs cannot be reached (`EX_UNAVAILABLE`).
    Unavailable = 69,
    /// It is not allowed (`EX_NOPERM`).
    Denied = 77,
    /// A setting is wrong (`EX_CONFIG`).
    Config = 78,
    /// It was asked twice to stop: 128 and the number of SIGTERM, as shells count.
    Killed = 143,
}

/// The end of a command that did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    what: String,
    why: Option<String>,
    tries: Vec<String>,
    /// The reason that the server named.
    reason: Option<String>,
}

/// What a command answers.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// A failure with the sentence that says what happened.
    pub(crate) fn new(exit: Exit, what: impl Into<String>) -> Self {
        Self { exit, what: what.into(), why: None, tries: Vec::new(), reason: None }
    }

    /// Why it happened.
    #[must_use]
    pub(crate) fn because(self, why: impl fmt::Display) -> Self {
        Self { why: Some(why.to_string()), ..self }
    }

    /// Something to do about it.
    #[must_use]
    pub(crate) fn with_try(mut self, advice: impl Into<String>) -> Self {
        self.tries.push(advice.into());
        self
    }

    /// The reason that the server named.
    #[must_use]
    pub(crate) fn with_reason(self, reason: Option<String>) -> Self {
        Self { reason, ..self }
    }

    /// Whether the server named this reason.
    pub(crate) fn has_reason(&self, reason: &str) -> bool {
        self.reason.as_deref() == Some(reason)
    }

    /// Whether it ends with this code.
    pub(crate) fn is(&self, exit: Exit) -> bool {
        self.exit == exit
    }

    /// What happened and why, in one line.
    pub(crate) fn in_short(&self) -> String {
        self.why.as_ref().map_or_else(|| self.what.clone(), |why| format!("{}: {why}", self.what))
    }

    /// The first thing to do about it.
    pub(crate) fn first_try(&self) -> Option<&str> {
        self.tries.first().map(String::as_str)
    }

    /// The same for a command that did what it was asked all the same.
    pub(crate) fn as_warning(&self) -> String {
        self.to_string().replacen("error: ", "warning: ", 1)
    }

    /// The code for the shell.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit as u8)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.what)?;
        if let Some(why) = &self.why {
            write!(f, "\n  why: {why}")?;
        }
        self.tries.iter().try_for_each(|advice| write!(f, "\n  try: {advice}"))
    }
}

/// The causes of an error in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_why_and_what_to_try() {
        let failure = Failure::new(Exit::Unavailable, "cannot listen on 127.0.0.1:8080: address already in use")
            .because("another process holds the port")
            .with_try("tradepost --listen 127.0.0.1:8081");
        assert_eq!(
            failure.to_string(),
            "error: cannot listen on 127.0.0.1:8080: address already in use\n  why: another process holds the port\n  \
             try: tradepost --listen 127.0.0.1:8081"
        );
    }
}
