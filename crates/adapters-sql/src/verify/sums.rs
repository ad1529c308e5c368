//! The check of the sums that reports are read from: that they are what the entries of the ledger come to, by contract and day. A
//! month at a time, in slices that see one moment; a sum that seems to be wrong is added up again at one moment before it is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use sea_orm::{QueryResult, Value};
use tradepost_domain::contracts::ledger::report::{Breakdown, Span as Period, midnight_of};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use super::limits::MAX_REPORTED;
use super::slice::Slice;
use super::tally::MICROS_A_DAY;
use super::walk::{Span, WITHIN};
use crate::ledger_sums::{ALL_DAYS, FIGURES, figures_of_entries};
use crate::rows::{cell, id};
use crate::store::SqlStore;

/// Sums of a contract that are not what its entries come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumDrift {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The buying contract.
    pub contract_id: ContractId,
    /// Which telling of it, by the number that it is stored under.
    pub telling: i64,
    /// What was added up wrong.
    pub of: DriftOf,
}

/// Which sums of a contract are wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriftOf {
    /// Those of this day, counted from 1970.
    Day(i64),
    /// Those of the month that begins with this day.
    Month(i64),
    /// Those of all days.
    AllDays,
}

const DAYS: i64 = 0;
const MONTHS: i64 = 1;
const LATER_MONTH: &str = "SELECT {first} FROM {table} WHERE workspace_id = $1 AND telling = $2 AND {first} > $3 AND {first} < $4 ORDER BY {first} LIMIT 1";

type Figures = [i64; FIGURES.len()];
/// What entries come to, by contract and day.
type ByDay = BTreeMap<(Uuid, i64), Figures>;

static BOOKED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT contract_id, at / {MICROS_A_DAY}, {} FROM ledger_entries WHERE {WITHIN} AND contract_id IS NOT NULL \
         GROUP BY contract_id, at / {MICROS_A_DAY}",
        as_numbers(&figures_of_entries())
    )
});
/// The stored sums of the days of a month.
static STORED_DAYS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT contract_id, day, {} FROM ledger_days WHERE workspace_id = $1 AND telling = $2 AND day >= $3 AND day < $4 \
         GROUP BY contract_id, day",
        as_numbers(&FIGURES.map(ToOwned::to_owned))
    )
});
static STORED_MONTHS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT contract_id, month, {} FROM ledger_months WHERE workspace_id = $1 AND telling = $2 AND month = $3 \
         GROUP BY contract_id, month",
        as_numbers(&FIGURES.map(ToOwned::to_owned))
    )
});

impl SqlStore {
    /// Adds up the ledger, and returns the sums by contract, day and month that differ, at most 100. `progress` is called with the
    /// number of checked days of contracts. Writers are not delayed, and their concurrent writes are not findings.
    ///
    /// # Errors
    /// [`StoreError`](tradepost_ports::store::StoreError) when the database fails.
    pub async fn check_sums(&self, mut progress: impl FnMut(u64) + Send) -> StoreResult<Vec<SumDrift>> {
        let (mut drifts, mut after, mut looked_at) = (Vec::new(), Uuid::nil(), 0);
        let tables = ["ledger_entries", "ledger_days", "ledger_months"];
        while let Some(workspace) = self.next_home(&tables, "workspace_id", after).await? {
            let horizon = self.horizon(workspace).await?;
            let mut walked = Walked { workspace, horizon, days: ByDay::new() };
            self.walk_sums(&mut walked, || progress(looked_at)).await?;
            looked_at += u64::try_from(walked.days.len()).unwrap_or(0);
            progress(looked_at);
            for contract in self.suspects(&walked).await? {
                for row in self.patiently(&self.recount(), vec![workspace.into(), contract.into()]).await? {
                    drifts.push(drift(workspace, contract, &row)?);
                }
                if drifts.len() >= MAX_REPORTED {
                    drifts.truncate(MAX_REPORTED);
                    return Ok(drifts);
                }
            }
            after = workspace;
        }
        Ok(drifts)
    }

    async fn walk_sums(&self, walked: &mut Walked, mut progress: impl FnMut() + Send) -> StoreResult<()> {
        let mut after = Uuid::nil();
        loop {
            let slice = self.slice().await?;
            let span = slice.span(walked.workspace, after, walked.horizon).await?;
            if let Some(span) = span {
                add_booked(&mut walked.days, &slice, span).await?;
                after = span.end;
            }
            slice.end().await?;
            progress();
            if span.is_none() {
                return Ok(());
            }
        }
    }

    /// The contracts whose sums seem to be wrong.
    async fn suspects(&self, walked: &Walked) -> StoreResult<BTreeSet<Uuid>> {
        let mut suspects = BTreeSet::new();
        for telling in Breakdown::ALL.map(Breakdown::code) {
            let slice = self.slice().await?;
            suspects.extend(walked.compare_all_days(&slice, telling).await?);
            slice.end().await?;
            for month in self.months(walked, telling).await? {
                let slice = self.slice().await?;
                suspects.extend(walked.compare_month(&slice, telling, month).await?);
                slice.end().await?;
            }
        }
        Ok(suspects)
    }

    /// The months of which there are entries or sums.
    async fn months(&self, walked: &Walked, telling: i16) -> StoreResult<BTreeSet<i64>> {
        let slice = self.slice().await?;
        let mut days = ByDay::new();
        add_booked(&mut days, &slice, Span::tail(walked.workspace, walked.horizon)).await?;
        slice.end().await?;
        let of_entries = walked.days.keys().chain(days.keys());
        let mut months: BTreeSet<i64> = of_entries.map(|(_, day)| Period::Month.first_day(*day)).collect();
        for (table, first) in [("ledger_days", "day"), ("ledger_months", "month")] {
            let text = LATER_MONTH.replace("{first}", first).replace("{table}", table);
            let mut after = i64::MIN;
            loop {
                let values: Vec<Value> = vec![walked.workspace.into(), telling.into(), after.into(), ALL_DAYS.into()];
                let rows = self.patiently(&text, values).await?;
                let Some(row) = rows.first() else { break };
                let month = Period::Month.first_day(cell(row, 0)?);
                months.insert(month);
                after = next_month(month) - 1;
            }
        }
        Ok(months)
    }

    /// What the entries of a contract come to, less what the sums say, where that is not nothing.
    fn recount(&self) -> String {
        recount(self.pick(
            "CAST(strftime('%s', day * 86400, 'unixepoch', 'start of month') AS INTEGER) / 86400",
            "date_trunc('month', (DATE '1970-01-01' + day::integer)::timestamp)::date - DATE '1970-01-01'",
        ))
    }
}

/// What the entries of a workspace come to up to the horizon.
struct Walked {
    workspace: Uuid,
    horizon: Uuid,
    days: ByDay,
}

impl Walked {
    /// Everything that was booked by now.
    async fn with_tail(&self, slice: &Slice, takes: impl Fn(i64) -> bool) -> StoreResult<ByDay> {
        let mut tail = ByDay::new();
        add_booked(&mut tail, slice, Span::tail(self.workspace, self.horizon)).await?;
        tail.retain(|(_, day), _| takes(*day));
        for (key, figures) in self.days.iter().filter(|((_, day), _)| takes(*day)) {
            add(tail.entry(*key).or_default(), *figures, 1);
        }
        Ok(tail)
    }

    async fn compare_month(&self, slice: &Slice, telling: i16, month: i64) -> StoreResult<Vec<Uuid>> {
        let end = next_month(month);
        let booked = self.with_tail(slice, |day| (month..end).contains(&day)).await?;
        let values: Vec<Value> = vec![self.workspace.into(), telling.into(), month.into(), end.into()];
        let mut by_day = booked.clone();
        subtract(&mut by_day, &slice.rows(&STORED_DAYS, values).await?)?;
        let mut by_month = together(booked, month);
        let values: Vec<Value> = vec![self.workspace.into(), telling.into(), month.into()];
        subtract(&mut by_month, &slice.rows(&STORED_MONTHS, values).await?)?;
        Ok(adrift(&by_day).chain(adrift(&by_month)).collect())
    }

    async fn compare_all_days(&self, slice: &Slice, telling: i16) -> StoreResult<Vec<Uuid>> {
        let mut all = together(self.with_tail(slice, |_| true).await?, ALL_DAYS);
        let values: Vec<Value> =
            vec![self.workspace.into(), telling.into(), ALL_DAYS.into(), ALL_DAYS.saturating_add(1).into()];
        subtract(&mut all, &slice.rows(&STORED_DAYS, values).await?)?;
        Ok(adrift(&all).collect())
    }
}

async fn add_booked(days: &mut ByDay, slice: &Slice, span: Span) -> StoreResult<()> {
    for row in slice.rows(&BOOKED, span.values()).await? {
        let figures = figures(&row)?;
        if figures != Figures::default() {
            add(days.entry((cell(&row, 0)?, cell(&row, 1)?)).or_default(), figures, 1);
        }
    }
    Ok(())
}

fn figures(row: &QueryResult) -> StoreResult<Figures> {
    let mut figures = Figures::default();
    for (position, figure) in figures.iter_mut().enumerate() {
        *figure = cell(row, position + 2)?;
    }
    Ok(figures)
}

fn add(sum: &mut Figures, figures: Figures, times: i64) {
    for (sum, figure) in sum.iter_mut().zip(figures) {
        *sum = sum.saturating_add(figure.saturating_mul(times));
    }
}

fn subtract(days: &mut ByDay, rows: &[QueryResult]) -> StoreResult<()> {
    for row in rows {
        add(days.entry((cell(row, 0)?, cell(row, 1)?)).or_default(), figures(row)?, -1);
    }
    Ok(())
}

/// All days of each contract, under one.
fn together(days: ByDay, under: i64) -> ByDay {
    let mut sums = ByDay::new();
    for ((contract, _), figures) in days {
        add(sums.entry((contract, under)).or_default(), figures, 1);
    }
    sums
}

fn adrift(less: &ByDay) -> impl Iterator<Item = Uuid> + use<'_> {
    less.iter().filter(|(_, figures)| **figures != Figures::default()).map(|((contract, _), _)| *contract)
}

fn next_month(month: i64) -> i64 {
    Period::Month.first_day(month.saturating_add(31))
}

fn as_numbers(figures: &[String; FIGURES.len()]) -> String {
    figures.each_ref().map(|figure| format!("CAST(sum({figure}) AS bigint)")).join(", ")
}

/// What the entries of a contract come to, less what the sums say, where that is not nothing.
fn recount(month: &str) -> String {
    let less = FIGURES.map(|name| format!("-{name} AS {name}")).join(", ");
    let of_entries: Vec<String> =
        figures_of_entries().iter().zip(FIGURES).map(|(figure, name)| format!("sum({figure}) AS {name}")).collect();
    let of_contract = "workspace_id = $1 AND contract_id = $2";
    let mut parts = vec![
        format!("SELECT telling, {DAYS} AS kind, day AS first, {less} FROM ledger_days WHERE {of_contract}"),
        format!("SELECT telling, {MONTHS}, month, {less} FROM ledger_months WHERE {of_contract}"),
    ];
    let figures = FIGURES.join(", ");
    for code in Breakdown::ALL.map(Breakdown::code) {
        parts.push(format!("SELECT {code}, {DAYS}, day, {figures} FROM booked"));
        parts.push(format!("SELECT {code}, {DAYS}, {ALL_DAYS}, {figures} FROM booked"));
        parts.push(format!("SELECT {code}, {MONTHS}, {month}, {figures} FROM booked"));
    }
    let any = FIGURES.map(|name| format!("sum({name}) <> 0")).join(" OR ");
    format!(
        "WITH booked AS (SELECT at / {MICROS_A_DAY} AS day, {} FROM ledger_entries WHERE {of_contract} \
         GROUP BY at / {MICROS_A_DAY}) \
         SELECT CAST(telling AS bigint), CAST(kind AS bigint), CAST(first AS bigint) FROM ({}) compared \
         GROUP BY telling, kind, first HAVING {any} ORDER BY telling, kind, first LIMIT {MAX_REPORTED}",
        of_entries.join(", "),
        parts.join(" UNION ALL ")
    )
}

fn drift(workspace: Uuid, contract: Uuid, row: &QueryResult) -> StoreResult<SumDrift> {
    let (telling, kind, first): (i64, i64, i64) = (cell(row, 0)?, cell(row, 1)?, cell(row, 2)?);
    let of = match (kind, first) {
        (DAYS, ALL_DAYS) => DriftOf::AllDays,
        (DAYS, day) => DriftOf::Day(day),
        (_, month) => DriftOf::Month(month),
    };
    Ok(SumDrift { workspace_id: id(workspace), contract_id: id(contract), telling, of })
}

impl std::fmt::Display for SumDrift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.of {
            DriftOf::Day(day) => write!(f, "the day that begins at {}", midnight_of(day)),
            DriftOf::Month(month) => write!(f, "the month from {}", midnight_of(month)),
            DriftOf::AllDays => f.write_str("all days together"),
        }?;
        write!(f, " of contract {} in workspace {}, breakdown {}", self.contract_id, self.workspace_id, self.telling)
    }
}
