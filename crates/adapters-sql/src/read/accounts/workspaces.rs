//! Reads of workspaces, memberships and keys, and the note of a key's use.
//!
//! Looking a key or an invitation up by its digest and finding a user's own memberships are the reads that cross workspaces.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::QueryResult;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::{ApiKey, EXPIRED_SHOWN, MOST_LIVE, PepperId, TokenDigest};
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::{ApiKeyId, MembershipId, OfMembership, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{KeyRecord, KeyUse, ListedKey, Page, PageRequest, StoreResult, Workspaces};

use crate::last_used::{LastUse, LastUseOf};
use crate::rows::accounts::{api_key, membership, user, workspace};
use crate::rows::{RowLocation, cell, decode, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

static MEMBER: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<membership::Entity>("", "");
    format!("SELECT {columns} FROM memberships WHERE workspace_id = $1 AND user_id = $2 AND status IN (2, 3)")
});
const WITHOUT_STRONG_FACTOR: &str = "SELECT count(*) FROM memberships m WHERE m.workspace_id = $1 AND m.status = 2 \
    AND NOT EXISTS (SELECT 1 FROM totps t WHERE t.user_id = m.user_id) \
    AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = m.user_id AND p.disabled_at IS NULL)";
static OWN_MEMBERSHIP: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<membership::Entity>("", "");
    format!(
        "SELECT {columns} FROM memberships WHERE user_id = $1 AND id = $3 \
         UNION ALL SELECT {columns} FROM memberships WHERE user_id IS NULL AND invitee_key = $2 AND id = $3"
    )
});
static INVITATION: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<membership::Entity>("", "");
    format!("SELECT {columns} FROM memberships WHERE invitation_digest = $1")
});
static OWN_MEMBERSHIPS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<membership::Entity>("", "");
    format!("SELECT {columns} FROM memberships WHERE user_id = $1 AND status IN (2, 3) ORDER BY id")
});
static EVERY_MEMBERSHIP: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<membership::Entity>("", "");
    format!("SELECT {columns} FROM memberships WHERE user_id = $1 ORDER BY id")
});
static OWN_WORKSPACES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<workspace::Entity>("w.", "");
    format!(
        "SELECT {columns} FROM memberships m JOIN workspaces w ON w.id = m.workspace_id \
         WHERE m.user_id = $1 AND m.status = 2 ORDER BY w.id"
    )
});
const COUNT_OWN: &str = "SELECT status, count(*) FROM memberships WHERE user_id = $1 GROUP BY status \
    UNION ALL SELECT status, count(*) FROM memberships WHERE user_id IS NULL AND invitee_key = $2 GROUP BY status";
const COUNT_OF_USER: &str =
    "SELECT status, count(*) FROM memberships WHERE workspace_id = $1 AND user_id = $2 GROUP BY status";
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
impl Workspaces for SqlStore {
    async fn find_workspace(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<Workspace>>> {
        self.find(vec![uuid(scope.workspace_id()).into()]).await
    }

    async fn find_membership(&self, scope: WorkspaceScope, id: MembershipId) -> StoreResult<Option<Seen<Membership>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }

    async fn find_memberships(
        &self,
        scope: WorkspaceScope,
        ids: &[MembershipId],
    ) -> StoreResult<Vec<Seen<Membership>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }

    async fn find_member(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Option<Seen<Membership>>> {
        self.one(&MEMBER, vec![uuid(scope.workspace_id()).into(), uuid(user).into()]).await
    }

    async fn find_own_membership(&self, user: &User, id: MembershipId) -> StoreResult<Option<Seen<Membership>>> {
        let email = user.email.as_ref().map(|email| email.key().to_owned());
        self.one(&OWN_MEMBERSHIP, vec![uuid(user.id).into(), email.into(), uuid(id).into()]).await
    }

    async fn count_members_without_strong_factor(&self, scope: WorkspaceScope) -> StoreResult<i64> {
        self.number(WITHOUT_STRONG_FACTOR, vec![uuid(scope.workspace_id()).into()]).await
    }

    async fn find_invitation(&self, token: &TokenDigest) -> StoreResult<Option<Seen<Membership>>> {
        self.one(&INVITATION, vec![token.0.to_vec().into()]).await
    }

    async fn list_own_memberships(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>> {
        self.all(&OWN_MEMBERSHIPS, vec![uuid(user).into()]).await
    }

    async fn list_every_membership(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>> {
        self.all(&EVERY_MEMBERSHIP, vec![uuid(user).into()]).await
    }

    async fn list_own_workspaces(&self, user: UserId) -> StoreResult<Vec<Seen<Workspace>>> {
        self.all(&OWN_WORKSPACES, vec![uuid(user).into()]).await
    }

    async fn list_memberships(
        &self,
        scope: WorkspaceScope,
        status: Option<Status>,
        page: PageRequest<OfMembership>,
    ) -> StoreResult<Page<OfMembership>> {
        let mut filter = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        filter.extend(status.map(|status| ("status", status.code().into())));
        self.page("memberships", filter, page).await
    }

    async fn count_own_memberships(&self, user: &User) -> StoreResult<Vec<(i16, i64)>> {
        let email = user.email.as_ref().map(|email| email.key().to_owned());
        let rows = self.rows(COUNT_OWN, vec![uuid(user.id).into(), email.into()]).await?;
        rows.iter().map(|row| Ok((cell(row, 0)?, cell(row, 1)?))).collect()
    }

    async fn count_memberships_of(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Vec<(i16, i64)>> {
        let rows = self.rows(COUNT_OF_USER, vec![uuid(scope.workspace_id()).into(), uuid(user).into()]).await?;
        rows.iter().map(|row| Ok((cell(row, 0)?, cell(row, 1)?))).collect()
    }

    async fn find_key_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<KeyRecord>> {
        let Some(row) = self.row(&KEY_BY_DIGEST, vec![digest.0.to_vec().into()]).await? else { return Ok(None) };
        Ok(Some(KeyRecord { key: decode(&row, "k_")?, owner: decode(&row, "u_")?, membership: decode(&row, "m_")? }))
    }

    async fn find_key(&self, scope: WorkspaceScope, id: ApiKeyId) -> StoreResult<Option<ListedKey>> {
        let row = self.row(&FIND_KEY, vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await?;
        row.map(|row| listed(&row)).transpose()
    }

    async fn list_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<Vec<ListedKey>> {
        self.rows(&LIST_KEYS, shown_at(scope, at)).await?.iter().map(listed).collect()
    }

    async fn list_member_keys(&self, membership: &Membership, at: Timestamp) -> StoreResult<Vec<Seen<ApiKey>>> {
        let member = vec![uuid(membership.workspace_id).into(), uuid(membership.id).into(), at.as_micros().into()];
        self.all(&MEMBER_KEYS, member).await
    }

    async fn count_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64> {
        self.number(&COUNT_KEYS, shown_at(scope, at)).await
    }

    async fn count_live_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64> {
        self.number(COUNT_LIVE, vec![uuid(scope.workspace_id()).into(), at.as_micros().into()]).await
    }

    async fn touch_keys(&self, uses: &[KeyUse]) -> StoreResult<()> {
        self.record_last_use(LastUseOf::Keys, uses.iter().map(LastUse::from).collect()).await
    }

    async fn replace_key_digest(&self, key: &ApiKey, digest: TokenDigest, pepper: PepperId) -> StoreResult<()> {
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
