//! The test of a provider that is only read: its new listings are read once, and each check says what was found. It uses the
//! budget of the feed.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Mutex;
use tokio::time::Instant;
use tradepost_adapters_outside::ShapeDrift;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::provider::{ProviderCheck, ProviderCheckCode, ProviderKind};
use tradepost_domain::text::Marketplace;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{ListingFeed, MarketplaceRefusal};
use tradepost_ports::provider_probe::ProviderProbe;

use super::checks::{ANSWERED, WELL, check, described};

/// For how long a result is valid: tests of all workspaces share one key and its budget.
const VALID_FOR: Duration = Duration::from_mins(1);

/// Tests the providers of a marketplace that is only read.
pub(crate) struct ListingFeedProbe {
    feed: Arc<dyn ListingFeed>,
    last: Mutex<Option<Tested>>,
}

/// The result of a test.
struct Tested {
    at: Instant,
    checks: Vec<ProviderCheck>,
}

impl ListingFeedProbe {
    pub(crate) fn of(feed: Arc<dyn ListingFeed>) -> Self {
        Self { feed, last: Mutex::default() }
    }

    async fn test(&self) -> Vec<ProviderCheck> {
        if let Err(unavailable) = self.feed.ready() {
            return vec![not_reached(unavailable.to_string())];
        }
        match self.feed.newest().await {
            Ok(listings) => vec![
                check(ProviderCheckCode::Connection, Ok(ANSWERED)),
                check(ProviderCheckCode::Credentials, Ok("it accepts the key")),
                check(ProviderCheckCode::RateLimit, Ok(WELL)),
                check(ProviderCheckCode::Quotes, Ok(format!("it shows {} new listings", listings.len()))),
                check(ProviderCheckCode::Shapes, Ok(described(&self.feed.new_shapes()))),
            ],
            Err(error) => of_error(&error),
        }
    }
}

#[async_trait]
impl ProviderProbe for ListingFeedProbe {
    fn reaches(&self, _workspace: WorkspaceId, kind: ProviderKind, name: &Marketplace) -> bool {
        kind == ProviderKind::Marketplace && name == self.feed.name()
    }

    async fn probe(&self, _kind: ProviderKind, _name: &Marketplace) -> Vec<ProviderCheck> {
        let mut last = self.last.lock().await;
        if let Some(tested) = last.as_ref().filter(|tested| tested.at.elapsed() < VALID_FOR) {
            return tested.checks.clone();
        }
        let checks = self.test().await;
        *last = Some(Tested { at: Instant::now(), checks: checks.clone() });
        checks
    }
}

/// What a failed call says. What it does not say anything about is left out.
fn of_error(error: &ExternalError<MarketplaceRefusal>) -> Vec<ProviderCheck> {
    let (about, reason) = match error {
        ExternalError::RateLimited { .. } | ExternalError::Rejected(_) => {
            (ProviderCheckCode::RateLimit, error.to_string())
        }
        ExternalError::AuthLost { .. } => (ProviderCheckCode::Credentials, error.to_string()),
        ExternalError::Unknown(text) if ShapeDrift::in_text(text).is_some() => {
            (ProviderCheckCode::Shapes, text.clone())
        }
        ExternalError::Unknown(text) => return vec![not_reached(text.clone())],
    };
    vec![check(ProviderCheckCode::Connection, Ok(ANSWERED)), check(about, Err::<&str, _>(reason))]
}

fn not_reached(reason: String) -> ProviderCheck {
    check(ProviderCheckCode::Connection, Err::<&str, _>(reason))
}
