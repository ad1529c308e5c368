//! Sessions of trading accounts of a world and the renewals of their tokens, as an engine would have recorded them.

use time::Duration;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::id::{AccountId, AccountSessionId, RenewalId, WorkspaceId};
use tradepost_domain::text::Text;
use tradepost_domain::trading::account_session::{Asked, Guard, SessionEvent, TokenExpiry};
use tradepost_domain::trading::renewal::RenewalKind;
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    AccountSecrets, CompleteAccountSignIn, GetAccount, RecordSessionStep, StartAccountSession, UpdateAccount,
};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::game_platform::sessions::Tokens;

use super::World;
use super::accounts::acknowledge_risks;

/// The account whose sign-in waits for a code, the one whose session works, and one that has no session.
const WAITS: u32 = 30;
const WORKS: u32 = 31;
const SIGNED_OUT: u32 = 32;

impl World {
    /// A trading account without a session whose login name and password are stored.
    pub(crate) async fn signed_out_account(&self) -> AccountId {
        self.account_with_password(self.desk.workspace_id, SIGNED_OUT).await
    }

    /// The account of the workspace whose session works.
    pub(crate) async fn signed_in_account(&self) -> AccountId {
        self.working_session().await;
        self.account(WORKS).await
    }

    /// The session of a workspace whose sign-in waits for a code, recorded by the first who asks for it.
    pub(crate) async fn waiting_session(&self) -> AccountSessionId {
        let (workspace_id, event) = (self.desk.workspace_id, SessionEvent::Asked(asked()));
        let (account_session_id, is_new) = self.started_session(workspace_id, WAITS).await;
        if is_new {
            let report = RecordSessionStep { workspace_id, account_session_id, event };
            self.app.operations().record_session_step(&Caller::system(), report).await.unwrap();
        }
        account_session_id
    }

    /// The session of the workspace that works.
    pub(crate) async fn working_session(&self) -> AccountSessionId {
        self.working_session_of(self.desk.workspace_id).await
    }

    /// The same in a workspace.
    pub(crate) async fn working_session_of(&self, workspace_id: WorkspaceId) -> AccountSessionId {
        let (operations, system) = (self.app.operations(), Caller::system());
        let (account_session_id, is_new) = self.started_session(workspace_id, WORKS).await;
        if is_new {
            let (at, account_id) = (self.clock.now(), self.account_of(workspace_id, WORKS).await);
            let account = operations.get_account(&system, GetAccount { workspace_id, account_id }).await.unwrap();
            let tokens = Tokens {
                user: account.value.platform_user_id,
                access: "the token of the calls of an account".into(),
                refresh: "the token that renews the other one".into(),
                expiry: TokenExpiry { access: at.plus(Duration::DAY), refresh: at.plus(Duration::days(200)) },
            };
            let report = CompleteAccountSignIn { workspace_id, account_session_id, tokens };
            operations.complete_account_sign_in(&system, report).await.unwrap();
        }
        account_session_id
    }

    /// The renewal of the workspace that waits for its time.
    pub(crate) async fn renewal(&self) -> RenewalId {
        self.renewal_of(self.desk.workspace_id).await
    }

    /// The same in a workspace.
    pub(crate) async fn renewal_of(&self, workspace_id: WorkspaceId) -> RenewalId {
        self.working_session_of(workspace_id).await;
        let account_id = self.account_of(workspace_id, WORKS).await;
        let scope = Principal::System.enter_as_member(workspace_id).unwrap();
        let open = self.app.store().renewals().list_open_renewals_of(scope, account_id).await.unwrap();
        let of_calls = open.iter().find(|open| open.peek().kind == RenewalKind::AccessToken);
        of_calls.unwrap().peek().id
    }

    /// The session of an account that is not over, and whether it was started by this call.
    async fn started_session(&self, workspace_id: WorkspaceId, number: u32) -> (AccountSessionId, bool) {
        let account_id = self.account_of(workspace_id, number).await;
        let scope = Principal::System.enter_as_member(workspace_id).unwrap();
        let known = self.app.store().account_sessions().find_live_account_session(scope, account_id).await.unwrap();
        if let Some(known) = known {
            return (known.peek().id, false);
        }
        self.account_with_password(workspace_id, number).await;
        let start = StartAccountSession { workspace_id, account_id, uses_stored_code: true };
        let started = self.app.operations().start_account_session(&Caller::system(), start).await.unwrap();
        (started.value.id, true)
    }

    async fn account_with_password(&self, workspace_id: WorkspaceId, number: u32) -> AccountId {
        let account_id = self.account_of(workspace_id, number).await;
        acknowledge_risks(self.app.operations(), workspace_id).await;
        let secrets = AccountSecrets {
            login_name: Some("heron.of.a.sign.in".into()),
            password: Some("nine boats below the lighthouse".into()),
            ..AccountSecrets::default()
        };
        let update = UpdateAccount {
            workspace_id,
            account_id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: None,
            secrets,
            cancel_strange_offers: None,
            giving_limits: None,
            expected_version: None,
        };
        self.app.operations().update_account(&Caller::system(), update).await.unwrap();
        account_id
    }
}

fn asked() -> Asked {
    let email_domain = Some(Text::new("example.com").unwrap());
    Asked { guards: vec![Guard::EmailCode, Guard::DeviceCode], email_domain }
}
