//! Profit and loss on the wire, and as files.

use connectrpc::ConnectError;
use tradepost_domain::contracts::ledger::report::{Figures, Open, ReportFormat};
use tradepost_operations::OpError;
use tradepost_operations::contracts::{ItemProfitAndLoss, ProfitAndLossPoint, ProfitAndLossRow};

use crate::convert::contracts::pools::ledger_entry;
use crate::convert::wire_time;
use crate::error::to_wire;
use tradepost_proto::contracts::v1 as wire;

/// Characters with which spreadsheets take a text for a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// What a report is narrowed to, and the zone of its days, by the fields that every request of a report has.
macro_rules! narrowed {
    ($request:ident) => {
        tradepost_operations::contracts::ReportOf {
            contract_id: crate::convert::optional_id("contractId", $request.contract_id)?,
            selling_contract_id: crate::convert::optional_id("sellingContractId", $request.selling_contract_id)?,
            pool_id: crate::convert::optional_id("poolId", $request.pool_id)?,
            account_name: $request.account_name.to_owned(),
            buy_marketplace: $request.buy_marketplace.to_owned(),
            sell_marketplace: $request.sell_marketplace.to_owned(),
            market_hash_name: $request.market_hash_name.to_owned(),
            time_zone: $request.time_zone.to_owned(),
        }
    };
}
pub(crate) use narrowed;

/// A message with the figures, and what else it has.
macro_rules! with_figures {
    ($message:ident, $figures:expr, { $($rest:tt)* }) => {{
        let Figures { realised, pending, buy_fees, sale_fees, write_offs, cost_sold, proceeds, sold } = $figures;
        wire::$message {
            realised_cents: Some(realised),
            pending_cents: Some(pending),
            buy_fees_cents: Some(buy_fees),
            sale_fees_cents: Some(sale_fees),
            write_offs_cents: Some(write_offs),
            cost_sold_cents: Some(cost_sold),
            proceeds_cents: Some(proceeds),
            sold_count: Some(sold),
            $($rest)*

        }
    }};
}

pub(crate) fn row(ProfitAndLossRow { key, figures, open }: &ProfitAndLossRow) -> wire::ProfitAndLossRow {
    let Open { unrealised, items, unpriced, stale, oldest_value_at } = *open;
    with_figures!(ProfitAndLossRow, *figures, {
        key: Some(key.to_string()),
        unrealised_cents: Some(unrealised),
        open_count: Some(items),
        unpriced_count: Some(unpriced),
        stale_count: Some(stale),
        oldest_value_at: oldest_value_at.map(wire_time).into(),
    })
}

pub(crate) fn point(ProfitAndLossPoint { at, figures }: ProfitAndLossPoint) -> wire::ProfitAndLossPoint {
    with_figures!(ProfitAndLossPoint, figures, { at: wire_time(at).into(), })
}

pub(crate) fn of_item(item: &ItemProfitAndLoss) -> wire::GetItemProfitAndLossResponse {
    let Open { unrealised, items, unpriced, stale, oldest_value_at } = item.open;
    with_figures!(GetItemProfitAndLossResponse, item.figures, {
        unrealised_cents: Some(unrealised),
        open_count: Some(items),
        unpriced_count: Some(unpriced),
        stale_count: Some(stale),
        oldest_value_at: oldest_value_at.map(wire_time).into(),
        ledger_entries: item.entries.iter().map(ledger_entry).collect(),
    })
}

/// All rows as a file.
pub(crate) fn file(rows: &[ProfitAndLossRow], format: ReportFormat) -> Result<String, ConnectError> {
    let written = match format {
        ReportFormat::Csv => table(rows).map_err(|error| error.to_string()),
        ReportFormat::Json => {
            let rows: Vec<_> = rows.iter().map(row).collect();
            serde_json::to_string(&rows).map_err(|error| error.to_string())
        }
    };
    written.map_err(|error| to_wire(OpError::internal(format!("a report was not written: {error}"))))
}

fn table(rows: &[ProfitAndLossRow]) -> Result<String, csv::Error> {
    let mut table = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    table.write_record([
        "key",
        "realisedCents",
        "pendingCents",
        "unrealisedCents",
        "buyFeesCents",
        "saleFeesCents",
        "writeOffsCents",
        "costSoldCents",
        "proceedsCents",
        "soldCount",
        "openCount",
        "unpricedCount",
        "staleCount",
        "oldestValueAt",
    ])?;
    for ProfitAndLossRow { key, figures, open } in rows {
        let numbers = [
            figures.realised,
            figures.pending,
            open.unrealised,
            figures.buy_fees,
            figures.sale_fees,
            figures.write_offs,
            figures.cost_sold,
            figures.proceeds,
            figures.sold,
            open.items,
            open.unpriced,
            open.stale,
        ];
        table.write_field(harmless(key.to_string()))?;
        for number in numbers {
            table.write_field(number.to_string())?;
        }
        table.write_record([open.oldest_value_at.map(|at| at.to_string()).unwrap_or_default()])?;
    }
    let bytes = table.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A text that no spreadsheet calculates: names of items and accounts come from outside.
fn harmless(text: String) -> String {
    if text.starts_with(FORMULA) { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use tradepost_domain::contracts::ledger::report::GroupKey;

    use super::*;

    fn named(name: &str) -> ProfitAndLossRow {
        let figures = Figures { realised: -205, sold: 1, ..Figures::default() };
        ProfitAndLossRow { key: GroupKey::Name(name.to_owned()), figures, open: Open::default() }
    }

    #[test]
    fn a_table_has_a_line_of_names_and_one_for_each_row() {
        let written = file(&[named("AWP | \"Wildfire\", worn")], ReportFormat::Csv).unwrap();
        assert_eq!(
            written,
            "key,realisedCents,pendingCents,unrealisedCents,buyFeesCents,saleFeesCents,writeOffsCents,costSoldCents,\
             proceedsCents,soldCount,openCount,unpricedCount,staleCount,oldestValueAt\r\n\
             \"AWP | \"\"Wildfire\"\", worn\",-205,0,0,0,0,0,0,0,1,0,0,0,\r\n"
        );
    }

    #[test]
    fn no_text_of_a_table_is_a_formula() {
        for name in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            let written = file(&[named(name)], ReportFormat::Csv).unwrap();
            let text = written.lines().nth(1).unwrap().trim_start_matches('"');
            assert!(text.starts_with('\''), "{written}");
        }
    }

    #[test]
    fn a_list_has_the_rows_as_the_interface_gives_them() {
        let written = file(&[named("AK")], ReportFormat::Json).unwrap();
        let rows: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_eq!((&rows[0]["key"], &rows[0]["realisedCents"]), (&"AK".into(), &"-205".into()));
    }
}
