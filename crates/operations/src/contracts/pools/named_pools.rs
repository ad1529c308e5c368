//! The pools that contracts name: checked when they are named, when a contract is activated, and for every purchase.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::pool::{Pool, PoolStatus};
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::PoolId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Changes, Seen};

use crate::results::require_version;
use crate::{OpError, OpResult, Operations, Reason};

/// Returns a pool for a caller that changes it, at the version that the caller saw, if it names one.
pub(crate) async fn pool_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: PoolId,
    expected_version: Option<i64>,
) -> OpResult<Seen<Pool>> {
    let found = operations.ports.store.pools().find(scope, id).await?;
    let pool = found.ok_or_else(|| OpError::not_found("pool"))?;
    require_version(&pool, expected_version)?;
    Ok(pool)
}

/// Lets a contract name a pool. The pool gets a new version, so that no caller archives it without having seen the contract.
pub(crate) async fn name_pool(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    named: Option<PoolId>,
    at: Timestamp,
) -> OpResult<()> {
    let Some(id) = named else { return Ok(()) };
    let pool = pool_as_seen(operations, scope, id, None).await?;
    if pool.peek().status.is_terminal() {
        return Err(archived());
    }
    changes.revise(pool, |pool| Ok::<_, OpError>(pool.named(at)))?;
    Ok(())
}

/// Checks that the pool of a contract that is activated gives money, and as much of it as the contract may spend.
pub(crate) async fn rely_on_pool(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    contract: &Contract,
) -> OpResult<()> {
    let Some(id) = contract.pool_id else { return Ok(()) };
    let pool = changes.rely_on(pool_as_seen(operations, scope, id, None).await?);
    if pool.status == PoolStatus::Active {
        return Ok(pool.covers(&contract.terms)?);
    }
    let message = format!("the contract's pool is {} and gives no money", pool.status);
    Err(OpError::failed_precondition(Reason::PoolNotActive, message))
}

/// Checks that limits which an active contract gets lie within those of its pool. Contracts of old may name one that never was.
pub(crate) async fn rely_on_cover(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    contract: &Contract,
) -> OpResult<()> {
    let Some(id) = contract.pool_id else { return Ok(()) };
    match operations.ports.store.pools().find(scope, id).await? {
        Some(pool) => Ok(changes.rely_on(pool).covers(&contract.terms)?),
        None => Ok(()),
    }
}

/// Returns the pool of a contract, if it admits a purchase.
pub(crate) async fn admit_to_pool(
    operations: &Operations,
    scope: WorkspaceScope,
    named: Option<PoolId>,
    purchase: &Purchase,
) -> OpResult<Option<Seen<Pool>>> {
    let Some(id) = named else { return Ok(None) };
    let pool = pool_as_seen(operations, scope, id, None).await?;
    // Read after the pool because the exposure changes with the pool's version, on which the purchase is decided.
    let exposed = match pool.peek().limits.max_exposure_per_item {
        Some(_) => operations.ports.store.pools().find_exposure(scope, id, &purchase.terms.market_hash_name).await?,
        None => 0,
    };
    pool.peek().admit(&purchase.terms, exposed, purchase.created_at)?;
    Ok(Some(pool))
}

/// Returns the error for an archived pool.
pub(crate) fn archived() -> OpError {
    OpError::failed_precondition(Reason::PoolArchived, "the pool is archived")
}
