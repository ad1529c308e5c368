//! Enums of imports.

use buffa::EnumValue;
use tradepost_domain::trading::import::{ImportFormat, ImportKind, ImportStatus, RowOutcome};

use super::WireEnum;
use tradepost_proto::trading;

wire_enum!(ImportKind, trading::v1::ImportKind, IMPORT_KIND_UNSPECIFIED:
    Accounts = IMPORT_KIND_ACCOUNTS,
    Holdings = IMPORT_KIND_HOLDINGS,
    Purchases = IMPORT_KIND_PURCHASES,
    Sales = IMPORT_KIND_SALES,
);

wire_enum!(ImportFormat, trading::v1::ImportFormat, IMPORT_FORMAT_UNSPECIFIED:
    MaFile = IMPORT_FORMAT_MAFILE,
    MaFileBundle = IMPORT_FORMAT_MAFILE_BUNDLE,
    SteamguardCli = IMPORT_FORMAT_STEAMGUARD_CLI,
    AsfDb = IMPORT_FORMAT_ASF_DB,
    WinAuth = IMPORT_FORMAT_WINAUTH,
    Json = IMPORT_FORMAT_JSON,
    Csv = IMPORT_FORMAT_CSV,
);

wire_enum!(ImportStatus, trading::v1::ImportStatus, IMPORT_STATUS_UNSPECIFIED:
    Checked = IMPORT_STATUS_CHECKED,
    Applying = IMPORT_STATUS_APPLYING,
    Applied = IMPORT_STATUS_APPLIED,
    Cancelled = IMPORT_STATUS_CANCELLED,
    Expired = IMPORT_STATUS_EXPIRED,
);

wire_enum!(RowOutcome, trading::v1::ImportRowOutcome, IMPORT_ROW_OUTCOME_UNSPECIFIED:
    WillCreate = IMPORT_ROW_OUTCOME_WILL_CREATE,
    WillUpdate = IMPORT_ROW_OUTCOME_WILL_UPDATE,
    Same = IMPORT_ROW_OUTCOME_SAME,
    Refused = IMPORT_ROW_OUTCOME_REFUSED,
    Created = IMPORT_ROW_OUTCOME_CREATED,
    Updated = IMPORT_ROW_OUTCOME_UPDATED,
    Failed = IMPORT_ROW_OUTCOME_FAILED,
);
