//! The shape of listings: what the driver needs of them, and what their cards have in addition. Paths that are not here may come, go and
//! change.

use tradepost_adapters_outside::answers::{known, needed};
use tradepost_adapters_outside::{JsonType, RequiredShape};

use crate::listing_fields::{ARRAY, FLAG, MAYBE_ARRAY, MAYBE_NUMBER, MAYBE_TEXT, NUMBER, OBJECT, TEXT};

/// The traits of an item: an object, or a list without entries.
const TRAITS: &[JsonType] = &[JsonType::Object, JsonType::Array, JsonType::Null];

/// What the driver needs of listings at a path, after what it needs above them.
macro_rules! needed_of_listings {
    ($at:literal $(, $above:expr)*) => {
        &[
            needed("$", OBJECT),
            needed("$.success", FLAG),
            needed("$.currency", TEXT),
            $($above,)*
            known($at, OBJECT),
            needed(concat!($at, ".id"), NUMBER),
            needed(concat!($at, ".price"), MAYBE_NUMBER),
            known(concat!($at, ".market_hash_name"), MAYBE_TEXT),
            known(concat!($at, ".count"), MAYBE_NUMBER),
            known(concat!($at, ".extra"), TRAITS),
            known(concat!($at, ".extra.asset"), MAYBE_NUMBER),
            known(concat!($at, ".extra.float"), MAYBE_NUMBER),
            known(concat!($at, ".extra.phase"), MAYBE_TEXT),
            known(concat!($at, ".extra.paintseed"), MAYBE_NUMBER),
            known(concat!($at, ".extra.paintindex"), MAYBE_NUMBER),
        ]
    };
}

/// What cards have of listings at a path in addition.
macro_rules! known_of_listings {
    ($at:literal) => {
        &[
            known(concat!($at, ".class"), NUMBER),
            known(concat!($at, ".instance"), NUMBER),
            known(concat!($at, ".chance_to_transfer"), MAYBE_NUMBER),
            known(concat!($at, ".extra.stickers"), MAYBE_TEXT),
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
pub(super) const KNOWN_OF_NAMES: &[RequiredShape] = known_of_listings!("$.data[].listings[]");

pub(super) const NEEDED_OF_NAME: &[RequiredShape] = needed_of_listings!("$.data[]", needed("$.data", ARRAY));
pub(super) const KNOWN_OF_NAME: &[RequiredShape] = known_of_listings!("$.data[]");
