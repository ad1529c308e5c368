//! `tradepost pnl`: what was earned and lost, grouped or as a time series, what the workspace was worth day by day, and profit and loss
//! as the file that the server makes of it.

use serde_json::{Value, json};

use super::records::Records;
use super::records::accounts::ACCOUNTS;
use super::records::contracts::CONTRACTS;
use super::records::pools::POOLS;
use super::view::{self, EQUITY, POINTS, PROFIT};
use super::{Client, named};
use crate::cli::Output;
use crate::cli::client::Pnl;
use crate::failure::Outcome;
use crate::output_format;

impl Client {
    pub(super) async fn profit(&self, pnl: &Pnl) -> Outcome {
        if pnl.equity {
            return self.equity(pnl).await;
        }
        let of = &pnl.of;
        let contract = self.given(&CONTRACTS, of.contract.as_deref()).await?;
        let selling_contract = self.given(&CONTRACTS, of.selling_contract.as_deref()).await?;
        let pool = self.given(&POOLS, of.pool.as_deref()).await?;
        let account = match &of.account {
            Some(account) => Some(self.name_of(&ACCOUNTS, account).await?),
            None => None,
        };
        let mut request = json!({
            "from": pnl.from,
            "to": pnl.to,
            "contractId": contract,
            "sellingContractId": selling_contract,
            "poolId": pool,
            "accountName": account,
            "buyMarketplace": of.buy_marketplace,
            "sellMarketplace": of.sell_marketplace,
            "marketHashName": of.item,
        });
        if let Some(bucket) = &pnl.series {
            request["bucket"] = named("PROFIT_AND_LOSS_BUCKET", Some(bucket)).into();
            let answer = self.ask("contracts.v1.Contracts/GetProfitAndLossSeries", request).await?;
            view::print(self.output, &POINTS, view::many(&answer, "points"), &answer);
            return Ok(());
        }
        request["groupBy"] = named("PROFIT_AND_LOSS_GROUPING", Some(&pnl.by)).into();
        if self.output == Output::Csv {
            return self.export(request).await;
        }
        let answer = self.ask("contracts.v1.Contracts/GetProfitAndLoss", request).await?;
        // The one row of everything has no key.
        let is_grouped = !pnl.by.eq_ignore_ascii_case("none");
        let columns = PROFIT.get(usize::from(!is_grouped)..).unwrap_or(&PROFIT);
        let rows = view::many(&answer, "rows");
        let named = self.named_by(&pnl.by.to_ascii_lowercase(), rows).await?;
        view::print(self.output, columns, &named, &answer);
        if self.output.is_for_people()
            && let Some(cut) = cut(&answer)
        {
            anstream::eprintln!("{cut}");
        }
        Ok(())
    }

    /// Prints what the workspace was worth at the ends of days, and last what it is worth now.
    async fn equity(&self, pnl: &Pnl) -> Outcome {
        let request = json!({ "from": pnl.from, "to": pnl.to });
        let answer = self.ask("contracts.v1.Contracts/GetEquitySeries", request).await?;
        let mut points = view::many(&answer, "points").to_vec();
        points.push(answer["now"].clone());
        view::print(self.output, &EQUITY, &points, &answer);
        Ok(())
    }

    /// The id of a record that a flag names.
    async fn given(&self, records: &Records, name: Option<&str>) -> Outcome<Option<String>> {
        match name {
            Some(name) => self.id_of(records, name).await.map(Some),
            None => Ok(None),
        }
    }

    /// The rows with names where their keys are ids.
    async fn named_by(&self, by: &str, rows: &[Value]) -> Outcome<Vec<Value>> {
        let mut rows = rows.to_vec();
        if self.output.is_for_people() && ["contract", "selling_contract", "pool"].contains(&by) {
            let names = self.names_of_groups(by, &rows).await?;
            for row in &mut rows {
                row["key"] = json!(names.short(&view::plain(&row["key"])));
            }
        }
        Ok(rows)
    }

    /// Prints the file that the server makes: ten times the rows of an answer, and no name in it is a formula.
    async fn export(&self, mut request: Value) -> Outcome {
        request["format"] = json!("PROFIT_AND_LOSS_FORMAT_CSV");
        let answer = self.ask("contracts.v1.Contracts/ExportProfitAndLoss", request).await?;
        output_format::line(view::plain(&answer["content"]).replace("\r\n", "\n").trim_end());
        Ok(())
    }
}

/// What is said of rows that are not all.
fn cut(answer: &Value) -> Option<String> {
    let shown = view::many(answer, "rows").len();
    let is_cut = answer["truncated"] == true;
    is_cut.then(|| format!("these are the first {shown} rows; -o csv gives them all, or narrow what is asked for"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_list_of_rows_is_reported() {
        let rows = json!([{ "key": "a" }, { "key": "b" }]);
        let note = "these are the first 2 rows; -o csv gives them all, or narrow what is asked for";
        assert_eq!(cut(&json!({ "rows": rows, "truncated": true })).unwrap(), note);
        assert_eq!(cut(&json!({ "rows": rows, "truncated": false })), None);
    }
}
