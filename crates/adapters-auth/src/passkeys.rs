//! The relying party of WebAuthn, by `webauthn-rs`. It must not know users beyond what a registration names, nor keep
//! state: that travels as JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tradepost_domain::accounts::authenticator::Aaguid;
use tradepost_domain::id::UserId;
use tradepost_ports::passkeys::{PasskeyChallenge, PasskeyError, PasskeyProof, Passkeys, Registered, Registrant};
use webauthn_rs::prelude::{
    AuthenticationResult, CreationChallengeResponse, DiscoverableAuthentication, Passkey, PasskeyAuthentication,
    PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential, Url, Uuid, Webauthn, WebauthnBuilder,
    WebauthnError,
};

/// Under this name browsers ask for a passkey.
const NAME: &str = "tradepost";

/// Registers passkeys for the sites of one domain, and asks for them.
pub struct RelyingParty {
    webauthn: Webauthn,
}

/// Whose passkey is asked for.
#[derive(Serialize, Deserialize)]
enum Asked {
    /// One user's.
    User(PasskeyAuthentication),
    /// Whosever it is.
    Anybody(DiscoverableAuthentication),
}

/// Why no passkeys can be registered with these settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RelyingPartyError {
    /// There is no site.
    #[error("passkeys need at least one origin, such as https://trade.example.com")]
    NoOrigin,
    /// The text is not an address of a site.
    #[error("the origin {origin} of passkeys is not an address such as https://trade.example.com: {reason}")]
    Origin {
        /// The text.
        origin: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The site is not of the domain. WebAuthn knows domain names only, never IP addresses; for one computer,
    /// `localhost` serves.
    #[error("the origin {origin} of passkeys must lie on the domain {id} or below it")]
    OutsideDomain {
        /// The site.
        origin: String,
        /// The domain.
        id: String,
    },
}

impl RelyingParty {
    /// The relying party `id`, a domain such as `example.com`, whose passkeys are made and used on `origins`, such as
    /// `https://trade.example.com`. Passkeys are bound to the domain permanently.
    ///
    /// # Errors
    /// [`RelyingPartyError`] says which origin cannot be one of the domain.
    pub fn new(id: &str, origins: &[String]) -> Result<Self, RelyingPartyError> {
        let origins = origins.iter().map(|origin| parse(id, origin)).collect::<Result<Vec<_>, _>>()?;
        let (first, others) = origins.split_first().ok_or(RelyingPartyError::NoOrigin)?;
        let outside = |_| RelyingPartyError::OutsideDomain { origin: first.to_string(), id: id.to_owned() };
        let builder = WebauthnBuilder::new(id, first).map_err(outside)?.rp_name(NAME);
        let builder = others.iter().fold(builder, WebauthnBuilder::append_allowed_origin);
        Ok(Self { webauthn: builder.build().map_err(outside)? })
    }
}

/// The library looks at the first origin alone, so each is tried as the first.
fn parse(id: &str, origin: &str) -> Result<Url, RelyingPartyError> {
    let url = Url::parse(origin)
        .map_err(|error| RelyingPartyError::Origin { origin: origin.to_owned(), reason: error.to_string() })?;
    match WebauthnBuilder::new(id, &url) {
        Ok(_) => Ok(url),
        Err(_) => Err(RelyingPartyError::OutsideDomain { origin: origin.to_owned(), id: id.to_owned() }),
    }
}

impl Passkeys for RelyingParty {
    fn origins(&self) -> Vec<String> {
        self.webauthn.get_allowed_origins().iter().map(|origin| origin.origin().ascii_serialization()).collect()
    }

    fn begin(&self, registrant: &Registrant<'_>) -> Result<PasskeyChallenge, PasskeyError> {
        let user = Uuid::from_bytes(registrant.user_id.to_bytes());
        let exclude = Some(registrant.exclude.clone());
        let (challenge, state) = self
            .webauthn
            .start_passkey_registration(user, registrant.account_name, registrant.display_name, exclude)
            .map_err(unusable)?;
        Ok(PasskeyChallenge { options: discoverable(&challenge)?.to_string(), state: to_json(&state)?.to_string() })
    }

    fn finish(&self, state: &str, credential: &str) -> Result<Registered, PasskeyError> {
        let state: PasskeyRegistration = serde_json::from_str(state).map_err(unusable)?;
        let answer: RegisterPublicKeyCredential =
            serde_json::from_str(credential).map_err(|_| PasskeyError::Malformed)?;
        let passkey = self.webauthn.finish_passkey_registration(&answer, &state).map_err(|error| refusal(&error))?;
        let kept = to_json(&passkey)?;
        Ok(Registered {
            credential_id: passkey.cred_id().clone(),
            backed_up: is_backed_up(&kept)?,
            authenticator: made_by(&answer.response.attestation_object),
            credential: kept.to_string(),
        })
    }

    fn ask(&self, kept: &[String]) -> Result<PasskeyChallenge, PasskeyError> {
        let (challenge, asked) = if kept.is_empty() {
            let (mut challenge, state) = self.webauthn.start_discoverable_authentication().map_err(unusable)?;
            // The library has the autofill of a form in mind; a button asks.
            challenge.mediation = None;
            (challenge, Asked::Anybody(state))
        } else {
            let kept: Vec<Passkey> =
                kept.iter().map(|one| serde_json::from_str(one)).collect::<Result<_, _>>().map_err(unusable)?;
            let (challenge, state) = self.webauthn.start_passkey_authentication(&kept).map_err(unusable)?;
            (challenge, Asked::User(state))
        };
        Ok(PasskeyChallenge { options: to_json(&challenge)?.to_string(), state: to_json(&asked)?.to_string() })
    }

    fn named_by(&self, answer: &str) -> Result<Vec<u8>, PasskeyError> {
        let answer: PublicKeyCredential = serde_json::from_str(answer).map_err(|_| PasskeyError::Malformed)?;
        Ok(answer.raw_id)
    }

    fn user_named_by(&self, answer: &str) -> Result<UserId, PasskeyError> {
        let answer: PublicKeyCredential = serde_json::from_str(answer).map_err(|_| PasskeyError::Malformed)?;
        let named = self.webauthn.identify_discoverable_authentication(&answer);
        let (user, _) = named.map_err(|_| PasskeyError::Malformed)?;
        Ok(UserId::from_bytes(user.into_bytes()))
    }

    fn verify(&self, state: &str, answer: &str, kept: &str) -> Result<PasskeyProof, PasskeyError> {
        let asked: Asked = serde_json::from_str(state).map_err(unusable)?;
        let mut kept: Passkey = serde_json::from_str(kept).map_err(unusable)?;
        let answer: PublicKeyCredential = serde_json::from_str(answer).map_err(|_| PasskeyError::Malformed)?;
        let result = match asked {
            Asked::User(state) => self.webauthn.finish_passkey_authentication(&answer, &state),
            Asked::Anybody(state) => self.webauthn.finish_discoverable_authentication_v2(&answer, state, &kept),
        };
        let result = result.map_err(|error| refusal(&error))?;
        // The library has looked at the counter as it was when the question was asked.
        if is_copied(&result, &kept)? {
            return Err(PasskeyError::Copied);
        }
        kept.update_credential(&result).ok_or(PasskeyError::Refused)?;
        Ok(PasskeyProof { credential: to_json(&kept)?.to_string(), backed_up: result.backup_state() })
    }
}

/// Whether a counter that ever counted has not increased (WebAuthn Level 3 §6.1.1).
fn is_copied(result: &AuthenticationResult, kept: &Passkey) -> Result<bool, PasskeyError> {
    let last = to_json(kept)?.pointer("/cred/counter").and_then(Value::as_u64);
    let last = last.ok_or_else(|| unusable("the credential has no counter"))?;
    let counter = u64::from(result.counter());
    Ok(result.cred_id() == kept.cred_id() && (counter > 0 || last > 0) && counter <= last)
}

/// The authenticator's kind, which the library does not show, out of an attestation object that it has verified: in the
/// authenticator data it follows the hash of the domain, the flags and the counter (WebAuthn Level 3 §6.5.1).
fn made_by(attestation_object: &[u8]) -> Option<Aaguid> {
    let object: serde_cbor_2::Value = serde_cbor_2::from_slice(attestation_object).ok()?;
    let serde_cbor_2::Value::Map(fields) = object else { return None };
    let data = fields.get(&serde_cbor_2::Value::Text("authData".to_owned()))?;
    let serde_cbor_2::Value::Bytes(data) = data else { return None };
    Aaguid::reported(data.get(37..53)?.try_into().ok()?)
}

/// The options with a discoverable credential required: the library discourages one, and without it no user could sign in
/// without typing a name first.
fn discoverable(challenge: &CreationChallengeResponse) -> Result<Value, PasskeyError> {
    let mut options = to_json(challenge)?;
    let selection = options.pointer_mut("/publicKey/authenticatorSelection").and_then(Value::as_object_mut);
    let selection = selection.ok_or_else(|| unusable("the options have no authenticatorSelection"))?;
    selection.insert("residentKey".to_owned(), json!("required"));
    selection.insert("requireResidentKey".to_owned(), json!(true));
    Ok(options)
}

/// The library shows this flag only in the form in which it keeps a credential.
fn is_backed_up(kept: &Value) -> Result<bool, PasskeyError> {
    let flag = kept.pointer("/cred/backup_state").and_then(Value::as_bool);
    flag.ok_or_else(|| unusable("the credential does not say whether it is backed up"))
}

fn to_json(value: &impl serde::Serialize) -> Result<Value, PasskeyError> {
    serde_json::to_value(value).map_err(unusable)
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err wants")]
fn unusable(reason: impl ToString) -> PasskeyError {
    PasskeyError::State(reason.to_string())
}

/// Answers that cannot be read are malformed; those that can be read and do not fit are refused.
fn refusal(error: &WebauthnError) -> PasskeyError {
    if matches!(error, WebauthnError::CredentialPossibleCompromise) {
        return PasskeyError::Copied;
    }
    let unreadable = matches!(
        error,
        WebauthnError::ParseBase64Failure(_)
            | WebauthnError::ParseCBORFailure(_)
            | WebauthnError::ParseJSONFailure(_)
            | WebauthnError::ParseNOMFailure
            | WebauthnError::ParseInsufficientBytesAvailable
            | WebauthnError::MissingAttestationCredentialData
    );
    if unreadable { PasskeyError::Malformed } else { PasskeyError::Refused }
}

#[cfg(test)]
mod tests;
