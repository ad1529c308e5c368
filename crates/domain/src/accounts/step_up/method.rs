//! The methods by which a second factor is proved.

use std::fmt;

/// How a second factor is proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// A code sent to the verified address. Offered only to users without a stronger factor.
    Email,
    /// A code of the enrolled authenticator app.
    Totp,
    /// A registered passkey.
    Passkey,
    /// One of the codes that were given with the authenticator app, in its stead.
    RecoveryCode,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 4] = [Self::Email, Self::Totp, Self::Passkey, Self::RecoveryCode];

    /// A small number for storage, never reused: one bit, so that several methods are stored as their sum.
    pub const fn code(self) -> i16 {
        match self {
            Self::Email => 1,
            Self::Totp => 2,
            Self::Passkey => 4,
            Self::RecoveryCode => 8,
        }
    }

    /// Its name, as `BeginStepUp` offers it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "EMAIL",
            Self::Totp => "TOTP",
            Self::Passkey => "PASSKEY",
            Self::RecoveryCode => "RECOVERY_CODE",
        }
    }

    /// Returns the method with this stored number.
    pub fn from_code(code: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.code() == code)
    }

    /// The sum of the codes of methods that are each named once.
    pub fn sum(methods: &[Self]) -> i16 {
        methods.iter().fold(0, |sum, method| sum | method.code())
    }

    /// The methods whose codes make up a sum; `None` if something is left over.
    pub fn from_sum(sum: i16) -> Option<Vec<Self>> {
        let methods: Vec<Self> = Self::ALL.into_iter().filter(|method| sum & method.code() != 0).collect();
        (Self::sum(&methods) == sum && sum != 0).then_some(methods)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_methods_is_stored_as_a_sum() {
        let sums = 1..1 << Method::ALL.len();
        for set in sums {
            let chosen = Method::ALL.into_iter().enumerate().filter(|(at, _)| set & (1 << at) != 0);
            let methods: Vec<Method> = chosen.map(|(_, method)| method).collect();
            assert_eq!(Method::from_sum(Method::sum(&methods)), Some(methods));
        }
        assert_eq!((Method::from_sum(0), Method::from_sum(64)), (None, None));
    }
}
