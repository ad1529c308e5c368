//! Sign-ins that failed recently, by address and network. After five of them the caller has to pass the bot check.
//! Whether the address has an account makes no difference.

use crate::accounts::credentials::add_email_credential::check_bot;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use moka::sync::Cache;
use secrecy::SecretString;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_ports::changes::Caller;

use crate::calls::limits::at_address;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The number of failures from which the bot check is required.
const MOST: u32 = 5;
/// The time after the last failure for which the failures are remembered.
const REMEMBERED_FOR: Duration = Duration::from_mins(15);
const MOST_REMEMBERED: u64 = 100_000;

/// Failures that are remembered. In this process alone: how many tries there are at all is what the rate limits count.
pub(crate) struct Failures(Cache<Vec<u8>, Arc<AtomicU32>>);

impl Default for Failures {
    fn default() -> Self {
        Self(Cache::builder().time_to_idle(REMEMBERED_FOR).max_capacity(MOST_REMEMBERED).build())
    }
}

/// Requires the bot check after too many failed sign-ins. Without a configured bot check the caller could not pass, so none is
/// required.
pub(crate) async fn check_bot_after_failures(
    operations: &Operations,
    caller: &Caller,
    email: &EmailAddress,
    token: Option<SecretString>,
) -> OpResult<()> {
    let failed =
        operations.failures.0.get(&at_address(caller.client, email)).map_or(0, |failed| failed.load(Ordering::Relaxed));
    if failed < MOST || !operations.ports.bot_check.is_set_up() {
        return Ok(());
    }
    let Some(token) = token else {
        let message = "too many sign-ins failed: send botCheckToken with what the bot-check widget gave";
        return Err(OpError::failed_precondition(Reason::BotCheckRequired, message));
    };
    fields::bot_check_token(&token)?;
    check_bot(operations, caller, token, "sign_in").await
}

/// Remembers how a sign-in ended.
pub(crate) fn note_sign_in(operations: &Operations, caller: &Caller, email: &EmailAddress, succeeded: bool) {
    let place = at_address(caller.client, email);
    if succeeded {
        operations.failures.0.invalidate(&place);
    } else {
        operations.failures.0.get_with(place, Arc::default).fetch_add(1, Ordering::Relaxed);
    }
}
