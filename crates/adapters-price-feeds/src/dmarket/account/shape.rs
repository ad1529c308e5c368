//! The shapes of an account: what the driver needs, and what the cards have in addition.

use tradepost_adapters_outside::answers::{known, needed};
use tradepost_adapters_outside::{JsonType, RequiredShape};

use crate::listing_fields::{FLAG, MAYBE_ARRAY, MAYBE_TEXT, NUMBER, OBJECT, TEXT};

/// What is needed, and what is known in addition.
type Pair = [&'static [RequiredShape]; 2];

/// Whether the balance is a text or an object is not known for sure, so that both are read.
const BALANCES: &[JsonType] = &[JsonType::String, JsonType::Object];

pub(super) const BALANCE: &[RequiredShape] =
    &[needed("$", OBJECT), needed("$.usd", BALANCES), known("$.usd.amount", TEXT)];
pub(super) const ALSO_OF_BALANCE: &[RequiredShape] = &[
    known("$.usd.*", &[]),
    known("$.usdAvailableToWithdraw", BALANCES),
    known("$.usdAvailableToWithdraw.*", &[]),
    known("$.dmc", BALANCES),
    known("$.dmc.*", &[]),
    known("$.dmcAvailableToWithdraw", BALANCES),
    known("$.dmcAvailableToWithdraw.*", &[]),
];

pub(super) const OFFERS: Pair = [
    &[
        needed("$", OBJECT),
        known("$.items", MAYBE_ARRAY),
        known("$.items[]", OBJECT),
        needed("$.items[].offerId", TEXT),
        needed("$.items[].priceCents", NUMBER),
        needed("$.items[].attributes", OBJECT),
        needed("$.items[].attributes.title", TEXT),
        known("$.cursor", MAYBE_TEXT),
    ],
    &[
        known("$.items[].locked", FLAG),
        known("$.items[].createdAt", TEXT),
        known("$.items[].offerType", TEXT),
        known("$.items[].discountPercent", NUMBER),
        known("$.items[].attributes.*", &[]),
        known("$.total", NUMBER),
    ],
];

pub(super) const TARGETS: Pair = [
    &[
        needed("$", OBJECT),
        known("$.items", MAYBE_ARRAY),
        known("$.items[]", OBJECT),
        needed("$.items[].targetId", TEXT),
        known("$.items[].title", MAYBE_TEXT),
        needed("$.items[].amount", NUMBER),
        needed("$.items[].priceCents", NUMBER),
        known("$.items[].status", TEXT),
        known("$.cursor", MAYBE_TEXT),
    ],
    &[
        known("$.items[].attributes", OBJECT),
        known("$.items[].attributes.*", &[]),
        known("$.items[].createdAt", TEXT),
        known("$.items[].updatedAt", TEXT),
        known("$.total", NUMBER),
    ],
];
