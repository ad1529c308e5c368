//! The life of an item: one table of legal steps, the guards of each, the link that a step adds and what it writes down.

use ::time::Duration;

use super::{AssetEvidence, InventoryItem, ItemEvent, ItemParts, ItemStatus, Lock, LockKind};
use crate::asset::AssetId;
use crate::contracts::chain::{ChainError, Evidence, NewLink, Source};
use crate::money::Cents;
use crate::text::ExternalId;
use crate::time::Timestamp;

/// The least time between the two snapshots that show an item missing.
pub const ABSENCE_SPACING: Duration = Duration::minutes(10);

/// Why an event or a link was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ItemError {
    /// The item is not in a state in which this can happen.
    #[error("an item that is {from} cannot be {event}")]
    IllegalStep {
        /// The state it is in.
        from: ItemStatus,
        /// The name of the event.
        event: &'static str,
    },
    /// A link of this source makes no sense in the item's state.
    #[error("an item that is {from} takes no link of source {source_name}", source_name = .given)]
    IllegalLink {
        /// The state it is in.
        from: ItemStatus,
        /// The source that was given.
        given: Source,
    },
    /// The link breaks a law of the chain.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The item cannot be traded yet.
    #[error("the item is locked until {until}")]
    Locked {
        /// When the lock ends.
        until: Timestamp,
    },
    /// An item is not listed for nothing.
    #[error("the price asked must be more than zero")]
    FreeListing,
    /// The notice is about another listing.
    #[error("the item is on sale under listing {ours}, not {given}")]
    OtherListing {
        /// The item's listing.
        ours: ExternalId,
        /// The listing of the notice.
        given: ExternalId,
    },
    /// The offer gives another asset.
    #[error("the item is asset {ours}, the offer gives {given}")]
    OtherAsset {
        /// The item's asset id.
        ours: AssetId,
        /// The asset of the offer.
        given: AssetId,
    },
    /// It is too early for this step.
    #[error("this cannot happen before {earliest}")]
    TooEarly {
        /// When it can happen at the earliest.
        earliest: Timestamp,
    },
}

impl ItemStatus {
    /// The whole table: the state that `event` leads to, `None` where it cannot happen.
    ///
    /// `missing_from` is the state that a missing item went missing from.
    #[expect(clippy::match_same_arms, reason = "one row for each legal step, with its reason next to it")]
    pub fn after(self, event: &ItemEvent, missing_from: Option<Self>) -> Option<Self> {
        use ItemEvent as On;
        use ItemStatus as Is;
        Some(match (self, event) {
            (Is::InInventory, On::ListingStarted { .. }) => Is::Listing,
            (Is::Listing, On::ListingAccepted { .. }) => Is::Listed,
            (Is::Listing, On::ListingRefused) => Is::InInventory,
            (Is::Listed, On::Repriced { .. }) => Is::Listed,
            (Is::Listed, On::ListingEnded { .. }) => Is::InInventory,
            (Is::Listed, On::SaleNoticed { .. }) => Is::Reserved,
            (Is::Reserved, On::DeliveryStarted { .. }) => Is::Delivering,
            (Is::Reserved | Is::Delivering, On::SaleFellThrough { still_listed: true, .. }) => Is::Listed,
            (Is::Reserved | Is::Delivering, On::SaleFellThrough { still_listed: false, .. }) => Is::InInventory,
            (Is::Delivering, On::DeliveryHeld) => Is::Held,
            // Its offer may have been out before it was missed.
            (Is::Delivering | Is::Held | Is::Missing, On::Given { .. }) => Is::Sold,
            (Is::Held, On::HoldRolledBack { .. }) => Is::InInventory,
            (Is::Sold, On::ProceedsBooked { .. }) => Is::Settled,
            (Is::Sold, On::SaleReversed { .. }) => Is::InInventory,
            (from, On::Transferred { .. }) if from.is_movable(missing_from) => Is::InInventory,
            (from, On::WentMissing { .. }) if from.can_go_missing() => Is::Missing,
            (Is::Missing, On::Found { .. }) => missing_from?,
            (Is::Missing, On::GivenUp) => Is::WrittenOff,
            // Its buyer has it and the money.
            (Is::Sold, On::GivenUp) => Is::WrittenOff,
            // Its account is shut out.
            (Is::InInventory | Is::Delivering | Is::Held, On::GivenUp) => Is::WrittenOff,
            (from, On::PurchaseReversed { .. }) => from.after_link(Source::PurchaseReversal, missing_from)?,
            _ => return None,
        })
    }
}

impl InventoryItem {
    /// Takes the step that `event` leads to, with the link of the chain that the step adds, if it adds one.
    ///
    /// # Errors
    /// [`ItemError::IllegalStep`] when the event cannot happen in this state, another [`ItemError`] when its guard does not
    /// hold or its link would break a law of the chain.
    pub fn apply(self, event: ItemEvent, at: Timestamp) -> Result<(Self, Option<NewLink>), ItemError> {
        let evidence = self.0.evidence_of(&event);
        self.take(event, evidence, at)
    }

    /// Applies an event whose id is already in the chain although it is a new fact: an item can be on sale twice under one id. The
    /// link appends its step to the id to keep both distinct.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn apply_repeated(self, event: ItemEvent, at: Timestamp) -> Result<(Self, Option<NewLink>), ItemError> {
        let step = self.0.head.step.saturating_add(1);
        let evidence = self.0.evidence_of(&event).map(|evidence| evidence.with_step(step));
        self.take(event, evidence, at)
    }

    fn take(
        self,
        event: ItemEvent,
        evidence: Option<Evidence>,
        at: Timestamp,
    ) -> Result<(Self, Option<NewLink>), ItemError> {
        let from = self.0.status;
        let to = from.after(&event, self.0.missing_from).ok_or(ItemError::IllegalStep { from, event: event.name() })?;
        let mut item = self.0;
        check(&item, &event, at)?;
        let link = evidence.map(|evidence| item.head.next(evidence, None, at)).transpose()?;
        write_down(&mut item, event);
        item.enter(to, link.as_ref(), at);
        Ok((Self(item), link))
    }

    /// Appends a link for a fact that was seen, and moves the item to the state that the fact means.
    ///
    /// The same fact recorded before is the caller's to find first, with [`AssetIdLink::records`]. When the fact is a
    /// [`Source::PurchaseReversal`], the purchase must take its own step in the same change.
    ///
    /// [`AssetIdLink::records`]: crate::contracts::chain::AssetIdLink::records
    ///
    /// # Errors
    /// [`ItemError::IllegalLink`] when the fact contradicts the item's state, [`ItemError::Chain`] when the link would break a
    /// law of the chain or `expected_step` is not the next one.
    pub fn append(
        self,
        evidence: Evidence,
        expected_step: Option<u32>,
        at: Timestamp,
    ) -> Result<(Self, NewLink), ItemError> {
        let mut item = self.0;
        let (from, given) = (item.status, evidence.source);
        let listing_id = (given == Source::SaleListing).then(|| evidence.source_id.clone());
        let link = item.head.next(evidence, expected_step, at)?;
        let to = from.after_link(given, item.missing_from).ok_or(ItemError::IllegalLink { from, given })?;
        if listing_id.is_some() {
            item.sale_listing_id = listing_id;
        }
        item.enter(to, Some(&link), at);
        Ok((Self(item), link))
    }
}

impl ItemParts {
    /// Checks that nothing keeps the item from being traded.
    ///
    /// # Errors
    /// [`ItemError::Locked`] as long as its lock lasts.
    pub fn check_unlocked(&self, at: Timestamp) -> Result<(), ItemError> {
        match self.lock {
            Some(lock) if lock.until > at => Err(ItemError::Locked { until: lock.until }),
            Some(_) | None => Ok(()),
        }
    }

    /// The fact that the step of `event` adds to the chain.
    pub fn evidence_of(&self, event: &ItemEvent) -> Option<Evidence> {
        let fact = |source, asset_id: &AssetId, source_id: &ExternalId| Evidence {
            asset_id: asset_id.clone(),
            source,
            source_id: source_id.clone(),
        };
        let seen_as = |seen: &AssetEvidence| fact(Source::Inventory, &seen.asset_id, &seen.source_id);
        match event {
            ItemEvent::ListingAccepted { listing_id, asset_id } => {
                Some(fact(Source::SaleListing, asset_id, listing_id))
            }
            // A listing or an offer that ends leaves no trace unless it changed the asset id.
            ItemEvent::ListingEnded { seen } | ItemEvent::SaleFellThrough { seen, .. } => {
                (seen.asset_id != self.head.asset_id).then(|| seen_as(seen))
            }
            ItemEvent::HoldRolledBack { seen } | ItemEvent::Found { seen } => Some(seen_as(seen)),
            ItemEvent::Given { trade_id, asset_id } => Some(fact(Source::SaleTrade, asset_id, trade_id)),
            ItemEvent::Transferred { trade_id, asset_id, .. } => Some(fact(Source::Transfer, asset_id, trade_id)),
            ItemEvent::SaleReversed { rollback_trade_id, asset_id } => {
                Some(fact(Source::SaleReturn, asset_id, rollback_trade_id))
            }
            ItemEvent::PurchaseReversed { rollback_trade_id, asset_id } => {
                let asset_id = asset_id.as_ref().unwrap_or(&self.head.asset_id);
                Some(fact(Source::PurchaseReversal, asset_id, rollback_trade_id))
            }
            ItemEvent::ListingStarted { .. }
            | ItemEvent::ListingRefused
            | ItemEvent::Repriced { .. }
            | ItemEvent::SaleNoticed { .. }
            | ItemEvent::DeliveryStarted { .. }
            | ItemEvent::DeliveryHeld
            | ItemEvent::ProceedsBooked { .. }
            | ItemEvent::WentMissing { .. }
            | ItemEvent::GivenUp => None,
        }
    }

    /// Moves to `status`, over `link` if there is one, and forgets what that state does not have.
    fn enter(&mut self, status: ItemStatus, link: Option<&NewLink>, at: Timestamp) {
        if let Some(link) = link {
            self.head = self.head.after(link);
        }
        // A clock that runs behind another node's must not make the record younger.
        self.updated_at = at.max(self.updated_at);
        let from = std::mem::replace(&mut self.status, status);
        self.missing_from = (status == ItemStatus::Missing).then_some(from);
        match status {
            ItemStatus::InInventory | ItemStatus::Reverted | ItemStatus::WrittenOff => {
                self.sale_place = None;
                self.sale_listing_id = None;
                self.list_price = None;
                self.sale_rate = None;
                self.proceeds = None;
                self.sold_at = None;
            }
            ItemStatus::Listing | ItemStatus::Listed => self.proceeds = None,
            ItemStatus::Sold => self.sold_at = Some(self.updated_at),
            ItemStatus::Reserved
            | ItemStatus::Delivering
            | ItemStatus::Held
            | ItemStatus::Settled
            | ItemStatus::Missing => {}
        }
    }
}

/// The guards that can be decided from the record and the event.
fn check(item: &ItemParts, event: &ItemEvent, at: Timestamp) -> Result<(), ItemError> {
    match event {
        ItemEvent::ListingStarted { price: Cents::ZERO, .. } | ItemEvent::Repriced { price: Cents::ZERO, .. } => {
            Err(ItemError::FreeListing)
        }
        ItemEvent::SaleNoticed { listing_id, .. } => {
            match item.sale_listing_id.as_ref().filter(|ours| *ours != listing_id) {
                Some(ours) => Err(ItemError::OtherListing { ours: ours.clone(), given: listing_id.clone() }),
                None => Ok(()),
            }
        }
        ItemEvent::DeliveryStarted { asset_id } if *asset_id != item.head.asset_id => {
            Err(ItemError::OtherAsset { ours: item.head.asset_id.clone(), given: asset_id.clone() })
        }
        ItemEvent::ListingStarted { takes_locked: false, .. } | ItemEvent::DeliveryStarted { .. } => {
            item.check_unlocked(at)
        }
        ItemEvent::ProceedsBooked { protected_until, .. } => not_before(*protected_until, at),
        ItemEvent::WentMissing { first_absent_at, last_absent_at } => {
            not_before(first_absent_at.plus(ABSENCE_SPACING), *last_absent_at)
        }
        ItemEvent::ListingStarted { takes_locked: true, .. }
        | ItemEvent::ListingAccepted { .. }
        | ItemEvent::ListingRefused
        | ItemEvent::Repriced { .. }
        | ItemEvent::ListingEnded { .. }
        | ItemEvent::SaleFellThrough { .. }
        | ItemEvent::DeliveryHeld
        | ItemEvent::HoldRolledBack { .. }
        | ItemEvent::Given { .. }
        | ItemEvent::SaleReversed { .. }
        | ItemEvent::Transferred { .. }
        | ItemEvent::Found { .. }
        | ItemEvent::GivenUp
        | ItemEvent::PurchaseReversed { .. } => Ok(()),
    }
}

/// What a step changes besides status and chain.
fn write_down(item: &mut ItemParts, event: ItemEvent) {
    match event {
        ItemEvent::ListingStarted { place, price, exchange_rate, takes_locked: _ } => {
            item.sale_place = Some(place);
            item.list_price = Some(price);
            item.sale_rate = exchange_rate;
        }
        ItemEvent::Repriced { price, exchange_rate } => {
            item.list_price = Some(price);
            item.sale_rate = exchange_rate;
        }
        ItemEvent::ListingAccepted { listing_id, .. } => item.sale_listing_id = Some(listing_id),
        ItemEvent::SaleNoticed { proceeds, .. } | ItemEvent::ProceedsBooked { proceeds, .. } => {
            item.proceeds = Some(proceeds);
        }
        ItemEvent::Transferred { to, context_id, protected_until, .. } => {
            item.account_name = to;
            item.context_id = context_id;
            item.lock = protected_until.map(|until| Lock { kind: LockKind::TradeProtection, until });
        }
        ItemEvent::Given { .. }
        | ItemEvent::ListingRefused
        | ItemEvent::ListingEnded { .. }
        | ItemEvent::DeliveryStarted { .. }
        | ItemEvent::SaleFellThrough { .. }
        | ItemEvent::DeliveryHeld
        | ItemEvent::HoldRolledBack { .. }
        | ItemEvent::SaleReversed { .. }
        | ItemEvent::WentMissing { .. }
        | ItemEvent::Found { .. }
        | ItemEvent::GivenUp
        | ItemEvent::PurchaseReversed { .. } => {}
    }
}

fn not_before(earliest: Timestamp, at: Timestamp) -> Result<(), ItemError> {
    if at < earliest { Err(ItemError::TooEarly { earliest }) } else { Ok(()) }
}
