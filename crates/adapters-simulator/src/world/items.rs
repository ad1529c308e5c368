//! The items: what they are, who has them, and the asset id each has at present.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use time::Duration;
use tradepost_domain::asset::{AppId, AssetId, ContextId, Wear};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::markets::listing::{NameParts, Rarity, Sticker};
use tradepost_domain::text::{MarketHashName, Name};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trading_account::{AccountLock, LockReason};
use tradepost_ports::game_platform::{AccountState, Asset, Inventory};

use super::World;
use super::event_queue::Event;
use super::ids::{AssetNumber, DealId, ItemId, ListingId, PersonId};
use crate::fault::Fault;
use crate::serde_repr;

/// What some items have on them.
const STICKERS: [&str; 3] = ["Sticker | Crown (Foil)", "Sticker | Howling Dawn", "Sticker | Flammable (Foil)"];
/// What hangs on some items.
const CHARMS: [&str; 2] = ["Charm | Lil' Ava", "Charm | Hot Sauce"];
/// For how long every trading account has had its authenticator when the world begins.
const AUTHENTICATOR_BEFORE: Duration = Duration::days(30);

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Item {
    #[serde(with = "serde_repr")]
    pub(super) variant: MarketHashName,
    #[serde(with = "serde_repr", default)]
    pub(super) phase: Option<Name>,
    /// In ten-thousandths, then in parts of 10^8 of one.
    wear: (u32, u32),
    paint_seed: u32,
    /// With whom it began.
    pub(super) first_owner: PersonId,
    pub(super) owner: PersonId,
    pub(super) asset: AssetNumber,
    /// Until when the trade that brought it can be reversed.
    #[serde(with = "serde_repr")]
    pub(super) protected_until: Option<Timestamp>,
    /// Whether the platform holds it, so that it is in no inventory.
    pub(super) is_held: bool,
    /// Under which listing it is on sale.
    pub(super) listing: Option<ListingId>,
    /// For which deal it has to be delivered.
    pub(super) deal: Option<DealId>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Items {
    present: BTreeMap<ItemId, Item>,
    by_asset: BTreeMap<AssetNumber, ItemId>,
    by_owner: BTreeMap<PersonId, BTreeSet<ItemId>>,
    minted: usize,
    retired: usize,
}

/// What an item is made of.
pub(super) struct ItemSpec {
    pub(super) variant: MarketHashName,
    pub(super) phase: Option<Name>,
    pub(super) wear: (u32, u32),
    pub(super) paint_seed: u32,
}

/// The name at a number, which begins again after the last.
fn one_of(names: &[&str], number: u32) -> Option<MarketHashName> {
    let at = usize::try_from(number).ok()?.checked_rem(names.len())?;
    MarketHashName::new(names.get(at)?).ok()
}

impl Item {
    fn is_protected(&self, now: Timestamp) -> bool {
        self.protected_until.is_some_and(|until| until > now)
    }

    /// Whether it can be given away.
    pub(super) fn is_free(&self, now: Timestamp) -> bool {
        !self.is_held && !self.is_protected(now)
    }

    pub(super) fn context(&self, now: Timestamp) -> ContextId {
        if self.is_protected(now) { ContextId::PROTECTED } else { ContextId::ORDINARY }
    }

    pub(super) fn traits(&self) -> Traits {
        let (whole, rest) = self.wear;
        let is_worn = NameParts::from(&self.variant).exterior.is_some();
        Traits {
            wear: Wear::new(&format!("0.{whole:04}{rest:08}")).ok().filter(|_| is_worn),
            paint_seed: is_worn.then_some(self.paint_seed),
            phase: self.phase.clone(),
            rarity: Some(self.rarity()),
            paint_index: Some(self.finish()),
            stickers: Some(self.stickers()),
            charms: Some(self.charms()),
        }
    }

    /// The number of its finish: one for each kind of item.
    fn finish(&self) -> u32 {
        self.variant.as_str().bytes().fold(0, |number, byte| (number * 31 + u32::from(byte)) % 1_000)
    }

    /// How rare its kind is.
    fn rarity(&self) -> Rarity {
        match self.finish() % 4 {
            0 => Rarity::MilSpec,
            1 => Rarity::Restricted,
            2 => Rarity::Classified,
            _ => Rarity::Covert,
        }
    }

    /// One in four has stickers, and one in sixteen has two.
    fn stickers(&self) -> Vec<Sticker> {
        let seed = self.paint_seed;
        let (first, second) =
            (seed.is_multiple_of(4).then_some(seed / 4), seed.is_multiple_of(16).then_some(seed / 4 + 1));
        let stuck = first.into_iter().chain(second);
        stuck.filter_map(|number| Some(Sticker { name: one_of(&STICKERS, number)?, wear: None })).collect()
    }

    /// One in eight has a charm.
    fn charms(&self) -> Vec<MarketHashName> {
        let seed = self.paint_seed;
        (seed % 8 == 1).then(|| one_of(&CHARMS, seed / 8)).flatten().into_iter().collect()
    }

    /// The item as the platform shows it, under the id that it has or had.
    pub(super) fn shown(&self, asset: AssetNumber, now: Timestamp) -> Asset {
        Asset {
            asset_id: asset.into(),
            app_id: AppId::CS2,
            market_hash_name: self.variant.clone(),
            traits: self.traits(),
            locked_until: self.protected_until.filter(|until| *until > now),
        }
    }
}

impl Items {
    pub(super) fn mint(&mut self, id: ItemId, asset: AssetNumber, owner: PersonId, made: ItemSpec) {
        let item = Item {
            variant: made.variant,
            phase: made.phase,
            wear: made.wear,
            paint_seed: made.paint_seed,
            first_owner: owner,
            owner,
            asset,
            protected_until: None,
            is_held: false,
            listing: None,
            deal: None,
        };
        self.present.insert(id, item);
        self.by_asset.insert(asset, id);
        self.by_owner.entry(owner).or_default().insert(id);
        self.minted += 1;
    }

    /// Removes an item from the world.
    pub(super) fn retire(&mut self, id: ItemId) {
        if let Some(item) = self.present.remove(&id) {
            self.by_asset.remove(&item.asset);
            self.disown(item.owner, id);
            self.retired += 1;
        }
    }

    pub(super) fn get(&self, id: ItemId) -> Option<&Item> {
        self.present.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: ItemId) -> Option<&mut Item> {
        self.present.get_mut(&id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (ItemId, &Item)> {
        self.present.iter().map(|(id, item)| (*id, item))
    }

    /// The item that has this asset id at present.
    pub(super) fn known_as(&self, asset: AssetNumber) -> Option<ItemId> {
        self.by_asset.get(&asset).copied()
    }

    /// The item of this owner that can be traded under this asset id.
    pub(super) fn tradable(&self, owner: PersonId, asset: &AssetId, now: Timestamp) -> Option<ItemId> {
        let id = self.known_as(AssetNumber::of(asset)?)?;
        self.get(id).filter(|item| item.owner == owner && item.is_free(now)).map(|_| id)
    }

    /// Gives an item to a participant, under another asset id, protected until then.
    pub(super) fn pass(&mut self, id: ItemId, to: PersonId, asset: AssetNumber, protected_until: Option<Timestamp>) {
        self.rename(id, asset);
        if let Some(item) = self.present.get_mut(&id) {
            let from = std::mem::replace(&mut item.owner, to);
            item.protected_until = protected_until;
            self.disown(from, id);
            self.by_owner.entry(to).or_default().insert(id);
        }
    }

    /// Gives an item another asset id.
    pub(super) fn rename(&mut self, id: ItemId, asset: AssetNumber) {
        if let Some(item) = self.present.get_mut(&id) {
            self.by_asset.remove(&item.asset);
            self.by_asset.insert(asset, id);
            item.asset = asset;
        }
    }

    /// Whether every item is there once, under one asset id, with one owner.
    pub(super) fn are_consistent(&self) -> bool {
        let owned: usize = self.by_owner.values().map(BTreeSet::len).sum();
        let is_found = |id: &ItemId, item: &Item| {
            self.by_asset.get(&item.asset) == Some(id)
                && self.by_owner.get(&item.owner).is_some_and(|items| items.contains(id))
        };
        self.present.len() + self.retired == self.minted
            && self.by_asset.len() == self.present.len()
            && owned == self.present.len()
            && self.present.iter().all(|(id, item)| is_found(id, item))
    }

    fn disown(&mut self, owner: PersonId, id: ItemId) {
        if let Some(items) = self.by_owner.get_mut(&owner) {
            items.remove(&id);
            if items.is_empty() {
                self.by_owner.remove(&owner);
            }
        }
    }

    fn of(&self, owner: PersonId) -> impl Iterator<Item = &Item> {
        self.by_owner.get(&owner).into_iter().flatten().filter_map(|id| self.present.get(id))
    }
}

impl World {
    /// Withholds the oldest item of a trading account for a while.
    pub(super) fn withhold_item(&mut self, seconds: u32) {
        let is_free = |item: &Item| !item.is_held && self.people.customer(item.owner).is_some();
        let Some((id, _)) = self.items.iter().find(|(_, item)| is_free(item)) else { return };
        self.set_item_held(id, true);
        self.after(seconds, Event::ItemIsBack(id));
    }

    pub(super) fn set_item_held(&mut self, id: ItemId, is_held: bool) {
        if let Some(item) = self.items.get_mut(id) {
            item.is_held = is_held;
        }
    }

    /// A trading account as the platform shows it. It had its authenticator long before the world began.
    pub(super) fn account_state(&self, owner: PersonId) -> AccountState {
        let held_until = self.faults.held_until(self.now);
        AccountState {
            authenticator_since: Some(self.settings.start.plus(-AUTHENTICATOR_BEFORE)),
            restriction: held_until.map(|until| AccountLock { reason: LockReason::TradeHold, until }),
            is_banned: false,
            inventory_count: Some(u32::try_from(self.items.of(owner).count()).unwrap_or(u32::MAX)),
            is_api_key_ours: Some(true),
            unread: None,
        }
    }

    /// What the platform shows of a context of an inventory.
    pub(super) fn inventory(&mut self, owner: PersonId, app: AppId, context: ContextId) -> Inventory {
        let now = self.now;
        let is_there = |item: &&Item| app == AppId::CS2 && item.context(now) == context && !item.is_held;
        let mut assets: Vec<Asset> =
            self.items.of(owner).filter(is_there).map(|item| item.shown(item.asset, now)).collect();
        let is_complete = !self.faults.strike_as(&Fault::PartialInventory);
        if !is_complete {
            assets.truncate(assets.len() / 2);
        }
        Inventory { assets, is_complete, seen_at: now }
    }
}
