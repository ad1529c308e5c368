//! Tests providers on request, separately from the passes, without changing anything there.

use std::time::Duration;

use async_trait::async_trait;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::provider::{ProviderCheck, ProviderCheckCode, ProviderKind};
use tradepost_domain::text::Marketplace;
use tradepost_ports::external::ExternalError;
use tradepost_ports::provider_probe::ProviderProbe;

use crate::Desk;

/// A desk that is asked about its providers.
pub(crate) struct DeskProbe(pub(crate) Desk);

/// How a provider answered a call.
#[derive(Clone, Copy)]
enum CallOutcome {
    /// As it should.
    Answered,
    /// It refused.
    Refused,
    /// With nothing that can be used.
    Nothing,
    /// Not now.
    Limited(Duration),
    /// A caller whom the system does not know.
    Stranger,
}

impl CallOutcome {
    const fn of<T, R>(answer: &Result<T, ExternalError<R>>) -> Self {
        match answer {
            Ok(_) => Self::Answered,
            Err(ExternalError::Rejected(_)) => Self::Refused,
            Err(ExternalError::Unknown(_)) => Self::Nothing,
            Err(ExternalError::RateLimited { retry_after, .. }) => Self::Limited(*retry_after),
            Err(ExternalError::AuthLost { .. }) => Self::Stranger,
        }
    }

    fn into_check(self, code: ProviderCheckCode) -> ProviderCheck {
        let (ok, detail) = match self {
            Self::Answered => (true, "it answered".to_owned()),
            Self::Refused => (false, "it refused".to_owned()),
            Self::Nothing => (false, "it gave no answer that can be used".to_owned()),
            Self::Limited(wait) => (false, format!("it is to be asked again in {} s", wait.as_secs())),
            Self::Stranger => (false, "it does not know us".to_owned()),
        };
        ProviderCheck { code, ok, detail }
    }

    /// Whether this is not what keeps a check from holding.
    const fn passes(self, code: ProviderCheckCode) -> bool {
        match code {
            ProviderCheckCode::Connection => !matches!(self, Self::Nothing),
            ProviderCheckCode::Credentials => !matches!(self, Self::Stranger),
            ProviderCheckCode::RateLimit => !matches!(self, Self::Limited(_)),
            ProviderCheckCode::Fees
            | ProviderCheckCode::Balance
            | ProviderCheckCode::Quotes
            | ProviderCheckCode::Shapes => {
                matches!(self, Self::Answered)
            }
        }
    }
}

/// The checks of whether it can be asked at all, and behind them those of each call.
fn checks(calls: &[(CallOutcome, Option<ProviderCheckCode>)]) -> Vec<ProviderCheck> {
    let first = [ProviderCheckCode::Connection, ProviderCheckCode::Credentials, ProviderCheckCode::RateLimit];
    let whole = first.map(|code| {
        let failed = calls.iter().map(|(heard, _)| *heard).find(|heard| !heard.passes(code));
        let check = failed.unwrap_or(CallOutcome::Answered).into_check(code);
        ProviderCheck { detail: if check.ok { "nothing to the contrary".to_owned() } else { check.detail }, ..check }
    });
    let each = calls.iter().filter_map(|(heard, code)| code.map(|code| heard.into_check(code)));
    whole.into_iter().chain(each).collect()
}

/// The check of a platform that refuses this client. The call of the test may be of another kind than those that it refuses.
fn refused_client(check: ProviderCheck, why: &str) -> ProviderCheck {
    match check.code {
        ProviderCheckCode::RateLimit => ProviderCheck { ok: false, detail: why.to_owned(), ..check },
        ProviderCheckCode::Connection
        | ProviderCheckCode::Credentials
        | ProviderCheckCode::Fees
        | ProviderCheckCode::Balance
        | ProviderCheckCode::Quotes
        | ProviderCheckCode::Shapes => check,
    }
}

#[async_trait]
impl ProviderProbe for DeskProbe {
    fn reaches(&self, workspace: WorkspaceId, kind: ProviderKind, name: &Marketplace) -> bool {
        self.0.workspace_id == workspace
            && match kind {
                ProviderKind::Marketplace => self.0.venue(name).is_some(),
                ProviderKind::PriceSource => self.0.price_sources.iter().any(|source| source.name() == name),
                // A desk has one, whatever it is called.
                ProviderKind::GamePlatform => true,
            }
    }

    async fn probe(&self, kind: ProviderKind, name: &Marketplace) -> Vec<ProviderCheck> {
        match kind {
            ProviderKind::Marketplace => {
                let Some(venue) = self.0.venue(name) else { return Vec::new() };
                let fees = CallOutcome::of(&venue.marketplace.fee_schedule().await);
                let balance = CallOutcome::of(&venue.marketplace.balance().await);
                checks(&[(fees, Some(ProviderCheckCode::Fees)), (balance, Some(ProviderCheckCode::Balance))])
            }
            ProviderKind::PriceSource => {
                let named = self.0.price_sources.iter().find(|source| source.name() == name);
                let Some(source) = named else { return Vec::new() };
                checks(&[(CallOutcome::of(&source.quotes().await), Some(ProviderCheckCode::Quotes))])
            }
            ProviderKind::GamePlatform => {
                let found = checks(&[(CallOutcome::of(&self.0.platform.server_time().await), None)]);
                let Some(why) = self.0.platform.refuses_client() else { return found };
                found.into_iter().map(|check| refused_client(check, &why)).collect()
            }
        }
    }
}
