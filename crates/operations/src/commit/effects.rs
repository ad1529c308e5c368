//! What follows a commit: halts that are applied, and keys that are exchanged or forgotten.

use tradepost_ports::changes::Caller;
use tradepost_ports::held::Effect;

use crate::Operations;
use crate::contracts::trading_control::apply_halts::try_to_follow_halts;

impl Operations {
    /// Does what follows a commit: now, or once the commit is made where it is held back.
    pub(crate) async fn follow_with(&self, caller: &Caller, effect: Effect) {
        if !caller.held.as_ref().is_some_and(|held| held.follow_with(effect)) {
            self.bring_about(caller, effect).await;
        }
    }

    /// Does what follows a commit.
    pub(crate) async fn bring_about(&self, caller: &Caller, effect: Effect) {
        match effect {
            Effect::HaltsChanged(workspace_id) => try_to_follow_halts(self, caller, workspace_id).await,
            Effect::WorkspaceKeyRotated => self.rotated.notify_one(),
            Effect::WorkspaceKeyDestroyed(key) => self.opened_keys.forget(key),
        }
    }
}
