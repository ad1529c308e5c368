//! The same seed and the same calls give the same world, to the byte.

use proptest::prelude::*;
use time::Duration;
use tradepost_adapters_simulator::{Settings, Simulator, World};

use crate::desk::Desk;
use crate::driver::{Step, steps, take};

fn bytes(simulator: &Simulator) -> Vec<u8> {
    simulator.world(|world| serde_json::to_vec(&*world)).unwrap()
}

async fn run(desk: &Desk, steps: &[Step]) -> Vec<Option<String>> {
    let mut answers = Vec::new();
    for step in steps {
        answers.push(take(desk, step).await);
    }
    answers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_same_seed_and_calls_give_the_same_answers_and_the_same_bytes(seed in any::<u64>(), steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(async {
            let (first, second) = (Desk::slow(seed), Desk::slow(seed));
            prop_assert_eq!(run(&first, &steps).await, run(&second, &steps).await);
            prop_assert_eq!(bytes(&first.simulator), bytes(&second.simulator));
            Ok(())
        })?;
    }

    #[test]
    fn a_world_that_is_written_down_and_taken_up_again_goes_on_as_if_it_had_not_been(
        seed in any::<u64>(), before in steps(), after in steps(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(async {
            let desk = Desk::slow(seed);
            run(&desk, &before).await;
            let world: World = serde_json::from_slice(&bytes(&desk.simulator))?;
            let again = desk.in_another(world);
            prop_assert_eq!(run(&desk, &after).await, run(&again, &after).await);
            prop_assert_eq!(bytes(&desk.simulator), bytes(&again.simulator));
            Ok(())
        })?;
    }
}

#[test]
fn time_passes_the_same_in_one_step_as_in_many() {
    let [at_once, by_and_by] = [1, 1].map(|seed| Simulator::new(World::new(seed, Settings::default())));
    at_once.advance(Duration::hours(12));
    for _ in 0..12 * 60 {
        by_and_by.advance(Duration::minutes(1));
    }
    assert_eq!(bytes(&at_once), bytes(&by_and_by));
}

#[test]
fn another_seed_gives_another_world() {
    let [one, two] = [1, 2].map(|seed| Simulator::new(World::new(seed, Settings::default())));
    assert_ne!(bytes(&one), bytes(&two));
}
