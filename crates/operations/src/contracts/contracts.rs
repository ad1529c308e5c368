//! Contracts (standing orders): creating, changing, activating and ending them.

mod activate_contract;
mod cancel_contract;
mod clone_contract;
pub(crate) mod contract_lifecycle;
pub(crate) mod contract_versions;
pub(crate) mod create_contract;
mod delete_contract;
mod end_contracts;
pub(crate) mod losses;
mod pause_contract;
mod read;
mod resume_contract;
mod served_contracts;
mod serving;
mod terms;
mod update_contract;

pub use activate_contract::ActivateContract;
pub use cancel_contract::CancelContract;
pub use clone_contract::CloneContract;
pub use contract_versions::{FoundContractVersions, GetContractVersions, ListContractVersions};
pub use create_contract::CreateContract;
pub use delete_contract::DeleteContract;
pub use pause_contract::PauseContract;
pub use read::*;
pub use resume_contract::ResumeContract;
pub(crate) use served_contracts::Serving;
pub use terms::{BuyingLimits, ContractTerms, PriceSource, SellingLimits, UndercutBy};
pub use update_contract::UpdateContract;
