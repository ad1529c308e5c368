//! `tradepost doctor`: looks for what is wrong with an installation, and says how to put it right. It changes nothing,
//! and answers within seconds however much there is; `--deep` reads everything.

mod backups;
mod checks;
mod files;
mod latest;
mod root_secrets;
mod walk;

use serde_json::{Value, json};
use tradepost::ports::store::StoreError;

use crate::assembly::RESTORE;
use crate::cli::Console;
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;
use crate::settings::Loaded;

use walk::Walk;

const DEEPER: &str = "tradepost doctor --deep looks at all";

/// What a check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Ok,
    Warn,
    Fail,
}

/// One thing that was looked at.
#[derive(Debug)]
struct Check {
    name: &'static str,
    verdict: Verdict,
    found: String,
    fix: Option<String>,
}

/// Looks at what can go wrong, or at everything. Ends with a failure if a check fails; a warning is none.
pub(crate) async fn run(loaded: Loaded, is_deep: bool, console: Console) -> Outcome {
    let walk = is_deep.then(|| Walk::begin(console.quiet));
    let checks = checks::all(&loaded, walk.as_ref()).await;
    drop(walk);
    let failed = checks.iter().filter(|check| check.verdict == Verdict::Fail).count();
    let text: Vec<String> = checks.iter().map(Check::lines).collect();
    let shapes: Vec<Value> = checks.iter().map(Check::shape).collect();
    output_format::say(console.output, &text.join("\n"), &json!({ "ok": failed == 0, "checks": shapes }));
    match failed {
        0 => Ok(()),
        1 => Err(Failure::new(Exit::Failed, "one check failed")),
        several => Err(Failure::new(Exit::Failed, format!("{several} checks failed"))),
    }
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

impl Check {
    fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Ok, found: found.into(), fix: None }
    }

    fn warn(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Warn, found: found.into(), fix: Some(fix.into()) }
    }

    fn fail(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Fail, found: found.into(), fix: Some(fix.into()) }
    }

    /// A problem that stops a command stops the installation as well, and has the same remedy.
    fn failed(name: &'static str, failure: &Failure) -> Self {
        Self::fail(name, failure.in_short(), failure.first_try().unwrap_or("correct what it names"))
    }

    fn unreadable(name: &'static str, error: &StoreError) -> Self {
        Self::fail(name, error.to_string(), RESTORE)
    }

    fn lines(&self) -> String {
        let fix = self.fix.as_ref().map(|fix| format!("\n      fix: {fix}")).unwrap_or_default();
        format!("{:<5} {:<12} {}{fix}", self.verdict.name(), self.name, self.found)
    }

    fn shape(&self) -> Value {
        json!({ "name": self.name, "status": self.verdict.name(), "found": self.found, "fix": self.fix })
    }
}
