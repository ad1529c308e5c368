//! What distinguishes items of one name, as JSON: columns named `traits`. Few items have most of it, and no statement searches it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tradepost_domain::asset::Wear;
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::markets::listing::{Rarity, Sticker};
use tradepost_domain::text::Text;
use tradepost_ports::store::StoreResult;

use crate::rows::RowLocation;

/// A text that is read where it is, unless it has escapes: every purchase and item that is read has these.
#[derive(Serialize, Deserialize, PartialEq)]
struct Written<'a>(#[serde(borrow)] Cow<'a, str>);

/// Empty parts are omitted.
#[derive(Serialize, Deserialize, Default, PartialEq)]
#[serde(deny_unknown_fields, default)]
struct Row<'a> {
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    wear: Option<Written<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    phase: Option<Written<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rarity: Option<i16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stickers: Option<Vec<(String, Option<String>)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    charms: Option<Vec<String>>,
}

/// The column; nothing when nothing is known.
pub(crate) fn to_json(traits: &Traits) -> Option<String> {
    let sticker = |sticker: &Sticker| (sticker.name.to_string(), sticker.wear.as_ref().map(ToString::to_string));
    let row = Row {
        wear: traits.wear.as_ref().map(|wear| Written(wear.to_string().into())),
        seed: traits.paint_seed,
        phase: traits.phase.as_ref().map(|phase| Written(phase.as_str().into())),
        rarity: traits.rarity.map(Rarity::code),
        index: traits.paint_index,
        stickers: traits.stickers.as_ref().map(|stickers| stickers.iter().map(sticker).collect()),
        charms: traits.charms.as_ref().map(|charms| charms.iter().map(ToString::to_string).collect()),
    };
    // Texts and numbers are always JSON.
    (row != Row::default()).then(|| serde_json::to_string(&row).unwrap_or_default())
}

/// What the column says.
pub(crate) fn from_json(at: RowLocation, json: Option<&str>) -> StoreResult<Traits> {
    let Some(json) = json else { return Ok(Traits::default()) };
    let row: Row<'_> = at.read(TRAITS, serde_json::from_str(json))?;
    let sticker = |name: &str, wear: Option<&str>| {
        let wear = at.read_some(TRAITS, wear, str::parse)?;
        Ok(Sticker { name: at.read(TRAITS, Text::new(name))?, wear })
    };
    let stickers = row
        .stickers
        .map(|stickers| stickers.iter().map(|(name, wear)| sticker(name, wear.as_deref())).collect::<StoreResult<_>>());
    let charm = |name: &String| at.read(TRAITS, Text::new(name));
    let charms = row.charms.map(|charms| charms.iter().map(charm).collect::<StoreResult<_>>());
    Ok(Traits {
        wear: at.read_some(TRAITS, row.wear, |wear| Wear::new(&wear.0))?,
        paint_seed: row.seed,
        phase: at.read_some(TRAITS, row.phase, |phase| Text::new(phase.0.as_ref()))?,
        rarity: row.rarity.map(|code| at.code(TRAITS, code, Rarity::from_code)).transpose()?,
        paint_index: row.index,
        stickers: stickers.transpose()?,
        charms: charms.transpose()?,
    })
}

const TRAITS: &str = "traits";
