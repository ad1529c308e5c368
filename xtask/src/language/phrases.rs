//! The phrases that STYLE.md bans, with their replacements, and the exceptions. It knows no files, only texts.

use anyhow::Context;
use regex::Regex;

/// A banned phrase as a pattern, and what to write instead.
struct Banned(&'static str, &'static str);

/// Patterns ignore case unless they begin with `(?-i)`.
const BANNED: [Banned; 31] = [
    Banned(r"tell|tells|told|telling", "report, return, show, record, notify, publish"),
    Banned(r"whoever", "the caller, a client, an operator"),
    Banned(r"stands?|stood", "is, remains, is listed; status"),
    Banned(r"beside", "alongside, separately from, outside, in addition to"),
    Banned(r"gone", "missing, deleted, removed, expired, no longer exists"),
    Banned(r"(?:any|no) more", "no longer; further"),
    Banned(r"what (?:became|becomes|has become) of", "the outcome of, the state of"),
    Banned(r"reckon(?:s|ed|ing)?", "calculate, estimate"),
    Banned(r"(?:go|goes|went) by", "uses, follows, is based on"),
    Banned(r"at work", "active, running, in progress"),
    Banned(r"lets?(?: \w+){0,3} go", "skip, reject; resume"),
    Banned(r"(?:some|no|any|every)body", "an actor by name; no one, a user"),
    Banned(r"meanwhile", "in the meantime; or cut"),
    Banned(r"anew", "again; re-"),
    Banned(r"dear(?:er)?", "expensive, higher price"),
    Banned(r"asked too much", "rate limited"),
    Banned(r"left? alone", "back off"),
    Banned(r"in doubt", "uncertain; outcome unknown"),
    Banned(r"(?:brought|come|comes|came) to (?:its|their|an) end", "completes, ends"),
    Banned(r"held against|holds? .{1,20} against", "compared with, checked against"),
    Banned(r"puts? (?:right|to work)", "correct, fix; activate, resume"),
    Banned(r"is no [a-z]+", "is not a valid …, unknown …"),
    Banned(r"for good", "permanently"),
    Banned(r"(?:our|the) books", "the ledger; our records"),
    Banned(r"look(?:s|ed)? (?:after|into|about)", "handle, inspect, check"),
    Banned(r"tak(?:e|es|en|ing) (?:back|off|out of work)", "cancel, withdraw, delist, disable"),
    Banned(r"given? up", "write off, cancel, abandon"),
    Banned(r"(?-i)As (?:many|much) [a-z ]{1,30}as", "up to N, at most N"),
    Banned(r"on (?:its|their) way|under way", "in transit, in flight, in progress"),
    Banned(r"(?-i)Who [a-z]+s", "a sentence with its actor as subject"),
    Banned(r"standing still", "stalls"),
];

/// Words that do not name code either: parts of a name between underscores.
const BANNED_IN_NAMES: [&str; 7] = ["tell", "told", "stands", "beside", "gone", "anew", "whoever"];

/// A phrase that stays, where it stays and why.
pub(super) struct Allowed {
    pub(super) under: &'static str,
    pub(super) phrase: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "the reason is for readers of the table"))]
    pub(super) reason: &'static str,
}

pub(super) const ALLOWED: [Allowed; 6] = [
    Allowed { under: "xtask/src/language", phrase: "", reason: "the table of phrases and its tests quote them" },
    Allowed {
        under: "crates/adapters-sql/src/rows/markets",
        phrase: "told",
        reason: "market_observations.told is a column",
    },
    Allowed { under: "crates/adapters-sql/src/markets/recording.rs", phrase: "told", reason: "the same column" },
    Allowed {
        under: "crates/adapters-sql/src/ledger_sums.rs",
        phrase: "telling",
        reason: "ledger_days.telling is a column",
    },
    Allowed { under: "crates/adapters-sql/src/read/contracts/reports", phrase: "telling", reason: "the same column" },
    Allowed { under: "crates/adapters-sql/src/verify/sums.rs", phrase: "telling", reason: "the same column" },
];

/// One banned phrase in a text.
pub(super) struct Found {
    /// Where in the text it begins, in bytes.
    pub(super) at: usize,
    pub(super) phrase: String,
    pub(super) instead: &'static str,
}

/// The patterns, compiled: one that finds any of them, since most texts have none, and each of its own.
pub(super) struct Phrases {
    any: Regex,
    each: Vec<(Regex, &'static str)>,
}

impl Phrases {
    pub(super) fn new() -> anyhow::Result<Self> {
        let whole = BANNED.map(|Banned(pattern, _)| pattern).join("|");
        let mut each = Vec::new();
        for Banned(pattern, instead) in BANNED {
            each.push((compile(pattern)?, instead));
        }
        Ok(Self { any: compile(&whole)?, each })
    }

    /// Every banned phrase in a text, except in backticks.
    pub(super) fn in_text(&self, text: &str) -> Vec<Found> {
        if !self.any.is_match(text) {
            return Vec::new();
        }
        let prose = without_code(text);
        let mut found = Vec::new();
        for (pattern, instead) in &self.each {
            for hit in pattern.find_iter(&prose) {
                if !is_plain_english(&prose, hit.start(), hit.as_str()) {
                    found.push(Found { at: hit.start(), phrase: hit.as_str().to_owned(), instead });
                }
            }
        }
        found
    }
}

/// The name, if one of its words is banned, as in `is_told`.
pub(super) fn in_name(name: &str) -> Option<Found> {
    let is_banned = name.split('_').any(|word| BANNED_IN_NAMES.contains(&word.to_lowercase().as_str()));
    is_banned.then(|| Found { at: 0, phrase: name.to_owned(), instead: "a name from docs/reference/glossary.md" })
}

fn compile(pattern: &str) -> anyhow::Result<Regex> {
    let pattern = format!(r"(?i)(?-u:\b)(?:{pattern})(?-u:\b)");
    Regex::new(&pattern).with_context(|| format!("the pattern {pattern} is not valid"))
}

/// "There is no …" and "is no longer" are what the table recommends.
fn is_plain_english(prose: &str, at: usize, phrase: &str) -> bool {
    let Some(rest) = phrase.strip_prefix("is no ") else { return false };
    rest == "longer" || prose[..at].to_lowercase().ends_with("there ")
}

/// The text with what is in backticks blanked, so that positions stay.
fn without_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let blanked = parts.map(|(at, part)| if at % 2 == 1 { " ".repeat(part.len()) } else { part.to_owned() });
    blanked.collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases_in(text: &str) -> Vec<String> {
        Phrases::new().unwrap().in_text(text).into_iter().map(|found| found.phrase).collect()
    }

    #[test]
    fn a_banned_phrase_is_found_in_any_case_with_its_replacement() {
        let found = Phrases::new().unwrap().in_text("Nobody sold it for good.");
        assert_eq!(found.iter().map(|found| found.phrase.as_str()).collect::<Vec<_>>(), ["Nobody", "for good"]);
        assert_eq!(found[1].instead, "permanently");
    }

    #[test]
    fn a_phrase_in_backticks_is_skipped() {
        assert!(phrases_in("the column `told` of a table").is_empty());
        assert_eq!(phrases_in("`x` was told"), ["told"]);
    }

    #[test]
    fn there_is_no_value_and_is_no_longer_are_allowed() {
        assert!(phrases_in("There is no value; the item is no longer there.").is_empty());
        assert_eq!(phrases_in("it is no address"), ["is no address"]);
    }

    #[test]
    fn a_word_that_only_contains_a_banned_word_is_allowed() {
        assert!(phrases_in("understands a bygone teller, besides").is_empty());
    }

    #[test]
    fn a_name_is_split_at_its_underscores() {
        assert!(in_name("MOST_TOLD").is_some());
        assert!(in_name("is_untold").is_none());
    }

    #[test]
    fn every_exception_has_a_reason() {
        assert!(ALLOWED.iter().all(|allowed| !allowed.reason.is_empty()));
    }
}
