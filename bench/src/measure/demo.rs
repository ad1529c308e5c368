//! From process start to the line of the demo, which it prints once its sample data is made.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::Context as _;

use crate::measure::Run;
use crate::report::{Figure, Report, Target, Unit, median};

pub(super) fn measure(run: &Run, report: &mut Report) -> anyhow::Result<()> {
    let mut took = Vec::new();
    for _ in 0..run.rounds.max(3) {
        let begun = Instant::now();
        let mut demo = Demo::spawn(&run.places.tradepost)?;
        demo.until_ready()?;
        took.push(begun.elapsed().as_secs_f64() * 1e3);
        demo.stop()?;
    }
    let slowest = took.iter().copied().fold(0.0, f64::max);
    report.add(Figure {
        what: "demo: start to its line".to_owned(),
        target: Target::AtMost(3_000.0),
        value: median(took),
        unit: Unit::Milliseconds,
        details: format!("slowest {slowest:.0} ms"),
    });
    Ok(())
}

/// A demo in an empty folder; killed when dropped.
struct Demo(Child);

impl Demo {
    fn spawn(tradepost: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(tradepost);
        command.args(["demo", "--quiet", "--listen", "127.0.0.1:0"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        Ok(Self(command.spawn().context("cannot start the demo")?))
    }

    /// Waits for its line.
    fn until_ready(&mut self) -> anyhow::Result<()> {
        let mut line = String::new();
        let printed = self.0.stdout.take().context("the demo has no output")?;
        BufReader::new(printed).read_line(&mut line)?;
        anyhow::ensure!(line.contains("baseUrl"), "the demo ended before it was ready, or printed {line:?}");
        Ok(())
    }

    /// Asks it to end, and waits until it has removed its folder.
    fn stop(mut self) -> anyhow::Result<()> {
        Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status()?;
        let ended = self.0.wait()?;
        anyhow::ensure!(ended.success(), "the demo ended with {ended}");
        Ok(())
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // It may have ended already; that is what is wanted.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
