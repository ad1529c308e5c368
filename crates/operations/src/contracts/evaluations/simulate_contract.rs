//! [`SimulateContract`]: the backtest of a contract on recorded market observations.

use crate::contracts::contracts::create_contract::draft_of;
use crate::contracts::evaluations::evaluate_contract::judged;
use crate::markets::providers::reported_fees::reported_fees;
use std::collections::{BTreeMap, BTreeSet};

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{AdmissionError, Contract, ContractParts, ContractType, Counters};
use tradepost_domain::contracts::evaluation::{Activity, Decision, Evaluation, ListingContext, Rule};
use tradepost_domain::contracts::matching::ContractIndex;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation};
use tradepost_domain::money::{Cents, MoneyError};
use tradepost_domain::text::{ExternalId, MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::{ObservationSpan, PriceSnapshot, StoreError};

use super::evaluate_contract::{EvaluationSubject, Spot};
use super::quotes::{FeeInput, Fees, RequestFees};
use crate::contracts::contracts::create_contract::CreateContract;
use crate::markets::PriceBasis;
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// The default number of observations to evaluate.
const SOME: u32 = 1_000;
/// The most observations of a simulation.
const MOST: u32 = 10_000;
/// The number of observations that are read at once.
const PAGE: u32 = 200;
/// The maximum of rules in the answer, of those that reject most.
const TOP_REASONS: usize = 5;
/// The maximum of listings in the answer, of those that would have been bought.
const MOST_LISTED: usize = 200;

/// A backtest of a contract on the market observations of a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulateContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract, which must buy.
    pub contract: Simulated,
    /// Observations that were recorded at this time or later, to the millisecond.
    pub from: Timestamp,
    /// Observations that were recorded before this time; now if absent.
    pub to: Option<Timestamp>,
    /// The most observations to look at: 0 is 1,000, above 10,000 is 10,000, negative is rejected.
    pub limit: i32,
    /// The fees of marketplaces, each once; of one that is not named, the last reported fees. Nothing is bought where neither is known.
    pub fees: Vec<FeeInput>,
}

/// The contract to simulate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Simulated {
    /// This one, with its terms as they are now, in whichever state it is.
    Stored(ContractId),
    /// One that is not kept. Its workspace is that of the request; its pool is not looked at.
    Draft(Box<CreateContract>),
}

/// The result of a backtest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Simulation {
    /// The number of evaluated observations.
    pub observed: u32,
    /// The number of them that the filter set and the marketplaces of the contract match.
    pub matched: u32,
    /// The number that would have been bought.
    pub would_buy: u32,
    /// The cost of these, with fees.
    pub spend: Cents,
    /// The rules that reject most of the matched observations, with how many each rejects, the most first. [`Rule::Marketplace`] is among
    /// them with those that only the filter set matches.
    pub top_reasons: Vec<(Rule, u32)>,
    /// Whether the period has more observations than were evaluated.
    pub truncated: bool,
    /// The time at which the last evaluated observation was recorded.
    pub until: Option<Timestamp>,
    /// The first 200 listings that would have been bought, the oldest first; `would_buy` counts all.
    pub would_have_bought: Vec<WouldHaveBought>,
}

/// A listing that a contract would have bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WouldHaveBought {
    /// The observation of the listing, which would have been bought when it was recorded.
    pub observation: MarketObservation,
    /// The fee of the marketplace.
    pub fee: Cents,
    /// The price with the fee.
    pub all_in_cost: Cents,
    /// The value of the item by the prices that were on record then.
    pub fair_value: Option<Cents>,
}

impl Operations {
    /// Replays the observations of a period, the oldest first, and evaluates each as the engine would have at that moment: by the
    /// same matching and rules, and by the prices that were on record then. The contract begins at `from` with nothing bought, and
    /// what it would buy counts against its limits from then on. Nothing is stored.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found` for the contract or the filter set of a draft,
    /// `failed_precondition`: `CONTRACT_NEVER_BUYS`, and for what could not be activated at `from` `CONTRACT_LIMITS` or
    /// `CONTRACT_ENDED`.
    pub async fn simulate_contract(&self, caller: &Caller, command: SimulateContract) -> OpResult<Simulation> {
        let scope = rules::SIMULATE_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        let (from, to) = (command.from, command.to.unwrap_or_else(|| self.market_now(command.workspace_id)));
        if to <= from {
            return Err(OpError::invalid_field("to", "must be after from"));
        }
        let limit = fields::limit(command.limit, SOME, MOST)?;
        let said = said(&command.fees)?;
        let judged = self.to_simulate(scope, command.contract, from).await?;
        let mut run = Run::of(judged, Fees::of(reported_fees(self, scope).await?, said));
        let mut after = None;
        while run.found.observed < limit {
            let some = PAGE.min(limit.saturating_sub(run.found.observed));
            let page = self.ports.store.observations().replay(scope, ObservationSpan { from, to, after, limit: some });
            let page = page.await?;
            let is_last = page.len() < some as usize;
            after = page.last().map(|(observation, _)| observation.id).or(after);
            for (observation, prices) in page {
                run.see(&observation, prices)?;
            }
            if is_last {
                return Ok(run.into_simulation());
            }
        }
        let more = self.ports.store.observations().replay(scope, ObservationSpan { from, to, after, limit: 1 }).await?;
        run.found.truncated = !more.is_empty();
        Ok(run.into_simulation())
    }

    /// Returns the contract as if it had been activated at this time, with nothing bought.
    async fn to_simulate(
        &self,
        scope: WorkspaceScope,
        which: Simulated,
        from: Timestamp,
    ) -> OpResult<EvaluationSubject> {
        let judged = match which {
            Simulated::Stored(id) => judged(self, scope, id).await?,
            Simulated::Draft(draft) => {
                let drafted = draft_of(self, &draft).and_then(|draft| Ok(Contract::draft(draft, from)?));
                let contract = drafted.map_err(|refused| refused.within("draft"))?;
                let filter = match contract.filter_set_id {
                    Some(id) => {
                        let found = self.ports.store.filter_sets().find(scope, id).await?;
                        Some(found.ok_or_else(|| OpError::not_found("filter set"))?.peek().current())
                    }
                    None => None,
                };
                EvaluationSubject { contract, filter }
            }
        };
        if judged.contract.contract_type() != ContractType::Buying {
            return Err(AdmissionError::NeverBuys.into());
        }
        let (id, name) = (judged.contract.id, judged.contract.name.clone());
        let contract = judged.contract.copied(id, name, from).activate(from)?;
        Ok(EvaluationSubject { contract, ..judged })
    }
}

/// Returns the fees that a request names for marketplaces, each once.
fn said(given: &[FeeInput]) -> OpResult<BTreeMap<Marketplace, RequestFees>> {
    if given.len() > Contract::MAX_MARKETPLACES {
        let most = Contract::MAX_MARKETPLACES;
        return Err(OpError::invalid_field("fees", format_args!("must have at most {most} values")));
    }
    let mut said = BTreeMap::new();
    for (index, fees) in given.iter().enumerate() {
        let (marketplace, fees) = fees.check(&format!("fees[{index}]"))?;
        if said.insert(marketplace, fees).is_some() {
            let field = format!("fees[{index}].marketplace");
            return Err(OpError::invalid_field(&field, "is named twice"));
        }
    }
    Ok(said)
}

/// A simulation as far as it has come.
struct Run {
    judged: EvaluationSubject,
    index: ContractIndex,
    fees: Fees,
    found: Simulation,
    refused: BTreeMap<Rule, u32>,
    bought: BTreeMap<MarketHashName, u32>,
    /// The listings that were bought: they are missing when they are observed again.
    sold: BTreeSet<(Marketplace, ExternalId)>,
    /// The amount that was spent on the day of the last purchase.
    spent: Cents,
    last_purchase_at: Option<Timestamp>,
}

impl Run {
    fn of(judged: EvaluationSubject, fees: Fees) -> Self {
        let mut index = ContractIndex::default();
        index.follow(&judged.contract, judged.filter.as_ref().map(|filter| filter.rules.clone()));
        Self {
            judged,
            index,
            fees,
            found: Simulation::default(),
            refused: BTreeMap::new(),
            bought: BTreeMap::new(),
            sold: BTreeSet::new(),
            spent: Cents::ZERO,
            last_purchase_at: None,
        }
    }

    fn see(&mut self, observation: &MarketObservation, prices: PriceSnapshot) -> OpResult<()> {
        let (snapshot, at) = (&observation.snapshot, observation.recorded_at);
        self.found.observed = self.found.observed.saturating_add(1);
        self.found.until = Some(at);
        let is_sold = self.sold.contains(&(snapshot.marketplace.clone(), snapshot.listing_id.clone()));
        if is_sold || self.index.matching(&snapshot.listing).is_empty() {
            return Ok(());
        }
        let evaluation = self.judge(snapshot, &PriceBasis::then(prices), at)?;
        if evaluation.failed().any(|rule| rule == Rule::Marketplace) {
            self.refuse(Rule::Marketplace);
            return Ok(());
        }
        self.found.matched = self.found.matched.saturating_add(1);
        for rule in evaluation.failed() {
            self.refuse(rule);
        }
        if evaluation.decision == Decision::Buy { self.buy(observation, &evaluation) } else { Ok(()) }
    }

    fn refuse(&mut self, rule: Rule) {
        let count = self.refused.entry(rule).or_default();
        *count = count.saturating_add(1);
    }

    fn judge(&self, snapshot: &ListingSnapshot, basis: &PriceBasis, at: Timestamp) -> OpResult<Evaluation> {
        let activity = Activity {
            spent_today: self.spent_on(at),
            of_item_name: self.bought.get(&snapshot.listing.variant.market_hash_name).copied().unwrap_or(0),
            last_purchase_at: self.last_purchase_at,
            ..Activity::default()
        };
        let prospect = ListingContext { listing: &snapshot.listing, exits: &self.fees.exits, activity };
        let marketplace = &snapshot.marketplace;
        let spot = Spot { marketplace, fees: self.fees.of_buyers(marketplace), basis, at };
        self.judged.of_listing(&prospect, &spot)
    }

    fn spent_on(&self, at: Timestamp) -> Cents {
        if self.last_purchase_at.is_some_and(|last| last.is_same_day(at)) { self.spent } else { Cents::ZERO }
    }

    fn buy(&mut self, observation: &MarketObservation, evaluation: &Evaluation) -> OpResult<()> {
        let (snapshot, at) = (&observation.snapshot, observation.recorded_at);
        let cost = evaluation.all_in_cost.unwrap_or_default();
        let out_of_range = |error: MoneyError| OpError::internal(error.to_string());
        self.found.would_buy = self.found.would_buy.saturating_add(1);
        if self.found.would_have_bought.len() < MOST_LISTED {
            self.found.would_have_bought.push(WouldHaveBought {
                observation: observation.clone(),
                fee: cost.minus(snapshot.listing.price).map_err(out_of_range)?,
                all_in_cost: cost,
                fair_value: evaluation.fair_value,
            });
        }
        self.found.spend = self.found.spend.plus(cost).map_err(out_of_range)?;
        self.spent = self.spent_on(at).plus(cost).map_err(out_of_range)?;
        self.last_purchase_at = Some(at);
        let count = self.bought.entry(snapshot.listing.variant.market_hash_name.clone()).or_default();
        *count = count.saturating_add(1);
        self.sold.insert((snapshot.marketplace.clone(), snapshot.listing_id.clone()));
        let parts: ContractParts = (*self.judged.contract).clone();
        let counters = Counters {
            open_quantity: parts.counters.open_quantity.saturating_add(1),
            reserved: parts.counters.reserved.plus(cost).map_err(out_of_range)?,
            ..parts.counters
        };
        let next = Contract::restore(ContractParts { counters, ..parts });
        self.judged.contract = next.map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(())
    }

    fn into_simulation(self) -> Simulation {
        let mut top_reasons: Vec<(Rule, u32)> = self.refused.into_iter().collect();
        top_reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        top_reasons.truncate(TOP_REASONS);
        Simulation { top_reasons, ..self.found }
    }
}
