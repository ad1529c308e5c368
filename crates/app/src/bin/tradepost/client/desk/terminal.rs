//! The terminal on which questions are asked.

use dialoguer::{Input, Select};

use super::questions::{Answers, Question};
use crate::cli::examples::filled;
use crate::failure::{Exit, Failure, Outcome};

/// The terminal of this process.
pub(super) struct Terminal;

impl Answers for Terminal {
    fn ask(&mut self, question: &Question<'_>) -> Outcome<String> {
        let unanswered =
            |error: dialoguer::Error| Failure::new(Exit::Failed, "the questions were not answered").because(error);
        // A prompt is printed again with each key, so that a long one would fill the screen.
        anstream::eprintln!("\n{}", filled(&[question.about.as_str()]).join("\n"));
        if question.choices.is_empty() {
            // An empty answer reaches the check, which says what is missing.
            let input = Input::<String>::new().with_prompt(&question.name).allow_empty(true);
            let input = match &question.default {
                Some(default) => input.default(default.clone()),
                None => input,
            };
            return input.validate_with(|text: &String| (question.check)(text)).interact_text().map_err(unanswered);
        }
        let default =
            question.default.as_ref().and_then(|default| question.choices.iter().position(|choice| choice == default));
        let select = Select::new().with_prompt(&question.name).items(&question.choices).default(default.unwrap_or(0));
        let chosen = select.interact().map_err(unanswered)?;
        question.choices.get(chosen).cloned().ok_or_else(|| Failure::new(Exit::Failed, "nothing was chosen"))
    }
}
