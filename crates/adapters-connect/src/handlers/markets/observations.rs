//! What was seen on markets.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_domain::markets::observation::Outcome;
use tradepost_operations::Operations;
use tradepost_operations::markets as operation;
use tradepost_operations::markets::SightingOutcome;

use crate::convert::enums::optional_enum;
use crate::convert::markets as record;
use crate::convert::{id, ids, timestamp, wire_count, wire_ids, wire_size, wire_time};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::markets::v1 as wire;

pub(super) async fn record_market_observations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RecordMarketObservationsRequest>,
) -> ServiceResult<wire::RecordMarketObservationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let observations = request.observations.iter().enumerate();
    let observations = observations.map(|(index, given)| record::observed_listing(index, given));
    let command =
        operation::RecordMarketObservations { workspace_id, observations: observations.collect::<Result<_, _>>()? };
    let outcomes = operations.record_market_observations(caller, command).await.map_err(to_wire)?;
    let count = |outcome| Some(wire_size(SightingOutcome::count(&outcomes, outcome)));
    Response::ok(wire::RecordMarketObservationsResponse {
        accepted: count(Outcome::Accepted),
        duplicates: count(Outcome::Duplicate),
        rejected: count(Outcome::Rejected),
        results: outcomes.into_iter().map(|(outcome, message)| record::recorded(outcome, message)).collect(),
    })
}

pub(super) async fn list_market_observations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListMarketObservationsRequest>,
) -> ServiceResult<wire::ListMarketObservationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListMarketObservations {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        marketplace: request.marketplace.to_owned(),
        market_hash_name: request.market_hash_name.to_owned(),
        since: timestamp("since", &request.since)?,
    };
    let page = operations.list_market_observations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListMarketObservationsResponse {
        observation_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_market_observation(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetMarketObservationRequest>,
) -> ServiceResult<wire::GetMarketObservationResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let observation_id = id("observationId", request.observation_id)?;
    let command = operation::GetMarketObservation { workspace_id, observation_id };
    let found = operations.get_market_observation(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetMarketObservationResponse { observation: record::observation(&found).into() })
}

pub(super) async fn get_market_observations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetMarketObservationsRequest>,
) -> ServiceResult<wire::GetMarketObservationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let observation_ids = ids("observationIds", &request.observation_ids)?;
    let command = operation::GetMarketObservations { workspace_id, observation_ids };
    let batch = operations.get_market_observations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetMarketObservationsResponse {
        observations: batch.found.iter().map(record::observation).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_market_observations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountMarketObservationsRequest>,
) -> ServiceResult<wire::CountMarketObservationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountMarketObservations { workspace_id, since: timestamp("since", &request.since)? };
    let counted = operations.count_market_observations(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|(marketplace, count)| wire::MarketObservationCount {
        marketplace: Some(marketplace.to_string()),
        count: Some(wire_count(count)),
    });
    Response::ok(wire::CountMarketObservationsResponse { counts: counts.collect() })
}

pub(super) async fn get_order_book(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetOrderBookRequest>,
) -> ServiceResult<wire::GetOrderBookResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let variant = record::variant_name(request.app_id, request.market_hash_name, request.phase);
    let command = operation::GetOrderBook { workspace_id, variant };
    let book = operations.get_order_book(caller, command).await.map_err(to_wire)?;
    let bids = book.bids.into_iter().map(|bid| wire::OrderBookBid {
        source: Some(bid.source.to_string()),
        price_cents: Some(bid.price.get()),
        observed_at: wire_time(bid.observed_at).into(),
    });
    Response::ok(wire::GetOrderBookResponse { asks: book.asks.iter().map(record::ask).collect(), bids: bids.collect() })
}

pub(super) async fn list_price_history(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListPriceHistoryRequest>,
) -> ServiceResult<wire::ListPriceHistoryResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListPriceHistory {
        workspace_id,
        variant: record::variant_name(request.app_id, request.market_hash_name, request.phase),
        marketplace: request.marketplace.to_owned(),
        bucket: optional_enum("bucket", request.bucket)?,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
    };
    let points = operations.list_price_history(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListPriceHistoryResponse { points: points.into_iter().map(record::price_point).collect() })
}
