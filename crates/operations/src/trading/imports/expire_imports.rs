//! Expiring imports that were not applied in time, separately from the calls. Their content is destroyed.

use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::ImportEvent;
use tradepost_ports::changes::{Caller, Changes};

use super::import_moves::{ImportStep, step_import};
use crate::commit::By;
use crate::{OpResult, Operations};

/// Most imports that expire at a time.
const AT_ONCE: u32 = 100;

impl Operations {
    /// Expires imports whose time is over, each in a commit of its own; returns their number.
    pub(crate) async fn expire_imports(&self, at: Timestamp) -> OpResult<usize> {
        let (caller, mut expired) = (Caller::system(), 0_usize);
        for import in self.ports.store.imports().list_overdue_imports(at, AT_ONCE).await? {
            let step = ImportStep { event: ImportEvent::Expired, tally: import.peek().tally };
            let mut changes = Changes::by(&caller);
            step_import(self, &mut changes, By { caller: &caller, at }, import, step).await?;
            match self.commit(&caller, changes).await {
                Ok(_) => expired = expired.saturating_add(1),
                // It was cancelled, or another process was faster.
                Err(error) if error.is_conflict() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(expired)
    }
}
