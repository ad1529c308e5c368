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

use crate::audit::balances::BalanceAudit;
use crate::audit::chains::ChainAudit;
use crate::audit::inventories::InventoryAudit;
use crate::audit::problems::Problems;
use crate::desk::account_health::{AccountRecords, LostSessions};
use crate::desk::backoff::{Backoff, with_backoff};
use crate::desk::leases::WorkLeases;
use crate::desk::providers::ProviderCache;
use crate::desk::{Desk, TradingAccount, Venue};
use crate::error::{EngineError, EngineResult};
use crate::maintenance::Maintenance;
use crate::mark::Mark;
use crate::market::contract_activity::ContractActivityCache;
use crate::market::contract_cache::ContractCache;
use crate::market::exchange_rates::RateCache;
use crate::market::marketplace_terms::RefreshTimes;
use crate::market::observation::MarketState;
use crate::open_records::{MAX_CONCURRENCY, ScanCursors};
use crate::orders::not_placed::NotPlacedPurchases;
use crate::orders::reconciliation::UncertainPurchases;
use crate::pass::Pass;
use crate::sales::judgements::Judgements;
use crate::sales::orphan_listings::OrphanListings;
use crate::sales::reported_sales::ReportedSales;
use crate::sales::selling::DecisionTimes;
use crate::settlement::late_delivery::LateDeliveries;
use crate::settlement::platform_snapshot::PlatformSnapshot;
use crate::settlement::trade_offers::RecordedOffers;
use crate::settlement::trade_protection::Reversals;
use crate::settlement::unreadable_accounts::UnreadableAccounts;
use crate::timings::EngineTimings;

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
    pub(crate) backoff: Arc<Backoff<Marketplace>>,
    pub(crate) leases: WorkLeases,
    pub(crate) maintenance: Maintenance,
    pub(crate) account_records: AccountRecords,
    pub(crate) lost_sessions: LostSessions,
    pub(crate) problems: Problems,
    pub(crate) balances: BalanceAudit,
    pub(crate) inventories: InventoryAudit,
    pub(crate) late_deliveries: LateDeliveries,
    pub(crate) not_placed: NotPlacedPurchases,
    pub(crate) chains: ChainAudit,
    pub(crate) contracts: ContractCache,
    pub(crate) contract_activity: ContractActivityCache,
    pub(crate) scans: ScanCursors,
    pub(crate) market: MarketState,
    pub(crate) providers: ProviderCache,
    pub(crate) exchange_rates: RateCache,
    pub(crate) refresh_times: RefreshTimes,
    pub(crate) uncertain: UncertainPurchases,
    pub(crate) reversals: Reversals,
    pub(crate) unreadable: UnreadableAccounts,
    pub(crate) reported_sales: ReportedSales,
    pub(crate) orphans: OrphanListings,
    pub(crate) snapshot: PlatformSnapshot,
    pub(crate) recorded_offers: RecordedOffers,
    /// When something was last decided about the sale of each item.
    pub(crate) decision_times: DecisionTimes,
    /// Which items were left as they are.
    pub(crate) judgements: Judgements,
    /// Whose turn it is to buy.
    pub(crate) next_account: usize,
    /// How many steps are taken at a time.
    pub(crate) concurrency: usize,
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
        Self {
            operations,
            clock,
            began,
            caller: Caller::system(),
            desk,
            timings,
            backoff,
            leases: WorkLeases::default(),
            maintenance: Maintenance::default(),
            account_records: AccountRecords::default(),
            lost_sessions: LostSessions::default(),
            problems: Problems::default(),
            balances: BalanceAudit::default(),
            inventories: InventoryAudit::default(),
            late_deliveries: LateDeliveries::default(),
            not_placed: NotPlacedPurchases::default(),
            chains: ChainAudit::default(),
            contracts: ContractCache::default(),
            contract_activity: ContractActivityCache::default(),
            scans: ScanCursors::default(),
            market: MarketState::default(),
            providers: ProviderCache::default(),
            exchange_rates: RateCache::default(),
            refresh_times: RefreshTimes::default(),
            uncertain: UncertainPurchases::default(),
            reversals: Reversals::default(),
            unreadable: UnreadableAccounts::default(),
            reported_sales: ReportedSales::default(),
            orphans: OrphanListings::default(),
            snapshot: PlatformSnapshot::default(),
            recorded_offers: RecordedOffers::default(),
            decision_times: DecisionTimes::default(),
            judgements: Judgements::default(),
            next_account: 0,
            concurrency: MAX_CONCURRENCY,
        }
    }

    /// The same, which takes one step after the other: a simulated world then goes the same way each time.
    #[must_use]
    pub fn sequential(self) -> Self {
        Self { concurrency: 1, ..self }
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

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.market_now()
    }

    /// The account that buys next for a contract: whoever is assigned to its pool, or each in turn.
    pub(crate) async fn choose_buyer(&mut self, contract_id: ContractId) -> EngineResult<TradingAccount> {
        let (workspace_id, role) = (self.desk.workspace_id, AccountRole::Buy);
        let pool_id = self.contracts.get(contract_id).and_then(|standing| standing.contract.value.pool_id);
        let Some(pool_id) = pool_id else { return self.next_ready_account().await };
        let ask = ResolveAssignment { workspace_id, pool_id, role };
        match self.operations.choose_account(&self.caller, ask).await? {
            AccountChoice::Anybody => self.next_ready_account().await,
            AccountChoice::Account { name, .. } => self.account(&name),
            AccountChoice::Nobody => Err(EngineError::NoAssignedAccount(pool_id)),
        }
    }

    async fn next_ready_account(&mut self) -> EngineResult<TradingAccount> {
        let (now, turn, loads) = (self.now(), self.next_account, self.loads().await?);
        self.next_account = turn.wrapping_add(1);
        let is_able = |account: &&TradingAccount| self.account_records.may_buy(&account.name, &loads, now);
        let able: Vec<&TradingAccount> = self.desk.accounts.iter().filter(is_able).collect();
        let next = turn.checked_rem(able.len()).and_then(|place| able.get(place).copied());
        next.cloned().ok_or(EngineError::NoReadyAccount)
    }

    /// Whether this node buys at a marketplace, nothing there is in doubt, it is not to be left alone, and nobody took it out of work.
    pub(crate) fn may_buy_at(&self, marketplace: &Marketplace) -> bool {
        self.holds_marketplace(marketplace)
            && !self.uncertain.blocks_buying(marketplace)
            && !self.backoff.is_active(marketplace)
            && !self.providers.is_disabled(ProviderKind::Marketplace, marketplace)
    }

    pub(crate) fn venue(&self, name: &Marketplace) -> EngineResult<Venue> {
        let unknown = || EngineError::NotOnDesk { what: "marketplace", name: name.to_string() };
        self.desk.venue(name).cloned().ok_or_else(unknown)
    }

    pub(crate) fn account(&self, name: &AccountName) -> EngineResult<TradingAccount> {
        let unknown = || EngineError::NotOnDesk { what: "trading account", name: name.to_string() };
        self.desk.account(name).cloned().ok_or_else(unknown)
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("workspace_id", &self.desk.workspace_id).finish_non_exhaustive()
    }
}
