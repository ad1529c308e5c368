//! Versions of contracts' terms on the wire.

use tradepost_domain::contracts::contract::ContractVersion;

use super::contracts::{price_reference, wire_terms};
use super::transitions::actor;
use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::contracts::v1 as wire;

pub(crate) fn contract_version(version: &ContractVersion) -> wire::ContractVersion {
    let contract = &version.terms;
    let (buying, selling) = wire_terms(&contract.terms);
    wire::ContractVersion {
        id: Some(wire_id(version.id)),
        contract_id: Some(wire_id(contract.id)),
        from_version: Some(version.record_version),
        name: Some(contract.name.to_string()),
        r#type: Some(contract.terms.contract_type().to_wire()),
        filter_set_id: Some(contract.filter_set_id.map(wire_id).unwrap_or_default()),
        pool_id: Some(contract.pool_id.map(wire_id).unwrap_or_default()),
        approval_mode: Some(contract.approval_mode.to_wire()),
        marketplaces: contract.marketplaces.iter().map(ToString::to_string).collect(),
        price_reference: contract.price_reference.as_ref().map(price_reference).into(),
        starts_at: contract.starts_at.map(wire_time).into(),
        ends_at: contract.ends_at.map(wire_time).into(),
        buying: buying.into(),
        selling: selling.into(),
        actor: actor(version.made_by).into(),
        created_at: wire_time(version.made_at).into(),
    }
}
