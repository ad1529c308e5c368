//! A folder as one content: a JSON object of file names and their contents. A content is a text, or the JSON that is in the file.

use serde_json::{Map, Value};
use tradepost_ports::imports::UnreadableImport;

use crate::{must, object};

/// The files of a folder.
pub(crate) struct Bundle(Map<String, Value>);

impl Bundle {
    /// Reads a folder.
    pub(crate) fn read(text: &str) -> Result<Self, UnreadableImport> {
        let files = object::of(object::parse(text)?);
        files.map(Self).ok_or_else(|| must("be a JSON object of file names and their contents"))
    }

    /// The folder of an object that was parsed.
    pub(crate) const fn of(files: Map<String, Value>) -> Self {
        Self(files)
    }

    /// Returns the content of a file. A folder before the name does not count, nor does the case of letters.
    pub(crate) fn file(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(path, _)| file_name(path).eq_ignore_ascii_case(name)).map(|(_, content)| content)
    }

    /// Returns the files whose names end so, in the order of their names, each with its name before that.
    pub(crate) fn ending_in<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.0.iter().filter_map(move |(path, content)| Some((stem(file_name(path), ending)?, content)))
    }
}

/// Returns the object that a file contains.
pub(crate) fn object_in(content: &Value) -> Option<Map<String, Value>> {
    let value = match content.as_str() {
        Some(text) => serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()?,
        None => content.clone(),
    };
    object::of(value)
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn stem<'a>(name: &'a str, ending: &str) -> Option<&'a str> {
    let (stem, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    (end.eq_ignore_ascii_case(ending) && !stem.is_empty()).then_some(stem)
}
