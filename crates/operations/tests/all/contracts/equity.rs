//! Equity: daily marks, and their series.

use time::Duration;
use tradepost_domain::contracts::equity::{Drawdown, Worth};
use tradepost_domain::contracts::ledger::report::{day_of, midnight_of};
use tradepost_domain::time::Timestamp;
use tradepost_operations::Code;
use tradepost_operations::contracts::{EquityPoint, EquitySeries, GetEquitySeries};
use tradepost_ports::clock::Clock as _;

use super::Desk;
use super::pools::NO_LIMITS;

impl Desk {
    fn today(&self) -> i64 {
        day_of(self.world.clock.now())
    }

    /// The series of the days from so many days ago on.
    async fn equity(&self, days: i64) -> EquitySeries {
        let from = Some(midnight_of(self.today() - days));
        let command = GetEquitySeries { workspace_id: self.workspace_id(), from, to: None };
        self.operations().get_equity_series(&self.trader, command).await.unwrap()
    }

    async fn mark(&self) -> usize {
        self.operations().take_equity_marks().await.unwrap()
    }

    /// Lets a day end, and so long afterwards pass.
    fn sleep_until(&self, days: i64, after: Duration) -> Timestamp {
        let at = midnight_of(self.today() + days).plus(after);
        self.advance_clock(at.since(self.world.clock.now()));
        at
    }
}

fn parts(point: &EquityPoint) -> (i64, i64, i64) {
    (point.worth.equity(), point.worth.capital, point.worth.profit())
}

#[tokio::test]
async fn a_day_is_marked_once_when_it_has_ended() {
    let desk = Desk::open().await;
    assert_eq!(desk.mark().await, 0, "there is no money yet");
    let pool = desk.pool(NO_LIMITS).await;
    desk.adjust(pool, 5_000).await.unwrap();
    assert_eq!(desk.mark().await, 0, "the pool was opened today");
    let taken_at = desk.sleep_until(1, Duration::SECOND);
    assert_eq!((desk.mark().await, desk.mark().await), (1, 0));
    desk.adjust(pool, 700).await.unwrap();
    let series = desk.equity(3).await;
    let [point] = series.points.as_slice() else { panic!("{series:?}") };
    assert_eq!((point.at, point.taken_at), (midnight_of(desk.today() - 1), taken_at));
    assert_eq!((parts(point), parts(&series.now)), ((5_000, 5_000, 0), (5_700, 5_700, 0)));
    assert_eq!(series.now.at, midnight_of(desk.today()));
}

#[tokio::test]
async fn a_mark_that_was_missed_is_taken_late_and_no_earlier_one_is_made_up() {
    let desk = Desk::open().await;
    let pool = desk.pool(NO_LIMITS).await;
    desk.adjust(pool, 5_000).await.unwrap();
    let taken_at = desk.sleep_until(4, Duration::hours(7));
    assert_eq!(desk.mark().await, 1);
    let points = desk.equity(9).await.points;
    let found: Vec<_> = points.iter().map(|point| (point.at, point.taken_at)).collect();
    assert_eq!(found, [(midnight_of(desk.today() - 1), taken_at)]);
}

#[tokio::test]
async fn equity_follows_an_item_from_its_cost_to_its_value_and_its_sale() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let now = async || desk.equity(1).await.now.worth;
    let bought = now().await;
    let at_cost = Worth { inventory_at_cost: 1_220, capital: 1_220, items: 1, unpriced: 1, ..Worth::default() };
    assert_eq!(bought, at_cost);
    desk.worth(1_400).await;
    assert_eq!(now().await, Worth { unrealised: 180, unpriced: 0, ..at_cost });
    desk.sleep_until(1, Duration::SECOND);
    desk.mark().await;
    desk.deliver(item, 1, None).await;
    assert_eq!(now().await, Worth { pending: 205, ..Worth::default() });
    desk.settle(item).await;
    let sold = Worth { realised: 205, capital: -205, ..Worth::default() };
    let series = desk.equity(2).await;
    assert_eq!((series.now.worth, series.now.drawdown), (sold, Drawdown::default()));
    let yesterday = series.points.last().unwrap().worth;
    assert_eq!((yesterday.unrealised, yesterday.stale, yesterday.profit()), (180, 1, 180), "a value, and its age");
}

#[tokio::test]
async fn a_drawdown_is_measured_from_the_highest_profit_before() {
    let desk = Desk::open().await;
    desk.item(1).await;
    for ask in [1_400, 1_620, 1_320] {
        desk.worth(ask).await;
        desk.sleep_until(1, Duration::SECOND);
        desk.mark().await;
    }
    desk.worth(1_460).await;
    let series = desk.equity(5).await;
    let drawdowns: Vec<_> = series.points.iter().map(|point| (point.worth.profit(), point.drawdown.cents)).collect();
    assert_eq!(drawdowns, [(180, 0), (400, 0), (100, 300)]);
    assert_eq!(series.now.drawdown, Drawdown { cents: 160, bps: 988 }, "of the 16.20 that would be there");
    assert_eq!((series.highest().at, series.largest_drawdown().cents), (series.points[1].at, 300));
}

#[tokio::test]
async fn a_series_of_too_many_days_is_refused() {
    let desk = Desk::open().await;
    let ask = |from: i64, to: i64| {
        let (from, to) = (Some(midnight_of(from)), Some(midnight_of(to)));
        let command = GetEquitySeries { workspace_id: desk.workspace_id(), from, to };
        desk.operations().get_equity_series(&desk.trader, command)
    };
    assert!(ask(20_000, 21_100).await.is_ok());
    for (from, to) in [(20_000, 21_101), (20_000, 20_000)] {
        desk.refused(ask(from, to), Code::InvalidArgument, "INVALID_FIELD").await;
    }
}
