//! The table of rules: what each operation of the interface asks of its caller, and as what it is counted.
//!
//! One row an operation. Authorisation, rate limits, `ListPolicies` and the documentation read this table; a test
//! compares it with the interface's descriptor, so that an operation without a row cannot be served.

use tradepost_domain::accounts::access::{NoEntry, Principal, WorkspaceScope};
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::limiter::RateClass;

/// Who may call an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody, without a credential.
    Public,
    /// Any valid key or session.
    Key,
    /// Any key of the workspace whose owner is a member now, and any session of a member.
    Member,
    /// Any session, and a key with the policy `identity`: the operation acts on the session's user or the key's owner.
    User,
    /// Any session, and never a key: the operation is done in person.
    Session,
    /// A key of the workspace with any one of these policies, and a session of a member who holds one.
    AnyOf(PolicySet),
    /// Any valid key for itself, and a key or session with any one of these policies for other keys as well.
    ItselfOr(PolicySet),
}

/// When a recent second-factor check is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepUp {
    /// Never.
    No,
    /// Of users who have a factor stronger than e-mail.
    IfStrong,
    /// Of users who have any factor. Whoever has none yet could never add one otherwise; their sessions must have been signed in
    /// to within the last ten minutes.
    IfAny,
    /// Of changes that give more than there was. The operation tells which ones do.
    IfWider,
    /// Of what moves money or sets it free. The operation tells what does.
    IfMoney,
    /// Always.
    Always,
    /// Always, in the last two minutes: what it opens cannot be taken back, or not by whoever did it.
    Fresh,
}

/// One operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The service, such as `accounts.v1.Accounts`.
    pub service: &'static str,
    /// The method.
    pub method: &'static str,
    /// Who may call it.
    pub access: Access,
    /// When a recent second-factor check is needed.
    pub step_up: StepUp,
    /// What it is counted as.
    pub class: RateClass,
}

impl Rule {
    const fn new(service: &'static str, method: &'static str, access: Access, class: RateClass) -> Self {
        Self { service, method, access, step_up: StepUp::No, class }
    }

    const fn with_step_up(self, step_up: StepUp) -> Self {
        Self { step_up, ..self }
    }

    /// The rule of an operation by its path, `/package.version.Service/Method`.
    pub fn of_path(path: &str) -> Option<&'static Self> {
        let (service, method) = path.strip_prefix('/')?.split_once('/')?;
        RULES.iter().find(|rule| rule.method == method && rule.service == service)
    }

    /// The rule of an operation by its name, which no two services share.
    pub fn of(method: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.method == method)
    }

    /// Whether the caller holds a policy that the operation asks for. In which workspace is decided by the operation.
    pub fn admits(&self, principal: &Principal) -> bool {
        match (self.access, principal) {
            (Access::AnyOf(_) | Access::User, Principal::Key(key)) => !self.policies().and(key.rights).is_empty(),
            (Access::AnyOf(policies), Principal::Session(session)) => {
                !policies.and(session.rights_anywhere()).is_empty()
            }
            (Access::AnyOf(_), Principal::Person(_))
            | (Access::AnyOf(_) | Access::User | Access::Session, Principal::Anonymous)
            | (Access::Session, Principal::Key(_)) => false,
            (Access::AnyOf(_) | Access::User | Access::Session, Principal::System)
            | (Access::User | Access::Session, Principal::Person(_) | Principal::Session(_))
            | (Access::Public | Access::Key | Access::Member | Access::ItselfOr(_), _) => true,
        }
    }

    /// Enters a workspace as the operation asks for it: with one of its policies, or else as any member.
    ///
    /// # Errors
    /// [`NoEntry::Denied`] for another workspace than the caller's, whether it exists or not, and without the right;
    /// [`NoEntry::WorkspaceDeleted`] for one of the caller's that is deleted.
    pub fn enter(&self, principal: &Principal, workspace: WorkspaceId) -> Result<WorkspaceScope, NoEntry> {
        match self.access {
            Access::AnyOf(policies) => principal.enter(workspace, policies),
            Access::Public | Access::Key | Access::Member | Access::User | Access::Session | Access::ItselfOr(_) => {
                principal.enter_as_member(workspace)
            }
        }
    }

    /// The policies of which one is enough; none for operations that ask for something else.
    pub const fn policies(&self) -> PolicySet {
        match self.access {
            Access::AnyOf(policies) | Access::ItselfOr(policies) => policies,
            Access::User => PolicySet::of(&[Policy::Identity]),
            Access::Public | Access::Key | Access::Member | Access::Session => PolicySet::NONE,
        }
    }
}

/// Reading what is traded.
pub(crate) const READ_TRADING: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Trading]);
/// Changing what is traded.
pub(crate) const WRITE_TRADING: PolicySet = PolicySet::of(&[Policy::Trading]);
/// Reading the log of status changes: that of what is traded, of trading accounts, of providers, or of members and keys.
pub(crate) const READ_TRANSITIONS: PolicySet =
    PolicySet::of(&[Policy::Analytics, Policy::Trading, Policy::Accounts, Policy::Markets, Policy::Workspace]);
/// Reading what is known of markets.
pub(crate) const READ_MARKETS: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Markets]);
/// Telling what was seen on markets, and changing prices.
pub(crate) const WRITE_MARKETS: PolicySet = PolicySet::of(&[Policy::Markets]);
/// Reading keys.
pub(crate) const READ_KEYS: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Workspace]);
/// Changing members and keys.
pub(crate) const WRITE_WORKSPACE: PolicySet = PolicySet::of(&[Policy::Workspace]);
/// Reading members.
pub(crate) const READ_MEMBERS: PolicySet = PolicySet::OPERATIONAL;
/// Reading a membership or who somebody is: of the workspace, or with `identity` what is the key's owner's.
const READ_MEMBERSHIP: PolicySet = PolicySet::EVERY;
/// Revoking keys: those of the workspace, or with `identity` those of the key's owner.
const REVOKE_KEYS: PolicySet = PolicySet::of(&[Policy::Workspace, Policy::Identity]);

/// Reading trading accounts.
pub(crate) const READ_ACCOUNTS: PolicySet = PolicySet::of(&[Policy::Analytics, Policy::Accounts]);
/// Operating trading accounts.
pub(crate) const WRITE_ACCOUNTS: PolicySet = PolicySet::of(&[Policy::Accounts]);

const ACCOUNTS: &str = "accounts.v1.Accounts";
const CONTRACTS: &str = "contracts.v1.Contracts";
const MARKETS: &str = "markets.v1.Markets";
const TRADING: &str = "trading.v1.Trading";

const fn accounts(method: &'static str, access: Access, class: RateClass) -> Rule {
    Rule::new(ACCOUNTS, method, access, class)
}

const fn contracts(method: &'static str, policies: PolicySet, class: RateClass) -> Rule {
    Rule::new(CONTRACTS, method, Access::AnyOf(policies), class)
}

const fn markets(method: &'static str, policies: PolicySet, class: RateClass) -> Rule {
    Rule::new(MARKETS, method, Access::AnyOf(policies), class)
}

const fn trading(method: &'static str, policies: PolicySet, class: RateClass) -> Rule {
    Rule::new(TRADING, method, Access::AnyOf(policies), class)
}

/// Every operation of the interface.
pub const RULES: &[Rule] = &[
    accounts("AcceptMembership", Access::User, RateClass::Write),
    accounts("AddEmailCredential", Access::User, RateClass::Write).with_step_up(StepUp::IfAny),
    accounts("BeginAccountLink", Access::User, RateClass::Write).with_step_up(StepUp::IfAny),
    accounts("BeginLinkedSignIn", Access::Public, RateClass::Unauthenticated),
    accounts("BeginPasskeyRegistration", Access::User, RateClass::Write),
    accounts("BeginPasskeySignIn", Access::Public, RateClass::Unauthenticated),
    accounts("BeginStepUp", Access::Key, RateClass::Write),
    accounts("BeginStepUpPasskey", Access::Key, RateClass::Write),
    accounts("BeginTOTPEnrollment", Access::User, RateClass::Write).with_step_up(StepUp::IfAny),
    accounts("CancelEmailChange", Access::User, RateClass::Write),
    accounts("ChangeEmail", Access::User, RateClass::Write).with_step_up(StepUp::IfStrong),
    accounts("ChangePassword", Access::User, RateClass::Write).with_step_up(StepUp::IfStrong),
    accounts("CompleteSignIn", Access::Public, RateClass::Unauthenticated),
    accounts("CompleteStepUp", Access::Key, RateClass::Write),
    accounts("ConfirmEmailChange", Access::Public, RateClass::Unauthenticated),
    accounts("ConfirmTOTPEnrollment", Access::User, RateClass::Write),
    accounts("CountAPIKeys", Access::AnyOf(READ_KEYS), RateClass::Read),
    accounts("CountMemberships", Access::Key, RateClass::Read),
    accounts("CreateAPIKey", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always),
    accounts("CreateWorkspace", Access::Session, RateClass::Write),
    accounts("DeclineMembership", Access::User, RateClass::Write),
    accounts("DeletePasskey", Access::User, RateClass::Write).with_step_up(StepUp::Always),
    accounts("DeleteUser", Access::Session, RateClass::Write).with_step_up(StepUp::Fresh),
    accounts("DeleteWorkspace", Access::Session, RateClass::Write).with_step_up(StepUp::Fresh),
    accounts("DestroyWorkspaceKey", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Fresh),
    accounts("DisableTOTP", Access::User, RateClass::Write).with_step_up(StepUp::Always),
    accounts("FinishAccountLink", Access::User, RateClass::Write),
    accounts("FinishLinkedSignIn", Access::Public, RateClass::Unauthenticated),
    accounts("FinishPasskeyRegistration", Access::User, RateClass::Write).with_step_up(StepUp::IfAny),
    accounts("FinishPasskeySignIn", Access::Public, RateClass::Unauthenticated),
    accounts("GetAPIKey", Access::AnyOf(READ_KEYS), RateClass::Read),
    accounts("GetCurrentUser", Access::User, RateClass::Read),
    accounts("GetEffectivePermissions", Access::Member, RateClass::Read),
    accounts("GetInvitation", Access::Public, RateClass::Unauthenticated),
    accounts("GetMembership", Access::AnyOf(READ_MEMBERSHIP), RateClass::Read),
    accounts("GetMemberships", Access::AnyOf(READ_MEMBERS), RateClass::List),
    accounts("GetQuotas", Access::Member, RateClass::Read),
    accounts("GetStepUpStatus", Access::Key, RateClass::Read),
    accounts("GetTwoFactorStatus", Access::User, RateClass::Read),
    accounts("GetUsage", Access::AnyOf(READ_KEYS), RateClass::List),
    accounts("GetUser", Access::AnyOf(READ_MEMBERSHIP), RateClass::Read),
    accounts("GetUsers", Access::AnyOf(READ_MEMBERSHIP), RateClass::List),
    accounts("GetWorkspace", Access::Member, RateClass::Read),
    accounts("GetWorkspaceSettings", Access::Member, RateClass::Read),
    accounts("InviteMember", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always),
    accounts("LeaveWorkspace", Access::User, RateClass::Write),
    accounts("ListAPIKeys", Access::AnyOf(READ_KEYS), RateClass::List),
    accounts("ListAuditEvents", Access::AnyOf(WRITE_WORKSPACE), RateClass::List),
    accounts("ListCredentials", Access::User, RateClass::Read),
    accounts("ListKeyUsage", Access::AnyOf(READ_KEYS), RateClass::List),
    accounts("ListLinkedAccounts", Access::User, RateClass::List),
    accounts("ListMemberships", Access::AnyOf(READ_MEMBERS), RateClass::List),
    accounts("ListMyAuditEvents", Access::User, RateClass::List),
    accounts("ListPasskeys", Access::User, RateClass::List),
    accounts("ListPolicies", Access::Key, RateClass::Read),
    accounts("ListSessions", Access::User, RateClass::List),
    accounts("ListWorkspaceKeys", Access::AnyOf(WRITE_WORKSPACE), RateClass::List),
    accounts("ListWorkspaces", Access::User, RateClass::List),
    accounts("RegenerateRecoveryCodes", Access::User, RateClass::Write).with_step_up(StepUp::Always),
    accounts("ReinstateMembership", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always),
    accounts("RemoveMembership", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always),
    accounts("ReportLeakedAPIKey", Access::Public, RateClass::Unauthenticated),
    accounts("RequestPasswordReset", Access::Public, RateClass::Unauthenticated),
    accounts("ResendEmailVerification", Access::Public, RateClass::Unauthenticated),
    accounts("ResendInvitation", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write),
    accounts("ResendStepUpCode", Access::Key, RateClass::Write),
    accounts("ResetPassword", Access::Public, RateClass::Unauthenticated),
    accounts("RestoreWorkspace", Access::Session, RateClass::Write),
    accounts("RevertEmailChange", Access::Public, RateClass::Unauthenticated),
    accounts("RevokeAPIKey", Access::ItselfOr(REVOKE_KEYS), RateClass::Write),
    accounts("RevokeInvitation", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write),
    accounts("RevokeOtherSessions", Access::User, RateClass::Write),
    accounts("RevokeSession", Access::User, RateClass::Write),
    accounts("RotateAPIKey", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always),
    accounts("RotateWorkspaceKey", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always),
    accounts("SetTradingHalt", Access::AnyOf(WRITE_TRADING), RateClass::Write),
    accounts("SignIn", Access::Public, RateClass::Unauthenticated),
    accounts("SignOut", Access::Session, RateClass::Write),
    accounts("SignUp", Access::Public, RateClass::Unauthenticated),
    accounts("SuspendMembership", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write),
    accounts("TransferWorkspaceOwnership", Access::Session, RateClass::Write).with_step_up(StepUp::Fresh),
    accounts("UnlinkAccount", Access::User, RateClass::Write).with_step_up(StepUp::IfAny),
    accounts("UpdateAPIKey", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::IfWider),
    accounts("UpdateMembership", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::Always),
    accounts("UpdatePasskey", Access::User, RateClass::Write),
    accounts("UpdateUser", Access::User, RateClass::Write),
    accounts("UpdateWorkspace", Access::AnyOf(WRITE_WORKSPACE), RateClass::Write).with_step_up(StepUp::IfWider),
    accounts("VerifyAuditChain", Access::AnyOf(WRITE_WORKSPACE), RateClass::List),
    accounts("VerifyEmail", Access::Public, RateClass::Unauthenticated),
    contracts("ActivateContract", WRITE_TRADING, RateClass::Trade),
    contracts("AdjustPoolFunds", WRITE_TRADING, RateClass::Trade).with_step_up(StepUp::Always),
    contracts("AppendAssetIDLink", WRITE_TRADING, RateClass::Trade),
    contracts("ApproveIntent", WRITE_TRADING, RateClass::Trade),
    contracts("ArchivePool", WRITE_TRADING, RateClass::Trade),
    contracts("AssignRemediation", WRITE_TRADING, RateClass::Trade),
    contracts("CancelContract", WRITE_TRADING, RateClass::Trade),
    contracts("CancelIntent", WRITE_TRADING, RateClass::Trade),
    contracts("CancelPurchase", WRITE_TRADING, RateClass::Trade),
    contracts("CloneContract", WRITE_TRADING, RateClass::Trade),
    contracts("CountContracts", READ_TRADING, RateClass::Read),
    contracts("CountFilterSets", READ_TRADING, RateClass::Read),
    contracts("CountIntents", READ_TRADING, RateClass::Read),
    contracts("CountInventoryItems", READ_TRADING, RateClass::Read),
    contracts("CountPools", READ_TRADING, RateClass::Read),
    contracts("CountPurchases", READ_TRADING, RateClass::Read),
    contracts("CountRemediations", READ_TRADING, RateClass::Read),
    contracts("CreateAssignment", WRITE_TRADING, RateClass::Trade),
    contracts("CreateContract", WRITE_TRADING, RateClass::Trade),
    contracts("CreateFilterSet", WRITE_TRADING, RateClass::Trade),
    contracts("CreateIntent", WRITE_TRADING, RateClass::Trade),
    contracts("CreatePool", WRITE_TRADING, RateClass::Trade),
    contracts("DeleteAssignment", WRITE_TRADING, RateClass::Trade),
    contracts("DeleteContract", WRITE_TRADING, RateClass::Trade),
    contracts("DeleteFilterSet", WRITE_TRADING, RateClass::Trade),
    contracts("DelistItem", WRITE_TRADING, RateClass::Trade),
    contracts("DismissRemediation", WRITE_TRADING, RateClass::Trade),
    contracts("EvaluateContract", READ_TRADING, RateClass::Read),
    contracts("ExportProfitAndLoss", READ_TRADING, RateClass::List),
    contracts("FindInventoryItemByAssetID", READ_TRADING, RateClass::Read),
    contracts("GetAssignment", READ_TRADING, RateClass::Read),
    contracts("GetAssignments", READ_TRADING, RateClass::List),
    contracts("GetContract", READ_TRADING, RateClass::Read),
    contracts("GetContracts", READ_TRADING, RateClass::List),
    contracts("GetEvaluation", READ_TRADING, RateClass::Read),
    contracts("GetEvaluations", READ_TRADING, RateClass::List),
    contracts("GetFilterSet", READ_TRADING, RateClass::Read),
    contracts("GetFilterSets", READ_TRADING, RateClass::List),
    contracts("GetIntent", READ_TRADING, RateClass::Read),
    contracts("GetIntents", READ_TRADING, RateClass::List),
    contracts("GetInventoryItem", READ_TRADING, RateClass::Read),
    contracts("GetInventoryItems", READ_TRADING, RateClass::List),
    contracts("GetItemProfitAndLoss", READ_TRADING, RateClass::List),
    contracts("GetLedgerEntries", READ_TRADING, RateClass::List),
    contracts("GetPool", READ_TRADING, RateClass::Read),
    contracts("GetPoolBalance", READ_TRADING, RateClass::Read),
    contracts("GetPools", READ_TRADING, RateClass::List),
    contracts("GetProfitAndLoss", READ_TRADING, RateClass::List),
    contracts("GetProfitAndLossSeries", READ_TRADING, RateClass::List),
    contracts("GetPurchase", READ_TRADING, RateClass::Read),
    contracts("GetPurchases", READ_TRADING, RateClass::List),
    contracts("GetRemediation", READ_TRADING, RateClass::Read),
    contracts("GetRemediations", READ_TRADING, RateClass::List),
    contracts("GetTransition", READ_TRANSITIONS, RateClass::Read),
    contracts("GetTransitions", READ_TRANSITIONS, RateClass::List),
    contracts("ListAssetIDLinks", READ_TRADING, RateClass::List),
    contracts("ListAssignments", READ_TRADING, RateClass::List),
    contracts("ListContracts", READ_TRADING, RateClass::List),
    contracts("ListEvaluations", READ_TRADING, RateClass::List),
    contracts("ListFilterSets", READ_TRADING, RateClass::List),
    contracts("ListIntents", READ_TRADING, RateClass::List),
    contracts("ListInventoryItems", READ_TRADING, RateClass::List),
    contracts("ListItemForSale", WRITE_TRADING, RateClass::Trade),
    contracts("ListLedgerEntries", READ_TRADING, RateClass::List),
    contracts("ListPools", READ_TRADING, RateClass::List),
    contracts("ListPurchases", READ_TRADING, RateClass::List),
    contracts("ListRemediations", READ_TRADING, RateClass::List),
    contracts("ListTransitions", READ_TRANSITIONS, RateClass::List),
    contracts("PauseContract", WRITE_TRADING, RateClass::Trade),
    contracts("PausePool", WRITE_TRADING, RateClass::Trade),
    contracts("ReconcilePurchase", WRITE_TRADING, RateClass::Trade),
    contracts("RecordPurchaseOutcome", WRITE_TRADING, RateClass::Trade).with_step_up(StepUp::Always),
    contracts("RejectIntent", WRITE_TRADING, RateClass::Trade),
    contracts("RepriceItem", WRITE_TRADING, RateClass::Trade),
    contracts("ResolveAssignment", READ_TRADING, RateClass::List),
    contracts("ResumeContract", WRITE_TRADING, RateClass::Trade),
    contracts("ResumePool", WRITE_TRADING, RateClass::Trade),
    contracts("RunRemediationAction", WRITE_TRADING, RateClass::Trade).with_step_up(StepUp::IfMoney),
    contracts("SimulateContract", READ_TRADING, RateClass::List),
    contracts("TestFilterSet", READ_TRADING, RateClass::List),
    contracts("UpdateAssignment", WRITE_TRADING, RateClass::Trade),
    contracts("UpdateContract", WRITE_TRADING, RateClass::Trade),
    contracts("UpdateFilterSet", WRITE_TRADING, RateClass::Trade),
    contracts("UpdatePool", WRITE_TRADING, RateClass::Trade),
    contracts("VerifyAssetIDChain", READ_TRADING, RateClass::List),
    contracts("WatchTransitions", READ_TRANSITIONS, RateClass::List),
    contracts("WriteOffItem", WRITE_TRADING, RateClass::Trade).with_step_up(StepUp::Always),
    markets("CountMarketObservations", READ_MARKETS, RateClass::Read),
    markets("CreateProvider", WRITE_MARKETS, RateClass::Write).with_step_up(StepUp::Always),
    markets("DeletePriceOverride", WRITE_MARKETS, RateClass::Write),
    markets("DeleteProvider", WRITE_MARKETS, RateClass::Write),
    markets("DisableProvider", WRITE_MARKETS, RateClass::Write),
    markets("EnableProvider", WRITE_MARKETS, RateClass::Write),
    markets("EstimateSale", READ_MARKETS, RateClass::Read),
    markets("GetMarketObservation", READ_MARKETS, RateClass::Read),
    markets("GetMarketObservations", READ_MARKETS, RateClass::List),
    markets("GetOrderBook", READ_MARKETS, RateClass::List),
    markets("GetPrice", READ_MARKETS, RateClass::Read),
    markets("GetPrices", READ_MARKETS, RateClass::List),
    markets("GetPricingRules", READ_MARKETS, RateClass::Read),
    markets("GetProvider", READ_MARKETS, RateClass::Read),
    markets("GetProviderHealth", READ_MARKETS, RateClass::Read),
    markets("GetProviders", READ_MARKETS, RateClass::List),
    markets("ListMarketObservations", READ_MARKETS, RateClass::List),
    markets("ListPriceHistory", READ_MARKETS, RateClass::List),
    markets("ListPriceOverrides", READ_MARKETS, RateClass::List),
    markets("ListProviderDrivers", READ_MARKETS, RateClass::List),
    markets("ListProviders", READ_MARKETS, RateClass::List),
    markets("RecordMarketObservations", WRITE_MARKETS, RateClass::Observation),
    markets("SetPriceOverride", WRITE_MARKETS, RateClass::Write),
    markets("TestProvider", WRITE_MARKETS, RateClass::Write),
    markets("UpdatePricingRules", WRITE_MARKETS, RateClass::Write),
    markets("UpdateProvider", WRITE_MARKETS, RateClass::Write).with_step_up(StepUp::IfWider),
    trading("AddAccountsToGroup", WRITE_ACCOUNTS, RateClass::Write),
    trading("CountAccounts", READ_ACCOUNTS, RateClass::Read),
    trading("CountTradeOffers", READ_ACCOUNTS, RateClass::Read),
    trading("CreateAccount", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::Always),
    trading("CreateAccountGroup", WRITE_ACCOUNTS, RateClass::Write),
    trading("DeleteAccountGroup", WRITE_ACCOUNTS, RateClass::Write),
    trading("DisableAccount", WRITE_ACCOUNTS, RateClass::Write),
    trading("EnableAccount", WRITE_ACCOUNTS, RateClass::Write),
    trading("GetAccount", READ_ACCOUNTS, RateClass::Read),
    trading("GetAccountGroup", READ_ACCOUNTS, RateClass::Read),
    trading("GetAccountGroups", READ_ACCOUNTS, RateClass::List),
    trading("GetAccountReadiness", READ_ACCOUNTS, RateClass::Read),
    trading("GetAccounts", READ_ACCOUNTS, RateClass::List),
    trading("GetTrade", READ_ACCOUNTS, RateClass::Read),
    trading("GetTradeOffer", READ_ACCOUNTS, RateClass::Read),
    trading("GetTradeOffers", READ_ACCOUNTS, RateClass::List),
    trading("ListAccountGroups", READ_ACCOUNTS, RateClass::List),
    trading("ListAccounts", READ_ACCOUNTS, RateClass::List),
    trading("ListTradeOffers", READ_ACCOUNTS, RateClass::List),
    trading("RemoveAccount", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::Always),
    trading("RemoveAccountsFromGroup", WRITE_ACCOUNTS, RateClass::Write),
    trading("UpdateAccount", WRITE_ACCOUNTS, RateClass::Write).with_step_up(StepUp::IfWider),
    trading("UpdateAccountGroup", WRITE_ACCOUNTS, RateClass::Write),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_operations_share_a_name() {
        for (at, rule) in RULES.iter().enumerate() {
            assert!(RULES.iter().skip(at + 1).all(|other| other.method != rule.method), "{}", rule.method);
        }
    }

    #[test]
    fn an_operation_is_found_by_its_path() {
        assert_eq!(Rule::of_path("/contracts.v1.Contracts/GetPurchase").map(|rule| rule.method), Some("GetPurchase"));
        assert_eq!(Rule::of_path("/accounts.v1.Accounts/GetPurchase"), None);
        assert_eq!(Rule::of_path("/contracts.v1.Contracts/GetNothing"), None);
    }
}
