//! What can go wrong in a run, by name: each is a fault of the simulated world that strikes again and again.

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side, World};

use tradepost::ports::marketplace::{Announcement, MarketTraits, OrderIdentity};

use crate::simulated::CUSTOMER;

/// How long until the next fault.
const EVERY: Duration = Duration::hours(3);
const HOUR: u32 = 3_600;
/// The calls that change something at any marketplace and at the platform.
const CALLS: [Call; 9] = [
    Call::Buy,
    Call::Accept,
    Call::List,
    Call::Send,
    Call::Answer,
    Call::Reprice,
    Call::Decline,
    Call::Cancel,
    Call::Delist,
];
/// Calls that only some marketplaces ask for.
const CALLS_OF_SOME: [Call; 3] = [Call::Commit, Call::Announce, Call::Withdraw];
const SIDES: [Side; 2] = [Side::Marketplace, Side::Platform];

/// Something that goes wrong again and again.
pub(crate) struct Scenario {
    /// Its name; where it is one fault, that of the fault.
    pub(crate) name: &'static str,
    /// What it is, in a few words.
    pub(crate) about: &'static str,
    /// The currency of the world's prices, where it is not that of the workspace.
    pub(super) currency: Option<&'static str>,
    /// How the marketplace works.
    pub(super) traits: fn() -> MarketTraits,
    faults: fn() -> Vec<Fault>,
}

/// Every scenario.
pub(crate) const SCENARIOS: [Scenario; 34] = [
    Scenario::of("calm", "nothing goes wrong", Vec::new),
    Scenario::of("timeout_before_commit", "a call is lost before it has an effect, and its outcome is unknown", || {
        CALLS.map(|call| Fault::TimeoutBeforeCommit { call }).to_vec()
    }),
    Scenario::of("timeout_after_commit", "a call is carried out and its answer is lost", || {
        CALLS.map(|call| Fault::TimeoutAfterCommit { call }).to_vec()
    }),
    Scenario::of("rate_limit_storm", "every call is rate limited for 1 h", || {
        SIDES.map(|side| Fault::RateLimitStorm { side, seconds: HOUR }).to_vec()
    }),
    Scenario::of("session_lost", "every session is rejected for 1 h", || {
        SIDES.map(|side| Fault::SessionLost { side, seconds: HOUR }).to_vec()
    }),
    Scenario::of("sold_already", "another buyer is faster", || vec![Fault::SoldAlready]),
    Scenario::of("price_moved", "a listing's price rises by 10 % during the purchase", || {
        vec![Fault::PriceMoved { percent: 10 }]
    }),
    Scenario::of("late_lookup", "the answer to a purchase is lost, and its order cannot be looked up at first", || {
        vec![Fault::LateLookup { seconds: HOUR / 2 }, Fault::TimeoutAfterCommit { call: Call::Buy }]
    }),
    Scenario::of("delayed_purchase", "a purchase is executed long after its call had no answer", || {
        vec![Fault::DelayedPurchase { seconds: HOUR / 2 }]
    }),
    Scenario::of("late_delivery", "a seller delivers after the deadline", || {
        vec![Fault::LateDelivery { seconds: HOUR / 2 }, Fault::LateDelivery { seconds: 2 * HOUR }]
    }),
    Scenario::of("late_refund", "a refund takes longer than refunds do", || vec![Fault::LateRefund { hours: 12 }]),
    Scenario::of("offer_vanishes", "a seller's offer disappears without a trace", || {
        vec![Fault::OfferVanishes { seconds: HOUR / 4 }]
    }),
    Scenario::of("glitched_offer", "a seller's offer is shown without its items at first", || {
        vec![Fault::GlitchedOffer { seconds: HOUR }]
    }),
    Scenario::of("item_swapped", "a seller offers another, cheaper item", || vec![Fault::ItemSwapped]),
    Scenario::of("late_buyer", "a stranger accepts an offer of ours after the deadline", || {
        vec![Fault::LateBuyer { seconds: HOUR / 2 }, Fault::LateBuyer { seconds: 2 * HOUR }]
    }),
    Scenario::of("announcement_refused", "the marketplace rejects the report of our trade offer", || {
        vec![Fault::AnnouncementRefused]
    })
    .working_as(announced),
    Scenario::of("failed_trade", "a trade fails, and the items have new ids", || vec![Fault::FailedTrade]),
    Scenario::of("failed_in_place", "a trade fails, and the items keep their ids", || vec![Fault::FailedInPlace]),
    Scenario::of("escrow", "the platform holds the items of a trade, and passes them on or gives them back", || {
        [false, true].map(|rolled_back| Fault::Escrow { hours: 12, rolled_back }).to_vec()
    }),
    Scenario::of(
        "rollback_failed",
        "the platform holds the items of a trade, and loses them as it gives them back",
        || vec![Fault::RollbackFailed { hours: 12 }],
    ),
    Scenario::of("reversal", "a trade is reversed while it is protected", || vec![Fault::Reversal { hours: 24 }]),
    Scenario::of("trades_held", "the platform holds the trades of every account of ours", || {
        vec![Fault::TradesHeld { hours: 2 }]
    }),
    Scenario::of("unknown_state", "the marketplace reports the states of deals by an unknown number", || {
        vec![Fault::UnknownState { number: 17, seconds: 600 }]
    }),
    Scenario::of("lost_confirmation", "a mobile confirmation never appears", || vec![Fault::LostConfirmation]),
    Scenario::of("strange_confirmation", "a mobile confirmation waits that no one of ours has caused", || {
        vec![Fault::StrangeConfirmation { number: 1 }]
    }),
    Scenario::of("listing_vanishes", "the marketplace forgets what we have on sale", || {
        vec![Fault::ListingVanishes { seconds: HOUR }]
    }),
    Scenario::of("partial_inventory", "half of an inventory is shown", || vec![Fault::PartialInventory]),
    Scenario::of("item_withheld", "the platform does not have an item of ours for a while", || {
        vec![Fault::ItemWithheld { seconds: 2 * HOUR }]
    }),
    Scenario::of("fake_ask", "a stranger asks prices that mean nothing, low and high", || {
        [30, 200].map(|percent| Fault::FakeAsk { percent, seconds: 2 * HOUR }).to_vec()
    }),
    Scenario::of("wash_sales", "a stranger sells to itself at twice the price", || {
        vec![Fault::WashSales { percent: 200, count: 5_000 }]
    }),
    Scenario::of(
        "balance_drift",
        "money disappears from the marketplace without a reason: ledger and marketplace differ",
        || vec![Fault::BalanceDrift { customer: CUSTOMER.to_owned(), cents: -100 }],
    ),
    Scenario::of("foreign", "prices are in another currency, and its rate moves", foreign).abroad("EUR"),
    Scenario::of(
        "custody",
        "it keeps no keys, has what is bought withdrawn, sales committed and offers announced",
        custody,
    )
    .working_as(in_custody),
    Scenario::of(
        "everything",
        "all of these one after the other, but for the balance and delayed purchases",
        everything,
    ),
];

impl Scenario {
    const fn of(name: &'static str, about: &'static str, faults: fn() -> Vec<Fault>) -> Self {
        Self { name, about, currency: None, traits: MarketTraits::default, faults }
    }

    const fn working_as(self, traits: fn() -> MarketTraits) -> Self {
        Self { traits, ..self }
    }

    const fn abroad(self, currency: &'static str) -> Self {
        Self { currency: Some(currency), ..self }
    }

    /// Lets it strike for so long.
    pub(super) fn schedule(&self, world: &mut World, days: u32) {
        world.set_traits((self.traits)());
        let mut after = EVERY;
        for fault in (self.faults)().iter().cycle() {
            if after >= Duration::days(i64::from(days)) {
                return;
            }
            world.schedule(after, fault.clone());
            after += EVERY;
        }
    }
}

/// What shows that a deal keeps its rate: refunds and answers that come late, and rates that no source reports for longer than they are valid.
fn foreign() -> Vec<Fault> {
    vec![
        Fault::LateDelivery { seconds: 2 * HOUR },
        Fault::TimeoutAfterCommit { call: Call::Buy },
        Fault::Reversal { hours: 24 },
        Fault::RateLimitStorm { side: Side::Rates, seconds: 2 * HOUR },
        Fault::PriceMoved { percent: 1 },
    ]
}

fn announced() -> MarketTraits {
    MarketTraits { announcement: Announcement::BeforeConfirming, ..MarketTraits::default() }
}

fn in_custody() -> MarketTraits {
    MarketTraits { orders: OrderIdentity::ByListing, custody: true, commits_sales: true, ..announced() }
}

/// Each further call to such a marketplace is lost before and after it is done, and so is what it keeps no key of.
fn custody() -> Vec<Fault> {
    let calls = CALLS_OF_SOME.into_iter().chain([Call::Buy]);
    let lost = calls.flat_map(|call| [Fault::TimeoutBeforeCommit { call }, Fault::TimeoutAfterCommit { call }]);
    lost.chain([Fault::AnnouncementRefused, Fault::FailedTrade]).collect()
}

/// Seven scenarios are excluded: it itself, the one after which ledger and marketplace differ, those after which the contract or a confirmation
/// waits for an operator, the one in another currency, and those of marketplaces that work otherwise.
fn everything() -> Vec<Fault> {
    const APART: [&str; 7] = [
        "announcement_refused",
        "balance_drift",
        "custody",
        "delayed_purchase",
        "foreign",
        "strange_confirmation",
        "everything",
    ];
    let is_part = |scenario: &&Scenario| !APART.contains(&scenario.name);
    SCENARIOS.iter().filter(is_part).flat_map(|scenario| (scenario.faults)()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_scenario_of_one_fault_has_its_name() {
        let several = ["calm", "late_lookup", "foreign", "custody", "everything"];
        let of_one = |scenario: &&Scenario| !several.contains(&scenario.name);
        for scenario in SCENARIOS.iter().filter(of_one) {
            for fault in (scenario.faults)() {
                let written: Value = serde_json::to_value(&fault).unwrap();
                assert_eq!(written["fault"], scenario.name);
            }
        }
    }

    #[test]
    fn every_fault_has_a_scenario_and_every_call_is_lost_in_one() {
        let unheard_of = json!({ "fault": "unheard of" });
        for fault in known(&serde_json::from_value::<Fault>(unheard_of).unwrap_err()) {
            assert!(SCENARIOS.iter().any(|scenario| scenario.name == fault), "no scenario of {fault}");
        }
        // A run has no friends and no chats, no one renews an address, and no account is signed in. The tests of the engine lose these calls;
        // marking can be repeated.
        let by_people = [Call::Befriend, Call::Say, Call::MarkRead, Call::RenewToken];
        let signing_in = [Call::SignIn, Call::GiveCode, Call::Poll, Call::Renew, Call::Revoke];
        let calls: BTreeSet<String> = CALLS
            .iter()
            .chain(&CALLS_OF_SOME)
            .chain(&by_people)
            .chain(&signing_in)
            .map(|call| json!(call).as_str().unwrap().to_owned())
            .collect();
        assert_eq!(calls, known(&serde_json::from_value::<Call>(json!("unheard of")).unwrap_err()));
    }

    /// The names that would have been known, which the message of a refusal lists.
    fn known(refusal: &serde_json::Error) -> BTreeSet<String> {
        let message = refusal.to_string();
        let (_, listed) = message.split_once("expected one of ").unwrap();
        let names: BTreeSet<String> = listed.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        assert!(names.len() > 1, "{message}");
        names
    }
}
