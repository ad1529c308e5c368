//! accounts.v1.Accounts: users, sessions, workspaces, memberships, keys and second factors.
//!
//! Also the commands by which the process itself makes users, workspaces and keys: the command line on the server and
//! embedders call them; no request reaches them.

mod api_keys;
mod audit;
pub(crate) mod credentials;
pub(crate) mod memberships;
mod passkeys;
mod server_info;
pub(crate) mod sessions;
mod sign_in;
mod two_factor;
mod usage;
mod users;
pub(crate) mod workspace_keys;
pub(crate) mod workspaces;

pub use api_keys::*;
pub use audit::*;
pub use credentials::*;
pub use memberships::*;
pub use passkeys::*;
pub use server_info::*;
pub use sessions::*;
pub use sign_in::*;
pub use two_factor::*;
pub use usage::*;
pub use users::*;
pub use workspace_keys::*;
pub use workspaces::*;
