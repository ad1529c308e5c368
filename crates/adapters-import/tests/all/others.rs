//! Files of steamguard-cli and ASF, and lines of otpauth.

use serde_json::json;
use tradepost_ports::imports::{ImportFormat, ReadField, ReasonCode, UnreadableImport};

use super::{IDENTITY, NUMBER, SHARED, fault, field, only, read};

/// The secret of the fixtures in Base32.
const BASE32: &str = "AEBAGBAFAYDQQCIKBMGA2DQPCAIREEYU";
/// A token whose claims name the account; its signature is of no interest.
const TOKEN: &str = "e30.eyJzdWIiOiI3NjU2MTE5ODAwMDAwMDAwMSJ9.e30";

#[test]
fn account_files_of_steamguard_cli_are_read_alone_in_an_array_and_in_a_folder() {
    let file = json!({
        "account_name": "lantern", "steam_id": 76_561_198_000_000_001_u64, "serial_number": "77", "revocation_code": "R1",
        "shared_secret": SHARED, "token_gid": "g", "identity_secret": IDENTITY, "uri": "otpauth://totp/Steam:lantern",
        "device_id": "android:1", "secret_1": SHARED, "steamguard_scheme": "2", "tokens": null,
    });
    let folder = json!({ "manifest.json": { "version": 1, "entries": [] }, "lantern.maFile": file });
    for content in [file.clone(), json!([file]), folder] {
        let account = only(ImportFormat::SteamguardCli, &content.to_string());
        assert_eq!(account.platform_user_id.as_deref(), Some(NUMBER));
        assert_eq!(field(&account, ReadField::IdentitySecret), Some(IDENTITY));
        assert_eq!(field(&account, ReadField::RevocationCode), Some("R1"));
    }
}

#[test]
fn a_file_that_steamguard_cli_encrypted_is_a_fault() {
    let folder = json!({ "lantern.maFile": "c2VhbGVk" });
    assert_eq!(fault(&only(ImportFormat::SteamguardCli, &folder.to_string())), Some(ReasonCode::FileInvalid));
}

#[test]
fn a_bot_of_asf_is_its_configuration_and_its_database() {
    for authenticator in ["BackingMobileAuthenticator", "_MobileAuthenticator", "MobileAuthenticator"] {
        let folder = json!({
            "ASF.json": { "Headless": true },
            "ASF.db": {},
            "harbour.json": { "SteamLogin": "lantern", "SteamPassword": "copper", "PasswordFormat": 0 },
            "harbour.db": {
                authenticator: { "shared_secret": SHARED, "identity_secret": IDENTITY },
                "BackingAccessToken": TOKEN,
            },
        });
        let account = only(ImportFormat::AsfDb, &folder.to_string());
        assert_eq!(account.name.as_deref(), Some("harbour"));
        assert_eq!(account.platform_user_id.as_deref(), Some(NUMBER));
        assert_eq!(field(&account, ReadField::LoginName), Some("lantern"));
        assert_eq!(field(&account, ReadField::Password), Some("copper"));
        assert_eq!(field(&account, ReadField::SharedSecret), Some(SHARED), "{authenticator}");
    }
}

#[test]
fn a_password_that_asf_encrypted_and_a_token_that_is_none_are_left_out() {
    let folder = json!({
        "harbour.json": { "SteamLogin": "lantern", "SteamPassword": "c2VhbGVk", "PasswordFormat": 1 },
        "harbour.db": { "BackingAccessToken": "sealed", "BackingRefreshToken": null, "BackingMobileAuthenticator": null },
    });
    let account = only(ImportFormat::AsfDb, &folder.to_string());
    assert_eq!((account.platform_user_id.as_deref(), field(&account, ReadField::Password)), (None, None));
    let broken = json!({ "harbour.json": "no", "harbour.db": {} });
    assert_eq!(fault(&only(ImportFormat::AsfDb, &broken.to_string())), Some(ReasonCode::FileInvalid));
}

#[test]
fn lines_of_steam_are_read_and_those_of_other_services_left_out() {
    let data =
        "%7B%22steamid%22%3A%2276561198000000001%22%2C%22identity_secret%22%3A%22FRYXGBkaGxwdHh8gISIjJCUmJyg%3D%22%7D";
    let lines = format!(
        "otpauth://totp/Steam:lantern?secret={BASE32}&digits=5&issuer=Steam&deviceid=android%3A1&data={data}\r\n\n\
         otpauth://totp/Example:ada?secret={BASE32}&issuer=Example\n\
         otpauth://steam/harbour?secret={}&steamid=76561198000000002\n",
        BASE32.to_lowercase()
    );
    let accounts = read(ImportFormat::WinAuth, &lines).unwrap();
    assert_eq!(accounts.len(), 2);
    assert_eq!(accounts[0].platform_user_id.as_deref(), Some(NUMBER));
    assert_eq!(field(&accounts[0], ReadField::SharedSecret), Some(SHARED));
    assert_eq!(field(&accounts[0], ReadField::IdentitySecret), Some(IDENTITY));
    assert_eq!(field(&accounts[0], ReadField::DeviceId), Some("android:1"));
    assert_eq!(field(&accounts[1], ReadField::LoginName), Some("harbour"));
    assert_eq!(field(&accounts[1], ReadField::SharedSecret), Some(SHARED));
}

#[test]
fn a_line_that_is_none_and_a_secret_that_is_none_are_faults() {
    let lines = "steam://harbour\notpauth://totp/Steam:harbour?secret=1!&issuer=Steam";
    let faults: Vec<_> = read(ImportFormat::WinAuth, lines).unwrap().iter().map(fault).collect();
    assert_eq!(faults, [Some(ReasonCode::FileInvalid), Some(ReasonCode::SecretInvalid)]);
    let other = "otpauth://totp/Example:ada?secret=AA&issuer=Example";
    assert!(matches!(read(ImportFormat::WinAuth, other), Err(UnreadableImport::Content(_))));
}
