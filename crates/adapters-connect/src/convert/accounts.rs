//! Records of `accounts.v1` on the wire.

mod api_keys;
pub(crate) mod audit;
mod memberships;
mod sessions;
pub(crate) mod usage;
mod users;
mod workspaces;

pub(crate) use api_keys::{api_key, owned_api_key, workspace_key};
pub(crate) use memberships::{membership, operation_ids, policy, policy_names};
pub(crate) use sessions::{passkey, session};
pub(crate) use users::{fellow, linked_account, linked_identity, user};
pub(crate) use workspaces::{settings, simulated_clock, workspace};
