//! The catalogue of event types, which is made of the statuses that records have, and the patterns of subscriptions.

use std::fmt;
use std::str::FromStr;

use crate::accounts::api_key::KeyStatus;
use crate::accounts::membership;
use crate::contracts::contract::ContractStatus;
use crate::contracts::intent::IntentStatus;
use crate::contracts::inventory_item::ItemStatus;
use crate::contracts::pool::PoolStatus;
use crate::contracts::purchase::PurchaseStatus;
use crate::contracts::remediation::RemediationStatus;
use crate::markets::provider::ProviderStatus;
use crate::names::UnknownName;
use crate::trading::account_session::SessionStatus;
use crate::trading::chat::MessageStatus;
use crate::trading::confirmation::ConfirmationStatus;
use crate::trading::friend::FriendRelation;
use crate::trading::import::ImportStatus;
use crate::trading::inventory_change::ChangeStatus;
use crate::trading::renewal::RenewalStatus;
use crate::trading::trade_offer::TradeOfferStatus;
use crate::trading::trading_account::AccountStatus;
use crate::transition::{SubjectKind, Transition};

/// The subject of the events of endpoints themselves.
const ENDPOINT: &str = "endpoint";

/// What happened, as receivers read it: `purchase.traded`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventType {
    /// A record has this status now.
    Status(SubjectKind, &'static str),
    /// A person asked for a test.
    EndpointTest,
    /// The server disabled another endpoint of the workspace.
    EndpointDisabled,
}

impl EventType {
    /// Returns the type of a change of status.
    pub const fn of(transition: &Transition) -> Self {
        Self::Status(transition.subject.kind(), transition.to)
    }

    /// Returns every type: by kind of record, in the order of its statuses, and the two of endpoints.
    pub fn all() -> Vec<Self> {
        let of_kind = |kind: &SubjectKind| {
            let kind = *kind;
            statuses(kind).into_iter().map(move |status| Self::Status(kind, status))
        };
        SubjectKind::ALL.iter().flat_map(of_kind).chain([Self::EndpointTest, Self::EndpointDisabled]).collect()
    }

    /// Returns the kind of record; `None` for the events of endpoints.
    pub const fn subject_kind(self) -> Option<SubjectKind> {
        match self {
            Self::Status(kind, _) => Some(kind),
            Self::EndpointTest | Self::EndpointDisabled => None,
        }
    }

    /// Returns what happened, in words.
    pub fn description(self) -> String {
        match self {
            Self::Status(kind, status) => format!("the status of {} is {status}", with_article(kind)),
            Self::EndpointTest => "a person asked for a test of the endpoint".to_owned(),
            Self::EndpointDisabled => "the server disabled another endpoint of the workspace".to_owned(),
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(kind, status) => {
                write!(f, "{}.{}", kind.as_str().to_ascii_lowercase(), status.to_ascii_lowercase())
            }
            Self::EndpointTest => write!(f, "{ENDPOINT}.test"),
            Self::EndpointDisabled => write!(f, "{ENDPOINT}.disabled"),
        }
    }
}

const UNKNOWN: UnknownName = UnknownName { what: "event type" };

impl FromStr for EventType {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (subject, what) = text.split_once('.').ok_or(UNKNOWN)?;
        if text.chars().any(|c| c.is_ascii_uppercase()) {
            return Err(UNKNOWN);
        }
        match (subject, what) {
            (ENDPOINT, "test") => Ok(Self::EndpointTest),
            (ENDPOINT, "disabled") => Ok(Self::EndpointDisabled),
            _ => {
                let kind = kind_named(subject).ok_or(UNKNOWN)?;
                let status = statuses(kind).into_iter().find(|status| status.eq_ignore_ascii_case(what));
                Ok(Self::Status(kind, status.ok_or(UNKNOWN)?))
            }
        }
    }
}

/// The types that a subscription asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventPattern {
    /// `*`: all of them.
    Every,
    /// `purchase.*`: all of one kind of record.
    OfKind(SubjectKind),
    /// `endpoint.*`: those of endpoints.
    OfEndpoints,
    /// One.
    One(EventType),
}

impl EventPattern {
    /// Returns whether an event of this type is asked for.
    pub fn matches(self, event: EventType) -> bool {
        match self {
            Self::Every => true,
            Self::OfKind(kind) => event.subject_kind() == Some(kind),
            Self::OfEndpoints => event.subject_kind().is_none(),
            Self::One(one) => one == event,
        }
    }
}

impl fmt::Display for EventPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every => f.write_str("*"),
            Self::OfKind(kind) => write!(f, "{}.*", kind.as_str().to_ascii_lowercase()),
            Self::OfEndpoints => write!(f, "{ENDPOINT}.*"),
            Self::One(event) => event.fmt(f),
        }
    }
}

/// The text is not a pattern of event types.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("has {0:?}; it must be a type that ListEventTypes returns, one such as purchase.*, or *")]
pub struct UnknownPattern(String);

impl FromStr for EventPattern {
    type Err = UnknownPattern;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownPattern(text.to_owned());
        match text.strip_suffix(".*") {
            _ if text == "*" => Ok(Self::Every),
            Some(ENDPOINT) => Ok(Self::OfEndpoints),
            Some(subject) if subject.chars().any(|c| c.is_ascii_uppercase()) => Err(unknown()),
            Some(subject) => kind_named(subject).map(Self::OfKind).ok_or_else(unknown),
            None => text.parse().map(Self::One).map_err(|_| unknown()),
        }
    }
}

fn kind_named(text: &str) -> Option<SubjectKind> {
    SubjectKind::ALL.iter().copied().find(|kind| kind.as_str().eq_ignore_ascii_case(text))
}

/// The kind of record in words.
fn with_article(kind: SubjectKind) -> &'static str {
    match kind {
        SubjectKind::Membership => "a membership",
        SubjectKind::ApiKey => "an API key",
        SubjectKind::Contract => "a contract",
        SubjectKind::Purchase => "a purchase",
        SubjectKind::InventoryItem => "an item",
        SubjectKind::Pool => "a pool",
        SubjectKind::Intent => "an intent",
        SubjectKind::Account => "a trading account",
        SubjectKind::Remediation => "a remediation",
        SubjectKind::Provider => "a provider",
        SubjectKind::TradeOffer => "a trade offer",
        SubjectKind::InventoryChange => "an inventory change",
        SubjectKind::Import => "an import",
        SubjectKind::Friend => "a friend",
        SubjectKind::ChatMessage => "a chat message",
        SubjectKind::Confirmation => "a confirmation",
        SubjectKind::AccountSession => "a session of a trading account",
        SubjectKind::Renewal => "a renewal",
    }
}

/// The statuses of a kind of record, by the names that the log has.
fn statuses(kind: SubjectKind) -> Vec<&'static str> {
    macro_rules! of {
        ($status:ty) => {
            <$status>::ALL.iter().map(|status| status.as_str()).collect()
        };
    }
    match kind {
        SubjectKind::Membership => of!(membership::Status),
        SubjectKind::ApiKey => of!(KeyStatus),
        SubjectKind::Contract => of!(ContractStatus),
        SubjectKind::Purchase => of!(PurchaseStatus),
        SubjectKind::InventoryItem => of!(ItemStatus),
        SubjectKind::Pool => of!(PoolStatus),
        SubjectKind::Intent => of!(IntentStatus),
        SubjectKind::Account => of!(AccountStatus),
        SubjectKind::Remediation => of!(RemediationStatus),
        SubjectKind::Provider => of!(ProviderStatus),
        SubjectKind::TradeOffer => of!(TradeOfferStatus),
        SubjectKind::InventoryChange => of!(ChangeStatus),
        SubjectKind::Import => of!(ImportStatus),
        SubjectKind::Friend => of!(FriendRelation),
        SubjectKind::ChatMessage => of!(MessageStatus),
        SubjectKind::Confirmation => of!(ConfirmationStatus),
        SubjectKind::AccountSession => of!(SessionStatus),
        SubjectKind::Renewal => of!(RenewalStatus),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_type_has_a_name_of_its_own_and_is_found_by_it() {
        let all = EventType::all();
        let names: BTreeSet<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), all.len());
        for event in all {
            assert_eq!(event.to_string().parse(), Ok(event));
            assert_eq!(event.to_string().parse(), Ok(EventPattern::One(event)));
        }
        for name in ["purchase.traded", "contract.suspended", "api_key.revoked", "endpoint.test"] {
            assert!(names.contains(name), "{name}");
        }
    }

    #[test]
    fn a_pattern_is_one_type_a_kind_or_all() {
        let traded = EventType::Status(SubjectKind::Purchase, PurchaseStatus::Traded.as_str());
        for (pattern, matches) in [
            ("*", true),
            ("purchase.*", true),
            ("purchase.traded", true),
            ("purchase.paid", false),
            ("contract.*", false),
            ("endpoint.*", false),
        ] {
            let parsed: EventPattern = pattern.parse().unwrap();
            assert_eq!((parsed.to_string().as_str(), parsed.matches(traded)), (pattern, matches));
        }
        assert!("endpoint.*".parse::<EventPattern>().unwrap().matches(EventType::EndpointDisabled));
    }

    #[test]
    fn a_text_that_names_no_type_is_no_pattern() {
        for text in [
            "",
            ".",
            "purchase",
            "purchase.",
            "purchase.sold_out",
            "Purchase.*",
            "PURCHASE.TRADED",
            "*.*",
            "**",
            "endpoint.x",
        ] {
            assert_eq!(text.parse::<EventPattern>(), Err(UnknownPattern(text.to_owned())), "{text}");
        }
    }
}
