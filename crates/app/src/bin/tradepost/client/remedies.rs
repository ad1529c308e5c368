//! What to try after a call that the server rejected, by the reason that it names.
//!
//! The operator replaces words in capital letters by what they name: a name, an id.

use tradepost::operations::Reason;

use super::records::Records;
use crate::failure::Failure;

/// Reasons, and what helps with each of them. Those of the records that a command names are in [`about`] and in `perform`.
static REMEDIES: &[(&[Reason], &[&str])] = &[
    (&[Reason::PermissionDenied], &["see what the key may do: tradepost workspace permissions"]),
    (&[Reason::Unimplemented], &["use the program of the server's version"]),
    (
        &[Reason::HostRefused],
        &["call the server by another name with --url, or add the name to its setting server.host_names"],
    ),
    (
        &[
            Reason::Conflict,
            Reason::CallerChanged,
            Reason::Overloaded,
            Reason::Busy,
            Reason::RateLimited,
            Reason::IdempotencyInProgress,
            Reason::KeyEncryptionUnavailable,
            Reason::ChallengeInvalid,
            Reason::ChallengeExhausted,
            Reason::StaleStep,
        ],
        &["run the command again"],
    ),
    (&[Reason::VersionMismatch], &["run the command again, with the present version where it takes --version"]),
    (
        &[Reason::StorageUnavailable],
        &["run the command again", "check the database where the server is: tradepost doctor"],
    ),
    (&[Reason::Internal], &["look for the cause where the server is, in its log and by: tradepost doctor"]),
    (
        &[Reason::OutcomeUnknown, Reason::DeadlineExceeded, Reason::IdempotencyAnswerGone],
        &["see what was changed before you run the command again: tradepost audit list"],
    ),
    (
        &[Reason::StepUpRequired, Reason::CodeMismatch],
        &["give the present code of the authenticator app with --totp-code CODE or TRADEPOST_TOTP_CODE"],
    ),
    (
        &[Reason::ReauthRequired, Reason::NoStepUpMethod, Reason::EmailStepUpNotAllowed, Reason::TwoFactorRequired],
        &["add an authenticator app in the console, under Settings, Signing in"],
    ),
    (
        &[Reason::RisksNotAcknowledged],
        &[
            "read the risks: tradepost workspace risks",
            "then acknowledge them: tradepost workspace acknowledge-risks VERSION",
        ],
    ),
    (&[Reason::OtherNoticeVersion], &["read the risks as they are now: tradepost workspace risks"]),
    // Members and keys.
    (
        &[
            Reason::MembershipNotAccepted,
            Reason::MembershipNotSuspended,
            Reason::LastOwner,
            Reason::AlreadyMember,
            Reason::AlreadyInvited,
            Reason::MemberLimit,
        ],
        &["see the members and invitations: tradepost members list"],
    ),
    (
        &[Reason::RoleExceedsCaller, Reason::PoliciesExceedCaller],
        &["see what the key may give: tradepost workspace permissions"],
    ),
    (&[Reason::PoliciesExceedOwner], &["see what its owner may do: tradepost members list -o wide"]),
    (&[Reason::UnknownPolicy, Reason::DuplicatePolicy], &["see the policies: tradepost call ListPolicies"]),
    (&[Reason::ApiKeyLimit], &["revoke one of the keys: tradepost keys list", "then: tradepost keys revoke NAME"]),
    (&[Reason::ApiKeyRevoked, Reason::ApiKeyExpired], &["create another key: tradepost keys create --help"]),
    (&[Reason::KeyOfAnother], &["see whose key it is: tradepost keys list --owners -o wide"]),
    (
        &[Reason::IdentityNeedsSignIn],
        &["create the key where the database is: tradepost key create --name NAME --policy identity"],
    ),
    (&[Reason::ExpiryInPast, Reason::ExpiryTooFar], &["give another time, such as --expires 90d"]),
    (
        &[Reason::SignUpClosed, Reason::SignUpNotSetUp],
        &["create the user where the database is: tradepost user create EMAIL --name NAME"],
    ),
    // Trading accounts.
    (&[Reason::AccountExists, Reason::AccountRemoved], &["see the trading accounts: tradepost accounts list"]),
    (&[Reason::ChatDisabled], &["enable its chat: tradepost accounts edit ACCOUNT --chat"]),
    (&[Reason::FriendActionInFlight], &["run the command again in 2 min"]),
    (&[Reason::AccountAtWork], &["see its open purchases: tradepost purchases list --account ACCOUNT"]),
    (
        &[Reason::TradesNotAcknowledged],
        &["accept the platform's notice for it: tradepost accounts acknowledge --account ACCOUNT"],
    ),
    (
        &[Reason::GivingNotEnabled],
        &["let it give items, after reading what can be lost: tradepost accounts enable-giving ACCOUNT"],
    ),
    (
        &[Reason::GivingLimitReached],
        &["try again later, or raise its limits: tradepost accounts edit ACCOUNT --max-give-per-day 200"],
    ),
    (&[Reason::AccountNotReady], &["see what the account lacks: tradepost accounts ready ACCOUNT"]),
    (&[Reason::TradeURLUnknown], &["have the engine read it: tradepost accounts refresh ACCOUNT"]),
    (
        &[Reason::AccountWithoutAuthenticator, Reason::AccountWithoutIdentitySecret, Reason::AccountWithoutPassword],
        &["store what is missing: tradepost accounts edit ACCOUNT --secrets-file FILE"],
    ),
    (&[Reason::AccountNotSignedIn], &["sign the account in: tradepost account-sessions start ACCOUNT"]),
    (
        &[Reason::SessionOpen],
        &[
            "see the session: tradepost account-sessions list --account ACCOUNT",
            "then: tradepost account-sessions end SESSION",
        ],
    ),
    (
        &[Reason::AccountAssigned, Reason::AccountGroupInUse, Reason::AssignmentExists],
        &["see the assignments: tradepost assignments list"],
    ),
    (&[Reason::SnapshotNotComplete], &["see the complete ones: tradepost snapshots list --status complete"]),
    (&[Reason::TooManyImports], &["apply or cancel one of them: tradepost imports list --status checked"]),
    // Providers.
    (&[Reason::ProviderExists], &["see the providers: tradepost providers list"]),
    (&[Reason::UnknownDriver], &["see the drivers: tradepost providers drivers"]),
    (
        &[Reason::MarketplaceNotOnRecord, Reason::MarketplaceReadOnly, Reason::OtherMarketplace],
        &["see the marketplaces: tradepost providers list --kind marketplace"],
    ),
    (&[Reason::ProviderDisabled], &["enable the marketplace: tradepost providers enable PROVIDER"]),
    (&[Reason::ProviderInUse], &["disable it instead: tradepost providers disable PROVIDER"]),
    (
        &[Reason::FeesUnknown, Reason::ProviderNotConnected],
        &["see whether the marketplace answers: tradepost providers test PROVIDER"],
    ),
    // Contracts and pools.
    (&[Reason::ContractLimits], &["change the limit that the error names; the flags: tradepost contracts edit --help"]),
    (
        &[
            Reason::ContractNotActive,
            Reason::ContractOutOfTime,
            Reason::ContractEnded,
            Reason::ContractNotEnded,
            Reason::ContractHasRoom,
            Reason::ContractFull,
            Reason::QuantityReached,
            Reason::TooManyOpen,
            Reason::BudgetTooLow,
            Reason::DailyBudgetTooLow,
            Reason::ItemNameLimit,
            Reason::CoolingDown,
            Reason::TooManyListed,
            Reason::TooExpensive,
            Reason::BelowFloor,
            Reason::MarginTooLow,
        ],
        &["see the status and the limits of the contract: tradepost contracts show CONTRACT"],
    ),
    (&[Reason::ContractNeverBuys], &["see the contracts that buy: tradepost contracts list --type buying"]),
    (&[Reason::ContractNeverSells], &["see the contracts that sell: tradepost contracts list --type selling"]),
    (&[Reason::ContractStillOpen], &["see what is open: tradepost purchases list --contract CONTRACT"]),
    (&[Reason::FixedField], &["draft another contract: tradepost contracts clone CONTRACT --name NAME"]),
    (&[Reason::MatchesEverything], &["add a rule; the flags: tradepost filter-sets edit --help"]),
    (&[Reason::FilterSetInUse, Reason::PoolInUse], &["see the contracts: tradepost contracts list"]),
    (&[Reason::LimitBelowUse], &["give a limit that is not below what the error says is in use"]),
    (&[Reason::OtherCurrency], &["leave --currency out"]),
    (&[Reason::PoolNotActive], &["resume the pool: tradepost pools resume POOL"]),
    (
        &[Reason::PoolPurchaseLimit, Reason::PoolItemExposure, Reason::PoolDailyLimit, Reason::BeyondPool],
        &["see what the pool allows: tradepost pools show POOL"],
    ),
    (
        &[Reason::NoEligibleAccount],
        &["see which accounts can work for the pool: tradepost assignments resolve POOL buy"],
    ),
    (
        &[Reason::PoolFundsTooLow],
        &[
            "see where its money is: tradepost pools balance POOL",
            "or deposit some: tradepost pools fund POOL 100.00 --reason TEXT",
        ],
    ),
    (&[Reason::AbovePoolBudget], &["raise its budget: tradepost pools edit POOL --budget 1000.00"]),
    (&[Reason::PoolArchived], &["use another pool: tradepost pools list --status active"]),
    (&[Reason::PoolHoldsMoney], &["see where its money is: tradepost pools balance POOL"]),
    (&[Reason::TradingHalted], &["end the halt: tradepost halt --resume"]),
    // Intents, purchases, items and remediations.
    (&[Reason::ApprovalNeeded], &["decide on what waits: tradepost intents approve"]),
    (&[Reason::IntentExists, Reason::IntentExpired], &["see the intents: tradepost intents list"]),
    (
        &[Reason::IntentHasPurchase, Reason::ListingTaken, Reason::OrderOwned],
        &["see the purchases: tradepost purchases list"],
    ),
    (&[Reason::NotTraded, Reason::NotBought], &["see the status of the purchase: tradepost purchases show PURCHASE"]),
    (&[Reason::ItemOnRecord, Reason::AssetIdOwned], &["see the item: tradepost search ASSET"]),
    (&[Reason::ItemClosed, Reason::OtherContract], &["see the item: tradepost inventory show ITEM"]),
    (
        &[Reason::ChainFull, Reason::IllegalLink, Reason::IllegalSuccessor, Reason::AssetIdUnchanged],
        &["see the asset ids of the item: tradepost inventory chain ITEM"],
    ),
    (&[Reason::OfferRequestOpen], &["read the offer until the engine has finished: tradepost offers show OFFER"]),
    (
        &[
            Reason::ActionNotAllowed,
            Reason::AbsenceNotProven,
            Reason::OtherTrade,
            Reason::OtherListing,
            Reason::OtherAsset,
        ],
        &["see what helps, and what was found: tradepost remediations show REMEDIATION"],
    ),
    (
        &[Reason::WatchExpired],
        &[
            "begin with the changes of the last 31 days: tradepost transitions tail --all",
            "or with the next one: tradepost transitions tail",
        ],
    ),
    // Alerts and webhooks.
    (&[Reason::AlertLimit], &["delete one of the channels or rules: tradepost alerts channels"]),
    (&[Reason::AlertsDisabled], &["allow the kind where the server is, by its setting below notifications"]),
    (&[Reason::WebhooksDisabled], &["allow them where the server is: setting notifications.webhooks"]),
    (&[Reason::WebhookEndpointLimit], &["delete one of the endpoints: tradepost webhooks list"]),
    (&[Reason::ReplayTooLarge], &["name a shorter span with --from and --to"]),
];

/// What to try after a rejection for this reason.
pub(super) fn of(reason: &str) -> &'static [&'static str] {
    let of_reason = REMEDIES.iter().find(|(reasons, _)| reasons.iter().any(|known| known.as_str() == reason));
    of_reason.map(|(_, remedies)| *remedies).unwrap_or_default()
}

/// A failure with what to try about the record that was named: the list of those that exist, or its status.
pub(super) fn about(failure: Failure, records: &Records, given: &str) -> Failure {
    if failure.has_reason("NOT_FOUND") {
        failure.with_try(records.listed_by)
    } else if failure.has_reason("ILLEGAL_STEP") {
        let show = records.listed_by.replacen(" list", " show", 1);
        failure.with_try(format!("see its status: {show} {given:?}"))
    } else {
        failure
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cli::written;
    use crate::client::records::intents::INTENTS;
    use crate::failure::Exit;

    #[test]
    fn every_command_to_try_is_one_that_the_command_line_accepts() {
        let mut command_line = written::command_line();
        let mut wrong = Vec::new();
        for remedy in REMEDIES.iter().flat_map(|(_, remedies)| *remedies) {
            let Some(at) = remedy.find("tradepost ") else { continue };
            let commands = written::commands(&remedy[at..]);
            assert_eq!(commands.len(), 1, "{remedy}");
            wrong.extend(commands.iter().filter_map(|words| written::mistake(&mut command_line, words)));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn a_reason_has_its_remedies_in_one_place() {
        let all: Vec<Reason> = REMEDIES.iter().flat_map(|(reasons, _)| reasons.iter().copied()).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        assert_eq!(of("TRADING_HALTED"), ["end the halt: tradepost halt --resume"]);
        assert!(of("OF_A_LATER_SERVER").is_empty());
    }

    #[test]
    fn what_is_wrong_with_a_record_is_followed_by_what_shows_it() {
        let tried = |reason: &str| {
            let failure = Failure::new(Exit::Failed, "rejected").with_reason(Some(reason.to_owned()));
            about(failure, &INTENTS, "1").to_string()
        };
        assert_eq!(tried("NOT_FOUND"), "error: rejected\n  try: tradepost intents list");
        assert_eq!(tried("ILLEGAL_STEP"), "error: rejected\n  try: see its status: tradepost intents show \"1\"");
        assert_eq!(tried("CONFLICT"), "error: rejected");
    }
}
