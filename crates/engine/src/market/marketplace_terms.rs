//! Fees, balances and quotes, which change seldom. Each is refreshed at its interval and not in every pass, so that a pass is short.

use std::collections::BTreeMap;

use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_operations::contracts::ApplyPriceStaleness;

use tradepost_ports::price_source::VariantQuote;

use crate::context::Context;
use crate::context::providers::ProviderReading;
use crate::desk::Venue;
use crate::error::{EngineError, EngineResult};
use crate::mark::{Mark, is_due};
use crate::market::Market;
use crate::pass::Pass;

/// When each was asked for last.
#[derive(Debug, Default)]
pub(crate) struct RefreshTimes {
    fees: BTreeMap<Marketplace, Mark>,
    balances: BTreeMap<Marketplace, Mark>,
    sources: Option<Mark>,
    /// The time of the latest that each source of prices has said; when it was first asked, until then.
    said: BTreeMap<Marketplace, Timestamp>,
    /// Last time that contracts were checked against the quotes.
    followed: Option<Mark>,
}

impl Market {
    /// What sources say of prices.
    pub(crate) async fn refresh_quotes(&mut self, context: &mut Context, pass: &mut Pass) {
        let (now, mark) = (context.now(), context.mark());
        if !context.holds_inventory()
            || !is_due(self.refresh_times.sources.as_ref(), mark, context.timings().quotes_interval)
        {
            return;
        }
        self.refresh_times.sources = Some(mark);
        for source in context.desk().price_sources.clone() {
            let name = (ProviderKind::PriceSource, source.name().clone());
            self.refresh_times.said.entry(name.1.clone()).or_insert(now);
            if context.is_provider_disabled(&name) {
                continue;
            }
            let rate = match context.rate_for(source.currency()) {
                Ok(rate) => rate,
                Err(error) => {
                    pass.record(Err(error));
                    continue;
                }
            };
            let asked = source.quotes().await.map_err(EngineError::from);
            let reported = context.report_provider(name, asked.as_ref().map(|_| ProviderReading::default())).await;
            pass.record(reported);
            match asked {
                Ok(reported) => {
                    if let Some(latest) = reported.iter().map(|reported| reported.quote.observed_at).max() {
                        self.refresh_times.said.insert(source.name().clone(), latest);
                    }
                    let ours = |reported: VariantQuote| (reported.variant, reported.quote.converted(rate.into()));
                    let reported = reported.into_iter().map(ours).collect();
                    pass.record(self.record_quotes(context, reported).await);
                }
                Err(error) => pass.record(Err(error)),
            }
        }
        let followed = self.suspend_on_stale_prices(context, now).await;
        pass.record(followed);
    }

    /// Suspends contracts whose prices are stale, and resumes them. Marketplaces report prices of their own, and nothing is bought
    /// where one does not answer.
    async fn suspend_on_stale_prices(&mut self, context: &Context, now: Timestamp) -> EngineResult {
        let mark = context.mark();
        if context.desk().price_sources.is_empty()
            || !is_due(self.refresh_times.followed.as_ref(), mark, context.timings().staleness_interval)
        {
            return Ok(());
        }
        let venues = context.desk().venues.iter().map(|venue| (venue.name.clone(), now));
        let said = self.refresh_times.said.clone().into_iter().chain(venues).collect();
        let command = ApplyPriceStaleness { workspace_id: context.desk().workspace_id, said };
        if context.operations().apply_price_staleness(context.caller(), command).await? > 0 {
            self.refresh_contracts(context).await?;
        }
        self.refresh_times.followed = Some(mark);
        Ok(())
    }

    async fn record_quotes(&mut self, context: &Context, reported: Vec<(Variant, Quote)>) -> EngineResult {
        let news = self.state.new_quotes(reported);
        context.operations().record_quotes(context.caller(), context.desk().workspace_id, &news).await?;
        Ok(())
    }

    /// What a marketplace takes, and what can be spent there, in its own currency. What is not answered is as it was.
    pub(crate) async fn refresh_terms(&mut self, context: &mut Context, venue: &Venue) -> EngineResult {
        let now = context.mark();
        if is_due(self.refresh_times.fees.get(&venue.name), now, context.timings().fees_interval) {
            let fees = venue.marketplace.fee_schedule().await?;
            context.record_latency((ProviderKind::Marketplace, venue.name.clone()), context.mark().since(now));
            self.state.set_schedule(&venue.name, fees);
            self.refresh_times.fees.insert(venue.name.clone(), now);
        }
        if context.holds_marketplace(&venue.name)
            && is_due(self.refresh_times.balances.get(&venue.name), now, context.timings().balance_interval)
        {
            let balance = venue.marketplace.balance().await?;
            self.state.set_balance(&venue.name, balance);
            self.refresh_times.balances.insert(venue.name.clone(), now);
        }
        Ok(())
    }
}
