//! The shape of listings: what the driver needs of them, and what their cards have in addition. Paths that are not here may come, go and
//! change.

use tradepost_adapters_outside::RequiredShape;
use tradepost_adapters_outside::answers::{known, needed};

use crate::listing_fields::{ARRAY, FLAG, MAYBE_ARRAY, MAYBE_NUMBER, MAYBE_TEXT, NUMBER, OBJECT, TEXT};

/// What the driver needs of listings at a path, after what it needs above them.
macro_rules! needed_of_listings {
    ($at:literal $(, $above:expr)*) => {
        &[
            needed("$", OBJECT),
            needed("$.success", FLAG),
            $($above,)*
            known($at, OBJECT),
            needed(concat!($at, ".item_id"), NUMBER),
            needed(concat!($at, ".name"), TEXT),
            needed(concat!($at, ".price"), MAYBE_NUMBER),
            known(concat!($at, ".phase"), MAYBE_TEXT),
            known(concat!($at, ".float"), MAYBE_NUMBER),
            known(concat!($at, ".paint_index"), MAYBE_NUMBER),
        ]
    };
}

/// What cards have of listings at a path in addition, and of what is above them.
macro_rules! known_of_listings {
    ($at:literal $(, $above:expr)*) => {
        &[
            $($above,)*
            known("$.msg", MAYBE_TEXT),
            known(concat!($at, ".image"), MAYBE_TEXT),
            known(concat!($at, ".steam_price"), MAYBE_NUMBER),
            known(concat!($at, ".type"), MAYBE_TEXT),
        ]
    };
}

pub(super) const NEEDED_OF_NAMES: &[RequiredShape] = needed_of_listings!(
    "$.data[].listings[]",
    needed("$.data", ARRAY),
    known("$.data[]", OBJECT),
    needed("$.data[].name", TEXT),
    needed("$.data[].listings", MAYBE_ARRAY)
);
pub(super) const KNOWN_OF_NAMES: &[RequiredShape] = known_of_listings!(
    "$.data[].listings[]",
    known("$.data[].listings[].by", TEXT),
    known("$.data[].listings[].classid", NUMBER),
    known("$.data[].listings[].inspect", MAYBE_TEXT),
    known("$.data[].orders", MAYBE_ARRAY),
    known("$.data[].orders[]", OBJECT),
    known("$.data[].orders[].*", &[]),
    known("$.data[].history", MAYBE_ARRAY),
    known("$.data[].history[]", OBJECT),
    known("$.data[].history[].*", &[]),
    known("$.data[].info", OBJECT),
    known("$.data[].info.*", &[])
);

pub(super) const NEEDED_OF_LIST: &[RequiredShape] = needed_of_listings!("$.items[]", needed("$.items", ARRAY));
pub(super) const KNOWN_OF_LIST: &[RequiredShape] = known_of_listings!(
    "$.items[]",
    known("$.count", NUMBER),
    known("$.items[].best_deals", MAYBE_NUMBER),
    known("$.items[].discount", MAYBE_NUMBER),
    known("$.items[].brand", MAYBE_TEXT)
);

pub(super) const NEEDED_OF_AVAILABLE: &[RequiredShape] =
    needed_of_listings!("$.items[]", needed("$.items", ARRAY), needed("$.items[].selling", FLAG));
pub(super) const KNOWN_OF_AVAILABLE: &[RequiredShape] = known_of_listings!("$.items[]");
