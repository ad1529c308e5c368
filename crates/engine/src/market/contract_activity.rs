//! What a contract did lately, as far as its limits ask for it. It is read again only when the contract has changed, as every
//! purchase of its changes it, or the day.

use std::collections::BTreeMap;

use tradepost_domain::contracts::contract::{ApprovalMode, BuyingTerms, Contract, Terms};
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::id::ContractId;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;
use tradepost_operations::Versioned;

use crate::context::Context;
use crate::error::EngineResult;
use crate::market::Market;

/// What was read of contracts whose limits ask for it.
#[derive(Debug, Default)]
pub(crate) struct ContractActivityCache(BTreeMap<ContractId, CachedActivity>);

/// What a contract did until it came to a version, on a day.
#[derive(Debug)]
struct CachedActivity {
    /// Whether the contract buys by itself: no proposals count then.
    is_automatic: bool,
    version: i64,
    today: Timestamp,
    /// By market name, where the contract has a limit by name.
    of_names: BTreeMap<Option<MarketHashName>, Activity>,
}

impl ContractActivityCache {
    /// Removes contracts that are no longer active.
    pub(crate) fn retain_active(&mut self, is_active: impl Fn(ContractId) -> bool) {
        self.0.retain(|id, _| is_active(*id));
    }

    /// Forgets what contracts did whose proposals count: a proposal ends without a new version of its contract.
    pub(crate) fn forget_proposals(&mut self) {
        self.0.retain(|_, lately| lately.is_automatic);
    }

    /// Returns what is cached for this version of a contract.
    fn get(
        &mut self,
        contract: &Versioned<Contract>,
        today: Timestamp,
    ) -> &mut BTreeMap<Option<MarketHashName>, Activity> {
        let (version, is_automatic) = (contract.version, is_automatic(&contract.value));
        let unknown = || CachedActivity { is_automatic, version, today, of_names: BTreeMap::new() };
        let known = self.0.entry(contract.value.id).or_insert_with(unknown);
        if (known.version, known.today) != (version, today) {
            *known = unknown();
        }
        &mut known.of_names
    }
}

impl Market {
    /// What a contract did, of items of this name.
    pub(crate) async fn contract_activity(
        &mut self,
        context: &Context,
        contract: &Versioned<Contract>,
        name: &MarketHashName,
    ) -> EngineResult<Activity> {
        let Terms::Buying(terms) = &contract.value.terms else { return Ok(Activity::default()) };
        if is_automatic(&contract.value) && !needs_activity(terms) {
            return Ok(Activity::default());
        }
        let (today, of_name) = (context.now().start_of_day(), terms.max_per_item_name.map(|_| name.clone()));
        if let Some(known) = self.activity.get(contract, today).get(&of_name) {
            return Ok(*known);
        }
        let read = context.operations().contract_activity(context.caller(), &contract.value, name).await?;
        self.activity.get(contract, today).insert(of_name, read);
        Ok(read)
    }
}

fn is_automatic(contract: &Contract) -> bool {
    contract.approval_mode == ApprovalMode::Automatic
}

fn needs_activity(terms: &BuyingTerms) -> bool {
    terms.daily_budget.is_some() || terms.max_per_item_name.is_some() || terms.cooldown_seconds.is_some()
}
