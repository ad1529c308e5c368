//! What trading goes by and changes seldom: fees, balances, and what sources say of prices. Each is asked for once in a while and
//! not in every pass, so that a pass is short.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::pricing::Quote;
use tradepost_domain::provider::ProviderKind;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_domain::variant::Variant;
use tradepost_operations::contracts::FollowPrices;

use tradepost_ports::price_source::VariantQuote;

use crate::Engine;
use crate::desk::Venue;
use crate::mark::Mark;
use crate::pass::Pass;
use crate::providers::Found;
use crate::trouble::{Tried, Trouble};

/// Fees change with notice, and what is booked is what a marketplace has charged.
const FEES_EVERY: Duration = Duration::seconds(60);
/// What is spent meanwhile is taken off the balance that is known; what came in is noticed a little later. A marketplace refuses
/// what the balance does not cover.
const BALANCE_EVERY: Duration = Duration::seconds(10);
/// Contracts let quotes be minutes old.
const SOURCES_EVERY: Duration = Duration::seconds(30);
/// Contracts are stopped once prices are older by far than they let them be.
const FOLLOWED_EVERY: Duration = Duration::minutes(1);

/// When each was asked for last.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    fees: BTreeMap<Marketplace, Mark>,
    balances: BTreeMap<Marketplace, Mark>,
    sources: Option<Mark>,
    /// The time of the latest that each source of prices has said; when it was first asked, until then.
    said: BTreeMap<Marketplace, Timestamp>,
    /// When contracts were last held against that.
    followed: Option<Mark>,
}

/// Whether it is time to ask again.
pub(crate) fn is_due(last: Option<&Mark>, now: Mark, every: Duration) -> bool {
    last.is_none_or(|last| now.since(*last) >= every)
}

impl Engine {
    /// What sources say of prices.
    pub(crate) async fn hear_sources(&mut self, pass: &mut Pass) {
        let (now, mark) = (self.now(), self.mark());
        if !self.works_on_inventory() || !is_due(self.asked.sources.as_ref(), mark, SOURCES_EVERY) {
            return;
        }
        self.asked.sources = Some(mark);
        for source in self.desk.price_sources.clone() {
            let name = (ProviderKind::PriceSource, source.name().clone());
            self.asked.said.entry(name.1.clone()).or_insert(now);
            if self.providers.is_disabled(name.0, &name.1) {
                continue;
            }
            let rate = match self.rate_of(source.currency()) {
                Ok(rate) => rate,
                Err(trouble) => {
                    pass.note(Err(trouble));
                    continue;
                }
            };
            let asked = source.quotes().await.map_err(Trouble::from);
            let told = self.tell_of(name, asked.as_ref().map(|_| Found::default())).await;
            pass.note(told);
            match asked {
                Ok(told) => {
                    if let Some(latest) = told.iter().map(|told| told.quote.observed_at).max() {
                        self.asked.said.insert(source.name().clone(), latest);
                    }
                    let ours = |told: VariantQuote| (told.variant, told.quote.converted(rate.into()));
                    let told = told.into_iter().map(ours).collect();
                    pass.note(self.record_quotes(told).await);
                }
                Err(error) => pass.note(Err(error)),
            }
        }
        let followed = Box::pin(self.follow_prices(now)).await;
        pass.note(followed);
    }

    /// Has contracts stopped whose prices nobody tells any more, and set to work again. Marketplaces tell prices of their own, and
    /// where one does not answer nothing is bought.
    async fn follow_prices(&mut self, now: Timestamp) -> Tried {
        let mark = self.mark();
        if self.desk.price_sources.is_empty() || !is_due(self.asked.followed.as_ref(), mark, FOLLOWED_EVERY) {
            return Ok(());
        }
        let venues = self.desk.venues.iter().map(|venue| (venue.name.clone(), now));
        let said = self.asked.said.clone().into_iter().chain(venues).collect();
        let command = FollowPrices { workspace_id: self.desk.workspace_id, said };
        if self.operations.follow_prices(&self.caller, command).await? > 0 {
            self.follow_contracts().await?;
        }
        self.asked.followed = Some(mark);
        Ok(())
    }

    async fn record_quotes(&mut self, told: Vec<(Variant, Quote)>) -> Tried {
        let news = self.market.news(told);
        self.operations.record_quotes(&self.caller, self.desk.workspace_id, &news).await?;
        Ok(())
    }

    /// What a marketplace takes, and what can be spent there, in its own currency. What is not answered is as it was.
    pub(crate) async fn ask_terms(&mut self, venue: &Venue) -> Tried {
        let now = self.mark();
        if is_due(self.asked.fees.get(&venue.name), now, FEES_EVERY) {
            let fees = venue.marketplace.fee_schedule().await?;
            self.providers.answered((ProviderKind::Marketplace, venue.name.clone()), self.mark().since(now));
            self.market.schedules.insert(venue.name.clone(), fees);
            self.asked.fees.insert(venue.name.clone(), now);
        }
        if self.works_at(&venue.name) && is_due(self.asked.balances.get(&venue.name), now, BALANCE_EVERY) {
            let balance = venue.marketplace.balance().await?;
            self.market.balances.insert(venue.name.clone(), balance);
            self.asked.balances.insert(venue.name.clone(), now);
        }
        Ok(())
    }
}
