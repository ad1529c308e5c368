//! contracts.v1.Contracts: contracts, filter sets, purchases, inventory items and their asset-id chains.
//!
//! Beside the operations of the interface this holds the commands through which an engine or an embedder tells what
//! happened outside: [`RecordPurchase`], [`AdvancePurchase`], [`ReceiveItem`], [`AdvanceItem`]. Nothing here asks a
//! marketplace or the game platform.

mod activate_contract;
mod advance_item;
mod advance_purchase;
mod append_asset_id_link;
mod chains;
mod count_filter_sets;
mod count_inventory_items;
mod count_purchases;
mod create_contract;
mod create_filter_set;
mod delete_filter_set;
mod filter_rules;
mod get_contract;
mod get_contracts;
mod get_filter_set;
mod get_filter_sets;
mod get_inventory_item;
mod get_inventory_items;
mod get_purchase;
mod get_purchases;
mod item_moves;
mod list_asset_id_links;
mod list_contracts;
mod list_filter_sets;
mod list_inventory_items;
mod list_purchases;
mod receive_item;
mod record_purchase;
mod refusals;
mod steps;
mod terms;
mod test_filter_set;
mod update_filter_set;
mod verify_asset_id_chain;

pub use activate_contract::ActivateContract;
pub use advance_item::AdvanceItem;
pub use advance_purchase::AdvancePurchase;
pub use append_asset_id_link::AppendAssetIDLink;
pub use count_filter_sets::CountFilterSets;
pub use count_inventory_items::CountInventoryItems;
pub use count_purchases::CountPurchases;
pub use create_contract::CreateContract;
pub use create_filter_set::CreateFilterSet;
pub use delete_filter_set::DeleteFilterSet;
pub use filter_rules::{FilterFeatures, FilterRules, FilterSticker, SampleListing};
pub use get_contract::GetContract;
pub use get_contracts::GetContracts;
pub use get_filter_set::GetFilterSet;
pub use get_filter_sets::GetFilterSets;
pub use get_inventory_item::GetInventoryItem;
pub use get_inventory_items::GetInventoryItems;
pub use get_purchase::GetPurchase;
pub use get_purchases::GetPurchases;
pub use list_asset_id_links::ListAssetIDLinks;
pub use list_contracts::ListContracts;
pub use list_filter_sets::ListFilterSets;
pub use list_inventory_items::ListInventoryItems;
pub use list_purchases::ListPurchases;
pub use receive_item::{ReceiveItem, ReceivedItem};
pub use record_purchase::RecordPurchase;
pub use terms::{BuyingLimits, ContractTerms, PriceSource, SellingLimits, UndercutBy};
pub use test_filter_set::{SampleVerdict, TestFilterSet};
pub use update_filter_set::UpdateFilterSet;
pub use verify_asset_id_chain::VerifyAssetIDChain;
