//! The numbers of trade offers and trades, as the platform's interface gives them.

/// Gives an enum over the platform's numbers its two conversions. The last variant carries the numbers that are not known.
macro_rules! numbered {
    (
        $(#[$meta:meta])* $type:ident, $unknown_doc:literal:
        $($(#[$doc:meta])* $variant:ident = $number:literal,)*
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $($(#[$doc])* $variant,)*
            #[doc = $unknown_doc]
            Unknown(u32),
        }

        impl $type {
            /// What the platform means by the number.
            pub const fn from_number(number: u32) -> Self {
                match number {
                    $($number => Self::$variant,)*
                    unknown => Self::Unknown(unknown),
                }
            }

            /// The platform's number for it.
            pub const fn number(self) -> u32 {
                match self {
                    $(Self::$variant => $number,)*
                    Self::Unknown(number) => number,
                }
            }
        }
    };
}

numbered! {
    /// The status of a trade offer (Steam's `ETradeOfferState`).
    OfferStatus, "A number that the platform did not use when this was written.":
    /// Not a valid offer.
    Invalid = 1,
    /// Sent, and neither side has acted on it.
    Active = 2,
    /// Accepted: only the trade shows whether items moved.
    Accepted = 3,
    /// The recipient answered with another offer.
    Countered = 4,
    /// Not accepted in time.
    Expired = 5,
    /// Cancelled by the sender.
    Cancelled = 6,
    /// Declined by the recipient.
    Declined = 7,
    /// Items of the offer are missing.
    InvalidItems = 8,
    /// Not sent yet: it waits for the sender's mobile confirmation.
    NeedsConfirmation = 9,
    /// Cancelled in the mobile confirmation, by either side.
    CancelledBySecondFactor = 10,
    /// Accepted; the items are held for some days.
    InEscrow = 11,
}

numbered! {
    /// The status of a trade (Steam's `ETradeStatus`).
    TradeStatus, "A number that the platform did not use when this was written.":
    /// Accepted, nothing was done yet.
    Init = 0,
    /// About to be carried out.
    PreCommitted = 1,
    /// Being carried out.
    Committed = 2,
    /// The items have moved.
    Complete = 3,
    /// It failed and the items went back, possibly with new asset ids.
    Failed = 4,
    /// Support rolled back one side.
    PartialSupportRollback = 5,
    /// Support rolled back both sides.
    FullSupportRollback = 6,
    /// Support rolled back some of the items.
    SelectiveSupportRollback = 7,
    /// A roll-back failed.
    RollbackFailed = 8,
    /// A roll-back failed so often that the platform gave up.
    RollbackAbandoned = 9,
    /// The items are held by the platform.
    InEscrow = 10,
    /// It was rolled back while the items were held.
    EscrowRollback = 11,
    /// A party took it back while the items were under trade protection.
    ProtectionRollback = 12,
}

impl TradeStatus {
    /// Whether the items are with neither side, and nothing more is done about it.
    pub const fn is_stuck(self) -> bool {
        matches!(self, Self::RollbackFailed | Self::RollbackAbandoned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_number_of_the_platform_is_lost(number in prop_oneof![0..20_u32, any::<u32>()]) {
            prop_assert_eq!(OfferStatus::from_number(number).number(), number);
            prop_assert_eq!(TradeStatus::from_number(number).number(), number);
        }
    }

    #[test]
    fn a_number_that_is_not_known_is_carried_along() {
        assert_eq!(TradeStatus::from_number(12), TradeStatus::ProtectionRollback);
        assert_eq!(TradeStatus::from_number(13), TradeStatus::Unknown(13));
        assert_eq!(OfferStatus::from_number(0), OfferStatus::Unknown(0));
    }
}
