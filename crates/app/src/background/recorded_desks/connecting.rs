//! Connects the providers of a desk on record. A provider that cannot be connected is left out; without its game platform there is no desk.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use tokio::time::timeout;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::id::ProviderId;
use tradepost_domain::markets::desk::DeskRecords;
use tradepost_domain::markets::provider::{Provider, ProviderKind};
use tradepost_domain::text::{Marketplace, Name};
use tradepost_engine::{Desk, TradingAccount, Venue};
use tradepost_operations::markets::ReadProviderCredentials;
use tradepost_operations::trading::AccountTokens;
use tradepost_operations::{Caller, OpResult, Operations, Reason};
use tradepost_ports::clock::MarketClock;
use tradepost_ports::connector::{Connected, ConnectedPlatform, Connector, NotConnected, ProviderLink};
use tradepost_ports::price_source::PriceSource;

use crate::RecordedDesks;

/// How long a connection may take.
const CONNECTING: Duration = Duration::from_secs(30);

/// What was connected of the records of a desk.
pub(super) struct Connection {
    /// `None` without its game platform or any account, or if none of its marketplaces is connected.
    pub(super) desk: Option<Desk>,
    pub(super) left_out: Vec<LeftOut>,
    /// The market's clock; `None` without the game platform.
    pub(super) clock: Option<Arc<dyn MarketClock>>,
}

/// A provider that was not connected.
#[derive(Debug, Clone)]
pub(super) struct LeftOut {
    pub(super) provider_id: ProviderId,
    pub(super) name: Marketplace,
    pub(super) why: NotConnected,
}

/// A way to the providers of a workspace.
struct Line<'a> {
    operations: &'a Arc<Operations>,
    desks: &'a RecordedDesks,
    platform: &'a Provider,
}

impl Connection {
    /// What there is of a desk whose game platform is not connected.
    fn without_platform(records: &DeskRecords, why: NotConnected) -> Self {
        Self { desk: None, left_out: vec![LeftOut::of(&records.platform, why)], clock: None }
    }
}

impl LeftOut {
    fn of(provider: &Provider, why: NotConnected) -> Self {
        Self { provider_id: provider.id, name: provider.name.clone(), why }
    }
}

/// Connects every provider of a desk.
pub(super) async fn connect(
    operations: &Arc<Operations>,
    desks: &RecordedDesks,
    records: &DeskRecords,
) -> OpResult<Connection> {
    let line = Line { operations, desks, platform: &records.platform };
    let connected = match line.platform(records).await? {
        Ok(connected) => connected,
        Err(why) => return Ok(Connection::without_platform(records, why)),
    };
    if let Err(why) = line.settle_market(connected.clock.kind()).await? {
        return Ok(Connection::without_platform(records, why));
    }
    let mut left_out = Vec::new();
    let venues = line.venues(&records.marketplaces, &mut left_out).await?;
    let price_sources = line.price_sources(&records.price_sources, &mut left_out).await?;
    let accounts = accounts(records, &connected);
    let clock = Some(connected.clock.clone());
    let is_without_its_marketplaces = venues.is_empty() && !records.marketplaces.is_empty();
    if is_without_its_marketplaces || accounts.is_empty() {
        return Ok(Connection { desk: None, left_out, clock });
    }
    let desk = Desk {
        workspace_id: records.platform.workspace_id,
        clock: connected.clock,
        node: desks.node.clone(),
        accounts,
        venues,
        platform: connected.platform,
        social: connected.social,
        sessions: connected.sessions,
        price_sources,
        rates: connected.rates,
        drivers: drivers(records),
    };
    Ok(Connection { desk: Some(desk), left_out, clock })
}

/// Tries those again that were left out, and nothing else: the others are in use. Returns those that still are not connected.
pub(super) async fn try_again(
    operations: &Arc<Operations>,
    desks: &RecordedDesks,
    records: &DeskRecords,
    left_out: &[LeftOut],
) -> OpResult<Vec<LeftOut>> {
    let line = Line { operations, desks, platform: &records.platform };
    let (doubles, rest): (Vec<&LeftOut>, Vec<&LeftOut>) = left_out.iter().partition(|one| one.why == twice());
    let tried = |all: &[Provider]| -> Vec<Provider> {
        all.iter().filter(|provider| rest.iter().any(|one| one.provider_id == provider.id)).cloned().collect()
    };
    let mut still: Vec<LeftOut> = doubles.into_iter().cloned().collect();
    line.venues(&tried(&records.marketplaces), &mut still).await?;
    line.price_sources(&tried(&records.price_sources), &mut still).await?;
    Ok(still)
}

/// The drivers of the marketplaces and price sources. Their names are chosen by users.
fn drivers(records: &DeskRecords) -> BTreeMap<(ProviderKind, Marketplace), Name> {
    let providers = records.marketplaces.iter().chain(&records.price_sources);
    providers.map(|provider| ((provider.kind, provider.name.clone()), provider.driver.clone())).collect()
}

/// The accounts that the platform takes. One that it refuses does not trade.
fn accounts(records: &DeskRecords, connected: &ConnectedPlatform) -> Vec<TradingAccount> {
    let mut accounts = Vec::new();
    for account in &records.accounts {
        match connected.refused.iter().find(|(name, _)| *name == account.name) {
            Some((name, why)) => {
                tracing::warn!(workspace = %records.platform.workspace_id, account = %name, %why, "account not connected");
            }
            None => accounts.push(TradingAccount { name: account.name.clone(), address: account.address.clone() }),
        }
    }
    accounts
}

fn twice() -> NotConnected {
    NotConnected("another provider of the workspace is the same marketplace, for the same customer".to_owned())
}

impl Line<'_> {
    async fn platform(&self, records: &DeskRecords) -> OpResult<Connected<ConnectedPlatform>> {
        let link = match self.link(self.platform).await? {
            Ok(link) => link,
            Err(why) => return Ok(Err(why)),
        };
        Ok(match self.connector(self.platform) {
            Ok(connector) => {
                let Provider { workspace_id, name, .. } = self.platform;
                let vault = Arc::new(AccountTokens::new(self.operations.clone(), *workspace_id, name.clone()));
                in_time(connector.game_platform(&link, &records.accounts, vault)).await
            }
            Err(why) => Err(why),
        })
    }

    /// Makes the market of the platform that of the workspace. The platform is left out of a workspace that trades in the other kind, so that
    /// its owner sees why.
    async fn settle_market(&self, kind: MarketKind) -> OpResult<Connected<()>> {
        match self.operations.settle_market(self.platform.workspace_id, kind).await {
            Ok(()) => Ok(Ok(())),
            Err(error) if error.reason == Reason::MarketKind => Ok(Err(NotConnected(error.message))),
            Err(error) => Err(error),
        }
    }

    /// Connects marketplaces at the same time. One that is another one under a second name is left out: its listings and its balance would count
    /// twice.
    async fn venues(&self, providers: &[Provider], left_out: &mut Vec<LeftOut>) -> OpResult<Vec<Venue>> {
        let (mut places, mut single) = (BTreeSet::new(), Vec::new());
        for provider in providers {
            let place = self.connector(provider).ok().and_then(|connector| connector.place(provider));
            if place.is_none_or(|place| places.insert((provider.driver.clone(), place))) {
                single.push(provider.clone());
            } else {
                left_out.push(LeftOut::of(provider, twice()));
            }
        }
        self.all(&single, left_out, |link| async move {
            let marketplace = self.connector(&link.provider)?.marketplace(&link, self.platform).await?;
            let (name, currency) = (link.provider.name, Some(link.provider.currency));
            Ok(Venue { name, marketplace, currency })
        })
        .await
    }

    async fn price_sources(
        &self,
        providers: &[Provider],
        left_out: &mut Vec<LeftOut>,
    ) -> OpResult<Vec<Arc<dyn PriceSource>>> {
        self.all(providers, left_out, |link| async move { self.connector(&link.provider)?.price_source(&link).await })
            .await
    }

    /// Connects providers at the same time. Those that are not connected are added to `left_out`.
    async fn all<T, F: Future<Output = Connected<T>>>(
        &self,
        providers: &[Provider],
        left_out: &mut Vec<LeftOut>,
        connect: impl Fn(ProviderLink) -> F,
    ) -> OpResult<Vec<T>> {
        let mut links = Vec::new();
        for provider in providers {
            match self.link(provider).await? {
                Ok(link) => links.push((provider, link)),
                Err(why) => left_out.push(LeftOut::of(provider, why)),
            }
        }
        let connecting = links.into_iter().map(|(provider, link)| {
            let connecting = in_time(connect(link));
            async move { (provider, connecting.await) }
        });
        let mut found = Vec::new();
        for (provider, connected) in join_all(connecting).await {
            match connected {
                Ok(one) => found.push(one),
                Err(why) => left_out.push(LeftOut::of(provider, why)),
            }
        }
        Ok(found)
    }

    /// A provider with its credentials. Credentials that do not open keep this provider out, and no other.
    async fn link(&self, provider: &Provider) -> OpResult<Connected<ProviderLink>> {
        if !provider.has_credentials {
            return Ok(Ok(ProviderLink { provider: provider.clone(), credentials: BTreeMap::new() }));
        }
        let (workspace_id, provider_id) = (provider.workspace_id, provider.id);
        let read = ReadProviderCredentials { workspace_id, provider_id };
        let found = match self.operations.read_provider_credentials(&Caller::system(), read).await {
            Ok(found) => found,
            Err(error) if error.reason == Reason::StorageUnavailable => return Err(error),
            Err(error) => {
                tracing::warn!(workspace = %workspace_id, provider = %provider.name, error = ?error.source, "credentials not read");
                return Ok(Err(NotConnected("its credentials cannot be read: set them again".to_owned())));
            }
        };
        let credentials = found.into_iter().flat_map(|credentials| credentials.0).collect();
        Ok(Ok(ProviderLink { provider: provider.clone(), credentials }))
    }

    /// The connector of a provider that can trade together with the platform.
    fn connector(&self, provider: &Provider) -> Connected<&Arc<dyn Connector>> {
        let missing = || NotConnected(format!("this server has no connector for the driver {}", provider.driver));
        let connector = self.desks.connector(provider).ok_or_else(missing)?;
        let of_platform = self.desks.connector(self.platform).and_then(|connector| connector.market());
        if let (Some(own), Some(other)) = (connector.market(), of_platform) {
            other.admit(own).map_err(|error| NotConnected(error.to_string()))?;
        }
        Ok(connector)
    }
}

async fn in_time<T>(connecting: impl Future<Output = Connected<T>>) -> Connected<T> {
    let late = |_| Err(NotConnected(format!("it gave no answer within {} s", CONNECTING.as_secs())));
    timeout(CONNECTING, connecting).await.unwrap_or_else(late)
}
