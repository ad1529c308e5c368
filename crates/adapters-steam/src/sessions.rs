//! Signing accounts in at Steam, and their tokens: the calls, in the order in which a session needs them.
//!
//! A sign-in is one of the mobile app's kind, because its access token is accepted by the API and by community pages. It names itself
//! "tradepost" to the owner of the account.

mod attempt;
mod guards;
mod issued;
mod outcome;

use async_trait::async_trait;
use prost::Message;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_adapters_outside::Route;
use tradepost_domain::trading::account_session::Guard;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{
    Attempt, PlatformSessions, SessionRefusal, SessionResult, SignIn, SignInAs, Tokens,
};

use crate::eresult::EResult;
use crate::failure;
use crate::messages::{
    BeginAnswer, BeginRequest, CodeRequest, DeviceDetails, GenerateAnswer, GenerateRequest, KeyAnswer, KeyRequest,
    Nothing, PollAnswer, PollRequest, RevokeRequest,
};
use crate::password::PasswordKey;
use crate::protobuf_call;
use crate::routes::{BEGIN, GENERATE, GET_KEY, GIVE_CODE, POLL, REVOKE};
use crate::services::Services;

use attempt::Begun;

/// The name of this device, as the owner of an account sees it.
const DEVICE: &str = "tradepost";
/// The kind of sign-in.
const WEBSITE: &str = "Mobile";
const MOBILE_APP: i32 = 3;
/// The session outlives the device.
const PERSISTENT: i32 = 1;
/// The token is never accepted again.
const PERMANENT: i32 = 1;

/// Signing accounts in at Steam.
#[derive(Debug, Clone)]
pub struct SteamSessions {
    services: Services,
}

impl SteamSessions {
    /// Signing in by these services.
    pub const fn new(services: Services) -> Self {
        Self { services }
    }

    /// Calls a method. The inner error is its result, where it is another than OK.
    async fn call<M: Message + Default>(
        &self,
        route: Route,
        request: &impl Message,
    ) -> SessionResult<Result<M, EResult>> {
        let asked = self.services.sign_in(protobuf_call::post(route, request, &[])).await;
        let answer = asked.map_err(|error| failure::of_write(&error, SessionRefusal::Other))?;
        outcome::of(&answer)
    }

    /// Reads the key for a password. Nothing is begun by that.
    async fn key(&self, login_name: &SecretString) -> SessionResult<KeyAnswer> {
        let encoded = protobuf_call::encoded(&KeyRequest { account_name: login_name.expose_secret().to_owned() });
        let query = [(protobuf_call::FIELD, encoded.as_str())];
        let asked = self.services.sign_in(protobuf_call::get(GET_KEY, &query)).await;
        let answer = asked.map_err(|error| failure::of_read(&error, SessionRefusal::Other))?;
        outcome::of(&answer)?.map_err(outcome::of_beginning)
    }

    /// Renews the access token of a refresh token.
    async fn generate(&self, request: &GenerateRequest) -> SessionResult<GenerateAnswer> {
        self.call(GENERATE, request).await?.map_err(outcome::of_tokens)
    }

    /// Generates the access token that did not come with its refresh token. The sign-in is over, so that it cannot be polled again.
    async fn first_access(&self, refresh_token: &str, steamid: u64) -> SessionResult<String> {
        let request = GenerateRequest { refresh_token: refresh_token.to_owned(), steamid, renewal_type: 0 };
        match self.generate(&request).await {
            Ok(answer) if !answer.access_token.is_empty() => Ok(answer.access_token),
            Ok(_) => Err(ExternalError::Unknown("it issued a refresh token alone".to_owned())),
            Err(error) => Err(ExternalError::Unknown(format!("it issued a refresh token alone: {error}"))),
        }
    }
}

/// The password of an account, encrypted by the key that was read for it.
fn encrypted(password: &SecretString, key: &KeyAnswer) -> SessionResult<String> {
    let Some(read) = PasswordKey::read(&key.modulus, &key.exponent) else {
        return Err(ExternalError::Unknown("its key for passwords cannot be read".to_owned()));
    };
    let refusal = || SessionRefusal::Other("the password is longer than the platform takes".to_owned());
    read.encrypt(password).ok_or_else(|| ExternalError::Rejected(refusal()))
}

#[async_trait]
impl PlatformSessions for SteamSessions {
    async fn begin(&self, who: &SignInAs) -> SessionResult<SignIn> {
        let key = self.key(&who.login_name).await?;
        let request = BeginRequest {
            device_friendly_name: DEVICE.to_owned(),
            account_name: who.login_name.expose_secret().to_owned(),
            encrypted_password: encrypted(&who.password, &key)?,
            encryption_timestamp: key.timestamp,
            persistence: PERSISTENT,
            website_id: WEBSITE.to_owned(),
            device_details: Some(DeviceDetails { device_friendly_name: DEVICE.to_owned(), platform_type: MOBILE_APP }),
        };
        let answer: BeginAnswer = self.call(BEGIN, &request).await?.map_err(outcome::of_beginning)?;
        attempt::sign_in(answer)
    }

    async fn give_code(&self, attempt: &Attempt, guard: Guard, code: &SecretString) -> SessionResult<()> {
        let Begun { client_id, steamid, .. } = Begun::of(attempt)?;
        if !guard.takes_code() {
            let text = "an approval is not given as a code".to_owned();
            return Err(ExternalError::Rejected(SessionRefusal::Other(text)));
        }
        let (code, code_type) = (code.expose_secret().to_owned(), guards::number(guard));
        let request = CodeRequest { client_id, steamid, code, code_type };
        match self.call::<Nothing>(GIVE_CODE, &request).await? {
            // Steam has the code already: an earlier answer was lost.
            Ok(Nothing {}) | Err(EResult::DUPLICATE_REQUEST) => Ok(()),
            Err(result) => Err(outcome::of_code(result)),
        }
    }

    async fn poll(&self, attempt: &Attempt) -> SessionResult<Option<Tokens>> {
        let Begun { client_id, request_id, steamid } = Begun::of(attempt)?;
        let request = PollRequest { client_id, request_id };
        let polled: PollAnswer = self.call(POLL, &request).await?.map_err(outcome::of_poll)?;
        if polled.refresh_token.is_empty() {
            return Ok(None);
        }
        let access = if polled.access_token.is_empty() {
            self.first_access(&polled.refresh_token, steamid).await?
        } else {
            polled.access_token
        };
        issued::tokens(access, polled.refresh_token).map(Some)
    }

    async fn renew(&self, tokens: &Tokens, also_refresh: bool) -> SessionResult<Tokens> {
        let request = GenerateRequest {
            refresh_token: tokens.refresh.expose_secret().to_owned(),
            steamid: tokens.user.number().get(),
            renewal_type: i32::from(also_refresh),
        };
        issued::renewed(tokens, self.generate(&request).await?)
    }

    async fn revoke(&self, tokens: &Tokens) -> SessionResult<()> {
        let token = tokens.refresh.expose_secret().to_owned();
        let revoked = self.call::<Nothing>(REVOKE, &RevokeRequest { token, revoke_action: PERMANENT }).await?;
        revoked.map(|Nothing {}| ()).map_err(outcome::of_tokens)
    }
}
