//! The shape of listings: what the driver needs of them, and what their cards have in addition. Paths that are not here may come, go and
//! change.

use tradepost_adapters_outside::RequiredShape;
use tradepost_adapters_outside::answers::{known, needed};

use crate::listing_fields::{ARRAY, FLAG, MAYBE_ARRAY, MAYBE_NUMBER, MAYBE_OBJECT, MAYBE_TEXT, NUMBER, OBJECT, TEXT};

/// What the driver needs of listings at a path, after what it needs above them.
macro_rules! needed_of_listings {
    ($at:literal $(, $above:expr)*) => {
        &[
            $($above,)*
            needed(concat!($at, ".id"), NUMBER),
            needed(concat!($at, ".type"), TEXT),
            needed(concat!($at, ".state"), TEXT),
            needed(concat!($at, ".price"), MAYBE_NUMBER),
            known(concat!($at, ".seller"), MAYBE_OBJECT),
            known(concat!($at, ".seller.statistics"), MAYBE_OBJECT),
            known(concat!($at, ".seller.statistics.total_trades"), MAYBE_NUMBER),
            known(concat!($at, ".seller.statistics.total_verified_trades"), MAYBE_NUMBER),
            needed(concat!($at, ".item"), OBJECT),
            needed(concat!($at, ".item.asset_id"), NUMBER),
            needed(concat!($at, ".item.market_hash_name"), TEXT),
            known(concat!($at, ".item.phase"), MAYBE_TEXT),
            known(concat!($at, ".item.rarity"), MAYBE_NUMBER),
            known(concat!($at, ".item.float_value"), MAYBE_NUMBER),
            known(concat!($at, ".item.paint_seed"), MAYBE_NUMBER),
            known(concat!($at, ".item.paint_index"), MAYBE_NUMBER),
            known(concat!($at, ".item.stickers"), MAYBE_ARRAY),
            known(concat!($at, ".item.stickers[]"), OBJECT),
            needed(concat!($at, ".item.stickers[].name"), TEXT),
            known(concat!($at, ".item.stickers[].wear"), MAYBE_NUMBER),
        ]
    };
}

/// What cards have of listings at a path in addition, after what they have above them.
macro_rules! known_of_listings {
    ($at:literal $(, $above:expr)*) => {
        &[
            $($above,)*
            known(concat!($at, ".created_at"), TEXT),
            known(concat!($at, ".watchers"), NUMBER),
            known(concat!($at, ".seller.steam_id"), TEXT),
            known(concat!($at, ".seller.obfuscated_id"), TEXT),
            known(concat!($at, ".seller.online"), FLAG),
            known(concat!($at, ".seller.statistics.median_trade_time"), NUMBER),
            known(concat!($at, ".seller.statistics.total_failed_trades"), NUMBER),
            known(concat!($at, ".item.def_index"), NUMBER),
            known(concat!($at, ".item.quality"), NUMBER),
            known(concat!($at, ".item.is_stattrak"), FLAG),
            known(concat!($at, ".item.tradable"), NUMBER),
            known(concat!($at, ".item.stickers[].stickerId"), NUMBER),
            known(concat!($at, ".item.stickers[].slot"), NUMBER),
            known(concat!($at, ".item.stickers[].reference.*"), NUMBER),
            known(concat!($at, ".item.stickers[].reference"), OBJECT),
        ]
    };
}

pub(super) const NEEDED_BARE: &[RequiredShape] = needed_of_listings!("$[]", needed("$", ARRAY), known("$[]", OBJECT));
pub(super) const KNOWN_BARE: &[RequiredShape] = known_of_listings!("$[]");

pub(super) const NEEDED_IN_OBJECT: &[RequiredShape] =
    needed_of_listings!("$.data[]", needed("$", OBJECT), needed("$.data", ARRAY), known("$.data[]", OBJECT));
pub(super) const KNOWN_IN_OBJECT: &[RequiredShape] = known_of_listings!("$.data[]", known("$.cursor", TEXT));

pub(super) const NEEDED_ALONE: &[RequiredShape] = needed_of_listings!("$", needed("$", OBJECT));
pub(super) const KNOWN_ALONE: &[RequiredShape] = known_of_listings!("$");
