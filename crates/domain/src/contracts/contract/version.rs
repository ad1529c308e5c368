//! The versions of a contract's terms, which are kept so that a reader sees what it was for at any time.

use super::{Contract, ContractDraft};
use crate::id::ContractVersionId;
use crate::time::Timestamp;
use crate::transition::Actor;

/// The terms of a contract from one change to the next. A version never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractVersion {
    /// Its own id. Later versions of a contract have later ids.
    pub id: ContractVersionId,
    /// What a new contract of these terms would be made from, with the id of the contract.
    pub terms: ContractDraft,
    /// The version of the contract's record from which on they hold, from 1. Work under a contract changes its record too, so versions of
    /// terms are further apart than 1.
    pub record_version: i64,
    /// Who made them.
    pub made_by: Actor,
    /// When, by the clock of the contract.
    pub made_at: Timestamp,
}

impl Contract {
    /// What a new contract of the same terms would be made from.
    pub fn to_draft(&self) -> ContractDraft {
        let contract = self.0.clone();
        ContractDraft {
            id: contract.id,
            workspace_id: contract.workspace_id,
            name: contract.name,
            terms: contract.terms,
            filter_set_id: contract.filter_set_id,
            pool_id: contract.pool_id,
            approval_mode: contract.approval_mode,
            marketplaces: contract.marketplaces,
            price_reference: contract.price_reference,
            starts_at: contract.starts_at,
            ends_at: contract.ends_at,
        }
    }
}
