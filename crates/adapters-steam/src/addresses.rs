//! Where Steam is called.

/// The addresses of Steam's services.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    /// The API, at which accounts are signed in and read.
    pub api: String,
    /// The community: the page of the API key, confirmations, and what changes trade offers.
    pub community: String,
}

impl Default for Addresses {
    fn default() -> Self {
        Self { api: "https://api.steampowered.com".to_owned(), community: "https://steamcommunity.com".to_owned() }
    }
}
