//! Committing the changes of an operation, and deciding again when others were faster.

mod effects;
pub(crate) mod turns;

use crate::accounts::sessions::live_session;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tradepost_domain::accounts::access::{Principal, SessionHolder};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::idempotency::KeyReuseError;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Actor, Subject, Transition};
use tradepost_ports::changes::{Caller, Changes, Committed};
use tradepost_ports::store::{Store, StoreError, StoreResult, Unique};

use crate::calls::idempotency::spent;
use crate::transition_watch::TransitionWatch;
use crate::{OpError, OpResult, Operations, Ports, Reason, money_queue};

const ATTEMPTS: u64 = 3;

impl Operations {
    /// Writes all of the changes or none.
    pub(crate) async fn commit(&self, caller: &Caller, mut changes: Changes) -> OpResult<Committed> {
        self.seal_audit(caller, &mut changes);
        let outcome = match &caller.held {
            Some(held) if changes.carry_key() => {
                held.hold(changes, money_queue::share()).map(|()| Committed::Applied { links: Vec::new() })
            }
            Some(_) | None => self.apply(changes).await,
        };
        match outcome {
            Err(StoreError::CallerChanged) => Err(self.why_caller_changed(caller).await?),
            Err(StoreError::Duplicate(Unique::IdempotencyKey)) => Err(spent(KeyReuseError::InProgress)),
            outcome => Ok(outcome?),
        }
    }

    /// Hands changes to storage, and says to the parts of this process that wait for them that they are written.
    pub(crate) async fn apply(&self, changes: Changes) -> StoreResult<Committed> {
        let (rights_change, news) = (changes.changes_rights(), News::of(&changes));
        let outcome = self.ports.store.commit(changes).await;
        if rights_change || matches!(outcome, Err(StoreError::CallerChanged)) {
            self.known.forget();
        }
        let committed = outcome?;
        news.spread(&self.posted, &self.watching);
        Ok(committed)
    }

    /// Returns the result of a write outside the commits that also guarded the caller's rights.
    pub(crate) async fn guarded_write<T>(&self, caller: &Caller, written: StoreResult<T>) -> OpResult<T> {
        if matches!(written, Err(StoreError::CallerChanged)) {
            self.known.forget();
            return Err(self.why_caller_changed(caller).await?);
        }
        Ok(written?)
    }

    /// Runs `attempt` on fresh reads up to three times while it loses races.
    ///
    /// Takes a closure that gives a future, and no async closure: the future of one cannot be shown to be `Send`.
    pub(crate) async fn retrying<T, F>(&self, attempt: impl Fn() -> F + Send + Sync) -> OpResult<T>
    where
        F: Future<Output = OpResult<T>> + Send,
    {
        self.retrying_up_to(ATTEMPTS, attempt).await
    }

    /// Does the same with another number of attempts, where races can be counted.
    pub(crate) async fn retrying_up_to<T, F>(&self, most: u64, attempt: impl Fn() -> F + Send + Sync) -> OpResult<T>
    where
        F: Future<Output = OpResult<T>> + Send,
    {
        let mut tried = 1;
        loop {
            match attempt().await {
                Err(error) if error.is_conflict() && tried < most => tokio::time::sleep(self.jitter(tried)).await,
                done => return done,
            }
            tried = tried.saturating_add(1);
        }
    }

    /// Returns a few random milliseconds, so that callers that collided do not collide again.
    pub(crate) fn jitter(&self, tried: u64) -> Duration {
        jitter(&self.ports, tried)
    }

    /// Returns why the caller changed. A key that was revoked in between, or a session that has ended, is no longer valid; a caller whose
    /// user or membership changed may try again.
    pub(crate) async fn why_caller_changed(&self, caller: &Caller) -> OpResult<OpError> {
        let is_live = match &caller.principal {
            Principal::Key(holder) => {
                let scope = caller.principal.enter_as_member(holder.workspace_id)?;
                let key = self.ports.store.api_keys().find(scope, holder.key_id).await?;
                key.is_some_and(|listed| listed.key.peek().is_live(self.now()))
            }
            Principal::Session(holder) => {
                let user = self.ports.store.users().find(holder.user_id).await?;
                user.is_some_and(|user| !user.peek().disabled)
                    && live_session(self, holder.user_id, holder.session_id).await?.is_some()
            }
            Principal::System => return Ok(lease_lost()),
            Principal::Person(_) | Principal::Anonymous => false,
        };
        Ok(if is_live {
            OpError::failed_precondition(
                Reason::CallerChanged,
                "your rights changed during the call; nothing was done, try again",
            )
        } else {
            OpError::unauthenticated()
        })
    }

    /// Returns a row of the log of status changes.
    pub(crate) fn transition(
        &self,
        caller: &Caller,
        workspace_id: WorkspaceId,
        step: Step,
        at: Timestamp,
    ) -> Transition {
        Transition {
            id: self.mint(),
            workspace_id,
            subject: step.subject,
            from: step.from,
            to: step.to,
            version: step.version,
            trigger: step.trigger,
            actor: actor(caller),
            reason: None,
            evidence: None,
            at,
            logged_at: self.now(),
        }
    }
}

/// Returns the error for a lost lease, because leases alone guard the process itself.
fn lease_lost() -> OpError {
    let message = "another node does this part of the work now; nothing was done, leave it to that node";
    OpError::failed_precondition(Reason::LeaseLost, message)
}

fn jitter(ports: &Ports, tried: u64) -> Duration {
    let [.., random] = ports.ids.next(ports.clock.now());
    Duration::from_micros(u64::from(random).saturating_mul(20).saturating_mul(tried).saturating_add(200))
}

/// What is new once changes are written.
#[derive(Clone, Copy)]
struct News {
    mail: bool,
    is_step: bool,
}

impl News {
    fn of(changes: &Changes) -> Self {
        Self { mail: changes.has_mail(), is_step: changes.change_status() }
    }

    /// Says to the parts of this process that wait for changes that they are written.
    fn spread(self, posted: &Notify, watching: &TransitionWatch) {
        if self.mail {
            posted.notify_one();
        }
        if self.is_step {
            watching.written();
        }
    }
}

/// Commits for callers that share a task, which may outlive each of their calls.
pub(crate) struct SharedCommits {
    ports: Ports,
    posted: Arc<Notify>,
    watching: Arc<TransitionWatch>,
}

impl SharedCommits {
    pub(crate) fn of(operations: &Operations) -> Self {
        Self {
            ports: operations.ports.clone(),
            posted: Arc::clone(&operations.posted),
            watching: Arc::clone(&operations.watching),
        }
    }

    /// Returns the store, to read.
    pub(crate) fn store(&self) -> &dyn Store {
        self.ports.store.as_ref()
    }

    /// Writes the changes of several callers, or none of them, and says to the parts of this process that wait for them that they are
    /// written.
    pub(crate) async fn commit(&self, changes: Changes) -> StoreResult<()> {
        let news = News::of(&changes);
        self.ports.store.commit(changes).await?;
        news.spread(&self.posted, &self.watching);
        Ok(())
    }

    /// Waits as long as [`Operations::jitter`] says after so many lost races.
    pub(crate) async fn wait_after(&self, lost: u64) {
        tokio::time::sleep(jitter(&self.ports, lost)).await;
    }
}

/// The caller that changes a record, and the time of the change.
#[derive(Clone, Copy)]
pub(crate) struct By<'a> {
    pub(crate) caller: &'a Caller,
    pub(crate) at: Timestamp,
}

/// One step of a record.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) subject: Subject,
    pub(crate) from: Option<&'static str>,
    pub(crate) to: &'static str,
    pub(crate) version: i64,
    pub(crate) trigger: &'static str,
}

/// Returns the actor; the process itself for a caller without a proven identity.
pub(crate) fn actor(caller: &Caller) -> Actor {
    known_actor(caller).unwrap_or(Actor::System)
}

/// Returns the actor, if the caller has proved their identity.
pub(crate) fn known_actor(caller: &Caller) -> Option<Actor> {
    match &caller.principal {
        Principal::Key(holder) => Some(Actor::ApiKey { key: holder.key_id, user: holder.user_id }),
        Principal::Session(SessionHolder { user_id: user, .. }) | Principal::Person(user) => Some(Actor::User(*user)),
        Principal::System => Some(Actor::System),
        Principal::Anonymous => None,
    }
}
