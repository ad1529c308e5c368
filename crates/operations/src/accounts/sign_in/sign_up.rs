//! `SignUp`: an account for the holder of an address.
//!
//! Until its link is followed, the user has no address and cannot sign in.
//!
//! Only a mail to the holder reports whether the address already has an account; the caller never learns it. The same records are stored
//! either way. The link of a superfluous account is never sent.

use crate::accounts::credentials::add_email_credential::check_bot;
use crate::accounts::credentials::email_links::email_link;
use crate::accounts::credentials::new_password::check_guesses;
use crate::accounts::credentials::new_password::check_password_rules;
use crate::mails::verify_email_mail;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::Purpose;
use tradepost_domain::accounts::password::PasswordHash;
use tradepost_domain::accounts::preferences::Preferences;
use tradepost_domain::accounts::user::User;
use tradepost_domain::text::Name;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;

use crate::calls::response_timing::on_grid;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The account to make.
#[derive(Debug, Clone)]
pub struct SignUp {
    /// The address.
    pub email: String,
    /// The password: 15 to 128 characters, hard to guess.
    pub password: SecretString,
    /// The name shown to other members.
    pub display_name: String,
    /// The token of the bot-check widget.
    pub bot_check_token: SecretString,
}

impl Operations {
    /// Mails a link that opens the account when it is followed within 24 hours, with the password; a link of an earlier sign-up with
    /// the address opens nothing then. To an address that has an account goes a mail
    /// that says so; the answer is the same.
    ///
    /// # Errors
    /// `invalid_argument` for a bad address, password, name or token; `failed_precondition` with `SIGN_UP_CLOSED` or
    /// `BOT_CHECK_FAILED`, or with `SIGN_UP_NOT_SET_UP` on a server without mail or bot check;
    /// `internal` with `BOT_CHECK_UNAVAILABLE`; `resource_exhausted`.
    pub async fn sign_up(&self, caller: &Caller, command: SignUp) -> OpResult<()> {
        self.refunding(self.ask_for_account(caller, command)).await
    }

    async fn ask_for_account(&self, caller: &Caller, command: SignUp) -> OpResult<()> {
        let email = fields::email("email", &command.email)?;
        let display_name: Name = fields::text("displayName", &command.display_name)?;
        fields::bot_check_token(&command.bot_check_token)?;
        let words = email.words().chain(display_name.as_str().split_whitespace());
        let words: Vec<String> = words.map(str::to_owned).collect();
        check_password_rules(self, "password", &command.password, &words)?;
        check_sign_up_is_open(self)?;
        self.check_sign_up_is_set_up()?;
        self.charge_network(caller.client, RateClass::SignUp).await?;
        check_bot(self, caller, command.bot_check_token, "sign_up").await?;
        check_guesses(self, "password", &command.password, words).await?;
        self.charge_strangers_mail(caller.client, &email).await?;
        // Hashed before the address is looked up, so that a known one answers no sooner than an unknown one.
        let hash = self.ports.passwords.hash(command.password).await?;
        on_grid(self.begin_account(caller, email, display_name, hash)).await
    }

    /// Rejects creating an account where its link is never mailed, or where no caller can pass the bot check.
    fn check_sign_up_is_set_up(&self) -> OpResult<()> {
        if self.ports.mailer.is_set_up() && self.ports.bot_check.is_set_up() {
            return Ok(());
        }
        let message =
            "sign-up is not set up on this server: it needs mail and a bot check; ask the operator for an account";
        Err(OpError::failed_precondition(Reason::SignUpNotSetUp, message))
    }

    async fn begin_account(
        &self,
        caller: &Caller,
        email: EmailAddress,
        display_name: Name,
        hash: PasswordHash,
    ) -> OpResult<()> {
        let known = self.ports.store.users().find_by_email(&email).await?.is_some();
        let at = self.now();
        let user = User {
            id: self.mint(),
            display_name,
            preferences: Preferences::default(),
            email: None,
            password: None,
            email_changed_at: None,
            disabled: false,
            created_at: at,
            updated_at: at,
        };
        let mut changes = Changes::by(caller);
        let token = email_link(self, user.id, Purpose::Add { email: email.clone(), hash }, &mut changes);
        changes.audit(AuditKind::UserSignedUp, user.id);
        let verify = verify_email_mail(self, &email, &user.display_name, token.expose_secret());
        changes.insert(user);
        self.post(&mut changes, if known { Self::account_exists_mail(&email) } else { verify });
        self.commit(caller, changes).await.map(drop)
    }
}

/// Rejects creating an account for an unknown caller when the operator closed sign-up.
pub(crate) fn check_sign_up_is_open(operations: &Operations) -> OpResult<()> {
    if operations.takes_sign_ups {
        return Ok(());
    }
    let message = "sign-up is closed here; ask the operator for an account";
    Err(OpError::failed_precondition(Reason::SignUpClosed, message))
}
