//! The names of what is audited, and of the facts that are told with it. A name is stored and never changes.

use crate::names::names;

macro_rules! kinds {
    ($($kind:ident => $name:literal, $what:literal;)*) => {
        /// What was done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum AuditKind {
            $(#[doc = concat!("`", $name, "`: ", $what, ".")] $kind,)*
        }
        names! { AuditKind, "type of audit event": $($kind => $name),* }
    };
}

kinds! {
    AccountCreated => "account.created", "a trading account was registered";
    AccountDisabled => "account.disabled", "a trading account was taken out of work";
    AccountEnabled => "account.enabled", "a trading account that was out of work is looked at again";
    AccountRemoved => "account.removed", "a trading account was taken off the list, and its secrets with it";
    AccountUpdated => "account.updated", "address, capabilities, limits or secrets of a trading account were changed";
    AccountGroupCreated => "account_group.created", "a group of trading accounts was made";
    AccountGroupDeleted => "account_group.deleted", "a group of trading accounts was deleted";
    AccountGroupJoined => "account_group.joined", "trading accounts were put into a group";
    AccountGroupLeft => "account_group.left", "trading accounts were taken out of a group";
    AccountGroupUpdated => "account_group.updated", "name or description of a group of trading accounts was changed";
    ApiKeyCreated => "api_key.created", "a key was made";
    ApiKeyRevoked => "api_key.revoked", "a key was revoked, alone or with what it hung on";
    ApiKeyRotated => "api_key.rotated", "a key is followed by another one";
    ApiKeyUpdated => "api_key.updated", "a key was changed";
    AccountLinkBegin => "account_link.begin", "linking an identity of another platform was begun";
    AccountLinkLinked => "account_link.linked", "an identity of another platform was linked";
    AccountLinkUnlinked => "account_link.unlinked", "an identity of another platform was unlinked";
    AssignmentCreated => "assignment.created", "trading accounts were assigned to a pool";
    AssignmentDeleted => "assignment.deleted", "trading accounts get no more work for a pool";
    AssignmentUpdated => "assignment.updated", "roles, priority or limits of an assignment were changed";
    ContractActivated => "contract.activated", "a contract began to trade";
    ContractCancelled => "contract.cancelled", "a contract was cancelled";
    ContractCreated => "contract.created", "a contract was made";
    ContractDeleted => "contract.deleted", "a draft was deleted";
    ContractPaused => "contract.paused", "a contract was stopped until it is resumed";
    ContractResumed => "contract.resumed", "a contract that was stopped works again";
    ContractUpdated => "contract.updated", "what a contract is told to do was changed";
    CredentialEmailAdded => "credential.email_added", "a first address waits to be confirmed";
    CredentialEmailChangeCancelled => "credential.email_change_cancelled", "a change of address that waited was given up";
    CredentialEmailChangeConfirmed => "credential.email_change_confirmed", "the account moved to a new address";
    CredentialEmailChangeRequested => "credential.email_change_requested", "a new address waits to be confirmed";
    CredentialEmailChangeReverted => "credential.email_change_reverted", "a change of address was taken back";
    CredentialEmailVerified => "credential.email_verified", "a first address was confirmed";
    CredentialPasswordChanged => "credential.password_changed", "the password was changed";
    CredentialPasswordReset => "credential.password_reset", "the password was set by a mailed link";
    CredentialPasswordResetRequested => "credential.password_reset_requested", "a link that sets the password was made";
    CredentialPasswordSuspended => "credential.password_suspended", "too many wrong passwords ended signing in by password";
    CredentialVerificationRequested => "credential.verification_requested", "a link that confirms an address was asked for again";
    FilterSetCreated => "filter_set.created", "a filter set was made";
    FilterSetDeleted => "filter_set.deleted", "a filter set was deleted";
    FilterSetUpdated => "filter_set.updated", "a filter set got a new version";
    IntentApproved => "intent.approved", "what was proposed is to be carried out";
    IntentCancelled => "intent.cancelled", "what was proposed or approved was withdrawn";
    IntentCreated => "intent.created", "a person proposed something to be done";
    IntentRejected => "intent.rejected", "what was proposed was refused";
    MembershipAccepted => "membership.accepted", "an invitation was accepted";
    MembershipDeclined => "membership.declined", "an invitation was declined";
    MembershipDissolved => "membership.dissolved", "a membership ended with its workspace";
    MembershipExpired => "membership.expired", "an invitation was not answered in time";
    MembershipInvitationResent => "membership.invitation_resent", "an invitation was mailed again";
    MembershipInvited => "membership.invited", "somebody was invited";
    MembershipLeft => "membership.left", "a member left";
    MembershipReinstated => "membership.reinstated", "a suspended member was let in again";
    MembershipRemoved => "membership.removed", "a member was removed";
    MembershipRevoked => "membership.revoked", "an invitation was taken back";
    MembershipSuspended => "membership.suspended", "a member was suspended";
    MembershipUpdated => "membership.updated", "role or policies of a member were changed";
    PasskeyBegin => "passkey.begin", "registering a passkey was begun";
    PasskeyCloneSuspected => "passkey.clone_suspected", "a copy of a passkey was used, and the passkey disabled";
    PasskeyDeleted => "passkey.deleted", "a passkey was removed";
    PasskeyRegistered => "passkey.registered", "a passkey was registered";
    PasskeyUpdated => "passkey.updated", "a passkey got another label";
    PoolArchived => "pool.archived", "a pool was put away";
    PoolCreated => "pool.created", "a pool was made";
    PoolFundsAdjusted => "pool.funds_adjusted", "capital was put into a pool or taken out";
    PoolPaused => "pool.paused", "nothing new is bought from a pool until it is resumed";
    PoolResumed => "pool.resumed", "a pool that was paused gives money again";
    PoolUpdated => "pool.updated", "name or limits of a pool were changed";
    PriceOverrideDeleted => "price_override.deleted", "a value that a person gave to a variant was taken away";
    PriceOverrideSet => "price_override.set", "a person gave a variant a value";
    PricingRulesUpdated => "pricing_rules.updated", "how a workspace values items was changed";
    ProviderCreated => "provider.created", "a provider was made";
    ProviderDeleted => "provider.deleted", "a provider was deleted, and its credentials with it";
    ProviderDisabled => "provider.disabled", "nothing new is begun at a provider from then on";
    ProviderEnabled => "provider.enabled", "a provider that was disabled is worked with again";
    ProviderTested => "provider.tested", "a provider was asked whether it works";
    ProviderUpdated => "provider.updated", "settings or credentials of a provider were changed";
    PurchaseCancelled => "purchase.cancelled", "a purchase was withdrawn before it was sent";
    PurchaseItemWrittenOff => "purchase.item_written_off", "an item that a purchase had brought, and that is lost, was given up";
    PurchaseOutcomeRecorded => "purchase.outcome_recorded", "a person wrote down how a purchase ended";
    PurchaseReconciled => "purchase.reconciled", "a marketplace was asked what became of a purchase";
    RecoveryCodeUsed => "recovery_codes.used", "a recovery code was spent";
    RecoveryCodesRegenerated => "recovery_codes.regenerated", "new recovery codes took the place of the old ones";
    RemediationActed => "remediation.acted", "a person had something done about a problem";
    RemediationAssigned => "remediation.assigned", "somebody was to look after a problem";
    RemediationDismissed => "remediation.dismissed", "a person decided that nothing more is to be done about a problem";
    SessionOthersRevoked => "session.others_revoked", "all sessions but the one that called were ended";
    SessionRevoked => "session.revoked", "a session was ended";
    SessionSecondFactorAsked => "session.second_factor_asked", "a sign-in waits for a second factor";
    SessionSignInFailed => "session.sign_in_failed", "a sign-in was refused";
    SessionSignedIn => "session.signed_in", "somebody signed in";
    SessionSignedOut => "session.signed_out", "a session ended itself";
    StepUpBegin => "step_up.begin", "a second-factor check was begun";
    StepUpCompleted => "step_up.completed", "a second-factor check was passed";
    StepUpFailed => "step_up.failed", "an answer to a second-factor check was wrong";
    TotpBegin => "totp.begin", "enrolling an authenticator app was begun";
    TotpDisabled => "totp.disabled", "the authenticator app was removed";
    TotpEnabled => "totp.enabled", "an authenticator app was enrolled";
    UserDeleted => "user.deleted", "a user deleted the account";
    UserFactorsReset => "user.factors_reset", "an operator took away every second factor";
    UserRegistered => "user.registered", "the process itself made a user";
    UserResetLinkIssued => "user.reset_link_issued", "an operator made a link that sets the password";
    UserSignedUp => "user.signed_up", "somebody signed up";
    UserUpdated => "user.updated", "a profile was changed";
    WorkspaceKeyDestroyed => "workspace_key.destroyed", "a data key was destroyed";
    WorkspaceKeyRotated => "workspace_key.rotated", "a new data key seals from then on";
    WorkspaceCreated => "workspace.created", "a workspace was made";
    WorkspaceDeleted => "workspace.deleted", "a workspace was deleted";
    WorkspaceOwnershipTransferred => "workspace.ownership_transferred", "a workspace has another owner";
    WorkspaceRemoved => "workspace.removed", "a deleted workspace was removed for good";
    WorkspaceRestored => "workspace.restored", "a deleted workspace was restored";
    WorkspaceTradingHalted => "workspace.trading_halted", "nothing is bought from then on, or for another reason";
    WorkspaceTradingResumed => "workspace.trading_resumed", "trade goes on";
    WorkspaceUpdated => "workspace.updated", "name, description or settings of a workspace were changed";
}

/// A fact that is told with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact {
    /// What was done about a problem.
    Action,
    /// How much money, in cents; less than zero for what was taken out.
    AmountCents,
    /// Whether a code that was mailed opens what needs a second factor in a workspace.
    AllowEmailStepUp,
    /// What made it happen.
    Cause,
    /// How many.
    Count,
    /// The characters of a key that may be shown.
    KeyPrefix,
    /// For how many days a key of a workspace lives at most.
    MaxApiKeyLifetimeDays,
    /// How somebody proved who they are.
    Method,
    /// Names of policies.
    Policies,
    /// The networks from which a key may be used, with blanks between; empty where it may be used from anywhere.
    Networks,
    /// The other platform.
    Provider,
    /// Why, in the words of whoever did it.
    Reason,
    /// The id of the request, as in the access log.
    Request,
    /// Whether a workspace asks its members for a second factor.
    RequireTwoFactor,
    /// A role.
    Role,
}

names! { Fact, "fact of an audit event":
    Action => "action",
    AmountCents => "amountCents",
    AllowEmailStepUp => "allowEmailStepUp",
    Cause => "cause",
    Count => "count",
    KeyPrefix => "keyPrefix",
    MaxApiKeyLifetimeDays => "maxApiKeyLifetimeDays",
    Method => "method",
    Policies => "policies",
    Networks => "networks",
    Provider => "provider",
    Reason => "reason",
    Request => "requestId",
    RequireTwoFactor => "requireTwoFactor",
    Role => "role",
}
