//! The data with which an evaluation values variants: the quotes of the sources, the operator's values, and the workspace's rules.

use std::collections::BTreeMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::PriceReference;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::observation::ON_SALE_FOR;
use tradepost_domain::markets::pricing::{Price, PriceOverride, Quote, Quotes};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::PriceSnapshot;

use crate::rules::WRITE_MARKETS;
use crate::{OpResult, Operations};

/// The data by which a variant is valued.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriceBasis {
    /// The quotes: of price sources the last reported one, and of marketplaces the cheapest listing that was seen there in the
    /// last 15 minutes.
    pub quotes: Quotes,
    /// The operator's value; it may have expired.
    pub given: Option<PriceOverride>,
}

impl PriceBasis {
    /// Returns the price basis of a variant when a listing of it was observed.
    pub(crate) fn then(prices: PriceSnapshot) -> Self {
        let mut quotes: Quotes = prices.quotes.into_iter().collect();
        prices.asks.into_iter().for_each(|ask| quotes.note_ask(ask));
        Self { quotes, given: prices.given }
    }

    /// Returns the fair value of the variant by a reference.
    pub fn price(&self, reference: &PriceReference, at: Timestamp) -> Price<'_> {
        Price::of(&self.quotes, self.given.as_ref(), reference, at)
    }
}

impl Operations {
    /// Returns the current price basis of a variant, in two statements.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn quotes_of(&self, scope: WorkspaceScope, variant: &Variant) -> OpResult<PriceBasis> {
        let mut found = self.price_bases(scope, std::slice::from_ref(variant)).await?;
        Ok(found.remove(variant).unwrap_or_default())
    }

    /// Returns the same for several variants, in two statements. Every variant has an entry.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn price_bases(
        &self,
        scope: WorkspaceScope,
        variants: &[Variant],
    ) -> OpResult<BTreeMap<Variant, PriceBasis>> {
        let mut names: Vec<MarketHashName> = variants.iter().map(|variant| variant.market_hash_name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        let prices = self
            .ports
            .store
            .quotes()
            .find(scope, &names, self.market_now(scope.workspace_id()).plus(-ON_SALE_FOR))
            .await?;
        let given = self.ports.store.prices().find_overrides_of(scope, &names).await?;
        let mut valued: BTreeMap<Variant, PriceBasis> =
            variants.iter().map(|variant| (variant.clone(), PriceBasis::default())).collect();
        for (variant, quote) in together(prices.quotes, prices.asks) {
            if let Some(basis) = valued.get_mut(&variant) {
                basis.quotes.note(quote);
            }
        }
        for seen in given {
            let (given, _) = seen.into_display();
            if let Some(basis) = valued.get_mut(&given.variant) {
                basis.given = Some(given.given);
            }
        }
        Ok(valued)
    }

    /// Returns how the workspace values items where a contract does not say it: its own rules, or those that hold without any.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn price_reference(&self, scope: WorkspaceScope) -> OpResult<PriceReference> {
        let rules = self.ports.store.prices().find_rules(scope).await?;
        Ok(rules.map(|seen| seen.into_display().0.reference).unwrap_or_default())
    }

    /// Records what price sources say of variants; of each source and variant the latest counts. How many were new.
    ///
    /// # Errors
    /// `permission_denied`; `unauthenticated` and `failed_precondition` with `CALLER_CHANGED` when the caller's rights have
    /// changed; `resource_exhausted` with `OVERLOADED` when too much waits to be written. What was recorded by then stays.
    pub async fn record_quotes(
        &self,
        caller: &Caller,
        workspace_id: WorkspaceId,
        quotes: &[(Variant, Quote)],
    ) -> OpResult<u64> {
        /// Most that are written at once, so that others write in between.
        const SLICE: usize = 500;
        let scope = caller.principal.enter(workspace_id, WRITE_MARKETS)?;
        let mut new = 0_u64;
        for slice in quotes.chunks(SLICE) {
            let recorded = self.retrying(|| async {
                let recorded = self.ports.store.quotes().record(scope, &caller.guards, slice).await;
                self.guarded_write(caller, recorded).await
            });
            new = new.saturating_add(recorded.await?);
        }
        Ok(new)
    }
}

/// Returns the quotes of the sources, each with the cheapest listing that was seen there.
fn together(quotes: Vec<(Variant, Quote)>, asks: Vec<(Variant, Quote)>) -> impl Iterator<Item = (Variant, Quote)> {
    let mut all: BTreeMap<_, Quote> =
        quotes.into_iter().map(|(variant, quote)| ((variant, quote.source.clone()), quote)).collect();
    for (variant, asked) in asks {
        let place = (variant, asked.source.clone());
        let ask = match all.remove(&place) {
            Some(quote) => quote.with_ask(asked),
            None => asked,
        };
        all.insert(place, ask);
    }
    all.into_iter().map(|((variant, _), quote)| (variant, quote))
}
