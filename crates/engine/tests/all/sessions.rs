//! Trading accounts are signed in, stay signed in, and are signed in again: by their passwords, by codes of their owners, and by tokens that are
//! renewed before they end.

mod fleet;
mod rotations;

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{AccountSignIn, Call, Fault, Side, SimulatedGuard};
use tradepost_domain::accounts::workspace::RISK_NOTICE;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::AccountId;
use tradepost_domain::trading::account_session::{AccountSession, Guard, SessionFailure, SessionStatus};
use tradepost_domain::trading::lease::Work;
use tradepost_domain::trading::renewal::{Renewal, RenewalKind, RenewalStatus};
use tradepost_domain::trading::trading_account::AccountStatus;
use tradepost_engine::{Desk as Engaged, Engine};
use tradepost_operations::Caller;
use tradepost_operations::accounts::AcknowledgeRiskNotice;
use tradepost_operations::contracts::HoldLeases;
use tradepost_operations::trading::{
    AccountSecrets, AccountTokens, EndAccountSession, FriendReadings, GetAccountSessions, GetRenewals,
    ListAccountSessions, ListRenewals, OfferReadings, ReadSessionTokens, RequestRenewal, StartAccountSession,
    SubmitAccountSessionCode, UpdateAccount,
};
use tradepost_ports::game_platform::social::Social;
use tradepost_testkit::samples::text;

use crate::desk::{CUSTOMER, Desk, all_items};

const PASSWORD: &str = "seven lanterns";

fn minute() -> Duration {
    Duration::MINUTE
}

impl Desk {
    /// A desk whose account is signed in by a password, and by what the platform asks for besides.
    async fn locked(seed: u64, guard: SimulatedGuard) -> (Self, AccountId) {
        let mut desk = Self::slow(seed).await;
        desk.step = Duration::seconds(30);
        let account_id = desk.on_record().await;
        desk.lock(account_id, guard).await;
        (desk, account_id)
    }

    /// From now on the account is signed in by a password, which is stored, and by what the platform asks for besides.
    async fn lock(&self, account_id: AccountId, guard: SimulatedGuard) {
        let login_name = "bot-one".to_owned();
        let sign_in = AccountSignIn { login_name, password: PASSWORD.to_owned(), guard };
        self.simulator.world(|world| world.require_sign_in(self.account.user, sign_in)).unwrap();
        self.know(account_id, PASSWORD).await;
    }

    /// Stores what the account signs in by.
    async fn know(&self, account_id: AccountId, password: &str) {
        self.acknowledge_risks().await;
        let secrets = AccountSecrets {
            login_name: Some("bot-one".into()),
            password: Some(password.into()),
            ..AccountSecrets::default()
        };
        let update = UpdateAccount {
            workspace_id: self.workspace_id,
            account_id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: None,
            secrets,
            cancel_strange_offers: None,
            giving_limits: None,
            expected_version: None,
        };
        self.operations.update_account(&Caller::system(), update).await.unwrap();
    }

    /// An engine that signs the account in, and calls the platform with its tokens.
    fn engine_signing_in(&self) -> Engine {
        self.engine_for(self.signing_in())
    }

    /// The same, which reads friends with them as well.
    fn engine_reading_friends(&self) -> Engine {
        let social = Some(Arc::new(self.simulator.social().with_vault(self.vault())) as Arc<dyn Social>);
        self.engine_for(Engaged { social, ..self.signing_in() })
    }

    fn signing_in(&self) -> Engaged {
        let desk = self.engaged("node-1", Arc::new(self.simulator.marketplace(CUSTOMER)));
        Engaged {
            platform: Arc::new(self.simulator.platform().with_vault(self.vault())),
            sessions: Some(Arc::new(self.simulator.sessions())),
            ..desk
        }
    }

    fn vault(&self) -> Arc<AccountTokens> {
        Arc::new(AccountTokens::new(self.operations.clone(), self.workspace_id, text("steam")))
    }

    /// Whether the friends and the trade offers of the account were read.
    async fn were_read(&self, account_id: AccountId) -> [bool; 2] {
        let (workspace_id, system) = (self.workspace_id, Caller::system());
        let friends = self.operations.friend_readings(&system, FriendReadings { workspace_id }).await.unwrap();
        let ask = OfferReadings { workspace_id, account_ids: vec![account_id] };
        let offers = self.operations.offer_readings(&system, ask).await.unwrap();
        [friends.iter().any(|list| list.read_at.is_some()), offers.iter().any(|reading| reading.read_at.is_some())]
    }

    async fn start_session(&self, account_id: AccountId) -> AccountSession {
        let command = StartAccountSession { workspace_id: self.workspace_id, account_id, uses_stored_code: true };
        self.operations.start_account_session(&Caller::system(), command).await.unwrap().value
    }

    /// The sessions of the account, the newest first.
    async fn sessions(&self) -> Vec<AccountSession> {
        let (workspace_id, cursor) = (self.workspace_id, String::new());
        let list = ListAccountSessions { workspace_id, limit: 200, cursor, account_id: None, status: None };
        let account_session_ids = self.operations.list_account_sessions(&Caller::system(), list).await.unwrap().entries;
        if account_session_ids.is_empty() {
            return Vec::new();
        }
        let get = GetAccountSessions { workspace_id, account_session_ids };
        let found = self.operations.get_account_sessions(&Caller::system(), get).await.unwrap().found;
        found.into_iter().map(|found| found.value).collect()
    }

    async fn session_status(&self) -> SessionStatus {
        self.sessions().await.first().unwrap().status
    }

    /// The renewals of a kind, the newest first.
    async fn renewals(&self, kind: RenewalKind) -> Vec<Renewal> {
        let (workspace_id, cursor) = (self.workspace_id, String::new());
        let (kind, limit) = (Some(kind), 200);
        let list = ListRenewals { workspace_id, limit, cursor, account_id: None, kind, status: None, due_before: None };
        let renewal_ids = self.operations.list_renewals(&Caller::system(), list).await.unwrap().entries;
        let found = self.operations.get_renewals(&Caller::system(), GetRenewals { workspace_id, renewal_ids }).await;
        found.unwrap().found.into_iter().map(|found| found.value).collect()
    }

    async fn renewal_statuses(&self, kind: RenewalKind) -> Vec<RenewalStatus> {
        self.renewals(kind).await.into_iter().map(|renewal| renewal.status).collect()
    }

    async fn request_renewal(&self, account_id: AccountId, kind: RenewalKind) {
        let command = RequestRenewal { workspace_id: self.workspace_id, account_id, kind };
        self.operations.request_renewal(&Caller::system(), command).await.unwrap();
    }

    async fn submit_code(&self, code: &str) {
        let command = SubmitAccountSessionCode {
            workspace_id: self.workspace_id,
            account_session_id: self.sessions().await.first().unwrap().id,
            code: code.into(),
            expected_version: None,
        };
        self.operations.submit_account_session_code(&Caller::system(), command).await.unwrap();
    }

    async fn end_session(&self, revoke: bool) {
        let account_session_id = self.sessions().await.first().unwrap().id;
        let workspace_id = self.workspace_id;
        let command = EndAccountSession { workspace_id, account_session_id, revoke, expected_version: None };
        self.operations.end_account_session(&Caller::system(), command).await.unwrap();
    }

    async fn has_tokens(&self, account_id: AccountId) -> bool {
        let read = ReadSessionTokens { workspace_id: self.workspace_id, account_id };
        self.operations.read_session_tokens(&Caller::system(), read).await.unwrap().is_some()
    }

    /// The code that was mailed last.
    fn mailed_code(&self) -> Option<String> {
        self.simulator.world(|world| world.sent_code(self.account.user))
    }

    /// Another node takes over what is done for the accounts. The one that held it has not noticed yet.
    async fn lose_the_accounts(&self) {
        let (system, workspace_id) = (Caller::system(), self.workspace_id);
        let leases = self.operations.leases(&system, workspace_id).await.unwrap();
        let seen_at = leases.iter().find(|lease| lease.value.work == Work::Inventory).map(|lease| lease.version);
        let take = vec![(Work::Inventory, seen_at)];
        let command = HoldLeases { workspace_id, node: text("node-2"), take, give_up: Vec::new() };
        self.operations.hold_leases(&system, command).await.unwrap();
    }

    async fn acknowledge_risks(&self) {
        let workspace_id = self.workspace_id;
        let command = AcknowledgeRiskNotice { workspace_id, version: RISK_NOTICE.version.to_owned() };
        self.operations.acknowledge_risk_notice(&Caller::system(), command).await.unwrap();
    }
}

#[tokio::test]
async fn an_account_that_was_signed_in_trades_and_sells_with_its_tokens() {
    let (desk, account_id) = Desk::locked(1_301, SimulatedGuard::None).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    assert_eq!(desk.session_status().await, SessionStatus::Active);
    assert_eq!(desk.account_status(account_id).await, AccountStatus::Ready);
    desk.buying(1).await;
    desk.selling().await;
    let mut desk = desk;
    desk.step = Duration::minutes(10);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    let renewed = desk.renewal_statuses(RenewalKind::AccessToken).await;
    assert!(renewed.len() > 7 && renewed.iter().skip(1).all(|it| *it == RenewalStatus::Succeeded), "{renewed:?}");
    assert_eq!(desk.sessions().await.len(), 1, "a week of trade protection, by one session");
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_account_that_needs_a_login_is_signed_in_without_a_person_as_long_as_its_password_is_right() {
    let (desk, account_id) = Desk::locked(1_302, SimulatedGuard::None).await;
    let mut engine = desk.engine_signing_in();
    desk.live(&mut engine, minute() * 3).await;
    let [session] = desk.sessions().await.try_into().unwrap();
    assert!(session.is_automatic && session.status == SessionStatus::Active, "{session:?}");
    assert_eq!(desk.account_status(account_id).await, AccountStatus::Ready);
    assert_eq!(desk.remediations(RemediationKind::SessionFailed).await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn a_wrong_password_is_tried_once() {
    let (desk, account_id) = Desk::locked(1_303, SimulatedGuard::None).await;
    desk.know(account_id, "another one").await;
    let mut engine = desk.engine_signing_in();
    desk.live(&mut engine, Duration::hours(2)).await;
    let [session] = desk.sessions().await.try_into().unwrap();
    assert_eq!((session.status, session.failure), (SessionStatus::Failed, Some(SessionFailure::WrongPassword)));
    assert_eq!(desk.remediations(RemediationKind::SessionFailed).await, [RemediationStatus::NeedsOperator]);
    desk.know(account_id, PASSWORD).await;
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    assert_eq!(desk.session_status().await, SessionStatus::Active);
}

#[tokio::test]
async fn a_code_that_was_mailed_is_waited_for_and_a_wrong_one_asked_for_again() {
    let (desk, account_id) = Desk::locked(1_304, SimulatedGuard::EmailCode).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    let waiting = desk.sessions().await.remove(0);
    assert_eq!((waiting.status, waiting.code_guard()), (SessionStatus::AwaitingCode, Some(Guard::EmailCode)));
    assert_eq!(waiting.asked.email_domain, Some(text("example.com")));
    desk.submit_code("00000").await;
    desk.live(&mut engine, minute()).await;
    let again = desk.sessions().await.remove(0);
    assert_eq!((again.status, again.failure), (SessionStatus::AwaitingCode, Some(SessionFailure::WrongCode)));
    let code = desk.simulator.world(|world| world.sent_code(desk.account.user)).unwrap();
    desk.submit_code(&code).await;
    desk.live(&mut engine, minute()).await;
    assert_eq!(desk.session_status().await, SessionStatus::Active);
}

#[tokio::test]
async fn a_sign_in_is_followed_at_once_by_the_reads_that_failed_before_it() {
    let (desk, account_id) = Desk::locked(1_330, SimulatedGuard::EmailCode).await;
    let mut engine = desk.engine_reading_friends();
    desk.start_session(account_id).await;
    engine.pass().await;
    assert_eq!(desk.session_status().await, SessionStatus::AwaitingCode);
    assert_eq!(desk.were_read(account_id).await, [false, false]);
    let code = desk.simulator.world(|world| world.sent_code(desk.account.user)).unwrap();
    desk.submit_code(&code).await;
    // Less than the minute after which reads that failed are repeated.
    desk.simulator.advance(Duration::seconds(20));
    engine.pass().await;
    assert_eq!(desk.session_status().await, SessionStatus::Active);
    assert_eq!(desk.were_read(account_id).await, [true, true]);
}

#[tokio::test]
async fn a_sign_in_that_no_one_approves_fails_after_ten_minutes_and_one_that_is_approved_works() {
    let (desk, account_id) = Desk::locked(1_305, SimulatedGuard::Approval).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    assert_eq!(desk.session_status().await, SessionStatus::AwaitingApproval);
    desk.live(&mut engine, minute() * 10).await;
    let late = desk.sessions().await.pop().unwrap();
    assert_eq!((late.status, late.failure), (SessionStatus::Failed, Some(SessionFailure::Expired)));
    // The engine begins another one.
    desk.live(&mut engine, minute() * 2).await;
    assert_eq!(desk.session_status().await, SessionStatus::AwaitingApproval);
    assert!(desk.simulator.world(|world| world.approve_sign_in(desk.account.user, true)));
    desk.live(&mut engine, minute()).await;
    assert_eq!(desk.session_status().await, SessionStatus::Active);
}

#[tokio::test]
async fn a_sign_in_that_waited_for_others_has_ten_minutes_from_its_begin() {
    let (desk, account_id) = Desk::locked(1_317, SimulatedGuard::EmailCode).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.simulator.advance(minute() * 11);
    desk.live(&mut engine, minute() * 2).await;
    assert_eq!(desk.session_status().await, SessionStatus::AwaitingCode);
    desk.live(&mut engine, minute() * 10).await;
    let late = desk.sessions().await.pop().unwrap();
    assert_eq!((late.status, late.failure), (SessionStatus::Failed, Some(SessionFailure::Expired)));
}

#[tokio::test]
async fn a_sign_in_goes_on_after_a_restart() {
    let (desk, account_id) = Desk::locked(1_306, SimulatedGuard::EmailCode).await;
    desk.start_session(account_id).await;
    desk.live(&mut desk.engine_signing_in(), minute()).await;
    let mut engine = desk.engine_signing_in();
    desk.live(&mut engine, minute()).await;
    assert_eq!(desk.session_status().await, SessionStatus::AwaitingCode);
    let code = desk.simulator.world(|world| world.sent_code(desk.account.user)).unwrap();
    desk.submit_code(&code).await;
    desk.live(&mut engine, minute()).await;
    assert_eq!(desk.session_status().await, SessionStatus::Active);
}

#[tokio::test]
async fn a_revoked_session_works_neither_here_nor_at_the_platform() {
    let (desk, account_id) = Desk::locked(1_307, SimulatedGuard::None).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    desk.end_session(true).await;
    desk.live(&mut engine, minute() * 30).await;
    let statuses: Vec<_> = desk.sessions().await.iter().map(|session| session.status).collect();
    assert_eq!(statuses, [SessionStatus::Revoked], "the engine signs in no account that a person has signed out");
    assert!(!desk.simulator.world(|world| world.is_signed_in(desk.account.user)));
    assert!(!desk.has_tokens(account_id).await);
    for kind in RenewalKind::ALL {
        assert_eq!(desk.renewal_statuses(*kind).await, [RenewalStatus::Cancelled]);
    }
}

#[tokio::test]
async fn a_session_that_is_closed_is_forgotten_at_once() {
    let (desk, account_id) = Desk::locked(1_308, SimulatedGuard::None).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    desk.end_session(false).await;
    assert_eq!(desk.session_status().await, SessionStatus::Closed);
    assert!(!desk.has_tokens(account_id).await);
    desk.live(&mut engine, minute() * 30).await;
    assert_eq!(desk.sessions().await.len(), 1, "the engine signs in no account that a person has signed out");
    assert_eq!(desk.account_status(account_id).await, AccountStatus::NeedsLogin);
}

#[tokio::test]
async fn a_refresh_token_is_replaced_on_request_and_the_former_one_is_dead() {
    let (desk, account_id) = Desk::locked(1_309, SimulatedGuard::None).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    let before = desk.sessions().await.remove(0).expiry.unwrap();
    desk.request_renewal(account_id, RenewalKind::RefreshToken).await;
    desk.live(&mut engine, minute()).await;
    let statuses = desk.renewal_statuses(RenewalKind::RefreshToken).await;
    assert_eq!(statuses, [RenewalStatus::Scheduled, RenewalStatus::Succeeded]);
    let after = desk.sessions().await.remove(0);
    assert!(after.status == SessionStatus::Active && after.expiry.unwrap().refresh > before.refresh, "{after:?}");
    assert_eq!(desk.renewal_statuses(RenewalKind::AccessToken).await, [RenewalStatus::Scheduled], "it was moved");
    assert_eq!(desk.account_status(account_id).await, AccountStatus::Ready);
}

#[tokio::test]
async fn a_replacement_whose_answer_was_lost_leaves_the_old_token_tried_and_the_account_signed_in_again() {
    let (desk, account_id) = Desk::locked(1_310, SimulatedGuard::None).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    desk.strike(Fault::TimeoutAfterCommit { call: Call::Renew });
    desk.request_renewal(account_id, RenewalKind::RefreshToken).await;
    desk.simulator.advance(desk.step);
    engine.pass().await;
    assert_eq!(desk.renewal_statuses(RenewalKind::RefreshToken).await, [RenewalStatus::Uncertain]);
    desk.live(&mut engine, minute() * 5).await;
    // The platform rejected the old access token, too. It was not renewed before the old refresh token was tried.
    let of_access = desk.renewal_statuses(RenewalKind::AccessToken).await;
    assert_eq!(of_access, [RenewalStatus::Scheduled, RenewalStatus::Cancelled]);
    let of_refresh = desk.renewal_statuses(RenewalKind::RefreshToken).await;
    assert_eq!(of_refresh, [RenewalStatus::Scheduled, RenewalStatus::Exhausted]);
    let [again, lost] = desk.sessions().await.try_into().unwrap();
    assert_eq!((again.status, again.is_automatic), (SessionStatus::Active, true));
    assert_eq!((lost.status, lost.failure), (SessionStatus::Closed, Some(SessionFailure::Expired)));
    assert_eq!(desk.account_status(account_id).await, AccountStatus::Ready);
}

#[tokio::test]
async fn a_replacement_that_never_arrived_is_made_again_with_the_old_token() {
    let (desk, account_id) = Desk::locked(1_311, SimulatedGuard::None).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    desk.strike(Fault::TimeoutBeforeCommit { call: Call::Renew });
    desk.request_renewal(account_id, RenewalKind::RefreshToken).await;
    desk.live(&mut engine, minute() * 5).await;
    let statuses = desk.renewal_statuses(RenewalKind::RefreshToken).await;
    assert_eq!(statuses, [RenewalStatus::Scheduled, RenewalStatus::Succeeded]);
    assert_eq!(desk.sessions().await.len(), 1);
}

#[tokio::test]
async fn an_account_that_the_platform_rejects_gets_a_new_token_and_keeps_its_session_if_that_works() {
    let (desk, account_id) = Desk::locked(1_312, SimulatedGuard::None).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    // The platform forgets its callers for less time than it takes to try a new token.
    desk.strike(Fault::SessionLost { side: Side::Platform, seconds: 90 });
    desk.live(&mut engine, minute() * 10).await;
    assert_eq!(desk.account_status(account_id).await, AccountStatus::Ready);
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_process_that_starts_again_begins_a_sign_in_again_two_minutes_after_the_first_time() {
    let (desk, account_id) = Desk::locked(1_313, SimulatedGuard::EmailCode).await;
    desk.start_session(account_id).await;
    let mut one = desk.engine_signing_in();
    desk.live(&mut one, minute()).await;
    let first = desk.mailed_code();
    one.end().await.unwrap();
    let mut other = desk.engine_signing_in();
    other.pass().await;
    assert!(first.is_some() && desk.mailed_code() == first, "the platform has mailed a code a minute ago");
    desk.live(&mut other, minute() * 2).await;
    assert_ne!(desk.mailed_code(), first);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_lost_its_lease_begins_no_sign_in() {
    let mut desk = Desk::slow(1_314).await;
    desk.step = Duration::seconds(30);
    let account_id = desk.on_record().await;
    let mut engine = desk.engine_signing_in();
    engine.pass().await;
    desk.lock(account_id, SimulatedGuard::EmailCode).await;
    desk.start_session(account_id).await;
    desk.lose_the_accounts().await;
    desk.simulator.advance(desk.step);
    engine.pass().await;
    assert_eq!(desk.mailed_code(), None);
    assert_eq!(desk.session_status().await, SessionStatus::Starting);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_lost_its_lease_revokes_no_token() {
    let (desk, account_id) = Desk::locked(1_315, SimulatedGuard::None).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    desk.end_session(true).await;
    desk.lose_the_accounts().await;
    desk.simulator.advance(desk.step);
    engine.pass().await;
    assert!(desk.simulator.world(|world| world.is_signed_in(desk.account.user)));
    assert!(desk.has_tokens(account_id).await);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_lost_its_lease_tries_no_old_token() {
    let (desk, account_id) = Desk::locked(1_316, SimulatedGuard::None).await;
    let mut engine = desk.engine_signing_in();
    desk.start_session(account_id).await;
    desk.live(&mut engine, minute()).await;
    desk.strike(Fault::TimeoutBeforeCommit { call: Call::Renew });
    desk.request_renewal(account_id, RenewalKind::RefreshToken).await;
    desk.simulator.advance(desk.step);
    engine.pass().await;
    assert_eq!(desk.renewal_statuses(RenewalKind::RefreshToken).await, [RenewalStatus::Uncertain]);
    desk.lose_the_accounts().await;
    desk.simulator.advance(desk.step * 3);
    engine.pass().await;
    assert_eq!(desk.renewal_statuses(RenewalKind::RefreshToken).await, [RenewalStatus::Uncertain]);
}
