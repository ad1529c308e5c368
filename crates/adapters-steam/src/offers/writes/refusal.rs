//! Steam's refusals of forms about trade offers: a sentence, and often the number of a result in brackets at its end.

use tradepost_domain::trading::trade::OfferStatus;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::{NewOffer, PlatformRefusal};

use crate::eresult::{EResult, LIMITED_FOR};
use crate::reading::unknown;

type Failed = ExternalError<PlatformRefusal>;

const ITEM_MISSING: &str = "Steam says that an item of the offer is no longer there under its id (26)";
const TOO_MANY: &str =
    "Steam accepts no further offer for now: too many are open, to this partner or at all. Cancel some of them first";
const NEW_DEVICE: &str =
    "Steam does not let the account trade for now: its device, its password or its authenticator is too new";

/// Why Steam refused. A partner's name can be among its words, so that the number decides where there is one. Words only refine a number that
/// Steam gives before it acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// An item is missing, or has another id by now.
    ItemMissing,
    /// The partner takes no offer: the token is wrong, the inventory is private, or trades are banned.
    Partner,
    /// Too many offers are open.
    TooMany,
    /// The account may not trade yet.
    NewDevice,
    /// Calls are limited.
    Limited,
    /// Nothing follows from it.
    Other(Option<EResult>),
}

impl Refusal {
    pub(super) fn read(words: &str) -> Self {
        let by_words = Self::of_words(words);
        match result(words) {
            Some(EResult::ACCESS_DENIED) => by_words.unwrap_or(Self::Partner),
            Some(EResult::INSUFFICIENT_PRIVILEGE) => by_words.unwrap_or(Self::NewDevice),
            Some(EResult::LIMIT_EXCEEDED | EResult::ALREADY_LOGGED_IN_ELSEWHERE) => by_words.unwrap_or(Self::TooMany),
            Some(EResult::REVOKED) => by_words.unwrap_or(Self::ItemMissing),
            Some(EResult::RATE_LIMIT_EXCEEDED) => Self::Limited,
            Some(other) => Self::Other(Some(other)),
            None => by_words.unwrap_or(Self::Other(None)),
        }
    }

    fn of_words(words: &str) -> Option<Self> {
        if words.contains("logged in from a new device") {
            Some(Self::NewDevice)
        } else if words.contains("too many trade offers") {
            Some(Self::TooMany)
        } else if words.contains("because they have a trade ban") || words.contains("is not available to trade") {
            Some(Self::Partner)
        } else {
            None
        }
    }

    /// What it means for an offer that was to be sent.
    pub(super) fn of_new(self, new: &NewOffer) -> Failed {
        match self {
            Self::ItemMissing => rejected(missing(new)),
            Self::Partner => rejected(PlatformRefusal::PartnerRefused),
            Self::TooMany => rejected(PlatformRefusal::Other(TOO_MANY.to_owned())),
            Self::NewDevice => rejected(PlatformRefusal::Other(NEW_DEVICE.to_owned())),
            Self::Limited => ExternalError::RateLimited { retry_after: LIMITED_FOR, effect: Effect::Unknown },
            Self::Other(_) => self.without_outcome(),
        }
    }

    /// What it means for an offer that was to be answered or cancelled, and has this status after it.
    pub(super) fn of_offer(self, status: OfferStatus) -> Failed {
        match status {
            OfferStatus::Countered
            | OfferStatus::Expired
            | OfferStatus::Cancelled
            | OfferStatus::Declined
            | OfferStatus::InvalidItems
            | OfferStatus::CancelledBySecondFactor
            | OfferStatus::Accepted
            | OfferStatus::InEscrow => rejected(PlatformRefusal::OfferEnded(status)),
            OfferStatus::Active | OfferStatus::NeedsConfirmation => self.of_open(),
            OfferStatus::Invalid | OfferStatus::Unknown(_) => self.without_outcome(),
        }
    }

    /// What it means for an offer that is still open: a result that Steam gives before it acts had no effect.
    fn of_open(self) -> Failed {
        match self {
            Self::ItemMissing => rejected(PlatformRefusal::Other(ITEM_MISSING.to_owned())),
            Self::Partner => rejected(PlatformRefusal::PartnerRefused),
            Self::NewDevice => rejected(PlatformRefusal::Other(NEW_DEVICE.to_owned())),
            Self::TooMany | Self::Limited | Self::Other(_) => self.without_outcome(),
        }
    }

    /// The error where nothing shows what came of the call.
    pub(super) fn without_outcome(self) -> Failed {
        match self {
            Self::Other(Some(result)) => unknown(format!("it answered {result}")),
            Self::Other(None) => unknown("it refused for a reason that is not known".to_owned()),
            Self::ItemMissing | Self::Partner | Self::TooMany | Self::NewDevice | Self::Limited => {
                unknown(format!("it refused ({self:?}), and its offer does not show the outcome"))
            }
        }
    }
}

/// The item that is missing, where the offer names one alone.
fn missing(new: &NewOffer) -> PlatformRefusal {
    match (new.give.as_slice(), new.receive.as_slice()) {
        ([only], []) | ([], [only]) => PlatformRefusal::AssetUnavailable(only.clone()),
        (_, _) => PlatformRefusal::Other(ITEM_MISSING.to_owned()),
    }
}

const fn rejected(refusal: PlatformRefusal) -> Failed {
    ExternalError::Rejected(refusal)
}

/// The result whose number is in the brackets with which the words end.
fn result(words: &str) -> Option<EResult> {
    words.trim_end().strip_suffix(')')?.rsplit_once('(')?.1.parse().ok().map(EResult::numbered)
}

#[cfg(test)]
mod tests {
    use tradepost_domain::asset::AssetId;
    use tradepost_domain::text::ExternalId;
    use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};

    use super::*;

    fn new(give: &[u64]) -> NewOffer {
        let user = PlatformUserId::new(76_561_198_046_968_201.try_into().unwrap());
        let to = TradeAddress { user, token: ExternalId::new("AbCdEf12").unwrap() };
        let give = give.iter().map(|id| AssetId::new(&id.to_string()).unwrap()).collect();
        NewOffer { to, give, receive: Vec::new(), message: None }
    }

    fn other(number: u32) -> Refusal {
        Refusal::Other(Some(EResult::numbered(number)))
    }

    #[test]
    fn a_refusal_is_known_by_its_number_or_its_words() {
        let sending = "There was an error sending your trade offer. Please try again later.";
        for (words, refusal) in [
            (format!("{sending} (26)"), Refusal::ItemMissing),
            (format!("{sending} (15)"), Refusal::Partner),
            (format!("{sending} (25)"), Refusal::TooMany),
            (format!("{sending} (50) "), Refusal::TooMany),
            (format!("{sending} (24)"), Refusal::NewDevice),
            (format!("{sending} (84)"), Refusal::Limited),
            (format!("{sending} (16)"), other(16)),
            (format!("{sending} (999)"), other(999)),
            (sending.to_owned(), Refusal::Other(None)),
            ("You have sent too many trade offers.".to_owned(), Refusal::TooMany),
            ("You cannot trade with ada because they have a trade ban.".to_owned(), Refusal::Partner),
            ("ada is not available to trade. More information".to_owned(), Refusal::Partner),
            ("You have logged in from a new device. (15)".to_owned(), Refusal::NewDevice),
        ] {
            assert_eq!(Refusal::read(&words), refusal, "{words}");
        }
    }

    #[test]
    fn a_name_of_a_partner_makes_no_outcome_certain() {
        for number in [1, 2, 16, 42, 999] {
            let words = format!("logged in from a new device is not available to trade ({number})");
            assert_eq!(Refusal::read(&words), other(number));
        }
        assert_eq!(Refusal::read("too many trade offers is not available to trade (84)"), Refusal::Limited);
    }

    #[test]
    fn a_new_offer_is_refused_by_results_that_come_before_the_act_alone() {
        let absent = PlatformRefusal::AssetUnavailable(new(&[7]).give[0].clone());
        assert_eq!(Refusal::ItemMissing.of_new(&new(&[7])), rejected(absent));
        assert_eq!(
            Refusal::ItemMissing.of_new(&new(&[7, 8])),
            rejected(PlatformRefusal::Other(ITEM_MISSING.to_owned()))
        );
        assert_eq!(Refusal::Partner.of_new(&new(&[7])), rejected(PlatformRefusal::PartnerRefused));
        for refusal in [Refusal::TooMany, Refusal::NewDevice] {
            assert!(refusal.of_new(&new(&[7])).did_nothing(), "{refusal:?}");
        }
        for refusal in [Refusal::Limited, other(16), Refusal::Other(None)] {
            assert!(!refusal.of_new(&new(&[7])).did_nothing(), "{refusal:?}");
        }
    }

    #[test]
    fn the_status_of_an_offer_shows_what_a_refusal_means() {
        let ended = |status| rejected(PlatformRefusal::OfferEnded(status));
        for status in [OfferStatus::Declined, OfferStatus::InvalidItems, OfferStatus::Accepted] {
            assert_eq!(other(11).of_offer(status), ended(status), "{status:?}");
        }
        let open = OfferStatus::Active;
        assert_eq!(Refusal::Partner.of_offer(open), rejected(PlatformRefusal::PartnerRefused));
        for refusal in [other(11), Refusal::Limited, Refusal::TooMany] {
            assert!(!refusal.of_offer(open).did_nothing(), "{refusal:?}");
        }
        assert!(!Refusal::Partner.of_offer(OfferStatus::Unknown(77)).did_nothing());
    }
}
