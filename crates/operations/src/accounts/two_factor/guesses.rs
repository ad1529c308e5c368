//! Counting wrong guesses at an account: a code before it is checked, a password when it is rejected.

use std::time::Duration;

use tradepost_domain::accounts::access::Prover;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesser, Guesses, MOST_WRONG_CODES, TooManyCodes};
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::UserId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::{Quota, RateClass, Verdict};
use tradepost_ports::store::{StoreError, Unique};

use crate::mails::Notice;
use crate::{Charge, OpError, OpResult, Operations};

/// A try loses a race for a code only to a charged one, and the charged ones of a day are limited.
pub(crate) const ATTEMPTS: u64 = MOST_WRONG_CODES as u64 + 1;

/// The placeholder account of an address without one.
pub(crate) const UNKNOWN_USER: UserId = UserId::from_bytes([0; 16]);

/// Counts a wrong password. When nothing is counted, it writes as much for a placeholder account, so that the time reveals nothing.
async fn count_wrong_password(operations: &Operations, changes: &mut Changes, user: Option<&User>) -> OpResult<()> {
    let kept = operations.ports.store.second_factors().find_guesses(account_of(user)).await?;
    let is_over = kept.as_ref().is_some_and(|guesses| !guesses.peek().allow_password());
    let Some(user) = user.filter(|_| !is_over) else {
        changes.put(Guesses::none(UNKNOWN_USER, operations.now()));
        return Ok(());
    };
    let counted = if let Some(guesses) = kept {
        changes.revise(guesses, |guesses| Ok::<_, OpError>(guesses.with_wrong_password()))?.value
    } else {
        let counted = Guesses::none(user.id, operations.now()).with_wrong_password();
        changes.insert(counted);
        counted
    };
    if !counted.allow_password() {
        changes.audit(AuditKind::CredentialPasswordSuspended, user.id);
        operations.send_notice(changes, &user.email, &Notice::password_suspended());
    }
    Ok(())
}

/// Charges a code of a key or session, with the changes, before it is checked: to itself first, then to all keys or all
/// sessions of its user. So a key spends nothing of a session's, and no sign-in's.
pub(crate) async fn charge_code_of(
    operations: &Operations,
    changes: &mut Changes,
    prover: Prover,
    method: Method,
    at: Timestamp,
) -> OpResult<()> {
    if !can_be_guessed(method) {
        return Ok(());
    }
    for by in Guesser::of(prover.id) {
        let charged = match operations.ports.store.second_factors().find_code_guesses(prover.user_id, by).await? {
            Some(guesses) => changes.revise(guesses, |guesses| guesses.charge(at)).map(drop),
            None => CodeGuesses::none(prover.user_id, by, at).charge(at).map(|guesses| {
                changes.insert(guesses);
            }),
        };
        charged.map_err(|refused| too_many_codes(refused, at))?;
    }
    Ok(())
}

/// Refunds the charge of a code of a key or session, with the changes: it was right.
pub(crate) async fn refund_code_of(
    operations: &Operations,
    changes: &mut Changes,
    prover: Prover,
    method: Method,
) -> OpResult<()> {
    if !can_be_guessed(method) {
        return Ok(());
    }
    for by in Guesser::of(prover.id) {
        match operations.ports.store.second_factors().find_code_guesses(prover.user_id, by).await? {
            Some(guesses) if guesses.peek().wrong > 1 => {
                changes.revise(guesses, |guesses| Ok::<_, OpError>(guesses.with_right_code()))?;
            }
            Some(last) => drop(changes.remove(last)),
            None => {}
        }
    }
    Ok(())
}

/// Charges a code of a sign-in or a password reset, with the changes, before it is looked at.
pub(crate) async fn charge_code(
    operations: &Operations,
    changes: &mut Changes,
    user_id: UserId,
    method: Method,
    at: Timestamp,
) -> OpResult<()> {
    if !can_be_guessed(method) {
        return Ok(());
    }
    let charged = match operations.ports.store.second_factors().find_guesses(user_id).await? {
        Some(guesses) => changes.revise(guesses, |guesses| guesses.charge_code(at)).map(drop),
        None => Guesses::none(user_id, at).charge_code(at).map(|guesses| {
            changes.insert(guesses);
        }),
    };
    charged.map_err(|refused| too_many_codes(refused, at))
}

/// Refunds the charge of a code of a sign-in, with the changes: it was right.
pub(crate) async fn take_back_charge(
    operations: &Operations,
    changes: &mut Changes,
    user_id: UserId,
    method: Method,
) -> OpResult<()> {
    let guesses = operations.ports.store.second_factors().find_guesses(user_id).await?;
    if let Some(guesses) = guesses.filter(|_| can_be_guessed(method)) {
        changes.revise(guesses, |guesses| Ok::<_, OpError>(guesses.with_right_code()))?;
    }
    Ok(())
}

/// Returns whether the password of an account may sign in, or too many wrong ones have suspended it.
///
/// It also reads for an address without an account, so that the response time does not reveal which addresses are known.
pub(crate) async fn allows_password(operations: &Operations, user: Option<&User>) -> OpResult<bool> {
    let guesses = operations.ports.store.second_factors().find_guesses(account_of(user)).await?;
    Ok(guesses.is_none_or(|guesses| guesses.peek().allow_password()))
}

/// Records a rejected sign-in and counts a wrong password. The user is notified when the count exceeds the limit.
pub(crate) async fn note_wrong_password(
    operations: &Operations,
    caller: &Caller,
    user: Option<&User>,
    is_suspended: bool,
) -> OpResult<()> {
    let suspended = AuditKind::CredentialPasswordSuspended.as_str();
    let cause = if is_suspended { suspended } else { OpError::wrong_credentials().reason.as_str() };
    operations
        .retrying_up_to(ATTEMPTS, || async {
            let mut changes = Changes::detached(caller);
            let about = About::maybe(user.map(|user| user.id)).with(Fact::Cause, cause);
            changes.audit(AuditKind::SessionSignInFailed, about);
            count_wrong_password(operations, &mut changes, user).await?;
            operations.commit(caller, changes).await.map(drop)
        })
        .await
}

/// Resets the count of wrong passwords with the changes, because the correct one was given.
pub(crate) async fn forget_wrong_passwords(
    operations: &Operations,
    changes: &mut Changes,
    user_id: UserId,
) -> OpResult<()> {
    let guesses = operations.ports.store.second_factors().find_guesses(user_id).await?;
    if let Some(guesses) = guesses.filter(|guesses| guesses.peek().wrong_passwords > 0) {
        changes.revise(guesses, |guesses| Ok::<_, OpError>(guesses.without_wrong_passwords()))?;
    }
    Ok(())
}

/// Resets every count with the changes, because the account was proved by other means.
pub(crate) async fn forget_guesses(operations: &Operations, changes: &mut Changes, user_id: UserId) -> OpResult<()> {
    operations.ports.store.second_factors().find_guesses(user_id).await?.map(|guesses| changes.remove(guesses));
    Ok(())
}

/// Returns a conflict for all but one of several concurrent first codes. That one creates the record, and the others count on top of it.
pub(crate) fn lost_race(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::Address)) => StoreError::Conflict.into(),
        _ => error,
    }
}

fn account_of(user: Option<&User>) -> UserId {
    user.map_or(UNKNOWN_USER, |user| user.id)
}

/// Returns whether a code can be guessed. A recovery code is too long, and so is a passkey's signature. A user without codes can still use
/// them to sign in.
const fn can_be_guessed(method: Method) -> bool {
    match method {
        Method::Email | Method::Totp => true,
        Method::Passkey | Method::RecoveryCode => false,
    }
}

fn too_many_codes(refused: TooManyCodes, at: Timestamp) -> OpError {
    let day = tradepost_domain::accounts::guesses::DAY.unsigned_abs();
    let quota = Quota { calls: MOST_WRONG_CODES, window: day, burst: MOST_WRONG_CODES };
    let wait = Duration::try_from(refused.until.since(at)).unwrap_or_default();
    OpError::rate_limited(Charge {
        class: RateClass::Code,
        verdict: Verdict { allowed: false, quota, remaining: 0, wait },
    })
}
