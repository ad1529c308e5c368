//! `SetTradingHalt`: stops every purchase of a workspace at once, or resumes trading. It requires no second factor because it must be easy.

use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::ReasonText;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::held::Effect;

use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// The trading halt of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetTradingHalt {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Whether buying stops from now on.
    pub halted: bool,
    /// Why, in 1 to 200 characters; may be empty where a halt is lifted.
    pub reason: String,
}

impl Operations {
    /// Halts trading or lifts the halt.
    ///
    /// Once a halt is confirmed, no purchase is recorded and none is submitted; those in flight are completed. Contracts that buy are
    /// suspended until the halt is lifted. Repeating a halt is allowed: the new reason replaces the previous one.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason.
    pub async fn set_trading_halt(&self, caller: &Caller, command: SetTradingHalt) -> OpResult<Workspace> {
        let scope = rules::SET_TRADING_HALT.enter(&caller.principal, command.workspace_id)?;
        let is_said = command.halted || !command.reason.is_empty();
        let reason: Option<ReasonText> = is_said.then(|| fields::text("reason", &command.reason)).transpose()?;
        let kind = if command.halted { AuditKind::WorkspaceTradingHalted } else { AuditKind::WorkspaceTradingResumed };
        let halt = reason.as_ref().filter(|_| command.halted);
        let set = self.retrying(|| async {
            let found = self.ports.store.workspaces().find(scope).await?;
            let seen = found.ok_or_else(|| OpError::not_found("workspace"))?;
            if seen.peek().trading_halt.as_ref().map(|halt| &halt.reason) == halt {
                return Ok(seen.into_display().0);
            }
            let mut changes = Changes::by(caller);
            let at = self.now();
            let revised = changes.revise(seen, |workspace| {
                Ok::<_, OpError>(match halt {
                    Some(reason) => workspace.halt_trading(reason.clone(), at),
                    None => workspace.lift_halt(at),
                })
            })?;
            let about = About::from(command.workspace_id);
            changes.audit(kind, reason.iter().fold(about, |about, reason| about.with(Fact::Reason, reason)));
            self.commit(caller, changes).await?;
            Ok(revised.value)
        });
        let workspace = set.await?;
        self.follow_with(caller, Effect::HaltsChanged(command.workspace_id)).await;
        Ok(workspace)
    }
}
