//! Commands as a shell reads them in what pages and help write.

use std::mem;

/// Words that can be in front of a program, among them the prompt of a terminal.
const IN_FRONT: [&str; 10] = ["$", "!", "do", "env", "if", "sudo", "then", "time", "until", "while"];

/// A command, and the line of the page in which it begins.
pub(super) struct Typed {
    pub(super) line: usize,
    pub(super) words: Vec<String>,
}

/// The command from the name of the program on, if that is this one.
pub(super) fn own(words: &[String]) -> Option<&[String]> {
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
pub(super) struct Shell {
    found: Vec<Typed>,
    words: Vec<String>,
    word: Option<String>,
    /// The line in which the open command begins.
    begins: usize,
    /// Whether the next word names a file that the shell opens.
    is_file: bool,
}

impl Shell {
    /// The commands in a block of which the first line has this number.
    pub(super) fn read(block: &str, first: usize) -> Vec<Typed> {
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
