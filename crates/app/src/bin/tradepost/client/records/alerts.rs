//! Alert channels, their rules and messages.

use super::column::{id, name, text as texts, time as times};
use super::flag::{Flag, Kind, Names, choice, kind, number, of, sets, text};
use super::remediations::KINDS as PROBLEM_KINDS;
use super::{Action, Group, Records, Shows};

pub(crate) static CHANNELS: Records = Records {
    noun: "alert channel",
    listed_by: "tradepost alerts channels",
    list: "alerts.v1.Alerts/ListAlertChannels",
    ids: "channelIds",
    get: "alerts.v1.Alerts/GetAlertChannels",
    found: "channels",
    one: "channel",
    name: Some("name"),
    added: None,
    columns: &[
        id("ID", "id").wide(),
        texts("NAME", "name").flexible(),
        name("KIND", "kind"),
        texts("TARGET", "target").flexible(),
        name("STATUS", "status"),
        name("REASON", "disabledReason").wide(),
        texts("FAILURES", "consecutiveFailures").wide(),
        times("LAST SUCCESS", "lastSuccessAt").wide(),
        texts("SECRET", "secretHint").wide(),
    ],
};
static RULES: Records = Records {
    noun: "alert rule",
    listed_by: "tradepost alerts rules CHANNEL",
    list: "alerts.v1.Alerts/ListAlertRules",
    ids: "ruleIds",
    get: "alerts.v1.Alerts/GetAlertRules",
    found: "rules",
    one: "rule",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        texts("TOPICS", "topics").flexible(),
        name("PACE", "pace"),
        texts("QUIET FROM", "quietFrom"),
        texts("TO", "quietTo"),
        texts("TIME ZONE", "timeZone").wide(),
        texts("URGENT", "urgentTopics").wide(),
        name("SEVERITY", "minSeverity").wide(),
        name("PROBLEMS", "problemKinds").wide(),
        texts("SILENT MINUTES", "silentMinutes").wide(),
        texts("DAILY AT", "dailyAt").wide(),
    ],
};
static MESSAGES: Records = Records {
    noun: "alert message",
    listed_by: "tradepost alerts messages CHANNEL",
    list: "alerts.v1.Alerts/ListAlertMessages",
    ids: "messageIds",
    get: "alerts.v1.Alerts/GetAlertMessages",
    found: "messages",
    one: "message",
    name: None,
    added: None,
    columns: &[
        times("CREATED", "createdAt"),
        name("TOPIC", "topic"),
        name("STATE", "state"),
        texts("TITLE", "title").flexible(),
        id("ID", "id").wide(),
        name("SEVERITY", "severity").wide(),
        texts("TRIES", "tries").wide(),
        times("DUE", "dueAt").wide(),
        texts("ERROR", "error").wide(),
    ],
};
static KINDS: Names =
    Names { prefix: "ALERT_CHANNEL_KIND_", all: &["mail", "telegram", "discord", "webhook", "heartbeat"] };
static STATUSES: Names = Names { prefix: "ALERT_CHANNEL_STATUS_", all: &["active", "disabled"] };
static STATES: Names = Names { prefix: "ALERT_MESSAGE_STATE_", all: &["waiting", "sent", "failed", "dropped"] };
static PACES: Names = Names { prefix: "ALERT_PACE_", all: &["at_once", "hourly", "daily"] };
static SEVERITIES: Names = Names { prefix: "REMEDIATION_SEVERITY_", all: &["info", "warning", "critical"] };
static TOPICS: Names = Names {
    prefix: "ALERT_TOPIC_",
    all: &[
        "problem",
        "breaker",
        "loss_limit",
        "account_lost",
        "halt",
        "engine_silent",
        "bought",
        "sold",
        "daily_summary",
        "weekly_summary",
    ],
};

const CHANNEL: Flag = of("CHANNEL", &CHANNELS, "Its name or id");
const RULE: Flag = of("RULE", &RULES, "Its id");
const NAME: Flag = text("name", "name", "Its name");
const TARGET: Flag = text("target", "target", "Chat of Telegram, or URL of a webhook");
const SECRET: Flag = kind(
    "secret-file",
    "secret",
    Kind::TextFile,
    "File with the bot's token, or with the URL of Discord or a heartbeat",
);
const OWN: Flag = sets("own", "own", "true", "Your own channels, which others do not see");

macro_rules! with_terms {
    [$of:expr] => {
        &[
            $of,
            choice("topic", "topics", &TOPICS, "What is sent; repeatable").list().required(),
            choice("urgent", "urgentTopics", &TOPICS, "Of these, what never waits; repeatable").list(),
            choice("problem-kind", "problemKinds", &PROBLEM_KINDS, "Only these problems; repeatable").list(),
            choice("min-severity", "minSeverity", &SEVERITIES, "How severe problems are at least"),
            number("silent-minutes", "silentMinutes", "How long an engine may be silent [default: 10]"),
            choice("pace", "pace", &PACES, "At once, or together [default: at_once]"),
            text("time-zone", "timeZone", "Time zone such as Europe/Zurich [default: that of the workspace]"),
            text("quiet-from", "quietFrom", "When quiet hours begin, such as 22:00"),
            text("quiet-to", "quietTo", "When they end, such as 07:00"),
            text("daily-at", "dailyAt", "When daily messages are sent [default: 08:00]"),
        ]
    };
}

pub(crate) static GROUP: Group = Group {
    name: "alerts",
    about: "List alert channels, rules and messages, and change them",
    actions: &[
        CHANNEL_LIST,
        SHOW,
        CREATE,
        EDIT,
        ENABLE,
        DISABLE,
        DELETE,
        TEST,
        RULE_LIST,
        ADD_RULE,
        SET_RULE,
        DELETE_RULE,
        MESSAGE_LIST,
    ],
};

const CHANNEL_LIST: Action = Action {
    name: "channels",
    about: "List channels",
    help: "Example:\n  tradepost alerts channels -o wide",
    operation: "alerts.v1.Alerts/ListAlertChannels",
    flags: &[choice("status", "status", &STATUSES, "Only channels of this status"), OWN],
    shows: Shows::List(&CHANNELS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show a channel with its health",
    help: "Example:\n  tradepost alerts show desk",
    operation: "alerts.v1.Alerts/GetAlertChannel",
    flags: &[CHANNEL],
    shows: Shows::Whole("channel"),
};
const CREATE: Action = Action {
    name: "create",
    about: "Create a channel; a webhook's secret is printed once",
    help: "Examples:\n  tradepost alerts create --kind mail --own --name me --totp-code 123456\n  \
           tradepost alerts create --kind telegram --name desk --target -1001234 --secret-file bot-token --totp-code 123456",
    operation: "alerts.v1.Alerts/CreateAlertChannel",
    flags: &[
        choice("kind", "kind", &KINDS, "Where messages go").required(),
        NAME.required(),
        TARGET,
        SECRET,
        sets("own", "own", "true", "For yourself, and not for the workspace"),
    ],
    shows: Shows::Whole(""),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change name, target or secret of a channel",
    help: "Example:\n  tradepost alerts edit desk --name 'night shift'",
    operation: "alerts.v1.Alerts/UpdateAlertChannel",
    flags: &[
        CHANNEL,
        NAME,
        TARGET,
        SECRET,
        sets("new-signing-secret", "newSigningSecret", "true", "Give a webhook another secret, and print it"),
    ],
    shows: Shows::Whole(""),
};
const ENABLE: Action = Action {
    name: "enable",
    about: "Resume messages to a channel",
    help: "Example:\n  tradepost alerts enable desk",
    operation: "alerts.v1.Alerts/EnableAlertChannel",
    flags: &[CHANNEL],
    shows: Shows::One(&CHANNELS),
};
const DISABLE: Action = Action {
    name: "disable",
    about: "Stop messages to a channel until it is enabled",
    help: "Example:\n  tradepost alerts disable desk",
    operation: "alerts.v1.Alerts/DisableAlertChannel",
    flags: &[CHANNEL],
    shows: Shows::One(&CHANNELS),
};
const DELETE: Action = Action {
    name: "delete",
    about: "Delete a channel with its rules",
    help: "Example:\n  tradepost alerts delete desk",
    operation: "alerts.v1.Alerts/DeleteAlertChannel",
    flags: &[CHANNEL],
    shows: Shows::Done("Deleted alert channel"),
};
const TEST: Action = Action {
    name: "test",
    about: "Send a test to a channel, and show what came of it",
    help: "Example:\n  tradepost alerts test desk",
    operation: "alerts.v1.Alerts/SendTestAlert",
    flags: &[CHANNEL],
    shows: Shows::Whole("message"),
};
const RULE_LIST: Action = Action {
    name: "rules",
    about: "List the rules of a channel",
    help: "Example:\n  tradepost alerts rules desk",
    operation: "alerts.v1.Alerts/ListAlertRules",
    flags: &[CHANNEL],
    shows: Shows::List(&RULES),
};
const ADD_RULE: Action = Action {
    name: "add-rule",
    about: "Add a rule to a channel: what is sent, and when",
    help: "Examples:\n  tradepost alerts add-rule desk --topic problem --topic halt \\\n    \
           --urgent halt --quiet-from 22:00 --quiet-to 07:00 --time-zone Europe/Zurich\n  \
           tradepost alerts add-rule desk --topic problem --problem-kind token_expiring --problem-kind session_failed",
    operation: "alerts.v1.Alerts/CreateAlertRule",
    flags: with_terms![CHANNEL],
    shows: Shows::One(&RULES),
};
const SET_RULE: Action = Action {
    name: "set-rule",
    about: "Replace all that a rule says",
    help: "Example:\n  tradepost alerts set-rule 019ba07c-2c38-7000-8000-00000000e200 --topic problem --pace hourly",
    operation: "alerts.v1.Alerts/UpdateAlertRule",
    flags: with_terms![RULE],
    shows: Shows::One(&RULES),
};
const DELETE_RULE: Action = Action {
    name: "delete-rule",
    about: "Delete a rule",
    help: "Example:\n  tradepost alerts delete-rule 019ba07c-2c38-7000-8000-00000000e200",
    operation: "alerts.v1.Alerts/DeleteAlertRule",
    flags: &[RULE],
    shows: Shows::Done("Deleted alert rule"),
};
const MESSAGE_LIST: Action = Action {
    name: "messages",
    about: "List the messages of a channel",
    help: "Example:\n  tradepost alerts messages desk --state failed",
    operation: "alerts.v1.Alerts/ListAlertMessages",
    flags: &[
        CHANNEL,
        choice("state", "state", &STATES, "Only messages in this state"),
        choice("topic", "topic", &TOPICS, "Only messages of this topic"),
    ],
    shows: Shows::List(&MESSAGES),
};
