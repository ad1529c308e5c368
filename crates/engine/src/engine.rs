//! The loop itself: what a pass looks at, and in which order.

use std::fmt;
use std::sync::Arc;

use tradepost_domain::id::ContractId;
use tradepost_domain::provider::ProviderKind;
use tradepost_domain::text::Marketplace;
use tradepost_domain::trading_account::AccountRole;
use tradepost_operations::contracts::{AccountChoice, ResolveAssignment};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::clock::MarketClock;

use crate::audit::Audit;
use crate::context::Context;
use crate::desk::backoff::with_backoff;
use crate::desk::{Desk, DeskState, TradingAccount};
use crate::error::{EngineError, EngineResult};
use crate::mark::Mark;
use crate::market::Market;
use crate::open_records::{MAX_CONCURRENCY, ScanCursors};
use crate::orders::Orders;
use crate::pass::Pass;
use crate::sales::Sales;
use crate::settlement::Settlement;
use crate::timings::EngineTimings;

/// Trades for one desk, together with other nodes. Passes are taken one after another.
pub struct Engine {
    pub(crate) context: Context,
    pub(crate) scans: ScanCursors,
    pub(crate) desk: DeskState,
    pub(crate) market: Market,
    pub(crate) orders: Orders,
    pub(crate) settlement: Settlement,
    pub(crate) sales: Sales,
    pub(crate) audit: Audit,
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
        let (desk, backoff) = with_backoff(desk, &clock, timings);
        let began = (clock.market_now(), Mark::of(clock.as_ref()));
        let caller = Caller::system();
        let concurrency = MAX_CONCURRENCY;
        Self {
            context: Context { operations, caller, desk, clock, began, timings, backoff, concurrency },
            scans: ScanCursors::default(),
            desk: DeskState::default(),
            market: Market::default(),
            orders: Orders::default(),
            settlement: Settlement::default(),
            sales: Sales::default(),
            audit: Audit::default(),
        }
    }

    /// The same, which takes one step after the other: a simulated world then goes the same way each time.
    #[must_use]
    pub fn sequential(mut self) -> Self {
        self.context.concurrency = 1;
        self
    }

    /// Buys what is on sale and wanted, then looks at what waits, and takes every step that can be taken. What is in doubt goes
    /// before all else. Of what is open a bounded part is looked at, and the rest in the passes after.
    ///
    /// A step that fails is told and left for another pass; nothing stops the others but leases that cannot be renewed.
    pub async fn pass(&mut self) -> Pass {
        let mut pass = Pass::default();
        let taken = Box::pin(self.run_pass(&mut pass)).await;
        pass.record(taken);
        self.drop_lost_leases(&pass.errors);
        pass
    }

    /// Looks for what shows nowhere in what is under way.
    async fn run_audits(&mut self, pass: &mut Pass) {
        let result = self.audit_next_inventory(pass).await;
        pass.record_error(result);
        let result = Box::pin(self.find_late_deliveries(pass)).await;
        pass.record_error(result);
        let result = Box::pin(self.recheck_not_placed(pass)).await;
        pass.record_error(result);
        let result = self.verify_chains().await;
        pass.record_error(result);
        self.reconcile_balances(pass).await;
        self.report_lost_sessions(pass).await;
    }

    /// The parts of a pass. Between them the leases are renewed if it is time: the outside may be slow, and a pass longer than they
    /// last.
    async fn run_pass(&mut self, pass: &mut Pass) -> EngineResult {
        Box::pin(self.renew_leases()).await?;
        let result = Box::pin(self.run_maintenance(pass)).await;
        pass.record(result);
        let result = Box::pin(self.reconcile_purchases(pass)).await;
        pass.record(result);
        let result = Box::pin(self.run_market(pass)).await;
        pass.record(result);
        let result = Box::pin(self.execute_intents(pass)).await;
        pass.record(result);
        Box::pin(self.renew_leases()).await?;
        let result = Box::pin(self.process_deliveries(pass)).await;
        pass.record(result);
        Box::pin(self.renew_leases()).await?;
        let result = Box::pin(self.check_protections(pass)).await;
        pass.record(result);
        Box::pin(self.renew_leases()).await?;
        let result = Box::pin(self.process_sales(pass)).await;
        pass.record(result);
        Box::pin(self.renew_leases()).await?;
        let result = Box::pin(self.sell_items(pass)).await;
        pass.record(result);
        Box::pin(self.run_audits(pass)).await;
        Ok(())
    }

    async fn run_market(&mut self, pass: &mut Pass) -> EngineResult {
        self.refresh_contracts().await?;
        self.refresh_providers().await?;
        self.observe_markets(pass).await;
        Ok(())
    }

    /// The account that buys next for a contract: whoever is assigned to its pool, or each in turn.
    pub(crate) async fn choose_buyer(&mut self, contract_id: ContractId) -> EngineResult<TradingAccount> {
        let (workspace_id, role) = (self.context.desk.workspace_id, AccountRole::Buy);
        let pool_id = self.market.contracts.get(contract_id).and_then(|standing| standing.contract.value.pool_id);
        let Some(pool_id) = pool_id else { return self.next_ready_account().await };
        let ask = ResolveAssignment { workspace_id, pool_id, role };
        match self.context.operations.choose_account(&self.context.caller, ask).await? {
            AccountChoice::Anybody => self.next_ready_account().await,
            AccountChoice::Account { name, .. } => self.context.account(&name),
            AccountChoice::Nobody => Err(EngineError::NoAssignedAccount(pool_id)),
        }
    }

    async fn next_ready_account(&mut self) -> EngineResult<TradingAccount> {
        let (now, turn, loads) = (self.context.now(), self.market.next_account, self.loads().await?);
        self.market.next_account = turn.wrapping_add(1);
        let is_able = |account: &&TradingAccount| self.desk.accounts.may_buy(&account.name, &loads, now);
        let able: Vec<&TradingAccount> = self.context.desk.accounts.iter().filter(is_able).collect();
        let next = turn.checked_rem(able.len()).and_then(|place| able.get(place).copied());
        next.cloned().ok_or(EngineError::NoReadyAccount)
    }

    /// Whether this node buys at a marketplace, nothing there is in doubt, it is not to be left alone, and nobody took it out of work.
    pub(crate) fn may_buy_at(&self, marketplace: &Marketplace) -> bool {
        self.holds_marketplace(marketplace)
            && !self.orders.uncertain.blocks_buying(marketplace)
            && !self.context.backoff.is_active(marketplace)
            && !self.desk.providers.is_disabled(ProviderKind::Marketplace, marketplace)
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("workspace_id", &self.context.desk.workspace_id).finish_non_exhaustive()
    }
}
