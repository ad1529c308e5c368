//! Whether a contract lets something be proposed. Budget and quantity are asked when it is carried out.

use super::buying::check_price;
use super::{AdmissionError, Contract, ContractStatus, Terms};
use crate::intent::{IntentKind, Target};
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
            (Terms::Buying(_), Target::Item(_)) if kind.is_of_sale() => Err(AdmissionError::NeverSells),
            (Terms::Selling(limits), Target::Item(item)) => {
                self.0.check_place_and_time(item.marketplace.as_ref(), at)?;
                let least = limits.floor_price;
                match item.price.filter(|price| *price < least) {
                    Some(given) => Err(AdmissionError::BelowFloor { given, least }),
                    None => Ok(()),
                }
            }
            (Terms::Selling(_), Target::Listing(_)) => Err(AdmissionError::NeverBuys),
            (Terms::Buying(_), Target::Item(_) | Target::Offer(_)) | (Terms::Selling(_), Target::Offer(_)) => {
                self.0.check_place_and_time(None, at)
            }
        }
    }
}
