//! The fees that marketplaces last reported: evaluations and simulations of contracts, and proposals of purchases, use them where a request
//! names none.

use std::collections::BTreeMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::markets::fees::{Charges, FeeSchedule};
use tradepost_domain::markets::provider::{Provider, ProviderKind};
use tradepost_domain::money::Currency;
use tradepost_domain::text::Marketplace;
use tradepost_ports::store::PageRequest;

use crate::{OpError, OpResult, Operations};

/// The maximum of providers that are read at once.
const PAGE: u32 = 200;

/// Returns the fees that each marketplace on record last reported; those that have reported none are left out. Of one whose
/// prices are in another currency only the shares are known here: a least fee is an amount of its own currency.
pub(crate) async fn reported_fees(
    operations: &Operations,
    scope: WorkspaceScope,
) -> OpResult<BTreeMap<Marketplace, FeeSchedule>> {
    let charges = reported_charges(operations, scope).await?;
    Ok(charges.into_iter().map(|(name, charges)| (name, charges.schedule().clone())).collect())
}

/// Returns what each marketplace takes by these fees. The rate of another currency is not known here.
pub(crate) async fn reported_charges(
    operations: &Operations,
    scope: WorkspaceScope,
) -> OpResult<BTreeMap<Marketplace, Charges>> {
    let (store, mut reported, mut before) = (&operations.ports.store, Vec::new(), None);
    loop {
        let page = PageRequest { before, limit: PAGE };
        let page = store.providers().list(scope, Some(ProviderKind::Marketplace), page).await?;
        before = page.ids.last().copied();
        if before.is_some() {
            let healths = store.providers().find_healths(scope, &page.ids).await?;
            let providers = store.providers().find_many(scope, &page.ids).await?;
            let of_one = |provider: &Provider| {
                let health = healths.iter().find(|health| health.peek().provider_id == provider.id)?;
                Some((provider.name.clone(), provider.currency, health.peek().report.fees.clone()?))
            };
            reported.extend(providers.iter().filter_map(|provider| of_one(provider.peek())));
        }
        if !page.more {
            break;
        }
    }
    if reported.is_empty() {
        return Ok(BTreeMap::new());
    }
    let workspace = store.workspaces().find(scope).await?.ok_or_else(|| OpError::not_found("workspace"))?;
    let base = workspace.peek().base_currency;
    let charges = |currency: Currency, fees: FeeSchedule| {
        if currency == base { Charges::from(fees) } else { Charges::without_rate(fees) }
    };
    Ok(reported.into_iter().map(|(name, currency, fees)| (name, charges(currency, fees))).collect())
}
