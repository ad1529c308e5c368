//! Alert channels and rules. Messages are tested with contracts, from which problems come.

mod channels;
mod rights;
mod rules;

use secrecy::SecretString;
use tradepost_domain::alerts::channel::ChannelKind;
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_domain::id::{AlertChannelId, WorkspaceId};
use tradepost_operations::Caller;
use tradepost_operations::alerts::{AlertRuleTerms, CreateAlertChannel};

use crate::harness::World;

/// A channel of the workspace that is a webhook.
pub(crate) fn webhook(workspace_id: WorkspaceId) -> CreateAlertChannel {
    CreateAlertChannel {
        workspace_id,
        own: false,
        kind: Some(ChannelKind::Webhook),
        name: "desk".to_owned(),
        target: "https://example.com/alerts".to_owned(),
        secret: SecretString::default(),
    }
}

/// An own channel of a member that is a chat of Telegram.
fn telegram(workspace_id: WorkspaceId) -> CreateAlertChannel {
    CreateAlertChannel {
        own: true,
        kind: Some(ChannelKind::Telegram),
        target: "-1001234".to_owned(),
        secret: "42:bot-token".into(),
        ..webhook(workspace_id)
    }
}

/// What a rule says that asks for these topics at once.
pub(crate) fn terms(topics: &[AlertTopic]) -> AlertRuleTerms {
    AlertRuleTerms { topics: topics.to_vec(), ..AlertRuleTerms::default() }
}

/// Creates a channel in the process itself, or as a caller.
async fn created(world: &World, caller: &Caller, command: CreateAlertChannel) -> AlertChannelId {
    world.operations.create_alert_channel(caller, command).await.unwrap().channel.channel.value.id
}
