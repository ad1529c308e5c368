//! What kept a step of a pass from being taken. The record stays where it is, and the next pass looks at it again.

use tradepost_domain::id::PoolId;
use tradepost_domain::money::{Currency, MoneyError};
use tradepost_domain::text::ExternalId;
use tradepost_operations::{Code, OpError};
use tradepost_ports::exchange_rates::RateRefusal;
use tradepost_ports::game_platform::PlatformRefusal;
use tradepost_ports::marketplace::{DealStatus, MarketplaceRefusal};
use tradepost_ports::outside::OutsideError;
use tradepost_ports::price_source::PriceRefusal;

/// Why a step was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// The operations refused it: somebody else was faster, or a limit or a halt holds.
    #[error("refused: {0}")]
    Operation(#[from] OpError),
    /// A marketplace gave no answer that can be used.
    #[error("the marketplace: {0}")]
    Marketplace(#[from] OutsideError<MarketplaceRefusal>),
    /// The game platform gave none.
    #[error("the game platform: {0}")]
    Platform(#[from] OutsideError<PlatformRefusal>),
    /// The game platform does not know the account any more, and the marketplace says that no money has come in for what waits for it.
    #[error("the game platform does not know the account any more; no money has come in for what waits")]
    Unread,
    /// A source of prices gave none.
    #[error("the source of prices: {0}")]
    Prices(#[from] OutsideError<PriceRefusal>),
    /// A source of exchange rates gave none.
    #[error("the source of exchange rates: {0}")]
    Rates(#[from] OutsideError<RateRefusal>),
    /// Nobody tells what a currency is worth, or the last that was told is too old to trade by.
    #[error("there is no fresh exchange rate of {0}")]
    NoRate(Currency),
    /// The record names a marketplace or a trading account that the desk does not have.
    #[error("the desk has no {what} named {name}")]
    Unknown {
        /// What it is.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// The desk has no trading account that could buy, or none that can work now; `GetAccountReadiness` tells why.
    #[error("the desk has no trading account that can work now")]
    NoAccount,
    /// Of the accounts that are assigned to a pool none can work now; `ResolveAssignment` tells why.
    #[error("none of the trading accounts that are assigned to the pool {0} can work now")]
    NobodyAssigned(PoolId),
    /// The process stood still for too long after it had written down that a purchase, a listing or an offer is sent, and did not
    /// send it: others may have found by then that there is none. It is looked up like one whose answer was lost.
    #[error("too late to send what was written down; it is in doubt now")]
    StoodStill,
    /// The marketplace does not show yet whether a purchase was made, or who bought its listing. The purchase stays uncertain.
    #[error("the marketplace does not show yet whether the purchase was made")]
    NotShown,
    /// A deal is in a state that the adapter of its marketplace does not know. The deal stays as it was.
    #[error("the deal {deal} is in state {number}, which the marketplace's adapter does not know")]
    UnknownState {
        /// The marketplace's id of the order or the sale.
        deal: String,
        /// Its number of the state.
        number: u32,
    },
    /// An offer does not give what was bought; it was declined.
    #[error("the trade offer {0} does not give what was bought")]
    WrongOffer(String),
    /// A price of the outside is no amount.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl Trouble {
    /// The same where the marketplace says that no money has come in: what only the platform could tell leaves nothing open then.
    pub(crate) fn without_money(self) -> Self {
        if matches!(self, Self::Platform(OutsideError::AuthLost { .. })) { Self::Unread } else { self }
    }

    /// Whether something may have been seen outside and not booked. A refusal says that nothing was done.
    pub(crate) fn leaves_open(&self) -> bool {
        match self {
            Self::Operation(refusal) => refusal.is_conflict() || refusal.code == Code::Internal,
            Self::Marketplace(error) => !matches!(error, OutsideError::Definite(_)),
            Self::Platform(error) => !matches!(error, OutsideError::Definite(_)),
            Self::StoodStill | Self::NotShown | Self::UnknownState { .. } => true,
            Self::Unread
            | Self::Prices(_)
            | Self::Rates(_)
            | Self::NoRate(_)
            | Self::Unknown { .. }
            | Self::NoAccount
            | Self::NobodyAssigned(_)
            | Self::WrongOffer(_)
            | Self::Money(_) => false,
        }
    }
}

/// Says so where the state of a deal is not known.
pub(crate) fn known_deal(id: &ExternalId, status: DealStatus) -> Tried {
    let DealStatus::Other(number) = status else { return Ok(()) };
    Err(Trouble::UnknownState { deal: id.to_string(), number })
}

/// What a step came to.
pub(crate) type Tried<T = ()> = Result<T, Trouble>;
