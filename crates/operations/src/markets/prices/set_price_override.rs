//! [`SetPriceOverride`]: gives a variant a value that wins over every source for a while.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::pricing::PriceOverride;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::ReasonText;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Actor;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{StoreError, Unique};

use crate::commit::known_actor;
use crate::markets::observations::variants::VariantName;
use crate::results::{require_version, require_version_of};
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// Gives a variant a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetPriceOverride {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The variant.
    pub variant: VariantName,
    /// The value in cents, at least 1. Required.
    pub price_cents: Option<i64>,
    /// The time until which it counts. Required.
    pub expires_at: Option<Timestamp>,
    /// Why, 1 to 200 characters.
    pub reason: String,
    /// The version that the caller saw of the value that the variant has; rejected when it has another one, or none.
    pub expected_version: Option<i64>,
}

/// The value that a variant is to have.
struct Wanted {
    variant: Variant,
    given: PriceOverride,
    reason: ReasonText,
    given_by: Actor,
}

impl SetPriceOverride {
    fn check(&self, caller: &Caller) -> OpResult<Wanted> {
        let variant = self.variant.check("")?;
        let price = fields::required(self.price_cents, fields::cents, "priceCents")?;
        if price == Cents::ZERO {
            return Err(OpError::invalid_field("priceCents", "must be at least 1"));
        }
        let expires_at = self.expires_at.ok_or_else(|| OpError::invalid_field("expiresAt", "is required"))?;
        let reason = fields::text("reason", &self.reason)?;
        fields::expected_version(self.expected_version)?;
        let given_by = known_actor(caller).unwrap_or(Actor::System);
        Ok(Wanted { variant, given: PriceOverride { price, expires_at }, reason, given_by })
    }
}

impl Operations {
    /// Sets the value of a variant, in place of the previous one.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field; `failed_precondition` with `EXPIRY_IN_PAST`, and with
    /// `VERSION_MISMATCH`.
    pub async fn set_price_override(
        &self,
        caller: &Caller,
        command: SetPriceOverride,
    ) -> OpResult<Versioned<VariantOverride>> {
        let scope = rules::SET_PRICE_OVERRIDE.enter(&caller.principal, command.workspace_id)?;
        let wanted = command.check(caller)?;
        self.retrying(|| async {
            let at = self.market_now(command.workspace_id);
            if wanted.given.expires_at <= at {
                return Err(OpError::failed_precondition(Reason::ExpiryInPast, "expiresAt has passed"));
            }
            let names = std::slice::from_ref(&wanted.variant.market_hash_name);
            let found = self.ports.store.prices().find_overrides_of(scope, names).await?;
            let known = found.into_iter().find(|seen| seen.peek().variant == wanted.variant);
            let mut changes = Changes::by(caller);
            let set = if let Some(seen) = known {
                require_version(&seen, command.expected_version)?;
                let (given, reason) = (wanted.given.clone(), wanted.reason.clone());
                let replace = |known: VariantOverride| known.replaced(given, reason, wanted.given_by, at);
                Versioned::from(changes.revise(seen, |known| Ok::<_, OpError>(replace(known)))?)
            } else {
                require_version_of(0, command.expected_version)?;
                let new = self.first_override(scope, &wanted, at);
                changes.insert(new.clone());
                Versioned::new(new)
            };
            changes.audit(AuditKind::PriceOverrideSet, &set.value);
            match self.commit(caller, changes).await {
                // Another caller gave the variant its first one in the meantime.
                Err(OpError { source: Some(StoreError::Duplicate(Unique::OverriddenVariant)), .. }) => {
                    Err(StoreError::Conflict.into())
                }
                done => done.map(|_| set),
            }
        })
        .await
    }

    fn first_override(&self, scope: WorkspaceScope, wanted: &Wanted, at: Timestamp) -> VariantOverride {
        VariantOverride {
            id: self.mint(),
            workspace_id: scope.workspace_id(),
            variant: wanted.variant.clone(),
            given: wanted.given.clone(),
            reason: wanted.reason.clone(),
            given_by: wanted.given_by,
            created_at: at,
            updated_at: at,
        }
    }
}
