//! The asset-id chain of an inventory item: append-only links from the listing it was bought from to where it went.
//!
//! The game platform gives an item a new asset id on every trade, so the chain is the item's identity and what ties a sale to
//! its purchase. This module owns the laws of a chain; what a link means for the item's status is the item's business.

mod source;
mod verify;

use crate::asset::AssetId;
use crate::id::{AssetIdLinkId, InventoryItemId, PurchaseId, WorkspaceId};
use crate::text::ExternalId;
use crate::time::Timestamp;

pub use source::Source;
pub use verify::{ChainLaw, ChainProblem, verify};

/// As much of an id is kept where the step of a link is added to it.
const KEPT_OF_ID: usize = 100;

/// What was seen: a fact that gives an item an asset id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Evidence {
    /// The asset id that the item has now.
    pub asset_id: AssetId,
    /// The kind of fact.
    pub source: Source,
    /// The listing, trade or snapshot that shows it. With the source it identifies the fact within an item.
    pub source_id: ExternalId,
}

impl Evidence {
    /// Returns the same fact under an id that a link already has. The step of the new link is appended to keep both distinct.
    #[must_use]
    pub fn with_step(self, step: u32) -> Self {
        let kept: String = self.source_id.as_str().chars().take(KEPT_OF_ID).collect();
        let source_id = ExternalId::new(&format!("{kept}@{step}")).unwrap_or(self.source_id);
        Self { source_id, ..self }
    }
}

/// The item that a chain belongs to; each of its links says the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChainOwner {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item.
    pub inventory_item_id: InventoryItemId,
    /// The purchase that brought the item.
    pub purchase_id: PurchaseId,
}

/// One link of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetIdLink {
    /// Its own id.
    pub id: AssetIdLinkId,
    /// The workspace of the item.
    pub workspace_id: WorkspaceId,
    /// The item.
    pub inventory_item_id: InventoryItemId,
    /// The purchase that brought the item.
    pub purchase_id: PurchaseId,
    /// 0 for the first link, then one more for each.
    pub step: u32,
    /// The asset id at this step.
    pub asset_id: AssetId,
    /// The asset id of the step before; `None` at step 0.
    pub previous: Option<AssetId>,
    /// The kind of fact behind the step.
    pub source: Source,
    /// The listing, trade or snapshot behind the step.
    pub source_id: ExternalId,
    /// When the link was recorded; never before the link it follows.
    pub created_at: Timestamp,
}

/// A link that was decided but has no id yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLink {
    /// The step it takes.
    pub step: u32,
    /// The asset id before; `None` at step 0.
    pub previous: Option<AssetId>,
    /// The fact.
    pub evidence: Evidence,
    /// When it was recorded.
    pub created_at: Timestamp,
}

/// The end of a chain as kept with its item: all that the next link depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChainHead {
    /// The step of the last link.
    pub step: u32,
    /// The asset id of the last link: the item's current one.
    pub asset_id: AssetId,
    /// The source of the last link.
    pub source: Source,
    /// The source of step 0.
    pub origin: Source,
    /// When the last link was recorded.
    pub at: Timestamp,
}

/// Why a link was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// The chain moved on since the caller looked.
    #[error("the chain's next step is {next}, not {expected}")]
    StaleStep {
        /// The step that the caller expected the link to take.
        expected: u32,
        /// The step it would take.
        next: u32,
    },
    /// The source cannot start a chain.
    #[error("a chain starts with listing or import, not with {source_name}", source_name = .0)]
    NotAStart(Source),
    /// The source may not follow the last one.
    #[error("{source_name} cannot follow {after}", source_name = .given)]
    IllegalSuccessor {
        /// The source of the last link.
        after: Source,
        /// The source that was given.
        given: Source,
    },
    /// A trade always gives a new asset id.
    #[error("{source_name} must change the asset id, which is {asset_id} already", source_name = .given)]
    IdUnchanged {
        /// The source that was given.
        given: Source,
        /// The current asset id.
        asset_id: AssetId,
    },
    /// The item was not bought here, so no purchase of it can be reversed.
    #[error("only a bought item can have its purchase reversed, this chain starts with {origin}")]
    NotBought {
        /// The source of step 0.
        origin: Source,
    },
    /// The same fact was recorded with another asset id.
    #[error("step {step} records the same fact with asset id {recorded}, not {given}")]
    AssetIdMismatch {
        /// The step that records the fact.
        step: u32,
        /// The asset id recorded.
        recorded: AssetId,
        /// The asset id given now.
        given: AssetId,
    },
    /// The chain has as many links as can be numbered.
    #[error("the chain cannot grow any longer")]
    Full,
}

impl NewLink {
    /// The first link of a chain.
    ///
    /// # Errors
    /// [`ChainError::NotAStart`] unless the source is `listing` or `import`.
    pub fn first(evidence: Evidence, at: Timestamp) -> Result<Self, ChainError> {
        if evidence.source.starts_chain() {
            Ok(Self { step: 0, previous: None, evidence, created_at: at })
        } else {
            Err(ChainError::NotAStart(evidence.source))
        }
    }

    /// The link as recorded under `id` for `owner`.
    pub fn of(self, owner: ChainOwner, id: AssetIdLinkId) -> AssetIdLink {
        AssetIdLink {
            id,
            workspace_id: owner.workspace_id,
            inventory_item_id: owner.inventory_item_id,
            purchase_id: owner.purchase_id,
            step: self.step,
            asset_id: self.evidence.asset_id,
            previous: self.previous,
            source: self.evidence.source,
            source_id: self.evidence.source_id,
            created_at: self.created_at,
        }
    }
}

impl ChainHead {
    /// The head of a chain of one link.
    pub fn of_first(link: &NewLink) -> Self {
        Self {
            step: link.step,
            asset_id: link.evidence.asset_id.clone(),
            source: link.evidence.source,
            origin: link.evidence.source,
            at: link.created_at,
        }
    }

    /// Decides the next link: `evidence`, recorded at `at`, on step `expected_step` if the caller expects one.
    ///
    /// The same fact recorded before is the caller's to find first, with [`AssetIdLink::records`]. A clock that runs a little
    /// behind the one that wrote the last link does not lose the fact: the link takes the later of the two times.
    ///
    /// # Errors
    /// [`ChainError`] naming the law that the link would break.
    pub fn next(&self, evidence: Evidence, expected_step: Option<u32>, at: Timestamp) -> Result<NewLink, ChainError> {
        let step = self.step.checked_add(1).ok_or(ChainError::Full)?;
        if let Some(expected) = expected_step.filter(|expected| *expected != step) {
            return Err(ChainError::StaleStep { expected, next: step });
        }
        let given = evidence.source;
        if !given.may_follow(self.source) {
            return Err(ChainError::IllegalSuccessor { after: self.source, given });
        }
        if given.must_change_id() && evidence.asset_id == self.asset_id {
            return Err(ChainError::IdUnchanged { given, asset_id: evidence.asset_id });
        }
        if given.needs_bought_origin() && self.origin != Source::Listing {
            return Err(ChainError::NotBought { origin: self.origin });
        }
        Ok(NewLink { step, previous: Some(self.asset_id.clone()), evidence, created_at: at.max(self.at) })
    }

    /// The head once `link` is appended.
    #[must_use]
    pub fn after(&self, link: &NewLink) -> Self {
        Self { origin: self.origin, ..Self::of_first(link) }
    }
}

impl AssetIdLink {
    /// Whether this link records `evidence` already, so that it must not be appended again.
    ///
    /// # Errors
    /// [`ChainError::AssetIdMismatch`] when it records the same fact with another asset id.
    pub fn records(&self, evidence: &Evidence) -> Result<bool, ChainError> {
        if (self.source, &self.source_id) != (evidence.source, &evidence.source_id) {
            return Ok(false);
        }
        if self.asset_id == evidence.asset_id {
            return Ok(true);
        }
        Err(ChainError::AssetIdMismatch {
            step: self.step,
            recorded: self.asset_id.clone(),
            given: evidence.asset_id.clone(),
        })
    }
}
