//! What a rule says, as a user gives it, and rules as they are seen.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::alerts::rule::{AlertRule, LEAST_SILENCE, MOST_SILENCE, RuleTerms, USUAL_SILENCE};
use tradepost_domain::alerts::schedule::{DayTime, Pace, QuietHours, Schedule};
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_domain::contracts::remediation::{RemediationKind, Severity};
use tradepost_domain::id::AlertRuleId;
use tradepost_ports::changes::{Caller, Seen};

use crate::alerts::channels::access::is_seen_by;
use crate::{OpError, OpResult, Operations};

/// What a rule says, as a user gives it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AlertRuleTerms {
    /// The topics, at least one.
    pub topics: Vec<AlertTopic>,
    /// The topics among them that are sent at once in any case.
    pub urgent: Vec<AlertTopic>,
    /// The kinds of problems; none for all.
    pub kinds: Vec<RemediationKind>,
    /// How severe problems are at least.
    pub min_severity: Option<Severity>,
    /// How long an engine may be silent: 2 to 1440 min; 0 is 10.
    pub silent_minutes: i32,
    /// When messages are sent; absent, at once.
    pub pace: Option<Pace>,
    /// The time zone; empty is that of the workspace now.
    pub time_zone: String,
    /// When quiet hours begin; empty without quiet hours.
    pub quiet_from: String,
    /// When quiet hours end.
    pub quiet_to: String,
    /// When what is sent once a day; empty is 08:00.
    pub daily_at: String,
}

impl AlertRuleTerms {
    /// Checks what a user gives.
    pub(super) async fn checked(&self, operations: &Operations, scope: WorkspaceScope) -> OpResult<RuleTerms> {
        let invalid = |field, error: &dyn std::fmt::Display| OpError::invalid_field(field, error);
        let topics = RuleTerms::topics(self.topics.clone()).map_err(|error| invalid("topics", &error))?;
        let urgent = RuleTerms::urgent(self.urgent.clone(), &topics);
        let mut kinds = self.kinds.clone();
        kinds.sort_unstable();
        kinds.dedup();
        Ok(RuleTerms {
            urgent: urgent.map_err(|error| invalid("urgentTopics", &error))?,
            topics,
            kinds,
            min_severity: self.min_severity,
            silent_minutes: self.silence()?,
            schedule: self.schedule(self.zone(operations, scope).await?)?,
        })
    }

    fn silence(&self) -> OpResult<u16> {
        let minutes = u16::try_from(self.silent_minutes).ok();
        match minutes {
            Some(0) => Ok(USUAL_SILENCE),
            Some(minutes) if (LEAST_SILENCE..=MOST_SILENCE).contains(&minutes) => Ok(minutes),
            Some(_) | None => {
                let rule = format_args!("must be from {LEAST_SILENCE} to {MOST_SILENCE}, or 0 for {USUAL_SILENCE}");
                Err(OpError::invalid_field("silentMinutes", rule))
            }
        }
    }

    async fn zone(&self, operations: &Operations, scope: WorkspaceScope) -> OpResult<TimeZone> {
        if self.time_zone.is_empty() {
            let found = operations.ports.store.workspaces().find(scope).await?;
            return Ok(found.ok_or_else(|| OpError::not_found("workspace"))?.peek().time_zone.clone());
        }
        TimeZone::new(&self.time_zone).map_err(|error| OpError::invalid_field("timeZone", error))
    }

    fn schedule(&self, zone: TimeZone) -> OpResult<Schedule> {
        let quiet = match (self.quiet_from.as_str(), self.quiet_to.as_str()) {
            ("", "") => None,
            (from, to) => {
                let hours = QuietHours::new(time("quietFrom", from)?, time("quietTo", to)?);
                Some(hours.map_err(|error| OpError::invalid_field("quietTo", error))?)
            }
        };
        let daily_at = if self.daily_at.is_empty() { DayTime::MORNING } else { time("dailyAt", &self.daily_at)? };
        Ok(Schedule { zone, pace: self.pace.unwrap_or(Pace::AtOnce), quiet, daily_at })
    }
}

fn time(field: &str, text: &str) -> OpResult<DayTime> {
    text.parse().map_err(|error| OpError::invalid_field(field, error))
}

/// Returns a rule that the caller sees.
pub(super) async fn rule_as_seen(
    operations: &Operations,
    caller: &Caller,
    scope: WorkspaceScope,
    id: AlertRuleId,
) -> OpResult<Seen<AlertRule>> {
    let found = operations.ports.store.alerts().find_rules(scope, &[id]).await?;
    let seen = found.into_iter().find(|rule| is_seen_by(caller, rule.peek().user_id));
    seen.ok_or_else(|| OpError::not_found("alert rule"))
}
