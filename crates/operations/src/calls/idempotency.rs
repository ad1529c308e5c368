//! Calls under an idempotency key: carried out once, and answered the same again.
//!
//! The key is stored by the commit that carries the call out, so that of any number of calls one at most is. The same commit
//! stores the answer, sealed under what the caller alone holds: the commit is held back until the answer is made.

use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretSlice};
use tradepost_domain::id::ExecutionId;
use tradepost_domain::idempotency::{Execution, KeyReuseError};
use tradepost_ports::changes::{Caller, Committed, Seen};
use tradepost_ports::held::{Held, HeldCommit};
use tradepost_ports::store::{StoreError, StoreResult, Unique};

use crate::{Code, OpError, OpResult, Operations, Reason};

/// The maximum of attempts of a call that loses races, or whose commit storage rejects.
const MOST_RUNS: u64 = 20;
/// The maximum of look-ups of an unknown outcome of a commit, and the time between them.
const MOST_LOOKUPS: usize = 5;
const BETWEEN_LOOKUPS: Duration = Duration::from_millis(100);

/// A call under a key.
#[derive(Debug)]
pub struct IdempotentCall {
    /// The operation.
    pub operation: &'static str,
    /// The key.
    pub key: String,
    /// The request, with everything by which two calls differ.
    pub request: SecretSlice<u8>,
    /// A secret that the caller holds and the server does not store: the token, or the request of a caller without one.
    pub holder: SecretSlice<u8>,
}

/// The response of a call under a key.
#[derive(Debug, Clone, Copy)]
pub struct CallAnswer<'a> {
    /// The message.
    pub body: &'a [u8],
    /// Whether it contains a secret.
    pub is_secret: bool,
}

/// The outcome of the commit that a call has held back.
#[derive(Debug, PartialEq, Eq)]
pub enum Settled {
    /// The effect of the call is stored with its response, or the call had no effect.
    Stored,
    /// The call was carried out under this key before; the response of that time.
    Replayed(Vec<u8>),
    /// Nothing was stored. The call is to be made again, and learns why where that matters to it.
    Again,
}

impl Operations {
    /// Returns the stored response of a call under this key, or else gives the caller the key: whatever is done for that caller is
    /// done once, by [`Operations::settle`].
    ///
    /// # Errors
    /// `invalid_argument` with `IDEMPOTENCY_MISMATCH` for another request; `failed_precondition` with
    /// `IDEMPOTENCY_IN_PROGRESS` while a node of an earlier version carries the first call out, and with `IDEMPOTENCY_ANSWER_GONE` where
    /// its answer is not kept.
    pub async fn once(&self, caller: &mut Caller, call: &IdempotentCall) -> OpResult<Option<Vec<u8>>> {
        let at = self.now();
        let Some((found, request)) = self.find_execution(caller, call).await? else {
            let (execution, request) = names(caller, call, |parts| self.ports.secrets.fingerprint(parts));
            caller.once = Some(Execution::begun(id_of(execution), request, at));
            caller.held = Some(HeldCommit::default());
            return Ok(None);
        };
        let id = found.peek().id;
        let sealed = found.peek().answer_to(&request, at).map_err(spent)?;
        let opened = self.ports.secrets.open(&place(id), sealed).ok();
        let opened = opened.and_then(|inner| self.ports.secrets.open_for(&holder(call), &inner).ok());
        // Sealed under a token that the session has exchanged since.
        opened.map(Some).ok_or_else(|| spent(KeyReuseError::AnswerRemoved))
    }

    /// Commits what a call has held back, and its answer with it. `run` is how often the call was made, this time included.
    ///
    /// # Errors
    /// What storage rejects whatever the call does about it; nothing was done then but for `internal` with `OUTCOME_UNKNOWN`.
    pub async fn settle(
        &self,
        caller: &Caller,
        call: &IdempotentCall,
        answer: CallAnswer<'_>,
        run: u64,
    ) -> OpResult<Settled> {
        let Some((held, execution)) = caller.held.as_ref().and_then(HeldCommit::take).zip(caller.once.clone()) else {
            return Ok(Settled::Stored);
        };
        let Held { mut changes, effects, turn } = held;
        let inner = self.ports.secrets.seal_for(&holder(call), answer.body);
        let sealed = self.ports.secrets.seal(&place(execution.id), &inner);
        changes.answer(execution.answered(sealed, answer.is_secret));
        let outcome = self.apply(changes).await;
        drop(turn);
        let settled = self.outcome_of(caller, call, outcome, run).await?;
        if settled != Settled::Again {
            for effect in effects {
                self.bring_about(caller, effect).await;
            }
        }
        Ok(settled)
    }

    async fn outcome_of(
        &self,
        caller: &Caller,
        call: &IdempotentCall,
        outcome: StoreResult<Committed>,
        run: u64,
    ) -> OpResult<Settled> {
        let refusal = match outcome {
            Ok(Committed::Applied { .. }) => return Ok(Settled::Stored),
            Ok(Committed::AlreadyRecorded(_)) => {
                return Err(OpError::internal("evidence was recorded before its call"));
            }
            Err(StoreError::CallerChanged) => return Err(self.why_caller_changed(caller).await?),
            Err(refusal) => refusal,
        };
        let may_be_stored = matches!(refusal, StoreError::Unknown(_));
        let is_lost = may_be_stored
            || matches!(refusal, StoreError::Conflict | StoreError::LinkRefused | StoreError::Duplicate(_));
        if !is_lost {
            return Err(refusal.into());
        }
        match self.given_answer(caller, call, if may_be_stored { MOST_LOOKUPS } else { 1 }).await {
            Ok(Some(answer)) => return Ok(Settled::Replayed(answer)),
            Ok(None) => {}
            Err(error) if may_be_stored && error.code == Code::Internal => return Err(refusal.into()),
            Err(error) => return Err(error),
        }
        if run >= MOST_RUNS {
            return Err(refusal.into());
        }
        let is_own = matches!(refusal, StoreError::Duplicate(unique) if unique != Unique::IdempotencyKey);
        if let Some(held) = caller.held.as_ref().filter(|_| is_own || refusal == StoreError::LinkRefused) {
            held.refuse_next(refusal);
        }
        tokio::time::sleep(self.jitter(run)).await;
        Ok(Settled::Again)
    }

    /// Returns the response of a call that may have been carried out.
    ///
    /// Storage that just became unavailable is asked again a few times. Without a response the call can be made again, even if a commit is
    /// still in flight: of two calls under one key, at most one is carried out.
    async fn given_answer(&self, caller: &Caller, call: &IdempotentCall, most: usize) -> OpResult<Option<Vec<u8>>> {
        let mut tried = 1;
        loop {
            match self.once(&mut caller.clone(), call).await {
                Err(error) if error.code == Code::Internal && tried < most => tokio::time::sleep(BETWEEN_LOOKUPS).await,
                found => return found,
            }
            tried = tried.saturating_add(1);
        }
    }

    /// Returns the execution of this call, if it was begun, with the digest that its request is compared by.
    async fn find_execution(
        &self,
        caller: &Caller,
        call: &IdempotentCall,
    ) -> OpResult<Option<(Seen<Execution>, [u8; 32])>> {
        let secrets = &self.ports.secrets;
        let (execution, request) = names(caller, call, |parts| secrets.fingerprint(parts));
        if let Some(found) = self.ports.store.executions().find(id_of(execution)).await? {
            return Ok(Some((found, request)));
        }
        let former = names(caller, call, |parts| secrets.former_fingerprint(parts));
        let (Some(execution), Some(request)) = former else { return Ok(None) };
        Ok(self.ports.store.executions().find(id_of(execution)).await?.map(|found| (found, request)))
    }
}

/// Returns the digests that identify a call: of its execution and of its request.
fn names<T>(caller: &Caller, call: &IdempotentCall, fingerprint: impl Fn(&[&[u8]]) -> T) -> (T, T) {
    // A caller that needs no credential is distinguished by address.
    let by = caller.principal.prover().map_or_else(
        || caller.client.map(|client| client.to_string()).unwrap_or_default().into_bytes(),
        |prover| prover.id.to_bytes().to_vec(),
    );
    let execution = fingerprint(&[b"execution", &by, call.operation.as_bytes(), call.key.as_bytes()]);
    (execution, fingerprint(&[b"request", call.request.expose_secret()]))
}

fn id_of(execution: [u8; 32]) -> ExecutionId {
    ExecutionId::from_bytes(execution.first_chunk().copied().unwrap_or_default())
}

fn holder(call: &IdempotentCall) -> SecretSlice<u8> {
    [call.holder.expose_secret(), b"\0", call.key.as_bytes()].concat().into()
}

fn place(id: ExecutionId) -> String {
    format!("executions.sealed/{id}")
}

pub(crate) fn spent(spent: KeyReuseError) -> OpError {
    match spent {
        KeyReuseError::OtherRequest => OpError::invalid_argument(Reason::IdempotencyMismatch, spent.to_string()),
        KeyReuseError::InProgress => OpError::failed_precondition(Reason::IdempotencyInProgress, spent.to_string()),
        KeyReuseError::AnswerRemoved => OpError::failed_precondition(Reason::IdempotencyAnswerGone, spent.to_string()),
    }
}
