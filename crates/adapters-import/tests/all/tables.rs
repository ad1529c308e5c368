//! Tables of accounts.

use serde_json::json;
use tradepost_domain::trading::import::MOST_ROWS;
use tradepost_ports::imports::{ImportFormat, ReadField, ReasonCode, UnreadableImport};

use super::{NUMBER, SHARED, fault, field, only, read};

#[test]
fn an_array_of_objects_is_read_by_the_names_of_fields() {
    let content = json!([{
        "platform_user_id": NUMBER, "name": "harbour-1", "login_name": "lantern", "password": "copper",
        "shared_secret": SHARED, "trade_token": "AbCdEfGh", "api_key": null, "revocation_code": "R1",
    }]);
    let account = only(ImportFormat::Json, &content.to_string());
    assert_eq!((account.platform_user_id.as_deref(), account.name.as_deref()), (Some(NUMBER), Some("harbour-1")));
    assert_eq!(field(&account, ReadField::Password), Some("copper"));
    assert_eq!(field(&account, ReadField::TradeToken), Some("AbCdEfGh"));
    assert_eq!(field(&account, ReadField::ApiKey), None);
    let numbered = json!({ "steamid": 76_561_198_000_000_001_u64 });
    assert_eq!(only(ImportFormat::Json, &numbered.to_string()).platform_user_id.as_deref(), Some(NUMBER));
}

#[test]
fn comma_separated_values_are_read_by_their_header() {
    let content = format!("\u{feff}steamid, name ,password\n{NUMBER},harbour-1,\"cop,per\"\n76561198000000002,,\n");
    let accounts = read(ImportFormat::Csv, &content).unwrap();
    assert_eq!(accounts.len(), 2);
    assert_eq!(field(&accounts[0], ReadField::Password), Some("cop,per"));
    assert_eq!((accounts[1].name.as_deref(), field(&accounts[1], ReadField::Password)), (None, None));
}

#[test]
fn an_unknown_name_is_refused_and_not_quoted() {
    let json = json!([{ "steamid": NUMBER, "seven copper lanterns": 1 }]).to_string();
    for (format, content) in
        [(ImportFormat::Json, json.as_str()), (ImportFormat::Csv, "steamid,seven copper lanterns\n")]
    {
        let refused = read(format, content).unwrap_err();
        assert!(matches!(refused, UnreadableImport::Content(_)));
        assert!(!refused.to_string().contains("copper"), "{refused}");
    }
}

#[test]
fn a_field_of_another_shape_is_the_fault_of_its_account_alone() {
    let content = json!([{ "steamid": NUMBER, "password": {} }, { "steamid": NUMBER }]);
    let faults: Vec<_> = read(ImportFormat::Json, &content.to_string()).unwrap().iter().map(fault).collect();
    assert_eq!(faults, [Some(ReasonCode::FileInvalid), None]);
}

#[test]
fn content_that_is_not_of_its_format_is_refused_and_not_quoted() {
    for format in ImportFormat::ALL {
        for content in
            ["", "{", "7", "[7]", "\"seven copper lanterns\"", "seven,copper\nlanterns", "{\"a\": seven copper}"]
        {
            let read = read(*format, content);
            let said = format!("{read:?}");
            assert!(!said.contains("copper") && !said.contains("lanterns"), "{format}: {said}");
            assert!(
                read.is_err() || *format == ImportFormat::WinAuth || *format == ImportFormat::SteamguardCli,
                "{format}: {content}"
            );
        }
    }
}

#[test]
fn more_rows_than_an_import_has_are_refused() {
    let rows = |many: usize| vec![json!({ "steamid": NUMBER }); many];
    assert!(read(ImportFormat::Json, &json!(rows(MOST_ROWS)).to_string()).is_ok());
    let refused = read(ImportFormat::Json, &json!(rows(MOST_ROWS + 1)).to_string());
    assert!(matches!(refused, Err(UnreadableImport::Content(_))));
}
