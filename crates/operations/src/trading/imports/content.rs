//! What an import has read and a row does not show, as it is sealed until the import ends.

use std::collections::HashMap;

use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use tradepost_domain::id::ImportId;
use tradepost_domain::trading::import::ReadField;
use tradepost_ports::store::StoreError;

use super::candidates::{Candidate, HiddenFields};
use crate::OpResult;
use crate::secrets::packing::{Packed, pack};
use crate::secrets::record_secrets::RecordSecret;

/// The place of the content of an import.
pub(crate) const fn place(import: ImportId) -> RecordSecret {
    RecordSecret::of("imports", "content", import)
}

/// Returns the fields of the accounts that applying has something to do with, each with the number of its row.
pub(crate) fn packed(candidates: &[Candidate]) -> SecretSlice<u8> {
    let mut packed = Vec::new();
    for candidate in candidates.iter().filter(|candidate| candidate.row.outcome.is_pending()) {
        let number = SecretString::from(candidate.row.number.to_string());
        let fields = ReadField::ALL.iter().map(|field| candidate.hidden.field(*field));
        pack(&mut packed, std::iter::once(Some(&number)).chain(fields));
    }
    packed.into()
}

/// Returns the fields by the numbers of their rows.
pub(crate) fn unpacked(packed: &SecretSlice<u8>) -> OpResult<HashMap<u32, HiddenFields>> {
    let (mut left, mut rows) = (Packed(packed.expose_secret()), HashMap::new());
    let corrupt = || StoreError::Corrupt("the content of an import".to_owned());
    while !left.is_empty() {
        let number = left.next_text().ok().flatten().ok_or_else(corrupt)?;
        let number = number.expose_secret().parse().map_err(|_| corrupt())?;
        let mut hidden = HiddenFields::default();
        for field in ReadField::ALL {
            hidden.set(*field, left.next_text().map_err(|_| corrupt())?);
        }
        rows.insert(number, hidden);
    }
    Ok(rows)
}
