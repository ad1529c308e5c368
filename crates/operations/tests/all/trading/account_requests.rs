//! What people ask for about trading accounts: the acceptance of the platform's notice, several at once, and a reading now.

use time::Duration;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::{AccountId, Id};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::snapshot::SnapshotStatus;
use tradepost_domain::trading::trading_account::{
    AccountEvent, AccountReading, AccountStatus, CheckCode, RENEWAL_LASTS, TradingAccount,
};
use tradepost_domain::transition::Subject;
use tradepost_operations::trading::{
    AccountResult, AccountsToRefresh, AcknowledgeTradeProtection, AddAccountsToGroup, AssetToTrade, BeginTokenRenewal,
    BulkAccounts, BulkAction, CreateAccountGroup, GetAccountReadiness, PostponeTokenRenewal, RecordAccountReading,
    RefreshAccount, RefreshTradeToken, RefuseAccountReading, RemoveAccount, SendTradeOffer,
};
use tradepost_operations::{Caller, Code, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::{RecordBatch, Records};
use tradepost_testkit::samples::text;

use super::{Staff, refusal};

impl Staff {
    /// An account that is signed in and for which no one has accepted the notice.
    async fn signed_in(&self, number: u32) -> AccountId {
        let command = self.registration(number);
        let id = self.world.operations.create_account(&Caller::system(), command).await.unwrap().value.id;
        for event in [AccountEvent::SigningIn, AccountEvent::SignedIn] {
            self.record_event(id, event).await.unwrap();
        }
        self.see(id, self.health()).await.unwrap();
        id
    }

    async fn accept(&self, account_ids: Vec<AccountId>) -> Vec<AccountResult> {
        let command = AcknowledgeTradeProtection { workspace_id: self.world.workspace_id, account_ids };
        self.world.operations.acknowledge_trade_protection(&Caller::system(), command).await.unwrap()
    }

    /// The open problems of an account.
    async fn problems(&self, account_id: AccountId) -> Vec<(RemediationKind, RemediationStatus)> {
        let scope = Principal::System.enter_as_member(self.world.workspace_id).unwrap();
        let live = self.world.store.remediations().list_live_of(scope, Subject::Account(account_id)).await.unwrap();
        live.iter().map(|seen| (seen.peek().kind, seen.peek().status)).collect()
    }

    async fn refresh(&self, account_id: AccountId) -> Versioned<TradingAccount> {
        let command = RefreshAccount { workspace_id: self.world.workspace_id, account_id };
        self.world.operations.refresh_account(&self.keeper, command).await.unwrap()
    }

    fn renewal(&self, account_id: AccountId) -> RefreshTradeToken {
        RefreshTradeToken { workspace_id: self.world.workspace_id, account_id, renew: true }
    }

    async fn accounts_to_read(&self) -> Vec<AccountId> {
        let command = AccountsToRefresh { workspace_id: self.world.workspace_id };
        let waiting = self.world.operations.accounts_to_refresh(&Caller::system(), command).await.unwrap();
        waiting.into_iter().map(|account| account.value.id).collect()
    }

    async fn refuse(&self, account_id: AccountId) -> Versioned<TradingAccount> {
        let command = RefuseAccountReading { workspace_id: self.world.workspace_id, account_id };
        self.world.operations.refuse_account_reading(&Caller::system(), command).await.unwrap()
    }

    async fn read(&self, account_id: AccountId, began_at: Timestamp, token: &str) -> TradingAccount {
        let reading = AccountReading { began_at, trade_token: Some(text(token)) };
        let command = RecordAccountReading { workspace_id: self.world.workspace_id, account_id, reading };
        self.world.operations.record_account_reading(&Caller::system(), command).await.unwrap().value
    }
}

fn outcomes(results: &[AccountResult]) -> Vec<Result<AccountStatus, &'static str>> {
    let outcome = |result: &AccountResult| match &result.outcome {
        Ok(account) => Ok(account.value.status),
        Err(objection) => Err(objection.reason.as_str()),
    };
    results.iter().map(outcome).collect()
}

#[tokio::test]
async fn a_signed_in_account_is_a_problem_until_its_notice_is_accepted() {
    let staff = Staff::open().await;
    let account_id = staff.signed_in(1).await;
    let open = (RemediationKind::AcknowledgeTrades, RemediationStatus::NeedsOperator);
    assert_eq!(staff.problems(account_id).await, [open]);
    let workspace_id = staff.world.workspace_id;
    let command = GetAccountReadiness { workspace_id, account_id };
    let readiness = staff.world.operations.get_account_readiness(&staff.keeper, command).await.unwrap();
    let failed: Vec<_> = readiness.checks.iter().filter(|check| !check.ok).map(|check| check.code).collect();
    assert_eq!(failed, [CheckCode::TradeNotice]);
    let now = staff.world.clock.now();
    assert_eq!(outcomes(&staff.accept(vec![account_id]).await), [Ok(AccountStatus::Ready)]);
    let accepted = staff.found(account_id).await;
    assert_eq!((accepted.value.trade_notice_acknowledged_at, staff.problems(account_id).await), (Some(now), vec![]));
    staff.world.advance(Duration::hours(1));
    assert_eq!(outcomes(&staff.accept(vec![account_id]).await), [Ok(AccountStatus::Ready)]);
    assert_eq!(staff.found(account_id).await, accepted, "the first acceptance stays");
}

#[tokio::test]
async fn accepting_the_notice_asks_a_user_with_a_factor_for_it() {
    let staff = Staff::open().await;
    let (workspace_id, account_id) = (staff.world.workspace_id, staff.signed_in(1).await);
    let accept = AcknowledgeTradeProtection { workspace_id, account_ids: vec![account_id] };
    let refused = refusal(staff.world.operations.acknowledge_trade_protection(&staff.keeper, accept.clone())).await;
    assert_eq!(refused, (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
    assert!(!staff.found(account_id).await.value.may_trade());
    staff.world.step_up(&staff.keeper).await;
    staff.world.operations.acknowledge_trade_protection(&staff.keeper, accept).await.unwrap();
    assert!(staff.found(account_id).await.value.may_trade());
}

#[tokio::test]
async fn the_problem_of_a_notice_ends_with_its_account() {
    let staff = Staff::open().await;
    let account_id = staff.signed_in(1).await;
    staff.record_event(account_id, AccountEvent::Banned).await.unwrap();
    let kinds: Vec<_> = staff.problems(account_id).await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, [RemediationKind::SessionFailed]);
}

#[tokio::test]
async fn an_account_whose_notice_is_not_accepted_sends_no_offer() {
    let staff = Staff::open().await;
    let account_id = staff.signed_in(1).await;
    let send = SendTradeOffer {
        workspace_id: staff.world.workspace_id,
        account_id,
        partner: "76561198000099999".to_owned(),
        token: "abcdefgh".to_owned(),
        gives: Vec::new(),
        receives: vec![AssetToTrade { app_id: None, context_id: None, asset_id: "90001".to_owned() }],
        message: String::new(),
        intent_id: None,
        accept_hold: false,
    };
    let refused = refusal(staff.world.operations.send_trade_offer(&staff.keeper, send.clone())).await;
    assert_eq!(refused, (Code::FailedPrecondition, "TRADES_NOT_ACKNOWLEDGED"));
    staff.accept(vec![account_id]).await;
    staff.world.operations.send_trade_offer(&staff.keeper, send).await.unwrap();
}

#[tokio::test]
async fn what_one_account_rejects_keeps_no_other_from_being_accepted() {
    let staff = Staff::open().await;
    let (workspace_id, accepted) = (staff.world.workspace_id, staff.signed_in(1).await);
    let removed = staff.register(2).await.id;
    let remove = RemoveAccount { workspace_id, account_id: removed, expected_version: None };
    staff.world.operations.remove_account(&Caller::system(), remove).await.unwrap();
    let unknown = Id::from_bytes([9; 16]);
    let results = staff.accept(vec![unknown, removed, accepted, accepted]).await;
    assert_eq!(outcomes(&results), [Err("NOT_FOUND"), Err("ACCOUNT_REMOVED"), Ok(AccountStatus::Ready)]);
    assert!(staff.found(accepted).await.value.may_trade());
    let none = AcknowledgeTradeProtection { workspace_id, account_ids: Vec::new() };
    let refused = refusal(staff.world.operations.acknowledge_trade_protection(&staff.keeper, none)).await;
    assert_eq!(refused, (Code::InvalidArgument, "INVALID_FIELD"));
    let many = AcknowledgeTradeProtection { workspace_id, account_ids: vec![unknown; 101] };
    let refused = refusal(staff.world.operations.acknowledge_trade_protection(&staff.keeper, many)).await;
    assert_eq!(refused, (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn several_accounts_are_disabled_and_enabled_each_with_its_result() {
    let staff = Staff::open().await;
    let (workspace_id, on) = (staff.world.workspace_id, &staff.world.operations);
    let (one, two) = (staff.ready(1).await.id, staff.register(2).await.id);
    let bulk = |account_ids, action| BulkAccounts {
        workspace_id,
        account_ids,
        account_group_id: None,
        action,
        reason: Some("the office moves".to_owned()),
    };
    let unknown = Id::from_bytes([9; 16]);
    let disabled = on.bulk_accounts(&staff.keeper, bulk(vec![one, unknown, two], BulkAction::Disable)).await.unwrap();
    assert_eq!(outcomes(&disabled), [Ok(AccountStatus::Disabled), Err("NOT_FOUND"), Ok(AccountStatus::Disabled)]);
    assert_eq!(staff.found(one).await.value.status_reason, Some(text("the office moves")));
    let scope = Principal::System.enter_as_member(workspace_id).unwrap();
    let log = staff.world.store.transitions().list_of(scope, Subject::Account(two), 9).await.unwrap();
    assert_eq!(log.last().map(|step| (step.trigger, step.to)), Some(("disabled", "DISABLED")));
    let again = on.bulk_accounts(&staff.keeper, bulk(vec![one], BulkAction::Disable)).await.unwrap();
    assert_eq!(outcomes(&again), [Err("ILLEGAL_STEP")]);
    let enabled = on.bulk_accounts(&staff.keeper, bulk(vec![two, one], BulkAction::Enable)).await.unwrap();
    assert_eq!(outcomes(&enabled), [Ok(AccountStatus::Validating); 2]);
    assert_eq!(enabled.iter().map(|result| result.account_id).collect::<Vec<_>>(), [two, one]);
}

#[tokio::test]
async fn the_accounts_of_a_group_are_disabled_at_once() {
    let staff = Staff::open().await;
    let (workspace_id, on) = (staff.world.workspace_id, &staff.world.operations);
    let (one, two, other) = (staff.ready(1).await.id, staff.ready(2).await.id, staff.ready(3).await.id);
    let group = CreateAccountGroup { workspace_id, name: "Rifles".to_owned(), description: String::new() };
    let group_id = on.create_account_group(&staff.keeper, group).await.unwrap().value.id;
    let account_ids = vec![one, two];
    let add = AddAccountsToGroup { workspace_id, account_group_id: group_id, account_ids, expected_version: None };
    on.add_accounts_to_group(&staff.keeper, add).await.unwrap();
    let disable = BulkAccounts {
        workspace_id,
        account_ids: Vec::new(),
        account_group_id: Some(group_id),
        action: BulkAction::Disable,
        reason: None,
    };
    let both = BulkAccounts { account_ids: vec![other], ..disable.clone() };
    let refused = refusal(on.bulk_accounts(&staff.keeper, both)).await;
    assert_eq!(refused, (Code::InvalidArgument, "INVALID_FIELD"));
    let disabled = on.bulk_accounts(&staff.keeper, disable).await.unwrap();
    assert_eq!(outcomes(&disabled), [Ok(AccountStatus::Disabled); 2]);
    assert_eq!(staff.found(other).await.value.status, AccountStatus::Ready);
}

#[tokio::test]
async fn a_second_request_within_a_minute_is_answered_with_the_first_one() {
    let staff = Staff::open().await;
    let account_id = staff.ready(1).await.id;
    let asked = staff.refresh(account_id).await;
    let requested_at = asked.value.refresh.unwrap().requested_at;
    assert_eq!(requested_at, staff.world.clock.now());
    assert_eq!(staff.accounts_to_read().await, [account_id]);
    let scope = Principal::System.enter_as_member(staff.world.workspace_id).unwrap();
    let batch = RecordBatch { after: None, most: 9 };
    let taking = staff.world.store.snapshots().list_snapshots_in(scope, SnapshotStatus::Taking, batch).await.unwrap();
    assert_eq!(taking.len(), 1, "the inventory is read as well");
    staff.world.advance(Duration::minutes(5));
    assert_eq!(staff.refresh(account_id).await, asked, "it waits");
    let read = staff.read(account_id, staff.world.clock.now(), "HgFeDcBa").await;
    assert_eq!((read.trade_token.clone(), staff.accounts_to_read().await), (Some(text("HgFeDcBa")), vec![]));
    let again = staff.refresh(account_id).await.value.refresh.unwrap();
    assert_eq!(again.requested_at, staff.world.clock.now(), "the first one is over and older than a minute");
    staff.read(account_id, staff.world.clock.now(), "HgFeDcBa").await;
    staff.world.advance(Duration::seconds(59));
    assert_eq!(staff.refresh(account_id).await.value.refresh.unwrap().requested_at, again.requested_at);
}

#[tokio::test]
async fn a_request_for_an_account_that_the_engine_does_not_trade_with_ends_after_two_minutes() {
    let staff = Staff::open().await;
    let account_id = staff.ready(1).await.id;
    let asked = staff.refresh(account_id).await;
    staff.world.advance(Duration::seconds(119));
    assert_eq!(staff.refuse(account_id).await, asked);
    staff.world.advance(Duration::seconds(1));
    let refused = staff.refuse(account_id).await;
    assert!(refused.value.refresh.unwrap().is_refused);
    assert_eq!(staff.accounts_to_read().await, []);
    assert_eq!(staff.refuse(account_id).await, refused, "once");
    let again = staff.refresh(account_id).await.value.refresh.unwrap();
    assert_eq!((again.requested_at, again.is_refused), (staff.world.clock.now(), false));
    assert_eq!(staff.accounts_to_read().await, [account_id]);
}

#[tokio::test]
async fn a_renewal_needs_a_second_factor_and_waits_for_an_engine() {
    let staff = Staff::open().await;
    let (workspace_id, account_id) = (staff.world.workspace_id, staff.ready(1).await.id);
    let on = &staff.world.operations;
    let asked = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
    assert_eq!(refusal(on.refresh_trade_token(&staff.keeper, staff.renewal(account_id))).await, asked);
    let read = RefreshTradeToken { renew: false, ..staff.renewal(account_id) };
    assert!(!on.refresh_trade_token(&staff.keeper, read).await.unwrap().value.is_token_renewed());
    staff.world.step_up(&staff.keeper).await;
    let waits = on.refresh_trade_token(&staff.keeper, staff.renewal(account_id)).await.unwrap();
    assert!(waits.value.is_token_renewed());
    assert_eq!(on.refresh_trade_token(&staff.keeper, staff.renewal(account_id)).await.unwrap(), waits);
    let begin = BeginTokenRenewal { workspace_id, account_id };
    on.begin_token_renewal(&Caller::system(), begin).await.unwrap();
    let twice = refusal(on.begin_token_renewal(&Caller::system(), begin)).await;
    assert_eq!(twice, (Code::FailedPrecondition, "ILLEGAL_STEP"));
    let postpone = PostponeTokenRenewal { workspace_id, account_id };
    on.postpone_token_renewal(&Caller::system(), postpone).await.unwrap();
    on.begin_token_renewal(&Caller::system(), begin).await.unwrap();
    let renewed = staff.read(account_id, staff.world.clock.now(), "NewToken").await;
    assert_eq!((renewed.is_token_renewed(), renewed.trade_token.clone()), (false, Some(text("NewToken"))));
    assert!(staff.accounts_to_read().await.is_empty());
}

#[tokio::test]
async fn a_renewal_that_no_engine_begins_is_dropped() {
    let staff = Staff::open().await;
    let (workspace_id, account_id) = (staff.world.workspace_id, staff.ready(1).await.id);
    let on = &staff.world.operations;
    on.refresh_trade_token(&Caller::system(), staff.renewal(account_id)).await.unwrap();
    staff.world.advance(RENEWAL_LASTS);
    let late = refusal(on.begin_token_renewal(&Caller::system(), BeginTokenRenewal { workspace_id, account_id })).await;
    assert_eq!(late, (Code::FailedPrecondition, "ILLEGAL_STEP"));
    let read = staff.read(account_id, staff.world.clock.now(), "AbCdEfGh").await;
    assert!(!read.is_token_renewed());
    assert!(staff.accounts_to_read().await.is_empty());
}
