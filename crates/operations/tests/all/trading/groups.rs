//! Groups of trading accounts.

use tradepost_domain::id::{AccountGroupId, AccountId, Id};
use tradepost_domain::trading::trading_account::AccountGroup;
use tradepost_operations::contracts::CreateAssignment;
use tradepost_operations::trading::{
    AddAccountsToGroup, CreateAccountGroup, DeleteAccountGroup, GetAccountGroup, ListAccounts, RemoveAccount,
    RemoveAccountsFromGroup, UpdateAccountGroup,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};

use super::{Staff, refusal};

impl Staff {
    async fn group(&self) -> AccountGroupId {
        let (name, description) = ("Rifles".to_owned(), " ".to_owned());
        let command = CreateAccountGroup { workspace_id: self.world.workspace_id, name, description };
        self.world.operations.create_account_group(&self.keeper, command).await.unwrap().value.id
    }

    async fn join(&self, group: AccountGroupId, accounts: &[AccountId]) -> OpResult<Versioned<AccountGroup>> {
        let command = AddAccountsToGroup {
            workspace_id: self.world.workspace_id,
            account_group_id: group,
            account_ids: accounts.to_vec(),
            expected_version: None,
        };
        self.world.operations.add_accounts_to_group(&self.keeper, command).await
    }

    async fn members(&self, account_group_id: AccountGroupId) -> Vec<AccountId> {
        let command = GetAccountGroup { workspace_id: self.world.workspace_id, account_group_id };
        let group = self.world.operations.get_account_group(&self.keeper, command).await.unwrap().value;
        group.account_ids.into_iter().collect()
    }
}

#[tokio::test]
async fn accounts_join_and_leave_a_group() {
    let staff = Staff::open().await;
    let (one, two, group) = (staff.register(1).await.id, staff.register(2).await.id, staff.group().await);
    staff.join(group, &[one]).await.unwrap();
    let joined = staff.join(group, &[two, one]).await.unwrap();
    assert_eq!((joined.value.account_ids.len(), joined.version), (2, 3));
    let list = ListAccounts {
        workspace_id: staff.world.workspace_id,
        limit: 0,
        cursor: String::new(),
        status: None,
        account_group_id: Some(group),
    };
    assert_eq!(staff.world.operations.list_accounts(&staff.keeper, list).await.unwrap().entries, [two, one]);
    let leave = RemoveAccountsFromGroup {
        workspace_id: staff.world.workspace_id,
        account_group_id: group,
        account_ids: vec![one, Id::from_bytes([9; 16])],
        expected_version: Some(3),
    };
    staff.world.operations.remove_accounts_from_group(&staff.keeper, leave).await.unwrap();
    assert_eq!(staff.members(group).await, [two]);
}

#[tokio::test]
async fn an_unknown_or_removed_account_cannot_join() {
    let staff = Staff::open().await;
    let (removed, group) = (staff.register(1).await.id, staff.group().await);
    staff.join(group, &[removed]).await.unwrap();
    let missing = [Id::from_bytes([9; 16])];
    let unknown = staff.join(group, &missing);
    assert_eq!(refusal(unknown).await, (Code::NotFound, "NOT_FOUND"));
    let (workspace_id, account_id) = (staff.world.workspace_id, removed);
    let remove = RemoveAccount { workspace_id, account_id, expected_version: None };
    staff.world.operations.remove_account(&Caller::system(), remove).await.unwrap();
    assert_eq!(staff.members(group).await, [], "who is removed leaves every group");
    assert_eq!(refusal(staff.join(group, &[removed])).await, (Code::FailedPrecondition, "ACCOUNT_REMOVED"));
}

#[tokio::test]
async fn a_group_is_renamed_and_its_description_taken_away() {
    let staff = Staff::open().await;
    let (workspace_id, group) = (staff.world.workspace_id, staff.group().await);
    let update = async |name: Option<&str>, description: Option<&str>| {
        let command = UpdateAccountGroup {
            workspace_id,
            account_group_id: group,
            name: name.map(str::to_owned),
            description: description.map(str::to_owned),
            expected_version: None,
        };
        staff.world.operations.update_account_group(&staff.keeper, command).await
    };
    let described = update(None, Some("they buy rifles")).await.unwrap().value;
    assert_eq!(described.description.map(|text| text.to_string()), Some("they buy rifles".to_owned()));
    let renamed = update(Some("Knives"), Some("")).await.unwrap().value;
    assert_eq!((renamed.name.as_str(), renamed.description), ("Knives", None));
    assert_eq!(refusal(update(None, None)).await, (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn a_group_that_is_assigned_is_not_deleted() {
    let staff = Staff::open().await;
    let (workspace_id, group, pool) = (staff.world.workspace_id, staff.group().await, staff.pool().await);
    let assigned = CreateAssignment {
        account_id: None,
        account_group_id: Some(group),
        ..staff.assignment(pool, Id::from_bytes([9; 16]))
    };
    let assignment = staff.world.operations.create_assignment(&staff.keeper, assigned).await.unwrap().value.id;
    let delete = DeleteAccountGroup { workspace_id, account_group_id: group, expected_version: None };
    let refused = refusal(staff.world.operations.delete_account_group(&staff.keeper, delete)).await;
    assert_eq!(refused, (Code::FailedPrecondition, "ACCOUNT_GROUP_IN_USE"));
    let withdraw = tradepost_operations::contracts::DeleteAssignment {
        workspace_id,
        assignment_id: assignment,
        expected_version: None,
    };
    staff.world.operations.delete_assignment(&staff.keeper, withdraw).await.unwrap();
    staff.world.operations.delete_account_group(&staff.keeper, delete).await.unwrap();
    assert_eq!(
        refusal(staff.world.operations.delete_account_group(&staff.keeper, delete)).await,
        (Code::NotFound, "NOT_FOUND")
    );
}
