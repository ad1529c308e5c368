//! The few pages that are no operation: health for those who run the server, and where the links in mails lead.

pub(crate) mod email;
pub(crate) mod health;
