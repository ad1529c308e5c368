//! What is going to happen, by time; at one moment in the order in which it was decided.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use tradepost_domain::time::Timestamp;

use super::ids::{DealId, ItemId, ListingId, OfferId, PersonId, TradeId};
use crate::call::Request;
use crate::fault::Fault;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Event {
    StrangerLists,
    PricesMove,
    StrangersBuy,
    StrangerReprices(ListingId),
    SoldElsewhere(ListingId),
    ListingForgotten(ListingId),
    ListingVanishes(ListingId),
    AskWithdrawn(ListingId),
    SellerCommits(DealId),
    SellerSends(DealId),
    DeliveryDue(DealId),
    RefundDue(DealId),
    DealSettles(DealId),
    ConfirmationAppears(OfferId, PersonId),
    StrangerAnswers(OfferId),
    StrangerTakes(OfferId),
    OfferVanishes(OfferId),
    OfferExpires(OfferId),
    EscrowEnds(TradeId, EscrowEnd),
    StrangerReverses(TradeId),
    ItemIsBack(ItemId),
    PartnerAsks(PersonId, PersonId),
    PartnerAnswers(PersonId, PersonId),
    PartnerWrites(PersonId, PersonId),
    Strikes(Fault),
    Executes(Box<Request>),
}

/// The outcome of items that the platform held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum EscrowEnd {
    PassedOn,
    GivenBack,
    Lost,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct EventQueue {
    by_micros: BTreeMap<i64, VecDeque<Event>>,
}

impl EventQueue {
    pub(super) fn add(&mut self, at: Timestamp, event: Event) {
        self.by_micros.entry(at.as_micros()).or_default().push_back(event);
    }

    /// Takes the next event, if it is due by then.
    pub(super) fn due(&mut self, until: Timestamp) -> Option<(Timestamp, Event)> {
        let mut next = self.by_micros.first_entry()?;
        let at = Timestamp::from_micros(*next.key()).ok().filter(|at| *at <= until)?;
        let event = next.get_mut().pop_front();
        if next.get().is_empty() {
            next.remove();
        }
        event.map(|event| (at, event))
    }
}
