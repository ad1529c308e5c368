//! Steam as a game platform: whether the settings admit both of its hosts, and what connects the platforms on record then.

use std::fmt;
use std::sync::Arc;

use tradepost::SystemClock;
use tradepost::outside::EgressError;
use tradepost::ports::clock::RealMarket;
use tradepost_adapters_steam::{Addresses, Limits, Services, SteamConnector};

use super::outside::egress;
use crate::failure::{Exit, Failure, Outcome};
use crate::settings::Loaded;

const API: &str = "outside.addresses.steam_api";
const COMMUNITY: &str = "outside.addresses.steam_community";

/// Which of Steam's two hosts the settings admit.
pub(crate) enum SteamReach {
    /// Both: trading accounts are signed in and read.
    Called { api: String, community: String },
    /// Not both, for this reason: no call is made.
    NotCalled { reason: EgressError, is_partly_admitted: bool },
}

/// Whether the addresses of Steam can be called as they are written. Makes no call.
pub(super) fn check(loaded: &Loaded) -> Outcome {
    let Addresses { api, community } = addresses(loaded);
    for (setting, address) in [(API, api), (COMMUNITY, community)] {
        match egress(loaded).admit(&address) {
            // It is not called then, and its providers show why.
            Ok(_) | Err(EgressError::NotReal(_) | EgressError::NotNamed(_)) => {}
            Err(error) => return Err(wrong_address(loaded, setting, &error)),
        }
    }
    Ok(())
}

/// Returns which hosts of Steam would be called for trading accounts.
pub(crate) fn reach(loaded: &Loaded) -> SteamReach {
    let (egress, Addresses { api, community }) = (egress(loaded), addresses(loaded));
    match (egress.admit(&api), egress.admit(&community)) {
        (Ok(api), Ok(community)) => SteamReach::Called { api: api.to_string(), community: community.to_string() },
        (Err(reason), other) | (other, Err(reason)) => {
            SteamReach::NotCalled { reason, is_partly_admitted: other.is_ok() }
        }
    }
}

/// Returns what connects the platforms on record, or why Steam is not called.
pub(crate) fn connector(loaded: &Loaded) -> Outcome<Result<SteamConnector, EgressError>> {
    match reach(loaded) {
        SteamReach::Called { .. } => {
            let services = Services::connect(&egress(loaded), &addresses(loaded), Limits::default());
            let services = services.map_err(|error| wrong_address(loaded, API, &error))?;
            let clock = Arc::new(RealMarket(Arc::new(SystemClock)));
            SteamConnector::new(services, clock).map(Ok).map_err(no_connector)
        }
        SteamReach::NotCalled { reason, .. } => Ok(Err(reason)),
    }
}

/// The failure of a connector that does not describe itself.
pub(crate) fn no_connector(error: impl fmt::Display) -> Failure {
    Failure::new(Exit::Failed, "no connector").because(error)
}

fn addresses(loaded: &Loaded) -> Addresses {
    let (set, usual) = (&loaded.settings.outside.addresses, Addresses::default());
    Addresses {
        api: set.steam_api.clone().unwrap_or(usual.api),
        community: set.steam_community.clone().unwrap_or(usual.community),
    }
}

fn wrong_address(loaded: &Loaded, setting: &str, error: &dyn fmt::Display) -> Failure {
    let advice = "give an address such as http://127.0.0.1:8093, or remove it";
    loaded.wrong(setting, format!("cannot be used: {error}"), advice)
}
