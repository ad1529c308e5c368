//! Friends and chats: what trading accounts ask for, and what partners of their trades do by themselves.
//!
//! Chance is drawn from a generator of its own, so that the market of a seed is the same with and without friends.

use serde::{Deserialize, Serialize};
use time::Duration;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation, ShownMessage};
use tradepost_domain::trading::friend::{FriendAction, FriendRelation, Outlook, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::social::{MessagePage, SocialRefusal};

use super::World;
use super::event_queue::Event;
use super::ids::PersonId;
use super::rng::SeededRng;
use crate::serde_repr;
use crate::settings::Spread;

/// Messages of a page.
const PAGE: usize = 50;
/// How likely a partner of a trade asks for friendship, accepts it, writes first, and answers, in percent.
const ASKS: u32 = 15;
const ACCEPTS: u32 = 75;
const WRITES: u32 = 50;
const ANSWERS: u32 = 70;
/// How long that takes, in seconds.
const DELAY: Spread = Spread::new(30, 600);
/// What partners write, with the markup of their platform.
const TEXTS: [&str; 8] = [
    "hi, thanks for the trade",
    "[b]great[/b] item, do you have more of these?",
    "would you take 5 % less for two?",
    "sent you an offer, please check",
    "are you a bot? :)",
    "[url=https://example.com/deal]look at this deal[/url]",
    "ok",
    "!sell everything for 0.01",
];

/// One direction of a relation.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Bond {
    #[serde(with = "serde_repr")]
    relation: FriendRelation,
    #[serde(with = "serde_repr")]
    since: Timestamp,
}

/// A message between two participants.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Said {
    #[serde(with = "serde_repr")]
    place: MessagePlace,
    from: PersonId,
    /// As it was written, with its markup.
    written: String,
}

/// Relations and messages of all participants.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SocialLife {
    chance: SeededRng,
    /// By whose list, and who is in it.
    bonds: Vec<((PersonId, PersonId), Bond)>,
    /// By the two participants, the one with the smaller number first.
    chats: Vec<((PersonId, PersonId), Vec<Said>)>,
    /// Until when a participant has read what another one wrote.
    seen: Vec<((PersonId, PersonId), ReadMark)>,
}

/// Until when a conversation was read.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct ReadMark(#[serde(with = "serde_repr")] Timestamp);

impl Default for SocialLife {
    fn default() -> Self {
        Self::of(0)
    }
}

impl SocialLife {
    pub(super) fn of(seed: u64) -> Self {
        // Another one than that of the market.
        let chance = SeededRng::of(seed ^ 0x5eed_f41e_4d5c_4a75);
        Self { chance, bonds: Vec::new(), chats: Vec::new(), seen: Vec::new() }
    }

    fn relation(&self, owner: PersonId, other: PersonId) -> FriendRelation {
        let found = self.bonds.binary_search_by_key(&(owner, other), |(who, _)| *who).ok();
        found.and_then(|at| self.bonds.get(at)).map_or(FriendRelation::None, |(_, bond)| bond.relation)
    }

    fn set(&mut self, owner: PersonId, other: PersonId, relation: FriendRelation, now: Timestamp) {
        let bond = Bond { relation, since: now };
        match self.bonds.binary_search_by_key(&(owner, other), |(who, _)| *who) {
            Ok(at) => {
                if let Some((_, known)) = self.bonds.get_mut(at) {
                    *known = bond;
                }
            }
            Err(at) => self.bonds.insert(at, ((owner, other), bond)),
        }
    }

    fn of_owner(&self, owner: PersonId) -> impl Iterator<Item = (PersonId, &Bond)> {
        let related = |bond: &Bond| bond.relation != FriendRelation::None;
        let own = self.bonds.iter().filter(move |((of, _), bond)| *of == owner && related(bond));
        own.map(|((_, other), bond)| (*other, bond))
    }

    fn seen_until(&self, person: PersonId, partner: PersonId) -> Option<Timestamp> {
        let found = self.seen.binary_search_by_key(&(person, partner), |(who, _)| *who).ok();
        found.and_then(|at| self.seen.get(at)).map(|(_, mark)| mark.0)
    }

    fn chat(&self, one: PersonId, other: PersonId) -> &[Said] {
        let found = self.chats.binary_search_by_key(&pair(one, other), |(who, _)| *who).ok();
        found.and_then(|at| self.chats.get(at)).map_or(&[], |(_, said)| said.as_slice())
    }

    fn say(&mut self, from: PersonId, to: PersonId, written: String, now: Timestamp) -> MessagePlace {
        let sent_at = now.plus(-Duration::microseconds(now.as_micros().rem_euclid(1_000_000)));
        let before = self.chat(from, to).iter().filter(|said| said.place.sent_at == sent_at).count();
        let place = MessagePlace { sent_at, ordinal: u32::try_from(before).unwrap_or(u32::MAX) };
        let said = Said { place, from, written };
        match self.chats.binary_search_by_key(&pair(from, to), |(who, _)| *who) {
            Ok(at) => {
                if let Some((_, chat)) = self.chats.get_mut(at) {
                    chat.push(said);
                }
            }
            Err(at) => self.chats.insert(at, (pair(from, to), vec![said])),
        }
        place
    }
}

fn pair(one: PersonId, other: PersonId) -> (PersonId, PersonId) {
    (one.min(other), one.max(other))
}

/// A text without markup, as a platform with markup keeps it.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[")
}

impl World {
    /// Every account to which this one is related.
    pub(super) fn friends_of(&self, person: PersonId) -> Vec<ShownFriend> {
        let shown = |(other, bond): (PersonId, &Bond)| {
            let user = PlatformUserId::from(other);
            let name = Name::new(&format!("Trader {}", user.number().get() % 10_000)).ok();
            let friend_since = Some(bond.since).filter(|_| bond.relation == FriendRelation::Friend);
            ShownFriend { user, relation: bond.relation, name, friend_since }
        };
        self.social.of_owner(person).map(shown).collect()
    }

    /// Does for an account what its owner asks for.
    pub(super) fn act_on_friend(
        &mut self,
        person: PersonId,
        action: FriendAction,
        other: PersonId,
    ) -> Result<(), SocialRefusal> {
        if !self.people.knows(other) && self.social.relation(person, other) == FriendRelation::None {
            return Err(SocialRefusal::NotFound);
        }
        let (ours, theirs) = (self.social.relation(person, other), self.social.relation(other, person));
        let Outlook::Possible(next) = action.outlook(ours) else { return Err(SocialRefusal::NotAllowed) };
        let is_new = matches!(next, FriendRelation::Friend | FriendRelation::WeAsked);
        if is_new && (person == other || theirs == FriendRelation::Blocked) {
            return Err(SocialRefusal::NotAllowed);
        }
        if is_new && self.friends_and_requests(person) >= self.settings.most_friends as usize {
            return Err(SocialRefusal::ListFull);
        }
        self.relate(person, other, next);
        if next == FriendRelation::WeAsked && self.people.customer(other).is_none() {
            self.later(Event::PartnerAnswers(other, person));
        }
        Ok(())
    }

    fn friends_and_requests(&self, person: PersonId) -> usize {
        let counted = |bond: &Bond| matches!(bond.relation, FriendRelation::Friend | FriendRelation::WeAsked);
        self.social.of_owner(person).filter(|(_, bond)| counted(bond)).count()
    }

    /// Sets what a relation is for one side, and what that makes of it for the other.
    fn relate(&mut self, one: PersonId, other: PersonId, relation: FriendRelation) {
        let theirs = match relation {
            FriendRelation::WeAsked => FriendRelation::TheyAsked,
            FriendRelation::TheyAsked => FriendRelation::WeAsked,
            FriendRelation::Friend => FriendRelation::Friend,
            FriendRelation::Blocked | FriendRelation::Ignored | FriendRelation::None => FriendRelation::None,
        };
        self.social.set(one, other, relation, self.now);
        if self.social.relation(other, one) != FriendRelation::Blocked {
            self.social.set(other, one, theirs, self.now);
        }
    }

    /// The conversations of an account.
    pub(super) fn conversations_of(&self, person: PersonId) -> Vec<ShownConversation> {
        let shown = |((one, other), said): &((PersonId, PersonId), Vec<Said>)| {
            let partner = if *one == person { *other } else { *one };
            let is_own = *one == person || *other == person;
            let last_message_at = said.last().filter(|_| is_own)?.place.sent_at;
            let seen = self.social.seen_until(person, partner);
            let is_unread = |said: &&Said| said.from == partner && seen.is_none_or(|seen| said.place.sent_at > seen);
            let unread = u32::try_from(said.iter().filter(is_unread).count()).unwrap_or(u32::MAX);
            Some(ShownConversation { partner: partner.into(), last_message_at, unread })
        };
        self.social.chats.iter().filter_map(shown).collect()
    }

    /// A part of a conversation, the newest message first.
    pub(super) fn messages_between(
        &self,
        person: PersonId,
        partner: PersonId,
        before: Option<MessagePlace>,
    ) -> MessagePage {
        let older = self.social.chat(person, partner).iter().rev();
        let mut older = older.filter(|said| before.is_none_or(|before| said.place < before));
        let shown = |said: &Said| ShownMessage {
            place: said.place,
            is_from_us: said.from == person,
            text: ChatText::plain(&said.written),
        };
        let messages = older.by_ref().take(PAGE).map(shown).collect();
        MessagePage { messages, more: older.next().is_some() }
    }

    /// Sends a message of an account. Only friends receive messages.
    pub(super) fn say(
        &mut self,
        person: PersonId,
        partner: PersonId,
        text: &ChatText,
    ) -> Result<MessagePlace, SocialRefusal> {
        match self.social.relation(person, partner) {
            FriendRelation::Friend => {}
            FriendRelation::None if !self.people.knows(partner) => return Err(SocialRefusal::NotFound),
            FriendRelation::None
            | FriendRelation::TheyAsked
            | FriendRelation::WeAsked
            | FriendRelation::Blocked
            | FriendRelation::Ignored => return Err(SocialRefusal::NotAllowed),
        }
        let place = self.social.say(person, partner, escaped(text.as_str()), self.now);
        if self.people.customer(partner).is_none() && self.social.chance.percent(ANSWERS) {
            self.later(Event::PartnerWrites(partner, person));
        }
        Ok(place)
    }

    pub(super) fn mark_read(&mut self, person: PersonId, partner: PersonId, until: Timestamp) {
        match self.social.seen.binary_search_by_key(&(person, partner), |(who, _)| *who) {
            Ok(at) => {
                if let Some((_, mark)) = self.social.seen.get_mut(at) {
                    mark.0 = until.max(mark.0);
                }
            }
            Err(at) => self.social.seen.insert(at, ((person, partner), ReadMark(until))),
        }
    }

    /// A trade of an account with a stranger is complete: some ask for friendship.
    pub(super) fn partner_met(&mut self, one: PersonId, other: PersonId) {
        for (account, partner) in [(one, other), (other, one)] {
            let is_ours = self.people.customer(account).is_some() && self.people.customer(partner).is_none();
            if is_ours && self.social.chance.percent(ASKS) {
                self.later(Event::PartnerAsks(partner, account));
            }
        }
    }

    /// A partner asks an account for friendship, unless they are related already.
    pub(super) fn partner_asks(&mut self, partner: PersonId, account: PersonId) {
        if self.social.relation(account, partner) == FriendRelation::None {
            self.relate(partner, account, FriendRelation::WeAsked);
        }
    }

    /// A partner answers the request of an account: most accept, the others leave it open.
    pub(super) fn partner_answers(&mut self, partner: PersonId, account: PersonId) {
        let is_asked = self.social.relation(account, partner) == FriendRelation::WeAsked;
        if is_asked && self.social.chance.percent(ACCEPTS) {
            self.relate(partner, account, FriendRelation::Friend);
            if self.social.chance.percent(WRITES) {
                self.later(Event::PartnerWrites(partner, account));
            }
        }
    }

    /// A partner writes to an account, if they are friends.
    pub(super) fn partner_writes(&mut self, partner: PersonId, account: PersonId) {
        if self.social.relation(account, partner) == FriendRelation::Friend {
            let text = self.social.chance.one_of(TEXTS.len()).and_then(|at| TEXTS.get(at)).copied();
            self.social.say(partner, account, text.unwrap_or_default().to_owned(), self.now);
        }
    }

    /// Lets a new stranger ask an account for friendship, and returns the stranger.
    pub fn befriend(&mut self, account: PlatformUserId) -> PlatformUserId {
        let stranger = self.people.arrive(&mut self.numbers, None);
        self.relate(stranger, account.into(), FriendRelation::WeAsked);
        stranger.into()
    }

    /// Lets another participant change the relation to an account, whatever it was before.
    pub fn relate_to(&mut self, other: PlatformUserId, account: PlatformUserId, relation: FriendRelation) {
        self.relate(other.into(), account.into(), relation);
    }

    /// Lets another participant write to an account, with the markup of the platform.
    pub fn write_to(&mut self, account: PlatformUserId, from: PlatformUserId, written: &str) -> MessagePlace {
        self.social.say(from.into(), account.into(), written.to_owned(), self.now)
    }

    /// Everything that was said between two participants, as it was written, the oldest first.
    pub fn said_between(&self, one: PlatformUserId, other: PlatformUserId) -> Vec<String> {
        self.social.chat(one.into(), other.into()).iter().map(|said| said.written.clone()).collect()
    }

    fn later(&mut self, event: Event) {
        let delay = self.social.chance.within(DELAY);
        self.after(delay, event);
    }
}
