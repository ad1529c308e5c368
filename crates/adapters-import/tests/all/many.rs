//! Millions of changed contents of each format: every one is read or refused, and none ends the reader. The same ones are tried in every run.

use std::panic::{AssertUnwindSafe, catch_unwind};

use secrecy::SecretString;
use tradepost_adapters_import::{read_content, read_holdings};
use tradepost_ports::imports::{ImportContent, ImportFormat};

use super::changed::{HOLDINGS, PARTS, PURCHASES, SALES, SEEDS};
use super::mafiles::{ENCRYPTED, PASSPHRASE};

/// How many of each are tried for every change of the program: with a key that is derived from a passphrase fewer, because that takes long.
const SOME: usize = 2_000;
const SOME_ENCRYPTED: usize = 10;

/// Chance that is the same in every run (xorshift64, Marsaglia 2003).
struct Random(u64);

impl Random {
    /// A number below an end that is not zero.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }

    /// Removes, repeats, cuts off or replaces bytes of one place.
    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let end = (at + self.below(12)).min(input.len());
        match self.below(8) {
            0 => drop(input.drain(at..end)),
            1 => input.extend_from_within(at..end),
            2 => input.truncate(at),
            3 => {
                let byte = u8::try_from(self.below(256)).unwrap();
                drop(input.splice(at..end, [byte]));
            }
            _ => {
                let part = PARTS[self.below(PARTS.len())];
                drop(input.splice(at..end, part.bytes()));
            }
        }
    }
}

/// Gives so many changes of a content to a reader. Whether it reads or refuses them does not count.
fn withstand(inputs: usize, seed: &str, read: impl Fn(&[u8])) {
    let (mut random, mut input) = (Random(0x9e37_79b9_7f4a_7c15), Vec::new());
    for number in 0..inputs {
        input.clear();
        input.extend_from_slice(seed.as_bytes());
        for _ in 0..=random.below(4) {
            random.change(&mut input);
        }
        let ended = catch_unwind(AssertUnwindSafe(|| read(&input)));
        assert!(ended.is_ok(), "content {number} ended the reader: {}", String::from_utf8_lossy(&input));
    }
}

fn content(format: ImportFormat, bytes: &[u8], passphrase: Option<&str>) -> ImportContent {
    ImportContent { format, bytes: bytes.to_vec().into(), passphrase: passphrase.map(SecretString::from) }
}

/// Without a passphrase no key is derived.
fn withstand_accounts(inputs: usize, format: ImportFormat) {
    let (_, seed) = ImportFormat::ALL.iter().zip(SEEDS).find(|(of, _)| **of == format).unwrap();
    withstand(inputs, seed, |bytes| drop(read_content(&content(format, bytes, None))));
}

fn withstand_holdings(inputs: usize, format: ImportFormat, seed: &str) {
    withstand(inputs, seed, |bytes| drop(read_holdings(&content(format, bytes, None))));
}

fn withstand_encrypted(inputs: usize) {
    let format = ImportFormat::MaFileBundle;
    withstand(inputs, ENCRYPTED, |bytes| drop(read_content(&content(format, bytes, Some(PASSPHRASE)))));
}

#[test]
fn some_thousands_of_changed_contents_of_each_format_are_read_or_refused() {
    for format in ImportFormat::ALL {
        withstand_accounts(SOME, *format);
    }
    for [csv, json] in [HOLDINGS, PURCHASES, SALES] {
        withstand_holdings(SOME, ImportFormat::Csv, csv);
        withstand_holdings(SOME, ImportFormat::Json, json);
    }
    withstand_encrypted(SOME_ENCRYPTED);
}

/// Ten million of each, minutes: `cargo xtask nightly` tries them.
mod long {
    use tradepost_ports::imports::ImportFormat;

    use super::{HOLDINGS, PURCHASES, SALES, withstand_accounts, withstand_encrypted, withstand_holdings};

    const INPUTS: usize = 10_000_000;
    /// A key is derived for most of these.
    const ENCRYPTED_INPUTS: usize = 10_000;

    #[test]
    fn ten_million_changed_files_of_an_authenticator_are_read_or_refused() {
        withstand_accounts(INPUTS, ImportFormat::MaFile);
    }

    #[test]
    fn ten_million_changed_folders_of_authenticators_are_read_or_refused() {
        withstand_accounts(INPUTS, ImportFormat::MaFileBundle);
    }

    #[test]
    fn ten_million_changed_files_of_steamguard_cli_are_read_or_refused() {
        withstand_accounts(INPUTS, ImportFormat::SteamguardCli);
    }

    #[test]
    fn ten_million_changed_databases_of_asf_are_read_or_refused() {
        withstand_accounts(INPUTS, ImportFormat::AsfDb);
    }

    #[test]
    fn ten_million_changed_lines_of_otpauth_are_read_or_refused() {
        withstand_accounts(INPUTS, ImportFormat::WinAuth);
    }

    #[test]
    fn ten_million_changed_arrays_of_accounts_are_read_or_refused() {
        withstand_accounts(INPUTS, ImportFormat::Json);
    }

    #[test]
    fn ten_million_changed_tables_of_accounts_are_read_or_refused() {
        withstand_accounts(INPUTS, ImportFormat::Csv);
    }

    #[test]
    fn ten_million_changed_tables_of_holdings_are_read_or_refused() {
        withstand_holdings(INPUTS, ImportFormat::Csv, HOLDINGS[0]);
    }

    #[test]
    fn ten_million_changed_arrays_of_holdings_are_read_or_refused() {
        withstand_holdings(INPUTS, ImportFormat::Json, HOLDINGS[1]);
    }

    #[test]
    fn ten_million_changed_tables_of_purchases_are_read_or_refused() {
        withstand_holdings(INPUTS, ImportFormat::Csv, PURCHASES[0]);
    }

    #[test]
    fn ten_million_changed_arrays_of_purchases_are_read_or_refused() {
        withstand_holdings(INPUTS, ImportFormat::Json, PURCHASES[1]);
    }

    #[test]
    fn ten_million_changed_tables_of_sales_are_read_or_refused() {
        withstand_holdings(INPUTS, ImportFormat::Csv, SALES[0]);
    }

    #[test]
    fn ten_million_changed_arrays_of_sales_are_read_or_refused() {
        withstand_holdings(INPUTS, ImportFormat::Json, SALES[1]);
    }

    #[test]
    fn ten_thousand_changed_folders_that_are_encrypted_are_read_or_refused() {
        withstand_encrypted(ENCRYPTED_INPUTS);
    }
}
