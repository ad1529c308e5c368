//! Calls that change something for an account. Each needs a permission, which is looked up for the one call: a person lets the account give
//! items, or the record shows that a person asked for this change of friends or chats.
//!
//! Nothing is sent before the permission was found. Once a call was sent, only Steam's own refusal shows that it did nothing: an answer that is
//! lost, limited or of another form has an unknown outcome, and the caller reads what came of it.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use prost::Message;
use tradepost_adapters_outside::{Question, Route, ServiceAnswer, WritePermission};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::sessions::{TokenVault, VaultUnavailable};
use tradepost_ports::game_platform::social::SocialChange;
use tradepost_ports::game_platform::{PlatformRefusal, PlatformResult};

use crate::account;
use crate::eresult::EResult;
use crate::failure::of_write;
use crate::protobuf_call;
use crate::reading::unknown;
use crate::routes::{ANSWER, NEW_TRADE_TOKEN};
use crate::services::{CallFailed, Services};
use crate::signed_in::{ACCESS_TOKEN, LOCATION, SignedIn, leads_to_sign_in, question};

/// Why nothing is given.
const GIVING_IS_OFF: &str = "giving is not enabled for the account, so that no such call is made: a person enables it (tradepost accounts \
                             enable-giving)";
/// Why friends and chats are left as they are.
const NOT_ON_RECORD: &str =
    "no request for this is on record as begun, or the chat of the account is disabled: nothing is sent";
/// After a read without an answer, nothing is sent for so long.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(30);
/// Where the community expects its own pages to be, whatever address it is called at.
pub(crate) const COMMUNITY: &str = "https://steamcommunity.com";
const FORM: &str = "application/x-www-form-urlencoded; charset=UTF-8";
/// The bytes of the number that a cookie and a form have in common, and its names in forms about offers and about friends.
const SESSION_BYTES: usize = 12;
const OF_OFFERS: &str = "sessionid";
const OF_FRIENDS: &str = "sessionID";
const OK: u16 = 200;
const UNAUTHORIZED: u16 = 401;

/// An account with its access token, and the permission for one call that changes something for it.
pub(crate) struct Writing<'a> {
    services: &'a Services,
    account: SignedIn<'a>,
    permission: WritePermission,
}

/// A form that is sent to the community.
pub(crate) struct Form<'f> {
    pub(crate) route: Route,
    /// The offer that it is about, in the path of the route.
    pub(crate) offer: Option<&'f str>,
    /// The page that a person would send it from.
    pub(crate) page: String,
    pub(crate) fields: &'f [(&'f str, &'f str)],
}

impl<'a> Writing<'a> {
    /// The account, if a person lets it give items.
    pub(crate) async fn of(
        services: &'a Services,
        vault: &dyn TokenVault,
        user: PlatformUserId,
    ) -> PlatformResult<Self> {
        let may_give = vault.may_give(user).await.map_err(closed)?;
        let permission = WritePermission::where_given(may_give).ok_or_else(|| not_done(GIVING_IS_OFF))?;
        let account = nothing_sent(SignedIn::of(services, vault, user).await)?;
        Ok(Self { services, account, permission })
    }

    /// The account, if this change of friends or chats is on record as begun.
    pub(crate) async fn of_change(
        services: &'a Services,
        vault: &dyn TokenVault,
        user: PlatformUserId,
        change: &SocialChange,
    ) -> PlatformResult<Self> {
        let may_change = vault.may_change(user, change).await.map_err(closed)?;
        let permission = WritePermission::where_given(may_change).ok_or_else(|| not_done(NOT_ON_RECORD))?;
        let account = nothing_sent(SignedIn::of(services, vault, user).await)?;
        Ok(Self { services, account, permission })
    }

    pub(crate) const fn account(&self) -> &SignedIn<'a> {
        &self.account
    }

    /// The services, for reads of no account.
    pub(crate) const fn services(&self) -> &'a Services {
        self.services
    }

    /// Sends a form about a trade offer.
    pub(crate) async fn send_form(&self, form: Form<'_>) -> PlatformResult<ServiceAnswer> {
        admitted(self.services.offer(&self.permission, self.question_of(&form, OF_OFFERS)).await)
    }

    /// Sends a form about another account.
    pub(crate) async fn send_friend_form(&self, form: Form<'_>) -> PlatformResult<ServiceAnswer> {
        admitted(self.services.befriend(&self.permission, self.question_of(&form, OF_FRIENDS)).await)
    }

    /// The question that a form is, as a page of the community sends it.
    fn question_of<'q>(&self, form: &Form<'q>, session_field: &str) -> Question<'q> {
        let session = session_number(self.account.token());
        let fields = form.fields.iter();
        let fields = fields.map(|(name, value)| format!("&{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)));
        let body = std::iter::once(format!("{session_field}={session}")).chain(fields).collect::<String>();
        let cookie = format!("{}; sessionid={session}", self.account.cookie());
        let headers = vec![
            ("accept", "application/json".to_owned()),
            ("content-type", FORM.to_owned()),
            ("cookie", cookie),
            ("origin", COMMUNITY.to_owned()),
            ("referer", format!("{COMMUNITY}{}", form.page)),
        ];
        let body = body.into_bytes();
        Question { id: form.offer, headers, body, heard: &[LOCATION], ..Question::of(form.route, &[]) }
    }

    /// Makes a call of a method about chats.
    pub(crate) async fn send_about_chat(&self, route: Route, request: &impl Message) -> PlatformResult<ServiceAnswer> {
        let query = [(ACCESS_TOKEN, self.account.token())];
        admitted(self.services.chat(&self.permission, protobuf_call::post(route, request, &query)).await)
    }

    /// Answers a mobile confirmation.
    pub(crate) async fn send_answer(&self, query: &[(&str, &str)]) -> PlatformResult<ServiceAnswer> {
        let headers = vec![("accept", "application/json".to_owned()), ("cookie", self.account.cookie())];
        let question = Question { headers, heard: &[LOCATION], ..Question::of(ANSWER, query) };
        admitted(self.services.answer(&self.permission, question).await)
    }
}

/// Has Steam make a new trade URL. Which token is valid then is read.
pub(crate) async fn renew_trade_token(writing: &Writing<'_>) -> PlatformResult<ExternalId> {
    let query = writing.account.with_token(&[("generate_new_token", "true")]);
    let asked = question(NEW_TRADE_TOKEN, &query);
    let answer = admitted(writing.services.renew(&writing.permission, asked).await)?;
    match (answer.status, EResult::of(&answer)) {
        (OK, Some(EResult::OK)) => {}
        (OK, Some(result)) => return Err(unknown(format!("it answered {result}"))),
        (OK, None) => return Err(unknown("its answer has no result".to_owned())),
        (status, _) => return Err(unknown(format!("it answered {status}"))),
    }
    let token = account::trade_token(&writing.account).await;
    token.map_err(|error| unknown(format!("the trade URL was renewed, and its token was not read: {error}")))
}

/// The error of a call that is not made.
pub(crate) fn not_done(why: &str) -> ExternalError<PlatformRefusal> {
    ExternalError::Rejected(PlatformRefusal::NotDone(why.to_owned()))
}

/// The error of a call that is not made while the vault cannot be read. It can be made later.
pub(crate) fn closed(_: VaultUnavailable) -> ExternalError<PlatformRefusal> {
    later()
}

const fn later() -> ExternalError<PlatformRefusal> {
    ExternalError::RateLimited { retry_after: READ_AGAIN_AFTER, effect: Effect::Nothing }
}

/// A result of what precedes a call. If its outcome is unknown, nothing was sent all the same, and the call can be made later.
pub(crate) fn nothing_sent<T>(read: PlatformResult<T>) -> PlatformResult<T> {
    read.map_err(|error| match error {
        ExternalError::Unknown(_) => later(),
        known @ (ExternalError::Rejected(_) | ExternalError::RateLimited { .. } | ExternalError::AuthLost { .. }) => {
            known
        }
    })
}

/// The same of a read that precedes a change which a person asked for. A read that was refused ends no request: the list may be read later.
pub(crate) fn read_first<T>(read: PlatformResult<T>) -> PlatformResult<T> {
    nothing_sent(read).map_err(|error| {
        if matches!(error, ExternalError::Rejected(PlatformRefusal::Other(_))) { later() } else { error }
    })
}

/// The error of a call whose account is not signed in. Few pages say whether they look before they act.
pub(crate) const fn signed_out_after() -> ExternalError<PlatformRefusal> {
    ExternalError::AuthLost { effect: Effect::Unknown }
}

/// An answer of an account that is signed in, or what it means that there is none.
fn admitted(answer: Result<ServiceAnswer, CallFailed>) -> PlatformResult<ServiceAnswer> {
    let answer = answer.map_err(|failed| match failed {
        CallFailed::NotCalled(_) => not_done(&failed.to_string()),
        CallFailed::Service(_) => of_write(&failed, PlatformRefusal::Other),
    })?;
    if answer.status == UNAUTHORIZED || leads_to_sign_in(&answer) { Err(signed_out_after()) } else { Ok(answer) }
}

/// A number of the session that a cookie and a form name alike, so that no page of another site can send the form. It is made of the token.
fn session_number(token: &str) -> String {
    let digest = digest(&SHA256, token.as_bytes());
    digest.as_ref().iter().take(SESSION_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use tradepost_adapters_outside::ServiceError;

    use super::*;
    use crate::failure::of_read;

    #[test]
    fn a_session_has_a_number_of_24_digits_that_stays_and_is_of_its_token_alone() {
        let number = session_number("a token");
        assert!(number.len() == 24 && number.bytes().all(|digit| digit.is_ascii_hexdigit()), "{number}");
        assert_eq!(number, session_number("a token"));
        assert_ne!(number, session_number("another token"));
    }

    #[test]
    fn a_call_that_was_not_sent_can_be_made_later_and_a_definite_answer_stays() {
        let not_sent: PlatformResult<()> = nothing_sent(Err(unknown("it answered 502".to_owned())));
        assert_eq!(not_sent, Err(later()));
        assert!(not_sent.is_err_and(|error| error.did_nothing()));
        let not_found = || ExternalError::Rejected(PlatformRefusal::NotFound);
        assert_eq!(nothing_sent::<()>(Err(not_found())), Err(not_found()));
        assert_eq!(closed(VaultUnavailable("sealed".to_owned())), later());
    }

    #[test]
    fn a_read_that_was_refused_before_a_change_can_be_made_later() {
        let refused = CallFailed::Service(ServiceError::RefusedAsClient(READ_AGAIN_AFTER));
        for failed in [refused, CallFailed::NotCalled("closed".to_owned())] {
            let read: PlatformResult<()> = Err(of_read(&failed, PlatformRefusal::Other));
            assert_eq!(read_first(read), Err(later()), "{failed}");
        }
        let not_found = || ExternalError::Rejected(PlatformRefusal::NotFound);
        assert_eq!(read_first::<()>(Err(not_found())), Err(not_found()));
    }

    #[test]
    fn a_host_that_is_not_called_does_nothing_until_a_person_admits_it() {
        let failed = CallFailed::NotCalled("closed".to_owned());
        assert_eq!(admitted(Err(failed)), Err(not_done("it is not called: closed")));
    }
}
