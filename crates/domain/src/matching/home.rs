//! Where contracts are kept: under the values of the rule that leaves out most, so that few are found with what they do not
//! want. What has none of these rules is kept with all the others of its kind, which the screen narrows.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use crate::filter_set::{Features, Rules, StickerRule};
use crate::listing::{Listing, NameParts};
use crate::text::{MarketHashName, Name};

use super::Entry;

/// The first bytes of a part of a name, ASCII letters in lower case. A name is looked up under each three bytes in a row.
type Beginning = [u8; 3];

#[derive(Debug, Default)]
pub(super) struct Homes {
    names: Kept<MarketHashName>,
    stickers: Kept<MarketHashName>,
    charms: Kept<MarketHashName>,
    paint_seeds: Kept<u32>,
    paint_indexes: Kept<u32>,
    name_parts: Kept<Beginning>,
    weapons: Kept<Name>,
    phases: Kept<Name>,
    others: Vec<Entry>,
}

/// What is kept under values of one kind.
#[derive(Debug)]
struct Kept<K>(HashMap<K, Vec<Entry>>);

impl<K> Default for Kept<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash + Clone> Kept<K> {
    fn change<'k>(&mut self, keys: impl IntoIterator<Item = &'k K>, change: impl Fn(&mut Vec<Entry>))
    where
        K: 'k,
    {
        for key in keys {
            let home = self.0.entry(key.clone()).or_default();
            change(home);
            if home.is_empty() {
                self.0.remove(key);
            }
        }
    }

    fn under<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> &[Entry]
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map_or(&[], Vec::as_slice)
    }
}

impl Homes {
    /// Changes each place where a contract with these rules is kept.
    pub(super) fn each_home(&mut self, rules: Option<&Rules>, change: impl Fn(&mut Vec<Entry>)) {
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
        } else if let Some(beginnings) = beginnings(&asked.name_contains) {
            self.name_parts.change(&beginnings, change);
        } else if !asked.weapons.is_empty() {
            self.weapons.change(&*asked.weapons, change);
        } else if !asked.phases.is_empty() {
            self.phases.change(&*asked.phases, change);
        } else {
            change(&mut self.others);
        }
    }

    /// Visits every place where a contract may be kept that wants the listing. A contract may be met more than once.
    pub(super) fn visit<'a>(&'a self, listing: &Listing, named: NameParts<'_>, mut near: impl FnMut(&'a [Entry])) {
        let name = &listing.variant.market_hash_name;
        near(self.names.under(name));
        listing.stickers.iter().for_each(|sticker| near(self.stickers.under(&sticker.name)));
        listing.charms.iter().for_each(|charm| near(self.charms.under(charm)));
        listing.paint_seed.iter().for_each(|seed| near(self.paint_seeds.under(seed)));
        listing.paint_index.iter().for_each(|index| near(self.paint_indexes.under(index)));
        if !self.name_parts.0.is_empty() {
            let in_a_row = name.as_str().as_bytes().windows(3).filter_map(|three| three.first_chunk().copied());
            in_a_row.map(in_lower_case).for_each(|three| near(self.name_parts.under(&three)));
        }
        named.weapon.iter().for_each(|weapon| near(self.weapons.under(*weapon)));
        listing.variant.phase.iter().for_each(|phase| near(self.phases.under(phase)));
        near(&self.others);
    }
}

/// The beginning of every part; none if there is no part, or one that is shorter.
fn beginnings(parts: &[Name]) -> Option<Vec<Beginning>> {
    let beginning = |part: &Name| part.as_str().as_bytes().first_chunk().copied().map(in_lower_case);
    let mut all: Vec<Beginning> = parts.iter().map(beginning).collect::<Option<_>>()?;
    all.sort_unstable();
    all.dedup();
    (!all.is_empty()).then_some(all)
}

fn in_lower_case(bytes: Beginning) -> Beginning {
    bytes.map(|byte| byte.to_ascii_lowercase())
}
