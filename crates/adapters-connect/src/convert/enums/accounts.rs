//! Enums of the service Accounts.

use buffa::EnumValue;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::accounts::audit::AuditSubjectKind;
use tradepost_domain::accounts::membership::Status as MembershipStatus;
use tradepost_domain::accounts::policy::Role;
use tradepost_domain::accounts::session::Proof;
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::accounts::usage::Granularity;
use tradepost_domain::accounts::workspace_key::KeyStatus;
use tradepost_ports::bot_check::WidgetKind;

use crate::convert::enums::WireEnum;
use tradepost_proto::accounts;

wire_enum!(Role, accounts::v1::MembershipRole, MEMBERSHIP_ROLE_UNSPECIFIED:
    Member = MEMBERSHIP_ROLE_MEMBER,
    Admin = MEMBERSHIP_ROLE_ADMIN,
    Owner = MEMBERSHIP_ROLE_OWNER,
);

wire_enum!(WidgetKind, accounts::v1::BotCheckKind, BOT_CHECK_KIND_UNSPECIFIED:
    Turnstile = BOT_CHECK_KIND_TURNSTILE,
    HCaptcha = BOT_CHECK_KIND_HCAPTCHA,
    Development = BOT_CHECK_KIND_DEVELOPMENT,
    Other = BOT_CHECK_KIND_OTHER,
);

wire_enum!(Granularity, accounts::v1::UsageGranularity, USAGE_GRANULARITY_UNSPECIFIED:
    Minute = USAGE_GRANULARITY_MINUTE,
    Hour = USAGE_GRANULARITY_HOUR,
    Day = USAGE_GRANULARITY_DAY,
);

wire_enum!(MembershipStatus, accounts::v1::MembershipStatus, MEMBERSHIP_STATUS_UNSPECIFIED:
    Invited = MEMBERSHIP_STATUS_INVITED,
    Accepted = MEMBERSHIP_STATUS_ACCEPTED,
    Suspended = MEMBERSHIP_STATUS_SUSPENDED,
    Declined = MEMBERSHIP_STATUS_DECLINED,
    Revoked = MEMBERSHIP_STATUS_REVOKED,
    Expired = MEMBERSHIP_STATUS_EXPIRED,
    Removed = MEMBERSHIP_STATUS_REMOVED,
    Left = MEMBERSHIP_STATUS_LEFT,
);

wire_enum!(Method, accounts::v1::TwoFactorMethod, TWO_FACTOR_METHOD_UNSPECIFIED:
    Email = TWO_FACTOR_METHOD_EMAIL,
    Totp = TWO_FACTOR_METHOD_TOTP,
    Passkey = TWO_FACTOR_METHOD_PASSKEY,
    RecoveryCode = TWO_FACTOR_METHOD_RECOVERY_CODE,
);

wire_enum!(Proof, accounts::v1::SignInMethod, SIGN_IN_METHOD_UNSPECIFIED:
    Password = SIGN_IN_METHOD_PASSWORD,
    EmailCode = SIGN_IN_METHOD_EMAIL_CODE,
    Totp = SIGN_IN_METHOD_TOTP,
    RecoveryCode = SIGN_IN_METHOD_RECOVERY_CODE,
    Passkey = SIGN_IN_METHOD_PASSKEY,
    LinkedIdentity = SIGN_IN_METHOD_LINKED_IDENTITY,
);

wire_enum!(KeyStatus, accounts::v1::WorkspaceKeyStatus, WORKSPACE_KEY_STATUS_UNSPECIFIED:
    Active = WORKSPACE_KEY_STATUS_ACTIVE,
    Retired = WORKSPACE_KEY_STATUS_RETIRED,
    Destroyed = WORKSPACE_KEY_STATUS_DESTROYED,
);

wire_enum!(AuditSubjectKind, accounts::v1::AuditSubjectType, AUDIT_SUBJECT_TYPE_UNSPECIFIED:
    User = AUDIT_SUBJECT_TYPE_USER,
    Workspace = AUDIT_SUBJECT_TYPE_WORKSPACE,
    Membership = AUDIT_SUBJECT_TYPE_MEMBERSHIP,
    ApiKey = AUDIT_SUBJECT_TYPE_API_KEY,
    Session = AUDIT_SUBJECT_TYPE_SESSION,
    Passkey = AUDIT_SUBJECT_TYPE_PASSKEY,
    LinkedIdentity = AUDIT_SUBJECT_TYPE_LINKED_ACCOUNT,
    Contract = AUDIT_SUBJECT_TYPE_CONTRACT,
    WorkspaceKey = AUDIT_SUBJECT_TYPE_WORKSPACE_KEY,
    FilterSet = AUDIT_SUBJECT_TYPE_FILTER_SET,
    Pool = AUDIT_SUBJECT_TYPE_POOL,
    PriceOverride = AUDIT_SUBJECT_TYPE_PRICE_OVERRIDE,
    Intent = AUDIT_SUBJECT_TYPE_INTENT,
    Purchase = AUDIT_SUBJECT_TYPE_PURCHASE,
    Account = AUDIT_SUBJECT_TYPE_ACCOUNT,
    AccountGroup = AUDIT_SUBJECT_TYPE_ACCOUNT_GROUP,
    Assignment = AUDIT_SUBJECT_TYPE_ASSIGNMENT,
    Remediation = AUDIT_SUBJECT_TYPE_REMEDIATION,
    Provider = AUDIT_SUBJECT_TYPE_PROVIDER,
    WebhookEndpoint = AUDIT_SUBJECT_TYPE_WEBHOOK_ENDPOINT,
    AlertChannel = AUDIT_SUBJECT_TYPE_ALERT_CHANNEL,
    AlertRule = AUDIT_SUBJECT_TYPE_ALERT_RULE,
    Snapshot = AUDIT_SUBJECT_TYPE_SNAPSHOT,
    InventoryChange = AUDIT_SUBJECT_TYPE_INVENTORY_CHANGE,
    Import = AUDIT_SUBJECT_TYPE_IMPORT,
    Friend = AUDIT_SUBJECT_TYPE_FRIEND,
    Conversation = AUDIT_SUBJECT_TYPE_CONVERSATION,
    ChatMessage = AUDIT_SUBJECT_TYPE_CHAT_MESSAGE,
    TradeOffer = AUDIT_SUBJECT_TYPE_TRADE_OFFER,
    Confirmation = AUDIT_SUBJECT_TYPE_CONFIRMATION,
    AccountSession = AUDIT_SUBJECT_TYPE_ACCOUNT_SESSION,
    Renewal = AUDIT_SUBJECT_TYPE_RENEWAL,
);

wire_enum!(Provider, accounts::v1::LinkProvider, LINK_PROVIDER_UNSPECIFIED:
    Discord = LINK_PROVIDER_DISCORD,
    Steam = LINK_PROVIDER_STEAM,
);
