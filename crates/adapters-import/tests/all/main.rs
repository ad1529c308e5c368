//! Contents of every format, in the shapes that programs write them.
#![expect(clippy::unwrap_used, reason = "a failed expectation ends the test")]

mod changed;
mod holdings;
mod mafiles;
mod many;
mod others;
mod pages;
mod tables;

use secrecy::{ExposeSecret, SecretString};
use tradepost_adapters_import::read_content;
use tradepost_ports::imports::{ImportContent, ImportFormat, ReadAccount, ReadField, ReasonCode, UnreadableImport};

/// 20 bytes in Base64.
const SHARED: &str = "AQIDBAUGBwgJCgsMDQ4PEBESExQ=";
const IDENTITY: &str = "FRYXGBkaGxwdHh8gISIjJCUmJyg=";
const NUMBER: &str = "76561198000000001";

fn read(format: ImportFormat, content: &str) -> Result<Vec<ReadAccount>, UnreadableImport> {
    read_with(format, content, None)
}

fn read_with(
    format: ImportFormat,
    content: &str,
    passphrase: Option<&str>,
) -> Result<Vec<ReadAccount>, UnreadableImport> {
    let bytes = content.as_bytes().to_vec().into();
    read_content(&ImportContent { format, bytes, passphrase: passphrase.map(SecretString::from) })
}

/// The only account of a content.
fn only(format: ImportFormat, content: &str) -> ReadAccount {
    let mut accounts = read(format, content).unwrap();
    assert_eq!(accounts.len(), 1);
    accounts.remove(0)
}

fn field(account: &ReadAccount, field: ReadField) -> Option<&str> {
    account.field(field).map(ExposeSecret::expose_secret)
}

fn fault(account: &ReadAccount) -> Option<ReasonCode> {
    account.fault.as_ref().map(|fault| fault.code)
}
