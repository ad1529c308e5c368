//! Enums of webhooks.

use buffa::EnumValue;
use tradepost_domain::events::webhook_delivery::DeliveryState;
use tradepost_domain::events::webhook_endpoint::{DisabledReason, EndpointStatus};

use super::WireEnum;
use tradepost_proto::events;

wire_enum!(EndpointStatus, events::v1::WebhookEndpointStatus, WEBHOOK_ENDPOINT_STATUS_UNSPECIFIED:
    Active = WEBHOOK_ENDPOINT_STATUS_ACTIVE,
    Disabled = WEBHOOK_ENDPOINT_STATUS_DISABLED,
);

wire_enum!(DisabledReason, events::v1::WebhookDisabledReason, WEBHOOK_DISABLED_REASON_UNSPECIFIED:
    Person = WEBHOOK_DISABLED_REASON_PERSON,
    Removed = WEBHOOK_DISABLED_REASON_REMOVED,
    Failing = WEBHOOK_DISABLED_REASON_FAILING,
);

wire_enum!(DeliveryState, events::v1::WebhookDeliveryState, WEBHOOK_DELIVERY_STATE_UNSPECIFIED:
    Pending = WEBHOOK_DELIVERY_STATE_PENDING,
    Delivered = WEBHOOK_DELIVERY_STATE_DELIVERED,
    Failed = WEBHOOK_DELIVERY_STATE_FAILED,
    Cancelled = WEBHOOK_DELIVERY_STATE_CANCELLED,
);
