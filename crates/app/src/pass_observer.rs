//! Code of an embedder that runs between the passes of an engine.

use tradepost_domain::id::WorkspaceId;
use tradepost_engine::Pass;

/// Runs before and after each pass of an engine that [`Tradepost::trade`](crate::Tradepost::trade) drives.
///
/// A closure that takes a [`Pass`] is an observer. `()` is the observer that does nothing. Both methods block the next pass, so they
/// return quickly.
pub trait PassObserver: Send {
    /// Runs before each pass, for example to advance the clock of a simulated world.
    fn before_pass(&mut self) {}

    /// Receives the result of each pass.
    fn after_pass(&mut self, pass: Pass);
}

impl PassObserver for () {
    fn after_pass(&mut self, _pass: Pass) {}
}

impl<F: FnMut(Pass) + Send> PassObserver for F {
    fn after_pass(&mut self, pass: Pass) {
        self(pass);
    }
}

/// The observer that logs for an operator: what was bought and listed, and when steps begin to fail and no longer do.
#[derive(Debug)]
pub struct PassLog {
    workspace_id: WorkspaceId,
    is_troubled: bool,
}

impl PassLog {
    /// The log of an engine of this workspace.
    pub const fn of(workspace_id: WorkspaceId) -> Self {
        Self { workspace_id, is_troubled: false }
    }
}

impl PassObserver for PassLog {
    fn after_pass(&mut self, pass: Pass) {
        let workspace = self.workspace_id;
        if pass.bought + pass.listed > 0 {
            tracing::info!(%workspace, bought = pass.bought, listed = pass.listed, observed = pass.observed, "traded");
        }
        match pass.errors.first() {
            Some(trouble) if !self.is_troubled => {
                tracing::warn!(%workspace, %trouble, "steps are left for the next pass");
            }
            None if self.is_troubled => tracing::info!(%workspace, "every step is taken again"),
            Some(_) | None => {}
        }
        self.is_troubled = !pass.errors.is_empty();
    }
}
