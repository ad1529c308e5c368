//! Current exchange rates, refreshed once a minute. Without a fresh rate, nothing is bought or listed in that currency. Open deals keep the
//! rate of their record.

use std::collections::{BTreeMap, BTreeSet};

use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Currency;
use tradepost_operations::accounts::GetWorkspace;

use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use crate::mark::Mark;
use crate::mark::is_due;
use crate::pass::Pass;

/// What is known of currencies.
#[derive(Debug, Default)]
pub(crate) struct RateCache {
    /// The currency of the workspace, which never changes.
    base: Option<Currency>,
    known: BTreeMap<Currency, CachedRate>,
}

/// A rate, and when it was asked for.
#[derive(Debug)]
struct CachedRate {
    rate: ExchangeRate,
    asked_at: Mark,
}

impl Context {
    /// Asks what the currencies of marketplaces and price sources are worth.
    pub(crate) async fn refresh_rates(&mut self, pass: &mut Pass) {
        let venues = self.desk.venues.iter().filter_map(|venue| venue.currency);
        let named: BTreeSet<Currency> =
            venues.chain(self.desk.price_sources.iter().filter_map(|source| source.currency())).collect();
        for currency in named {
            let heard = self.refresh_rate(currency).await;
            pass.record(heard);
        }
    }

    async fn refresh_rate(&mut self, from: Currency) -> EngineResult {
        let (base, now) = (self.base_currency().await?, self.mark());
        let known = self.state.rates.known.get(&from);
        if from == base || !is_due(known.map(|known| &known.asked_at), now, self.timings.rates_interval) {
            return Ok(());
        }
        let rates = self.desk.rates.clone().ok_or(EngineError::NoExchangeRate(from))?;
        let rate = rates.rate(from, base).await?;
        self.state.rates.known.insert(from, CachedRate { rate, asked_at: now });
        Ok(())
    }

    async fn base_currency(&mut self) -> EngineResult<Currency> {
        if let Some(base) = self.state.rates.base {
            return Ok(base);
        }
        let get = GetWorkspace { workspace_id: self.desk.workspace_id };
        let base = self.operations.get_workspace(&self.caller, get).await?.base_currency;
        self.state.rates.base = Some(base);
        Ok(base)
    }

    /// By which rate amounts of this currency are traded by now: none where it is the workspace's.
    pub(crate) fn rate_for(&self, currency: Option<Currency>) -> EngineResult<Option<ExchangeRate>> {
        let Some(currency) = currency.filter(|currency| self.state.rates.base != Some(*currency)) else {
            return Ok(None);
        };
        let rate =
            self.state.rates.known.get(&currency).map(|known| known.rate).filter(|rate| rate.is_fresh(self.now()));
        rate.map(Some).ok_or(EngineError::NoExchangeRate(currency))
    }
}
