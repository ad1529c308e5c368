//! Alert channels, rules and messages of a world.

use secrecy::SecretString;
use tradepost_domain::alerts::channel::ChannelKind;
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_domain::id::{AlertChannelId, AlertMessageId, AlertRuleId, WorkspaceId};
use tradepost_operations::Caller;
use tradepost_operations::alerts::{
    AlertRuleTerms, CreateAlertChannel, CreateAlertRule, DisableAlertChannel, ListAlertChannels, ListAlertMessages,
    ListAlertRules, SendTestAlert,
};

use super::World;

impl World {
    /// The channel that is disabled, made by the first who asks for it: nothing happens to it by itself.
    pub(crate) async fn alert_channel(&self) -> AlertChannelId {
        let (operations, workspace_id, system) = (self.app.operations(), self.desk.workspace_id, Caller::system());
        let list = ListAlertChannels { workspace_id, limit: 1, cursor: String::new(), own: false, status: None };
        let known = operations.list_alert_channels(&system, list).await.unwrap().entries;
        match known.first() {
            Some(known) => *known,
            None => self.alert_channel_of(workspace_id, true).await,
        }
    }

    /// Makes a channel of a workspace.
    pub(crate) async fn alert_channel_of(&self, workspace_id: WorkspaceId, disabled: bool) -> AlertChannelId {
        let command = CreateAlertChannel {
            workspace_id,
            own: false,
            kind: Some(ChannelKind::Webhook),
            name: "the desk".to_owned(),
            target: "https://alert.example.com/tradepost".to_owned(),
            secret: SecretString::default(),
        };
        let (operations, system) = (self.app.operations(), Caller::system());
        let created = operations.create_alert_channel(&system, command).await.unwrap();
        let channel_id = created.channel.channel.value.id;
        if disabled {
            let disable = DisableAlertChannel { workspace_id, channel_id, expected_version: None };
            operations.disable_alert_channel(&system, disable).await.unwrap();
        }
        channel_id
    }

    /// A rule of the channel that is disabled.
    pub(crate) async fn alert_rule(&self) -> AlertRuleId {
        let (operations, workspace_id, system) = (self.app.operations(), self.desk.workspace_id, Caller::system());
        let channel_id = self.alert_channel().await;
        let list = ListAlertRules { workspace_id, channel_id, limit: 1, cursor: String::new() };
        let known = operations.list_alert_rules(&system, list).await.unwrap().entries;
        match known.first() {
            Some(known) => *known,
            None => self.alert_rule_of(workspace_id, channel_id).await,
        }
    }

    /// Makes a rule of a channel.
    pub(crate) async fn alert_rule_of(&self, workspace_id: WorkspaceId, channel_id: AlertChannelId) -> AlertRuleId {
        let terms = AlertRuleTerms { topics: vec![AlertTopic::Halt], ..AlertRuleTerms::default() };
        let command = CreateAlertRule { workspace_id, channel_id, terms };
        self.app.operations().create_alert_rule(&Caller::system(), command).await.unwrap().value.id
    }

    /// A message of the channel that is disabled: a test.
    pub(crate) async fn alert_message(&self) -> AlertMessageId {
        let (operations, workspace_id, system) = (self.app.operations(), self.desk.workspace_id, Caller::system());
        let channel_id = self.alert_channel().await;
        let (cursor, state, topic) = (String::new(), None, None);
        let list = ListAlertMessages { workspace_id, channel_id, limit: 1, cursor, state, topic };
        let known = operations.list_alert_messages(&system, list).await.unwrap().entries;
        match known.first() {
            Some(known) => *known,
            None => self.alert_message_of(workspace_id, channel_id).await,
        }
    }

    /// Sends a test to a channel.
    pub(crate) async fn alert_message_of(
        &self,
        workspace_id: WorkspaceId,
        channel_id: AlertChannelId,
    ) -> AlertMessageId {
        let test = SendTestAlert { workspace_id, channel_id };
        self.app.operations().send_test_alert(&Caller::system(), test).await.unwrap().value.id
    }
}
