//! A halt of trading stops what is not sent yet, and nothing else.

use tradepost_domain::purchase::PurchaseStatus;
use tradepost_operations::accounts::SetTradingHalt;
use tradepost_operations::{Code, OpResult};

use super::{Desk, accepted, submitted};

impl Desk {
    async fn set_halt(&self, halted: bool, reason: &str) -> OpResult<tradepost_domain::workspace::Workspace> {
        let command = SetTradingHalt { workspace_id: self.workspace_id(), halted, reason: reason.to_owned() };
        self.operations().set_trading_halt(&self.trader, command).await
    }
}

#[tokio::test]
async fn nothing_is_recorded_while_trading_is_halted() {
    let desk = Desk::open().await;
    let halted = desk.set_halt(true, "prices look wrong").await.unwrap();
    assert_eq!(halted.trading_halt.unwrap().reason.as_str(), "prices look wrong");
    desk.forbidden(desk.operations().record_purchase(&desk.trader, desk.listing(1)), "TRADING_HALTED").await;
    assert_eq!(desk.set_halt(false, "they were right").await.unwrap().trading_halt, None);
    desk.buy(1).await;
}

#[tokio::test]
async fn what_was_recorded_is_not_sent_and_what_was_sent_goes_on() {
    let desk = Desk::open().await;
    let (recorded, sent) = (desk.buy(1).await, desk.buy(2).await);
    desk.advance(sent, submitted()).await.unwrap();
    desk.set_halt(true, "prices look wrong").await.unwrap();
    desk.forbidden(desk.advance(recorded, submitted()), "TRADING_HALTED").await;
    let paid = desk.advance(sent, accepted(2)).await.unwrap();
    assert_eq!(paid.value.status, PurchaseStatus::Paid);
    desk.operations().receive_item(&desk.trader, desk.arrival(sent, 2)).await.unwrap();
}

#[tokio::test]
async fn asking_for_what_is_so_already_changes_nothing_and_another_reason_is_kept() {
    let desk = Desk::open().await;
    let first = desk.set_halt(true, "prices look wrong").await.unwrap();
    let before = format!("{:?}", desk.world.store);
    assert_eq!(desk.set_halt(true, "prices look wrong").await.unwrap(), first);
    assert_eq!(format!("{:?}", desk.world.store), before);
    let second = desk.set_halt(true, "still wrong").await.unwrap().trading_halt.unwrap();
    assert_eq!((second.reason.as_str(), second.since), ("still wrong", first.trading_halt.unwrap().since));
}

#[tokio::test]
async fn a_halt_has_a_reason() {
    let desk = Desk::open().await;
    for reason in ["", " ", &"x".repeat(201)] {
        desk.refused(desk.set_halt(true, reason), Code::InvalidArgument, "INVALID_FIELD").await;
    }
}
