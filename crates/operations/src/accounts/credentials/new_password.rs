//! Setting a new password: the rules, the guess estimate, the hash, and the mail that reports it.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::password::{self, LEAST_SCORE, PasswordError, PasswordHash};
use tradepost_domain::accounts::user::User;
use tradepost_ports::changes::Changes;

use crate::{OpError, OpResult, Operations, Reason};

/// Rejects a password that breaks the rules, was leaked, or is easy to guess for an attacker who knows `words`.
async fn check_new_password(
    operations: &Operations,
    field: &str,
    new: &SecretString,
    words: Vec<String>,
) -> OpResult<()> {
    check_password_rules(operations, field, new, &words)?;
    check_guesses(operations, field, new, words).await
}

/// Rejects a password that breaks the rules or was leaked. It runs first because it costs next to nothing.
pub(crate) fn check_password_rules(
    operations: &Operations,
    field: &str,
    new: &SecretString,
    words: &[String],
) -> OpResult<()> {
    password::check(new.expose_secret(), words).map_err(|error| refusal(field, error))?;
    if operations.ports.passwords.is_breached(new) { Err(refusal(field, PasswordError::Breached)) } else { Ok(()) }
}

/// Rejects a password that is easy to guess for an attacker who knows `words`.
///
/// It takes processor time, so it runs after the call is charged and after every other check of the caller.
pub(crate) async fn check_guesses(
    operations: &Operations,
    field: &str,
    new: &SecretString,
    words: Vec<String>,
) -> OpResult<()> {
    let score = operations.ports.passwords.score(new.clone(), words).await?;
    if score < LEAST_SCORE { Err(refusal(field, PasswordError::TooWeak)) } else { Ok(()) }
}

/// Checks a new password and hashes it.
pub(crate) async fn hash_new_password(
    operations: &Operations,
    field: &str,
    new: &SecretString,
    words: Vec<String>,
) -> OpResult<PasswordHash> {
    check_new_password(operations, field, new, words).await?;
    Ok(operations.ports.passwords.hash(new.clone()).await?)
}

/// Returns the words that belong to an account: of its address, its name and its workspaces' names.
pub(crate) async fn words_of(operations: &Operations, user: &User) -> OpResult<Vec<String>> {
    let workspaces = operations.ports.store.workspaces().list_own(user.id).await?;
    let names = workspaces.iter().map(|workspace| workspace.peek().name.as_str());
    let names = names.chain([user.display_name.as_str()]).flat_map(str::split_whitespace);
    Ok(user.email.iter().flat_map(EmailAddress::words).chain(names).map(str::to_owned).collect())
}

/// Mails a user whose password was set, with the API keys that stay.
pub(crate) async fn notify_of_new_password(
    operations: &Operations,
    changes: &mut Changes,
    user: &User,
) -> OpResult<()> {
    let Some(to) = &user.email else { return Ok(()) };
    let mut stay = Vec::new();
    for membership in operations.ports.store.memberships().list_own(user.id).await? {
        let keys = operations.ports.store.api_keys().list_of_member(membership.peek(), operations.now()).await?;
        stay.extend(keys.into_iter().map(|key| key.into_display().0));
    }
    operations.post(changes, Operations::password_changed_mail(to, &stay));
    Ok(())
}

/// Checks that `given` is the user's password. The caller charges the try beforehand.
pub(crate) async fn verify_password(operations: &Operations, user: &User, given: &SecretString) -> OpResult<()> {
    let hash = user.password.as_ref().map(|password| password.hash.clone());
    if operations.ports.passwords.verify(given.clone(), hash).await? {
        Ok(())
    } else {
        Err(OpError::permission_denied(Reason::PasswordMismatch, "the current password is not right"))
    }
}

fn refusal(field: &str, error: PasswordError) -> OpError {
    let reason = match error {
        PasswordError::TooShort => Reason::PasswordTooShort,
        PasswordError::TooLong => Reason::PasswordTooLong,
        PasswordError::TooWeak => Reason::PasswordTooWeak,
        PasswordError::Breached => Reason::PasswordBreached,
    };
    OpError::invalid_argument(reason, format!("{field} {error}"))
}
