//! What goes wrong and when, drawn from the seed.

use tradepost_adapters_simulator::{Call, Fault, Side};

use super::world::CUSTOMER;
use crate::data::mix;

const CALLS: [Call; 9] = [
    Call::Buy,
    Call::List,
    Call::Reprice,
    Call::Delist,
    Call::Send,
    Call::Accept,
    Call::Decline,
    Call::Cancel,
    Call::Answer,
];

/// Numbers that follow from a seed.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn of(seed: u64) -> Self {
        Self(mix(seed))
    }

    pub(super) fn below(&mut self, most: u64) -> u64 {
        self.0 = mix(self.0.wrapping_add(1));
        self.0 % most.max(1)
    }

    fn within(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(u64::from(most - least) + 1) as u32
    }

    fn call(&mut self) -> Call {
        // Half of them strike where it costs most.
        if self.below(2) == 0 { Call::Buy } else { CALLS[self.below(CALLS.len() as u64) as usize] }
    }

    fn side(&mut self) -> Side {
        if self.below(2) == 0 { Side::Marketplace } else { Side::Platform }
    }

    /// A fault of any kind, with its name, and what it does to the balance without a reason.
    pub(super) fn fault(&mut self) -> (&'static str, Fault, i64) {
        let (name, fault) = match self.below(26) {
            0 => ("timeout_before_commit", Fault::TimeoutBeforeCommit { call: self.call() }),
            1 => ("timeout_after_commit", Fault::TimeoutAfterCommit { call: self.call() }),
            2 => ("rate_limit_storm", Fault::RateLimitStorm { side: self.side(), seconds: self.within(300, 1_500) }),
            3 => ("session_lost", Fault::SessionLost { side: self.side(), seconds: self.within(300, 1_500) }),
            4 => ("sold_already", Fault::SoldAlready),
            5 => ("price_moved", Fault::PriceMoved { percent: self.within(1, 300) as u16 }),
            6 => ("late_delivery", Fault::LateDelivery { seconds: self.within(60, 1_500) }),
            7 => ("offer_vanishes", Fault::OfferVanishes { seconds: self.within(60, 900) }),
            8 => ("glitched_offer", Fault::GlitchedOffer { seconds: self.within(60, 900) }),
            9 => ("item_swapped", Fault::ItemSwapped),
            10 => ("failed_trade", Fault::FailedTrade),
            11 => ("escrow", Fault::Escrow { hours: self.within(1, 4), rolled_back: self.below(2) == 0 }),
            12 => ("reversal", Fault::Reversal { hours: 1 }),
            13 => ("lost_confirmation", Fault::LostConfirmation),
            14 => ("partial_inventory", Fault::PartialInventory),
            15 => ("late_refund", Fault::LateRefund { hours: self.within(1, 24) }),
            16 => ("trades_held", Fault::TradesHeld { hours: self.within(1, 4) }),
            17 => ("late_buyer", Fault::LateBuyer { seconds: self.within(60, 1_500) }),
            18 => ("failed_in_place", Fault::FailedInPlace),
            19 => ("rollback_failed", Fault::RollbackFailed { hours: self.within(1, 4) }),
            20 => ("listing_vanishes", Fault::ListingVanishes { seconds: self.within(60, 1_500) }),
            21 => ("item_withheld", Fault::ItemWithheld { seconds: self.within(600, 7_200) }),
            22 => ("late_lookup", Fault::LateLookup { seconds: self.within(60, 2_400) }),
            23 => {
                let (percent, seconds) = (self.within(20, 300) as u16, self.within(600, 7_200));
                ("fake_ask", Fault::FakeAsk { percent, seconds })
            }
            24 => {
                let (percent, count) = (self.within(20, 300) as u16, self.within(100, 10_000));
                ("wash_sales", Fault::WashSales { percent, count })
            }
            _ => {
                let cents = i64::from(self.within(0, 1_000)) - 500;
                return ("balance_drift", Fault::BalanceDrift { customer: CUSTOMER.to_owned(), cents }, cents);
            }
        };
        (name, fault, 0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_of_fault_is_drawn_and_the_same_seed_draws_the_same() {
        let drawn = |seed| {
            let mut chance = Chance::of(seed);
            (0..600).map(|_| chance.fault()).collect::<Vec<_>>()
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        assert_eq!(drawn(1).iter().map(|(name, ..)| *name).collect::<BTreeSet<_>>().len(), 26);
    }
}
