//! Webhook endpoints and their deliveries.

use super::column::{id, name, text as texts, time as times};
use super::flag::{Flag, Names, choice, of, sets, span, text, time};
use super::{Action, Group, Records, Shows};

static ENDPOINTS: Records = Records {
    noun: "webhook endpoint",
    listed_by: "tradepost webhooks list",
    list: "events.v1.Events/ListWebhookEndpoints",
    ids: "endpointIds",
    get: "events.v1.Events/GetWebhookEndpoints",
    found: "endpoints",
    one: "endpoint",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        texts("URL", "url").flexible(),
        name("STATUS", "status"),
        name("REASON", "disabledReason").wide(),
        texts("TYPES", "types").flexible(),
        texts("FAILURES", "consecutiveFailures").wide(),
        times("LAST SUCCESS", "lastSuccessAt").wide(),
        texts("BEHIND", "positionLag").wide(),
        texts("SECRET", "secretHint").wide(),
    ],
};
static DELIVERIES: Records = Records {
    noun: "webhook delivery",
    listed_by: "tradepost webhooks deliveries ENDPOINT",
    list: "events.v1.Events/ListWebhookDeliveries",
    ids: "deliveryIds",
    get: "events.v1.Events/GetWebhookDeliveries",
    found: "deliveries",
    one: "delivery",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        texts("TYPE", "type").flexible(),
        name("STATE", "state"),
        texts("TRIES", "tries"),
        texts("STATUS", "httpStatus"),
        texts("ERROR", "error").wide(),
        times("NEXT TRY", "nextTryAt").wide(),
        times("CREATED", "createdAt").wide(),
        texts("WEBHOOK ID", "webhookId").wide(),
    ],
};
static STATES: Names =
    Names { prefix: "WEBHOOK_DELIVERY_STATE_", all: &["pending", "delivered", "failed", "cancelled"] };
static STATUSES: Names = Names { prefix: "WEBHOOK_ENDPOINT_STATUS_", all: &["active", "disabled"] };

const ENDPOINT: Flag = of("ENDPOINT", &ENDPOINTS, "Its id");
const URL: Flag = text("url", "url", "Where events are posted: https");
const TYPES: Flag = text("type", "types", "Event type such as purchase.traded, purchase.* or *; repeatable").list();
const DESCRIPTION: Flag = text("description", "description", "What it is for");

pub(crate) static GROUP: Group = Group {
    name: "webhooks",
    about: "List webhook endpoints and deliveries, and change them",
    actions: &[
        LIST,
        SHOW,
        CREATE,
        EDIT,
        ENABLE,
        DISABLE,
        DELETE,
        ROTATE,
        TYPE_LIST,
        DELIVERY_LIST,
        RESEND,
        REPLAY,
        TEST,
    ],
};

const LIST: Action = Action {
    name: "list",
    about: "List endpoints",
    help: "Example:\n  tradepost webhooks list -o wide",
    operation: "events.v1.Events/ListWebhookEndpoints",
    flags: &[choice("status", "status", &STATUSES, "Only endpoints of this status")],
    shows: Shows::List(&ENDPOINTS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show an endpoint with its health",
    help: "Example:\n  tradepost webhooks show 019ba07c-2c38-7000-8000-00000000c100",
    operation: "events.v1.Events/GetWebhookEndpoint",
    flags: &[ENDPOINT],
    shows: Shows::Whole("endpoint"),
};
const CREATE: Action = Action {
    name: "create",
    about: "Create an endpoint, and print its secret once",
    help: "Example:\n  tradepost webhooks create --url https://example.com/hook --type 'purchase.*' --totp-code 123456",
    operation: "events.v1.Events/CreateWebhookEndpoint",
    flags: &[URL.required(), TYPES.required(), DESCRIPTION, sets("disabled", "disabled", "true", "Create it disabled")],
    shows: Shows::Secret("secret"),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change address, types or description of an endpoint",
    help: "Example:\n  tradepost webhooks edit 019ba07c-2c38-7000-8000-00000000c100 --type 'contract.*'",
    operation: "events.v1.Events/UpdateWebhookEndpoint",
    flags: &[ENDPOINT, URL, TYPES, DESCRIPTION],
    shows: Shows::One(&ENDPOINTS),
};
const ENABLE: Action = Action {
    name: "enable",
    about: "Resume deliveries to an endpoint",
    help: "Example:\n  tradepost webhooks enable 019ba07c-2c38-7000-8000-00000000c100",
    operation: "events.v1.Events/EnableWebhookEndpoint",
    flags: &[ENDPOINT],
    shows: Shows::One(&ENDPOINTS),
};
const DISABLE: Action = Action {
    name: "disable",
    about: "Stop deliveries to an endpoint until it is enabled",
    help: "Example:\n  tradepost webhooks disable 019ba07c-2c38-7000-8000-00000000c100",
    operation: "events.v1.Events/DisableWebhookEndpoint",
    flags: &[ENDPOINT],
    shows: Shows::One(&ENDPOINTS),
};
const DELETE: Action = Action {
    name: "delete",
    about: "Delete an endpoint",
    help: "Example:\n  tradepost webhooks delete 019ba07c-2c38-7000-8000-00000000c100",
    operation: "events.v1.Events/DeleteWebhookEndpoint",
    flags: &[ENDPOINT],
    shows: Shows::Done("Deleted webhook endpoint"),
};
const ROTATE: Action = Action {
    name: "rotate-secret",
    about: "Replace the secret of an endpoint, and print the new one",
    help: "Example:\n  tradepost webhooks rotate-secret 019ba07c-2c38-7000-8000-00000000c100 --overlap 12h",
    operation: "events.v1.Events/RotateWebhookSecret",
    flags: &[ENDPOINT, span("overlap", "overlapSeconds", "How long the former secret signs as well [default: 1d]")],
    shows: Shows::Secret("secret"),
};
const TYPE_LIST: Action = Action {
    name: "types",
    about: "List the types of events",
    help: "Example:\n  tradepost webhooks types",
    operation: "events.v1.Events/ListEventTypes",
    flags: &[],
    shows: Shows::Rows("eventTypes", &[texts("TYPE", "type"), texts("MEANING", "description").flexible()]),
};
const DELIVERY_LIST: Action = Action {
    name: "deliveries",
    about: "List the deliveries of an endpoint",
    help: "Example:\n  tradepost webhooks deliveries 019ba07c-2c38-7000-8000-00000000c100 --state failed",
    operation: "events.v1.Events/ListWebhookDeliveries",
    flags: &[
        ENDPOINT,
        choice("state", "state", &STATES, "Only deliveries in this state"),
        text("type", "type", "Only deliveries of this type, such as purchase.traded"),
        time("from", "from", "Only deliveries created at this time or later"),
        time("to", "to", "Only deliveries created before this time"),
    ],
    shows: Shows::List(&DELIVERIES),
};
const RESEND: Action = Action {
    name: "resend",
    about: "Try a delivery that ended once more",
    help: "Example:\n  tradepost webhooks resend 019ba07c-2c38-7000-8000-00000000d100",
    operation: "events.v1.Events/ResendWebhookDelivery",
    flags: &[of("DELIVERY", &DELIVERIES, "Its id")],
    shows: Shows::One(&DELIVERIES),
};
const REPLAY: Action = Action {
    name: "replay",
    about: "Deliver the events of a span of time once more",
    help: "Example:\n  tradepost webhooks replay 019ba07c-2c38-7000-8000-00000000c100 --from 2026-01-30T08:00:00Z",
    operation: "events.v1.Events/ReplayWebhookEvents",
    flags: &[
        ENDPOINT,
        time("from", "from", "The beginning, at most 31 days ago").required(),
        time("to", "to", "The end [default: now]"),
        TYPES,
    ],
    shows: Shows::Whole(""),
};
const TEST: Action = Action {
    name: "test",
    about: "Send a test to an endpoint, and show what it answered",
    help: "Example:\n  tradepost webhooks test 019ba07c-2c38-7000-8000-00000000c100",
    operation: "events.v1.Events/SendTestEvent",
    flags: &[ENDPOINT],
    shows: Shows::Whole("delivery"),
};
