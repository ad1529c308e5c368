//! A reader that follows a page step by step, in as many terminals as the page has.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::page::{Step, count_commands, steps};
use super::terminal::Terminal;
use super::toolbox::Toolbox;
use crate::architecture::repository;

/// What a page may ask of a newcomer.
const MOST_COMMANDS: usize = 25;
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// The terminal in which a page begins.
const FIRST: &str = "main";
/// Any text, in a command that is copied and in a line that is expected.
const ANYTHING: char = '…';

pub(super) struct Reader {
    // Terminals end before their folders are removed.
    terminals: BTreeMap<String, Terminal>,
    toolbox: Toolbox,
    current: String,
    /// Whether the latest block of commands runs on.
    runs_on: bool,
}

impl Default for Reader {
    fn default() -> Self {
        Self { terminals: BTreeMap::new(), toolbox: Toolbox::new(), current: FIRST.to_owned(), runs_on: false }
    }
}

impl Reader {
    /// Does what a page says.
    pub(super) fn follow(&mut self, page: &str) {
        self.follow_text(page, &read(page));
    }

    /// Does what a section of a page says, up to the next heading of the second level.
    pub(super) fn follow_section(&mut self, page: &str, heading: &str) {
        let text = read(page);
        let below = text.split_once(&format!("\n{heading}\n")).map(|(_, below)| below);
        let section = below.and_then(|below| below.split("\n## ").next());
        self.follow_text(page, section.unwrap_or_else(|| panic!("{page} has no {heading}")));
    }

    /// Does what a part of a page says.
    pub(super) fn follow_text(&mut self, page: &str, text: &str) {
        let (steps, begun) = (steps(text), Instant::now());
        let commands: usize = steps
            .iter()
            .map(|step| if let Step::Type { commands, .. } = step { count_commands(commands) } else { 0 })
            .sum();
        assert!(commands <= MOST_COMMANDS, "{page} has {commands} commands, at most {MOST_COMMANDS} are allowed");
        self.current = FIRST.to_owned();
        for step in steps {
            self.take(step);
        }
        assert!(begun.elapsed() <= LONGEST, "{page} took {:?}", begun.elapsed());
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Switch(name) => self.current = name,
            Step::Stop(name) => self.terminals[&name].interrupt(),
            Step::Save { name, text } => self.save(&name, &self.with_port(&text)),
            Step::Type { commands, runs_on } => self.type_in(&commands, runs_on),
            Step::Expect(lines) => self.expect(&lines),
        }
    }

    fn terminal(&mut self) -> &mut Terminal {
        let open = || Terminal::open(&mut self.toolbox.shell());
        self.terminals.entry(self.current.clone()).or_insert_with(open)
    }

    fn type_in(&mut self, commands: &str, runs_on: bool) {
        let commands: String =
            self.with_port(commands).lines().map(|line| format!("{}\n", self.copied(line))).collect();
        let terminal = self.terminal();
        terminal.type_in(&commands);
        if !runs_on {
            terminal.wait_for_end();
        }
        self.runs_on = runs_on;
    }

    /// The command, or the printed line of its form.
    fn copied(&self, command: &str) -> String {
        if !command.contains(ANYTHING) {
            return command.to_owned();
        }
        let printed: Vec<String> = self.terminals.values().map(Terminal::scrollback).collect();
        let line = printed.iter().flat_map(|text| text.lines()).rfind(|line| matches(line, command));
        line.unwrap_or_else(|| panic!("no terminal has printed {command}:\n{}", printed.join("\n"))).trim().to_owned()
    }

    fn expect(&mut self, lines: &[String]) {
        let lines: Vec<String> = lines.iter().map(|line| self.with_port(line)).collect();
        let missing = |output: &str| first_missing(output, &lines).map(str::to_owned);
        let runs_on = self.runs_on;
        let terminal = self.terminal();
        if runs_on {
            terminal.wait_until(&lines.join("\n"), |output| missing(output).is_none());
        } else if let Some(line) = missing(&terminal.output()) {
            panic!("the page shows {line:?}, and the terminal shows:\n{}", terminal.output());
        }
    }

    /// Saves a file in the folder of the terminal.
    fn save(&mut self, name: &str, text: &str) {
        self.type_in("pwd\n", false);
        let folder = self.terminal().output().lines().next().map(PathBuf::from).unwrap();
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Pages use one port, and tests one each.
    fn with_port(&self, text: &str) -> String {
        text.replace(":8080", &format!(":{}", self.toolbox.port))
    }
}

fn read(page: &str) -> String {
    fs::read_to_string(repository().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The first of these lines that the output does not have behind the ones before it.
fn first_missing<'l>(output: &str, expected: &'l [String]) -> Option<&'l str> {
    let mut printed = output.lines();
    expected.iter().map(String::as_str).find(|line| !line.is_empty() && !printed.any(|shown| matches(shown, line)))
}

/// Whether a line has the form of a pattern, regardless of the spaces around it.
fn matches(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.trim().split(ANYTHING);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.trim().strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        let Some(found) = rest.find(part) else { return false };
        rest = &rest[found + part.len()..];
        last = Some(part);
    }
    last.is_some_and(|part| part.is_empty() || line.trim().ends_with(part)) || rest.is_empty()
}

#[test]
fn lines_are_found_in_their_order_and_dots_are_any_text() {
    let output = "BUY at 12.95\nnoise\n  SKIP: CONFIDENCE\nend\n";
    let expected = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    assert_eq!(first_missing(output, &expected(&["BUY at …", "", "SKIP: …", "end"])), None);
    assert_eq!(first_missing(output, &expected(&["SKIP: CONFIDENCE", "BUY at …"])), Some("BUY at …"));
    assert!(matches("a 1 b 2 c", "a … b … c") && matches("a 1", "a …") && !matches("a 1 d", "a … c"));
    assert!(!matches("abc", "ab") && matches("  abc", "abc") && matches("xx", "…"));
}
