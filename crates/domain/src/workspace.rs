//! Workspaces: the tenants to which everything else belongs.

use crate::id::WorkspaceId;
use crate::text::{Description, Name};
use crate::time::Timestamp;

/// Most workspaces that one user owns.
pub const MOST_OWNED: usize = 10;

/// A tenant: members, keys, contracts, purchases and items belong to exactly one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// Identifier.
    pub id: WorkspaceId,
    /// Name for people.
    pub name: Name,
    /// What it is for; may be absent.
    pub description: Option<Description>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}
