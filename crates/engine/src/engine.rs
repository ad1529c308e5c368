//! The loop itself: what a pass looks at, and in which order.

use std::fmt;
use std::sync::Arc;

use tokio::time::Instant;
use tradepost_operations::Operations;
use tradepost_ports::provider_probe::ProviderProbe;
use tradepost_ports::purchase_lookup::PurchaseLookup;

use crate::audit::Audit;
use crate::context::Context;
use crate::desk::Desk;
use crate::desk::provider_probe::DeskProbe;
use crate::error::{EngineError, EngineResult};
use crate::maintenance::Maintenance;
use crate::market::Market;
use crate::orders::Orders;
use crate::orders::purchase_lookup::DeskLookup;
use crate::pass::Pass;
use crate::sales::Sales;
use crate::sessions::Sessions;
use crate::settlement::Settlement;
use crate::settlement::delivery::process_deliveries;
use crate::social::Social;
use crate::telemetry::record_pass;
use crate::timings::SafeTimings;

/// Trades for one desk, together with other nodes. Passes are taken one after another.
pub struct Engine {
    context: Context,
    maintenance: Maintenance,
    market: Market,
    orders: Orders,
    settlement: Settlement,
    sales: Sales,
    audit: Audit,
    sessions: Sessions,
    social: Social,
}

impl Engine {
    /// Creates an engine that has read nothing yet. It uses the desk's clock, the one that the operations of the workspace
    /// use ([`Operations::trade_by`]).
    pub fn new(operations: Arc<Operations>, desk: Desk) -> Self {
        Self::with_timings(operations, desk, SafeTimings::default())
    }

    /// Creates an engine with other intervals and bounds than the default ones.
    pub fn with_timings(operations: Arc<Operations>, desk: Desk, timings: SafeTimings) -> Self {
        Self {
            context: Context::new(operations, desk, &timings),
            maintenance: Maintenance::default(),
            market: Market::default(),
            orders: Orders::default(),
            settlement: Settlement::default(),
            sales: Sales::default(),
            audit: Audit::default(),
            sessions: Sessions::default(),
            social: Social::default(),
        }
    }

    /// The same, which takes one step after the other: a simulated world then goes the same way each time.
    #[must_use]
    pub fn sequential(mut self) -> Self {
        self.context.make_sequential();
        self
    }

    /// The same, which takes over from an engine of the workspace that took its last pass what is not on record: the balances before calls whose
    /// outcome is not known, by which an order is proven absent, and the sign-ins that were begun with the tokens that are not sealed yet.
    #[must_use]
    pub fn continuing(mut self, former: &Self) -> Self {
        self.orders.take_over(&former.orders);
        self.sessions = former.sessions.clone();
        self
    }

    /// Reconciles uncertain purchases first, then buys, executes intents, and follows deliveries and sales. A bounded part of the open records
    /// is processed, and the rest in later passes.
    ///
    /// A step that fails is recorded and retried in a later pass. Only leases that cannot be renewed end the pass.
    pub async fn pass(&mut self) -> Pass {
        let began = Instant::now();
        let mut pass = Pass::limited_to(self.context.timings().decisions_per_pass);
        // On the heap: a pass is large, and a caller of several at once would need more than the 2 MiB of stack that a thread has.
        let taken = Box::pin(self.run_pass(&mut pass)).await;
        pass.record(taken);
        self.context.drop_lost_leases(&pass.errors);
        record_pass(&pass, began.elapsed());
        pass
    }

    /// Ends between two passes: gives up the leases, so that another node goes on at once. Without it, another node waits until they expire.
    ///
    /// # Errors
    /// [`EngineError`] when storage fails. The leases expire then.
    pub async fn end(mut self) -> Result<(), EngineError> {
        self.sessions.keep_tokens(&mut self.context, &mut Pass::default()).await;
        self.context.give_up_leases().await
    }

    /// Returns a service that looks purchases up at the desk's marketplaces on request, to be handed to [`Operations::offer_lookup`].
    pub fn purchase_lookup(&self) -> Arc<dyn PurchaseLookup> {
        let (desk, backdating) = (self.context.desk().clone(), self.context.timings().marketplace_backdating);
        Arc::new(DeskLookup::new(desk, backdating, self.orders.balances_before()))
    }

    /// Returns a service that tests the desk's providers on request, to be handed to [`Operations::offer_probe`].
    pub fn provider_probe(&self) -> Arc<dyn ProviderProbe> {
        Arc::new(DeskProbe(self.context.desk().clone()))
    }

    /// The parts of a pass, in order. Each records its own failures, and renews the leases in between, because external systems may be
    /// slow and a pass longer than the leases last. Only leases that cannot be renewed end the pass.
    async fn run_pass(&mut self, pass: &mut Pass) -> EngineResult {
        let Self { context, maintenance, market, orders, settlement, sales, audit, sessions, social } = self;
        context.renew_leases().await?;
        let stopped = context.refresh_stopped_accounts().await;
        pass.record_error(stopped);
        let maintained = maintenance.step(context, market.state(), sales).await;
        pass.record(maintained);
        // Before accounts are read: there are many of them, and tokens end.
        let signed_in = sessions.step(context, pass).await;
        pass.record_error(signed_in);
        context.renew_leases().await?;
        let refreshed = context.refresh_requested_accounts(pass).await;
        pass.record_error(refreshed);
        context.renew_leases().await?;
        context.read_due_accounts(pass).await;
        context.renew_leases().await?;
        let reconciled = orders.reconcile_purchases(context, pass).await;
        pass.record(reconciled);
        market.step(context, orders, pass).await;
        let executed = orders.execute_intents(context, market, pass).await;
        pass.record(executed);
        context.renew_leases().await?;
        let delivered = process_deliveries(context, pass).await;
        pass.record(delivered);
        context.renew_leases().await?;
        let carried_out = settlement.carry_out_requests(context, pass).await;
        pass.record(carried_out);
        context.renew_leases().await?;
        let confirmed = settlement.follow_confirmations(context, pass).await;
        pass.record_error(confirmed);
        context.renew_leases().await?;
        let protected = settlement.check_protections(context, pass).await;
        pass.record(protected);
        sales.step(context, market, orders, pass).await?;
        // What no open record would show.
        audit.read_next_accounts(context, pass).await?;
        let searched = settlement.find_late_deliveries(context, pass).await;
        pass.record_error(searched);
        let rechecked = orders.recheck_not_placed(context, pass).await;
        pass.record_error(rechecked);
        audit.verify_records(context, pass).await;
        let reported = context.report_platform().await;
        pass.record_error(reported);
        // Last, because nothing of it moves money or items.
        context.renew_leases().await?;
        social.step(context, pass).await
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("workspace_id", &self.context.desk().workspace_id).finish_non_exhaustive()
    }
}
