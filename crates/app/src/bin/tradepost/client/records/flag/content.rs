//! The content of an import, from a file or a folder. A folder is a JSON object of file names and their contents.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

/// The endings of the files of a folder that are sent.
const ENDINGS: [&str; 3] = ["mafile", "json", "db"];

/// The content, in Base64 as the interface has bytes.
pub(super) fn content_of(path: &str) -> Result<Value, String> {
    let bytes = if Path::new(path).is_dir() { folder(Path::new(path))? } else { read(Path::new(path))? };
    Ok(json!(STANDARD.encode(bytes)))
}

fn folder(path: &Path) -> Result<Vec<u8>, String> {
    let cannot = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let mut files = Map::new();
    for entry in fs::read_dir(path).map_err(cannot)? {
        let file = entry.map_err(cannot)?.path();
        if is_sent(&file) {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            files.insert(name, json!(String::from_utf8_lossy(&read(&file)?)));
        }
    }
    if files.is_empty() {
        return Err(format!("{} has no file that ends in .maFile, .json or .db", path.display()));
    }
    Ok(Value::Object(files).to_string().into_bytes())
}

fn is_sent(file: &Path) -> bool {
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    file.is_file() && ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_an_object_of_the_files_that_programs_keep_accounts_in() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("manifest.json", "{}"), ("1.maFile", "one"), ("bot.db", "two"), ("notes.txt", "no")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let content = content_of(folder.path().to_str().unwrap()).unwrap();
        let files: Value = serde_json::from_slice(&STANDARD.decode(content.as_str().unwrap()).unwrap()).unwrap();
        assert_eq!(files, json!({ "manifest.json": "{}", "1.maFile": "one", "bot.db": "two" }));
    }
}
