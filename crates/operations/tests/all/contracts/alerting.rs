//! Alerts: one message for one problem, sent when its rule says so.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures::future::join_all;
use time::Duration;
use tradepost_domain::accounts::policy::{Policy, Role};
use tradepost_domain::alerts::channel::{ChannelDisabledReason, ChannelKind, ChannelStatus};
use tradepost_domain::alerts::message::{AlertMessage, MessageState};
use tradepost_domain::alerts::schedule::Pace;
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind, Severity};
use tradepost_domain::id::AlertChannelId;
use tradepost_domain::text::Name;
use tradepost_domain::trading::lease::Work;
use tradepost_domain::transition::Subject;
use tradepost_operations::accounts::{RemoveMembership, SetTradingHalt};
use tradepost_operations::alerts::{
    AlertRuleTerms, CreateAlertChannel, CreateAlertRule, GetAlertChannel, GetAlertMessages, ListAlertMessages,
};
use tradepost_operations::contracts::{HoldLeases, OpenRemediation, ResolveRemediation};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::alerts::AlertError;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::Records as _;
use tradepost_testkit::samples::text;

use super::Desk;
use crate::alerts::{terms, webhook};

const PROBLEMS: [AlertTopic; 2] = [AlertTopic::Problem, AlertTopic::Breaker];

impl Desk {
    /// A channel of the workspace with a rule.
    async fn alerted(&self, terms: AlertRuleTerms) -> AlertChannelId {
        self.alerted_by(&Caller::system(), webhook(self.workspace_id()), terms).await
    }

    async fn alerted_by(&self, by: &Caller, channel: CreateAlertChannel, terms: AlertRuleTerms) -> AlertChannelId {
        let created = self.operations().create_alert_channel(by, channel).await.unwrap();
        let (workspace_id, channel_id) = (self.workspace_id(), created.channel.channel.value.id);
        let rule = CreateAlertRule { workspace_id, channel_id, terms };
        self.operations().create_alert_rule(by, rule).await.unwrap();
        channel_id
    }

    /// Does what the process does in the background, until nothing is left to do now.
    async fn background(&self) {
        work(self.operations()).await;
    }

    /// The address of a page of the console in this workspace.
    fn link(&self, path: &str) -> String {
        let workspace = URL_SAFE_NO_PAD.encode(self.workspace_id().to_bytes());
        format!("https://tradepost.example.com/{path}?workspace={workspace}")
    }

    /// The titles that were received, in their order.
    fn titles(&self) -> Vec<String> {
        self.world.alerts.received().into_iter().map(|received| received.text.title).collect()
    }

    /// The messages of a channel, the oldest first.
    async fn messages(&self, channel_id: AlertChannelId) -> Vec<AlertMessage> {
        let (workspace_id, cursor) = (self.workspace_id(), String::new());
        let list = ListAlertMessages { workspace_id, channel_id, limit: 200, cursor, state: None, topic: None };
        let mut message_ids = self.operations().list_alert_messages(&Caller::system(), list).await.unwrap().entries;
        message_ids.reverse();
        if message_ids.is_empty() {
            return Vec::new();
        }
        let get = GetAlertMessages { workspace_id, message_ids };
        let found = self.operations().get_alert_messages(&Caller::system(), get).await.unwrap().found;
        found.into_iter().map(|found| found.value).collect()
    }

    async fn halt(&self, halted: bool) {
        let reason = if halted { "a strange price".to_owned() } else { String::new() };
        let command = SetTradingHalt { workspace_id: self.workspace_id(), halted, reason };
        self.operations().set_trading_halt(&self.trader, command).await.unwrap();
    }

    /// A pass of an engine, as far as others see it.
    async fn pass(&self, lease: &mut Option<i64>) {
        let node = Name::new("node-1").unwrap();
        let take = vec![(Work::Presence(node.clone()), *lease)];
        let command = HoldLeases { workspace_id: self.workspace_id(), node, take, give_up: Vec::new() };
        let held = self.operations().hold_leases(&self.trader, command).await.unwrap();
        *lease = Some(held[0].fence.version);
    }

    async fn problem_with_purchase(&self, number: u32, kind: RemediationKind) {
        let purchase = self.buy(number).await;
        self.open_problem(kind, Subject::Purchase(purchase)).await;
    }
}

async fn work(operations: &Operations) {
    operations.place_transitions().await.unwrap();
    while operations.follow_alerts().await.unwrap() {}
    operations.look_for_alerts().await.unwrap();
    for channel in operations.list_due_channels().await.unwrap() {
        while operations.send_due(channel).await.unwrap() {}
    }
}

#[tokio::test]
async fn a_problem_is_one_message_with_its_link_however_many_processes_follow() {
    let desk = Desk::open().await;
    let channel = desk.alerted(terms(&PROBLEMS)).await;
    let purchase = Subject::Purchase(desk.buy(1).await);
    let problem = desk.open_problem(RemediationKind::PaidNotDelivered, purchase).await;
    let others = [desk.world.restarted(|_| {}), desk.world.restarted(|_| {})];
    let processes = [desk.operations(), &*others[0].operations, &*others[1].operations];
    for _ in 0..3 {
        join_all(processes.map(work)).await;
        desk.open_problem(RemediationKind::PaidNotDelivered, purchase).await;
    }
    assert_eq!(desk.titles(), ["A purchase was paid and is not delivered"]);
    let received = desk.world.alerts.received().remove(0).text;
    let id = URL_SAFE_NO_PAD.encode(problem.id.to_bytes());
    assert_eq!(received.link.unwrap(), desk.link(&format!("problems/{id}")));
    assert!(received.lines[0].starts_with("PAID_NOT_DELIVERED of PURCHASE"), "{:?}", received.lines);
    let [message] = &desk.messages(channel).await[..] else { panic!("one message") };
    assert_eq!((message.state, message.subject), (MessageState::Sent, Some(Subject::Remediation(problem.id))));
}

#[tokio::test]
async fn what_waits_in_quiet_hours_is_one_message_at_their_end_and_urgent_topics_do_not_wait() {
    let desk = Desk::open().await;
    let now = desk.world.clock.now();
    let minutes = now.as_micros().div_euclid(60_000_000).rem_euclid(1_440);
    let clock = |minutes: i64| format!("{:02}:{:02}", minutes.rem_euclid(1_440) / 60, minutes.rem_euclid(60));
    let (quiet_from, quiet_to) = (clock(minutes - 60), clock(minutes + 60));
    let topics = [AlertTopic::Problem, AlertTopic::Halt];
    let urgent = vec![AlertTopic::Halt];
    let channel = desk.alerted(AlertRuleTerms { quiet_from, quiet_to, urgent, ..terms(&topics) }).await;
    desk.problem_with_purchase(1, RemediationKind::PaidNotDelivered).await;
    desk.problem_with_purchase(2, RemediationKind::Overpaid).await;
    desk.halt(true).await;
    desk.background().await;
    assert_eq!(desk.titles(), ["Trading was halted"]);
    assert_eq!(desk.messages(channel).await.len(), 3);
    let purchase = desk.problems().await.remove(1).subject;
    let workspace_id = desk.workspace_id();
    let resolve = ResolveRemediation { workspace_id, kind: RemediationKind::Overpaid, subject: purchase };
    assert!(desk.operations().resolve_remediation(&desk.trader, resolve).await.unwrap());
    desk.background().await;
    desk.advance_clock(Duration::minutes(61));
    desk.background().await;
    assert_eq!(desk.titles()[1..], ["2 alerts, 1 of them critical"]);
    let together = desk.world.alerts.received().remove(1).text;
    let lines = [
        "CRITICAL: A purchase was paid and is not delivered",
        "WARNING: A marketplace charged more than a purchase may cost (resolved)",
    ];
    assert_eq!(together.lines, lines);
    assert_eq!(together.link.unwrap(), desk.link("problems"));
}

#[tokio::test]
async fn a_digest_of_everything_does_not_delay_what_another_rule_wants_at_once() {
    let desk = Desk::open().await;
    let channel_id = desk.alerted(AlertRuleTerms { pace: Some(Pace::Daily), ..terms(&PROBLEMS) }).await;
    let critical = AlertRuleTerms { min_severity: Some(Severity::Critical), ..terms(&PROBLEMS) };
    let second = CreateAlertRule { workspace_id: desk.workspace_id(), channel_id, terms: critical };
    desk.operations().create_alert_rule(&Caller::system(), second).await.unwrap();
    desk.problem_with_purchase(1, RemediationKind::PaidNotDelivered).await;
    desk.problem_with_purchase(2, RemediationKind::Overpaid).await;
    desk.background().await;
    assert_eq!(desk.titles(), ["A purchase was paid and is not delivered"]);
    desk.advance_clock(Duration::DAY);
    desk.background().await;
    assert_eq!(desk.titles()[1..], ["A marketplace charged more than a purchase may cost"]);
}

#[tokio::test]
async fn an_hourly_rule_sends_the_messages_of_an_hour_together() {
    let desk = Desk::open().await;
    desk.alerted(AlertRuleTerms { pace: Some(Pace::Hourly), ..terms(&PROBLEMS) }).await;
    desk.problem_with_purchase(1, RemediationKind::PaidNotDelivered).await;
    desk.background().await;
    desk.problem_with_purchase(2, RemediationKind::LateDelivery).await;
    desk.background().await;
    assert_eq!(desk.titles(), <[&str; 0]>::default());
    desk.advance_clock(Duration::HOUR);
    desk.background().await;
    assert_eq!(desk.titles(), ["2 alerts, 2 of them critical"]);
}

#[tokio::test]
async fn a_channel_gets_twenty_messages_an_hour_and_then_one_of_all_that_waited() {
    let desk = Desk::open().await;
    let channel = desk.alerted(terms(&PROBLEMS)).await;
    let kinds = [
        RemediationKind::PaidNotDelivered,
        RemediationKind::LateDelivery,
        RemediationKind::Overpaid,
        RemediationKind::TradeReversed,
        RemediationKind::FeeMismatch,
    ];
    for number in 1..=7 {
        let purchase = Subject::Purchase(desk.buy(number).await);
        for kind in kinds {
            desk.open_problem(kind, purchase).await;
            desk.background().await;
        }
    }
    assert_eq!(desk.titles().len(), 20);
    desk.advance_clock(Duration::HOUR);
    desk.background().await;
    assert_eq!(desk.titles()[20..], ["15 alerts, 9 of them critical"]);
    let together = desk.world.alerts.received().remove(20).text;
    assert_eq!((together.lines.len(), together.lines[10].as_str()), (11, "5 more, see the console"));
    assert!(desk.messages(channel).await.iter().all(|message| message.state == MessageState::Sent));
}

#[tokio::test]
async fn a_halt_is_reported_when_it_begins_and_when_it_ends() {
    let desk = Desk::open().await;
    desk.alerted(terms(&[AlertTopic::Halt])).await;
    desk.background().await;
    desk.halt(true).await;
    for _ in 0..2 {
        desk.background().await;
    }
    assert_eq!(desk.world.alerts.received().remove(0).text.lines, ["a strange price"]);
    desk.halt(false).await;
    for _ in 0..2 {
        desk.background().await;
    }
    assert_eq!(desk.titles(), ["Trading was halted", "The halt of trading ended"]);
}

#[tokio::test]
async fn an_engine_that_is_silent_is_reported_once_for_each_silence() {
    let desk = Desk::open().await;
    desk.alerted(AlertRuleTerms { silent_minutes: 5, ..terms(&[AlertTopic::EngineSilent]) }).await;
    let mut lease = None;
    for _ in 0..2 {
        desk.pass(&mut lease).await;
        desk.advance_clock(Duration::minutes(4));
        desk.background().await;
        let before = desk.titles().len();
        for _ in 0..3 {
            desk.advance_clock(Duration::minutes(2));
            desk.background().await;
        }
        assert_eq!(desk.titles().len(), before + 1);
    }
    assert_eq!(desk.titles()[0], "No engine has made a pass for 5 min, and contracts are active");
}

#[tokio::test]
async fn a_heartbeat_is_called_every_minute_while_an_engine_makes_passes() {
    let desk = Desk::open().await;
    let heartbeat = CreateAlertChannel {
        kind: Some(ChannelKind::Heartbeat),
        target: String::new(),
        secret: "https://beat.example.com/1".into(),
        ..webhook(desk.workspace_id())
    };
    desk.operations().create_alert_channel(&Caller::system(), heartbeat).await.unwrap();
    desk.background().await;
    assert_eq!(desk.world.alerts.beats(), <[&str; 0]>::default(), "no engine made a pass");
    desk.pass(&mut None).await;
    for _ in 0..24 {
        desk.background().await;
        desk.advance_clock(Duration::seconds(30));
    }
    assert_eq!(
        desk.world.alerts.beats(),
        ["https://beat.example.com/1"; 2],
        "it ends when the engine has made none for 2 min"
    );
}

#[tokio::test]
async fn purchases_sales_and_the_day_are_notices() {
    let desk = Desk::open().await;
    let topics = [AlertTopic::Bought, AlertTopic::Sold, AlertTopic::DailySummary];
    desk.alerted(terms(&topics)).await;
    let purchase = desk.pay(1).await;
    let received = desk.operations().receive_item(&desk.trader, desk.arrival(purchase, 1)).await.unwrap();
    desk.background().await;
    desk.deliver(received.item.value.id, 1, None).await;
    desk.settle(received.item.value.id).await;
    desk.background().await;
    desk.advance_clock(Duration::hours(36));
    desk.background().await;
    let bought = "Bought AK-47 | Redline (Field-Tested) for 12.00 USD";
    let sold = "Sold AK-47 | Redline (Field-Tested) for 15.00 USD";
    assert_eq!(desk.titles(), [bought, sold, "Summary of the day: 1 bought, 1 sold, 2.05 USD earned"]);
}

#[tokio::test]
async fn the_week_is_a_notice_on_monday_and_no_other_day() {
    let desk = Desk::open().await;
    desk.alerted(terms(&[AlertTopic::WeeklySummary])).await;
    let purchase = desk.pay(1).await;
    desk.operations().receive_item(&desk.trader, desk.arrival(purchase, 1)).await.unwrap();
    // Noon: the summary of a day comes in the morning.
    desk.advance_clock(Duration::hours(12));
    let mut received = Vec::new();
    for _ in 0..14 {
        desk.advance_clock(Duration::days(1));
        desk.background().await;
        received.push(desk.titles().len());
    }
    // The clock begins on a Thursday.
    assert_eq!(received, [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
    assert!(desk.titles()[0].starts_with("Summary of the week: 1 bought, 0 sold"), "{:?}", desk.titles());
}

#[tokio::test]
async fn a_stopped_contract_a_lost_limit_and_a_lost_account_are_topics_of_their_own() {
    let of_a_day = Evidence { shown_by: Some(text("2026-01-01")), ..Evidence::default() };
    for (topic, kind, evidence) in [
        (AlertTopic::Breaker, RemediationKind::BreakerOpen, Evidence::default()),
        (AlertTopic::LossLimit, RemediationKind::BreakerOpen, of_a_day),
        (AlertTopic::AccountLost, RemediationKind::SessionFailed, Evidence::default()),
    ] {
        let desk = Desk::open().await;
        let is_of_account = kind == RemediationKind::SessionFailed;
        let account = desk.operations().create_account(&Caller::system(), desk.account(7)).await.unwrap().value.id;
        let subject = if is_of_account { Subject::Account(account) } else { Subject::Contract(desk.contract_id) };
        let channel = desk.alerted(terms(&[topic])).await;
        desk.problem_with_purchase(1, RemediationKind::PaidNotDelivered).await;
        let open = OpenRemediation { workspace_id: desk.workspace_id(), kind, subject, evidence };
        desk.operations().open_remediation(&desk.trader, open).await.unwrap();
        desk.background().await;
        let topics: Vec<AlertTopic> = desk.messages(channel).await.iter().map(|message| message.topic).collect();
        assert_eq!(topics, [topic]);
    }
}

#[tokio::test]
async fn a_failure_is_tried_again_and_a_final_one_disables_the_channel() {
    let desk = Desk::open().await;
    let channel_id = desk.alerted(terms(&PROBLEMS)).await;
    let error = |is_final| AlertError { reason: "bot blocked".to_owned(), retry_after: None, is_final };
    desk.world.alerts.reject_next(error(false));
    desk.problem_with_purchase(1, RemediationKind::PaidNotDelivered).await;
    desk.background().await;
    assert_eq!(desk.messages(channel_id).await[0].tries, 1);
    desk.advance_clock(Duration::seconds(6));
    desk.background().await;
    assert_eq!(desk.messages(channel_id).await[0].state, MessageState::Sent);
    desk.world.alerts.reject_next(error(true));
    desk.problem_with_purchase(2, RemediationKind::PaidNotDelivered).await;
    desk.background().await;
    let failed = desk.messages(channel_id).await.remove(1);
    assert_eq!((failed.state, failed.error.unwrap().as_str()), (MessageState::Failed, "bot blocked"));
    let get = GetAlertChannel { workspace_id: desk.workspace_id(), channel_id };
    let shown = desk.operations().get_alert_channel(&Caller::system(), get).await.unwrap().channel.value;
    let removed = Some(ChannelDisabledReason::Removed);
    assert_eq!((shown.status, shown.disabled_reason), (ChannelStatus::Disabled, removed));
    let mail = desk.world.mailer.last_to(&desk.world.owner).unwrap();
    assert!(mail.subject.contains("alert channel was disabled"), "{}", mail.subject);
}

#[tokio::test]
async fn a_member_who_left_gets_nothing_more() {
    let desk = Desk::open().await;
    let member = desk.world.member("member@example.com", Role::Member, &[Policy::Trading]).await;
    let caller = desk.world.proven_key_of(&member).await;
    let own = CreateAlertChannel { own: true, ..webhook(desk.workspace_id()) };
    let hourly = AlertRuleTerms { pace: Some(Pace::Hourly), ..terms(&PROBLEMS) };
    let channel = desk.alerted_by(&caller, own, hourly).await;
    desk.problem_with_purchase(1, RemediationKind::PaidNotDelivered).await;
    desk.background().await;
    let (workspace_id, membership_id) = (desk.workspace_id(), member.membership.id);
    let remove = RemoveMembership { workspace_id, membership_id };
    desk.operations().remove_membership(&Caller::system(), remove).await.unwrap();
    desk.problem_with_purchase(2, RemediationKind::PaidNotDelivered).await;
    desk.advance_clock(Duration::HOUR);
    desk.background().await;
    assert_eq!(desk.titles(), <[&str; 0]>::default());
    let scope = desk.scope();
    let due = desk.world.store.alerts();
    let page = tradepost_ports::store::PageRequest { before: None, limit: 9 };
    let filter = tradepost_ports::store::AlertMessageFilter { channel_id: channel, state: None, topic: None };
    let ids = due.list_messages(scope, filter, page).await.unwrap().ids;
    let found = due.find_messages(scope, &ids).await.unwrap();
    assert_eq!(found.iter().map(|message| message.peek().state).collect::<Vec<_>>(), [MessageState::Dropped]);
}
