//! Registering trading accounts, their lives, and what they sign in by.

use std::num::NonZeroU64;
use tradepost_ports::store::Records;

use secrecy::{ExposeSecret, SecretString};
use time::Duration;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trade_offer::{OfferDraft, OfferOwner, OfferedAsset};
use tradepost_domain::trading::trading_account::{
    AccountEvent, AccountHealth, AccountLock, AccountRole, AccountStatus, CheckCode, LockReason,
};
use tradepost_domain::transition::Subject;
use tradepost_operations::trading::{
    AccountSecrets, CountAccounts, CreateAccount, DisableAccount, DraftTradeOffer, EnableAccount, GetAccountReadiness,
    GetAccounts, LimitsOfAccount, ListAccounts, ReadAccountSecrets, RemoveAccount, UpdateAccount,
};
use tradepost_operations::{Caller, Code};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{Samples, text};

use super::{Staff, refusal};

fn secret(secret: Option<&SecretString>) -> Option<&str> {
    secret.map(ExposeSecret::expose_secret)
}

#[tokio::test]
async fn an_account_is_registered_with_everything_and_gets_no_work_yet() {
    let staff = Staff::open().await;
    let account = staff.register(1).await;
    assert_eq!((account.name.as_str(), account.status, account.has_secrets), ("trader-1", AccountStatus::New, true));
    assert_eq!(account.capabilities.len(), 3, "nothing is everything");
    assert_eq!(account.limits.max_inventory, 1_000);
    assert_eq!(account.address().unwrap().token, text("AbCdEfGh"));
    let found = staff.found(account.id).await;
    assert_eq!((found.value, found.version), (account, 2));
}

#[tokio::test]
async fn what_an_account_signs_in_by_is_sealed_and_given_to_the_process_alone() {
    let staff = Staff::open().await;
    let workspace_id = staff.world.workspace_id;
    let secrets = AccountSecrets {
        login_name: Some("trader".into()),
        password: Some("päss".into()),
        shared_secret: None,
        identity_secret: Some("identity".into()),
        api_key: Some("key".into()),
    };
    let command = CreateAccount { secrets, ..staff.registration(1) };
    let account_id = staff.world.operations.create_account(&Caller::system(), command).await.unwrap().value.id;
    let wanted = ReadAccountSecrets { workspace_id, account_id };
    let read = staff.world.operations.read_account_secrets(&Caller::system(), wanted).await.unwrap().unwrap();
    assert_eq!(secret(read.login_name.as_ref()), Some("trader"));
    assert_eq!(secret(read.password.as_ref()), Some("päss"));
    assert_eq!(secret(read.shared_secret.as_ref()), None);
    assert_eq!(secret(read.identity_secret.as_ref()), Some("identity"));
    assert_eq!(secret(read.api_key.as_ref()), Some("key"));
    assert_eq!(
        refusal(staff.world.operations.read_account_secrets(&staff.keeper, wanted)).await,
        (Code::PermissionDenied, "PERMISSION_DENIED")
    );
    let new = AccountSecrets { password: Some("another".into()), ..AccountSecrets::default() };
    let update = UpdateAccount { secrets: new, ..nothing(&staff, account_id) };
    staff.world.operations.update_account(&Caller::system(), update).await.unwrap();
    let read = staff.world.operations.read_account_secrets(&Caller::system(), wanted).await.unwrap().unwrap();
    assert_eq!((secret(read.login_name.as_ref()), secret(read.password.as_ref())), (None, Some("another")));
    let remove = RemoveAccount { workspace_id, account_id, expected_version: None };
    staff.world.operations.remove_account(&Caller::system(), remove).await.unwrap();
    assert!(staff.world.operations.read_account_secrets(&Caller::system(), wanted).await.unwrap().is_none());
}

fn nothing(staff: &Staff, account_id: tradepost_domain::id::AccountId) -> UpdateAccount {
    UpdateAccount {
        workspace_id: staff.world.workspace_id,
        account_id,
        trade_token: None,
        capabilities: Vec::new(),
        limits: None,
        chat_enabled: None,
        secrets: AccountSecrets::default(),
        cancel_strange_offers: None,
        giving_limits: None,
        expected_version: None,
    }
}

#[tokio::test]
async fn a_name_and_a_number_are_taken_until_their_account_is_removed() {
    let staff = Staff::open().await;
    let (on, account) = (&staff.world.operations, staff.register(1).await);
    let taken = (Code::AlreadyExists, "ACCOUNT_EXISTS");
    assert_eq!(refusal(on.create_account(&Caller::system(), staff.registration(1))).await, taken);
    let numbered = CreateAccount { name: "another".to_owned(), ..staff.registration(1) };
    assert_eq!(refusal(on.create_account(&Caller::system(), numbered)).await, taken);
    let (workspace_id, account_id) = (staff.world.workspace_id, account.id);
    on.remove_account(&Caller::system(), RemoveAccount { workspace_id, account_id, expected_version: None })
        .await
        .unwrap();
    assert_ne!(staff.register(1).await.id, account.id);
    assert_eq!(staff.found(account.id).await.value.status, AccountStatus::Removed);
}

#[tokio::test]
async fn registering_removing_and_other_secrets_ask_for_a_second_factor() {
    let staff = Staff::open().await;
    let (on, account) = (&staff.world.operations, staff.register(1).await);
    let asked = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
    assert_eq!(refusal(on.create_account(&staff.keeper, staff.registration(2))).await, asked);
    let (workspace_id, account_id) = (staff.world.workspace_id, account.id);
    let remove = RemoveAccount { workspace_id, account_id, expected_version: None };
    assert_eq!(refusal(on.remove_account(&staff.keeper, remove)).await, asked);
    let new = AccountSecrets { password: Some("another".into()), ..AccountSecrets::default() };
    let other_secrets = UpdateAccount { secrets: new, ..nothing(&staff, account_id) };
    assert_eq!(refusal(on.update_account(&staff.keeper, other_secrets)).await, asked);
    let limits = Some(LimitsOfAccount { max_open_purchases: Some(3), ..LimitsOfAccount::default() });
    let other_limits = UpdateAccount { limits, capabilities: vec![AccountRole::Sell], ..nothing(&staff, account_id) };
    let changed = on.update_account(&staff.keeper, other_limits).await.unwrap().value;
    assert_eq!(
        (changed.limits.max_open_purchases, changed.capabilities.clone()),
        (Some(3), [AccountRole::Sell].into())
    );
}

#[tokio::test]
async fn an_account_stays_while_a_trade_offer_of_it_may_move_items() {
    let staff = Staff::open().await;
    let (on, account) = (&staff.world.operations, staff.register(1).await);
    let (workspace_id, account_id) = (staff.world.workspace_id, account.id);
    let given = OfferedAsset {
        app_id: AppId::CS2,
        asset_id: "27348562871".parse().unwrap(),
        market_hash_name: text("AK-47 | Redline (Field-Tested)"),
    };
    let owner = OfferOwner::Item(Samples::seeded(9).id());
    let partner = PlatformUserId::new(NonZeroU64::MIN);
    let draft = OfferDraft { partner, gives: vec![given], owner };
    let command = DraftTradeOffer { workspace_id, account_name: account.name.clone(), draft };
    on.draft_trade_offer(&Caller::system(), command).await.unwrap();
    let remove = RemoveAccount { workspace_id, account_id, expected_version: None };
    let refused = refusal(on.remove_account(&Caller::system(), remove)).await;
    assert_eq!(refused, (Code::FailedPrecondition, "ACCOUNT_AT_WORK"));
    staff.world.clock.advance(Duration::days(31));
    on.remove_account(&Caller::system(), remove).await.unwrap();
}

#[tokio::test]
async fn every_step_of_a_life_is_in_the_log() {
    let staff = Staff::open().await;
    let account = staff.ready(1).await;
    let (workspace_id, account_id) = (staff.world.workspace_id, account.id);
    let reason = Some("its phone was lost".to_owned());
    let disable = DisableAccount { workspace_id, account_id, reason, expected_version: Some(5) };
    let disabled = staff.world.operations.disable_account(&staff.keeper, disable.clone()).await.unwrap();
    assert_eq!((disabled.value.status, disabled.version), (AccountStatus::Disabled, 6));
    assert_eq!(disabled.value.status_reason, Some(text("its phone was lost")));
    let twice = DisableAccount { expected_version: None, ..disable };
    assert_eq!(
        refusal(staff.world.operations.disable_account(&staff.keeper, twice)).await,
        (Code::FailedPrecondition, "ILLEGAL_STEP")
    );
    let enable = EnableAccount { workspace_id, account_id, expected_version: None };
    let enabled = staff.world.operations.enable_account(&staff.keeper, enable).await.unwrap().value;
    assert_eq!((enabled.status, enabled.status_reason.clone()), (AccountStatus::Validating, None));
    let scope = Principal::System.enter_as_member(workspace_id).unwrap();
    let log = staff.world.store.transitions().list_of(scope, Subject::Account(account_id), 9).await.unwrap();
    let steps: Vec<_> = log.iter().map(|step| (step.trigger, step.to, step.version)).collect();
    assert_eq!(
        steps,
        [
            ("registered", "NEW", 1),
            ("signing_in", "VALIDATING", 3),
            ("signed_in", "READY", 4),
            ("disabled", "DISABLED", 6),
            ("enabled", "VALIDATING", 7)
        ]
    );
    assert_eq!(log[3].reason, Some(text("its phone was lost")));
}

#[tokio::test]
async fn a_lost_session_is_a_problem_until_the_account_works_or_is_disabled() {
    let staff = Staff::open().await;
    let account_id = staff.ready(1).await.id;
    let (workspace_id, of_account) = (staff.world.workspace_id, Subject::Account(account_id));
    let scope = Principal::System.enter_as_member(workspace_id).unwrap();
    let open = || async { staff.world.store.remediations().list_live_of(scope, of_account).await.unwrap() };
    staff.record_event(account_id, AccountEvent::SessionLost).await.unwrap();
    staff.record_event(account_id, AccountEvent::SessionLost).await.unwrap();
    let found = open().await;
    assert_eq!(found.len(), 1);
    let (kind, status) = (found[0].peek().kind, found[0].peek().status);
    assert_eq!((kind, status), (RemediationKind::SessionFailed, RemediationStatus::NeedsOperator));
    staff.record_event(account_id, AccountEvent::SigningIn).await.unwrap();
    assert_eq!(open().await.len(), 1, "it does not work yet");
    staff.record_event(account_id, AccountEvent::SignedIn).await.unwrap();
    assert!(open().await.is_empty());
    staff.record_event(account_id, AccountEvent::SessionLost).await.unwrap();
    let disable = DisableAccount { workspace_id, account_id, reason: None, expected_version: None };
    staff.world.operations.disable_account(&staff.keeper, disable).await.unwrap();
    assert!(open().await.is_empty());
    staff.record_event(account_id, AccountEvent::Banned).await.unwrap();
    assert_eq!(open().await.len(), 1, "what it has open waits permanently");
}

#[tokio::test]
async fn outside_events_can_be_repeated_and_never_make_a_persons_decision() {
    let staff = Staff::open().await;
    let account = staff.ready(1).await;
    let again = staff.record_event(account.id, AccountEvent::SignedIn).await.unwrap();
    assert_eq!(again.version, 5, "nothing changed");
    let until = staff.world.clock.now().plus(Duration::days(15));
    let lock = AccountLock { reason: LockReason::NewDevice, until };
    let restricted = staff.record_event(account.id, AccountEvent::Restricted(lock)).await.unwrap().value;
    assert_eq!((restricted.status, restricted.lock), (AccountStatus::Restricted, Some(lock)));
    let early = staff.record_event(account.id, AccountEvent::RestrictionEnded);
    assert_eq!(refusal(early).await, (Code::FailedPrecondition, "TOO_EARLY"));
    let illegal = staff.record_event(account.id, AccountEvent::SignedIn);
    assert_eq!(refusal(illegal).await, (Code::FailedPrecondition, "ILLEGAL_STEP"));
    for decision in [AccountEvent::Disabled, AccountEvent::Enabled] {
        assert_eq!(refusal(staff.record_event(account.id, decision)).await, (Code::InvalidArgument, "INVALID_FIELD"));
    }
}

#[tokio::test]
async fn readiness_follows_what_was_last_seen() {
    let staff = Staff::open().await;
    let account = staff.ready(1).await;
    let readiness = async || {
        let command = GetAccountReadiness { workspace_id: staff.world.workspace_id, account_id: account.id };
        staff.world.operations.get_account_readiness(&staff.keeper, command).await.unwrap()
    };
    assert!(readiness().await.is_ready(), "{:?}", readiness().await);
    let stolen = AccountHealth { is_api_key_ours: Some(false), ..staff.health() };
    staff.see(account.id, stolen).await.unwrap();
    assert!(readiness().await.is_ready(), "no newer than what is known");
    staff.world.advance(Duration::seconds(1));
    staff.see(account.id, AccountHealth { seen_at: staff.world.clock.now(), ..stolen }).await.unwrap();
    let failed: Vec<_> = readiness().await.checks.into_iter().filter(|check| !check.ok).collect();
    assert_eq!(failed.iter().map(|check| check.code).collect::<Vec<_>>(), [CheckCode::ApiKey]);
}

#[tokio::test]
async fn an_api_key_that_another_registered_is_a_problem_until_it_is_ours_or_the_account_is_removed() {
    let staff = Staff::open().await;
    let sees = async |account_id, is_api_key_ours| {
        staff.world.advance(Duration::seconds(1));
        let seen = AccountHealth { seen_at: staff.world.clock.now(), is_api_key_ours, ..staff.health() };
        staff.see(account_id, seen).await.unwrap();
        staff.problems(account_id).await
    };
    let open = [(RemediationKind::UnexpectedApiKey, RemediationStatus::NeedsOperator)];
    let account = staff.ready(1).await;
    assert_eq!(sees(account.id, Some(false)).await, open);
    assert_eq!(sees(account.id, Some(false)).await, open, "it is one problem");
    assert_eq!(sees(account.id, None).await, open, "nothing is known of the key");
    assert_eq!(sees(account.id, Some(true)).await, vec![]);
    assert_eq!(sees(account.id, Some(false)).await, open);
    let (workspace_id, account_id) = (staff.world.workspace_id, account.id);
    let remove = RemoveAccount { workspace_id, account_id, expected_version: None };
    staff.world.operations.remove_account(&Caller::system(), remove).await.unwrap();
    assert_eq!(staff.problems(account.id).await, vec![]);
}

#[tokio::test]
async fn accounts_are_listed_and_counted() {
    let staff = Staff::open().await;
    let (workspace_id, on) = (staff.world.workspace_id, &staff.world.operations);
    let (new, ready) = (staff.register(1).await, staff.ready(2).await);
    let list = async |status| {
        let (limit, cursor) = (0, String::new());
        let command = ListAccounts { workspace_id, limit, cursor, status, account_group_id: None };
        on.list_accounts(&staff.keeper, command).await.unwrap().entries
    };
    assert_eq!(list(None).await, [ready.id, new.id]);
    assert_eq!(list(Some(AccountStatus::New)).await, [new.id]);
    let counted = on.count_accounts(&staff.keeper, CountAccounts { workspace_id }).await.unwrap();
    let some: Vec<_> = counted.iter().filter(|of| of.count > 0).map(|of| (of.status, of.count)).collect();
    assert_eq!((counted.len(), some), (9, vec![(AccountStatus::New, 1), (AccountStatus::Ready, 1)]));
    let unknown = tradepost_domain::id::Id::from_bytes([9; 16]);
    let several = GetAccounts { workspace_id, account_ids: vec![ready.id, unknown, new.id, ready.id] };
    let batch = on.get_accounts(&staff.keeper, several).await.unwrap();
    assert_eq!(batch.found.iter().map(|found| found.value.id).collect::<Vec<_>>(), [ready.id, new.id]);
    assert_eq!(batch.missing, [unknown]);
}
