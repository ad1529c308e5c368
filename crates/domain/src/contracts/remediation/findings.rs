//! The problems that a step of a purchase, an item or a trading account shows, and those that it resolves.

use ::time::OffsetDateTime;

use super::{Evidence, RemediationKind, Severity};
use crate::asset::AssetId;
use crate::contracts::inventory_item::{InventoryItem, ItemStatus, Traits};
use crate::contracts::purchase::{Purchase, PurchaseStatus};
use crate::money::Cents;
use crate::text::ExternalId;
use crate::time::Timestamp;
use crate::trading::giving::GivingRefusal;
use crate::trading::renewal::{Renewal, URGENT_BEFORE};
use crate::trading::trading_account::{AccountHealth, AccountStatus, TradingAccount};

/// By how many cents a fee may differ from the expected one: marketplaces round differently.
const FEE_TOLERANCE: u64 = 1;

/// The longest text of evidence.
const MOST_CHARS: usize = 128;

/// A problem that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The problem.
    pub kind: RemediationKind,
    /// What shows it.
    pub evidence: Evidence,
}

/// A problem that was found, with a severity that depends on more than its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradedFinding {
    /// The problem.
    pub finding: Finding,
    /// How bad it is now.
    pub severity: Severity,
}

impl From<Finding> for GradedFinding {
    fn from(finding: Finding) -> Self {
        Self { severity: finding.kind.severity(), finding }
    }
}

/// What the step of a purchase from a state shows to be wrong; `evidence` is what the step rests on.
pub fn of_purchase(before: &Purchase, after: &Purchase, evidence: Option<&ExternalId>) -> Vec<Finding> {
    let mut found = Vec::new();
    if before.progress.order.is_none()
        && let Some(order) = &after.progress.order
    {
        let terms = &after.terms;
        let differs = |kind, expected: Cents, found: Cents| Finding {
            kind,
            evidence: Evidence {
                shown_by: Some(order.id.clone()),
                expected: Some(in_cents(expected)),
                found: Some(in_cents(found)),
            },
        };
        if after.is_overpaid() {
            found.push(differs(RemediationKind::Overpaid, terms.max_buy_price, after.cost()));
        }
        // At another price than the listing's a fee lies between the same amount and the same part: it may have a minimum.
        let (same, part) = (terms.platform_fee, terms.fee_at(order.executed_price));
        let expected = order.fee.clamp(same.min(part), same.max(part));
        if order.fee.get().abs_diff(expected.get()) > FEE_TOLERANCE {
            found.push(differs(RemediationKind::FeeMismatch, expected, order.fee));
        }
    }
    if before.status != after.status && after.status == PurchaseStatus::Reverted {
        let evidence = Evidence { shown_by: evidence.cloned(), ..Evidence::default() };
        found.push(Finding { kind: RemediationKind::TradeReversed, evidence });
    }
    found
}

/// What the failure of a purchase shows by which its contract was stopped.
pub fn of_failures(last: &Purchase) -> Finding {
    let code = last.progress.failure_code.and_then(|code| ExternalId::new(code.as_str()).ok());
    let evidence = Evidence { shown_by: Some(last.terms.listing_id.clone()), expected: None, found: code };
    Finding { kind: RemediationKind::BreakerOpen, evidence }
}

/// What a contract shows that was stopped because it has lost so much on the day, as much as its limit or more.
pub fn of_losses(limit: Cents, lost: Cents, at: Timestamp) -> Finding {
    let day = OffsetDateTime::from(at).date();
    let evidence = Evidence {
        shown_by: ExternalId::new(&format!("losses of {day}")).ok(),
        expected: Some(in_cents(limit)),
        found: Some(in_cents(lost)),
    };
    Finding { kind: RemediationKind::BreakerOpen, evidence }
}

/// Returns the problem that is resolved when a purchase leaves a state.
pub const fn resolved_with_purchase(from: PurchaseStatus) -> Option<RemediationKind> {
    use PurchaseStatus as Is;
    match from {
        Is::Uncertain => Some(RemediationKind::OutcomeUnknown),
        Is::Failed => Some(RemediationKind::LateDelivery),
        Is::RefundPending => Some(RemediationKind::PaidNotDelivered),
        Is::Reverted => Some(RemediationKind::TradeReversed),
        Is::Pending
        | Is::Submitted
        | Is::Paid
        | Is::Offered
        | Is::TradeHeld
        | Is::Traded
        | Is::Settled
        | Is::Cancelled
        | Is::Refunded
        | Is::WrittenOff => None,
    }
}

/// Returns the problem of a purchase that has ended and whose item arrives: the money was refunded, written off or never booked.
pub fn of_arrival(purchase: &Purchase, trade_id: &ExternalId) -> Option<Finding> {
    let ended =
        matches!(purchase.status, PurchaseStatus::Failed | PurchaseStatus::Refunded | PurchaseStatus::WrittenOff);
    let evidence = Evidence { shown_by: Some(trade_id.clone()), ..Evidence::default() };
    (ended && !purchase.was_traded()).then_some(Finding { kind: RemediationKind::LateDelivery, evidence })
}

/// What the receipt of an item shows to be wrong: that the platform shows another one than the listing did.
pub fn of_receipt(purchase: &Purchase, shown: &Traits) -> Option<Finding> {
    let difference = shown.difference(&purchase.terms.traits)?;
    let evidence = Evidence {
        shown_by: purchase.progress.trade_id.clone(),
        expected: in_words(&difference.expected),
        found: in_words(&difference.found),
    };
    Some(Finding { kind: RemediationKind::TraitsDiffer, evidence })
}

/// What the step of an item from a state shows to be wrong.
pub fn of_item(from: ItemStatus, after: &InventoryItem) -> Option<Finding> {
    let went = from != ItemStatus::Missing && after.status == ItemStatus::Missing;
    let expected = ExternalId::new(after.current_asset_id().as_str()).ok();
    let evidence = Evidence { expected, ..Evidence::default() };
    went.then_some(Finding { kind: RemediationKind::MissingItem, evidence })
}

/// Returns the problem that is resolved when an item changes its state: it is found, returned by its buyer, or no longer on sale.
pub fn resolved_with_item(from: ItemStatus, to: ItemStatus) -> Option<RemediationKind> {
    let kind = match from {
        ItemStatus::Missing | ItemStatus::Sold => RemediationKind::MissingItem,
        ItemStatus::Listed => RemediationKind::ListingMismatch,
        ItemStatus::InInventory
        | ItemStatus::Listing
        | ItemStatus::Reserved
        | ItemStatus::Delivering
        | ItemStatus::Held
        | ItemStatus::Settled
        | ItemStatus::Reverted
        | ItemStatus::WrittenOff => return None,
    };
    (from != to).then_some(kind)
}

/// What the step of a trading account from a state shows to be wrong: its session is lost, or it could trade and no one has accepted the
/// platform's notice.
pub fn of_account(from: AccountStatus, after: &TradingAccount) -> Option<Finding> {
    let kind = match after.status {
        AccountStatus::NeedsLogin | AccountStatus::Banned => RemediationKind::SessionFailed,
        AccountStatus::Ready if !after.may_trade() => RemediationKind::AcknowledgeTrades,
        AccountStatus::New
        | AccountStatus::Validating
        | AccountStatus::Ready
        | AccountStatus::Degraded
        | AccountStatus::Restricted
        | AccountStatus::Disabled
        | AccountStatus::Removed => return None,
    };
    (from != after.status).then_some(Finding { kind, evidence: Evidence::default() })
}

/// What a newer report of a trading account shows to be wrong: an API key that another than we registered.
pub fn of_health(before: Option<&AccountHealth>, after: &AccountHealth) -> Option<Finding> {
    let is_new = after.has_foreign_key() && !before.is_some_and(AccountHealth::has_foreign_key);
    is_new.then(|| Finding { kind: RemediationKind::UnexpectedApiKey, evidence: Evidence::default() })
}

/// Returns the problem that is resolved when a trading account is seen again: its API key is known to be ours.
pub fn resolved_with_health(before: Option<&AccountHealth>, after: &AccountHealth) -> Option<RemediationKind> {
    let is_ours = |health: &AccountHealth| health.is_api_key_ours == Some(true);
    (is_ours(after) && !before.is_some_and(is_ours)).then_some(RemediationKind::UnexpectedApiKey)
}

/// The problem of an account whose refresh token ends soon, with the time of its end. It is critical in the last three days.
pub fn of_expiring_token(renewal: &Renewal, at: Timestamp) -> GradedFinding {
    let evidence = Evidence { shown_by: None, expected: None, found: in_words(&renewal.expires_at.to_string()) };
    let finding = Finding { kind: RemediationKind::TokenExpiring, evidence };
    if renewal.expires_at.since(at) <= URGENT_BEFORE {
        return GradedFinding { finding, severity: Severity::Critical };
    }
    finding.into()
}

/// The problem of an account that gives nothing more for now: the time of the limit, the limit, and what would have been given within it.
pub fn of_giving_limit(refusal: GivingRefusal) -> Finding {
    let evidence = match refusal {
        GivingRefusal::UnknownValue => Evidence { found: in_words("VALUE_UNKNOWN"), ..Evidence::default() },
        GivingRefusal::OverLimit { window, limit, given, value } => Evidence {
            shown_by: in_words(window.as_str()),
            expected: Some(in_cents(limit)),
            found: in_words(&given.saturating_add(value.get()).to_string()),
        },
    };
    Finding { kind: RemediationKind::GivingLimitReached, evidence }
}

/// Returns the problem that is resolved when a trading account changes its state: it is signed in again, or the platform has banned
/// it.
pub fn resolved_with_account(from: AccountStatus, to: AccountStatus) -> Option<RemediationKind> {
    let is_out = |status: AccountStatus| {
        matches!(status, AccountStatus::NeedsLogin | AccountStatus::Validating | AccountStatus::Banned)
    };
    (is_out(from) && !is_out(to)).then_some(RemediationKind::SessionFailed)
}

/// What evidence shows that is on record with another asset id.
pub fn of_evidence(source_id: &ExternalId, recorded: &AssetId, given: &AssetId) -> Finding {
    let text = |id: &AssetId| ExternalId::new(id.as_str()).ok();
    let evidence = Evidence { shown_by: Some(source_id.clone()), expected: text(recorded), found: text(given) };
    Finding { kind: RemediationKind::AssetIdMismatch, evidence }
}

/// Returns the beginning of a text, cut to the length of evidence.
fn in_words(text: &str) -> Option<ExternalId> {
    let most = text.char_indices().nth(MOST_CHARS).map_or(text.len(), |(end, _)| end);
    ExternalId::new(text.get(..most).unwrap_or(text).trim_end()).ok()
}

fn in_cents(amount: Cents) -> ExternalId {
    ExternalId::from(amount.get().unsigned_abs())
}

#[cfg(test)]
mod tests {
    use ::time::Duration;

    use super::*;
    use crate::id::{AccountId, RecordKey, RenewalId, WorkspaceId};
    use crate::trading::renewal::{Issued, RenewalKind};

    #[test]
    fn a_foreign_key_is_a_problem_until_the_key_is_known_to_be_ours() {
        let health = |is_api_key_ours| AccountHealth {
            seen_at: Timestamp::MIN,
            is_signed_in: true,
            authenticator_since: None,
            held_until: None,
            inventory_count: None,
            is_api_key_ours,
            balance: None,
        };
        let [ours, foreign, unknown] = [Some(true), Some(false), None].map(health);
        for before in [None, Some(&ours), Some(&unknown)] {
            assert_eq!(of_health(before, &foreign).map(|found| found.kind), Some(RemediationKind::UnexpectedApiKey));
        }
        assert_eq!(of_health(Some(&foreign), &foreign), None, "it is reported once");
        for before in [None, Some(&foreign), Some(&unknown)] {
            assert_eq!(of_health(before, &unknown), None);
            assert_eq!(resolved_with_health(before, &unknown), None, "nothing is known of the key");
            assert_eq!(resolved_with_health(before, &ours), Some(RemediationKind::UnexpectedApiKey));
        }
    }

    #[test]
    fn the_end_of_a_token_is_critical_in_its_last_three_days() {
        let at = |days| Timestamp::from_micros(0).unwrap().plus(Duration::days(days));
        let key = RecordKey { workspace_id: WorkspaceId::from_bytes([1; 16]), id: RenewalId::from_bytes([2; 16]) };
        let issued = Issued { at: at(0), expires_at: at(200) };
        let renewal = Renewal::scheduled(key, AccountId::from_bytes([3; 16]), RenewalKind::RefreshToken, issued, 0);
        let severity = |day| of_expiring_token(&renewal, at(day)).severity;
        assert_eq!([186, 196].map(severity), [Severity::Warning; 2]);
        assert_eq!([197, 200, 201].map(severity), [Severity::Critical; 3]);
    }
}
