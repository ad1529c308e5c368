//! Understanding a holding by its fields, and reading fields for sales and purchases. Which account holds an item is not decided here.

use ::time::format_description::well_known::Rfc3339;
use ::time::{Duration, OffsetDateTime};

use super::holding_row::{HoldingField, HoldingFields};
use super::row::ReasonCode;
use crate::asset::{AppId, AssetId, ContextId, Wear};
use crate::contracts::imported_item::{ImportedItem, Paid};
use crate::contracts::inventory_item::Traits;
use crate::money::{Cents, Currency};
use crate::text::{Description, ExternalId, MarketHashName, Marketplace, Name};
use crate::time::Timestamp;

/// The marketplace of an item of which none is named.
pub const ELSEWHERE: &str = "import";

/// The longest time that a trade can still be reversed. A later time is a mistake.
const LONGEST_PROTECTION: Duration = Duration::days(30);

/// Why a holding is not applied: the code of the reason, and what was found.
pub type Objection = (ReasonCode, String);

/// The fields that only a purchase has.
pub(super) const OF_PURCHASES: [HoldingField; 8] = [
    HoldingField::Held,
    HoldingField::ListingId,
    HoldingField::SalePrice,
    HoldingField::SalePriceCents,
    HoldingField::SaleFee,
    HoldingField::SaleFeeCents,
    HoldingField::SaleMarketplace,
    HoldingField::SaleOrderId,
];

/// The fields of the amounts of a purchase or a sale, each as a decimal number and in cents.
#[derive(Clone, Copy)]
pub(super) struct Amounts {
    pub(super) price: [HoldingField; 2],
    pub(super) fee: [HoldingField; 2],
}

/// The fields of the amounts of what a row is of.
pub(super) const OWN: Amounts = Amounts {
    price: [HoldingField::Price, HoldingField::PriceCents],
    fee: [HoldingField::Fee, HoldingField::FeeCents],
};

/// Reads the fields of a row, and gathers what is wrong with them.
pub(super) struct Reader<'a> {
    pub(super) fields: &'a HoldingFields,
    pub(super) currency: Currency,
    pub(super) now: Timestamp,
    pub(super) objections: Vec<Objection>,
}

/// Returns the item that the fields of a holding describe, in a workspace with this currency.
///
/// # Errors
/// Everything that is wrong with the fields.
pub fn imported_item(
    fields: &HoldingFields,
    currency: Currency,
    now: Timestamp,
) -> Result<ImportedItem, Vec<Objection>> {
    let mut reader = Reader { fields, currency, now, objections: Vec::new() };
    match reader.item() {
        Some(item) if reader.objections.is_empty() => Ok(item),
        Some(_) | None => Err(reader.objections),
    }
}

impl<'a> Reader<'a> {
    fn item(&mut self) -> Option<ImportedItem> {
        self.has_none_of_purchases(&[HoldingField::SoldAt], "a holding");
        self.described()
    }

    /// Returns the item that the fields of a holding or a purchase describe.
    pub(super) fn described(&mut self) -> Option<ImportedItem> {
        let digits = "must have 1 to 20 decimal digits, the first not 0";
        let asset_id = self.required(HoldingField::AssetId, digits, |text| AssetId::new(text).ok());
        let app_id = self.read(HoldingField::AppId, "must be the number of a game", |text| {
            text.parse().ok().and_then(|number| AppId::new(number).ok())
        });
        let context_id = self.read(HoldingField::ContextId, "must be the number of an inventory context", |text| {
            text.parse().ok().and_then(|number| ContextId::new(number).ok())
        });
        let name = "must have 1 to 256 characters";
        let market_hash_name = self.required(HoldingField::MarketHashName, name, |text| MarketHashName::new(text).ok());
        let marketplace = self.marketplace(HoldingField::Marketplace);
        let order_id = self.external(HoldingField::OrderId);
        let (traits, paid) = (self.traits(), self.paid());
        let (bought_at, protected_until) = self.times();
        let app_id = app_id.unwrap_or_default();
        let is_protected = protected_until.is_some() && app_id.protection_days() > 0;
        let usual = if is_protected { ContextId::PROTECTED } else { ContextId::ORDINARY };
        Some(ImportedItem {
            app_id,
            context_id: context_id.unwrap_or(usual),
            asset_id: asset_id?,
            market_hash_name: market_hash_name?,
            traits,
            paid,
            marketplace: marketplace.or_else(|| Marketplace::new(ELSEWHERE).ok())?,
            order_id,
            listing_id: None,
            bought_at,
            protected_until,
        })
    }

    fn traits(&mut self) -> Traits {
        let wear = "must be a decimal number from 0 to 1 with at most 24 digits after the point";
        Traits {
            wear: self.read(HoldingField::Wear, wear, |text| Wear::new(text).ok()),
            paint_seed: self.read(HoldingField::PaintSeed, "must be a whole number", |text| text.parse().ok()),
            phase: self.read(HoldingField::Phase, "must have 1 to 64 characters", |text| Name::new(text).ok()),
            ..Traits::default()
        }
    }

    /// Returns what was paid; `None` without a price, of which the cost is unknown.
    fn paid(&mut self) -> Option<Paid> {
        let paid = self.amounts(OWN);
        self.check_currency();
        paid
    }

    /// Checks that amounts are of the currency of the workspace.
    pub(super) fn check_currency(&mut self) {
        let currency = self.currency.to_string();
        if self.text(HoldingField::Currency).is_some_and(|given| given != currency) {
            self.object(ReasonCode::PriceInvalid, format!("currency must be that of the workspace, {currency}"));
        }
    }

    /// Returns a price with its fee; `None` without a price.
    pub(super) fn amounts(&mut self, of: Amounts) -> Option<Paid> {
        let price = self.amount(of.price);
        let fee = self.amount(of.fee);
        if fee.is_some() && !self.is_given(of.price) {
            self.object(ReasonCode::PriceInvalid, "a fee is given without a price".to_owned());
        }
        let paid = Paid { price: price?, fee: fee.unwrap_or_default() };
        // A gift is recorded with a listing price of one cent.
        if paid.price.max(Cents::ONE).plus(paid.fee).is_err() {
            self.object(ReasonCode::PriceInvalid, "price and fee are too much for an amount".to_owned());
        }
        Some(paid)
    }

    /// Returns an amount that is given as a decimal number or in cents.
    fn amount(&mut self, [decimal, cents]: [HoldingField; 2]) -> Option<Cents> {
        if self.text(decimal).is_some() && self.text(cents).is_some() {
            self.object(ReasonCode::PriceInvalid, format!("{decimal} and {cents} are given, and one is enough"));
            return None;
        }
        let in_cents = |text: &str| text.parse().ok().and_then(|number| Cents::new(number).ok());
        let whole = self.read(cents, "must be from 0 to 10000000000000", in_cents);
        let amount = "must be an amount with at most two digits after the point, such as 12.50";
        self.read(decimal, amount, cents_of).or(whole)
    }

    /// Returns when it was bought, and until when the trade can be reversed, if that is later than now.
    fn times(&mut self) -> (Option<Timestamp>, Option<Timestamp>) {
        let time = "must be a time such as 2026-05-31T08:00:00Z, or a day such as 2026-05-31";
        let bought_at = self.read(HoldingField::BoughtAt, time, time_of);
        if bought_at.is_some_and(|at| at > self.now) {
            self.object(ReasonCode::TimeInvalid, "bought_at must not be later than now".to_owned());
        }
        let protected_until = self.read(HoldingField::ProtectedUntil, time, time_of);
        if protected_until.is_some_and(|until| until > self.now.plus(LONGEST_PROTECTION)) {
            self.object(ReasonCode::TimeInvalid, "protected_until must be within 30 days from now".to_owned());
        }
        (bought_at, protected_until.filter(|until| *until > self.now))
    }

    pub(super) fn text(&self, field: HoldingField) -> Option<&'a str> {
        self.fields.get(&field).map(Description::as_str)
    }

    /// Returns whether one of two fields is given.
    pub(super) fn is_given(&self, fields: [HoldingField; 2]) -> bool {
        fields.into_iter().any(|field| self.text(field).is_some())
    }

    /// Refuses the fields that only a purchase has, and further ones that a row of this kind has not.
    pub(super) fn has_none_of_purchases(&mut self, further: &[HoldingField], kind: &str) {
        let fields = further.iter().chain(&OF_PURCHASES).copied();
        for field in fields.filter(|field| self.fields.contains_key(field)) {
            self.objections.push((ReasonCode::FieldInvalid, format!("{field} is not a field of {kind}")));
        }
    }

    /// Reads a marketplace.
    pub(super) fn marketplace(&mut self, field: HoldingField) -> Option<Marketplace> {
        self.read(field, "must have 1 to 64 characters", |text| Marketplace::new(text).ok())
    }

    /// Reads the marketplace's id of something.
    pub(super) fn external(&mut self, field: HoldingField) -> Option<ExternalId> {
        self.read(field, "must have 1 to 128 characters", |text| ExternalId::new(text).ok())
    }

    /// Reads a field that may be missing.
    pub(super) fn read<T>(
        &mut self,
        field: HoldingField,
        rule: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let value = parse(self.text(field)?);
        if value.is_none() {
            self.object(field.reason(), format!("{field} {rule}"));
        }
        value
    }

    /// Reads a field that must be given.
    pub(super) fn required<T>(
        &mut self,
        field: HoldingField,
        rule: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        if self.text(field).is_none() {
            self.object(field.reason(), format!("{field} is missing"));
        }
        self.read(field, rule, parse)
    }

    pub(super) fn object(&mut self, code: ReasonCode, found: String) {
        self.objections.push((code, found));
    }
}

impl HoldingField {
    /// Why a row is not applied in which the field is wrong.
    pub const fn reason(self) -> ReasonCode {
        match self {
            Self::Account | Self::PlatformUserId => ReasonCode::AccountUnknown,
            Self::AssetId | Self::AppId | Self::ContextId => ReasonCode::AssetInvalid,
            Self::MarketHashName
            | Self::Wear
            | Self::PaintSeed
            | Self::Phase
            | Self::Marketplace
            | Self::OrderId
            | Self::Held
            | Self::ListingId
            | Self::SaleMarketplace
            | Self::SaleOrderId => ReasonCode::FieldInvalid,
            Self::Price
            | Self::PriceCents
            | Self::Fee
            | Self::FeeCents
            | Self::Currency
            | Self::SalePrice
            | Self::SalePriceCents
            | Self::SaleFee
            | Self::SaleFeeCents => ReasonCode::PriceInvalid,
            Self::BoughtAt | Self::ProtectedUntil | Self::SoldAt => ReasonCode::TimeInvalid,
        }
    }
}

/// Returns the cents of a decimal amount with at most two digits after the point.
fn cents_of(text: &str) -> Option<Cents> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(fraction) || fraction.len() > 2 {
        return None;
    }
    format!("{whole}{fraction:0<2}").parse().ok().and_then(|cents| Cents::new(cents).ok())
}

/// Returns a time, or the beginning of a day of UTC.
pub(super) fn time_of(text: &str) -> Option<Timestamp> {
    let is_day = text.len() == "2026-05-31".len();
    let time = if is_day { format!("{text}T00:00:00Z") } else { text.to_owned() };
    OffsetDateTime::parse(&time, &Rfc3339).ok().map(Timestamp::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contracts::imported_item::ImportedIds;
    use crate::id::{AssetIdLinkId, InventoryItemId, PurchaseId, WorkspaceId};

    const NOW: &str = "2026-06-01T12:00:00Z";

    fn fields(given: &[(HoldingField, &str)]) -> HoldingFields {
        let usual = [(HoldingField::AssetId, "27348562871"), (HoldingField::MarketHashName, "Glove Case")];
        let all = usual.iter().chain(given).filter_map(|(field, text)| Some((*field, Description::new(text).ok()?)));
        all.collect()
    }

    fn read(given: &[(HoldingField, &str)]) -> Result<ImportedItem, Vec<Objection>> {
        let now = time_of(NOW).unwrap_or(Timestamp::MIN);
        imported_item(&fields(given), Currency::USD, now)
    }

    fn codes(given: &[(HoldingField, &str)]) -> Vec<ReasonCode> {
        read(given).err().unwrap_or_default().into_iter().map(|(code, _)| code).collect()
    }

    fn paid(given: &[(HoldingField, &str)]) -> Option<(i64, i64)> {
        read(given).ok()?.paid.map(|paid| (paid.price.get(), paid.fee.get()))
    }

    #[test]
    fn a_holding_needs_an_asset_id_and_a_market_name() {
        let bare = imported_item(&HoldingFields::new(), Currency::USD, Timestamp::MIN).err().unwrap_or_default();
        assert_eq!(
            bare,
            [
                (ReasonCode::AssetInvalid, "asset_id is missing".to_owned()),
                (ReasonCode::FieldInvalid, "market_hash_name is missing".to_owned()),
            ]
        );
        let plain = read(&[]).map(|item| (item.app_id, item.context_id, item.marketplace.to_string(), item.paid));
        assert_eq!(plain, Ok((AppId::CS2, ContextId::ORDINARY, ELSEWHERE.to_owned(), None)));
    }

    #[test]
    fn an_amount_is_a_decimal_number_or_cents_of_the_currency_of_the_workspace() {
        use HoldingField as Of;
        assert_eq!(paid(&[(Of::Price, "12.5"), (Of::Fee, "0.07")]), Some((1_250, 7)));
        assert_eq!(paid(&[(Of::PriceCents, "1250"), (Of::Currency, "USD")]), Some((1_250, 0)));
        assert_eq!(paid(&[(Of::Price, "0")]), Some((0, 0)), "a gift");
        for refused in ["12,50", "12.505", "12.", ".5", "-1", "1e3", "$12", "100000000000.01"] {
            assert_eq!(codes(&[(Of::Price, refused)]), [ReasonCode::PriceInvalid], "{refused}");
        }
        for refused in [
            [(Of::Price, "1"), (Of::PriceCents, "100")],
            [(Of::Price, "1"), (Of::Currency, "EUR")],
            [(Of::Fee, "1"), (Of::Currency, "USD")],
            [(Of::PriceCents, "10000000000000"), (Of::FeeCents, "1")],
            [(Of::PriceCents, "0"), (Of::FeeCents, "10000000000000")],
        ] {
            assert_eq!(codes(&refused), [ReasonCode::PriceInvalid], "{refused:?}");
        }
    }

    #[test]
    fn a_time_is_one_of_the_past_and_protection_ends_within_a_month() {
        use HoldingField as Of;
        let bought = |text| read(&[(Of::BoughtAt, text)]).map(|item| item.bought_at);
        assert_eq!(bought("2026-05-31"), Ok(time_of("2026-05-31T00:00:00Z")));
        assert_eq!(bought("2026-05-31T10:00:00+02:00"), Ok(time_of("2026-05-31T08:00:00Z")));
        for refused in ["2026-06-02", "31.05.2026", "2026-13-01", "yesterday"] {
            assert_eq!(codes(&[(Of::BoughtAt, refused)]), [ReasonCode::TimeInvalid], "{refused}");
        }
        let held = |text| read(&[(Of::ProtectedUntil, text)]).map(|item| (item.protected_until, item.context_id));
        assert_eq!(held("2026-06-05"), Ok((time_of("2026-06-05"), ContextId::PROTECTED)));
        assert_eq!(held("2026-05-31"), Ok((None, ContextId::ORDINARY)), "it is over");
        assert_eq!(codes(&[(Of::ProtectedUntil, "2026-08-01")]), [ReasonCode::TimeInvalid]);
    }

    #[test]
    fn every_field_that_is_wrong_is_named_once() {
        use HoldingField as Of;
        let [long, longer] = [65, 257].map(|many| "x".repeat(many));
        for (field, wrong) in [
            (Of::AssetId, "0123"),
            (Of::AppId, "0"),
            (Of::ContextId, "two"),
            (Of::MarketHashName, longer.as_str()),
            (Of::Wear, "1.5"),
            (Of::PaintSeed, "-4"),
            (Of::Phase, long.as_str()),
            (Of::Marketplace, long.as_str()),
            (Of::OrderId, longer.as_str()),
        ] {
            let refused = read(&[(field, wrong)]).err().unwrap_or_default();
            assert_eq!(refused.len(), 1, "{field}");
            assert!(refused.iter().all(|(code, found)| *code == field.reason() && found.starts_with(field.as_str())));
        }
    }

    #[test]
    fn what_was_recorded_differs_in_nothing_and_another_price_is_named() -> Result<(), Vec<Objection>> {
        use HoldingField as Of;
        let given = [(Of::Price, "12.50"), (Of::Wear, "0.0712"), (Of::OrderId, "A-1"), (Of::BoughtAt, "2026-05-31")];
        let item = read(&given)?;
        let ids = ImportedIds {
            workspace_id: WorkspaceId::from_bytes([1; 16]),
            purchase_id: PurchaseId::from_bytes([2; 16]),
            item_id: InventoryItemId::from_bytes([3; 16]),
            link_id: AssetIdLinkId::from_bytes([4; 16]),
        };
        let now = time_of(NOW).unwrap_or(Timestamp::MIN);
        let holder = crate::text::AccountName::deleted();
        let records = item.record(ids, holder, ExternalId::from(7_u64), now);
        let recorded = records.map_err(|error| vec![(ReasonCode::FieldInvalid, error.to_string())])?;
        assert_eq!(item.difference(&recorded.purchase), None);
        assert_eq!(read(&given[..3])?.difference(&recorded.purchase), None, "the day of the purchase is not given");
        assert_eq!(read(&given[1..])?.difference(&recorded.purchase), Some("price"));
        Ok(())
    }
}
