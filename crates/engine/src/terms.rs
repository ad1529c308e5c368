//! What trading goes by and changes seldom: fees, balances, and what sources say of prices. Each is asked for once in a while and
//! not in every pass, so that a pass is short.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::pricing::Quote;
use tradepost_domain::provider::ProviderKind;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_domain::variant::Variant;

use crate::Engine;
use crate::desk::Venue;
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

/// When each was asked for last.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    fees: BTreeMap<Marketplace, Timestamp>,
    balances: BTreeMap<Marketplace, Timestamp>,
    sources: Option<Timestamp>,
}

/// Whether it is time to ask again. A clock that went back says nothing of how long it was.
pub(crate) fn is_due(last: Option<&Timestamp>, now: Timestamp, every: Duration) -> bool {
    last.is_none_or(|last| now < *last || now.since(*last) >= every)
}

impl Engine {
    /// What sources say of prices.
    pub(crate) async fn hear_sources(&mut self, pass: &mut Pass) {
        let now = self.now();
        if !self.works_on_inventory() || !is_due(self.asked.sources.as_ref(), now, SOURCES_EVERY) {
            return;
        }
        self.asked.sources = Some(now);
        for source in self.desk.price_sources.clone() {
            let name = (ProviderKind::PriceSource, source.name().clone());
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
                    let ours = |quote: Quote| match rate {
                        Some(rate) => quote.at(rate),
                        None => quote,
                    };
                    let told = told.into_iter().map(|told| (told.variant, ours(told.quote))).collect();
                    pass.note(self.record_quotes(told).await);
                }
                Err(error) => pass.note(Err(error)),
            }
        }
    }

    async fn record_quotes(&mut self, told: Vec<(Variant, Quote)>) -> Tried {
        let news = self.market.news(told);
        self.operations.record_quotes(&self.caller, self.desk.workspace_id, &news).await?;
        Ok(())
    }

    /// What a marketplace takes, and what can be spent there, in its own currency. What is not answered is as it was.
    pub(crate) async fn ask_terms(&mut self, venue: &Venue) -> Tried {
        let now = self.now();
        if is_due(self.asked.fees.get(&venue.name), now, FEES_EVERY) {
            let fees = venue.marketplace.fee_schedule().await?;
            self.providers.answered((ProviderKind::Marketplace, venue.name.clone()), now, self.clock.now());
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
