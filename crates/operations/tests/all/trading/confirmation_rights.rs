//! Who may read and answer confirmations: the calls of each, for the tables of rights.

use time::Duration;
use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::confirmation::ConfirmationOutcome;
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    ApproveConfirmation, BeginConfirmation, ConfirmationLists, CountConfirmations, DenyConfirmation,
    ExamineConfirmation, GetConfirmation, GetConfirmations, ListConfirmations, OpenConfirmations, PostponeConfirmation,
    RecordConfirmationOutcome, RecordConfirmationReading, RecordConfirmations, RefreshConfirmations,
    RefuseConfirmation, RefuseConfirmationReading, StoppedAccounts,
};
use tradepost_testkit::samples::start;

use super::Staff;
use super::rights::{Refusals, of};

/// Those that name no record.
pub(super) const NAMELESS: [&str; 7] = [
    "GetConfirmations",
    "OpenConfirmations",
    "ConfirmationLists",
    "RecordConfirmations",
    "RecordConfirmationReading",
    "RefuseConfirmationReading",
    "StoppedAccounts",
];

pub(super) async fn reads(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, confirmation_id) = (&staff.world.operations, Id::from_bytes([9; 16]));
    let (limit, cursor) = (0, String::new());
    let list = ListConfirmations { workspace_id, limit, cursor, account_id: None, status: None, kind: None };
    let several = GetConfirmations { workspace_id, confirmation_ids: vec![confirmation_id] };
    let one = GetConfirmation { workspace_id, confirmation_id };
    vec![
        of("ListConfirmations", on.list_confirmations(caller, list).await),
        of("GetConfirmation", on.get_confirmation(caller, one).await),
        of("GetConfirmations", on.get_confirmations(caller, several).await),
        of("CountConfirmations", on.count_confirmations(caller, CountConfirmations { workspace_id }).await),
    ]
}

pub(super) async fn writes(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, confirmation_id, account_id) = (&staff.world.operations, Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let deny = DenyConfirmation { workspace_id, confirmation_id, expected_version: None };
    let begin = BeginConfirmation { workspace_id, confirmation_id, expected_version: 1 };
    let outcome = ConfirmationOutcome::Unknown;
    let record = RecordConfirmationOutcome { workspace_id, confirmation_id, outcome };
    let account_name = AccountName::new("trader-1").unwrap();
    let list = RecordConfirmations { workspace_id, account_name, shown: Vec::new() };
    let examine = ExamineConfirmation {
        workspace_id,
        confirmation_id,
        report: None,
        holds_lease: true,
        list_age: Duration::ZERO,
        offer_age: Duration::ZERO,
        sale: None,
    };
    let lists = ConfirmationLists { workspace_id, account_ids: vec![account_id] };
    let read = RecordConfirmationReading { workspace_id, account_id, began_at: start() };
    let postpone = PostponeConfirmation { workspace_id, confirmation_id };
    let refresh = RefreshConfirmations { workspace_id, account_id };
    let refuse = RefuseConfirmation { workspace_id, confirmation_id, why: "it may not give".to_owned() };
    let refuse_reading = RefuseConfirmationReading { workspace_id, account_id };
    vec![
        of("DenyConfirmation", on.deny_confirmation(caller, deny).await),
        of("RefreshConfirmations", on.refresh_confirmations(caller, refresh).await),
        of("BeginConfirmation", on.begin_confirmation(caller, begin).await),
        of("RecordConfirmationOutcome", on.record_confirmation_outcome(caller, record).await),
        of("RecordConfirmations", on.record_confirmations(caller, &list).await),
        of("ExamineConfirmation", on.examine_confirmation(caller, &examine).await),
        of("OpenConfirmations", on.open_confirmations(caller, OpenConfirmations { workspace_id }).await),
        of("ConfirmationLists", on.confirmation_lists(caller, lists).await),
        of("RecordConfirmationReading", on.record_confirmation_reading(caller, read).await),
        of("PostponeConfirmation", on.postpone_confirmation(caller, postpone).await),
        of("RefuseConfirmation", on.refuse_confirmation(caller, refuse).await),
        of("RefuseConfirmationReading", on.refuse_confirmation_reading(caller, refuse_reading).await),
        of("StoppedAccounts", on.stopped_accounts(caller, StoppedAccounts { workspace_id }).await),
        approve(staff, caller, workspace_id).await,
    ]
}

async fn approve(
    staff: &Staff,
    caller: &Caller,
    workspace_id: WorkspaceId,
) -> (&'static str, Option<tradepost_operations::OpError>) {
    let (confirmation_id, expected_version) = (Id::from_bytes([9; 16]), Some(1));
    let command = ApproveConfirmation { workspace_id, confirmation_id, expected_version };
    of("ApproveConfirmation", staff.world.operations.approve_confirmation(caller, command).await)
}
