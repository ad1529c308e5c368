//! What is needed to start a session, several at once, and whether an account is ready by its session.

use tradepost_domain::id::Id;
use tradepost_domain::trading::trading_account::CheckCode;
use tradepost_operations::trading::{AccountResult, BulkAccounts, BulkAction, GetAccountReadiness};

use super::*;

impl Staff {
    fn bulk_start(&self, account_ids: Vec<AccountId>) -> BulkAccounts {
        BulkAccounts {
            workspace_id: self.world.workspace_id,
            account_ids,
            account_group_id: None,
            action: BulkAction::StartSession,
            reason: None,
        }
    }

    /// Whether the check of the token holds, and what was found.
    async fn token_check(&self, account_id: AccountId) -> (bool, String) {
        let command = GetAccountReadiness { workspace_id: self.world.workspace_id, account_id };
        let readiness = self.world.operations.get_account_readiness(&self.keeper, command).await.unwrap();
        let check = readiness.checks.into_iter().find(|check| check.code == CheckCode::Token).unwrap();
        (check.ok, check.detail)
    }
}

/// Why each account stays as it is, for those that do.
fn objections(results: &[AccountResult]) -> Vec<Option<&'static str>> {
    results.iter().map(|result| result.outcome.as_ref().err().map(|objection| objection.reason.as_str())).collect()
}

#[tokio::test]
async fn no_session_is_started_before_the_present_risk_notice_is_acknowledged() {
    let staff = Staff::open().await;
    let account_id = staff.with_password().await;
    for event in [AccountEvent::SigningIn, AccountEvent::SessionLost] {
        staff.record_event(account_id, event).await.unwrap();
    }
    staff.outdate_the_notice().await;
    let refused = (Code::FailedPrecondition, "RISKS_NOT_ACKNOWLEDGED");
    assert_eq!(refusal(staff.start(account_id)).await, refused);
    let bulk = staff.world.operations.bulk_accounts(&Caller::system(), staff.bulk_start(vec![account_id])).await;
    assert_eq!(crate::harness::refusal(bulk), refused);
    assert!(staff.start_again(account_id).await.is_none());
    staff.world.acknowledge_risks().await;
    assert!(staff.start_again(account_id).await.is_some());
}

#[tokio::test]
async fn several_accounts_are_signed_in_at_once_each_with_its_result() {
    let staff = Staff::open().await;
    let (one, without_login_name) = (staff.with_password().await, staff.register(2).await.id);
    let ids = vec![one, Id::from_bytes([9; 16]), without_login_name];
    let start = async |command| staff.world.operations.bulk_accounts(&staff.keeper, command).await;
    let asked = refusal(start(staff.bulk_start(ids.clone()))).await;
    assert_eq!(asked, (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
    staff.world.step_up(&staff.keeper).await;
    let results = start(staff.bulk_start(ids)).await.unwrap();
    assert_eq!(objections(&results), [None, Some("NOT_FOUND"), Some("ACCOUNT_WITHOUT_PASSWORD")]);
    let command = GetAccountSession {
        workspace_id: staff.world.workspace_id,
        account_session_id: results[0].account_session_id.unwrap(),
    };
    let started = staff.world.operations.get_account_session(&staff.keeper, command).await.unwrap().value;
    assert_eq!((started.account_id, started.status), (one, SessionStatus::Starting));
    assert!(started.uses_stored_code && !started.is_automatic);
    let again = start(staff.bulk_start(vec![one])).await.unwrap();
    assert_eq!((objections(&again), again[0].account_session_id), (vec![Some("SESSION_OPEN")], None));
    let reasoned = BulkAccounts { reason: Some("the office moves".to_owned()), ..staff.bulk_start(vec![one]) };
    assert_eq!(refusal(start(reasoned)).await, (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn an_account_is_not_ready_while_its_token_ends_soon_or_its_session_has_failed() {
    let staff = Staff::open().await;
    let other = staff.register(2).await.id;
    assert_eq!(staff.token_check(other).await, (true, "no session was started here".to_owned()));
    let session = staff.signed_in_for(20).await;
    assert_eq!(staff.token_check(session.account_id).await, (true, "the refresh token ends in 20 days".to_owned()));
    staff.world.advance(DAY * 17);
    assert_eq!(staff.token_check(session.account_id).await, (false, "the refresh token ends in 3 days".to_owned()));
    staff.session_step(&session, SessionEvent::Lost(SessionFailure::Expired)).await.unwrap();
    assert!(!staff.token_check(session.account_id).await.0);
    let next = staff.start(session.account_id).await.unwrap().value;
    staff.session_step(&next, SessionEvent::Refused(SessionFailure::WrongPassword)).await.unwrap();
    let failed = "the last sign-in has failed: WRONG_PASSWORD".to_owned();
    assert_eq!(staff.token_check(session.account_id).await, (false, failed));
}
