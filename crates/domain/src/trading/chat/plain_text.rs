//! The plain text of a message: without markup, control characters and characters that turn the direction of reading.

use std::fmt;

use crate::text::is_direction_mark;

/// The most characters of a message. What is longer is cut.
pub const MOST_CHARACTERS: usize = 5_000;
/// The most characters of a message that is sent.
pub const MOST_SENT: usize = 2_000;

/// The most characters of a tag. A longer text in brackets is not markup.
const LONGEST_TAG: usize = 200;

/// Names of the tags that platforms use in chats.
const TAGS: &[&str] = &[
    "b",
    "i",
    "u",
    "s",
    "h1",
    "h2",
    "h3",
    "code",
    "pre",
    "quote",
    "spoiler",
    "noparse",
    "url",
    "img",
    "color",
    "size",
    "list",
    "olist",
    "*",
    "table",
    "tr",
    "td",
    "th",
    "hr",
    "emoticon",
    "sticker",
    "og",
    "random",
    "flip",
    "me",
    "gameinvite",
    "tradeoffer",
    "roomeffect",
    "mention",
    "strike",
];

/// A text of at most 5,000 characters. It is not shown by `Debug`, so that no log contains it.
#[derive(Clone, PartialEq, Eq)]
pub struct ChatText(String);

impl ChatText {
    /// Returns the plain text of what was written. Tags are removed and what they enclose stays. It can be empty.
    ///
    /// ```
    /// use tradepost_domain::trading::chat::ChatText;
    ///
    /// assert_eq!(ChatText::plain("[b]hello[/b] [url=https://example.com]link[/url]").as_str(), "hello link");
    /// assert_eq!(ChatText::plain("AK-47 [0.07] for \\[b]?").as_str(), "AK-47 [0.07] for [b]?");
    /// ```
    pub fn plain(written: &str) -> Self {
        let text: String = without_tags(written).chars().filter(|c| is_shown(*c)).collect();
        Self(text.trim().chars().take(MOST_CHARACTERS).collect::<String>().trim_end().to_owned())
    }

    /// Returns a text that is plain already, such as one that was stored.
    pub fn stored(plain: &str) -> Self {
        Self(plain.chars().filter(|c| is_shown(*c)).take(MOST_CHARACTERS).collect())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether nothing is left of what was written.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for ChatText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChatText({} bytes)", self.0.len())
    }
}

const fn is_shown(c: char) -> bool {
    c == '\n' || !(c.is_ascii_control() || matches!(c, '\u{80}'..='\u{9F}') || is_direction_mark(c))
}

fn without_tags(written: &str) -> String {
    let mut plain = String::with_capacity(written.len());
    let mut rest = written;
    while let Some((before, behind)) = rest.split_once(['[', '\\']) {
        plain.push_str(before);
        let is_escape = rest.get(before.len()..).is_some_and(|from| from.starts_with('\\'));
        rest = match (is_escape, tag_end(behind)) {
            (true, _) => {
                let escaped = behind.strip_prefix(['[', '\\']);
                plain.push(if behind.starts_with('[') { '[' } else { '\\' });
                escaped.unwrap_or(behind)
            }
            (false, Some(end)) => behind.get(end..).unwrap_or_default(),
            (false, None) => {
                plain.push('[');
                behind
            }
        };
    }
    plain.push_str(rest);
    plain
}

/// Returns where a tag ends whose bracket was opened; `None` if it is not a tag.
fn tag_end(behind: &str) -> Option<usize> {
    let close = behind.char_indices().take(LONGEST_TAG).find(|(_, c)| *c == ']').map(|(at, _)| at)?;
    let tag = behind.get(..close)?;
    let name = tag.strip_prefix('/').unwrap_or(tag).split(['=', ' ']).next()?;
    TAGS.iter().any(|known| known.eq_ignore_ascii_case(name)).then_some(close.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tags_are_removed_and_what_they_enclose_stays() {
        for (written, plain) in [
            ("[B]bold[/B]", "bold"),
            ("[img=https://example.com/a.png][/img]", ""),
            ("[url=https://example.com/x]click[/url]", "click"),
            ("[quote=a b]x[/quote]", "x"),
            ("price [12.50] ok", "price [12.50] ok"),
            ("[unknown]x[/unknown]", "[unknown]x[/unknown]"),
            ("[b", "[b"),
            ("\\[b] and \\\\", "[b] and \\"),
            ("a\\b", "a\\b"),
        ] {
            assert_eq!(ChatText::plain(written).as_str(), plain, "{written}");
        }
    }

    #[test]
    fn characters_that_spoof_what_is_read_are_removed() {
        assert_eq!(ChatText::plain("pay\u{202E}gro\u{0}\u{7}\n ok").as_str(), "paygro\n ok");
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(ChatText::plain(&"é".repeat(6_000)).as_str().chars().count(), MOST_CHARACTERS);
    }

    #[test]
    fn a_text_is_not_shown_for_debugging() {
        assert_eq!(format!("{:?}", ChatText::plain("secret")), "ChatText(6 bytes)");
    }

    #[test]
    fn a_stored_text_is_read_back_as_it_is() {
        let plain = ChatText::plain("\\[b] is a tag");
        assert_eq!((plain.as_str(), ChatText::stored(plain.as_str())), ("[b] is a tag", plain.clone()));
    }

    proptest! {
        #[test]
        fn any_text_becomes_a_short_one_without_control_characters(written in any::<String>()) {
            let plain = ChatText::plain(&written);
            prop_assert!(plain.as_str().chars().count() <= MOST_CHARACTERS);
            prop_assert!(plain.as_str().chars().all(is_shown));
        }
    }
}
