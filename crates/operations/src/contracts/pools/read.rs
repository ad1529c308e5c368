//! Reads of pools.

use crate::contracts::pools::named_pools::pool_as_seen;
use tradepost_domain::contracts::ledger::Balanced;
use tradepost_domain::contracts::pool::{Pool, PoolStatus};
use tradepost_domain::id::{OfPool, PoolId, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;

use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::{Batch, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetPool {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
}

/// A request for several pools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetPools {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pools, 1 to 200.
    pub pool_ids: Vec<PoolId>,
}

/// A request for the balances of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetPoolBalance {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
}

/// A request for a page of pools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPools {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only in this status.
    pub status: Option<PoolStatus>,
}

/// A request for the number of pools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountPools {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one pool.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_pool(&self, caller: &Caller, command: GetPool) -> OpResult<Versioned<Pool>> {
        let scope = rules::GET_POOL.enter(&caller.principal, command.workspace_id)?;
        Ok(pool_as_seen(self, scope, command.pool_id, None).await?.into())
    }

    /// Returns several pools in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_pools(&self, caller: &Caller, command: GetPools) -> OpResult<Batch<Pool, OfPool>> {
        let scope = rules::GET_POOLS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("poolIds", &command.pool_ids)?;
        let found = self.ports.store.pools().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns the balances of a pool by account, at the version of the pool: the sums of its ledger entries.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_pool_balance(&self, caller: &Caller, command: GetPoolBalance) -> OpResult<Versioned<Balanced>> {
        let scope = rules::GET_POOL_BALANCE.enter(&caller.principal, command.workspace_id)?;
        let (pool, version) = pool_as_seen(self, scope, command.pool_id, None).await?.into_display();
        Ok(Versioned { value: pool.into_parts().balances, version })
    }

    /// Returns a page of pools, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_pools(&self, caller: &Caller, command: ListPools) -> OpResult<PageOf<PoolId>> {
        let scope = rules::LIST_POOLS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("pools", scope).and_code(command.status.map(PoolStatus::code));
        let request = self.page_request::<OfPool>(&key, command.limit, &command.cursor)?;
        let page = self.to_show(caller, scope).pools().list(scope, command.status, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts pools: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_pools(&self, caller: &Caller, command: CountPools) -> OpResult<Vec<StatusCount<PoolStatus>>> {
        let scope = rules::COUNT_POOLS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::Pool, None).await?;
        Ok(every_status(PoolStatus::ALL, PoolStatus::code, &counted))
    }
}
