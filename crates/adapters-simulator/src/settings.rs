//! What a world is like when nothing goes wrong: its items, its pace, its fees.

use serde::{Deserialize, Serialize};
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::markets::fees::{FeeRate, FeeSchedule, Rounding};
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::{MarketHashName, Name};
use tradepost_domain::time::Timestamp;
use tradepost_ports::marketplace::MarketTraits;

use crate::serde_repr;

/// A number between two others, those included; drawn again each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// The least.
    pub least: u32,
    /// The most; counts as the least when it is below.
    pub most: u32,
}

/// A kind of item that strangers sell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// Its name on the market.
    #[serde(with = "serde_repr")]
    pub market_hash_name: MarketHashName,
    /// What it costs when the world begins. Its price stays between half and double of it.
    #[serde(with = "serde_repr")]
    pub price: VenueCents,
    /// The wear of its items, in ten-thousandths. Items whose name has no exterior have neither a wear nor a seed.
    pub wear: Spread,
    /// The phase of its items, of a pattern that has several under one name. Each phase is a kind with a price of its own.
    #[serde(with = "serde_repr", default)]
    pub phase: Option<Name>,
}

/// What the marketplace takes. The minimum holds for either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fees {
    /// Of a buyer on top of the price, in basis points, at most 10 000.
    pub buying: u16,
    /// Of a seller out of the price, in basis points, at most 10 000.
    pub selling: u16,
    /// The least of either, in cents; 0 where the share is 0.
    pub minimum: u16,
}

/// The settings of a world. Durations are in seconds of its clock; one of 0 counts as 1 where something recurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// When the world begins.
    #[serde(with = "serde_repr")]
    pub start: Timestamp,
    /// The items that strangers sell.
    pub variants: Vec<Variant>,
    /// How many listings there are at the beginning.
    pub first_listings: u32,
    /// How long until the next stranger lists something.
    pub next_listing: Spread,
    /// How long a listing stays until another stranger has bought it; its seller asks another price after as long again,
    /// if it is still there.
    pub stays_listed: Spread,
    /// How often prices move.
    pub price_interval: u32,
    /// How far a price moves at once at most, in basis points.
    pub price_step: u16,
    /// How often strangers look at what customers sell. Half of them take what costs the market's price or less, some what
    /// costs up to 5 % more.
    pub buyer_interval: u32,
    /// How long a stranger who sold something takes to send the trade offer.
    pub seller_sends: Spread,
    /// How long a stranger takes to answer a trade offer.
    pub stranger_answers: Spread,
    /// How long a seller has to deliver.
    pub delivery_deadline: u32,
    /// How long a refund takes.
    pub refund: u32,
    /// How long a mobile confirmation takes to appear.
    pub confirmation: u32,
    /// How long a trade can be reversed.
    pub protection: u32,
    /// How long an offer can be accepted.
    pub offer_life: u32,
    /// What the marketplace takes.
    pub fees: Fees,
    /// How the marketplace works. The world's amounts are in its unit.
    #[serde(with = "serde_repr", default)]
    pub traits: MarketTraits,
    /// How long what was bought stays in custody before it can be withdrawn, where the marketplace has custody.
    #[serde(default)]
    pub in_custody: u32,
    /// Whether an item that leaves custody has another asset id than the one that was listed.
    #[serde(default)]
    pub custody_renames: bool,
    /// How many friends and requests a trading account has at most.
    #[serde(default = "usual_friends")]
    pub most_friends: u32,
}

/// Worlds that were written down before there were friends have the usual number.
const fn usual_friends() -> u32 {
    250
}

const MINUTE: u32 = 60;
const HOUR: u32 = 60 * MINUTE;
const DAY: u32 = 24 * HOUR;

/// Name, price in cents, wear in ten-thousandths.
const CATALOGUE: [(&str, i64, u32, u32); 10] = [
    ("P250 | Sand Dune (Battle-Scarred)", 4, 4_500, 9_999),
    ("Glock-18 | Water Elemental (Field-Tested)", 620, 1_500, 3_799),
    ("AK-47 | Redline (Field-Tested)", 2_350, 1_500, 3_799),
    ("M4A4 | Desolate Space (Minimal Wear)", 1_780, 700, 1_499),
    ("USP-S | Kill Confirmed (Minimal Wear)", 8_100, 700, 1_499),
    ("AWP | Atheris (Factory New)", 1_450, 100, 699),
    ("M4A1-S | Hyper Beast (Field-Tested)", 3_050, 1_500, 3_799),
    ("Desert Eagle | Printstream (Field-Tested)", 4_600, 1_500, 3_799),
    ("AWP | Asiimov (Field-Tested)", 13_900, 1_800, 3_799),
    ("Five-SeveN | Case Hardened (Well-Worn)", 2_100, 3_800, 4_499),
];

/// Kinds that share a name and differ in phase.
const OF_PHASES: [(&str, &str, i64); 5] = [
    ("★ Flip Knife | Doppler (Factory New)", "Phase 1", 16_400),
    ("★ Flip Knife | Doppler (Factory New)", "Phase 2", 18_900),
    ("★ Flip Knife | Doppler (Factory New)", "Phase 4", 17_200),
    ("Glock-18 | Gamma Doppler (Factory New)", "Phase 1", 7_300),
    ("Glock-18 | Gamma Doppler (Factory New)", "Emerald", 19_500),
];

impl Variant {
    /// Kinds whose items have phases. A market has them in addition to those of the default settings, if it is to show them.
    pub fn of_phases() -> Vec<Self> {
        let kind = |(name, phase, price): &(&str, &str, i64)| {
            let (market_hash_name, price) = (MarketHashName::new(name).ok()?, VenueCents::new(*price).ok()?);
            Some(Self { market_hash_name, price, wear: Spread::new(100, 699), phase: Some(Name::new(phase).ok()?) })
        };
        OF_PHASES.iter().filter_map(kind).collect()
    }
}

impl Spread {
    /// Between two numbers.
    pub const fn new(least: u32, most: u32) -> Self {
        Self { least, most }
    }
}

impl Default for Settings {
    /// A lively market with a week of trade protection, from the first of January 2026.
    fn default() -> Self {
        let variants = CATALOGUE.iter().filter_map(|(name, price, least, most)| {
            let (market_hash_name, price) = (MarketHashName::new(name).ok()?, VenueCents::new(*price).ok()?);
            Some(Variant { market_hash_name, price, wear: Spread::new(*least, *most), phase: None })
        });
        Self {
            start: Timestamp::from_micros(1_767_225_600_000_000).unwrap_or(Timestamp::MIN),
            variants: variants.collect(),
            first_listings: 50,
            next_listing: Spread::new(20, 3 * MINUTE),
            stays_listed: Spread::new(20 * MINUTE, 12 * HOUR),
            price_interval: 10 * MINUTE,
            price_step: 150,
            buyer_interval: 10 * MINUTE,
            seller_sends: Spread::new(30, 5 * MINUTE),
            stranger_answers: Spread::new(MINUTE, 10 * MINUTE),
            delivery_deadline: HOUR,
            refund: 10 * MINUTE,
            confirmation: 5,
            protection: 7 * DAY,
            offer_life: 14 * DAY,
            fees: Fees { buying: 50, selling: 200, minimum: 1 },
            traits: MarketTraits::default(),
            in_custody: 0,
            custody_renames: false,
            most_friends: usual_friends(),
        }
    }
}

impl Fees {
    /// The fees as a marketplace reports them.
    pub fn schedule(self) -> FeeSchedule {
        let rate = |share: u16| FeeRate {
            share: BasisPoints::new(share).unwrap_or(BasisPoints::MAX),
            minimum: VenueCents::new(if share == 0 { 0 } else { i64::from(self.minimum) }).unwrap_or(VenueCents::ZERO),
            rounding: Rounding::HalfUp,
        };
        FeeSchedule { buying: rate(self.buying), selling: rate(self.selling), overrides: Vec::new() }
    }
}
