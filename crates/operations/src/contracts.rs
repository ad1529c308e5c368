//! contracts.v1.Contracts: contracts, purchases, inventory items and their asset-id chains.
//!
//! Beside the operations of the interface this holds the commands through which an engine or an embedder tells what
//! happened outside: [`RecordPurchase`], [`AdvancePurchase`], [`ReceiveItem`], [`AdvanceItem`]. Nothing here asks a
//! marketplace or the game platform.

mod activate_contract;
mod advance_item;
mod advance_purchase;
mod append_asset_id_link;
mod chains;
mod count_inventory_items;
mod count_purchases;
mod create_contract;
mod get_contract;
mod get_contracts;
mod get_inventory_item;
mod get_inventory_items;
mod get_purchase;
mod get_purchases;
mod item_moves;
mod list_asset_id_links;
mod list_contracts;
mod list_inventory_items;
mod list_purchases;
mod receive_item;
mod record_purchase;
mod refusals;
mod steps;
mod terms;
mod verify_asset_id_chain;

pub use activate_contract::ActivateContract;
pub use advance_item::AdvanceItem;
pub use advance_purchase::AdvancePurchase;
pub use append_asset_id_link::AppendAssetIDLink;
pub use count_inventory_items::CountInventoryItems;
pub use count_purchases::CountPurchases;
pub use create_contract::CreateContract;
pub use get_contract::GetContract;
pub use get_contracts::GetContracts;
pub use get_inventory_item::GetInventoryItem;
pub use get_inventory_items::GetInventoryItems;
pub use get_purchase::GetPurchase;
pub use get_purchases::GetPurchases;
pub use list_asset_id_links::ListAssetIDLinks;
pub use list_contracts::ListContracts;
pub use list_inventory_items::ListInventoryItems;
pub use list_purchases::ListPurchases;
pub use receive_item::{ReceiveItem, ReceivedItem};
pub use record_purchase::RecordPurchase;
pub use terms::{BuyingLimits, ContractTerms, PriceSource, SellingLimits, UndercutBy};
pub use verify_asset_id_chain::VerifyAssetIDChain;
