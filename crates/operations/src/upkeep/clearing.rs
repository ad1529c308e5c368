//! Deleting expired records until none is left, by short statements, with a pause after each that
//! is as long as the statement took. So at least half of the time belongs to everything else, and the speed of deletion follows what the
//! database can take.

use std::future::Future;
use std::time::Duration;

use time::Duration as Span;
use tokio::time::{Instant, sleep};
use tradepost_domain::accounts::account_link;
use tradepost_domain::accounts::email_link::CONFIRMABLE_FOR;
use tradepost_domain::accounts::guesses::DAY;
use tradepost_domain::accounts::step_up::CHALLENGE_LIFE;
use tradepost_domain::events::webhook_delivery::{DONE_KEPT_FOR, KEPT_FOR};
use tradepost_domain::trading::chat;
use tradepost_domain::transition::PLACES_KEPT_FOR;
use tradepost_ports::store::{Aged, ClearingTurn};

use crate::{OpResult, Operations};

/// The number of records that one statement deletes: at first, at least, and at most.
const FIRST: u32 = 500;
const LEAST: u32 = 100;
const MOST: u32 = 2_000;
/// A statement that takes less is followed by a greater one, and one that takes longer by a smaller one.
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_millis(200);
/// The least pause, and the greatest.
const PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// The time for which one kind is deleted before the others have their turn.
const SLICE: Duration = Duration::from_secs(10);

/// The result of one statement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// The number of records.
    pub(crate) cleared: u64,
    /// Whether there may be more.
    pub(crate) more: bool,
}

impl Step {
    /// Returns the step of a statement that deletes up to its maximum.
    pub(crate) fn of(cleared: u64, most: u32) -> Self {
        Self { cleared, more: cleared >= u64::from(most) }
    }
}

/// Takes steps until one reports that nothing is left, or the time of this kind is over; returns how many records they have deleted.
pub(crate) async fn until_done<F>(step: impl Fn(u32) -> F + Send) -> OpResult<u64>
where
    F: Future<Output = OpResult<Step>> + Send,
{
    Ok(for_a_while(step).await?.cleared)
}

/// Does the same; returns also whether there may be more.
async fn for_a_while<F>(step: impl Fn(u32) -> F + Send) -> OpResult<Step>
where
    F: Future<Output = OpResult<Step>> + Send,
{
    let (begun, mut most, mut all) = (Instant::now(), FIRST, 0_u64);
    loop {
        let asked = Instant::now();
        let Step { cleared, more } = step(most).await?;
        let took = asked.elapsed();
        all = all.saturating_add(cleared);
        if !more || begun.elapsed() >= SLICE {
            return Ok(Step { cleared: all, more });
        }
        most = next_size(most, took);
        sleep(took.clamp(PAUSE, LONGEST_PAUSE)).await;
    }
}

fn next_size(most: u32, took: Duration) -> u32 {
    let next = if took < SHORT {
        most.saturating_mul(2)
    } else if took > LONG {
        most / 2
    } else {
        most
    };
    next.clamp(LEAST, MOST)
}

impl Operations {
    /// Acquires the right to delete expired records. One process on a database has it at a time; returns `None` while another one does.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn begin_clearing(&self) -> OpResult<Option<ClearingTurn>> {
        Ok(self.ports.store.expired_records().begin_clearing().await?)
    }

    /// Forgets keys that are a day old, and answers that are not kept any longer; returns their number. Goes on for some seconds at
    /// most.
    ///
    /// # Errors
    /// `internal` when storage is out. What was forgotten by then stays so.
    pub async fn forget_old_answers(&self) -> OpResult<u64> {
        let (at, store) = (self.now(), &self.ports.store);
        let keys =
            for_a_while(|most| async move { Ok(Step::of(store.executions().forget(at, most).await?, most)) }).await?;
        // The answers of keys that are due go with them.
        if keys.more {
            return Ok(keys.cleared);
        }
        let answers =
            until_done(|most| async move { Ok(Step::of(store.executions().forget_answers(at, most).await?, most)) })
                .await?;
        Ok(keys.cleared.saturating_add(answers))
    }

    /// Forgets sessions, sign-ins that waited for a second factor, challenges, wrong codes and mailed links that are no longer valid;
    /// returns their number. It spends some seconds at most on each kind.
    ///
    /// # Errors
    /// As [`Operations::forget_old_answers`].
    pub async fn forget_old_credentials(&self) -> OpResult<u64> {
        let sessions = self.forget_aged(Aged::Sessions, self.session_life.absolute()).await?;
        let waiting = self.forget_aged(Aged::PendingSignIns, CHALLENGE_LIFE).await?;
        let challenges = self.forget_aged(Aged::Challenges, CHALLENGE_LIFE).await?;
        let guesses = self.forget_aged(Aged::CodeGuesses, DAY).await?;
        let links = self.forget_aged(Aged::EmailLinks, CONFIRMABLE_FOR).await?;
        Ok([sessions, waiting, challenges, guesses, links].into_iter().fold(0, u64::saturating_add))
    }

    /// Forgets links to other platforms that were not finished in time, and responses that are too old to be retried; returns their number.
    ///
    /// # Errors
    /// As [`Operations::forget_old_answers`].
    pub async fn forget_old_links(&self) -> OpResult<u64> {
        let links = self.forget_aged(Aged::AccountLinks, account_link::LIFE).await?;
        let answers = self.forget_aged(Aged::SpentAnswers, account_link::ANSWERS_KEPT_FOR).await?;
        Ok(links.saturating_add(answers))
    }

    /// Forgets a bounded part of the positions from which no watch may resume; returns their number. Of each kind of record of a workspace
    /// the last old one stays, so that a caller that has seen everything can always resume.
    ///
    /// # Errors
    /// `internal` when storage is out. What was forgotten by then stays so.
    pub async fn forget_old_places(&self) -> OpResult<u64> {
        let before = self.now().plus(-PLACES_KEPT_FOR);
        until_done(|most| async move {
            let after = self.watching.forgotten_up_to();
            let (up_to, cleared) = self.ports.store.transitions().forget_places(after, before, most).await?;
            self.watching.forget_up_to(up_to);
            Ok(Step { cleared, more: up_to != after })
        })
        .await
    }

    /// Forgets webhook deliveries: those that were accepted or cancelled after 7 days, and all after 31; returns their number.
    ///
    /// # Errors
    /// As [`Operations::forget_old_answers`].
    pub async fn forget_old_deliveries(&self) -> OpResult<u64> {
        let done = self.forget_aged(Aged::DoneDeliveries, DONE_KEPT_FOR).await?;
        let all = self.forget_aged(Aged::Deliveries, KEPT_FOR).await?;
        Ok(done.saturating_add(all))
    }

    /// Forgets alert messages after 31 days; returns their number.
    ///
    /// # Errors
    /// As [`Operations::forget_old_answers`].
    pub async fn forget_old_alerts(&self) -> OpResult<u64> {
        self.forget_aged(Aged::AlertMessages, KEPT_FOR).await
    }

    /// Forgets chat messages and their texts after 90 days; returns their number.
    ///
    /// # Errors
    /// As [`Operations::forget_old_answers`].
    pub async fn forget_old_chats(&self) -> OpResult<u64> {
        // A text without its message is in no answer; a message without its text would be missing.
        let messages = self.forget_aged(Aged::ChatMessages, chat::KEPT_FOR).await?;
        let texts = self.forget_aged(Aged::ChatTexts, chat::KEPT_FOR).await?;
        Ok(messages.saturating_add(texts))
    }

    async fn forget_aged(&self, what: Aged, life: Span) -> OpResult<u64> {
        let (before, store) = (self.now().plus(-life), &self.ports.store);
        until_done(
            |most| async move { Ok(Step::of(store.expired_records().forget_aged(what, before, most).await?, most)) },
        )
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Clears from a heap, at so many records a millisecond.
    async fn cleared_from(heap: u64, speed: u64) -> (u64, Vec<(u64, Duration)>) {
        let (left, steps) = (Mutex::new(heap), Mutex::new(Vec::new()));
        let begun = Instant::now();
        let all = until_done(|most| {
            let (left, steps) = (&left, &steps);
            async move {
                let cleared = u64::from(most).min(*left.lock().unwrap());
                *left.lock().unwrap() -= cleared;
                let took = Duration::from_millis(cleared / speed);
                tokio::time::advance(took).await;
                steps.lock().unwrap().push((cleared, took));
                Ok(Step::of(cleared, most))
            }
        });
        let all = all.await.unwrap();
        assert!(begun.elapsed() <= SLICE + LONGEST_PAUSE * 2);
        (all, steps.into_inner().unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_over_is_cleared_until_nothing_is_left() {
        let (all, steps) = cleared_from(100_123, 100).await;
        assert_eq!((all, steps.iter().map(|(cleared, _)| cleared).sum::<u64>()), (100_123, 100_123));
    }

    #[tokio::test(start_paused = true)]
    async fn a_statement_stays_short_on_a_slow_database_and_grows_on_a_fast_one() {
        let (_, slow) = cleared_from(1_000_000, 2).await;
        assert!(slow.iter().all(|(_, took)| *took <= LONG + SHORT), "{slow:?}");
        let (all, fast) = cleared_from(400_000, 1_000).await;
        assert_eq!((all, fast.iter().map(|(cleared, _)| *cleared).max()), (400_000, Some(u64::from(MOST))));
    }

    #[tokio::test(start_paused = true)]
    async fn half_of_the_time_belongs_to_others() {
        let begun = Instant::now();
        let (_, steps) = cleared_from(100_000, 50).await;
        let at_work: Duration = steps.iter().map(|(_, took)| *took).sum();
        assert!(begun.elapsed() >= at_work.saturating_sub(LONG) * 2, "{:?} of {:?}", at_work, begun.elapsed());
    }
}
