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

    /// Prints the table; the exit code is a failure when any step failed.
    pub(crate) fn finish(self) -> ExitCode {
        println!();
        for entry in &self.entries {
            println!("{entry}");
        }
        let skipped = self.entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Skipped(_)));
        let skipped: Vec<&str> = skipped.map(|entry| entry.name).collect();
        if !skipped.is_empty() {
            println!("\n{} NOT CHECKED: {}", skipped.len(), skipped.join("; "));
        }
        let failed = self.entries.iter().any(|entry| matches!(entry.outcome, Outcome::Failed(_)));
        if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
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
        assert_eq!(Report { entries: vec![entry] }.finish(), ExitCode::SUCCESS);
    }
}
