//! The game platform that keeps the items: inventories, trade offers, confirmations, trades. It knows no money.

pub mod sessions;
pub mod social;

use std::fmt;

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

/// The reason why the platform rejected a call. It changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlatformRefusal {
    /// Nothing under this id is visible to the account.
    #[error("there is no such thing that the account may see")]
    NotFound,
    /// The offer no longer waits for this.
    #[error("the offer has the status {} already", .0.number())]
    OfferEnded(OfferStatus),
    /// The asset is missing, or cannot be traded by now.
    #[error("the asset {0} cannot be traded")]
    AssetUnavailable(AssetId),
    /// The offer names no asset, or the account itself.
    #[error("the offer makes no sense")]
    EmptyOffer,
    /// The partner does not exist, or the token is not the partner's.
    #[error("the partner takes no offer under this address")]
    PartnerRefused,
    /// The driver does not do this, or not for this account: it made no call. A repetition ends in the same way until a person changes
    /// something. In words for people.
    #[error("{0}")]
    NotDone(String),
    /// Another reason, in the platform's own words.
    #[error("{0}")]
    Other(String),
}

/// A trading account, as the platform shows it to its owner.
///
/// A platform may show some parts apart from the others. One that could not be read leaves the others as they were read: it has its last
/// value for a while, and then it is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountState {
    /// The time since which it has its mobile authenticator; nothing without one.
    pub authenticator_since: Option<Timestamp>,
    /// The restriction that keeps it from trading freely, and its end.
    pub restriction: Option<AccountLock>,
    /// Whether the platform has banned it permanently.
    pub is_banned: bool,
    /// The number of its items, of all games and in all contexts; nothing while it is unknown.
    pub inventory_count: Option<u32>,
    /// Whether the API key that the platform has for it is the one that we created; nothing while that is unknown, which keeps the account
    /// from all work.
    pub is_api_key_ours: Option<bool>,
    /// Why a part could not be read now; nothing where every part was.
    pub unread: Option<ExternalError<PlatformRefusal>>,
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
    /// The traits that distinguish the item from others of its variant.
    pub traits: Traits,
    /// The time until which it cannot be traded.
    pub locked_until: Option<Timestamp>,
}

/// The visible part of one context of an inventory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inventory {
    /// The visible items.
    pub assets: Vec<Asset>,
    /// Whether these are all items. From a part, an item's absence proves nothing.
    pub is_complete: bool,
    /// The time at which the platform showed it.
    pub seen_at: Timestamp,
}

/// A trade offer, seen by one of its two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The platform's id of it.
    pub id: ExternalId,
    /// The other side.
    pub partner: PlatformUserId,
    /// Whether the reading account has sent it.
    pub is_ours: bool,
    /// Its status.
    pub status: OfferStatus,
    /// The items that the reading account would give.
    pub give: Vec<Asset>,
    /// The items that it would receive. If [`Offer::give`] is empty as well, the platform did not show the items.
    pub receive: Vec<Asset>,
    /// The trade, once the offer was accepted.
    pub trade_id: Option<ExternalId>,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time at which its status changed last.
    pub updated_at: Timestamp,
    /// The time after which it can no longer be accepted.
    pub expires_at: Timestamp,
}

/// An offer to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOffer {
    /// The recipient.
    pub to: TradeAddress,
    /// The items that we give.
    pub give: Vec<AssetId>,
    /// The items that we want.
    pub receive: Vec<AssetId>,
    /// The message to the partner.
    pub message: Option<Description>,
}

/// The outcome of accepting an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acceptance {
    /// The trade was begun; [`GamePlatform::trade`] reports its outcome.
    Begun {
        /// The trade.
        trade_id: ExternalId,
    },
    /// We give items, so the offer waits for a mobile confirmation.
    NeedsConfirmation,
}

/// A trade, seen by one of its two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trade {
    /// The platform's id of it.
    pub id: ExternalId,
    /// The other side.
    pub partner: PlatformUserId,
    /// Its status.
    pub status: TradeStatus,
    /// The items that the reading account gave.
    pub given: Vec<MovedAsset>,
    /// The items that it received.
    pub received: Vec<MovedAsset>,
    /// The time at which it began.
    pub started_at: Timestamp,
    /// The time until which the platform holds the items, if it does or did.
    pub held_until: Option<Timestamp>,
    /// The time until which either side can reverse it, once it is complete.
    pub protected_until: Option<Timestamp>,
    /// The trade that this one reversed.
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
    /// The id with its new owner, and its context; nothing until the trade is complete, and when it failed.
    pub moved_to: Option<(ContextId, AssetId)>,
    /// The id with its old owner, to whom it was returned.
    pub returned_as: Option<AssetId>,
}

/// How long the platform would hold the items of a trade that an account makes with a partner now, in seconds: 0 where it holds nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hold {
    /// If the account alone gives items.
    pub ours: u32,
    /// If the partner alone gives items.
    pub theirs: u32,
    /// If both give items.
    pub both: u32,
}

impl Hold {
    /// Returns the seconds of a trade in which the account gives items, receives items, or does both: a side that gives nothing causes no hold.
    ///
    /// ```
    /// use tradepost_ports::game_platform::Hold;
    ///
    /// let hold = Hold { ours: 0, theirs: 86_400, both: 86_400 };
    /// assert_eq!(hold.of_trade(true, false), 0);
    /// assert_eq!(hold.of_trade(false, true), 86_400);
    /// assert_eq!(hold.of_trade(true, true), 86_400);
    /// ```
    pub fn of_trade(self, gives: bool, receives: bool) -> u32 {
        match (gives, receives) {
            (true, true) => self.ours.max(self.theirs).max(self.both),
            (true, false) => self.ours,
            (false, true) => self.theirs,
            (false, false) => 0,
        }
    }
}

/// A request that waits for the mobile confirmation of an account.
///
/// Only the id, the number of the kind and the id of the subject decide anything. The texts are shown to people: the platform translates
/// them, and names of partners are in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    /// The platform's id of it.
    pub id: ExternalId,
    /// What the platform wants to read in an answer.
    pub handle: ConfirmationHandle,
    /// The platform's number of its kind.
    pub kind: u32,
    /// The platform's name of its kind.
    pub kind_name: String,
    /// The platform's id of its subject; of a trade offer that of the offer.
    pub creator: ExternalId,
    /// The first line that the platform shows.
    pub headline: String,
    /// The further lines.
    pub summary: Vec<String>,
    /// The time of its creation.
    pub created_at: Timestamp,
}

/// The platform's number of confirmations of trade offers.
pub const CONFIRMS_OFFER: u32 = 2;

impl Confirmation {
    /// Whether it is about this trade offer, which gives items.
    pub fn is_about_offer(&self, offer: &ExternalId) -> bool {
        self.kind == CONFIRMS_OFFER && self.creator == *offer
    }
}

/// What the platform wants to read in the answer to a confirmation. It is not shown.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ConfirmationHandle(pub String);

impl fmt::Debug for ConfirmationHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConfirmationHandle")
    }
}

/// The answer to a mobile confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConfirmationAnswer {
    /// Allow the request.
    Allow,
    /// Deny the request.
    Deny,
}

/// The game platform, for trading accounts that are signed in there.
///
/// Every call is made as one account. If a call that changes something ends with [`ExternalError::Unknown`], it may have had its effect.
/// Every other error means that nothing was changed.
#[async_trait]
pub trait GamePlatform: Send + Sync {
    /// Returns the account itself.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState>;

    /// Returns the items of one context of the account's inventory.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn inventory(
        &self,
        account: PlatformUserId,
        app_id: AppId,
        context_id: ContextId,
    ) -> PlatformResult<Inventory>;

    /// Returns a page of the offers, sent and received, whose status changed at this time or later, oldest change first. `after` is
    /// [`Page::next`] of the page before. An offer whose status changes during the scan may appear once more, and none is left out.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`] for an `after` that the platform never returned.
    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>>;

    /// Returns the offers, sent and received, whose status changed at this time or later, oldest change first, each as it was last seen.
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

    /// Returns one offer.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`].
    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer>;

    /// Accepts an offer that was received.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`PlatformRefusal::NotFound`], or [`OfferEnded`](PlatformRefusal::OfferEnded), which is also the
    /// answer when items have moved.
    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance>;

    /// Declines an offer that was received.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`PlatformRefusal::NotFound`], [`OfferEnded`](PlatformRefusal::OfferEnded).
    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()>;

    /// Cancels an offer that was sent.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`PlatformRefusal::NotFound`], [`OfferEnded`](PlatformRefusal::OfferEnded).
    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()>;

    /// Sends an offer. One that gives items waits for a mobile confirmation.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`PlatformRefusal::EmptyOffer`], [`PartnerRefused`](PlatformRefusal::PartnerRefused),
    /// [`AssetUnavailable`](PlatformRefusal::AssetUnavailable).
    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer>;

    /// Returns the requests that wait for the account's mobile confirmation.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>>;

    /// Answers a confirmation that [`GamePlatform::confirmations`] returned, and no other one with it.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`], which often means that it was answered before: the caller reads the offer.
    async fn answer(
        &self,
        account: PlatformUserId,
        confirmation: &Confirmation,
        answer: ConfirmationAnswer,
    ) -> PlatformResult<()>;

    /// Returns one trade.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`].
    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade>;

    /// Returns a page of the trades that began at this time or later, oldest first; `after` is [`Page::next`] of the page before.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`] for an `after` that the platform never returned.
    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>>;

    /// Returns the trades that began at this time or later, oldest first.
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

    /// Returns how long the platform would hold a trade that the account makes with a partner now.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`PlatformRefusal::PartnerRefused`] where it shows nothing for this address.
    async fn hold_with(&self, account: PlatformUserId, partner: &TradeAddress) -> PlatformResult<Hold>;

    /// Returns how long the platform would hold the trade of an offer that the account has received, if it accepted the offer now.
    ///
    /// # Errors
    /// [`ExternalError`]; [`PlatformRefusal::NotFound`].
    async fn hold_of(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Hold>;

    /// Returns the token of the account's trade URL.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId>;

    /// Has the platform make a new trade URL, and returns its token. The earlier URL reaches no one from then on.
    ///
    /// # Errors
    /// [`ExternalError`]; after [`ExternalError::Unknown`], [`GamePlatform::trade_token`] shows the URL that is valid.
    async fn renew_trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId>;

    /// Returns the platform's time.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn server_time(&self) -> PlatformResult<Timestamp>;

    /// Returns why the platform refuses this client, whatever its pace, as the latest answers to any call of the driver show: also to those about
    /// sessions, friends and chats. No call is made. A driver that cannot distinguish this from a limit returns nothing.
    fn refuses_client(&self) -> Option<String> {
        None
    }
}
