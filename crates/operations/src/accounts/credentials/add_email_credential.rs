//! `AddEmailCredential`: an address and password for an account that signs in through another platform only.

use crate::accounts::credentials::email_links::email_link;
use crate::accounts::credentials::new_password::check_guesses;
use crate::accounts::credentials::new_password::check_password_rules;
use crate::mails::verify_email_mail;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email_link::Purpose;
use tradepost_domain::accounts::user::AddEmailError;
use tradepost_ports::bot_check::BotCheckError;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;

use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The credential to add.
#[derive(Debug, Clone)]
pub struct AddEmailCredential {
    /// The address.
    pub email: String,
    /// The password: 15 to 128 characters, hard to guess.
    pub password: SecretString,
    /// The token of the bot-check widget.
    pub bot_check_token: SecretString,
}

impl Operations {
    /// Mails a link to the address; the credential is added when it is followed within 24 hours, with the password.
    ///
    /// # Errors
    /// `failed_precondition` with `EMAIL_CREDENTIAL_EXISTS`, `NO_LINKED_IDENTITY`, `BOT_CHECK_FAILED` or
    /// `STEP_UP_REQUIRED`; `already_exists` with `EMAIL_TAKEN`; `invalid_argument` for a bad address, password or token;
    /// `internal` with `BOT_CHECK_UNAVAILABLE`.
    pub async fn add_email_credential(&self, caller: &Caller, command: AddEmailCredential) -> OpResult<()> {
        self.refunding(self.ask_to_add_email(caller, command)).await
    }

    async fn ask_to_add_email(&self, caller: &Caller, command: AddEmailCredential) -> OpResult<()> {
        let user_id = caller.principal.act_as_user()?;
        let email = fields::email("email", &command.email)?;
        fields::bot_check_token(&command.bot_check_token)?;
        let words: Vec<String> = email.words().map(str::to_owned).collect();
        check_password_rules(self, "password", &command.password, &words)?;
        let mut changes = Changes::by(caller);
        self.require_step_up(caller, rules::ADD_EMAIL_CREDENTIAL, &mut changes).await?;
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        let user = changes.rely_on(user);
        let linked = self.ports.store.account_links().count_identities(user_id).await?;
        user.may_add_email(linked > 0).map_err(refusal)?;
        self.charge_user(user_id, RateClass::Password).await?;
        check_bot(self, caller, command.bot_check_token, "add_email_credential").await?;
        check_guesses(self, "password", &command.password, words).await?;
        self.charge_mail(user_id).await?;
        self.charge_mail_to(&email).await?;
        // Hashed before the address is looked up, so that a taken one answers no sooner than a free one.
        let hash = self.ports.passwords.hash(command.password).await?;
        if self.ports.store.users().find_by_email(&email).await?.is_some() {
            return Err(OpError::already_exists(Reason::EmailTaken, "another account uses this e-mail address"));
        }
        let token = email_link(self, user_id, Purpose::Add { email: email.clone(), hash }, &mut changes);
        changes.audit(AuditKind::CredentialEmailAdded, user_id);
        self.post(&mut changes, verify_email_mail(self, &email, &user.display_name, token.expose_secret()));
        self.commit(caller, changes).await.map(drop)
    }
}

/// Checks what the widget gave for an action.
pub(crate) async fn check_bot(
    operations: &Operations,
    caller: &Caller,
    token: SecretString,
    action: &str,
) -> OpResult<()> {
    if !operations.ports.bot_check.is_set_up() {
        let message = "no bot check is set up on this server, and this operation needs one; ask the operator";
        return Err(OpError::failed_precondition(Reason::BotCheckNotSetUp, message));
    }
    operations.ports.bot_check.check(token, action, caller.client).await.map_err(|error| match error {
        BotCheckError::Refused => OpError::failed_precondition(Reason::BotCheckFailed, "the bot check was not passed"),
        BotCheckError::Unavailable(why) => {
            tracing::error!(%why, "bot check is unavailable");
            OpError::outage(Reason::BotCheckUnavailable)
        }
    })
}

fn refusal(error: AddEmailError) -> OpError {
    let reason = match error {
        AddEmailError::Exists => Reason::EmailCredentialExists,
        AddEmailError::NoLinkedIdentity => Reason::NoLinkedIdentity,
    };
    OpError::failed_precondition(reason, error.to_string())
}
