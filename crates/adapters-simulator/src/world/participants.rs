//! The participants: trading accounts of customers, and strangers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};

use super::accounting::MoneyAccount;
use super::ids::{IdAllocator, PersonId};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Participants {
    present: BTreeMap<PersonId, Person>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Person {
    /// Whose trading account it is; nothing for a stranger.
    customer: Option<String>,
}

impl Participants {
    pub(super) fn arrive(&mut self, numbers: &mut IdAllocator, customer: Option<&str>) -> PersonId {
        let id = numbers.person();
        self.present.insert(id, Person { customer: customer.map(str::to_owned) });
        id
    }

    pub(super) fn leave(&mut self, id: PersonId) {
        self.present.remove(&id);
    }

    /// The customer whose trading account this is.
    pub(super) fn customer(&self, id: PersonId) -> Option<&str> {
        self.present.get(&id).and_then(|person| person.customer.as_deref())
    }

    /// Whether there is such a participant now.
    pub(super) fn knows(&self, id: PersonId) -> bool {
        self.present.contains_key(&id)
    }

    /// The trading accounts of a customer, the oldest first.
    pub(super) fn accounts_of(&self, customer: &str) -> Vec<TradeAddress> {
        let own = self.present.iter().filter(|(_, person)| person.customer.as_deref() == Some(customer));
        own.map(|(id, _)| id.address()).collect()
    }

    /// The trading accounts of all customers.
    pub(super) fn accounts(&self) -> Vec<PersonId> {
        let own = self.present.iter().filter(|(_, person)| person.customer.is_some());
        own.map(|(id, _)| *id).collect()
    }

    /// Where the money of this person is.
    pub(super) fn purse(&self, id: PersonId) -> MoneyAccount<'_> {
        self.customer(id).map_or(MoneyAccount::Outside, MoneyAccount::Customer)
    }

    /// Returns the participant at an address, if there is one and the token is right.
    pub(super) fn at(&self, address: &TradeAddress) -> Option<PersonId> {
        let id = PersonId::from(address.user);
        (self.present.contains_key(&id) && *address == id.address()).then_some(id)
    }
}

impl PersonId {
    /// Where offers to this person go. No participant guesses tokens: that they differ is enough.
    pub(super) fn address(self) -> TradeAddress {
        let user = PlatformUserId::from(self);
        TradeAddress { user, token: ExternalId::from(user.number().get() % 1_000_000_007) }
    }
}
