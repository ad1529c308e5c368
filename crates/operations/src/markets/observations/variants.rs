//! Variants as requests name them.

use tradepost_domain::asset::AppId;
use tradepost_domain::markets::variant::Variant;

use crate::{OpError, OpResult, fields};

/// A variant as it is given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VariantName {
    /// The game's number; 0 is Counter-Strike 2.
    pub app_id: i64,
    /// The game market's name, 1 to 256 characters.
    pub market_hash_name: String,
    /// The phase, 1 to 64 characters; `None` or empty for variants without one.
    pub phase: Option<String>,
}

impl VariantName {
    /// Returns the variant. `below` is what the fields are part of, with its dot, or nothing.
    pub(crate) fn check(&self, below: &str) -> OpResult<Variant> {
        let field = |name: &str| format!("{below}{name}");
        let phase = self.phase.as_deref().filter(|phase| !phase.is_empty());
        Ok(Variant {
            app_id: app_id(&field("appId"), self.app_id)?,
            market_hash_name: fields::text(&field("marketHashName"), &self.market_hash_name)?,
            phase: fields::optional(phase, fields::text, &field("phase"))?,
        })
    }
}

/// Returns the game with a number; 0 is Counter-Strike 2.
pub(crate) fn app_id(field: &str, number: i64) -> OpResult<AppId> {
    match fields::whole(field, number)? {
        0 => Ok(AppId::default()),
        number => AppId::new(number).map_err(|error| OpError::invalid_field(field, error)),
    }
}
