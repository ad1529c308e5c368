//! The series of equity on the wire.

use tradepost_operations::contracts::{EquityPoint, EquitySeries};
use tradepost_proto::contracts::v1 as wire;

use crate::convert::wire_time;

pub(crate) fn series(series: &EquitySeries) -> wire::GetEquitySeriesResponse {
    let (highest, largest) = (series.highest(), series.largest_drawdown());
    wire::GetEquitySeriesResponse {
        points: series.points.iter().map(point).collect(),
        now: point(&series.now).into(),
        highest_profit_cents: Some(highest.worth.profit()),
        highest_at: wire_time(highest.taken_at).into(),
        max_drawdown_cents: Some(largest.cents),
        max_drawdown_bps: Some(largest.bps.into()),
    }
}

fn point(EquityPoint { at, taken_at, worth, drawdown }: &EquityPoint) -> wire::EquityPoint {
    wire::EquityPoint {
        at: wire_time(*at).into(),
        taken_at: wire_time(*taken_at).into(),
        equity_cents: Some(worth.equity()),
        capital_cents: Some(worth.capital),
        profit_cents: Some(worth.profit()),
        drawdown_cents: Some(drawdown.cents),
        drawdown_bps: Some(drawdown.bps.into()),
        available_cents: Some(worth.available),
        reserved_cents: Some(worth.reserved),
        paid_in_transit_cents: Some(worth.paid_in_transit),
        refund_due_cents: Some(worth.refund_due),
        inventory_at_cost_cents: Some(worth.inventory_at_cost),
        inventory_at_value_cents: Some(worth.inventory_at_value()),
        delivered_at_cost_cents: Some(worth.delivered_at_cost),
        receivable_cents: Some(worth.receivable),
        realised_cents: Some(worth.realised),
        pending_cents: Some(worth.pending),
        unrealised_cents: Some(worth.unrealised),
        write_offs_cents: Some(worth.write_offs),
        item_count: Some(worth.items),
        unpriced_count: Some(worth.unpriced),
        stale_count: Some(worth.stale),
    }
}
