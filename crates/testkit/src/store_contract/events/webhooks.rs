//! Promises about webhook endpoints, their progress and deliveries.

use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::events::event_type::EventType;
use tradepost_domain::events::health::Health;
use tradepost_domain::events::webhook_delivery::{DeliveryState, TryResult, WebhookDelivery};
use tradepost_domain::events::webhook_endpoint::{
    DisabledReason, EndpointChange, EndpointStatus, EventPatterns, WebhookEndpoint,
};
use tradepost_domain::events::webhook_progress::WebhookProgress;
use tradepost_domain::id::{RecordKey, WebhookDeliveryId, WebhookEndpointId};
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::store::{DeliveryFilter, PageRequest, Store};

use crate::samples::{Scene, minute, start, text};
use crate::store_contract::{insert, revise, value, values};

fn result() -> TryResult {
    TryResult {
        http_status: Some(503),
        error: Some(text("the receiver answered 503")),
        excerpt: Some(text("no \"hook\" here")),
        duration_ms: 21,
    }
}

pub async fn a_webhook_endpoint_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let plain = scene.samples.webhook_endpoint(scene.id());
    let change = EndpointChange {
        url: Some(text("https://example.com:8443/a?b=\"c\"")),
        description: Some(Some(text("desk \"one\""))),
        types: EventPatterns::parse(&["purchase.*", "contract.suspended", "endpoint.disabled"]).ok(),
    };
    let full = scene.samples.webhook_endpoint(scene.id()).change(change, minute(1));
    let full = full.disable(DisabledReason::Removed, minute(2)).unwrap();
    for endpoint in [plain, full] {
        insert(store, [endpoint.clone().into()]).await.unwrap();
        let found = store.webhooks().find_endpoint(scene.scope(), endpoint.id).await.unwrap();
        assert_eq!(value(found), Some(endpoint));
    }
}

pub async fn a_webhook_delivery_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (workspace, endpoint) = (scene.id(), scene.samples.id());
    let made = || scene.samples.webhook_delivery(workspace, endpoint);
    let test =
        WebhookDelivery::test(scene.samples.id(), RecordKey { workspace_id: workspace, id: endpoint }, minute(1));
    let disabled = WebhookDelivery::of_disabled(
        scene.samples.id(),
        RecordKey { workspace_id: workspace, id: endpoint },
        scene.samples.id(),
        start(),
    );
    let accepted = made().claim(start()).unwrap().accepted(TryResult { error: None, ..result() }, minute(1));
    let silent = TryResult { http_status: None, excerpt: None, ..result() };
    let failing = WebhookDelivery { last: Some(silent), tries: 3, ..made() };
    let cancelled = made().cancelled(minute(2));
    let all = [test, disabled, accepted, failing, cancelled, made()];
    let ids: Vec<WebhookDeliveryId> = all.iter().map(|delivery| delivery.id).collect();
    insert(store, all.clone().map(Into::into)).await.unwrap();
    let mut found = values(store.webhooks().find_deliveries(scene.scope(), &ids).await.unwrap());
    found.sort_by_key(|delivery| ids.iter().position(|id| *id == delivery.id));
    assert_eq!(found, all);
    let abroad = Scene::founded(store, 2).await;
    assert_eq!(values(store.webhooks().find_deliveries(abroad.scope(), &ids).await.unwrap()), []);
}

pub async fn the_progress_of_endpoints_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let new = WebhookProgress::new(scene.samples.id(), scene.id(), None);
    let moved = WebhookProgress::new(scene.samples.id(), scene.id(), None).moved_to(scene.samples.id());
    let moved = moved.with_health(Health::default().succeeded(minute(1)).failed(minute(2)).failed(minute(3)));
    insert(store, [new.into(), moved.into()]).await.unwrap();
    let ids = [moved.endpoint_id, scene.samples.id(), new.endpoint_id];
    let mut found = values(store.webhooks().find_progress(scene.scope(), &ids).await.unwrap());
    found.sort_by_key(|progress| progress.endpoint_id);
    assert_eq!(found, [new, moved]);
}

pub async fn endpoints_are_found_and_listed_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let active = home.samples.webhook_endpoint(home.id());
    let disabled = home.samples.webhook_endpoint(home.id()).disable(DisabledReason::Person, minute(1)).unwrap();
    insert(store, [active.clone().into(), disabled.clone().into()]).await.unwrap();
    let webhooks = store.webhooks();
    assert_eq!(value(webhooks.find_endpoint(abroad.scope(), active.id).await.unwrap()), None);
    let several = [disabled.id, home.samples.id()];
    let found = values(webhooks.find_endpoints(home.scope(), &several).await.unwrap());
    assert_eq!(found, std::slice::from_ref(&disabled));
    assert_eq!(values(webhooks.find_endpoints(abroad.scope(), &several).await.unwrap()), []);
    assert_eq!(values(webhooks.find_all_endpoints(home.scope()).await.unwrap()), [active.clone(), disabled.clone()]);
    assert_eq!(values(webhooks.find_all_endpoints(abroad.scope()).await.unwrap()), []);
    let page = PageRequest { before: None, limit: 5 };
    let listed = async |scene: &Scene, status| webhooks.list_endpoints(scene.scope(), status, page).await.unwrap().ids;
    assert_eq!(listed(&home, None).await, [disabled.id, active.id]);
    assert_eq!(listed(&home, Some(EndpointStatus::Disabled)).await, [disabled.id]);
    assert_eq!(listed(&abroad, None).await, []);
}

pub async fn deliveries_are_listed_by_endpoint_state_type_and_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (workspace, endpoint) = (scene.id(), scene.samples.id());
    let old = scene.samples.webhook_delivery(workspace, endpoint);
    let cancelled = scene.samples.webhook_delivery(workspace, endpoint).cancelled(minute(1));
    let test =
        WebhookDelivery::test(scene.samples.id(), RecordKey { workspace_id: workspace, id: endpoint }, minute(5));
    let other = scene.samples.webhook_delivery(workspace, scene.samples.id());
    let ids = [&old, &cancelled, &test].map(|delivery| delivery.id);
    insert(store, [old.into(), cancelled.into(), test.into(), other.into()]).await.unwrap();
    let all = DeliveryFilter { endpoint_id: endpoint, state: None, event_type: None, from: None, to: None };
    let listed = async |filter| {
        let page = PageRequest { before: None, limit: 5 };
        store.webhooks().list_deliveries(scene.scope(), filter, page).await.unwrap().ids
    };
    let [old, cancelled, test] = ids;
    let settled = EventType::Status(SubjectKind::Purchase, "SETTLED");
    assert_eq!(listed(all).await, [test, cancelled, old]);
    assert_eq!(listed(DeliveryFilter { state: Some(DeliveryState::Pending), ..all }).await, [test, old]);
    assert_eq!(listed(DeliveryFilter { event_type: Some(settled), ..all }).await, [cancelled, old]);
    assert_eq!(listed(DeliveryFilter { from: Some(minute(1)), ..all }).await, [test]);
    assert_eq!(listed(DeliveryFilter { to: Some(minute(5)), ..all }).await, [cancelled, old]);
    assert_eq!(listed(DeliveryFilter { endpoint_id: scene.samples.id(), ..all }).await, []);
}

pub async fn active_endpoints_of_every_workspace_are_listed_a_page_at_a_time(store: &dyn Store) {
    let (one, two) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let first = one.samples.webhook_endpoint(one.id());
    let second = two.samples.webhook_endpoint(two.id());
    let disabled = one.samples.webhook_endpoint(one.id()).disable(DisabledReason::Person, minute(1)).unwrap();
    insert(store, [first.clone().into(), second.clone().into(), disabled.into()]).await.unwrap();
    let mut expected = [key(&first), key(&second)].to_vec();
    expected.sort_by_key(|key| (key.workspace_id, key.id));
    assert_eq!(store.webhooks().list_active_endpoints(None, 5).await.unwrap(), expected);
    let page = store.webhooks().list_active_endpoints(None, 1).await.unwrap();
    assert_eq!(page, expected[..1]);
    assert_eq!(store.webhooks().list_active_endpoints(page.last().copied(), 5).await.unwrap(), expected[1..]);
    delete_workspace(store, &two).await;
    assert_eq!(store.webhooks().list_active_endpoints(None, 5).await.unwrap(), [key(&first)]);
}

pub async fn endpoints_with_due_deliveries_are_the_active_and_the_deleted_ones(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let active = scene.samples.webhook_endpoint(scene.id());
    let disabled = scene.samples.webhook_endpoint(scene.id()).disable(DisabledReason::Person, minute(1)).unwrap();
    let deleted = RecordKey { workspace_id: scene.id(), id: scene.samples.id() };
    let due = |endpoint: WebhookEndpointId| scene.samples.webhook_delivery(scene.id(), endpoint);
    let later = WebhookDelivery { due_at: minute(2), ..due(active.id) };
    insert(store, [active.clone().into(), disabled.clone().into(), later.into()]).await.unwrap();
    let found = async |at| store.webhooks().list_due_endpoints(at, 5).await.unwrap();
    assert_eq!(found(minute(1)).await, []);
    assert_eq!(found(minute(2)).await, [key(&active)]);
    insert(store, [due(active.id).into(), due(disabled.id).into(), due(deleted.id).into()]).await.unwrap();
    let mut both = found(minute(1)).await;
    both.sort_by_key(|key| key.id);
    assert_eq!(both, [key(&active), deleted]);
    delete_workspace(store, &scene).await;
    assert_eq!(found(minute(2)).await, []);
}

pub async fn due_deliveries_of_an_endpoint_come_by_how_long_they_have_waited(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let endpoint = RecordKey { workspace_id: scene.id(), id: scene.samples.id() };
    let due = |at| WebhookDelivery { due_at: minute(at), ..scene.samples.webhook_delivery(scene.id(), endpoint.id) };
    let (second, first, third) = (due(2), due(1), due(3));
    let done = due(1).cancelled(minute(1));
    let other = scene.samples.webhook_delivery(scene.id(), scene.samples.id());
    insert(store, [second.clone().into(), first.clone().into(), third.into(), done.into(), other.into()])
        .await
        .unwrap();
    let found = async |limit| values(store.webhooks().list_due_deliveries(endpoint, minute(2), limit).await.unwrap());
    assert_eq!(found(5).await, [first.clone(), second]);
    assert_eq!(found(1).await, [first]);
}

fn key(endpoint: &WebhookEndpoint) -> RecordKey<WebhookEndpointId> {
    RecordKey { workspace_id: endpoint.workspace_id, id: endpoint.id }
}

async fn delete_workspace(store: &dyn Store, scene: &Scene) {
    let workspace = store.workspaces().find(scene.scope()).await.unwrap().unwrap();
    revise(store, workspace, |workspace| Workspace { deleted_at: Some(minute(1)), ..workspace }).await.unwrap();
}
