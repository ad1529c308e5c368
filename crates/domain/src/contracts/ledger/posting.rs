//! What each step of a purchase and of an item books.
//!
//! Each state says where the money of the record lies; a step books the difference between two of them. So whatever comes
//! before, every entry balances, and so does the sum of all.

use super::{Account, Balanced, LedgerError, Posting, Trade};
use crate::contracts::inventory_item::{InventoryItem, ItemStatus, Proceeds, SalePlace};
use crate::contracts::purchase::{Purchase, PurchaseStatus};
use crate::money::{Cents, SignedCents};

/// What a step books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booking {
    /// What it is.
    pub posting: Posting,
    /// How much, by account.
    pub amounts: Balanced,
    /// By how much profit changes that can still be reversed.
    pub pending: SignedCents,
    /// What it is booked for.
    pub trade: Trade,
}

/// What the step of a purchase from `before` (`None` when it was recorded) to `after` books; `None` where no money moves.
///
/// # Errors
/// [`LedgerError::Money`] when an amount does not fit.
pub fn of_purchase(before: Option<&Purchase>, after: &Purchase) -> Result<Option<Booking>, LedgerError> {
    let Some(posting) = purchase_posting(after.status) else { return Ok(None) };
    let taken = before.map(money_of_purchase).transpose()?.unwrap_or_default();
    let amounts = money_of_purchase(after)?.plus(&taken.reversed())?;
    let trade = trade_of(after);
    Ok(Some(Booking { posting, amounts, pending: SignedCents::ZERO, trade })
        .filter(|booked| !booked.amounts.is_empty()))
}

/// What the record of an imported item books: its cost was put in with it. `None` where that is zero or unknown.
///
/// # Errors
/// [`LedgerError::Money`] when an amount does not fit.
pub fn of_import(item: &InventoryItem, purchase: &Purchase) -> Result<Option<Booking>, LedgerError> {
    let (amounts, pending) = (money_of_purchase(purchase)?, SignedCents::ZERO);
    let trade = Trade { inventory_item_id: Some(item.id), ..trade_of(purchase) };
    let booking = Booking { posting: Posting::Imported, amounts, pending, trade };
    Ok(Some(booking).filter(|booked| !booked.amounts.is_empty()))
}

/// What the step of an item from `before` to `after` books, bought by `purchase`: nothing where no money moves. What a buyer keeps with the
/// money was sold for nothing: its sale is undone before it is lost.
///
/// # Errors
/// [`LedgerError::Money`] when an amount does not fit.
pub fn of_item(
    before: &InventoryItem,
    after: &InventoryItem,
    purchase: &Purchase,
) -> Result<Vec<Booking>, LedgerError> {
    let Some(posting) = item_posting(before.status, after.status) else { return Ok(Vec::new()) };
    let cost = purchase.known_cost();
    let (had, has) = (money_of_item(before, cost)?.reversed(), money_of_item(after, cost)?);
    let pending = pending_of(after, cost)?.plus(pending_of(before, cost)?.negated())?;
    let booking = |posting, amounts, pending| {
        let trade = Trade {
            inventory_item_id: Some(after.id),
            account_name: after.account_name.clone(),
            sale: sale_of(posting, before, after),
            ..trade_of(purchase)
        };
        Booking { posting, amounts, pending, trade }
    };
    let mut booked = if (before.status, after.status) == (ItemStatus::Sold, ItemStatus::WrittenOff) {
        vec![booking(Posting::SaleReversed, had, pending), booking(posting, has, SignedCents::ZERO)]
    } else {
        vec![booking(posting, has.plus(&had)?, pending)]
    };
    // An item that cost nothing moves no money when it is delivered, and its profit is pending all the same.
    booked.retain(|booking| !booking.amounts.is_empty() || booking.pending != SignedCents::ZERO);
    Ok(booked)
}

/// What it books that an item was sold elsewhere, as `after` says: it was delivered, and its sale is final. What the sale brought was
/// taken out with it. Nothing of an item whose cost is unknown.
///
/// # Errors
/// [`LedgerError::Money`] when an amount does not fit.
pub fn of_sale_elsewhere(after: &InventoryItem, purchase: &Purchase) -> Result<Vec<Booking>, LedgerError> {
    let cost = purchase.known_cost().unwrap_or_default();
    let delivered = Balanced::moved(Account::InventoryAtCost, Account::DeliveredAtCost, cost.into())?;
    let settled = money_of_item(after, purchase.known_cost())?.plus(&delivered.reversed())?;
    let booking = |posting, amounts| {
        let trade = Trade {
            inventory_item_id: Some(after.id),
            account_name: after.account_name.clone(),
            sale: after.sale_place.clone(),
            ..trade_of(purchase)
        };
        Booking { posting, amounts, pending: SignedCents::ZERO, trade }
    };
    let mut booked = vec![booking(Posting::Delivered, delivered), booking(Posting::SaleSettled, settled)];
    booked.retain(|booking| !booking.amounts.is_empty());
    Ok(booked)
}

/// Returns the booking that restores the cost of a written-off item whose purchase was reversed, before the reversal's own booking:
/// its cost was not lost.
///
/// # Errors
/// [`LedgerError::Money`] when an amount does not fit.
pub fn recovered(item: &InventoryItem, purchase: &Purchase) -> Result<Option<Booking>, LedgerError> {
    let amounts = money_of_item(item, purchase.known_cost())?.reversed();
    let trade =
        Trade { inventory_item_id: Some(item.id), account_name: item.account_name.clone(), ..trade_of(purchase) };
    let booking = Booking { posting: Posting::ItemWrittenOff, amounts, pending: SignedCents::ZERO, trade };
    Ok(Some(booking).filter(|booked| !booked.amounts.is_empty()))
}

/// What it books that a marketplace pays out at once what a step made it owe; `None` where it owes nothing by that step.
///
/// # Errors
/// Never for what [`of_item`] gives; that the amounts fit is checked all the same.
pub fn paid_out(settled: &Booking) -> Result<Option<Booking>, LedgerError> {
    let owed = settled.amounts.of(Account::Receivable);
    let amounts = Balanced::moved(Account::Receivable, Account::Available, owed)?;
    let (posting, pending, trade) = (Posting::PaidOut, SignedCents::ZERO, settled.trade.clone());
    Ok(Some(Booking { posting, amounts, pending, trade }).filter(|booked| !booked.amounts.is_empty()))
}

/// What all entries that were booked for a purchase and for the items that it brought come to, and the pending profit among them. What
/// marketplaces paid out since has moved on from [`Account::Receivable`] to [`Account::Available`], and what a purchase cost beyond
/// what was there was put in from [`Account::Capital`].
///
/// # Errors
/// [`LedgerError::Money`] when an amount does not fit.
pub fn standing(purchase: &Purchase, items: &[InventoryItem]) -> Result<(Balanced, SignedCents), LedgerError> {
    let cost = purchase.known_cost();
    items.iter().try_fold((money_of_purchase(purchase)?, SignedCents::ZERO), |(money, pending), item| {
        Ok((money.plus(&money_of_item(item, cost)?)?, pending.plus(pending_of(item, cost)?)?))
    })
}

/// What a step of a purchase to this state books.
const fn purchase_posting(to: PurchaseStatus) -> Option<Posting> {
    use PurchaseStatus as Is;
    match to {
        Is::Pending => Some(Posting::Reserved),
        Is::Failed | Is::Cancelled => Some(Posting::Released),
        Is::Paid => Some(Posting::Paid),
        Is::RefundPending => Some(Posting::RefundDue),
        Is::Traded => Some(Posting::Received),
        Is::Reverted => Some(Posting::Reverted),
        Is::Refunded => Some(Posting::Refunded),
        Is::WrittenOff => Some(Posting::PurchaseWrittenOff),
        Is::Submitted | Is::Uncertain | Is::Offered | Is::TradeHeld | Is::Settled => None,
    }
}

/// What a step of an item between these states books; `None` where no money moves.
pub const fn item_posting(from: ItemStatus, to: ItemStatus) -> Option<Posting> {
    use ItemStatus as Is;
    match (from, to) {
        (_, Is::Sold) => Some(Posting::Delivered),
        (_, Is::Settled) => Some(Posting::SaleSettled),
        (_, Is::WrittenOff) => Some(Posting::ItemWrittenOff),
        (Is::Sold, Is::InInventory) => Some(Posting::SaleReversed),
        (
            _,
            Is::InInventory
            | Is::Listing
            | Is::Listed
            | Is::Reserved
            | Is::Delivering
            | Is::Held
            | Is::Missing
            | Is::Reverted,
        ) => None,
    }
}

/// Where the money of a purchase lies, and where it was taken from.
fn money_of_purchase(purchase: &Purchase) -> Result<Balanced, LedgerError> {
    use PurchaseStatus as Is;
    // What was bought before it was recorded here was paid with money that no account had.
    let source = if purchase.is_imported() { Account::Capital } else { Account::Available };
    let spent_on = |account, amount: Cents| Balanced::moved(source, account, amount.into());
    let cost = purchase.cost();
    match purchase.status {
        Is::Pending | Is::Submitted | Is::Uncertain => spent_on(Account::Reserved, purchase.terms.max_buy_price),
        Is::Failed | Is::Cancelled => Ok(Balanced::default()),
        Is::Paid | Is::Offered | Is::TradeHeld => spent_on(Account::PaidInTransit, cost),
        Is::Traded | Is::Settled => spent_on(Account::InventoryAtCost, cost),
        Is::RefundPending | Is::Reverted => spent_on(Account::RefundDue, cost),
        Is::WrittenOff => spent_on(Account::WriteOffs, cost),
        Is::Refunded => {
            let lost = SignedCents::from(cost).plus(SignedCents::from(purchase.progress.refunded).negated())?;
            // A marketplace may give back more than it took.
            let account = if lost < SignedCents::ZERO { Account::RealisedPnl } else { Account::WriteOffs };
            Balanced::moved(Account::Available, account, lost)
        }
    }
}

/// Where the cost of an item went from the inventory, and what came of it. What an item of unknown cost brings is neither profit nor
/// loss: it was put in with the item.
fn money_of_item(item: &InventoryItem, cost: Option<Cents>) -> Result<Balanced, LedgerError> {
    use ItemStatus as Is;
    // What was sold elsewhere was paid to people, and not to an account of the ledger.
    let payer = if item.is_sold_elsewhere() { Account::Capital } else { Account::Receivable };
    let Some(cost) = cost else {
        let (price, sale_fee) =
            if item.status == Is::Settled { price_and_fee(item) } else { (Cents::ZERO, Cents::ZERO) };
        return Balanced::moved(Account::Capital, payer, price.minus(sale_fee)?.into());
    };
    let moved_to = |account| Balanced::moved(Account::InventoryAtCost, account, cost.into());
    match item.status {
        Is::Sold => moved_to(Account::DeliveredAtCost),
        Is::WrittenOff => moved_to(Account::WriteOffs),
        Is::Settled => {
            let (price, sale_fee) = price_and_fee(item);
            let (paid, minus) =
                (SignedCents::from(item.buy_price), |amount: Cents| SignedCents::from(amount).negated());
            Balanced::new([
                (Account::InventoryAtCost, minus(cost)),
                (payer, price.into()),
                (payer, minus(sale_fee)),
                (Account::Fees, sale_fee.into()),
                (Account::Fees, cost.into()),
                (Account::Fees, paid.negated()),
                (Account::RealisedPnl, minus(price)),
                (Account::RealisedPnl, paid),
            ])
        }
        Is::InInventory
        | Is::Listing
        | Is::Listed
        | Is::Reserved
        | Is::Delivering
        | Is::Held
        | Is::Missing
        | Is::Reverted => Ok(Balanced::default()),
    }
}

/// The profit of a sale that can still be reversed, as far as its proceeds and its cost are known.
fn pending_of(item: &InventoryItem, cost: Option<Cents>) -> Result<SignedCents, LedgerError> {
    let Some(cost) = cost.filter(|_| item.status == ItemStatus::Sold && item.proceeds.is_some()) else {
        return Ok(SignedCents::ZERO);
    };
    let (price, sale_fee) = price_and_fee(item);
    let net = SignedCents::from(price).plus(SignedCents::from(sale_fee).negated())?;
    Ok(net.plus(SignedCents::from(cost).negated())?)
}

/// Where the item is sold, as long as its step is one of the sale; what comes back has forgotten it.
fn sale_of(posting: Posting, before: &InventoryItem, after: &InventoryItem) -> Option<SalePlace> {
    let is_of_sale = matches!(posting, Posting::Delivered | Posting::SaleSettled | Posting::SaleReversed);
    after.sale_place.as_ref().or(before.sale_place.as_ref()).filter(|_| is_of_sale).cloned()
}

fn price_and_fee(item: &InventoryItem) -> (Cents, Cents) {
    let of = |proceeds: Proceeds| (proceeds.sell_price(), proceeds.sale_fee());
    item.proceeds.map(of).unwrap_or_default()
}

fn trade_of(purchase: &Purchase) -> Trade {
    let terms = &purchase.terms;
    Trade {
        contract_id: terms.contract_id,
        purchase_id: terms.id,
        inventory_item_id: None,
        market_hash_name: terms.market_hash_name.clone(),
        account_name: terms.account_name.clone(),
        marketplace: terms.marketplace.clone(),
        sale: None,
        buy_fee: purchase.platform_fee(),
    }
}
