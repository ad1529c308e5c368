//! Reads trading accounts that other programs keep: files of mobile authenticators, configurations of bots, and tables. Of items that
//! accounts hold, and of purchases and sales of items, it reads tables.
//!
//! It reads what it is given and nothing else: no file is opened and nothing is called. What it returns is unchecked. No error and no
//! fault has a part of the content, because both are shown and logged.
#![deny(missing_docs)]

mod asf;
mod bundle;
mod decryption;
mod holdings;
mod mafile;
mod object;
mod otpauth;
mod steamguard_cli;
mod table;

use std::panic::resume_unwind;
use std::sync::Arc;

use async_trait::async_trait;
use secrecy::ExposeSecret as _;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tradepost_domain::trading::import::{ImportFormat, MOST_ROWS};
use tradepost_ports::imports::{ImportContent, ImportReader, ReadAccount, ReadHolding, UnreadableImport};

/// Reads contents of every format, one at a time: an encrypted one keeps a core busy for seconds.
#[derive(Debug, Clone)]
pub struct ImportFiles {
    turns: Arc<Semaphore>,
}

impl Default for ImportFiles {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(1)) }
    }
}

impl ImportFiles {
    async fn in_turn<T: Send + 'static>(
        &self,
        content: ImportContent,
        read: fn(&ImportContent) -> Result<Vec<T>, UnreadableImport>,
    ) -> Result<Vec<T>, UnreadableImport> {
        let failed = || UnreadableImport::Failed("the reader of imports is shutting down".to_owned());
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| failed())?;
        let reading = spawn_blocking(move || {
            // Held until the work is done, even when its caller no longer waits.
            let _turn = turn;
            read(&content)
        });
        reading.await.map_err(|error| match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => failed(),
        })?
    }
}

#[async_trait]
impl ImportReader for ImportFiles {
    async fn read(&self, content: ImportContent) -> Result<Vec<ReadAccount>, UnreadableImport> {
        self.in_turn(content, read_content).await
    }

    async fn read_holdings(&self, content: ImportContent) -> Result<Vec<ReadHolding>, UnreadableImport> {
        self.in_turn(content, read_holdings).await
    }
}

/// Returns the accounts of a content in their order. It blocks, for seconds where the content is encrypted.
///
/// # Errors
/// [`UnreadableImport`].
pub fn read_content(content: &ImportContent) -> Result<Vec<ReadAccount>, UnreadableImport> {
    let text = text_of(content)?;
    let passphrase = content.passphrase.as_ref();
    let accounts = match content.format {
        ImportFormat::MaFile => mafile::read_one(text)?,
        ImportFormat::MaFileBundle => mafile::read_bundle(text, passphrase)?,
        ImportFormat::SteamguardCli => steamguard_cli::read(text)?,
        ImportFormat::AsfDb => asf::read(text)?,
        ImportFormat::WinAuth => otpauth::read(text)?,
        ImportFormat::Json => table::read_json(text)?,
        ImportFormat::Csv => table::read_csv(text)?,
    };
    match accounts.len() {
        0 => Err(must("have an account")),
        1..=MOST_ROWS => Ok(accounts),
        _ => Err(must(&format!("have at most {MOST_ROWS} accounts"))),
    }
}

/// Returns the holdings of a content in their order, or its purchases or sales, which are written in the same way.
///
/// # Errors
/// [`UnreadableImport`].
pub fn read_holdings(content: &ImportContent) -> Result<Vec<ReadHolding>, UnreadableImport> {
    let text = text_of(content)?;
    let holdings = match content.format {
        ImportFormat::Json => holdings::read_json(text)?,
        ImportFormat::Csv => holdings::read_csv(text)?,
        ImportFormat::MaFile
        | ImportFormat::MaFileBundle
        | ImportFormat::SteamguardCli
        | ImportFormat::AsfDb
        | ImportFormat::WinAuth => return Err(must("be JSON or comma-separated values")),
    };
    match holdings.len() {
        0 => Err(must("have a holding")),
        1..=MOST_ROWS => Ok(holdings),
        _ => Err(must(&format!("have at most {MOST_ROWS} holdings"))),
    }
}

fn text_of(content: &ImportContent) -> Result<&str, UnreadableImport> {
    let text = std::str::from_utf8(content.bytes.expose_secret()).map_err(|_| must("be text in UTF-8"))?;
    // Programs of Windows begin a file with a byte order mark.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Says what a content must do.
fn must(what: &str) -> UnreadableImport {
    UnreadableImport::Content(format!("must {what}"))
}
