//! Trade offers, and the trades that came of them.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, TRADE, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![list(), get(), batch(), count(), trade(), send(), accept(), decline(), cancel(), refresh()]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn read(method: &'static str) -> Case {
    let elsewhere = |world: &World| json!({ "workspaceId": world.other_desk.workspace_id.to_string() });
    case(method, workspace)
        .by(Key::Reader)
        .denies(Key::Bare)
        .denies(Key::Trader)
        .denied(elsewhere, "PERMISSION_DENIED")
        .prepared(|world| world.trade_offer().map(|_| json!({})).boxed())
        .requires(&["workspaceId"])
}

fn list() -> Case {
    read("ListTradeOffers")
        .prepared(|world| {
            async {
                world.trade_offer().await;
                json!({
                    "limit": 1,
                    "accountId": world.account(1).await.to_string(),
                    "direction": "TRADE_OFFER_DIRECTION_RECEIVED",
                    "status": "TRADE_OFFER_STATUS_COMPLETED",
                })
            }
            .boxed()
        })
        .not_found(|_| json!({ "accountId": unknown_id() }))
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
        .invalid(|_| json!({ "purchaseId": unknown_id(), "inventoryItemId": unknown_id() }), "INVALID_FIELD")
}

fn get() -> Case {
    read("GetTradeOffer")
        .prepared(|world| world.trade_offer().map(|id| json!({ "tradeOfferId": id.to_string() })).boxed())
        .requires(&["workspaceId", "tradeOfferId"])
        .not_found(|_| json!({ "tradeOfferId": unknown_id() }))
}

fn batch() -> Case {
    read("GetTradeOffers")
        .prepared(|world| {
            world.trade_offer().map(|id| json!({ "tradeOfferIds": [unknown_id(), id.to_string()] })).boxed()
        })
        .requires(&["workspaceId", "tradeOfferIds"])
        .invalid(|_| json!({ "tradeOfferIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountTradeOffers")
}

fn trade() -> Case {
    read("GetTrade")
        .prepared(|world| world.trade_offer().map(|_| json!({ "tradeId": TRADE })).boxed())
        .requires(&["workspaceId", "tradeId"])
        .not_found(|_| json!({ "tradeId": "another" }))
        .invalid(|_| json!({ "tradeId": "x".repeat(129) }), "INVALID_FIELD")
}

fn write(method: &'static str) -> Case {
    let elsewhere = |world: &World| json!({ "workspaceId": world.other_desk.workspace_id.to_string() });
    case(method, workspace).denies(Key::Reader).denies(Key::Trader).denied(elsewhere, "PERMISSION_DENIED")
}

fn send() -> Case {
    write("SendTradeOffer")
        .prepared(|world| {
            async {
                json!({
                    "accountId": world.account(1).await.to_string(),
                    "partner": "https://platform.example.com/tradeoffer/new/?partner=39734281&token=abcdefgh",
                    "gives": [{ "appId": 730, "contextId": "2", "assetId": "27348562999" }],
                    "receives": [{ "assetId": "27348563000" }],
                    "message": "for the other account",
                })
            }
            .boxed()
        })
        .needs_step_up()
        .requires(&["workspaceId", "accountId", "partner"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
        .not_found(|_| json!({ "intentId": unknown_id() }))
        .invalid(|_| json!({ "message": "x".repeat(129) }), "INVALID_FIELD")
        .invalid(|_| json!({ "partner": "a friend" }), "INVALID_FIELD")
        .invalid(|_| json!({ "token": "abcdefgh" }), "INVALID_FIELD")
        .invalid(|_| json!({ "gives": [{ "assetId": "sword" }] }), "INVALID_FIELD")
        .invalid(|_| json!({ "gives": [], "receives": [] }), "INVALID_FIELD")
        .fails(|_| json!({ "gives": [{ "assetId": "3000003" }] }), "ITEM_ON_RECORD")
}

/// What the requests about a received offer have in common.
fn answer(method: &'static str) -> Case {
    write(method)
        .prepared(|world| {
            world.received_offer().map(|id| json!({ "tradeOfferId": id.to_string(), "expectedVersion": "1" })).boxed()
        })
        .not_found(|_| json!({ "tradeOfferId": unknown_id() }))
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
}

fn accept() -> Case {
    answer("AcceptTradeOffer").needs_step_up().requires(&["workspaceId", "tradeOfferId", "expectedVersion"])
}

fn decline() -> Case {
    answer("DeclineTradeOffer").requires(&["workspaceId", "tradeOfferId"])
}

fn cancel() -> Case {
    write("CancelTradeOffer")
        .prepared(|world| world.requested_offer().map(|id| json!({ "tradeOfferId": id.to_string() })).boxed())
        .requires(&["workspaceId", "tradeOfferId"])
        .not_found(|_| json!({ "tradeOfferId": unknown_id() }))
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
}

fn refresh() -> Case {
    write("RefreshTradeOffers")
        .prepared(|world| async { json!({ "accountId": world.account(1).await.to_string() }) }.boxed())
        .requires(&["workspaceId", "accountId"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
}
