//! What a workspace is worth at this moment.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::equity::Worth;
use tradepost_domain::contracts::ledger::Balanced;
use tradepost_domain::contracts::ledger::report::{Breakdown, Figures, Grouping, Open, ReportFilter, day_of};
use tradepost_ports::store::{Position, Records, ReportQuery};

use super::reports::{exit_fee, open_of, values_of};
use crate::{OpResult, Operations};

/// How often the money is read while it keeps moving. The parts of the last time are those of moments that are milliseconds apart.
const ATTEMPTS: u32 = 3;
/// Before the first day of any ledger: 1900-01-01.
const BEFORE_ALL: i64 = -25_567;

/// Returns what a workspace is worth by these records, with items at their last known values.
pub(super) async fn worth_of(operations: &Operations, records: &dyn Records, scope: WorkspaceScope) -> OpResult<Worth> {
    let mut money = read_money(operations, records, scope).await?;
    let mut positions = read_positions(records, scope).await?;
    for _ in 1..ATTEMPTS {
        let again = read_money(operations, records, scope).await?;
        // Every step that moves an item into or out of the inventory moves money, too.
        if again == money {
            break;
        }
        (money, positions) = (again, read_positions(records, scope).await?);
    }
    let (pools, figures) = money;
    let cost = positions.iter().map(|position| position.cost).fold(0, i64::saturating_add);
    Ok(Worth::of(&pools, figures, cost, value(operations, records, scope, positions).await?))
}

/// Returns the balances of all pools together, and the figures of the whole ledger.
async fn read_money(
    operations: &Operations,
    records: &dyn Records,
    scope: WorkspaceScope,
) -> OpResult<(Balanced, Figures)> {
    let filter = ReportFilter::default();
    let query = ReportQuery {
        breakdown: Breakdown::Places,
        grouping: Grouping::Nothing,
        filter: &filter,
        from_day: BEFORE_ALL,
        to_day: day_of(operations.market_now(scope.workspace_id())).saturating_add(1),
        starts: &[],
    };
    let pools = records.pools().sum_balances(scope).await?.balances;
    let figures = records.reports().sum_figures(scope, query, 1).await?;
    Ok((pools, figures.first().map(|(_, figures)| *figures).unwrap_or_default()))
}

async fn read_positions(records: &dyn Records, scope: WorkspaceScope) -> OpResult<Vec<Position>> {
    Ok(records.reports().sum_positions(scope, Grouping::Nothing, &ReportFilter::default()).await?)
}

/// Returns what the items would bring.
async fn value(
    operations: &Operations,
    records: &dyn Records,
    scope: WorkspaceScope,
    positions: Vec<Position>,
) -> OpResult<Open> {
    if positions.is_empty() {
        return Ok(Open::default());
    }
    let variants = positions.iter().map(|position| position.variant.clone()).collect();
    let (values, fee) = (values_of(operations, scope, variants).await?, exit_fee(operations, records, scope).await?);
    let open = |position: Position| {
        let value = values.get(&position.variant).copied();
        open_of(&position, value, fee)
    };
    Ok(positions.into_iter().map(open).fold(Open::default(), Open::plus))
}
