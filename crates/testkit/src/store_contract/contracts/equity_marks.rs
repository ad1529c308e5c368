//! Promises about daily marks of equity.

use time::Duration;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::contracts::equity::{EquityMark, Worth, end_of};
use tradepost_domain::contracts::ledger::report::day_of;
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::AppendedRow;
use tradepost_ports::store::{Store, StoreError, Unique, UnmarkedQuery, Worlds};

use crate::samples::{Scene, start};
use crate::store_contract::{insert, system};

/// Returns the mark of so many days after the first, with another number in every field.
fn mark(scene: &Scene, days: i64) -> EquityMark {
    let day = day_of(start()) + days;
    let worth = Worth {
        available: 1 + days,
        reserved: 2,
        paid_in_transit: 3,
        refund_due: 4,
        inventory_at_cost: 5,
        delivered_at_cost: 6,
        receivable: 7,
        capital: 50,
        realised: -10 + days,
        pending: -11,
        unrealised: 13,
        write_offs: 12,
        items: 9,
        unpriced: 4,
        stale: 5,
    };
    EquityMark::new(scene.id(), day, end_of(day).plus(Duration::SECOND), worth).unwrap()
}

pub async fn marks_are_read_back_in_the_order_of_days(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let marks = [0, 1, 2, 300].map(|days| mark(&scene, days));
    for index in [2, 0, 3, 1] {
        insert(store, [marks[index].into()]).await.unwrap();
    }
    insert(store, [mark(&abroad, 1).into()]).await.unwrap();
    let first = marks[0].day;
    let list = async |from, to| store.equity_marks().list(scene.scope(), first + from, first + to).await.unwrap();
    assert_eq!(list(0, 301).await, marks);
    assert_eq!(list(1, 300).await, marks[1..3]);
    assert_eq!(list(3, 300).await, []);
}

pub async fn a_workspace_has_one_mark_of_a_day(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let first = mark(&scene, 0);
    insert(store, [first.into()]).await.unwrap();
    let again = EquityMark { worth: Worth { pending: 99, ..first.worth }, ..first };
    assert_eq!(insert(store, [again.into()]).await, Err(StoreError::Duplicate(Unique::Address)));
    assert_eq!(store.equity_marks().list(scene.scope(), first.day, first.day + 1).await.unwrap(), [first]);
}

pub async fn a_workspace_is_unmarked_once_it_had_money_on_the_day(store: &dyn Store) {
    let [pooled, unpooled, without, simulated] = [
        Scene::founded(store, 1).await,
        Scene::founded(store, 2).await,
        Scene::founded(store, 3).await,
        Scene::founded(store, 4).await,
    ];
    store.market_kinds().settle(simulated.scope(), MarketKind::Simulated).await.unwrap();
    insert(store, [pooled.samples.pool(pooled.id()).into()]).await.unwrap();
    insert(store, [simulated.samples.pool(simulated.id()).into()]).await.unwrap();
    let mut changes = system();
    changes.append(AppendedRow::Ledger(unpooled.samples.ledger_entry(unpooled.id(), None)));
    store.commit(changes).await.unwrap();
    let today = day_of(start());
    let list = async |worlds, day, after, most| -> Vec<WorkspaceId> {
        let query = UnmarkedQuery { worlds, day, after, most };
        let found = store.equity_marks().list_unmarked(query).await.unwrap();
        found.iter().map(|seen| seen.peek().id).collect()
    };
    let mut expected = [pooled.id(), unpooled.id()];
    expected.sort_unstable();
    assert_eq!(list(Worlds::Real, today, None, 9).await, expected);
    assert_eq!(list(Worlds::Real, today, None, 1).await, expected[..1]);
    assert_eq!(list(Worlds::Real, today, Some(expected[0]), 9).await, expected[1..]);
    assert_eq!(list(Worlds::Real, today - 1, None, 9).await, [], "there was no money the day before");
    assert_eq!(list(Worlds::Of(simulated.id()), today, None, 9).await, [simulated.id()]);
    assert_eq!(list(Worlds::Of(without.id()), today, None, 9).await, []);
    insert(store, [mark(&pooled, 0).into()]).await.unwrap();
    assert_eq!(list(Worlds::Real, today, None, 9).await, [unpooled.id()]);
    assert_eq!(list(Worlds::Real, today + 1, None, 9).await, expected, "every day has its own mark");
}
