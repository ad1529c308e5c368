//! The place of a record: a workspace that the caller has entered, and the id of the record in it.

use tradepost_domain::accounts::access::WorkspaceScope;

/// A record of a workspace.
#[derive(Clone, Copy)]
pub(crate) struct InWorkspace<I> {
    pub(crate) scope: WorkspaceScope,
    pub(crate) id: I,
}
