//! Samples of pools and of the ledger.

use tradepost_domain::contracts::ledger::posting::of_purchase;
use tradepost_domain::contracts::ledger::{Account, Balanced, LedgerEntry, Posting};
use tradepost_domain::contracts::pool::{Pool, PoolLimits};
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{PoolId, RecordKey, WorkspaceId};
use tradepost_domain::money::{Currency, SignedCents};
use tradepost_domain::time::Timestamp;

use super::trading::cents;
use super::{Samples, start, text};

impl Samples {
    /// Returns a pool with 1 000 000 cents of capital and no limit but its budget.
    ///
    /// # Panics
    /// Never: the pool is legal.
    pub fn pool(&self, workspace_id: WorkspaceId) -> Pool {
        let limits = PoolLimits {
            budget: cents(2_000_000),
            max_per_purchase: None,
            max_exposure_per_item: None,
            daily_limit: None,
        };
        let (name, currency) = (self.unique("Pool"), Currency::new("USD").unwrap());
        let pool = Pool::open(RecordKey { workspace_id, id: self.id() }, name, currency, limits, start()).unwrap();
        pool.adjust(SignedCents::new(1_000_000).unwrap(), start()).unwrap().0
    }

    /// Returns an entry that deposits 5 cents into a pool, or into the workspace's own money.
    pub fn ledger_entry(&self, workspace_id: WorkspaceId, pool_id: Option<PoolId>) -> LedgerEntry {
        self.ledger_entry_at(workspace_id, pool_id, start())
    }

    /// Returns the same at another time.
    ///
    /// # Panics
    /// Never: the entry is legal.
    pub fn ledger_entry_at(&self, workspace_id: WorkspaceId, pool_id: Option<PoolId>, at: Timestamp) -> LedgerEntry {
        LedgerEntry {
            id: self.ids.mint(at),
            workspace_id,
            pool_id,
            posting: Posting::FundsAdjusted,
            amounts: Balanced::moved(Account::Capital, Account::Available, SignedCents::new(5).unwrap()).unwrap(),
            pending: SignedCents::ZERO,
            trade: None,
            reason: Some(text("for a test")),
            at,
        }
    }

    /// Returns the entry that the last step of a purchase books, as if it were its first.
    ///
    /// # Panics
    /// When the step books nothing.
    pub fn booked(&self, pool_id: Option<PoolId>, purchase: &Purchase) -> LedgerEntry {
        let booked = of_purchase(None, purchase).unwrap().unwrap();
        LedgerEntry {
            id: self.id(),
            workspace_id: purchase.terms.workspace_id,
            pool_id,
            posting: booked.posting,
            amounts: booked.amounts,
            pending: SignedCents::new(-385).unwrap(),
            trade: Some(booked.trade),
            reason: None,
            at: start(),
        }
    }

    /// Returns an entry that settles the sale of a purchase's item, with this profit after all fees.
    ///
    /// # Panics
    /// When the purchase books nothing.
    pub fn settled(&self, purchase: &Purchase, realised: i64, at: Timestamp) -> LedgerEntry {
        let cents = |amount| SignedCents::new(amount).unwrap();
        let amounts = Balanced::new([
            (Account::DeliveredAtCost, cents(-1_220)),
            (Account::Fees, cents(105)),
            (Account::RealisedPnl, cents(-realised - 105)),
            (Account::Receivable, cents(1_220 + realised)),
        ]);
        let (posting, pending, amounts) = (Posting::SaleSettled, cents(-realised), amounts.unwrap());
        LedgerEntry { posting, pending, amounts, at, ..self.booked(None, purchase) }
    }
}
