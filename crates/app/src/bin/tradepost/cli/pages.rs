//! The commands of this program in README.md and the pages below `docs`: the command line accepts each as it is written. None is carried out.

use std::fs;
use std::mem;
use std::path::{Path, PathBuf};

use super::written;

/// So many commands are found at least. There are a few more, since pages change.
const LEAST: usize = 185;
/// The languages of the blocks that a reader types into a terminal.
const TYPED: [&str; 2] = ["sh", "console"];
/// Words that can be in front of a program, among them the prompt of a terminal.
const IN_FRONT: [&str; 10] = ["$", "!", "do", "env", "if", "sudo", "then", "time", "until", "while"];

/// A command, and the line of the page in which it begins.
struct Typed {
    line: usize,
    words: Vec<String>,
}

#[test]
fn every_command_of_every_page_is_one_that_the_command_line_accepts() {
    let mut command_line = written::command_line();
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages() {
        let text = fs::read_to_string(repository().join(&page)).unwrap();
        for Typed { line, words } in typed(&text) {
            let Some(command) = own(&words) else { continue };
            count += 1;
            let mistake = written::mistake(&mut command_line, command);
            wrong.extend(mistake.map(|mistake| format!("{}:{line}: {mistake}", page.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= LEAST, "the pages have {count} commands");
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let (mut pages, mut folders) = (vec![PathBuf::from("README.md")], vec![PathBuf::from("docs")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(repository().join(&folder)).unwrap().map(Result::unwrap) {
            let path = folder.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// The commands in the blocks of a page, also those of other programs.
fn typed(page: &str) -> Vec<Typed> {
    let (mut found, mut lines) = (Vec::new(), page.lines().zip(1..));
    while let Some((line, at)) = lines.next() {
        let Some(language) = line.trim_start().strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().map(|(line, _)| line).take_while(|line| line.trim() != "```").collect();
        if TYPED.contains(&language) {
            found.extend(Shell::read(&block.join("\n"), at + 1));
        }
    }
    found
}

/// The command from the name of the program on, if that is this one.
fn own(words: &[String]) -> Option<&[String]> {
    match words {
        // The user of `sudo`, and the container of `docker exec`.
        [flag, _, rest @ ..] if flag == "-u" => own(rest),
        [docker, exec, _, rest @ ..] if docker == "docker" && exec == "exec" => own(rest),
        [word, rest @ ..] if IN_FRONT.contains(&word.as_str()) || is_assignment(word) => own(rest),
        [program, ..] => (program.rsplit('/').next() == Some("tradepost")).then_some(words),
        [] => None,
    }
}

fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    word.split_once('=').is_some_and(|(name, _)| !name.is_empty() && is_name(name))
}

/// Reads a block as a shell does. Variables stay as they are, and so does a command within a text.
#[derive(Default)]
struct Shell {
    found: Vec<Typed>,
    words: Vec<String>,
    word: Option<String>,
    /// The line in which the open command begins.
    begins: usize,
    /// Whether the next word names a file that the shell opens.
    is_file: bool,
}

impl Shell {
    fn read(block: &str, first: usize) -> Vec<Typed> {
        let (mut shell, mut line, mut quote) = (Self::default(), first, None);
        let mut characters = block.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' if quote != Some('\'') => match characters.next() {
                    Some('\n') => line += 1,
                    Some(escaped) => shell.word_at(line).push(escaped),
                    None => {}
                },
                _ if quote == Some(character) => quote = None,
                _ if quote.is_some() => shell.word_at(line).push(character),
                '\'' | '"' => {
                    quote = Some(character);
                    shell.word_at(line);
                }
                '#' if shell.word.is_none() => while characters.next_if(|next| *next != '\n').is_some() {},
                ' ' => shell.end_word(),
                '\n' | '|' | '&' | ';' | '(' | ')' => shell.end_command(),
                '<' | '>' => {
                    while characters.next_if(|next| "<>&".contains(*next)).is_some() {}
                    shell.open_file();
                }
                _ => shell.word_at(line).push(character),
            }
            if character == '\n' {
                line += 1;
            }
        }
        shell.end_command();
        shell.found
    }

    /// The open word, or a new one.
    fn word_at(&mut self, line: usize) -> &mut String {
        if self.words.is_empty() && self.word.is_none() {
            self.begins = line;
        }
        self.word.get_or_insert_default()
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take()
            && !mem::take(&mut self.is_file)
        {
            self.words.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.is_file = false;
        let words = mem::take(&mut self.words);
        if !words.is_empty() {
            self.found.push(Typed { line: self.begins, words });
        }
    }

    /// The name of a file follows. A number in front of it is that of a stream.
    fn open_file(&mut self) {
        if self.word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        self.is_file = true;
    }
}

#[test]
fn commands_are_found_in_pipes_behind_variables_and_over_several_lines() {
    let page = "# Page\n\n```sh\nexport KEY=$(tradepost key create \\\n  --name 'a b')   # shown once\n\
                until tradepost a | grep \"x; tradepost\"; do sleep 1; done\n\
                sudo -u tradepost env A=1 tradepost doctor > log 2>&1\n```\n\n```text\ntradepost unread\n```\n\n   \
                ```sh\n   docker exec desk target/release/tradepost ls \"two \\\" words\"\n   ```\n";
    let typed = typed(page);
    let found = typed.iter().filter_map(|Typed { line, words }| Some((*line, own(words)?.join(","))));
    let expected = [
        (4, "tradepost,key,create,--name,a b"),
        (6, "tradepost,a"),
        (7, "tradepost,doctor"),
        (15, "target/release/tradepost,ls,two \" words"),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected.map(|(line, command)| (line, command.to_owned())));
}
