//! What the platform shows of an item, in the columns that the tables of snapshots and changes share.

use tradepost_domain::asset::{AppId, AssetId, ContextId, Wear};
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::snapshot::{Face, ItemPlace, ShownItem};
use tradepost_ports::store::StoreResult;

use crate::rows::RowLocation;

/// The columns of an item.
pub(crate) struct ItemColumns<'a> {
    pub(crate) app_id: i64,
    pub(crate) market_hash_name: &'a str,
    pub(crate) wear: Option<&'a str>,
    pub(crate) paint_seed: Option<i64>,
    pub(crate) phase: Option<&'a str>,
    pub(crate) place: PlaceColumns<'a>,
}

/// The columns of its place.
pub(crate) struct PlaceColumns<'a> {
    pub(crate) asset_id: &'a str,
    pub(crate) context_id: i64,
    pub(crate) locked_until: Option<i64>,
}

/// A context as it is stored.
pub(crate) fn context_number(context_id: ContextId) -> i64 {
    // A context has at most 63 bits.
    i64::try_from(context_id.get()).unwrap_or(i64::MAX)
}

pub(crate) fn item_of(at: RowLocation, row: &ItemColumns<'_>) -> StoreResult<ShownItem> {
    Ok(ShownItem {
        app_id: at.read("app_id", AppId::new(at.number("app_id", row.app_id)?))?,
        market_hash_name: at.read("market_hash_name", Text::new(row.market_hash_name))?,
        face: Face {
            wear: at.read_some("wear", row.wear, Wear::new)?,
            paint_seed: row.paint_seed.map(|seed| at.number("paint_seed", seed)).transpose()?,
            phase: at.read_some("phase", row.phase, Text::new)?,
        },
        place: place_of(at, &row.place)?,
    })
}

pub(crate) fn place_of(at: RowLocation, row: &PlaceColumns<'_>) -> StoreResult<ItemPlace> {
    Ok(ItemPlace {
        asset_id: at.read("asset_id", AssetId::new(row.asset_id))?,
        context_id: at.read("context_id", ContextId::new(at.number("context_id", row.context_id)?))?,
        locked_until: at.read_some("locked_until", row.locked_until, Timestamp::from_micros)?,
    })
}
