//! What a person has the engine read of an account at once, and the renewal of its trade address.
//!
//! A request stays on record until a reading that began after it, or until the engine finds that it does not trade with the account. A renewal
//! has the platform replace the address, so the old one reaches no one: it is recorded as begun before the call, and the address that is read
//! afterwards ends it.

use time::Duration;

use super::{AccountGone, AccountParts, TradingAccount};
use crate::text::ExternalId;
use crate::time::Timestamp;

/// A request so soon after the one before it is answered with that one.
pub const REFRESH_PACE: Duration = Duration::MINUTE;
/// A request waits for so long at least before it is refused: an engine that has to trade with a new account begins again.
pub const REFRESH_WAITS: Duration = Duration::minutes(2);
/// A renewal that no engine has begun for so long is dropped: later no one expects it.
pub const RENEWAL_LASTS: Duration = Duration::minutes(15);

/// What a person has asked the engine to read of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountRefresh {
    /// When a person last asked.
    pub requested_at: Timestamp,
    /// When the last reading began that someone had asked for.
    pub read_at: Option<Timestamp>,
    /// The renewal of its trade address that is not over.
    pub renewal: Option<TokenRenewal>,
    /// Whether the request ended without a reading, because the engine does not trade with the account.
    pub is_refused: bool,
}

/// A renewal of a trade address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenRenewal {
    /// When a person asked for it.
    pub requested_at: Timestamp,
    /// Since when the platform may have made a new address.
    pub begun_at: Option<Timestamp>,
}

/// What the engine has read because a person asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountReading {
    /// When it began.
    pub began_at: Timestamp,
    /// The token of the trade URL, if the platform showed it.
    pub trade_token: Option<ExternalId>,
}

/// Why a renewal is not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RenewalError {
    /// No one asked for one, or not lately.
    #[error("no renewal of the trade address waits")]
    NotRequested,
    /// The platform may have been called.
    #[error("the renewal of the trade address has begun")]
    Begun,
    /// Sellers deliver to the address that would end.
    #[error("purchases that are not over: {purchases}; their sellers deliver to the present address")]
    HasPurchases {
        /// How many.
        purchases: u32,
    },
}

impl AccountRefresh {
    /// Whether an engine has something to do.
    pub fn is_pending(&self) -> bool {
        self.renewal.is_some() || (!self.is_refused && self.read_at.is_none_or(|read| read < self.requested_at))
    }

    /// Whether an engine that does not trade with the account ends the request. It leaves a renewal that has begun: the address may be another one.
    pub fn may_be_refused(&self, at: Timestamp) -> bool {
        let has_begun = self.renewal.is_some_and(|renewal| renewal.begun_at.is_some());
        self.is_pending() && !has_begun && at.since(self.requested_at) >= REFRESH_WAITS
    }

    /// Whether a request at this time is answered with the last one.
    fn covers(&self, at: Timestamp) -> bool {
        self.is_pending() || (!self.is_refused && at.since(self.requested_at).abs() < REFRESH_PACE)
    }
}

impl TokenRenewal {
    /// Whether it is dropped, because no engine has begun it.
    pub fn is_late(&self, at: Timestamp) -> bool {
        self.begun_at.is_none() && at.since(self.requested_at) >= RENEWAL_LASTS
    }
}

impl TradingAccount {
    /// The same account, of which a person wants everything to be read. A request that waits, or that was made within the last minute,
    /// stays as it is.
    ///
    /// # Errors
    /// [`AccountGone`] once it is removed.
    pub fn refreshing(self, at: Timestamp) -> Result<Self, AccountGone> {
        if self.0.status.is_terminal() {
            return Err(AccountGone);
        }
        let known = self.0.refresh;
        if known.is_some_and(|known| known.covers(at)) {
            return Ok(self);
        }
        let read_at = known.and_then(|known| known.read_at);
        Ok(self.with_refresh(AccountRefresh { requested_at: at, read_at, renewal: None, is_refused: false }, at))
    }

    /// The same account, whose trade address a person wants to be renewed. A renewal that waits stays.
    ///
    /// # Errors
    /// [`AccountGone`] once it is removed.
    pub fn renewing_token(self, at: Timestamp) -> Result<Self, AccountGone> {
        if self.0.status.is_terminal() {
            return Err(AccountGone);
        }
        let known = self.0.refresh;
        if known.and_then(|known| known.renewal).is_some_and(|renewal| !renewal.is_late(at)) {
            return Ok(self);
        }
        let renewal = Some(TokenRenewal { requested_at: at, begun_at: None });
        let read_at = known.and_then(|known| known.read_at);
        Ok(self.with_refresh(AccountRefresh { requested_at: at, read_at, renewal, is_refused: false }, at))
    }

    /// The same account once the platform is called for its renewal: from now on the address may be another one.
    ///
    /// # Errors
    /// [`RenewalError`] unless a renewal waits and no purchase is open.
    pub fn renewal_begun(self, open_purchases: u32, at: Timestamp) -> Result<Self, RenewalError> {
        let Some((refresh, renewal)) = self.0.refresh.and_then(|refresh| Some((refresh, refresh.renewal?))) else {
            return Err(RenewalError::NotRequested);
        };
        if renewal.begun_at.is_some() {
            return Err(RenewalError::Begun);
        }
        if renewal.is_late(at) {
            return Err(RenewalError::NotRequested);
        }
        if open_purchases > 0 {
            return Err(RenewalError::HasPurchases { purchases: open_purchases });
        }
        let renewal = Some(TokenRenewal { begun_at: Some(at), ..renewal });
        Ok(self.with_refresh(AccountRefresh { renewal, ..refresh }, at))
    }

    /// The same account once a call for its renewal certainly had no effect.
    #[must_use]
    pub fn renewal_postponed(self, at: Timestamp) -> Self {
        let Some(refresh) = self.0.refresh else { return self };
        let renewal = refresh.renewal.map(|renewal| TokenRenewal { begun_at: None, ..renewal });
        self.with_refresh(AccountRefresh { renewal, ..refresh }, at)
    }

    /// The same account with what was read because a person asked for it. A token that is read after a renewal has begun ends the renewal,
    /// whether it is a new one or not. One that waits for too long is dropped.
    ///
    /// # Errors
    /// [`AccountGone`] once it is removed.
    pub fn refreshed(self, reading: AccountReading, at: Timestamp) -> Result<Self, AccountGone> {
        if self.0.status.is_terminal() {
            return Err(AccountGone);
        }
        let AccountReading { began_at, trade_token } = reading;
        let refresh = self.0.refresh.map(|known| {
            let is_over = |renewal: &TokenRenewal| {
                renewal.is_late(at) || renewal.begun_at.is_some_and(|begun| begun <= began_at && trade_token.is_some())
            };
            let renewal = known.renewal.filter(|renewal| !is_over(renewal));
            AccountRefresh { renewal, read_at: known.read_at.max(Some(began_at)), is_refused: false, ..known }
        });
        let trade_token = trade_token.or(self.0.trade_token);
        let updated_at = at.max(self.0.updated_at);
        Ok(Self(AccountParts { trade_token, refresh, updated_at, ..self.0 }))
    }

    /// The same account once the engine has found that it does not trade with it: a request that has waited for [`REFRESH_WAITS`] ends, and with
    /// it a renewal that has not begun. Any other account stays as it is.
    #[must_use]
    pub fn refresh_refused(self, at: Timestamp) -> Self {
        match self.0.refresh {
            Some(known) if known.may_be_refused(at) => {
                self.with_refresh(AccountRefresh { renewal: None, is_refused: true, ..known }, at)
            }
            Some(_) | None => self,
        }
    }

    fn with_refresh(self, refresh: AccountRefresh, at: Timestamp) -> Self {
        let updated_at = at.max(self.0.updated_at);
        Self(AccountParts { refresh: Some(refresh), updated_at, ..self.0 })
    }
}

impl AccountParts {
    /// Whether its trade address is to be renewed, or may have been.
    pub fn is_token_renewed(&self) -> bool {
        self.refresh.is_some_and(|refresh| refresh.renewal.is_some())
    }
}
