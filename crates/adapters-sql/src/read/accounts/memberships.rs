//! Reads of members and invitations.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::{MembershipId, OfMembership, UserId};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Memberships, Page, PageRequest, StoreResult};

use crate::rows::accounts::membership;
use crate::rows::{cell, uuid};
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

const COUNT_OWN: &str = "SELECT status, count(*) FROM memberships WHERE user_id = $1 GROUP BY status \
    UNION ALL SELECT status, count(*) FROM memberships WHERE user_id IS NULL AND invitee_key = $2 GROUP BY status";

const COUNT_OF_USER: &str =
    "SELECT status, count(*) FROM memberships WHERE workspace_id = $1 AND user_id = $2 GROUP BY status";

#[async_trait]
impl Memberships for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: MembershipId) -> StoreResult<Option<Seen<Membership>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[MembershipId]) -> StoreResult<Vec<Seen<Membership>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_member(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Option<Seen<Membership>>> {
        self.one(&MEMBER, vec![uuid(scope.workspace_id()).into(), uuid(user).into()]).await
    }
    async fn find_own(&self, user: &User, id: MembershipId) -> StoreResult<Option<Seen<Membership>>> {
        let email = user.email.as_ref().map(|email| email.key().to_owned());
        self.one(&OWN_MEMBERSHIP, vec![uuid(user.id).into(), email.into(), uuid(id).into()]).await
    }
    async fn count_without_strong_factor(&self, scope: WorkspaceScope) -> StoreResult<i64> {
        self.number(WITHOUT_STRONG_FACTOR, vec![uuid(scope.workspace_id()).into()]).await
    }
    async fn find_invitation(&self, token: &TokenDigest) -> StoreResult<Option<Seen<Membership>>> {
        self.one(&INVITATION, vec![token.0.to_vec().into()]).await
    }
    async fn list_own(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>> {
        self.all(&OWN_MEMBERSHIPS, vec![uuid(user).into()]).await
    }
    async fn list_all_of(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>> {
        self.all(&EVERY_MEMBERSHIP, vec![uuid(user).into()]).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        status: Option<Status>,
        page: PageRequest<OfMembership>,
    ) -> StoreResult<Page<OfMembership>> {
        let mut filter = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        filter.extend(status.map(|status| ("status", status.code().into())));
        self.page("memberships", filter, page).await
    }
    async fn count_own(&self, user: &User) -> StoreResult<Vec<(i16, i64)>> {
        let email = user.email.as_ref().map(|email| email.key().to_owned());
        let rows = self.rows(COUNT_OWN, vec![uuid(user.id).into(), email.into()]).await?;
        rows.iter().map(|row| Ok((cell(row, 0)?, cell(row, 1)?))).collect()
    }
    async fn count(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Vec<(i16, i64)>> {
        let rows = self.rows(COUNT_OF_USER, vec![uuid(scope.workspace_id()).into(), uuid(user).into()]).await?;
        rows.iter().map(|row| Ok((cell(row, 0)?, cell(row, 1)?))).collect()
    }
}
