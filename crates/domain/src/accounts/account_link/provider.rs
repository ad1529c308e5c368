//! The platforms whose identities can be linked.

use std::fmt;

/// A platform whose identities can be linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provider {
    /// The chat platform, by OAuth 2.
    Discord,
    /// The game platform, by OpenID 2.0.
    Steam,
}

impl Provider {
    /// Every platform.
    pub const ALL: [Self; 2] = [Self::Discord, Self::Steam];

    /// Its name in storage and settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Discord => "discord",
            Self::Steam => "steam",
        }
    }

    /// Its name as people write it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Discord => "Discord",
            Self::Steam => "Steam",
        }
    }

    /// The platform with this name in storage.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.as_str() == name)
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_platform_is_found_by_its_name() {
        for provider in Provider::ALL {
            assert_eq!(Provider::from_name(provider.as_str()), Some(provider));
        }
        assert_eq!(Provider::from_name("Discord"), None);
    }
}
