//! Contents that are changed at random, and texts that are none: every one is read or refused, and none is quoted.

use proptest::prelude::*;
use tradepost_adapters_import::read_holdings;
use tradepost_ports::imports::{ImportContent, ImportFormat};

use super::{read, read_with};

/// Contents as programs write them, of every format.
pub(super) const SEEDS: [&str; 7] = [
    include_str!("../fixtures/plain.maFile"),
    include_str!("../fixtures/plain-bundle.json"),
    r#"[{"account_name":"lantern","steam_id":76561198000000001,"shared_secret":"AQIDBAUGBwgJCgsMDQ4PEBESExQ=","tokens":null}]"#,
    r#"{"a.json":{"SteamLogin":"lantern"},"a.db":{"BackingMobileAuthenticator":{"shared_secret":"AQID"},"AccessToken":"e30.eyJzdWIiOiI3In0.e30"}}"#,
    "otpauth://totp/Steam:lantern?secret=AEBAGBAFAYDQQCIKBMGA2DQPCAIREEYU&issuer=Steam&data=%7B%22steamid%22%3A7%7D",
    r#"[{"platform_user_id":"76561198000000001","name":"harbour","password":"copper"}]"#,
    "steamid,name,password\n76561198000000001,harbour,copper\n",
];

/// Tables of holdings: as comma-separated values, and as JSON.
pub(super) const HOLDINGS: [&str; 2] =
    [include_str!("../fixtures/holdings.csv"), include_str!("../fixtures/holdings.json")];

/// Tables of purchases, in the same two ways.
pub(super) const PURCHASES: [&str; 2] =
    [include_str!("../fixtures/purchases.csv"), include_str!("../fixtures/purchases.json")];

/// Tables of sales, in the same two ways.
pub(super) const SALES: [&str; 2] = [include_str!("../fixtures/sales.csv"), include_str!("../fixtures/sales.json")];

/// Texts that formats give a meaning.
pub(super) const PARTS: [&str; 10] = ["\"", "{", "}", "[", ",", "\n", "null", "-1e999", "\\u0000", "%FF"];

/// A change of one place: bytes are removed, repeated or replaced by a text that formats give a meaning.
fn change(text: &str, place: (usize, usize, usize)) -> String {
    let (at, length, what) = place;
    let mut chars: Vec<char> = text.chars().collect();
    let at = at % (chars.len() + 1);
    let end = (at + length).min(chars.len());
    match what {
        0 => drop(chars.drain(at..end)),
        1 => {
            let repeated: Vec<char> = chars[at..end].to_vec();
            chars.splice(at..at, repeated);
        }
        other => drop(chars.splice(at..end, PARTS[other % PARTS.len()].chars())),
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn a_changed_content_of_every_format_is_read_or_refused(
        changes in proptest::collection::vec((any::<usize>(), 0_usize..12, 0_usize..12), 1..5),
    ) {
        for (format, seed) in ImportFormat::ALL.iter().zip(SEEDS) {
            let content = changes.iter().fold(seed.to_owned(), |text, at| change(&text, *at));
            let _ = read_with(*format, &content, Some("copper"));
        }
    }

    #[test]
    fn a_changed_table_of_items_is_read_or_refused(
        changes in proptest::collection::vec((any::<usize>(), 0_usize..12, 0_usize..12), 1..5),
    ) {
        for [csv, json] in [HOLDINGS, PURCHASES, SALES] {
            for (format, seed) in [(ImportFormat::Csv, csv), (ImportFormat::Json, json)] {
                let content = changes.iter().fold(seed.to_owned(), |text, at| change(&text, *at));
                let _ = read_holdings(&ImportContent { format, bytes: content.into_bytes().into(), passphrase: None });
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused_by_every_format(text in any::<String>()) {
        for format in ImportFormat::ALL {
            let _ = read(*format, &text);
        }
    }
}
