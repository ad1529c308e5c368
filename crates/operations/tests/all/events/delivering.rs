//! Following the log, and delivering.

use std::sync::Arc;

use futures::future::join_all;
use time::Duration;
use tradepost_domain::events::event_type::EventType;
use tradepost_domain::events::webhook_delivery::{DeliveryState, message_id};
use tradepost_domain::events::webhook_endpoint::DisabledReason;
use tradepost_domain::transition::SubjectKind;
use tradepost_operations::contracts::ListTransitions;
use tradepost_operations::events::{
    DeleteWebhookEndpoint, DisableWebhookEndpoint, EnableWebhookEndpoint, ReplayWebhookEvents, ResendWebhookDelivery,
    RotateWebhookSecret, SendTestEvent,
};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::webhooks::{WebhookAnswer, WebhookError, WebhookEvent};
use tradepost_testkit::fakes::FixedClock;

use super::Office;
use crate::harness::{Fate, refusal};

impl Office {
    /// The ids under which receivers know the changes of pools, the oldest first.
    async fn logged(&self) -> Vec<String> {
        let command = ListTransitions {
            workspace_id: self.world.workspace_id,
            limit: 200,
            cursor: String::new(),
            subject_kind: Some(SubjectKind::Pool),
            subject_kinds: Vec::new(),
            subject_id: None,
            from: None,
            to: None,
        };
        let mut ids = self.operations().list_transitions(&self.keeper, command).await.unwrap().entries;
        ids.reverse();
        ids.into_iter().map(|id| message_id(id.to_bytes())).collect()
    }

    /// How many events of the last day a replay finds in a market whose clock is so far from the server's. One is of that day, and one
    /// is two days older.
    async fn replayed_in_market(&self, apart: Duration) -> OpResult<u32> {
        let market = Arc::new(FixedClock::at(self.world.clock.now().plus(apart)));
        let (workspace_id, endpoint_id) = (self.world.workspace_id, self.endpoint(&["pool.*"]).await);
        self.operations().trade_by(workspace_id, market.clone()).await.unwrap();
        self.pool("older").await;
        market.advance(Duration::days(2));
        self.pool("of the day").await;
        let from = Some(market.now().plus(-Duration::DAY));
        let replay = ReplayWebhookEvents { workspace_id, endpoint_id, from, to: None, types: Vec::new() };
        self.operations().replay_webhook_events(&self.keeper, replay).await
    }
}

#[tokio::test]
async fn an_endpoint_gets_each_change_that_it_asks_for_once() {
    let office = Office::open().await;
    office.pool("before").await;
    let endpoint = office.endpoint(&["pool.*"]).await;
    office.endpoint(&["contract.*"]).await;
    office.pool("one").await;
    office.pool("two").await;
    for _ in 0..3 {
        office.work().await;
    }
    assert_eq!(office.received(), office.logged().await[1..]);
    assert_eq!(office.states(endpoint).await, [DeliveryState::Delivered; 2]);
    let received = office.receiver.received();
    assert!(
        matches!(&received[0].event, WebhookEvent::Transition(step) if EventType::of(step).to_string() == "pool.active")
    );
    let shown = office.shown(endpoint).await;
    assert_eq!((shown.behind, shown.progress.health.last_success_at), (0, Some(office.world.clock.now())));
}

#[tokio::test]
async fn processes_that_follow_and_deliver_at_once_deliver_nothing_twice() {
    let office = Office::open().await;
    let endpoint = office.endpoint(&["*"]).await;
    for number in 0..150 {
        office.pool(&format!("pool-{number}")).await;
    }
    let others = [office.world.restarted(|_| {}), office.world.restarted(|_| {})];
    let processes = [office.operations(), &*others[0].operations, &*others[1].operations];
    for _ in 0..4 {
        join_all(processes.map(|process| async move { process.follow_events().await.unwrap() })).await;
        let each = processes.map(|process| async move {
            for endpoint in process.list_due_endpoints().await.unwrap() {
                while process.deliver_due(endpoint).await.unwrap() {}
            }
        });
        join_all(each).await;
    }
    let (mut received, logged) = (office.received(), office.logged().await);
    assert_eq!((received.len(), office.deliveries(endpoint).await.len()), (150, 150));
    received.sort();
    let mut expected = logged;
    expected.sort();
    assert_eq!(received, expected);
}

#[tokio::test]
async fn a_try_without_an_answer_is_made_again_under_the_same_id() {
    let office = Office::open().await;
    let endpoint = office.endpoint(&["*"]).await;
    office.pool("one").await;
    office.operations().follow_events().await.unwrap();
    office.receiver.answer_next(Err(WebhookError { reason: "cut off".to_owned() }));
    office.deliver().await;
    assert_eq!(office.deliveries(endpoint).await[0].tries, 1);
    office.world.advance(Duration::seconds(6));
    office.deliver().await;
    assert_eq!(office.states(endpoint).await, [DeliveryState::Delivered]);
    let [first, second] = &office.received()[..] else { panic!("two tries") };
    assert_eq!(first, second);
}

#[tokio::test]
async fn a_delivery_fails_after_eight_tries_and_can_be_resent() {
    let office = Office::open().await;
    let endpoint = office.endpoint(&["*"]).await;
    office.pool("one").await;
    office.receiver.answer(500);
    office.work().await;
    let failed = office.deliveries(endpoint).await.remove(0);
    assert_eq!(failed.last.unwrap().error.unwrap().as_str(), "the receiver answered 500");
    for _ in 0..10 {
        office.world.advance(Duration::hours(12));
        office.deliver().await;
    }
    let failed = office.deliveries(endpoint).await.remove(0);
    assert_eq!((failed.state, failed.tries, office.received().len()), (DeliveryState::Failed, 8, 8));
    office.receiver.answer(200);
    let resend = ResendWebhookDelivery { workspace_id: office.world.workspace_id, delivery_id: failed.id };
    office.operations().resend_webhook_delivery(&office.keeper, resend).await.unwrap();
    let again = refusal(office.operations().resend_webhook_delivery(&office.keeper, resend).await);
    assert_eq!(again, (Code::FailedPrecondition, "ILLEGAL_STEP"));
    office.deliver().await;
    assert_eq!(office.states(endpoint).await, [DeliveryState::Delivered]);
    assert_eq!(office.received().into_iter().collect::<std::collections::BTreeSet<_>>().len(), 1);
}

#[tokio::test]
async fn a_receiver_that_asks_for_a_pause_gets_it() {
    let office = Office::open().await;
    let endpoint = office.endpoint(&["*"]).await;
    office.pool("one").await;
    let retry_after = Some(std::time::Duration::from_mins(10));
    office.receiver.answer_next(Ok(WebhookAnswer { status: 429, retry_after, body: Vec::new() }));
    office.work().await;
    let delivery = office.deliveries(endpoint).await.remove(0);
    assert_eq!(delivery.due_at, office.world.clock.now().plus(Duration::minutes(10)));
}

#[tokio::test]
async fn a_receiver_that_was_removed_disables_its_endpoint_and_others_are_notified() {
    let office = Office::open().await;
    let removed = office.endpoint(&["pool.*"]).await;
    let other = office.endpoint(&["endpoint.disabled"]).await;
    office.pool("one").await;
    office.receiver.answer_next(Ok(WebhookAnswer { status: 410, retry_after: None, body: Vec::new() }));
    office.work().await;
    office.deliver().await;
    let shown = office.shown(removed).await.endpoint.value;
    assert_eq!((shown.is_active(), shown.disabled_reason), (false, Some(DisabledReason::Removed)));
    assert_eq!(office.states(removed).await, [DeliveryState::Pending]);
    assert_eq!(office.states(other).await, [DeliveryState::Delivered]);
    let last = office.receiver.received().pop().unwrap().event;
    assert!(
        matches!(last, WebhookEvent::Endpoint { event_type: EventType::EndpointDisabled, endpoint_id, .. } if endpoint_id == removed)
    );
    let mail = office.world.mailer.last_to(&office.world.owner).unwrap();
    assert!(mail.text.contains("https://example.com/hook") && mail.text.contains("(410)"), "{}", mail.text);

    let enable =
        EnableWebhookEndpoint { workspace_id: office.world.workspace_id, endpoint_id: removed, expected_version: None };
    let enabled = office.operations().enable_webhook_endpoint(&office.keeper, enable).await.unwrap();
    assert!(!enabled.begins_at_end);
    office.world.advance(Duration::minutes(1));
    office.work().await;
    assert_eq!(office.states(removed).await, [DeliveryState::Delivered]);
}

#[tokio::test]
async fn an_endpoint_that_fails_for_five_days_is_disabled() {
    let office = Office::open().await;
    let endpoint = office.endpoint(&["*"]).await;
    office.receiver.answer(503);
    for day in 0..6 {
        for number in 0..4 {
            office.pool(&format!("pool-{day}-{number}")).await;
        }
        assert!(office.shown(endpoint).await.endpoint.value.is_active(), "day {day}");
        office.work().await;
        office.world.advance(Duration::days(1));
    }
    let shown = office.shown(endpoint).await;
    assert_eq!(shown.endpoint.value.disabled_reason, Some(DisabledReason::Failing));
    assert!(shown.progress.health.consecutive_failures >= 20);
}

#[tokio::test]
async fn a_disabled_endpoint_goes_on_from_its_place_and_from_the_end_after_a_month() {
    let office = Office::open().await;
    let (workspace_id, endpoint_id) = (office.world.workspace_id, office.endpoint(&["*"]).await);
    let disable = DisableWebhookEndpoint { workspace_id, endpoint_id, expected_version: None };
    let enable = EnableWebhookEndpoint { workspace_id, endpoint_id, expected_version: None };
    office.pool("one").await;
    office.operations().disable_webhook_endpoint(&office.keeper, disable).await.unwrap();
    office.pool("two").await;
    office.work().await;
    assert_eq!(office.received(), Vec::<String>::new());
    office.operations().enable_webhook_endpoint(&office.keeper, enable).await.unwrap();
    office.work().await;
    assert_eq!(office.received(), office.logged().await);

    office.operations().disable_webhook_endpoint(&office.keeper, disable).await.unwrap();
    office.pool("missed").await;
    office.world.advance(Duration::days(33));
    office.pool("late").await;
    while office.operations().forget_old_places().await.unwrap() > 0 {}
    let enabled = office.operations().enable_webhook_endpoint(&office.keeper, enable).await.unwrap();
    office.pool("next").await;
    office.work().await;
    assert!(enabled.begins_at_end);
    assert_eq!(office.received().last(), office.logged().await.last());
    assert_eq!(office.received().len(), 3);
}

#[tokio::test]
async fn deliveries_of_a_deleted_endpoint_are_cancelled() {
    let office = Office::open().await;
    let (workspace_id, endpoint_id) = (office.world.workspace_id, office.endpoint(&["*"]).await);
    office.pool("one").await;
    office.operations().follow_events().await.unwrap();
    let delivery = office.deliveries(endpoint_id).await.remove(0);
    let delete = DeleteWebhookEndpoint { workspace_id, endpoint_id, expected_version: None };
    office.operations().delete_webhook_endpoint(&office.keeper, delete).await.unwrap();
    office.work().await;
    assert_eq!(office.received(), Vec::<String>::new());
    let wanted = tradepost_operations::events::GetWebhookDeliveries { workspace_id, delivery_ids: vec![delivery.id] };
    let found = office.operations().get_webhook_deliveries(&office.keeper, wanted).await.unwrap().found;
    assert_eq!(found[0].value.state, DeliveryState::Cancelled);
}

#[tokio::test]
async fn both_secrets_sign_until_the_overlap_ends() {
    let office = Office::open().await;
    let (workspace_id, endpoint_id) = (office.world.workspace_id, office.endpoint(&["*"]).await);
    let rotate = RotateWebhookSecret { workspace_id, endpoint_id, overlap_seconds: Some(60) };
    office.operations().rotate_webhook_secret(&Caller::system(), rotate).await.unwrap();
    let mut signatures = Vec::new();
    for advance in [0, 59, 1] {
        office.world.advance(Duration::seconds(advance));
        office.pool(&format!("after {}", office.world.clock.now())).await;
        office.work().await;
        signatures.push(office.receiver.received().pop().unwrap().signatures);
    }
    assert_eq!(signatures, [2, 2, 1]);
    let at_once = RotateWebhookSecret { overlap_seconds: Some(0), ..rotate };
    office.operations().rotate_webhook_secret(&Caller::system(), at_once).await.unwrap();
    office.pool("last").await;
    office.work().await;
    assert_eq!(office.receiver.received().pop().unwrap().signatures, 1);
}

#[tokio::test]
async fn a_replay_delivers_what_was_before_under_the_same_ids() {
    let office = Office::open().await;
    office.pool("before").await;
    let (workspace_id, endpoint_id) = (office.world.workspace_id, office.endpoint(&["pool.*"]).await);
    office.pool("one").await;
    office.work().await;
    office.world.advance(Duration::minutes(1));
    let from = Some(office.world.clock.now().plus(-Duration::HOUR));
    let replay = ReplayWebhookEvents { workspace_id, endpoint_id, from, to: None, types: Vec::new() };
    assert_eq!(office.operations().replay_webhook_events(&office.keeper, replay.clone()).await.unwrap(), 2);
    office.work().await;
    let logged = office.logged().await;
    assert_eq!(office.received()[0], logged[1]);
    assert_eq!(office.received()[1..], logged);
    let other = ReplayWebhookEvents { types: vec!["contract.*".to_owned()], ..replay.clone() };
    assert_eq!(office.operations().replay_webhook_events(&office.keeper, other).await.unwrap(), 0);
    let from = Some(office.world.clock.now().plus(-Duration::days(32)));
    let refused =
        office.operations().replay_webhook_events(&office.keeper, ReplayWebhookEvents { from, ..replay }).await;
    assert_eq!(refusal(refused).0, Code::InvalidArgument);
}

#[tokio::test]
async fn a_replay_finds_the_events_of_a_market_that_is_a_week_ahead() {
    assert_eq!(Office::open().await.replayed_in_market(Duration::WEEK).await.unwrap(), 1);
}

#[tokio::test]
async fn a_replay_finds_the_events_of_a_market_that_is_a_year_behind() {
    assert_eq!(Office::open().await.replayed_in_market(-Duration::days(365)).await.unwrap(), 1);
}

#[tokio::test]
async fn a_replay_that_ends_before_it_begins_is_refused() {
    let office = Office::open().await;
    let (workspace_id, endpoint_id) = (office.world.workspace_id, office.endpoint(&["pool.*"]).await);
    let from = Some(office.world.clock.now());
    let replay = ReplayWebhookEvents { workspace_id, endpoint_id, from, to: from, types: Vec::new() };
    let refused = office.operations().replay_webhook_events(&office.keeper, replay).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn a_test_returns_what_the_receiver_answered_and_is_tried_again() {
    let office = Office::open().await;
    let (workspace_id, endpoint_id) = (office.world.workspace_id, office.endpoint(&["pool.*"]).await);
    let test = SendTestEvent { workspace_id, endpoint_id };
    office.receiver.answer_next(Ok(WebhookAnswer { status: 302, retry_after: None, body: b"moved\0".to_vec() }));
    let tested = office.operations().send_test_event(&office.keeper, test).await.unwrap().value;
    let last = tested.last.unwrap();
    assert_eq!((tested.state, last.http_status), (DeliveryState::Pending, Some(302)));
    assert_eq!(last.excerpt.unwrap().as_str(), "moved");
    office.world.advance(Duration::minutes(1));
    office.work().await;
    assert_eq!(office.states(endpoint_id).await, [DeliveryState::Delivered]);
    let [first, second] = &office.received()[..] else { panic!("two tries") };
    assert_eq!(first, second);
}

#[tokio::test]
async fn an_endpoint_that_cannot_follow_the_log_keeps_no_other_from_it() {
    let office = Office::open().await;
    let endpoints = [office.endpoint(&["pool.*"]).await, office.endpoint(&["pool.*"]).await];
    office.pool("one").await;
    let process = office.world.scripted([Fate::broken()]);
    process.operations.follow_events().await.unwrap_err();
    let followed = async || {
        let mut many = 0;
        for endpoint in endpoints {
            many += office.deliveries(endpoint).await.len();
        }
        many
    };
    assert_eq!(followed().await, 1);
    process.operations.follow_events().await.unwrap();
    assert_eq!(followed().await, 2);
}
