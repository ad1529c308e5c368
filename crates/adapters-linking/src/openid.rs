//! OpenID 2.0 as Steam has it: a positive assertion counts only if it is about this very question, names an identity of this
//! very platform, has all of that under its signature, and the platform confirms the signature when asked directly.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};

use oauth2::CsrfToken;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};
use tradepost_adapters_outside::{OutsideClient, Target};
use tradepost_domain::accounts::account_link::LIFE;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::linking::{LinkRequest, LinkedIdentityProof, LinkingError, Request};

use crate::calls::{senseless, target};
use crate::kept::keep;
use crate::settings::{InvalidLinkingSettings, SteamSettings, url};

const OPENID_2: &str = "http://specs.openid.net/auth/2.0";
const ANY_IDENTITY: &str = "http://specs.openid.net/auth/2.0/identifier_select";
/// Queries have about a thousand bytes.
const LONGEST_QUERY: usize = 8 * 1_024;
/// OpenID Authentication 2.0 §10.1.
const LONGEST_NONCE: usize = 255;
/// How far ahead of ours a platform's clock may be.
const CLOCKS_APART: Duration = Duration::minutes(2);
/// The digits of a Steam identity.
const DIGITS: usize = 17;
/// What must be under the signature; everything that is looked at here.
const SIGNED: [&str; 6] = ["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle"];

/// A platform of Steam's shape.
pub(crate) struct OpenId {
    openid_url: Url,
    confirmed_at: Target,
    /// As it was set: what the platform calls itself is compared letter by letter.
    endpoint: String,
    identity_url: String,
    http: OutsideClient,
}

/// What is kept of a question.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    return_to: String,
    state: String,
}

impl OpenId {
    pub(crate) fn new(settings: SteamSettings, http: OutsideClient) -> Result<Self, InvalidLinkingSettings> {
        let openid_url = url("steam.openid_url", &settings.openid_url)?;
        let confirmed_at = target("steam.openid_url", &settings.openid_url)?;
        url("steam.identity_url", &settings.identity_url)?;
        let SteamSettings { openid_url: endpoint, identity_url } = settings;
        Ok(Self { openid_url, confirmed_at, endpoint, identity_url, http })
    }

    pub(crate) fn ask(&self, request: &Request<'_>) -> Result<LinkRequest, LinkingError> {
        let mut return_to = Url::parse(request.redirect_uri).map_err(|_| LinkingError::RedirectNotAllowed)?;
        let realm = return_to.origin().ascii_serialization();
        let state = CsrfToken::new_random().into_secret();
        return_to.query_pairs_mut().append_pair("linkId", &request.link.to_string()).append_pair("state", &state);
        let mut url = self.openid_url.clone();
        url.query_pairs_mut()
            .append_pair("openid.ns", OPENID_2)
            .append_pair("openid.mode", "checkid_setup")
            .append_pair("openid.claimed_id", ANY_IDENTITY)
            .append_pair("openid.identity", ANY_IDENTITY)
            .append_pair("openid.return_to", return_to.as_str())
            .append_pair("openid.realm", &realm);
        Ok(LinkRequest { authorization_url: url.into(), state: keep(&Kept { return_to: return_to.into(), state })? })
    }

    pub(crate) async fn check(
        &self,
        kept: Kept,
        state: &str,
        query: &str,
        at: Timestamp,
    ) -> Result<LinkedIdentityProof, LinkingError> {
        if !bool::from(kept.state.as_bytes().ct_eq(state.as_bytes())) {
            return Err(LinkingError::Unfit("the state is another one"));
        }
        let assertion = Assertion::read(query)?;
        let subject = self.read_identity(&assertion, &kept)?;
        let replay = assertion.nonce(at)?;
        self.confirm(&assertion).await?;
        Ok(LinkedIdentityProof { subject, display_name: None, replay: Some(replay) })
    }

    /// The identity that is asserted, if everything about the assertion is as it must be.
    fn read_identity(&self, assertion: &Assertion, kept: &Kept) -> Result<Name, LinkingError> {
        let unfit = |what| Err(LinkingError::Unfit(what));
        match assertion.get("mode")? {
            "id_res" => {}
            "cancel" => return Err(LinkingError::Denied("the person did not agree".to_owned())),
            _ => return unfit("it is not an assertion"),
        }
        if assertion.get("ns")? != OPENID_2 {
            return unfit("it is not of OpenID 2.0");
        }
        if assertion.get("op_endpoint")? != self.endpoint {
            return unfit("it is of another platform");
        }
        if assertion.get("return_to")? != kept.return_to {
            return unfit("it answers another question");
        }
        let claimed = assertion.get("claimed_id")?;
        if assertion.get("identity")? != claimed {
            return unfit("it names two identities");
        }
        let signed: Vec<&str> = assertion.get("signed")?.split(',').collect();
        if !SIGNED.iter().all(|field| signed.contains(field)) {
            return unfit("it is not signed as a whole");
        }
        let digits = claimed.strip_prefix(self.identity_url.as_str()).unwrap_or_default();
        if digits.len() != DIGITS || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return unfit("it names no identity of the platform");
        }
        Name::new(digits).map_err(|_| LinkingError::Unfit("it names no identity of the platform"))
    }

    /// Asks the platform whether the signature is its own.
    async fn confirm(&self, assertion: &Assertion) -> Result<(), LinkingError> {
        let called = self.http.post_form(&self.confirmed_at, &assertion.to_confirm()).await;
        let answer = called.map_err(|error| LinkingError::Unavailable(error.to_string()))?;
        let lines: Vec<&[u8]> = answer.body.split(|byte| *byte == b'\n').collect();
        // Only the two answers of the protocol count; whatever else comes is not the platform's word.
        let says = |line: &str| answer.status == 200 && lines.contains(&line.as_bytes());
        match (says("is_valid:true"), says("is_valid:false")) {
            (true, false) => Ok(()),
            (false, true) => Err(LinkingError::Denied("the signature is not its own".to_owned())),
            (true, true) | (false, false) => Err(senseless("an assertion", answer.status)),
        }
    }
}

/// What the platform gave the browser to bring back: the fields `openid.…`, each once.
struct Assertion(BTreeMap<String, String>);

impl Assertion {
    fn read(query: &str) -> Result<Self, LinkingError> {
        let unfit = || LinkingError::Unfit("it is not a query of OpenID");
        if query.len() > LONGEST_QUERY {
            return Err(unfit());
        }
        let mut url = Url::parse("http://localhost/").map_err(|_| unfit())?;
        url.set_query(Some(query.trim_start_matches('?')));
        let mut fields = BTreeMap::new();
        for (name, value) in url.query_pairs() {
            let Some(name) = name.strip_prefix("openid.") else { continue };
            // Which of two would count is undefined: the platform could take the other one.
            if fields.insert(name.to_owned(), value.into_owned()).is_some() {
                return Err(LinkingError::Unfit("it says something twice"));
            }
        }
        Ok(Self(fields))
    }

    fn get(&self, field: &str) -> Result<&str, LinkingError> {
        self.0.get(field).map(String::as_str).ok_or(LinkingError::Unfit("it is not whole"))
    }

    /// The digest of the nonce, which begins with the time it was made. Older ones are not remembered, and so not taken.
    fn nonce(&self, at: Timestamp) -> Result<[u8; 16], LinkingError> {
        let unfit = || LinkingError::Unfit("its nonce is not of now");
        let nonce = self.get("response_nonce")?;
        let made = nonce.split_inclusive('Z').next().filter(|_| nonce.len() <= LONGEST_NONCE).ok_or_else(unfit)?;
        let made = OffsetDateTime::parse(made, &Rfc3339).map_err(|_| unfit())?;
        let age = at.since(made.into());
        if age >= LIFE || age < -CLOCKS_APART {
            return Err(unfit());
        }
        let digest = digest(&SHA256, nonce.as_bytes());
        Ok(std::array::from_fn(|position| digest.as_ref()[position]))
    }

    /// The same fields as a question to the platform.
    fn to_confirm(&self) -> Vec<(String, &str)> {
        let value = |name: &str, value| if name == "mode" { "check_authentication" } else { value };
        self.0.iter().map(|(name, given)| (format!("openid.{name}"), value(name, given.as_str()))).collect()
    }
}
