//! Time passes at a desk: a pass of the engine at each step, until something is so.

use time::Duration;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_engine::Engine;

use super::Desk;

/// The longest that a story takes: protection twice, and buyers who take their time.
const LIMIT: Duration = Duration::days(60);
/// How many steps are one where only days pass.
const STEPS_AT_ONCE: i32 = 6;

impl Desk {
    /// Lets time pass, with a pass of the engine at every step.
    pub(crate) async fn live(&self, engine: &mut Engine, by: Duration) {
        let until = self.simulator.world(|world| world.now()).plus(by);
        while self.simulator.world(|world| world.now()) < until {
            engine.pass().await;
            self.simulator.advance(self.step);
        }
        engine.pass().await;
    }

    /// The same until purchases and items are as they should.
    pub(crate) async fn live_until(&self, engine: &mut Engine, is_so: impl Fn(&[Purchase], &[InventoryItem]) -> bool) {
        let limit = self.simulator.world(|world| world.now()).plus(LIMIT);
        loop {
            let pass = engine.pass().await;
            let (purchases, items) = (self.purchases().await, self.items().await);
            if is_so(&purchases, &items) {
                return;
            }
            let now = self.simulator.world(|world| world.now());
            assert!(now < limit, "never so: {purchases:#?} {items:#?} {:#?}", pass.errors);
            self.simulator.advance(self.step_after(&purchases, &items));
        }
    }

    /// How much time passes until the next pass: more where all purchases and items only wait for the end of a protection.
    pub(crate) fn step_after(&self, purchases: &[Purchase], items: &[InventoryItem]) -> Duration {
        let is_traded = |it: &Purchase| it.status.is_terminal() || it.status == PurchaseStatus::Traded;
        let is_protected = |it: &InventoryItem| matches!(it.status, ItemStatus::InInventory | ItemStatus::Sold);
        let only_days_pass = !items.is_empty() && purchases.iter().all(is_traded) && items.iter().all(is_protected);
        if only_days_pass { self.step * STEPS_AT_ONCE } else { self.step }
    }
}
