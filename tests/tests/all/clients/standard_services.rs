//! What gRPC tools expect of every server: health and reflection.

use futures::StreamExt as _;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

use super::tonic_client::channel;
use crate::harness::{Database, World};

#[tokio::test]
async fn health_says_that_each_service_is_serving() {
    let world = World::new(Database::Sqlite).await;
    let mut health = HealthClient::new(channel(&world).await);
    for service in [
        "",
        "accounts.v1.Accounts",
        "alerts.v1.Alerts",
        "contracts.v1.Contracts",
        "events.v1.Events",
        "markets.v1.Markets",
        "trading.v1.Trading",
    ] {
        let answer = health.check(HealthCheckRequest { service: service.to_owned() }).await.unwrap();
        assert_eq!(answer.into_inner().status(), ServingStatus::Serving, "{service}");
    }
}

#[tokio::test]
async fn the_health_of_an_unknown_service_is_not_found() {
    let world = World::new(Database::Sqlite).await;
    let mut health = HealthClient::new(channel(&world).await);
    let refused = health.check(HealthCheckRequest { service: "no.such.Service".to_owned() }).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::NotFound);
}

#[tokio::test]
async fn reflection_names_the_services() {
    let world = World::new(Database::Sqlite).await;
    let mut reflection = ServerReflectionClient::new(channel(&world).await);
    let ask = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut answers = reflection.server_reflection_info(futures::stream::iter([ask])).await.unwrap().into_inner();
    let answer = answers.next().await.unwrap().unwrap().message_response;
    let Some(MessageResponse::ListServicesResponse(listed)) = answer else { panic!("{answer:?}") };
    let mut names: Vec<String> = listed.service.into_iter().map(|service| service.name).collect();
    names.sort();
    let own = "grpc.reflection.v1.ServerReflection";
    let health = "grpc.health.v1.Health";
    let own_services = ["accounts.v1.Accounts", "alerts.v1.Alerts", "contracts.v1.Contracts", "events.v1.Events"];
    let others = [health, own, "markets.v1.Markets", "trading.v1.Trading"];
    assert_eq!(names, [own_services, others].concat());
}
