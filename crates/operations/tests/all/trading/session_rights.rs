//! Who may read, start and end sessions of trading accounts, and renew their tokens: the calls of each, for the tables of rights.

use std::num::NonZeroU64;

use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_domain::trading::account_session::{SessionEvent, TokenExpiry};
use tradepost_domain::trading::renewal::{RenewalEvent, RenewalKind};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    BeginRenewal, CancelRenewal, CompleteAccountSignIn, CompleteRenewal, CountAccountSessions, CountRenewals,
    DueRenewals, EndAccountSession, GetAccountSession, GetAccountSessions, GetRenewal, GetRenewals,
    ListAccountSessions, ListRenewals, LiveAccountSessions, ReadSessionTokens, ReadSignIn, RecordRenewalStep,
    RecordSessionStep, ReportExpiringTokens, RequestRenewal, StartAccountSession, StartSessionAgain,
    SubmitAccountSessionCode, TakeSessionCode,
};
use tradepost_ports::game_platform::sessions::Tokens;
use tradepost_testkit::samples::minute;

use super::Staff;
use super::rights::{Refusals, of};

/// Those that name no record, or to which an unknown one has nothing.
pub(super) const NAMELESS: [&str; 6] = [
    "GetAccountSessions",
    "GetRenewals",
    "LiveAccountSessions",
    "DueRenewals",
    "ReadSessionTokens",
    "ReportExpiringTokens",
];

pub(super) async fn reads(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, account_session_id, renewal_id) =
        (&staff.world.operations, Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let (limit, cursor) = (0, String::new());
    let list = ListAccountSessions { workspace_id, limit, cursor: cursor.clone(), account_id: None, status: None };
    let several = GetAccountSessions { workspace_id, account_session_ids: vec![account_session_id] };
    let one = GetAccountSession { workspace_id, account_session_id };
    let (account_id, kind, status, due_before) = (None, None, None, None);
    let renewals = ListRenewals { workspace_id, limit, cursor, account_id, kind, status, due_before };
    let several_renewals = GetRenewals { workspace_id, renewal_ids: vec![renewal_id] };
    vec![
        of("ListAccountSessions", on.list_account_sessions(caller, list).await),
        of("GetAccountSession", on.get_account_session(caller, one).await),
        of("GetAccountSessions", on.get_account_sessions(caller, several).await),
        of("CountAccountSessions", on.count_account_sessions(caller, CountAccountSessions { workspace_id }).await),
        of("ListRenewals", on.list_renewals(caller, renewals).await),
        of("GetRenewal", on.get_renewal(caller, GetRenewal { workspace_id, renewal_id }).await),
        of("GetRenewals", on.get_renewals(caller, several_renewals).await),
        of("CountRenewals", on.count_renewals(caller, CountRenewals { workspace_id }).await),
    ]
}

/// What people do, and what an engine reports of sessions.
pub(super) async fn writes(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, account_session_id, account_id) =
        (&staff.world.operations, Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let (expected_version, code) = (None, "F7K2Q".into());
    let start = StartAccountSession { workspace_id, account_id, uses_stored_code: true };
    let submit = SubmitAccountSessionCode { workspace_id, account_session_id, code, expected_version };
    let end = EndAccountSession { workspace_id, account_session_id, revoke: true, expected_version };
    let take = TakeSessionCode { workspace_id, account_session_id, platform_time: None };
    let complete = CompleteAccountSignIn { workspace_id, account_session_id, tokens: tokens() };
    let record = RecordSessionStep { workspace_id, account_session_id, event: SessionEvent::CodeRefused };
    let again = StartSessionAgain { workspace_id, account_id };
    let sign_in = ReadSignIn { workspace_id, account_session_id };
    vec![
        of("StartAccountSession", on.start_account_session(caller, start).await),
        of("SubmitAccountSessionCode", on.submit_account_session_code(caller, submit).await),
        of("EndAccountSession", on.end_account_session(caller, end).await),
        of("LiveAccountSessions", on.live_account_sessions(caller, LiveAccountSessions { workspace_id }).await),
        of("StartSessionAgain", on.start_session_again(caller, again).await),
        of("ReadSignIn", on.read_sign_in(caller, sign_in).await),
        of("TakeSessionCode", on.take_session_code(caller, take).await),
        of("CompleteAccountSignIn", on.complete_account_sign_in(caller, complete).await),
        of("RecordSessionStep", on.record_session_step(caller, record).await),
        of("ReadSessionTokens", on.read_session_tokens(caller, ReadSessionTokens { workspace_id, account_id }).await),
    ]
}

/// The same of renewals.
pub(super) async fn writes_of_renewals(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, renewal_id, account_id) = (&staff.world.operations, Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let request = RequestRenewal { workspace_id, account_id, kind: RenewalKind::AccessToken };
    let cancel = CancelRenewal { workspace_id, renewal_id, expected_version: None };
    let complete = CompleteRenewal { workspace_id, renewal_id, tokens: tokens() };
    let record = RecordRenewalStep { workspace_id, renewal_id, event: RenewalEvent::Refused };
    let report = ReportExpiringTokens { workspace_id };
    vec![
        of("RequestRenewal", on.request_renewal(caller, request).await),
        of("CancelRenewal", on.cancel_renewal(caller, cancel).await),
        of("DueRenewals", on.due_renewals(caller, DueRenewals { workspace_id }).await),
        of("BeginRenewal", on.begin_renewal(caller, BeginRenewal { workspace_id, renewal_id }).await),
        of("CompleteRenewal", on.complete_renewal(caller, complete).await),
        of("RecordRenewalStep", on.record_renewal_step(caller, record).await),
        of("ReportExpiringTokens", on.report_expiring_tokens(caller, report).await),
    ]
}

fn tokens() -> Tokens {
    Tokens {
        user: PlatformUserId::new(NonZeroU64::MIN),
        access: "access".into(),
        refresh: "refresh".into(),
        expiry: TokenExpiry { access: minute(1), refresh: minute(2) },
    }
}
