//! An item variant: what is priced as one. The differences and costs of its items are not known here.

use std::fmt;

use crate::asset::AppId;
use crate::text::{MarketHashName, Name};

/// All items of a game that share market name and phase. The name alone is not enough: of some patterns, phases that are
/// worth many times each other are sold under one name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variant {
    /// The game.
    pub app_id: AppId,
    /// The game market's name.
    pub market_hash_name: MarketHashName,
    /// The phase of a pattern that is sold under one market name.
    pub phase: Option<Name>,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { app_id, market_hash_name, phase } = self;
        write!(f, "{}/{market_hash_name}", app_id.get())?;
        phase.as_ref().map_or(Ok(()), |phase| write!(f, "/{phase}"))
    }
}
