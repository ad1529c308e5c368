//! What the pools of a workspace have together.

use tradepost_domain::contracts::ledger::{Account, Balanced};
use tradepost_operations::contracts::{Capital, GetCapital, GetInventoryItem};

use super::{Desk, NO_LIMITS};

impl Desk {
    async fn capital(&self) -> Capital {
        let command = GetCapital { workspace_id: self.workspace_id() };
        self.operations().get_capital(&self.trader, command).await.unwrap()
    }
}

#[tokio::test]
async fn the_capital_of_a_workspace_is_what_its_pools_have_and_what_was_bought_without_one() {
    let desk = Desk::open().await;
    let none = Capital { pools: 0, balances: Balanced::default(), unpooled_inventory: 0 };
    assert_eq!(desk.capital().await, none);
    let (one, other) = (desk.pool(NO_LIMITS).await, desk.pool(NO_LIMITS).await);
    desk.adjust(one, 5_000).await.unwrap();
    desk.adjust(other, 700).await.unwrap();
    let item = desk.item(1).await;
    let found = desk.capital().await;
    assert_eq!((found.pools, found.balances.of(Account::Available).get()), (2, 5_700));
    assert_eq!(found.balances.of(Account::Capital).get(), -5_700);
    let get = GetInventoryItem { workspace_id: desk.workspace_id(), inventory_item_id: item };
    let item = desk.operations().get_inventory_item(&desk.trader, get).await.unwrap().value;
    assert!(found.unpooled_inventory >= item.buy_price.get(), "{found:?}");
}
