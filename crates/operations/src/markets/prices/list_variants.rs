//! [`ListVariants`]: market names that begin with a text.

use std::collections::BTreeSet;

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::{MarketHashName, Text};
use tradepost_ports::changes::Caller;
use tradepost_ports::store::{AFTER_ALL_NAMES, NameQuery, NamedRecord};

use crate::rules::{self, READ_MARKETS, READ_TRADING};
use crate::{OpError, OpResult, Operations, fields};

const DEFAULT_LIMIT: u32 = 20;
const LARGEST_LIMIT: u32 = 200;

/// A request for market names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListVariants {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only names that begin with this text, in upper or lower case; empty for the first names.
    pub prefix: String,
    /// The maximum of names: 0 is 20, above 200 is 200, negative is rejected.
    pub limit: i32,
}

/// Market names in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedVariants {
    /// The names, each once.
    pub names: Vec<MarketHashName>,
    /// Whether there are further names.
    pub truncated: bool,
}

impl Operations {
    /// Returns market names that begin with a text: observed ones, and those of purchases and items, as far as the caller may read them.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a prefix that is too long or has control characters, and for a negative limit.
    pub async fn list_variants(&self, caller: &Caller, command: ListVariants) -> OpResult<ListedVariants> {
        let scope = rules::LIST_VARIANTS.enter(&caller.principal, command.workspace_id)?;
        let most = fields::limit(command.limit, DEFAULT_LIMIT, LARGEST_LIMIT)?;
        let prefix = prefix(&command.prefix)?;
        let may = |policies| caller.principal.enter(command.workspace_id, policies).is_ok();
        let mut records = Vec::new();
        if may(READ_MARKETS) {
            records.extend([NamedRecord::Candle, NamedRecord::Quote]);
        }
        if may(READ_TRADING) {
            records.extend([NamedRecord::Purchase, NamedRecord::Item]);
        }
        let (mut names, mut truncated) = (BTreeSet::new(), false);
        let shown = self.to_show(caller, scope).item_names();
        for (from, before) in ranges(&prefix) {
            for of in &records {
                let query = NameQuery { from: &from, before: &before, begins: Some(&prefix), search: None, most };
                let list = shown.list_names(scope, *of, query).await?;
                names.extend(list.names);
                truncated |= !list.complete;
            }
        }
        truncated |= names.len() > most as usize;
        Ok(ListedVariants { names: names.into_iter().take(most as usize).collect(), truncated })
    }
}

/// Returns the prefix in lower case. A space at its end is kept: it separates words.
fn prefix(given: &str) -> OpResult<String> {
    if given.trim().is_empty() {
        return Ok(String::new());
    }
    let checked = Text::<100>::new(given).map_err(|error| OpError::invalid_field("prefix", error))?;
    let space = if given.ends_with(' ') { " " } else { "" };
    Ok(format!("{}{space}", checked.as_str().to_ascii_lowercase()))
}

/// Returns the ranges in which names with a prefix are: from its first letter on, in upper and in lower case, to the next letter.
fn ranges(prefix: &str) -> Vec<(String, String)> {
    let Some(first) = prefix.chars().next() else {
        return vec![(String::new(), AFTER_ALL_NAMES.to_owned())];
    };
    let range = |first: char| {
        let next = (first..).nth(1).map_or_else(|| AFTER_ALL_NAMES.to_owned(), String::from);
        (String::from(first), next)
    };
    let upper = first.to_ascii_uppercase();
    if upper == first { vec![range(first)] } else { vec![range(upper), range(first)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_prefix_are_in_the_ranges_of_its_first_letter() {
        let texts = |ranges: Vec<(String, String)>| -> Vec<String> {
            ranges.into_iter().map(|(from, before)| format!("{from}..{before}")).collect()
        };
        assert_eq!(texts(ranges("ak")), ["A..B", "a..b"]);
        assert_eq!(texts(ranges("\u{2605} k")), ["\u{2605}..\u{2606}"]);
        assert_eq!(texts(ranges("")), ["..\u{10FFFF}"]);
    }
}
