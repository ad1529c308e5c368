//! The game platform that keeps the items: inventories, trade offers, confirmations, trades. Money is unknown here.

use async_trait::async_trait;
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::text::{Description, ExternalId, MarketHashName};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeAddress, TradeStatus};
use tradepost_domain::trading::trading_account::AccountLock;

use crate::external::{ExternalError, Page, Pages};

/// The result of a call to the game platform.
pub type PlatformResult<T> = Result<T, ExternalError<PlatformRefusal>>;

/// Why the platform refused. It changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlatformRefusal {
    /// There is nothing under this id that the account may see.
    #[error("there is no such thing that the account may see")]
    NotFound,
    /// The offer does not wait for this any more.
    #[error("the offer has the status {} already", .0.number())]
    OfferEnded(OfferStatus),
    /// The asset is not there, or cannot be traded by now.
    #[error("the asset {0} cannot be traded")]
    AssetUnavailable(AssetId),
    /// The offer names no asset, or the account itself.
    #[error("the offer makes no sense")]
    EmptyOffer,
    /// The partner does not exist, or the token is not the partner's.
    #[error("the partner takes no offer under this address")]
    PartnerRefused,
    /// Refused for a reason that the platform gives in words of its own.
    #[error("{0}")]
    Other(String),
}

/// A trading account, as the platform shows it to its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountState {
    /// Since when it has its mobile authenticator; nothing without one.
    pub authenticator_since: Option<Timestamp>,
    /// What keeps it from trading freely, and until when.
    pub restriction: Option<AccountLock>,
    /// Whether the platform has shut it out for good.
    pub is_banned: bool,
    /// How many items it has, of all games and in all contexts.
    pub inventory_count: u32,
    /// Whether the API key that the platform has of it is the one that we made.
    pub is_api_key_ours: bool,
}

/// An item as the platform shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Its id until the next trade.
    pub asset_id: AssetId,
    /// The game.
    pub app_id: AppId,
    /// The variant.
    pub market_hash_name: MarketHashName,
    /// What tells the item from others of its variant.
    pub traits: Traits,
    /// Until when it cannot be traded.
    pub locked_until: Option<Timestamp>,
}

/// What was seen of a context of an inventory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inventory {
    /// The items that were seen.
    pub assets: Vec<Asset>,
    /// Whether these are all: of an item that is absent from a part nothing follows.
    pub is_complete: bool,
    /// When the platform showed it.
    pub seen_at: Timestamp,
}

/// A trade offer, seen by one of its two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The platform's id of it.
    pub id: ExternalId,
    /// The other side.
    pub partner: PlatformUserId,
    /// Whether the account that looks has sent it.
    pub is_ours: bool,
    /// Where it stands.
    pub status: OfferStatus,
    /// What the account that looks would give.
    pub give: Vec<Asset>,
    /// What it would receive. With an empty [`Offer::give`] as well the platform did not show the items.
    pub receive: Vec<Asset>,
    /// The trade, once it was accepted.
    pub trade_id: Option<ExternalId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its status changed last.
    pub updated_at: Timestamp,
    /// When it can be accepted no longer.
    pub expires_at: Timestamp,
}

/// An offer to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOffer {
    /// To whom.
    pub to: TradeAddress,
    /// What we give.
    pub give: Vec<AssetId>,
    /// What we want.
    pub receive: Vec<AssetId>,
    /// What the partner reads with it.
    pub message: Option<Description>,
}

/// What became of an offer that was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acceptance {
    /// The trade was begun; [`GamePlatform::trade`] tells what came of it.
    Begun {
        /// The trade.
        trade_id: ExternalId,
    },
    /// We give items, so it waits for a mobile confirmation.
    NeedsConfirmation,
}

/// A trade, seen by one of its two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trade {
    /// The platform's id of it.
    pub id: ExternalId,
    /// The other side.
    pub partner: PlatformUserId,
    /// Where it stands.
    pub status: TradeStatus,
    /// What the account that looks gave.
    pub given: Vec<MovedAsset>,
    /// What it received.
    pub received: Vec<MovedAsset>,
    /// When it was begun.
    pub started_at: Timestamp,
    /// Until when the platform holds the items, if it does or did.
    pub held_until: Option<Timestamp>,
    /// Until when either side can take it back, once it is complete.
    pub protected_until: Option<Timestamp>,
    /// The trade that this one took back.
    pub rollback_of: Option<ExternalId>,
}

/// An item of a trade, with all the ids that the trade gave it: the only safe map from old ids to new ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedAsset {
    /// The game.
    pub app_id: AppId,
    /// The variant.
    pub market_hash_name: MarketHashName,
    /// The id before.
    pub asset_id: AssetId,
    /// The id with its new owner, and the context it is in; nothing until the trade is complete, and when it failed.
    pub moved_to: Option<(ContextId, AssetId)>,
    /// The id with its old owner, to whom it went back.
    pub returned_as: Option<AssetId>,
}

/// Something that waits for the mobile confirmation of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    /// The platform's id of it.
    pub id: ExternalId,
    /// What it is about.
    pub subject: ConfirmationSubject,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What a mobile confirmation is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmationSubject {
    /// This trade offer, which gives items.
    Offer(ExternalId),
    /// Something that trading does not ask for, by the platform's number of its kind. Never to be allowed without a person.
    Other(u32),
}

/// The answer to a mobile confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConfirmationAnswer {
    /// Go on.
    Allow,
    /// Do not.
    Deny,
}

/// The game platform, for trading accounts that are signed in there.
///
/// Every call is made as one account. A call that changes something and ends [`ExternalError::Unknown`] may have changed it;
/// every other error means that nothing was changed.
#[async_trait]
pub trait GamePlatform: Send + Sync {
    /// The account itself.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState>;

    /// The items of one context of the account's inventory.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn inventory(
        &self,
        account: PlatformUserId,
        app_id: AppId,
        context_id: ContextId,
    ) -> PlatformResult<Inventory>;

    /// A page of the offers, sent and received, whose status changed at this time or later, oldest change first; `after` is
    /// [`Page::next`] of the page before. An offer whose status changes meanwhile may show up once more, and none is left out.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`] for an `after` that was never given.
    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>>;

    /// The offers, sent and received, whose status changed at this time or later, oldest change first, each as it was seen last.
    ///
    /// # Errors
    /// As [`GamePlatform::offers_page`]; [`ExternalError::Unknown`] for pages that do not end.
    async fn offers(&self, account: PlatformUserId, since: Timestamp) -> PlatformResult<Vec<Offer>> {
        let mut pages = Pages::of(|offer: &Offer| &offer.id);
        while !pages.are_over() {
            pages.take(self.offers_page(account, since, pages.after()).await?)?;
        }
        Ok(pages.items())
    }

    /// One offer.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`].
    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer>;

    /// Accepts an offer that was received.
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`PlatformRefusal::NotFound`], [`OfferEnded`](PlatformRefusal::OfferEnded), which is
    /// also the answer when items are not where they were.
    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance>;

    /// Declines an offer that was received.
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`PlatformRefusal::NotFound`], [`OfferEnded`](PlatformRefusal::OfferEnded).
    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()>;

    /// Takes an offer back that was sent.
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`PlatformRefusal::NotFound`], [`OfferEnded`](PlatformRefusal::OfferEnded).
    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()>;

    /// Sends an offer. One that gives items waits for a mobile confirmation.
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`PlatformRefusal::EmptyOffer`], [`PartnerRefused`](PlatformRefusal::PartnerRefused),
    /// [`AssetUnavailable`](PlatformRefusal::AssetUnavailable).
    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer>;

    /// What waits for the account's mobile confirmation.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>>;

    /// Answers a confirmation.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`], which often means that it was answered before: read the offer.
    async fn answer(&self, account: PlatformUserId, id: &ExternalId, answer: ConfirmationAnswer) -> PlatformResult<()>;

    /// One trade.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`].
    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade>;

    /// A page of the trades that were begun at this time or later, oldest first; `after` is [`Page::next`] of the page before.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`] for an `after` that was never given.
    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>>;

    /// The trades that were begun at this time or later, oldest first.
    ///
    /// # Errors
    /// As [`GamePlatform::trades_page`]; [`ExternalError::Unknown`] for pages that do not end.
    async fn trades(&self, account: PlatformUserId, since: Timestamp) -> PlatformResult<Vec<Trade>> {
        let mut pages = Pages::of(|trade: &Trade| &trade.id);
        while !pages.are_over() {
            pages.take(self.trades_page(account, since, pages.after()).await?)?;
        }
        Ok(pages.items())
    }

    /// What time it is there.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn server_time(&self) -> PlatformResult<Timestamp>;
}
