//! What currencies are worth: a pure function of the seed and the time, so that asking changes nothing and all callers get the same.

use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Currency;
use tradepost_domain::time::Timestamp;
use tradepost_ports::exchange_rates::{RateRefusal, RateResult};

use super::World;
use crate::fault::Side;

/// The currencies that are known, with what one unit is worth in millionths of the first, about which it drifts.
const KNOWN: [(&str, i64); 4] = [("USD", 1_000_000), ("EUR", 1_080_000), ("GBP", 1_270_000), ("CNY", 140_000)];
/// Between two turns of its drift a currency goes straight.
const TURN_SECONDS: i64 = 6 * 60 * 60;
/// How far it drifts either way, in ten-thousandths.
const DRIFT: i64 = 300;

impl World {
    pub(super) fn rate(&mut self, from: Currency, to: Currency) -> RateResult<ExchangeRate> {
        self.called(Side::Rates, None, |world| {
            let worth = |currency| world.worth(currency).ok_or(RateRefusal::UnknownCurrency(currency));
            let micros = worth(from)? * 1_000_000 / worth(to)?;
            ExchangeRate::new(from, micros, world.now).map_err(|error| RateRefusal::Other(error.to_string()))
        })
    }

    /// What a unit is worth now, in millionths of the first currency.
    fn worth(&self, currency: Currency) -> Option<i64> {
        let known = KNOWN.iter().position(|(letters, _)| Currency::new(letters) == Ok(currency))?;
        let (_, about) = KNOWN.get(known)?;
        let number = u64::try_from(known).ok().filter(|number| *number > 0);
        let drift = number.map_or(0, |number| drift(self.seed ^ number, self.now));
        Some(about + about * drift / (10_000 * TURN_SECONDS))
    }
}

/// In ten-thousandths of the worth, times the length of a turn.
fn drift(seed: u64, at: Timestamp) -> i64 {
    let seconds = at.as_micros().div_euclid(1_000_000);
    let (turn, gone) = (seconds.div_euclid(TURN_SECONDS), seconds.rem_euclid(TURN_SECONDS));
    corner(seed, turn) * (TURN_SECONDS - gone) + corner(seed, turn + 1) * gone
}

/// Where a turn begins, from [`DRIFT`] below to as much above.
fn corner(seed: u64, turn: i64) -> i64 {
    let span = (2 * DRIFT + 1).unsigned_abs();
    i64::try_from(mixed(seed ^ mixed(turn.cast_unsigned())) % span).unwrap_or(0) - DRIFT
}

/// The finaliser of `SplitMix64`: numbers that lie next to each other come out as if drawn.
const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
