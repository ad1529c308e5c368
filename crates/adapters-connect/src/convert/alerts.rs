//! Records of `alerts.v1` on the wire.

use buffa::EnumValue;
use tradepost_domain::alerts::message::{AlertMessage, MessageState};
use tradepost_domain::alerts::rule::AlertRule;
use tradepost_domain::alerts::schedule::QuietHours;
use tradepost_operations::Versioned;
use tradepost_operations::alerts::ShownAlertChannel;

use crate::convert::enums::WireEnum;
use crate::convert::{wire_id, wire_number, wire_time};
use tradepost_proto::alerts::v1 as wire;
use tradepost_proto::contracts::v1::{RemediationSeverity, TransitionSubjectType};

pub(crate) fn channel(shown: &ShownAlertChannel) -> wire::AlertChannel {
    let (value, health) = (&shown.channel.value, &shown.health);
    let unspecified = EnumValue::Known(wire::AlertDisabledReason::ALERT_DISABLED_REASON_UNSPECIFIED);
    wire::AlertChannel {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        user_id: Some(value.user_id.map(wire_id).unwrap_or_default()),
        kind: Some(value.kind.to_wire()),
        name: Some(value.name.to_string()),
        target: Some(shown_text(value.target.as_ref())),
        secret_hint: Some(shown_text(value.secret_hint.as_ref())),
        status: Some(value.status.to_wire()),
        disabled_reason: Some(value.disabled_reason.map_or(unspecified, WireEnum::to_wire)),
        consecutive_failures: Some(wire_number(health.consecutive_failures)),
        last_success_at: health.last_success_at.map(wire_time).into(),
        last_failure_at: health.last_failure_at.map(wire_time).into(),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        version: Some(shown.channel.version),
    }
}

pub(crate) fn rule(rule: &Versioned<AlertRule>) -> wire::AlertRule {
    let (value, terms, schedule) = (&rule.value, &rule.value.terms, &rule.value.terms.schedule);
    let unspecified = EnumValue::Known(RemediationSeverity::REMEDIATION_SEVERITY_UNSPECIFIED);
    wire::AlertRule {
        id: Some(wire_id(value.id)),
        channel_id: Some(wire_id(value.channel_id)),
        topics: all_to_wire(&terms.topics),
        urgent_topics: all_to_wire(&terms.urgent),
        problem_kinds: all_to_wire(&terms.kinds),
        min_severity: Some(terms.min_severity.map_or(unspecified, WireEnum::to_wire)),
        silent_minutes: Some(terms.silent_minutes.into()),
        pace: Some(schedule.pace.to_wire()),
        time_zone: Some(schedule.zone.to_string()),
        quiet_from: Some(shown_text(schedule.quiet.map(QuietHours::from).as_ref())),
        quiet_to: Some(shown_text(schedule.quiet.map(QuietHours::to).as_ref())),
        daily_at: Some(schedule.daily_at.to_string()),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        version: Some(rule.version),
    }
}

pub(crate) fn message(value: &AlertMessage) -> wire::AlertMessage {
    let waits = value.state == MessageState::Waiting;
    let unspecified = EnumValue::Known(TransitionSubjectType::TRANSITION_SUBJECT_TYPE_UNSPECIFIED);
    wire::AlertMessage {
        id: Some(wire_id(value.id)),
        channel_id: Some(wire_id(value.channel_id)),
        rule_id: Some(value.rule_id.map(wire_id).unwrap_or_default()),
        topic: Some(value.topic.to_wire()),
        severity: Some(value.severity.to_wire()),
        subject_type: Some(value.subject.map_or(unspecified, |subject| subject.kind().to_wire())),
        subject_id: Some(value.subject.map(|subject| subject.id_bytes().to_vec()).unwrap_or_default()),
        title: Some(value.title.to_string()),
        detail: Some(shown_text(value.detail.as_ref())),
        state: Some(value.state.to_wire()),
        tries: Some(value.tries.into()),
        due_at: waits.then(|| wire_time(value.due_at)).into(),
        error: Some(shown_text(value.error.as_ref())),
        resolved_at: value.resolved_at.map(wire_time).into(),
        created_at: wire_time(value.created_at).into(),
        done_at: value.done_at.map(wire_time).into(),
    }
}

fn all_to_wire<E: WireEnum + Copy>(values: &[E]) -> Vec<EnumValue<E::Wire>> {
    values.iter().map(|value| value.to_wire()).collect()
}

fn shown_text(text: Option<&impl ToString>) -> String {
    text.map(ToString::to_string).unwrap_or_default()
}
