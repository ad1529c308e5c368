//! Understanding a purchase that was made elsewhere by its fields, with the item that it brought and the sale of that item. Which account
//! bought it is not decided here.

use super::holding::{Amounts, ELSEWHERE, OWN, Objection, Reader};
use super::holding_row::{HoldingField, HoldingFields};
use super::row::ReasonCode;
use crate::contracts::imported_item::ImportedItem;
use crate::contracts::inventory_item::SaleElsewhere;
use crate::contracts::purchase::Purchase;
use crate::money::{Cents, Currency};
use crate::text::{AccountName, Marketplace};
use crate::time::Timestamp;

/// The fields of the amounts of the item's sale.
const OF_SALE: Amounts = Amounts {
    price: [HoldingField::SalePrice, HoldingField::SalePriceCents],
    fee: [HoldingField::SaleFee, HoldingField::SaleFeeCents],
};

/// The fields of the item's sale. One that is given says that the item was sold.
const SALE: [HoldingField; 7] = [
    HoldingField::SoldAt,
    HoldingField::SalePrice,
    HoldingField::SalePriceCents,
    HoldingField::SaleFee,
    HoldingField::SaleFeeCents,
    HoldingField::SaleMarketplace,
    HoldingField::SaleOrderId,
];

/// A purchase that was made elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedPurchase {
    /// The item that it brought. Price and order are known.
    pub item: ImportedItem,
    /// When it was made.
    pub bought_at: Timestamp,
    /// The sale of the item; `None` while the account holds it.
    pub sale: Option<SaleElsewhere>,
}

/// Returns the purchase that the fields of a row describe, in a workspace with this currency.
///
/// # Errors
/// Everything that is wrong with the fields.
pub fn imported_purchase(
    fields: &HoldingFields,
    currency: Currency,
    now: Timestamp,
) -> Result<ImportedPurchase, Vec<Objection>> {
    let mut reader = Reader { fields, currency, now, objections: Vec::new() };
    match reader.purchase() {
        Some(purchase) if reader.objections.is_empty() => Ok(purchase),
        Some(_) | None => Err(reader.objections),
    }
}

impl ImportedPurchase {
    /// Returns the name of the first field that is not as it was recorded of a purchase of this account; `None` if all are. The sale is not
    /// compared.
    pub fn difference(&self, account_name: &AccountName, recorded: &Purchase) -> Option<&'static str> {
        let terms = &recorded.terms;
        let fields = [
            ("account", *account_name != terms.account_name),
            ("asset_id", self.item.asset_id != terms.listing_asset_id),
            ("app_id", self.item.app_id != terms.app_id),
        ];
        let differs = fields.into_iter().find(|(_, differs)| *differs).map(|(name, _)| name);
        differs.or_else(|| self.item.difference(recorded))
    }
}

impl Reader<'_> {
    fn purchase(&mut self) -> Option<ImportedPurchase> {
        for field in [HoldingField::Marketplace, HoldingField::BoughtAt] {
            if self.text(field).is_none() {
                self.object(field.reason(), format!("{field} is missing"));
            }
        }
        if !self.is_given([HoldingField::OrderId, HoldingField::ListingId]) {
            self.object(ReasonCode::FieldInvalid, "order_id and listing_id are missing".to_owned());
        }
        if !self.is_given(OWN.price) {
            self.object(ReasonCode::PriceInvalid, "price is missing".to_owned());
        }
        let listing_id = self.external(HoldingField::ListingId);
        let item = self.described();
        let sale = self.sale_of_item();
        let mut item = item?;
        let bought_at = item.bought_at?;
        self.check_times(&item, bought_at, sale.as_ref());
        self.check_costs(&item, sale.as_ref());
        item.order_id = item.order_id.or_else(|| listing_id.clone());
        item.listing_id = listing_id;
        Some(ImportedPurchase { item, bought_at, sale })
    }

    /// Returns the sale of the item; `None` while the account holds it. A row says one of both.
    fn sale_of_item(&mut self) -> Option<SaleElsewhere> {
        let is_held = self.read(HoldingField::Held, "must be yes or no", is_yes);
        if !SALE.into_iter().any(|field| self.text(field).is_some()) {
            if self.text(HoldingField::Held).is_none() {
                self.object(ReasonCode::SaleMissing, "held and the sale of the item are missing".to_owned());
            } else if is_held == Some(false) {
                self.object(ReasonCode::SaleMissing, "the sale of the item is missing".to_owned());
            }
            return None;
        }
        if is_held == Some(true) {
            self.object(ReasonCode::FieldInvalid, "held must be no where a sale is given".to_owned());
        }
        let marketplace = self.marketplace(HoldingField::SaleMarketplace);
        let order_id = self.external(HoldingField::SaleOrderId);
        let (proceeds, sold_at) = (self.proceeds(OF_SALE), self.sold_at());
        Some(SaleElsewhere {
            marketplace: marketplace.or_else(|| Marketplace::new(ELSEWHERE).ok())?,
            proceeds: proceeds?,
            order_id,
            sold_at: sold_at?,
        })
    }

    fn check_times(&mut self, item: &ImportedItem, bought_at: Timestamp, sale: Option<&SaleElsewhere>) {
        if bought_at.as_micros() < 0 {
            self.object(ReasonCode::TimeInvalid, "bought_at must not be before 1970".to_owned());
        }
        let Some(sale) = sale else { return };
        if sale.sold_at < bought_at {
            self.object(ReasonCode::TimeInvalid, "sold_at must not be before bought_at".to_owned());
        }
        // Only a time that is later than now is known here, and a sale is not.
        if item.protected_until.is_some() {
            self.object(ReasonCode::TimeInvalid, "protected_until must not be later than sold_at".to_owned());
        }
    }

    /// Checks that the ledger can add the fee of the sale to the cost of the item, as it does before it subtracts the price.
    fn check_costs(&mut self, item: &ImportedItem, sale: Option<&SaleElsewhere>) {
        let (Some(paid), Some(sale)) = (item.paid, sale) else { return };
        let Ok(cost) = paid.price.max(Cents::ONE).plus(paid.fee) else { return };
        if cost.plus(sale.proceeds.sale_fee()).is_err() {
            self.object(ReasonCode::PriceInvalid, "price, fee and sale_fee are too much for an amount".to_owned());
        }
    }
}

/// Returns whether a text says yes; `None` for one that says neither yes nor no.
fn is_yes(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "true" | "1" => Some(true),
        "no" | "false" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::holding::time_of;
    use super::*;
    use crate::contracts::imported_item::ImportedIds;
    use crate::contracts::inventory_item::Proceeds;
    use crate::id::{AssetIdLinkId, InventoryItemId, PurchaseId, WorkspaceId};
    use crate::text::{Description, ExternalId};

    use HoldingField as Of;

    /// A purchase of which only what is needed is given, of an item that is held.
    const HELD: [(HoldingField, &str); 7] = [
        (Of::Marketplace, "csfloat"),
        (Of::OrderId, "A-1"),
        (Of::AssetId, "27348562871"),
        (Of::MarketHashName, "Glove Case"),
        (Of::Price, "12.00"),
        (Of::BoughtAt, "2020-01-31"),
        (Of::Held, "yes"),
    ];
    /// What is needed of its sale.
    const SOLD: [(HoldingField, &str); 4] =
        [(Of::Held, "no"), (Of::SoldAt, "2020-03-01"), (Of::SalePrice, "15.00"), (Of::SaleFee, "0.75")];

    fn now() -> Timestamp {
        time_of("2026-06-01T12:00:00Z").unwrap_or(Timestamp::MIN)
    }

    fn read(given: &[(HoldingField, &str)]) -> Result<ImportedPurchase, Vec<Objection>> {
        let fields = given.iter().filter(|(_, text)| !text.is_empty());
        let fields = fields.filter_map(|(field, text)| Some((*field, Description::new(text).ok()?)));
        imported_purchase(&fields.collect(), Currency::USD, now())
    }

    /// What is wrong with a purchase that is held, with other fields; an empty one is left out.
    fn codes(given: &[(HoldingField, &str)]) -> Vec<ReasonCode> {
        let with = |field: HoldingField| given.iter().any(|(of, _)| *of == field);
        let kept = HELD.into_iter().filter(|(field, _)| !with(*field));
        let all: Vec<_> = kept.chain(given.iter().copied()).collect();
        let wrong = read(&all).err().unwrap_or_default();
        wrong.into_iter().map(|(code, _)| code).collect()
    }

    /// The same of one that was sold.
    fn codes_of_sold(given: &[(HoldingField, &str)]) -> Vec<ReasonCode> {
        let with = |field: HoldingField| given.iter().any(|(of, _)| *of == field);
        let kept = SOLD.into_iter().filter(|(field, _)| !with(*field));
        codes(&kept.chain(given.iter().copied()).collect::<Vec<_>>())
    }

    #[test]
    fn a_purchase_names_its_order_its_item_its_price_and_whether_it_is_held() {
        let missing = read(&[]).err().unwrap_or_default();
        let found: Vec<&str> = missing.iter().map(|(_, found)| found.as_str()).collect();
        assert_eq!(
            found,
            [
                "marketplace is missing",
                "bought_at is missing",
                "order_id and listing_id are missing",
                "price is missing",
                "asset_id is missing",
                "market_hash_name is missing",
                "held and the sale of the item are missing",
            ]
        );
        let known =
            read(&HELD).map(|bought| (bought.item.order_id, bought.item.listing_id, bought.sale, bought.bought_at));
        let order = ExternalId::new("A-1").ok();
        assert_eq!(known, Ok((order, None, None, time_of("2020-01-31").unwrap_or(Timestamp::MIN))));
    }

    #[test]
    fn a_listing_is_the_order_of_a_purchase_without_another() {
        let by_listing = [(Of::OrderId, ""), (Of::ListingId, "L-1")];
        assert!(codes(&by_listing).is_empty());
        let all: Vec<_> =
            HELD.into_iter().filter(|(of, _)| *of != Of::OrderId).chain([(Of::ListingId, "L-1")]).collect();
        let ids = read(&all).map(|bought| (bought.item.order_id, bought.item.listing_id));
        let listing = ExternalId::new("L-1").ok();
        assert_eq!(ids, Ok((listing.clone(), listing)));
    }

    #[test]
    fn an_item_is_held_or_sold_and_a_row_says_which() {
        for (held, is_held) in
            [("yes", true), ("True", true), ("1", true), ("no", false), ("FALSE", false), ("0", false)]
        {
            let expected = if is_held { Vec::new() } else { vec![ReasonCode::SaleMissing] };
            assert_eq!(codes(&[(Of::Held, held)]), expected, "{held}");
        }
        assert_eq!(codes(&[(Of::Held, "")]), [ReasonCode::SaleMissing]);
        assert_eq!(codes(&[(Of::Held, "perhaps")]), [ReasonCode::FieldInvalid]);
        assert!(codes_of_sold(&[]).is_empty());
        assert!(codes_of_sold(&[(Of::Held, "")]).is_empty(), "the sale says so");
        assert_eq!(codes_of_sold(&[(Of::Held, "yes")]), [ReasonCode::FieldInvalid]);
    }

    #[test]
    fn a_sale_has_a_price_a_fee_and_a_time_after_the_purchase() -> Result<(), Vec<Objection>> {
        let all: Vec<_> = HELD.into_iter().filter(|(of, _)| *of != Of::Held).chain(SOLD).collect();
        let sale = read(&all)?.sale.map(|sale| (sale.marketplace.to_string(), Some(sale.proceeds), sale.order_id));
        let [price, fee] = [1_500, 75].map(|cents| Cents::new(cents).unwrap_or_default());
        assert_eq!(sale, Some((ELSEWHERE.to_owned(), Proceeds::new(price, fee).ok(), None)));
        assert_eq!(
            codes_of_sold(&[(Of::SalePrice, "")]),
            [ReasonCode::PriceInvalid; 2],
            "and its fee is that of no price"
        );
        assert_eq!(codes_of_sold(&[(Of::SaleFee, "")]), [ReasonCode::PriceInvalid]);
        assert_eq!(codes_of_sold(&[(Of::SaleFee, "15.01")]), [ReasonCode::PriceInvalid]);
        assert_eq!(codes_of_sold(&[(Of::SoldAt, "")]), [ReasonCode::TimeInvalid]);
        assert_eq!(codes_of_sold(&[(Of::SoldAt, "2020-01-30")]), [ReasonCode::TimeInvalid]);
        assert_eq!(codes_of_sold(&[(Of::SoldAt, "2026-06-02")]), [ReasonCode::TimeInvalid]);
        assert_eq!(codes_of_sold(&[(Of::ProtectedUntil, "2026-06-05")]), [ReasonCode::TimeInvalid]);
        assert_eq!(codes(&[(Of::BoughtAt, "1969-12-31")]), [ReasonCode::TimeInvalid]);
        Ok(())
    }

    #[test]
    fn what_the_ledger_cannot_add_is_objected_to() {
        let with = |fee| codes_of_sold(&[(Of::Price, "99999999999.00"), (Of::SalePrice, "2.00"), (Of::SaleFee, fee)]);
        assert!(with("1.00").is_empty());
        assert_eq!(with("1.01"), [ReasonCode::PriceInvalid]);
        let is_too_much_alone = [(Of::Price, "100000000000.00"), (Of::Fee, "0.01"), (Of::SaleFee, "1.00")];
        assert_eq!(codes_of_sold(&is_too_much_alone), [ReasonCode::PriceInvalid], "it is said once");
    }

    #[test]
    fn what_was_recorded_of_a_purchase_differs_in_nothing_and_another_field_is_named() -> Result<(), Vec<Objection>> {
        let bought = read(&HELD)?;
        let ids = ImportedIds {
            workspace_id: WorkspaceId::from_bytes([1; 16]),
            purchase_id: PurchaseId::from_bytes([2; 16]),
            item_id: InventoryItemId::from_bytes([3; 16]),
            link_id: AssetIdLinkId::from_bytes([4; 16]),
        };
        let account = AccountName::deleted();
        let records = bought.item.record(ids, account.clone(), ExternalId::from(7_u64), now());
        let recorded = records.map_err(|error| vec![(ReasonCode::FieldInvalid, error.to_string())])?.purchase;
        assert_eq!(bought.difference(&account, &recorded), None);
        for (field, text) in [
            (Of::AssetId, "7"),
            (Of::AppId, "440"),
            (Of::MarketHashName, "Chroma Case"),
            (Of::Price, "12.01"),
            (Of::Fee, "0.01"),
            (Of::BoughtAt, "2020-01-30"),
            (Of::ListingId, "L-1"),
        ] {
            let others = HELD.into_iter().filter(|(of, _)| *of != field);
            let other = read(&others.chain([(field, text)]).collect::<Vec<_>>())?;
            assert_eq!(other.difference(&account, &recorded), Some(field.as_str()));
        }
        let other =
            AccountName::new("trader-1").map_err(|error| vec![(ReasonCode::FieldInvalid, error.to_string())])?;
        assert_eq!(bought.difference(&other, &recorded), Some("account"));
        Ok(())
    }
}
