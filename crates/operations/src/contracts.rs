//! contracts.v1.Contracts: contracts, purchases, inventory items and their asset-id chains.
