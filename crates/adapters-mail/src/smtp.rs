//! Mail by SMTP (RFC 5321), one connection for each mail. It must not know what is in a mail.

use std::time::Duration;

use async_trait::async_trait;
use lettre::address::Envelope;
use lettre::message::{Mailbox, Message, MultiPart};
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, error::Error as MessageError};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::time::timeout;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_ports::mailer::{Mail, MailError, Mailer};

/// How long the server may take to say goodbye after it took the mail.
const LONGEST_GOODBYE: Duration = Duration::from_secs(1);

/// How the connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpTls {
    /// TLS begun by STARTTLS, usually on port 587. A server without it gets no mail.
    StartTls,
    /// TLS from the first byte, usually on port 465.
    Tls,
    /// None: login and mails can be read on the way. For a server on this computer.
    None,
}

/// How to log in.
#[derive(Debug, Clone)]
pub struct SmtpLogin {
    /// User name.
    pub user: String,
    /// Password.
    pub password: SecretString,
}

/// Where mails go and what they say of their sender.
#[derive(Debug, Clone)]
pub struct SmtpSettings {
    /// Name or address of the server. With TLS, its certificate must be for this name.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Absent for a server that asks for no login.
    pub login: Option<SmtpLogin>,
    /// How the connection is protected.
    pub tls: SmtpTls,
    /// The sender: `no-reply@example.com` or `tradepost <no-reply@example.com>`.
    pub from: String,
    /// How long handing over one mail may take in all.
    pub timeout: Duration,
}

impl SmtpSettings {
    /// The usual for [`SmtpSettings::timeout`].
    pub const TIMEOUT: Duration = Duration::from_secs(10);
}

/// No mail can be sent with these settings.
#[derive(Debug, thiserror::Error)]
pub enum InvalidSmtpSettings {
    /// The sender is not an address.
    #[error("the sender of mails {from:?} must have the form no-reply@example.com or tradepost <no-reply@example.com>")]
    From {
        /// What was given.
        from: String,
    },
    /// The host cannot be that of a certificate, or the computer's certificates cannot be used.
    #[error("TLS to the mail server {host:?} cannot be set up: {reason}")]
    Tls {
        /// What was given.
        host: String,
        /// What the TLS library says.
        reason: String,
    },
}

/// Sends mails through one server.
///
/// A mail counts as sent when the server has taken responsibility for it. Connections are not kept: a mail that is
/// abandoned half way must not leave its answers to the next.
pub struct SmtpMailer {
    settings: SmtpSettings,
    from: Mailbox,
    protection: Protection,
}

/// [`SmtpTls`] with what each needs.
enum Protection {
    StartTls(TlsParameters),
    Tls(TlsParameters),
    None,
}

impl SmtpMailer {
    /// A mailer with these settings. The server is not contacted yet.
    ///
    /// # Errors
    /// [`InvalidSmtpSettings`] says which setting cannot be used.
    pub fn new(settings: SmtpSettings) -> Result<Self, InvalidSmtpSettings> {
        let parsed = settings.from.parse();
        let from = parsed.map_err(|_| InvalidSmtpSettings::From { from: settings.from.clone() })?;
        let parameters = || {
            TlsParameters::new(settings.host.clone())
                .map_err(|error| InvalidSmtpSettings::Tls { host: settings.host.clone(), reason: error.to_string() })
        };
        let protection = match settings.tls {
            SmtpTls::StartTls => Protection::StartTls(parameters()?),
            SmtpTls::Tls => Protection::Tls(parameters()?),
            SmtpTls::None => Protection::None,
        };
        Ok(Self { settings, from, protection })
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, lettre::transport::smtp::Error> {
        let name = ClientId::default();
        let server = (self.settings.host.as_str(), self.settings.port);
        let wrapped = match &self.protection {
            Protection::Tls(parameters) => Some(parameters.clone()),
            Protection::StartTls(_) | Protection::None => None,
        };
        let mut connection = AsyncSmtpConnection::connect_tokio1(server, None, &name, wrapped, None).await?;
        if let Protection::StartTls(parameters) = &self.protection {
            connection.starttls(parameters.clone(), &name).await?;
        }
        if let Some(SmtpLogin { user, password }) = &self.settings.login {
            let credentials = Credentials::new(user.clone(), password.expose_secret().to_owned());
            connection.auth(DEFAULT_MECHANISMS, &credentials).await?;
        }
        Ok(connection)
    }

    /// Connects and hands the message over.
    async fn hand_over(
        &self,
        envelope: &Envelope,
        message: &[u8],
    ) -> Result<AsyncSmtpConnection, lettre::transport::smtp::Error> {
        let mut connection = self.connect().await?;
        connection.send(envelope, message).await?;
        Ok(connection)
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        let message = message(&self.from, mail).map_err(|error| refused(&error))?;
        let handing_over =
            timeout(self.settings.timeout, async { self.hand_over(message.envelope(), &message.formatted()).await });
        let server = format_args!("{}:{}", self.settings.host, self.settings.port).to_string();
        let mut connection = match handing_over.await {
            Ok(Ok(connection)) => connection,
            Ok(Err(error)) => return Err(from_server(&server, &error)),
            Err(_elapsed) => return Err(too_slow(&server, self.settings.timeout)),
        };
        // The mail is taken. Whether the server also says goodbye makes no difference to it.
        drop(timeout(LONGEST_GOODBYE, connection.quit()).await);
        Ok(())
    }
}

/// The mail as text and, for those who prefer it, HTML (RFC 2046 §5.1.4).
fn message(from: &Mailbox, mail: Mail) -> Result<Message, MessageError> {
    let to = Mailbox::new(None, address(&mail.to)?);
    let bodies = MultiPart::alternative_plain_html(mail.text, mail.html);
    Message::builder().from(from.clone()).to(to).subject(mail.subject).message_id(None).multipart(bodies)
}

/// The address with its local part as typed, since only the receiver knows whether case matters there, and with its domain
/// in ASCII, which every server takes.
fn address(to: &EmailAddress) -> Result<Address, MessageError> {
    let (local, _) = to.as_str().rsplit_once('@').ok_or(MessageError::EmailMissingAt)?;
    let (_, domain) = to.key().rsplit_once('@').ok_or(MessageError::EmailMissingAt)?;
    Address::new(local, domain).map_err(|_| MessageError::EmailMissingDomain)
}

fn refused(error: &MessageError) -> MailError {
    MailError { reason: format!("the mail cannot be written: {error}"), is_transient: false }
}

/// Only a reply of the class 5xx says that the mail is not wanted at all (RFC 5321 §4.2.1). All else may pass: the
/// network, the server, our login.
fn from_server(server: &str, error: &lettre::transport::smtp::Error) -> MailError {
    MailError { reason: format!("{server}: {error}"), is_transient: !error.is_permanent() }
}

fn too_slow(server: &str, limit: Duration) -> MailError {
    MailError { reason: format!("{server} did not take the mail within {limit:?}"), is_transient: true }
}

#[cfg(test)]
mod tests;
