//! Following the log of status changes: each active endpoint gets a delivery for each change that it asks for.
//!
//! The deliveries and the new place of the endpoint are one commit, guarded by the version of the place. So no change is lost or
//! followed twice, whichever process does it and wherever it is killed.

use tradepost_domain::events::event_type::EventType;
use tradepost_domain::events::webhook_delivery::WebhookDelivery;
use tradepost_domain::events::webhook_endpoint::WebhookEndpoint;
use tradepost_domain::id::{RecordKey, WebhookEndpointId};
use tradepost_domain::transition::Transition;
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::accounts::memberships::membership_changes::notification_scope;
use crate::commit::turns::Turns;
use crate::events::webhook_endpoints::endpoints::transitions_to_follow;
use crate::transition_watch::Watcher;
use crate::{OpError, OpResult, Operations};

/// The changes of status that one commit follows.
const FOLLOWED: u32 = 100;
/// The endpoints that are read at once.
const ENDPOINTS: u32 = 200;

/// Waits for events that an endpoint may have to follow.
pub struct NewEvents(Watcher);

impl NewEvents {
    /// Waits until there may be one; returns `false` once this process looks for none.
    pub async fn wait(&mut self) -> bool {
        self.0.woken().await
    }
}

impl Operations {
    /// Begins to wait for events: any that is recorded from now on ends [`NewEvents::wait`].
    pub fn new_events(&self) -> NewEvents {
        NewEvents(self.watching.watch())
    }

    /// Lets every active endpoint of every workspace follow the log by a bounded number of changes; returns whether any of them may
    /// have more to follow. Any number of processes may do this at once.
    ///
    /// # Errors
    /// `internal` when storage fails; the first error of an endpoint, once no other one has more to follow. What was followed stays so.
    pub async fn follow_events(&self) -> OpResult<bool> {
        let (mut after, mut more, mut turns) = (None, false, Turns::default());
        loop {
            let page = self.ports.store.webhooks().list_active_endpoints(after, ENDPOINTS).await?;
            for endpoint in &page {
                let followed = self.follow_by(*endpoint).await;
                turns.take(followed.map(|has_more| more |= has_more))?;
            }
            after = page.last().copied();
            if page.len() < ENDPOINTS as usize {
                return if more { Ok(true) } else { turns.end().map(|_| false) };
            }
        }
    }

    async fn follow_by(&self, endpoint: RecordKey<WebhookEndpointId>) -> OpResult<bool> {
        let scope = notification_scope(endpoint.workspace_id)?;
        let webhooks = self.ports.store.webhooks();
        let Some(seen) = webhooks.find_endpoint(scope, endpoint.id).await? else { return Ok(false) };
        let Some(progress) = webhooks.find_progress(scope, &[endpoint.id]).await?.into_iter().next() else {
            return Ok(false);
        };
        if !seen.peek().is_active() {
            return Ok(false);
        }
        let behind = transitions_to_follow(self, scope, progress.peek().after, FOLLOWED).await?;
        let Some(last) = behind.last().map(|last| last.id) else { return Ok(false) };
        let relay = Caller::system();
        let mut changes = Changes::by(&relay);
        changes.revise(progress, |progress| Ok::<_, OpError>(progress.moved_to(last)))?;
        let any = self.insert_deliveries(&mut changes, seen, &behind);
        match self.commit(&relay, changes).await {
            Ok(_) => {}
            // Another process has followed it, or its endpoint has changed: the next round sees that.
            Err(error) if error.is_conflict() => return Ok(true),
            Err(error) => return Err(error),
        }
        if any {
            self.deliveries.notify_one();
        }
        Ok(behind.len() >= FOLLOWED as usize)
    }

    /// Adds the deliveries that an endpoint asks for; returns whether there are any. The changes rely on the endpoint, so that none is
    /// added once it is disabled or asks for something else.
    fn insert_deliveries(&self, changes: &mut Changes, seen: Seen<WebhookEndpoint>, behind: &[Transition]) -> bool {
        let (endpoint, at) = (changes.rely_on(seen), self.now());
        let key = RecordKey { workspace_id: endpoint.workspace_id, id: endpoint.id };
        let is_wanted = |transition: &&Transition| endpoint.types.match_type(EventType::of(transition));
        let wanted: Vec<&Transition> = behind.iter().filter(is_wanted).collect();
        for transition in &wanted {
            changes.insert(WebhookDelivery::of_transition(self.mint(), key, transition, at));
        }
        !wanted.is_empty()
    }
}
