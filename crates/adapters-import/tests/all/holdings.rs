//! Tables of holdings, of purchases and of sales.

use serde_json::json;
use tradepost_adapters_import::read_holdings;
use tradepost_domain::trading::import::MOST_ROWS;
use tradepost_ports::imports::{HoldingField, ImportContent, ImportFormat, ReadHolding, ReasonCode, UnreadableImport};

const CSV: &str = include_str!("../fixtures/holdings.csv");
const JSON: &str = include_str!("../fixtures/holdings.json");
const SALES_CSV: &str = include_str!("../fixtures/sales.csv");
const SALES_JSON: &str = include_str!("../fixtures/sales.json");
const PURCHASES_CSV: &str = include_str!("../fixtures/purchases.csv");
const PURCHASES_JSON: &str = include_str!("../fixtures/purchases.json");

pub(super) fn read(format: ImportFormat, content: &str) -> Result<Vec<ReadHolding>, UnreadableImport> {
    read_holdings(&ImportContent { format, bytes: content.as_bytes().to_vec().into(), passphrase: None })
}

fn field(holding: &ReadHolding, of: HoldingField) -> Option<&str> {
    holding.fields.iter().find(|(field, _)| *field == of).map(|(_, text)| text.as_str())
}

#[test]
fn comma_separated_values_are_read_by_their_header_and_empty_ones_are_left_out() -> Result<(), UnreadableImport> {
    let holdings = read(ImportFormat::Csv, CSV)?;
    let names: Vec<_> = holdings.iter().map(|holding| field(holding, HoldingField::MarketHashName)).collect();
    assert_eq!(
        names,
        [Some("AK-47 | Redline (Field-Tested)"), Some("★ Karambit | Doppler (Factory New)"), Some("Glove Case")]
    );
    let [first, second, third] = [&holdings[0], &holdings[1], &holdings[2]];
    assert_eq!(field(first, HoldingField::Wear), Some("0.1501234620809555"));
    assert_eq!(field(first, HoldingField::ContextId), Some("16"));
    assert_eq!(field(second, HoldingField::Phase), Some("Phase 2"));
    assert_eq!((field(second, HoldingField::Price), field(second, HoldingField::Fee)), (Some("1250"), None));
    assert_eq!(third.fields.len(), 3);
    Ok(())
}

#[test]
fn an_array_of_objects_is_read_by_the_names_of_fields_and_of_the_platform() -> Result<(), UnreadableImport> {
    let holdings = read(ImportFormat::Json, JSON)?;
    let first = &holdings[0];
    assert_eq!(field(first, HoldingField::PlatformUserId), Some("76561198000000001"));
    assert_eq!(field(first, HoldingField::AssetId), Some("27348562871"), "also as a number");
    assert_eq!(
        (field(first, HoldingField::AppId), field(first, HoldingField::PriceCents)),
        (Some("730"), Some("1250"))
    );
    assert_eq!((field(first, HoldingField::OrderId), &first.fault), (None, &None));
    Ok(())
}

#[test]
fn a_field_of_another_shape_is_the_fault_of_its_holding_alone() -> Result<(), UnreadableImport> {
    let holdings = read(ImportFormat::Json, JSON)?;
    let faults: Vec<_> = holdings.iter().map(|holding| holding.fault.as_ref().map(|fault| fault.code)).collect();
    assert_eq!(faults, [None, Some(ReasonCode::FileInvalid)]);
    Ok(())
}

#[test]
fn an_unknown_name_of_a_field_is_refused_and_not_quoted() {
    let json = json!([{ "asset_id": "7", "seven copper lanterns": 1 }]).to_string();
    for (format, content) in [(ImportFormat::Json, json.as_str()), (ImportFormat::Csv, "asset_id,seven copper\n7,1\n")]
    {
        let refused = read(format, content).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.starts_with("must have no fields but account, ") && !refused.contains("copper"), "{refused}");
    }
}

#[test]
fn holdings_are_read_of_tables_alone_and_not_without_rows_or_of_too_many() {
    for format in ImportFormat::ALL.iter().filter(|format| !matches!(format, ImportFormat::Json | ImportFormat::Csv)) {
        assert!(read(*format, JSON).is_err(), "{format}");
    }
    let rows = |many: usize| json!(vec![json!({ "asset_id": "7" }); many]).to_string();
    assert!(read(ImportFormat::Json, &rows(MOST_ROWS)).is_ok());
    assert!(read(ImportFormat::Json, &rows(MOST_ROWS + 1)).is_err());
    for empty in ["[]", "[7]", "{"] {
        assert!(read(ImportFormat::Json, empty).is_err(), "{empty}");
    }
    assert!(read(ImportFormat::Csv, "asset_id\n").is_err());
}

#[test]
fn a_table_of_sales_is_read_as_one_of_holdings_with_the_time_of_each_sale() -> Result<(), UnreadableImport> {
    let sales = read(ImportFormat::Csv, SALES_CSV)?;
    let [first, second] = [&sales[0], &sales[1]];
    assert_eq!((field(first, HoldingField::Price), field(first, HoldingField::Fee)), (Some("15.00"), Some("0.30")));
    assert_eq!(field(first, HoldingField::SoldAt), Some("2026-05-30T09:30:00Z"));
    assert_eq!((field(second, HoldingField::Account), field(second, HoldingField::MarketHashName)), (None, None));
    assert_eq!((field(second, HoldingField::SoldAt), sales.len()), (Some("2026-05-02"), 2));
    Ok(())
}

#[test]
fn an_array_of_sales_is_read_and_a_time_of_another_shape_is_the_fault_of_its_sale() -> Result<(), UnreadableImport> {
    let sales = read(ImportFormat::Json, SALES_JSON)?;
    assert_eq!(field(&sales[0], HoldingField::PriceCents), Some("1500"));
    assert_eq!(field(&sales[0], HoldingField::SoldAt), Some("2026-05-30"));
    let faults: Vec<_> = sales.iter().map(|sale| sale.fault.as_ref().map(|fault| fault.code)).collect();
    assert_eq!(faults, [None, Some(ReasonCode::FileInvalid)]);
    Ok(())
}

#[test]
fn a_table_of_purchases_has_the_order_of_each_whether_its_item_is_held_and_its_sale() -> Result<(), UnreadableImport> {
    let purchases = read(ImportFormat::Csv, PURCHASES_CSV)?;
    let of = |which: HoldingField| purchases.iter().map(|read| field(read, which)).collect::<Vec<_>>();
    assert_eq!(of(HoldingField::OrderId), [Some("A-1001"), Some("S-77"), None]);
    assert_eq!(of(HoldingField::ListingId), [Some("L-77"), None, Some("D-9")]);
    assert_eq!(of(HoldingField::Held), [Some("yes"), Some("no"), None]);
    assert_eq!(of(HoldingField::SalePrice), [None, Some("1400.00"), Some("2.90")]);
    assert_eq!(of(HoldingField::SaleFee), [None, Some("112.00"), Some("0.15")]);
    assert_eq!(of(HoldingField::SaleMarketplace), [None, Some("skinport"), None]);
    assert_eq!(of(HoldingField::SaleOrderId), [None, Some("S-1002"), None]);
    Ok(())
}

#[test]
fn an_array_of_purchases_is_read_and_only_whether_an_item_is_held_is_a_truth_value() -> Result<(), UnreadableImport> {
    let purchases = read(ImportFormat::Json, PURCHASES_JSON)?;
    let of = |which: HoldingField| purchases.iter().map(|read| field(read, which)).collect::<Vec<_>>();
    assert_eq!(of(HoldingField::Held), [Some("true"), Some("false"), None]);
    assert_eq!(of(HoldingField::ListingId), [None, Some("1009"), None]);
    assert_eq!(of(HoldingField::SalePriceCents), [None, Some("290"), None]);
    let faults: Vec<_> = purchases.iter().map(|read| read.fault.as_ref().map(|fault| fault.code)).collect();
    assert_eq!(faults, [None, None, Some(ReasonCode::FileInvalid)]);
    let other = read(ImportFormat::Json, r#"[{ "price": true }]"#)?;
    assert_eq!(other[0].fault.as_ref().map(|fault| fault.code), Some(ReasonCode::FileInvalid));
    Ok(())
}
