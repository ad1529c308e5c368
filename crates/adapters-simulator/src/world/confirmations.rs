//! Mobile confirmations: an offer that gives items waits for the one who gives them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_ports::game_platform::{
    CONFIRMS_OFFER, Confirmation, ConfirmationAnswer, ConfirmationHandle, PlatformRefusal,
};

use super::World;
use super::event_queue::Event;
use super::ids::{ConfirmationId, OfferId, PersonId};
use crate::fault::Fault;
use crate::serde_repr;

/// A confirmation that waits for an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Waiting {
    offer: OfferId,
    person: PersonId,
    #[serde(with = "serde_repr")]
    created_at: Timestamp,
}

/// A confirmation of something else than an offer of this world.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Strange {
    number: u32,
    person: PersonId,
    #[serde(with = "serde_repr")]
    created_at: Timestamp,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Confirmations {
    waiting: BTreeMap<ConfirmationId, Waiting>,
    /// What is not of an offer of this world.
    #[serde(default)]
    strange: BTreeMap<ConfirmationId, Strange>,
}

impl Confirmations {
    /// An offer that has ended waits for no confirmation.
    pub(super) fn forget(&mut self, offer: OfferId) {
        self.waiting.retain(|_, waiting| waiting.offer != offer);
    }
}

impl World {
    /// Asks a participant to confirm an offer. The confirmation appears a little later.
    pub(super) fn ask_to_confirm(&mut self, offer: OfferId, person: PersonId) {
        if !self.faults.strike_as(&Fault::LostConfirmation) {
            self.after(self.settings.confirmation, Event::ConfirmationAppears(offer, person));
        }
    }

    pub(super) fn confirmation_appears(&mut self, offer: OfferId, person: PersonId) {
        let is_there =
            self.confirmations.waiting.values().any(|waiting| waiting.offer == offer && waiting.person == person);
        if !is_there && self.offers.get(offer).is_some_and(|offer| offer.awaits(person)) {
            let id = self.numbers.confirmation();
            self.confirmations.waiting.insert(id, Waiting { offer, person, created_at: self.now });
        }
    }

    /// Has every trading account asked to confirm something that trading does not make.
    pub(super) fn confirmations_appear(&mut self, number: u32) {
        for person in self.people.accounts() {
            let id = self.numbers.confirmation();
            self.confirmations.strange.insert(id, Strange { number, person, created_at: self.now });
        }
    }

    /// What waits for an answer of this person.
    pub(super) fn confirmations(&self, person: PersonId) -> Vec<Confirmation> {
        let of_offers = self.confirmations.waiting.iter().filter(|(_, waiting)| waiting.person == person);
        let of_offers = of_offers.map(|(id, waiting)| self.shown_confirmation(*id, waiting));
        let strange = self.confirmations.strange.iter().filter(|(_, strange)| strange.person == person);
        of_offers.chain(strange.map(|(id, strange)| strange.shown(*id))).collect()
    }

    fn shown_confirmation(&self, id: ConfirmationId, waiting: &Waiting) -> Confirmation {
        let is_receiving = self.offers.get(waiting.offer).is_some_and(|offer| offer.receives(waiting.person));
        let text = if is_receiving { "You will receive items" } else { "You will receive nothing" };
        Confirmation {
            id: id.into(),
            handle: ConfirmationHandle::default(),
            kind: CONFIRMS_OFFER,
            kind_name: "Trade Offer".to_owned(),
            creator: waiting.offer.into(),
            headline: "Trade".to_owned(),
            summary: vec!["You will give items".to_owned(), text.to_owned()],
            created_at: waiting.created_at,
        }
    }

    /// Answers a confirmation.
    pub(super) fn answer_confirmation(
        &mut self,
        person: PersonId,
        id: &ExternalId,
        answer: ConfirmationAnswer,
    ) -> Result<(), PlatformRefusal> {
        let id = ConfirmationId::named(id).ok_or(PlatformRefusal::NotFound)?;
        if self.confirmations.strange.get(&id).is_some_and(|strange| strange.person == person) {
            self.confirmations.strange.remove(&id);
            return Ok(());
        }
        let waiting = self.confirmations.waiting.get(&id).filter(|waiting| waiting.person == person);
        let offer = waiting.map(|waiting| waiting.offer).ok_or(PlatformRefusal::NotFound)?;
        self.confirmations.waiting.remove(&id);
        let is_sender = self.offers.get(offer).is_some_and(|offer| offer.from == person);
        match answer {
            ConfirmationAnswer::Allow if is_sender => self.offer_is_out(offer),
            // The offer shows whether it comes to a trade.
            ConfirmationAnswer::Allow => _ = self.trade(offer),
            ConfirmationAnswer::Deny => self.end_offer(offer, OfferStatus::CancelledBySecondFactor),
        }
        Ok(())
    }
}

impl Strange {
    fn shown(&self, id: ConfirmationId) -> Confirmation {
        let shown = ExternalId::from(id);
        Confirmation {
            creator: shown.clone(),
            id: shown,
            handle: ConfirmationHandle::default(),
            kind: self.number,
            kind_name: format!("Request {}", self.number),
            headline: "Request".to_owned(),
            summary: Vec::new(),
            created_at: self.created_at,
        }
    }
}
