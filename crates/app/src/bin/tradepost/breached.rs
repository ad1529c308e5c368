//! `tradepost breached-passwords`: from a published list of stolen passwords to the file that the server reads.

use std::fs::File;
use std::io::BufReader;

use serde_json::json;
use tradepost::auth::{BreachedPasswords, BreachedPasswordsError};

use crate::cli::{BreachedList, Console};
use crate::failure::{Exit, Failure, Outcome};
use crate::{output_format, progress};

/// Makes the file.
pub(crate) fn run(list: &BreachedList, console: Console) -> Outcome {
    let shown = (list.source.display(), list.file.display());
    let source = File::open(&list.source).map_err(|error| {
        Failure::new(Exit::Failed, format!("cannot read {}: {error}", shown.0))
            .with_try("download a list of SHA-1 digests first, such as \"Pwned Passwords\"")
    })?;
    // Anything but a file, such as a pipe, has no length.
    let length = source.metadata().map_or(0, |of_file| of_file.len());
    let bar = progress::bar(console.quiet, length, "  {bar:40} {bytes} of {total_bytes}, {eta} left");
    let made = BreachedPasswords::from_digests(BufReader::new(bar.wrap_read(source)), list.seen_at_least);
    drop(bar);
    let passwords = made.map_err(|error| refused(&error, &format!("{} makes no list: {error}", shown.0)))?;
    passwords.write(&list.file).map_err(|error| refused(&error, &error.to_string()))?;
    let sentence = format!("Wrote {}. The server reads it with the setting accounts.breached_passwords.", shown.1);
    output_format::say(console.output, &sentence, &json!({ "file": shown.1.to_string() }));
    Ok(())
}

fn refused(error: &BreachedPasswordsError, what: &str) -> Failure {
    let failure = Failure::new(Exit::Failed, what);
    match error {
        BreachedPasswordsError::Line { .. } => {
            failure.with_try("name a file with a SHA-1 digest a line; a list of passwords in the clear is not taken")
        }
        BreachedPasswordsError::Empty => failure.with_try("give a lower --seen-at-least"),
        BreachedPasswordsError::File { .. } => {
            failure.with_try("name a file that does not exist yet, in a folder where this user may write")
        }
        BreachedPasswordsError::Malformed(_) | BreachedPasswordsError::Unmakeable(_) => failure,
    }
}
