//! Whether a trading account can work now, and what blocks it: one check after the other, each reported with its finding.

use std::fmt;

use super::{AUTHENTICATOR_AGE, AccountHealth, AccountParts, AccountRole, AccountStatus};
use crate::names::names;
use crate::time::Timestamp;
use crate::trading::account_session::{AccountSession, SessionStatus};
use crate::trading::renewal::URGENT_BEFORE;

/// What is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckCode {
    /// It is in the status in which accounts get work.
    Status = 1,
    /// Its session works.
    Session = 2,
    /// It has had its authenticator long enough.
    Authenticator = 3,
    /// Its trades are not held.
    TradeHold = 4,
    /// Its inventory takes more items.
    InventoryRoom = 5,
    /// The platform's API key of the account is ours.
    ApiKey = 6,
    /// It has the balance that its limits ask for.
    Balance = 7,
    /// It may do what is asked for.
    Capability = 8,
    /// It may have one more purchase open.
    OpenPurchases = 9,
    /// It may hold one more item.
    Items = 10,
    /// Its trade address is not being renewed.
    TradeAddress = 11,
    /// A person has accepted the platform's notice that trades can be reversed.
    TradeNotice = 12,
    /// The session by which the engine keeps it signed in has not failed, and its refresh token does not end soon.
    Token = 13,
}

names! { CheckCode, "check of a trading account":
    Status => "STATUS",
    Session => "SESSION",
    Authenticator => "AUTHENTICATOR",
    TradeHold => "TRADE_HOLD",
    InventoryRoom => "INVENTORY_ROOM",
    ApiKey => "API_KEY",
    Balance => "BALANCE",
    Capability => "CAPABILITY",
    OpenPurchases => "OPEN_PURCHASES",
    Items => "ITEMS",
    TradeAddress => "TRADE_ADDRESS",
    TradeNotice => "TRADE_NOTICE",
    Token => "TOKEN",
}

/// The outcome of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was checked.
    pub code: CheckCode,
    /// Whether it holds.
    pub ok: bool,
    /// What was found, for people.
    pub detail: String,
}

/// What an account has in hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Load {
    /// Purchases that are neither delivered nor over.
    pub open_purchases: u32,
    /// Items that are ours and with it.
    pub items: u32,
}

impl Check {
    pub(crate) fn new(code: CheckCode, ok: bool, detail: impl fmt::Display) -> Self {
        Self { code, ok, detail: detail.to_string() }
    }

    /// Whether an account stays signed in, by the latest session that the engine has signed it in by. An account without one, and one whose
    /// session a person ended, is signed in by another program, or the check of its status fails.
    pub fn of_token(latest: Option<&AccountSession>, at: Timestamp) -> Self {
        let check = |ok, detail: &str| Self::new(CheckCode::Token, ok, detail);
        let Some(session) = latest else { return check(true, "no session was started here") };
        match (session.status, session.expiry) {
            (SessionStatus::Active | SessionStatus::Renewing, Some(expiry)) => {
                let left = expiry.refresh.since(at);
                let days = left.whole_days().max(0);
                let detail = format_args!("the refresh token ends in {days} days");
                Self::new(CheckCode::Token, left > URGENT_BEFORE, detail)
            }
            (SessionStatus::Active | SessionStatus::Renewing, None) => {
                check(false, "the end of the token is not known")
            }
            (SessionStatus::Starting | SessionStatus::AwaitingCode | SessionStatus::AwaitingApproval, _) => {
                check(false, "the account is being signed in")
            }
            (SessionStatus::Expired, _) => check(false, "the platform no longer accepts the session"),
            (SessionStatus::Failed, _) => match session.failure {
                Some(why) => Self::new(CheckCode::Token, false, format_args!("the last sign-in has failed: {why}")),
                None => check(false, "the last sign-in has failed"),
            },
            (SessionStatus::Revoked | SessionStatus::Closed, _) => check(true, "the last session was ended on request"),
        }
    }
}

impl CheckCode {
    /// Whether the check matters to who is to take a role.
    const fn concerns(self, role: AccountRole) -> bool {
        match self {
            Self::Balance | Self::OpenPurchases | Self::TradeAddress => matches!(role, AccountRole::Buy),
            Self::InventoryRoom | Self::Items => matches!(role, AccountRole::Buy | AccountRole::Store),
            Self::Status
            | Self::Session
            | Self::Authenticator
            | Self::TradeHold
            | Self::ApiKey
            | Self::Capability
            | Self::TradeNotice
            | Self::Token => true,
        }
    }
}

impl AccountParts {
    /// Every check of the account itself, whether it holds or not, in the order of the list.
    pub fn readiness(&self, at: Timestamp) -> Vec<Check> {
        let status = Check::new(
            CheckCode::Status,
            self.status == AccountStatus::Ready,
            format_args!("the account is {}", self.status),
        );
        let outside = match &self.health {
            Some(health) => self.outside(health, at).to_vec(),
            None => OUTSIDE.map(|code| Check::new(code, false, "nothing was seen of the account yet")).to_vec(),
        };
        std::iter::once(status).chain(outside).chain(self.permissions()).collect()
    }

    /// The checks of what people decide about its trades.
    fn permissions(&self) -> [Check; 2] {
        let (is_renewed, may_trade) = (self.is_token_renewed(), self.may_trade());
        let address = if is_renewed { "the trade address is being renewed" } else { "no renewal waits" };
        let notice = if may_trade { "the notice was accepted" } else { "no one has accepted the platform's notice" };
        [
            Check::new(CheckCode::TradeAddress, !is_renewed, address),
            Check::new(CheckCode::TradeNotice, may_trade, notice),
        ]
    }

    fn outside(&self, health: &AccountHealth, at: Timestamp) -> [Check; 6] {
        let authenticator = match health.authenticator_since {
            None => Check::new(CheckCode::Authenticator, false, "the account has no mobile authenticator"),
            Some(since) => Check::new(
                CheckCode::Authenticator,
                since.plus(AUTHENTICATOR_AGE) <= at,
                format_args!("enrolled for {} of {} days", whole_days(at, since), AUTHENTICATOR_AGE.whole_days()),
            ),
        };
        let held = health.held_until.filter(|until| at < *until);
        let said = if held.is_some() { "trades are held" } else { "trades are not held" };
        let most = self.limits.max_inventory;
        let room = match health.inventory_count {
            None => {
                let detail = format_args!("the number of items is not known; {most} at most");
                Check::new(CheckCode::InventoryRoom, false, detail)
            }
            Some(count) => Check::new(CheckCode::InventoryRoom, count < most, format_args!("{count} of {most} items")),
        };
        let balance = match (self.limits.min_balance, health.balance) {
            (None, _) => Check::new(CheckCode::Balance, true, "no least balance is asked for"),
            (Some(least), None) => {
                Check::new(CheckCode::Balance, false, format_args!("the balance is not known; the least is {least}"))
            }
            (Some(least), Some(balance)) => {
                let detail = format_args!("{balance} cents, and {least} at least");
                Check::new(CheckCode::Balance, balance >= least, detail)
            }
        };
        let session = if health.is_signed_in { "signed in" } else { "not signed in" };
        let api_key = match health.is_api_key_ours {
            None => "it is not known whether the key is ours",
            Some(true) => "the key is ours",
            Some(false) => "the key is not the one that we made",
        };
        [
            Check::new(CheckCode::Session, health.is_signed_in, session),
            authenticator,
            Check::new(CheckCode::TradeHold, held.is_none(), said),
            room,
            Check::new(CheckCode::ApiKey, health.is_api_key_ours == Some(true), api_key),
            balance,
        ]
    }

    /// Whether the account may take a role at all. What passes by itself, or once it is signed in, is nothing against it.
    pub fn may_take(&self, role: AccountRole) -> bool {
        let is_out = matches!(self.status, AccountStatus::Disabled | AccountStatus::Banned | AccountStatus::Removed);
        !is_out && self.capabilities.contains(&role)
    }

    /// What keeps the account from taking a role now, with what it has in hand: the first check that does not hold.
    pub fn blocked_by(&self, role: AccountRole, load: Load, at: Timestamp) -> Option<Check> {
        let capability = Check::new(
            CheckCode::Capability,
            self.capabilities.contains(&role),
            format_args!("{role} is not among what the account may do"),
        );
        let open = within(CheckCode::OpenPurchases, load.open_purchases, self.limits.max_open_purchases);
        let mut checks = std::iter::once(capability).chain(self.readiness(at)).chain(open);
        checks.find(|check| !check.ok && check.code.concerns(role))
    }
}

/// The checks of what is seen outside.
const OUTSIDE: [CheckCode; 6] = [
    CheckCode::Session,
    CheckCode::Authenticator,
    CheckCode::TradeHold,
    CheckCode::InventoryRoom,
    CheckCode::ApiKey,
    CheckCode::Balance,
];

/// Whether one more fits within a limit.
pub(crate) fn within(code: CheckCode, count: u32, most: Option<u32>) -> Option<Check> {
    most.map(|most| Check::new(code, count < most, format_args!("{count} of {most}")))
}

/// What keeps a role from one more of something, if the limit matters to it.
pub(crate) fn exceeded(code: CheckCode, role: AccountRole, count: u32, most: Option<u32>) -> Option<Check> {
    within(code, count, most).filter(|check| !check.ok && code.concerns(role))
}

fn whole_days(at: Timestamp, since: Timestamp) -> i64 {
    at.since(since).whole_days().max(0)
}
