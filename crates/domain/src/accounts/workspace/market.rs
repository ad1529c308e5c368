//! What kind of market a workspace trades in: the real one or a simulated one, and never both.

use crate::names::names;

/// What kind of market a workspace trades in. It is the one in which it traded first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarketKind {
    /// The real one, whose time is the server's.
    Real = 1,
    /// A simulated one, which has a time of its own.
    Simulated = 2,
}

names! {
    MarketKind, "kind of market":
    Real => "REAL",
    Simulated => "SIMULATED",
}

/// A workspace that trades in one kind of market was to trade in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the workspace trades in a market that is {}, and cannot trade in one that is {}: make another workspace for that",
    .known.described(), .given.described()
)]
pub struct OtherMarket {
    /// The kind in which it trades.
    pub known: MarketKind,
    /// The other one.
    pub given: MarketKind,
}

impl MarketKind {
    const fn described(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Simulated => "simulated",
        }
    }

    /// Lets a workspace of this kind trade in a market of the same kind.
    ///
    /// # Errors
    /// [`OtherMarket`].
    pub fn admit(self, given: Self) -> Result<(), OtherMarket> {
        if self == given { Ok(()) } else { Err(OtherMarket { known: self, given }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_market_of_the_other_kind_is_refused_and_both_are_named() {
        let refused = MarketKind::Real.admit(MarketKind::Simulated).unwrap_err();
        let text = "the workspace trades in a market that is real, and cannot trade in one that is simulated: \
                    make another workspace for that";
        assert_eq!(refused.to_string(), text);
        assert_eq!(MarketKind::Simulated.admit(MarketKind::Simulated), Ok(()));
    }
}
