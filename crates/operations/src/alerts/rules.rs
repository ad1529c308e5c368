//! Alert rules: what is sent to a channel, and when.

mod create_alert_rule;
mod delete_alert_rule;
mod read;
mod terms;
mod update_alert_rule;

pub use create_alert_rule::CreateAlertRule;
pub use delete_alert_rule::DeleteAlertRule;
pub use read::*;
pub use terms::AlertRuleTerms;
pub use update_alert_rule::UpdateAlertRule;
