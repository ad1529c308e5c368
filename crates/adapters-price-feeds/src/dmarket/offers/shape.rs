//! The shape of offers: what the driver needs of them, and what their card has in addition. Paths that are not here may come, go and
//! change.

use tradepost_adapters_outside::RequiredShape;
use tradepost_adapters_outside::answers::{known, needed};

use crate::listing_fields::{ARRAY, FLAG, MAYBE_ARRAY, MAYBE_NUMBER, MAYBE_OBJECT, MAYBE_TEXT, NUMBER, OBJECT, TEXT};

pub(super) const NEEDED: &[RequiredShape] = &[
    needed("$", OBJECT),
    needed("$.items", ARRAY),
    known("$.items[]", OBJECT),
    needed("$.items[].offerId", TEXT),
    needed("$.items[].priceCents", NUMBER),
    known("$.items[].locked", FLAG),
    known("$.items[].offerType", TEXT),
    needed("$.items[].attributes", OBJECT),
    needed("$.items[].attributes.title", TEXT),
    needed("$.items[].attributes.steamAssetId", NUMBER),
    known("$.items[].attributes.tradable", FLAG),
    known("$.items[].attributes.unlockDate", MAYBE_TEXT),
    known("$.items[].attributes.cs2", MAYBE_OBJECT),
    known("$.items[].attributes.cs2.float", MAYBE_NUMBER),
    known("$.items[].attributes.cs2.paintSeed", MAYBE_NUMBER),
    known("$.items[].attributes.cs2.paintIndex", MAYBE_NUMBER),
    known("$.items[].attributes.cs2.phase", MAYBE_TEXT),
    known("$.items[].attributes.cs2.quality", MAYBE_TEXT),
    known("$.items[].attributes.cs2.stickers", MAYBE_ARRAY),
    known("$.items[].attributes.cs2.stickers[]", OBJECT),
    needed("$.items[].attributes.cs2.stickers[].name", TEXT),
    known("$.items[].attributes.cs2.stickers[].wear", MAYBE_NUMBER),
    known("$.items[].attributes.cs2.charms", MAYBE_ARRAY),
    known("$.items[].attributes.cs2.charms[]", OBJECT),
    known("$.items[].attributes.cs2.charms[].name", MAYBE_TEXT),
    known("$.cursor", MAYBE_TEXT),
];

/// Of an item, the document of the service names a hundred attributes.
pub(super) const ALSO_KNOWN: &[RequiredShape] = &[
    known("$.items[].createdAt", TEXT),
    known("$.items[].discountPercent", NUMBER),
    known("$.items[].attributes.*", &[]),
    known("$.total", NUMBER),
];
