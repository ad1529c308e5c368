//! Sign-ins that failed recently, by address and network. After five of them the caller has to pass the bot check.
//! Whether the address has an account makes no difference.

use crate::accounts::credentials::add_email_credential::check_bot;
use secrecy::SecretString;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_ports::changes::Caller;

use crate::calls::limits::at_address;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The number of failures from which the bot check is required.
const MOST: u32 = 5;
/// Requires the bot check after too many failed sign-ins. Without a configured bot check the caller could not pass, so none is
/// required.
pub(crate) async fn check_bot_after_failures(
    operations: &Operations,
    caller: &Caller,
    email: &EmailAddress,
    token: Option<SecretString>,
) -> OpResult<()> {
    let failed = operations.failures.count(&at_address(caller.client, email));
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
        operations.failures.clear(&place);
    } else {
        operations.failures.add(place);
    }
}
