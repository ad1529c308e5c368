//! Workspaces: their settings, their life, and the first one of an installation.

mod bootstrap;
mod bootstrap_workspace;
mod create_workspace;
pub(crate) mod default_workspace;
pub(crate) mod delete_workspace;
mod list_workspaces;
mod read;
mod restore_workspace;
pub(crate) mod risk_notice;
mod set_trading_halt;
mod update_workspace;
pub(crate) mod whole_workspace;

pub use bootstrap::{Bootstrap, Bootstrapped};
pub use bootstrap_workspace::{BootstrapWorkspace, BootstrappedWorkspace};
pub use create_workspace::CreateWorkspace;
pub use default_workspace::home;
pub use delete_workspace::DeleteWorkspace;
pub use read::*;
pub use restore_workspace::RestoreWorkspace;
pub use risk_notice::{AcknowledgeRiskNotice, GetRiskAcknowledgement};
pub use set_trading_halt::SetTradingHalt;
pub use update_workspace::UpdateWorkspace;
