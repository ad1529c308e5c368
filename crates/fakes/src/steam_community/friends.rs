//! The forms by which other accounts are added, accepted, removed, ignored and blocked.
//!
//! A form comes from the page of a profile, and repeats the number of the session. A request that fails is answered with a list of its own, and
//! every other refusal with `false`.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde_json::{Value, json};
use tradepost_adapters_simulator::SocialCall;
use tradepost_domain::trading::friend::{FriendAction, FriendRelation, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::social::{SocialRefusal, SocialResult};

use super::cookie::{session, signed_in};
use super::offers::SITE;
use super::replies::{limited_for, lost, to_sign_in};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::Bearer;

/// Results, by their numbers: nothing further, we block them, their list or ours is full, they block us, they ignore us, and no such account.
const FAIL: u32 = 2;
const OTHER_IS_BLOCKED: u32 = 11;
const NO_ACCOUNT: u32 = 18;
const LIST_IS_FULL: u32 = 25;
const BLOCKED: u32 = 40;
const IGNORED: u32 = 41;

/// A form of an account that is signed in, about another one.
struct Sent<'f> {
    fakes: &'f Fakes,
    bearer: Bearer,
    other: PlatformUserId,
    fields: BTreeMap<String, String>,
}

impl<'f> Sent<'f> {
    /// Reads a form. A form that comes from another site, or without the page of a profile, is forbidden.
    fn read(fakes: &'f Fakes, asked: &Asked) -> Result<Self, Reply> {
        if asked.header("origin") != SITE || !asked.header("referer").starts_with(&format!("{SITE}/profiles/")) {
            return Err(Reply::of_no_card(403, Value::Null));
        }
        let fields = asked.fields();
        let has_session = session(asked).is_some_and(|session| fields.get("sessionID").is_some_and(|of| of == session));
        let bearer = signed_in(fakes, asked).filter(|_| has_session).ok_or_else(to_sign_in)?;
        let number = fields.get("steamid").and_then(|text| text.parse::<NonZeroU64>().ok());
        let other = number.map(PlatformUserId::new).ok_or_else(|| Reply::of_no_card(400, Value::Null))?;
        Ok(Self { fakes, bearer, other, fields })
    }

    fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// The relation to the other account.
    fn relation(&self) -> SocialResult<FriendRelation> {
        let friends = self.bearer.ask_social::<Vec<ShownFriend>>(self.fakes, SocialCall::Friends)?;
        let found = friends.into_iter().find(|friend| friend.user == self.other);
        Ok(found.map_or(FriendRelation::None, |friend| friend.relation))
    }

    fn act(&self, action: FriendAction) -> SocialResult<()> {
        self.bearer.ask_social(self.fakes, SocialCall::Act { action, user: self.other })
    }

    /// Ends a relation, if it is one that the form is for.
    fn end(&self, is_it: fn(FriendRelation) -> bool) -> SocialResult<()> {
        if is_it(self.relation()?) {
            self.act(FriendAction::Remove)
        } else {
            Err(ExternalError::Rejected(SocialRefusal::NotAllowed))
        }
    }

    /// The answer to a request that failed.
    fn failed(&self, card: &str, status: u16, result: u32) -> Reply {
        let other = self.other.to_string();
        Reply::of(card, status, json!({ "failed_invites": [other], "failed_invites_result": [result], "success": 1 }))
    }

    /// What a refusal of the world is to who asks for friendship.
    fn not_added(&self, refusal: &SocialRefusal) -> Reply {
        const CARD: &str = "steam-community.friend-add.refused";
        let result = match refusal {
            SocialRefusal::NotFound => NO_ACCOUNT,
            SocialRefusal::ListFull => LIST_IS_FULL,
            SocialRefusal::NotDone(_) | SocialRefusal::Other(_) => FAIL,
            SocialRefusal::NotAllowed => match self.relation() {
                Ok(FriendRelation::Blocked) => OTHER_IS_BLOCKED,
                Ok(FriendRelation::WeAsked | FriendRelation::Friend) => {
                    return self.failed("steam-community.friend-add.failed", 200, IGNORED);
                }
                Ok(FriendRelation::None | FriendRelation::TheyAsked | FriendRelation::Ignored) | Err(_) => BLOCKED,
            },
        };
        self.failed(CARD, 400, result)
    }
}

/// Asks for friendship, or accepts a request.
pub(super) fn add(fakes: &Fakes, asked: &Asked) -> Reply {
    let sent = match Sent::read(fakes, asked) {
        Ok(sent) => sent,
        Err(reply) => return reply,
    };
    let (action, added) = match sent.field("accept_invite") {
        "0" => (FriendAction::Add, json!({ "invited": [sent.other.to_string()], "success": 1 })),
        "1" => (FriendAction::Accept, json!(true)),
        _ => return Reply::of("steam-community.friend-add.refused", 400, Value::Null),
    };
    match sent.act(action) {
        Ok(()) => Reply::of("steam-community.friend-add", 200, added),
        Err(ExternalError::Rejected(refusal)) => sent.not_added(&refusal),
        Err(error) => failed(&error),
    }
}

/// Ends a friendship, or withdraws a request.
pub(super) fn remove(fakes: &Fakes, asked: &Asked) -> Reply {
    let is_it = |relation: FriendRelation| !matches!(relation, FriendRelation::TheyAsked | FriendRelation::None);
    let done = Reply::of("steam-community.friend-remove", 200, json!(true));
    let refused = Reply::of("steam-community.friend-remove.refused", 200, json!(false));
    answered(fakes, asked, [done, refused], |sent| sent.end(is_it))
}

/// Declines a request.
pub(super) fn ignore(fakes: &Fakes, asked: &Asked) -> Reply {
    let is_it = |relation: FriendRelation| matches!(relation, FriendRelation::TheyAsked);
    let done = Reply::of("steam-community.friend-ignore", 200, json!({ "success": 1 }));
    let refused = Reply::of("steam-community.friend-ignore.refused", 200, json!(false));
    answered(fakes, asked, [done, refused], |sent| sent.end(is_it))
}

/// Blocks an account, or blocks it no longer.
pub(super) fn block(fakes: &Fakes, asked: &Asked) -> Reply {
    let done = Reply::of("steam-community.friend-block", 200, json!(true));
    let refused = Reply::of("steam-community.friend-block.refused", 400, Value::Null);
    answered(fakes, asked, [done, refused], |sent| match sent.field("block") {
        "0" => sent.act(FriendAction::Unblock),
        "1" => sent.act(FriendAction::Block),
        _ => Err(ExternalError::Rejected(SocialRefusal::NotAllowed)),
    })
}

fn answered(
    fakes: &Fakes,
    asked: &Asked,
    [done, refused]: [Reply; 2],
    act: impl FnOnce(&Sent<'_>) -> SocialResult<()>,
) -> Reply {
    let sent = match Sent::read(fakes, asked) {
        Ok(sent) => sent,
        Err(reply) => return reply,
    };
    match act(&sent) {
        Ok(()) => done,
        Err(ExternalError::Rejected(_)) => refused,
        Err(error) => failed(&error),
    }
}

/// What a caller sees of a call that the world did not answer.
fn failed(error: &ExternalError<SocialRefusal>) -> Reply {
    match error {
        ExternalError::AuthLost { effect: _ } => to_sign_in(),
        ExternalError::RateLimited { retry_after, effect: _ } => limited_for(*retry_after),
        ExternalError::Unknown(_) | ExternalError::Rejected(_) => lost(),
    }
}
