//! What a server says when it is up: for people on stderr, for programs one line of JSON on stdout.

use std::io::{IsTerminal as _, Write as _, stderr, stdout};

use serde_json::Value;

/// The text for people, line by line.
#[derive(Debug, Default)]
pub(crate) struct Banner(Vec<String>);

impl Banner {
    /// A line with a name in front.
    pub(crate) fn fact(&mut self, name: &str, value: &str) {
        self.0.push(format!("  {name:<9}{value}"));
    }

    /// A paragraph, indented.
    pub(crate) fn text(&mut self, text: &str) {
        self.0.push(String::new());
        self.0.extend(text.lines().map(|line| format!("  {line}")));
    }

    /// Shows it, unless `--quiet` is set or stderr is not a terminal, and prints the line when stdout is read by a program.
    pub(crate) fn show(&self, quiet: bool, line: &Value) {
        // What goes into a file stays there, and a first start shows a key.
        self.print(Self::is_on_terminal(quiet), line);
    }

    /// Whether a person sees it on a terminal.
    pub(crate) fn is_on_terminal(quiet: bool) -> bool {
        !quiet && stderr().is_terminal()
    }

    /// The same for sample data, of which nothing has to be kept from a file.
    pub(crate) fn show_anywhere(&self, quiet: bool, line: &Value) {
        self.print(!quiet, line);
    }

    /// The lines that are shown.
    pub(crate) fn lines(&self) -> Vec<String> {
        let version = format!("tradepost {}", env!("TRADEPOST_VERSION"));
        std::iter::once(version).chain(self.0.iter().cloned()).collect()
    }

    /// Checks that nothing scrolls out of a small terminal, and that no line is broken in it.
    #[cfg(test)]
    pub(crate) fn assert_fits_a_screen(lines: &[String]) {
        assert!(lines.len() <= 24, "{} lines:\n{}", lines.len(), lines.join("\n"));
        for line in lines {
            assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
        }
    }

    fn print(&self, for_people: bool, line: &Value) {
        if for_people {
            anstream::eprintln!("{}", self.lines().join("\n"));
        }
        if !stdout().is_terminal() {
            let mut out = stdout().lock();
            // A reader that has left does not matter to a server.
            if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
                tracing::debug!("stdout has no reader");
            }
        }
    }
}
