//! The meaning of the platform's answer for a trading account: the steps to the status that it shows.

use super::{AccountEvent, AccountLock, AccountStatus, TradingAccount};
use crate::time::Timestamp;

/// How the platform answered when it was asked about an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountReport {
    /// It is signed in, and nothing keeps it from trading.
    Works,
    /// It is signed in, and restricted until a time that is not over.
    Restricted(
        /// Why, and until when.
        AccountLock,
    ),
    /// It is banned permanently.
    ShutOut,
    /// The platform rate-limited the call and reports nothing.
    Limited,
    /// The platform no longer accepts its session.
    SignedOut,
}

impl TradingAccount {
    /// Returns the steps that the report shows: none where the account has that status already, or where a user has to decide first.
    pub fn steps_to(&self, seen: AccountReport, at: Timestamp) -> Vec<AccountEvent> {
        use AccountEvent as On;
        use AccountStatus as Is;
        let status = self.status;
        match seen {
            AccountReport::Works => match status {
                Is::New | Is::NeedsLogin => vec![On::SigningIn, On::SignedIn],
                Is::Validating => vec![On::SignedIn],
                Is::Degraded => vec![On::Recovered],
                Is::Restricted if self.lock_at(at).is_none() => vec![On::RestrictionEnded, On::SignedIn],
                Is::Restricted | Is::Ready | Is::Disabled | Is::Banned | Is::Removed => Vec::new(),
            },
            AccountReport::Restricted(lock) => match status {
                Is::New => vec![On::SigningIn, On::Restricted(lock)],
                Is::Validating | Is::Ready | Is::Degraded | Is::NeedsLogin => vec![On::Restricted(lock)],
                Is::Restricted if self.lock != Some(lock) => vec![On::Restricted(lock)],
                Is::Restricted | Is::Disabled | Is::Banned | Is::Removed => Vec::new(),
            },
            AccountReport::ShutOut if matches!(status, Is::Banned | Is::Removed) => Vec::new(),
            AccountReport::ShutOut => vec![On::Banned],
            AccountReport::Limited if status == Is::Ready => vec![On::Disturbed],
            AccountReport::Limited => Vec::new(),
            AccountReport::SignedOut => match status {
                Is::New => vec![On::SigningIn, On::SessionLost],
                Is::Validating | Is::Ready | Is::Degraded => vec![On::SessionLost],
                Is::NeedsLogin | Is::Restricted | Is::Disabled | Is::Banned | Is::Removed => Vec::new(),
            },
        }
    }
}
