//! What a table shows instead of the id of a record.

use std::collections::HashMap;

use super::ids;

/// The names of records by their ids.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<String, String>);

impl Names {
    /// The name, or the id of a record without one.
    pub(super) fn short(&self, id: &str) -> String {
        self.0.get(id).cloned().unwrap_or_else(|| ids::to_text(id).unwrap_or_else(|| id.to_owned()))
    }

    /// Whether a record has a name.
    pub(super) fn has(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// The name with the id behind it.
    pub(super) fn long(&self, id: &str) -> String {
        let text = ids::to_text(id).unwrap_or_else(|| id.to_owned());
        self.0.get(id).map_or(text.clone(), |name| format!("{name} ({text})"))
    }

    /// Adds names with the ids of their records.
    pub(super) fn add(&mut self, named: impl IntoIterator<Item = (String, String)>) {
        self.0.extend(named);
    }
}
