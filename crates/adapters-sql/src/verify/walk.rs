//! The walk along the ledger of a workspace: slices of entries in the order of their ids, up to a horizon. What was written last lies
//! beyond it, and is added to the sums of the slices in the slice that compares them. So concurrent writes are not
//! findings.

use sea_orm::{QueryResult, Value};
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use super::slice::Slice;
use crate::rows::cell;
use crate::store::SqlStore;

/// Entries of one slice.
const ENTRIES_AT_ONCE: i64 = 20_000;
/// An entry may be committed so long after its id was made, and clocks of several servers may differ by so much.
const LATE_MILLIS: u64 = 120_000;

const LAST: &str = "SELECT id FROM ledger_entries WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1";
const END_OF_SLICE: &str =
    "SELECT id FROM ledger_entries WHERE workspace_id = $1 AND id > $2 AND id <= $3 ORDER BY id LIMIT 1 OFFSET $4";

/// Where entries of a workspace are.
pub(super) const WITHIN: &str = "workspace_id = $1 AND id > $2 AND id <= $3";

/// A part of the ledger of a workspace: after one id, up to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) workspace: Uuid,
    pub(super) after: Uuid,
    pub(super) end: Uuid,
}

impl Span {
    pub(super) fn values(&self) -> Vec<Value> {
        vec![self.workspace.into(), self.after.into(), self.end.into()]
    }

    /// What lies beyond the horizon.
    pub(super) const fn tail(workspace: Uuid, horizon: Uuid) -> Self {
        Self { workspace, after: horizon, end: Uuid::max() }
    }
}

impl SqlStore {
    /// Returns the id up to which no further entry of a workspace is expected.
    pub(super) async fn horizon(&self, workspace: Uuid) -> StoreResult<Uuid> {
        let last = self.patiently(LAST, vec![workspace.into()]).await?;
        let last: Option<Uuid> = last.first().map(|row| cell(row, 0)).transpose()?;
        Ok(last.map_or(Uuid::nil(), before))
    }
}

impl Slice {
    /// The next part of the walk; `None` at the horizon.
    pub(super) async fn span(&self, workspace: Uuid, after: Uuid, horizon: Uuid) -> StoreResult<Option<Span>> {
        if after >= horizon {
            return Ok(None);
        }
        let values = vec![workspace.into(), after.into(), horizon.into(), (ENTRIES_AT_ONCE - 1).into()];
        let end: Option<QueryResult> = self.row(END_OF_SLICE, values).await?;
        let end = end.map(|row| cell(&row, 0)).transpose()?.unwrap_or(horizon);
        Ok(Some(Span { workspace, after, end }))
    }
}

/// The least id of the time that lies so long before that of another one.
fn before(id: Uuid) -> Uuid {
    let millis = u64::try_from(id.as_u128() >> 80).unwrap_or(u64::MAX).saturating_sub(LATE_MILLIS);
    Uuid::from_u128(u128::from(millis) << 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_horizon_lies_two_minutes_before_the_last_entry() {
        let id = Uuid::parse_str("019b7601-0000-7abc-8def-000000000001").unwrap();
        let millis = |id: Uuid| u64::try_from(id.as_u128() >> 80).unwrap();
        assert_eq!(millis(id) - millis(before(id)), LATE_MILLIS);
        assert_eq!(before(Uuid::nil()), Uuid::nil());
    }
}
