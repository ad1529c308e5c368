//! Authenticators: the device or program that created a passkey, as far as it reports that. Users recognise their passkeys by it.
//! Without attestation the report is not verified, so no rule depends on it.

/// Identifier of a kind of authenticator (WebAuthn Level 3 §6.5.1, AAGUID).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Aaguid([u8; 16]);

/// Kinds that people meet, by the community's list passkey-authenticator-aaguids.
const KNOWN: [(u128, &str); 13] = [
    (0xfbfc_3007_154e_4ecc_8c0b_6e02_0557_d7bd, "iCloud Keychain"),
    (0xdd4e_c289_e01d_41c9_bb89_70fa_845d_4bf2, "iCloud Keychain (managed)"),
    (0xea9b_8d66_4d01_1d21_3ce4_b6b4_8cb5_75d4, "Google Password Manager"),
    (0xadce_0002_35bc_c60a_648b_0b25_f1f0_5503, "Chrome on Mac"),
    (0x0898_7058_cadc_4b81_b6e1_30de_50dc_be96, "Windows Hello"),
    (0x9ddd_1817_af5a_4672_a2b9_3e3d_d950_00a9, "Windows Hello"),
    (0x6028_b017_b1d4_4c02_b4b3_afcd_afc9_6bb2, "Windows Hello"),
    (0xbada_5566_a7aa_401f_bd96_4561_9a55_120d, "1Password"),
    (0xd548_826e_79b4_db40_a3d8_1111_6f7e_8349, "Bitwarden"),
    (0x5311_26d6_e717_415c_9320_3d9a_a698_1239, "Dashlane"),
    (0xb84e_4048_15dc_4dd0_8640_f4f6_0813_c8af, "NordPass"),
    (0x0ea2_42b4_43c4_4a1b_8b17_dd6d_0b6b_aec6, "Keeper"),
    (0x5072_6f74_6f6e_5061_7373_5072_6f74_6f6e, "Proton Pass"),
];

impl Aaguid {
    /// Returns the reported identifier; `None` for all zeros, which report no identifier.
    pub fn reported(bytes: [u8; 16]) -> Option<Self> {
        (bytes != [0; 16]).then_some(Self(bytes))
    }

    /// The 16 bytes.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// The name that people know it by; `None` for the many kinds that are not on the list.
    pub fn name(self) -> Option<&'static str> {
        let number = u128::from_be_bytes(self.0);
        KNOWN.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_kind_has_its_name_and_an_unknown_one_none() {
        let named = |number: u128| Aaguid::reported(number.to_be_bytes()).and_then(Aaguid::name);
        assert_eq!(named(0xbada_5566_a7aa_401f_bd96_4561_9a55_120d), Some("1Password"));
        assert_eq!(named(1), None);
    }

    #[test]
    fn zeros_report_no_authenticator() {
        assert_eq!(Aaguid::reported([0; 16]), None);
    }
}
