//! The audit log: the actions that a commit records become its events, in the same transaction.

pub(crate) mod chaining;

use tradepost_domain::accounts::audit::{About, AuditEvent, AuditKind, AuditedAction, Fact, SealedEvent};
use tradepost_domain::transition::Actor;
use tradepost_ports::changes::{Caller, Changes};

use crate::commit::known_actor;
use crate::{Code, OpError, OpResult, Operations};

impl Operations {
    /// Seals the events of the recorded actions of the changes.
    pub(crate) fn seal_audit(&self, caller: &Caller, changes: &mut Changes) {
        changes.seal_audit(|told| self.seal_event(caller, told));
    }

    fn seal_event(&self, caller: &Caller, AuditedAction { kind, about }: AuditedAction) -> SealedEvent {
        let at = self.now();
        let About { home, subject, proved, mut details } = about;
        details.extend(caller.request.clone().map(|request| (Fact::Request, request)));
        let actor = known_actor(caller).or(proved.map(Actor::User));
        let event = AuditEvent { id: self.mint(), home, kind, actor, subject, client: caller.client, details, at };
        let mac = self.ports.secrets.audit_mac(&event.canonical());
        SealedEvent { event, mac }
    }

    /// Records that a caller was denied what they tried to prove, and why; returns the outcome unchanged.
    pub(crate) async fn audit_denied<T: Send>(
        &self,
        caller: &Caller,
        kind: AuditKind,
        about: About,
        outcome: OpResult<T>,
    ) -> OpResult<T> {
        if let Err(OpError { code: Code::PermissionDenied | Code::Unauthenticated, reason, .. }) = &outcome {
            let mut changes = Changes::detached(caller);
            changes.audit(kind, about.with(Fact::Cause, reason));
            self.commit(caller, changes).await?;
        }
        outcome
    }
}
