//! `GetUsage` and `ListKeyUsage`: the usage of a workspace, by caller and operation.

use time::Duration;
use tradepost_domain::accounts::usage::{Calls, Granularity, Grouping, MOST_POINTS, UsagePoint};
use tradepost_domain::id::{ApiKeyId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::UsageQuery;

use crate::calls::usage::minute_of;
use crate::rules;
use crate::{OpError, OpResult, Operations};

/// The usage to return, and how to group it.
#[derive(Debug, Clone, Copy)]
pub struct GetUsage {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The start of the range, whose minute is counted. Absent for 30 days before the end, or a day where points are minutes.
    pub from: Option<Timestamp>,
    /// The end of the range; its own minute is not counted. Absent for now.
    pub to: Option<Timestamp>,
    /// The granularity.
    pub granularity: Granularity,
    /// The grouping.
    pub grouping: Grouping,
}

/// The usage to list.
#[derive(Debug, Clone, Copy)]
pub struct ListKeyUsage {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The start of the range; absent for 30 days before the end.
    pub from: Option<Timestamp>,
    /// The end of the range; absent for now.
    pub to: Option<Timestamp>,
}

/// The usage of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyUsage {
    /// The key; absent for sessions.
    pub key_id: Option<ApiKeyId>,
    /// The number of calls.
    pub calls: Calls,
}

impl Operations {
    /// Returns the calls of a workspace, the oldest first. Spans without a call are left out; the last half minute may be missing.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` when `to` is not after `from`, or for more than 10,000 points.
    pub async fn get_usage(&self, caller: &Caller, command: GetUsage) -> OpResult<Vec<UsagePoint>> {
        let scope = rules::GET_USAGE.enter(&caller.principal, command.workspace_id)?;
        let GetUsage { granularity, grouping, .. } = command;
        let usual = if granularity == Granularity::Minute { Duration::days(1) } else { Duration::days(30) };
        // The minute that has begun counts where no end is given.
        let to = command.to.unwrap_or_else(|| self.now().plus(Duration::minutes(1)));
        let (from, to) = span(command.from.unwrap_or_else(|| to.plus(-usual)), to)?;
        let limit = MOST_POINTS.saturating_add(1);
        let query = UsageQuery { from, to, granularity, grouping, limit };
        let points = self.ports.store.usage().read(scope, query).await?;
        if points.len() > MOST_POINTS as usize {
            let rule =
                format_args!("gives more than {MOST_POINTS} points; ask for a shorter time or a coarser granularity");
            return Err(OpError::invalid_field("from", rule));
        }
        Ok(points)
    }

    /// Returns the calls of a workspace by key over the whole range, the most used keys first.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` when `to` is not after `from`.
    pub async fn list_key_usage(&self, caller: &Caller, command: ListKeyUsage) -> OpResult<Vec<KeyUsage>> {
        let ListKeyUsage { workspace_id, from, to } = command;
        let grouping = Grouping { by_key: true, by_operation: false };
        let by_day = GetUsage { workspace_id, from, to, granularity: Granularity::Day, grouping };
        let mut keys: Vec<KeyUsage> = Vec::new();
        for UsagePoint { key_id, calls, .. } in self.get_usage(caller, by_day).await? {
            match keys.iter_mut().find(|key| key.key_id == key_id) {
                Some(key) => key.calls = key.calls.plus(calls),
                None => keys.push(KeyUsage { key_id, calls }),
            }
        }
        keys.sort_by_key(|key| std::cmp::Reverse(key.calls.requests));
        Ok(keys)
    }
}

fn span(from: Timestamp, to: Timestamp) -> OpResult<(i64, i64)> {
    if from < to {
        Ok((minute_of(from), minute_of(to)))
    } else {
        Err(OpError::invalid_field("to", "must be after from"))
    }
}
