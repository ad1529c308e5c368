//! The test of a feed's provider: one list or page is read, and each check says what was found. It uses the budget of the feed.

use std::sync::Arc;

use async_trait::async_trait;
use tradepost_adapters_outside::ShapeDrift;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::provider::{ProviderCheck, ProviderCheckCode, ProviderKind};
use tradepost_domain::money::Currency;
use tradepost_domain::text::Marketplace;
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::{PriceFeed, PriceRefusal};
use tradepost_ports::provider_probe::ProviderProbe;

use super::checks::{ANSWERED, WELL, check, described};

/// The currency of the list that a test reads.
const CURRENCY: &str = "USD";
const NOTHING_READ: &str = "no list was read";

/// Tests the providers of a feed.
pub(crate) struct FeedProbe(pub(crate) Arc<dyn PriceFeed>);

/// What the checks find: of the connection, the rate limit, the quotes and the form of the answers. `Err` is what keeps one from holding.
struct Found {
    connection: Result<&'static str, String>,
    rate_limit: Result<&'static str, String>,
    quotes: Result<String, String>,
    shapes: Result<String, String>,
}

impl Found {
    fn not_called(reason: String) -> Self {
        Self {
            connection: Err(reason),
            rate_limit: Ok(WELL),
            quotes: Err(NOTHING_READ.to_owned()),
            shapes: Ok(NOTHING_READ.to_owned()),
        }
    }

    fn of_error(error: &ExternalError<PriceRefusal>) -> Self {
        let (quotes, shapes) = (Err(NOTHING_READ.to_owned()), Ok(NOTHING_READ.to_owned()));
        match error {
            ExternalError::RateLimited { .. } | ExternalError::Rejected(PriceRefusal::AsClient) => {
                Self { connection: Ok(WELL), rate_limit: Err(error.to_string()), quotes, shapes }
            }
            ExternalError::Rejected(PriceRefusal::Other(_)) | ExternalError::AuthLost { .. } => {
                Self { connection: Ok(ANSWERED), rate_limit: Ok(WELL), quotes: Err(error.to_string()), shapes }
            }
            ExternalError::Unknown(text) if ShapeDrift::in_text(text).is_some() => {
                Self { connection: Ok(ANSWERED), rate_limit: Ok(WELL), quotes, shapes: Err(text.clone()) }
            }
            ExternalError::Unknown(text) => {
                Self { connection: Err(text.clone()), rate_limit: Ok(WELL), quotes, shapes }
            }
        }
    }

    fn into_checks(self) -> Vec<ProviderCheck> {
        vec![
            check(ProviderCheckCode::Connection, self.connection),
            check(ProviderCheckCode::RateLimit, self.rate_limit),
            check(ProviderCheckCode::Quotes, self.quotes),
            check(ProviderCheckCode::Shapes, self.shapes),
        ]
    }
}

#[async_trait]
impl ProviderProbe for FeedProbe {
    fn reaches(&self, _workspace: WorkspaceId, kind: ProviderKind, name: &Marketplace) -> bool {
        kind == ProviderKind::PriceSource && name == self.0.name()
    }

    async fn probe(&self, _kind: ProviderKind, _name: &Marketplace) -> Vec<ProviderCheck> {
        let source = Currency::new(CURRENCY).map_err(|error| error.to_string());
        let source = source.and_then(|currency| self.0.source(currency).map_err(|error| error.to_string()));
        let found = match source {
            Err(reason) => Found::not_called(reason),
            Ok(source) => match source.sample().await {
                Ok(quotes) => Found {
                    connection: Ok(ANSWERED),
                    rate_limit: Ok(WELL),
                    quotes: Ok(format!("it has prices of {} items in {CURRENCY}", quotes.len())),
                    shapes: Ok(described(&source.new_shapes())),
                },
                Err(error) => Found::of_error(&error),
            },
        };
        found.into_checks()
    }
}
