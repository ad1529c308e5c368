//! [`SimulateContract`]: what a contract would do with many listings, one after the other.

use std::collections::BTreeMap;

use tradepost_domain::contract::{Contract, ContractParts, ContractStatus, Counters};
use tradepost_domain::evaluation::{Activity, Decision, Evaluation, Rule};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::listing::Listing;
use tradepost_domain::money::{Cents, MoneyError};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::StoreError;

use super::evaluate_contract::Judged;
use super::filter_rules::SampleListing;
use super::quotes::MarketView;
use crate::rules::READ_TRADING;
use crate::{OpError, OpResult, Operations, fields};

/// The most listings of a simulation.
const MOST_LISTINGS: usize = 500;
/// How many of the rules that refuse most are told.
const TOP_REASONS: usize = 5;

/// Asks what a contract would do with these listings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulateContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract, which must buy. A draft is tried as if it were activated.
    pub contract_id: ContractId,
    /// Where the listings are, 1 to 64 characters.
    pub marketplace: String,
    /// The listings in the order in which they are seen, 1 to 500.
    pub listings: Vec<SampleListing>,
    /// How the market is thought to be.
    pub market: MarketView,
}

/// What a contract would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Simulation {
    /// How many listings there were.
    pub observed: u32,
    /// How many of them the filter set and the marketplaces of the contract take.
    pub matched: u32,
    /// How many would be bought.
    pub would_buy: u32,
    /// What these would cost, with fees.
    pub spend: Cents,
    /// The rules that refuse most, with how many listings each refuses, the most first.
    pub top_reasons: Vec<(Rule, u32)>,
}

impl Operations {
    /// Tries a contract on listings, one after the other: what it would buy counts against its limits from then on. Nothing is
    /// stored.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found`, `failed_precondition`: `CONTRACT_NEVER_BUYS`, and for
    /// a draft that cannot be activated `CONTRACT_LIMITS` or `CONTRACT_ENDED`.
    pub async fn simulate_contract(&self, caller: &Caller, command: SimulateContract) -> OpResult<Simulation> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let at = self.now();
        if command.listings.is_empty() || command.listings.len() > MOST_LISTINGS {
            let rule = format_args!("must have 1 to {MOST_LISTINGS} listings");
            return Err(OpError::invalid_field("listings", rule));
        }
        let market = command.market.check(at)?;
        let marketplace = fields::text("marketplace", &command.marketplace)?;
        let checked = command.listings.iter().enumerate();
        let checked = checked.map(|(index, listing)| listing.check_at(&format!("listings[{index}]")));
        let listings = checked.collect::<OpResult<Vec<Listing>>>()?;
        let (contract, filter) = self.with_filter(scope, command.contract_id).await?;
        let contract = if contract.status == ContractStatus::Draft { contract.activate(at)? } else { contract };
        let mut run = Run::of(Judged { contract, filter, marketplace, market, at });
        for listing in &listings {
            run.see(listing)?;
        }
        Ok(run.told())
    }
}

/// A simulation as far as it has come.
struct Run {
    judged: Judged,
    found: Simulation,
    refused: BTreeMap<Rule, u32>,
    bought: BTreeMap<MarketHashName, u32>,
}

impl Run {
    fn of(judged: Judged) -> Self {
        Self { judged, found: Simulation::default(), refused: BTreeMap::new(), bought: BTreeMap::new() }
    }

    fn see(&mut self, listing: &Listing) -> OpResult<()> {
        let name = &listing.variant.market_hash_name;
        let activity = Activity {
            spent_today: self.found.spend,
            of_item_name: self.bought.get(name).copied().unwrap_or(0),
            last_purchase_at: (self.found.would_buy > 0).then_some(self.judged.at),
        };
        let evaluation = self.judged.of_listing(listing, activity)?;
        let is_refused_by = |rule| evaluation.failed().any(|failed| failed == rule);
        self.found.observed = self.found.observed.saturating_add(1);
        if !is_refused_by(Rule::Filter) && !is_refused_by(Rule::Marketplace) {
            self.found.matched = self.found.matched.saturating_add(1);
        }
        for rule in evaluation.failed() {
            let count = self.refused.entry(rule).or_default();
            *count = count.saturating_add(1);
        }
        if evaluation.decision == Decision::Buy { self.buy(name, &evaluation) } else { Ok(()) }
    }

    fn buy(&mut self, name: &MarketHashName, evaluation: &Evaluation) -> OpResult<()> {
        let cost = evaluation.all_in_cost.unwrap_or_default();
        let too_much = |error: MoneyError| OpError::internal(error.to_string());
        self.found.would_buy = self.found.would_buy.saturating_add(1);
        self.found.spend = self.found.spend.plus(cost).map_err(too_much)?;
        let count = self.bought.entry(name.clone()).or_default();
        *count = count.saturating_add(1);
        let parts: ContractParts = (*self.judged.contract).clone();
        let counters = Counters {
            open_quantity: parts.counters.open_quantity.saturating_add(1),
            reserved: parts.counters.reserved.plus(cost).map_err(too_much)?,
            ..parts.counters
        };
        let next = Contract::restore(ContractParts { counters, ..parts });
        self.judged.contract = next.map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(())
    }

    fn told(self) -> Simulation {
        let mut top_reasons: Vec<(Rule, u32)> = self.refused.into_iter().collect();
        top_reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        top_reasons.truncate(TOP_REASONS);
        Simulation { top_reasons, ..self.found }
    }
}
