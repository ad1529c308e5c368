//! What a message is about, and what is known of it before a rule has decided.

use crate::contracts::remediation::{RemediationKind, RemediationParts, Severity};
use crate::names::names;
use crate::text::{Description, ReasonText, Text};
use crate::transition::Subject;

/// What a message is about. Every problem has one topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AlertTopic {
    /// A problem was opened that no other topic is about.
    Problem = 1,
    /// A contract was stopped because its purchases failed.
    Breaker = 2,
    /// A contract was stopped because it lost its limit of a day.
    LossLimit = 3,
    /// The platform no longer accepts a trading account, or has banned it.
    AccountLost = 4,
    /// Trading was halted, or the halt ended.
    Halt = 5,
    /// Contracts are active, and no engine has made a pass for a while.
    EngineSilent = 6,
    /// An item was bought.
    Bought = 7,
    /// An item was sold.
    Sold = 8,
    /// The trade of a day.
    DailySummary = 9,
    /// The trade of a week.
    WeeklySummary = 10,
    /// A test.
    Test = 11,
}

names! { AlertTopic, "topic of an alert":
    Problem => "PROBLEM",
    Breaker => "BREAKER",
    LossLimit => "LOSS_LIMIT",
    AccountLost => "ACCOUNT_LOST",
    Halt => "HALT",
    EngineSilent => "ENGINE_SILENT",
    Bought => "BOUGHT",
    Sold => "SOLD",
    DailySummary => "DAILY_SUMMARY",
    WeeklySummary => "WEEKLY_SUMMARY",
    Test => "TEST",
}

impl AlertTopic {
    /// Returns whether it sums up a day or a week, so that it has a time of the day of its own.
    pub const fn is_summary(self) -> bool {
        matches!(self, Self::DailySummary | Self::WeeklySummary)
    }

    /// Returns whether it is for information alone: nothing needs a person.
    pub const fn is_notice(self) -> bool {
        match self {
            Self::Bought | Self::Sold | Self::DailySummary | Self::WeeklySummary => true,
            Self::Problem
            | Self::Breaker
            | Self::LossLimit
            | Self::AccountLost
            | Self::Halt
            | Self::EngineSilent
            | Self::Test => false,
        }
    }

    /// Returns the topic of a problem.
    pub const fn of_problem(problem: &RemediationParts) -> Self {
        match problem.kind {
            // Of losses, the evidence is the day.
            RemediationKind::BreakerOpen if problem.evidence.shown_by.is_some() => Self::LossLimit,
            RemediationKind::BreakerOpen => Self::Breaker,
            RemediationKind::SessionFailed => Self::AccountLost,
            RemediationKind::OutcomeUnknown
            | RemediationKind::PaidNotDelivered
            | RemediationKind::LateDelivery
            | RemediationKind::Overpaid
            | RemediationKind::DuplicateSuspect
            | RemediationKind::OrphanItem
            | RemediationKind::MissingItem
            | RemediationKind::AssetIdMismatch
            | RemediationKind::ChainInvalid
            | RemediationKind::TradeReversed
            | RemediationKind::ConfirmationStuck
            | RemediationKind::BalanceMismatch
            | RemediationKind::FeeMismatch
            | RemediationKind::PriceSourceStale
            | RemediationKind::ProviderDown
            | RemediationKind::ListingMismatch
            | RemediationKind::TraitsDiffer
            | RemediationKind::NotServed
            | RemediationKind::StrangeOffer
            | RemediationKind::UnexpectedConfirmation
            | RemediationKind::AcknowledgeTrades
            | RemediationKind::TokenExpiring
            | RemediationKind::GivingLimitReached
            | RemediationKind::UnexpectedApiKey => Self::Problem,
        }
    }
}

/// What identifies a problem among the messages of a channel.
pub type ProblemKey = Text<100>;

/// Something that a rule may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertNews {
    /// What it is about.
    pub topic: AlertTopic,
    /// How severe it is.
    pub severity: Severity,
    /// Of a problem, its kind.
    pub kind: Option<RemediationKind>,
    /// The record that it is about.
    pub subject: Option<Subject>,
    /// What identifies it: the same however often it is seen.
    pub problem: ProblemKey,
    /// The title.
    pub title: ReasonText,
    /// More about it.
    pub detail: Option<Description>,
}
