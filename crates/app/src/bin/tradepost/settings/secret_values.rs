//! Secrets among the settings.

use secrecy::SecretString;
use serde::{Deserialize as _, Deserializer};

pub(super) fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SecretString>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.map(SecretString::from))
}
