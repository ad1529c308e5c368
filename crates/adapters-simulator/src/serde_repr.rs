//! How values of the domain and of the ports are written down and sent, which those do not say themselves.
//!
//! For fields marked `#[serde(with = "serde_repr")]`.

mod sessions;
mod social;
mod traded;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tradepost_domain::contracts::purchase::FailureCode;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, TradeStatus};
use tradepost_ports::marketplace::{ListingStatus, OrderStatus};

/// A value with a plain form that can be written down.
pub(crate) trait Stored: Sized {
    /// The plain form.
    type Plain: Serialize + DeserializeOwned;

    fn plain(&self) -> Self::Plain;
    fn taken_from(plain: Self::Plain) -> Result<Self, String>;
}

pub(crate) fn serialize<T: Stored, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.plain().serialize(serializer)
}

pub(crate) fn deserialize<'de, T: Stored, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::taken_from(T::Plain::deserialize(deserializer)?).map_err(D::Error::custom)
}

impl Stored for VenueCents {
    type Plain = i64;

    fn plain(&self) -> i64 {
        self.get()
    }

    fn taken_from(plain: i64) -> Result<Self, String> {
        Self::new(plain).map_err(|error| error.to_string())
    }
}

impl Stored for Timestamp {
    type Plain = i64;

    fn plain(&self) -> i64 {
        self.as_micros()
    }

    fn taken_from(plain: i64) -> Result<Self, String> {
        Self::from_micros(plain).map_err(|error| error.to_string())
    }
}

impl<const MOST: usize> Stored for Text<MOST> {
    type Plain = String;

    fn plain(&self) -> String {
        self.to_string()
    }

    fn taken_from(plain: String) -> Result<Self, String> {
        Self::new(&plain).map_err(|error| error.to_string())
    }
}

impl<T: Stored> Stored for Option<T> {
    type Plain = Option<T::Plain>;

    fn plain(&self) -> Self::Plain {
        self.as_ref().map(T::plain)
    }

    fn taken_from(plain: Self::Plain) -> Result<Self, String> {
        plain.map(T::taken_from).transpose()
    }
}

impl<T: Stored> Stored for Vec<T> {
    type Plain = Vec<T::Plain>;

    fn plain(&self) -> Self::Plain {
        self.iter().map(T::plain).collect()
    }

    fn taken_from(plain: Self::Plain) -> Result<Self, String> {
        plain.into_iter().map(T::taken_from).collect()
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    type Plain = (A::Plain, B::Plain);

    fn plain(&self) -> Self::Plain {
        (self.0.plain(), self.1.plain())
    }

    fn taken_from(plain: Self::Plain) -> Result<Self, String> {
        let (one, other) = plain;
        Ok((A::taken_from(one)?, B::taken_from(other)?))
    }
}

impl Stored for OfferStatus {
    type Plain = u32;

    fn plain(&self) -> u32 {
        self.number()
    }

    fn taken_from(plain: u32) -> Result<Self, String> {
        Ok(Self::from_number(plain))
    }
}

impl Stored for TradeStatus {
    type Plain = u32;

    fn plain(&self) -> u32 {
        self.number()
    }

    fn taken_from(plain: u32) -> Result<Self, String> {
        Ok(Self::from_number(plain))
    }
}

impl Stored for ListingStatus {
    type Plain = String;

    fn plain(&self) -> String {
        match self {
            Self::OnSale => "on_sale".to_owned(),
            Self::Sold => "sold".to_owned(),
            Self::Withdrawn => "withdrawn".to_owned(),
            Self::Other(number) => number.to_string(),
        }
    }

    fn taken_from(plain: String) -> Result<Self, String> {
        [Self::OnSale, Self::Sold, Self::Withdrawn]
            .into_iter()
            .chain(plain.parse().map(Self::Other))
            .find(|status| status.plain() == plain)
            .ok_or_else(|| format!("no status of a listing: {plain}"))
    }
}

/// The name, with the code of a failure, an unknown number or the time from which on an item can be withdrawn.
impl Stored for OrderStatus {
    type Plain = (String, Option<i64>);

    fn plain(&self) -> Self::Plain {
        let (name, detail) = match self {
            Self::AwaitingCommit => ("awaiting_commit", None),
            Self::AwaitingSeller => ("awaiting_seller", None),
            Self::InCustody { withdrawable_at } => ("in_custody", withdrawable_at.map(Timestamp::as_micros)),
            Self::Offered => ("offered", None),
            Self::Delivered => ("delivered", None),
            Self::Settled => ("settled", None),
            Self::Failed(code) => ("failed", Some(code.code().into())),
            Self::Reverted => ("reverted", None),
            Self::Refunded => ("refunded", None),
            Self::Other(number) => ("other", Some((*number).into())),
        };
        (name.to_owned(), detail)
    }

    fn taken_from(plain: Self::Plain) -> Result<Self, String> {
        let code = plain.1.and_then(|code| i16::try_from(code).ok());
        let failed = code.and_then(FailureCode::from_code).map(Self::Failed);
        let in_custody = Self::InCustody { withdrawable_at: plain.1.and_then(|at| Timestamp::from_micros(at).ok()) };
        [Self::AwaitingCommit, Self::AwaitingSeller, Self::Offered, Self::Delivered, Self::Settled]
            .into_iter()
            .chain([Self::Reverted, Self::Refunded, in_custody])
            .chain(failed)
            .chain(plain.1.and_then(|number| u32::try_from(number).ok()).map(Self::Other))
            .find(|status| status.plain() == plain)
            .ok_or_else(|| format!("no status of a deal: {plain:?}"))
    }
}
