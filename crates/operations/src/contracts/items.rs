//! Inventory items, their sales, and the chain of asset ids of each.

mod advance_item;
pub(crate) mod append_asset_id_link;
pub(crate) mod chains;
pub(crate) mod imported_items;
pub(crate) mod item_moves;
mod item_sales;
mod list_asset_id_links;
mod read;
pub(crate) mod receive_item;
mod record_payout;
pub(crate) mod sold_elsewhere;
mod transfer_item;
mod verify_asset_id_chain;
mod write_off_item;
mod write_offs;

pub use advance_item::AdvanceItem;
pub use append_asset_id_link::AppendAssetIDLink;
pub use item_sales::{DelistItem, ListItemForSale, RepriceItem};
pub use list_asset_id_links::ListAssetIDLinks;
pub use read::*;
pub use receive_item::{ReceiveItem, ReceivedItem};
pub use record_payout::RecordPayout;
pub use transfer_item::TransferItem;
pub use verify_asset_id_chain::VerifyAssetIDChain;
pub use write_off_item::WriteOffItem;
