//! Whether a contract lets something be proposed. Budget and quantity are asked when it is carried out.

use super::buying::check_price;
use super::{AdmissionError, Contract, ContractStatus, Terms};
use crate::contracts::intent::{IntentKind, Target};
use crate::money::Cents;
use crate::time::Timestamp;

impl Contract {
    /// Checks that the contract lets this be proposed: it is active and of the right type, and works there, at this time and
    /// at this price.
    ///
    /// # Errors
    /// The first [`AdmissionError`] found.
    pub fn check_proposal(&self, kind: IntentKind, target: &Target, at: Timestamp) -> Result<(), AdmissionError> {
        if self.0.status != ContractStatus::Active {
            return Err(AdmissionError::NotActive(self.0.status));
        }
        match (&self.0.terms, target) {
            (Terms::Buying(limits), Target::Listing(listing)) => {
                self.0.check_place_and_time(Some(&listing.marketplace), at)?;
                check_price(listing.max_buy_price, limits.max_buy_price)
            }
            (Terms::Buying(_), Target::Item(_)) if kind.claims_item() => Err(AdmissionError::NeverSells),
            (Terms::Selling(limits), Target::Item(item)) => {
                self.0.check_place_and_time(item.marketplace.as_ref(), at)?;
                item.price.map_or(Ok(()), |price| check_floor(price, limits.floor_price))
            }
            (Terms::Selling(_), Target::Listing(_)) => Err(AdmissionError::NeverBuys),
            (Terms::Buying(_), Target::Item(_) | Target::Offer(_)) | (Terms::Selling(_), Target::Offer(_)) => {
                self.0.check_place_and_time(None, at)
            }
        }
    }

    /// The contract after it has proposed something. It gets another version, so that of two nodes that propose at once the second
    /// counts what the first has proposed.
    #[must_use]
    pub fn proposed(self, at: Timestamp) -> Self {
        let updated_at = at.max(self.0.updated_at);
        Self(super::ContractParts { updated_at, ..self.0 })
    }

    /// Checks the asking price of an item that is on sale for the contract, for any caller and any status of the contract.
    ///
    /// # Errors
    /// [`AdmissionError::BelowFloor`].
    pub fn check_asking_price(&self, price: Cents) -> Result<(), AdmissionError> {
        match &self.0.terms {
            Terms::Selling(limits) => check_floor(price, limits.floor_price),
            Terms::Buying(_) => Ok(()),
        }
    }

    /// Checks what is earned by the sale of an item, in basis points of what it has cost; `None` where that cannot be said.
    ///
    /// # Errors
    /// [`AdmissionError::MarginTooLow`].
    pub fn check_margin(&self, margin: Option<i64>) -> Result<(), AdmissionError> {
        let Terms::Selling(limits) = &self.0.terms else { return Ok(()) };
        match limits.min_margin.filter(|least| margin.is_none_or(|margin| margin < i64::from(*least))) {
            Some(least) => Err(AdmissionError::MarginTooLow { least }),
            None => Ok(()),
        }
    }
}

fn check_floor(given: Cents, least: Cents) -> Result<(), AdmissionError> {
    if given < least { Err(AdmissionError::BelowFloor { given, least }) } else { Ok(()) }
}
