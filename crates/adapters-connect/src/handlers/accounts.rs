//! `accounts.v1.Accounts`.
#![cfg_attr(not(test), expect(clippy::wildcard_imports, reason = "each method is handled by the function of its name"))]

mod account_links;
mod api_keys;
mod audit;
mod credentials;
mod memberships;
mod passkeys;
mod risk_notice;
mod server_info;
mod sessions;
mod two_factor;
mod usage;
mod users;
mod workspace_keys;
mod workspaces;

use std::sync::Arc;

use connectrpc::{RequestContext, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;

use tradepost_proto::accounts::v1 as wire;

use self::{
    account_links::*, api_keys::*, audit::*, credentials::*, memberships::*, passkeys::*, risk_notice::*,
    server_info::*, sessions::*, two_factor::*, usage::*, users::*, workspace_keys::*, workspaces::*,
};

/// The service.
pub(crate) struct AccountsHandlers(pub(crate) Arc<Operations>);

impl wire::Accounts for AccountsHandlers {
    tradepost_proto::accounts_methods! { handled }
}
