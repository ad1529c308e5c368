//! The question before an action that cannot be undone, on a terminal. A script is never asked.

use std::io::{IsTerminal as _, stderr, stdin};

use dialoguer::Confirm;

use super::records::command::Given;
use crate::failure::{Exit, Failure, Outcome};

/// Asks whether to go on.
///
/// # Errors
/// When the answer is no.
pub(super) fn ask(given: &Given) -> Outcome {
    if given.is_confirmed || !stdin().is_terminal() || !stderr().is_terminal() {
        return Ok(());
    }
    anstream::eprintln!("{}.", given.action.about);
    let unanswered =
        |error: dialoguer::Error| Failure::new(Exit::Failed, "the question was not answered").because(error);
    let prompt = format!("Go on with {:?}?", given.subject());
    if Confirm::new().with_prompt(prompt).default(false).interact().map_err(unanswered)? {
        return Ok(());
    }
    Err(Failure::new(Exit::Failed, "nothing was changed").because("the answer was no"))
}
