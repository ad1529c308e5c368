//! The texts behind the flags of a command's help: examples and paragraphs, fitted to the width of a terminal.
//!
//! A terminal would break a long example in the middle of a command, which then cannot be pasted.

use clap::Command;

/// The width of the narrowest usual terminal.
pub(crate) const WIDTH: usize = 80;
/// The most examples that a group shows.
const MOST_EXAMPLES: usize = 4;

/// Fits the texts of each command, and shows in the help of a group the first example of each of its commands.
pub(super) fn with_examples(command: Command) -> Command {
    let command = command.mut_subcommands(with_examples);
    if let Some(help) = command.get_after_help().map(ToString::to_string) {
        return command.after_help(fitted(&help));
    }
    let examples: Vec<String> = command.get_subcommands().filter_map(first_example).take(MOST_EXAMPLES).collect();
    if examples.is_empty() { command } else { command.after_help(format!("Examples:\n{}", examples.join("\n"))) }
}

/// The first example of a command, with the lines that continue it.
fn first_example(command: &Command) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let mut examples = help.lines().skip_while(|line| !line.starts_with("Example")).skip(1).peekable();
    let mut example = vec![examples.next()?];
    while let Some(line) = examples.next_if(|_| example.last().is_some_and(|line| line.ends_with('\\'))) {
        example.push(line);
    }
    Some(example.join("\n"))
}

/// A text whose lines have at most [`WIDTH`] characters: examples are continued with a backslash, paragraphs filled.
fn fitted(text: &str) -> String {
    let (mut lines, mut paragraph) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        if is_prose {
            paragraph.push(line);
        }
        if !is_prose || line.ends_with(':') {
            lines.append(&mut filled(&std::mem::take(&mut paragraph)));
        }
        if !is_prose {
            lines.append(&mut continued(line));
        }
    }
    lines.append(&mut filled(&paragraph));
    lines.join("\n")
}

/// A paragraph in lines of at most [`WIDTH`] characters.
pub(crate) fn filled(paragraph: &[&str]) -> Vec<String> {
    let words = paragraph.iter().flat_map(|line| line.split(' ')).map(str::to_owned);
    joined(words.collect(), WIDTH)
}

/// An example in as many lines as it needs.
fn continued(line: &str) -> Vec<String> {
    if line.chars().count() <= WIDTH {
        return vec![line.to_owned()];
    }
    let indent = " ".repeat(line.len() - line.trim_start().len());
    let lines = joined(arguments(line.trim_start()), WIDTH - indent.len() - "  ".len() - " \\".len());
    let last = lines.len().saturating_sub(1);
    let lines = lines.into_iter().enumerate().map(|(at, line)| {
        let deeper = if at == 0 { "" } else { "  " };
        let more = if at == last { "" } else { " \\" };
        format!("{indent}{deeper}{line}{more}")
    });
    lines.collect()
}

/// The arguments of a command line, with their quotation marks.
fn arguments(line: &str) -> Vec<String> {
    let mut arguments = vec![String::new()];
    let mut quote = None;
    for character in line.chars() {
        match character {
            ' ' if quote.is_none() => {
                arguments.push(String::new());
                continue;
            }
            '"' | '\'' if quote.is_none() => quote = Some(character),
            _ if quote == Some(character) => quote = None,
            _ => {}
        }
        if let Some(argument) = arguments.last_mut() {
            argument.push(character);
        }
    }
    // A flag and its value are read as one.
    arguments.into_iter().fold(Vec::new(), |mut together: Vec<String>, argument| {
        match together.last_mut() {
            Some(flag) if is_bare_flag(flag) && !argument.starts_with('-') => *flag = format!("{flag} {argument}"),
            _ => together.push(argument),
        }
        together
    })
}

fn is_bare_flag(argument: &str) -> bool {
    argument.starts_with('-') && !argument.contains([' ', '='])
}

/// Words in lines of at most so many characters, as far as they have a space to be parted at.
pub(crate) fn joined(words: Vec<String>, width: usize) -> Vec<String> {
    words.into_iter().fold(Vec::new(), |mut lines: Vec<String>, word| {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => *line = format!("{line} {word}"),
            _ => lines.push(word),
        }
        lines
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "  tradepost contracts create --name \"Redline below value\" --filter-set \"AK-47 Redline\" --pool Rifles --quantity 10";

    #[test]
    fn a_long_example_is_continued_between_its_flags() {
        let expected = "Example:\n  tradepost contracts create --name \"Redline below value\" \\\n    \
                        --filter-set \"AK-47 Redline\" --pool Rifles --quantity 10";
        assert_eq!(fitted(&format!("Example:\n{LONG}")), expected);
        assert_eq!(fitted(expected), expected);
    }

    #[test]
    fn a_paragraph_is_filled_and_short_lines_stay() {
        let short = "Examples:\n  tradepost\n  tradepost demo     with data\n\nIt says so.";
        assert_eq!(fitted(short), short);
        let text = fitted(&format!("{}\nend. Next.", "word ".repeat(20).trim_end()));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.ends_with("word end. Next."), "{text}");
    }

    #[test]
    fn a_group_shows_first_examples_with_the_lines_that_continue_them() {
        let below = |name: &'static str, help: String| Command::new(name).after_help(help);
        let group = Command::new("contracts").subcommand(below("create", format!("Example:\n{LONG}"))).subcommand(
            below("list", "Examples:\n  tradepost contracts list\n  tradepost contracts list -o csv".to_owned()),
        );
        let help = with_examples(group).get_after_help().unwrap().to_string();
        assert!(help.contains("value\" \\\n    --filter-set"), "{help}");
        assert!(help.ends_with("--quantity 10\n  tradepost contracts list"), "{help}");
    }
}
