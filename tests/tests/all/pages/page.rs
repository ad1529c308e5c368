//! What a page has a reader do, step by step. It knows Markdown and the conventions of docs/pages-that-run.md, and no terminal.

use std::mem;

/// One thing that the reader does.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Types commands. Those that run on are not waited for.
    Type { commands: String, runs_on: bool },
    /// Saves a file.
    Save { name: String, text: String },
    /// Finds these lines in what was printed.
    Expect(Vec<String>),
    /// Continues in another terminal.
    Switch(String),
    /// Presses Ctrl-C in a terminal.
    Stop(String),
}

/// The steps of a page.
///
/// # Panics
/// If a block is of a language that nothing executes and has no file name, since it would be read and never tried.
pub(super) fn steps(page: &str) -> Vec<Step> {
    let (mut steps, mut runs_on, mut lines) = (Vec::new(), false, page.lines());
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            steps.push(step(language, &block, mem::take(&mut runs_on)));
        } else if let Some(comment) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
            match comment.split_once(": ") {
                Some(("terminal", name)) => steps.push(Step::Switch(name.to_owned())),
                Some(("stop", name)) => steps.push(Step::Stop(name.to_owned())),
                _ if comment == "runs on" => runs_on = true,
                _ => panic!("no convention has the comment {comment}"),
            }
        }
    }
    steps
}

fn step(language: &str, block: &[&str], runs_on: bool) -> Step {
    let text = || block.iter().map(|line| format!("{line}\n")).collect();
    match (language, file_name(block)) {
        ("text", _) => Step::Expect(block.iter().map(|line| (*line).to_owned()).collect()),
        ("sh", None) => Step::Type { commands: text(), runs_on },
        (_, Some(name)) => Step::Save { name, text: text() },
        (_, None) => panic!("a block of {language} has no file name: {block:?}"),
    }
}

/// The file that the first line names, in a comment of its own.
fn file_name(block: &[&str]) -> Option<String> {
    let first = block.first()?;
    let name = first.strip_prefix("# ").or_else(|| first.strip_prefix("// "))?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    (name.contains('.') && name.chars().all(is_name)).then(|| name.to_owned())
}

/// The commands of a block: one for each line, where a line that ends with a backslash continues in the next.
pub(super) fn count_commands(block: &str) -> usize {
    let joined = block.replace("\\\n", " ");
    joined.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#')).count()
}

#[test]
fn a_page_is_read_as_the_steps_of_its_reader() {
    let page = "# Title\n\nText.\n\n<!-- terminal: server -->\n<!-- runs on -->\n```sh\nserve\n```\n\n```text\nready\n```\n\
                <!-- terminal: main -->\n```python\n# a.py\nprint(1)\n```\n```sh\n# runs it\npython3 \\\n  a.py\n```\n<!-- stop: server -->\n";
    let expected = [
        Step::Switch("server".to_owned()),
        Step::Type { commands: "serve\n".to_owned(), runs_on: true },
        Step::Expect(vec!["ready".to_owned()]),
        Step::Switch("main".to_owned()),
        Step::Save { name: "a.py".to_owned(), text: "# a.py\nprint(1)\n".to_owned() },
        Step::Type { commands: "# runs it\npython3 \\\n  a.py\n".to_owned(), runs_on: false },
        Step::Stop("server".to_owned()),
    ];
    assert_eq!(steps(page), expected);
    assert_eq!(count_commands("# runs it\npython3 \\\n  a.py\n\ntrue\n"), 2);
}

#[test]
#[should_panic(expected = "a block of rust has no file name")]
fn a_block_that_nothing_executes_is_an_error() {
    steps("```rust\nfn main() {}\n```\n");
}
