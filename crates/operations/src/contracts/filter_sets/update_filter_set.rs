//! [`UpdateFilterSet`]: the next version of a filter set. Those before stay as they were.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::filter_set::{FilterSet, FilterSetChange};
use tradepost_domain::id::{FilterSetId, WorkspaceId};
use tradepost_ports::changes::{AppendedRow, Caller, Changes};

use super::filter_rules::FilterRules;
use crate::results::require_version_of;
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// The changes to one filter set; absent fields stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateFilterSet {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The filter set.
    pub filter_set_id: FilterSetId,
    /// The name from now on.
    pub name: Option<String>,
    /// The rules from now on, all of them.
    pub rules: Option<FilterRules>,
    /// The version that the caller saw, from 1; rejected when the set has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Writes the next version of a filter set.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields, `MATCHES_EVERYTHING`, and when nothing is to change; `not_found`;
    /// `failed_precondition` with `VERSION_MISMATCH`.
    pub async fn update_filter_set(&self, caller: &Caller, command: UpdateFilterSet) -> OpResult<FilterSet> {
        let scope = rules::UPDATE_FILTER_SET.enter(&caller.principal, command.workspace_id)?;
        let change = change(&command)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let found = self.ports.store.filter_sets().find(scope, command.filter_set_id).await?;
            let set = found.ok_or_else(|| OpError::not_found("filter set"))?;
            require_version_of(i64::from(set.peek().version), command.expected_version)?;
            let at = self.market_now(command.workspace_id);
            let mut changes = Changes::by(caller);
            let next = changes.revise(set, |set| Ok::<_, OpError>(set.change(change.clone(), at)))?.value;
            changes.append(AppendedRow::FilterSetVersion(next.current()));
            changes.audit(AuditKind::FilterSetUpdated, &next);
            self.commit(caller, changes).await?;
            Ok(next)
        })
        .await
    }
}

fn change(command: &UpdateFilterSet) -> OpResult<FilterSetChange> {
    let name = command.name.as_deref().map(|name| fields::text("name", name)).transpose()?;
    let rules = command.rules.as_ref().map(FilterRules::check).transpose()?;
    let change = FilterSetChange { name, rules };
    if change == FilterSetChange::default() {
        return Err(OpError::invalid_field("rules", "or name is required"));
    }
    Ok(change)
}
