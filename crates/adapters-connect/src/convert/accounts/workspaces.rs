//! Workspaces on the wire.

use tradepost_domain::accounts::workspace::{Settings, TradingHalt, Workspace};
use tradepost_operations::SimulatedTime;

use crate::convert::{wire_id, wire_time};
use tradepost_proto::accounts::v1 as wire;

pub(crate) fn workspace(workspace: &Workspace) -> wire::Workspace {
    wire::Workspace {
        id: Some(wire_id(workspace.id)),
        name: Some(workspace.name.to_string()),
        description: Some(workspace.description.as_ref().map(ToString::to_string).unwrap_or_default()),
        base_currency: Some(workspace.base_currency.to_string()),
        time_zone: Some(workspace.time_zone.to_string()),
        created_at: wire_time(workspace.created_at).into(),
        updated_at: wire_time(workspace.updated_at).into(),
        deleted_at: workspace.deleted_at.map(wire_time).into(),
        trading_halt: workspace.trading_halt.as_ref().map(trading_halt).into(),
    }
}

pub(crate) fn simulated_clock(time: SimulatedTime) -> wire::SimulatedClock {
    wire::SimulatedClock { now: wire_time(time.now).into(), speed: Some(i32::try_from(time.speed).unwrap_or(i32::MAX)) }
}

fn trading_halt(halt: &TradingHalt) -> wire::TradingHalt {
    wire::TradingHalt { reason: Some(halt.reason.to_string()), since: wire_time(halt.since).into() }
}

pub(crate) fn settings(settings: Settings) -> wire::WorkspaceSettings {
    wire::WorkspaceSettings {
        require_two_factor: Some(settings.require_two_factor),
        max_api_key_lifetime_days: settings.key_life.map(|life| life.days().into()),
        allow_email_step_up: Some(settings.allow_email_step_up),
    }
}
