//! Samples of filter sets.

use tradepost_domain::contracts::filter_set::{Features, FilterSet, RuleParts, Rules, Span, StickerRule, Values};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::listing::{Category, Exterior, Rarity};

use super::trading::cents;
use super::{Samples, start, text};

impl Samples {
    /// Returns the first version of a filter set that matches cheap items.
    ///
    /// # Panics
    /// Never: the rules are legal.
    pub fn filter_set(&self, workspace_id: WorkspaceId) -> FilterSet {
        let prices = Span { min: None, max: Some(cents(1_000)) };
        let rules = Rules::new(RuleParts { prices, ..RuleParts::default() }).unwrap();
        FilterSet::new(self.id(), workspace_id, self.unique("Filter set"), rules, start())
    }

    /// Returns rules of every kind at once.
    ///
    /// # Panics
    /// Never: the rules are legal.
    pub fn every_rule(&self) -> Rules {
        let features = every_feature();
        let floats =
            Span { min: Some("0.000000000000000000000001".parse().unwrap()), max: Some("0.07".parse().unwrap()) };
        let prices = Span { min: Some(cents(1)), max: Some(cents(10_000_000_000_000)) };
        let exclude = features.clone();
        Rules::new(RuleParts { features, floats, prices, trade_lock_max_days: Some(7), exclude }).unwrap()
    }
}

fn every_feature() -> Features {
    let sticker = |count, wear| StickerRule::new(text("Crown (Foil)"), count, wear).unwrap();
    Features {
        market_hash_names: values([text("★ Karambit | Doppler (Factory New)"), text("AK-47 | Redline (Field-Tested)")]),
        name_contains: values([text("\"doppler\\")]),
        weapons: values([text("Karambit"), text("AK-47")]),
        rarities: values([Rarity::Covert, Rarity::Classified]),
        exteriors: values([Exterior::FactoryNew]),
        categories: values([Category::StatTrak, Category::Normal]),
        phases: values([text("Phase 2")]),
        paint_seeds: values([661, 0]),
        paint_indexes: values([u32::from(u16::MAX)]),
        stickers: values([sticker(5, None), sticker(1, Some("0.5".parse().unwrap()))]),
        charms: values([text("Charm | Lil' Ava")]),
    }
}

fn values<T: Ord + std::fmt::Debug, const N: usize, const MOST: usize>(values: [T; N]) -> Values<T, MOST> {
    Values::new(values.into()).unwrap()
}
