//! Who may read and change webhooks.

use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_operations::events::{
    CountWebhookEndpoints, DeleteWebhookEndpoint, DisableWebhookEndpoint, EnableWebhookEndpoint, GetWebhookDeliveries,
    GetWebhookEndpoint, GetWebhookEndpoints, ListEventTypes, ListWebhookDeliveries, ListWebhookEndpoints,
    ReplayWebhookEvents, ResendWebhookDelivery, RotateWebhookSecret, SendTestEvent, UpdateWebhookEndpoint,
};
use tradepost_operations::rules::RULES;
use tradepost_operations::{Caller, Code, OpError, OpResult};
use tradepost_ports::clock::Clock as _;

use super::Office;

type Refusals = Vec<(&'static str, Option<OpError>)>;

fn of<T>(method: &'static str, answer: OpResult<T>) -> (&'static str, Option<OpError>) {
    (method, answer.err())
}

async fn reads(office: &Office, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, endpoint_id, cursor) = (office.operations(), Id::from_bytes([9; 16]), String::new());
    let list = ListWebhookEndpoints { workspace_id, limit: 0, cursor: cursor.clone(), status: None };
    let endpoints = GetWebhookEndpoints { workspace_id, endpoint_ids: vec![endpoint_id] };
    let of_endpoint = ListWebhookDeliveries {
        workspace_id,
        endpoint_id,
        limit: 0,
        cursor,
        state: None,
        event_type: String::new(),
        from: None,
        to: None,
    };
    let deliveries = GetWebhookDeliveries { workspace_id, delivery_ids: vec![Id::from_bytes([9; 16])] };
    let one = GetWebhookEndpoint { workspace_id, endpoint_id };
    vec![
        of("ListEventTypes", on.list_event_types(caller, ListEventTypes { workspace_id })),
        of("ListWebhookEndpoints", on.list_webhook_endpoints(caller, list).await),
        of("GetWebhookEndpoint", on.get_webhook_endpoint(caller, one).await),
        of("GetWebhookEndpoints", on.get_webhook_endpoints(caller, endpoints).await),
        of("CountWebhookEndpoints", on.count_webhook_endpoints(caller, CountWebhookEndpoints { workspace_id }).await),
        of("ListWebhookDeliveries", on.list_webhook_deliveries(caller, of_endpoint).await),
        of("GetWebhookDeliveries", on.get_webhook_deliveries(caller, deliveries).await),
    ]
}

async fn writes(office: &Office, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, endpoint_id, expected_version) = (office.operations(), Id::from_bytes([9; 16]), None);
    let create = tradepost_operations::events::CreateWebhookEndpoint { workspace_id, ..office.wanted(&["*"]) };
    let (description, types) = (Some("desk".to_owned()), Vec::new());
    let update = UpdateWebhookEndpoint { workspace_id, endpoint_id, url: None, description, types, expected_version };
    let enable = EnableWebhookEndpoint { workspace_id, endpoint_id, expected_version };
    let disable = DisableWebhookEndpoint { workspace_id, endpoint_id, expected_version };
    let delete = DeleteWebhookEndpoint { workspace_id, endpoint_id, expected_version };
    let rotate = RotateWebhookSecret { workspace_id, endpoint_id, overlap_seconds: None };
    let resend = ResendWebhookDelivery { workspace_id, delivery_id: Id::from_bytes([9; 16]) };
    let from = Some(office.world.clock.now());
    let replay = ReplayWebhookEvents { workspace_id, endpoint_id, from, to: None, types: Vec::new() };
    let test = SendTestEvent { workspace_id, endpoint_id };
    vec![
        of("CreateWebhookEndpoint", on.create_webhook_endpoint(caller, create).await),
        of("UpdateWebhookEndpoint", on.update_webhook_endpoint(caller, update).await),
        of("EnableWebhookEndpoint", on.enable_webhook_endpoint(caller, enable).await),
        of("DisableWebhookEndpoint", on.disable_webhook_endpoint(caller, disable).await),
        of("DeleteWebhookEndpoint", on.delete_webhook_endpoint(caller, delete).await),
        of("RotateWebhookSecret", on.rotate_webhook_secret(caller, rotate).await),
        of("ResendWebhookDelivery", on.resend_webhook_delivery(caller, resend).await),
        of("ReplayWebhookEvents", on.replay_webhook_events(caller, replay).await),
        of("SendTestEvent", on.send_test_event(caller, test).await),
    ]
}

fn denied(refusals: &Refusals) -> usize {
    let is_denied = |error: &Option<OpError>| error.as_ref().is_some_and(|error| error.code == Code::PermissionDenied);
    refusals.iter().filter(|(_, error)| is_denied(error)).count()
}

#[tokio::test]
async fn every_operation_of_the_interface_is_in_this_table() {
    let office = Office::open().await;
    let home = office.world.workspace_id;
    let (reads, writes) = (reads(&office, &office.keeper, home).await, writes(&office, &office.keeper, home).await);
    let here: Vec<_> = reads.iter().chain(&writes).map(|(method, _)| *method).collect();
    for rule in RULES.iter().filter(|rule| rule.service == "events.v1.Events") {
        assert!(here.contains(&rule.method), "{}", rule.method);
    }
}

#[tokio::test]
async fn workspace_reads_and_writes_analytics_reads_and_nothing_else_does() {
    let office = Office::open().await;
    let home = office.world.workspace_id;
    for policy in Policy::ALL {
        let caller = office.world.key(PolicySet::of(&[policy])).await;
        let (reads, writes) = (reads(&office, &caller, home).await, writes(&office, &caller, home).await);
        let expected = match policy {
            Policy::Workspace => (0, 0),
            Policy::Analytics => (0, writes.len()),
            Policy::Trading | Policy::Accounts | Policy::Markets | Policy::Identity => (reads.len(), writes.len()),
        };
        assert_eq!((denied(&reads), denied(&writes)), expected, "{}", policy.name());
    }
}

#[tokio::test]
async fn another_workspace_is_denied_whether_it_exists_or_not() {
    let office = Office::open().await;
    let (existing, _, _) = office.world.other_workspace().await;
    for workspace_id in [existing, Id::from_bytes([9; 16])] {
        let reads = reads(&office, &office.keeper, workspace_id).await;
        let writes = writes(&office, &office.keeper, workspace_id).await;
        assert_eq!((denied(&reads), denied(&writes)), (reads.len(), writes.len()));
    }
}

#[tokio::test]
async fn an_unknown_record_is_not_found() {
    let office = Office::open().await;
    let home = office.world.workspace_id;
    let (reads, writes) =
        (reads(&office, &Caller::system(), home).await, writes(&office, &Caller::system(), home).await);
    let names_none = [
        "ListEventTypes",
        "ListWebhookEndpoints",
        "GetWebhookEndpoints",
        "CountWebhookEndpoints",
        "GetWebhookDeliveries",
        "CreateWebhookEndpoint",
    ];
    for (method, refusal) in reads.into_iter().chain(writes) {
        let expected = if names_none.contains(&method) { None } else { Some(Code::NotFound) };
        assert_eq!(refusal.map(|error| error.code), expected, "{method}");
    }
}
