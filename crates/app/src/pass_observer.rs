//! Code of an embedder that runs between the passes of an engine.

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
