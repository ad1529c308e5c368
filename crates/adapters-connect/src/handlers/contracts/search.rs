//! `contracts.v1.Contracts`: the search for records.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::enums::WireEnum as _;
use crate::convert::wire_id;
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn search(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SearchRequest>,
) -> ServiceResult<wire::SearchResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::Search { workspace_id, text: request.text.to_owned(), limit: request.limit };
    let found = operations.search(caller, command).await.map_err(to_wire)?;
    let result = |found: operation::SearchResult| wire::SearchResult {
        kind: Some(found.kind.to_wire()),
        id: Some(found.id.map(wire_id).unwrap_or_default()),
        title: Some(found.title),
        subtitle: Some(found.subtitle),
    };
    Response::ok(wire::SearchResponse { results: found.into_iter().map(result).collect() })
}
