//! Assignments on the wire. A role of the domain is a capability there and a role here.

use buffa::EnumValue;
use connectrpc::ConnectError;
use tradepost_domain::contracts::assignment::{Assignee, Assignment, Candidate};
use tradepost_domain::trading::trading_account::AccountRole;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::AssignmentLimits;

use crate::convert::{invalid, wire_id, wire_number, wire_time};
use tradepost_proto::contracts::v1 as wire;
use tradepost_proto::contracts::v1::__buffa::view::AssignmentLimitsView;

pub(crate) fn limits(limits: &AssignmentLimitsView<'_>) -> AssignmentLimits {
    AssignmentLimits {
        max_open_purchases: limits.max_open_purchases.map(i64::from),
        max_items: limits.max_items.map(i64::from),
    }
}

pub(crate) fn roles(list: &[EnumValue<wire::AssignmentRole>]) -> Result<Vec<AccountRole>, ConnectError> {
    list.iter().enumerate().map(|(index, given)| role(&format!("roles[{index}]"), *given)).collect()
}

pub(crate) fn role(field: &str, given: EnumValue<wire::AssignmentRole>) -> Result<AccountRole, ConnectError> {
    match given {
        EnumValue::Known(wire::AssignmentRole::ASSIGNMENT_ROLE_BUY) => Ok(AccountRole::Buy),
        EnumValue::Known(wire::AssignmentRole::ASSIGNMENT_ROLE_SELL) => Ok(AccountRole::Sell),
        EnumValue::Known(wire::AssignmentRole::ASSIGNMENT_ROLE_STORE) => Ok(AccountRole::Store),
        EnumValue::Known(wire::AssignmentRole::ASSIGNMENT_ROLE_UNSPECIFIED) => Err(invalid(field, "is required")),
        EnumValue::Unknown(number) => Err(invalid(field, format_args!("has no value with the number {number}"))),
    }
}

fn wire_role(role: AccountRole) -> EnumValue<wire::AssignmentRole> {
    EnumValue::Known(match role {
        AccountRole::Buy => wire::AssignmentRole::ASSIGNMENT_ROLE_BUY,
        AccountRole::Sell => wire::AssignmentRole::ASSIGNMENT_ROLE_SELL,
        AccountRole::Store => wire::AssignmentRole::ASSIGNMENT_ROLE_STORE,
    })
}

pub(crate) fn assignment(Versioned { value, version }: &Versioned<Assignment>) -> wire::Assignment {
    let (account_id, account_group_id) = match value.assignee {
        Assignee::Account(id) => (wire_id(id), Vec::new()),
        Assignee::Group(id) => (Vec::new(), wire_id(id)),
    };
    let limits = wire::AssignmentLimits {
        max_open_purchases: value.terms.max_open_purchases.map(wire_number),
        max_items: value.terms.max_items.map(wire_number),
    };
    wire::Assignment {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        pool_id: Some(wire_id(value.pool_id)),
        account_id: Some(account_id),
        account_group_id: Some(account_group_id),
        roles: value.terms.roles.iter().map(|role| wire_role(*role)).collect(),
        priority: Some(wire_number(value.terms.priority)),
        limits: limits.into(),
        version: Some(*version),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}

pub(crate) fn candidate(candidate: &Candidate) -> wire::AssignedAccount {
    let blocked_by = candidate.blocked_by.as_ref();
    wire::AssignedAccount {
        account_id: Some(wire_id(candidate.account_id)),
        account_name: Some(candidate.name.to_string()),
        assignment_id: Some(wire_id(candidate.assignment_id)),
        eligible: Some(blocked_by.is_none()),
        reason: Some(blocked_by.map(|check| check.code.to_string()).unwrap_or_default()),
        detail: Some(blocked_by.map(|check| check.detail.clone()).unwrap_or_default()),
    }
}
