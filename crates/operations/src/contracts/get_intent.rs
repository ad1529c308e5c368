//! [`GetIntent`] and [`GetIntents`]: one intent of a workspace, and up to 200 at once.

use tradepost_domain::contracts::intent::Intent;
use tradepost_domain::id::{IntentId, OfIntent, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{Batch, OpError, OpResult, Operations, Versioned, fields};

/// Asks for one intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent.
    pub intent_id: IntentId,
}

/// Asks for several intents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetIntents {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intents, 1 to 200.
    pub intent_ids: Vec<IntentId>,
}

impl Operations {
    /// Gives one intent.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_intent(&self, caller: &Caller, command: GetIntent) -> OpResult<Versioned<Intent>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let found = self.ports.store.find_intent(scope, command.intent_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("intent"))
    }

    /// Gives several intents in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_intents(&self, caller: &Caller, command: GetIntents) -> OpResult<Batch<Intent, OfIntent>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let ids = fields::batch("intentIds", &command.intent_ids)?;
        let found = self.ports.store.find_intents(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.terms.id))
    }
}
