//! What entries say of the money at stake, of what is earned, and of what went through a marketplace.

use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, ItemParts, Proceeds, SalePlace};
use tradepost_domain::contracts::ledger::flow::Flow;
use tradepost_domain::contracts::ledger::posting::{of_item, of_purchase, recovered, standing};
use tradepost_domain::contracts::ledger::{Account, Balanced, LedgerEntry, Posting, Trade};
use tradepost_domain::contracts::purchase::{FailureCode, Purchase, PurchaseEvent};
use tradepost_domain::money::SignedCents;

use crate::given::{asset, at, cents, id, item, order, purchase_terms, sale_place, text, traded_purchase};

fn legs(amounts: &[(Account, i64)]) -> Balanced {
    Balanced::new(amounts.iter().map(|(account, amount)| (*account, SignedCents::new(*amount).unwrap()))).unwrap()
}

#[test]
fn at_stake_is_what_is_reserved_on_its_way_in_items_or_delivered() {
    let at_stake = [Account::Reserved, Account::PaidInTransit, Account::InventoryAtCost, Account::DeliveredAtCost];
    for account in Account::ALL {
        assert_eq!(account.is_exposed(), at_stake.contains(account), "{account:?}");
        if *account != Account::Capital {
            let exposure = legs(&[(*account, 7), (Account::Capital, -7)]).exposure();
            assert_eq!(exposure, if account.is_exposed() { 7 } else { 0 }, "{account:?}");
        }
    }
}

#[test]
fn what_is_at_stake_adds_up_over_accounts() {
    let legs = legs(&[
        (Account::Reserved, 5),
        (Account::PaidInTransit, 7),
        (Account::InventoryAtCost, 11),
        (Account::DeliveredAtCost, -13),
        (Account::Receivable, 17),
        (Account::Available, -27),
    ]);
    assert_eq!(legs.exposure(), 10);
}

#[test]
fn what_is_earned_is_the_profit_of_sales_less_fees_and_what_was_given_up() {
    let legs =
        legs(&[(Account::RealisedPnl, -100), (Account::Fees, 20), (Account::WriteOffs, 30), (Account::Available, 50)]);
    assert_eq!((legs.realised(), legs.earned()), (80, 50));
}

/// Of a purchase at `sim` whose item is sold at `other`.
fn entry(posting: Posting, amounts: &[(Account, i64)]) -> LedgerEntry {
    let terms = purchase_terms(3);
    let trade = Trade {
        contract_id: terms.contract_id,
        purchase_id: terms.id,
        inventory_item_id: None,
        market_hash_name: terms.market_hash_name,
        account_name: terms.account_name,
        marketplace: terms.marketplace,
        sale: Some(SalePlace { marketplace: text("other"), contract_id: None }),
        buy_fee: cents(50),
    };
    LedgerEntry {
        id: id(8),
        workspace_id: id(1),
        pool_id: None,
        posting,
        amounts: legs(amounts),
        pending: SignedCents::ZERO,
        trade: Some(trade),
        reason: None,
        at: at(1),
    }
}

/// What flows at the marketplace of the purchase, and at the one of the sale.
fn flows(entry: &LedgerEntry) -> [Flow; 2] {
    ["sim", "other"].map(|marketplace| Flow::of(entry, &text(marketplace)))
}

#[test]
fn a_payment_is_spent_where_the_item_is_bought() {
    let paid = entry(
        Posting::Paid,
        &[(Account::Reserved, -1_200), (Account::PaidInTransit, 1_040), (Account::Available, 160)],
    );
    assert_eq!(flows(&paid), [Flow::spent(1_040), Flow::default()]);
}

#[test]
fn a_refund_is_received_where_the_item_was_bought() {
    let refunded = entry(
        Posting::Refunded,
        &[(Account::RefundDue, -1_040), (Account::Available, 1_000), (Account::WriteOffs, 40)],
    );
    assert_eq!(flows(&refunded), [Flow { refunds: 1, ..Flow::received(1_000) }, Flow::default()]);
}

#[test]
fn a_payout_is_received_where_the_item_was_sold() {
    let paid_out = entry(Posting::PaidOut, &[(Account::Receivable, -900), (Account::Available, 900)]);
    assert_eq!(flows(&paid_out), [Flow::default(), Flow::received(900)]);
}

#[test]
fn what_is_reserved_or_put_in_flows_at_no_marketplace() {
    let reserved = entry(Posting::Reserved, &[(Account::Available, -1_200), (Account::Reserved, 1_200)]);
    let put_in = LedgerEntry {
        trade: None,
        ..entry(Posting::FundsAdjusted, &[(Account::Capital, -5), (Account::Available, 5)])
    };
    assert_eq!([flows(&reserved), flows(&put_in)], [[Flow::default(); 2]; 2]);
}

#[test]
fn a_balance_changes_by_what_comes_in_less_what_goes_out() {
    assert_eq!(Flow::spent(1_040).plus(Flow::received(900)).net(), -140);
}

/// The same item in another account than the one that bought it.
fn moved(item: InventoryItem) -> InventoryItem {
    InventoryItem::restore(ItemParts { account_name: text("trader-2"), ..item.into_parts() }).unwrap()
}

fn sold() -> [InventoryItem; 2] {
    let steps = [
        ItemEvent::ListingStarted { place: sale_place(), price: cents(1_500), takes_locked: true, exchange_rate: None },
        ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset(101) },
        ItemEvent::SaleNoticed {
            listing_id: text("sale-1"),
            proceeds: Proceeds::new(cents(1_500), cents(75)).unwrap(),
        },
        ItemEvent::DeliveryStarted { asset_id: asset(101) },
    ];
    let delivering = steps.into_iter().fold(item().0, |item, event| item.apply(event, at(2_000)).unwrap().0);
    let given = ItemEvent::Given { trade_id: text("trade-6"), asset_id: asset(200) };
    let sold = delivering.clone().apply(given, at(2_000)).unwrap().0;
    [delivering, sold]
}

#[test]
fn the_entry_of_a_delivery_names_the_item_its_account_and_where_it_is_sold() {
    let [before, after] = sold();
    let before = moved(before);
    let after = moved(after);
    let booked = of_item(&before, &after, &traded_purchase()).unwrap();
    let [delivered] = booked.as_slice() else { panic!("{booked:?}") };
    let Trade { inventory_item_id, account_name, sale, .. } = &delivered.trade;
    let expected = (Some(after.id), text("trader-2"), Some(sale_place()));
    assert_eq!((*inventory_item_id, account_name.clone(), sale.clone()), expected);
}

#[test]
fn what_is_recovered_is_booked_for_the_item_and_its_account() {
    let given_up = item().0;
    let missing = ItemEvent::WentMissing { first_absent_at: at(20), last_absent_at: at(700) };
    let missing = given_up.apply(missing, at(700)).unwrap().0;
    let given_up = missing.apply(ItemEvent::GivenUp, at(100_000)).unwrap().0;
    let given_up = moved(given_up);
    let booked = recovered(&given_up, &traded_purchase()).unwrap().unwrap();
    assert_eq!((booked.trade.inventory_item_id, booked.trade.account_name), (Some(given_up.id), text("trader-2")));
    assert_eq!(booked.amounts, legs(&[(Account::InventoryAtCost, 1_040), (Account::WriteOffs, -1_040)]));
}

#[test]
fn a_purchase_and_its_item_stand_where_their_entries_left_the_money() {
    let purchase = traded_purchase();
    let [before, after] = sold();
    let bought = of_purchase(None, &purchase).unwrap().unwrap();
    let delivered = of_item(&before, &after, &purchase).unwrap().remove(0);
    let sum = bought.amounts.plus(&delivered.amounts).unwrap();
    let pending = SignedCents::new(1_500 - 75 - 1_040).unwrap();
    assert_eq!(standing(&purchase, &[after]).unwrap(), (sum, pending));
}

fn refunded(amount: i64) -> Purchase {
    let steps = [
        PurchaseEvent::Submitted { listing_price: cents(1_000) },
        PurchaseEvent::Accepted(order()),
        PurchaseEvent::DeliveryFailed(FailureCode::SellerLate),
        PurchaseEvent::RefundBooked { amount: cents(amount) },
    ];
    let pending = Purchase::record(purchase_terms(3), at(0)).unwrap();
    steps.into_iter().fold(pending, |purchase, event| purchase.apply(event, at(1)).unwrap())
}

#[test]
fn a_refund_beyond_the_cost_is_profit_and_a_missing_one_is_written_off() {
    let sums = |amount| standing(&refunded(amount), &[]).unwrap().0;
    assert_eq!(sums(1_100), legs(&[(Account::Available, 60), (Account::RealisedPnl, -60)]));
    assert_eq!(sums(1_000), legs(&[(Account::Available, -40), (Account::WriteOffs, 40)]));
    assert!(sums(1_040).is_empty());
}
