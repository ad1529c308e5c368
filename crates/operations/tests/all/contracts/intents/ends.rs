//! Intents that end by themselves: their time is over, or their contract stops.

use tradepost_domain::accounts::policy::Role;
use tradepost_operations::accounts::InviteMember;
use tradepost_ports::store::StoreError;

use super::*;
use crate::contracts::pools::NO_LIMITS;
use crate::harness::Fate;

#[tokio::test]
async fn an_approved_intent_buys_after_a_lost_race() {
    for desk in [Desk::open().await, Desk::pooled(NO_LIMITS).await.0] {
        let approved = desk.propose(1).await;
        let (desk, store) = desk.scripted([Fate::Refused(StoreError::Conflict)]);
        let bought = desk.buy_approved(&approved).await.unwrap();
        assert_eq!(store.commits(), 2);
        let intent = desk.intent(approved.value.terms.id).await.value;
        assert_eq!((intent.status, intent.failed_check.clone()), (IntentStatus::Executing, None));
        assert_eq!(desk.purchase(bought.purchase.value.terms.id).await, bought.purchase);
    }
}

#[tokio::test]
async fn an_approved_intent_outlives_a_try_whose_caller_has_changed() {
    for (caller, reason) in [(None, "CALLER_CHANGED"), (Some(Caller::system()), "LEASE_LOST")] {
        let desk = Desk::open().await;
        let approved = desk.propose(1).await;
        let (other, _) = desk.scripted([Fate::Refused(StoreError::CallerChanged)]);
        let trader = caller.unwrap_or_else(|| other.trader.clone());
        let other = Desk { trader, ..other };
        desk.forbidden(other.buy_approved(&approved), reason).await;
        assert_eq!(desk.intent(approved.value.terms.id).await.value.status, IntentStatus::Approved);
        desk.buy_approved(&approved).await.unwrap();
    }
}

#[tokio::test]
async fn what_is_not_carried_out_in_time_expires() {
    let desk = Desk::open().await;
    let approved = desk.propose(1).await;
    assert_eq!(approved.value.expires_at, desk.world.clock.now().plus(APPROVED_BUY_LIFETIME));
    let once = desk.postpone(&approved).await;
    let twice = desk.postpone(&once).await;
    assert_eq!(desk.operations().expire_intents().await.unwrap(), 0);
    desk.advance_clock(APPROVED_BUY_LIFETIME);
    desk.forbidden(desk.claim(&twice), "INTENT_EXPIRED").await;
    let before = desk.operations().sweep().await.unwrap();
    assert_eq!(before.intents, 1);
    let expired = desk.intent(approved.value.terms.id).await.value;
    assert_eq!((expired.status, expired.failed_check.clone()), (IntentStatus::Expired, Some(text("NO_ACCOUNT_READY"))));
    let log = desk.log(Subject::Intent(expired.terms.id)).await;
    assert_eq!(log.last().unwrap().reason.as_ref().unwrap().as_str(), "NO_ACCOUNT_READY");
    assert_eq!(desk.operations().expire_intents().await.unwrap(), 0);
    desk.propose(1).await;
}

#[tokio::test]
async fn an_approval_waits_until_an_engine_has_looked_at_it_twice() {
    let desk = Desk::open().await;
    let approved = desk.propose(1).await;
    desk.advance_clock(Duration::hours(12));
    assert_eq!(desk.operations().expire_intents().await.unwrap(), 0);
    let once = desk.postpone(&approved).await;
    assert_eq!((once.value.status, once.value.looks), (IntentStatus::Approved, 1));
    assert_eq!(desk.operations().expire_intents().await.unwrap(), 0);
    let bought = desk.buy_approved(&once).await.unwrap();
    assert_eq!((bought.intent.value.status, bought.intent.value.failed_check.clone()), (IntentStatus::Executing, None));
}

#[tokio::test]
async fn an_approval_that_no_engine_looks_at_ends_after_a_day_and_says_so() {
    let desk = Desk::open().await;
    let approved = desk.propose(1).await;
    desk.advance_clock(HELD_FOR + UNSERVED_LIFETIME);
    assert_eq!(desk.operations().expire_intents().await.unwrap(), 1);
    let expired = desk.intent(approved.value.terms.id).await.value;
    assert_eq!((expired.status, expired.failed_check.clone()), (IntentStatus::Expired, Some(text("NO_ENGINE"))));
}

#[tokio::test]
async fn a_fast_market_leaves_people_five_minutes_to_decide_and_engines_five_to_buy() {
    let desk = Desk::deciding(ApprovalMode::Manual).await;
    let market = Arc::new(FixedClock::at(desk.world.clock.now()));
    desk.operations().trade_by(desk.workspace_id(), market.clone()).await.unwrap();
    let proposed = desk.propose(1).await;
    market.advance(Duration::days(2));
    desk.advance_clock(Duration::minutes(4));
    assert_eq!(desk.operations().expire_intents().await.unwrap(), 0);
    let approved = desk.approve(&proposed).await.unwrap();
    let once = desk.postpone(&approved).await;
    let twice = desk.postpone(&once).await;
    market.advance(Duration::days(2));
    desk.advance_clock(Duration::minutes(4));
    assert_eq!(desk.operations().expire_intents().await.unwrap(), 0);
    desk.buy_approved(&twice).await.unwrap();
}

#[tokio::test]
async fn intents_end_also_where_an_invitation_cannot_be_expired() {
    let desk = Desk::open().await;
    let approved = desk.propose(1).await;
    let invite = InviteMember {
        workspace_id: desk.workspace_id(),
        email: "guest@example.com".to_owned(),
        role: Role::Member,
        policies: Vec::new(),
    };
    desk.operations().invite_member(&Caller::system(), invite).await.unwrap();
    desk.advance_clock(Duration::days(7));
    let (desk, _) = desk.scripted([Fate::Refused(StoreError::Unavailable("a test lets it fail".to_owned()))]);
    desk.operations().sweep().await.unwrap_err();
    assert_eq!(desk.intent(approved.value.terms.id).await.value.status, IntentStatus::Expired);
    assert_eq!(desk.operations().sweep().await.unwrap().invitations, 1);
}

#[tokio::test]
async fn an_undecided_intent_expires() {
    let desk = Desk::deciding(ApprovalMode::Manual).await;
    let proposed = desk.propose(1).await;
    desk.advance_clock(DECISION_LIFETIME);
    desk.forbidden(desk.approve(&proposed), "INTENT_EXPIRED").await;
    assert_eq!(desk.operations().expire_intents().await.unwrap(), 1);
    let expired = desk.intent(proposed.value.terms.id).await.value;
    assert_eq!((expired.status, expired.failed_check.clone()), (IntentStatus::Expired, Some(text("NOT_DECIDED"))));
}

#[tokio::test]
async fn a_contract_that_stops_withdraws_what_it_proposed() {
    let workspace = |desk: &Desk| (desk.workspace_id(), desk.contract_id);
    for pause in [true, false] {
        let desk = Desk::open().await;
        let (workspace_id, contract_id) = workspace(&desk);
        let (waiting, begun) = (desk.propose(1).await, desk.buy_now(2).await.intent);
        if pause {
            let command = PauseContract { workspace_id, contract_id, reason: None, expected_version: None };
            desk.operations().pause_contract(&desk.trader, command).await.unwrap();
        } else {
            let command = CancelContract { workspace_id, contract_id, expected_version: None };
            desk.operations().cancel_contract(&desk.trader, command).await.unwrap();
        }
        let withdrawn = desk.intent(waiting.value.terms.id).await;
        assert_eq!((withdrawn.value.status, withdrawn.version), (IntentStatus::Cancelled, 3));
        assert_eq!(desk.steps_of(&waiting).await.last(), Some(&("contract_stopped", "CANCELLED")));
        assert_eq!(desk.intent(begun.value.terms.id).await, begun);
        desk.forbidden(desk.operations().propose_intent(&desk.trader, desk.wanted(3)), "CONTRACT_NOT_ACTIVE").await;
    }
}

#[tokio::test]
async fn a_contract_that_closes_by_itself_has_its_proposals_swept() {
    let desk = Desk::open().await;
    let limits = BuyingLimits { target_quantity: Some(1), ..buying_limits() };
    let contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
    let desk = Desk { contract_id, ..desk };
    let waiting = desk.propose(1).await;
    desk.buy_now(2).await;
    assert_eq!(desk.operations().expire_intents().await.unwrap(), 1);
    assert_eq!(desk.intent(waiting.value.terms.id).await.value.status, IntentStatus::Cancelled);
}

#[tokio::test]
async fn an_intent_that_cannot_be_ended_keeps_no_other_from_it() {
    let desk = Desk::open().await;
    let approved = [desk.propose(1).await, desk.propose(2).await];
    desk.advance_clock(HELD_FOR + UNSERVED_LIFETIME);
    let (desk, _) = desk.scripted([Fate::broken()]);
    desk.operations().expire_intents().await.unwrap_err();
    assert_eq!(desk.operations().expire_intents().await.unwrap(), 1);
    for intent in approved {
        assert_eq!(desk.intent(intent.value.terms.id).await.value.status, IntentStatus::Expired);
    }
}
