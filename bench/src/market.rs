//! A market in memory: listings, contracts with filters of every kind, and what the sources say of each variant.
//!
//! Everything follows from numbers, so that every run sees the same.

use std::collections::HashMap;

use anyhow::Context as _;
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::{
    ApprovalMode, BasisPoints, BuyingTerms, Contract, ContractDraft, PriceReference, Terms,
};
use tradepost_domain::contracts::evaluation::{Activity, Circumstances, Evaluation, ListingContext, evaluate_listing};
use tradepost_domain::contracts::filter_set::{
    Features, FilterSetVersion, RuleParts, Rules, Span, StickerRule, Values,
};
use tradepost_domain::contracts::matching::ContractIndex;
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::id::{ContractId, FilterSetId, WorkspaceId};
use tradepost_domain::markets::fees::{Charges, FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::listing::{Category, Exterior, Listing, Rarity, Sticker};
use tradepost_domain::markets::pricing::{Quote, Quotes};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::{Cents, VenueCents};
use tradepost_domain::text::{MarketHashName, Marketplace, Text};
use tradepost_domain::time::Timestamp;

use crate::data::mix;

/// Weapons, finishes and exteriors: 25,000 market names.
const WEAPONS: u32 = 50;
const FINISHES: u32 = 100;
const EXTERIORS: [&str; 5] = ["Factory New", "Minimal Wear", "Field-Tested", "Well-Worn", "Battle-Scarred"];
const NAMES: u32 = WEAPONS * FINISHES * 5;
const NAMES_OF_A_WEAPON: u32 = NAMES / WEAPONS;

/// Listings of which exactly two contracts want each. Their names are those of the first weapon; what the other contracts
/// want of that weapon is cheaper.
pub(crate) const WANTED: u32 = 25;
/// The contracts that want them.
pub(crate) const WANTING: u32 = 2 * WANTED;

const WANTED_PRICE: i64 = 1_000;
const SOURCES: u32 = 5;
const NOW: i64 = 1_800_000_000;

/// Active contracts, with everything that evaluating a listing takes.
pub(crate) struct Market {
    index: ContractIndex,
    contracts: HashMap<ContractId, (Contract, FilterSetVersion)>,
    quotes: HashMap<Variant, Quotes>,
    marketplace: Marketplace,
    fees: Vec<Charges>,
    at: Timestamp,
}

impl Market {
    /// The first so many of the contracts, and prices for the listings.
    pub(crate) fn of(contracts: u32, listings: &[Listing]) -> anyhow::Result<Self> {
        let mut market = Self {
            index: ContractIndex::default(),
            contracts: HashMap::new(),
            quotes: HashMap::new(),
            marketplace: text("sim")?,
            fees: vec![fees()?],
            at: at(NOW)?,
        };
        for number in 0..contracts {
            let filter = filter(number)?;
            let contract = contract(number, &market.marketplace)?;
            market.index.follow(&contract, Some(filter.rules.clone()));
            market.contracts.insert(contract.id, (contract, filter));
        }
        for listing in listings {
            market.quotes.insert(listing.variant.clone(), quotes(listing.price)?);
        }
        Ok(market)
    }

    /// What each contract that wants a listing decides on it.
    pub(crate) fn decide<'a>(&'a self, listing: &'a Listing) -> impl Iterator<Item = Evaluation> + 'a {
        let quotes = self.quotes.get(&listing.variant);
        self.index.matching(listing).into_iter().filter_map(move |id| {
            let (contract, filter) = self.contracts.get(&id)?;
            let known = Circumstances {
                marketplace: &self.marketplace,
                fees: Some(self.fees.first()?),
                filter: Some(filter),
                quotes: quotes?,
                price_override: None,
                at: self.at,
            };
            let prospect = ListingContext { listing, exits: &self.fees, activity: Activity::default() };
            evaluate_listing(contract, &prospect, &known)
        })
    }
}

/// The listing that the contracts `2 * number` and `2 * number + 1` want.
pub(crate) fn wanted_listing(number: u32) -> anyhow::Result<Listing> {
    Ok(Listing {
        rarity: Some(Rarity::Contraband),
        float_value: Some(hundredth(number)?),
        paint_seed: Some(7),
        stickers: vec![Sticker { name: text("Sticker 0")?, wear: None }],
        price: Cents::new(WANTED_PRICE)?,
        ..plain(number)?
    })
}

/// Any listing of the market.
pub(crate) fn any_listing(number: u32) -> anyhow::Result<Listing> {
    let mut drawn = Drawn::of(number);
    let phase = if drawn.below(20) == 0 { Some(text(&format!("Phase {}", drawn.below(4)))?) } else { None };
    let Listing { variant, .. } = plain(drawn.below(NAMES))?;
    let sticker = |number| anyhow::Ok(Sticker { name: text(&format!("Sticker {number}"))?, wear: None });
    Ok(Listing {
        variant: Variant { phase, ..variant },
        rarity: Some(drawn.one_of(&Rarity::ALL[..6])),
        float_value: Some(hundredth(drawn.below(100))?),
        paint_seed: Some(drawn.below(1_000)),
        stickers: (0..drawn.below(3)).map(|_| sticker(drawn.below(500))).collect::<anyhow::Result<_>>()?,
        price: Cents::new(i64::from(drawn.below(20_000)) + 1)?,
        ..plain(0)?
    })
}

fn plain(name: u32) -> anyhow::Result<Listing> {
    Ok(Listing {
        variant: Variant { app_id: AppId::CS2, market_hash_name: text(&market_name(name))?, phase: None },
        rarity: None,
        float_value: None,
        paint_seed: None,
        paint_index: None,
        stickers: Vec::new(),
        charms: Vec::new(),
        price: Cents::ZERO,
        trade_lock_days: 0,
        seller_success: None,
    })
}

fn market_name(number: u32) -> String {
    let exterior = EXTERIORS[(number % 5) as usize];
    format!("Weapon {} | {} ({exterior})", number / NAMES_OF_A_WEAPON, finish(number / 5 % FINISHES))
}

fn finish(number: u32) -> String {
    format!("Finish {number:03}")
}

fn contract(number: u32, marketplace: &Marketplace) -> anyhow::Result<Contract> {
    let terms = BuyingTerms {
        target_quantity: 1_000,
        max_buy_price: Cents::new(100_000)?,
        budget: Cents::new(10_000_000)?,
        daily_budget: Some(Cents::new(1_000_000)?),
        max_daily_loss: None,
        min_discount: None,
        min_expected_margin: Some(BasisPoints::new(500)?),
        max_per_item_name: Some(10),
        max_open_purchases: Some(20),
        cooldown_seconds: None,
        max_trade_lock_days: Some(0),
        min_liquidity_score: None,
        min_seller_success: None,
    };
    let draft = ContractDraft {
        id: ContractId::from_bytes(bytes(number)),
        workspace_id: WorkspaceId::from_bytes([1; 16]),
        name: text(&format!("contract {number}"))?,
        terms: Terms::Buying(terms),
        filter_set_id: Some(FilterSetId::from_bytes(bytes(number))),
        pool_id: None,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: vec![marketplace.clone()],
        price_reference: Some(PriceReference::default()),
        starts_at: None,
        ends_at: None,
    };
    Ok(Contract::draft(draft, at(NOW - 1)?)?.activate(at(NOW - 1)?)?)
}

fn filter(number: u32) -> anyhow::Result<FilterSetVersion> {
    let parts = if number < WANTING { wanting(number)? } else { other_filter(number)? };
    Ok(FilterSetVersion {
        workspace_id: WorkspaceId::from_bytes([1; 16]),
        filter_set_id: FilterSetId::from_bytes(bytes(number)),
        version: 1,
        name: text(&format!("filter {number}"))?,
        rules: Rules::new(parts)?,
        created_at: at(NOW - 1)?,
    })
}

/// One of the two that want a listing: by its name, or by another rule and its float value.
fn wanting(number: u32) -> anyhow::Result<RuleParts> {
    let wanted = number / 2;
    let mut asked = Features::default();
    match (number % 2, wanted % 5) {
        (0, _) => asked.market_hash_names = values([text(&market_name(wanted))?])?,
        (_, 0) => asked.paint_seeds = values([7])?,
        (_, 1) => asked.stickers = values([StickerRule::new(text("Sticker 0")?, 1, None)?])?,
        (_, 2) => asked.name_contains = values([text(&finish(wanted / 5 % FINISHES))?])?,
        (_, 3) => asked.weapons = values([text("Weapon 0")?])?,
        _ => asked.rarities = values([Rarity::Contraband])?,
    }
    Ok(RuleParts { features: asked, floats: floats(wanted, 1)?, ..RuleParts::default() })
}

/// A filter of any kind that wants none of those listings.
fn other_filter(number: u32) -> anyhow::Result<RuleParts> {
    let mut drawn = Drawn::of(number);
    let mut asked = Features::default();
    let cheaper = Span { min: None, max: Some(Cents::new(i64::from(drawn.below(990)) + 1)?) };
    let mut parts = RuleParts::default();
    match number % 10 {
        0..=3 => asked.market_hash_names = some_names(&mut drawn)?,
        4 => {
            asked.weapons = values([text(&format!("Weapon {}", drawn.below(WEAPONS)))?])?;
            asked.exteriors = values([drawn.one_of(Exterior::ALL)])?;
            parts.prices = cheaper;
        }
        5 => {
            asked.stickers =
                values([StickerRule::new(text(&format!("Sticker {}", drawn.between(1, 500)))?, 1, None)?])?;
        }
        6 => {
            asked.paint_seeds = values([drawn.between(8, 500), drawn.between(500, 1_000)])?;
            asked.weapons = values([text(&format!("Weapon {}", drawn.between(1, WEAPONS)))?])?;
        }
        7 => {
            asked.name_contains = values([text(&finish(drawn.between(5, FINISHES)).to_lowercase())?])?;
            asked.exteriors = values([drawn.one_of(Exterior::ALL)])?;
        }
        8 => {
            asked.phases = values([text(&format!("Phase {}", drawn.below(4)))?])?;
            parts.prices = cheaper;
        }
        _ => {
            asked.rarities = values([drawn.one_of(&Rarity::ALL[..6])])?;
            asked.categories = values([Category::Normal])?;
            parts.floats = floats(drawn.below(98), 2)?;
            parts.prices = cheaper;
        }
    }
    Ok(RuleParts { features: asked, ..parts })
}

/// Up to 20 names, none of the first weapon.
fn some_names(drawn: &mut Drawn) -> anyhow::Result<Values<MarketHashName>> {
    let mut names: Vec<u32> = (0..=drawn.below(20)).map(|_| drawn.between(NAMES_OF_A_WEAPON, NAMES)).collect();
    names.sort_unstable();
    names.dedup();
    let names = names.into_iter().map(|name| text(&market_name(name)));
    values(names.collect::<anyhow::Result<Vec<_>>>()?)
}

/// So many hundredths, from that one on.
fn floats(from: u32, wide: u32) -> anyhow::Result<Span<FloatValue>> {
    Ok(Span { min: Some(hundredth(from)?), max: Some(format!("0.{:02}9", from + wide - 1).parse()?) })
}

/// A float value in the lower half of a hundredth.
fn hundredth(number: u32) -> anyhow::Result<FloatValue> {
    Ok(format!("0.{number:02}4").parse()?)
}

/// What five sources ask for what is on offer: a fifth more, one cent apart.
fn quotes(price: Cents) -> anyhow::Result<Quotes> {
    let quote = |source: u32| {
        anyhow::Ok(Quote {
            source: text(&format!("source {source}"))?,
            lowest_ask: Some(Cents::new(price.get() * 6 / 5 + i64::from(source))?),
            highest_bid: None,
            sales: None,
            observed_at: at(NOW - i64::from(source))?,
        })
    };
    (0..SOURCES).map(quote).collect()
}

fn fees() -> anyhow::Result<Charges> {
    let rate = |share| {
        anyhow::Ok(FeeRate {
            share: BasisPoints::new(share)?,
            minimum: VenueCents::new(1)?,
            rounding: Rounding::HalfUp,
        })
    };
    Ok(FeeSchedule { buying: rate(50)?, selling: rate(200)?, overrides: Vec::new() }.into())
}

fn values<T: Ord, const MOST: usize>(given: impl Into<Vec<T>>) -> anyhow::Result<Values<T, MOST>> {
    Values::new(given.into()).ok().context("a value is given twice, or there are too many")
}

fn text<const MOST: usize>(text: &str) -> anyhow::Result<Text<MOST>> {
    Ok(Text::new(text)?)
}

fn at(seconds: i64) -> anyhow::Result<Timestamp> {
    Ok(Timestamp::from_micros(seconds * 1_000_000)?)
}

fn bytes(number: u32) -> [u8; 16] {
    u128::from(number).to_be_bytes()
}

/// Numbers that follow from one.
struct Drawn(u64);

impl Drawn {
    fn of(number: u32) -> Self {
        Self(u64::from(number))
    }

    fn below(&mut self, most: u32) -> u32 {
        self.0 = mix(self.0.wrapping_add(1));
        (self.0 % u64::from(most)) as u32
    }

    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }
}
