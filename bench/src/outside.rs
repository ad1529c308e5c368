//! A marketplace and a game platform that answer at once: the rest of what is measured is our own work. They note when a listing
//! was shown and when it was bought, and how long they took themselves.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use async_trait::async_trait;
use tradepost::domain::asset::{AppId, AssetId, ContextId};
use tradepost::domain::contracts::contract::BasisPoints;
use tradepost::domain::id::WorkspaceId;
use tradepost::domain::markets::fees::{FeeRate, FeeSchedule, Rounding};
use tradepost::domain::markets::listing::Listing;
use tradepost::domain::markets::variant::Variant;
use tradepost::domain::money::{Amount, VenueCents};
use tradepost::domain::text::ExternalId;
use tradepost::domain::time::Timestamp;
use tradepost::domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost::engine::{Desk, TradingAccount, Venue};
use tradepost::ports::clock::{Clock as _, RealMarket};
use tradepost::ports::external::{ExternalError, Page};
use tradepost::ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Hold, Inventory, NewOffer, Offer,
    PlatformRefusal, PlatformResult, Trade,
};
use tradepost::ports::marketplace::{
    BuyRequest, Buyer, ListingQuery, ListingStatus, MarketListing, MarketOrder, Marketplace, MarketplaceRefusal,
    MarketplaceResult, OrderStatus, Sale, SellRequest, Sought, SoughtOrder,
};

use crate::office::{ACCOUNT, MARKETPLACE, text};

/// What can be spent there.
const BALANCE: i64 = 1_000_000_000_000;

/// Everything outside, shared by its copies.
#[derive(Clone, Default)]
pub(crate) struct Outside(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    /// Listings that were not shown yet.
    fresh: Vec<MarketListing>,
    shown: HashMap<ExternalId, (MarketListing, Instant)>,
    orders: HashMap<ExternalId, MarketOrder>,
    /// Orders that were asked for.
    followed: HashSet<ExternalId>,
    /// From when a listing was shown to when it was bought.
    waited: Vec<Duration>,
    /// How long everything here took.
    own_time: Duration,
}

impl Outside {
    /// Puts a listing up that will be shown once.
    pub(crate) fn offer(&self, number: u32, name: &str, cents: i64) -> anyhow::Result<()> {
        let listing = MarketListing {
            id: text(&format!("wanted-{number}"))?,
            asset_id: AssetId::new(&(70_000_000_000 + u64::from(number)).to_string())?,
            offered: plain(name, cents)?,
            status: ListingStatus::OnSale,
        };
        self.seen().fresh.push(listing);
        Ok(())
    }

    /// What purchases have waited since their listing was shown, taken out.
    pub(crate) fn waited(&self) -> Vec<Duration> {
        std::mem::take(&mut self.seen().waited)
    }

    /// How many orders were asked for so far.
    pub(crate) fn followed(&self) -> usize {
        self.seen().followed.len()
    }

    /// How long everything outside took so far.
    pub(crate) fn own_time(&self) -> Duration {
        self.seen().own_time
    }

    /// A desk that trades here.
    pub(crate) fn desk(&self, workspace_id: WorkspaceId) -> anyhow::Result<Desk> {
        Ok(Desk {
            workspace_id,
            clock: Arc::new(RealMarket(Arc::new(tradepost::SystemClock))),
            node: text("bench")?,
            accounts: vec![TradingAccount { name: text(ACCOUNT)?, address: address()? }],
            venues: vec![Venue { name: text(MARKETPLACE)?, marketplace: Arc::new(self.clone()), currency: None }],
            platform: Arc::new(self.clone()),
            social: None,
            sessions: None,
            price_sources: Vec::new(),
            rates: None,
            drivers: BTreeMap::new(),
        })
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something, and notes how long it took.
    fn timed<T>(&self, what: impl FnOnce(&mut Seen) -> T) -> T {
        let begun = Instant::now();
        let mut seen = self.seen();
        let done = what(&mut seen);
        seen.own_time += begun.elapsed();
        done
    }
}

pub(crate) fn plain<Of>(name: &str, cents: i64) -> anyhow::Result<Listing<Of>> {
    Ok(Listing {
        variant: Variant { app_id: AppId::CS2, market_hash_name: text(name)?, phase: None },
        rarity: None,
        float_value: None,
        paint_seed: None,
        paint_index: None,
        stickers: Vec::new(),
        charms: Vec::new(),
        price: Amount::new(cents)?,
        trade_lock_days: 0,
        seller_success: None,
    })
}

pub(crate) fn no_fees() -> anyhow::Result<FeeSchedule> {
    let nothing = FeeRate { share: BasisPoints::new(0)?, minimum: VenueCents::ZERO, rounding: Rounding::HalfUp };
    Ok(FeeSchedule { buying: nothing, selling: nothing, overrides: Vec::new() })
}

fn address() -> anyhow::Result<TradeAddress> {
    Ok(TradeAddress { user: seller()?, token: text("token")? })
}

fn seller() -> anyhow::Result<PlatformUserId> {
    Ok(PlatformUserId::new(NonZeroU64::new(7).context("seven is nothing")?))
}

/// An order of a purchase that was loaded as paid: it waits for its seller.
fn waiting(id: &ExternalId, key: &ExternalId) -> anyhow::Result<MarketOrder> {
    Ok(MarketOrder {
        id: id.clone(),
        key: Some(key.clone()),
        listing_id: text("listed")?,
        asset_id: Some(AssetId::new("1")?),
        seller: Some(seller()?),
        price: VenueCents::new(1_000)?,
        fee: VenueCents::ZERO,
        status: OrderStatus::AwaitingSeller,
        trade_offer_id: None,
        deliver_by: Some(Timestamp::MAX),
        refunded: VenueCents::ZERO,
    })
}

fn broken<R>(error: anyhow::Error) -> ExternalError<R> {
    ExternalError::Unknown(error.to_string())
}

const NO_MARKET: ExternalError<MarketplaceRefusal> = ExternalError::Rejected(MarketplaceRefusal::NotFound);
const NO_THING: ExternalError<PlatformRefusal> = ExternalError::Rejected(PlatformRefusal::NotFound);

#[async_trait]
impl Marketplace for Outside {
    async fn listings(&self, _: &ListingQuery, _: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        Ok(self.timed(|seen| {
            let (items, now) = (std::mem::take(&mut seen.fresh), Instant::now());
            seen.shown.extend(items.iter().map(|listing| (listing.id.clone(), (listing.clone(), now))));
            Page { items, next: None }
        }))
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        Ok(self.timed(|seen| seen.shown.get(id).map(|(listing, _)| listing.clone())))
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        self.timed(|seen| {
            let (listing, shown_at) = seen.shown.get(&request.listing_id).ok_or(NO_MARKET)?;
            seen.waited.push(shown_at.elapsed());
            let mut order = waiting(&request.key, &request.key).map_err(broken)?;
            order.listing_id = listing.id.clone();
            order.asset_id = Some(listing.asset_id.clone());
            order.price = listing.offered.price;
            seen.orders.insert(order.id.clone(), order.clone());
            Ok(order)
        })
    }

    async fn find_order(&self, sought: &SoughtOrder) -> MarketplaceResult<Sought> {
        self.timed(|_| waiting(&sought.key, &sought.key).map(Sought::Found).map_err(broken))
    }

    async fn who_bought(&self, _: &SoughtOrder) -> MarketplaceResult<Buyer> {
        Ok(self.timed(|_| Buyer::Unknown))
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.timed(|seen| {
            seen.followed.insert(id.clone());
            seen.orders.get(id).cloned().map_or_else(|| waiting(id, id).map_err(broken), Ok)
        })
    }

    async fn list(&self, _: &SellRequest) -> MarketplaceResult<MarketListing> {
        Err(ExternalError::Rejected(MarketplaceRefusal::ItemUnavailable))
    }

    async fn reprice(&self, _: &ExternalId, _: VenueCents) -> MarketplaceResult<MarketListing> {
        Err(NO_MARKET)
    }

    async fn delist(&self, _: &ExternalId) -> MarketplaceResult<()> {
        Err(NO_MARKET)
    }

    async fn own_listings_page(&self, _: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        Ok(Page { items: Vec::new(), next: None })
    }

    async fn sales_page(&self, _: Timestamp, _: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>> {
        Ok(Page { items: Vec::new(), next: None })
    }

    async fn balance(&self) -> MarketplaceResult<VenueCents> {
        VenueCents::new(BALANCE).map_err(|error| broken(error.into()))
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        no_fees().map_err(broken)
    }
}

#[async_trait]
impl GamePlatform for Outside {
    async fn account(&self, _: PlatformUserId) -> PlatformResult<AccountState> {
        Ok(AccountState {
            authenticator_since: Some(Timestamp::MIN),
            restriction: None,
            is_banned: false,
            inventory_count: Some(0),
            is_api_key_ours: Some(true),
            unread: None,
        })
    }

    async fn inventory(&self, _: PlatformUserId, _: AppId, _: ContextId) -> PlatformResult<Inventory> {
        Ok(Inventory { assets: Vec::new(), is_complete: true, seen_at: tradepost::SystemClock.now() })
    }

    async fn offers_page(
        &self,
        _: PlatformUserId,
        _: Timestamp,
        _: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        Ok(Page { items: Vec::new(), next: None })
    }

    async fn offer(&self, _: PlatformUserId, _: &ExternalId) -> PlatformResult<Offer> {
        Err(NO_THING)
    }

    async fn accept(&self, _: PlatformUserId, _: &ExternalId) -> PlatformResult<Acceptance> {
        Err(NO_THING)
    }

    async fn decline(&self, _: PlatformUserId, _: &ExternalId) -> PlatformResult<()> {
        Err(NO_THING)
    }

    async fn cancel(&self, _: PlatformUserId, _: &ExternalId) -> PlatformResult<()> {
        Err(NO_THING)
    }

    async fn send(&self, _: PlatformUserId, _: &NewOffer) -> PlatformResult<Offer> {
        Err(ExternalError::Rejected(PlatformRefusal::EmptyOffer))
    }

    async fn confirmations(&self, _: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        Ok(Vec::new())
    }

    async fn answer(&self, _: PlatformUserId, _: &Confirmation, _: ConfirmationAnswer) -> PlatformResult<()> {
        Err(NO_THING)
    }

    async fn trade(&self, _: PlatformUserId, _: &ExternalId) -> PlatformResult<Trade> {
        Err(NO_THING)
    }

    async fn trades_page(
        &self,
        _: PlatformUserId,
        _: Timestamp,
        _: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        Ok(Page { items: Vec::new(), next: None })
    }

    async fn hold_with(&self, _: PlatformUserId, _: &TradeAddress) -> PlatformResult<Hold> {
        Ok(Hold::default())
    }

    async fn hold_of(&self, _: PlatformUserId, _: &ExternalId) -> PlatformResult<Hold> {
        Ok(Hold::default())
    }

    async fn trade_token(&self, _: PlatformUserId) -> PlatformResult<ExternalId> {
        Err(NO_THING)
    }

    async fn renew_trade_token(&self, _: PlatformUserId) -> PlatformResult<ExternalId> {
        Err(NO_THING)
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        Ok(tradepost::SystemClock.now())
    }
}
