//! An account of a content as it was understood, before it is compared with the accounts that there are.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretSlice, SecretString};
use tradepost_domain::text::{AccountName, ExternalId, TextError};
use tradepost_domain::trading::import::{ImportRow, ReadField, ReasonCode, RowOutcome, RowReason};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::imports::ReadAccount;

use crate::fields;
use crate::trading::trading_accounts::AccountSecrets;
use crate::trading::trading_accounts::account_recovery::AccountRecovery;

/// Most bytes of a field.
const LONGEST: usize = 1_024;
/// The bytes of a secret of a mobile authenticator.
const SECRET_BYTES: usize = 20;

/// The fields of an account that a row does not show.
#[derive(Debug, Clone, Default)]
pub(crate) struct HiddenFields {
    /// What it signs in by.
    pub(crate) secrets: AccountSecrets,
    /// What recovers it.
    pub(crate) recovery: AccountRecovery,
    /// The token of its trade URL.
    pub(crate) trade_token: Option<SecretString>,
}

/// An account of a content.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    /// What is shown of it.
    pub(crate) row: ImportRow,
    /// What is not.
    pub(crate) hidden: HiddenFields,
}

impl HiddenFields {
    /// Returns the place of a field.
    fn field_mut(&mut self, field: ReadField) -> &mut Option<SecretString> {
        match field {
            ReadField::LoginName => &mut self.secrets.login_name,
            ReadField::Password => &mut self.secrets.password,
            ReadField::SharedSecret => &mut self.secrets.shared_secret,
            ReadField::IdentitySecret => &mut self.secrets.identity_secret,
            ReadField::ApiKey => &mut self.secrets.api_key,
            ReadField::TradeToken => &mut self.trade_token,
            ReadField::RevocationCode => &mut self.recovery.revocation_code,
            ReadField::DeviceId => &mut self.recovery.device_id,
            ReadField::SerialNumber => &mut self.recovery.serial_number,
            ReadField::Uri => &mut self.recovery.uri,
            ReadField::Secret1 => &mut self.recovery.secret_1,
        }
    }

    /// Returns a field.
    pub(crate) const fn field(&self, field: ReadField) -> Option<&SecretString> {
        match field {
            ReadField::LoginName => self.secrets.login_name.as_ref(),
            ReadField::Password => self.secrets.password.as_ref(),
            ReadField::SharedSecret => self.secrets.shared_secret.as_ref(),
            ReadField::IdentitySecret => self.secrets.identity_secret.as_ref(),
            ReadField::ApiKey => self.secrets.api_key.as_ref(),
            ReadField::TradeToken => self.trade_token.as_ref(),
            ReadField::RevocationCode => self.recovery.revocation_code.as_ref(),
            ReadField::DeviceId => self.recovery.device_id.as_ref(),
            ReadField::SerialNumber => self.recovery.serial_number.as_ref(),
            ReadField::Uri => self.recovery.uri.as_ref(),
            ReadField::Secret1 => self.recovery.secret_1.as_ref(),
        }
    }

    /// Sets a field.
    pub(crate) fn set(&mut self, field: ReadField, value: Option<SecretString>) {
        *self.field_mut(field) = value;
    }

    /// Returns these fields, and those of another account where these are missing.
    pub(crate) fn over(mut self, known: &Self) -> Self {
        for field in ReadField::ALL {
            if self.field(*field).is_none() {
                self.set(*field, known.field(*field).cloned());
            }
        }
        self
    }

    /// Returns whether all fields are equal.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let exposed = |secret: Option<&SecretString>| secret.map(|secret| secret.expose_secret().to_owned());
        ReadField::ALL.iter().all(|field| exposed(self.field(*field)) == exposed(other.field(*field)))
    }

    /// Returns the trade token, if it can be one.
    pub(crate) fn token(&self) -> Option<Result<ExternalId, TextError>> {
        self.trade_token.as_ref().map(|token| ExternalId::new(token.expose_secret()))
    }
}

impl Candidate {
    /// Understands an account that was read. Its outcome is that of an account which is still to be compared.
    pub(crate) fn of(number: u32, read: ReadAccount, name_after_login: bool) -> Self {
        let mut hidden = HiddenFields::default();
        for (field, value) in read.fields {
            hidden.set(field, Some(value).filter(|value| !value.expose_secret().is_empty()));
        }
        let mut row = ImportRow {
            number,
            platform_user_id: None,
            name: None,
            given: ReadField::ALL.iter().copied().filter(|field| hidden.field(*field).is_some()).collect(),
            outcome: RowOutcome::WillCreate,
            reasons: Vec::new(),
            account_id: None,
            holding: None,
        };
        row.platform_user_id = read.platform_user_id.as_deref().and_then(individual);
        if let Some(fault) = read.fault {
            row.refuse(fault.code, &fault.detail);
            return Self { row, hidden };
        }
        if row.platform_user_id.is_none() {
            let known = read.platform_user_id.map(|_| "the number is not that of an individual account");
            row.refuse(ReasonCode::NumberInvalid, known.unwrap_or("the number of the account is missing"));
        }
        let login = hidden.secrets.login_name.as_ref().filter(|_| name_after_login);
        let number = row.platform_user_id.map(|number| number.to_string());
        let name = read.name.as_deref().or(login.map(ExposeSecret::expose_secret)).or(number.as_deref());
        match name.map(AccountName::new) {
            Some(Ok(name)) => row.name = Some(name),
            Some(Err(error)) => row.refuse(ReasonCode::NameInvalid, &format!("the name {error}")),
            None => {}
        }
        check_hidden(&hidden, &mut row);
        Self { row, hidden }
    }

    /// Returns whether nothing speaks against the account so far.
    pub(crate) const fn is_accepted(&self) -> bool {
        self.row.reasons.is_empty()
    }
}

/// Changes of a row that is not applied.
pub(crate) trait Refuse {
    /// Refuses the row, for one more reason.
    fn refuse(&mut self, code: ReasonCode, detail: &str);
}

impl Refuse for ImportRow {
    fn refuse(&mut self, code: ReasonCode, detail: &str) {
        self.outcome = RowOutcome::Refused;
        self.reasons.extend(fields::shortened(detail).map(|detail| RowReason { code, detail }));
    }
}

fn check_hidden(hidden: &HiddenFields, row: &mut ImportRow) {
    for field in row.given.clone() {
        if hidden.field(field).is_some_and(|value| value.expose_secret().len() > LONGEST) {
            row.refuse(ReasonCode::SecretInvalid, &format!("{field} has more than {LONGEST} bytes"));
        }
    }
    for field in [ReadField::SharedSecret, ReadField::IdentitySecret] {
        if hidden.field(field).is_some_and(|secret| !is_authenticator_secret(secret)) {
            row.refuse(ReasonCode::SecretInvalid, &format!("{field} is not {SECRET_BYTES} bytes in Base64"));
        }
    }
    if let Some(Err(error)) = hidden.token() {
        row.refuse(ReasonCode::TokenInvalid, &format!("trade_token {error}"));
    }
}

/// Returns the number of an individual account.
pub(crate) fn individual(text: &str) -> Option<PlatformUserId> {
    let number = text.parse().ok().map(PlatformUserId::new)?;
    (number.is_individual() && number.to_string() == text).then_some(number)
}

fn is_authenticator_secret(secret: &SecretString) -> bool {
    let decoded = STANDARD.decode(secret.expose_secret()).map(SecretSlice::from);
    decoded.is_ok_and(|bytes| bytes.expose_secret().len() == SECRET_BYTES)
}

/// Returns the numbers of candidates.
pub(crate) fn numbers(rows: &[ImportRow]) -> Vec<PlatformUserId> {
    rows.iter().filter_map(|row| row.platform_user_id).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the names of candidates.
pub(crate) fn names(rows: &[ImportRow]) -> Vec<AccountName> {
    rows.iter().filter_map(|row| row.name.clone()).collect()
}
