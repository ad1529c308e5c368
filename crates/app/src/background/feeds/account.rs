//! The account behind the key of a marketplace: it is read at times, after the listings, and is known until the next read.

use std::sync::Arc;

use tokio::time::Instant;
use tradepost_domain::markets::provider::AccountStanding;
use tradepost_ports::clock::Clock;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::ListingFeed;

/// What is known of an account.
pub(super) struct AccountCache {
    clock: Arc<dyn Clock>,
    /// When it is read next; at once if it was never read.
    due: Option<Instant>,
    known: Option<AccountStanding>,
    /// Why it was not read, as it was reported last.
    failure: Option<String>,
}

impl AccountCache {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, due: None, known: None, failure: None }
    }

    /// Returns what was read last.
    pub(super) const fn known(&self) -> Option<AccountStanding> {
        self.known
    }

    /// Reads the account if that is due. A failure is reported once, and keeps nothing from the listings.
    pub(super) async fn look(&mut self, feed: &dyn ListingFeed) {
        let Some(account) = feed.account() else { return };
        let now = Instant::now();
        if self.due.is_some_and(|due| now < due) {
            return;
        }
        self.due = Some(now + account.standing_interval());
        // What it has is at least as old as the question.
        let at = self.clock.now();
        match account.own_account().await {
            Ok(account) => (self.known, self.failure) = (Some(account.seen(at)), None),
            Err(error) => {
                if let ExternalError::RateLimited { retry_after, .. } = &error {
                    self.due = self.due.max(Some(now + *retry_after));
                }
                let reason = error.to_string();
                if self.failure.as_ref() != Some(&reason) {
                    tracing::warn!(feed = %feed.name(), %reason, "the account of a marketplace was not read");
                }
                self.failure = Some(reason);
            }
        }
    }
}
