//! Actions on other accounts: requests for friendship are sent, accepted, declined and withdrawn, friendships are ended, and accounts blocked.
//!
//! The list is read before an action, which shows whether it makes sense, and again after Steam refused one: what it shows then is the outcome.

use serde_json::Value;
use tradepost_adapters_outside::{JsonType, RequiredShape, Route, ServiceAnswer};
use tradepost_domain::trading::friend::{FriendAction, FriendRelation, Outlook};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::PlatformResult;
use tradepost_ports::game_platform::social::{SocialRefusal, SocialResult};

use super::{friends, of_social, refused};
use crate::eresult::EResult;
use crate::reading::{Entry, FLAG, MAYBE_ARRAY, NUMBER, json, known, needed};
use crate::routes::{ADD_FRIEND, BLOCK, IGNORE_REQUEST, REMOVE_FRIEND};
use crate::writing::{Form, Writing, read_first};

/// An object, or `true` and `false` alone.
const OBJECT_OR_FLAG: &[JsonType] = &[JsonType::Object, JsonType::Bool];
const SAID: &[RequiredShape] = &[
    needed("$", OBJECT_OR_FLAG),
    known("$.success", FLAG),
    known("$.failed_invites", MAYBE_ARRAY),
    known("$.failed_invites_result", MAYBE_ARRAY),
    known("$.failed_invites_result[]", NUMBER),
];
/// The status of a refusal. Some have an object of their own.
const BAD_REQUEST: u16 = 400;
/// Results that mean something of their own here, as the pages of Steam explain to people.
const OTHER_IS_BLOCKED: EResult = EResult::INVALID_STATE;
const THEIR_LIST_IS_FULL: EResult = EResult::ACCESS_DENIED;
const LIST_IS_FULL: EResult = EResult::LIMIT_EXCEEDED;

const TOO_FEW_RIGHTS: &str = "Steam does not let a limited account add friends";
const TOO_MANY_REQUESTS: &str = "Steam takes no further request of the account for a day or two: too many were made";

/// What Steam said to a form.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Done,
    /// With a result, if it names one.
    Refused(Option<EResult>),
}

/// Does for an account what its owner asked for.
pub(super) async fn act(writing: &Writing<'_>, user: PlatformUserId, action: FriendAction) -> SocialResult<()> {
    let account = writing.account();
    if !user.is_individual() {
        return refused(SocialRefusal::NotFound);
    }
    let before = of_social(read_first(friends::relation(account, user).await))?;
    match action.outlook(before) {
        Outlook::Possible(_) if user != account.user() => {}
        Outlook::Possible(_) | Outlook::Reached | Outlook::Impossible => return refused(SocialRefusal::NotAllowed),
    }
    let steamid = user.to_string();
    let (route, further) = form_of(action, before);
    let fields: Vec<(&str, &str)> = [("steamid", steamid.as_str())].into_iter().chain(further).collect();
    let form = Form { route, offer: None, page: format!("/profiles/{user}"), fields: &fields };
    match of_social(said(&of_social(writing.send_friend_form(form).await)?))? {
        Said::Done => Ok(()),
        Said::Refused(result) => match friends::relation(account, user).await {
            Ok(after) if action.outlook(after) == Outlook::Reached => Ok(()),
            Ok(_) => Err(without_effect(result)),
            Err(_) => Err(without_outcome(result)),
        },
    }
}

/// The form of an action: its route, and its field besides the account.
const fn form_of(action: FriendAction, relation: FriendRelation) -> (Route, Option<(&'static str, &'static str)>) {
    let they_ask = matches!(relation, FriendRelation::TheyAsked);
    match action {
        FriendAction::Add | FriendAction::Accept if they_ask => (ADD_FRIEND, Some(("accept_invite", "1"))),
        FriendAction::Add | FriendAction::Accept => (ADD_FRIEND, Some(("accept_invite", "0"))),
        FriendAction::Remove if they_ask => (IGNORE_REQUEST, None),
        FriendAction::Remove => (REMOVE_FRIEND, None),
        FriendAction::Block => (BLOCK, Some(("block", "1"))),
        FriendAction::Unblock => (BLOCK, Some(("block", "0"))),
    }
}

/// Reads what Steam said. A request that failed is named in a list, also in an answer that counts as a success.
fn said(answer: &ServiceAnswer) -> PlatformResult<Said> {
    if answer.status == BAD_REQUEST {
        let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let failed = body.as_ref().and_then(|body| failed(&Entry::of(body)));
        return Ok(failed.unwrap_or(Said::Refused(None)));
    }
    let whole = json(answer, &[SAID])?;
    if let Some(is_done) = whole.as_bool() {
        return Ok(if is_done { Said::Done } else { Said::Refused(None) });
    }
    let entry = Entry::of(&whole);
    if let Some(refused) = failed(&entry) {
        return Ok(refused);
    }
    match entry.value("success") {
        Some(Value::Bool(true)) => Ok(Said::Done),
        Some(Value::Bool(false)) => Ok(Said::Refused(None)),
        Some(_) => Ok(match EResult::numbered(entry.number("success")?) {
            EResult::OK => Said::Done,
            EResult::NONE => Said::Refused(None),
            result => Said::Refused(Some(result)),
        }),
        None => Err(entry.unread("success")),
    }
}

/// The refusal of a request that failed, with its result; nothing where none failed.
fn failed(body: &Entry<'_>) -> Option<Said> {
    let list = |name: &str| body.value(name).and_then(Value::as_array).filter(|list| !list.is_empty());
    let results = list("failed_invites_result");
    let is_failed = results.is_some() || list("failed_invites").is_some();
    let result = results.and_then(|results| results.first());
    let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
    let numbered = |number: u64| u32::try_from(number).ok().map(EResult::numbered);
    is_failed.then(|| Said::Refused(result.and_then(number).and_then(numbered)))
}

/// What a refusal means after which the list shows no effect.
fn without_effect(result: Option<EResult>) -> ExternalError<SocialRefusal> {
    ExternalError::Rejected(match result {
        Some(LIST_IS_FULL) => SocialRefusal::ListFull,
        Some(OTHER_IS_BLOCKED | THEIR_LIST_IS_FULL | EResult::BLOCKED | EResult::IGNORED) => SocialRefusal::NotAllowed,
        Some(EResult::ACCOUNT_NOT_FOUND | EResult::INVALID_STEAM_ID) => SocialRefusal::NotFound,
        Some(EResult::INSUFFICIENT_PRIVILEGE) => SocialRefusal::Other(TOO_FEW_RIGHTS.to_owned()),
        // A retry would wait for days, and send then what no one expects by then.
        Some(EResult::RATE_LIMIT_EXCEEDED) => SocialRefusal::Other(TOO_MANY_REQUESTS.to_owned()),
        Some(other) => return ExternalError::Unknown(format!("it answered {other}")),
        None => return ExternalError::Unknown("it refused, and names no reason that is known".to_owned()),
    })
}

/// The error where nothing shows what came of the call.
fn without_outcome(result: Option<EResult>) -> ExternalError<SocialRefusal> {
    let result = result.map_or_else(String::new, |result| format!(" with {result}"));
    ExternalError::Unknown(format!("it refused{result}, and its list of friends was not read after that"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(number: u32) -> Said {
        Said::Refused(Some(EResult::numbered(number)))
    }

    fn answer(status: u16, body: &str) -> ServiceAnswer {
        ServiceAnswer { status, headers: Vec::new(), date: None, body: body.as_bytes().to_vec() }
    }

    #[test]
    fn an_answer_is_done_or_refused_in_each_of_its_forms() {
        for (status, body, expected) in [
            (200, "true", Said::Done),
            (200, r#"{"invited":["76561198046968201"],"success":1}"#, Said::Done),
            (200, r#"{"success":true,"failed_invites":[],"failed_invites_result":[]}"#, Said::Done),
            (200, r#"{"success":"1"}"#, Said::Done),
            (200, "false", Said::Refused(None)),
            (200, r#"{"success":false}"#, Said::Refused(None)),
            (200, r#"{"success":0}"#, Said::Refused(None)),
            (200, r#"{"success":15}"#, refused(15)),
            (200, r#"{"failed_invites":["7"],"failed_invites_result":[41],"success":1}"#, refused(41)),
            (200, r#"{"failed_invites_result":["25"],"success":1}"#, refused(25)),
            (200, r#"{"failed_invites":["7"],"success":1}"#, Said::Refused(None)),
            (400, r#"{"failed_invites":["7"],"failed_invites_result":[40],"success":1}"#, refused(40)),
            (400, "", Said::Refused(None)),
            (400, "<html>", Said::Refused(None)),
        ] {
            assert_eq!(said(&answer(status, body)), Ok(expected), "{status} {body}");
        }
    }

    #[test]
    fn an_answer_of_another_form_is_neither_done_nor_refused() {
        for (status, body) in [
            (200, ""),
            (200, "null"),
            (200, "1"),
            (200, "<html>"),
            (200, "{}"),
            (200, r#"{"success":"no"}"#),
            (200, r#"{"success":[]}"#),
            (200, r#"{"success":1,"failed_invites_result":"25"}"#),
            (403, "true"),
            (500, "true"),
        ] {
            let read = said(&answer(status, body));
            assert!(matches!(read, Err(ExternalError::Unknown(_))), "{status} {body}: {read:?}");
        }
    }

    #[test]
    fn a_refusal_without_effect_counts_if_its_result_is_known() {
        let rejected = |refusal| ExternalError::Rejected(refusal);
        let with = |number| without_effect(Some(EResult::numbered(number)));
        assert_eq!(with(25), rejected(SocialRefusal::ListFull));
        for number in [11, 15, 40, 41] {
            assert_eq!(with(number), rejected(SocialRefusal::NotAllowed), "{number}");
        }
        assert_eq!(with(18), rejected(SocialRefusal::NotFound));
        for number in [24, 84] {
            let refusal = with(number);
            assert!(matches!(refusal, ExternalError::Rejected(SocialRefusal::Other(_))), "{refusal:?}");
        }
        for unknown in [2, 16, 29, 999] {
            assert!(!with(unknown).did_nothing(), "{unknown}");
        }
        assert!(!without_effect(None).did_nothing());
        let result = Some(EResult::numbered(25));
        assert!(!without_outcome(result).did_nothing() && !without_outcome(None).did_nothing());
    }

    #[test]
    fn the_relation_decides_which_form_an_action_has() {
        use FriendRelation as Is;
        for (action, relation, path, field) in [
            (FriendAction::Add, Is::None, ADD_FRIEND, Some(("accept_invite", "0"))),
            (FriendAction::Add, Is::TheyAsked, ADD_FRIEND, Some(("accept_invite", "1"))),
            (FriendAction::Accept, Is::TheyAsked, ADD_FRIEND, Some(("accept_invite", "1"))),
            (FriendAction::Remove, Is::TheyAsked, IGNORE_REQUEST, None),
            (FriendAction::Remove, Is::WeAsked, REMOVE_FRIEND, None),
            (FriendAction::Remove, Is::Friend, REMOVE_FRIEND, None),
            (FriendAction::Block, Is::Friend, BLOCK, Some(("block", "1"))),
            (FriendAction::Unblock, Is::Blocked, BLOCK, Some(("block", "0"))),
        ] {
            assert_eq!(form_of(action, relation), (path, field), "{action:?} {relation:?}");
        }
    }
}
