//! Texts within the limits of a channel: without characters that hide or turn others, and cut where they are too long.

use tradepost_ports::alerts::AlertSeverity;

/// How a channel writes a character, so that it is only that character and no markup.
pub(super) type Spell = fn(char, &mut String);

/// The most UTF-16 units of a title, of a workspace's name, and of a line.
pub(super) const TITLE: usize = 256;
const LINE: usize = 1_024;
/// The most bytes of a link. A longer one is left out, because a part of it leads nowhere.
const LINK: usize = 1_024;

/// Writes a character as it is.
pub(super) fn plain(c: char, into: &mut String) {
    into.push(c);
}

/// The length by which channels count.
pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The word for a severity.
pub(super) const fn severity(severity: AlertSeverity) -> &'static str {
    match severity {
        AlertSeverity::Info => "Info",
        AlertSeverity::Warning => "Warning",
        AlertSeverity::Critical => "Critical",
    }
}

/// Writes a text in at most `room` UTF-16 units. A longer one is cut and ends with "…".
pub(super) fn cut(text: &str, room: usize, spell: Spell) -> String {
    let mut written = String::new();
    let (mut used, mut end) = (0, 0);
    for c in text.chars().filter_map(visible) {
        let before = written.len();
        spell(c, &mut written);
        used += written.get(before..).map_or(0, units);
        if used > room {
            written.truncate(end);
            written.push('…');
            return written;
        }
        // Up to here, "…" has room as well.
        if used < room {
            end = written.len();
        }
    }
    written
}

/// Writes the lines that have room in `room` UTF-16 units, with their breaks. A last line has the number of the others.
pub(super) fn fit(lines: &[String], room: usize, spell: Spell) -> Vec<String> {
    let written: Vec<String> = lines.iter().map(|line| cut(line, LINE, spell)).collect();
    let size = |line: &String| units(line) + 1;
    if written.iter().map(size).sum::<usize>() <= room {
        return written;
    }
    let mut left = room.saturating_sub(size(&others(lines.len())));
    let has_room = |line: &String| {
        let rest = left.checked_sub(size(line));
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    let mut kept: Vec<String> = written.into_iter().take_while(has_room).collect();
    kept.push(others(lines.len().saturating_sub(kept.len())));
    kept
}

fn others(number: usize) -> String {
    if number == 1 {
        return "… 1 more line, see the console".to_owned();
    }
    format!("… {number} more lines, see the console")
}

/// The link, if it is one.
pub(super) fn link(link: Option<&String>) -> Option<&str> {
    let is_link = |link: &&str| {
        let scheme = link.starts_with("https://") || link.starts_with("http://");
        scheme && link.len() <= LINK && link.chars().all(|c| c.is_ascii_graphic())
    };
    link.map(String::as_str).filter(is_link)
}

/// The character as a reader may see it. Breaks and tabs become blanks, because an alert has lines of its own.
fn visible(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => Some(' '),
        // They turn the direction of what follows (UAX #9).
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => None,
        c if c.is_control() => None,
        c => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubled(c: char, into: &mut String) {
        into.push('\\');
        into.push(c);
    }

    #[test]
    fn a_text_that_is_too_long_is_cut_at_a_character() {
        assert_eq!(cut("abcd", 4, plain), "abcd");
        assert_eq!(cut("abcde", 4, plain), "abc…");
        // The smile has two units, and no half of it is written.
        assert_eq!(cut("ab\u{1f600}", 4, plain), "ab\u{1f600}");
        assert_eq!(cut("ab\u{1f600}c", 4, plain), "ab…");
        assert_eq!(cut("abc", 4, doubled), "\\a…");
    }

    #[test]
    fn a_text_has_no_control_character_and_no_change_of_direction() {
        assert_eq!(cut("a\u{202e}b\u{7}c\nd\u{2066}e\u{200f}\u{1b}[0m", 99, plain), "abc de[0m");
    }

    #[test]
    fn lines_that_have_no_room_are_counted() {
        let lines: Vec<String> = (0..10).map(|line| format!("line {line}")).collect();
        assert_eq!(fit(&lines, 70, plain), lines);
        let cut_short = fit(&lines, 69, plain);
        assert_eq!(cut_short.len(), 6);
        assert_eq!(cut_short.last().unwrap(), "… 5 more lines, see the console");
        assert!(cut_short.iter().map(|line| units(line) + 1).sum::<usize>() <= 69);
        assert_eq!(fit(&lines[..1], 3, plain), ["… 1 more line, see the console"]);
        assert_eq!(units(&fit(&["x".repeat(2_000)], 4_096, plain)[0]), LINE);
    }

    #[test]
    fn a_link_is_whole_or_missing() {
        let long = format!("https://trade.example.com/{}", "x".repeat(LINK));
        for (text, kept) in [
            ("https://trade.example.com/r/1", true),
            ("javascript:alert(1)", false),
            ("https://trade.example.com/a b", false),
            (long.as_str(), false),
        ] {
            assert_eq!(link(Some(&text.to_owned())).is_some(), kept, "{text}");
        }
    }
}
