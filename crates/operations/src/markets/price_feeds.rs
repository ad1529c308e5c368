//! Feeds: the workspaces for which this server reads a source of prices or a marketplace, and the prices that it read. No operations of the
//! interface.

use std::collections::BTreeSet;

use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::markets::exchange::Conversion;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::money::Currency;
use tradepost_domain::text::{MarketHashName, Marketplace, Name};
use tradepost_ports::changes::Caller;
use tradepost_ports::price_source::VariantQuote;
use tradepost_ports::store::{AFTER_ALL_NAMES, NameQuery, NamedRecord, ReadingTurn, RecordBatch};

use crate::rules::WRITE_MARKETS;
use crate::{OpError, OpResult, Operations, Reason};

/// The most providers that are read in one statement.
const PAGE: u32 = 500;
/// The most names of items, and the most active contracts, whose prices are read more often than others.
const MOST_WATCHED: u32 = 500;

/// A workspace with an enabled provider of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscriber {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The provider.
    pub provider_id: ProviderId,
    /// The version of the provider: a change of it is a reason to read again.
    pub version: i64,
    /// The currency of the provider's prices.
    pub currency: Currency,
}

impl Operations {
    /// Acquires the right to read the price sources of all workspaces; `None` while another process has it.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn begin_reading_prices(&self) -> OpResult<Option<ReadingTurn>> {
        Ok(self.ports.store.quotes().begin_reading().await?)
    }

    /// Returns the workspaces that have an enabled provider of a driver with this kind and name.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn list_subscribers(
        &self,
        driver: &Name,
        kind: ProviderKind,
        name: &Marketplace,
    ) -> OpResult<Vec<Subscriber>> {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = self.ports.store.providers().list_of_driver(driver, name, after, PAGE).await?;
            let is_last = page.len() < PAGE as usize;
            after = page.last().map(|last| last.peek().id);
            found.extend(page.into_iter().filter(|seen| seen.peek().kind == kind).map(|seen| {
                let (provider, version) = seen.into_display();
                Subscriber {
                    workspace_id: provider.workspace_id,
                    provider_id: provider.id,
                    version,
                    currency: provider.currency,
                }
            }));
            if is_last {
                return Ok(found);
            }
        }
    }

    /// Checks that real prices can be recorded in a workspace, whose market is the real one from then on: prices of two worlds, each
    /// with a clock of its own, would make no value.
    ///
    /// # Errors
    /// `not_found`; `failed_precondition` with `MARKET_KIND` where it trades in a simulated market, or with `OTHER_CURRENCY` where it
    /// has another currency than the provider.
    pub async fn admit_subscriber(&self, of: &Subscriber) -> OpResult<()> {
        let scope = Caller::system().principal.enter(of.workspace_id, WRITE_MARKETS)?;
        let workspace = self.ports.store.workspaces().find(scope).await?;
        let workspace = workspace.filter(|workspace| workspace.peek().deleted_at.is_none());
        let base = workspace.ok_or_else(|| OpError::not_found("workspace"))?.peek().base_currency;
        if base != of.currency {
            let message = format!("its prices are in {}, and the workspace has {base}", of.currency);
            return Err(OpError::failed_precondition(Reason::OtherCurrency, message));
        }
        self.settle_market(of.workspace_id, MarketKind::Real).await
    }

    /// Returns the market names whose prices matter most to a workspace: those of its items, and those that the filters of its active
    /// contracts name. Each is there once.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn list_watched_names(&self, of: &Subscriber) -> OpResult<Vec<MarketHashName>> {
        let (scope, store) = (Caller::system().principal.enter(of.workspace_id, WRITE_MARKETS)?, &self.ports.store);
        let query = NameQuery { from: "", before: AFTER_ALL_NAMES, begins: None, search: None, most: MOST_WATCHED };
        let mut names = store.item_names().list_names(scope, NamedRecord::Item, query).await?.names;
        names.extend(self.list_wanted_names(of).await?);
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Returns the market names that the filters of the active contracts of a workspace name. Each is there once.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn list_wanted_names(&self, of: &Subscriber) -> OpResult<Vec<MarketHashName>> {
        let (scope, store) = (Caller::system().principal.enter(of.workspace_id, WRITE_MARKETS)?, &self.ports.store);
        let active = store.contracts().list_at_work(scope, RecordBatch { after: None, most: MOST_WATCHED }).await?;
        let ids: Vec<_> = active.iter().map(|contract| contract.contract_id).collect();
        let contracts = store.contracts().find_many(scope, &ids).await?;
        let filter_sets: BTreeSet<_> = contracts.iter().filter_map(|contract| contract.peek().filter_set_id).collect();
        let filter_sets: Vec<_> = filter_sets.into_iter().collect();
        let mut names = Vec::new();
        for filter_set in store.filter_sets().find_many(scope, &filter_sets).await? {
            names.extend(filter_set.peek().rules.features.market_hash_names.iter().cloned());
        }
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Records a list that was read for a workspace; how many quotes were new.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn record_price_list(&self, of: &Subscriber, quotes: &[VariantQuote]) -> OpResult<u64> {
        let in_base =
            |quote: &VariantQuote| (quote.variant.clone(), quote.quote.clone().converted(Conversion::SameCurrency));
        let quotes: Vec<_> = quotes.iter().map(in_base).collect();
        self.record_quotes(&Caller::system(), of.workspace_id, &quotes).await
    }
}
