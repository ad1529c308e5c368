//! The shapes of an account: what the driver needs, and what the cards have in addition. Of the user, the service says more than is read.

use tradepost_adapters_outside::RequiredShape;
use tradepost_adapters_outside::answers::{known, needed};

use crate::listing_fields::{FLAG, MAYBE_ARRAY, MAYBE_NUMBER, MAYBE_TEXT, NUMBER, OBJECT, TEXT};

/// What is needed, and what is known in addition.
type Pair = [&'static [RequiredShape]; 2];

pub(super) const ME: Pair = [
    &[
        needed("$", OBJECT),
        needed("$.user", OBJECT),
        needed("$.user.steam_id", NUMBER),
        needed("$.user.balance", NUMBER),
    ],
    &[
        known("$.user.*", &[]),
        known("$.actionable_trades", NUMBER),
        known("$.pending_offers", NUMBER),
        known("$.has_unread_notifications", FLAG),
    ],
];

pub(super) const STALL: Pair = [
    &[
        needed("$", OBJECT),
        needed("$.data", MAYBE_ARRAY),
        known("$.data[]", OBJECT),
        needed("$.data[].id", NUMBER),
        needed("$.data[].type", TEXT),
        needed("$.data[].state", TEXT),
        known("$.data[].price", MAYBE_NUMBER),
        needed("$.data[].item", OBJECT),
        needed("$.data[].item.market_hash_name", TEXT),
        known("$.cursor", MAYBE_TEXT),
    ],
    &[known("$.data[].*", &[]), known("$.total_count", NUMBER), known("$.total_price", NUMBER)],
];

pub(super) const ORDERS: Pair = [
    &[
        needed("$", OBJECT),
        needed("$.orders", MAYBE_ARRAY),
        known("$.orders[]", OBJECT),
        needed("$.orders[].id", NUMBER),
        known("$.orders[].price", NUMBER),
        known("$.orders[].max_price", NUMBER),
        known("$.orders[].qty", NUMBER),
        known("$.orders[].quantity", NUMBER),
        known("$.orders[].market_hash_name", MAYBE_TEXT),
    ],
    &[
        known("$.orders[].created_at", TEXT),
        known("$.orders[].expression", MAYBE_TEXT),
        known("$.orders[].bought_item_count", NUMBER),
        known("$.count", NUMBER),
    ],
];
