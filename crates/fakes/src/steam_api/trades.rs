//! Trades: pages of three, the newest first, with all the ids that each item has had.

use std::cmp::Reverse;

use serde_json::{Value, json};
use tradepost_adapters_simulator::PlatformCall;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::TradeStatus;
use tradepost_ports::game_platform::{MovedAsset, PlatformResult, Trade};

use super::described::{Described, Flags, descriptions};
use super::offers::number;
use super::replies::{bad_request, read};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::{Bearer, seconds};

/// The trades of a page: fewer than Steam shows, so that a small world has several pages.
const TRADES: usize = 3;
/// The contexts of ordinary and of protected items.
const ORDINARY: &str = "2";
const PROTECTED: &str = "16";

pub(super) fn page(fakes: &Fakes, asked: &Asked) -> Reply {
    read(fakes, asked, "steam-api.trades", |bearer| {
        let all = all(fakes, bearer)?;
        let mut listed: Vec<&Trade> = all.iter().filter(|trade| is_asked_for(trade, asked)).collect();
        let total = listed.len();
        listed.sort_by_key(|trade| Reverse(place(trade)));
        if let Some(after) = place_before(asked) {
            listed.retain(|trade| place(trade) < after);
        }
        let most = Some(asked.number("max_trades")).filter(|most| *most > 0).map_or(TRADES, |most| most.min(TRADES));
        let part: Vec<&Trade> = listed.iter().copied().take(most).collect();
        let mut response = shown_all(&part, &all, asked);
        response["more"] = json!(part.len() < listed.len());
        if asked.is_set("include_total") {
            response["total_trades"] = json!(total);
        }
        Ok(json!({ "response": response }))
    })
}

pub(super) fn single(fakes: &Fakes, asked: &Asked) -> Reply {
    let id = asked.query.get("tradeid").and_then(|id| ExternalId::new(id).ok());
    let Some(id) = id else { return bad_request() };
    read(fakes, asked, "steam-api.trade", |bearer| {
        let trade: Trade = bearer.ask(fakes, PlatformCall::Trade { id })?;
        let all = all(fakes, bearer)?;
        Ok(json!({ "response": shown_all(&[&trade], &all, asked) }))
    })
}

fn all(fakes: &Fakes, bearer: &Bearer) -> PlatformResult<Vec<Trade>> {
    let call = |after| PlatformCall::Trades { since: Timestamp::MIN, after };
    bearer.ask_all(fakes, |trade: &Trade| &trade.id, call)
}

/// The place of a trade in the history.
fn place(trade: &Trade) -> (i64, u64) {
    (seconds(trade.started_at), number(&trade.id))
}

/// The place after which a page begins; `None` for the first page.
fn place_before(asked: &Asked) -> Option<(i64, u64)> {
    let time = asked.query.get("start_after_time").and_then(|text| text.parse::<i64>().ok());
    let id = asked.query.get("start_after_tradeid").and_then(|text| text.parse::<u64>().ok());
    Some((time.filter(|time| *time > 0)?, id.unwrap_or_default()))
}

fn is_asked_for(trade: &Trade, asked: &Asked) -> bool {
    let has_failed = asked.is_set("include_failed");
    has_failed || trade.status != TradeStatus::Failed
}

/// Trades with their descriptions. `all` has the trades that took them back.
fn shown_all(trades: &[&Trade], all: &[Trade], asked: &Asked) -> Value {
    let mut response = json!({ "trades": trades.iter().map(|trade| shown(trade, all)).collect::<Vec<Value>>() });
    if asked.is_set("get_descriptions") {
        let items = trades.iter().flat_map(|trade| trade.given.iter().chain(&trade.received));
        response["descriptions"] = descriptions(items.map(Described::moved), Flags::Booleans).into();
    }
    response
}

fn shown(trade: &Trade, all: &[Trade]) -> Value {
    let mut shown = json!({
        "tradeid": trade.id.as_str(),
        "steamid_other": trade.partner.to_string(),
        "time_init": seconds(trade.started_at),
        "status": trade.status.number(),
    });
    if let Some(until) = trade.protected_until {
        shown["time_settlement"] = json!(seconds(until));
    }
    if let Some(until) = trade.held_until {
        shown["time_escrow_end"] = json!(seconds(until).to_string());
    }
    if let Some(other) = other_of_rollback(trade, all) {
        shown["rollback_trade"] = json!(other.as_str());
    }
    let context = if trade.rollback_of.is_some() { PROTECTED } else { ORDINARY };
    for (list, assets) in [("assets_received", &trade.received), ("assets_given", &trade.given)] {
        if !assets.is_empty() {
            shown[list] = assets.iter().map(|asset| shown_asset(asset, context)).collect();
        }
    }
    shown
}

/// The other trade of a roll-back. Clients of Steam differ in which of the two names it, so that both do here.
fn other_of_rollback<'a>(trade: &'a Trade, all: &'a [Trade]) -> Option<&'a ExternalId> {
    let taken_back_by = || all.iter().find(|other| other.rollback_of.as_ref() == Some(&trade.id));
    trade.rollback_of.as_ref().or_else(|| taken_back_by().map(|other| &other.id))
}

fn shown_asset(asset: &MovedAsset, context: &str) -> Value {
    let [class, instance] = Described::moved(asset).ids();
    let mut shown = json!({
        "appid": asset.app_id.get(),
        "contextid": context,
        "assetid": asset.asset_id.as_str(),
        "amount": "1",
        "classid": class,
        "instanceid": instance,
    });
    if let Some((context, id)) = &asset.moved_to {
        shown["new_assetid"] = json!(id.as_str());
        shown["new_contextid"] = json!(context.get().to_string());
    }
    if let Some(id) = &asset.returned_as {
        shown["rollback_new_assetid"] = json!(id.as_str());
        shown["rollback_new_contextid"] = json!(ORDINARY);
    }
    shown
}
