//! A service that does what a test wants to see the protocol layer handle.

use connectrpc::{ConnectError, RequestContext, Response, Router, handler_fn};

use tradepost_operations::accounts::InstallationMarks;

use super::client::Wire;
use crate::browser::CookieNames;
use crate::server::protocols;
use crate::strict_json::StrictJson;
use crate::{Transport, TransportSettings};
use tradepost_proto::accounts::v1::{RevokeAPIKeyRequest, RevokeAPIKeyResponse};
use tradepost_proto::contracts::v1::{
    ActivateContractRequest, ActivateContractResponse, AppendAssetIDLinkRequest, AppendAssetIDLinkResponse,
    CreateContractRequest, CreateContractResponse, GetContractRequest, GetContractResponse, GetPurchaseRequest,
    GetPurchaseResponse, ListPurchasesRequest, ListPurchasesResponse,
};

/// Answers a read.
pub(super) const READ: &str = "/contracts.v1.Contracts/GetPurchase";
/// Answers a list with an empty cursor.
pub(super) const LIST: &str = "/contracts.v1.Contracts/ListPurchases";
/// Answers a write with an empty message.
pub(super) const WRITE: &str = "/accounts.v1.Accounts/RevokeAPIKey";
/// Takes a message with messages inside.
pub(super) const CREATE: &str = "/contracts.v1.Contracts/CreateContract";
/// Never answers.
pub(super) const HANG: &str = "/contracts.v1.Contracts/AppendAssetIDLink";
/// Panics.
pub(super) const PANIC: &str = "/contracts.v1.Contracts/ActivateContract";
/// Fails with an internal error that says too much.
pub(super) const FAIL: &str = "/contracts.v1.Contracts/GetContract";
/// What must not be said.
pub(super) const SECRET: &str = "the secret detail";

/// A server of the probe on a free port.
pub(super) async fn serve() -> Wire {
    Wire::serve(transport()).await
}

/// The probe behind the transport, without authentication.
pub(super) fn transport() -> Transport {
    transport_with(&TransportSettings::default())
}

/// The same with settings of its own.
pub(super) fn transport_with(settings: &TransportSettings) -> Transport {
    Transport::host(protocols(router(), settings).with_interceptor(StrictJson), Vec::new(), names(), settings)
}

/// Names of cookies.
pub(super) fn names() -> CookieNames {
    CookieNames::of(&InstallationMarks { current: "probe".to_owned(), former: None })
}

fn router() -> Router {
    const CONTRACTS: &str = "contracts.v1.Contracts";
    Router::new()
        .route_idempotent(
            CONTRACTS,
            "GetPurchase",
            handler_fn(async |_: RequestContext, _: GetPurchaseRequest| Response::ok(GetPurchaseResponse::default())),
        )
        .route_idempotent(
            CONTRACTS,
            "ListPurchases",
            handler_fn(async |_: RequestContext, _: ListPurchasesRequest| {
                Response::ok(ListPurchasesResponse { next_cursor: Some(String::new()), ..Default::default() })
            }),
        )
        .route(
            "accounts.v1.Accounts",
            "RevokeAPIKey",
            handler_fn(async |_: RequestContext, _: RevokeAPIKeyRequest| Response::ok(RevokeAPIKeyResponse::default())),
        )
        .route(
            CONTRACTS,
            "CreateContract",
            handler_fn(async |_: RequestContext, _: CreateContractRequest| {
                Response::ok(CreateContractResponse::default())
            }),
        )
        .route(
            CONTRACTS,
            "AppendAssetIDLink",
            handler_fn(async |_: RequestContext, _: AppendAssetIDLinkRequest| {
                std::future::pending::<()>().await;
                Response::ok(AppendAssetIDLinkResponse::default())
            }),
        )
        .route(
            CONTRACTS,
            "ActivateContract",
            handler_fn(async |_: RequestContext, request: ActivateContractRequest| {
                assert!(request.expected_version.is_some(), "{SECRET}");
                Response::ok(ActivateContractResponse::default())
            }),
        )
        .route_idempotent(
            CONTRACTS,
            "GetContract",
            handler_fn(async |_: RequestContext, request: GetContractRequest| {
                if request.contract_id.is_empty() {
                    return Err(ConnectError::internal(SECRET));
                }
                Response::ok(GetContractResponse::default())
            }),
        )
}
