//! The rows of the table: the rule of each operation, which is the only place that names its policies.

use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_ports::limiter::RateClass;

use super::{Access, Rule, StepUp};

/// Reading what is traded.
pub(crate) const READ_TRADING: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Trading]);
/// Changing what is traded.
pub(crate) const WRITE_TRADING: PolicySet = PolicySet::of(&[Policy::Trading]);
/// Reading the log of status changes: that of what is traded, of trading accounts, of providers, or of members and keys.
pub(crate) const READ_TRANSITIONS: PolicySet =
    PolicySet::of(&[Policy::Analytics, Policy::Trading, Policy::Accounts, Policy::Markets, Policy::Workspace]);
/// Reading what is known of markets.
pub(crate) const READ_MARKETS: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Markets]);
/// Reading market names: of what was observed, or of what was bought.
pub(crate) const READ_VARIANTS: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Trading, Policy::Markets]);
/// Reporting market observations, and changing prices.
pub(crate) const WRITE_MARKETS: PolicySet = PolicySet::of(&[Policy::Markets]);
/// Reading keys.
pub(crate) const READ_KEYS: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Workspace]);
/// Changing members and keys.
pub(crate) const WRITE_WORKSPACE: PolicySet = PolicySet::of(&[Policy::Workspace]);
/// Reading members.
pub(crate) const READ_MEMBERS: PolicySet = PolicySet::OPERATIONAL;
/// Reading a membership or a user's profile: within the workspace, or with `identity` what belongs to the key's owner.
const READ_MEMBERSHIP: PolicySet = PolicySet::EVERY;
/// Revoking keys: those of the workspace, or with `identity` those of the key's owner.
const REVOKE_KEYS: PolicySet = PolicySet::of(&[Policy::Workspace, Policy::Identity]);

/// Own alert channels, and reading those of the workspace. Changing these needs the policy `workspace` as well.
pub(crate) const USE_ALERTS: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Trading, Policy::Workspace]);

/// Reading webhook endpoints and deliveries.
pub(crate) const READ_EVENTS: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Workspace]);

/// Reading trading accounts.
pub(crate) const READ_ACCOUNTS: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Accounts]);
/// Operating trading accounts.
pub(crate) const WRITE_ACCOUNTS: PolicySet = PolicySet::of(&[Policy::Accounts]);

/// Storing secrets of trading accounts and of providers.
pub(crate) const STORE_SECRETS: PolicySet = PolicySet::of(&[Policy::Accounts, Policy::Markets]);

/// Reading and writing chats: analytics excludes them.
pub(crate) const USE_CHATS: PolicySet = PolicySet::of(&[Policy::Accounts]);

const ACCOUNTS: &str = "accounts.v1.Accounts";
const ALERTS: &str = "alerts.v1.Alerts";
const CONTRACTS: &str = "contracts.v1.Contracts";
const MARKETS: &str = "markets.v1.Markets";
const EVENTS: &str = "events.v1.Events";
const TRADING: &str = "trading.v1.Trading";

const fn accounts(method: &'static str, access: Access, class: RateClass) -> Rule {
    Rule::new(ACCOUNTS, method, access, class)
}

const fn alerts(method: &'static str, class: RateClass) -> Rule {
    Rule::new(ALERTS, method, Access::AnyOf(USE_ALERTS), class)
}

const fn contracts(method: &'static str, policies: PolicySet, class: RateClass) -> Rule {
    Rule::new(CONTRACTS, method, Access::AnyOf(policies), class)
}

const fn markets(method: &'static str, policies: PolicySet, class: RateClass) -> Rule {
    Rule::new(MARKETS, method, Access::AnyOf(policies), class)
}

const fn events(method: &'static str, policies: PolicySet, class: RateClass) -> Rule {
    Rule::new(EVENTS, method, Access::AnyOf(policies), class)
}

const fn trading(method: &'static str, policies: PolicySet, class: RateClass) -> Rule {
    Rule::new(TRADING, method, Access::AnyOf(policies), class)
}

/// Defines a constant for the rule of each operation, and the table of all of them.
macro_rules! table {
    ($($operation:ident = $rule:expr;)*) => {
        $(pub(crate) const $operation: Rule = $rule;)*

        /// Every operation of the interface.
        pub const RULES: &[Rule] = &[$($operation),*];
    };
}

table! {
    ACCEPT_MEMBERSHIP = accounts("AcceptMembership", Access::User, RateClass::Write);
    ACKNOWLEDGE_RISK_NOTICE = accounts("AcknowledgeRiskNotice", Access::AnyOf(STORE_SECRETS), RateClass::Write);
    ADD_EMAIL_CREDENTIAL = accounts("AddEmailCredential", Access::User, RateClass::Write).with_step_up(StepUp::IfAny);
    BEGIN_ACCOUNT_LINK = accounts("BeginAccountLink", Access::User, RateClass::Write).with_step_up(StepUp::IfAny);
    BEGIN_LINKED_SIGN_IN = accounts("BeginLinkedSignIn", Access::Public, RateClass::Unauthenticated);
    BEGIN_PASSKEY_REGISTRATION = accounts("BeginPasskeyRegistration", Access::User, RateClass::Write);
    BEGIN_PASSKEY_SIGN_IN = accounts("BeginPasskeySignIn", Access::Public, RateClass::Unauthenticated);
    BEGIN_STEP_UP = accounts("BeginStepUp", Access::Key, RateClass::Write);
    BEGIN_STEP_UP_PASSKEY = accounts("BeginStepUpPasskey", Access::Key, RateClass::Write);
    BEGIN_TOTP_ENROLLMENT = accounts("BeginTOTPEnrollment", Access::User, RateClass::Write).with_step_up(StepUp::IfAny);
    CANCEL_EMAIL_CHANGE = accounts("CancelEmailChange", Access::User, RateClass::Write);
    CHANGE_EMAIL = accounts("ChangeEmail", Access::User, RateClass::Write).with_step_up(StepUp::IfStrong);
    CHANGE_PASSWORD = accounts("ChangePassword", Access::User, RateClass::Write).with_step_up(StepUp::IfStrong);
    COMPLETE_SIGN_IN = accounts("CompleteSignIn", Access::Public, RateClass::Unauthenticated);
    COMPLETE_STEP_UP = accounts("CompleteStepUp", Access::Key, RateClass::Write);
    CONFIRM_EMAIL_CHANGE = accounts("ConfirmEmailChange", Access::Public, RateClass::Unauthenticated);
    CONFIRM_TOTP_ENROLLMENT = accounts("ConfirmTOTPEnrollment", Access::User, RateClass::Write);
    COUNT_API_KEYS = accounts("CountAPIKeys", Access::AnyOf(READ_KEYS), RateClass::Read);
    COUNT_MEMBERSHIPS = accounts("CountMemberships", Access::Key, RateClass::Read);
    CREATE_API_KEY = accounts("CreateAPIKey", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always);
    CREATE_WORKSPACE = accounts("CreateWorkspace", Access::Session, RateClass::Write);
    DECLINE_MEMBERSHIP = accounts("DeclineMembership", Access::User, RateClass::Write);
    DELETE_PASSKEY = accounts("DeletePasskey", Access::User, RateClass::Write).with_step_up(StepUp::Always);
    DELETE_USER = accounts("DeleteUser", Access::Session, RateClass::Write).with_step_up(StepUp::Fresh);
    DELETE_WORKSPACE = accounts("DeleteWorkspace", Access::Session, RateClass::Write).with_step_up(StepUp::Fresh);
    DESTROY_WORKSPACE_KEY = accounts("DestroyWorkspaceKey", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Fresh);
    DISABLE_TOTP = accounts("DisableTOTP", Access::User, RateClass::Write).with_step_up(StepUp::Always);
    FINISH_ACCOUNT_LINK = accounts("FinishAccountLink", Access::User, RateClass::Write);
    FINISH_LINKED_SIGN_IN = accounts("FinishLinkedSignIn", Access::Public, RateClass::Unauthenticated);
    FINISH_PASSKEY_REGISTRATION = accounts("FinishPasskeyRegistration", Access::User, RateClass::Write).with_step_up(StepUp::IfAny);
    FINISH_PASSKEY_SIGN_IN = accounts("FinishPasskeySignIn", Access::Public, RateClass::Unauthenticated);
    GET_API_KEY = accounts("GetAPIKey", Access::AnyOf(READ_KEYS), RateClass::Read);
    GET_CURRENT_USER = accounts("GetCurrentUser", Access::User, RateClass::Read);
    GET_EFFECTIVE_PERMISSIONS = accounts("GetEffectivePermissions", Access::Member, RateClass::Read);
    GET_INVITATION = accounts("GetInvitation", Access::Public, RateClass::Unauthenticated);
    GET_MEMBERSHIP = accounts("GetMembership", Access::AnyOf(READ_MEMBERSHIP), RateClass::Read);
    GET_MEMBERSHIPS = accounts("GetMemberships", Access::AnyOf(READ_MEMBERS), RateClass::List);
    GET_QUOTAS = accounts("GetQuotas", Access::Member, RateClass::Read);
    GET_RISK_NOTICE = accounts("GetRiskNotice", Access::Member, RateClass::Read);
    GET_SERVER_INFO = accounts("GetServerInfo", Access::Public, RateClass::Read);
    GET_STEP_UP_STATUS = accounts("GetStepUpStatus", Access::Key, RateClass::Read);
    GET_TWO_FACTOR_STATUS = accounts("GetTwoFactorStatus", Access::User, RateClass::Read);
    GET_USAGE = accounts("GetUsage", Access::AnyOf(READ_KEYS), RateClass::List);
    GET_USER = accounts("GetUser", Access::AnyOf(READ_MEMBERSHIP), RateClass::Read);
    GET_USERS = accounts("GetUsers", Access::AnyOf(READ_MEMBERSHIP), RateClass::List);
    GET_WORKSPACE = accounts("GetWorkspace", Access::Member, RateClass::Read);
    GET_WORKSPACE_SETTINGS = accounts("GetWorkspaceSettings", Access::Member, RateClass::Read);
    INVITE_MEMBER = accounts("InviteMember", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always);
    LEAVE_WORKSPACE = accounts("LeaveWorkspace", Access::User, RateClass::Write);
    LIST_API_KEYS = accounts("ListAPIKeys", Access::AnyOf(READ_KEYS), RateClass::List);
    LIST_AUDIT_EVENTS = accounts("ListAuditEvents", Access::AnyOf(WRITE_WORKSPACE), RateClass::List);
    LIST_CREDENTIALS = accounts("ListCredentials", Access::User, RateClass::Read);
    LIST_KEY_USAGE = accounts("ListKeyUsage", Access::AnyOf(READ_KEYS), RateClass::List);
    LIST_LINKED_ACCOUNTS = accounts("ListLinkedAccounts", Access::User, RateClass::List);
    LIST_MEMBERSHIPS = accounts("ListMemberships", Access::AnyOf(READ_MEMBERS), RateClass::List);
    LIST_MY_AUDIT_EVENTS = accounts("ListMyAuditEvents", Access::User, RateClass::List);
    LIST_PASSKEYS = accounts("ListPasskeys", Access::User, RateClass::List);
    LIST_POLICIES = accounts("ListPolicies", Access::Key, RateClass::Read);
    LIST_SESSIONS = accounts("ListSessions", Access::User, RateClass::List);
    LIST_WORKSPACE_KEYS = accounts("ListWorkspaceKeys", Access::AnyOf(WRITE_WORKSPACE), RateClass::List);
    LIST_WORKSPACES = accounts("ListWorkspaces", Access::User, RateClass::List);
    REGENERATE_RECOVERY_CODES = accounts("RegenerateRecoveryCodes", Access::User, RateClass::Write).with_step_up(StepUp::Always);
    REINSTATE_MEMBERSHIP = accounts("ReinstateMembership", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always);
    REMOVE_MEMBERSHIP = accounts("RemoveMembership", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always);
    REPORT_LEAKED_API_KEY = accounts("ReportLeakedAPIKey", Access::Public, RateClass::Unauthenticated);
    REQUEST_PASSWORD_RESET = accounts("RequestPasswordReset", Access::Public, RateClass::Unauthenticated);
    RESEND_EMAIL_VERIFICATION = accounts("ResendEmailVerification", Access::Public, RateClass::Unauthenticated);
    RESEND_INVITATION = accounts("ResendInvitation", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write);
    RESEND_STEP_UP_CODE = accounts("ResendStepUpCode", Access::Key, RateClass::Write);
    RESET_PASSWORD = accounts("ResetPassword", Access::Public, RateClass::Unauthenticated);
    RESTORE_WORKSPACE = accounts("RestoreWorkspace", Access::Session, RateClass::Write);
    REVERT_EMAIL_CHANGE = accounts("RevertEmailChange", Access::Public, RateClass::Unauthenticated);
    REVOKE_API_KEY = accounts("RevokeAPIKey", Access::ItselfOr(REVOKE_KEYS), RateClass::Write);
    REVOKE_INVITATION = accounts("RevokeInvitation", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write);
    REVOKE_OTHER_SESSIONS = accounts("RevokeOtherSessions", Access::User, RateClass::Write);
    REVOKE_SESSION = accounts("RevokeSession", Access::User, RateClass::Write);
    ROTATE_API_KEY = accounts("RotateAPIKey", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always);
    ROTATE_WORKSPACE_KEY = accounts("RotateWorkspaceKey", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always);
    SET_TRADING_HALT = accounts("SetTradingHalt", Access::AnyOf(WRITE_TRADING), RateClass::Write);
    SIGN_IN = accounts("SignIn", Access::Public, RateClass::Unauthenticated);
    SIGN_OUT = accounts("SignOut", Access::Session, RateClass::Write);
    SIGN_UP = accounts("SignUp", Access::Public, RateClass::Unauthenticated);
    SUSPEND_MEMBERSHIP = accounts("SuspendMembership", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write);
    TRANSFER_WORKSPACE_OWNERSHIP = accounts("TransferWorkspaceOwnership", Access::Session, RateClass::Write).with_step_up(StepUp::Fresh);
    UNLINK_ACCOUNT = accounts("UnlinkAccount", Access::User, RateClass::Write).with_step_up(StepUp::IfAny);
    UPDATE_API_KEY = accounts("UpdateAPIKey", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::IfWider);
    UPDATE_MEMBERSHIP = accounts("UpdateMembership", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always);
    UPDATE_PASSKEY = accounts("UpdatePasskey", Access::User, RateClass::Write);
    UPDATE_USER = accounts("UpdateUser", Access::User, RateClass::Write);
    UPDATE_WORKSPACE = accounts("UpdateWorkspace", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::IfWider);
    VERIFY_AUDIT_CHAIN = accounts("VerifyAuditChain", Access::AnyOf(WRITE_WORKSPACE), RateClass::List);
    VERIFY_EMAIL = accounts("VerifyEmail", Access::Public, RateClass::Unauthenticated);
    COUNT_ALERT_CHANNELS = alerts("CountAlertChannels", RateClass::Read);
    COUNT_ALERT_RULES = alerts("CountAlertRules", RateClass::Read);
    CREATE_ALERT_CHANNEL = alerts("CreateAlertChannel", RateClass::Write).with_step_up(StepUp::Always);
    CREATE_ALERT_RULE = alerts("CreateAlertRule", RateClass::Write);
    DELETE_ALERT_CHANNEL = alerts("DeleteAlertChannel", RateClass::Write);
    DELETE_ALERT_RULE = alerts("DeleteAlertRule", RateClass::Write);
    DISABLE_ALERT_CHANNEL = alerts("DisableAlertChannel", RateClass::Write);
    ENABLE_ALERT_CHANNEL = alerts("EnableAlertChannel", RateClass::Write);
    GET_ALERT_CHANNEL = alerts("GetAlertChannel", RateClass::Read);
    GET_ALERT_CHANNELS = alerts("GetAlertChannels", RateClass::List);
    GET_ALERT_MESSAGES = alerts("GetAlertMessages", RateClass::List);
    GET_ALERT_RULE = alerts("GetAlertRule", RateClass::Read);
    GET_ALERT_RULES = alerts("GetAlertRules", RateClass::List);
    LIST_ALERT_CHANNELS = alerts("ListAlertChannels", RateClass::List);
    LIST_ALERT_MESSAGES = alerts("ListAlertMessages", RateClass::List);
    LIST_ALERT_RULES = alerts("ListAlertRules", RateClass::List);
    SEND_TEST_ALERT = alerts("SendTestAlert", RateClass::Write);
    UPDATE_ALERT_CHANNEL = alerts("UpdateAlertChannel", RateClass::Write).with_step_up(StepUp::IfWider);
    UPDATE_ALERT_RULE = alerts("UpdateAlertRule", RateClass::Write);
    ACTIVATE_CONTRACT = contracts("ActivateContract", WRITE_TRADING, RateClass::Trade);
    ADJUST_POOL_FUNDS = contracts("AdjustPoolFunds", WRITE_TRADING, RateClass::Trade).with_step_up(StepUp::Always);
    APPEND_ASSET_ID_LINK = contracts("AppendAssetIDLink", WRITE_TRADING, RateClass::Trade);
    APPROVE_INTENT = contracts("ApproveIntent", WRITE_TRADING, RateClass::Trade);
    ARCHIVE_POOL = contracts("ArchivePool", WRITE_TRADING, RateClass::Trade);
    ASSIGN_REMEDIATION = contracts("AssignRemediation", WRITE_TRADING, RateClass::Trade);
    CANCEL_CONTRACT = contracts("CancelContract", WRITE_TRADING, RateClass::Trade);
    CANCEL_INTENT = contracts("CancelIntent", WRITE_TRADING, RateClass::Trade);
    CANCEL_PURCHASE = contracts("CancelPurchase", WRITE_TRADING, RateClass::Trade);
    CLONE_CONTRACT = contracts("CloneContract", WRITE_TRADING, RateClass::Trade);
    COUNT_CONTRACTS = contracts("CountContracts", READ_TRADING, RateClass::Read);
    COUNT_FILTER_SETS = contracts("CountFilterSets", READ_TRADING, RateClass::Read);
    COUNT_INTENTS = contracts("CountIntents", READ_TRADING, RateClass::Read);
    COUNT_INVENTORY_ITEMS = contracts("CountInventoryItems", READ_TRADING, RateClass::Read);
    COUNT_POOLS = contracts("CountPools", READ_TRADING, RateClass::Read);
    COUNT_PURCHASES = contracts("CountPurchases", READ_TRADING, RateClass::Read);
    COUNT_REMEDIATIONS = contracts("CountRemediations", READ_TRADING, RateClass::Read);
    COUNT_TRANSITIONS = contracts("CountTransitions", READ_TRANSITIONS, RateClass::Read);
    CREATE_ASSIGNMENT = contracts("CreateAssignment", WRITE_TRADING, RateClass::Trade);
    CREATE_CONTRACT = contracts("CreateContract", WRITE_TRADING, RateClass::Trade);
    CREATE_FILTER_SET = contracts("CreateFilterSet", WRITE_TRADING, RateClass::Trade);
    CREATE_INTENT = contracts("CreateIntent", WRITE_TRADING, RateClass::Trade);
    CREATE_POOL = contracts("CreatePool", WRITE_TRADING, RateClass::Trade);
    DELETE_ASSIGNMENT = contracts("DeleteAssignment", WRITE_TRADING, RateClass::Trade);
    DELETE_CONTRACT = contracts("DeleteContract", WRITE_TRADING, RateClass::Trade);
    DELETE_FILTER_SET = contracts("DeleteFilterSet", WRITE_TRADING, RateClass::Trade);
    DELIST_ITEM = contracts("DelistItem", WRITE_TRADING, RateClass::Trade);
    DISMISS_REMEDIATION = contracts("DismissRemediation", WRITE_TRADING, RateClass::Trade);
    EVALUATE_CONTRACT = contracts("EvaluateContract", READ_TRADING, RateClass::Read);
    EXPORT_PROFIT_AND_LOSS = contracts("ExportProfitAndLoss", READ_TRADING, RateClass::List);
    FIND_INVENTORY_ITEM_BY_ASSET_ID = contracts("FindInventoryItemByAssetID", READ_TRADING, RateClass::Read);
    GET_ASSIGNMENT = contracts("GetAssignment", READ_TRADING, RateClass::Read);
    GET_ASSIGNMENTS = contracts("GetAssignments", READ_TRADING, RateClass::List);
    GET_CAPITAL = contracts("GetCapital", READ_TRADING, RateClass::List);
    GET_CONTRACT = contracts("GetContract", READ_TRADING, RateClass::Read);
    GET_CONTRACTS = contracts("GetContracts", READ_TRADING, RateClass::List);
    GET_CONTRACT_VERSIONS = contracts("GetContractVersions", READ_TRADING, RateClass::List);
    GET_EQUITY_SERIES = contracts("GetEquitySeries", READ_TRADING, RateClass::List);
    GET_EVALUATION = contracts("GetEvaluation", READ_TRADING, RateClass::Read);
    GET_EVALUATIONS = contracts("GetEvaluations", READ_TRADING, RateClass::List);
    GET_FILTER_SET = contracts("GetFilterSet", READ_TRADING, RateClass::Read);
    GET_FILTER_SETS = contracts("GetFilterSets", READ_TRADING, RateClass::List);
    GET_INTENT = contracts("GetIntent", READ_TRADING, RateClass::Read);
    GET_INTENTS = contracts("GetIntents", READ_TRADING, RateClass::List);
    GET_INVENTORY_ITEM = contracts("GetInventoryItem", READ_TRADING, RateClass::Read);
    GET_INVENTORY_ITEMS = contracts("GetInventoryItems", READ_TRADING, RateClass::List);
    GET_ITEM_PROFIT_AND_LOSS = contracts("GetItemProfitAndLoss", READ_TRADING, RateClass::List);
    GET_LEDGER_ENTRIES = contracts("GetLedgerEntries", READ_TRADING, RateClass::List);
    GET_POOL = contracts("GetPool", READ_TRADING, RateClass::Read);
    GET_POOL_BALANCE = contracts("GetPoolBalance", READ_TRADING, RateClass::Read);
    GET_POOLS = contracts("GetPools", READ_TRADING, RateClass::List);
    GET_PROFIT_AND_LOSS = contracts("GetProfitAndLoss", READ_TRADING, RateClass::List);
    GET_PROFIT_AND_LOSS_SERIES = contracts("GetProfitAndLossSeries", READ_TRADING, RateClass::List);
    GET_PURCHASE = contracts("GetPurchase", READ_TRADING, RateClass::Read);
    GET_PURCHASES = contracts("GetPurchases", READ_TRADING, RateClass::List);
    GET_REMEDIATION = contracts("GetRemediation", READ_TRADING, RateClass::Read);
    GET_REMEDIATIONS = contracts("GetRemediations", READ_TRADING, RateClass::List);
    GET_TRANSITION = contracts("GetTransition", READ_TRANSITIONS, RateClass::Read);
    GET_TRANSITIONS = contracts("GetTransitions", READ_TRANSITIONS, RateClass::List);
    GET_WOULD_BUY_REPORT = contracts("GetWouldBuyReport", READ_TRADING, RateClass::List);
    LIST_ASSET_ID_LINKS = contracts("ListAssetIDLinks", READ_TRADING, RateClass::List);
    LIST_ASSIGNMENTS = contracts("ListAssignments", READ_TRADING, RateClass::List);
    LIST_CONTRACTS = contracts("ListContracts", READ_TRADING, RateClass::List);
    LIST_CONTRACT_VERSIONS = contracts("ListContractVersions", READ_TRADING, RateClass::List);
    LIST_EVALUATIONS = contracts("ListEvaluations", READ_TRADING, RateClass::List);
    LIST_FILTER_SETS = contracts("ListFilterSets", READ_TRADING, RateClass::List);
    LIST_INTENTS = contracts("ListIntents", READ_TRADING, RateClass::List);
    LIST_INVENTORY_ITEMS = contracts("ListInventoryItems", READ_TRADING, RateClass::List);
    LIST_ITEM_FOR_SALE = contracts("ListItemForSale", WRITE_TRADING, RateClass::Trade);
    LIST_LEDGER_ENTRIES = contracts("ListLedgerEntries", READ_TRADING, RateClass::List);
    LIST_POOLS = contracts("ListPools", READ_TRADING, RateClass::List);
    LIST_PURCHASES = contracts("ListPurchases", READ_TRADING, RateClass::List);
    LIST_REMEDIATIONS = contracts("ListRemediations", READ_TRADING, RateClass::List);
    LIST_TRANSITIONS = contracts("ListTransitions", READ_TRANSITIONS, RateClass::List);
    LIST_WOULD_BUYS = contracts("ListWouldBuys", READ_TRADING, RateClass::List);
    PAUSE_CONTRACT = contracts("PauseContract", WRITE_TRADING, RateClass::Trade);
    PAUSE_POOL = contracts("PausePool", WRITE_TRADING, RateClass::Trade);
    RECONCILE_PURCHASE = contracts("ReconcilePurchase", WRITE_TRADING, RateClass::Trade);
    RECORD_PURCHASE_OUTCOME = contracts("RecordPurchaseOutcome", WRITE_TRADING, RateClass::Trade).with_step_up(StepUp::Always);
    REJECT_INTENT = contracts("RejectIntent", WRITE_TRADING, RateClass::Trade);
    REPRICE_ITEM = contracts("RepriceItem", WRITE_TRADING, RateClass::Trade);
    RESOLVE_ASSIGNMENT = contracts("ResolveAssignment", READ_TRADING, RateClass::List);
    RESUME_CONTRACT = contracts("ResumeContract", WRITE_TRADING, RateClass::Trade);
    RESUME_POOL = contracts("ResumePool", WRITE_TRADING, RateClass::Trade);
    RUN_REMEDIATION_ACTION = contracts("RunRemediationAction", WRITE_TRADING, RateClass::Trade).with_step_up(StepUp::IfMoney);
    SEARCH = contracts("Search", READ_MEMBERS, RateClass::List);
    SIMULATE_CONTRACT = contracts("SimulateContract", READ_TRADING, RateClass::List);
    TEST_FILTER_SET = contracts("TestFilterSet", READ_TRADING, RateClass::List);
    TRANSFER_ITEM = contracts("TransferItem", WRITE_TRADING, RateClass::Trade).with_step_up(StepUp::Always);
    UPDATE_ASSIGNMENT = contracts("UpdateAssignment", WRITE_TRADING, RateClass::Trade);
    UPDATE_CONTRACT = contracts("UpdateContract", WRITE_TRADING, RateClass::Trade);
    UPDATE_FILTER_SET = contracts("UpdateFilterSet", WRITE_TRADING, RateClass::Trade);
    UPDATE_POOL = contracts("UpdatePool", WRITE_TRADING, RateClass::Trade);
    VERIFY_ASSET_ID_CHAIN = contracts("VerifyAssetIDChain", READ_TRADING, RateClass::List);
    WATCH_TRANSITIONS = contracts("WatchTransitions", READ_TRANSITIONS, RateClass::List);
    WRITE_OFF_ITEM = contracts("WriteOffItem", WRITE_TRADING, RateClass::Trade).with_step_up(StepUp::Always);
    COUNT_WEBHOOK_ENDPOINTS = events("CountWebhookEndpoints", READ_EVENTS, RateClass::Read);
    CREATE_WEBHOOK_ENDPOINT = events("CreateWebhookEndpoint", WRITE_WORKSPACE, RateClass::Write).with_step_up(StepUp::Always);
    DELETE_WEBHOOK_ENDPOINT = events("DeleteWebhookEndpoint", WRITE_WORKSPACE, RateClass::Write);
    DISABLE_WEBHOOK_ENDPOINT = events("DisableWebhookEndpoint", WRITE_WORKSPACE, RateClass::Write);
    ENABLE_WEBHOOK_ENDPOINT = events("EnableWebhookEndpoint", WRITE_WORKSPACE, RateClass::Write);
    GET_WEBHOOK_DELIVERIES = events("GetWebhookDeliveries", READ_EVENTS, RateClass::List);
    GET_WEBHOOK_ENDPOINT = events("GetWebhookEndpoint", READ_EVENTS, RateClass::Read);
    GET_WEBHOOK_ENDPOINTS = events("GetWebhookEndpoints", READ_EVENTS, RateClass::List);
    LIST_EVENT_TYPES = events("ListEventTypes", READ_EVENTS, RateClass::Read);
    LIST_WEBHOOK_DELIVERIES = events("ListWebhookDeliveries", READ_EVENTS, RateClass::List);
    LIST_WEBHOOK_ENDPOINTS = events("ListWebhookEndpoints", READ_EVENTS, RateClass::List);
    REPLAY_WEBHOOK_EVENTS = events("ReplayWebhookEvents", WRITE_WORKSPACE, RateClass::Write);
    RESEND_WEBHOOK_DELIVERY = events("ResendWebhookDelivery", WRITE_WORKSPACE, RateClass::Write);
    ROTATE_WEBHOOK_SECRET = events("RotateWebhookSecret", WRITE_WORKSPACE, RateClass::Write).with_step_up(StepUp::Always);
    SEND_TEST_EVENT = events("SendTestEvent", WRITE_WORKSPACE, RateClass::Write);
    UPDATE_WEBHOOK_ENDPOINT = events("UpdateWebhookEndpoint", WRITE_WORKSPACE, RateClass::Write).with_step_up(StepUp::IfWider);

    COUNT_MARKET_OBSERVATIONS = markets("CountMarketObservations", READ_MARKETS, RateClass::Read);
    CREATE_PROVIDER = markets("CreateProvider", WRITE_MARKETS, RateClass::Write).with_step_up(StepUp::Always);
    DELETE_PRICE_OVERRIDE = markets("DeletePriceOverride", WRITE_MARKETS, RateClass::Write);
    DELETE_PROVIDER = markets("DeleteProvider", WRITE_MARKETS, RateClass::Write);
    DISABLE_PROVIDER = markets("DisableProvider", WRITE_MARKETS, RateClass::Write);
    ENABLE_PROVIDER = markets("EnableProvider", WRITE_MARKETS, RateClass::Write);
    ESTIMATE_SALE = markets("EstimateSale", READ_MARKETS, RateClass::Read);
    GET_MARKET_OBSERVATION = markets("GetMarketObservation", READ_MARKETS, RateClass::Read);
    GET_MARKET_OBSERVATIONS = markets("GetMarketObservations", READ_MARKETS, RateClass::List);
    GET_ORDER_BOOK = markets("GetOrderBook", READ_MARKETS, RateClass::List);
    GET_PRICE = markets("GetPrice", READ_MARKETS, RateClass::Read);
    GET_PRICES = markets("GetPrices", READ_MARKETS, RateClass::List);
    GET_PRICING_RULES = markets("GetPricingRules", READ_MARKETS, RateClass::Read);
    GET_PROVIDER = markets("GetProvider", READ_MARKETS, RateClass::Read);
    GET_PROVIDER_HEALTH = markets("GetProviderHealth", READ_MARKETS, RateClass::Read);
    GET_PROVIDERS = markets("GetProviders", READ_MARKETS, RateClass::List);
    LIST_MARKET_OBSERVATIONS = markets("ListMarketObservations", READ_MARKETS, RateClass::List);
    LIST_PRICE_HISTORY = markets("ListPriceHistory", READ_MARKETS, RateClass::List);
    LIST_PRICE_OVERRIDES = markets("ListPriceOverrides", READ_MARKETS, RateClass::List);
    LIST_PROVIDER_DRIVERS = markets("ListProviderDrivers", READ_MARKETS, RateClass::List);
    LIST_PROVIDERS = markets("ListProviders", READ_MARKETS, RateClass::List);
    LIST_VARIANTS = markets("ListVariants", READ_VARIANTS, RateClass::List);
    RECORD_MARKET_OBSERVATIONS = markets("RecordMarketObservations", WRITE_MARKETS, RateClass::Observation);
    SET_PRICE_OVERRIDE = markets("SetPriceOverride", WRITE_MARKETS, RateClass::Write);
    TEST_PROVIDER = markets("TestProvider", WRITE_MARKETS, RateClass::Write);
    UPDATE_PRICING_RULES = markets("UpdatePricingRules", WRITE_MARKETS, RateClass::Write);
    UPDATE_PROVIDER = markets("UpdateProvider", WRITE_MARKETS, RateClass::Write).with_step_up(StepUp::IfWider);
    ACCEPT_FRIEND = trading("AcceptFriend", WRITE_ACCOUNTS, RateClass::Write);
    ACCEPT_TRADE_OFFER = trading("AcceptTradeOffer", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::IfGivesFresh);
    ACKNOWLEDGE_TRADE_PROTECTION = trading("AcknowledgeTradeProtection", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::IfAny);
    ADD_ACCOUNTS_TO_GROUP = trading("AddAccountsToGroup", WRITE_ACCOUNTS, RateClass::Write);
    APPROVE_CONFIRMATION = trading("ApproveConfirmation", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::Always);
    APPLY_IMPORT = trading("ApplyImport", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::Always);
    CANCEL_TRADE_OFFER = trading("CancelTradeOffer", WRITE_ACCOUNTS, RateClass::Write);
    CANCEL_IMPORT = trading("CancelImport", WRITE_ACCOUNTS, RateClass::Write);
    ADD_FRIEND = trading("AddFriend", WRITE_ACCOUNTS, RateClass::Write);
    BLOCK_FRIEND = trading("BlockFriend", WRITE_ACCOUNTS, RateClass::Write);
    BULK_ACCOUNTS = trading("BulkAccounts", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::IfSignsIn);
    CANCEL_RENEWAL = trading("CancelRenewal", WRITE_ACCOUNTS, RateClass::Write);
    COUNT_ACCOUNT_SESSIONS = trading("CountAccountSessions", READ_ACCOUNTS, RateClass::Read);
    COUNT_RENEWALS = trading("CountRenewals", READ_ACCOUNTS, RateClass::Read);
    COUNT_ACCOUNTS = trading("CountAccounts", READ_ACCOUNTS, RateClass::Read);
    COMPARE_SNAPSHOTS = trading("CompareSnapshots", READ_ACCOUNTS, RateClass::List);
    COUNT_INVENTORY_CHANGES = trading("CountInventoryChanges", READ_ACCOUNTS, RateClass::Read);
    COUNT_SNAPSHOTS = trading("CountSnapshots", READ_ACCOUNTS, RateClass::Read);
    COUNT_IMPORTS = trading("CountImports", READ_ACCOUNTS, RateClass::Read);
    COUNT_CONVERSATIONS = trading("CountConversations", USE_CHATS, RateClass::Read);
    COUNT_CONFIRMATIONS = trading("CountConfirmations", READ_ACCOUNTS, RateClass::Read);
    COUNT_FRIENDS = trading("CountFriends", READ_ACCOUNTS, RateClass::Read);
    COUNT_TRADE_OFFERS = trading("CountTradeOffers", READ_ACCOUNTS, RateClass::Read);
    CREATE_ACCOUNT = trading("CreateAccount", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::Always);
    CREATE_ACCOUNT_GROUP = trading("CreateAccountGroup", WRITE_ACCOUNTS, RateClass::Write);
    CREATE_SNAPSHOT = trading("CreateSnapshot", WRITE_ACCOUNTS, RateClass::Write);
    CREATE_IMPORT = trading("CreateImport", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::IfAny);
    DECLINE_TRADE_OFFER = trading("DeclineTradeOffer", WRITE_ACCOUNTS, RateClass::Write);
    DELETE_ACCOUNT_GROUP = trading("DeleteAccountGroup", WRITE_ACCOUNTS, RateClass::Write);
    DENY_CONFIRMATION = trading("DenyConfirmation", WRITE_ACCOUNTS, RateClass::Write);
    DISABLE_ACCOUNT = trading("DisableAccount", WRITE_ACCOUNTS, RateClass::Write);
    DISABLE_GIVING = trading("DisableGiving", WRITE_ACCOUNTS, RateClass::Write);
    ENABLE_ACCOUNT = trading("EnableAccount", WRITE_ACCOUNTS, RateClass::Write);
    ENABLE_GIVING = trading("EnableGiving", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::Fresh);
    END_ACCOUNT_SESSION = trading("EndAccountSession", WRITE_ACCOUNTS, RateClass::Write);
    GET_ACCOUNT = trading("GetAccount", READ_ACCOUNTS, RateClass::Read);
    GET_ACCOUNT_GROUP = trading("GetAccountGroup", READ_ACCOUNTS, RateClass::Read);
    GET_ACCOUNT_GROUPS = trading("GetAccountGroups", READ_ACCOUNTS, RateClass::List);
    GET_ACCOUNT_LOGIN_CODE = trading("GetAccountLoginCode", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::Fresh);
    GET_ACCOUNT_READINESS = trading("GetAccountReadiness", READ_ACCOUNTS, RateClass::Read);
    GET_ACCOUNT_SESSION = trading("GetAccountSession", READ_ACCOUNTS, RateClass::Read);
    GET_ACCOUNT_SESSIONS = trading("GetAccountSessions", READ_ACCOUNTS, RateClass::List);
    GET_ACCOUNTS = trading("GetAccounts", READ_ACCOUNTS, RateClass::List);
    GET_INVENTORY_CHANGE = trading("GetInventoryChange", READ_ACCOUNTS, RateClass::Read);
    GET_INVENTORY_CHANGES = trading("GetInventoryChanges", READ_ACCOUNTS, RateClass::List);
    GET_SNAPSHOT = trading("GetSnapshot", READ_ACCOUNTS, RateClass::Read);
    GET_SNAPSHOTS = trading("GetSnapshots", READ_ACCOUNTS, RateClass::List);
    GET_IMPORT = trading("GetImport", READ_ACCOUNTS, RateClass::Read);
    GET_IMPORTS = trading("GetImports", READ_ACCOUNTS, RateClass::List);
    GET_CONVERSATION = trading("GetConversation", USE_CHATS, RateClass::Read);
    GET_CONVERSATIONS = trading("GetConversations", USE_CHATS, RateClass::List);
    GET_CONFIRMATION = trading("GetConfirmation", READ_ACCOUNTS, RateClass::Read);
    GET_CONFIRMATIONS = trading("GetConfirmations", READ_ACCOUNTS, RateClass::List);
    GET_FRIEND = trading("GetFriend", READ_ACCOUNTS, RateClass::Read);
    GET_FRIENDS = trading("GetFriends", READ_ACCOUNTS, RateClass::List);
    GET_MESSAGES = trading("GetMessages", USE_CHATS, RateClass::List);
    GET_RENEWAL = trading("GetRenewal", READ_ACCOUNTS, RateClass::Read);
    GET_RENEWALS = trading("GetRenewals", READ_ACCOUNTS, RateClass::List);
    GET_TRADE = trading("GetTrade", READ_ACCOUNTS, RateClass::Read);
    GET_TRADE_OFFER = trading("GetTradeOffer", READ_ACCOUNTS, RateClass::Read);
    GET_TRADE_OFFERS = trading("GetTradeOffers", READ_ACCOUNTS, RateClass::List);
    IGNORE_INVENTORY_CHANGE = trading("IgnoreInventoryChange", WRITE_TRADING, RateClass::Write);
    LIST_ACCOUNT_GROUPS = trading("ListAccountGroups", READ_ACCOUNTS, RateClass::List);
    LIST_ACCOUNT_SESSIONS = trading("ListAccountSessions", READ_ACCOUNTS, RateClass::List);
    LIST_ACCOUNTS = trading("ListAccounts", READ_ACCOUNTS, RateClass::List);
    LIST_INVENTORY_CHANGES = trading("ListInventoryChanges", READ_ACCOUNTS, RateClass::List);
    LIST_SNAPSHOT_ITEMS = trading("ListSnapshotItems", READ_ACCOUNTS, RateClass::List);
    LIST_SNAPSHOTS = trading("ListSnapshots", READ_ACCOUNTS, RateClass::List);
    LIST_IMPORT_ROWS = trading("ListImportRows", READ_ACCOUNTS, RateClass::List);
    LIST_IMPORTS = trading("ListImports", READ_ACCOUNTS, RateClass::List);
    LIST_CONVERSATIONS = trading("ListConversations", USE_CHATS, RateClass::List);
    LIST_CONFIRMATIONS = trading("ListConfirmations", READ_ACCOUNTS, RateClass::List);
    LIST_FRIENDS = trading("ListFriends", READ_ACCOUNTS, RateClass::List);
    LIST_MESSAGES = trading("ListMessages", USE_CHATS, RateClass::List);
    LIST_RENEWALS = trading("ListRenewals", READ_ACCOUNTS, RateClass::List);
    LIST_TRADE_OFFERS = trading("ListTradeOffers", READ_ACCOUNTS, RateClass::List);
    MATCH_INVENTORY_CHANGE = trading("MatchInventoryChange", WRITE_TRADING, RateClass::Write);
    MARK_CONVERSATION_READ = trading("MarkConversationRead", USE_CHATS, RateClass::Write);
    REFRESH_CONFIRMATIONS = trading("RefreshConfirmations", WRITE_ACCOUNTS, RateClass::Write);
    REFRESH_FRIENDS = trading("RefreshFriends", WRITE_ACCOUNTS, RateClass::Write);
    REFRESH_TRADE_OFFERS = trading("RefreshTradeOffers", WRITE_ACCOUNTS, RateClass::Write);
    REFRESH_ACCOUNT = trading("RefreshAccount", WRITE_ACCOUNTS, RateClass::Write);
    REFRESH_TRADE_TOKEN = trading("RefreshTradeToken", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::IfRenews);
    REMOVE_ACCOUNT = trading("RemoveAccount", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::Always);
    REMOVE_ACCOUNTS_FROM_GROUP = trading("RemoveAccountsFromGroup", WRITE_ACCOUNTS, RateClass::Write);
    REVEAL_REVOCATION_CODE = trading("RevealRevocationCode", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::Fresh);
    REMOVE_FRIEND = trading("RemoveFriend", WRITE_ACCOUNTS, RateClass::Write);
    REQUEST_RENEWAL = trading("RequestRenewal", WRITE_ACCOUNTS, RateClass::Write);
    SEND_MESSAGE = trading("SendMessage", USE_CHATS, RateClass::Write);
    START_ACCOUNT_SESSION = trading("StartAccountSession", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::IfAny);
    SUBMIT_ACCOUNT_SESSION_CODE = trading("SubmitAccountSessionCode", WRITE_ACCOUNTS, RateClass::Write);
    UNBLOCK_FRIEND = trading("UnblockFriend", WRITE_ACCOUNTS, RateClass::Write);
    SEND_TRADE_OFFER = trading("SendTradeOffer", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::IfGives);
    UPDATE_ACCOUNT = trading("UpdateAccount", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::IfWider);
    UPDATE_ACCOUNT_GROUP = trading("UpdateAccountGroup", WRITE_ACCOUNTS, RateClass::Write);
}
