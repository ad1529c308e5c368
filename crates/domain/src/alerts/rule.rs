//! A rule of a channel: what is sent to it, and when.

use super::schedule::Schedule;
use super::topic::{AlertNews, AlertTopic};
use crate::contracts::remediation::{RemediationKind, Severity};
use crate::id::{AlertChannelId, AlertRuleId, UserId, WorkspaceId};
use crate::time::Timestamp;

/// The most rules of a channel.
pub const MOST_RULES: usize = 20;
/// How long an engine may be silent: at least,
pub const LEAST_SILENCE: u16 = 2;
/// at most,
pub const MOST_SILENCE: u16 = 1_440;
/// and unless something else is said, in minutes.
pub const USUAL_SILENCE: u16 = 10;

/// What a rule says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTerms {
    /// The topics, at least one, each once.
    pub topics: Vec<AlertTopic>,
    /// The topics among them that are sent at once in any case.
    pub urgent: Vec<AlertTopic>,
    /// With the topic `PROBLEM`, the kinds of problems; none for all of that topic. A kind of another topic can be among them.
    pub kinds: Vec<RemediationKind>,
    /// How severe problems of the topic `PROBLEM` are at least.
    pub min_severity: Option<Severity>,
    /// How long an engine may be silent.
    pub silent_minutes: u16,
    /// When messages are sent.
    pub schedule: Schedule,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertRule {
    /// Its own id.
    pub id: AlertRuleId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
    /// The member whose own channel it is of; absent for one of the workspace.
    pub user_id: Option<UserId>,
    /// What it says.
    pub terms: RuleTerms,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The topics of a rule break a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TopicsError {
    /// There are none.
    #[error("must not be empty")]
    None,
    /// A test is not something to ask for.
    #[error("must not have TEST: SendTestAlert sends a test")]
    Test,
    /// An urgent topic is not a topic of the rule.
    #[error("has {0}, which is not among the topics")]
    Foreign(AlertTopic),
}

impl RuleTerms {
    /// Returns the topics of a rule, each once and in order.
    ///
    /// # Errors
    /// [`TopicsError`] for none, and for a test.
    pub fn topics(mut given: Vec<AlertTopic>) -> Result<Vec<AlertTopic>, TopicsError> {
        given.sort_unstable();
        given.dedup();
        match given.last() {
            None => Err(TopicsError::None),
            Some(AlertTopic::Test) => Err(TopicsError::Test),
            Some(_) => Ok(given),
        }
    }

    /// Returns the urgent ones among the topics of a rule, each once and in order.
    ///
    /// # Errors
    /// [`TopicsError`] for one that is not among them.
    pub fn urgent(mut given: Vec<AlertTopic>, topics: &[AlertTopic]) -> Result<Vec<AlertTopic>, TopicsError> {
        given.sort_unstable();
        given.dedup();
        match given.iter().find(|topic| !topics.contains(topic)) {
            Some(foreign) => Err(TopicsError::Foreign(*foreign)),
            None => Ok(given),
        }
    }

    /// Returns whether the rule asks for a topic.
    pub fn has(&self, topic: AlertTopic) -> bool {
        self.topics.contains(&topic)
    }

    /// Returns whether the rule asks for this: by its topic, or by the kind of a problem that it names.
    pub fn matches(&self, news: &AlertNews) -> bool {
        if news.topic != AlertTopic::Problem && self.has(news.topic) {
            return true;
        }
        let is_named = news.kind.is_some_and(|kind| self.kinds.contains(&kind));
        let is_any = self.kinds.is_empty() && news.topic == AlertTopic::Problem;
        let is_severe = self.min_severity.is_none_or(|least| news.severity >= least);
        self.has(AlertTopic::Problem) && (is_named || is_any) && is_severe
    }

    /// Returns when a message about this is due that is created now. A summary is created at its own time of the day, so no pace
    /// delays it.
    pub fn due(&self, topic: AlertTopic, at: Timestamp) -> Timestamp {
        if self.urgent.contains(&topic) {
            return at;
        }
        if topic.is_summary() { self.schedule.after_quiet_hours(at) } else { self.schedule.due(at) }
    }
}

impl AlertRule {
    /// Replaces what it says.
    #[must_use]
    pub fn with_terms(self, terms: RuleTerms, at: Timestamp) -> Self {
        Self { terms, updated_at: at.max(self.updated_at), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::preferences::TimeZone;
    use crate::alerts::schedule::{DayTime, Pace, QuietHours};
    use crate::text::Text;

    fn news(topic: AlertTopic, severity: Severity, kind: Option<RemediationKind>) -> AlertNews {
        let (problem, title) = (Text::new("one").unwrap(), Text::new("title").unwrap());
        AlertNews { topic, severity, kind, subject: None, problem, title, detail: None }
    }

    fn terms() -> RuleTerms {
        let zone = TimeZone::new("UTC").unwrap();
        RuleTerms {
            topics: vec![AlertTopic::Problem, AlertTopic::Breaker],
            urgent: vec![],
            kinds: vec![RemediationKind::MissingItem, RemediationKind::FeeMismatch],
            min_severity: Some(Severity::Warning),
            silent_minutes: USUAL_SILENCE,
            schedule: Schedule { zone, pace: Pace::Hourly, quiet: None, daily_at: DayTime::MORNING },
        }
    }

    #[test]
    fn kinds_and_severity_narrow_problems_alone() {
        let missing = Some(RemediationKind::MissingItem);
        assert!(terms().matches(&news(AlertTopic::Problem, Severity::Critical, missing)));
        assert!(!terms().matches(&news(AlertTopic::Problem, Severity::Critical, Some(RemediationKind::Overpaid))));
        assert!(!terms().matches(&news(AlertTopic::Problem, Severity::Info, Some(RemediationKind::FeeMismatch))));
        assert!(terms().matches(&news(AlertTopic::Breaker, Severity::Info, Some(RemediationKind::BreakerOpen))));
        assert!(!terms().matches(&news(AlertTopic::Sold, Severity::Critical, None)));
        let all = RuleTerms { kinds: vec![], min_severity: None, ..terms() };
        assert!(all.matches(&news(AlertTopic::Problem, Severity::Info, Some(RemediationKind::Overpaid))));
    }

    #[test]
    fn a_kind_that_a_rule_names_is_sent_whatever_topic_it_has() {
        let lost = news(AlertTopic::AccountLost, Severity::Warning, Some(RemediationKind::SessionFailed));
        let kinds = vec![RemediationKind::SessionFailed, RemediationKind::TokenExpiring];
        let named = RuleTerms { topics: vec![AlertTopic::Problem], kinds, ..terms() };
        assert!(named.matches(&lost));
        assert!(!RuleTerms { kinds: vec![], ..named.clone() }.matches(&lost), "another topic is about it");
        assert!(!RuleTerms { topics: vec![AlertTopic::Sold], ..named.clone() }.matches(&lost));
        let expiring = |severity| news(AlertTopic::Problem, severity, Some(RemediationKind::TokenExpiring));
        let critical = RuleTerms { min_severity: Some(Severity::Critical), ..named };
        assert!(critical.matches(&expiring(Severity::Critical)) && !critical.matches(&expiring(Severity::Warning)));
    }

    #[test]
    fn topics_are_some_and_none_is_a_test_and_urgent_ones_are_among_them() {
        use AlertTopic::{Breaker, Problem, Sold, Test};
        assert_eq!(RuleTerms::topics(vec![Sold, Problem, Sold]), Ok(vec![Problem, Sold]));
        assert_eq!(RuleTerms::topics(vec![]), Err(TopicsError::None));
        assert_eq!(RuleTerms::topics(vec![Test, Problem]), Err(TopicsError::Test));
        assert_eq!(RuleTerms::urgent(vec![Breaker, Breaker], &[Problem, Breaker]), Ok(vec![Breaker]));
        assert_eq!(RuleTerms::urgent(vec![Sold], &[Problem]), Err(TopicsError::Foreign(Sold)));
    }

    #[test]
    fn an_urgent_topic_does_not_wait_for_the_others() {
        let terms = RuleTerms { urgent: vec![AlertTopic::Breaker], ..terms() };
        let at = Timestamp::from_micros(60_000_000).unwrap();
        assert_eq!(terms.due(AlertTopic::Breaker, at), at);
        assert_eq!(terms.due(AlertTopic::Problem, at).as_micros(), 3_600_000_000);
    }

    #[test]
    fn a_summary_waits_for_the_end_of_quiet_hours_and_for_no_digest() {
        let at = Timestamp::from_micros(60_000_000).unwrap();
        for pace in [Pace::AtOnce, Pace::Hourly, Pace::Daily] {
            let schedule = Schedule { pace, ..terms().schedule };
            let summaries = RuleTerms { schedule, ..terms() };
            assert_eq!(summaries.due(AlertTopic::DailySummary, at), at, "{pace:?}");
            let quiet = QuietHours::new("00:00".parse().unwrap(), "01:00".parse().unwrap()).unwrap();
            let schedule = Schedule { quiet: Some(quiet), ..summaries.schedule };
            let at_night = RuleTerms { schedule, ..terms() };
            assert_eq!(at_night.due(AlertTopic::WeeklySummary, at).as_micros(), 3_600_000_000, "{pace:?}");
        }
    }
}
