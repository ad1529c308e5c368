//! Reads of the catalogue of event types.

use tradepost_domain::events::event_type::EventType;
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;

use crate::rules;
use crate::{OpResult, Operations};

/// A request for the types of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListEventTypes {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns every type of event.
    ///
    /// # Errors
    /// `permission_denied`.
    pub fn list_event_types(&self, caller: &Caller, command: ListEventTypes) -> OpResult<Vec<EventType>> {
        rules::LIST_EVENT_TYPES.enter(&caller.principal, command.workspace_id)?;
        Ok(EventType::all())
    }
}
