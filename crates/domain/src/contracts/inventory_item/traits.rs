//! The traits that distinguish two items of one name, as a listing shows them and as the game platform does.

use crate::asset::Wear;
use crate::float_value::FloatValue;
use crate::markets::listing::{Listing, Rarity, Sticker};
use crate::text::{MarketHashName, Name};

/// The traits that distinguish two items of the same market name. An absent trait is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traits {
    /// The wear.
    pub wear: Option<Wear>,
    /// The number that places the pattern.
    pub paint_seed: Option<u32>,
    /// The phase of a pattern sold under one market name.
    pub phase: Option<Name>,
    /// How rare it is.
    pub rarity: Option<Rarity>,
    /// The number of its finish.
    pub paint_index: Option<u32>,
    /// What is stuck to it; an empty list says that nothing is.
    pub stickers: Option<Vec<Sticker>>,
    /// The names of what hangs on it; an empty list says that nothing does.
    pub charms: Option<Vec<MarketHashName>>,
}

/// A trait of which two sources say different things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What the listing showed, such as `paint seed 412`.
    pub expected: String,
    /// What the platform shows.
    pub found: String,
}

impl<Of> From<&Listing<Of>> for Traits {
    /// What a listing shows. One without stickers or charms says nothing of them.
    fn from(listing: &Listing<Of>) -> Self {
        let said = |names: &[MarketHashName]| (!names.is_empty()).then(|| names.to_vec());
        Self {
            wear: listing.float_value.and_then(|value| Wear::new(&value.to_string()).ok()),
            paint_seed: listing.paint_seed,
            phase: listing.variant.phase.clone(),
            rarity: listing.rarity,
            paint_index: listing.paint_index,
            stickers: (!listing.stickers.is_empty()).then(|| listing.stickers.clone()),
            charms: said(&listing.charms),
        }
    }
}

impl Traits {
    /// The same, with what a listing showed where these say nothing.
    #[must_use]
    pub fn or(self, listed: &Self) -> Self {
        let listed = listed.clone();
        Self {
            wear: self.wear.or(listed.wear),
            paint_seed: self.paint_seed.or(listed.paint_seed),
            phase: self.phase.or(listed.phase),
            rarity: self.rarity.or(listed.rarity),
            paint_index: self.paint_index.or(listed.paint_index),
            stickers: self.stickers.or(listed.stickers),
            charms: self.charms.or(listed.charms),
        }
    }

    /// The first trait of which these and a listing say different things.
    pub fn difference(&self, listed: &Self) -> Option<Difference> {
        let wear = self.wear.as_ref().zip(listed.wear.as_ref()).filter(|(found, shown)| !agree(found, shown));
        let all = [
            wear.map(|(found, shown)| differ("float", found, shown)),
            differing("paint seed", self.paint_seed, listed.paint_seed),
            differing("phase", self.phase.as_ref(), listed.phase.as_ref()),
            differing("rarity", self.rarity, listed.rarity),
            differing("paint index", self.paint_index, listed.paint_index),
            differing("stickers", self.sticker_names(), listed.sticker_names()),
            differing("charms", self.charm_names(), listed.charm_names()),
        ];
        all.into_iter().flatten().next()
    }

    /// Returns the names of the stickers in alphabetical order, because sources order them differently.
    fn sticker_names(&self) -> Option<String> {
        let stickers = self.stickers.as_ref()?;
        Some(together(stickers.iter().map(|sticker| &sticker.name)))
    }

    fn charm_names(&self) -> Option<String> {
        self.charms.as_ref().map(|charms| together(charms.iter()))
    }
}

fn together<'a>(names: impl Iterator<Item = &'a MarketHashName>) -> String {
    let mut names: Vec<&str> = names.map(MarketHashName::as_str).collect();
    names.sort_unstable();
    names.join(", ")
}

/// Whether two sources report one wear: they may truncate or round it.
fn agree(one: &Wear, other: &Wear) -> bool {
    let digits = |wear: &Wear| wear.as_str().split_once('.').map_or(0, |(_, fraction)| fraction.len());
    FloatValue::from(one).is_close_to(FloatValue::from(other), digits(one).min(digits(other)))
}

fn differing<T: PartialEq + ToString>(name: &str, found: Option<T>, shown: Option<T>) -> Option<Difference> {
    found.zip(shown).filter(|(found, shown)| found != shown).map(|(found, shown)| differ(name, &found, &shown))
}

fn differ(name: &str, found: &impl ToString, shown: &impl ToString) -> Difference {
    let shown_as = |value: String| if value.is_empty() { format!("no {name}") } else { format!("{name} {value}") };
    Difference { expected: shown_as(shown.to_string()), found: shown_as(found.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    fn wear(text: &str) -> Traits {
        Traits { wear: Some(Wear::new(text).unwrap()), ..Traits::default() }
    }

    fn stickers(names: &[&str]) -> Traits {
        let sticker = |name: &&str| Sticker { name: Text::new(name).unwrap(), wear: None };
        Traits { stickers: Some(names.iter().map(sticker).collect()), ..Traits::default() }
    }

    #[test]
    fn a_wear_that_is_cut_off_or_rounded_is_the_same_wear() {
        let exact = wear("0.150123462080955505");
        for same in ["0.15", "0.1501", "0.15012346", "0.150123462080955505"] {
            assert_eq!(exact.difference(&wear(same)), None, "{same}");
        }
        let differs =
            Difference { expected: "float 0.3799".to_owned(), found: "float 0.150123462080955505".to_owned() };
        assert_eq!(exact.difference(&wear("0.3799")), Some(differs));
    }

    #[test]
    fn what_one_source_does_not_say_differs_from_nothing() {
        let listed = Traits { paint_seed: Some(412), ..stickers(&["Sticker | Crown (Foil)"]) };
        assert_eq!(Traits::default().difference(&listed), None);
        assert_eq!(listed.difference(&Traits::default()), None);
        let seen = Traits { paint_seed: Some(7), ..Traits::default() };
        let differs = Difference { expected: "paint seed 412".to_owned(), found: "paint seed 7".to_owned() };
        assert_eq!(seen.difference(&listed), Some(differs));
        assert_eq!(seen.or(&listed), Traits { paint_seed: Some(7), ..listed });
    }

    #[test]
    fn stickers_are_the_same_in_any_order_and_none_is_not_some() {
        let (crown, titan) = ("Sticker | Crown (Foil)", "Sticker | Titan (Holo) | Katowice 2014");
        assert_eq!(stickers(&[crown, titan, titan]).difference(&stickers(&[titan, crown, titan])), None);
        assert!(stickers(&[crown, titan]).difference(&stickers(&[titan, crown, titan])).is_some());
        let scraped = stickers(&[]).difference(&stickers(&[crown])).unwrap();
        assert_eq!(
            (scraped.expected.as_str(), scraped.found.as_str()),
            ("stickers Sticker | Crown (Foil)", "no stickers")
        );
    }
}
