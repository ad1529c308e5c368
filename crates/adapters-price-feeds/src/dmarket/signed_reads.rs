//! Signed reads of `DMarket`, for routes that are read with `GET`.

use std::sync::Arc;

use tradepost_adapters_outside::{ClientError, Question, Route, ServiceAddress, ServiceClient, ServiceLimits};
use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::Clock;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::MarketplaceResult;

use super::signer::Signer;
use crate::dmarket_key::DMarketKey;
use crate::listing_market::{allowed, ask};

const METHOD: &str = "GET";
const UNAUTHORIZED: u16 = 401;

/// A client whose calls are signed with a key.
#[derive(Debug)]
pub(super) struct SignedReads {
    client: ServiceClient,
    signer: Signer,
}

impl SignedReads {
    pub(super) fn connect(
        address: ServiceAddress,
        routes: &'static [Route],
        limits: ServiceLimits,
        key: DMarketKey,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ClientError> {
        Ok(Self { client: ServiceClient::new(address, routes, limits)?, signer: Signer::new(key, clock) })
    }

    /// The time of the service, as far as it is known.
    pub(super) fn now(&self) -> Timestamp {
        self.signer.now()
    }

    /// Reads a route. The body of the answer may be used.
    pub(super) async fn read(&self, route: Route, query: &[(&str, &str)]) -> MarketplaceResult<Vec<u8>> {
        let written = self.client.written(query);
        let mark = if written.is_empty() { "" } else { "?" };
        let target = [route.path, mark, &written].concat();
        let headers = self.signer.headers(METHOD, &target, &[]);
        let answer = ask(&self.client, Question { headers, ..Question::of(route, query) }).await?;
        let was_off = self.signer.follow(answer.date);
        if answer.status == UNAUTHORIZED && was_off {
            // The key may be right: the next signature has the time of the service.
            return Err(ExternalError::Unknown(
                "it did not accept the time of a signature, and is asked again by its clock".to_owned(),
            ));
        }
        allowed(answer)
    }
}
