//! How the list of reasons becomes [`Reason`](super::Reason).

/// Defines [`Reason`] from sections of `Variant = "NAME", "codes";`, each with the sentence of the page of errors as its documentation.
macro_rules! reasons {
    ($($section:literal { $($(#[doc = $text:literal])+ $variant:ident = $name:literal, $codes:literal;)+ })+) => {
        /// Why a call does not succeed. The names are part of the interface and never change.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $($($(#[doc = $text])+ $variant,)+)+
        }

        impl Reason {
            /// All reasons by section, in the order of the page of errors.
            pub const SECTIONS: &[(&str, &[Self])] = &[$(($section, &[$(Self::$variant),+])),+];

            /// Returns the name that clients read in the header `x-error-reason`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($(Self::$variant => $name,)+)+
                }
            }

            /// Returns the codes that come with the reason, with the HTTP status where the code alone does not give it.
            pub const fn codes(self) -> &'static str {
                match self {
                    $($(Self::$variant => $codes,)+)+
                }
            }

            /// Returns what the reason means, or what a client can do about it.
            pub const fn help(self) -> &'static str {
                match self {
                    $($(Self::$variant => concat!($($text),+),)+)+
                }
            }
        }

        impl std::fmt::Display for Reason {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

pub(super) use reasons;
