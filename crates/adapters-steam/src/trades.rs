//! Trades: those that began lately, and single ones, with the ids that each gave to its items.

mod holds;
mod offer_page;

use tradepost_adapters_outside::{RequiredShape, ServiceAnswer};
use tradepost_domain::asset::AssetId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeStatus};
use tradepost_ports::external::{ExternalError, Page, Pages};
use tradepost_ports::game_platform::{MovedAsset, PlatformRefusal, PlatformResult, Trade};

use crate::described::{self, Descriptions};
use crate::reading::{
    Entry, FLAG, MAYBE_ARRAY, MAYBE_NUMBER, NUMBER, OBJECT, known, needed, numbered, response, unavailable, unknown,
};
use crate::routes::{TRADE, TRADES};
use crate::signed_in::SignedIn;

pub(crate) use holds::hold_with;
pub(crate) use offer_page::hold_of;

/// The most pages that are read, and the most trades of a page.
const MOST_PAGES: usize = 50;
const ON_A_PAGE: usize = 100;

/// What the driver needs of the items of one side.
macro_rules! moved_at {
    ($at:literal) => {
        &[
            known($at, MAYBE_ARRAY),
            known(concat!($at, "[]"), OBJECT),
            needed(concat!($at, "[].appid"), NUMBER),
            needed(concat!($at, "[].assetid"), NUMBER),
            needed(concat!($at, "[].classid"), NUMBER),
            known(concat!($at, "[].instanceid"), MAYBE_NUMBER),
            known(concat!($at, "[].new_assetid"), MAYBE_NUMBER),
            known(concat!($at, "[].new_contextid"), MAYBE_NUMBER),
            known(concat!($at, "[].rollback_new_assetid"), MAYBE_NUMBER),
        ]
    };
}

const TRADES_SHAPE: &[RequiredShape] = &[
    needed("$", OBJECT),
    known("$.more", FLAG),
    needed("$.response", OBJECT),
    known("$.response.more", FLAG),
    known("$.response.trades", MAYBE_ARRAY),
    known("$.response.trades[]", OBJECT),
    needed("$.response.trades[].tradeid", NUMBER),
    needed("$.response.trades[].steamid_other", NUMBER),
    needed("$.response.trades[].time_init", NUMBER),
    needed("$.response.trades[].status", NUMBER),
    known("$.response.trades[].time_settlement", MAYBE_NUMBER),
    known("$.response.trades[].time_escrow_end", MAYBE_NUMBER),
    known("$.response.trades[].rollback_trade", MAYBE_NUMBER),
];
const SHAPES: &[&[RequiredShape]] = &[
    TRADES_SHAPE,
    moved_at!("$.response.trades[].assets_given"),
    moved_at!("$.response.trades[].assets_received"),
    described::SHAPE,
];

/// The trade after which a page begins. The first page begins after none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct After {
    time_init: u64,
    trade: u64,
}

/// Reads the trades that began at this time or later, oldest first.
///
/// Steam shows the newest ones first, so that all pages back to this time are read for the first one of the port.
pub(crate) async fn trades(account: &SignedIn<'_>, since: Timestamp) -> PlatformResult<Page<Trade>> {
    let mut after = After::default();
    let mut pages = Pages::of(|trade: &Trade| &trade.id);
    let most = ON_A_PAGE.to_string();
    for _ in 0..MOST_PAGES {
        let (time_init, trade) = (after.time_init.to_string(), after.trade.to_string());
        let query = [
            ("max_trades", most.as_str()),
            ("start_after_time", time_init.as_str()),
            ("start_after_tradeid", trade.as_str()),
            ("navigating_back", "0"),
            ("get_descriptions", "1"),
            ("language", "english"),
            ("include_failed", "1"),
            ("include_total", "0"),
        ];
        let (items, next) = page(&account.read(TRADES, &query).await?, since)?;
        pages.take(Page { items, next: next.map(|next| ExternalId::from(next.trade)) })?;
        let Some(next) = next else {
            return Ok(Page { items: oldest_first(pages.items()), next: None });
        };
        after = next;
    }
    Err(unknown(format!("its pages of trades do not end: {MOST_PAGES} were read")))
}

/// Reads one trade.
pub(crate) async fn trade(account: &SignedIn<'_>, id: &ExternalId) -> PlatformResult<Trade> {
    let number = numbered(id)?.to_string();
    let query = [("tradeid", number.as_str()), ("get_descriptions", "1"), ("language", "english")];
    let trade = single(&account.read(TRADE, &query).await?)?;
    if trade.id == *id { Ok(trade) } else { Err(unknown("it answered another trade".to_owned())) }
}

fn oldest_first(mut newest_first: Vec<Trade>) -> Vec<Trade> {
    // Trades of one second keep the order that Steam has them in.
    newest_first.reverse();
    newest_first.sort_by_key(|trade| trade.started_at);
    newest_first
}

/// Returns the trades of a page that began at this time or later, and where the next page begins if it can have any.
fn page(answer: &ServiceAnswer, since: Timestamp) -> PlatformResult<(Vec<Trade>, Option<After>)> {
    let Some(whole) = response(answer, SHAPES)? else { return Ok((Vec::new(), None)) };
    let root = Entry::of(&whole);
    let response = root.object("response")?;
    let descriptions = Descriptions::of(&response)?;
    let entries = response.list("trades");
    let (mut trades, mut last) = (Vec::new(), None);
    for entry in &entries {
        // What began earlier was not asked for. Steam may no longer describe its items.
        if entry.time("time_init")? >= since {
            trades.push(read_trade(entry, &descriptions)?);
            last = Some(After { time_init: entry.number("time_init")?, trade: entry.id("tradeid")?.get() });
        } else {
            last = None;
        }
    }
    let says_more = response.maybe_flag("more")?.or(root.maybe_flag("more")?);
    let has_more = says_more.unwrap_or(entries.len() >= ON_A_PAGE);
    if has_more && entries.is_empty() {
        return Err(unavailable("a page without trades that is not the last one"));
    }
    Ok((trades, last.filter(|_| has_more)))
}

fn single(answer: &ServiceAnswer) -> PlatformResult<Trade> {
    let not_found = ExternalError::Rejected(PlatformRefusal::NotFound);
    let whole = response(answer, SHAPES)?.ok_or(not_found)?;
    let response = Entry::of(&whole).object("response")?;
    let descriptions = Descriptions::of(&response)?;
    let trades = response.list("trades");
    read_trade(trades.first().ok_or_else(|| response.unread("trades"))?, &descriptions)
}

fn read_trade(entry: &Entry<'_>, descriptions: &Descriptions) -> PlatformResult<Trade> {
    let status = TradeStatus::from_number(entry.number("status")?);
    let related = entry.maybe_id("rollback_trade")?;
    // A trade that was rolled back names the one that did so: only the other direction is a roll-back.
    let rollback_of = related.filter(|_| status != TradeStatus::ProtectionRollback);
    let moved = |name: &str| -> PlatformResult<Vec<MovedAsset>> {
        entry.list(name).iter().map(|item| moved_asset(item, descriptions)).collect()
    };
    Ok(Trade {
        id: ExternalId::from(entry.id("tradeid")?.get()),
        partner: PlatformUserId::new(entry.id("steamid_other")?),
        status,
        given: moved("assets_given")?,
        received: moved("assets_received")?,
        started_at: entry.time("time_init")?,
        held_until: entry.maybe_time("time_escrow_end")?,
        protected_until: entry.maybe_time("time_settlement")?,
        rollback_of: rollback_of.map(|trade| ExternalId::from(trade.get())),
    })
}

fn moved_asset(item: &Entry<'_>, descriptions: &Descriptions) -> PlatformResult<MovedAsset> {
    let undescribed = || unavailable("a trade without the descriptions of its items");
    let described = descriptions.find(item)?.ok_or_else(undescribed)?;
    let (context_id, asset_id) = (item.maybe_context("new_contextid")?, item.maybe_id("new_assetid")?);
    Ok(MovedAsset {
        app_id: item.app_id()?,
        market_hash_name: described.market_hash_name.clone(),
        asset_id: AssetId::from(item.id("assetid")?),
        // An id without its context leads to no item, so that the trade is read again.
        moved_to: context_id.zip(asset_id.map(AssetId::from)),
        returned_as: item.maybe_id("rollback_new_assetid")?.map(AssetId::from),
    })
}

#[cfg(test)]
mod tests;
