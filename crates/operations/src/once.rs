//! Calls under an idempotency key: carried out once, and answered the same again.
//!
//! The key is stored by the commit that carries the call out, so that of any number of calls one at most is. The answer is
//! stored right after it, sealed under what the caller alone holds.

use secrecy::{ExposeSecret as _, SecretSlice};
use tradepost_domain::id::ExecutionId;
use tradepost_domain::idempotency::{Execution, Spent};
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::{OpError, OpResult, Operations};

/// A call under a key.
#[derive(Debug)]
pub struct Once {
    /// The operation.
    pub operation: &'static str,
    /// The key.
    pub key: String,
    /// The request, with everything by which two calls differ.
    pub request: SecretSlice<u8>,
    /// What the caller holds and the server does not keep: the token, or for those who need none the request.
    pub holder: SecretSlice<u8>,
}

impl Operations {
    /// The answer that was given to a call under this key, or else the caller with the key: whatever is done for that caller is
    /// done once.
    ///
    /// # Errors
    /// `invalid_argument` with `IDEMPOTENCY_MISMATCH` for another request; `failed_precondition` with
    /// `IDEMPOTENCY_IN_PROGRESS` while the first call is not answered, and with `IDEMPOTENCY_ANSWER_GONE` where its answer is
    /// not kept.
    pub async fn once(&self, caller: &mut Caller, call: &Once) -> OpResult<Option<Vec<u8>>> {
        let at = self.now();
        let Some((found, request)) = self.find_execution(caller, call).await? else {
            let (execution, request) = names(caller, call, |parts| self.ports.secrets.fingerprint(parts));
            caller.once = Some(Execution::begun(id_of(execution), request, at));
            return Ok(None);
        };
        let id = found.peek().id;
        let sealed = found.peek().answer_to(&request, at).map_err(spent)?;
        let opened = self.ports.secrets.open(&place(id), sealed).ok();
        let opened = opened.and_then(|inner| self.ports.secrets.open_for(&holder(call), &inner).ok());
        // Sealed under a token that the session has exchanged since.
        opened.map(Some).ok_or_else(|| spent(Spent::AnswerGone))
    }

    /// Keeps the answer of a call, if anything was done.
    ///
    /// # Errors
    /// `internal` when storage is out: the answer cannot be given again then.
    pub async fn keep_answer(&self, caller: &Caller, call: &Once, (answer, is_secret): (&[u8], bool)) -> OpResult<()> {
        let Some((found, _)) = self.find_execution(caller, call).await? else { return Ok(()) };
        let id = found.peek().id;
        if found.peek().sealed.is_some() {
            return Ok(());
        }
        let inner = self.ports.secrets.seal_for(&holder(call), answer);
        let sealed = self.ports.secrets.seal(&place(id), &inner);
        let keeper = Caller::system();
        let mut changes = Changes::by(&keeper);
        changes.revise(found, |execution| Ok::<_, OpError>(execution.answered(sealed, is_secret)))?;
        self.commit(&keeper, changes).await.map(drop)
    }

    /// Forgets answers that are not kept any longer, and keys that are a day old.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn forget_old_answers(&self) -> OpResult<()> {
        Ok(self.ports.store.forget_executions(self.now()).await?)
    }

    /// The execution of this call, if it was begun, with the digest that its request is compared by.
    async fn find_execution(&self, caller: &Caller, call: &Once) -> OpResult<Option<(Seen<Execution>, [u8; 32])>> {
        let secrets = &self.ports.secrets;
        let (execution, request) = names(caller, call, |parts| secrets.fingerprint(parts));
        if let Some(found) = self.ports.store.find_execution(id_of(execution)).await? {
            return Ok(Some((found, request)));
        }
        let former = names(caller, call, |parts| secrets.former_fingerprint(parts));
        let (Some(execution), Some(request)) = former else { return Ok(None) };
        Ok(self.ports.store.find_execution(id_of(execution)).await?.map(|found| (found, request)))
    }
}

/// What a call is known by: the digests of its execution and of its request.
fn names<T>(caller: &Caller, call: &Once, fingerprint: impl Fn(&[&[u8]]) -> T) -> (T, T) {
    // Whoever needs no credential is told apart by address.
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

fn holder(call: &Once) -> SecretSlice<u8> {
    [call.holder.expose_secret(), b"\0", call.key.as_bytes()].concat().into()
}

fn place(id: ExecutionId) -> String {
    format!("executions.sealed/{id}")
}

pub(crate) fn spent(spent: Spent) -> OpError {
    match spent {
        Spent::OtherRequest => OpError::invalid_argument("IDEMPOTENCY_MISMATCH", spent.to_string()),
        Spent::UnderWay => OpError::failed_precondition("IDEMPOTENCY_IN_PROGRESS", spent.to_string()),
        Spent::AnswerGone => OpError::failed_precondition("IDEMPOTENCY_ANSWER_GONE", spent.to_string()),
    }
}
