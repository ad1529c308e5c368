//! Account files of steamguard-cli: one, an array of them, or its folder with the manifest. Files that it encrypted are not read.

use serde_json::Value;
use tradepost_ports::imports::{ReadAccount, ReadFault, ReasonCode, UnreadableImport};

use crate::bundle::{Bundle, object_in};
use crate::{must, object};

/// Names of which an account file has one at least, and a folder none.
const OF_ACCOUNT: [&str; 4] = ["account_name", "shared_secret", "steam_id", "identity_secret"];

/// Reads account files.
pub(crate) fn read(text: &str) -> Result<Vec<ReadAccount>, UnreadableImport> {
    let content = object::parse(text)?;
    if let Some(files) = content.as_array() {
        return Ok(files.iter().map(file).collect());
    }
    let rule = "be an account file, a JSON array of them, or a JSON object of file names and their contents";
    let object = object::of(content).ok_or_else(|| must(rule))?;
    if OF_ACCOUNT.iter().any(|name| object.contains_key(*name)) {
        return Ok(vec![object::account(&object)]);
    }
    Ok(folder(&Bundle::of(object)))
}

fn folder(bundle: &Bundle) -> Vec<ReadAccount> {
    bundle.ending_in(".maFile").map(|(_, content)| file(content)).collect()
}

fn file(content: &Value) -> ReadAccount {
    let Some(object) = object_in(content) else {
        let detail = "the file is not a JSON object; if it is encrypted, decrypt it with steamguard first".to_owned();
        let fault = ReadFault { code: ReasonCode::FileInvalid, detail };
        return ReadAccount { fault: Some(fault), ..ReadAccount::default() };
    };
    object::account(&object)
}
