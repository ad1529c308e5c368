//! The trading halt: a workspace that buys nothing until a user lifts it.

use super::Workspace;
use crate::text::ReasonText;
use crate::time::Timestamp;

/// Why nothing is bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradingHalt {
    /// What was said about it last.
    pub reason: ReasonText,
    /// Since when.
    pub since: Timestamp,
}

/// Nothing is bought.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("trading is halted since {since}: {reason}")]
pub struct TradingHalted {
    /// Why.
    pub reason: ReasonText,
    /// Since when.
    pub since: Timestamp,
}

impl Workspace {
    /// The workspace, in which nothing is bought from now on. One that was halted before stays so since then.
    #[must_use]
    pub fn halt_trading(self, reason: ReasonText, at: Timestamp) -> Self {
        let since = self.trading_halt.as_ref().map_or(at, |halt| halt.since);
        Self { trading_halt: Some(TradingHalt { reason, since }), updated_at: at, ..self }
    }

    /// The workspace, in which trade goes on.
    #[must_use]
    pub fn lift_halt(self, at: Timestamp) -> Self {
        Self { trading_halt: None, updated_at: at, ..self }
    }

    /// Checks that something may be bought.
    ///
    /// # Errors
    /// [`TradingHalted`] while trading is halted.
    pub fn check_trading(&self) -> Result<(), TradingHalted> {
        match &self.trading_halt {
            Some(TradingHalt { reason, since }) => Err(TradingHalted { reason: reason.clone(), since: *since }),
            None => Ok(()),
        }
    }
}
