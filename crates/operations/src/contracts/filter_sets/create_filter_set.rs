//! [`CreateFilterSet`]: the first version of a filter set.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::filter_set::FilterSet;
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};

use super::filter_rules::FilterRules;
use crate::rules;
use crate::{OpResult, Operations, fields};

/// Makes a filter set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateFilterSet {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Name for people, 1 to 64 characters.
    pub name: String,
    /// The rules.
    pub rules: FilterRules,
}

impl Operations {
    /// Makes a filter set.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field, and `MATCHES_EVERYTHING` for rules that leave nothing out.
    pub async fn create_filter_set(&self, caller: &Caller, command: CreateFilterSet) -> OpResult<FilterSet> {
        rules::CREATE_FILTER_SET.enter(&caller.principal, command.workspace_id)?;
        let (name, rules) = (fields::text("name", &command.name)?, command.rules.check()?);
        let at = self.market_now(command.workspace_id);
        let set = FilterSet::new(self.mint(), command.workspace_id, name, rules, at);
        let mut changes = Changes::by(caller);
        changes.insert(set.clone());
        changes.append(AppendedRow::FilterSetVersion(set.current()));
        changes.audit(AuditKind::FilterSetCreated, &set);
        self.commit(caller, changes).await?;
        Ok(set)
    }
}
