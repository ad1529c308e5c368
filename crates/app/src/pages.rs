//! The pages that are no operation: the console, health for those who run the server, and where the links in mails lead.

#[cfg(feature = "console")]
pub(crate) mod console;
pub(crate) mod email;
pub(crate) mod health;
