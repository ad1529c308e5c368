//! Responses at even times, where the duration of the work would reveal what is known of an address.

use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Wider than the difference to hide (reading and decoding a row takes well under 1 ms), and finer than a user notices.
const GRID: Duration = Duration::from_millis(10);

/// Does the work, and answers at the next multiple of 10 ms since it was begun.
pub(crate) async fn on_grid<T>(work: impl Future<Output = T>) -> T {
    let begun = Instant::now();
    let done = work.await;
    let steps = begun.elapsed().as_nanos() / GRID.as_nanos() + 1;
    sleep_until(begun + GRID.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX))).await;
    done
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn work_of_any_length_is_answered_at_the_next_point_of_the_grid() {
        for (worked, answered) in [(0, 10), (3, 10), (9, 10), (10, 20), (11, 20), (47, 50)] {
            let begun = Instant::now();
            on_grid(advance(Duration::from_millis(worked))).await;
            assert_eq!(begun.elapsed(), Duration::from_millis(answered), "{worked} ms of work");
        }
    }
}
