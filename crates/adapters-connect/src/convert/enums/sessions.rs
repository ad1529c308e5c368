//! Enums of sessions of trading accounts and of renewals.

use buffa::EnumValue;
use tradepost_domain::trading::account_session::{Guard, SessionFailure, SessionStatus};
use tradepost_domain::trading::renewal::{RenewalKind, RenewalStatus};

use super::WireEnum;
use tradepost_proto::trading;

wire_enum!(SessionStatus, trading::v1::AccountSessionStatus, ACCOUNT_SESSION_STATUS_UNSPECIFIED:
    Starting = ACCOUNT_SESSION_STATUS_STARTING,
    AwaitingCode = ACCOUNT_SESSION_STATUS_AWAITING_CODE,
    AwaitingApproval = ACCOUNT_SESSION_STATUS_AWAITING_APPROVAL,
    Active = ACCOUNT_SESSION_STATUS_ACTIVE,
    Renewing = ACCOUNT_SESSION_STATUS_RENEWING,
    Expired = ACCOUNT_SESSION_STATUS_EXPIRED,
    Failed = ACCOUNT_SESSION_STATUS_FAILED,
    Revoked = ACCOUNT_SESSION_STATUS_REVOKED,
    Closed = ACCOUNT_SESSION_STATUS_CLOSED,
);

wire_enum!(Guard, trading::v1::SessionGuard, SESSION_GUARD_UNSPECIFIED:
    EmailCode = SESSION_GUARD_EMAIL_CODE,
    DeviceCode = SESSION_GUARD_DEVICE_CODE,
    DeviceApproval = SESSION_GUARD_DEVICE_APPROVAL,
    EmailApproval = SESSION_GUARD_EMAIL_APPROVAL,
);

wire_enum!(SessionFailure, trading::v1::SessionFailure, SESSION_FAILURE_UNSPECIFIED:
    WrongPassword = SESSION_FAILURE_WRONG_PASSWORD,
    WrongCode = SESSION_FAILURE_WRONG_CODE,
    TooManyAttempts = SESSION_FAILURE_TOO_MANY_ATTEMPTS,
    ApprovalDenied = SESSION_FAILURE_APPROVAL_DENIED,
    Expired = SESSION_FAILURE_EXPIRED,
    OtherAccount = SESSION_FAILURE_OTHER_ACCOUNT,
    PlatformDown = SESSION_FAILURE_PLATFORM_DOWN,
    NoSecrets = SESSION_FAILURE_NO_SECRETS,
);

wire_enum!(RenewalKind, trading::v1::RenewalKind, RENEWAL_KIND_UNSPECIFIED:
    AccessToken = RENEWAL_KIND_ACCESS_TOKEN,
    RefreshToken = RENEWAL_KIND_REFRESH_TOKEN,
);

wire_enum!(RenewalStatus, trading::v1::RenewalStatus, RENEWAL_STATUS_UNSPECIFIED:
    Scheduled = RENEWAL_STATUS_SCHEDULED,
    Running = RENEWAL_STATUS_RUNNING,
    Succeeded = RENEWAL_STATUS_SUCCEEDED,
    Retrying = RENEWAL_STATUS_RETRYING,
    Uncertain = RENEWAL_STATUS_UNCERTAIN,
    Exhausted = RENEWAL_STATUS_EXHAUSTED,
    Cancelled = RENEWAL_STATUS_CANCELLED,
);
