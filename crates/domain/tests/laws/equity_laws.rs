//! What a pool is worth under random lives of its purchases and items.

use proptest::prelude::*;
use tradepost_domain::contracts::equity::{HighWater, Worth};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::ledger::Account;
use tradepost_domain::contracts::ledger::report::{Figures, Open};
use tradepost_domain::contracts::purchase::Purchase;

use crate::given::at;
use crate::pool_laws::{Books, any_happening, limits, opened, signed};

type Lot = (Purchase, Option<InventoryItem>);

impl Books {
    /// The profit of sales that can still be reversed, by the items.
    fn pending(&self) -> i64 {
        let pending = |(bought, item): &Lot| {
            let item = item.as_ref().filter(|item| item.status == ItemStatus::Sold)?;
            let net = item.proceeds.map(|proceeds| proceeds.sell_price().get() - proceeds.sale_fee().get())?;
            Some(net - bought.cost().get())
        };
        self.lots.iter().filter_map(pending).sum()
    }

    /// What the pool is worth, by its balances and by its items, each of which brings so much above its cost.
    fn worth(&self, unrealised: i64) -> Worth {
        let is_open = |(_, item): &&Lot| item.as_ref().is_some_and(|item| item.status.is_open());
        let open: Vec<_> = self.lots.iter().filter(is_open).collect();
        let items = i64::try_from(open.len()).unwrap();
        let figures = Figures {
            realised: self.sum.realised(),
            pending: self.pending(),
            write_offs: self.sum.of(Account::WriteOffs).get(),
            ..Figures::default()
        };
        let value = Open { unrealised: unrealised * items, items, ..Open::default() };
        Worth::of(&self.pool.balances, figures, open.iter().map(|(bought, _)| bought.cost().get()).sum(), value)
    }
}

proptest! {
    #[test]
    fn whatever_happens_equity_is_what_was_put_in_and_what_was_earned(
        happenings in prop::collection::vec((any_happening(), -500..500_i64), 1..80),
    ) {
        let (pool, sum) = opened(limits()).adjust(signed(8_000), at(0)).unwrap();
        let (mut books, mut high) = (Books { pool, lots: Vec::new(), sum }, HighWater::default());
        let mut highest = i64::MIN;
        for (happening, unrealised) in happenings {
            books.happen(happening);
            let worth = books.worth(unrealised);
            prop_assert_eq!(worth.check(), Ok(()));
            prop_assert_eq!(worth.capital, books.pool.capital().get(), "capital is what people put in");
            prop_assert_eq!(worth.inventory_at_cost, books.pool.balances.of(Account::InventoryAtCost).get());
            let earned = books.sum.earned() + books.pending() + worth.unrealised;
            prop_assert_eq!((worth.profit(), worth.equity()), (earned, books.pool.capital().get() + earned));
            highest = highest.max(earned);
            prop_assert_eq!(high.next(&worth).cents, highest - earned);
        }
    }
}
