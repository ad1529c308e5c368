//! Samples of alert channels, rules and messages.

use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::alerts::channel::{AlertChannel, ChannelKind, ChannelStatus};
use tradepost_domain::alerts::message::{Addressed, AlertMessage};
use tradepost_domain::alerts::rule::{AlertRule, RuleTerms, USUAL_SILENCE};
use tradepost_domain::alerts::schedule::{DayTime, Pace, Schedule};
use tradepost_domain::alerts::topic::{AlertNews, AlertTopic};
use tradepost_domain::contracts::remediation::Severity;
use tradepost_domain::id::{AlertChannelId, WorkspaceId};

use super::{Samples, start, text};

impl Samples {
    /// Returns an active channel of the workspace that is a webhook.
    pub fn alert_channel(&self, workspace_id: WorkspaceId) -> AlertChannel {
        AlertChannel {
            id: self.id(),
            workspace_id,
            user_id: None,
            kind: ChannelKind::Webhook,
            name: text("desk"),
            target: Some(text("https://example.com/alerts")),
            secret_hint: Some(text("wXyZ")),
            status: ChannelStatus::Active,
            disabled_reason: None,
            created_at: start(),
            updated_at: start(),
        }
    }

    /// Returns a rule that asks for every problem at once.
    ///
    /// # Panics
    /// Never: there is such a time zone.
    pub fn alert_rule(&self, channel: &AlertChannel) -> AlertRule {
        let zone = TimeZone::new("UTC").unwrap();
        let terms = RuleTerms {
            topics: vec![AlertTopic::Problem],
            urgent: vec![],
            kinds: vec![],
            min_severity: None,
            silent_minutes: USUAL_SILENCE,
            schedule: Schedule { zone, pace: Pace::AtOnce, quiet: None, daily_at: DayTime::MORNING },
        };
        AlertRule {
            id: self.id(),
            workspace_id: channel.workspace_id,
            channel_id: channel.id,
            user_id: channel.user_id,
            terms,
            created_at: start(),
            updated_at: start(),
        }
    }

    /// Returns a message that is due, about a problem of its own.
    pub fn alert_message(&self, workspace_id: WorkspaceId, channel_id: AlertChannelId) -> AlertMessage {
        let news = AlertNews {
            topic: AlertTopic::Problem,
            severity: Severity::Warning,
            kind: None,
            subject: None,
            problem: text(&self.id::<()>().to_string()),
            title: text("an item is missing"),
            detail: None,
        };
        AlertMessage::new(self.id(), Addressed { workspace_id, channel_id, user_id: None }, news, start())
    }
}
