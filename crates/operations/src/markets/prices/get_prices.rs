//! [`GetPrice`] and [`GetPrices`]: what variants are worth at present, and by what.

use std::collections::BTreeSet;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::PriceReference;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::pricing::Price;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use super::price_basis::PriceBasis;
use crate::markets::observations::variants::VariantName;
use crate::rules;
use crate::{OpError, OpResult, Operations};

/// The most variants at once.
const MOST: usize = 200;

/// A request for the fair value of a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetPrice {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The variant.
    pub variant: VariantName,
}

/// A request for the fair values of several variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetPrices {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The variants, 1 to 200.
    pub variants: Vec<VariantName>,
}

/// The price basis of a variant, and how the workspace values it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceOf {
    /// The variant.
    pub variant: Variant,
    /// The price basis.
    pub basis: PriceBasis,
    /// The rules by which the workspace values it.
    pub reference: PriceReference,
    /// The time of the calculation.
    pub computed_at: Timestamp,
}

impl PriceOf {
    /// Returns the price.
    pub fn price(&self) -> Price<'_> {
        self.basis.price(&self.reference, self.computed_at)
    }

    /// Returns whether an operator set the value.
    pub fn is_overridden(&self) -> bool {
        self.basis.given.as_ref().is_some_and(|given| self.computed_at < given.expires_at)
    }
}

impl Operations {
    /// Returns the fair value of a variant by the rules of the workspace; a variant without any quote has no value.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field.
    pub async fn get_price(&self, caller: &Caller, command: GetPrice) -> OpResult<PriceOf> {
        let scope = rules::GET_PRICE.enter(&caller.principal, command.workspace_id)?;
        let variant = command.variant.check("")?;
        let found = self.prices(scope, vec![variant]).await?;
        found.into_iter().next().ok_or_else(|| OpError::internal("a price was lost"))
    }

    /// Returns the fair values of several variants, each once and in the order asked for.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for none or too many, or naming the field.
    pub async fn get_prices(&self, caller: &Caller, command: GetPrices) -> OpResult<Vec<PriceOf>> {
        let scope = rules::GET_PRICES.enter(&caller.principal, command.workspace_id)?;
        if command.variants.is_empty() || command.variants.len() > MOST {
            return Err(OpError::invalid_field("variants", format_args!("must have 1 to {MOST} variants")));
        }
        let checked = command.variants.iter().enumerate();
        let variants = checked.map(|(index, name)| name.check(&format!("variants[{index}].")));
        let variants = variants.collect::<OpResult<Vec<Variant>>>()?;
        self.prices(scope, variants).await
    }

    async fn prices(&self, scope: WorkspaceScope, variants: Vec<Variant>) -> OpResult<Vec<PriceOf>> {
        let mut bases = self.price_bases(scope, &variants).await?;
        let (reference, computed_at) = (self.price_reference(scope).await?, self.market_now(scope.workspace_id()));
        let mut given = BTreeSet::new();
        let once = variants.into_iter().filter(|variant| given.insert(variant.clone()));
        let price = |variant: Variant| PriceOf {
            basis: bases.remove(&variant).unwrap_or_default(),
            variant,
            reference: reference.clone(),
            computed_at,
        };
        Ok(once.map(price).collect())
    }
}
