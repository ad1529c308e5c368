//! Following the log of status changes for alert channels, as webhook endpoints do.

use tradepost_domain::id::{AlertChannelId, RecordKey};

use super::news::news_of;
use crate::commit::turns::Turns;
use crate::events::transitions_to_follow;
use crate::{OpResult, Operations};

/// The changes of status that one commit follows.
const FOLLOWED: u32 = 100;
/// The channels that are read at once.
const CHANNELS: u32 = 200;

impl Operations {
    /// Lets every active channel of every workspace follow the log by a bounded number of changes; returns whether any of them may have more
    /// to follow. Any number of processes may do this at once.
    ///
    /// # Errors
    /// `internal` when storage fails; the first error of a channel, once no other one has more to follow. What was followed stays so.
    pub async fn follow_alerts(&self) -> OpResult<bool> {
        let (mut after, mut more, mut turns) = (None, false, Turns::default());
        loop {
            let page = self.active_channels(after).await?;
            for channel in &page {
                let followed = self.follow_for_channel(*channel).await;
                turns.take(followed.map(|has_more| more |= has_more))?;
            }
            after = page.last().copied();
            if page.len() < CHANNELS as usize {
                return if more { Ok(true) } else { turns.end().map(|_| false) };
            }
        }
    }

    /// Returns a page of the active channels of every workspace.
    pub(super) async fn active_channels(
        &self,
        after: Option<RecordKey<AlertChannelId>>,
    ) -> OpResult<Vec<RecordKey<AlertChannelId>>> {
        Ok(self.ports.store.alerts().list_active_channels(after, CHANNELS).await?)
    }

    async fn follow_for_channel(&self, key: RecordKey<AlertChannelId>) -> OpResult<bool> {
        let Some(followed) = self.followed_channel(key).await? else { return Ok(false) };
        let after = followed.progress.peek().after;
        let behind = transitions_to_follow(self, followed.scope, after, FOLLOWED).await?;
        let Some(last) = behind.last().map(|last| last.id) else { return Ok(false) };
        let is_wanted = |topic| followed.rules.iter().any(|rule| rule.terms.has(topic));
        let found = news_of(self, followed.scope, &behind, is_wanted).await?;
        let is_done = self.propose(followed, found, |progress| progress.moved_to(last)).await?;
        Ok(!is_done || behind.len() >= FOLLOWED as usize)
    }
}
