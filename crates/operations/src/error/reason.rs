//! The reasons of errors: a stable name for each case, for programs. `docs/reference/errors.md` is generated from this list.

mod define;

use define::reasons;

reasons! {
    "The protocols" {
        /// send a message that can be read: a JSON object in UTF-8, or protobuf, and headers as the protocol has them
        Malformed = "MALFORMED", "invalid_argument";
        /// correct the name that the message quotes; a client newer than its server sends `tradepost-unknown-fields:
        /// ignore`
        UnknownField = "UNKNOWN_FIELD", "invalid_argument";
        /// send a smaller body; its size counts after decompression. The same body is never accepted, so do not retry
        BodyTooLarge = "BODY_TOO_LARGE", "invalid_argument";
        /// send fewer or shorter headers
        HeadersTooLarge = "HEADERS_TOO_LARGE", "resource_exhausted (431)";
        /// call the server by a name that it [answers to](server-limits.md#names-of-the-server)
        HostRefused = "HOST_REFUSED", "permission_denied";
        /// call from a page of the server, with the [headers of a page](api.md#browsers); a program sends `Authorization` instead of
        /// `tradepost-session`
        OriginRefused = "ORIGIN_REFUSED", "permission_denied";
        /// wait longer; look the record up before writing again
        DeadlineExceeded = "DEADLINE_EXCEEDED", "deadline_exceeded (504)";
        /// check the path, and the encoding that the message names
        Unimplemented = "UNIMPLEMENTED", "unimplemented (404)";
        /// use one of `Allow`
        HttpMethodNotAllowed = "HTTP_METHOD_NOT_ALLOWED", "unknown (405)";
        /// use one of `Accept-Post`
        UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", "unknown (415)";
    }

    "Any operation" {
        /// send a valid API key, from a network that it allows, or session token in `Authorization`
        Unauthenticated = "UNAUTHENTICATED", "unauthenticated";
        /// use a key or session that has the policy in this workspace
        PermissionDenied = "PERMISSION_DENIED", "permission_denied";
        /// with a session, name the workspace in the header `x-workspace-id`
        WorkspaceRequired = "WORKSPACE_REQUIRED", "invalid_argument";
        /// wait as `Retry-After` says
        RateLimited = "RATE_LIMITED", "resource_exhausted";
        /// correct the field that the message names
        InvalidField = "INVALID_FIELD", "invalid_argument";
        /// check the id
        NotFound = "NOT_FOUND", "not_found";
        /// send a cursor only to the list that gave it, with the same workspace and filters
        InvalidCursor = "INVALID_CURSOR", "invalid_argument";
        /// sign in again, then try again within 10 minutes: a user without a factor proves nothing else
        ReauthRequired = "REAUTH_REQUIRED", "failed_precondition";
        /// call `BeginStepUp`, then `CompleteStepUp`, then try again: within 10 minutes, within 2 where it cannot be undone
        StepUpRequired = "STEP_UP_REQUIRED", "failed_precondition";
        /// the `idempotency-key` was used with another request; take a new one
        IdempotencyMismatch = "IDEMPOTENCY_MISMATCH", "invalid_argument";
        /// a server of an earlier version carries out the first call with this `idempotency-key`; try again after
        /// `Retry-After`
        IdempotencyInProgress = "IDEMPOTENCY_IN_PROGRESS", "failed_precondition";
        /// the call was carried out, and its answer is not kept; read what it changed
        IdempotencyAnswerGone = "IDEMPOTENCY_ANSWER_GONE", "failed_precondition";
        /// the record has changed since it was read; read it again and decide again
        VersionMismatch = "VERSION_MISMATCH", "failed_precondition";
        /// others kept changing the same record; try again
        Conflict = "CONFLICT", "failed_precondition";
        /// your rights changed during the call and nothing was done; try again
        CallerChanged = "CALLER_CHANGED", "failed_precondition";
        /// nothing; it is there
        AlreadyExists = "ALREADY_EXISTS", "already_exists";
        /// too many writes are waiting; try again in a few seconds
        Overloaded = "OVERLOADED", "resource_exhausted";
        /// too many password checks are waiting, or too many calls of the workspace or of the server are in progress; try
        /// again in a few seconds
        Busy = "BUSY", "resource_exhausted";
        /// nothing was written; try again
        StorageUnavailable = "STORAGE_UNAVAILABLE", "internal";
        /// it may have been written; look the record up before trying again
        OutcomeUnknown = "OUTCOME_UNKNOWN", "internal";
        /// report it to the operator, with the `x-request-id`
        Internal = "INTERNAL", "internal";
    }

    "Accounts" {
        /// the invitation was accepted, declined or revoked before
        MembershipNotPending = "MEMBERSHIP_NOT_PENDING", "failed_precondition";
        /// ask for a new invitation
        InvitationExpired = "INVITATION_EXPIRED", "failed_precondition";
        /// the invitation was mailed less than 10 minutes ago; the message says when it can be again
        ResendTooSoon = "RESEND_TOO_SOON", "failed_precondition";
        /// the membership is invited only, ended or suspended; a remediation is assigned only to an accepted member
        MembershipNotAccepted = "MEMBERSHIP_NOT_ACCEPTED", "failed_precondition";
        /// the member is not suspended
        MembershipNotSuspended = "MEMBERSHIP_NOT_SUSPENDED", "failed_precondition";
        /// the owner is never suspended, removed or changed; transfer ownership first
        LastOwner = "LAST_OWNER", "failed_precondition";
        /// the owner cannot leave; transfer ownership first
        OwnerCannotLeave = "OWNER_CANNOT_LEAVE", "failed_precondition";
        /// only an accepted member, and not the owner, can become the owner
        NotAccepted = "NOT_ACCEPTED", "failed_precondition";
        /// the workspace asks its members for an authenticator app or a passkey; add one first
        TwoFactorRequired = "TWO_FACTOR_REQUIRED", "failed_precondition";
        /// a workspace that the message names asks for it, and it is the last one; add another one, or leave the workspace
        RequiredByWorkspace = "REQUIRED_BY_WORKSPACE", "failed_precondition";
        /// so many members as the message says have neither an authenticator app nor a passkey; they add one, or go
        MembersWithoutTwoFactor = "MEMBERS_WITHOUT_TWO_FACTOR", "failed_precondition";
        /// the workspace takes no code that was mailed; step up by an authenticator app or a passkey
        EmailStepUpNotAllowed = "EMAIL_STEP_UP_NOT_ALLOWED", "failed_precondition";
        /// the new owner needs an authenticator app or a passkey first
        TargetNoTwoFactor = "TARGET_NO_TWO_FACTOR", "failed_precondition";
        /// `confirmName` is not the name of the workspace
        NameMismatch = "NAME_MISMATCH", "failed_precondition";
        /// purchases are in progress; wait until they are over
        HasOpenPurchases = "HAS_OPEN_PURCHASES", "failed_precondition";
        /// the workspace was deleted; its owner can restore it for 30 days
        WorkspaceDeleted = "WORKSPACE_DELETED", "failed_precondition";
        /// the workspace is not deleted; there is nothing to restore
        WorkspaceNotDeleted = "WORKSPACE_NOT_DELETED", "failed_precondition";
        /// transfer or delete the workspaces that you own before your account
        OwnsWorkspace = "OWNS_WORKSPACE", "failed_precondition";
        /// the person is a member of this workspace
        AlreadyMember = "ALREADY_MEMBER", "failed_precondition, already_exists";
        /// the address has a pending invitation
        AlreadyInvited = "ALREADY_INVITED", "already_exists";
        /// neither ownership nor the policy `identity` can be offered or given to a member
        InvalidOffer = "INVALID_OFFER", "invalid_argument";
        /// only the owner makes admins, and governs them
        RoleExceedsCaller = "ROLE_EXCEEDS_CALLER", "permission_denied";
        /// a caller can give only the policies that it has
        PoliciesExceedCaller = "POLICIES_EXCEED_CALLER", "permission_denied";
        /// a key never holds a policy that its owner does not have
        PoliciesExceedOwner = "POLICIES_EXCEED_OWNER", "permission_denied";
        /// only the key's own user can widen or rotate it; revoke it, and let its user create another one
        KeyOfAnother = "KEY_OF_ANOTHER", "permission_denied";
        /// `ListPolicies` has the names; each at most once
        UnknownPolicy = "UNKNOWN_POLICY", "invalid_argument";
        /// `ListPolicies` has the names; each at most once
        DuplicatePolicy = "DUPLICATE_POLICY", "invalid_argument";
        /// the workspace has as many members and invitations as it may
        MemberLimit = "MEMBER_LIMIT", "failed_precondition";
        /// revoke a key first
        ApiKeyLimit = "API_KEY_LIMIT", "failed_precondition";
        /// the key has expired; make a new one
        ApiKeyExpired = "API_KEY_EXPIRED", "failed_precondition";
        /// the key is revoked already
        ApiKeyRevoked = "API_KEY_REVOKED", "failed_precondition";
        /// the key seals what is stored now; call `RotateWorkspaceKey` first
        Active = "ACTIVE", "failed_precondition";
        /// secrets are still sealed under the key; resealing is in progress, `recordsRemaining` is the number left
        StillInUse = "STILL_IN_USE", "failed_precondition";
        /// the key is destroyed already
        AlreadyDestroyed = "ALREADY_DESTROYED", "failed_precondition";
        /// what keeps the key-encryption key does not answer; nothing was done, try again
        KeyEncryptionUnavailable = "KEY_ENCRYPTION_UNAVAILABLE", "internal";
        /// a key cannot give the policy `identity`; a session can, and the command line on the server
        IdentityNeedsSignIn = "IDENTITY_NEEDS_SIGN_IN", "permission_denied";
        /// choose another time
        ExpiryInPast = "EXPIRY_IN_PAST", "failed_precondition";
        /// choose an earlier time, within ten years and within what the workspace allows; where it has a limit, a key has
        /// to end
        ExpiryTooFar = "EXPIRY_TOO_FAR", "failed_precondition";
        /// not an e-mail address
        InvalidEmail = "INVALID_EMAIL", "invalid_argument";
        /// another account uses the address
        EmailTaken = "EMAIL_TAKEN", "already_exists";
        /// the account has this address
        EmailUnchanged = "EMAIL_UNCHANGED", "failed_precondition";
        /// the address was changed less than 24 hours ago
        EmailChangeLocked = "EMAIL_CHANGE_LOCKED", "failed_precondition";
        /// no change of address waits for its confirmation
        NoEmailChange = "NO_EMAIL_CHANGE", "failed_precondition";
        /// the account has an e-mail credential
        EmailCredentialExists = "EMAIL_CREDENTIAL_EXISTS", "failed_precondition";
        /// only an account of another platform's user can get an e-mail credential
        NoLinkedIdentity = "NO_LINKED_IDENTITY", "failed_precondition";
        /// the link is unknown, used, replaced or expired; ask for a new one
        TokenInvalid = "TOKEN_INVALID", "failed_precondition";
        /// the account has no password
        NoPassword = "NO_PASSWORD", "failed_precondition";
        /// the current password is not right; or it is not the one that was entered with an address that is to be confirmed
        PasswordMismatch = "PASSWORD_MISMATCH", "permission_denied";
        /// the new password is the current one
        PasswordUnchanged = "PASSWORD_UNCHANGED", "failed_precondition";
        /// choose another password
        PasswordTooShort = "PASSWORD_TOO_SHORT", "invalid_argument";
        /// choose another password
        PasswordTooLong = "PASSWORD_TOO_LONG", "invalid_argument";
        /// choose another password
        PasswordTooWeak = "PASSWORD_TOO_WEAK", "invalid_argument";
        /// choose another password
        PasswordBreached = "PASSWORD_BREACHED", "invalid_argument";
        /// sign-up is closed, also with an identity that has no account; the operator makes accounts with `tradepost user
        /// create`
        SignUpClosed = "SIGN_UP_CLOSED", "failed_precondition";
        /// the server has no bot check (`bot_check.provider`) or no mail; the operator makes accounts with `tradepost user
        /// create`
        SignUpNotSetUp = "SIGN_UP_NOT_SET_UP", "failed_precondition";
        /// the operation needs a bot check, and the server has none (`bot_check.provider`)
        BotCheckNotSetUp = "BOT_CHECK_NOT_SET_UP", "failed_precondition";
        /// five sign-ins with the address failed from your network; send `botCheckToken` as well
        BotCheckRequired = "BOT_CHECK_REQUIRED", "failed_precondition";
        /// solve the check again
        BotCheckFailed = "BOT_CHECK_FAILED", "failed_precondition";
        /// the provider did not answer
        BotCheckUnavailable = "BOT_CHECK_UNAVAILABLE", "internal";
        /// at sign-in: unknown or unconfirmed address, wrong password or disabled account, without saying which; a disabled
        /// account's identity
        WrongCredentials = "WRONG_CREDENTIALS", "unauthenticated";
        /// send a code of the authenticator app or a recovery code as well
        CodeRequired = "CODE_REQUIRED", "failed_precondition";
        /// the link is unknown, used, expired or another user's, or the platform's answer does not belong to it; begin
        /// again
        LinkInvalid = "LINK_INVALID", "failed_precondition";
        /// the user has as many linked identities as allowed
        LinkLimit = "LINK_LIMIT", "failed_precondition";
        /// the identity is linked to another account
        IdentityTaken = "IDENTITY_TAKEN", "already_exists";
        /// it is the only way to sign in, or nothing else opens the account; add another way first
        LastSignInMethod = "LAST_SIGN_IN_METHOD", "failed_precondition";
        /// the operator has not set this platform up
        ProviderNotOffered = "PROVIDER_NOT_OFFERED", "failed_precondition";
        /// the platform did not confirm the identity, or the person did not agree
        ProviderDenied = "PROVIDER_DENIED", "failed_precondition";
        /// the platform did not answer, or not with sense; nothing was done, try again
        ProviderUnavailable = "PROVIDER_UNAVAILABLE", "internal";
        /// add and confirm an e-mail address first
        EmailNotVerified = "EMAIL_NOT_VERIFIED", "failed_precondition";
        /// the user owns as many workspaces as allowed
        WorkspaceLimit = "WORKSPACE_LIMIT", "failed_precondition";
        /// the user has no authenticator app, no passkey, and no verified address or a workspace that takes no mailed code
        NoStepUpMethod = "NO_STEP_UP_METHOD", "failed_precondition";
        /// unknown, used or expired; begin again
        ChallengeInvalid = "CHALLENGE_INVALID", "failed_precondition";
        /// too many wrong codes, or codes mailed; begin again
        ChallengeExhausted = "CHALLENGE_EXHAUSTED", "failed_precondition";
        /// the challenge is answered by a method that the message names; no try was spent
        OtherMethod = "OTHER_METHOD", "failed_precondition";
        /// the code is not right
        CodeMismatch = "CODE_MISMATCH", "permission_denied";
        /// an authenticator app is enrolled
        TotpEnabled = "TOTP_ENABLED", "failed_precondition";
        /// no authenticator app is enrolled
        TotpNotEnabled = "TOTP_NOT_ENABLED", "failed_precondition";
        /// call `BeginTOTPEnrollment` again
        EnrollmentInvalid = "ENROLLMENT_INVALID", "failed_precondition";
        /// call `BeginTOTPEnrollment` again
        EnrollmentExhausted = "ENROLLMENT_EXHAUSTED", "failed_precondition";
        /// the passkey's answer cannot be read
        CredentialMalformed = "CREDENTIAL_MALFORMED", "invalid_argument";
        /// the passkey's answer belongs to other options, another origin or another passkey, or did not verify the user
        CredentialRefused = "CREDENTIAL_REFUSED", "invalid_argument, permission_denied, unauthenticated (at sign-in by passkey)";
        /// a copy of the passkey was used, as its counter shows; it is disabled
        PasskeyCompromised = "PASSKEY_COMPROMISED", "permission_denied, unauthenticated (at sign-in by passkey)";
        /// the passkey is registered
        PasskeyExists = "PASSKEY_EXISTS", "already_exists";
        /// the user has as many passkeys as allowed
        PasskeyLimit = "PASSKEY_LIMIT", "failed_precondition";
    }

    "Trading accounts" {
        /// another trading account of the workspace has this name, or this number at its platform
        AccountExists = "ACCOUNT_EXISTS", "already_exists";
        /// the trading account was removed from the list
        AccountRemoved = "ACCOUNT_REMOVED", "failed_precondition";
        /// enable the chat of the account with `UpdateAccount` (`chatEnabled`) first
        ChatDisabled = "CHAT_DISABLED", "failed_precondition";
        /// the last action on this friend has no answer yet; the engine reads the list of friends within 2 minutes, try again then
        FriendActionInFlight = "FRIEND_ACTION_IN_FLIGHT", "failed_precondition";
        /// purchases, items or trade offers of the account are not over; the message says how many
        AccountAtWork = "ACCOUNT_AT_WORK", "failed_precondition";
        /// accept the platform's notice for the account with `AcknowledgeTradeProtection` first
        TradesNotAcknowledged = "TRADES_NOT_ACKNOWLEDGED", "failed_precondition";
        /// the account may not give items at its platform: a person lets it by `EnableGiving`
        GivingNotEnabled = "GIVING_NOT_ENABLED", "failed_precondition";
        /// the account would give more than its limits allow, or the value of an item is not known; the message has the figures. Try again later, or change the limits by `UpdateAccount`
        GivingLimitReached = "GIVING_LIMIT_REACHED", "failed_precondition";
        /// the account has no identity secret of 20 bytes in base 64, by which its confirmations are read; store it with its other secrets
        AccountWithoutIdentitySecret = "ACCOUNT_WITHOUT_IDENTITY_SECRET", "failed_precondition";
        /// the account that is to receive an item was never signed in, or it is disabled or banned
        AccountNotReady = "ACCOUNT_NOT_READY", "failed_precondition";
        /// the trade URL of the account that is to receive an item is not known: refresh the account, or set its `tradeToken` by `UpdateAccount`
        TradeURLUnknown = "TRADE_URL_UNKNOWN", "failed_precondition";
        /// read the risk notice by `GetRiskNotice`, acknowledge its version by `AcknowledgeRiskNotice`, and try again
        RisksNotAcknowledged = "RISKS_NOT_ACKNOWLEDGED", "failed_precondition";
        /// the risk notice has another version now; read it again by `GetRiskNotice`
        OtherNoticeVersion = "OTHER_NOTICE_VERSION", "failed_precondition";
        /// the account has no shared secret that makes codes; store it with the other secrets of the account
        AccountWithoutAuthenticator = "ACCOUNT_WITHOUT_AUTHENTICATOR", "failed_precondition";
        /// no login name and password are stored for the account; store them with `UpdateAccount`
        AccountWithoutPassword = "ACCOUNT_WITHOUT_PASSWORD", "failed_precondition";
        /// the account has no session that works; start one by `StartAccountSession`
        AccountNotSignedIn = "ACCOUNT_NOT_SIGNED_IN", "failed_precondition";
        /// a session of the account works or is being started; end it by `EndAccountSession` first
        SessionOpen = "SESSION_OPEN", "failed_precondition";
        /// assignments name the account; delete them first
        AccountAssigned = "ACCOUNT_ASSIGNED", "failed_precondition";
        /// a group takes 1,000 accounts
        AccountGroupFull = "ACCOUNT_GROUP_FULL", "failed_precondition";
        /// the platform did not show every item, or the snapshot is not taken yet; compare two that are `COMPLETE`
        SnapshotNotComplete = "SNAPSHOT_NOT_COMPLETE", "failed_precondition";
        /// assignments name the group; delete them first
        AccountGroupInUse = "ACCOUNT_GROUP_IN_USE", "failed_precondition";
        /// 10 imports of the workspace are checked and not applied; apply or cancel one
        TooManyImports = "TOO_MANY_IMPORTS", "failed_precondition";
        /// the account or group is assigned to this pool; change that assignment
        AssignmentExists = "ASSIGNMENT_EXISTS", "already_exists";
    }

    "Providers" {
        /// another provider of this kind has this name in the workspace
        ProviderExists = "PROVIDER_EXISTS", "already_exists";
        /// this server has no such driver; `ListProviderDrivers` names those it has
        UnknownDriver = "UNKNOWN_DRIVER", "failed_precondition";
        /// the contract names a marketplace for which the workspace has no provider: add it with `CreateProvider`, or
        /// correct the name
        MarketplaceNotOnRecord = "MARKETPLACE_NOT_ON_RECORD", "failed_precondition";
        /// a person took the marketplace out of work: nothing is bought or put on sale there until it is enabled
        ProviderDisabled = "PROVIDER_DISABLED", "failed_precondition";
        /// the marketplace is only read: the driver of its provider neither buys nor sells there
        MarketplaceReadOnly = "MARKETPLACE_READ_ONLY", "failed_precondition";
        /// contracts that have not ended name the provider, purchases or items there are open, or trading accounts are
        /// there; the message says how many
        ProviderInUse = "PROVIDER_IN_USE", "failed_precondition";
        /// the marketplace, or each that the contract names, has not reported its fees yet; an engine that trades there
        /// requests them
        FeesUnknown = "FEES_UNKNOWN", "failed_precondition";
    }

    "Contracts, filter sets, pools, intents, purchases, items and remediations" {
        /// the record's status does not allow this step; the message names both
        IllegalStep = "ILLEGAL_STEP", "failed_precondition";
        /// an inventory item of the workspace has this asset id, and the ledger its cost: sell it by `ListItemForSale`, or move it to
        /// another account by `TransferItem`; one that is lost is written off by `WriteOffItem`
        ItemOnRecord = "ITEM_ON_RECORD", "failed_precondition";
        /// the confirmation would change who controls the account: allow it in the platform's own app, or deny it
        ConfirmationNotAllowedHere = "CONFIRMATION_NOT_ALLOWED_HERE", "failed_precondition";
        /// the engine has not finished an earlier request about the offer or its items; read the offer until its `request` is over
        OfferRequestOpen = "OFFER_REQUEST_OPEN", "failed_precondition";
        /// the contract's limits do not fit each other; the message names them
        ContractLimits = "CONTRACT_LIMITS", "failed_precondition";
        /// the contract takes no purchases now
        ContractNotActive = "CONTRACT_NOT_ACTIVE", "failed_precondition";
        /// it is a selling contract, or only shows what it would do
        ContractNeverBuys = "CONTRACT_NEVER_BUYS", "failed_precondition";
        /// it is a buying contract
        ContractNeverSells = "CONTRACT_NEVER_SELLS", "failed_precondition";
        /// a person approves what this contract buys
        ApprovalNeeded = "APPROVAL_NEEDED", "failed_precondition";
        /// a live intent to buy the listing, or to sell or transfer the item, exists
        IntentExists = "INTENT_EXISTS", "already_exists";
        /// the action does not help with this problem; the message lists the possible actions: the remediation's
        /// `allowedActions`, `ResumeContract`, or a step in the external system
        ActionNotAllowed = "ACTION_NOT_ALLOWED", "failed_precondition";
        /// the intent was not decided on, or not carried out, in time; the message says until when that was
        IntentExpired = "INTENT_EXPIRED", "failed_precondition";
        /// a purchase was recorded for the intent before
        IntentHasPurchase = "INTENT_HAS_PURCHASE", "failed_precondition";
        /// no purchase is made for an intent of this kind
        IntentBuysNothing = "INTENT_BUYS_NOTHING", "failed_precondition";
        /// outside of the contract's time
        ContractOutOfTime = "CONTRACT_OUT_OF_TIME", "failed_precondition";
        /// its end has passed, or has not
        ContractEnded = "CONTRACT_ENDED", "failed_precondition";
        /// its end has passed, or has not
        ContractNotEnded = "CONTRACT_NOT_ENDED", "failed_precondition";
        /// purchases or listings of it are still open
        ContractStillOpen = "CONTRACT_STILL_OPEN", "failed_precondition";
        /// the limit that the message names is not reached, or is
        ContractHasRoom = "CONTRACT_HAS_ROOM", "failed_precondition";
        /// the limit that the message names is not reached, or is
        ContractFull = "CONTRACT_FULL", "failed_precondition";
        /// the rules of the filter set leave nothing out; add one in addition to `exclude`
        MatchesEverything = "MATCHES_EVERYTHING", "invalid_argument";
        /// pool and start of a contract that was activated stay; cancel it and draft another one
        FixedField = "FIXED_FIELD", "failed_precondition";
        /// the limit would be less than what is bought or in flight, or put into a pool; the message says how much that is
        LimitBelowUse = "LIMIT_BELOW_USE", "failed_precondition";
        /// a workspace keeps its money in one currency, which the message names; leave `currency` out
        OtherCurrency = "OTHER_CURRENCY", "failed_precondition";
        /// the pool is paused or archived and gives no money
        PoolNotActive = "POOL_NOT_ACTIVE", "failed_precondition";
        /// one more purchase would pass this limit of the pool; the message has the figures
        PoolPurchaseLimit = "POOL_PURCHASE_LIMIT", "failed_precondition";
        /// one more purchase would pass this limit of the pool; the message has the figures
        PoolItemExposure = "POOL_ITEM_EXPOSURE", "failed_precondition";
        /// one more purchase would pass this limit of the pool; the message has the figures
        PoolDailyLimit = "POOL_DAILY_LIMIT", "failed_precondition";
        /// a budget or the highest price of the contract is beyond what its pool allows; the message has both
        BeyondPool = "BEYOND_POOL", "failed_precondition";
        /// accounts are assigned to buy for the contract's pool, and each is disabled, banned or without that capability;
        /// enable one, or assign another
        NoEligibleAccount = "NO_ELIGIBLE_ACCOUNT", "failed_precondition";
        /// the pool has not as much money in the account that the message names
        PoolFundsTooLow = "POOL_FUNDS_TOO_LOW", "failed_precondition";
        /// the pool would have more capital than its budget
        AbovePoolBudget = "ABOVE_POOL_BUDGET", "failed_precondition";
        /// the pool was put away: it takes no capital and keeps its name and limits; what is available can be taken out
        PoolArchived = "POOL_ARCHIVED", "failed_precondition";
        /// money of the pool is reserved, paid, owed or in items; the message says where
        PoolHoldsMoney = "POOL_HOLDS_MONEY", "failed_precondition";
        /// contracts that have not ended name the pool
        PoolInUse = "POOL_IN_USE", "failed_precondition";
        /// nothing is bought in the workspace until the halt is lifted; the message says since when, and why
        TradingHalted = "TRADING_HALTED", "failed_precondition";
        /// contracts name the filter set, active or ended; it stays with them
        FilterSetInUse = "FILTER_SET_IN_USE", "failed_precondition";
        /// another node has taken or renewed the lease in the meantime; read the leases again
        LeaseTaken = "LEASE_TAKEN", "failed_precondition";
        /// another node does this part of the work now; nothing was done, leave it to that node
        LeaseLost = "LEASE_LOST", "failed_precondition";
        /// the workspace trades in the real market and was to trade in a simulated one, or the other way round; make
        /// another workspace for that
        MarketKind = "MARKET_KIND", "failed_precondition";
        /// the contract does not work on this marketplace
        OtherMarketplace = "OTHER_MARKETPLACE", "failed_precondition";
        /// one more purchase would pass this limit
        QuantityReached = "QUANTITY_REACHED", "failed_precondition";
        /// one more purchase would pass this limit
        TooManyOpen = "TOO_MANY_OPEN", "failed_precondition";
        /// one more purchase would pass this limit
        BudgetTooLow = "BUDGET_TOO_LOW", "failed_precondition";
        /// one more purchase would pass what the contract spends in a day, or what it takes of one market name; the message
        /// has the figures
        DailyBudgetTooLow = "DAILY_BUDGET_TOO_LOW", "failed_precondition";
        /// one more purchase would pass what the contract spends in a day, or what it takes of one market name; the message
        /// has the figures
        ItemNameLimit = "ITEM_NAME_LIMIT", "failed_precondition";
        /// the contract's last purchase is not long enough ago; the message says when it buys again
        CoolingDown = "COOLING_DOWN", "failed_precondition";
        /// as many items are on sale under the contract as may be
        TooManyListed = "TOO_MANY_LISTED", "failed_precondition";
        /// above the highest price
        TooExpensive = "TOO_EXPENSIVE", "failed_precondition";
        /// below the lowest price that the contract sells for
        BelowFloor = "BELOW_FLOOR", "failed_precondition";
        /// the sale would earn less over what the item has cost than the contract asks for
        MarginTooLow = "MARGIN_TOO_LOW", "failed_precondition";
        /// the item is on sale for another contract, or for none; that one or a person asks another price
        OtherContract = "OTHER_CONTRACT", "failed_precondition";
        /// not before the time in the message
        TooEarly = "TOO_EARLY", "failed_precondition";
        /// a live purchase of this listing exists
        ListingTaken = "LISTING_TAKEN", "already_exists";
        /// the evidence does not prove that no order exists, or what the marketplace shows contradicts it; the message says which
        AbsenceNotProven = "ABSENCE_NOT_PROVEN", "failed_precondition";
        /// the trade offer asks for items of ours; it is never accepted
        OfferAsksForOurs = "OFFER_ASKS_FOR_OURS", "failed_precondition";
        /// the evidence belongs to something else
        OtherTrade = "OTHER_TRADE", "failed_precondition";
        /// the evidence belongs to something else
        OtherListing = "OTHER_LISTING", "failed_precondition";
        /// the evidence belongs to something else
        OtherAsset = "OTHER_ASSET", "failed_precondition";
        /// no engine on this server can ask that marketplace, or works with that provider; start the engine that trades
        /// there, or end a purchase by `RecordPurchaseOutcome`
        ProviderNotConnected = "PROVIDER_NOT_CONNECTED", "failed_precondition";
        /// the purchase has not been traded yet
        NotTraded = "NOT_TRADED", "failed_precondition";
        /// only a bought item can have its purchase reversed
        NotBought = "NOT_BOUGHT", "failed_precondition";
        /// another live item of the workspace has this asset id
        AssetIdOwned = "ASSET_ID_OWNED", "failed_precondition";
        /// another purchase of the workspace has this order of the marketplace
        OrderOwned = "ORDER_OWNED", "failed_precondition";
        /// the same evidence is recorded with another asset id
        AssetIdMismatch = "ASSET_ID_MISMATCH", "failed_precondition";
        /// this source always changes the asset id
        AssetIdUnchanged = "ASSET_ID_UNCHANGED", "failed_precondition";
        /// behind `afterTransitionId` are changes from more than 31 days ago, of which some may no longer be watched; ask
        /// with `fromEnd` where the log ends, read what was missed with `ListTransitions`, and go on from there
        WatchExpired = "WATCH_EXPIRED", "failed_precondition";
        /// the chain has grown since it was read; read it again
        StaleStep = "STALE_STEP", "failed_precondition";
        /// this source cannot follow the last link, or cannot begin a chain
        IllegalSuccessor = "ILLEGAL_SUCCESSOR", "failed_precondition";
        /// the item's status does not allow this link
        IllegalLink = "ILLEGAL_LINK", "failed_precondition";
        /// the chain has as many links as it may
        ChainFull = "CHAIN_FULL", "failed_precondition";
        /// the item cannot be traded before its lock ends
        ItemLocked = "ITEM_LOCKED", "failed_precondition";
        /// the item's status is final
        ItemClosed = "ITEM_CLOSED", "failed_precondition";
    }

    "Alerts" {
        /// this server sends no alerts of this kind, or the member has no verified address; its operator can allow them
        /// with the settings of the kind
        AlertsDisabled = "ALERTS_DISABLED", "failed_precondition";
        /// the workspace or the member has 20 alert channels, or the channel has 20 rules; delete one first
        AlertLimit = "ALERT_LIMIT", "failed_precondition";
    }

    "Events" {
        /// this server sends no webhooks; its operator can allow them with the setting [`notifications.webhooks`](calls-to-others.md#webhooks)
        WebhooksDisabled = "WEBHOOKS_DISABLED", "failed_precondition";
        /// the workspace has 20 webhook endpoints; delete one first
        WebhookEndpointLimit = "WEBHOOK_ENDPOINT_LIMIT", "failed_precondition";
        /// the span has more than 10,000 events; name a shorter one
        ReplayTooLarge = "REPLAY_TOO_LARGE", "failed_precondition";
    }
}
