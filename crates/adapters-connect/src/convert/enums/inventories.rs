//! Enums of snapshots and inventory changes.

use buffa::EnumValue;
use tradepost_domain::trading::inventory_change::ChangeStatus;
use tradepost_domain::trading::snapshot::{ChangeKind, SnapshotStatus, SnapshotTrigger};

use super::WireEnum;
use tradepost_proto::trading;

wire_enum!(SnapshotStatus, trading::v1::SnapshotStatus, SNAPSHOT_STATUS_UNSPECIFIED:
    Taking = SNAPSHOT_STATUS_TAKING,
    Complete = SNAPSHOT_STATUS_COMPLETE,
    Partial = SNAPSHOT_STATUS_PARTIAL,
    Failed = SNAPSHOT_STATUS_FAILED,
);

wire_enum!(SnapshotTrigger, trading::v1::SnapshotTrigger, SNAPSHOT_TRIGGER_UNSPECIFIED:
    Schedule = SNAPSHOT_TRIGGER_SCHEDULE,
    Trade = SNAPSHOT_TRIGGER_TRADE,
    Person = SNAPSHOT_TRIGGER_PERSON,
);

wire_enum!(ChangeKind, trading::v1::InventoryChangeKind, INVENTORY_CHANGE_KIND_UNSPECIFIED:
    Appeared = INVENTORY_CHANGE_KIND_APPEARED,
    Disappeared = INVENTORY_CHANGE_KIND_DISAPPEARED,
    AssetIdChanged = INVENTORY_CHANGE_KIND_ASSET_ID_CHANGED,
    ContextChanged = INVENTORY_CHANGE_KIND_CONTEXT_CHANGED,
    LockChanged = INVENTORY_CHANGE_KIND_LOCK_CHANGED,
);

wire_enum!(ChangeStatus, trading::v1::InventoryChangeStatus, INVENTORY_CHANGE_STATUS_UNSPECIFIED:
    Open = INVENTORY_CHANGE_STATUS_OPEN,
    Explained = INVENTORY_CHANGE_STATUS_EXPLAINED,
    Matched = INVENTORY_CHANGE_STATUS_MATCHED,
    Ignored = INVENTORY_CHANGE_STATUS_IGNORED,
);
