//! Calls of the platform that are announced before they are made, so that of two nodes one makes each.

use tradepost_domain::trading::account_session::{BEGIN_SPACING, REVOKE_SPACING};
use tradepost_domain::trading::lease::Work;
use tradepost_operations::contracts::HoldLeases;

use super::*;

#[tokio::test]
async fn a_call_that_begins_a_sign_in_is_announced_once_in_two_minutes() {
    let staff = Staff::open().await;
    let started = staff.start(staff.with_password().await).await.unwrap().value;
    let begun = staff.session_step(&started, SessionEvent::Begun).await.unwrap().value;
    assert_eq!((begun.status, begun.called_at), (SessionStatus::Starting, Some(staff.world.clock.now())));
    assert_eq!(refusal(staff.session_step(&started, SessionEvent::Begun)).await, ILLEGAL);
    staff.world.advance(BEGIN_SPACING);
    staff.session_step(&started, SessionEvent::Begun).await.unwrap();
    assert_eq!(staff.complete(&started, staff.tokens("one", 200)).await.called_at, None);
}

#[tokio::test]
async fn a_revocation_is_announced_on_request_alone_and_once_in_a_minute() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    let announced = async || staff.session_step(&session, SessionEvent::RevocationBegun).await;
    assert_eq!(refusal(announced()).await, ILLEGAL, "no one asked for it");
    staff.end(&session, true).await.unwrap();
    assert_eq!(announced().await.unwrap().value.status, SessionStatus::Active);
    assert_eq!(refusal(announced()).await, ILLEGAL);
    staff.world.advance(REVOKE_SPACING);
    announced().await.unwrap();
}

#[tokio::test]
async fn a_try_of_an_old_token_is_announced_once_in_a_minute() {
    let staff = Staff::open().await;
    let session = staff.signed_in_for(200).await;
    let refresh = staff.request_renewal(session.account_id, RenewalKind::RefreshToken).await.unwrap().value;
    staff.begin_renewal(&refresh).await.unwrap();
    staff.renewal_step(&refresh, RenewalEvent::AnswerLost).await.unwrap();
    let announced = async || staff.renewal_step(&refresh, RenewalEvent::OldTried).await;
    assert_eq!(refusal(announced()).await, ILLEGAL, "the answer may still come");
    staff.world.advance(Duration::MINUTE);
    let tried = announced().await.unwrap().value;
    assert_eq!(tried.due_at, staff.world.clock.now().plus(Duration::MINUTE));
    assert_eq!(refusal(announced()).await, ILLEGAL);
}

#[tokio::test]
async fn a_node_that_lost_its_lease_announces_no_call() {
    let staff = Staff::open().await;
    let started = staff.start(staff.with_password().await).await.unwrap().value;
    let (on, workspace_id) = (&staff.world.operations, staff.world.workspace_id);
    let hold = |node, seen_at| {
        let take = vec![(Work::Inventory, seen_at)];
        HoldLeases { workspace_id, node: text(node), take, give_up: Vec::new() }
    };
    let leases = on.hold_leases(&Caller::system(), hold("node-1", None)).await.unwrap();
    let one = Caller { guards: vec![leases[0].fence], ..Caller::system() };
    on.hold_leases(&Caller::system(), hold("node-2", Some(leases[0].fence.version))).await.unwrap();
    let announce = RecordSessionStep { workspace_id, account_session_id: started.id, event: SessionEvent::Begun };
    let refused = refusal(on.record_session_step(&one, announce)).await;
    assert_eq!(refused, (Code::FailedPrecondition, "LEASE_LOST"));
    assert_eq!(staff.account_session(&started).await.value.called_at, None);
}
