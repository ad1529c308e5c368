//! Reading and watching the log of status changes.

use futures::future::{BoxFuture, FutureExt as _};
use time::Duration;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::id::{Id, TransitionId};
use tradepost_domain::transition::{Actor, SubjectKind, Transition};
use tradepost_operations::accounts::RevokeApiKey;
use tradepost_operations::contracts::{
    CountTransitions, GetTransition, GetTransitions, ListTransitions, WatchTransitions, WatchedTransitions,
};
use tradepost_operations::{AtWork, Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;

use super::Desk;
use crate::harness::refusal;

const TRADED: [SubjectKind; 4] =
    [SubjectKind::Contract, SubjectKind::Purchase, SubjectKind::InventoryItem, SubjectKind::Pool];

fn all(desk: &Desk) -> ListTransitions {
    ListTransitions {
        workspace_id: desk.workspace_id(),
        limit: 200,
        cursor: String::new(),
        subject_kind: None,
        subject_id: None,
        from: None,
        to: None,
        subject_kinds: Vec::new(),
    }
}

fn watch(desk: &Desk, after: Option<TransitionId>) -> WatchTransitions {
    WatchTransitions { workspace_id: desk.workspace_id(), after, from_end: false, limit: 0, wait_seconds: 0 }
}

async fn get(desk: &Desk, caller: &Caller, transition_id: TransitionId) -> OpResult<Transition> {
    desk.operations().get_transition(caller, GetTransition { workspace_id: desk.workspace_id(), transition_id }).await
}

async fn watched(desk: &Desk, command: WatchTransitions) -> WatchedTransitions {
    desk.operations().watch_transitions(&desk.trader, command, AtWork::default()).await.unwrap()
}

/// The kinds of records of which a key with this policy finds changes.
async fn kinds_found(desk: &Desk, policy: Policy) -> Vec<SubjectKind> {
    let caller = desk.world.key(PolicySet::of(&[policy])).await;
    let listed = desk.operations().list_transitions(&caller, all(desk)).await.unwrap().entries;
    let mut kinds = Vec::new();
    for id in listed {
        kinds.push(get(desk, &caller, id).await.unwrap().subject.kind());
    }
    kinds.sort_by_key(|kind| kind.code());
    kinds.dedup();
    kinds
}

#[tokio::test]
async fn every_step_is_listed_newest_first_and_shown_with_its_actor() {
    let desk = Desk::open().await;
    desk.pay(1).await;
    let listed = desk.operations().list_transitions(&desk.trader, all(&desk)).await.unwrap().entries;
    let mut shown = Vec::new();
    for id in &listed {
        shown.push(get(&desk, &desk.trader, *id).await.unwrap());
    }
    let traded = shown.iter().filter(|step| TRADED.contains(&step.subject.kind()));
    let triggers: Vec<_> = traded.clone().map(|step| (step.trigger, step.from, step.to)).collect();
    assert_eq!(
        triggers,
        [
            ("accepted", Some("SUBMITTED"), "PAID"),
            ("submitted", Some("PENDING"), "SUBMITTED"),
            ("recorded", None, "PENDING"),
            ("activated", Some("DRAFT"), "ACTIVE"),
            ("created", None, "DRAFT"),
        ]
    );
    assert!(traded.into_iter().all(|step| matches!(step.actor, Actor::ApiKey { .. })));
}

#[tokio::test]
async fn what_is_traded_is_read_by_analytics_and_members_and_keys_by_workspace() {
    let desk = Desk::open().await;
    desk.item(1).await;
    desk.pool(super::pools::NO_LIMITS).await;
    let revoked = desk.world.key(PolicySet::EVERY).await;
    revoke(&desk, &revoked).await;
    assert_eq!(kinds_found(&desk, Policy::Analytics).await, [&TRADED[..], &[SubjectKind::Provider]].concat());
    assert_eq!(kinds_found(&desk, Policy::Trading).await, TRADED);
    assert_eq!(kinds_found(&desk, Policy::Workspace).await, [SubjectKind::Membership, SubjectKind::ApiKey]);
}

#[tokio::test]
async fn a_kind_that_the_caller_may_not_read_is_denied_and_its_changes_are_not_there() {
    let desk = Desk::open().await;
    let of_members = ListTransitions { subject_kind: Some(SubjectKind::Membership), ..all(&desk) };
    let hidden = desk.operations().list_transitions(&desk.trader, of_members.clone()).await.unwrap().entries[0];
    let analyst = desk.world.key(PolicySet::of(&[Policy::Analytics])).await;
    let denied = desk.operations().list_transitions(&analyst, of_members).await;
    assert_eq!(refusal(denied), (Code::PermissionDenied, "PERMISSION_DENIED"));
    assert_eq!(refusal(get(&desk, &analyst, hidden).await), (Code::NotFound, "NOT_FOUND"));
    let command = GetTransitions { workspace_id: desk.workspace_id(), transition_ids: vec![hidden] };
    let batch = desk.operations().get_transitions(&analyst, command).await.unwrap();
    assert_eq!((batch.transitions, batch.missing), (vec![], vec![hidden]));
}

#[tokio::test]
async fn changes_of_several_kinds_are_listed_without_those_that_the_caller_may_not_read() {
    let desk = Desk::open().await;
    desk.item(1).await;
    let listed = async |caller: &Caller, subject_kind, subject_kinds: &[SubjectKind]| {
        let command = ListTransitions { subject_kind, subject_kinds: subject_kinds.to_vec(), limit: 200, ..all(&desk) };
        let ids = desk.operations().list_transitions(caller, command).await?.entries;
        let mut kinds = Vec::new();
        for id in ids {
            kinds.push(get(&desk, &desk.trader, id).await?.subject.kind());
        }
        kinds.sort_unstable_by_key(|kind: &SubjectKind| kind.code());
        kinds.dedup();
        OpResult::Ok(kinds)
    };
    let (purchase, item, member) = (SubjectKind::Purchase, SubjectKind::InventoryItem, SubjectKind::Membership);
    assert_eq!(listed(&desk.trader, None, &[item, purchase]).await.unwrap(), [purchase, item]);
    assert_eq!(listed(&desk.trader, Some(purchase), &[item]).await.unwrap(), [purchase, item]);
    let analyst = desk.world.key(PolicySet::of(&[Policy::Analytics])).await;
    assert_eq!(listed(&analyst, None, &[member, item]).await.unwrap(), [item]);
    assert_eq!(refusal(listed(&analyst, None, &[member]).await), (Code::PermissionDenied, "PERMISSION_DENIED"));
}

#[tokio::test]
async fn a_batch_keeps_the_order_and_names_what_is_missing() {
    let desk = Desk::open().await;
    let listed = desk.operations().list_transitions(&desk.trader, all(&desk)).await.unwrap().entries;
    let unknown = Id::from_bytes([9; 16]);
    let transition_ids = vec![listed[1], unknown, listed[0], listed[1]];
    let command = GetTransitions { workspace_id: desk.workspace_id(), transition_ids };
    let batch = desk.operations().get_transitions(&desk.trader, command).await.unwrap();
    let found: Vec<_> = batch.transitions.iter().map(|step| step.id).collect();
    assert_eq!((found, batch.missing), (vec![listed[1], listed[0]], vec![unknown]));
}

#[tokio::test]
async fn watching_goes_through_the_whole_log_and_on_from_where_it_was() {
    let desk = Desk::open().await;
    desk.buy(1).await;
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let WatchedTransitions { transitions, last } =
            watched(&desk, WatchTransitions { limit: 2, ..watch(&desk, after) }).await;
        assert!(transitions.len() <= 2);
        if transitions.is_empty() {
            assert_eq!(last, after, "an empty answer goes on from the same place");
            break;
        }
        seen.extend(transitions.into_iter().map(|step| step.id));
        after = last;
    }
    let mut listed = desk.operations().list_transitions(&desk.trader, all(&desk)).await.unwrap().entries;
    listed.reverse();
    assert_eq!(seen, listed);
    let purchase_id = desk.buy(2).await;
    let next = watched(&desk, watch(&desk, after)).await.transitions;
    assert_eq!(next.iter().map(|step| step.subject.id_bytes()).collect::<Vec<_>>(), [purchase_id.to_bytes()]);
}

#[tokio::test]
async fn watching_from_the_end_returns_only_the_position() {
    let desk = Desk::open().await;
    let end = watched(&desk, WatchTransitions { from_end: true, ..watch(&desk, None) }).await;
    assert_eq!(end.transitions, []);
    assert_eq!(
        watched(&desk, watch(&desk, end.last)).await,
        WatchedTransitions { transitions: vec![], last: end.last }
    );
    desk.buy(1).await;
    assert_eq!(watched(&desk, watch(&desk, end.last)).await.transitions.len(), 1);
}

/// The subjects that a client gets when it continues behind a change, or begins.
async fn subjects_behind(desk: &Desk, after: Option<TransitionId>) -> Vec<[u8; 16]> {
    let steps = watched(desk, watch(desk, after)).await.transitions;
    steps.iter().map(|step| step.subject.id_bytes()).collect()
}

#[tokio::test]
async fn a_client_more_than_a_month_behind_is_refused_and_a_current_one_continues() {
    let desk = Desk::open().await;
    let end = async || watched(&desk, WatchTransitions { from_end: true, ..watch(&desk, None) }).await.last;
    let long_ago = end().await;
    let missed = desk.buy(1).await;
    let seen = end().await;
    desk.advance_clock(Duration::days(31));
    assert_eq!(subjects_behind(&desk, long_ago).await, [missed.to_bytes()]);
    desk.advance_clock(Duration::seconds(1));
    desk.forbidden(
        desk.operations().watch_transitions(&desk.trader, watch(&desk, long_ago), AtWork::default()),
        "WATCH_EXPIRED",
    )
    .await;
    assert_eq!(subjects_behind(&desk, seen).await, Vec::<[u8; 16]>::new());
    assert_eq!(subjects_behind(&desk, None).await, Vec::<[u8; 16]>::new());
    let next = desk.buy(2).await;
    assert_eq!(subjects_behind(&desk, seen).await, [next.to_bytes()]);
    assert_eq!(subjects_behind(&desk, None).await, [next.to_bytes()]);
}

#[tokio::test]
async fn old_places_of_changes_are_forgotten_except_the_last_of_each_kind() {
    let desk = Desk::open().await;
    desk.pay(1).await;
    let mut listed = desk.operations().list_transitions(&desk.trader, all(&desk)).await.unwrap().entries;
    listed.reverse();
    let [recorded, _, accepted] = *listed.last_chunk::<3>().unwrap();
    let mut kinds = Vec::new();
    for id in &listed {
        kinds.push(get(&desk, &desk.trader, *id).await.unwrap().subject.kind().code());
    }
    kinds.sort_unstable();
    kinds.dedup();
    desk.advance_clock(Duration::days(31));
    assert_eq!(desk.operations().forget_old_places().await.unwrap(), 0);
    desk.advance_clock(Duration::hours(2));
    let forgotten = u64::try_from(listed.len() - kinds.len()).unwrap();
    assert_eq!(desk.operations().forget_old_places().await.unwrap(), forgotten);
    assert_eq!(desk.operations().forget_old_places().await.unwrap(), 0);
    // What was forgotten is still read, and refused to who goes on behind it; where the log ends one does.
    assert_eq!(get(&desk, &desk.trader, recorded).await.unwrap().trigger, "recorded");
    let behind = watch(&desk, Some(recorded));
    desk.forbidden(desk.operations().watch_transitions(&desk.trader, behind, AtWork::default()), "WATCH_EXPIRED").await;
    let end = watched(&desk, WatchTransitions { from_end: true, ..watch(&desk, None) }).await.last;
    assert_eq!(end, Some(accepted));
    let next = desk.buy(2).await;
    assert_eq!(subjects_behind(&desk, end).await, [next.to_bytes()]);
}

async fn revoke(desk: &Desk, key: &Caller) {
    let api_key_id = Id::from_bytes(key.principal.prover().unwrap().id.to_bytes());
    let command = RevokeApiKey { api_key_id, workspace_id: None, reason: None };
    desk.operations().revoke_api_key(&desk.trader, command).await.unwrap();
}

/// A call that waits behind the last change.
async fn waiting<'a>(desk: &'a Desk, caller: &'a Caller) -> BoxFuture<'a, OpResult<WatchedTransitions>> {
    let end = watched(desk, WatchTransitions { from_end: true, ..watch(desk, None) }).await.last;
    let command = WatchTransitions { wait_seconds: 25, ..watch(desk, end) };
    let mut call = desk.operations().watch_transitions(caller, command, AtWork::default()).boxed();
    assert!(futures::poll!(&mut call).is_pending());
    call
}

#[tokio::test]
async fn who_waits_is_woken_by_the_next_change() {
    let desk = Desk::open().await;
    let call = waiting(&desk, &desk.trader).await;
    desk.buy(1).await;
    desk.operations().place_transitions().await.unwrap();
    assert_eq!(call.await.unwrap().transitions.len(), 1);
}

#[tokio::test]
async fn a_waiting_client_is_released_when_watching_ends() {
    let desk = Desk::open().await;
    let call = waiting(&desk, &desk.trader).await;
    desk.operations().end_watching();
    assert_eq!(call.await.unwrap().transitions, []);
}

#[tokio::test(start_paused = true)]
async fn a_waiting_client_is_answered_when_the_time_is_over() {
    let desk = Desk::open().await;
    let call = waiting(&desk, &desk.trader).await;
    let begun = tokio::time::Instant::now();
    assert_eq!(call.await.unwrap().transitions, []);
    assert_eq!(begun.elapsed().as_secs(), 25);
}

#[tokio::test]
async fn a_client_that_loses_the_right_while_waiting_gets_nothing() {
    let desk = Desk::open().await;
    let reader = desk.world.key(PolicySet::of(&[Policy::Analytics])).await;
    let call = waiting(&desk, &reader).await;
    revoke(&desk, &reader).await;
    desk.buy(1).await;
    desk.operations().place_transitions().await.unwrap();
    assert_eq!(refusal(call.await), (Code::Unauthenticated, "UNAUTHENTICATED"));
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let desk = Desk::open().await;
    let end = watched(&desk, WatchTransitions { from_end: true, ..watch(&desk, None) }).await.last;
    for (command, expected) in [
        (WatchTransitions { wait_seconds: 26, ..watch(&desk, None) }, (Code::InvalidArgument, "INVALID_FIELD")),
        (WatchTransitions { wait_seconds: -1, ..watch(&desk, None) }, (Code::InvalidArgument, "INVALID_FIELD")),
        (WatchTransitions { limit: -1, ..watch(&desk, None) }, (Code::InvalidArgument, "INVALID_FIELD")),
        (WatchTransitions { from_end: true, ..watch(&desk, end) }, (Code::InvalidArgument, "INVALID_FIELD")),
        (watch(&desk, Some(Id::from_bytes([9; 16]))), (Code::NotFound, "NOT_FOUND")),
    ] {
        desk.refused(
            desk.operations().watch_transitions(&desk.trader, command, AtWork::default()),
            expected.0,
            expected.1,
        )
        .await;
    }
    let at = desk.world.clock.now();
    let backwards = ListTransitions { from: Some(at), to: Some(at), ..all(&desk) };
    assert_eq!(
        refusal(desk.operations().list_transitions(&desk.trader, backwards).await),
        (Code::InvalidArgument, "INVALID_FIELD")
    );
}

#[tokio::test]
async fn changes_are_counted_by_kind_without_those_that_the_caller_may_not_read() {
    let desk = Desk::open().await;
    desk.item(1).await;
    let counted = async |caller: &Caller, subject_kinds: &[SubjectKind]| {
        let command = CountTransitions {
            workspace_id: desk.workspace_id(),
            subject_kinds: subject_kinds.to_vec(),
            subject_id: None,
            from: None,
            to: None,
        };
        let counted = desk.operations().count_transitions(caller, command).await?;
        OpResult::Ok(counted.iter().map(|counted| (counted.status, counted.count)).collect::<Vec<_>>())
    };
    let listed = desk.operations().list_transitions(&desk.trader, all(&desk)).await.unwrap().entries.len();
    let of_all = counted(&desk.trader, &[]).await.unwrap();
    assert_eq!(of_all.iter().map(|(_, count)| count).sum::<i64>(), i64::try_from(listed).unwrap());
    let analyst = desk.world.key(PolicySet::of(&[Policy::Analytics])).await;
    let both = [SubjectKind::Membership, SubjectKind::Pool, SubjectKind::Contract];
    assert_eq!(counted(&analyst, &both).await.unwrap(), [(SubjectKind::Contract, 2), (SubjectKind::Pool, 0)]);
    let denied = counted(&analyst, &[SubjectKind::Membership]).await;
    assert_eq!(refusal(denied), (Code::PermissionDenied, "PERMISSION_DENIED"));
}
