//! E-mail addresses: what we accept, and when two of them are the same.

use std::fmt;

/// An address as typed, with the key by which it is unique.
///
/// The local part is ASCII without quotes, the domain is taken to its ASCII form by UTS #46. Two addresses are the same
/// when local part and domain agree without regard to case; dots and plus signs are kept.
#[derive(Clone)]
pub struct EmailAddress {
    typed: String,
    key: String,
}

/// Why a text is not an address we can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EmailError {
    /// More than 254 bytes (RFC 5321 §4.5.3.1.3), or more than 64 before the @.
    #[error("must have at most 254 characters, at most 64 of them before the @")]
    TooLong,
    /// Not one local part and one domain.
    #[error("must have the form name@example.com")]
    Form,
    /// A character that we do not take in the local part.
    #[error("must have only ASCII letters, digits and .!#$%&'*+/=?^_`{{|}}~- before the @")]
    Local,
    /// Not a domain name with a dot.
    #[error("must have a domain name such as example.com after the @")]
    Domain,
}

impl EmailAddress {
    /// Takes an address as typed.
    ///
    /// # Errors
    /// [`EmailError`] says what is wrong with it.
    ///
    /// ```
    /// use tradepost_domain::accounts::email::EmailAddress;
    ///
    /// let typed = EmailAddress::new(" Ada@Example.COM ")?;
    /// assert_eq!(typed.as_str(), "Ada@Example.COM");
    /// assert_eq!(typed, EmailAddress::new("ada@example.com")?);
    /// # Ok::<(), tradepost_domain::accounts::email::EmailError>(())
    /// ```
    pub fn new(text: &str) -> Result<Self, EmailError> {
        let typed = text.trim();
        let (local, domain) = typed.rsplit_once('@').ok_or(EmailError::Form)?;
        if typed.len() > 254 || local.len() > 64 {
            return Err(EmailError::TooLong);
        }
        if local.is_empty() || local.contains('@') {
            return Err(EmailError::Form);
        }
        if !is_dot_atom(local) {
            return Err(EmailError::Local);
        }
        let domain = idna::domain_to_ascii_strict(domain).map_err(|_| EmailError::Domain)?;
        if !domain.contains('.') || domain.starts_with('[') || is_ip_literal(&domain) {
            return Err(EmailError::Domain);
        }
        Ok(Self { typed: typed.to_owned(), key: format!("{}@{domain}", local.to_ascii_lowercase()) })
    }

    /// The address as it was typed, for delivery.
    pub fn as_str(&self) -> &str {
        &self.typed
    }

    /// The form by which addresses are compared and found.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The part before the @ and the labels of the domain: words that must not be all of a password.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.key.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
    }
}

/// RFC 5322 §3.2.3 `dot-atom`: no quotes, no leading, trailing or double dots.
fn is_dot_atom(local: &str) -> bool {
    local.split('.').all(|atom| {
        !atom.is_empty() && atom.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&b))
    })
}

fn is_ip_literal(domain: &str) -> bool {
    domain.parse::<std::net::Ipv4Addr>().is_ok()
}

impl PartialEq for EmailAddress {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl Eq for EmailAddress {}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.typed)
    }
}
impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.typed, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_we_cannot_deliver_to_are_refused() {
        for (text, why) in [
            ("", EmailError::Form),
            ("ada", EmailError::Form),
            ("@example.com", EmailError::Form),
            ("a@b@example.com", EmailError::Form),
            ("\"a b\"@example.com", EmailError::Local),
            ("a..b@example.com", EmailError::Local),
            ("ada@localhost", EmailError::Domain),
            ("ada@192.0.2.1", EmailError::Domain),
            ("ada@exa mple.com", EmailError::Domain),
        ] {
            assert_eq!(EmailAddress::new(text), Err(why), "{text:?}");
        }
        assert_eq!(EmailAddress::new(&format!("{}@example.com", "a".repeat(65))), Err(EmailError::TooLong));
    }

    #[test]
    fn a_domain_in_another_script_is_the_same_as_its_ascii_form() {
        assert_eq!(EmailAddress::new("a@bücher.example"), EmailAddress::new("A@xn--bcher-kva.example"));
    }

    #[test]
    fn dots_and_plus_signs_are_not_folded() {
        assert_ne!(EmailAddress::new("a.b@example.com"), EmailAddress::new("ab@example.com"));
        assert_ne!(EmailAddress::new("a+b@example.com"), EmailAddress::new("a@example.com"));
    }
}
