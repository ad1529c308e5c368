//! The prices of a variant when an observation is recorded. They are kept with the observation.

use std::collections::{BTreeSet, HashMap};

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, DbBackend, Statement, Value};
use tradepost_domain::markets::observation::MarketObservation;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::store::{PriceSnapshot, StoreResult};

use super::{SAID, given, in_table, quote};
use crate::classify::{DbOperation, classify};
use crate::rows::{cell, uuid};
use crate::sql_text::{NAMES_POSTGRES, NAMES_SQLITE, name_list};

/// The values that people gave, behind what sources say.
const GIVEN: &str = " UNION ALL SELECT 1, app_id, market_hash_name, phase, '', price, NULL, NULL, NULL, expires_at \
    FROM price_overrides WHERE workspace_id = $1 AND market_hash_name IN ({names})";

/// What sources and people say of the variants of new observations.
pub(super) async fn current_prices(
    db: &DatabaseTransaction,
    accepted: &[&MarketObservation],
) -> StoreResult<HashMap<Variant, PriceSnapshot>> {
    let Some(first) = accepted.first() else { return Ok(HashMap::new()) };
    let names = accepted.iter().map(|observation| &observation.snapshot.listing.variant.market_hash_name);
    let names: Vec<MarketHashName> = names.collect::<BTreeSet<_>>().into_iter().cloned().collect();
    let backend = db.get_database_backend();
    let wanted = if backend == DbBackend::Sqlite { NAMES_SQLITE } else { NAMES_POSTGRES };
    let text = format!("{SAID}{GIVEN}").replace("{names}", wanted);
    let values: [Value; 2] = [uuid(first.workspace_id).into(), name_list(&names)];
    let statement = Statement::from_sql_and_values(backend, text, values);
    let rows = db.query_all_raw(statement).await.map_err(|error| classify(&error, DbOperation::Statement))?;
    let mut prices: HashMap<Variant, PriceSnapshot> = HashMap::new();
    for row in rows {
        if cell::<i32>(&row, 0)? == 0 {
            let (variant, quote) = quote(in_table("market_quotes", first.workspace_id), &row)?;
            prices.entry(variant).or_default().quotes.push(quote);
        } else {
            let (variant, given) = given(in_table("price_overrides", first.workspace_id), &row)?;
            prices.entry(variant).or_default().given = Some(given);
        }
    }
    Ok(prices)
}
