//! The ledger: where the money of a workspace is and where it came from. An entry is written with the step that it records and
//! never changes.
//!
//! Money held is positive and its origin negative, so that the amounts of an entry sum to zero, and with them every sum of entries.
//! This module owns the accounts, the booking of each step ([`posting`]) and the figures ([`report`], and [`flow`] of a
//! marketplace). The limits of a pool belong to [`crate::contracts::pool`].

pub mod flow;
pub mod posting;
pub mod report;

use std::collections::BTreeMap;

use crate::contracts::inventory_item::SalePlace;
use crate::id::{ContractId, InventoryItemId, LedgerEntryId, PoolId, PurchaseId, WorkspaceId};
use crate::money::{Cents, MoneyError, SignedCents};
use crate::names::names;
use crate::text::{AccountName, Description, MarketHashName, Marketplace};
use crate::time::Timestamp;

/// A place where money is, or what it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// Free to be spent.
    Available = 1,
    /// Kept for purchases that may still be charged.
    Reserved = 2,
    /// Paid, and the item not received yet.
    PaidInTransit = 3,
    /// Refunds due to us for items that never arrived or whose trade was reversed.
    RefundDue = 4,
    /// In items that are ours.
    InventoryAtCost = 5,
    /// In items given to their buyers, as long as that can be reversed.
    DeliveredAtCost = 6,
    /// What marketplaces owe us for sales that are final.
    Receivable = 7,
    /// Fees of purchases and sales that are final; a loss, written with plus.
    Fees = 8,
    /// Prices of sales that are final above the prices paid; a profit, written with minus.
    RealisedPnl = 9,
    /// Written off; a loss, written with plus.
    WriteOffs = 10,
    /// Put in by people, as money or as items; written with minus.
    Capital = 11,
}

names! { Account, "account of the ledger":
    Available => "AVAILABLE",
    Reserved => "RESERVED",
    PaidInTransit => "PAID_IN_TRANSIT",
    RefundDue => "REFUND_DUE",
    InventoryAtCost => "INVENTORY_AT_COST",
    DeliveredAtCost => "DELIVERED_AT_COST",
    Receivable => "RECEIVABLE",
    Fees => "FEES",
    RealisedPnl => "REALISED_PNL",
    WriteOffs => "WRITE_OFFS",
    Capital => "CAPITAL",
}

impl Account {
    /// The accounts of bound money: a pool is in use while one of them holds any.
    pub const BOUND: [Self; 6] = [
        Self::Reserved,
        Self::PaidInTransit,
        Self::RefundDue,
        Self::InventoryAtCost,
        Self::DeliveredAtCost,
        Self::Receivable,
    ];

    /// Whether its money is exposed in an item: in transit, in the item, or delivered with it and not paid yet.
    pub const fn is_exposed(self) -> bool {
        matches!(self, Self::Reserved | Self::PaidInTransit | Self::InventoryAtCost | Self::DeliveredAtCost)
    }
}

/// What an entry books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Posting {
    /// A purchase was recorded.
    Reserved = 1,
    /// A purchase failed or was withdrawn before it was charged.
    Released = 2,
    /// A purchase was charged; what was reserved beyond the charge is free again.
    Paid = 3,
    /// What was paid for will not come.
    RefundDue = 4,
    /// Money came back.
    Refunded = 5,
    /// The item of a purchase is ours.
    Received = 6,
    /// A reversal took the item back.
    Reverted = 7,
    /// The money of a purchase was written off.
    PurchaseWrittenOff = 8,
    /// An item was given to its buyer.
    Delivered = 9,
    /// An item came back from its buyer, or was written off with one.
    SaleReversed = 10,
    /// A sale is final.
    SaleSettled = 11,
    /// An item was written off.
    ItemWrittenOff = 12,
    /// People put money in or took it out.
    FundsAdjusted = 13,
    /// A marketplace paid out what it owed.
    PaidOut = 14,
    /// An item that was ours already was recorded; its cost was put in with it.
    Imported = 15,
}

names! { Posting, "kind of ledger entry":
    Reserved => "RESERVED",
    Released => "RELEASED",
    Paid => "PAID",
    RefundDue => "REFUND_DUE",
    Refunded => "REFUNDED",
    Received => "RECEIVED",
    Reverted => "REVERTED",
    PurchaseWrittenOff => "PURCHASE_WRITTEN_OFF",
    Delivered => "DELIVERED",
    SaleReversed => "SALE_REVERSED",
    SaleSettled => "SALE_SETTLED",
    ItemWrittenOff => "ITEM_WRITTEN_OFF",
    FundsAdjusted => "FUNDS_ADJUSTED",
    PaidOut => "PAID_OUT",
    Imported => "IMPORTED",
}

/// Amounts by account that sum to zero: the legs of an entry, and the balances that entries come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Balanced(BTreeMap<Account, SignedCents>);

/// Why amounts make no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// They do not sum to zero.
    #[error("the amounts sum to {0} cents instead of zero")]
    Unbalanced(
        /// Their sum.
        i128,
    ),
    /// One is more than an amount can be.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl Balanced {
    /// These amounts; those of one account are added up.
    ///
    /// # Errors
    /// [`LedgerError`] unless they sum to zero and each fits.
    pub fn new(legs: impl IntoIterator<Item = (Account, SignedCents)>) -> Result<Self, LedgerError> {
        let mut amounts = BTreeMap::<Account, SignedCents>::new();
        for (account, amount) in legs {
            let sum = amounts.entry(account).or_default();
            *sum = sum.plus(amount)?;
        }
        amounts.retain(|_, amount| *amount != SignedCents::ZERO);
        match amounts.values().map(|amount| i128::from(amount.get())).sum() {
            0 => Ok(Self(amounts)),
            sum => Err(LedgerError::Unbalanced(sum)),
        }
    }

    /// An amount that moves from one account to another.
    ///
    /// # Errors
    /// Never for two accounts; that the amounts fit is checked all the same.
    pub fn moved(from: Account, to: Account, amount: SignedCents) -> Result<Self, LedgerError> {
        Self::new([(from, amount.negated()), (to, amount)])
    }

    /// The amount of an account; zero where there is none.
    pub fn of(&self, account: Account) -> SignedCents {
        self.0.get(&account).copied().unwrap_or_default()
    }

    /// The accounts whose amount is not zero, in order.
    pub fn legs(&self) -> impl Iterator<Item = (Account, SignedCents)> {
        self.0.iter().map(|(account, amount)| (*account, *amount))
    }

    /// Whether nothing moves.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Both together.
    ///
    /// # Errors
    /// [`LedgerError::Money`] when an amount would not fit.
    pub fn plus(&self, other: &Self) -> Result<Self, LedgerError> {
        Self::new(self.legs().chain(other.legs()))
    }

    /// The same amounts the other way round.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self(self.legs().map(|(account, amount)| (account, amount.negated())).collect())
    }

    /// How much money is at stake in items.
    pub fn exposure(&self) -> i64 {
        self.legs().filter(|(account, _)| account.is_exposed()).map(|(_, amount)| amount.get()).sum()
    }

    /// Returns the final profit: what sales brought above their cost, after all fees.
    pub fn realised(&self) -> i64 {
        self.of(Account::RealisedPnl).get().saturating_add(self.of(Account::Fees).get()).saturating_neg()
    }

    /// Returns the realised result: final profit less write-offs; negative for a loss.
    pub fn earned(&self) -> i64 {
        self.realised().saturating_sub(self.of(Account::WriteOffs).get())
    }
}

/// The purchase that money is moved for, and what may be asked of the entry because of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trade {
    /// The buying contract; `None` of an imported purchase.
    pub contract_id: Option<ContractId>,
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// The item, once there is one that moves.
    pub inventory_item_id: Option<InventoryItemId>,
    /// The item variant.
    pub market_hash_name: MarketHashName,
    /// The trading account: the one that buys, or that holds the item.
    pub account_name: AccountName,
    /// The marketplace that it is or was bought on.
    pub marketplace: Marketplace,
    /// Where the item is sold, and for which contract; of its delivery, its sale and the reversal of both.
    pub sale: Option<SalePlace>,
    /// What the marketplace took on top of the price when the item was bought.
    pub buy_fee: Cents,
}

/// One entry of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    /// Its own id.
    pub id: LedgerEntryId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool whose money moves; the workspace's own where a contract names none.
    pub pool_id: Option<PoolId>,
    /// What it books.
    pub posting: Posting,
    /// How much, by account.
    pub amounts: Balanced,
    /// By how much profit changes that can still be reversed: it is in no account until it is final.
    pub pending: SignedCents,
    /// What it is booked for; `None` where money moves for no purchase.
    pub trade: Option<Trade>,
    /// The reason that was given, or the payment that it records.
    pub reason: Option<Description>,
    /// When.
    pub at: Timestamp,
}
