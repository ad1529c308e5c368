//! The values of the ports, which are written down when a call is kept or sent.

use std::num::NonZeroU64;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tradepost_domain::asset::{AppId, AssetId, ContextId, Wear};
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::markets::fees::{FeeOverride, FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::listing::{Listing, Rarity, Sticker};
use tradepost_domain::markets::pricing::{Quote, Sales};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::{Currency, VenueCents, VenueCurrency};
use tradepost_domain::text::{Description, ExternalId, MarketHashName, Marketplace, Name};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeAddress, TradeStatus};
use tradepost_domain::trading::trading_account::{AccountLock, LockReason};
use tradepost_ports::exchange_rates::RateRefusal;
use tradepost_ports::external::{Effect, ExternalError, Page};
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Asset, Confirmation, ConfirmationAnswer, ConfirmationHandle, Hold, Inventory, MovedAsset,
    NewOffer, Offer, PlatformRefusal, Trade,
};
use tradepost_ports::marketplace::{
    AnnouncedOffer, Announcement, BuyRequest, Buyer, ListingQuery, ListingStatus, MarketListing, MarketOrder,
    MarketTraits, MarketplaceRefusal, MoneyUnit, OrderIdentity, OrderStatus, Sale, SellRequest, Sought, SoughtOrder,
    WithdrawRequest,
};
use tradepost_ports::price_source::VariantQuote;

use super::Stored;

/// What is written down as it is.
macro_rules! plain {
    ($($kind:ty),*) => {$(
        impl Stored for $kind {
            type Plain = Self;

            fn plain(&self) -> Self {
                *self
            }

            fn taken_from(plain: Self) -> Result<Self, String> {
                Ok(plain)
            }
        }
    )*};
}

/// What is written down as its text.
macro_rules! texts {
    ($($kind:ty, $read:expr;)*) => {$(
        impl Stored for $kind {
            type Plain = String;

            fn plain(&self) -> String {
                self.to_string()
            }

            fn taken_from(plain: String) -> Result<Self, String> {
                $read(plain.as_str()).map_err(|error| format!("{plain:?}: {error}"))
            }
        }
    )*};
}

/// What is written down as its number.
macro_rules! numbers {
    ($($kind:ty, $number:ty;)*) => {$(
        impl Stored for $kind {
            type Plain = $number;

            fn plain(&self) -> $number {
                self.get()
            }

            fn taken_from(plain: $number) -> Result<Self, String> {
                Self::new(plain).map_err(|error| error.to_string())
            }
        }
    )*};
}

/// What is written down field by field.
macro_rules! records {
    ($($record:ty as $plain:ident { $($field:ident: $kind:ty),* $(,)? })*) => {$(
        #[derive(Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $plain {
            $($field: <$kind as Stored>::Plain),*
        }

        impl Stored for $record {
            type Plain = $plain;

            fn plain(&self) -> $plain {
                $plain { $($field: self.$field.plain()),* }
            }

            fn taken_from(plain: $plain) -> Result<Self, String> {
                Ok(Self { $($field: Stored::taken_from(plain.$field)?),* })
            }
        }
    )*};
}

/// What is written down as the name of one of several cases, with what the case holds.
macro_rules! cases {
    ($($(#[$attribute:meta])* $choice:ty as $plain:ident { $($case:ident { $($field:tt as $name:ident: $kind:ty)? }),* $(,)? })*) => {$(
        #[derive(Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        $(#[$attribute])*
        pub(crate) enum $plain {
            $($case { $($name: <$kind as Stored>::Plain)? }),*
        }

        impl Stored for $choice {
            type Plain = $plain;

            fn plain(&self) -> $plain {
                match self {
                    $(Self::$case { $($field: $name)? } => $plain::$case { $($name: $name.plain())? }),*
                }
            }

            fn taken_from(plain: $plain) -> Result<Self, String> {
                Ok(match plain {
                    $($plain::$case { $($name)? } => Self::$case { $($field: Stored::taken_from($name)?)? }),*
                })
            }
        }
    )*};
}

pub(super) use {cases, records, texts};

plain!(bool, u16, u32);

impl Stored for ConfirmationHandle {
    type Plain = String;

    fn plain(&self) -> String {
        self.0.clone()
    }

    fn taken_from(plain: String) -> Result<Self, String> {
        Ok(Self(plain))
    }
}

texts! {
    AssetId, AssetId::new;
    Currency, Currency::new;
    FloatValue, str::parse;
    Rarity, str::parse;
    Wear, Wear::new;
}

numbers! {
    AppId, u32;
    BasisPoints, u16;
    ContextId, u64;
}

records! {
    TradeAddress as PlainTradeAddress { user: PlatformUserId, token: ExternalId }
    Variant as PlainVariant { app_id: AppId, market_hash_name: MarketHashName, phase: Option<Name> }
    Sticker as PlainSticker { name: MarketHashName, wear: Option<FloatValue> }
    Traits as PlainTraits {
        wear: Option<Wear>,
        paint_seed: Option<u32>,
        phase: Option<Name>,
        rarity: Option<Rarity>,
        paint_index: Option<u32>,
        stickers: Option<Vec<Sticker>>,
        charms: Option<Vec<MarketHashName>>,
    }
    Listing<VenueCurrency> as PlainListing {
        variant: Variant,
        rarity: Option<Rarity>,
        float_value: Option<FloatValue>,
        paint_seed: Option<u32>,
        paint_index: Option<u32>,
        stickers: Vec<Sticker>,
        charms: Vec<MarketHashName>,
        price: VenueCents,
        trade_lock_days: u32,
        seller_success: Option<BasisPoints>,
    }
    FeeRate as PlainFeeRate { share: BasisPoints, minimum: VenueCents, rounding: Rounding }
    FeeOverride as PlainFeeOverride {
        market_hash_name: MarketHashName,
        buying: FeeRate,
        selling: FeeRate,
        until: Timestamp,
    }
    FeeSchedule as PlainFeeSchedule { buying: FeeRate, selling: FeeRate, overrides: Vec<FeeOverride> }
    ListingQuery as PlainListingQuery {
        market_hash_name: Option<MarketHashName>,
        max_price: Option<VenueCents>,
        limit: u16,
    }
    Page<MarketListing> as PlainPage { items: Vec<MarketListing>, next: Option<ExternalId> }
    Page<Sale> as PlainSalesPage { items: Vec<Sale>, next: Option<ExternalId> }
    Page<Offer> as PlainOffersPage { items: Vec<Offer>, next: Option<ExternalId> }
    Page<Trade> as PlainTradesPage { items: Vec<Trade>, next: Option<ExternalId> }
    MarketListing as PlainMarketListing { id: ExternalId, asset_id: AssetId, offered: Listing<VenueCurrency>, status: ListingStatus }
    BuyRequest as PlainBuyRequest {
        key: ExternalId,
        listing_id: ExternalId,
        max_price: VenueCents,
        deliver_to: TradeAddress,
    }
    SoughtOrder as PlainSoughtOrder {
        key: ExternalId,
        listing_id: ExternalId,
        asset_id: AssetId,
        market_hash_name: MarketHashName,
        max_price: VenueCents,
        deliver_to: TradeAddress,
        sent_since: Timestamp,
    }
    WithdrawRequest as PlainWithdrawRequest { key: ExternalId, order_id: ExternalId, deliver_to: TradeAddress }
    AnnouncedOffer as PlainAnnouncedOffer { sale_id: ExternalId, offer_id: ExternalId, gives: Vec<AssetId> }
    MarketTraits as PlainMarketTraits {
        orders: OrderIdentity,
        custody: bool,
        commits_sales: bool,
        announcement: Announcement,
        unit: MoneyUnit,
    }
    SellRequest as PlainSellRequest { owner: PlatformUserId, asset_id: AssetId, price: VenueCents }
    MarketOrder as PlainMarketOrder {
        id: ExternalId,
        key: Option<ExternalId>,
        listing_id: ExternalId,
        asset_id: Option<AssetId>,
        seller: Option<PlatformUserId>,
        price: VenueCents,
        fee: VenueCents,
        status: OrderStatus,
        trade_offer_id: Option<ExternalId>,
        deliver_by: Option<Timestamp>,
        refunded: VenueCents,
    }
    Sale as PlainSale {
        id: ExternalId,
        listing_id: ExternalId,
        asset_id: AssetId,
        deliver_to: Option<TradeAddress>,
        price: VenueCents,
        fee: VenueCents,
        status: OrderStatus,
        deliver_by: Timestamp,
        updated_at: Timestamp,
    }
    AccountLock as PlainAccountLock { reason: LockReason, until: Timestamp }
    AccountState as PlainAccountState {
        authenticator_since: Option<Timestamp>,
        restriction: Option<AccountLock>,
        is_banned: bool,
        inventory_count: Option<u32>,
        is_api_key_ours: Option<bool>,
        unread: Option<ExternalError<PlatformRefusal>>,
    }
    Asset as PlainAsset {
        asset_id: AssetId,
        app_id: AppId,
        market_hash_name: MarketHashName,
        traits: Traits,
        locked_until: Option<Timestamp>,
    }
    Inventory as PlainInventory { assets: Vec<Asset>, is_complete: bool, seen_at: Timestamp }
    Offer as PlainOffer {
        id: ExternalId,
        partner: PlatformUserId,
        is_ours: bool,
        status: OfferStatus,
        give: Vec<Asset>,
        receive: Vec<Asset>,
        trade_id: Option<ExternalId>,
        created_at: Timestamp,
        updated_at: Timestamp,
        expires_at: Timestamp,
    }
    NewOffer as PlainNewOffer {
        to: TradeAddress,
        give: Vec<AssetId>,
        receive: Vec<AssetId>,
        message: Option<Description>,
    }
    Trade as PlainTrade {
        id: ExternalId,
        partner: PlatformUserId,
        status: TradeStatus,
        given: Vec<MovedAsset>,
        received: Vec<MovedAsset>,
        started_at: Timestamp,
        held_until: Option<Timestamp>,
        protected_until: Option<Timestamp>,
        rollback_of: Option<ExternalId>,
    }
    Hold as PlainHold { ours: u32, theirs: u32, both: u32 }
    MovedAsset as PlainMovedAsset {
        app_id: AppId,
        market_hash_name: MarketHashName,
        asset_id: AssetId,
        moved_to: Option<(ContextId, AssetId)>,
        returned_as: Option<AssetId>,
    }
    Sales<VenueCurrency> as PlainSales { average: VenueCents, count: u32 }
    Quote<VenueCurrency> as PlainQuote {
        source: Marketplace,
        lowest_ask: Option<VenueCents>,
        highest_bid: Option<VenueCents>,
        sales: Option<Sales<VenueCurrency>>,
        observed_at: Timestamp,
    }
    VariantQuote as PlainVariantQuote { variant: Variant, quote: Quote<VenueCurrency> }
    Confirmation as PlainConfirmation {
        id: ExternalId,
        handle: ConfirmationHandle,
        kind: u32,
        kind_name: String,
        creator: ExternalId,
        headline: String,
        summary: Vec<String>,
        created_at: Timestamp,
    }
}

cases! {
    LockReason as PlainLockReason { TradeHold {}, NewAuthenticator {}, NewDevice {}, ReversalCooldown {} }
    Rounding as PlainRounding { Floor {}, Ceil {}, HalfUp {} }
    OrderIdentity as PlainOrderIdentity { Keyed {}, ByListing {} }
    Announcement as PlainAnnouncement { Never {}, BeforeConfirming {}, AfterConfirming {} }
    MoneyUnit as PlainMoneyUnit { Cents {}, Mills {} }
    ConfirmationAnswer as PlainConfirmationAnswer { Allow {}, Deny {} }
    Acceptance as PlainAcceptance { Begun { trade_id as trade_id: ExternalId }, NeedsConfirmation {} }
    #[expect(clippy::large_enum_variant, reason = "it is written and dropped at once")]
    Sought as PlainSought { Found { 0 as order: MarketOrder }, NotShown {}, Absent {} }
    #[expect(clippy::large_enum_variant, reason = "it is written and dropped at once")]
    Buyer as PlainBuyer { Us { 0 as order: MarketOrder }, AnotherCustomer {}, NotSold {}, Unknown {} }
    MarketplaceRefusal as PlainMarketplaceRefusal {
        NotFound {},
        SoldAlready {},
        PriceChanged { price as price: VenueCents },
        BalanceTooLow { available as available: VenueCents },
        KeyReused {},
        AccountBlocked {},
        ItemUnavailable {},
        PriceRefused {},
        Other { 0 as why: String },
    }
    RateRefusal as PlainRateRefusal { UnknownCurrency { 0 as currency: Currency }, Other { 0 as why: String } }
    PlatformRefusal as PlainPlatformRefusal {
        NotFound {},
        OfferEnded { 0 as status: OfferStatus },
        AssetUnavailable { 0 as asset_id: AssetId },
        EmptyOffer {},
        PartnerRefused {},
        NotDone { 0 as why: String },
        Other { 0 as why: String },
    }
}

/// The currency, its worth in millionths, and when it was so.
impl Stored for ExchangeRate {
    type Plain = (String, i64, i64);

    fn plain(&self) -> Self::Plain {
        (self.from().plain(), self.micros(), self.as_of().plain())
    }

    fn taken_from(plain: Self::Plain) -> Result<Self, String> {
        let (from, micros, as_of) = plain;
        Self::new(Currency::taken_from(from)?, micros, Timestamp::taken_from(as_of)?).map_err(|error| error.to_string())
    }
}

/// As text, since not every reader of JSON keeps a number of 64 bits.
impl Stored for PlatformUserId {
    type Plain = String;

    fn plain(&self) -> String {
        self.to_string()
    }

    fn taken_from(plain: String) -> Result<Self, String> {
        plain.parse::<NonZeroU64>().map(Self::new).map_err(|error| format!("{plain:?}: {error}"))
    }
}

impl Stored for String {
    type Plain = Self;

    fn plain(&self) -> Self {
        self.clone()
    }

    fn taken_from(plain: Self) -> Result<Self, String> {
        Ok(plain)
    }
}

const fn effect_of(may_have_acted: bool) -> Effect {
    if may_have_acted { Effect::Unknown } else { Effect::Nothing }
}

/// An [`ExternalError`], with refusals in their plain form.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlainExternalError<R> {
    #[serde(rename = "definite")]
    Rejected(R),
    Unknown(String),
    RateLimited {
        retry_after_micros: u64,
        may_have_acted: bool,
    },
    AuthLost {
        may_have_acted: bool,
    },
}

impl<R: Stored> Stored for ExternalError<R> {
    type Plain = PlainExternalError<R::Plain>;

    fn plain(&self) -> Self::Plain {
        match self {
            Self::Rejected(refusal) => PlainExternalError::Rejected(refusal.plain()),
            Self::Unknown(why) => PlainExternalError::Unknown(why.clone()),
            Self::RateLimited { retry_after, effect } => {
                let retry_after_micros = u64::try_from(retry_after.as_micros()).unwrap_or(u64::MAX);
                PlainExternalError::RateLimited { retry_after_micros, may_have_acted: *effect == Effect::Unknown }
            }
            Self::AuthLost { effect } => PlainExternalError::AuthLost { may_have_acted: *effect == Effect::Unknown },
        }
    }

    fn taken_from(plain: Self::Plain) -> Result<Self, String> {
        Ok(match plain {
            PlainExternalError::Rejected(refusal) => Self::Rejected(R::taken_from(refusal)?),
            PlainExternalError::Unknown(why) => Self::Unknown(why),
            PlainExternalError::RateLimited { retry_after_micros, may_have_acted } => Self::RateLimited {
                retry_after: Duration::from_micros(retry_after_micros),
                effect: effect_of(may_have_acted),
            },
            PlainExternalError::AuthLost { may_have_acted } => Self::AuthLost { effect: effect_of(may_have_acted) },
        })
    }
}
