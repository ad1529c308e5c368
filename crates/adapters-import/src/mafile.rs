//! Files of the Steam Desktop Authenticator: one `.maFile`, or the folder with its manifest, whose files may be encrypted.

use secrecy::SecretString;
use serde_json::{Map, Value};
use tradepost_ports::imports::{MOST_ENCRYPTED, ReadAccount, ReadFault, ReasonCode, UnreadableImport};

use crate::bundle::{Bundle, object_in};
use crate::decryption::Encryption;
use crate::{must, object};

/// A file that the manifest names.
struct Entry {
    file: String,
    number: Option<String>,
    encryption: Option<Encryption>,
}

/// Reads one file.
pub(crate) fn read_one(text: &str) -> Result<Vec<ReadAccount>, UnreadableImport> {
    if !text.trim_start().starts_with('{') {
        return Err(must(
            "be one .maFile that is not encrypted; send an encrypted one with its manifest.json as MAFILE_BUNDLE",
        ));
    }
    let file = object::of(object::parse(text)?).ok_or_else(|| must("be one .maFile"))?;
    Ok(vec![object::account(&file)])
}

/// Reads a folder.
pub(crate) fn read_bundle(text: &str, passphrase: Option<&SecretString>) -> Result<Vec<ReadAccount>, UnreadableImport> {
    let bundle = Bundle::read(text)?;
    let Some(manifest) = bundle.file("manifest.json") else {
        return Ok(bundle.ending_in(".maFile").map(|(_, file)| plain(file)).collect());
    };
    let entries = entries(manifest)?;
    let encrypted = entries.iter().filter(|entry| entry.encryption.is_some()).count();
    if encrypted > MOST_ENCRYPTED {
        return Err(must(&format!("have at most {MOST_ENCRYPTED} encrypted files")));
    }
    let no_passphrase = || UnreadableImport::Passphrase("is required: the files are encrypted".to_owned());
    let passphrase = if encrypted > 0 { Some(passphrase.ok_or_else(no_passphrase)?) } else { None };
    let accounts: Vec<ReadAccount> = entries.iter().map(|entry| entry.read(&bundle, passphrase)).collect();
    let is_sealed =
        |account: &&ReadAccount| account.fault.as_ref().is_some_and(|fault| fault.code == ReasonCode::FileEncrypted);
    if encrypted > 0 && accounts.iter().filter(is_sealed).count() == encrypted {
        return Err(UnreadableImport::Passphrase("must be the one of the files: it opens none".to_owned()));
    }
    Ok(accounts)
}

fn plain(file: &Value) -> ReadAccount {
    object_in(file).map_or_else(|| object::unreadable("the file is not a JSON object"), |file| object::account(&file))
}

fn entries(manifest: &Value) -> Result<Vec<Entry>, UnreadableImport> {
    let broken = || must("have a manifest.json that lists its files in entries");
    let manifest = object_in(manifest).ok_or_else(broken)?;
    let entries = manifest.get("entries").and_then(Value::as_array).ok_or_else(broken)?;
    entries.iter().map(|entry| entry.as_object().and_then(entry_of).ok_or_else(broken)).collect()
}

fn entry_of(entry: &Map<String, Value>) -> Option<Entry> {
    let text = |name| object::scalar(entry, name).ok();
    let encryption = match (text("encryption_salt")?, text("encryption_iv")?) {
        (Some(salt), Some(iv)) => Some(Encryption::of(&salt, &iv)?),
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => return None,
    };
    Some(Entry { file: text("filename")??, number: text("steamid")?.filter(|number| number != "0"), encryption })
}

impl Entry {
    fn read(&self, bundle: &Bundle, passphrase: Option<&SecretString>) -> ReadAccount {
        let read = match (bundle.file(&self.file), &self.encryption, passphrase) {
            (None, _, _) => object::unreadable("the file that the manifest names is missing"),
            (Some(file), Some(encryption), Some(passphrase)) => decrypted(file, encryption, passphrase),
            (Some(file), _, _) => plain(file),
        };
        // The manifest knows the number of a file without a session.
        ReadAccount { platform_user_id: read.platform_user_id.clone().or_else(|| self.number.clone()), ..read }
    }
}

fn decrypted(file: &Value, encryption: &Encryption, passphrase: &SecretString) -> ReadAccount {
    let opened = file.as_str().and_then(|sealed| encryption.open(sealed, passphrase));
    // A wrong passphrase sometimes gives bytes that look like a text.
    let object = opened.and_then(|text| object::of(serde_json::from_str(&text).ok()?));
    object.map_or_else(
        || ReadAccount { fault: Some(sealed()), ..ReadAccount::default() },
        |object| object::account(&object),
    )
}

fn sealed() -> ReadFault {
    let detail = "the file is encrypted, and the passphrase does not open it".to_owned();
    ReadFault { code: ReasonCode::FileEncrypted, detail }
}
