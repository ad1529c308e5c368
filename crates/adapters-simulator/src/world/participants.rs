//! The participants: trading accounts of customers, and strangers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};

use super::accounting::MoneyAccount;
use super::ids::{IdAllocator, PersonId};

/// First tokens are below this number.
const TOKENS: u64 = 1_000_000_007;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Participants {
    present: BTreeMap<PersonId, Person>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Person {
    /// Whose trading account it is; nothing for a stranger.
    customer: Option<String>,
    /// How often its trade URL was renewed.
    #[serde(default)]
    renewals: u64,
    /// Its first token, where a customer chose it.
    #[serde(default)]
    chosen_token: Option<String>,
}

/// A number that a customer wants for a trading account is another participant's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the number {0} is that of another participant")]
pub struct TakenNumber(pub PlatformUserId);

impl Participants {
    pub(super) fn arrive(&mut self, numbers: &mut IdAllocator, customer: Option<&str>) -> PersonId {
        let mut id = numbers.person();
        while self.present.contains_key(&id) {
            id = numbers.person();
        }
        self.present.insert(id, Person { customer: customer.map(str::to_owned), renewals: 0, chosen_token: None });
        id
    }

    /// Takes a trading account of a customer in under the number of its address, and returns its address of today.
    pub(super) fn settle(&mut self, customer: &str, address: &TradeAddress) -> Result<TradeAddress, TakenNumber> {
        let id = PersonId::from(address.user);
        let chosen_token = Some(address.token.as_str().to_owned());
        let arriving = || Person { customer: Some(customer.to_owned()), renewals: 0, chosen_token };
        let person = self.present.entry(id).or_insert_with(arriving);
        if person.customer.as_deref() != Some(customer) {
            return Err(TakenNumber(address.user));
        }
        Ok(self.address(id))
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
        own.map(|(id, _)| self.address(*id)).collect()
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

    /// Where offers to a person go. No participant guesses tokens: that they differ is enough.
    pub(super) fn address(&self, id: PersonId) -> TradeAddress {
        let user = PlatformUserId::from(id);
        let person = self.present.get(&id);
        let renewals = person.map_or(0, |person| person.renewals);
        let chosen = person.and_then(|person| person.chosen_token.as_deref()).filter(|_| renewals == 0);
        if let Some(token) = chosen.and_then(|token| ExternalId::new(token).ok()) {
            return TradeAddress { user, token };
        }
        let token = (user.number().get() % TOKENS).saturating_add(renewals.saturating_mul(TOKENS));
        TradeAddress { user, token: ExternalId::from(token) }
    }

    /// Gives a person another address, and returns it.
    pub(super) fn renew_token(&mut self, id: PersonId) -> TradeAddress {
        if let Some(person) = self.present.get_mut(&id) {
            person.renewals = person.renewals.saturating_add(1);
        }
        self.address(id)
    }

    /// Returns the participant at an address, if there is one and the token is right.
    pub(super) fn at(&self, address: &TradeAddress) -> Option<PersonId> {
        let id = PersonId::from(address.user);
        (self.present.contains_key(&id) && *address == self.address(id)).then_some(id)
    }
}
