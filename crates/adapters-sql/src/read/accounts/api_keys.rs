//! Reads of API keys.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::QueryResult;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::{ApiKey, EXPIRED_SHOWN, MOST_LIVE, PepperId, TokenDigest};
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::id::ApiKeyId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ApiKeys, KeyRecord, KeyUse, ListedKey, StoreResult};

use crate::last_used::{LastUse, LastUseOf};
use crate::rows::accounts::{api_key, membership, user};
use crate::rows::{RowLocation, decode, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

static KEY_BY_DIGEST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, {}, {} FROM api_keys k JOIN users u ON u.id = k.owner_id \
         JOIN memberships m ON m.workspace_id = k.workspace_id AND m.id = k.membership_id WHERE k.digest = $1",
        select_list::<api_key::Entity>("k.", "k_"),
        select_list::<user::Entity>("u.", "u_"),
        select_list::<membership::Entity>("m.", "m_"),
    )
});

static LISTED_KEY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, u.last_used_at FROM api_keys k LEFT JOIN api_key_uses u ON u.workspace_id = k.workspace_id \
         AND u.key_id = k.id",
        select_list::<api_key::Entity>("k.", "")
    )
});

const REPLACE_DIGEST: &str =
    "UPDATE api_keys SET digest = $4, pepper = $5 WHERE workspace_id = $1 AND id = $2 AND digest = $3";

static FIND_KEY: LazyLock<String> =
    LazyLock::new(|| format!("{} WHERE k.workspace_id = $1 AND k.id = $2", *LISTED_KEY));

static LIST_KEYS: LazyLock<String> = LazyLock::new(|| {
    format!("{} WHERE k.workspace_id = $1 AND k.id IN ({KEYS_SHOWN}) ORDER BY k.id DESC", *LISTED_KEY)
});

static COUNT_KEYS: LazyLock<String> = LazyLock::new(|| format!("SELECT count(*) FROM ({KEYS_SHOWN}) shown"));

/// The ids of the live keys and of those that expired last: two ranges of one index, however many keys there are. Both are
/// taken in the index's order: asked for by id, a planner walks through every expired key to find the live ones.
const KEYS_SHOWN: &str = "SELECT id FROM (SELECT id FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL \
    AND coalesce(expires_at, 9223372036854775807) > $2 \
    ORDER BY coalesce(expires_at, 9223372036854775807) DESC, id DESC LIMIT $3) live \
    UNION ALL SELECT id FROM (SELECT id FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL \
    AND coalesce(expires_at, 9223372036854775807) <= $2 \
    ORDER BY coalesce(expires_at, 9223372036854775807) DESC, id DESC LIMIT $4) expired";

const COUNT_LIVE: &str = "SELECT count(*) FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL \
    AND coalesce(expires_at, 9223372036854775807) > $2";

static MEMBER_KEYS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<api_key::Entity>("", "");
    format!(
        "SELECT {columns} FROM api_keys WHERE workspace_id = $1 AND membership_id = $2 AND revoked_at IS NULL \
         AND coalesce(expires_at, 9223372036854775807) > $3 ORDER BY id"
    )
});

#[async_trait]
impl ApiKeys for SqlStore {
    async fn find_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<KeyRecord>> {
        let Some(row) = self.row(&KEY_BY_DIGEST, vec![digest.0.to_vec().into()]).await? else { return Ok(None) };
        Ok(Some(KeyRecord { key: decode(&row, "k_")?, owner: decode(&row, "u_")?, membership: decode(&row, "m_")? }))
    }
    async fn find(&self, scope: WorkspaceScope, id: ApiKeyId) -> StoreResult<Option<ListedKey>> {
        let row = self.row(&FIND_KEY, vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await?;
        row.map(|row| listed(&row)).transpose()
    }
    async fn list(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<Vec<ListedKey>> {
        self.rows(&LIST_KEYS, shown_at(scope, at)).await?.iter().map(listed).collect()
    }
    async fn list_of_member(&self, membership: &Membership, at: Timestamp) -> StoreResult<Vec<Seen<ApiKey>>> {
        let member = vec![uuid(membership.workspace_id).into(), uuid(membership.id).into(), at.as_micros().into()];
        self.all(&MEMBER_KEYS, member).await
    }
    async fn count(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64> {
        self.number(&COUNT_KEYS, shown_at(scope, at)).await
    }
    async fn count_live(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64> {
        self.number(COUNT_LIVE, vec![uuid(scope.workspace_id()).into(), at.as_micros().into()]).await
    }
    async fn touch(&self, uses: &[KeyUse]) -> StoreResult<()> {
        self.record_last_use(LastUseOf::Keys, uses.iter().map(LastUse::from).collect()).await
    }
    async fn replace_digest(&self, key: &ApiKey, digest: TokenDigest, pepper: PepperId) -> StoreResult<()> {
        let (seen, replacement) = (key.digest.0.to_vec(), digest.0.to_vec());
        let (workspace, id) = (uuid(key.workspace_id), uuid(key.id));
        let values = vec![workspace.into(), id.into(), seen.into(), replacement.into(), pepper.0.into()];
        self.write(REPLACE_DIGEST, values).await.map(drop)
    }
}

fn shown_at(scope: WorkspaceScope, at: Timestamp) -> Vec<sea_orm::Value> {
    let most = |keys: usize| i64::try_from(keys).unwrap_or(i64::MAX).into();
    vec![uuid(scope.workspace_id()).into(), at.as_micros().into(), most(MOST_LIVE), most(EXPIRED_SHOWN)]
}

fn listed(row: &QueryResult) -> StoreResult<ListedKey> {
    let key: Seen<ApiKey> = decode(row, "")?;
    let place = RowLocation { table: "api_key_uses", home: uuid(key.peek().workspace_id), key: uuid(key.peek().id) };
    let last_used_at = row.try_get_by::<Option<i64>, _>("last_used_at");
    let last_used_at = place.time_some("last_used_at", place.read("last_used_at", last_used_at)?)?;
    Ok(ListedKey { key, last_used_at })
}
