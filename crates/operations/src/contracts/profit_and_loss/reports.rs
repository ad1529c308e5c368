//! The shared parts of the profit-and-loss operations: the days and the filter of a report, its rows, and the proceeds of open items.

use std::collections::BTreeMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::contracts::ledger::report::{
    Breakdown, DayStart, Figures, GroupKey, Grouping, Open, ReportFilter, ZoneDays, day_of,
};
use tradepost_domain::id::{ContractId, PoolId};
use tradepost_domain::markets::price_history::{Candle, Tick, hour_of};
use tradepost_domain::markets::pricing::Mark;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::ELSEWHERE;
use tradepost_ports::store::{HistoryQuery, Position, Records, ReportQuery};

use crate::{OpError, OpResult, Operations, fields};

/// The filter of a report, and the time zone of its days. An empty field filters nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportOf {
    /// Only what this contract bought.
    pub contract_id: Option<ContractId>,
    /// Only what this contract sells.
    pub selling_contract_id: Option<ContractId>,
    /// Only money of this pool.
    pub pool_id: Option<PoolId>,
    /// Only of this trading account.
    pub account_name: String,
    /// Only items that were bought on this marketplace.
    pub buy_marketplace: String,
    /// Only items that are on sale or were sold on this marketplace.
    pub sell_marketplace: String,
    /// Only items of this market name.
    pub market_hash_name: String,
    /// The time zone by whose midnights days begin and end: a name of the IANA database; empty is UTC.
    pub time_zone: String,
}

/// The period of a report, between two midnights of its time zone.
#[derive(Clone, Copy)]
pub(crate) struct Period {
    /// Absent for 30 days before the end.
    pub(crate) from: Option<Timestamp>,
    /// Absent for the next midnight.
    pub(crate) to: Option<Timestamp>,
}

/// Profit and loss under one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfitAndLossRow {
    /// The key.
    pub key: GroupKey,
    /// The sums of the ledger.
    pub figures: Figures,
    /// The items that are open at this moment.
    pub open: Open,
}

/// A report that can be read.
pub(crate) struct Report {
    breakdown: Breakdown,
    grouping: Grouping,
    pub(crate) filter: ReportFilter,
    zone: ZoneDays,
    from_day: i64,
    to_day: i64,
    starts: Vec<DayStart>,
}

impl ReportOf {
    fn check(&self) -> OpResult<ReportFilter> {
        Ok(ReportFilter {
            contract_id: self.contract_id,
            selling_contract_id: self.selling_contract_id,
            pool_id: self.pool_id,
            account_name: given("accountName", &self.account_name)?,
            buy_marketplace: given("buyMarketplace", &self.buy_marketplace)?,
            sell_marketplace: given("sellMarketplace", &self.sell_marketplace)?,
            market_hash_name: given("marketHashName", &self.market_hash_name)?,
        })
    }
}

fn given<const MOST: usize>(field: &str, text: &str) -> OpResult<Option<Text<MOST>>> {
    if text.is_empty() { Ok(None) } else { fields::text(field, text).map(Some) }
}

fn midnight(field: &str, at: Timestamp, zone: &ZoneDays) -> OpResult<i64> {
    let day = zone.day_of(at);
    if zone.start_of(day) == at {
        return Ok(day);
    }
    Err(OpError::invalid_field(field, format_args!("must be a midnight of {}", zone.zone())))
}

impl Period {
    /// Returns the first day and the day after the last: the 30 days that end with today, as far as they are not said.
    pub(crate) fn days(self, zone: &ZoneDays, now: Timestamp) -> OpResult<(i64, i64)> {
        const DAYS: i64 = 30;
        let to_day = self.to.map_or_else(|| Ok(zone.day_of(now).saturating_add(1)), |to| midnight("to", to, zone))?;
        let from_day = self.from.map_or(Ok(to_day.saturating_sub(DAYS)), |from| midnight("from", from, zone))?;
        if to_day <= from_day {
            return Err(OpError::invalid_field("to", "must be after from"));
        }
        Ok((from_day, to_day))
    }
}

impl Report {
    /// Returns the first day, and the day after the last.
    pub(crate) const fn days(&self) -> (i64, i64) {
        (self.from_day, self.to_day)
    }

    /// Returns the days of the time zone.
    pub(crate) const fn zone(&self) -> &ZoneDays {
        &self.zone
    }

    /// Returns the report cut at the first days of the points of a series.
    pub(crate) fn cut_at(self, begins: &[i64]) -> Self {
        let limits = begins.iter().copied().chain([self.to_day]);
        Self { starts: self.zone.starts(limits), ..self }
    }

    /// Returns the beginnings of days at its limits that do not begin at the midnight of UTC of their date.
    pub(crate) fn starts(&self) -> &[DayStart] {
        &self.starts
    }

    pub(crate) fn query(&self) -> ReportQuery<'_> {
        let Self { breakdown, grouping, filter, zone: _, from_day, to_day, starts } = self;
        let (breakdown, grouping, from_day, to_day) = (*breakdown, *grouping, *from_day, *to_day);
        ReportQuery { breakdown, grouping, filter, from_day, to_day, starts }
    }
}

/// Returns the open items under each key.
async fn open_items(
    operations: &Operations,
    records: &dyn Records,
    scope: WorkspaceScope,
    report: &Report,
) -> OpResult<Vec<(GroupKey, Open)>> {
    let positions = records.reports().sum_positions(scope, report.grouping, &report.filter).await?;
    if positions.is_empty() {
        return Ok(Vec::new());
    }
    let variants = positions.iter().map(|position| position.variant.clone()).collect();
    let (values, fee) = (values_of(operations, scope, variants).await?, exit_fee(operations, records, scope).await?);
    let open = |position: Position| {
        let open = open_of(&position, values.get(&position.variant).copied(), fee);
        (position.key, open)
    };
    Ok(positions.into_iter().map(open).collect())
}

/// Returns what the items of a position would bring. Those of unknown cost have nothing to gain and nothing to lose.
pub(crate) fn open_of(position: &Position, value: Option<Mark>, fee: BasisPoints) -> Open {
    let unknown = Open::of_unknown_cost(position.uncosted);
    match position.items.saturating_sub(position.uncosted) {
        0 => unknown,
        known => Open::of(known, position.cost, value, fee).plus(unknown),
    }
}

/// Returns the cheapest listing of the last hour of 30 days in which one of the variant was seen.
async fn last_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    variant: &Variant,
    at: Timestamp,
) -> OpResult<Option<Tick>> {
    const HOURS: i64 = 30 * 24;
    let to = hour_of(at).saturating_add(1);
    let query = HistoryQuery { variant, marketplace: None, from: to.saturating_sub(HOURS), to };
    let mut seen: BTreeMap<i64, Candle> = BTreeMap::new();
    for (hour, candle) in operations.ports.store.candles().read(scope, query).await? {
        seen.entry(hour).and_modify(|known| *known = known.and(candle)).or_insert(candle);
    }
    Ok(seen.last_key_value().map(|(_, candle)| Tick { at: candle.close.at, price: candle.low }))
}

/// Returns the report of what lies between two midnights: of the 30 days that end with today, as far as it is not said.
pub(crate) fn report(
    operations: &Operations,
    scope: WorkspaceScope,
    period: Period,
    of: &ReportOf,
    grouping: Grouping,
) -> OpResult<Report> {
    let zone = ZoneDays::of(fields::time_zone("timeZone", &of.time_zone)?);
    let (from_day, to_day) = period.days(&zone, operations.market_now(scope.workspace_id()))?;
    let filter = of.check()?;
    let breakdown = filter.breakdown(grouping).map_err(|error| OpError::invalid_field("marketHashName", error))?;
    let starts = zone.starts([from_day, to_day]);
    Ok(Report { breakdown, grouping, filter, zone, from_day, to_day, starts })
}

/// Returns the rows of a report by these records, in the order of their keys, up to a maximum. Rows of zeros are left out.
pub(crate) async fn rows_of(
    operations: &Operations,
    records: &dyn Records,
    scope: WorkspaceScope,
    report: &Report,
    most: u32,
) -> OpResult<Vec<ProfitAndLossRow>> {
    let booked = records.reports().sum_figures(scope, report.query(), most).await?;
    let mut rows: BTreeMap<GroupKey, (Figures, Open)> =
        booked.into_iter().map(|(key, figures)| (key, (figures, Open::default()))).collect();
    for (key, open) in open_items(operations, records, scope, report).await? {
        let (_, sum) = rows.entry(key).or_default();
        *sum = sum.plus(open);
    }
    let row = |(key, (figures, open))| ProfitAndLossRow { key, figures, open };
    Ok(rows.into_iter().take(most as usize).map(row).collect())
}

/// Returns the last known value of each variant, by the statistic of the workspace's rules. One that no source reports is valued by the
/// cheapest listing of the last hour in which one was seen.
pub(crate) async fn values_of(
    operations: &Operations,
    scope: WorkspaceScope,
    mut variants: Vec<Variant>,
) -> OpResult<BTreeMap<Variant, Mark>> {
    /// Most that are asked for at once.
    const SLICE: usize = 1_000;
    /// Most of one report that are looked for in the history of prices.
    const MOST_LOOKED_UP: usize = 500;
    variants.sort_unstable();
    variants.dedup();
    let (reference, at) = (operations.price_reference(scope).await?, operations.market_now(scope.workspace_id()));
    let (mut values, mut looked_up) = (BTreeMap::new(), 0_usize);
    for slice in variants.chunks(SLICE) {
        for (variant, basis) in operations.price_bases(scope, slice).await? {
            let mut mark = Mark::of(&basis.quotes, basis.given.as_ref(), &reference, at);
            if mark.is_none() && looked_up < MOST_LOOKED_UP {
                looked_up = looked_up.saturating_add(1);
                let seen = last_seen(operations, scope, &variant, at).await?;
                mark = seen.map(|seen| Mark::seen(seen.price, seen.at, &reference, at));
            }
            values.extend(mark.map(|mark| (variant, mark)));
        }
    }
    Ok(values)
}

/// Returns the share of a price that selling costs where it costs least: as booked by the workspace's sales of 90 days on a
/// marketplace that is named, and nothing as long as there is none.
pub(crate) async fn exit_fee(
    operations: &Operations,
    records: &dyn Records,
    scope: WorkspaceScope,
) -> OpResult<BasisPoints> {
    const DAYS: i64 = 90;
    const MOST_MARKETPLACES: u32 = 1_000;
    let (filter, today) = (ReportFilter::default(), day_of(operations.market_now(scope.workspace_id())));
    let query = ReportQuery {
        breakdown: Breakdown::Places,
        grouping: Grouping::SellMarketplace,
        filter: &filter,
        from_day: today.saturating_sub(DAYS),
        to_day: today.saturating_add(1),
        starts: &[],
    };
    let sold = records.reports().sum_figures(scope, query, MOST_MARKETPLACES).await?;
    let is_marketplace = |key: &GroupKey| match key {
        GroupKey::Name(name) => name != ELSEWHERE,
        GroupKey::None | GroupKey::Contract(_) | GroupKey::Pool(_) => true,
    };
    let shares = sold.iter().filter(|(key, _)| is_marketplace(key)).filter_map(|(_, sums)| sums.sale_fee_share());
    Ok(shares.min().unwrap_or_default())
}
