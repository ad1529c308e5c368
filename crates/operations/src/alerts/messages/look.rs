//! Looking for what is not in the log of status changes: halts, engines that are silent, and the times of summaries; and calling the URLs
//! of heartbeats.

use time::Duration;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::TradingHalt;
use tradepost_domain::alerts::channel::ChannelKind;
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::alerts::rule::{AlertRule, LEAST_SILENCE};
use tradepost_domain::alerts::topic::{AlertNews, AlertTopic, ProblemKey};
use tradepost_domain::contracts::contract::ContractStatus;
use tradepost_domain::contracts::ledger::report::{Figures, Grouping, ReportFilter, day_of, midnight_of};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{RemediationStatus, Severity};
use tradepost_domain::id::{AlertChannelId, OfContract, RecordKey};
use tradepost_domain::time::Timestamp;
use tradepost_ports::alerts::AlertTarget;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{ContractFilter, PageRequest, PurchaseFilter, ReportQuery};

use super::news::{LogNews, currency, cut};
use super::propose::Followed;
use super::words;
use crate::alerts::channels::targets::target_of;
use crate::{OpError, OpResult, Operations};

/// When an engine made its last pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastPass {
    /// No contract is active: there is nothing to do.
    NotNeeded,
    /// No engine ever did.
    Never,
    /// An engine did.
    At(Timestamp),
}

impl Operations {
    /// Looks for what the rules of active channels ask for and is not in the log of status changes, and calls the URLs of heartbeats that are
    /// due. Any number of processes may do this at once: each thing is committed once.
    ///
    /// # Errors
    /// `internal` when storage fails, or a channel is damaged. The other channels are looked at nevertheless.
    pub async fn look_for_alerts(&self) -> OpResult<()> {
        let (mut after, mut failed) = (None, Ok(()));
        loop {
            let page = self.active_channels(after).await?;
            for channel in &page {
                failed = failed.and(self.look_for_channel(*channel).await);
            }
            match page.last() {
                Some(last) => after = Some(*last),
                None => return failed,
            }
        }
    }

    async fn look_for_channel(&self, key: RecordKey<AlertChannelId>) -> OpResult<()> {
        let Some(followed) = self.followed_channel(key).await? else { return Ok(()) };
        if followed.channel.peek().kind == ChannelKind::Heartbeat {
            return self.beat_for_channel(followed).await;
        }
        let workspace = self.ports.store.workspaces().find(followed.scope).await?;
        let Some(workspace) = workspace.map(|workspace| workspace.into_display().0) else { return Ok(()) };
        let (known, halt) = (followed.progress.peek().halted_since, workspace.trading_halt);
        let halted_since = halt.as_ref().map(|halt| halt.since);
        let mut news: Vec<AlertNews> = halt_news(known, halt.as_ref())?.into_iter().collect();
        news.extend(self.silence_news(&followed).await?);
        let channel = followed.channel.peek().id;
        let problems: Vec<_> = news.iter().map(|news| news.problem.clone()).collect();
        let there = self.ports.store.alerts().find_problems(followed.scope, channel, &problems).await?;
        news.retain(|news| !there.iter().any(|message| message.peek().problem == news.problem));
        news.extend(self.summary_news(&followed).await?);
        if news.is_empty() && known == halted_since {
            return Ok(());
        }
        let found = LogNews { news, ..LogNews::default() };
        self.propose(followed, found, |progress| progress.with_halt(halted_since)).await.map(drop)
    }

    /// What the rules of a channel ask for about silent engines.
    async fn silence_news(&self, followed: &Followed) -> OpResult<Vec<AlertNews>> {
        let asks = |rule: &AlertRule| rule.terms.has(AlertTopic::EngineSilent);
        if !followed.rules.iter().any(asks) {
            return Ok(Vec::new());
        }
        let (last_pass, at) = (self.last_pass(followed.scope).await?, self.now());
        let news = followed.rules.iter().filter(|rule| asks(rule)).map(|rule| silence(rule, last_pass, at));
        Ok(news.collect::<OpResult<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// Returns when an engine last renewed what it holds of the workspace's work, which it does in every pass.
    async fn last_pass(&self, scope: WorkspaceScope) -> OpResult<LastPass> {
        let active = ContractFilter { contract_type: None, status: Some(ContractStatus::Active) };
        let first = PageRequest::<OfContract> { before: None, limit: 1 };
        if self.ports.store.contracts().list(scope, active, first).await?.ids.is_empty() {
            return Ok(LastPass::NotNeeded);
        }
        let leases = self.ports.store.leases().find_many(scope).await?;
        let last = leases.iter().map(|lease| lease.peek().renewed_at).max();
        Ok(last.map_or(LastPass::Never, LastPass::At))
    }

    /// The summaries that are due and were not proposed yet: adding one up takes longer than looking for it.
    async fn summary_news(&self, followed: &Followed) -> OpResult<Vec<AlertNews>> {
        let (at, scope, channel) = (self.now(), followed.scope, followed.channel.peek().id);
        let mut news = Vec::new();
        for rule in &followed.rules {
            let schedule = &rule.terms.schedule;
            let of_day = (AlertTopic::DailySummary, schedule.last_daily(at), 1);
            let of_week = (AlertTopic::WeeklySummary, schedule.last_weekly(at), 7);
            for (topic, due, days) in [of_day, of_week] {
                // A rule that is new, or was changed since, begins with the next one.
                if !rule.terms.has(topic) || rule.updated_at >= due {
                    continue;
                }
                let problem = summary_key(topic, due)?;
                if self.ports.store.alerts().find_problems(scope, channel, &[problem]).await?.is_empty() {
                    news.push(self.summary(scope, topic, due, days).await?);
                }
            }
        }
        Ok(news)
    }

    /// The trade of the days of UTC before a time.
    async fn summary(
        &self,
        scope: WorkspaceScope,
        topic: AlertTopic,
        due: Timestamp,
        days: i64,
    ) -> OpResult<AlertNews> {
        let (to_day, store) = (day_of(due), &self.ports.store);
        let (from_day, filter, grouping) = (to_day.saturating_sub(days), ReportFilter::default(), Grouping::Nothing);
        let breakdown = filter.breakdown(grouping).map_err(|error| OpError::internal(error.to_string()))?;
        let query = ReportQuery { breakdown, grouping, filter: &filter, from_day, to_day, starts: &[] };
        let figures = store.reports().sum_figures(scope, query, 1).await?.into_iter().next();
        let figures: Figures = figures.map(|(_, figures)| figures).unwrap_or_default();
        let (from, to) = (Some(midnight_of(from_day)), Some(midnight_of(to_day)));
        let statuses = PurchaseStatus::ALL.iter().copied().filter(|status| status.is_bought()).collect::<Vec<_>>();
        let filter = PurchaseFilter { statuses: &statuses, from, to, ..PurchaseFilter::default() };
        let bought: i64 = store.purchases().count(scope, filter).await?.counts.iter().map(|(_, count)| count).sum();
        let problems = store.counters().by_status(scope, Kind::Remediation, None).await?;
        let is_open = |code| RemediationStatus::from_code(code).is_some_and(|status| !status.is_terminal());
        let open: i64 = problems.into_iter().filter(|(code, _)| is_open(*code)).map(|(_, count)| count).sum();
        let earned = words::amount(figures.earned(), currency(self, scope).await?);
        let (name, span) = if days == 1 { ("day", "the day before") } else { ("week", "the seven days before") };
        let title = format!("Summary of the {name}: {bought} bought, {} sold, {earned} earned", figures.sold);
        Ok(AlertNews {
            topic,
            severity: Severity::Info,
            kind: None,
            subject: None,
            problem: summary_key(topic, due)?,
            title: cut(&title)?,
            detail: Some(cut(&format!("of {span}, by UTC; {open} open problems"))?),
        })
    }

    /// Calls the URL of a heartbeat if one is due and the engine is well. The call is recorded before it is made, so one process makes it.
    async fn beat_for_channel(&self, followed: Followed) -> OpResult<()> {
        let Followed { scope, channel, progress, .. } = followed;
        let at = self.now();
        let is_well = match self.last_pass(scope).await? {
            LastPass::NotNeeded => true,
            LastPass::Never => false,
            LastPass::At(last) => at.since(last) < Duration::minutes(LEAST_SILENCE.into()),
        };
        let Some(beaten) = progress.peek().beat(at).filter(|_| is_well) else { return Ok(()) };
        let relay = Caller::system();
        let mut changes = Changes::by(&relay);
        let channel = changes.rely_on(channel);
        changes.revise(progress, |_: AlertProgress| Ok::<_, OpError>(beaten))?;
        match self.commit(&relay, changes).await {
            Err(error) if error.is_conflict() => return Ok(()),
            committed => committed?,
        };
        let Some(AlertTarget::Heartbeat { url }) = target_of(self, scope, &channel).await? else { return Ok(()) };
        let answer = self.ports.alerts.beat(&url).await;
        self.record_call(scope, channel.id, answer.as_ref().err()).await
    }
}

/// The beginning or the end of a halt that the channel does not know of.
fn halt_news(known: Option<Timestamp>, halt: Option<&TradingHalt>) -> OpResult<Option<AlertNews>> {
    let (title, since, detail) = match (known, halt) {
        (known, Some(halt)) if known != Some(halt.since) => {
            ("Trading was halted", halt.since, Some(cut(halt.reason.as_str())?))
        }
        (Some(since), None) => ("The halt of trading ended", since, None),
        (_, Some(_)) | (None, None) => return Ok(None),
    };
    let step = if halt.is_some() { "begun" } else { "ended" };
    Ok(Some(AlertNews {
        topic: AlertTopic::Halt,
        severity: Severity::Warning,
        kind: None,
        subject: None,
        problem: cut(&format!("halt:{step}:{}", since.as_micros()))?,
        title: cut(title)?,
        detail,
    }))
}

/// That the engines have been silent for as long as a rule says.
fn silence(rule: &AlertRule, last_pass: LastPass, at: Timestamp) -> OpResult<Option<AlertNews>> {
    let last = match last_pass {
        LastPass::NotNeeded => return Ok(None),
        LastPass::Never => rule.updated_at,
        LastPass::At(last) => last,
    };
    let minutes = rule.terms.silent_minutes;
    if at.since(last) < Duration::minutes(minutes.into()) {
        return Ok(None);
    }
    let title = format!("No engine has made a pass for {minutes} min, and contracts are active");
    Ok(Some(AlertNews {
        topic: AlertTopic::EngineSilent,
        severity: Severity::Critical,
        kind: None,
        subject: None,
        problem: cut(&format!("silent:{}", last.as_micros()))?,
        title: cut(&title)?,
        detail: Some(cut(&format!("the last pass was at {last}"))?),
    }))
}

/// The key of a summary: one for each time at which it is due.
fn summary_key(topic: AlertTopic, due: Timestamp) -> OpResult<ProblemKey> {
    cut(&format!("{topic}:{}", due.as_micros()))
}
