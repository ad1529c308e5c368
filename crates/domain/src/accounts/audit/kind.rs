//! The names of audited actions, and of the facts that are recorded with them. A name is stored and never changes.

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
    AccountDisabled => "account.disabled", "a trading account was disabled";
    AccountEnabled => "account.enabled", "a disabled trading account is checked again";
    AccountGivingDisabled => "account.giving_disabled", "a trading account gives nothing at its platform from now on";
    AccountGivingEnabled => "account.giving_enabled", "a user let a trading account give items at its platform";
    AccountGivingLimited => "account.giving_limited", "a user changed how much a trading account gives; with the limits";
    AccountLoginCode => "account.login_code", "a code to sign in to a trading account was shown";
    AccountRefreshRequested => "account.refresh_requested", "a user asked the engine to read a trading account";
    AccountRemoved => "account.removed", "a trading account and its secrets were removed";
    AccountRevocationCodeRevealed => "account.revocation_code_revealed", "the revocation code of a trading account was revealed";
    AccountTokenRenewalRequested => "account.token_renewal_requested", "a user asked the engine to renew the trade URL of a trading account";
    AccountTokenRenewed => "account.token_renewed", "the platform made a new trade URL of a trading account";
    AccountTradesAcknowledged => "account.trades_acknowledged", "a user accepted the platform's notice that trades can be reversed";
    AccountUpdated => "account.updated", "address, capabilities, limits, chat or secrets of a trading account were changed";
    AccountGroupCreated => "account_group.created", "a group of trading accounts was created";
    AccountGroupDeleted => "account_group.deleted", "a group of trading accounts was deleted";
    AccountGroupJoined => "account_group.joined", "trading accounts were added to a group";
    AccountGroupLeft => "account_group.left", "trading accounts were removed from a group";
    AccountGroupUpdated => "account_group.updated", "name or description of a group of trading accounts was changed";
    AlertChannelCreated => "alert_channel.created", "an alert channel was created";
    AlertChannelDeleted => "alert_channel.deleted", "an alert channel, its rules and its secret were deleted";
    AlertChannelDisabled => "alert_channel.disabled", "a user disabled an alert channel, or it no longer worked; with the cause";
    AlertChannelEnabled => "alert_channel.enabled", "a disabled alert channel was enabled";
    AlertChannelTested => "alert_channel.tested", "a test was sent to an alert channel";
    AlertChannelUpdated => "alert_channel.updated", "name, target or secret of an alert channel were changed";
    AlertRuleCreated => "alert_rule.created", "an alert rule was created";
    AlertRuleDeleted => "alert_rule.deleted", "an alert rule was deleted";
    AlertRuleUpdated => "alert_rule.updated", "an alert rule was changed";
    ApiKeyCreated => "api_key.created", "a key was created";
    ApiKeyRevoked => "api_key.revoked", "a key was revoked, alone or with its owner, membership or workspace";
    ApiKeyRotated => "api_key.rotated", "a key was replaced by a new one";
    ApiKeyUpdated => "api_key.updated", "a key was changed";
    AccountLinkBegin => "account_link.begin", "linking an identity of another platform was started";
    AccountLinkLinked => "account_link.linked", "an identity of another platform was linked";
    AccountLinkUnlinked => "account_link.unlinked", "an identity of another platform was unlinked";
    AccountSessionCodeSubmitted => "account_session.code_submitted", "a user gave the code of a sign-in; without the code";
    AccountSessionEnded => "account_session.ended", "a user ended the session of a trading account";
    AccountSessionStarted => "account_session.started", "a user asked the engine to sign a trading account in";
    AssignmentCreated => "assignment.created", "trading accounts were assigned to a pool";
    AssignmentDeleted => "assignment.deleted", "trading accounts are no longer assigned to a pool";
    AssignmentUpdated => "assignment.updated", "roles, priority or limits of an assignment were changed";
    ChatMessageSent => "chat_message.sent", "a chat message was sent; without its text";
    ConfirmationApproveRequested => "confirmation.approve_requested", "a user asked the engine to allow a confirmation";
    ConfirmationDenyRequested => "confirmation.deny_requested", "a user asked the engine to deny a confirmation";
    ConfirmationRefreshRequested => "confirmation.refresh_requested", "a user asked the engine to read the confirmations of an account";
    ContractActivated => "contract.activated", "a contract was activated";
    ContractCancelled => "contract.cancelled", "a contract was cancelled";
    ContractCreated => "contract.created", "a contract was created";
    ContractDeleted => "contract.deleted", "a draft was deleted";
    ContractPaused => "contract.paused", "a contract was paused until it is resumed";
    ContractResumed => "contract.resumed", "a stopped contract was resumed";
    ContractUpdated => "contract.updated", "terms of a contract were changed";
    ConversationRead => "conversation.read", "a conversation was marked as read";
    CredentialEmailAdded => "credential.email_added", "a first address waits for confirmation";
    CredentialEmailChangeCancelled => "credential.email_change_cancelled", "a pending change of address was cancelled";
    CredentialEmailChangeConfirmed => "credential.email_change_confirmed", "the account moved to a new address";
    CredentialEmailChangeRequested => "credential.email_change_requested", "a new address waits for confirmation";
    CredentialEmailChangeReverted => "credential.email_change_reverted", "a change of address was reverted";
    CredentialEmailVerified => "credential.email_verified", "a first address was confirmed";
    CredentialPasswordChanged => "credential.password_changed", "the password was changed";
    CredentialPasswordReset => "credential.password_reset", "the password was set by a mailed link";
    CredentialPasswordResetRequested => "credential.password_reset_requested", "a link that sets the password was created";
    CredentialPasswordSuspended => "credential.password_suspended", "too many wrong passwords suspended sign-in by password";
    CredentialVerificationRequested => "credential.verification_requested", "a link that confirms an address was requested again";
    FilterSetCreated => "filter_set.created", "a filter set was created";
    FilterSetDeleted => "filter_set.deleted", "a filter set was deleted";
    FilterSetUpdated => "filter_set.updated", "a filter set got a new version";
    ImportApplied => "import.applied", "an import was applied; with the number of records that it created or updated";
    ImportCancelled => "import.cancelled", "an import was cancelled and its content destroyed";
    ImportCreated => "import.created", "an import was read and checked; with the number of its rows";
    FriendAccepted => "friend.accepted", "accepting a request for friendship was asked for";
    FriendAdded => "friend.added", "adding a friend was asked for";
    FriendBlocked => "friend.blocked", "blocking another account was asked for";
    FriendRemoved => "friend.removed", "removing a friend was asked for";
    FriendUnblocked => "friend.unblocked", "unblocking another account was asked for";
    FriendsRefreshed => "friend.refreshed", "a new look at the friends of a trading account was asked for";
    IntentApproved => "intent.approved", "an intent was approved";
    IntentCancelled => "intent.cancelled", "a proposed or approved intent was cancelled";
    IntentCreated => "intent.created", "a user proposed an intent";
    IntentRejected => "intent.rejected", "a proposed intent was rejected";
    InventoryChangeIgnored => "inventory_change.ignored", "a user decided that an inventory change needs no item; with the reason";
    InventoryChangeMatched => "inventory_change.matched", "a user named the item that an inventory change belongs to";
    MembershipAccepted => "membership.accepted", "an invitation was accepted";
    MembershipDeclined => "membership.declined", "an invitation was declined";
    MembershipDissolved => "membership.dissolved", "a membership ended with its workspace";
    MembershipExpired => "membership.expired", "an invitation was not answered in time";
    MembershipInvitationResent => "membership.invitation_resent", "an invitation was mailed again";
    MembershipInvited => "membership.invited", "a user was invited";
    MembershipLeft => "membership.left", "a member left";
    MembershipReinstated => "membership.reinstated", "a suspended member was reinstated";
    MembershipRemoved => "membership.removed", "a member was removed";
    MembershipRevoked => "membership.revoked", "an invitation was revoked";
    MembershipSuspended => "membership.suspended", "a member was suspended";
    MembershipUpdated => "membership.updated", "role or policies of a member were changed";
    PasskeyBegin => "passkey.begin", "registering a passkey was started";
    PasskeyCloneSuspected => "passkey.clone_suspected", "a copy of a passkey was used, and the passkey disabled";
    PasskeyDeleted => "passkey.deleted", "a passkey was removed";
    PasskeyRegistered => "passkey.registered", "a passkey was registered";
    PasskeyUpdated => "passkey.updated", "the label of a passkey was changed";
    PoolArchived => "pool.archived", "a pool was archived";
    PoolCreated => "pool.created", "a pool was created";
    PoolFundsAdjusted => "pool.funds_adjusted", "capital was deposited into a pool or withdrawn; with the amount and the reason";
    PoolPaused => "pool.paused", "a pool was paused: nothing new is bought from it until it is resumed";
    PoolResumed => "pool.resumed", "a paused pool was resumed";
    PoolUpdated => "pool.updated", "name or limits of a pool were changed";
    PriceOverrideDeleted => "price_override.deleted", "the value that a user set for a variant was removed";
    PriceOverrideSet => "price_override.set", "a user set the value of a variant";
    PricingRulesUpdated => "pricing_rules.updated", "the valuation rules of a workspace were changed";
    ProviderCreated => "provider.created", "a provider was created";
    ProviderDeleted => "provider.deleted", "a provider and its credentials were deleted";
    ProviderDisabled => "provider.disabled", "a provider was disabled: nothing new is started there";
    ProviderEnabled => "provider.enabled", "a disabled provider was enabled";
    ProviderTested => "provider.tested", "the connection to a provider was tested";
    ProviderUpdated => "provider.updated", "settings or credentials of a provider were changed";
    PurchaseCancelled => "purchase.cancelled", "a purchase was cancelled before it was submitted";
    PurchaseItemWrittenOff => "purchase.item_written_off", "a lost item of a purchase was written off";
    PurchaseOutcomeRecorded => "purchase.outcome_recorded", "a user recorded the outcome of a purchase";
    PurchaseReconciled => "purchase.reconciled", "a purchase was reconciled with its marketplace";
    RecoveryCodeUsed => "recovery_codes.used", "a recovery code was used";
    RecoveryCodesRegenerated => "recovery_codes.regenerated", "new recovery codes replaced the old ones";
    RemediationActed => "remediation.acted", "a user ran an action on a problem";
    RemediationAssigned => "remediation.assigned", "a problem was assigned to a user";
    RemediationDismissed => "remediation.dismissed", "a user dismissed a problem";
    SessionOthersRevoked => "session.others_revoked", "all sessions except the calling one were revoked";
    SessionRevoked => "session.revoked", "a session was revoked";
    SessionSecondFactorAsked => "session.second_factor_asked", "a sign-in waits for a second factor";
    SessionSignInFailed => "session.sign_in_failed", "a sign-in was rejected";
    SessionSignedIn => "session.signed_in", "a user signed in";
    SessionSignedOut => "session.signed_out", "a user signed out";
    RenewalCancelled => "renewal.cancelled", "a user cancelled the renewal of a token of a trading account";
    RenewalRequested => "renewal.requested", "a user asked the engine to renew a token of a trading account now";
    SnapshotCreated => "snapshot.created", "a user asked for a snapshot of an inventory";
    StepUpBegin => "step_up.begin", "a second-factor check was started";
    StepUpCompleted => "step_up.completed", "a second-factor check was passed";
    StepUpFailed => "step_up.failed", "an answer to a second-factor check was wrong";
    TotpBegin => "totp.begin", "enrolling an authenticator app was started";
    TotpDisabled => "totp.disabled", "the authenticator app was removed";
    TotpEnabled => "totp.enabled", "an authenticator app was enrolled";
    TradeOfferAcceptRequested => "trade_offer.accept_requested", "a user asked the engine to accept a trade offer";
    TradeOfferCancelRequested => "trade_offer.cancel_requested", "a user asked the engine to cancel a trade offer";
    TradeOfferDeclineRequested => "trade_offer.decline_requested", "a user asked the engine to decline a trade offer";
    TradeOfferRefreshRequested => "trade_offer.refresh_requested", "a user asked the engine to read the trade offers of an account";
    TradeOfferSendRequested => "trade_offer.send_requested", "a user asked the engine to send a trade offer; with the number of items that it gives";
    UserDeleted => "user.deleted", "a user deleted the account";
    UserFactorsReset => "user.factors_reset", "an operator removed every second factor";
    UserRegistered => "user.registered", "the process created a user";
    UserResetLinkIssued => "user.reset_link_issued", "an operator created a link that sets the password";
    UserSignedUp => "user.signed_up", "a user signed up";
    UserUpdated => "user.updated", "a profile was changed";
    WebhookDeliveryResent => "webhook_delivery.resent", "a delivery that ended is tried once more";
    WebhookEndpointCreated => "webhook_endpoint.created", "a webhook endpoint was created";
    WebhookEndpointDeleted => "webhook_endpoint.deleted", "a webhook endpoint and its secret were deleted";
    WebhookEndpointDisabled => "webhook_endpoint.disabled", "a user disabled a webhook endpoint, or it no longer worked; with the cause";
    WebhookEndpointEnabled => "webhook_endpoint.enabled", "a disabled webhook endpoint was enabled";
    WebhookEndpointTested => "webhook_endpoint.tested", "a test was sent to a webhook endpoint";
    WebhookEndpointUpdated => "webhook_endpoint.updated", "address, description or types of a webhook endpoint were changed";
    WebhookEventsReplayed => "webhook_endpoint.replayed", "events of the past are delivered to an endpoint once more; with their number";
    WebhookSecretRotated => "webhook_endpoint.secret_rotated", "the secret of a webhook endpoint was replaced";
    WorkspaceKeyDestroyed => "workspace_key.destroyed", "a data key was destroyed";
    WorkspaceKeyRotated => "workspace_key.rotated", "a new data key replaced the active one";
    WorkspaceCreated => "workspace.created", "a workspace was created";
    WorkspaceDeleted => "workspace.deleted", "a workspace was deleted";
    WorkspaceOwnershipTransferred => "workspace.ownership_transferred", "the ownership of a workspace was transferred";
    WorkspaceRemoved => "workspace.removed", "a deleted workspace was removed permanently";
    WorkspaceRestored => "workspace.restored", "a deleted workspace was restored";
    WorkspaceRisksAcknowledged => "workspace.risks_acknowledged", "a user acknowledged the risk notice; with its version";
    WorkspaceTradingHalted => "workspace.trading_halted", "trading was halted, or the reason of the halt was changed";
    WorkspaceTradingResumed => "workspace.trading_resumed", "trading was resumed";
    WorkspaceUpdated => "workspace.updated", "name, description or settings of a workspace were changed; with the new settings";
}

/// A fact that is recorded with an event.
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
    /// The most that a trading account gives within 24 h, in cents; left out where no limit applies.
    MaxGiveCentsPerDay,
    /// The same within an hour.
    MaxGiveCentsPerHour,
    /// The method by which a user authenticated.
    Method,
    /// The version of the notice that was read.
    NoticeVersion,
    /// Names of policies.
    Policies,
    /// The networks from which a key may be used, with blanks between; empty where it may be used from anywhere.
    Networks,
    /// The other platform.
    Provider,
    /// The reason, in the words of the caller.
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
    MaxGiveCentsPerDay => "maxGiveCentsPerDay",
    MaxGiveCentsPerHour => "maxGiveCentsPerHour",
    Method => "method",
    NoticeVersion => "noticeVersion",
    Policies => "policies",
    Networks => "networks",
    Provider => "provider",
    Reason => "reason",
    Request => "requestId",
    RequireTwoFactor => "requireTwoFactor",
    Role => "role",
}
