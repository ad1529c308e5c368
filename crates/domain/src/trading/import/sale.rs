//! Understanding a sale that was made elsewhere by its fields. Which item was sold is not decided here.

use super::holding::{Amounts, ELSEWHERE, OWN, Objection, Reader, time_of};
use super::holding_row::{HoldingField, HoldingFields};
use super::row::ReasonCode;
use crate::asset::{AppId, AssetId};
use crate::contracts::inventory_item::{Proceeds, SaleElsewhere};
use crate::money::Currency;
use crate::text::{MarketHashName, Marketplace};
use crate::time::Timestamp;

/// The fields that a sale has not, in addition to those that only a purchase has.
const NOT_OF_SALES: [HoldingField; 6] = [
    HoldingField::ContextId,
    HoldingField::Wear,
    HoldingField::PaintSeed,
    HoldingField::Phase,
    HoldingField::BoughtAt,
    HoldingField::ProtectedUntil,
];

/// A sale that was made elsewhere, and by what its item is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedSale {
    /// The game.
    pub app_id: AppId,
    /// The asset id that the item has, or had.
    pub asset_id: AssetId,
    /// The item variant, if it is given.
    pub market_hash_name: Option<MarketHashName>,
    /// The sale.
    pub sale: SaleElsewhere,
}

/// Returns the sale that the fields of a row describe, in a workspace with this currency.
///
/// # Errors
/// Everything that is wrong with the fields.
pub fn imported_sale(
    fields: &HoldingFields,
    currency: Currency,
    now: Timestamp,
) -> Result<ImportedSale, Vec<Objection>> {
    let mut reader = Reader { fields, currency, now, objections: Vec::new() };
    match reader.sale() {
        Some(sale) if reader.objections.is_empty() => Ok(sale),
        Some(_) | None => Err(reader.objections),
    }
}

impl Reader<'_> {
    fn sale(&mut self) -> Option<ImportedSale> {
        self.has_none_of_purchases(&NOT_OF_SALES, "a sale");
        let digits = "must have 1 to 20 decimal digits, the first not 0";
        let asset_id = self.required(HoldingField::AssetId, digits, |text| AssetId::new(text).ok());
        let app_id = self.read(HoldingField::AppId, "must be the number of a game", |text| {
            text.parse().ok().and_then(|number| AppId::new(number).ok())
        });
        let name = "must have 1 to 256 characters";
        let market_hash_name = self.read(HoldingField::MarketHashName, name, |text| MarketHashName::new(text).ok());
        let marketplace = self.marketplace(HoldingField::Marketplace);
        let order_id = self.external(HoldingField::OrderId);
        let proceeds = self.proceeds(OWN);
        self.check_currency();
        let sold_at = self.sold_at();
        let sale = SaleElsewhere {
            marketplace: marketplace.or_else(|| Marketplace::new(ELSEWHERE).ok())?,
            proceeds: proceeds?,
            order_id,
            sold_at: sold_at?,
        };
        Some(ImportedSale { app_id: app_id.unwrap_or_default(), asset_id: asset_id?, market_hash_name, sale })
    }

    /// Returns what the sale brought: the price that the buyer paid, and what the marketplace kept of it.
    pub(super) fn proceeds(&mut self, of: Amounts) -> Option<Proceeds> {
        let ([price, _], [fee, _]) = (of.price, of.fee);
        if !self.is_given(of.price) {
            self.object(ReasonCode::PriceInvalid, format!("{price} is missing"));
        }
        // One that is not known would make the marketplace the one where selling costs nothing.
        if !self.is_given(of.fee) {
            self.object(ReasonCode::PriceInvalid, format!("{fee} is missing"));
        }
        let paid = self.amounts(of)?;
        let proceeds = Proceeds::new(paid.price, paid.fee).ok();
        if proceeds.is_none() {
            self.object(ReasonCode::PriceInvalid, format!("{fee} must not be more than {price}"));
        }
        proceeds
    }

    /// Returns when the item was sold.
    pub(super) fn sold_at(&mut self) -> Option<Timestamp> {
        let time = "must be a time such as 2026-05-31T08:00:00Z, or a day such as 2026-05-31";
        let sold_at = self.required(HoldingField::SoldAt, time, time_of)?;
        if sold_at > self.now {
            self.object(ReasonCode::TimeInvalid, "sold_at must not be later than now".to_owned());
        }
        if sold_at.as_micros() < 0 {
            self.object(ReasonCode::TimeInvalid, "sold_at must not be before 1970".to_owned());
        }
        Some(sold_at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::holding::OF_PURCHASES;
    use super::*;
    use crate::text::Description;

    fn read(given: &[(HoldingField, &str)]) -> Result<ImportedSale, Vec<Objection>> {
        let fields = given.iter().filter_map(|(field, text)| Some((*field, Description::new(text).ok()?)));
        let now = time_of("2026-06-01T12:00:00Z").unwrap_or(Timestamp::MIN);
        imported_sale(&fields.collect(), Currency::USD, now)
    }

    fn codes(given: &[(HoldingField, &str)]) -> Vec<ReasonCode> {
        read(given).err().unwrap_or_default().into_iter().map(|(code, _)| code).collect()
    }

    #[test]
    fn a_sale_needs_an_asset_id_a_price_a_fee_and_a_time() {
        let missing = read(&[]).err().unwrap_or_default();
        let found: Vec<&str> = missing.iter().map(|(_, found)| found.as_str()).collect();
        assert_eq!(found, ["asset_id is missing", "price is missing", "fee is missing", "sold_at is missing"]);
        let sold = read(&[
            (HoldingField::AssetId, "27348562871"),
            (HoldingField::Price, "15.00"),
            (HoldingField::FeeCents, "75"),
            (HoldingField::SoldAt, "2026-05-20"),
        ]);
        let sale = sold.map(|read| (read.app_id, read.sale.marketplace.to_string(), read.sale.proceeds));
        let cents = |number| crate::money::Cents::new(number).unwrap_or_default();
        let proceeds = Proceeds::new(cents(1_500), cents(75)).map_err(|_| Vec::new());
        assert_eq!(sale, proceeds.map(|proceeds| (AppId::CS2, ELSEWHERE.to_owned(), proceeds)));
    }

    #[test]
    fn what_cannot_be_of_a_sale_is_refused_with_the_kind_of_its_fault() {
        use HoldingField as Of;
        let usual = [(Of::AssetId, "27348562871"), (Of::Price, "15.00"), (Of::Fee, "0"), (Of::SoldAt, "2026-05-20")];
        assert!(codes(&usual).is_empty());
        let with = |field: HoldingField, text: &'static str| {
            let kept = usual.into_iter().filter(|(of, _)| *of != field);
            codes(&kept.chain([(field, text)]).collect::<Vec<_>>())
        };
        assert_eq!(with(Of::Fee, "15.01"), [ReasonCode::PriceInvalid]);
        assert_eq!(with(Of::Price, "-1"), [ReasonCode::PriceInvalid]);
        assert_eq!(with(Of::SoldAt, "2026-06-02"), [ReasonCode::TimeInvalid]);
        assert_eq!(with(Of::SoldAt, "1969-12-31"), [ReasonCode::TimeInvalid]);
        for field in NOT_OF_SALES.into_iter().chain(OF_PURCHASES) {
            assert_eq!(with(field, "1"), [ReasonCode::FieldInvalid], "{field}");
        }
    }
}
