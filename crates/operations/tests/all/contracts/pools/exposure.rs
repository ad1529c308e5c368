//! What counts against the limit of a pool on what is at stake in items of one name.

use tradepost_operations::contracts::LimitsOfPool;

use super::{Desk, NO_LIMITS};

#[tokio::test]
async fn money_in_transit_and_money_in_an_item_count_like_reserved_money() {
    // 12.20 are paid for the first; another one may cost 15.00.
    let limits = LimitsOfPool { max_exposure_per_item_cents: Some(2_700), ..NO_LIMITS };
    let (desk, _) = Desk::pooled(limits).await;
    let purchase_id = desk.pay(1).await;
    let another = async || {
        desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(2)), "POOL_ITEM_EXPOSURE").await;
    };
    another().await;
    desk.operations().receive_item(&desk.trader, desk.arrival(purchase_id, 1)).await.unwrap();
    another().await;
}
