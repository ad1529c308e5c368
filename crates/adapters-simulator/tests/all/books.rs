//! The world's own books hold, whatever is called and whatever goes wrong.

use proptest::prelude::*;
use time::Duration;

use crate::desk::Desk;
use crate::driver::{steps, take};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_call_and_no_fault_makes_or_loses_money_or_items(seed in any::<u64>(), steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(async {
            let desk = Desk::slow(seed);
            for step in &steps {
                let answers = take(&desk, step).await;
                let held = desk.simulator.world(|world| world.check_books());
                prop_assert!(held.is_ok(), "{held:?} after {step:?}, which came to {answers:?}");
            }
            // All open orders end: money is settled or refunded. Until then strangers may buy what we listed, each listing once.
            for _ in 0..=steps.len() {
                desk.pass(Duration::days(14));
                desk.check_books();
                if money_held(&desk)? == serde_json::json!({}) {
                    return Ok(());
                }
            }
            prop_assert_eq!(money_held(&desk)?, serde_json::json!({}), "money is held for ever");
            Ok(())
        })?;
    }
}

/// What the orders that are neither settled nor refunded hold.
fn money_held(desk: &Desk) -> serde_json::Result<serde_json::Value> {
    let world = desk.simulator.world(|world| serde_json::to_value(&*world))?;
    Ok(world["books"]["held"].clone())
}
