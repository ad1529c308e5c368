//! Reads of sessions and sign-ins, and the note of a session's use. These are of no workspace; looking a session up reads its
//! user's memberships in all of them.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::{FromQueryResult as _, QueryResult};
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::session::Session;
use tradepost_domain::id::UserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ListedSession, SessionRecord, SessionUse, Sessions, StoreResult};

use crate::classify::{DbOperation, classify};
use crate::last_used::{LastUse, LastUseOf};
use crate::rows::accounts::{membership, session, user};
use crate::rows::{RowLocation, Stored as _, decode, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

/// A row for each live membership, and one without if there is none.
static BY_DIGEST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, {}, {}, n.last_seen_at AS s_last_seen_at FROM sessions s JOIN users u ON u.id = s.user_id \
         LEFT JOIN session_uses n ON n.user_id = s.user_id AND n.session_id = s.id \
         LEFT JOIN memberships m ON m.user_id = s.user_id AND m.status IN (2, 3) WHERE s.digest = $1 ORDER BY m.id",
        select_list::<session::Entity>("s.", "s_"),
        select_list::<user::Entity>("u.", "u_"),
        select_list::<membership::Entity>("m.", "m_"),
    )
});
static OF_USER: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, n.last_seen_at AS s_last_seen_at FROM sessions s LEFT JOIN session_uses n \
         ON n.user_id = s.user_id AND n.session_id = s.id WHERE s.user_id = $1 ORDER BY s.id",
        select_list::<session::Entity>("s.", "s_"),
    )
});
#[async_trait]
impl Sessions for SqlStore {
    async fn find_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<SessionRecord>> {
        let rows = self.rows(&BY_DIGEST, vec![digest.0.to_vec().into()]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let memberships = rows.iter().filter_map(|row| membership_in(row).transpose()).collect::<StoreResult<_>>()?;
        Ok(Some(SessionRecord { session: listed(row)?, user: decode(row, "u_")?, memberships }))
    }
    async fn list(&self, user: UserId) -> StoreResult<Vec<ListedSession>> {
        self.rows(&OF_USER, vec![uuid(user).into()]).await?.iter().map(listed).collect()
    }
    async fn touch(&self, uses: &[SessionUse]) -> StoreResult<()> {
        self.record_last_use(LastUseOf::Sessions, uses.iter().map(LastUse::from).collect()).await
    }
}

fn membership_in(row: &QueryResult) -> StoreResult<Option<Seen<Membership>>> {
    let row = membership::Model::from_query_result_optional(row, "m_");
    row.map_err(|error| classify(&error, DbOperation::Statement))?.map(Membership::to_domain).transpose()
}

fn listed(row: &QueryResult) -> StoreResult<ListedSession> {
    let session: Seen<Session> = decode(row, "s_")?;
    let place = RowLocation { table: "session_uses", home: uuid(session.peek().user_id), key: uuid(session.peek().id) };
    let last_seen_at = place.read("last_seen_at", row.try_get_by::<Option<i64>, _>("s_last_seen_at"))?;
    Ok(ListedSession { last_seen_at: place.time_some("last_seen_at", last_seen_at)?, session })
}
