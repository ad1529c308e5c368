//! Distinguishes users from scripts with the widget of a third party, whose token is verified at that party's server.
//!
//! It owns the question, its retry and what counts as a good answer. It must not know what is protected by a check.
#![deny(missing_docs)]

mod development;
mod site_verify;

pub use development::DevelopmentCheck;
pub use site_verify::{InvalidSiteVerifySettings, SiteVerify, SiteVerifyService, SiteVerifySettings};
