//! The same call in all three protocols: the same success, the same refusals. What the protocol layer alone decides is
//! tested in its crate; here are those that take a real
//! caller and real records, read by clients that share no code with the server.

use std::collections::BTreeMap;

use prost::Message as _;
use serde_json::{Value, json};

use super::grpc_web;
use super::tonic_client::proto::contracts::contracts_client::ContractsClient;
use super::tonic_client::proto::contracts::{GetPurchaseRequest, GetPurchaseResponse};
use super::tonic_client::{authorised, channel};
use crate::harness::{Database, Key, World, unknown_id};

/// How a call ended, in the words that the protocols share.
#[derive(Debug, PartialEq, Eq)]
struct Ended {
    /// The code of gRPC (grpc/grpc, `statuscodes.md`), and what Connect calls the same.
    code: i32,
    reason: Option<String>,
    message: String,
    purchase: Option<Vec<u8>>,
}

#[tokio::test]
async fn a_success_is_the_same_in_every_protocol() {
    let world = World::new(Database::Sqlite).await;
    let purchase = world.desk.purchase.to_string();
    for ended in in_every_protocol(&world, Some(world.token(Key::Reader)), &purchase).await {
        assert_eq!((ended.code, ended.purchase), (0, Some(world.desk.purchase.to_bytes().to_vec())));
    }
}

#[tokio::test]
async fn a_refusal_has_the_same_code_reason_and_message_in_every_protocol() {
    let world = World::new(Database::Sqlite).await;
    let (known, unknown) = (world.desk.purchase.to_string(), unknown_id());
    let too_short = "AAAA".to_owned();
    for (token, purchase, code, reason) in [
        (None, &known, 16, "UNAUTHENTICATED"),
        (Some("tpk_nonsense"), &known, 16, "UNAUTHENTICATED"),
        (Some(world.token(Key::Bare)), &known, 7, "PERMISSION_DENIED"),
        (Some(world.token(Key::Reader)), &unknown, 5, "NOT_FOUND"),
        (Some(world.token(Key::Reader)), &too_short, 3, "INVALID_FIELD"),
    ] {
        let [connect, grpc, web] = in_every_protocol(&world, token, purchase).await;
        assert_eq!((connect.code, connect.reason.as_deref()), (code, Some(reason)));
        assert_eq!(connect, grpc);
        assert_eq!(connect, web);
    }
}

/// Asks for a purchase by Connect JSON, gRPC and gRPC-Web.
async fn in_every_protocol(world: &World, token: Option<&str>, purchase: &str) -> [Ended; 3] {
    let request = json!({ "workspaceId": world.desk.workspace_id.to_string(), "purchaseId": purchase });
    [
        by_connect(world, token, &request).await,
        by_grpc(world, token, &request).await,
        by_web(world, token, &request).await,
    ]
}

async fn by_connect(world: &World, token: Option<&str>, request: &Value) -> Ended {
    let answer = world.client.call(token, "GetPurchase", request).await;
    if answer.status == 200 {
        let id = answer.ok()["purchase"]["id"].as_str().unwrap().to_owned();
        let id: tradepost_domain::id::PurchaseId = id.parse().unwrap();
        return Ended { code: 0, reason: None, message: String::new(), purchase: Some(id.to_bytes().to_vec()) };
    }
    let (_, code, reason) = answer.refusal();
    let codes = BTreeMap::from([
        ("invalid_argument", 3),
        ("not_found", 5),
        ("permission_denied", 7),
        ("resource_exhausted", 8),
        ("unauthenticated", 16),
    ]);
    Ended { code: codes[code.as_str()], reason: Some(reason), message: answer.message(), purchase: None }
}

fn message(request: &Value) -> GetPurchaseRequest {
    let method = crate::descriptor::method("GetPurchase");
    GetPurchaseRequest::decode(super::tonic_client::to_binary(method.input(), request).as_slice()).unwrap()
}

async fn by_grpc(world: &World, token: Option<&str>, request: &Value) -> Ended {
    let mut client = ContractsClient::new(channel(world).await);
    let message = message(request);
    let request = match token {
        Some(token) => authorised(message, token),
        None => tonic::Request::new(message),
    };
    match client.get_purchase(request).await {
        Ok(answer) => {
            Ended { code: 0, reason: None, message: String::new(), purchase: answer.into_inner().purchase.unwrap().id }
        }
        Err(status) => Ended {
            code: status.code().into(),
            reason: status.metadata().get("x-error-reason").map(|reason| reason.to_str().unwrap().to_owned()),
            message: status.message().to_owned(),
            purchase: None,
        },
    }
}

async fn by_web(world: &World, token: Option<&str>, request: &Value) -> Ended {
    let answer = grpc_web::call(&world.client.url("GetPurchase"), token, &message(request).encode_to_vec()).await;
    let code: i32 = answer.trailers["grpc-status"].parse().unwrap();
    let purchase = answer.message.filter(|_| code == 0);
    Ended {
        code,
        reason: answer.trailers.get("x-error-reason").cloned(),
        message: answer.trailers.get("grpc-message").cloned().unwrap_or_default().replace("%20", " "),
        purchase: purchase
            .map(|bytes| GetPurchaseResponse::decode(bytes.as_slice()).unwrap().purchase.unwrap().id.unwrap()),
    }
}
