//! Assigning trading accounts to pools, and choosing among them.

use tradepost_domain::id::Id;
use tradepost_domain::trading::trading_account::{AccountEvent, AccountRole, CheckCode};
use tradepost_operations::contracts::{
    AccountChoice, AssignmentLimits, CreateAssignment, DeleteAssignment, GetAssignment, ListAssignments,
    ResolveAssignment, UpdateAssignment,
};
use tradepost_operations::trading::RemoveAccount;
use tradepost_operations::{Caller, Code};

use super::{Staff, refusal};

#[tokio::test]
async fn an_assigned_account_is_chosen_as_long_as_it_is_ready() {
    let staff = Staff::open().await;
    let (workspace_id, pool_id) = (staff.world.workspace_id, staff.pool().await);
    let (first, second) = (staff.ready(1).await, staff.ready(2).await);
    let choose = async |role| {
        let command = ResolveAssignment { workspace_id, pool_id, role };
        staff.world.operations.choose_account(&Caller::system(), command).await.unwrap()
    };
    assert_eq!(choose(AccountRole::Buy).await, AccountChoice::Anybody);
    for (account, priority) in [(&first, 2), (&second, 1)] {
        let command = CreateAssignment { priority, ..staff.assignment(pool_id, account.id) };
        staff.world.operations.create_assignment(&staff.keeper, command).await.unwrap();
    }
    let account = |account: &tradepost_domain::trading::trading_account::TradingAccount| AccountChoice::Account {
        id: account.id,
        name: account.name.clone(),
    };
    assert_eq!(choose(AccountRole::Buy).await, account(&second));
    assert_eq!(choose(AccountRole::Sell).await, AccountChoice::Anybody, "no account is assigned to sell");
    staff.record_event(second.id, AccountEvent::Disturbed).await.unwrap();
    assert_eq!(choose(AccountRole::Buy).await, account(&first));
    let command = ResolveAssignment { workspace_id, pool_id, role: AccountRole::Buy };
    let resolved = staff.world.operations.resolve_assignment(&staff.keeper, command).await.unwrap();
    let candidates: Vec<_> =
        resolved.iter().map(|one| (one.account_id, one.blocked_by.as_ref().map(|check| check.code))).collect();
    assert_eq!(candidates, [(second.id, Some(CheckCode::Status)), (first.id, None)]);
    staff.record_event(first.id, AccountEvent::SessionLost).await.unwrap();
    assert_eq!(choose(AccountRole::Buy).await, AccountChoice::NoAccount);
}

#[tokio::test]
async fn an_account_is_assigned_to_a_pool_once() {
    let staff = Staff::open().await;
    let (pool_id, account) = (staff.pool().await, staff.register(1).await);
    let on = &staff.world.operations;
    on.create_assignment(&staff.keeper, staff.assignment(pool_id, account.id)).await.unwrap();
    let again = on.create_assignment(&staff.keeper, staff.assignment(pool_id, account.id));
    assert_eq!(refusal(again).await, (Code::AlreadyExists, "ASSIGNMENT_EXISTS"));
    on.create_assignment(&staff.keeper, staff.assignment(staff.pool().await, account.id)).await.unwrap();
}

#[tokio::test]
async fn an_assignment_names_either_an_account_or_a_group_that_is_there() {
    let staff = Staff::open().await;
    let (pool_id, account, unknown) = (staff.pool().await, staff.register(1).await, Id::from_bytes([9; 16]));
    let make = staff.assignment(pool_id, account.id);
    let try_it = async |command| refusal(staff.world.operations.create_assignment(&staff.keeper, command)).await;
    let both = CreateAssignment { account_group_id: Some(Id::from_bytes([9; 16])), ..make.clone() };
    assert_eq!(try_it(both).await, (Code::InvalidArgument, "INVALID_FIELD"));
    let neither = CreateAssignment { account_id: None, ..make.clone() };
    assert_eq!(try_it(neither).await, (Code::InvalidArgument, "INVALID_FIELD"));
    let idle = CreateAssignment { roles: Vec::new(), ..make.clone() };
    assert_eq!(try_it(idle).await, (Code::InvalidArgument, "INVALID_FIELD"));
    let of_unknown = CreateAssignment { account_id: Some(unknown), ..make.clone() };
    assert_eq!(try_it(of_unknown).await, (Code::NotFound, "NOT_FOUND"));
    let of_none =
        CreateAssignment { account_id: None, account_group_id: Some(Id::from_bytes([9; 16])), ..make.clone() };
    assert_eq!(try_it(of_none).await, (Code::NotFound, "NOT_FOUND"));
    let (workspace_id, account_id) = (staff.world.workspace_id, account.id);
    let remove = RemoveAccount { workspace_id, account_id, expected_version: None };
    staff.world.operations.remove_account(&Caller::system(), remove).await.unwrap();
    assert_eq!(try_it(make).await, (Code::FailedPrecondition, "ACCOUNT_REMOVED"));
}

#[tokio::test]
async fn an_assignment_is_changed_and_withdrawn() {
    let staff = Staff::open().await;
    let (workspace_id, pool_id, account) = (staff.world.workspace_id, staff.pool().await, staff.ready(1).await);
    let on = &staff.world.operations;
    let limits = AssignmentLimits { max_open_purchases: Some(5), max_items: Some(0) };
    let made = CreateAssignment { limits, ..staff.assignment(pool_id, account.id) };
    let assignment_id = on.create_assignment(&staff.keeper, made).await.unwrap().value.id;
    let resolve = ResolveAssignment { workspace_id, pool_id, role: AccountRole::Buy };
    let blocked_by = async || {
        let resolved = on.resolve_assignment(&staff.keeper, resolve).await.unwrap();
        resolved[0].blocked_by.clone().map(|check| check.code)
    };
    assert_eq!(blocked_by().await, Some(CheckCode::Items));
    let nothing = UpdateAssignment {
        workspace_id,
        assignment_id,
        roles: Vec::new(),
        priority: None,
        limits: None,
        expected_version: None,
    };
    let refused = refusal(on.update_assignment(&staff.keeper, nothing.clone())).await;
    assert_eq!(refused, (Code::InvalidArgument, "INVALID_FIELD"));
    let update = UpdateAssignment { limits: Some(AssignmentLimits::default()), priority: Some(7), ..nothing };
    let changed = on.update_assignment(&staff.keeper, update).await.unwrap().value;
    assert_eq!((changed.terms.roles, changed.terms.priority), ([AccountRole::Buy].into(), 7));
    assert_eq!(blocked_by().await, None);
    let remove = RemoveAccount { workspace_id, account_id: account.id, expected_version: None };
    let in_use = refusal(on.remove_account(&Caller::system(), remove)).await;
    assert_eq!(in_use, (Code::FailedPrecondition, "ACCOUNT_ASSIGNED"));
    let delete = DeleteAssignment { workspace_id, assignment_id, expected_version: Some(2) };
    on.delete_assignment(&staff.keeper, delete).await.unwrap();
    let get = GetAssignment { workspace_id, assignment_id };
    assert_eq!(refusal(on.get_assignment(&staff.keeper, get)).await, (Code::NotFound, "NOT_FOUND"));
    let list =
        ListAssignments { workspace_id, limit: 0, cursor: String::new(), pool_id: None, account_id: Some(account.id) };
    assert_eq!(on.list_assignments(&staff.keeper, list).await.unwrap().entries, []);
    on.remove_account(&Caller::system(), remove).await.unwrap();
}
