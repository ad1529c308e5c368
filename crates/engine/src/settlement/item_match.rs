//! Decides whether an offered item is the purchased one, where its asset id is not the one that was listed.

use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::float_value::FloatValue;

/// Where an offered item comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The seller sends it. A failed trade gives the item a new asset id; its float and seed stay.
    Seller,
    /// The marketplace sends it from its custody, in an offer that it names itself. It may use any asset id.
    Custody,
}

/// Returns whether an item of the purchased name is the purchased item, by what the listing showed and what the offer shows.
///
/// A seller can send a worse item of the same name, so its float has to be known and equal. A marketplace that has the item in custody names
/// its own offer, so the item only must not contradict the listing: many items have no float, and old listings are forgotten.
pub(crate) fn is_purchased_item(listed: &Traits, offered: &Traits, origin: Origin) -> bool {
    match origin {
        Origin::Seller => {
            let float = |traits: &Traits| traits.wear.as_ref().map(FloatValue::from);
            float(offered).is_some() && float(listed) == float(offered) && listed.paint_seed == offered.paint_seed
        }
        Origin::Custody => identity(offered).difference(&identity(listed)).is_none(),
    }
}

/// The traits that never change: stickers and charms can be removed.
fn identity(traits: &Traits) -> Traits {
    Traits { wear: traits.wear.clone(), paint_seed: traits.paint_seed, ..Traits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::asset::Wear;

    fn traits(wear: Option<&str>, paint_seed: Option<u32>) -> Traits {
        Traits { wear: wear.map(|wear| Wear::new(wear).unwrap()), paint_seed, ..Traits::default() }
    }

    fn matches(listed: &Traits, offered: &Traits) -> [bool; 2] {
        [Origin::Seller, Origin::Custody].map(|origin| is_purchased_item(listed, offered, origin))
    }

    #[test]
    fn an_item_with_the_float_and_seed_of_the_listing_is_the_purchased_one() {
        let same = traits(Some("0.2512"), Some(412));
        assert_eq!(matches(&same, &same), [true, true]);
    }

    #[test]
    fn an_item_with_another_float_or_seed_is_not_the_purchased_one() {
        let listed = traits(Some("0.2512"), Some(412));
        assert_eq!(matches(&listed, &traits(Some("0.2513999"), Some(412))), [false, false]);
        assert_eq!(matches(&listed, &traits(Some("0.2512"), Some(413))), [false, false]);
    }

    #[test]
    fn an_item_without_a_float_is_accepted_from_custody_and_not_from_a_seller() {
        assert_eq!(matches(&traits(None, None), &traits(None, None)), [false, true]);
    }

    #[test]
    fn an_item_of_a_forgotten_listing_is_accepted_from_custody_and_not_from_a_seller() {
        assert_eq!(matches(&traits(None, None), &traits(Some("0.2512"), Some(412))), [false, true]);
    }

    #[test]
    fn a_float_that_a_marketplace_shows_rounded_is_no_contradiction_from_custody() {
        assert_eq!(matches(&traits(Some("0.2512"), None), &traits(Some("0.251243"), Some(412))), [false, true]);
    }
}
