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
        self.print(!quiet && stderr().is_terminal(), line);
    }

    /// The same for sample data, of which nothing has to be kept from a file.
    pub(crate) fn show_anywhere(&self, quiet: bool, line: &Value) {
        self.print(!quiet, line);
    }

    fn print(&self, for_people: bool, line: &Value) {
        if for_people {
            anstream::eprintln!("tradepost {}\n{}", env!("TRADEPOST_VERSION"), self.0.join("\n"));
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
