//! The thirteen checks, in their order. The engine allows a confirmation only if all hold, by readings that it made after the platform's
//! list, and never by the text that the platform shows for people.

use ::time::Duration;

use super::{Confirmation, ConfirmationKind};
use crate::names::names;
use crate::text::ReasonText;
use crate::time::Timestamp;
use crate::trading::giving::{GivingBudget, GivingRefusal};
use crate::trading::trade::{OfferStatus, PlatformUserId};
use crate::trading::trade_offer::{
    AssetKey, OfferDirection, OfferOrigin, OfferReport, OfferStep, OfferedAsset, TradeOffer,
};

/// How old the list may be from which a confirmation is allowed.
const LIST_LASTS: Duration = Duration::minutes(10);
/// How old the reading of a sale may be.
const SALE_LASTS: Duration = Duration::seconds(30);
/// How long before the deadline of a sale its offer may still be confirmed.
const BEFORE_DEADLINE: Duration = Duration::seconds(60);
/// How far the platform may date a confirmation before the draft of its offer.
const DATED_BACK: Duration = Duration::seconds(30);

/// What a check is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckCode {
    /// Neither the workspace nor the account nor the marketplace is halted.
    Halt = 1,
    /// Our own session read the list, lately, and the confirmation is younger than the draft.
    Session = 2,
    /// It is about a trade offer.
    Kind = 3,
    /// That offer was drafted here.
    Creator = 4,
    /// The platform says that the offer waits for a confirmation.
    Status = 5,
    /// The platform shows the partner of the draft.
    Partner = 6,
    /// The platform shows that we give exactly the items of the draft.
    Gives = 7,
    /// The same of the items that we receive.
    Receives = 8,
    /// The sale or the request of a person is still open.
    Intent = 9,
    /// Each given item is held for this offer alone.
    Item = 10,
    /// A marketplace that wants to know of the offer before knows of it.
    Announced = 11,
    /// The text for people does not contradict the draft.
    Summary = 12,
    /// The value of what is given is within the limits of the account.
    Budget = 13,
}

names! { CheckCode, "check of a confirmation":
    Halt => "HALT",
    Session => "SESSION",
    Kind => "KIND",
    Creator => "CREATOR",
    Status => "STATUS",
    Partner => "PARTNER",
    Gives => "GIVES",
    Receives => "RECEIVES",
    Intent => "INTENT",
    Item => "ITEM",
    Announced => "ANNOUNCED",
    Summary => "SUMMARY",
    Budget => "BUDGET",
}

/// How a check ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmationCheck {
    /// The check.
    pub code: CheckCode,
    /// Whether it holds.
    pub holds: bool,
    /// Why it does not hold.
    pub detail: Option<ReasonText>,
}

/// What follows from the first check that does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Consequence {
    /// Examine it again later.
    Wait,
    /// Read the list or the offer again.
    ReadAgain,
    /// Cancel the offer, and leave the confirmation.
    CancelOffer,
    /// A person decides.
    Report,
    /// A person decides, and the offer is cancelled: the platform shows something else than was drafted.
    ReportAndCancel,
    /// A person decides, and the account gives nothing until then.
    StopAccount,
}

/// What is halted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Halts {
    /// The workspace.
    pub workspace: bool,
    /// The account.
    pub account: bool,
    /// The marketplace of the sale, because it does not answer.
    pub marketplace: bool,
}

/// Who read the list, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// When the list was read.
    pub list_at: Timestamp,
    /// When the offer was read.
    pub offer_at: Timestamp,
    /// Whether this node has held the account's lease since before the list was read.
    pub holds_lease: bool,
}

/// What the offer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It delivers a sale of the engine.
    Sale(SalePurpose),
    /// A person asked for it.
    Person {
        /// Whether the request is open.
        is_requested: bool,
    },
}

/// A sale that an offer delivers, as its marketplace shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SalePurpose {
    /// When the marketplace was asked about the sale.
    pub read_at: Timestamp,
    /// Whether the sale is open there.
    pub is_open: bool,
    /// Until when it has to be delivered.
    pub deliver_by: Option<Timestamp>,
    /// Who the marketplace says receives it.
    pub deliver_to: Option<PlatformUserId>,
    /// Whether the marketplace wants to know of the offer before it is confirmed, and then whether it does.
    pub is_announced: Option<bool>,
}

/// An item that the draft gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenItem {
    /// The item.
    pub asset: AssetKey,
    /// Whether this offer is the only open record that wants the item, and the item is held for it.
    pub is_held_for_it: bool,
    /// Whether a protection or a hold of a trade is over.
    pub is_free: bool,
}

/// All that the checks look at.
#[derive(Debug, Clone)]
pub struct Examination<'a> {
    /// The confirmation.
    pub confirmation: &'a Confirmation,
    /// The one offer of the account with the platform's id, if there is exactly one.
    pub offer: Option<&'a TradeOffer>,
    /// That offer as the platform showed it after the list.
    pub report: Option<&'a OfferReport>,
    /// Who read what.
    pub reading: Reading,
    /// What is halted.
    pub halts: Halts,
    /// What the offer is for, if that is known.
    pub purpose: Option<Purpose>,
    /// The items that it gives.
    pub items: &'a [GivenItem],
    /// What the offer gives, and the limits of the account.
    pub budget: GivingBudget,
    /// The time.
    pub now: Timestamp,
}

/// What came of an examination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// All checks, in their order. One that could not be made because an earlier one failed does not hold.
    pub checks: Vec<ConfirmationCheck>,
    /// What follows if the engine must not allow it.
    pub refusal: Option<Consequence>,
}

impl Verdict {
    /// Whether nothing but the limits of the account keeps it from being allowed.
    pub fn waits_for_budget(&self) -> bool {
        self.checks.iter().all(|check| check.holds != (check.code == CheckCode::Budget))
    }
}

/// Why a check does not hold.
struct Failure {
    consequence: Consequence,
    detail: String,
}

type Checked = Result<(), Failure>;

fn require(holds: bool, consequence: Consequence, detail: impl Into<String>) -> Checked {
    if holds { Ok(()) } else { Err(Failure { consequence, detail: detail.into() }) }
}

/// Makes every check. The first that does not hold says what follows.
pub fn examine(of: &Examination<'_>) -> Verdict {
    let mut verdict = Verdict { checks: Vec::new(), refusal: None };
    for code in CheckCode::ALL {
        let checked = check(*code, of);
        if let Err(failure) = &checked {
            verdict.refusal = verdict.refusal.or(Some(failure.consequence));
        }
        let detail = checked.as_ref().err().and_then(|failure| ReasonText::new(&failure.detail).ok());
        verdict.checks.push(ConfirmationCheck { code: *code, holds: checked.is_ok(), detail });
    }
    verdict
}

fn check(code: CheckCode, of: &Examination<'_>) -> Checked {
    match code {
        CheckCode::Halt => halt(of),
        CheckCode::Session => session(of),
        CheckCode::Kind => kind(of),
        CheckCode::Creator => creator(of),
        CheckCode::Status => status(of),
        CheckCode::Partner => partner(of),
        CheckCode::Gives => gives(of),
        CheckCode::Receives => receives(of),
        CheckCode::Intent => intent(of),
        CheckCode::Item => item(of),
        CheckCode::Announced => announced(of),
        CheckCode::Summary => summary(of),
        CheckCode::Budget => budget(of),
    }
}

fn halt(of: &Examination<'_>) -> Checked {
    let halted = match of.halts {
        Halts { workspace: true, .. } => "the workspace is halted",
        Halts { account: true, .. } => "the account is halted",
        Halts { marketplace: true, .. } => "the marketplace of the sale has not answered for 5 min",
        Halts { .. } => return Ok(()),
    };
    require(false, Consequence::Wait, halted)
}

fn session(of: &Examination<'_>) -> Checked {
    let again = Consequence::ReadAgain;
    require(of.reading.holds_lease, again, "another node works for the account")?;
    require(of.now.since(of.reading.list_at) <= LIST_LASTS, again, "the list was read more than 10 min ago")?;
    let Some(offer) = of.offer else { return Ok(()) };
    let since = accepted_since(offer).unwrap_or(offer.created_at);
    let is_younger = of.confirmation.shown.created_at >= since.plus(-DATED_BACK);
    require(is_younger, Consequence::Report, "the confirmation is older than the offer")
}

fn kind(of: &Examination<'_>) -> Checked {
    let kind = of.confirmation.kind();
    let consequence = if kind.changes_account() { Consequence::StopAccount } else { Consequence::Report };
    require(kind == ConfirmationKind::TradeOffer, consequence, format!("it is about {kind}"))
}

fn creator(of: &Examination<'_>) -> Checked {
    let Some(offer) = of.offer else {
        let is_too_long = of.confirmation.is_unmatched_too_long(of.now);
        let consequence = if is_too_long { Consequence::Report } else { Consequence::Wait };
        return require(false, consequence, "no offer of ours has this id");
    };
    let is_ours = is_ours(offer);
    let has_its_id = offer.offer_id.as_ref() == Some(&of.confirmation.shown.creator);
    require(is_ours && has_its_id, Consequence::Report, "this installation did not draft the offer")
}

/// Whether this installation drafted and sent an offer, or accepts one that was received because a person has asked for that.
pub(crate) fn is_ours(offer: &TradeOffer) -> bool {
    match offer.direction {
        OfferDirection::Sent => offer.origin != OfferOrigin::Outside,
        OfferDirection::Received => accepted_since(offer).is_some(),
    }
}

/// Since when an offer that was received is being accepted for a person.
fn accepted_since(offer: &TradeOffer) -> Option<Timestamp> {
    offer.request.filter(|request| request.step == OfferStep::Accept)?.begun_at
}

/// The offer on record and the platform's later reading of it.
fn both<'a>(of: &Examination<'a>) -> Result<(&'a TradeOffer, &'a OfferReport), Failure> {
    let is_later = of.reading.offer_at >= of.reading.list_at;
    match (of.offer, of.report) {
        (Some(offer), Some(report)) if is_later && report.offer_id == of.confirmation.shown.creator => {
            Ok((offer, report))
        }
        (Some(_), _) => Err(Failure {
            consequence: Consequence::ReadAgain,
            detail: "the offer was not read after the list".to_owned(),
        }),
        (None, _) => Err(Failure { consequence: Consequence::Wait, detail: "no offer of ours has this id".to_owned() }),
    }
}

fn status(of: &Examination<'_>) -> Checked {
    let (offer, report) = both(of)?;
    // An offer that was received is active until we have confirmed that we accept it.
    let waits = match offer.direction {
        OfferDirection::Sent => report.status == OfferStatus::NeedsConfirmation,
        OfferDirection::Received => report.status == OfferStatus::Active,
    };
    require(waits, Consequence::Wait, "the platform does not say that the offer waits for a confirmation")
}

fn partner(of: &Examination<'_>) -> Checked {
    let (offer, report) = both(of)?;
    require(report.partner == offer.partner, Consequence::ReportAndCancel, "the platform shows another partner")
}

/// Whether the platform shows no items of an offer that has some: that says nothing about them.
fn is_glitched(offer: &TradeOffer, report: &OfferReport) -> bool {
    let is_missing = |drafted: &[AssetKey], shown: usize| !drafted.is_empty() && shown == 0;
    is_missing(&offer.given_assets(), report.gives.len()) || is_missing(&offer.received_assets(), report.receives.len())
}

fn keys(assets: &[OfferedAsset]) -> Vec<AssetKey> {
    let mut keys: Vec<_> = assets.iter().map(AssetKey::from).collect();
    keys.sort_unstable();
    keys
}

fn same_items(of: &Examination<'_>, drafted: &[AssetKey], shown: &[AssetKey], what: &str) -> Checked {
    let (offer, report) = both(of)?;
    require(!is_glitched(offer, report), Consequence::ReadAgain, "the platform does not show the items at present")?;
    require(drafted == shown, Consequence::ReportAndCancel, format!("the platform shows that we {what} other items"))
}

fn gives(of: &Examination<'_>) -> Checked {
    let (offer, report) = both(of)?;
    same_items(of, &offer.given_assets(), &keys(&report.gives), "give")
}

fn receives(of: &Examination<'_>) -> Checked {
    let (offer, report) = both(of)?;
    same_items(of, &offer.received_assets(), &keys(&report.receives), "receive")
}

fn intent(of: &Examination<'_>) -> Checked {
    let cancel = Consequence::CancelOffer;
    match of.purpose {
        None => require(false, cancel, "the offer belongs to no sale and to no request"),
        Some(Purpose::Person { is_requested }) => require(is_requested, cancel, "no person asks for the offer now"),
        Some(Purpose::Sale(SalePurpose { read_at, is_open, deliver_by, deliver_to, .. })) => {
            let is_fresh = of.now.since(read_at) <= SALE_LASTS;
            require(is_fresh, Consequence::ReadAgain, "the sale was read more than 30 s ago")?;
            require(is_open, cancel, "the sale is over")?;
            let is_in_time = deliver_by.is_none_or(|until| until.since(of.now) > BEFORE_DEADLINE);
            require(is_in_time, cancel, "the sale ends within 60 s")?;
            let is_to_buyer = deliver_to.is_some() && deliver_to == of.offer.map(|offer| offer.partner);
            require(is_to_buyer, cancel, "the marketplace names another recipient")
        }
    }
}

fn item(of: &Examination<'_>) -> Checked {
    let mut looked_at: Vec<AssetKey> = of.items.iter().map(|item| item.asset.clone()).collect();
    looked_at.sort_unstable();
    let is_whole = of.offer.is_some_and(|offer| !looked_at.is_empty() && offer.given_assets() == looked_at);
    require(is_whole, Consequence::ReadAgain, "not every given item was looked at")?;
    let are_held = of.items.iter().all(|item| item.is_held_for_it);
    require(are_held, Consequence::CancelOffer, "another open record wants one of the items")?;
    let are_free = of.items.iter().all(|item| item.is_free);
    require(are_free, Consequence::CancelOffer, "one of the items is protected or held")
}

fn announced(of: &Examination<'_>) -> Checked {
    let is_known = !matches!(of.purpose, Some(Purpose::Sale(SalePurpose { is_announced: Some(false), .. })));
    require(is_known, Consequence::CancelOffer, "the marketplace does not expect the offer")
}

/// A tripwire, and never a proof: the platform translates the text, and the partner's name is in it.
fn summary(of: &Examination<'_>) -> Checked {
    let Some(offer) = of.offer else { return Ok(()) };
    let says_nothing = of.confirmation.shown.summary.iter().any(|line| {
        let line = line.as_str().to_lowercase();
        line.contains("receive nothing") || line.contains("receive: nothing")
    });
    let contradicts = says_nothing && !offer.received_assets().is_empty();
    require(!contradicts, Consequence::Report, "the text says that we receive nothing, and the draft receives items")
}

fn budget(of: &Examination<'_>) -> Checked {
    let waits = |refusal: GivingRefusal| Failure { consequence: Consequence::Wait, detail: refusal.to_string() };
    of.budget.check().map_err(waits)
}

#[cfg(test)]
mod tests;
