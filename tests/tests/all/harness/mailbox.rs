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
        self.all().into_iter().filter(|mail| mail["to"] == address).collect()
    }

    fn all(&self) -> Vec<Value> {
        let mut files: Vec<PathBuf> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .collect();
        files.sort();
        files.iter().map(|path| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()).collect()
    }

    /// The text of the latest mail to an address.
    pub(crate) fn latest(&self, address: &str) -> String {
        let mail = self.to(address).pop().unwrap_or_else(|| panic!("no mail to {address}"));
        mail["text"].as_str().unwrap().to_owned()
    }

    /// The tokens of all links that were mailed.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let texts = self.all().into_iter().filter_map(|mail| mail["text"].as_str().map(str::to_owned));
        texts
            .flat_map(|text| {
                text.split_whitespace().filter_map(|word| Some(word.split_once('#')?.1.to_owned())).collect::<Vec<_>>()
            })
            .collect()
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
