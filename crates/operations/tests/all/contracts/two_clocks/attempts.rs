//! How each operation is tried whose rule asks for a second factor.

use tradepost_domain::contracts::remediation::RemediationAction;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_operations::OpResult;
use tradepost_operations::contracts::{ActionArgs, PurchaseOutcome};
use tradepost_operations::markets::UpdateProvider;
use tradepost_operations::trading::{
    AcceptTradeOffer, AccountSecrets, AcknowledgeTradeProtection, ApplyImport, ApproveConfirmation, AssetToTrade,
    BulkAccounts, BulkAction, EnableGiving, GetAccountLoginCode, RefreshTradeToken, RemoveAccount,
    RevealRevocationCode, SendTradeOffer, StartAccountSession, UpdateAccount,
};

use super::{ImportingDesk, Prepared, credentials};

impl ImportingDesk {
    /// Tries an operation where its rule asks for a second factor.
    pub(super) async fn attempt(&self, method: &str, on: &Prepared) -> OpResult<()> {
        let (operations, by, workspace_id) = (self.operations(), &self.trader, self.workspace_id());
        match method {
            "AdjustPoolFunds" => operations.adjust_pool_funds(by, self.adjustment(on.pool_id, 100)).await.map(drop),
            "RecordPurchaseOutcome" => self.record(self.outcome(on.owed, PurchaseOutcome::Refunded)).await.map(drop),
            "RunRemediationAction" => {
                let shown = ActionArgs { evidence: format!("case-{}", on.number), ..ActionArgs::default() };
                self.run(on.remediation_id, RemediationAction::RecordRefund, shown).await.map(drop)
            }
            "WriteOffItem" => self.write_off(on.missing).await.map(drop),
            "TransferItem" => operations.transfer_item(by, on.transfer).await.map(drop),
            "CreateProvider" => {
                operations.create_provider(by, self.wanted_provider(on.number * 10 + 1)).await.map(drop)
            }
            "UpdateProvider" => {
                let (provider_id, settings, credentials) = (on.provider_id, None, credentials());
                let expected_version = None;
                let update = UpdateProvider { workspace_id, provider_id, settings, credentials, expected_version };
                operations.update_provider(by, update).await.map(drop)
            }
            "CreateImport" => operations.create_import(by, self.import()).await.map(drop),
            "ApplyImport" => {
                let apply = ApplyImport { workspace_id, import_id: on.import_id, expected_version: Some(1) };
                operations.apply_import(by, apply).await.map(drop)
            }
            "SendTradeOffer" | "AcceptTradeOffer" => self.attempt_offer(method, on).await,
            "ApproveConfirmation" => {
                let (confirmation_id, expected_version) = (on.confirmation_id, Some(1));
                let approve = ApproveConfirmation { workspace_id, confirmation_id, expected_version };
                operations.approve_confirmation(by, approve).await.map(drop)
            }
            of_accounts => self.attempt_on_account(of_accounts, on).await,
        }
    }

    async fn attempt_on_account(&self, method: &str, on: &Prepared) -> OpResult<()> {
        let (operations, by, workspace_id) = (self.operations(), &self.trader, self.workspace_id());
        match method {
            "GetAccountLoginCode" => {
                let code = GetAccountLoginCode { workspace_id, account_id: on.account_id };
                operations.get_account_login_code(by, code).await.map(drop)
            }
            "RevealRevocationCode" => {
                let reveal = RevealRevocationCode { workspace_id, account_id: on.imported };
                operations.reveal_revocation_code(by, reveal).await.map(drop)
            }
            "CreateAccount" => operations.create_account(by, self.account(on.number * 10 + 2)).await.map(drop),
            "UpdateAccount" => {
                operations.update_account(by, replaced_secrets(workspace_id, on.account_id)).await.map(drop)
            }
            "AcknowledgeTradeProtection" => {
                // An offer of the same account is tried after it.
                let accept = AcknowledgeTradeProtection { workspace_id, account_ids: vec![on.account_id] };
                operations.acknowledge_trade_protection(by, accept).await.map(drop)
            }
            "EnableGiving" => {
                let (account_id, expected_version) = (on.account_id, None);
                let enable = EnableGiving { workspace_id, account_id, expected_version };
                operations.enable_giving(by, enable).await.map(drop)
            }
            "RefreshTradeToken" => {
                let renew = RefreshTradeToken { workspace_id, account_id: on.imported, renew: true };
                operations.refresh_trade_token(by, renew).await.map(drop)
            }
            "BulkAccounts" => {
                // The account whose session is started on its own is another one.
                let (account_ids, action) = (vec![on.account_id], BulkAction::StartSession);
                let bulk = BulkAccounts { workspace_id, account_ids, account_group_id: None, action, reason: None };
                operations.bulk_accounts(by, bulk).await.map(drop)
            }
            "StartAccountSession" => {
                let start = StartAccountSession { workspace_id, account_id: on.signed_out, uses_stored_code: true };
                operations.start_account_session(by, start).await.map(drop)
            }
            "RemoveAccount" => {
                let remove = RemoveAccount { workspace_id, account_id: on.leaving, expected_version: None };
                operations.remove_account(by, remove).await
            }
            other => panic!("{other} asks for a second factor: say here how it is tried"),
        }
    }

    async fn attempt_offer(&self, method: &str, on: &Prepared) -> OpResult<()> {
        let (operations, by, workspace_id) = (self.operations(), &self.trader, self.workspace_id());
        if method == "AcceptTradeOffer" {
            let trade_offer_id = on.trade_offer_id;
            let (expected_version, accept_hold) = (Some(1), false);
            let accept = AcceptTradeOffer { workspace_id, trade_offer_id, expected_version, accept_hold };
            return operations.accept_trade_offer(by, accept).await.map(drop);
        }
        let asset_id = (90_000 + on.number).to_string();
        let send = SendTradeOffer {
            workspace_id,
            account_id: on.account_id,
            partner: "76561198000099999".to_owned(),
            token: "abcdefgh".to_owned(),
            gives: vec![AssetToTrade { app_id: None, context_id: None, asset_id }],
            receives: Vec::new(),
            message: String::new(),
            intent_id: None,
            accept_hold: false,
        };
        operations.send_trade_offer(by, send).await.map(drop)
    }
}

fn replaced_secrets(workspace_id: WorkspaceId, account_id: AccountId) -> UpdateAccount {
    UpdateAccount {
        workspace_id,
        account_id,
        trade_token: None,
        capabilities: Vec::new(),
        limits: None,
        chat_enabled: None,
        secrets: AccountSecrets { password: Some("another".into()), ..AccountSecrets::default() },
        cancel_strange_offers: None,
        giving_limits: None,
        expected_version: None,
    }
}
