//! The subjects of an evaluation: a listing to buy, or an item to sell.

use crate::contracts::contract::Activity;
use crate::contracts::inventory_item::InventoryItem;
use crate::markets::fees::Charges;
use crate::markets::listing::Listing;
use crate::money::Cents;

/// A listing, and what buying it depends on.
#[derive(Debug, Clone, Copy)]
pub struct ListingContext<'a> {
    /// The listing.
    pub listing: &'a Listing,
    /// The fees of the marketplaces where the item can be sold on; the best of them counts.
    pub exits: &'a [Charges],
    /// What the contract did lately.
    pub activity: Activity,
}

/// An item of ours, and what selling it depends on.
#[derive(Debug, Clone, Copy)]
pub struct Holding<'a> {
    /// The item.
    pub item: &'a InventoryItem,
    /// What it cost, with fees; not known of every item.
    pub cost: Option<Cents>,
    /// The lowest price of another seller on the marketplace.
    pub competing_price: Option<Cents>,
}
