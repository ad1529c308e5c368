//! The loop itself: what a pass looks at, and in which order.

use std::fmt;
use std::sync::Arc;

use tradepost_domain::id::ContractId;
use tradepost_domain::provider::ProviderKind;
use tradepost_domain::text::{AccountName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading_account::AccountRole;
use tradepost_operations::contracts::{AccountChoice, ResolveAssignment};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::clock::MarketClock;

use crate::accounts::{Lost, Records};
use crate::activity::Activities;
use crate::balances::Balances;
use crate::catalogue::Catalogue;
use crate::chains::Chains;
use crate::chores::Chores;
use crate::desk::{Desk, TradingAccount, Venue};
use crate::doubt::Doubts;
use crate::inventories::Inventories;
use crate::judgements::Judgements;
use crate::lanes::Lanes;
use crate::late::Late;
use crate::leftover::Leftovers;
use crate::mark::Mark;
use crate::observing::Market;
use crate::offers::Told;
use crate::pass::Pass;
use crate::problems::Problems;
use crate::protection::Reversals;
use crate::providers::Providers;
use crate::rates::Rates;
use crate::reads::{AT_ONCE, Rounds};
use crate::resting::{Rests, patient};
use crate::sales::Sales;
use crate::selling::Decisions;
use crate::shown::Shown;
use crate::terms::Asked;
use crate::timings::EngineTimings;
use crate::trouble::{Tried, Trouble};
use crate::unplaced::Unplaced;
use crate::unread::Unread;

/// Trades for one desk, together with other nodes. Passes are taken one after another.
pub struct Engine {
    pub(crate) operations: Arc<Operations>,
    pub(crate) clock: Arc<dyn MarketClock>,
    /// When it began, by the clock and by its monotonic measure.
    pub(crate) began: (Timestamp, Mark),
    pub(crate) caller: Caller,
    pub(crate) desk: Desk,
    pub(crate) timings: EngineTimings,
    /// Which marketplaces are to be left alone at present.
    pub(crate) rests: Arc<Rests<Marketplace>>,
    pub(crate) lanes: Lanes,
    pub(crate) chores: Chores,
    pub(crate) records: Records,
    pub(crate) lost: Lost,
    pub(crate) problems: Problems,
    pub(crate) balances: Balances,
    pub(crate) inventories: Inventories,
    pub(crate) late: Late,
    pub(crate) unplaced: Unplaced,
    pub(crate) chains: Chains,
    pub(crate) catalogue: Catalogue,
    pub(crate) activities: Activities,
    pub(crate) rounds: Rounds,
    pub(crate) market: Market,
    pub(crate) providers: Providers,
    pub(crate) rates: Rates,
    pub(crate) asked: Asked,
    pub(crate) doubts: Doubts,
    pub(crate) reversals: Reversals,
    pub(crate) unread: Unread,
    pub(crate) sales: Sales,
    pub(crate) leftovers: Leftovers,
    pub(crate) shown: Shown,
    pub(crate) told_offers: Told,
    /// When something was last decided about the sale of each item.
    pub(crate) decided_on: Decisions,
    /// Which items were left as they are.
    pub(crate) judgements: Judgements,
    /// Whose turn it is to buy.
    pub(crate) turn: usize,
    /// How many steps are taken at a time.
    pub(crate) at_once: usize,
}

impl Engine {
    /// An engine that has looked at nothing yet. The clock is that of what is traded in: the one that the operations of the workspace
    /// go by ([`Operations::trade_by`]).
    pub fn new(operations: Arc<Operations>, clock: Arc<dyn MarketClock>, desk: Desk) -> Self {
        Self::with_timings(operations, clock, desk, EngineTimings::default())
    }

    /// The same, whose calls to external systems have other bounds than the default ones.
    pub fn with_timings(
        operations: Arc<Operations>,
        clock: Arc<dyn MarketClock>,
        desk: Desk,
        timings: EngineTimings,
    ) -> Self {
        let (desk, rests) = patient(desk, &clock, timings);
        let began = (clock.market_now(), Mark::of(clock.as_ref()));
        Self {
            operations,
            clock,
            began,
            caller: Caller::system(),
            desk,
            timings,
            rests,
            lanes: Lanes::default(),
            chores: Chores::default(),
            records: Records::default(),
            lost: Lost::default(),
            problems: Problems::default(),
            balances: Balances::default(),
            inventories: Inventories::default(),
            late: Late::default(),
            unplaced: Unplaced::default(),
            chains: Chains::default(),
            catalogue: Catalogue::default(),
            activities: Activities::default(),
            rounds: Rounds::default(),
            market: Market::default(),
            providers: Providers::default(),
            rates: Rates::default(),
            asked: Asked::default(),
            doubts: Doubts::default(),
            reversals: Reversals::default(),
            unread: Unread::default(),
            sales: Sales::default(),
            leftovers: Leftovers::default(),
            shown: Shown::default(),
            told_offers: Told::default(),
            decided_on: Decisions::default(),
            judgements: Judgements::default(),
            turn: 0,
            at_once: AT_ONCE,
        }
    }

    /// The same, which takes one step after the other: a simulated world then goes the same way each time.
    #[must_use]
    pub fn one_after_the_other(self) -> Self {
        Self { at_once: 1, ..self }
    }

    /// Buys what is on sale and wanted, then looks at what waits, and takes every step that can be taken. What is in doubt goes
    /// before all else. Of what is open a bounded part is looked at, and the rest in the passes after.
    ///
    /// A step that fails is told and left for another pass; nothing stops the others but leases that cannot be renewed.
    pub async fn pass(&mut self) -> Pass {
        let mut pass = Pass::default();
        let taken = Box::pin(self.take_pass(&mut pass)).await;
        pass.note(taken);
        self.heed(&pass.troubles);
        pass
    }

    /// Looks for what shows nowhere in what is under way.
    async fn look_about(&mut self, pass: &mut Pass) {
        let tried = self.look_into_inventories(pass).await;
        pass.note_aside(tried);
        let tried = Box::pin(self.look_for_the_late(pass)).await;
        pass.note_aside(tried);
        let tried = Box::pin(self.look_up_the_unplaced(pass)).await;
        pass.note_aside(tried);
        let tried = self.look_at_chains().await;
        pass.note_aside(tried);
        self.compare_balances(pass).await;
        self.look_after_the_lost(pass).await;
    }

    /// The parts of a pass. Between them the leases are renewed if it is time: the outside may be slow, and a pass longer than they
    /// last.
    async fn take_pass(&mut self, pass: &mut Pass) -> Tried {
        Box::pin(self.share_work()).await?;
        let tried = Box::pin(self.do_chores(pass)).await;
        pass.note(tried);
        let tried = Box::pin(self.settle_doubts(pass)).await;
        pass.note(tried);
        let tried = Box::pin(self.trade(pass)).await;
        pass.note(tried);
        let tried = Box::pin(self.carry_out_intents(pass)).await;
        pass.note(tried);
        Box::pin(self.share_work()).await?;
        let tried = Box::pin(self.follow_deliveries(pass)).await;
        pass.note(tried);
        Box::pin(self.share_work()).await?;
        let tried = Box::pin(self.watch_protections(pass)).await;
        pass.note(tried);
        Box::pin(self.share_work()).await?;
        let tried = Box::pin(self.follow_sales(pass)).await;
        pass.note(tried);
        Box::pin(self.share_work()).await?;
        let tried = Box::pin(self.sell(pass)).await;
        pass.note(tried);
        Box::pin(self.look_about(pass)).await;
        Ok(())
    }

    async fn trade(&mut self, pass: &mut Pass) -> Tried {
        self.follow_contracts().await?;
        self.follow_providers().await?;
        self.look_around(pass).await;
        Ok(())
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.market_now()
    }

    /// The account that buys next for a contract: whoever is assigned to its pool, or each in turn.
    pub(crate) async fn buyer(&mut self, contract_id: ContractId) -> Tried<TradingAccount> {
        let (workspace_id, role) = (self.desk.workspace_id, AccountRole::Buy);
        let pool_id = self.catalogue.get(contract_id).and_then(|standing| standing.contract.value.pool_id);
        let Some(pool_id) = pool_id else { return self.next_account().await };
        let ask = ResolveAssignment { workspace_id, pool_id, role };
        match self.operations.choose_account(&self.caller, ask).await? {
            AccountChoice::Anybody => self.next_account().await,
            AccountChoice::Account { name, .. } => self.account(&name),
            AccountChoice::Nobody => Err(Trouble::NobodyAssigned(pool_id)),
        }
    }

    async fn next_account(&mut self) -> Tried<TradingAccount> {
        let (now, turn, loads) = (self.now(), self.turn, self.loads().await?);
        self.turn = turn.wrapping_add(1);
        let is_able = |account: &&TradingAccount| self.records.let_buy(&account.name, &loads, now);
        let able: Vec<&TradingAccount> = self.desk.accounts.iter().filter(is_able).collect();
        let next = turn.checked_rem(able.len()).and_then(|place| able.get(place).copied());
        next.cloned().ok_or(Trouble::NoAccount)
    }

    /// Whether this node buys at a marketplace, nothing there is in doubt, it is not to be left alone, and nobody took it out of work.
    pub(crate) fn buys_at(&self, marketplace: &Marketplace) -> bool {
        self.works_at(marketplace)
            && !self.doubts.at(marketplace)
            && !self.rests.rests(marketplace)
            && !self.providers.is_disabled(ProviderKind::Marketplace, marketplace)
    }

    pub(crate) fn venue(&self, name: &Marketplace) -> Tried<Venue> {
        let unknown = || Trouble::Unknown { what: "marketplace", name: name.to_string() };
        self.desk.venue(name).cloned().ok_or_else(unknown)
    }

    pub(crate) fn account(&self, name: &AccountName) -> Tried<TradingAccount> {
        let unknown = || Trouble::Unknown { what: "trading account", name: name.to_string() };
        self.desk.account(name).cloned().ok_or_else(unknown)
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("workspace_id", &self.desk.workspace_id).finish_non_exhaustive()
    }
}
