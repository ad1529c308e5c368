//! The words of alerts: problems in a sentence, and amounts.

use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::money::Currency;

/// Returns what a problem is, as the title of a message.
pub(super) const fn problem(kind: RemediationKind) -> &'static str {
    match kind {
        RemediationKind::OutcomeUnknown => "It is unknown whether a purchase was made",
        RemediationKind::PaidNotDelivered => "A purchase was paid and is not delivered",
        RemediationKind::LateDelivery => "An item arrived after its purchase had ended otherwise",
        RemediationKind::Overpaid => "A marketplace charged more than a purchase may cost",
        RemediationKind::DuplicateSuspect => "A contract seems to have bought the same thing twice",
        RemediationKind::OrphanItem => "An inventory has an item that nothing explains",
        RemediationKind::MissingItem => "An item is not where it should be",
        RemediationKind::AssetIdMismatch => "The same evidence gives an item two asset ids",
        RemediationKind::ChainInvalid => "The asset-id chain of an item breaks a rule",
        RemediationKind::TradeReversed => "The trade that brought an item was reversed",
        RemediationKind::ConfirmationStuck => "The mobile confirmation of an offer does not appear",
        RemediationKind::SessionFailed => "The platform no longer accepts a trading account",
        RemediationKind::BalanceMismatch => "A marketplace reports another balance than the ledger",
        RemediationKind::FeeMismatch => "A marketplace charged another fee than expected",
        RemediationKind::PriceSourceStale => "The prices that a contract uses are out of date",
        RemediationKind::ProviderDown => "A provider does not answer, or refuses this server",
        RemediationKind::BreakerOpen => "A contract was stopped by a limit on losses or failures",
        RemediationKind::ListingMismatch => "An item is not on sale as it should be",
        RemediationKind::TraitsDiffer => "The platform shows another item than the listing did",
        RemediationKind::NotServed => "No engine serves any marketplace of an active contract",
        RemediationKind::UnexpectedConfirmation => "A confirmation waits that is not of this installation",
        RemediationKind::StrangeOffer => "A trade offer gives our items and was not sent here",
        RemediationKind::AcknowledgeTrades => "No one has accepted the platform's notice for a trading account",
        RemediationKind::TokenExpiring => "The token by which a trading account stays signed in ends soon",
        RemediationKind::GivingLimitReached => "A trading account has given as much as its limits allow",
    }
}

/// An amount of cents, such as `-1.05 USD`.
pub(super) fn amount(cents: i64, currency: Currency) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    format!("{sign}{}.{:02} {currency}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_two_digits_after_the_point() {
        let shown = [0, 5, -105, 120_050].map(|cents| amount(cents, Currency::USD));
        assert_eq!(shown, ["0.00 USD", "0.05 USD", "-1.05 USD", "1200.50 USD"]);
    }
}
