//! `tradepost breached-passwords`: from a published list of stolen passwords to the file that the server reads.

use std::fs::File;
use std::io::BufReader;

use serde_json::json;
use tradepost::auth::{BreachedPasswords, BreachedPasswordsError};

use crate::answer;
use crate::cli::{BreachedList, Output};
use crate::failure::{Exit, Failure, Outcome};

/// Makes the file.
pub(crate) fn run(list: &BreachedList, output: Output) -> Outcome {
    let shown = (list.source.display(), list.file.display());
    let source = File::open(&list.source).map_err(|error| {
        Failure::new(Exit::Failed, format!("cannot read {}: {error}", shown.0))
            .with_try("download a list of SHA-1 digests first, such as \"Pwned Passwords\"")
    })?;
    let made = BreachedPasswords::from_digests(BufReader::new(source), list.seen_at_least);
    let passwords = made.map_err(|error| refused(&error, &format!("{} makes no list: {error}", shown.0)))?;
    passwords.write(&list.file).map_err(|error| refused(&error, &error.to_string()))?;
    let sentence = format!("Wrote {}. The server reads it with the setting accounts.breached_passwords.", shown.1);
    answer::say(output, &sentence, &json!({ "file": shown.1.to_string() }));
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
