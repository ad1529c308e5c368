//! `contracts.v1.Contracts`.
#![cfg_attr(not(test), expect(clippy::wildcard_imports, reason = "each method is handled by the function of its name"))]

mod assignments;
mod contract_versions;
mod contracts;
mod evaluations;
mod filter_sets;
mod intents;
mod items;
mod ledger;
mod pools;
mod profit_and_loss;
mod purchases;
mod remediations;
mod search;
mod transitions;

use std::sync::Arc;

use connectrpc::{RequestContext, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;

use tradepost_proto::contracts::v1 as wire;

use self::{
    assignments::*, contract_versions::*, contracts::*, evaluations::*, filter_sets::*, intents::*, items::*,
    ledger::*, pools::*, profit_and_loss::*, purchases::*, remediations::*, search::*, transitions::*,
};

/// The service.
pub(crate) struct ContractsHandlers(pub(crate) Arc<Operations>);

impl wire::Contracts for ContractsHandlers {
    tradepost_proto::contracts_methods! { handled }
}
