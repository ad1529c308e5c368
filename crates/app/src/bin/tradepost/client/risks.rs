//! The risk notice: shown where the server wants it acknowledged before it stores a secret, and acknowledged by the user on a terminal.

use std::io::{IsTerminal as _, stderr, stdin};

use dialoguer::Confirm;
use serde_json::{Value, json};

use super::{Server, view};
use crate::cli::examples;
use crate::failure::{Exit, Failure, Outcome};

const READ: &str = "accounts.v1.Accounts/GetRiskNotice";
const ACKNOWLEDGE: &str = "accounts.v1.Accounts/AcknowledgeRiskNotice";

impl Server {
    /// Shows the notice for the workspace of a request, and acknowledges it once the user says that it was read.
    pub(super) async fn acknowledge_risks(&self, request: &str, refused: Failure) -> Outcome {
        if !stdin().is_terminal() || !stderr().is_terminal() {
            return Err(refused);
        }
        let request: Value = serde_json::from_str(request).unwrap_or_default();
        let workspace = &request["workspaceId"];
        let notice = self.ask_plainly(READ, &json!({ "workspaceId": workspace })).await?;
        anstream::eprintln!("{}\n", shown(&notice));
        let unanswered =
            |error: dialoguer::Error| Failure::new(Exit::Failed, "the question was not answered").because(error);
        let prompt = "Have you read this, and do you go on?";
        if !Confirm::new().with_prompt(prompt).default(false).interact().map_err(unanswered)? {
            return Err(Failure::new(Exit::Failed, "nothing was stored").because("the answer was no"));
        }
        let read = json!({ "workspaceId": workspace, "version": notice["notice"]["version"] });
        self.ask_plainly(ACKNOWLEDGE, &read).await.map(drop)
    }
}

/// The notice with its version and whether that is acknowledged, and a paragraph for each point.
pub(super) fn shown(answer: &Value) -> String {
    let notice = &answer["notice"];
    let is_read = answer["acknowledged"] == true;
    let state = if is_read { "acknowledged" } else { "not acknowledged" };
    let version = format!("Version {}, {state}", text_of(&notice["version"]));
    let points = view::many(notice, "points").iter().map(|point| {
        let text = format!("{}. {}", text_of(&point["title"]), text_of(&point["text"]));
        examples::joined(text.split(' ').map(str::to_owned).collect(), examples::WIDTH).join("\n")
    });
    std::iter::once(version).chain(points).collect::<Vec<_>>().join("\n\n")
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_risk_is_a_paragraph_in_the_width_of_a_terminal() {
        let long = "A platform can lock an account. ".repeat(4);
        let points = json!([{ "title": "Locks", "text": long }, { "title": "Law", "text": "It is yours." }]);
        let shown = shown(&json!({ "notice": { "version": "2026-11-28", "points": points } }));
        let begins = "Version 2026-11-28, not acknowledged\n\nLocks. A platform can lock an account.";
        assert!(shown.starts_with(begins), "{shown}");
        assert!(shown.ends_with("\n\nLaw. It is yours."), "{shown}");
        assert!(shown.lines().all(|line| line.len() <= examples::WIDTH), "{shown}");
    }
}
