//! Adding the messages that the rules of a channel ask for: one for one problem.

use std::collections::HashSet;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::alerts::channel::AlertChannel;
use tradepost_domain::alerts::message::{Addressed, AlertMessage, MessageState};
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::alerts::rule::AlertRule;
use tradepost_domain::alerts::topic::{AlertNews, ProblemKey};
use tradepost_domain::id::{AlertChannelId, RecordKey};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::news::LogNews;
use crate::accounts::memberships::membership_changes::notification_scope;
use crate::alerts::channels::access::is_entitled;
use crate::{OpError, OpResult, Operations};

/// An active channel with what belongs to it.
pub(super) struct Followed {
    pub(super) scope: WorkspaceScope,
    pub(super) channel: Seen<AlertChannel>,
    pub(super) progress: Seen<AlertProgress>,
    /// The rules, the oldest first; none if its member may no longer read what they are about.
    pub(super) rules: Vec<AlertRule>,
}

impl Operations {
    /// Returns an active channel with what belongs to it.
    pub(super) async fn followed_channel(&self, key: RecordKey<AlertChannelId>) -> OpResult<Option<Followed>> {
        let scope = notification_scope(key.workspace_id)?;
        let alerts = self.ports.store.alerts();
        let channel = alerts.find_channels(scope, &[key.id]).await?.into_iter().next();
        let progress = alerts.find_alert_progress(scope, &[key.id]).await?.into_iter().next();
        let (Some(channel), Some(progress)) = (channel, progress) else { return Ok(None) };
        if !channel.peek().is_active() {
            return Ok(None);
        }
        let rules = if is_entitled(self, scope, channel.peek().user_id).await? {
            let rules = alerts.find_rules_of(scope, key.id).await?;
            rules.into_iter().map(|rule| rule.into_display().0).collect()
        } else {
            Vec::new()
        };
        Ok(Some(Followed { scope, channel, progress, rules }))
    }

    /// Commits the messages that the rules of a channel ask for, with its next progress; returns `false` when the channel has changed in the
    /// meantime, so that nothing was committed.
    ///
    /// The version of the progress guards the commit: of two processes that saw the same, one adds its messages.
    pub(super) async fn propose(
        &self,
        followed: Followed,
        found: LogNews,
        next: impl FnOnce(AlertProgress) -> AlertProgress + Send,
    ) -> OpResult<bool> {
        let Followed { scope, channel, progress, rules } = followed;
        let (relay, at) = (Caller::system(), self.now());
        let wanted = rules_of(&rules, found.news, at);
        let keys = wanted.iter().map(|(_, news)| news.problem.clone()).chain(found.ended.iter().cloned());
        let keys: Vec<ProblemKey> = keys.collect();
        let known = if keys.is_empty() {
            Vec::new()
        } else {
            self.ports.store.alerts().find_problems(scope, channel.peek().id, &keys).await?
        };
        let mut changes = Changes::by(&relay);
        changes.revise(progress, |progress| Ok::<_, OpError>(next(progress)))?;
        let channel = changes.rely_on(channel);
        let AlertChannel { id: channel_id, workspace_id, user_id, .. } = channel;
        let mut there: HashSet<ProblemKey> = known.iter().map(|message| message.peek().problem.clone()).collect();
        for message in known {
            let waits = message.peek().state == MessageState::Waiting;
            if waits && message.peek().resolved_at.is_none() && found.ended.contains(&message.peek().problem) {
                changes.revise(message, |message| Ok::<_, OpError>(message.resolved(at)))?;
            }
        }
        let before = there.len();
        for (rule, news) in wanted {
            if !there.insert(news.problem.clone()) {
                continue;
            }
            let (due, is_over) = (rule.terms.due(news.topic, at), found.ended.contains(&news.problem));
            let message = AlertMessage::new(self.mint(), Addressed { workspace_id, channel_id, user_id }, news, at);
            let message = message.asked_for(rule.id, due);
            changes.insert(if is_over { message.resolved(at) } else { message });
        }
        match self.commit(&relay, changes).await {
            Ok(_) => {}
            Err(error) if error.is_conflict() => return Ok(false),
            Err(error) => return Err(error),
        }
        if there.len() > before {
            self.alerts.notify_one();
        }
        Ok(true)
    }
}

/// The rule by which each of the news is sent soonest, and of equal ones the oldest: a digest of everything does not delay what another
/// rule wants at once.
fn rules_of(rules: &[AlertRule], news: Vec<AlertNews>, at: Timestamp) -> Vec<(&AlertRule, AlertNews)> {
    let with_rule = |news: AlertNews| {
        let matching = rules.iter().filter(|rule| rule.terms.matches(&news));
        let rule = matching.min_by_key(|rule| rule.terms.due(news.topic, at))?;
        Some((rule, news))
    };
    news.into_iter().filter_map(with_rule).collect()
}
