//! Endpoints: created, changed, and refused.

use tradepost_domain::events::webhook_endpoint::EndpointStatus;
use tradepost_operations::events::{
    CountWebhookEndpoints, CreateWebhookEndpoint, DisableWebhookEndpoint, ListEventTypes, UpdateWebhookEndpoint,
};
use tradepost_operations::{Caller, Code};

use super::Office;
use crate::harness::refusal;

#[tokio::test]
async fn an_endpoint_shows_the_last_characters_of_its_secret_alone() {
    let office = Office::open().await;
    let created = office.operations().create_webhook_endpoint(&Caller::system(), office.wanted(&["*"])).await.unwrap();
    let secret = secrecy::ExposeSecret::expose_secret(&created.secret).to_owned();
    let shown = office.shown(created.endpoint.endpoint.value.id).await;
    assert!(secret.ends_with(shown.endpoint.value.secret_hint.as_str()));
    assert!(!format!("{shown:?} {created:?}").contains(&secret));
}

#[tokio::test]
async fn a_workspace_has_at_most_twenty_endpoints() {
    let office = Office::open().await;
    for _ in 0..20 {
        office.endpoint(&["*"]).await;
    }
    let one_more = office.operations().create_webhook_endpoint(&Caller::system(), office.wanted(&["*"])).await;
    assert_eq!(refusal(one_more), (Code::FailedPrecondition, "WEBHOOK_ENDPOINT_LIMIT"));
}

#[tokio::test]
async fn an_endpoint_with_a_bad_field_is_refused_by_the_field() {
    let office = Office::open().await;
    let good = office.wanted(&["*"]);
    for (field, wanted) in [
        ("url", CreateWebhookEndpoint { url: "ftp://example.com".to_owned(), ..good.clone() }),
        ("types", CreateWebhookEndpoint { types: Vec::new(), ..good.clone() }),
        ("types", CreateWebhookEndpoint { types: vec!["purchase.sold_out".to_owned()], ..good.clone() }),
        ("description", CreateWebhookEndpoint { description: "x".repeat(201), ..good.clone() }),
    ] {
        let error = office.operations().create_webhook_endpoint(&Caller::system(), wanted).await.unwrap_err();
        assert!(error.code == Code::InvalidArgument && error.message.contains(field), "{error}");
    }
}

#[tokio::test]
async fn another_address_needs_a_second_factor_and_other_types_do_not() {
    let office = Office::open().await;
    let (workspace_id, endpoint_id) = (office.world.workspace_id, office.endpoint(&["*"]).await);
    let same = UpdateWebhookEndpoint {
        workspace_id,
        endpoint_id,
        url: Some("https://example.com/hook".to_owned()),
        description: Some("desk".to_owned()),
        types: vec!["pool.*".to_owned()],
        expected_version: Some(1),
    };
    let changed = office.operations().update_webhook_endpoint(&office.keeper, same.clone()).await.unwrap();
    assert_eq!(
        (changed.endpoint.version, changed.endpoint.value.types.iter().collect::<Vec<_>>()),
        (2, vec!["pool.*".to_owned()])
    );
    let stale = office.operations().update_webhook_endpoint(&office.keeper, same.clone()).await;
    assert_eq!(refusal(stale), (Code::FailedPrecondition, "VERSION_MISMATCH"));
    let moved =
        UpdateWebhookEndpoint { url: Some("https://example.com/moved".to_owned()), expected_version: None, ..same };
    let refused = office.operations().update_webhook_endpoint(&office.keeper, moved.clone()).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
    office.operations().update_webhook_endpoint(&Caller::system(), moved).await.unwrap();
    let nothing = UpdateWebhookEndpoint {
        workspace_id,
        endpoint_id,
        url: None,
        description: None,
        types: Vec::new(),
        expected_version: None,
    };
    let refused = office.operations().update_webhook_endpoint(&office.keeper, nothing).await;
    assert_eq!(refusal(refused).0, Code::InvalidArgument);
}

#[tokio::test]
async fn endpoints_are_counted_by_status() {
    let office = Office::open().await;
    let (workspace_id, endpoint_id) = (office.world.workspace_id, office.endpoint(&["*"]).await);
    office.endpoint(&["*"]).await;
    let disable = DisableWebhookEndpoint { workspace_id, endpoint_id, expected_version: None };
    office.operations().disable_webhook_endpoint(&office.keeper, disable).await.unwrap();
    let twice = office.operations().disable_webhook_endpoint(&office.keeper, disable).await;
    assert_eq!(refusal(twice), (Code::FailedPrecondition, "ILLEGAL_STEP"));
    let counts =
        office.operations().count_webhook_endpoints(&office.keeper, CountWebhookEndpoints { workspace_id }).await;
    let counts: Vec<_> = counts.unwrap().into_iter().map(|counted| (counted.status, counted.count)).collect();
    assert_eq!(counts, [(EndpointStatus::Active, 1), (EndpointStatus::Disabled, 1)]);
}

#[tokio::test]
async fn every_type_of_event_is_listed() {
    let office = Office::open().await;
    let command = ListEventTypes { workspace_id: office.world.workspace_id };
    let types = office.operations().list_event_types(&office.keeper, command).unwrap();
    assert!(types.iter().any(|event| event.to_string() == "purchase.traded"));
}
