//! Expiring imports that were not applied in time, separately from the calls. Their content is destroyed.

use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::{Import, ImportEvent};
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::import_moves::{ImportStep, step_import};
use crate::commit::By;
use crate::commit::turns::Turns;
use crate::{OpResult, Operations};

/// Most imports that expire at a time.
const AT_ONCE: u32 = 100;

impl Operations {
    /// Expires imports whose time is over, each in a commit of its own; returns what came of them. One that was cancelled in the meantime stays so.
    pub(crate) async fn expire_imports(&self, at: Timestamp) -> OpResult<Turns> {
        let mut turns = Turns::default();
        for import in self.ports.store.imports().list_overdue_imports(at, AT_ONCE).await? {
            turns.take(self.expire_import(import, at).await)?;
        }
        Ok(turns)
    }

    async fn expire_import(&self, import: Seen<Import>, at: Timestamp) -> OpResult<()> {
        let caller = Caller::system();
        let step = ImportStep { event: ImportEvent::Expired, tally: import.peek().tally };
        let mut changes = Changes::by(&caller);
        step_import(self, &mut changes, By { caller: &caller, at }, import, step).await?;
        self.commit(&caller, changes).await.map(drop)
    }
}
