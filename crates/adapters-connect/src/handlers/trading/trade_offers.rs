//! Trade offers, and the trades that came of them.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::trading as operation;
use tradepost_operations::{OpError, Operations};

use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::trading::trade_offers as record;
use crate::convert::{id, ids, optional_id, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::trading::v1 as wire;

pub(super) async fn list_trade_offers(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListTradeOffersRequest>,
) -> ServiceResult<wire::ListTradeOffersResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListTradeOffers {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        account_id: optional_id("accountId", request.account_id)?,
        direction: optional_enum("direction", request.direction)?,
        status: optional_enum("status", request.status)?,
        purchase_id: optional_id("purchaseId", request.purchase_id)?,
        inventory_item_id: optional_id("inventoryItemId", request.inventory_item_id)?,
    };
    let page = operations.list_trade_offers(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListTradeOffersResponse {
        trade_offer_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_trade_offer(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetTradeOfferRequest>,
) -> ServiceResult<wire::GetTradeOfferResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let trade_offer_id = id("tradeOfferId", request.trade_offer_id)?;
    let command = operation::GetTradeOffer { workspace_id, trade_offer_id };
    let offer = operations.get_trade_offer(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetTradeOfferResponse { trade_offer: record::trade_offer(&offer).into() })
}

pub(super) async fn get_trade_offers(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetTradeOffersRequest>,
) -> ServiceResult<wire::GetTradeOffersResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let trade_offer_ids = ids("tradeOfferIds", &request.trade_offer_ids)?;
    let command = operation::GetTradeOffers { workspace_id, trade_offer_ids };
    let batch = operations.get_trade_offers(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetTradeOffersResponse {
        trade_offers: batch.found.iter().map(record::trade_offer).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_trade_offers(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountTradeOffersRequest>,
) -> ServiceResult<wire::CountTradeOffersResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountTradeOffers { workspace_id };
    let counted = operations.count_trade_offers(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::TradeOfferCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountTradeOffersResponse { counts: counts.collect() })
}

pub(super) async fn get_trade(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetTradeRequest>,
) -> ServiceResult<wire::GetTradeResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetTrade { workspace_id, trade_id: request.trade_id.to_owned() };
    let offer = operations.get_trade(caller, command).await.map_err(to_wire)?.value;
    let trade = offer.trade.as_ref().ok_or_else(|| to_wire(OpError::not_found("trade")))?;
    Response::ok(wire::GetTradeResponse { trade: record::trade(&offer, trade).into() })
}

pub(super) async fn send_trade_offer(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SendTradeOfferRequest>,
) -> ServiceResult<wire::SendTradeOfferResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::SendTradeOffer {
        workspace_id,
        account_id: id("accountId", request.account_id)?,
        partner: request.partner.to_owned(),
        token: request.token.to_owned(),
        gives: request.gives.iter().map(record::asset_to_trade).collect(),
        receives: request.receives.iter().map(record::asset_to_trade).collect(),
        message: request.message.to_owned(),
        intent_id: optional_id("intentId", request.intent_id)?,
        accept_hold: request.accept_hold,
    };
    let offer = operations.send_trade_offer(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::SendTradeOfferResponse { trade_offer: record::trade_offer(&offer).into() })
}

pub(super) async fn refresh_trade_offers(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RefreshTradeOffersRequest>,
) -> ServiceResult<wire::RefreshTradeOffersResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let account_id = id("accountId", request.account_id)?;
    let command = operation::RefreshTradeOffers { workspace_id, account_id };
    let reading = operations.refresh_trade_offers(caller, command).await.map_err(to_wire)?;
    Response::ok(record::reading(&reading))
}

pub(super) async fn accept_trade_offer(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AcceptTradeOfferRequest>,
) -> ServiceResult<wire::AcceptTradeOfferResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let trade_offer_id = id("tradeOfferId", request.trade_offer_id)?;
    let (expected_version, accept_hold) = (request.expected_version, request.accept_hold);
    let command = operation::AcceptTradeOffer { workspace_id, trade_offer_id, expected_version, accept_hold };
    let offer = operations.accept_trade_offer(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::AcceptTradeOfferResponse { trade_offer: record::trade_offer(&offer).into() })
}

pub(super) async fn decline_trade_offer(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeclineTradeOfferRequest>,
) -> ServiceResult<wire::DeclineTradeOfferResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let trade_offer_id = id("tradeOfferId", request.trade_offer_id)?;
    let expected_version = request.expected_version;
    let command = operation::DeclineTradeOffer { workspace_id, trade_offer_id, expected_version };
    let offer = operations.decline_trade_offer(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeclineTradeOfferResponse { trade_offer: record::trade_offer(&offer).into() })
}

pub(super) async fn cancel_trade_offer(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CancelTradeOfferRequest>,
) -> ServiceResult<wire::CancelTradeOfferResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let trade_offer_id = id("tradeOfferId", request.trade_offer_id)?;
    let expected_version = request.expected_version;
    let command = operation::CancelTradeOffer { workspace_id, trade_offer_id, expected_version };
    let offer = operations.cancel_trade_offer(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CancelTradeOfferResponse { trade_offer: record::trade_offer(&offer).into() })
}
