//! Imported items: what they book, and that they keep every rule of items that were bought here.

use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::contracts::chain::{ChainError, verify};
use tradepost_domain::contracts::imported_item::{ImportedIds, ImportedItem, ImportedRecords, Paid};
use tradepost_domain::contracts::inventory_item::{
    InventoryItem, ItemError, ItemEvent, ItemStatus, Proceeds, SaleElsewhere, Traits,
};
use tradepost_domain::contracts::ledger::posting::{Booking, of_import, of_item, of_sale_elsewhere, standing};
use tradepost_domain::contracts::ledger::{Account, Balanced, Posting};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::money::SignedCents;

use crate::given::{asset, at, cents, id, order, purchase_terms, sale_place, text};

/// An imported item for which this was paid, price and fee; `None` is unknown.
fn records(paid: Option<(i64, i64)>) -> ImportedRecords {
    let item = ImportedItem {
        app_id: AppId::CS2,
        context_id: ContextId::ORDINARY,
        asset_id: asset(100),
        market_hash_name: text("AK-47 | Redline (Field-Tested)"),
        traits: Traits::default(),
        paid: paid.map(|(price, fee)| Paid { price: cents(price), fee: cents(fee) }),
        marketplace: text("import"),
        order_id: None,
        listing_id: None,
        bought_at: None,
        protected_until: None,
    };
    let ids = ImportedIds { workspace_id: id(1), purchase_id: id(3), item_id: id(4), link_id: id(5) };
    item.record(ids, text("trader-1"), text("import-1"), at(10)).unwrap()
}

/// An item from its record to the end of its sale for 1 500 cents, of which the marketplace keeps 75.
fn sale_of(item: &InventoryItem) -> Vec<InventoryItem> {
    let proceeds = Proceeds::new(cents(1_500), cents(75)).unwrap();
    let steps = [
        ItemEvent::ListingStarted { place: sale_place(), price: cents(1_500), takes_locked: true, exchange_rate: None },
        ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset(100) },
        ItemEvent::SaleNoticed { listing_id: text("sale-1"), proceeds },
        ItemEvent::DeliveryStarted { asset_id: asset(100) },
        ItemEvent::Given { trade_id: text("trade-6"), asset_id: asset(200) },
        ItemEvent::ProceedsBooked { proceeds, protected_until: at(1_000), paid_out: false },
    ];
    let mut life = vec![item.clone()];
    for step in steps {
        let before = life[life.len() - 1].clone();
        life.push(before.apply(step, at(2_000)).unwrap().0);
    }
    life
}

/// Everything that is booked for an imported item and its sale.
fn booked(records: &ImportedRecords) -> Vec<Booking> {
    let imported = of_import(&records.item, &records.purchase).unwrap();
    let life = sale_of(&records.item);
    let steps = life.windows(2).flat_map(|pair| of_item(&pair[0], &pair[1], &records.purchase).unwrap());
    imported.into_iter().chain(steps).collect()
}

fn together(booked: &[Booking]) -> (Balanced, SignedCents) {
    booked.iter().fold((Balanced::default(), SignedCents::ZERO), |(amounts, pending), booking| {
        (amounts.plus(&booking.amounts).unwrap(), pending.plus(booking.pending).unwrap())
    })
}

#[test]
fn an_imported_item_keeps_every_rule_and_its_chain_begins_with_the_import() {
    for paid in [None, Some((0, 0)), Some((1_200, 30))] {
        let ImportedRecords { purchase, item, link } = records(paid);
        assert_eq!(Purchase::restore(purchase.clone().into_parts()), Ok(purchase.clone()));
        assert_eq!(InventoryItem::restore(item.clone().into_parts()), Ok(item.clone()));
        assert_eq!(verify(&[link], item.chain_owner(), &item.head), []);
        assert!(purchase.was_traded() && !purchase.is_live());
        assert_eq!(purchase.known_cost(), paid.map(|(price, fee)| cents(price + fee)));
    }
}

#[test]
fn the_purchase_of_an_imported_item_cannot_be_reversed() {
    let reversed = ItemEvent::PurchaseReversed { rollback_trade_id: text("trade-9"), asset_id: None };
    let refused = records(None).item.apply(reversed, at(20)).err();
    assert!(matches!(refused, Some(ItemError::Chain(ChainError::NotBought { .. }))), "{refused:?}");
}

#[test]
fn a_purchase_with_a_contract_or_of_the_future_is_not_imported() {
    let terms = purchase_terms(3);
    let imported = |terms, bought_at| Purchase::import(terms, Some(order()), at(bought_at), at(10));
    assert_eq!(imported(terms.clone(), 5).map_err(|broken| broken.status), Err(PurchaseStatus::Settled));
    let without = tradepost_domain::contracts::purchase::PurchaseTerms { contract_id: None, ..terms };
    assert_eq!(imported(without.clone(), 5).map(|purchase| purchase.status), Ok(PurchaseStatus::Settled));
    assert!(imported(without.clone(), 11).is_err());
    let pending = Purchase::record(without, at(5)).map(Purchase::into_parts);
    assert!(pending.is_ok_and(|parts| Purchase::restore(parts).is_err()), "only what is final has no contract");
}

#[test]
fn the_sale_of_an_imported_item_earns_what_is_above_its_cost() {
    let records = records(Some((1_200, 30)));
    let booked = booked(&records);
    let postings: Vec<Posting> = booked.iter().map(|booking| booking.posting).collect();
    assert_eq!(postings, [Posting::Imported, Posting::Delivered, Posting::SaleSettled]);
    let (amounts, pending) = together(&booked);
    assert_eq!((amounts.realised(), pending), (1_500 - 75 - 1_230, SignedCents::ZERO));
    assert_eq!((amounts.of(Account::Capital).get(), amounts.of(Account::Receivable).get()), (-1_230, 1_425));
}

#[test]
fn what_an_item_of_unknown_cost_brings_is_no_profit() {
    let records = records(None);
    let booked = booked(&records);
    let postings: Vec<Posting> = booked.iter().map(|booking| booking.posting).collect();
    assert_eq!(postings, [Posting::SaleSettled]);
    let (amounts, pending) = together(&booked);
    assert_eq!((amounts.realised(), pending), (0, SignedCents::ZERO));
    assert_eq!((amounts.of(Account::Capital).get(), amounts.of(Account::Receivable).get()), (-1_425, 1_425));
}

#[test]
fn the_profit_of_a_gift_is_pending_from_its_delivery_to_its_settlement() {
    let records = records(Some((0, 0)));
    let booked = booked(&records);
    let pending: Vec<(Posting, i64)> = booked.iter().map(|booking| (booking.posting, booking.pending.get())).collect();
    assert_eq!(pending, [(Posting::Delivered, 1_425), (Posting::SaleSettled, -1_425)]);
    assert_eq!(together(&booked).0.realised(), 1_425);
}

#[test]
fn whatever_is_known_of_the_cost_the_entries_come_to_what_purchase_and_item_say() {
    for paid in [None, Some((0, 0)), Some((0, 30)), Some((1_200, 30))] {
        let records = records(paid);
        let life = sale_of(&records.item);
        let mut booked: Vec<Booking> = of_import(&records.item, &records.purchase).unwrap().into_iter().collect();
        for pair in life.windows(2) {
            booked.extend(of_item(&pair[0], &pair[1], &records.purchase).unwrap());
            let said = standing(&records.purchase, &pair[1..]).unwrap();
            assert_eq!(together(&booked), said, "{paid:?} {}", pair[1].status);
        }
    }
}

/// A sale elsewhere for 1 500 cents, of which the marketplace kept 75.
fn elsewhere(sold_at: i64) -> SaleElsewhere {
    SaleElsewhere {
        marketplace: text("skinport"),
        proceeds: Proceeds::new(cents(1_500), cents(75)).unwrap(),
        order_id: Some(text("S-1")),
        sold_at: at(sold_at),
    }
}

#[test]
fn the_entries_of_a_sale_elsewhere_come_to_what_purchase_and_item_say_and_leave_no_money_behind() {
    for (paid, earned) in [(None, 0), (Some((0, 0)), 1_425), (Some((0, 30)), 1_395), (Some((1_200, 30)), 195)] {
        let records = records(paid);
        let (sold, _) = records.item.clone().sell_elsewhere(&elsewhere(5), text("import-2"), at(20)).unwrap();
        let mut booked: Vec<Booking> = of_import(&records.item, &records.purchase).unwrap().into_iter().collect();
        booked.extend(of_sale_elsewhere(&sold, &records.purchase).unwrap());
        let (amounts, pending) = together(&booked);
        assert_eq!((amounts.clone(), pending), standing(&records.purchase, &[sold]).unwrap(), "{paid:?}");
        assert_eq!(amounts.realised(), earned, "{paid:?}");
        assert!(Account::BOUND.iter().all(|account| amounts.of(*account) == SignedCents::ZERO), "{paid:?}");
    }
}

#[test]
fn an_item_that_was_sold_elsewhere_keeps_every_rule_and_is_final() {
    let ImportedRecords { item, link, .. } = records(Some((1_200, 30)));
    let (sold, ended) = item.clone().sell_elsewhere(&elsewhere(5), text("import-2"), at(20)).unwrap();
    assert_eq!((sold.status, sold.sold_at, sold.updated_at), (ItemStatus::Settled, Some(at(5)), at(20)));
    assert_eq!(InventoryItem::restore(sold.clone().into_parts()), Ok(sold.clone()));
    assert_eq!(verify(&[link, ended.of(sold.chain_owner(), id(6))], sold.chain_owner(), &sold.head), []);
    assert_eq!(elsewhere(5).difference(&sold), None);
    assert_eq!(elsewhere(6).difference(&sold), Some("sold_at"));
    let again = sold.sell_elsewhere(&elsewhere(5), text("import-3"), at(30)).err();
    assert_eq!(again, Some(ItemError::IllegalStep { from: ItemStatus::Settled, event: "sold_elsewhere" }));
    let listed = sale_of(&item)[2].clone().sell_elsewhere(&elsewhere(5), text("import-2"), at(20)).err();
    assert_eq!(listed, Some(ItemError::IllegalStep { from: ItemStatus::Listed, event: "sold_elsewhere" }));
}
