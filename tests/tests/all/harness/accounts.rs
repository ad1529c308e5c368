//! Trading accounts of a world: registered by the first who asks for them, so that reads can share a world.

use secrecy::SecretString;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::workspace::RISK_NOTICE;
use tradepost_domain::id::{AccountGroupId, AccountId, AssignmentId, PoolId, WorkspaceId};
use tradepost_domain::text::Text;
use tradepost_domain::trading::trading_account::{AccountEvent, AccountRole};
use tradepost_operations::accounts::AcknowledgeRiskNotice;
use tradepost_operations::contracts::{AssignmentLimits, CreateAssignment};
use tradepost_operations::trading::{
    AccountSecrets, AcknowledgeTradeProtection, AddAccountsToGroup, AdvanceAccount, CreateAccount, CreateAccountGroup,
    LimitsOfAccount, UpdateAccount,
};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::store::{AssignmentFilter, PageRequest};

use super::World;

/// Has the risk notice acknowledged for a workspace, so that it accepts secrets.
pub(crate) async fn acknowledge_risks(operations: &Operations, workspace_id: WorkspaceId) {
    let command = AcknowledgeRiskNotice { workspace_id, version: RISK_NOTICE.version.to_owned() };
    operations.acknowledge_risk_notice(&Caller::system(), command).await.unwrap();
}

impl World {
    /// The same for the workspace that is not the other one.
    pub(crate) async fn acknowledge_risks(&self) {
        acknowledge_risks(self.app.operations(), self.desk.workspace_id).await;
    }

    /// The trading account of this number in a workspace, which is not signed in. The notice of its platform was accepted.
    pub(crate) async fn account_of(&self, workspace_id: WorkspaceId, number: u32) -> AccountId {
        let account_id = self.new_account_of(workspace_id, number).await;
        let accept = AcknowledgeTradeProtection { workspace_id, account_ids: vec![account_id] };
        self.app.operations().acknowledge_trade_protection(&Caller::system(), accept).await.unwrap();
        account_id
    }

    /// The same without that.
    pub(crate) async fn new_account(&self, number: u32) -> AccountId {
        self.new_account_of(self.desk.workspace_id, number).await
    }

    async fn new_account_of(&self, workspace_id: WorkspaceId, number: u32) -> AccountId {
        let name = format!("account-{number}");
        let scope = Principal::System.enter_as_member(workspace_id).unwrap();
        let known = self.app.store().trading_accounts().find_named(scope, &Text::new(&name).unwrap()).await.unwrap();
        if let Some(known) = known {
            return known.peek().id;
        }
        let command = CreateAccount {
            workspace_id,
            name,
            platform: "steam".to_owned(),
            platform_user_id: format!("7656119800000{number:04}"),
            trade_token: None,
            capabilities: Vec::new(),
            limits: LimitsOfAccount::default(),
            giving_limits: None,
            secrets: AccountSecrets::default(),
        };
        self.app.operations().create_account(&Caller::system(), command).await.unwrap().value.id
    }

    /// The same in the workspace that is not the other one.
    pub(crate) async fn account(&self, number: u32) -> AccountId {
        self.account_of(self.desk.workspace_id, number).await
    }

    /// An account of the workspace that is signed in and whose trade URL is known.
    pub(crate) async fn account_with_trade_url(&self) -> AccountId {
        let (workspace_id, account_id) = (self.desk.workspace_id, self.ready_account(9).await);
        let update = UpdateAccount {
            workspace_id,
            account_id,
            trade_token: Some("AbCdEfGh".to_owned()),
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: None,
            secrets: AccountSecrets::default(),
            cancel_strange_offers: None,
            giving_limits: None,
            expected_version: None,
        };
        self.app.operations().update_account(&Caller::system(), update).await.unwrap();
        account_id
    }

    /// An account of the workspace that has the shared secret of its authenticator.
    pub(crate) async fn account_with_codes(&self) -> AccountId {
        let (workspace_id, account_id) = (self.desk.workspace_id, self.account(8).await);
        self.acknowledge_risks().await;
        let shared_secret = Some(SecretString::from("zvIayp3JPvtvX/QGHqsqKBk/44s="));
        let update = UpdateAccount {
            workspace_id,
            account_id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: None,
            secrets: AccountSecrets { shared_secret, ..AccountSecrets::default() },
            cancel_strange_offers: None,
            giving_limits: None,
            expected_version: None,
        };
        self.app.operations().update_account(&Caller::system(), update).await.unwrap();
        account_id
    }

    /// The same, signed in.
    pub(crate) async fn ready_account(&self, number: u32) -> AccountId {
        let (workspace_id, account_id) = (self.desk.workspace_id, self.account(number).await);
        for event in [AccountEvent::SigningIn, AccountEvent::SignedIn] {
            let command = AdvanceAccount { workspace_id, account_id, event, reason: None };
            // An account that is signed in is not signed in again.
            drop(self.app.operations().advance_account(&Caller::system(), command).await);
        }
        account_id
    }

    /// A new group of a workspace, with one account in it.
    pub(crate) async fn group_of(&self, workspace_id: WorkspaceId, account: AccountId) -> AccountGroupId {
        let (name, description) = ("Rifles".to_owned(), "they buy rifles".to_owned());
        let command = CreateAccountGroup { workspace_id, name, description };
        let group = self.app.operations().create_account_group(&Caller::system(), command).await.unwrap().value.id;
        let command = AddAccountsToGroup {
            workspace_id,
            account_group_id: group,
            account_ids: vec![account],
            expected_version: None,
        };
        self.app.operations().add_accounts_to_group(&Caller::system(), command).await.unwrap();
        group
    }

    /// The assignment of an account to a pool of its workspace.
    pub(crate) async fn assignment_of(
        &self,
        workspace_id: WorkspaceId,
        pool_id: PoolId,
        account: AccountId,
    ) -> AssignmentId {
        let command = CreateAssignment {
            workspace_id,
            pool_id,
            account_id: Some(account),
            account_group_id: None,
            roles: vec![AccountRole::Buy, AccountRole::Sell],
            priority: 1,
            limits: AssignmentLimits { max_open_purchases: Some(5), max_items: None },
        };
        match self.app.operations().create_assignment(&Caller::system(), command).await {
            Ok(made) => made.value.id,
            // An account is assigned to a pool once.
            Err(_) => {
                let scope = Principal::System.enter_as_member(workspace_id).unwrap();
                let filter = AssignmentFilter { pool_id: Some(pool_id), account_id: Some(account) };
                let page = PageRequest { before: None, limit: 1 };
                self.app.store().assignments().list(scope, filter, page).await.unwrap().ids[0]
            }
        }
    }
}
