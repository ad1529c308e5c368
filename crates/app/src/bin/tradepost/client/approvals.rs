//! Approving intents: one by its id, or each that waits by one key on a terminal.

use std::io::{self, IsTerminal as _, stderr, stdin};
use std::time::Duration;

use console::{Key, Term};
use serde_json::{Value, json};

use super::enum_names;
use super::names_by_id::Names;
use super::records::column::{Column, amount, named, text};
use super::records::contracts::CONTRACTS;
use super::records::intents::INTENTS;
use super::{Client, remedies, view};
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;

/// The status of an intent that the engine has not looked at since it was approved.
const APPROVED: &str = "INTENT_STATUS_APPROVED";
/// How often an approved intent is read again, and the time between two reads.
const LOOKS: u32 = 8;
const PAUSE: Duration = Duration::from_millis(250);

/// What is shown of an intent before a decision.
static CARD: [Column; 9] = [
    text("item", "listing.marketHashName"),
    text("marketplace", "listing.marketplace"),
    amount("price", "listing.priceCents"),
    amount("fee", "listing.platformFeeCents"),
    amount("fair value", "fairValueCents"),
    amount("most", "listing.maxBuyPriceCents"),
    amount("list price", "item.priceCents"),
    named("contract", "contractId", &CONTRACTS),
    text("expires", "expiresAt"),
];

/// What a key decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Approve,
    Reject,
    Skip,
    Quit,
}

/// How many were decided.
#[derive(Debug, Default)]
struct Tally {
    approved: usize,
    rejected: usize,
    failed: usize,
    waiting: usize,
}

impl Client {
    /// Approves one intent.
    pub(super) async fn approve(&self, given: &str) -> Outcome {
        let id = self.id_of(&INTENTS, given).await?;
        let approved = self.ask("contracts.v1.Contracts/ApproveIntent", json!({ "intentId": id })).await;
        let mut answer = approved.map_err(|failure| remedies::about(failure, &INTENTS, given))?;
        if stderr().is_terminal() && self.output.is_for_people() {
            answer["intent"] = self.outcome(&answer["intent"]).await?;
        }
        let records = [answer["intent"].clone()];
        let names = self.names_in(INTENTS.columns, &records).await?;
        view::sheet(self.output, INTENTS.columns, &records, &names).print(self.output, &answer);
        if let [intent] = &records
            && self.output.is_for_people()
            && let Some(why) = denial(intent)
        {
            anstream::eprintln!("{why}");
        }
        Ok(())
    }

    /// An approved intent once the engine has begun with it or denied it, or as it is after a short while.
    async fn outcome(&self, intent: &Value) -> Outcome<Value> {
        let mut latest = intent.clone();
        for _ in 0..LOOKS {
            if latest["status"] != APPROVED {
                break;
            }
            tokio::time::sleep(PAUSE).await;
            latest = self.get(&INTENTS, vec![intent["id"].clone()]).await?.pop().unwrap_or(latest);
        }
        Ok(latest)
    }

    /// Shows each intent that waits, the oldest first, and does what one key says.
    pub(super) async fn approve_each(&self) -> Outcome {
        if !stdin().is_terminal() || !stderr().is_terminal() {
            return Err(Failure::new(Exit::Usage, "the intent is not named, and there is no terminal to ask on")
                .with_try("tradepost intents list --status proposed")
                .with_try("tradepost intents approve ID"));
        }
        let filter = json!({ "status": "INTENT_STATUS_PROPOSED" });
        let ids = self.pages(INTENTS.list, filter, INTENTS.ids, u32::MAX).await?.found;
        let mut intents = self.get(&INTENTS, ids).await?;
        intents.reverse();
        if intents.is_empty() {
            anstream::eprintln!("No intent waits for approval.");
            return Ok(());
        }
        let names = self.names_in(&CARD, &intents).await?;
        let terminal = Term::stderr();
        let mut tally = Tally { waiting: intents.len(), ..Tally::default() };
        for (at, intent) in intents.iter().enumerate() {
            anstream::eprintln!("{}", card(at + 1, intents.len(), intent, &names));
            match ask(|| terminal.read_key())
                .map_err(|error| Failure::new(Exit::Failed, "cannot read a key").because(error))?
            {
                Choice::Quit => break,
                Choice::Skip => anstream::eprintln!("skipped\n"),
                Choice::Approve => self.decide(intent, "ApproveIntent", &mut tally).await,
                Choice::Reject => self.decide(intent, "RejectIntent", &mut tally).await,
            }
        }
        output_format::line(&tally.sentence());
        if tally.failed > 0 {
            return Err(Failure::new(Exit::Failed, format!("{} decisions failed", tally.failed))
                .with_try("see what still waits: tradepost intents list --status proposed"));
        }
        Ok(())
    }

    /// Approves or rejects an intent. It may have expired since it was shown, which does not keep the next from its turn.
    async fn decide(&self, intent: &Value, method: &str, tally: &mut Tally) {
        let (done, count) = if method == "ApproveIntent" {
            ("approved", &mut tally.approved)
        } else {
            ("rejected", &mut tally.rejected)
        };
        let request = json!({ "intentId": intent["id"], "expectedVersion": intent["version"] });
        match self.ask(&format!("contracts.v1.Contracts/{method}"), request).await {
            Ok(answer) => {
                *count += 1;
                tally.waiting -= 1;
                // The decision is made, whether or not what follows can be read.
                let denied = self.outcome(&answer["intent"]).await.ok().as_ref().and_then(denial);
                anstream::eprintln!("{done}{}\n", denied.map(|why| format!(", then {why}")).unwrap_or_default());
            }
            Err(failure) => {
                tally.failed += 1;
                anstream::eprintln!("{failure}\n");
            }
        }
    }
}

/// Why an approved intent was not executed, if the engine denied it.
fn denial(intent: &Value) -> Option<String> {
    let check = enum_names::words(&view::plain(&intent["failedCheck"]));
    (intent["status"] == "INTENT_STATUS_DENIED").then(|| format!("denied by the check {check:?}"))
}

/// An intent with what a decision needs, line by line.
fn card(number: usize, of: usize, intent: &Value, names: &Names) -> String {
    let sheet = view::sheet(crate::cli::Output::Wide, &CARD, std::slice::from_ref(intent), names);
    let kind = enum_names::words(&view::plain(&intent["kind"]));
    let cells = sheet.rows.into_iter().flatten().zip(sheet.headings).filter(|(cell, _)| !cell.is_empty());
    let lines = cells.map(|(cell, heading)| format!("  {heading:<12}{}", view::in_seconds(&cell)));
    let first = format!("{number} of {of}: {kind}");
    std::iter::once(first).chain(lines).collect::<Vec<_>>().join("\n") + "\na approve, r reject, s skip, q quit: "
}

/// The choice of the first key that has a meaning.
fn ask(mut read: impl FnMut() -> io::Result<Key>) -> io::Result<Choice> {
    loop {
        if let Some(choice) = Choice::of(&read()?) {
            return Ok(choice);
        }
    }
}

impl Choice {
    fn of(key: &Key) -> Option<Self> {
        if matches!(key, Key::Escape | Key::CtrlC) {
            return Some(Self::Quit);
        }
        let Key::Char(character) = key else { return None };
        match character.to_ascii_lowercase() {
            'a' => Some(Self::Approve),
            'r' => Some(Self::Reject),
            's' => Some(Self::Skip),
            'q' => Some(Self::Quit),
            _ => None,
        }
    }
}

impl Tally {
    fn sentence(&self) -> String {
        format!("{} approved, {} rejected, {} still waiting", self.approved, self.rejected, self.waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_without_a_meaning_is_ignored() {
        let mut keys = [Key::Char('x'), Key::Enter, Key::Char('R')].into_iter();
        assert_eq!(ask(|| keys.next().ok_or(io::ErrorKind::UnexpectedEof.into())).unwrap(), Choice::Reject);
        let mut quit = [Key::Escape].into_iter();
        assert_eq!(ask(|| quit.next().ok_or(io::ErrorKind::UnexpectedEof.into())).unwrap(), Choice::Quit);
    }

    #[test]
    fn a_denied_intent_names_the_check() {
        let intent = |status: &str| json!({ "status": status, "failedCheck": "POOL_DAILY_LIMIT" });
        assert_eq!(denial(&intent("INTENT_STATUS_DENIED")).unwrap(), "denied by the check \"pool daily limit\"");
        assert_eq!(denial(&intent(APPROVED)), None);
    }

    #[test]
    fn a_card_shows_what_a_decision_needs() {
        let intent = json!({
            "kind": "INTENT_KIND_BUY", "fairValueCents": "1500", "expiresAt": "2026-01-01T00:00:00Z",
            "listing": { "marketHashName": "Gallery Case", "marketplace": "simulator", "priceCents": "1200" },
        });
        assert_eq!(
            card(1, 2, &intent, &Names::default()),
            "1 of 2: buy\n  item        Gallery Case\n  marketplace simulator\n  price       12.00\n  fair value  15.00\n  \
             expires     2026-01-01T00:00:00Z\na approve, r reject, s skip, q quit: "
        );
    }
}
