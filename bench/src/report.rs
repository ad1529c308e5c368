//! What was found: a table for the terminal, and the same for `docs/benchmarks.md`.

use std::fmt::{self, Write as _};
use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// A run writes what is between these in `docs/benchmarks.md`.
const BEGIN: &str = "<!-- figures: written by `cargo xtask bench --record` -->";
const END: &str = "<!-- end of figures -->";

/// What a figure should be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
}

/// What a figure counts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    Ratio,
    Milliseconds,
    Megabytes,
    PerSecond,
}

/// One figure.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) target: Target,
    pub(crate) value: f64,
    pub(crate) unit: Unit,
    /// The measurements behind it.
    pub(crate) details: String,
}

/// Everything that was found, and what could not be measured.
#[derive(Debug, Default)]
pub(crate) struct Report {
    figures: Vec<Figure>,
    skipped: Vec<String>,
}

impl Report {
    /// Notes a figure and shows it at once.
    pub(crate) fn add(&mut self, figure: Figure) {
        eprintln!("  {figure}");
        self.figures.push(figure);
    }

    /// Notes why something was not measured.
    pub(crate) fn skip(&mut self, why: String) {
        eprintln!("  skipped: {why}");
        self.skipped.push(why);
    }

    /// Whether every target that was measured is met.
    pub(crate) fn is_met(&self) -> bool {
        self.figures.iter().all(|figure| figure.verdict() != "NOT MET")
    }

    /// The figures as a table of Markdown.
    pub(crate) fn table(&self) -> String {
        let mut table = "| what | target | figure | | measured |\n|---|---|---|---|---|\n".to_owned();
        for figure in &self.figures {
            let (what, details) = (&figure.what, &figure.details);
            let (target, value) = (figure.unit.target(figure.target), figure.unit.show(figure.value));
            // Writing to a string cannot fail.
            let _ = writeln!(table, "| {what} | {target} | **{value}** | {} | {details} |", figure.verdict());
        }
        for why in &self.skipped {
            let _ = writeln!(table, "| {why} | | not measured | | |");
        }
        table
    }

    /// Puts the table into the document, in the place of the one before.
    ///
    /// # Errors
    /// When the document has no place for it.
    pub(crate) fn record(&self, document: &Path, circumstances: &str) -> anyhow::Result<()> {
        let text = fs::read_to_string(document)?;
        let (before, rest) = text.split_once(BEGIN).context("the document has no place for figures")?;
        let (_, after) = rest.split_once(END).context("the place for figures does not end")?;
        let table = self.table();
        fs::write(document, format!("{before}{BEGIN}\n\n{circumstances}\n\n{table}\n{END}{after}"))?;
        Ok(())
    }
}

impl Unit {
    fn show(self, value: f64) -> String {
        match self {
            Self::Ratio => format!("{value:.2}"),
            Self::Milliseconds => format!("{value:.0} ms"),
            Self::Megabytes => format!("{value:.0} MB"),
            Self::PerSecond => format!("{value:.0}/s"),
        }
    }

    fn target(self, target: Target) -> String {
        match target {
            Target::AtLeast(least) => format!("≥ {}", self.show(least)),
            Target::AtMost(most) => format!("≤ {}", self.show(most)),
        }
    }
}

impl Figure {
    fn verdict(&self) -> &'static str {
        let met = match self.target {
            Target::AtLeast(least) => self.value >= least,
            Target::AtMost(most) => self.value <= most,
        };
        if met { "met" } else { "NOT MET" }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, target) = (self.unit.show(self.value), self.unit.target(self.target));
        write!(f, "{:8} {:60} {value:>8}  {target:10} {}", self.verdict(), self.what, self.details)
    }
}

/// The middle one of some values; the mean of the two in the middle where their number is even.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = |from_end: usize| values.get((values.len().saturating_sub(from_end)) / 2).copied().unwrap_or(f64::NAN);
    f64::midpoint(middle(1), middle(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_value() {
        assert!((median([3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median([4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < f64::EPSILON);
    }

    #[test]
    fn a_figure_on_the_wrong_side_of_its_target_is_not_met() {
        let figure =
            |target| Figure { what: String::new(), target, value: 0.5, unit: Unit::Ratio, details: String::new() };
        assert_eq!(figure(Target::AtLeast(0.6)).verdict(), "NOT MET");
        assert_eq!(figure(Target::AtLeast(0.5)).verdict(), "met");
        assert_eq!(figure(Target::AtMost(0.4)).verdict(), "NOT MET");
    }
}
