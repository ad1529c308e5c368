//! Lines at the end of the terminal that are drawn again and again in their place. Whatever the log writes comes above
//! them, and they stay when the process ends.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write, stderr};
use std::sync::{Mutex, PoisonError};

use comfy_table::Table;

/// The lines as they were last drawn; none if nothing is.
static DRAWN: Mutex<String> = Mutex::new(String::new());

/// Writes to stderr, above the lines that are drawn.
pub(crate) struct LogAboveDisplay;

/// Whether there is a terminal on which lines can be drawn in their place.
#[expect(clippy::disallowed_methods, reason = "the terminal sets its own kind; it is not a setting of tradepost")]
pub(crate) fn can_be_drawn_on() -> bool {
    stderr().is_terminal() && std::env::var("TERM").is_ok_and(|name| !name.is_empty() && name != "dumb")
}

/// How many characters fit in a line.
pub(crate) fn width() -> usize {
    Table::new().use_stderr().width().map_or(80, usize::from).max(20)
}

/// Draws lines, each with its end, in the place of those that were drawn before.
pub(crate) fn draw(lines: String) {
    let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    let text = format!("{}{lines}", cleared(&drawn, width()));
    *drawn = lines;
    // A closed terminal is shown nothing.
    let _ = stderr().lock().write_all(text.as_bytes());
}

impl Write for LogAboveDisplay {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
        if drawn.is_empty() {
            return stderr().write(bytes);
        }
        let text = [cleared(&drawn, width()).as_bytes(), bytes, drawn.as_bytes()].concat();
        stderr().lock().write_all(&text).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        stderr().flush()
    }
}

/// Up to where the lines begin, and clear from there (ECMA-48: CPL, ED). A terminal that has become narrower shows a line as several.
fn cleared(lines: &str, width: usize) -> String {
    let rows: usize = lines.lines().map(|line| line.chars().count().div_ceil(width).max(1)).sum();
    let mut text = String::new();
    if rows > 0 {
        // A string takes everything.
        let _ = write!(text, "\u{1b}[{rows}F\u{1b}[J");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_longer_than_the_terminal_is_several_rows() {
        assert_eq!(cleared("", 80), "");
        assert_eq!(cleared("one\n\nthree\n", 80), "\u{1b}[3F\u{1b}[J");
        assert_eq!(cleared("twenty characters...\none\n", 10), "\u{1b}[3F\u{1b}[J");
    }
}
