//! A filter set: named rules that say which items a contract is for.
//!
//! Its rules change by versions. Each version is stored once and never changes, so that a decision can name the rules it used. The
//! contracts that name the set are counted here, because a named set is never deleted.

mod feature;
mod matching;
mod rules;
mod values;

use crate::id::{FilterSetId, WorkspaceId};
use crate::text::Name;
use crate::time::Timestamp;

pub use feature::Feature;
pub use matching::FailedRule;
pub use rules::{Features, InvalidStickerCount, RuleParts, Rules, RulesError, Span, StickerRule};
pub use values::{Values, ValuesError};

/// A filter set as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterSet {
    /// Identifier.
    pub id: FilterSetId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Name for people.
    pub name: Name,
    /// The rules.
    pub rules: Rules,
    /// The number of this version of name and rules, from 1.
    pub version: u32,
    /// How many contracts name the set, whatever became of them.
    pub contracts: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// When this version was made.
    pub updated_at: Timestamp,
}

/// One version of a filter set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterSetVersion {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The filter set.
    pub filter_set_id: FilterSetId,
    /// Its number, from 1.
    pub version: u32,
    /// Name for people.
    pub name: Name,
    /// The rules.
    pub rules: Rules,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What is to change of a filter set; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilterSetChange {
    /// The name from now on.
    pub name: Option<Name>,
    /// The rules from now on.
    pub rules: Option<Rules>,
}

/// Contracts name the filter set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "contracts that name this filter set: {contracts}; it can be deleted once no contract names it, active or ended"
)]
pub struct FilterSetInUse {
    /// How many.
    pub contracts: u32,
}

impl FilterSet {
    /// The first version of a filter set.
    pub const fn new(id: FilterSetId, workspace_id: WorkspaceId, name: Name, rules: Rules, at: Timestamp) -> Self {
        Self { id, workspace_id, name, rules, version: 1, contracts: 0, created_at: at, updated_at: at }
    }

    /// The next version.
    #[must_use]
    pub fn change(self, change: FilterSetChange, at: Timestamp) -> Self {
        Self {
            name: change.name.unwrap_or(self.name),
            rules: change.rules.unwrap_or(self.rules),
            version: self.version.saturating_add(1),
            updated_at: at,
            ..self
        }
    }

    /// The same set, which one more contract names.
    #[must_use]
    pub fn with_contract(self) -> Self {
        Self { contracts: self.contracts.saturating_add(1), ..self }
    }

    /// The same set, which one contract less names.
    #[must_use]
    pub fn without_contract(self) -> Self {
        Self { contracts: self.contracts.saturating_sub(1), ..self }
    }

    /// Checks that the set can be deleted.
    ///
    /// # Errors
    /// [`FilterSetInUse`] when a contract names it.
    pub const fn check_unused(&self) -> Result<(), FilterSetInUse> {
        match self.contracts {
            0 => Ok(()),
            contracts => Err(FilterSetInUse { contracts }),
        }
    }

    /// The current version, to be written down.
    pub fn current(&self) -> FilterSetVersion {
        FilterSetVersion {
            workspace_id: self.workspace_id,
            filter_set_id: self.id,
            version: self.version,
            name: self.name.clone(),
            rules: self.rules.clone(),
            created_at: self.updated_at,
        }
    }

    /// The set as it was in a version of it.
    #[must_use]
    pub fn as_of(self, version: FilterSetVersion) -> Self {
        let FilterSetVersion { version, name, rules, created_at: updated_at, .. } = version;
        Self { name, rules, version, updated_at, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(days: u32) -> Rules {
        Rules::new(RuleParts { trade_lock_max_days: Some(days), ..RuleParts::default() }).unwrap()
    }

    fn set() -> FilterSet {
        let (id, workspace_id) = (FilterSetId::from_bytes([1; 16]), WorkspaceId::from_bytes([2; 16]));
        FilterSet::new(id, workspace_id, Name::new("Unlocked").unwrap(), rules(0), at(1))
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_micros(second * 1_000_000).unwrap()
    }

    #[test]
    fn a_change_makes_the_next_version_and_keeps_what_it_does_not_name() {
        let changed = set().change(FilterSetChange { rules: Some(rules(7)), name: None }, at(2));
        assert_eq!((changed.version, changed.name.as_str(), &changed.rules), (2, "Unlocked", &rules(7)));
        assert_eq!((changed.created_at, changed.updated_at), (at(1), at(2)));
    }

    #[test]
    fn an_old_version_is_shown_as_it_was() {
        let first = set().current();
        let changed = set().change(FilterSetChange { rules: Some(rules(7)), name: None }, at(2)).with_contract();
        assert_eq!(changed.as_of(first), set().with_contract());
    }

    #[test]
    fn a_set_that_a_contract_names_is_not_deleted() {
        assert_eq!(set().check_unused(), Ok(()));
        let named = set().with_contract().with_contract();
        assert_eq!((named.version, named.check_unused()), (1, Err(FilterSetInUse { contracts: 2 })));
    }
}
