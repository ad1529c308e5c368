//! The folder into which the server's mails are written, read as its users would.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use tradepost::Tradepost;
use tradepost_domain::time::Timestamp;

/// How long a mail from another process may take.
const ON_ITS_WAY: Duration = Duration::from_secs(20);

/// The mails of a server.
#[derive(Debug)]
pub(crate) struct Mailbox {
    folder: PathBuf,
    /// The server, where it runs in this process: its outbox reports when every mail has arrived.
    app: Option<Tradepost>,
}

impl Mailbox {
    /// The mails of a server in this process.
    pub(crate) fn of(app: &Tradepost, folder: impl AsRef<Path>) -> Self {
        Self { folder: folder.as_ref().to_owned(), app: Some(app.clone()) }
    }

    /// The mails of another process.
    pub(crate) fn at(folder: impl AsRef<Path>) -> Self {
        Self { folder: folder.as_ref().to_owned(), app: None }
    }

    /// The mails to an address, the oldest first.
    pub(crate) fn to(&self, address: &str) -> Vec<Value> {
        self.all().into_iter().filter(|mail| mail["to"] == address).collect()
    }

    fn all(&self) -> Vec<Value> {
        self.settle();
        let mut files: Vec<PathBuf> = fs::read_dir(&self.folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .collect();
        files.sort();
        files.iter().map(|path| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()).collect()
    }

    /// The text of the latest mail to an address.
    pub(crate) fn latest(&self, address: &str) -> String {
        self.find(address, |text| Some(text.to_owned()))
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

    /// The code in the latest mail that has one: the only number of 6 to 8 digits in it.
    pub(crate) fn code(&self, address: &str) -> String {
        self.find(address, |text| {
            let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|word| (6..=8).contains(&word.len()));
            let [code] = numbers.collect::<Vec<_>>().try_into().ok()?;
            Some(str::to_owned(code))
        })
    }

    /// The token of the link in the latest mail with this word in its address, such as `confirm`.
    pub(crate) fn token(&self, address: &str, link: &str) -> String {
        self.find(address, |text| {
            let link = text.split_whitespace().find(|word| word.contains(&format!("/{link}")))?;
            Some(link.split_once('#')?.1.to_owned())
        })
    }

    /// What is found in the latest mail that has it.
    fn find(&self, address: &str, wanted: impl Fn(&str) -> Option<String>) -> String {
        let began = Instant::now();
        loop {
            let mails = self.to(address);
            if let Some(found) = mails.iter().rev().find_map(|mail| wanted(mail["text"].as_str().unwrap())) {
                return found;
            }
            assert!(self.app.is_none() && began.elapsed() < ON_ITS_WAY, "not in the mails to {address}: {mails:#?}");
            std::thread::yield_now();
        }
    }

    /// Waits until what the server has to hand over is handed over, and lends a hand.
    pub(crate) fn settle(&self) {
        let Some(app) = &self.app else { return };
        let settled = async {
            while !app.store().outbox().list_due(Timestamp::MAX, 1).await.unwrap().is_empty() {
                app.operations().hand_over_mails().await.unwrap();
            }
        };
        block_in_place(|| Handle::current().block_on(settled));
    }
}
