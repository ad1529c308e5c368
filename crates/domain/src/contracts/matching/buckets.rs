//! Where contracts are kept: under the values of the rule that leaves out most, so that few are found with what they do not
//! want. What has none of these rules is kept by the rarities that it takes.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use crate::contracts::filter_set::{Features, Rules, StickerRule};
use crate::markets::listing::{Listing, NameParts, Rarity};
use crate::text::{MarketHashName, Name};

use super::bucket::ContractBucket;
use super::parts::Parts;
use super::screen::Screen;

#[derive(Debug, Default)]
pub(super) struct ContractBuckets {
    names: Kept<MarketHashName>,
    stickers: Kept<MarketHashName>,
    charms: Kept<MarketHashName>,
    paint_seeds: Kept<u32>,
    paint_indexes: Kept<u32>,
    name_parts: Parts,
    weapons: Kept<Name>,
    phases: Kept<Name>,
    /// By rarity, those of unknown rarity first.
    others: [ContractBucket; 1 + Rarity::ALL.len()],
}

/// What is kept under values of one kind.
#[derive(Debug)]
struct Kept<K>(HashMap<K, ContractBucket>);

impl<K> Default for Kept<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash + Clone> Kept<K> {
    fn change<'k>(&mut self, keys: impl IntoIterator<Item = &'k K>, change: impl Fn(&mut ContractBucket))
    where
        K: 'k,
    {
        for key in keys {
            let bucket = self.0.entry(key.clone()).or_default();
            change(bucket);
            if bucket.is_empty() {
                self.0.remove(key);
            }
        }
    }

    fn under<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&ContractBucket>
    where
        K: Borrow<Q>,
    {
        // Most kinds are asked for by few filter sets.
        if self.0.is_empty() { None } else { self.0.get(key) }
    }
}

impl ContractBuckets {
    /// Changes each place where a contract with these rules is kept.
    pub(super) fn each_bucket(&mut self, rules: Option<&Rules>, change: impl Fn(&mut ContractBucket)) {
        let nothing = Features::default();
        let asked = rules.map_or(&nothing, |rules| &rules.features);
        if !asked.market_hash_names.is_empty() {
            self.names.change(&*asked.market_hash_names, change);
        } else if !asked.stickers.is_empty() {
            self.stickers.change(asked.stickers.iter().map(StickerRule::name), change);
        } else if !asked.charms.is_empty() {
            self.charms.change(&*asked.charms, change);
        } else if !asked.paint_seeds.is_empty() {
            self.paint_seeds.change(&*asked.paint_seeds, change);
        } else if !asked.paint_indexes.is_empty() {
            self.paint_indexes.change(&*asked.paint_indexes, change);
        } else if !asked.name_contains.is_empty() {
            asked.name_contains.iter().for_each(|part| self.name_parts.change(part.as_str().as_bytes(), &change));
        } else if !asked.weapons.is_empty() {
            self.weapons.change(&*asked.weapons, change);
        } else if !asked.phases.is_empty() {
            self.phases.change(&*asked.phases, change);
        } else {
            let screen = Screen::of(rules);
            let taken = self.others.iter_mut().enumerate().filter(|(place, _)| screen.takes_rarity(*place));
            taken.for_each(|(_, bucket)| change(bucket));
        }
    }

    /// Visits every place where a contract may be kept that wants the listing. A contract may be met more than once.
    pub(super) fn visit<'a>(
        &'a self,
        listing: &Listing,
        named: NameParts<'_>,
        mut near: impl FnMut(&'a ContractBucket),
    ) {
        let name = &listing.variant.market_hash_name;
        self.names.under(name).into_iter().for_each(&mut near);
        listing.stickers.iter().filter_map(|sticker| self.stickers.under(&sticker.name)).for_each(&mut near);
        listing.charms.iter().filter_map(|charm| self.charms.under(charm)).for_each(&mut near);
        listing.paint_seed.iter().filter_map(|seed| self.paint_seeds.under(seed)).for_each(&mut near);
        listing.paint_index.iter().filter_map(|index| self.paint_indexes.under(index)).for_each(&mut near);
        self.name_parts.visit(name.as_str().as_bytes(), &mut near);
        named.weapon.iter().filter_map(|weapon| self.weapons.under(*weapon)).for_each(&mut near);
        listing.variant.phase.iter().filter_map(|phase| self.phases.under(phase)).for_each(&mut near);
        self.others.get(Screen::place_of(listing.rarity)).into_iter().for_each(near);
    }
}
