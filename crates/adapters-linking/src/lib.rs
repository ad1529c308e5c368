//! Asks other platforms for a user's identity: Discord's shape by OAuth 2 with PKCE, Steam's shape by OpenID 2.0.
//!
//! It owns both protocols and what counts as a proof in them. It must not know what an identity is good for, nor whether a
//! question was answered before.
#![deny(missing_docs)]

mod calls;
mod kept;
mod oauth;
mod openid;
mod platforms;
mod settings;

pub use platforms::Platforms;
pub use settings::{DiscordSettings, InvalidLinkingSettings, LinkingSettings, SteamSettings};
