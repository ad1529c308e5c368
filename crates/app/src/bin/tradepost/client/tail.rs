//! `tradepost transitions tail`: the log of status changes as it grows.

use serde_json::{Value, json};

use super::records::transitions::TRANSITION;
use super::{Client, PAGE, ids, view};
use crate::cli::Output;
use crate::cli::client::Tail;
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;

pub(super) const WATCH: &str = "contracts.v1.Contracts/WatchTransitions";
/// For how long the server may wait for a change, in seconds: the longest that it takes.
const WAIT: u32 = 25;

impl Client {
    /// Prints changes until it is ended, stdout loses its reader, or enough were seen.
    pub(super) async fn tail(&self, tail: Tail) -> Outcome {
        let mut after = match &tail.after {
            Some(id) => json!(ids::to_wire(id).unwrap_or_else(|| id.clone())),
            None if tail.all => Value::Null,
            None => self.ask(WATCH, json!({ "fromEnd": true })).await?["lastTransitionId"].clone(),
        };
        if self.output == Output::Csv && output_format::try_line(&csv(&TRANSITION.map(|column| column.field))).is_err()
        {
            return Ok(());
        }
        let mut left = tail.count.unwrap_or(u64::MAX);
        while left > 0 {
            let limit = left.min(u64::from(PAGE));
            let request = json!({ "afterTransitionId": after, "waitSeconds": WAIT, "limit": limit });
            let advice = format!(
                "continue with: tradepost transitions tail --after {}",
                after.as_str().and_then(ids::to_text).unwrap_or_default()
            );
            let is_away = |failure: &Failure| failure.is(Exit::Unavailable);
            let seen = self.ask(WATCH, request).await;
            let seen = seen.map_err(|failure| if is_away(&failure) { failure.with_try(advice) } else { failure })?;
            for change in view::many(&seen, "transitions") {
                if output_format::try_line(&self.line_of(change)).is_err() {
                    return Ok(());
                }
                left -= 1;
            }
            after = seen["lastTransitionId"].clone();
        }
        Ok(())
    }

    fn line_of(&self, change: &Value) -> String {
        let row = || view::row(self.output, &TRANSITION, change);
        match self.output {
            Output::Json | Output::Jsonl => change.to_string(),
            Output::Csv => csv(&row()),
            Output::Table | Output::Wide => for_people(&view::in_seconds(&view::plain(&change["createdAt"])), &row()),
        }
    }
}

fn csv<T: AsRef<[u8]>>(row: &[T]) -> String {
    output_format::csv(std::iter::once(row)).trim_end().to_owned()
}

/// When, what, from where to where, and why.
fn for_people(time: &str, row: &[String]) -> String {
    let cell = |at: usize| row.get(at).map_or("", String::as_str);
    let (from, reason) = (cell(3), cell(6));
    let from = if from.is_empty() { "new" } else { from };
    let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    let (subject, id, to, trigger) = (cell(1), cell(2), cell(4), cell(5));
    format!("{time:<20} {subject:<14} {id}  {from} -> {to} ({trigger}){reason}")
}
