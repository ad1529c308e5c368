//! The fees that marketplaces last reported: evaluations and simulations of contracts use them where a request names none.

use std::collections::BTreeMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::markets::fees::{FeeOverride, FeeRate, FeeSchedule};
use tradepost_domain::markets::provider::{Provider, ProviderKind};
use tradepost_domain::money::{Currency, VenueCents};
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
    Ok(reported.into_iter().map(|(name, currency, fees)| (name, converted(fees, currency, base))).collect())
}

fn converted(fees: FeeSchedule, currency: Currency, base: Currency) -> FeeSchedule {
    if currency == base {
        return fees;
    }
    let share = |rate: FeeRate| FeeRate { minimum: VenueCents::ZERO, ..rate };
    let special = |fee: FeeOverride| FeeOverride { buying: share(fee.buying), selling: share(fee.selling), ..fee };
    FeeSchedule {
        buying: share(fees.buying),
        selling: share(fees.selling),
        overrides: fees.overrides.into_iter().map(special).collect(),
    }
}
