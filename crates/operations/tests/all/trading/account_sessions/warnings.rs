//! The warning that a token ends: it becomes critical, alerts people each time, and stays dismissed as long as it is not worse.

use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_domain::contracts::remediation::{Remediation, Severity};
use tradepost_domain::id::AlertChannelId;
use tradepost_operations::alerts::{AlertRuleTerms, CreateAlertRule, GetAlertMessages, ListAlertMessages};
use tradepost_operations::contracts::DismissRemediation;

use super::*;
use crate::alerts::{terms, webhook};

impl Staff {
    /// The open warning of an account, after the engine has looked for tokens that end.
    async fn warning(&self, account_id: AccountId) -> Option<Remediation> {
        self.report_expiring().await;
        let live = self.world.store.remediations().list_live_of(self.scope(), Subject::Account(account_id)).await;
        let mut open = live.unwrap().into_iter().map(|seen| seen.into_display().0);
        open.find(|open| open.kind == RemediationKind::TokenExpiring)
    }

    async fn severity(&self, account_id: AccountId) -> Option<Severity> {
        self.warning(account_id).await.map(|open| open.severity)
    }

    async fn dismiss(&self, open: &Remediation) {
        let (workspace_id, reason) = (self.world.workspace_id, "it is known".to_owned());
        let command = DismissRemediation { workspace_id, remediation_id: open.id, reason, expected_version: None };
        self.world.operations.dismiss_remediation(&Caller::system(), command).await.unwrap();
    }

    /// A channel with a rule about these kinds of problems.
    async fn alerted_of(&self, kinds: Vec<RemediationKind>) -> AlertChannelId {
        let (on, system, workspace_id) = (&self.world.operations, Caller::system(), self.world.workspace_id);
        let created = on.create_alert_channel(&system, webhook(workspace_id)).await.unwrap();
        let channel_id = created.channel.channel.value.id;
        let terms = AlertRuleTerms { kinds, ..terms(&[AlertTopic::Problem]) };
        on.create_alert_rule(&system, CreateAlertRule { workspace_id, channel_id, terms }).await.unwrap();
        channel_id
    }

    /// What a channel was alerted of, the oldest first.
    async fn alerts(&self, channel_id: AlertChannelId) -> Vec<(AlertTopic, Severity)> {
        let (on, system, workspace_id) = (&self.world.operations, Caller::system(), self.world.workspace_id);
        on.place_transitions().await.unwrap();
        while on.follow_alerts().await.unwrap() {}
        let cursor = String::new();
        let list = ListAlertMessages { workspace_id, channel_id, limit: 200, cursor, state: None, topic: None };
        let mut message_ids = on.list_alert_messages(&system, list).await.unwrap().entries;
        message_ids.reverse();
        let get = GetAlertMessages { workspace_id, message_ids };
        let found = on.get_alert_messages(&system, get).await.unwrap().found;
        found.into_iter().map(|message| (message.value.topic, message.value.severity)).collect()
    }
}

#[tokio::test]
async fn a_warning_becomes_critical_three_days_before_the_end_of_the_token() {
    let staff = Staff::open().await;
    let account_id = staff.signed_in_for(20).await.account_id;
    staff.world.advance(DAY * 16);
    let open = staff.warning(account_id).await.unwrap();
    assert_eq!(open.severity, Severity::Warning);
    staff.world.advance(DAY);
    for _ in 0..2 {
        let raised = staff.warning(account_id).await.unwrap();
        assert_eq!((raised.id, raised.severity), (open.id, Severity::Critical));
    }
    let log = staff.world.store.transitions().list_of(staff.scope(), Subject::Remediation(open.id), 9).await.unwrap();
    assert_eq!(log.iter().map(|step| step.trigger).collect::<Vec<_>>(), ["opened", "raised"]);
}

#[tokio::test]
async fn a_token_that_ends_within_three_days_is_critical_from_the_start() {
    let staff = Staff::open().await;
    let account_id = staff.signed_in_for(2).await.account_id;
    assert_eq!(staff.severity(account_id).await, Some(Severity::Critical));
}

#[tokio::test]
async fn a_dismissed_warning_is_opened_again_only_once_it_is_critical() {
    let staff = Staff::open().await;
    let account_id = staff.signed_in_for(20).await.account_id;
    staff.world.advance(DAY * 10);
    staff.dismiss(&staff.warning(account_id).await.unwrap()).await;
    assert_eq!(staff.severity(account_id).await, None);
    staff.world.advance(DAY * 7);
    let critical = staff.warning(account_id).await.unwrap();
    assert_eq!(critical.severity, Severity::Critical);
    staff.dismiss(&critical).await;
    assert_eq!(staff.severity(account_id).await, None);
}

#[tokio::test]
async fn people_are_alerted_of_a_token_that_ends_of_its_last_days_and_of_a_lost_session() {
    let staff = Staff::open().await;
    let channel = staff.alerted_of(vec![RemediationKind::TokenExpiring, RemediationKind::SessionFailed]).await;
    let account_id = staff.signed_in_for(20).await.account_id;
    staff.world.advance(DAY * 10);
    staff.report_expiring().await;
    let warned = (AlertTopic::Problem, Severity::Warning);
    assert_eq!(staff.alerts(channel).await, [warned]);
    staff.world.advance(DAY * 7);
    staff.report_expiring().await;
    let critical = (AlertTopic::Problem, Severity::Critical);
    for _ in 0..2 {
        assert_eq!(staff.alerts(channel).await, [warned, critical]);
    }
    for event in [AccountEvent::SigningIn, AccountEvent::SignedIn, AccountEvent::SessionLost] {
        staff.record_event(account_id, event).await.unwrap();
    }
    let lost = (AlertTopic::AccountLost, Severity::Warning);
    assert_eq!(staff.alerts(channel).await, [warned, critical, lost]);
}
