//! How long the platform would hold a trade that is about to be made.

use time::Duration;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::game_platform::{Hold, PlatformResult};

use crate::context::Context;
use crate::context::recent::Recent;
use crate::mark::Mark;

const SECONDS_OF_AN_HOUR: u32 = 3_600;
/// The time after which a hold is read again. That there is none is read before each offer.
const READ_AGAIN_AFTER: Duration = Duration::minutes(5);

/// The holds of what an account gives to another, and when each was read.
pub(crate) type SeenHolds = Recent<(PlatformUserId, PlatformUserId), (Mark, Hold)>;

/// Which sides of a trade give items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Giving {
    pub(crate) ours: bool,
    pub(crate) theirs: bool,
}

impl Giving {
    /// A trade in which our account alone gives items.
    pub(crate) const OURS: Self = Self { ours: true, theirs: false };

    /// Returns for how many hours a trade is held, and because of whom; nothing where it is not held.
    pub(crate) fn held_for(self, hold: Hold) -> Option<String> {
        let because_of = match (self.ours && hold.ours > 0, self.theirs && hold.theirs > 0) {
            (true, false) => "the account",
            (false, true) => "the partner",
            (true, true) | (false, false) => "both accounts",
        };
        let hours = hold.of_trade(self.ours, self.theirs).div_ceil(SECONDS_OF_AN_HOUR);
        (hours > 0).then(|| format!("{hours} h because of {because_of}"))
    }
}

impl Context {
    /// Returns how long the platform would hold what an account delivers. A hold that was read within the last 5 min counts.
    ///
    /// # Errors
    /// Those of [`GamePlatform::hold_with`](tradepost_ports::game_platform::GamePlatform::hold_with).
    pub(crate) async fn delivery_hold(&self, account: PlatformUserId, to: &TradeAddress) -> PlatformResult<Hold> {
        let (seen, pair) = (&self.state.platform.holds, (account, to.user));
        if let Some((_, hold)) = seen.get(&pair).filter(|(at, _)| self.mark().since(*at) < READ_AGAIN_AFTER) {
            return Ok(hold);
        }
        let hold = self.desk.platform.hold_with(account, to).await?;
        if Giving::OURS.held_for(hold).is_some() {
            seen.insert(pair, (self.mark(), hold));
        }
        Ok(hold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u32 = 24 * SECONDS_OF_AN_HOUR;

    #[test]
    fn a_hold_is_said_in_hours_with_the_side_that_causes_it() {
        let said = |ours, theirs, hold| Giving { ours, theirs }.held_for(hold);
        let of_account = Hold { ours: 3 * DAY, theirs: 0, both: 3 * DAY };
        let of_partner = Hold { ours: 0, theirs: 15 * DAY, both: 15 * DAY };
        let of_both = Hold { ours: DAY, theirs: 2 * DAY, both: 2 * DAY };
        assert_eq!(said(true, false, of_account).as_deref(), Some("72 h because of the account"));
        assert_eq!(said(false, true, of_partner).as_deref(), Some("360 h because of the partner"));
        assert_eq!(said(true, true, of_both).as_deref(), Some("48 h because of both accounts"));
        assert_eq!(
            said(true, true, Hold { ours: 0, theirs: 0, both: 1 }).as_deref(),
            Some("1 h because of both accounts")
        );
    }

    #[test]
    fn a_side_that_gives_nothing_causes_no_hold() {
        assert_eq!(Giving::OURS.held_for(Hold { ours: 0, theirs: DAY, both: DAY }), None);
        assert_eq!(Giving { ours: false, theirs: true }.held_for(Hold { ours: DAY, theirs: 0, both: DAY }), None);
        assert_eq!(Giving { ours: true, theirs: true }.held_for(Hold::default()), None);
    }
}
