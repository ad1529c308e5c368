//! The shapes of an account: what the driver needs, and what the cards have in addition. Of the user, the service says more than is read.

use tradepost_adapters_outside::RequiredShape;
use tradepost_adapters_outside::answers::{known, needed};

use crate::listing_fields::{FLAG, MAYBE_ARRAY, MAYBE_OBJECT, MAYBE_TEXT, NUMBER, OBJECT, TEXT};

/// What is needed, and what is known in addition.
type Pair = [&'static [RequiredShape]; 2];

pub(super) const USER: Pair = [
    &[needed("$", OBJECT), needed("$.success", FLAG), needed("$.user", OBJECT), needed("$.user.wallet", NUMBER)],
    &[known("$.user.*", &[])],
];

pub(super) const LISTINGS: Pair = [
    &[
        needed("$", OBJECT),
        needed("$.success", FLAG),
        needed("$.items", MAYBE_ARRAY),
        known("$.items[]", OBJECT),
        needed("$.items[].item_id", NUMBER),
        needed("$.items[].name", TEXT),
        needed("$.items[].price", NUMBER),
    ],
    &[
        known("$.items[].date", TEXT),
        known("$.items[].position", NUMBER),
        known("$.items[].market_name", MAYBE_TEXT),
        known("$.items[].steam_price", MAYBE_OBJECT),
        known("$.items[].steam_price.*", &[]),
        known("$.msg", MAYBE_TEXT),
    ],
];

pub(super) const ORDERS: Pair = [
    &[
        needed("$", OBJECT),
        needed("$.success", FLAG),
        needed("$.offers", MAYBE_ARRAY),
        known("$.offers[]", OBJECT),
        needed("$.offers[].id", NUMBER),
        needed("$.offers[].name", TEXT),
        needed("$.offers[].price", NUMBER),
        needed("$.offers[].amount", NUMBER),
        known("$.offers[].filled", NUMBER),
        known("$.count", NUMBER),
    ],
    &[known("$.offers[].game", TEXT), known("$.offers[].by", MAYBE_TEXT), known("$.msg", MAYBE_TEXT)],
];
