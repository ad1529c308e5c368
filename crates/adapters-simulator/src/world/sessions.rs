//! Signing trading accounts in: what each signs in by, the sign-ins that were begun, and the tokens that are accepted.
//!
//! An account has one session at most, with the access token and the refresh token that were issued last. Chance is drawn from a generator of
//! its own, so that the market of a seed is the same with and without sign-ins.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use time::Duration;
use totp_rs::Builder;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::{Asked, EmailDomain, Guard, TokenExpiry};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::sessions::{Attempt, SessionRefusal, SessionResult, SignIn};

use super::World;
use super::ids::PersonId;
use super::rng::SeededRng;
use crate::call::{AccountSignIn, SimulatedGuard};
use crate::serde_repr;
use crate::settings::Spread;
use crate::tokens::IssuedTokens;

/// How long an access token is accepted, as on Steam (`github.com/rawensoft/steam_web`, issue 4: 86,400 s).
const ACCESS_LASTS: Duration = Duration::hours(24);
/// How long a refresh token is accepted, as on Steam (`github.com/DoctorMcKay/node-steam-session`, issue 11: 200 days).
const REFRESH_LASTS: Duration = Duration::days(200);
/// How long a sign-in may take.
const SIGN_IN_LASTS: Duration = Duration::minutes(10);
/// How many sign-ins of an account are begun in [`RATE_WINDOW`] at most.
const MOST_BEGUN: usize = 5;
const RATE_WINDOW: Duration = Duration::minutes(10);
const POLL_EVERY: std::time::Duration = std::time::Duration::from_secs(5);
/// Where codes are mailed to.
const EMAIL_DOMAIN: &str = "example.com";
/// The length of a code, and its characters.
const CODE_LENGTH: usize = 5;
const CODE_CHARACTERS: &[u8] = b"23456789BCDFGHJKMNPQRTVWXY";
/// The bytes of the secret that an authenticator shares with the platform, and how long it shows one code.
const SHARED_SECRET: usize = 20;
const CODE_LASTS: Duration = Duration::seconds(30);
const MICROS_PER_SECOND: i64 = 1_000_000;
/// Any number.
const ANY: Spread = Spread::new(0, u32::MAX);

/// Why an account is not required to be signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignInImpossible {
    /// A stranger has the number, or no participant.
    #[error("no customer has the trading account {0}")]
    UnknownAccount(PlatformUserId),
    /// Accounts are found by their login names.
    #[error("another trading account has this login name")]
    TakenLoginName,
    /// No code follows from it.
    #[error("the shared secret is not 20 bytes in base 64")]
    SharedSecret,
}

/// All accounts that need a sign-in.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sessions {
    mint: Mint,
    accounts: BTreeMap<PersonId, Account>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Account {
    by: AccountSignIn,
    /// When its last sign-ins were begun.
    #[serde(with = "serde_repr")]
    begun: Vec<Timestamp>,
    /// Its sign-ins of which no tokens were issued, the oldest first.
    pending: Vec<Pending>,
    /// The code that was mailed last.
    mailed: Option<String>,
    session: Option<Session>,
}

/// A sign-in that was begun.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Pending {
    id: String,
    #[serde(with = "serde_repr")]
    until: Timestamp,
    /// The code that was mailed for it.
    mailed: Option<String>,
    progress: Progress,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Progress {
    Waiting,
    Passed,
    Denied,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Session {
    access: String,
    refresh: String,
    #[serde(with = "serde_repr")]
    expiry: TokenExpiry,
}

/// Makes ids, tokens and codes.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Mint {
    chance: SeededRng,
    /// How many ids and tokens it made. Their numbers keep any two of them apart.
    made: u64,
}

impl Mint {
    fn unique(&mut self, kind: &str) -> String {
        self.made = self.made.saturating_add(1);
        let (one, other) = (self.chance.within(ANY), self.chance.within(ANY));
        format!("{kind}-{}-{one:08x}{other:08x}", self.made)
    }

    fn code(&mut self) -> String {
        let mut character = || self.chance.one_of(CODE_CHARACTERS.len()).and_then(|at| CODE_CHARACTERS.get(at));
        (0..CODE_LENGTH).filter_map(|_| character().copied()).map(char::from).collect()
    }

    fn session(&mut self, now: Timestamp) -> Session {
        let expiry = TokenExpiry { access: now.plus(ACCESS_LASTS), refresh: now.plus(REFRESH_LASTS) };
        Session { access: self.unique("access"), refresh: self.unique("refresh"), expiry }
    }
}

impl Account {
    /// The sign-in of this id, unless it was forgotten.
    fn pending(&mut self, id: &str, now: Timestamp) -> Option<&mut Pending> {
        self.pending.iter_mut().find(|pending| pending.id == id && pending.until > now)
    }
}

impl Session {
    fn accepts_refresh(&self, token: &str, now: Timestamp) -> bool {
        self.refresh == token && self.expiry.refresh > now
    }

    fn accepts_access(&self, token: &str, now: Timestamp) -> bool {
        self.access == token && self.expiry.access > now
    }

    fn issued_to(&self, person: PersonId) -> IssuedTokens {
        let Self { access, refresh, expiry } = self.clone();
        IssuedTokens { user: person.into(), access, refresh, expiry }
    }
}

impl Default for Sessions {
    fn default() -> Self {
        Self::of(0)
    }
}

fn refused<T>(why: SessionRefusal) -> SessionResult<T> {
    Err(ExternalError::Rejected(why))
}

fn forgotten() -> ExternalError<SessionRefusal> {
    ExternalError::Rejected(SessionRefusal::Expired)
}

fn signed_out() -> ExternalError<SessionRefusal> {
    ExternalError::AuthLost { effect: Effect::Nothing }
}

impl Sessions {
    pub(super) fn of(seed: u64) -> Self {
        // Another one than those of the market and of friends.
        let chance = SeededRng::of(seed ^ 0x51e9_1d1f_70ce_2a5b);
        Self { mint: Mint { chance, made: 0 }, accounts: BTreeMap::new() }
    }

    /// Whether calls of an account are answered that have this token.
    pub(super) fn accept(&self, person: PersonId, token: Option<&str>, now: Timestamp) -> bool {
        let Some(account) = self.accounts.get(&person) else { return true };
        account.session.as_ref().zip(token).is_some_and(|(session, token)| session.accepts_access(token, now))
    }

    /// Begins a sign-in, and mails a code where the account is asked for one.
    pub(super) fn begin(&mut self, login_name: &str, password: &str, now: Timestamp) -> SessionResult<SignIn> {
        let Self { mint, accounts } = self;
        let known = accounts.values_mut().find(|account| account.by.login_name == login_name);
        let Some(account) = known.filter(|account| account.by.password == password) else {
            return refused(SessionRefusal::WrongPassword);
        };
        account.begun.retain(|begun| now.since(*begun) < RATE_WINDOW);
        if account.begun.len() >= MOST_BEGUN
            && let Some(first) = account.begun.first()
        {
            let retry_after = first.plus(RATE_WINDOW).since(now).unsigned_abs();
            return Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing });
        }
        account.begun.push(now);
        account.pending.retain(|pending| pending.until > now);
        let mailed = (account.by.guard == SimulatedGuard::EmailCode).then(|| mint.code());
        if mailed.is_some() {
            account.mailed.clone_from(&mailed);
        }
        let asks_nothing = account.by.guard == SimulatedGuard::None;
        let progress = if asks_nothing { Progress::Passed } else { Progress::Waiting };
        let id = mint.unique("sign-in");
        account.pending.push(Pending { id: id.clone(), until: now.plus(SIGN_IN_LASTS), mailed, progress });
        Ok(SignIn { attempt: Attempt(id), asked: asked(&account.by.guard), poll_every: POLL_EVERY })
    }

    /// Takes the code of a sign-in. After a wrong one it waits for another.
    pub(super) fn give_code(&mut self, id: &str, guard: Guard, code: &str, now: Timestamp) -> SessionResult<()> {
        let found = self.accounts.values_mut().find_map(|account| {
            let asked = account.by.guard.clone();
            account.pending(id, now).map(|pending| (asked, pending))
        });
        let (asked, pending) = found.ok_or_else(forgotten)?;
        let is_right = match (guard, asked) {
            (Guard::EmailCode, SimulatedGuard::EmailCode) => pending.mailed.as_deref() == Some(code),
            (Guard::DeviceCode, SimulatedGuard::DeviceCode { shared_secret }) => {
                // The code before is accepted as well, since it takes time to give one.
                let shown = [now, now.plus(-CODE_LASTS)].map(|at| code_at(&shared_secret, at));
                shown.iter().any(|shown| shown.as_deref() == Some(code))
            }
            _ => return refused(SessionRefusal::Other("the platform did not ask for this code".to_owned())),
        };
        if !is_right {
            return refused(SessionRefusal::WrongCode);
        }
        pending.progress = Progress::Passed;
        Ok(())
    }

    /// Issues the tokens of a sign-in once it has passed. They replace those of the account's former session.
    pub(super) fn poll(&mut self, id: &str, now: Timestamp) -> SessionResult<Option<IssuedTokens>> {
        let Self { mint, accounts } = self;
        let found = accounts.iter_mut().find_map(|(person, account)| {
            let progress = account.pending(id, now)?.progress;
            Some((*person, account, progress))
        });
        let (person, account, progress) = found.ok_or_else(forgotten)?;
        match progress {
            Progress::Waiting => Ok(None),
            Progress::Denied => refused(SessionRefusal::ApprovalDenied),
            Progress::Passed => {
                account.pending.retain(|pending| pending.id != id);
                Ok(Some(account.session.insert(mint.session(now)).issued_to(person)))
            }
        }
    }

    /// Renews the access token of a session, and its refresh token where that is wanted. The former ones are refused from then on.
    pub(super) fn renew(&mut self, refresh: &str, also_refresh: bool, now: Timestamp) -> SessionResult<IssuedTokens> {
        let Self { mint, accounts } = self;
        let mut signed_in =
            accounts.iter_mut().filter_map(|(person, account)| Some((*person, account.session.as_mut()?)));
        let found = signed_in.find(|(_, session)| session.accepts_refresh(refresh, now));
        let (person, session) = found.ok_or_else(signed_out)?;
        let next = mint.session(now);
        session.access = next.access;
        session.expiry.access = next.expiry.access;
        if also_refresh {
            session.refresh = next.refresh;
            session.expiry.refresh = next.expiry.refresh;
        }
        Ok(session.issued_to(person))
    }

    /// Ends a session.
    pub(super) fn revoke(&mut self, refresh: &str, now: Timestamp) -> SessionResult<()> {
        let has_it =
            |account: &Account| account.session.as_ref().is_some_and(|session| session.accepts_refresh(refresh, now));
        let account = self.accounts.values_mut().find(|account| has_it(account)).ok_or_else(signed_out)?;
        account.session = None;
        Ok(())
    }
}

/// What the platform says that it asks for.
fn asked(guard: &SimulatedGuard) -> Asked {
    let only = |guard| Asked { guards: vec![guard], email_domain: None };
    match guard {
        SimulatedGuard::None => Asked::default(),
        SimulatedGuard::EmailCode => {
            Asked { email_domain: EmailDomain::new(EMAIL_DOMAIN).ok(), ..only(Guard::EmailCode) }
        }
        SimulatedGuard::DeviceCode { .. } => only(Guard::DeviceCode),
        SimulatedGuard::Approval => only(Guard::DeviceApproval),
    }
}

/// The code that an authenticator of this secret shows; nothing for a text that is not a secret.
fn code_at(shared_secret: &str, at: Timestamp) -> Option<String> {
    let secret = STANDARD.decode(shared_secret).ok().filter(|secret| secret.len() == SHARED_SECRET)?;
    let second = u64::try_from(at.as_micros().div_euclid(MICROS_PER_SECOND)).ok()?;
    Some(Builder::new_steam().with_secret(secret.as_slice()).build_noncompliant().generate(second).to_string())
}

impl World {
    /// Requires a trading account to be signed in before its calls are answered. An account that has to be already is left as it is.
    ///
    /// # Errors
    /// [`SignInImpossible`].
    pub fn require_sign_in(&mut self, account: PlatformUserId, by: AccountSignIn) -> Result<(), SignInImpossible> {
        let person = PersonId::from(account);
        if self.people.customer(person).is_none() {
            return Err(SignInImpossible::UnknownAccount(account));
        }
        let accounts = &mut self.sessions.accounts;
        if accounts.contains_key(&person) {
            return Ok(());
        }
        if accounts.values().any(|other| other.by.login_name == by.login_name) {
            return Err(SignInImpossible::TakenLoginName);
        }
        if let SimulatedGuard::DeviceCode { shared_secret } = &by.guard
            && code_at(shared_secret, self.now).is_none()
        {
            return Err(SignInImpossible::SharedSecret);
        }
        let account = Account { by, begun: Vec::new(), pending: Vec::new(), mailed: None, session: None };
        accounts.insert(person, account);
        Ok(())
    }

    /// The trading account that is signed in by this login name, as the platform shows it to a caller that knows the password.
    pub fn signing_in_as(&self, login_name: &str) -> Option<PlatformUserId> {
        let known = self.sessions.accounts.iter().find(|(_, account)| account.by.login_name == login_name);
        known.map(|(person, _)| (*person).into())
    }

    /// The code that was mailed to the owner of a trading account last.
    pub fn sent_code(&self, account: PlatformUserId) -> Option<String> {
        self.sessions.accounts.get(&PersonId::from(account))?.mailed.clone()
    }

    /// The code that the authenticator of a trading account shows now.
    pub fn device_code(&self, account: PlatformUserId) -> Option<String> {
        let account = self.sessions.accounts.get(&PersonId::from(account))?;
        let SimulatedGuard::DeviceCode { shared_secret } = &account.by.guard else { return None };
        code_at(shared_secret, self.now)
    }

    /// Approves or denies the last sign-in of a trading account that waits for it, and returns whether there was one.
    pub fn approve_sign_in(&mut self, account: PlatformUserId, approve: bool) -> bool {
        let now = self.now;
        let known = self.sessions.accounts.get_mut(&PersonId::from(account));
        let asked = known.filter(|account| account.by.guard == SimulatedGuard::Approval);
        let is_waiting = |pending: &Pending| pending.progress == Progress::Waiting && pending.until > now;
        let last = asked.and_then(|account| account.pending.iter_mut().rev().find(|pending| is_waiting(pending)));
        let Some(pending) = last else { return false };
        pending.progress = if approve { Progress::Passed } else { Progress::Denied };
        true
    }

    /// Whether a trading account has a session that was neither revoked nor has expired.
    pub fn is_signed_in(&self, account: PlatformUserId) -> bool {
        let known = self.sessions.accounts.get(&PersonId::from(account));
        let session = known.and_then(|account| account.session.as_ref());
        session.is_some_and(|session| session.expiry.refresh > self.now)
    }
}
