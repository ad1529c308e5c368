//! Reads of alert channels, of their rules and progress, and of messages.

use std::fmt::Write as _;
use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::alerts::channel::AlertChannel;
use tradepost_domain::alerts::message::AlertMessage;
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::alerts::rule::AlertRule;
use tradepost_domain::alerts::topic::ProblemKey;
use tradepost_domain::id::{
    AlertChannelId, AlertMessageId, AlertRuleId, OfAlertChannel, OfAlertMessage, OfAlertRule, RecordKey, UserId,
};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AlertChannelFilter, AlertMessageFilter, Alerts, Page, PageRequest, StoreResult};
use uuid::Uuid;

use crate::rows::alerts::{channel, message, owner, rule};
use crate::rows::{key, uuid};
use crate::sql_text::one_more;
use crate::store::SqlStore;
use crate::table::select_list;

static CHANNELS_OF: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<channel::Entity>("", "");
    format!("SELECT {columns} FROM alert_channels{{by}} WHERE workspace_id = $1 AND owner_id = $2 ORDER BY id")
});
static RULES_OF: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<rule::Entity>("", "");
    format!("SELECT {columns} FROM alert_rules{{by}} WHERE workspace_id = $1 AND channel_id = $2 ORDER BY id")
});
/// Status 1 is ACTIVE, state 1 WAITING; as literals, so that the indexes of these alone are used.
const ACTIVE: &str = "SELECT c.workspace_id, c.id FROM alert_channels c JOIN workspaces w ON w.id = c.workspace_id \
    WHERE c.status = 1 AND w.deleted_at IS NULL AND (c.workspace_id, c.id) > ($1, $2) \
    ORDER BY c.workspace_id, c.id LIMIT $3";
const DUE_CHANNELS: &str = "SELECT DISTINCT m.workspace_id, m.channel_id FROM alert_messages m \
    JOIN workspaces w ON w.id = m.workspace_id WHERE m.state = 1 AND m.due_at <= $1 AND w.deleted_at IS NULL LIMIT $2";
static DUE_MESSAGES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<message::Entity>("", "");
    format!(
        "SELECT {columns} FROM alert_messages{{by}} WHERE workspace_id = $1 AND channel_id = $2 AND state = 1 \
         AND due_at <= $3 ORDER BY due_at, id LIMIT $4"
    )
});

#[async_trait]
impl Alerts for SqlStore {
    async fn find_channels(
        &self,
        scope: WorkspaceScope,
        ids: &[AlertChannelId],
    ) -> StoreResult<Vec<Seen<AlertChannel>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_channels_of(
        &self,
        scope: WorkspaceScope,
        user: Option<UserId>,
    ) -> StoreResult<Vec<Seen<AlertChannel>>> {
        let values = vec![uuid(scope.workspace_id()).into(), owner(user).into()];
        self.readable(&self.by_index(&CHANNELS_OF, "alert_channels_owner"), values).await
    }
    async fn list_channels(
        &self,
        scope: WorkspaceScope,
        filter: AlertChannelFilter,
        page: PageRequest<OfAlertChannel>,
    ) -> StoreResult<Page<OfAlertChannel>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.push(("owner_id", owner(filter.user_id).into()));
        equal.extend(filter.status.map(|status| ("status", status.code().into())));
        self.page("alert_channels", equal, page).await
    }
    async fn find_alert_progress(
        &self,
        scope: WorkspaceScope,
        ids: &[AlertChannelId],
    ) -> StoreResult<Vec<Seen<AlertProgress>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_rules(&self, scope: WorkspaceScope, ids: &[AlertRuleId]) -> StoreResult<Vec<Seen<AlertRule>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_rules_of(&self, scope: WorkspaceScope, channel: AlertChannelId) -> StoreResult<Vec<Seen<AlertRule>>> {
        let values = vec![uuid(scope.workspace_id()).into(), uuid(channel).into()];
        self.readable(&self.by_index(&RULES_OF, "alert_rules_channel"), values).await
    }
    async fn list_rules(
        &self,
        scope: WorkspaceScope,
        channel: AlertChannelId,
        page: PageRequest<OfAlertRule>,
    ) -> StoreResult<Page<OfAlertRule>> {
        let equal = vec![("workspace_id", uuid(scope.workspace_id()).into()), ("channel_id", uuid(channel).into())];
        self.page("alert_rules", equal, page).await
    }
    async fn find_messages(
        &self,
        scope: WorkspaceScope,
        ids: &[AlertMessageId],
    ) -> StoreResult<Vec<Seen<AlertMessage>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_problems(
        &self,
        scope: WorkspaceScope,
        channel: AlertChannelId,
        problems: &[ProblemKey],
    ) -> StoreResult<Vec<Seen<AlertMessage>>> {
        let mut values = vec![uuid(scope.workspace_id()).into(), uuid(channel).into()];
        let mut listed = String::from("NULL");
        for problem in problems {
            values.push(problem.to_string().into());
            let _ = write!(listed, ", ${}", values.len());
        }
        let columns = select_list::<message::Entity>("", "");
        let text = format!(
            "SELECT {columns} FROM alert_messages{{by}} WHERE workspace_id = $1 AND channel_id = $2 \
             AND problem IN ({listed})"
        );
        self.readable(&self.by_index(&text, "alert_messages_problem"), values).await
    }
    async fn list_messages(
        &self,
        scope: WorkspaceScope,
        filter: AlertMessageFilter,
        page: PageRequest<OfAlertMessage>,
    ) -> StoreResult<Page<OfAlertMessage>> {
        let before = page.before.map_or(Uuid::max(), uuid);
        let (workspace, channel) = (uuid(scope.workspace_id()), uuid(filter.channel_id));
        let mut values = vec![workspace.into(), channel.into(), before.into(), one_more(page.limit)];
        let mut narrowed = String::new();
        if let Some(state) = filter.state {
            values.push(state.code().into());
            let _ = write!(narrowed, " AND state = ${}", values.len());
        }
        if let Some(topic) = filter.topic {
            values.push(topic.code().into());
            let _ = write!(narrowed, " AND topic = ${}", values.len());
        }
        let index = if filter.state.is_some() { "alert_messages_state" } else { "alert_messages_channel" };
        let text = format!(
            "SELECT id FROM alert_messages{{by}} WHERE workspace_id = $1 AND channel_id = $2 AND id < $3{narrowed} \
             ORDER BY id DESC LIMIT $4"
        );
        self.page_of(&self.by_index(&text, index), values, page.limit).await
    }
    async fn list_active_channels(
        &self,
        after: Option<RecordKey<AlertChannelId>>,
        limit: u32,
    ) -> StoreResult<Vec<RecordKey<AlertChannelId>>> {
        let (workspace, channel) =
            after.map_or((Uuid::nil(), Uuid::nil()), |after| (uuid(after.workspace_id), uuid(after.id)));
        let rows = self.rows(ACTIVE, vec![workspace.into(), channel.into(), i64::from(limit).into()]).await?;
        rows.iter().map(key).collect()
    }
    async fn list_due_channels(&self, at: Timestamp, limit: u32) -> StoreResult<Vec<RecordKey<AlertChannelId>>> {
        let rows = self.rows(DUE_CHANNELS, vec![at.as_micros().into(), i64::from(limit).into()]).await?;
        rows.iter().map(key).collect()
    }
    async fn list_due_messages(
        &self,
        RecordKey { workspace_id, id }: RecordKey<AlertChannelId>,
        at: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Seen<AlertMessage>>> {
        let text = self.by_index(&DUE_MESSAGES, "alert_messages_due_of");
        let values = vec![uuid(workspace_id).into(), uuid(id).into(), at.as_micros().into(), i64::from(limit).into()];
        self.readable(&text, values).await
    }
}
