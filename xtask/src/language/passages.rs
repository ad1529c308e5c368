//! What is prose in a file: paragraphs of Markdown, comments of protos, comments, texts and names of Rust, and all of a script.
//! It knows the shape of files and judges no words.

/// One piece of prose, with the line of each of its parts.
#[derive(Default)]
pub(super) struct Passage {
    pub(super) text: String,
    /// Where each line of the file begins in `text`.
    lines: Vec<(usize, usize)>,
}

impl Passage {
    fn push(&mut self, line: usize, part: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.lines.push((self.text.len(), line));
        self.text.push_str(part);
    }

    /// The line of the file at this position of the text.
    pub(super) fn line_at(&self, at: usize) -> usize {
        self.lines.iter().rev().find(|(begins, _)| *begins <= at).map_or(1, |(_, line)| *line)
    }
}

/// The prose of a file, and the names that it defines, each with its line.
#[derive(Default)]
pub(super) struct Prose {
    pub(super) passages: Vec<Passage>,
    pub(super) names: Vec<(usize, String)>,
}

/// Collects lines into passages: a line that follows another belongs to the same sentence.
#[derive(Default)]
struct Collector {
    passages: Vec<Passage>,
    open: Passage,
    last: usize,
}

impl Collector {
    fn line(&mut self, line: usize, part: &str) {
        if part.is_empty() || line != self.last + 1 {
            self.close();
        }
        self.last = line;
        if !part.is_empty() {
            self.open.push(line, part);
        }
    }

    fn close(&mut self) {
        if !self.open.text.is_empty() {
            self.passages.push(std::mem::take(&mut self.open));
        }
    }

    fn finish(mut self) -> Vec<Passage> {
        self.close();
        self.passages
    }
}

/// The paragraphs of a Markdown file.
pub(super) fn of_markdown(text: &str) -> Prose {
    let mut collector = Collector::default();
    for (line, at) in text.lines().zip(1..) {
        collector.line(at, line.trim());
    }
    Prose { passages: collector.finish(), names: Vec::new() }
}

/// The comments of a proto file.
pub(super) fn of_proto(text: &str) -> Prose {
    let mut collector = Collector::default();
    for (line, at) in text.lines().zip(1..) {
        if let Some((_, comment)) = line.split_once("//") {
            collector.line(at, comment.trim());
        }
    }
    Prose { passages: collector.finish(), names: Vec::new() }
}

/// How a line begins that is a comment, or a part of one.
const COMMENTS: [&str; 4] = ["//", "/*", "*", "#"];

/// The comments and the code of a script. What it shows to users is in texts, in templates and between tags, so that all of the code counts.
/// `has_templates` says that backticks in the code are around a text; in a comment they are around code.
pub(super) fn of_script(text: &str, has_templates: bool) -> Prose {
    let mut collector = Collector::default();
    for (line, at) in text.lines().zip(1..) {
        let line = line.trim();
        if COMMENTS.iter().any(|mark| line.starts_with(mark)) {
            collector.line(at, line.trim_start_matches(['/', '*', '#', '!', ' ']));
        } else if has_templates {
            collector.line(at, line.replace('`', " ").trim());
        } else {
            collector.line(at, line);
        }
    }
    Prose { passages: collector.finish(), names: Vec::new() }
}

/// Texts of Rust that are shorter are codes and keys.
const SHORTEST_TEXT: usize = 8;

/// The comments and names of a Rust file, and its texts if a user can read them.
pub(super) fn of_rust(text: &str, with_texts: bool) -> Prose {
    let mut scan = Scan { rest: text, line: 1, comments: Collector::default(), prose: Prose::default() };
    let shipped = text.find("#[cfg(test)]").unwrap_or(text.len());
    while !scan.rest.is_empty() {
        let is_shipped = text.len() - scan.rest.len() < shipped;
        scan.step(with_texts && is_shipped);
    }
    let mut prose = scan.prose;
    prose.passages.extend(scan.comments.finish());
    prose
}

/// Reads Rust from token to token, as far as comments, texts and names need it.
struct Scan<'a> {
    rest: &'a str,
    line: usize,
    comments: Collector,
    prose: Prose,
}

impl<'a> Scan<'a> {
    fn step(&mut self, with_texts: bool) {
        let rest = self.rest;
        if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            let comment = self.advance(length);
            self.comments.line(self.line, comment.trim_start_matches('/').trim_start_matches('!').trim());
        } else if let Some(hashes) = raw_text_begins(rest) {
            self.raw_text(hashes, with_texts);
        } else if rest.starts_with('"') {
            self.text(with_texts);
        } else if rest.starts_with('\'') {
            let length = char_length(rest);
            self.advance(length);
        } else if rest.starts_with(|first: char| first.is_alphanumeric() || first == '_') {
            self.word();
        } else {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            self.advance(length);
        }
    }

    fn advance(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn raw_text(&mut self, hashes: usize, with_texts: bool) {
        let opening = hashes + 2;
        let closing = format!("\"{}", "#".repeat(hashes));
        let body = self.rest[opening..].find(&closing).unwrap_or(self.rest.len() - opening - closing.len());
        let begins = self.line;
        let whole = self.advance(opening + body + closing.len());
        if with_texts {
            self.keep(begins, &whole[opening..opening + body]);
        }
    }

    fn text(&mut self, with_texts: bool) {
        let mut escaped = false;
        let end = self.rest[1..].find(|next: char| {
            let ends = next == '"' && !escaped;
            escaped = next == '\\' && !escaped;
            ends
        });
        let length = end.map_or(self.rest.len(), |end| end + 2);
        let begins = self.line;
        let whole = self.advance(length);
        if with_texts {
            self.keep(begins, whole.trim_matches('"'));
        }
    }

    /// A text with a space in it; others are names on the wire, keys and codes.
    fn keep(&mut self, begins: usize, text: &str) {
        if text.len() < SHORTEST_TEXT || !text.contains(' ') {
            return;
        }
        let mut passage = Passage::default();
        for (line, at) in text.lines().zip(begins..) {
            passage.push(at, without_placeholders(line.trim_end_matches('\\').trim()).as_str());
        }
        self.prose.passages.push(passage);
    }

    fn word(&mut self) {
        let word = self.advance(word_length(self.rest));
        if !matches!(word, "fn" | "const" | "static" | "mod" | "let" | "type") {
            return;
        }
        let after = self.rest.trim_start_matches(' ');
        let after = after.strip_prefix("mut ").unwrap_or(after);
        let name = &after[..word_length(after)];
        if !name.is_empty() {
            self.prose.names.push((self.line, name.to_owned()));
        }
    }
}

fn word_length(text: &str) -> usize {
    text.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(text.len())
}

/// How many `#` a raw text begins with.
fn raw_text_begins(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let quoted = after.trim_start_matches('#');
    quoted.starts_with('"').then_some(after.len() - quoted.len())
}

/// How long a character in quotes is; 1 for the quote of a lifetime.
fn char_length(rest: &str) -> usize {
    let mut next = rest[1..].char_indices();
    match next.next() {
        Some((_, '\\')) => rest[3..].find('\'').map_or(1, |end| end + 4),
        Some((_, first)) if rest[1 + first.len_utf8()..].starts_with('\'') => first.len_utf8() + 2,
        _ => 1,
    }
}

/// `{name}` in a text is code.
fn without_placeholders(text: &str) -> String {
    let mut depth = 0_usize;
    let blank = text.chars().map(|next| match next {
        '{' => {
            depth += 1;
            ' '
        }
        '}' => {
            depth = depth.saturating_sub(1);
            ' '
        }
        _ if depth > 0 => ' ',
        _ => next,
    });
    blank.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(prose: &Prose) -> Vec<&str> {
        prose.passages.iter().map(|passage| passage.text.as_str()).collect()
    }

    #[test]
    fn a_sentence_over_two_lines_is_one_passage_and_keeps_its_lines() {
        let prose = of_proto("message A {}\n// is sold no\n// more\nint32 a = 1; // apart\n");
        assert_eq!(texts(&prose), ["is sold no more apart"]);
        assert_eq!(prose.passages[0].line_at(0), 2);
        assert_eq!(prose.passages[0].line_at(12), 3);
    }

    #[test]
    fn comments_texts_and_names_of_rust_are_found() {
        let source =
            "/// A comment.\nfn is_told<'a>(at: &'a str) { say(\"a text \\\" with // {told} in it\", '\"', 'x') }\n";
        let prose = of_rust(source, true);
        assert_eq!(texts(&prose), ["a text \\\" with //        in it", "A comment."]);
        assert_eq!(prose.names, [(2, "is_told".to_owned())]);
    }

    #[test]
    fn texts_of_tests_and_codes_are_left_out() {
        let source =
            "const A: &str = \"SOME_LONG_CODE\";\n#[cfg(test)]\nmod tests { const B: &str = r#\"of a test\"#; }\n";
        assert!(of_rust(source, true).passages.is_empty());
    }

    #[test]
    fn a_script_is_prose_with_its_templates_and_the_code_in_its_comments_stays_code() {
        let source = "/** Says `told`,\n * twice. */\nsay(`${name} is sold`);\n\n<b>No more</b>\n";
        let expected = ["Says `told`, twice. */ say( ${name} is sold );", "<b>No more</b>"];
        assert_eq!(texts(&of_script(source, true)), expected);
        assert_eq!(texts(&of_script("# One\nprint(\"`two`\")\n", false)), ["One print(\"`two`\")"]);
    }

    #[test]
    fn paragraphs_of_markdown_end_at_an_empty_line() {
        assert_eq!(texts(&of_markdown("# A\n\none\ntwo\n")), ["# A", "one two"]);
    }
}
