//! Calls of an account that is signed in: each has the access token that the vault holds at the time.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_adapters_outside::{Question, Route, ServiceAnswer};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::sessions::TokenVault;
use tradepost_ports::game_platform::{PlatformRefusal, PlatformResult};

use crate::eresult;
use crate::failure::of_read;
use crate::reading::{signed_out, unknown};
use crate::services::{CallFailed, Services};
use crate::token::Claims;

/// The name under which the API takes an access token. It takes it in the query alone.
pub(crate) const ACCESS_TOKEN: &str = "access_token";
/// The header of the answer that names another page.
pub(crate) const LOCATION: &str = "location";

/// An account with its access token.
pub(crate) struct SignedIn<'a> {
    services: &'a Services,
    user: PlatformUserId,
    token: SecretString,
}

impl<'a> SignedIn<'a> {
    /// The account, with the token that the vault has for it now. A token of another account would read that one: most calls name none.
    pub(crate) async fn of(
        services: &'a Services,
        vault: &dyn TokenVault,
        user: PlatformUserId,
    ) -> PlatformResult<Self> {
        let token = vault.access_token(user).await.map_err(|closed| unknown(closed.to_string()))?;
        let is_own =
            |token: &SecretString| Claims::read(token.expose_secret()).is_some_and(|claims| claims.user == user);
        Ok(Self { services, user, token: token.filter(is_own).ok_or_else(signed_out)? })
    }

    pub(crate) const fn user(&self) -> PlatformUserId {
        self.user
    }

    /// The token, for the query of a question that this module does not make.
    pub(crate) fn token(&self) -> &str {
        self.token.expose_secret()
    }

    /// Reads a route of the API.
    pub(crate) async fn read(&self, route: Route, query: &[(&str, &str)]) -> PlatformResult<ServiceAnswer> {
        let query = self.with_token(query);
        self.ask(question(route, &query)).await
    }

    /// Asks a question whose query has the token already.
    pub(crate) async fn ask(&self, question: Question<'_>) -> PlatformResult<ServiceAnswer> {
        heard(self.services.read(question).await)
    }

    /// Reads a page of an inventory. These calls have a budget of their own.
    pub(crate) async fn read_inventory(&self, route: Route, query: &[(&str, &str)]) -> PlatformResult<ServiceAnswer> {
        let query = self.with_token(query);
        heard(self.services.inventory(question(route, &query)).await)
    }

    /// Reads a page of the community, where the token is in the cookie of the session.
    pub(crate) async fn read_page(&self, route: Route, query: &[(&str, &str)]) -> PlatformResult<ServiceAnswer> {
        self.read_community(Question::of(route, query), "text/html").await
    }

    /// Reads the page of one record.
    pub(crate) async fn read_page_of(
        &self,
        route: Route,
        id: &str,
        query: &[(&str, &str)],
    ) -> PlatformResult<ServiceAnswer> {
        self.read_community(Question { id: Some(id), ..Question::of(route, query) }, "text/html").await
    }

    /// Reads a list of the community, in JSON.
    pub(crate) async fn read_list(&self, route: Route, query: &[(&str, &str)]) -> PlatformResult<ServiceAnswer> {
        self.read_community(Question::of(route, query), "application/json").await
    }

    async fn read_community(&self, question: Question<'_>, form: &str) -> PlatformResult<ServiceAnswer> {
        let headers = vec![("accept", form.to_owned()), ("cookie", self.cookie())];
        heard(self.services.community(Question { headers, heard: &[LOCATION], ..question }).await)
    }

    /// The cookie of the session, which is made for the one call.
    pub(crate) fn cookie(&self) -> String {
        format!("steamLoginSecure={}%7C%7C{}", self.user, self.token())
    }

    /// Adds the token to a query of the API.
    pub(crate) fn with_token<'q>(&'q self, query: &[(&'q str, &'q str)]) -> Vec<(&'q str, &'q str)> {
        let mut all = vec![(ACCESS_TOKEN, self.token())];
        all.extend_from_slice(query);
        all
    }
}

/// A question of which the result is heard.
pub(crate) const fn question<'q>(route: Route, query: &'q [(&'q str, &'q str)]) -> Question<'q> {
    let mut question = Question::of(route, query);
    question.heard = eresult::HEARD;
    question
}

/// An answer, or what it means that there is none. A read has no effect.
pub(crate) fn heard(answer: Result<ServiceAnswer, CallFailed>) -> PlatformResult<ServiceAnswer> {
    answer.map_err(|failed| of_read(&failed, PlatformRefusal::Other))
}

/// Returns whether an answer of the community leads to its page of sign-in.
pub(crate) fn leads_to_sign_in(answer: &ServiceAnswer) -> bool {
    let location = answer.headers.iter().find(|(name, _)| *name == LOCATION);
    answer.status == 302 && location.is_some_and(|(_, address)| address.contains("/login"))
}
