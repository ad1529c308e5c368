//! Proof that the world's own books hold: money, items, and who has what.

use std::collections::BTreeMap;

use tradepost_domain::money::VenueCents;
use tradepost_ports::marketplace::ListingStatus;

use super::World;
use super::ids::{ItemId, PersonId};
use super::items::Item;

/// What does not hold. The world is at fault then, and not who trades in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the simulated world is inconsistent: {0}")]
pub struct Imbalance(String);

impl World {
    /// Checks that no money and no item was made, lost or doubled.
    ///
    /// # Errors
    /// [`Imbalance`] says what is wrong.
    pub fn check_books(&self) -> Result<(), Imbalance> {
        self.check_money()?;
        self.check_items()?;
        self.check_listings()
    }

    fn check_money(&self) -> Result<(), Imbalance> {
        ensure(self.books.sum() == 0, || format!("all purses come to {} cents", self.books.sum()))?;
        ensure(!self.books.is_overdrawn(), || "a purse is overdrawn".to_owned())?;
        for (id, deal) in self.deals.iter() {
            let due = if deal.holds_money() { deal.paid() } else { VenueCents::ZERO };
            let held = self.books.held(id);
            ensure(held == due, || format!("{held:?} are held for deal {id:?}, {due:?} should be"))?;
        }
        let open = self.deals.iter().filter(|(_, deal)| deal.holds_money()).count();
        ensure(self.books.deals_held() == open, || "money is held for no deal".to_owned())
    }

    /// The owner of an item follows from its first owner and the trades since.
    fn check_items(&self) -> Result<(), Imbalance> {
        ensure(self.items.are_consistent(), || "an item is lost or doubled".to_owned())?;
        let mut owners: BTreeMap<ItemId, PersonId> =
            self.items.iter().map(|(id, item)| (id, item.first_owner)).collect();
        let moves = self.trades.iter().flat_map(|trade| &trade.moves);
        for step in moves.filter(|step| step.after.is_some()) {
            let owner = owners.insert(step.item, step.receiver);
            ensure(owner == Some(step.giver), || format!("{:?} was given by who did not have it", step.item))?;
        }
        let mut items = self.items.iter();
        let astray = items.find(|(id, item)| owners.get(id) != Some(&item.owner));
        ensure(astray.is_none(), || format!("no trade brought {:?} where it is", astray.map(|(id, _)| id)))
    }

    /// What is on sale is with its seller, on sale once, and not sold already.
    fn check_listings(&self) -> Result<(), Imbalance> {
        for (id, listing) in &self.market.listings {
            let item = self.items.get(listing.item);
            let is_sellers =
                |item: &Item| item.owner == listing.seller && item.listing == Some(*id) && item.deal.is_none();
            let holds = listing.status != ListingStatus::OnSale || item.is_some_and(is_sellers);
            ensure(holds, || format!("{id:?} sells what its seller does not have"))?;
        }
        Ok(())
    }
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), Imbalance> {
    if holds { Ok(()) } else { Err(Imbalance(what())) }
}
