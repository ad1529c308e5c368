//! Hands mails over: to an SMTP server, or to a folder where a person or a test reads them.
//!
//! It owns transports and their settings. It must not know why a mail is sent, nor try again: that is for the caller.
#![deny(missing_docs)]

mod directory;
mod smtp;

pub use directory::DirectoryMailer;
pub use smtp::{InvalidSmtpSettings, SmtpLogin, SmtpMailer, SmtpSettings, SmtpTls};
