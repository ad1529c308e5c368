//! OAuth 2 by authorization code with PKCE (RFC 6749, RFC 7636), as Discord has it. The tokens are dropped once the identity
//! behind them is read.

use std::borrow::Cow;
use std::pin::Pin;

use oauth2::basic::{BasicClient, BasicErrorResponseType, BasicTokenResponse};
use oauth2::{
    AsyncHttpClient, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    HttpRequest, HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    TokenResponse as _, TokenUrl,
};
use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;
use tradepost_adapters_outside::{CallError, OutsideClient, Post, Target};
use tradepost_domain::text::Name;
use tradepost_ports::linking::{LinkRequest, LinkedIdentityProof, LinkingError};

use crate::calls::{senseless, target};
use crate::kept::keep;
use crate::settings::{DiscordSettings, InvalidLinkingSettings, url};

/// Codes are short; longer ones are none.
const LONGEST_CODE: usize = 2_048;
/// A 64-bit number.
const LONGEST_ID: usize = 20;

type Registered = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

/// A platform of Discord's shape.
pub(crate) struct OAuth {
    registered: Registered,
    user: Target,
    issuer: String,
    http: Calls,
}

/// The client that the library calls, for the one address that it may call.
struct Calls {
    client: OutsideClient,
    token: Target,
}

/// What is kept of a question.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    redirect_uri: String,
    state: String,
    verifier: String,
}

/// The identity behind a token.
#[derive(Deserialize)]
struct Person {
    id: String,
    #[serde(default)]
    username: Option<String>,
    #[serde(default)]
    global_name: Option<String>,
}

impl OAuth {
    pub(crate) fn new(settings: DiscordSettings, client: OutsideClient) -> Result<Self, InvalidLinkingSettings> {
        let authorize = AuthUrl::from_url(url("discord.authorize_url", &settings.authorize_url)?);
        let token_url = TokenUrl::from_url(url("discord.token_url", &settings.token_url)?);
        let token = target("discord.token_url", &settings.token_url)?;
        let secret = ClientSecret::new(settings.client_secret.expose_secret().to_owned());
        let registered = BasicClient::new(ClientId::new(settings.client_id)).set_client_secret(secret);
        Ok(Self {
            registered: registered.set_auth_uri(authorize).set_token_uri(token_url),
            user: target("discord.user_url", &settings.user_url)?,
            issuer: settings.issuer,
            http: Calls { client, token },
        })
    }

    pub(crate) fn ask(&self, redirect_uri: &str) -> Result<LinkRequest, LinkingError> {
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let redirect = redirect_url(redirect_uri)?;
        let request = self.registered.authorize_url(CsrfToken::new_random).set_pkce_challenge(challenge);
        let request = request.add_scope(Scope::new("identify".to_owned()));
        let (url, state) = request.set_redirect_uri(Cow::Owned(redirect)).url();
        let kept = Kept {
            redirect_uri: redirect_uri.to_owned(),
            state: state.into_secret(),
            verifier: verifier.into_secret(),
        };
        Ok(LinkRequest { authorization_url: url.into(), state: keep(&kept)? })
    }

    pub(crate) async fn check(
        &self,
        kept: Kept,
        state: &str,
        code: String,
        issuer: &str,
    ) -> Result<LinkedIdentityProof, LinkingError> {
        if !bool::from(kept.state.as_bytes().ct_eq(state.as_bytes())) {
            return Err(LinkingError::Unfit("the state is another one"));
        }
        // Without it, another platform's answer could be passed off as this one's (RFC 9207).
        if issuer != self.issuer {
            return Err(LinkingError::Unfit("the issuer is another one"));
        }
        if code.is_empty() || code.len() > LONGEST_CODE {
            return Err(LinkingError::Unfit("the code is none"));
        }
        let token = self.token(kept, code).await?;
        self.person(&token).await?.proven()
    }

    async fn token(&self, kept: Kept, code: String) -> Result<BasicTokenResponse, LinkingError> {
        let redirect = redirect_url(&kept.redirect_uri)?;
        let exchange = self.registered.exchange_code(AuthorizationCode::new(code));
        let exchange = exchange.set_pkce_verifier(PkceCodeVerifier::new(kept.verifier));
        let exchange = exchange.set_redirect_uri(Cow::Owned(redirect));
        exchange.request_async(&self.http).await.map_err(|error| match error {
            RequestTokenError::ServerResponse(refusal)
                if matches!(refusal.error(), BasicErrorResponseType::InvalidGrant) =>
            {
                LinkingError::Denied("the code is not good".to_owned())
            }
            // Anything else that it complains about is between it and the operator: a wrong secret, a wrong address.
            RequestTokenError::ServerResponse(refusal) => LinkingError::Unavailable(refusal.to_string()),
            RequestTokenError::Request(failed) => LinkingError::Unavailable(failed.to_string()),
            RequestTokenError::Parse(..) => LinkingError::Unavailable("senseless answer to a code".to_owned()),
            RequestTokenError::Other(why) => LinkingError::Unavailable(why),
        })
    }

    async fn person(&self, token: &BasicTokenResponse) -> Result<Person, LinkingError> {
        let bearer = HeaderValue::from_str(&format!("Bearer {}", token.access_token().secret()));
        let mut bearer = bearer.map_err(|_| LinkingError::Unavailable("senseless answer to a code".to_owned()))?;
        bearer.set_sensitive(true);
        let headers = HeaderMap::from_iter([(AUTHORIZATION, bearer)]);
        let called = self.http.client.get(&self.user, headers).await;
        let answer = called.map_err(|error| LinkingError::Unavailable(error.to_string()))?;
        let person = if answer.status == 200 { serde_json::from_slice(&answer.body).ok() } else { None };
        person.ok_or_else(|| senseless("a token", answer.status))
    }
}

impl<'c> AsyncHttpClient<'c> for Calls {
    type Error = CallError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, CallError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let post = Post { target: self.token.clone(), headers: parts.headers, body };
            let answer = self.client.post(post).await?;
            let mut response = HttpResponse::new(answer.body);
            *response.status_mut() = answer.status.try_into().unwrap_or(StatusCode::BAD_GATEWAY);
            Ok(response)
        })
    }
}

impl Person {
    fn proven(self) -> Result<LinkedIdentityProof, LinkingError> {
        let is_number = (1..=LONGEST_ID).contains(&self.id.len()) && self.id.bytes().all(|byte| byte.is_ascii_digit());
        let subject = Name::new(&self.id).ok().filter(|_| is_number);
        let subject =
            subject.ok_or_else(|| LinkingError::Unavailable("an identity that is not a number".to_owned()))?;
        let display_name = self.global_name.or(self.username).and_then(|name| Name::new(&name).ok());
        Ok(LinkedIdentityProof { subject, display_name, replay: None })
    }
}

fn redirect_url(uri: &str) -> Result<RedirectUrl, LinkingError> {
    RedirectUrl::new(uri.to_owned()).map_err(|_| LinkingError::RedirectNotAllowed)
}
