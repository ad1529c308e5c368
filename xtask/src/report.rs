//! What a run of several steps says: a heading before each step, and one table at the end. It runs no step itself.

use std::fmt;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How one step ended.
pub(crate) enum Outcome {
    Passed,
    /// Why it failed, in a few words; the details are above the table.
    Failed(String),
    /// What was missing, so that the step is not taken for done.
    Skipped(String),
}

/// The steps so far, each with its outcome and time.
#[derive(Default)]
pub(crate) struct Report {
    entries: Vec<Entry>,
}

struct Entry {
    name: &'static str,
    outcome: Outcome,
    took: Duration,
}

impl Report {
    /// Runs `step` and notes how it ended; an error is a failure, and the next steps still run.
    pub(crate) fn step(&mut self, name: &'static str, step: impl FnOnce() -> anyhow::Result<Outcome>) {
        eprintln!("\n==> {name}");
        let begun = Instant::now();
        let outcome = step().unwrap_or_else(|error| Outcome::Failed(format!("{error:#}")));
        self.entries.push(Entry { name, outcome, took: begun.elapsed() });
    }

    /// Whether no step was skipped.
    pub(crate) fn is_complete(&self) -> bool {
        !self.entries.iter().any(|entry| matches!(entry.outcome, Outcome::Skipped(_)))
    }

    /// Prints the table; the exit code is a failure when any step failed.
    pub(crate) fn finish(self) -> ExitCode {
        self.finish_with(&[])
    }

    /// Prints the table with these lines behind it; the exit code is a failure when any step failed.
    pub(crate) fn finish_with(self, lines: &[String]) -> ExitCode {
        println!("\n{}", self.text(lines));
        let failed = self.entries.iter().any(|entry| matches!(entry.outcome, Outcome::Failed(_)));
        if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    /// The table, these lines, and at the very end what was not checked, so that it is seen.
    fn text(&self, lines: &[String]) -> String {
        let total: Duration = self.entries.iter().map(|entry| entry.took).sum();
        let mut text: Vec<String> = self.entries.iter().map(ToString::to_string).collect();
        text.push(format!("in all{:38.1} s", total.as_secs_f64()));
        text.extend_from_slice(lines);
        let skipped = self.entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Skipped(_)));
        let skipped: Vec<&str> = skipped.map(|entry| entry.name).collect();
        if !skipped.is_empty() {
            text.push(format!("\n{} NOT CHECKED: {}", skipped.len(), skipped.join("; ")));
        }
        text.join("\n")
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, reason) = match &self.outcome {
            Outcome::Passed => ("passed", ""),
            Outcome::Failed(reason) => ("FAILED", reason.as_str()),
            Outcome::Skipped(reason) => ("SKIPPED", reason.as_str()),
        };
        let line = format!("{word:8} {:28} {:6.1} s  {reason}", self.name, self.took.as_secs_f64());
        f.write_str(line.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_fails_the_run_and_the_next_step_still_runs() {
        let mut report = Report::default();
        report.step("first", || Ok(Outcome::Failed("broken".to_owned())));
        let mut second_ran = false;
        report.step("second", || {
            second_ran = true;
            Ok(Outcome::Passed)
        });
        assert!(second_ran);
        assert_eq!(report.finish(), ExitCode::FAILURE);
    }

    #[test]
    fn an_error_in_a_step_fails_the_run() {
        let mut report = Report::default();
        report.step("first", || anyhow::bail!("no such tool"));
        assert_eq!(report.finish(), ExitCode::FAILURE);
    }

    #[test]
    fn a_skipped_step_is_shown_with_its_reason_and_does_not_fail_the_run() {
        let outcome = Outcome::Skipped("buf is not installed".to_owned());
        let entry = Entry { name: "proto lint", outcome, took: Duration::ZERO };
        assert!(entry.to_string().starts_with("SKIPPED"));
        assert!(entry.to_string().ends_with("buf is not installed"));
        let report = Report { entries: vec![entry] };
        assert!(!report.is_complete() && Report::default().is_complete());
        assert_eq!(report.finish(), ExitCode::SUCCESS);
    }

    #[test]
    fn what_was_not_checked_is_the_last_line() {
        let entry = |name, outcome| Entry { name, outcome, took: Duration::from_secs(30) };
        let entries = vec![entry("book", Outcome::Skipped("no mdBook".to_owned())), entry("tests", Outcome::Passed)];
        let text = Report { entries }.text(&["nightly  soak".to_owned()]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[2].starts_with("in all") && lines[2].ends_with("60.0 s"), "{text}");
        assert_eq!(lines[3..], ["nightly  soak", "", "1 NOT CHECKED: book"]);
    }
}
