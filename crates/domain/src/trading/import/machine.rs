//! The life of an import: checked, applied in parts, or ended without that.

use super::{Import, ImportStatus, RowTally};
use crate::time::Timestamp;

/// Something that happens to an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportEvent {
    /// A part of its rows is applied.
    Continued,
    /// The last row is applied.
    Applied,
    /// A person cancels it.
    Cancelled,
    /// Its time is over.
    Expired,
}

/// Why an event was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The import is not in a state in which this can happen.
    #[error("an import that is {from} cannot be {event}")]
    IllegalStep {
        /// The state it is in.
        from: ImportStatus,
        /// The name of the event.
        event: &'static str,
    },
    /// Its time is over.
    #[error("the import has expired")]
    TooLate,
    /// Its time is not over.
    #[error("the import has not expired")]
    TooEarly,
}

impl ImportEvent {
    /// The name of the event in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Continued => "continued",
            Self::Applied => "applied",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }

    const fn to(self) -> ImportStatus {
        match self {
            Self::Continued => ImportStatus::Applying,
            Self::Applied => ImportStatus::Applied,
            Self::Cancelled => ImportStatus::Cancelled,
            Self::Expired => ImportStatus::Expired,
        }
    }
}

impl Import {
    /// Returns the import after an event, with its rows as they are counted then.
    ///
    /// # Errors
    /// [`ImportError`] when the event cannot happen now; an import whose time is over is applied no further.
    pub fn apply(self, event: ImportEvent, tally: RowTally, at: Timestamp) -> Result<Self, ImportError> {
        if self.status.is_terminal() {
            return Err(ImportError::IllegalStep { from: self.status, event: event.name() });
        }
        let is_over = at >= self.expires_at;
        match event {
            ImportEvent::Continued | ImportEvent::Applied if is_over => return Err(ImportError::TooLate),
            ImportEvent::Expired if !is_over => return Err(ImportError::TooEarly),
            ImportEvent::Continued | ImportEvent::Applied | ImportEvent::Cancelled | ImportEvent::Expired => {}
        }
        Ok(Self { status: event.to(), tally, updated_at: at.max(self.updated_at), ..self })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::id::{ImportId, WorkspaceId};
    use crate::trading::import::{IMPORT_LIFE, ImportDefaults, ImportFormat, ImportKind};
    use crate::trading::trading_account::AccountLimits;

    const BEGIN: Timestamp = Timestamp::MIN;
    const EVENTS: [ImportEvent; 4] =
        [ImportEvent::Continued, ImportEvent::Applied, ImportEvent::Cancelled, ImportEvent::Expired];

    fn import(status: ImportStatus) -> Import {
        Import {
            id: ImportId::from_bytes([1; 16]),
            workspace_id: WorkspaceId::from_bytes([2; 16]),
            kind: ImportKind::Accounts,
            format: ImportFormat::Json,
            status,
            name: None,
            tally: RowTally::default(),
            defaults: ImportDefaults {
                group_id: None,
                limits: AccountLimits::default(),
                capabilities: BTreeSet::default(),
            },
            created_by: None,
            expires_at: BEGIN.plus(IMPORT_LIFE),
            created_at: BEGIN,
            updated_at: BEGIN,
        }
    }

    fn after(event: ImportEvent, at: Timestamp) -> Result<ImportStatus, ImportError> {
        import(ImportStatus::Checked).apply(event, RowTally::default(), at).map(|import| import.status)
    }

    #[test]
    fn an_import_that_ended_takes_no_further_step() {
        for from in ImportStatus::ALL.iter().copied().filter(|status| status.is_terminal()) {
            for event in EVENTS {
                let error = ImportError::IllegalStep { from, event: event.name() };
                assert_eq!(import(from).apply(event, RowTally::default(), BEGIN), Err(error));
            }
        }
    }

    #[test]
    fn an_import_is_applied_until_its_hour_is_over_and_expires_from_then_on() {
        let (last, over) = (BEGIN.plus(IMPORT_LIFE - time::Duration::MICROSECOND), BEGIN.plus(IMPORT_LIFE));
        assert_eq!(after(ImportEvent::Applied, last), Ok(ImportStatus::Applied));
        assert_eq!(after(ImportEvent::Applied, over), Err(ImportError::TooLate));
        assert_eq!(after(ImportEvent::Continued, over), Err(ImportError::TooLate));
        assert_eq!(after(ImportEvent::Expired, last), Err(ImportError::TooEarly));
        assert_eq!(after(ImportEvent::Expired, over), Ok(ImportStatus::Expired));
    }

    #[test]
    fn an_import_that_is_applied_in_part_can_be_continued_and_cancelled() {
        for (event, to) in [
            (ImportEvent::Continued, ImportStatus::Applying),
            (ImportEvent::Applied, ImportStatus::Applied),
            (ImportEvent::Cancelled, ImportStatus::Cancelled),
        ] {
            let next = import(ImportStatus::Applying).apply(event, RowTally::default(), BEGIN);
            assert_eq!(next.map(|import| import.status), Ok(to));
        }
    }
}
