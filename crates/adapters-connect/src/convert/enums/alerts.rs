//! Enums of alerts.

use buffa::EnumValue;
use tradepost_domain::alerts::channel::{ChannelDisabledReason, ChannelKind, ChannelStatus};
use tradepost_domain::alerts::message::MessageState;
use tradepost_domain::alerts::schedule::Pace;
use tradepost_domain::alerts::topic::AlertTopic;

use super::WireEnum;
use tradepost_proto::alerts;

wire_enum!(ChannelKind, alerts::v1::AlertChannelKind, ALERT_CHANNEL_KIND_UNSPECIFIED:
    Mail = ALERT_CHANNEL_KIND_MAIL,
    Telegram = ALERT_CHANNEL_KIND_TELEGRAM,
    Discord = ALERT_CHANNEL_KIND_DISCORD,
    Webhook = ALERT_CHANNEL_KIND_WEBHOOK,
    Heartbeat = ALERT_CHANNEL_KIND_HEARTBEAT,
);

wire_enum!(ChannelStatus, alerts::v1::AlertChannelStatus, ALERT_CHANNEL_STATUS_UNSPECIFIED:
    Active = ALERT_CHANNEL_STATUS_ACTIVE,
    Disabled = ALERT_CHANNEL_STATUS_DISABLED,
);

wire_enum!(ChannelDisabledReason, alerts::v1::AlertDisabledReason, ALERT_DISABLED_REASON_UNSPECIFIED:
    Person = ALERT_DISABLED_REASON_PERSON,
    Removed = ALERT_DISABLED_REASON_REMOVED,
    Failing = ALERT_DISABLED_REASON_FAILING,
);

wire_enum!(AlertTopic, alerts::v1::AlertTopic, ALERT_TOPIC_UNSPECIFIED:
    Problem = ALERT_TOPIC_PROBLEM,
    Breaker = ALERT_TOPIC_BREAKER,
    LossLimit = ALERT_TOPIC_LOSS_LIMIT,
    AccountLost = ALERT_TOPIC_ACCOUNT_LOST,
    Halt = ALERT_TOPIC_HALT,
    EngineSilent = ALERT_TOPIC_ENGINE_SILENT,
    Bought = ALERT_TOPIC_BOUGHT,
    Sold = ALERT_TOPIC_SOLD,
    DailySummary = ALERT_TOPIC_DAILY_SUMMARY,
    WeeklySummary = ALERT_TOPIC_WEEKLY_SUMMARY,
    Test = ALERT_TOPIC_TEST,
);

wire_enum!(Pace, alerts::v1::AlertPace, ALERT_PACE_UNSPECIFIED:
    AtOnce = ALERT_PACE_AT_ONCE,
    Hourly = ALERT_PACE_HOURLY,
    Daily = ALERT_PACE_DAILY,
);

wire_enum!(MessageState, alerts::v1::AlertMessageState, ALERT_MESSAGE_STATE_UNSPECIFIED:
    Waiting = ALERT_MESSAGE_STATE_WAITING,
    Sent = ALERT_MESSAGE_STATE_SENT,
    Failed = ALERT_MESSAGE_STATE_FAILED,
    Dropped = ALERT_MESSAGE_STATE_DROPPED,
);
