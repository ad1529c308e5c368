//! Sessions of trading accounts: what people start, answer and end, and what the engine reports of them.

mod calls;
mod starting;
mod warnings;

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::AccountId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::{
    AccountSession, Asked, Guard, SessionEvent, SessionFailure, SessionStatus, TokenExpiry,
};
use tradepost_domain::trading::renewal::{Renewal, RenewalEvent, RenewalKind, RenewalStatus};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::AccountEvent;
use tradepost_domain::transition::Subject;
use tradepost_operations::trading::{
    AccountSecrets, AccountTokens, BeginRenewal, CancelRenewal, CompleteAccountSignIn, CompleteRenewal, CreateAccount,
    DueRenewals, EndAccountSession, GetAccountSession, GetRenewal, ListRenewals, ReadSessionTokens, ReadSignIn,
    RecordRenewalStep, RecordSessionStep, RemoveAccount, ReportExpiringTokens, RequestRenewal, StartAccountSession,
    StartSessionAgain, SubmitAccountSessionCode, TakeSessionCode,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::game_platform::sessions::{ConfirmationTag, TokenVault as _, Tokens};
use tradepost_ports::store::Records as _;
use tradepost_ports::totp::TotpCodes as _;
use tradepost_testkit::fakes::FakeTotp;
use tradepost_testkit::samples::text;

use super::{Staff, refusal};

const SHARED_SECRET: &str = "zvIayp3JPvtvX/QGHqsqKBk/44s=";
const DAY: Duration = Duration::DAY;

impl Staff {
    /// An account with everything that signs it in.
    async fn with_password(&self) -> AccountId {
        let secrets = AccountSecrets {
            login_name: Some("trader-one".into()),
            password: Some("seven lanterns".into()),
            shared_secret: Some(SHARED_SECRET.into()),
            ..AccountSecrets::default()
        };
        let command = CreateAccount { secrets, ..self.registration(1) };
        self.world.operations.create_account(&Caller::system(), command).await.unwrap().value.id
    }

    async fn start(&self, account_id: AccountId) -> OpResult<Versioned<AccountSession>> {
        let workspace_id = self.world.workspace_id;
        let command = StartAccountSession { workspace_id, account_id, uses_stored_code: true };
        self.world.operations.start_account_session(&Caller::system(), command).await
    }

    async fn start_again(&self, account_id: AccountId) -> Option<AccountSession> {
        let command = StartSessionAgain { workspace_id: self.world.workspace_id, account_id };
        let started = self.world.operations.start_session_again(&Caller::system(), command).await.unwrap();
        started.map(|session| session.value)
    }

    async fn session_step(&self, of: &AccountSession, event: SessionEvent) -> OpResult<Versioned<AccountSession>> {
        let (workspace_id, account_session_id) = (of.workspace_id, of.id);
        let command = RecordSessionStep { workspace_id, account_session_id, event };
        self.world.operations.record_session_step(&Caller::system(), command).await
    }

    /// The platform asks for a code.
    async fn ask(&self, of: &AccountSession, guard: Guard) -> AccountSession {
        let asked = SessionEvent::Asked(Asked { guards: vec![guard], email_domain: None });
        self.session_step(of, asked).await.unwrap().value
    }

    async fn account_session(&self, of: &AccountSession) -> Versioned<AccountSession> {
        let command = GetAccountSession { workspace_id: of.workspace_id, account_session_id: of.id };
        self.world.operations.get_account_session(&self.keeper, command).await.unwrap()
    }

    async fn submit(&self, of: &AccountSession, code: &str) -> OpResult<Versioned<AccountSession>> {
        let command = SubmitAccountSessionCode {
            workspace_id: of.workspace_id,
            account_session_id: of.id,
            code: code.into(),
            expected_version: None,
        };
        self.world.operations.submit_account_session_code(&self.keeper, command).await
    }

    async fn take_code(&self, of: &AccountSession) -> Option<(Guard, String)> {
        self.take_code_at(of, None).await
    }

    /// The same where this is the time of the platform.
    async fn take_code_at(&self, of: &AccountSession, platform_time: Option<Timestamp>) -> Option<(Guard, String)> {
        let (workspace_id, account_session_id) = (of.workspace_id, of.id);
        let command = TakeSessionCode { workspace_id, account_session_id, platform_time };
        let taken = self.world.operations.take_session_code(&Caller::system(), command).await.unwrap();
        taken.map(|(guard, code)| (guard, code.expose_secret().to_owned()))
    }

    async fn end(&self, of: &AccountSession, revoke: bool) -> OpResult<Versioned<AccountSession>> {
        let (workspace_id, account_session_id) = (of.workspace_id, of.id);
        let command = EndAccountSession { workspace_id, account_session_id, revoke, expected_version: None };
        self.world.operations.end_account_session(&self.keeper, command).await
    }

    /// Tokens of the account that end after so many days.
    fn tokens(&self, name: &str, days: i64) -> Tokens {
        let now = self.world.clock.now();
        let number = self.registration(1).platform_user_id.parse().unwrap();
        Tokens {
            user: PlatformUserId::new(number),
            access: format!("access {name}").into(),
            refresh: format!("refresh {name}").into(),
            expiry: TokenExpiry { access: now.plus(DAY), refresh: now.plus(DAY * i32::try_from(days).unwrap()) },
        }
    }

    async fn complete(&self, of: &AccountSession, tokens: Tokens) -> AccountSession {
        let (workspace_id, account_session_id) = (of.workspace_id, of.id);
        let command = CompleteAccountSignIn { workspace_id, account_session_id, tokens };
        self.world.operations.complete_account_sign_in(&Caller::system(), command).await.unwrap().value
    }

    /// An account with a session that works, whose refresh token ends after so many days.
    async fn signed_in_for(&self, days: i64) -> AccountSession {
        let started = self.start(self.with_password().await).await.unwrap().value;
        self.complete(&started, self.tokens("one", days)).await
    }

    async fn tokens_of(&self, account_id: AccountId) -> Option<Tokens> {
        let command = ReadSessionTokens { workspace_id: self.world.workspace_id, account_id };
        self.world.operations.read_session_tokens(&Caller::system(), command).await.unwrap()
    }

    /// The renewals of a kind, the newest first.
    async fn renewals(&self, kind: RenewalKind) -> Vec<Renewal> {
        let (workspace_id, cursor) = (self.world.workspace_id, String::new());
        let (kind, limit) = (Some(kind), 200);
        let list = ListRenewals { workspace_id, limit, cursor, account_id: None, kind, status: None, due_before: None };
        let mut found = Vec::new();
        for renewal_id in self.world.operations.list_renewals(&self.keeper, list).await.unwrap().entries {
            let get = GetRenewal { workspace_id, renewal_id };
            found.push(self.world.operations.get_renewal(&self.keeper, get).await.unwrap().value);
        }
        found
    }

    async fn renewal_statuses(&self, kind: RenewalKind) -> Vec<RenewalStatus> {
        self.renewals(kind).await.into_iter().map(|renewal| renewal.status).collect()
    }

    async fn request_renewal(&self, account_id: AccountId, kind: RenewalKind) -> OpResult<Versioned<Renewal>> {
        let command = RequestRenewal { workspace_id: self.world.workspace_id, account_id, kind };
        self.world.operations.request_renewal(&self.keeper, command).await
    }

    async fn begin_renewal(&self, of: &Renewal) -> OpResult<Versioned<Renewal>> {
        let command = BeginRenewal { workspace_id: of.workspace_id, renewal_id: of.id };
        self.world.operations.begin_renewal(&Caller::system(), command).await
    }

    async fn renewal_step(&self, of: &Renewal, event: RenewalEvent) -> OpResult<Versioned<Renewal>> {
        let command = RecordRenewalStep { workspace_id: of.workspace_id, renewal_id: of.id, event };
        self.world.operations.record_renewal_step(&Caller::system(), command).await
    }

    async fn complete_renewal(&self, of: &Renewal, tokens: Tokens) -> OpResult<Versioned<Renewal>> {
        let command = CompleteRenewal { workspace_id: of.workspace_id, renewal_id: of.id, tokens };
        self.world.operations.complete_renewal(&Caller::system(), command).await
    }

    async fn cancel_renewal(&self, of: &Renewal) -> OpResult<Versioned<Renewal>> {
        let command = CancelRenewal { workspace_id: of.workspace_id, renewal_id: of.id, expected_version: None };
        self.world.operations.cancel_renewal(&self.keeper, command).await
    }

    async fn report_expiring(&self) -> usize {
        let command = ReportExpiringTokens { workspace_id: self.world.workspace_id };
        self.world.operations.report_expiring_tokens(&Caller::system(), command).await.unwrap()
    }

    /// The open problems of an account.
    async fn open_problems(&self, account_id: AccountId) -> Vec<(RemediationKind, RemediationStatus)> {
        let live = self.world.store.remediations().list_live_of(self.scope(), Subject::Account(account_id)).await;
        live.unwrap().iter().map(|seen| (seen.peek().kind, seen.peek().status)).collect()
    }
}

const ILLEGAL: (Code, &str) = (Code::FailedPrecondition, "ILLEGAL_STEP");

#[tokio::test]
async fn starting_a_session_asks_a_user_with_a_factor_for_it() {
    let staff = Staff::open().await;
    let (workspace_id, account_id) = (staff.world.workspace_id, staff.with_password().await);
    let command = StartAccountSession { workspace_id, account_id, uses_stored_code: false };
    let refused = refusal(staff.world.operations.start_account_session(&staff.keeper, command)).await;
    assert_eq!(refused, (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
    staff.world.step_up(&staff.keeper).await;
    let started = staff.world.operations.start_account_session(&staff.keeper, command).await.unwrap().value;
    assert_eq!((started.status, started.uses_stored_code), (SessionStatus::Starting, false));
}

#[tokio::test]
async fn an_account_without_a_login_name_and_password_is_not_signed_in() {
    let staff = Staff::open().await;
    let account_id = staff.register(1).await.id;
    assert_eq!(refusal(staff.start(account_id)).await, (Code::FailedPrecondition, "ACCOUNT_WITHOUT_PASSWORD"));
}

#[tokio::test]
async fn an_account_has_one_session_at_a_time_and_one_that_has_expired_is_closed_by_the_next() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    assert_eq!(refusal(staff.start(session.account_id)).await, (Code::FailedPrecondition, "SESSION_OPEN"));
    staff.session_step(&session, SessionEvent::Lost(SessionFailure::Expired)).await.unwrap();
    staff.start(session.account_id).await.unwrap();
    assert_eq!(staff.account_session(&session).await.value.status, SessionStatus::Closed);
}

#[tokio::test]
async fn tokens_are_read_only_while_the_session_works() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    assert_eq!(staff.tokens_of(session.account_id).await, Some(staff.tokens("one", 200)));
    let vault = AccountTokens::new(staff.world.operations.clone(), session.workspace_id, text("steam"));
    let user = staff.tokens("one", 200).user;
    assert_eq!(vault.access_token(user).await.unwrap().unwrap().expose_secret(), "access one");
    staff.session_step(&session, SessionEvent::Lost(SessionFailure::Expired)).await.unwrap();
    assert!(staff.tokens_of(session.account_id).await.is_none());
    assert!(vault.access_token(user).await.unwrap().is_none());
}

#[tokio::test]
async fn an_account_has_a_key_of_its_confirmations_where_its_identity_secret_is_stored() {
    let staff = Staff::open().await;
    let without = staff.register(2).await.platform_user_id;
    let identity_secret = SecretString::from("GQP46b73Ws7gr8GmZFR0sDuau5c=");
    let secrets = AccountSecrets { identity_secret: Some(identity_secret.clone()), ..AccountSecrets::default() };
    let create = CreateAccount { secrets, ..staff.registration(1) };
    let created = staff.world.operations.create_account(&Caller::system(), create).await.unwrap().value;
    let (user, now) = (created.platform_user_id, staff.world.clock.now());
    let vault_of =
        |workspace_id, platform: &str| AccountTokens::new(staff.world.operations.clone(), workspace_id, text(platform));
    let vault = vault_of(created.workspace_id, "steam");
    let made = vault.confirmation_key(user, now).await.unwrap().unwrap();
    let expected = FakeTotp::default().confirmation_key(&identity_secret, user, now, ConfirmationTag::List).unwrap();
    assert_eq!((made.device_id, made.key.expose_secret()), (expected.device_id, expected.key.expose_secret()));
    assert!(vault.confirmation_key(without, now).await.unwrap().is_none());
    let (elsewhere, _, _) = staff.world.other_workspace().await;
    for foreign in [vault_of(elsewhere, "steam"), vault_of(created.workspace_id, "other")] {
        assert!(foreign.confirmation_key(user, now).await.unwrap().is_none());
    }
    let remove = RemoveAccount { workspace_id: created.workspace_id, account_id: created.id, expected_version: None };
    staff.world.operations.remove_account(&Caller::system(), remove).await.unwrap();
    assert!(vault.confirmation_key(user, now).await.unwrap().is_none());
}

#[tokio::test]
async fn a_repeated_report_of_the_tokens_of_a_session_changes_nothing() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    let before = staff.account_session(&session).await;
    assert_eq!(staff.complete(&session, staff.tokens("one", 200)).await, before.value);
    assert_eq!(staff.account_session(&session).await, before);
    assert_eq!(staff.renewals(RenewalKind::AccessToken).await.len(), 1);
}

#[tokio::test]
async fn tokens_of_another_account_are_not_kept() {
    let staff = Staff::open().await;
    let started = staff.start(staff.with_password().await).await.unwrap().value;
    let other = Tokens { user: PlatformUserId::new(7.try_into().unwrap()), ..staff.tokens("other", 200) };
    let failed = staff.complete(&started, other).await;
    assert_eq!((failed.status, failed.failure), (SessionStatus::Failed, Some(SessionFailure::OtherAccount)));
    assert!(staff.tokens_of(started.account_id).await.is_none());
    assert!(staff.renewals(RenewalKind::AccessToken).await.is_empty());
}

#[tokio::test]
async fn a_code_of_a_person_reaches_the_engine_once() {
    let staff = Staff::open().await;
    let started = staff.start(staff.with_password().await).await.unwrap().value;
    assert_eq!(refusal(staff.submit(&started, "12345")).await, ILLEGAL, "none is asked for");
    let waiting = staff.ask(&started, Guard::EmailCode).await;
    assert_eq!(staff.take_code(&waiting).await, None, "none can be made");
    for bad in ["1234", "123456789", "12 45", ""] {
        assert_eq!(refusal(staff.submit(&waiting, bad)).await.0, Code::InvalidArgument, "{bad}");
    }
    assert!(staff.submit(&waiting, "BC234").await.unwrap().value.has_code);
    assert_eq!(staff.take_code(&waiting).await, Some((Guard::EmailCode, "BC234".to_owned())));
    assert_eq!(staff.take_code(&waiting).await, None);
    assert_eq!(staff.account_session(&waiting).await.value.codes_given, 1);
}

#[tokio::test]
async fn a_code_is_made_for_the_time_of_the_platform_and_not_for_ours() {
    let staff = Staff::open().await;
    let started = staff.start(staff.with_password().await).await.unwrap().value;
    let waiting = staff.ask(&started, Guard::DeviceCode).await;
    let there = staff.world.clock.now().plus(Duration::minutes(-10));
    let shown = FakeTotp::default().login_code(&SecretString::from(SHARED_SECRET), there).unwrap().code;
    let expected = (Guard::DeviceCode, shown.expose_secret().to_owned());
    assert_eq!(staff.take_code_at(&waiting, Some(there)).await, Some(expected));
}

#[tokio::test]
async fn a_code_is_made_of_the_stored_secret_twice_and_then_a_person_is_waited_for() {
    let staff = Staff::open().await;
    let started = staff.start(staff.with_password().await).await.unwrap().value;
    let waiting = staff.ask(&started, Guard::DeviceCode).await;
    let (guard, first) = staff.take_code(&waiting).await.unwrap();
    assert_eq!(guard, Guard::DeviceCode);
    staff.session_step(&waiting, SessionEvent::CodeRefused).await.unwrap();
    assert_eq!(staff.take_code(&waiting).await, None, "the same code would be shown");
    staff.world.advance(Duration::seconds(31));
    assert_ne!(staff.take_code(&waiting).await.unwrap().1, first);
    staff.session_step(&waiting, SessionEvent::CodeRefused).await.unwrap();
    staff.world.advance(Duration::minutes(5));
    assert_eq!(staff.take_code(&waiting).await, None);
    assert_eq!(staff.account_session(&waiting).await.value.status, SessionStatus::AwaitingCode);
}

#[tokio::test]
async fn a_session_that_is_closed_takes_its_tokens_and_renewals_with_it_and_one_to_be_revoked_waits_for_the_engine() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    let asked = staff.end(&session, true).await.unwrap().value;
    assert_eq!((asked.status, asked.end_requested_at), (SessionStatus::Active, Some(staff.world.clock.now())));
    assert!(staff.tokens_of(session.account_id).await.is_some());
    assert_eq!(staff.end(&session, false).await.unwrap().value.status, SessionStatus::Closed);
    assert!(staff.tokens_of(session.account_id).await.is_none());
    for kind in RenewalKind::ALL {
        assert_eq!(staff.renewal_statuses(*kind).await, [RenewalStatus::Cancelled]);
    }
    assert_eq!(refusal(staff.end(&session, false)).await, ILLEGAL);
}

#[tokio::test]
async fn a_removed_account_keeps_no_session() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    let (workspace_id, account_id) = (session.workspace_id, session.account_id);
    let remove = RemoveAccount { workspace_id, account_id, expected_version: None };
    staff.world.operations.remove_account(&Caller::system(), remove).await.unwrap();
    assert_eq!(staff.account_session(&session).await.value.status, SessionStatus::Closed);
    assert_eq!(refusal(staff.start(account_id)).await, (Code::FailedPrecondition, "ACCOUNT_REMOVED"));
}

#[tokio::test]
async fn the_engine_signs_in_again_only_an_account_that_needs_a_login_and_not_after_a_wrong_password() {
    let staff = Staff::open().await;
    let account_id = staff.with_password().await;
    assert!(staff.start_again(account_id).await.is_none(), "nothing was seen of it yet");
    for event in [AccountEvent::SigningIn, AccountEvent::SessionLost] {
        staff.record_event(account_id, event).await.unwrap();
    }
    let first = staff.start_again(account_id).await.unwrap();
    assert!(first.is_automatic);
    assert!(staff.start_again(account_id).await.is_none(), "it is being signed in");
    staff.session_step(&first, SessionEvent::Refused(SessionFailure::PlatformDown)).await.unwrap();
    assert!(staff.start_again(account_id).await.is_none(), "it is too soon");
    staff.world.advance(Duration::minutes(16));
    let second = staff.start_again(account_id).await.unwrap();
    staff.session_step(&second, SessionEvent::Refused(SessionFailure::WrongPassword)).await.unwrap();
    staff.world.advance(DAY * 3);
    assert!(staff.start_again(account_id).await.is_none());
}

#[tokio::test]
async fn only_the_process_itself_reads_what_signs_an_account_in() {
    let staff = Staff::open().await;
    let session = staff.start(staff.with_password().await).await.unwrap().value;
    let command = ReadSignIn { workspace_id: session.workspace_id, account_session_id: session.id };
    let who = staff.world.operations.read_sign_in(&Caller::system(), command).await.unwrap().unwrap();
    assert_eq!((who.login_name.expose_secret(), who.password.expose_secret()), ("trader-one", "seven lanterns"));
    assert_eq!(refusal(staff.world.operations.read_sign_in(&staff.keeper, command)).await.0, Code::PermissionDenied);
    let tokens = ReadSessionTokens { workspace_id: session.workspace_id, account_id: session.account_id };
    staff.complete(&session, staff.tokens("one", 200)).await;
    let refused = refusal(staff.world.operations.read_session_tokens(&staff.keeper, tokens)).await;
    assert_eq!(refused.0, Code::PermissionDenied);
}

#[tokio::test]
async fn renewals_are_scheduled_with_the_tokens_and_after_each_success() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    let now = staff.world.clock.now();
    let [access] = staff.renewals(RenewalKind::AccessToken).await.try_into().unwrap();
    let [refresh] = staff.renewals(RenewalKind::RefreshToken).await.try_into().unwrap();
    assert!((DAY * 0.69..DAY * 0.81).contains(&access.due_at.since(now)), "{access:?}");
    assert_eq!((refresh.due_at.since(now), refresh.expires_at.since(now)), (DAY * 170, DAY * 200));
    staff.world.advance(DAY * 0.81);
    let due = DueRenewals { workspace_id: session.workspace_id };
    let due = staff.world.operations.due_renewals(&Caller::system(), due).await.unwrap();
    assert_eq!(due.iter().map(|renewal| renewal.value.id).collect::<Vec<_>>(), [access.id]);
    staff.begin_renewal(&access).await.unwrap();
    assert_eq!(staff.account_session(&session).await.value.status, SessionStatus::Renewing);
    let tokens = staff.tokens("two", 200);
    staff.complete_renewal(&access, tokens.clone()).await.unwrap();
    assert_eq!(staff.tokens_of(session.account_id).await, Some(tokens));
    let statuses = staff.renewal_statuses(RenewalKind::AccessToken).await;
    assert_eq!(statuses, [RenewalStatus::Scheduled, RenewalStatus::Succeeded]);
    assert_eq!(staff.account_session(&session).await.value.status, SessionStatus::Active);
}

#[tokio::test]
async fn a_new_refresh_token_moves_the_renewal_of_the_access_token_that_came_with_it() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    let [before] = staff.renewals(RenewalKind::AccessToken).await.try_into().unwrap();
    staff.world.advance(Duration::hours(6));
    let requested = staff.request_renewal(session.account_id, RenewalKind::RefreshToken).await.unwrap().value;
    assert!(requested.is_requested && requested.is_due(staff.world.clock.now()));
    staff.begin_renewal(&requested).await.unwrap();
    staff.complete_renewal(&requested, staff.tokens("two", 200)).await.unwrap();
    let [after] = staff.renewals(RenewalKind::AccessToken).await.try_into().unwrap();
    assert_eq!((after.id, after.due_at.since(before.due_at)), (before.id, Duration::hours(6)));
}

#[tokio::test]
async fn a_renewal_whose_answer_was_lost_is_decided_by_the_old_token() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    let refresh = staff.request_renewal(session.account_id, RenewalKind::RefreshToken).await.unwrap().value;
    staff.begin_renewal(&refresh).await.unwrap();
    assert_eq!(refusal(staff.cancel_renewal(&refresh)).await, ILLEGAL, "its answer may be the only token left");
    staff.renewal_step(&refresh, RenewalEvent::AnswerLost).await.unwrap();
    assert_eq!(refusal(staff.request_renewal(session.account_id, RenewalKind::RefreshToken)).await, ILLEGAL);
    let same_refresh = Tokens { refresh: "refresh one".into(), ..staff.tokens("two", 200) };
    let again = staff.complete_renewal(&refresh, same_refresh).await.unwrap().value;
    assert_eq!(again.status, RenewalStatus::Retrying);
    assert_eq!(staff.account_session(&session).await.value.status, SessionStatus::Active);
    staff.begin_renewal(&refresh).await.unwrap();
    staff.renewal_step(&refresh, RenewalEvent::AnswerLost).await.unwrap();
    let given_up = staff.renewal_step(&refresh, RenewalEvent::GivenUp).await.unwrap().value;
    assert_eq!(given_up.status, RenewalStatus::Exhausted);
    assert_eq!(staff.account_session(&session).await.value.status, SessionStatus::Expired);
    assert_eq!(staff.renewal_statuses(RenewalKind::AccessToken).await, [RenewalStatus::Cancelled]);
    assert!(staff.tokens_of(session.account_id).await.is_none());
}

#[tokio::test]
async fn tokens_that_come_after_the_session_has_ended_are_not_kept() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    let access = staff.request_renewal(session.account_id, RenewalKind::AccessToken).await.unwrap().value;
    staff.begin_renewal(&access).await.unwrap();
    staff.end(&session, false).await.unwrap();
    let refused = refusal(staff.complete_renewal(&access, staff.tokens("two", 200))).await;
    assert_eq!(refused, (Code::FailedPrecondition, "ACCOUNT_NOT_SIGNED_IN"));
    assert!(staff.tokens_of(session.account_id).await.is_none());
    let refused = refusal(staff.request_renewal(session.account_id, RenewalKind::AccessToken)).await;
    assert_eq!(refused, (Code::FailedPrecondition, "ACCOUNT_NOT_SIGNED_IN"));
}

#[tokio::test]
async fn a_cancelled_renewal_can_be_asked_for_again() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    let [access] = staff.renewals(RenewalKind::AccessToken).await.try_into().unwrap();
    assert_eq!(staff.cancel_renewal(&access).await.unwrap().value.status, RenewalStatus::Cancelled);
    let again = staff.request_renewal(session.account_id, RenewalKind::AccessToken).await.unwrap().value;
    assert!(again.id != access.id && again.is_requested);
}

#[tokio::test]
async fn a_refresh_token_that_ends_within_two_weeks_is_a_problem_until_it_is_renewed() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(20).await;
    assert_eq!((staff.report_expiring().await, staff.open_problems(session.account_id).await.len()), (0, 0));
    staff.world.advance(DAY * 7);
    let open = (RemediationKind::TokenExpiring, RemediationStatus::NeedsOperator);
    for _ in 0..2 {
        assert_eq!(staff.report_expiring().await, 1);
        assert_eq!(staff.open_problems(session.account_id).await, [open]);
    }
    let refresh = staff.request_renewal(session.account_id, RenewalKind::RefreshToken).await.unwrap().value;
    staff.begin_renewal(&refresh).await.unwrap();
    staff.complete_renewal(&refresh, staff.tokens("two", 200)).await.unwrap();
    assert_eq!((staff.report_expiring().await, staff.open_problems(session.account_id).await.len()), (0, 0));
}
