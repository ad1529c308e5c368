//! A value that a person gave to a variant, with who did it and why. What it does to a price is [`pricing`](crate::markets::pricing)'s.

use crate::id::{PriceOverrideId, WorkspaceId};
use crate::markets::pricing::PriceOverride;
use crate::markets::variant::Variant;
use crate::text::ReasonText;
use crate::time::Timestamp;
use crate::transition::Actor;

/// The value of a variant. A variant has one at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantOverride {
    /// Its id.
    pub id: PriceOverrideId,
    /// The workspace in which it counts.
    pub workspace_id: WorkspaceId,
    /// What it is the value of.
    pub variant: Variant,
    /// The value, and until when it counts.
    pub given: PriceOverride,
    /// Why it was given.
    pub reason: ReasonText,
    /// Who gave it.
    pub given_by: Actor,
    /// When the variant was first given one.
    pub created_at: Timestamp,
    /// When this one was given.
    pub updated_at: Timestamp,
}

impl VariantOverride {
    /// The same variant with another value.
    #[must_use]
    pub fn replaced(self, given: PriceOverride, reason: ReasonText, given_by: Actor, at: Timestamp) -> Self {
        Self { given, reason, given_by, updated_at: at, ..self }
    }
}
