//! What a contract did recently, as far as its limits ask for it.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{Contract, Terms};
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::ActivityQuery;

use crate::{OpResult, Operations};

/// Returns the activity of a contract with items of a name before a time, on the day of that time; without a time nothing is left out. Of a
/// contract without limits on it nothing is read.
pub(crate) async fn activity_of(
    operations: &Operations,
    scope: WorkspaceScope,
    contract: &Contract,
    name: &MarketHashName,
    before: Option<Timestamp>,
) -> OpResult<Activity> {
    let Terms::Buying(terms) = &contract.terms else { return Ok(Activity::default()) };
    let (daily_budget, most, cooldown) = (terms.daily_budget, terms.max_per_item_name, terms.cooldown_seconds);
    if daily_budget.is_none() && most.is_none() && cooldown.is_none() {
        return Ok(Activity::default());
    }
    let query = ActivityQuery {
        spent_since: daily_budget
            .map(|_| before.unwrap_or_else(|| operations.market_now(scope.workspace_id())).start_of_day()),
        of_item_name: most.map(|most| (name, most)),
        last_purchase: cooldown.is_some(),
        before,
    };
    Ok(operations.ports.store.contracts().find_activity(scope, contract.id, query).await?)
}
