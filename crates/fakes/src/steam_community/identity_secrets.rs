//! The secrets with which the owners of accounts sign calls about confirmations, and whether a call is signed with one.

use std::collections::{BTreeMap, BTreeSet};

use aws_lc_rs::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key, verify};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tradepost_domain::trading::trade::PlatformUserId;

/// The secrets of all accounts, and the times of their answers.
#[derive(Debug, Default)]
pub(crate) struct IdentitySecrets {
    keys: BTreeMap<PlatformUserId, Key>,
    answered: BTreeSet<(PlatformUserId, i64)>,
}

/// Why a call is not the owner's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotSigned {
    /// The account has no authenticator.
    NoSecret,
    /// The key of the call is another one.
    WrongKey,
}

impl IdentitySecrets {
    pub(crate) fn set(&mut self, user: PlatformUserId, base64: &str) {
        if let Ok(secret) = STANDARD.decode(base64) {
            self.keys.insert(user, Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &secret));
        } else {
            self.keys.remove(&user);
        }
    }

    /// Notes the time of an answer; whether it is the first one at that time.
    pub(super) fn note_answer(&mut self, user: PlatformUserId, time: i64) -> bool {
        self.answered.insert((user, time))
    }

    /// Checks the key of a call: the HMAC-SHA1 of its time and its tag, in base 64.
    pub(super) fn check(&self, user: PlatformUserId, key: &str, time: i64, tag: &str) -> Result<(), NotSigned> {
        let secret = self.keys.get(&user).ok_or(NotSigned::NoSecret)?;
        let signed = [&time.to_be_bytes()[..], tag.as_bytes()].concat();
        let key = STANDARD.decode(key).map_err(|_| NotSigned::WrongKey)?;
        verify(secret, &signed, &key).map_err(|_| NotSigned::WrongKey)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;

    const USER: PlatformUserId = PlatformUserId::new(NonZeroU64::new(76_561_197_960_265_729).unwrap());
    const SECRET: &str = "GQP46b73Ws7gr8GmZFR0sDuau5c=";
    /// That of `SECRET` for the second 1617591917 and the tag "conf".
    const KEY: &str = "NaL8EIMhfy/7vBounJ0CvpKbrPk=";

    #[test]
    fn a_key_is_that_of_its_secret_its_time_and_its_tag_alone() {
        let mut secrets = IdentitySecrets::default();
        assert_eq!(secrets.check(USER, KEY, 1_617_591_917, "conf"), Err(NotSigned::NoSecret));
        secrets.set(USER, SECRET);
        assert_eq!(secrets.check(USER, KEY, 1_617_591_917, "conf"), Ok(()));
        for (key, time, tag) in
            [(KEY, 1_617_591_918, "conf"), (KEY, 1_617_591_917, "list"), ("AAAA", 1_617_591_917, "conf"), ("?", 0, "")]
        {
            assert_eq!(secrets.check(USER, key, time, tag), Err(NotSigned::WrongKey), "{key} {time} {tag}");
        }
        secrets.set(USER, "no base 64");
        assert_eq!(secrets.check(USER, KEY, 1_617_591_917, "conf"), Err(NotSigned::NoSecret));
    }
}
