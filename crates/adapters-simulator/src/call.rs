//! Everything that can be asked of a world or done to it, and every answer, as values that can be written down and sent.
//!
//! The ports in process, the journal of a world in a folder and the wire all hand on these: there is no second list of what
//! a world can be asked.

mod kinds;
mod sessions;

use serde::{Deserialize, Serialize};
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation};
use tradepost_domain::trading::friend::{FriendAction, ShownFriend};
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::exchange_rates::RateRefusal;
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::game_platform::sessions::{SessionRefusal, SignIn};
use tradepost_ports::game_platform::social::{MessagePage, SocialRefusal};
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, Hold, Inventory, NewOffer, Offer, PlatformRefusal,
    Trade,
};
use tradepost_ports::marketplace::{
    AnnouncedOffer, BuyRequest, Buyer, ListingQuery, MarketListing, MarketOrder, MarketTraits, MarketplaceRefusal,
    Sale, SellRequest, Sought, SoughtOrder, WithdrawRequest,
};
use tradepost_ports::price_source::VariantQuote;

use crate::fault::Fault;
use crate::serde_repr;
use crate::tokens::IssuedTokens;

pub use sessions::{AccountSignIn, SessionCall, SimulatedGuard};

/// A call of one of the ports, or something that is done to the world as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Request {
    /// A call of the marketplace.
    Marketplace {
        /// The caller.
        customer: String,
        /// What.
        #[serde(flatten)]
        call: MarketplaceCall,
    },
    /// A call of the game platform.
    Platform {
        /// As which trading account.
        #[serde(with = "serde_repr")]
        account: PlatformUserId,
        /// The access token, where the account needs one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// What.
        #[serde(flatten)]
        call: PlatformCall,
    },
    /// A call about friends or chats.
    Social {
        /// As which trading account.
        #[serde(with = "serde_repr")]
        account: PlatformUserId,
        /// The access token, where the account needs one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// What.
        #[serde(flatten)]
        call: SocialCall,
    },
    /// A call about signing in. The account follows from what it is called with.
    Sessions {
        /// What.
        #[serde(flatten)]
        call: SessionCall,
    },
    /// The time of the game platform, which every account can read.
    PlatformTime,
    /// The prices of every kind of item at an index of this name.
    Prices {
        /// The name of the index.
        #[serde(with = "serde_repr")]
        index: Marketplace,
    },
    /// What one unit of a currency is worth in another.
    Rate {
        /// The one.
        #[serde(with = "serde_repr")]
        of: Currency,
        /// The other.
        #[serde(with = "serde_repr")]
        against: Currency,
    },
    /// A command of the owner of the world.
    World(WorldCommand),
}

/// A method of the port `Marketplace`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the port documents its methods and their arguments")]
pub enum MarketplaceCall {
    Listings {
        #[serde(with = "serde_repr")]
        query: ListingQuery,
        #[serde(with = "serde_repr")]
        after: Option<ExternalId>,
    },
    Listing {
        #[serde(with = "serde_repr")]
        id: ExternalId,
    },
    Buy {
        #[serde(with = "serde_repr")]
        request: BuyRequest,
    },
    FindOrder {
        #[serde(with = "serde_repr")]
        sought: SoughtOrder,
    },
    WhoBought {
        #[serde(with = "serde_repr")]
        sought: SoughtOrder,
    },
    Order {
        #[serde(with = "serde_repr")]
        id: ExternalId,
    },
    List {
        #[serde(with = "serde_repr")]
        request: SellRequest,
    },
    Reprice {
        #[serde(with = "serde_repr")]
        id: ExternalId,
        #[serde(with = "serde_repr")]
        price: VenueCents,
    },
    Delist {
        #[serde(with = "serde_repr")]
        id: ExternalId,
    },
    OwnListings {
        #[serde(with = "serde_repr")]
        after: Option<ExternalId>,
    },
    Sales {
        #[serde(with = "serde_repr")]
        since: Timestamp,
        #[serde(with = "serde_repr", default)]
        after: Option<ExternalId>,
    },
    CommitSale {
        #[serde(with = "serde_repr")]
        id: ExternalId,
    },
    AnnounceOffer {
        #[serde(with = "serde_repr")]
        offer: AnnouncedOffer,
    },
    Withdraw {
        #[serde(with = "serde_repr")]
        request: WithdrawRequest,
    },
    Balance,
    FeeSchedule,
}

/// A method of the port `GamePlatform`, but for its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the port documents its methods and their arguments")]
pub enum PlatformCall {
    Account,
    Inventory {
        #[serde(with = "serde_repr")]
        app_id: AppId,
        #[serde(with = "serde_repr")]
        context_id: ContextId,
    },
    Offers {
        #[serde(with = "serde_repr")]
        since: Timestamp,
        #[serde(with = "serde_repr", default)]
        after: Option<ExternalId>,
    },
    Offer {
        #[serde(with = "serde_repr")]
        id: ExternalId,
    },
    Accept {
        #[serde(with = "serde_repr")]
        id: ExternalId,
    },
    Decline {
        #[serde(with = "serde_repr")]
        id: ExternalId,
    },
    Cancel {
        #[serde(with = "serde_repr")]
        id: ExternalId,
    },
    Send {
        #[serde(with = "serde_repr")]
        offer: NewOffer,
    },
    Confirmations,
    Answer {
        #[serde(with = "serde_repr")]
        id: ExternalId,
        #[serde(with = "serde_repr")]
        answer: ConfirmationAnswer,
    },
    Trade {
        #[serde(with = "serde_repr")]
        id: ExternalId,
    },
    Trades {
        #[serde(with = "serde_repr")]
        since: Timestamp,
        #[serde(with = "serde_repr", default)]
        after: Option<ExternalId>,
    },
    HoldWith {
        #[serde(with = "serde_repr")]
        partner: TradeAddress,
    },
    HoldOf {
        #[serde(with = "serde_repr")]
        id: ExternalId,
    },
    TradeToken,
    RenewTradeToken,
}

/// A method of the port `Social`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the port documents its methods and their arguments")]
pub enum SocialCall {
    Friends,
    Act {
        #[serde(with = "serde_repr")]
        action: FriendAction,
        #[serde(with = "serde_repr")]
        user: PlatformUserId,
    },
    Conversations,
    Messages {
        #[serde(with = "serde_repr")]
        partner: PlatformUserId,
        #[serde(with = "serde_repr", default)]
        before: Option<MessagePlace>,
    },
    Say {
        #[serde(with = "serde_repr")]
        partner: PlatformUserId,
        #[serde(with = "serde_repr")]
        text: ChatText,
    },
    MarkRead {
        #[serde(with = "serde_repr")]
        partner: PlatformUserId,
        #[serde(with = "serde_repr")]
        until: Timestamp,
    },
}

/// A command of the owner of a world. A scenario is a list of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case", deny_unknown_fields)]
pub enum WorldCommand {
    /// Lets time pass.
    Advance {
        /// How much of it.
        micros: u64,
    },
    /// Opens a customer's account at the marketplace, or pays into it.
    PayIn {
        /// Whose.
        customer: String,
        /// How much.
        #[serde(with = "serde_repr")]
        cents: VenueCents,
    },
    /// Opens a trading account on the game platform.
    OpenAccount {
        /// Whose.
        customer: String,
    },
    /// Opens a trading account with this number and, at first, this token. Returns its address: that of today, if it is open already.
    OpenAccountAt {
        /// Whose.
        customer: String,
        /// Where offers are to reach it.
        #[serde(with = "serde_repr")]
        address: TradeAddress,
    },
    /// Returns the trading accounts of a customer, the oldest first.
    Accounts {
        /// Whose.
        customer: String,
    },
    /// Injects a fault: it strikes at once, or on the next occasion.
    Inject {
        /// What.
        fault: Fault,
    },
    /// Injects a fault later.
    Schedule {
        /// When, in seconds from now.
        after_seconds: u32,
        /// What.
        fault: Fault,
    },
    /// Lets a stranger buy a listing.
    SellToStranger {
        /// Which.
        #[serde(with = "serde_repr")]
        listing: ExternalId,
    },
    /// Puts an item into a trading account, as if it had always been there.
    GiveItem {
        /// Into which.
        #[serde(with = "serde_repr")]
        account: PlatformUserId,
    },
    /// Requires a trading account to be signed in before its calls are answered. An account that has to be already is left as it is.
    RequireSignIn {
        /// Which.
        #[serde(with = "serde_repr")]
        account: PlatformUserId,
        /// By what.
        sign_in: AccountSignIn,
    },
    /// Returns the code that was mailed to the owner of a trading account last.
    SentCode {
        /// Of which.
        #[serde(with = "serde_repr")]
        account: PlatformUserId,
    },
    /// Returns the code that the authenticator of a trading account shows now.
    DeviceCode {
        /// Of which.
        #[serde(with = "serde_repr")]
        account: PlatformUserId,
    },
    /// Approves or denies the sign-in of a trading account that waits for it. Returns whether there was one.
    ApproveSignIn {
        /// Of which.
        #[serde(with = "serde_repr")]
        account: PlatformUserId,
        /// Whether it is approved.
        approve: bool,
    },
    /// Returns how the marketplace works.
    Traits,
    /// Changes how the marketplace works, before any customer trades there.
    SetTraits {
        /// How.
        #[serde(with = "serde_repr")]
        traits: MarketTraits,
    },
    /// Proves that the world's own books hold.
    CheckBooks,
}

/// Gives [`Answer`] a variant for each kind of value, and takes the value out where one of its kind is expected.
macro_rules! answers {
    ($($name:ident($kind:ty), $doc:literal;)*) => {
        /// What a world answers.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Answer {
            /// It was done, and there is nothing to return.
            Done,
            /// It was not done, or does not hold, for the reason given in words.
            Refused(String),
            /// The marketplace did not do it.
            MarketplaceFailed(#[serde(with = "serde_repr")] ExternalError<MarketplaceRefusal>),
            /// The game platform did not do it.
            PlatformFailed(#[serde(with = "serde_repr")] ExternalError<PlatformRefusal>),
            /// The game platform did not do it for friends or chats.
            SocialFailed(#[serde(with = "serde_repr")] ExternalError<SocialRefusal>),
            /// The game platform did not do it for a sign-in or a session.
            SessionFailed(#[serde(with = "serde_repr")] ExternalError<SessionRefusal>),
            /// No rate was returned.
            RateFailed(#[serde(with = "serde_repr")] ExternalError<RateRefusal>),
            $(#[doc = $doc] $name(#[serde(with = "serde_repr")] $kind),)*
        }

        $(
            impl TryFrom<Answer> for $kind {
                type Error = Answer;

                fn try_from(answer: Answer) -> Result<Self, Answer> {
                    if let Answer::$name(value) = answer { Ok(value) } else { Err(answer) }
                }
            }
        )*
    };
}

answers! {
    Listings(Page<MarketListing>), "A part of the listings.";
    Listing(MarketListing), "A listing of one's own.";
    MaybeListing(Option<MarketListing>), "A listing, if there is such a one.";
    Order(MarketOrder), "An order.";
    Sought(Sought), "The result of a search for an order.";
    Buyer(Buyer), "The buyer of a listing.";
    Sale(Sale), "A sale.";
    Sales(Page<Sale>), "A part of the sales.";
    Cents(VenueCents), "An amount of money.";
    FeeSchedule(FeeSchedule), "What the marketplace takes.";
    Traits(MarketTraits), "How the marketplace works.";
    Account(AccountState), "The state of a trading account.";
    Inventory(Inventory), "What was seen of an inventory.";
    Offers(Page<Offer>), "A part of the trade offers.";
    Offer(Offer), "A trade offer.";
    Acceptance(Acceptance), "The outcome of accepting an offer.";
    Hold(Hold), "For how long trades with a partner would be held.";
    Token(ExternalId), "The token of a trade URL.";
    Confirmations(Vec<Confirmation>), "What waits for a mobile confirmation.";
    Trades(Page<Trade>), "A part of the trades.";
    Trade(Trade), "A trade.";
    Friends(Vec<ShownFriend>), "The friends of a trading account.";
    Conversations(Vec<ShownConversation>), "The conversations of a trading account.";
    Messages(MessagePage), "A part of a conversation.";
    Place(MessagePlace), "The place of a message.";
    SignIn(SignIn), "A sign-in that was begun.";
    MaybeTokens(Option<IssuedTokens>), "The tokens of a session, once they are issued.";
    Tokens(IssuedTokens), "The renewed tokens of a session.";
    MaybeCode(Option<String>), "A code, if there is one.";
    Prices(Vec<VariantQuote>), "What an index says of each kind of item.";
    Rate(ExchangeRate), "What a currency is worth.";
    Time(Timestamp), "What time it is.";
    Address(TradeAddress), "A trading account.";
    Addresses(Vec<TradeAddress>), "Trading accounts.";
    MaybeAsset(Option<AssetId>), "An item, if there could be one.";
    Whether(bool), "Whether it could be done.";
}

impl TryFrom<Answer> for () {
    type Error = Answer;

    fn try_from(answer: Answer) -> Result<Self, Answer> {
        if answer == Answer::Done { Ok(()) } else { Err(answer) }
    }
}
