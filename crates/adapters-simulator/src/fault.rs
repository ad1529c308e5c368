//! Faults that can be injected, and those that have not struck yet. The code at which a fault strikes decides its course.

use serde::{Deserialize, Serialize};
use time::Duration;
use tradepost_domain::time::Timestamp;
use tradepost_ports::external::{Effect, ExternalError};

use crate::serde_repr;

/// Something that goes wrong. `docs/reference/simulator.md` describes what callers see of each.
///
/// Those of a market, a seller or a trade strike once, at the next occasion; the others at once.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case", deny_unknown_fields)]
pub enum Fault {
    /// The next such call is lost before it arrives: the caller does not learn that it did nothing.
    TimeoutBeforeCommit {
        /// Which call.
        call: Call,
    },
    /// The next such call that succeeds is carried out, and its answer is lost.
    TimeoutAfterCommit {
        /// Which call.
        call: Call,
    },
    /// One side answers every call as rate limited.
    RateLimitStorm {
        /// Which side.
        side: Side,
        /// For how long.
        seconds: u32,
    },
    /// One side no longer knows its callers.
    SessionLost {
        /// Which side.
        side: Side,
        /// For how long.
        seconds: u32,
    },
    /// The marketplace reports the state of every order by a number that no adapter knows.
    UnknownState {
        /// The number.
        number: u32,
        /// For how long.
        seconds: u32,
    },
    /// A stranger is faster at the next listing that is bought.
    SoldAlready,
    /// The price of the next listing that is bought has just risen.
    PriceMoved {
        /// By how much of its price.
        percent: u16,
    },
    /// The next order whose answer is lost cannot be found by its key at first, as if it had never been made.
    LateLookup {
        /// For how long.
        seconds: u32,
    },
    /// The next call to buy is not answered, and executed after a while if the listing can still be bought then.
    DelayedPurchase {
        /// After how long.
        seconds: u32,
    },
    /// The next seller to deliver lets the deadline pass and delivers after all.
    LateDelivery {
        /// How long after the deadline.
        seconds: u32,
    },
    /// The next refund takes longer than refunds do.
    LateRefund {
        /// By how much.
        hours: u32,
    },
    /// The next offer of a seller disappears after a while, as if it had never been; the seller sends another.
    OfferVanishes {
        /// After how long.
        seconds: u32,
    },
    /// The next offer of a seller is shown without its items at first.
    GlitchedOffer {
        /// For how long.
        seconds: u32,
    },
    /// The next seller to deliver offers another, cheaper item.
    ItemSwapped,
    /// The next stranger to answer an offer of ours lets the deadline pass and accepts it after all.
    LateBuyer {
        /// How long after the deadline.
        seconds: u32,
    },
    /// The next announcement of a trade offer is refused.
    AnnouncementRefused,
    /// The next trade fails: the items stay where they are and have new asset ids.
    FailedTrade,
    /// The next trade fails before anything has moved: the items keep their asset ids.
    FailedInPlace,
    /// The platform holds the items of the next trade for a while, and then passes them on or gives them back.
    Escrow {
        /// For how long.
        hours: u32,
        /// Whether the items go back.
        rolled_back: bool,
    },
    /// The platform holds the items of the next trade for a while, and then fails to return them: no account has them.
    RollbackFailed {
        /// For how long.
        hours: u32,
    },
    /// The stranger in the next trade reverses it, if it is still protected then.
    Reversal {
        /// How long after it was completed.
        hours: u32,
    },
    /// The platform shows that it holds the trades of every trading account.
    TradesHeld {
        /// For how long.
        hours: u32,
    },
    /// The next mobile confirmation never appears.
    LostConfirmation,
    /// A mobile confirmation of another kind than trading makes waits for every trading account.
    StrangeConfirmation {
        /// The platform's number of its kind; one of a trade offer is about an offer that no one sent.
        number: u32,
    },
    /// The marketplace forgets the next listing of a customer after a while, as if it had never been, unless it was sold by then.
    ListingVanishes {
        /// After how long.
        seconds: u32,
    },
    /// The next inventory that is read shows only the first half of its items.
    PartialInventory,
    /// The platform does not have an item of a trading account for a while, the one that has been there longest.
    ItemWithheld {
        /// For how long.
        seconds: u32,
    },
    /// A stranger puts an item of every kind on sale at a price that means nothing, and takes it off after a while.
    FakeAsk {
        /// So many percent of the market's price.
        percent: u16,
        /// After how long.
        seconds: u32,
    },
    /// A stranger sells items to itself for a week, and the index named `index` counts the sales.
    WashSales {
        /// At so many percent of the market's price.
        percent: u16,
        /// How many of each kind; 500 others are sold in a week.
        count: u32,
    },
    /// A customer's balance changes, and no order or sale says why.
    BalanceDrift {
        /// Whose.
        customer: String,
        /// By how many cents; at most what there is when it is below zero.
        cents: i64,
    },
}

/// The systems that are simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Where money is.
    Marketplace,
    /// Where items are.
    Platform,
    /// The source of exchange rates.
    Rates,
}

/// A call that changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Buying a listing.
    Buy,
    /// Putting an item on sale.
    List,
    /// Asking another price.
    Reprice,
    /// Taking a listing back.
    Delist,
    /// Sending a trade offer.
    Send,
    /// Accepting one.
    Accept,
    /// Declining one.
    Decline,
    /// Taking one back.
    Cancel,
    /// Answering a mobile confirmation.
    Answer,
    /// Committing a sale.
    Commit,
    /// Announcing a trade offer.
    Announce,
    /// Withdrawing what is in custody.
    Withdraw,
    /// Adding, accepting, removing, blocking or unblocking a friend.
    Befriend,
    /// Sending a chat message.
    Say,
    /// Marking a conversation as read.
    MarkRead,
    /// Renewing a trade URL.
    RenewToken,
    /// Beginning to sign an account in.
    SignIn,
    /// Giving the code that a sign-in waits for.
    GiveCode,
    /// Polling for the tokens of a sign-in.
    Poll,
    /// Renewing the tokens of a session.
    Renew,
    /// Revoking the tokens of a session.
    Revoke,
}

/// The faults that have not struck yet, and those that last.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Faults {
    armed: Vec<Fault>,
    outages: Vec<Outage>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Outage {
    side: Side,
    kind: OutageKind,
    #[serde(with = "serde_repr")]
    until: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum OutageKind {
    RateLimit,
    SignedOut,
    TradesHeld,
    UnknownState(u32),
}

impl Faults {
    /// Notes a fault that waits for its occasion, or that lasts.
    pub(crate) fn arm(&mut self, fault: Fault, now: Timestamp) {
        self.outages.retain(|outage| outage.until > now);
        let until = |seconds: u32| now.plus(Duration::seconds(i64::from(seconds)));
        if let Fault::TradesHeld { hours } = fault {
            let until = now.plus(Duration::hours(i64::from(hours)));
            self.outages.push(Outage { side: Side::Platform, kind: OutageKind::TradesHeld, until });
            return;
        }
        if let Fault::RateLimitStorm { side, seconds } = fault {
            self.outages.push(Outage { side, kind: OutageKind::RateLimit, until: until(seconds) });
        } else if let Fault::SessionLost { side, seconds } = fault {
            self.outages.push(Outage { side, kind: OutageKind::SignedOut, until: until(seconds) });
        } else if let Fault::UnknownState { number, seconds } = fault {
            let kind = OutageKind::UnknownState(number);
            self.outages.push(Outage { side: Side::Marketplace, kind, until: until(seconds) });
        } else {
            self.armed.push(fault);
        }
    }

    /// Those that wait for their occasion.
    pub(crate) fn armed(&self) -> &[Fault] {
        &self.armed
    }

    /// For how many hours the platform would hold the next trade; nothing where it would not.
    pub(crate) fn next_hold(&self) -> Option<u32> {
        self.armed.iter().find_map(|fault| {
            if let Fault::Escrow { hours, .. } | Fault::RollbackFailed { hours } = fault { Some(*hours) } else { None }
        })
    }

    /// Takes what would have held the next trade: that trade is not made.
    pub(crate) fn lift_next_hold(&mut self) {
        self.strike(|fault| matches!(fault, Fault::Escrow { .. } | Fault::RollbackFailed { .. }).then_some(()));
    }

    /// Takes the first fault that strikes on this occasion.
    pub(crate) fn strike<T>(&mut self, occasion: impl Fn(&Fault) -> Option<T>) -> Option<T> {
        let (at, effect) =
            self.armed.iter().enumerate().find_map(|(at, fault)| occasion(fault).map(|effect| (at, effect)))?;
        self.armed.remove(at);
        Some(effect)
    }

    /// Takes this very fault.
    pub(crate) fn strike_as(&mut self, fault: &Fault) -> bool {
        self.strike(|armed| (armed == fault).then_some(())).is_some()
    }

    /// Why a side answers nothing at present, if it does not.
    pub(crate) fn outage<R>(&self, side: Side, now: Timestamp) -> Option<ExternalError<R>> {
        self.outages.iter().filter(|outage| outage.side == side && outage.until > now).find_map(|outage| {
            match outage.kind {
                OutageKind::RateLimit => {
                    let retry_after = outage.until.since(now).unsigned_abs();
                    Some(ExternalError::RateLimited { retry_after, effect: Effect::Nothing })
                }
                OutageKind::SignedOut => Some(ExternalError::AuthLost { effect: Effect::Nothing }),
                OutageKind::TradesHeld | OutageKind::UnknownState(_) => None,
            }
        })
    }

    /// The number by which the marketplace reports every state, if it does.
    pub(crate) fn unknown_state(&self, now: Timestamp) -> Option<u32> {
        let mut lasting = self.outages.iter().filter(|outage| outage.until > now);
        lasting.find_map(|outage| if let OutageKind::UnknownState(number) = outage.kind { Some(number) } else { None })
    }

    /// Until when the platform holds every trade, if it says that it does.
    pub(crate) fn held_until(&self, now: Timestamp) -> Option<Timestamp> {
        let held = self.outages.iter().filter(|outage| matches!(outage.kind, OutageKind::TradesHeld));
        held.map(|outage| outage.until).filter(|until| *until > now).max()
    }
}
