//! The folder into which the server's mails are written, read as its users would.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The mails of a server.
#[derive(Debug)]
pub(crate) struct Mailbox(PathBuf);

impl Mailbox {
    pub(crate) fn at(folder: impl AsRef<Path>) -> Self {
        Self(folder.as_ref().to_owned())
    }

    /// The mails to an address, the oldest first.
    pub(crate) fn to(&self, address: &str) -> Vec<Value> {
        let mut files: Vec<PathBuf> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .collect();
        files.sort();
        let mails = files.iter().map(|path| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap());
        mails.filter(|mail: &Value| mail["to"] == address).collect()
    }

    /// The text of the latest mail to an address.
    pub(crate) fn latest(&self, address: &str) -> String {
        let mail = self.to(address).pop().unwrap_or_else(|| panic!("no mail to {address}"));
        mail["text"].as_str().unwrap().to_owned()
    }

    /// The code in the latest mail: the only number of 6 to 8 digits in it.
    pub(crate) fn code(&self, address: &str) -> String {
        let text = self.latest(address);
        let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|word| (6..=8).contains(&word.len()));
        let [code] = numbers.collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("not one code in: {text}"));
        code.to_owned()
    }

    /// The token of the link in the latest mail with this word in its address, such as `confirm`.
    pub(crate) fn token(&self, address: &str, link: &str) -> String {
        let mails = self.to(address).into_iter().rev();
        let found = mails.filter_map(|mail| {
            let text = mail["text"].as_str()?.to_owned();
            let (_, token) =
                text.split_whitespace().find(|word| word.contains(&format!("/{link}")))?.split_once('#')?;
            Some(token.to_owned())
        });
        found.into_iter().next().unwrap_or_else(|| panic!("no link to {link} was mailed to {address}"))
    }
}
