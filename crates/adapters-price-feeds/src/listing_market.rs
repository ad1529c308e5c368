//! What marketplaces of which listings are read have in common: how they differ, what their answers give, and what a call that failed
//! means. It must not know which marketplaces there are.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use tradepost_adapters_outside::{Question, ServiceAnswer, ServiceClient, ServiceLimits};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::marketplace::{MarketListing, MarketplaceRefusal, MarketplaceResult, SoughtListing};
use tradepost_ports::price_source::PriceRefusal;

use crate::answer::{failure, usable};

const FORBIDDEN: u16 = 403;

/// What differs between marketplaces apart from their answers.
#[derive(Debug)]
pub(crate) struct ListingManner {
    /// The limits of calls for listings.
    pub(crate) limits: ServiceLimits,
    /// The time between two reads. The budget has calls for single listings in addition.
    pub(crate) interval: Duration,
    /// The most listings of a read.
    pub(crate) most: usize,
    /// The fees of a buyer and of a seller, in basis points.
    pub(crate) fees: (u16, u16),
    /// Whether it is read name by name.
    pub(crate) watches: bool,
    /// The setting with the key of the operator.
    pub(crate) key: &'static str,
}

/// The listings of an answer.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Those that can be represented, in the order of the answer.
    pub(crate) listings: Vec<MarketListing>,
    /// The number of the others, such as auctions, and those without a price, an id or a name.
    pub(crate) left_out: usize,
    /// The paths and types of the answer that are on no card.
    pub(crate) new_shapes: BTreeSet<String>,
}

impl Found {
    /// What was read of the entries of an answer: `None` of those that cannot be represented.
    pub(crate) fn of(entries: impl IntoIterator<Item = Option<MarketListing>>, new_shapes: BTreeSet<String>) -> Self {
        let mut found = Self { new_shapes, ..Self::default() };
        for entry in entries {
            match entry {
                Some(listing) => found.listings.push(listing),
                None => found.left_out += 1,
            }
        }
        found
    }
}

/// A marketplace that is connected.
#[async_trait]
pub(crate) trait ListingMarket: Debug + Send + Sync {
    /// Reads the newest listings, or those of the names whose turn it is.
    async fn newest(&self) -> MarketplaceResult<Found>;

    /// Reads a listing again. What is found has it, if it can be represented.
    async fn listing(&self, sought: &SoughtListing) -> MarketplaceResult<Found>;

    /// Replaces the names that are read, if it is read name by name.
    fn watch(&self, _names: &[MarketHashName]) {}
}

/// Asks a marketplace. A read has no effect.
pub(crate) async fn ask(client: &ServiceClient, question: Question<'_>) -> MarketplaceResult<ServiceAnswer> {
    client.ask(question).await.map_err(|error| of_marketplace(failure(&error)))
}

/// The body of an answer that may hold listings. Marketplaces forbid them to callers without a key, and to those whose key was deleted.
pub(crate) fn allowed(answer: ServiceAnswer) -> MarketplaceResult<Vec<u8>> {
    if answer.status == FORBIDDEN {
        return Err(ExternalError::AuthLost { effect: Effect::Nothing });
    }
    usable(answer).map_err(of_marketplace)
}

/// The same failure, as one of a marketplace.
pub(crate) fn of_marketplace(failed: ExternalError<PriceRefusal>) -> ExternalError<MarketplaceRefusal> {
    match failed {
        ExternalError::Rejected(refusal) => ExternalError::Rejected(MarketplaceRefusal::Other(refusal.to_string())),
        ExternalError::Unknown(text) => ExternalError::Unknown(text),
        ExternalError::RateLimited { retry_after, effect } => ExternalError::RateLimited { retry_after, effect },
        ExternalError::AuthLost { effect } => ExternalError::AuthLost { effect },
    }
}
