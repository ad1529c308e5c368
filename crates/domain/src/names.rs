//! Closed lists of words: the name, and the small number for storage, of each state, source or kind.
//!
//! The number of a value is its discriminant; once stored it never changes, and a value that goes leaves its number unused.

/// The text names no member of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a known {what}")]
pub struct UnknownName {
    /// What the list holds, such as `purchase status`.
    pub what: &'static str,
}

/// Gives a field-less enum with explicit discriminants its names: `ALL`, `as_str`, `code`, `from_code`, `Display`, `FromStr`.
macro_rules! names {
    ($type:ident, $what:literal: $($variant:ident => $name:literal),* $(,)?) => {
        impl $type {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            #[doc = concat!("The name of the ", $what, ".")]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The number under which it is stored.
            pub const fn code(self) -> i16 {
                self as i16
            }

            /// The value stored under `code`, if there is one.
            pub fn from_code(code: i16) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.code() == code)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::names::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let known = Self::ALL.iter().copied().find(|value| value.as_str() == text);
                known.ok_or($crate::names::UnknownName { what: $what })
            }
        }
    };
}
pub(crate) use names;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::UnknownName;
    use crate::contracts::chain::Source;
    use crate::contracts::contract::ContractStatus;
    use crate::contracts::inventory_item::ItemStatus;
    use crate::contracts::purchase::{FailureCode, PurchaseStatus};

    macro_rules! round_trip {
        ($($test:ident: $type:ident;)*) => {$(
            #[test]
            fn $test() {
                let codes: BTreeSet<i16> = $type::ALL.iter().map(|value| value.code()).collect();
                assert_eq!(codes.len(), $type::ALL.len(), "two values share a code");
                for value in $type::ALL {
                    assert_eq!($type::from_code(value.code()), Some(*value));
                    assert_eq!(value.as_str().parse(), Ok(*value));
                    assert!(value.code() > 0, "0 is kept for `unspecified`");
                }
            }
        )*};
    }

    round_trip! {
        every_source_is_found_by_name_and_code: Source;
        every_purchase_status_is_found_by_name_and_code: PurchaseStatus;
        every_failure_code_is_found_by_name_and_code: FailureCode;
        every_item_status_is_found_by_name_and_code: ItemStatus;
        every_contract_status_is_found_by_name_and_code: ContractStatus;
    }

    #[test]
    fn an_unknown_name_says_what_was_looked_for() {
        let unknown: Result<PurchaseStatus, UnknownName> = "BOUGHT".parse();
        assert_eq!(unknown.map_err(|error| error.to_string()), Err("not a known purchase status".to_owned()));
        assert_eq!(PurchaseStatus::from_code(0), None);
    }
}
