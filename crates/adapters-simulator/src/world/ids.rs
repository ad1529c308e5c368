//! The numbers under which the world keeps things, and how they look from outside.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};
use tradepost_domain::asset::AssetId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade::PlatformUserId;

macro_rules! kinds {
    ($($kind:ident),*) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub(super) struct $kind(NonZeroU64);
    )*};
}

/// For what is known outside by its number as text.
macro_rules! known_outside {
    ($($kind:ident),*) => {$(
        impl From<$kind> for ExternalId {
            fn from(id: $kind) -> Self {
                Self::from(id.0.get())
            }
        }

        impl $kind {
            /// Returns the id that a text names, if it is a number.
            pub(super) fn named(text: &ExternalId) -> Option<Self> {
                text.as_str().parse().ok().map(Self)
            }
        }
    )*};
}

kinds!(ItemId, ListingId, DealId, OfferId, ConfirmationId, TradeId, PersonId, AssetNumber);
known_outside!(ListingId, DealId, OfferId, ConfirmationId, TradeId);

impl From<AssetNumber> for AssetId {
    fn from(number: AssetNumber) -> Self {
        Self::from(number.0)
    }
}

impl AssetNumber {
    pub(super) fn of(id: &AssetId) -> Option<Self> {
        id.as_str().parse().ok().map(Self)
    }
}

impl From<PersonId> for PlatformUserId {
    fn from(id: PersonId) -> Self {
        Self::new(id.0)
    }
}

impl From<PlatformUserId> for PersonId {
    fn from(id: PlatformUserId) -> Self {
        Self(id.number())
    }
}

/// Hands out numbers. One count serves all that is kept, so that an id of one kind never passes for one of another.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct IdAllocator {
    kept: NonZeroU64,
    assets: NonZeroU64,
    people: NonZeroU64,
}

/// Where the platform's numbers begin; those of people as `SteamID64` does.
const fn beginning(number: u64) -> NonZeroU64 {
    match NonZeroU64::new(number) {
        Some(number) => number,
        None => NonZeroU64::MIN,
    }
}

impl Default for IdAllocator {
    fn default() -> Self {
        Self { kept: beginning(1_000), assets: beginning(27_000_000_000), people: beginning(76_561_197_960_265_728) }
    }
}

fn next(last: &mut NonZeroU64) -> NonZeroU64 {
    *last = last.saturating_add(1);
    *last
}

impl IdAllocator {
    pub(super) fn item(&mut self) -> ItemId {
        ItemId(next(&mut self.kept))
    }

    pub(super) fn listing(&mut self) -> ListingId {
        ListingId(next(&mut self.kept))
    }

    pub(super) fn deal(&mut self) -> DealId {
        DealId(next(&mut self.kept))
    }

    pub(super) fn offer(&mut self) -> OfferId {
        OfferId(next(&mut self.kept))
    }

    pub(super) fn confirmation(&mut self) -> ConfirmationId {
        ConfirmationId(next(&mut self.kept))
    }

    pub(super) fn trade(&mut self) -> TradeId {
        TradeId(next(&mut self.kept))
    }

    pub(super) fn asset(&mut self) -> AssetNumber {
        AssetNumber(next(&mut self.assets))
    }

    pub(super) fn person(&mut self) -> PersonId {
        PersonId(next(&mut self.people))
    }
}
