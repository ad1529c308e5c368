//! `tradepost pnl`: what was earned and lost, grouped or as a time series, what the workspace was worth day by day, and profit and loss
//! as the file that the server makes of it.

use serde_json::{Value, json};
use tradepost::domain::accounts::preferences::TimeZone;
use tradepost::domain::contracts::ledger::report::{ZoneDays, day_of, midnight_of};

use super::records::Records;
use super::records::accounts::ACCOUNTS;
use super::records::contracts::CONTRACTS;
use super::records::pools::POOLS;
use super::view::{self, EQUITY, POINTS, PROFIT};
use super::{Client, named};
use crate::cli::Output;
use crate::cli::client::{Pnl, moment};
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;

impl Client {
    pub(super) async fn profit(&self, pnl: &Pnl) -> Outcome {
        if pnl.equity {
            return self.equity(pnl).await;
        }
        let (of, days) = (&pnl.of, self.days(pnl.time_zone.as_deref()).await?);
        let contract = self.given(&CONTRACTS, of.contract.as_deref()).await?;
        let selling_contract = self.given(&CONTRACTS, of.selling_contract.as_deref()).await?;
        let pool = self.given(&POOLS, of.pool.as_deref()).await?;
        let account = match &of.account {
            Some(account) => Some(self.name_of(&ACCOUNTS, account).await?),
            None => None,
        };
        let zone = days.zone().as_str();
        let mut request = json!({
            "from": pnl.from.as_deref().map(|typed| start_of(&days, typed)),
            "to": pnl.to.as_deref().map(|typed| start_of(&days, typed)),
            "timeZone": (zone != "UTC").then_some(zone),
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
            view::print(self.output, &POINTS, &self.dated(&days, view::many(&answer, "points")), &answer);
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
        let utc = ZoneDays::of(TimeZone::utc());
        let [from, to] = [&pnl.from, &pnl.to].map(|typed| typed.as_deref().map(|typed| start_of(&utc, typed)));
        let request = json!({ "from": from, "to": to });
        let answer = self.ask("contracts.v1.Contracts/GetEquitySeries", request).await?;
        let mut points = view::many(&answer, "points").to_vec();
        points.push(answer["now"].clone());
        view::print(self.output, &EQUITY, &points, &answer);
        Ok(())
    }

    /// The days of the time zone that is given, or else of the workspace's.
    async fn days(&self, given: Option<&str>) -> Outcome<ZoneDays> {
        let zone = if let Some(zone) = given {
            zone.to_owned()
        } else {
            let answer = self.ask("accounts.v1.Accounts/GetWorkspace", json!({})).await?;
            view::plain(&answer["workspace"]["timeZone"])
        };
        if zone.is_empty() {
            return Ok(ZoneDays::of(TimeZone::utc()));
        }
        TimeZone::new(&zone).map(ZoneDays::of).map_err(|error| {
            Failure::new(Exit::Usage, format!("time zone {zone:?} {error}"))
                .with_try("name another one with --time-zone")
        })
    }

    /// The points with the dates of their days, where users read them.
    fn dated(&self, days: &ZoneDays, points: &[Value]) -> Vec<Value> {
        let mut points = points.to_vec();
        for point in points.iter_mut().filter(|_| self.output.is_for_people()) {
            if let Ok(at) = view::plain(&point["at"]).parse() {
                point["at"] = json!(midnight_of(days.day_of(at)).to_string());
            }
        }
        points
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

/// When a day that was typed begins. A time is taken as it is.
fn start_of(days: &ZoneDays, typed: &str) -> String {
    let day = Some(typed).filter(|typed| !typed.contains('T')).and_then(|date| moment(date).ok()?.parse().ok());
    day.map_or_else(|| typed.to_owned(), |midnight| days.start_of(day_of(midnight)).to_string())
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
    fn a_typed_day_begins_with_that_of_the_time_zone_and_a_time_is_sent_as_it_is() {
        let shanghai = ZoneDays::of(TimeZone::new("Asia/Shanghai").unwrap());
        assert_eq!(start_of(&shanghai, "2026-07-01"), "2026-06-30T16:00:00Z");
        assert_eq!(start_of(&ZoneDays::of(TimeZone::utc()), "2026-07-01"), "2026-07-01T00:00:00Z");
        assert_eq!(start_of(&shanghai, "2026-07-01T00:00:00+08:00"), "2026-07-01T00:00:00+08:00");
    }

    #[test]
    fn a_cut_list_of_rows_is_reported() {
        let rows = json!([{ "key": "a" }, { "key": "b" }]);
        let note = "these are the first 2 rows; -o csv gives them all, or narrow what is asked for";
        assert_eq!(cut(&json!({ "rows": rows, "truncated": true })).unwrap(), note);
        assert_eq!(cut(&json!({ "rows": rows, "truncated": false })), None);
    }
}
