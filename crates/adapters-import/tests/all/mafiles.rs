//! Files of the Steam Desktop Authenticator.

use serde_json::{Value, json};
use tradepost_ports::imports::{ImportFormat, MOST_ENCRYPTED, ReadField, ReasonCode, UnreadableImport};

use super::{IDENTITY, NUMBER, SHARED, fault, field, only, read, read_with};

const PLAIN: &str = include_str!("../fixtures/plain.maFile");
pub(super) const ENCRYPTED: &str = include_str!("../fixtures/encrypted-bundle.json");
pub(super) const PASSPHRASE: &str = "seven copper lanterns";

/// The file with some fields replaced; null removes one.
fn changed(fields: &[(&str, Value)]) -> String {
    let mut file: Value = serde_json::from_str(PLAIN).unwrap();
    for (name, value) in fields {
        if value == "missing" {
            file.as_object_mut().unwrap().remove(*name);
        } else {
            file[*name] = value.clone();
        }
    }
    file.to_string()
}

#[test]
fn a_file_is_read_with_every_field() {
    let account = only(ImportFormat::MaFile, PLAIN);
    assert_eq!(account.platform_user_id.as_deref(), Some(NUMBER));
    for (of, value) in [
        (ReadField::LoginName, "lantern"),
        (ReadField::SharedSecret, SHARED),
        (ReadField::IdentitySecret, IDENTITY),
        (ReadField::RevocationCode, "R12345"),
        (ReadField::DeviceId, "android:01234567-89ab-cdef-0123-456789abcdef"),
        (ReadField::SerialNumber, "1234567890123456789"),
        (ReadField::Secret1, SHARED),
    ] {
        assert_eq!(field(&account, of), Some(value), "{of}");
    }
    assert_eq!(field(&account, ReadField::Password), None);
}

#[test]
fn a_number_is_read_as_a_number_or_a_text_and_from_every_place() {
    let number: u64 = NUMBER.parse().unwrap();
    for fields in [
        [("Session", json!({ "SteamID": number })), ("steamid", json!("missing"))],
        [("Session", json!({ "SteamID": NUMBER })), ("steamid", json!(null))],
        [("Session", json!(null)), ("steamid", json!(number))],
        [("Session", json!("missing")), ("steamid", json!(NUMBER))],
        [("Session", json!({ "SteamID": null })), ("steam_id", json!(number))],
        [("Session", json!({ "SteamID": 0 })), ("steam_id", json!(NUMBER))],
    ] {
        let account = only(ImportFormat::MaFile, &changed(&fields));
        assert_eq!(account.platform_user_id.as_deref(), Some(NUMBER), "{fields:?}");
    }
}

#[test]
fn a_missing_a_null_and_an_empty_field_are_missing() {
    for value in [json!("missing"), json!(null), json!(""), json!("  ")] {
        for (name, of) in
            [("identity_secret", ReadField::IdentitySecret), ("revocation_code", ReadField::RevocationCode)]
        {
            let account = only(ImportFormat::MaFile, &changed(&[(name, value.clone())]));
            assert_eq!((fault(&account), field(&account, of)), (None, None), "{name}: {value}");
        }
        let account = only(ImportFormat::MaFile, &changed(&[("Session", value)]));
        assert_eq!(account.platform_user_id, None);
    }
}

#[test]
fn numbers_where_texts_are_expected_are_read_as_texts() {
    let account = only(ImportFormat::MaFile, &changed(&[("serial_number", json!(77)), ("account_name", json!(42))]));
    assert_eq!(field(&account, ReadField::SerialNumber), Some("77"));
    assert_eq!(field(&account, ReadField::LoginName), Some("42"));
}

#[test]
fn a_field_of_another_shape_is_a_fault_that_does_not_quote_it() {
    let account = only(ImportFormat::MaFile, &changed(&[("shared_secret", json!(["seven copper lanterns"]))]));
    assert_eq!(fault(&account), Some(ReasonCode::FileInvalid));
    let said = format!("{account:?}");
    assert!(!said.contains("copper"), "{said}");
}

#[test]
fn an_encrypted_file_by_itself_is_refused_with_what_to_send() {
    let UnreadableImport::Content(rule) = read(ImportFormat::MaFile, "F5AnZNPeZsCMzrlHhayPAw==").unwrap_err() else {
        panic!("the content is refused")
    };
    assert!(rule.contains("MAFILE_BUNDLE"), "{rule}");
}

#[test]
fn a_folder_is_read_with_its_manifest_and_without_one() {
    let with = json!({
        "manifest.json": { "encrypted": false, "entries": [
            { "encryption_iv": null, "encryption_salt": null, "filename": "1.maFile", "steamid": 76_561_198_000_000_009_u64 },
            { "filename": "2.maFile", "steamid": 76_561_198_000_000_002_u64 },
        ] },
        "maFiles/1.maFile": PLAIN,
        "maFiles\\2.maFile": serde_json::from_str::<Value>(&changed(&[("Session", json!(null))])).unwrap(),
    });
    let accounts = read(ImportFormat::MaFileBundle, &with.to_string()).unwrap();
    let numbers: Vec<_> = accounts.iter().map(|account| account.platform_user_id.as_deref()).collect();
    assert_eq!(numbers, [Some(NUMBER), Some("76561198000000002")], "the manifest knows the number of a file without");
    let without = json!({ "1.maFile": PLAIN, "notes.txt": "none", ".maFile": "{}" });
    assert_eq!(read(ImportFormat::MaFileBundle, &without.to_string()).unwrap().len(), 1);
}

#[test]
fn a_file_that_the_manifest_names_and_the_folder_lacks_is_a_fault() {
    let bundle = json!({ "manifest.json": { "entries": [{ "filename": "1.maFile", "steamid": NUMBER }] } });
    let account = only(ImportFormat::MaFileBundle, &bundle.to_string());
    assert_eq!((fault(&account), account.platform_user_id.as_deref()), (Some(ReasonCode::FileInvalid), Some(NUMBER)));
}

#[test]
fn an_encrypted_folder_is_opened_by_its_passphrase() {
    let accounts = read_with(ImportFormat::MaFileBundle, ENCRYPTED, Some(PASSPHRASE)).unwrap();
    assert_eq!(accounts.len(), 1);
    assert_eq!(accounts[0].platform_user_id.as_deref(), Some("76561198000000002"));
    assert_eq!(field(&accounts[0], ReadField::LoginName), Some("harbour"));
    assert_eq!(field(&accounts[0], ReadField::SharedSecret), Some(SHARED));
}

#[test]
fn without_its_passphrase_an_encrypted_folder_is_refused_for_the_passphrase() {
    for given in [None, Some("another")] {
        let refused = read_with(ImportFormat::MaFileBundle, ENCRYPTED, given).unwrap_err();
        assert!(matches!(refused, UnreadableImport::Passphrase(_)), "{given:?}: {refused:?}");
    }
}

#[test]
fn one_file_of_another_passphrase_is_a_fault_and_the_others_are_read() {
    let mut bundle: Value = serde_json::from_str(ENCRYPTED).unwrap();
    let mut second = bundle["manifest.json"]["entries"][0].clone();
    second["filename"] = json!("other.maFile");
    bundle["manifest.json"]["entries"].as_array_mut().unwrap().push(second);
    bundle["other.maFile"] = json!("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    let accounts = read_with(ImportFormat::MaFileBundle, &bundle.to_string(), Some(PASSPHRASE)).unwrap();
    let faults: Vec<_> = accounts.iter().map(fault).collect();
    assert_eq!(faults, [None, Some(ReasonCode::FileEncrypted)]);
}

#[test]
fn more_encrypted_files_than_are_opened_are_refused_before_any_is() {
    let mut bundle: Value = serde_json::from_str(ENCRYPTED).unwrap();
    let entry = bundle["manifest.json"]["entries"][0].clone();
    bundle["manifest.json"]["entries"] = vec![entry; MOST_ENCRYPTED + 1].into();
    let refused = read_with(ImportFormat::MaFileBundle, &bundle.to_string(), Some(PASSPHRASE)).unwrap_err();
    assert!(matches!(refused, UnreadableImport::Content(_)), "{refused:?}");
}

#[test]
fn a_manifest_that_lists_no_files_is_refused() {
    for manifest in [json!([]), json!({}), json!({ "entries": 7 }), json!({ "entries": [7] }), json!("no")] {
        let refused = read(ImportFormat::MaFileBundle, &json!({ "manifest.json": manifest }).to_string());
        assert!(matches!(refused, Err(UnreadableImport::Content(_))), "{manifest}");
    }
}
