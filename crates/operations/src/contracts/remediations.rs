//! Remediations: open problems of one record, and the actions on them.

mod open_remediation;
mod read;
mod release_reservation;
pub(crate) mod remediation_steps;
mod review_remediation;
mod run_remediation_action;

pub use open_remediation::{AdvanceRemediation, OpenRemediation, Progress, ResolveRemediation};
pub use read::*;
pub(crate) use remediation_steps::Problems;
pub use review_remediation::{AssignRemediation, DismissRemediation};
pub use run_remediation_action::{ActionArgs, RunRemediationAction};
