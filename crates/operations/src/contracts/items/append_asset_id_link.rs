//! [`AppendAssetIDLink`]: a fact for the chain of an inventory item.
//!
//! Most facts change nothing but the chain and are appended in one statement, whatever its last step is by then. The others
//! mean a step of the item, and so does a rejection that needs its reason: these are decided on the item as it was read.

use crate::contracts::items::item_moves::move_item;
use tradepost_domain::contracts::chain::{AssetIdLink, Evidence, Source};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_ports::changes::{AppendLink, Caller, Committed};
use tradepost_ports::store::{StoreError, Unique};

use super::item_moves::{Cause, ItemMove};
use crate::contracts::purchases::lifecycle_update::LifecycleUpdate;
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// Appends a link to a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppendAssetIDLink {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item.
    pub inventory_item_id: InventoryItemId,
    /// The step that the link is to get; rejected when the chain has moved on. `None` to take the next one.
    pub expected_step: Option<i64>,
    /// The asset id that the item has now: 1 to 20 decimal digits.
    pub asset_id: String,
    /// The source of the item's asset id, such as `inventory` or `sale_trade`.
    pub source: String,
    /// Identifier of the listing, trade or snapshot that shows it, 1 to 128 characters.
    pub source_id: String,
}

impl Operations {
    /// Appends a link. The same fact given again is answered with the link that records it.
    ///
    /// A fact that means more than a new asset id moves the item, too: a `sale_trade` makes it SOLD, a `purchase_reversal`
    /// reverts it and its purchase.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found`, `failed_precondition`: `STALE_STEP`,
    /// `ILLEGAL_SUCCESSOR`, `ILLEGAL_LINK`, `ASSET_ID_UNCHANGED`, `ASSET_ID_MISMATCH`, `ASSET_ID_OWNED`, `NOT_BOUGHT`,
    /// `ITEM_CLOSED`, and for a reversal that the purchase does not allow `ILLEGAL_STEP`.
    pub async fn append_asset_id_link(&self, caller: &Caller, command: AppendAssetIDLink) -> OpResult<AssetIdLink> {
        let scope = rules::APPEND_ASSET_ID_LINK.enter(&caller.principal, command.workspace_id)?;
        let expected_step = fields::optional(command.expected_step, fields::whole, "expectedStep")?;
        let Evidence { asset_id, source, source_id } = command.evidence()?;
        let (item_id, at) = (command.inventory_item_id, self.market_now(command.workspace_id));
        let evidence = Evidence { asset_id: asset_id.clone(), source, source_id: source_id.clone() };
        let wanted = ItemMove { item_id, expected_version: None, cause: Cause::Fact { evidence, expected_step } };
        let append = AppendLink {
            id: self.mint(),
            workspace_id: command.workspace_id,
            inventory_item_id: item_id,
            expected_step,
            asset_id,
            source,
            source_id,
            at,
        };
        self.in_turn(command.workspace_id, || async {
            if let Some(link) = self.append_at_tip(caller, &append).await? {
                return Ok(link);
            }
            let after = move_item(self, caller, scope, &wanted, at).await?;
            after.link.ok_or_else(|| OpError::internal("a fact was appended without a link"))
        })
        .await
    }

    /// Appends in one statement; `None` where the item has to be looked at. That is so where the commit is held back, too: the
    /// answer has to be known before it.
    async fn append_at_tip(&self, caller: &Caller, append: &AppendLink) -> OpResult<Option<AssetIdLink>> {
        if caller.held.is_some() || ItemStatus::unmoved_by(append.source).is_empty() {
            return Ok(None);
        }
        let mut steps = LifecycleUpdate::new(self, caller, append.at);
        steps.append_link(append.clone());
        match steps.commit().await {
            Ok(Committed::Applied { links }) => Ok(links.into_iter().next()),
            Ok(Committed::AlreadyRecorded(link)) => Ok(Some(link).filter(|link| link.asset_id == append.asset_id)),
            Err(OpError {
                source: Some(StoreError::LinkRefused | StoreError::Duplicate(Unique::LinkEvidence)),
                ..
            }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl AppendAssetIDLink {
    fn evidence(&self) -> OpResult<Evidence> {
        let asset_id = fields::asset_id("assetId", &self.asset_id)?;
        let source = source_of("source", &self.source)?;
        Ok(Evidence { asset_id, source, source_id: fields::text("sourceId", &self.source_id)? })
    }
}

/// Returns the source of an item's asset id.
pub(crate) fn source_of(field: &str, name: &str) -> OpResult<Source> {
    let names = Source::ALL.iter().map(|source| source.as_str()).collect::<Vec<_>>().join(", ");
    name.parse().map_err(|_| OpError::invalid_field(field, format_args!("must be one of {names}")))
}
