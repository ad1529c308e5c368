//! Filter sets and their rules, both ways, and the listings that rules are tried on.

use connectrpc::ConnectError;
use tradepost_domain::contracts::filter_set::{Features, FilterSet, Rules, StickerRule};
use tradepost_domain::money::Cents;
use tradepost_operations::contracts::{FilterFeatures, FilterRules, FilterSticker, SampleListing, SampleVerdict};

use crate::convert::enums::{WireEnum as _, enums, optional_enum};
use crate::convert::{invalid, texts, wire_id, wire_number, wire_time};
use tradepost_proto::contracts::v1 as wire;
use tradepost_proto::contracts::v1::__buffa::view;

/// The lists of features in a message that has them, which are two: rules, and what they exclude.
macro_rules! features {
    ($given:expr, $below:literal) => {
        FilterFeatures {
            market_hash_names: texts(&$given.market_hash_names),
            name_contains: texts(&$given.name_contains),
            weapons: texts(&$given.weapons),
            rarities: enums(concat!($below, ".rarities"), &$given.rarities)?,
            exteriors: enums(concat!($below, ".exteriors"), &$given.exteriors)?,
            categories: enums(concat!($below, ".categories"), &$given.categories)?,
            phases: texts(&$given.phases),
            paint_seeds: numbers(&$given.paint_seeds),
            paint_indexes: numbers(&$given.paint_indexes),
            stickers: $given.stickers.iter().map(filter_sticker).collect(),
            charms: texts(&$given.charms),
        }
    };
}

/// A message with those lists.
macro_rules! wire_features {
    ($message:ident of $features:expr, with $($field:ident: $value:expr),* $(,)?) => {
        wire::$message {
            market_hash_names: wire_texts(&$features.market_hash_names),
            name_contains: wire_texts(&$features.name_contains),
            weapons: wire_texts(&$features.weapons),
            rarities: $features.rarities.iter().map(|rarity| rarity.to_wire()).collect(),
            exteriors: $features.exteriors.iter().map(|exterior| exterior.to_wire()).collect(),
            categories: $features.categories.iter().map(|category| category.to_wire()).collect(),
            phases: wire_texts(&$features.phases),
            paint_seeds: $features.paint_seeds.iter().copied().map(wire_number).collect(),
            paint_indexes: $features.paint_indexes.iter().copied().map(wire_number).collect(),
            stickers: $features.stickers.iter().map(sticker_rule).collect(),
            charms: wire_texts(&$features.charms),
            $($field: $value,)*

        }
    };
}

pub(crate) fn filter_set(set: &FilterSet) -> wire::FilterSet {
    wire::FilterSet {
        id: Some(wire_id(set.id)),
        workspace_id: Some(wire_id(set.workspace_id)),
        name: Some(set.name.to_string()),
        version: Some(set.version.into()),
        rules: rules(&set.rules).into(),
        contract_count: Some(wire_number(set.contracts)),
        created_at: wire_time(set.created_at).into(),
        updated_at: wire_time(set.updated_at).into(),
    }
}

fn rules(rules: &Rules) -> wire::FilterRules {
    let exclude =
        (rules.exclude != Features::default()).then(|| wire_features! { FilterExclusions of rules.exclude, with });
    wire_features! { FilterRules of rules.features, with
        float_min: rules.floats.min.map(|value| value.to_string()),
        float_max: rules.floats.max.map(|value| value.to_string()),
        price_min_cents: rules.prices.min.map(Cents::get),
        price_max_cents: rules.prices.max.map(Cents::get),
        trade_lock_max_days: rules.trade_lock_max_days.map(wire_number),
        exclude: exclude.into(),
    }
}

fn wire_texts(values: &[impl ToString]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

fn sticker_rule(rule: &StickerRule) -> wire::StickerRule {
    wire::StickerRule {
        name: Some(rule.name().to_string()),
        min_count: Some(rule.min_count().into()),
        max_wear: rule.max_wear().map(|wear| wear.to_string()),
    }
}

pub(crate) fn filter_match(verdict: SampleVerdict) -> wire::FilterMatch {
    wire::FilterMatch {
        id: Some(verdict.id),
        matched: Some(verdict.failed.is_none()),
        failed_rule: Some(verdict.failed.map(|rule| rule.to_string()).unwrap_or_default()),
    }
}

/// Rules that must be there.
pub(crate) fn required_rules(given: Option<&view::FilterRulesView<'_>>) -> Result<FilterRules, ConnectError> {
    filter_rules(given.ok_or_else(|| invalid("rules", "is required"))?)
}

/// Rules as given.
pub(crate) fn filter_rules(given: &view::FilterRulesView<'_>) -> Result<FilterRules, ConnectError> {
    Ok(FilterRules {
        features: features!(given, "rules"),
        float_min: given.float_min.map(str::to_owned),
        float_max: given.float_max.map(str::to_owned),
        price_min_cents: given.price_min_cents,
        price_max_cents: given.price_max_cents,
        trade_lock_max_days: given.trade_lock_max_days.map(Into::into),
        exclude: given.exclude.as_option().map(exclusions).transpose()?.unwrap_or_default(),
    })
}

fn exclusions(given: &view::FilterExclusionsView<'_>) -> Result<FilterFeatures, ConnectError> {
    Ok(features!(given, "rules.exclude"))
}

fn numbers(list: &[i32]) -> Vec<i64> {
    list.iter().copied().map(Into::into).collect()
}

fn filter_sticker(given: &view::StickerRuleView<'_>) -> FilterSticker {
    FilterSticker {
        name: given.name.unwrap_or_default().to_owned(),
        min_count: given.min_count.map(Into::into),
        max_wear: given.max_wear.map(str::to_owned),
    }
}

/// Returns the listing at a place of the request.
pub(crate) fn sample_listing(place: &str, given: &view::SampleListingView<'_>) -> Result<SampleListing, ConnectError> {
    let sticker = |sticker: &view::SampleStickerView<'_>| (sticker.name.to_owned(), sticker.wear.map(str::to_owned));
    Ok(SampleListing {
        id: given.id.to_owned(),
        market_hash_name: given.market_hash_name.to_owned(),
        rarity: optional_enum(&format!("{place}.rarity"), given.rarity)?,
        phase: given.phase.map(str::to_owned),
        float_value: given.float_value.map(str::to_owned),
        paint_seed: given.paint_seed.map(Into::into),
        paint_index: given.paint_index.map(Into::into),
        stickers: given.stickers.iter().map(sticker).collect(),
        charms: texts(&given.charms),
        price_cents: given.price_cents,
        trade_lock_days: given.trade_lock_days.into(),
        seller_success_bps: given.seller_success_bps.map(Into::into),
    })
}
