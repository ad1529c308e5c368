//! Reconciles the balances of marketplaces with the ledger, while no purchase there is uncertain. Reports what lasts.
//!
//! Money that comes in (refunds, proceeds) is on the balance a little before it is booked. So a reading counts only once everything that was
//! open has been scanned after it and nothing came in since. Where money comes in without a pause, nothing is reported.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::contracts::ledger::flow::Flow;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::ProviderId;
use tradepost_domain::markets::exchange::Conversion;
use tradepost_domain::markets::provider::Baseline;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::OpenPurchases;
use tradepost_operations::markets::{KeepBaseline, SumFlow};
use tradepost_ports::marketplace::MoneyUnit;

use crate::audit::Audit;
use crate::context::Context;
use crate::context::scan_cursors::{SALE_STATUSES, ScanCursors, ScanKind};
use crate::desk::Venue;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::mark::is_due;
use crate::pass::Pass;

/// Statuses in which a purchase may still bring money back.
const MONEY_MAY_MOVE: [PurchaseStatus; 6] = [
    PurchaseStatus::Paid,
    PurchaseStatus::Offered,
    PurchaseStatus::TradeHeld,
    PurchaseStatus::Traded,
    PurchaseStatus::RefundPending,
    PurchaseStatus::Reverted,
];

/// What is known of the balances of marketplaces.
#[derive(Debug, Default)]
pub(crate) struct BalanceAudit {
    looked_at: BTreeMap<Marketplace, Mark>,
    /// Looks of which it is not known yet whether they count.
    looks: BTreeMap<Marketplace, BalanceReading>,
    summed: BTreeMap<Marketplace, BookedFlow>,
}

/// A balance, and the ledger at the time of the reading.
#[derive(Debug, Clone)]
struct BalanceReading {
    at: Timestamp,
    balance: Cents,
    /// Baseline from which the expected balance is calculated.
    baseline: Option<Baseline>,
    /// What was booked since then; without a baseline, what may have been booked late.
    booked: Flow,
    /// What of it would count once more if this became the baseline.
    late: Flow,
    /// How many rounds have to be over.
    rounds: BTreeMap<ScanKind, u64>,
}

/// What the entries from a baseline to a time come to, so that they are added up once.
#[derive(Debug, Clone, Copy)]
struct BookedFlow {
    since: Timestamp,
    to: Timestamp,
    flow: Flow,
}

impl BookedFlow {
    /// Returns from when on entries have still to be added up, and what those before come to.
    fn rest_since(known: Option<&Self>, since: Timestamp, late: Timestamp) -> (Timestamp, Flow) {
        let known = known.filter(|known| known.since == since && known.to <= late);
        known.map_or((since, Flow::default()), |known| (known.to, known.flow))
    }
}

/// Next step of a reading.
#[derive(Debug, PartialEq, Eq)]
enum ReadingStep {
    /// Another node has moved the baseline.
    Discard,
    Evaluate,
    /// Something that was open has not been scanned yet.
    Keep,
}

/// What a reading shows, if all that had come in by then was booked by then.
#[derive(Debug, PartialEq, Eq)]
enum BalanceVerdict {
    /// Nothing: money came in, or an operator has dismissed the difference since.
    Inconclusive,
    /// The balance becomes the baseline: there was none, or an operator has dismissed the difference.
    Rebase,
    /// It is the expected one.
    Agrees {
        /// Whether the baseline is so old that the balance becomes the next one.
        renews_baseline: bool,
    },
    Differs {
        expected: i64,
    },
}

impl BalanceReading {
    fn step(&self, baseline: Option<Baseline>, scans: &ScanCursors, marketplace: &Marketplace) -> ReadingStep {
        if self.baseline != baseline {
            ReadingStep::Discard
        } else if self.is_fully_scanned(scans, marketplace) {
            ReadingStep::Evaluate
        } else {
            ReadingStep::Keep
        }
    }

    /// Judges the balance by what is booked now. What was dismissed before the baseline is another difference.
    fn verdict(
        &self,
        unit: MoneyUnit,
        now_booked: Flow,
        dismissed_at: Option<Timestamp>,
        max_age: Duration,
    ) -> BalanceVerdict {
        if now_booked.received != self.booked.received {
            return BalanceVerdict::Inconclusive;
        }
        let Some(baseline) = self.baseline else { return BalanceVerdict::Rebase };
        let expected = baseline.expects(self.booked.net());
        if agrees(unit, expected, self.balance, self.booked) {
            return BalanceVerdict::Agrees { renews_baseline: self.at.since(baseline.seen_at()) >= max_age };
        }
        match dismissed_at.filter(|dismissed_at| *dismissed_at > baseline.seen_at()) {
            Some(dismissed_at) if dismissed_at <= self.at => BalanceVerdict::Rebase,
            Some(_) => BalanceVerdict::Inconclusive,
            None => BalanceVerdict::Differs { expected },
        }
    }

    fn is_fully_scanned(&self, rounds: &ScanCursors, marketplace: &Marketplace) -> bool {
        self.rounds.iter().all(|(followed, ended)| rounds.scans_completed(*followed, marketplace) >= *ended)
    }

    fn as_baseline(&self) -> EngineResult<Baseline> {
        Ok(Baseline::new(self.at, self.balance, self.late.net())?)
    }
}

/// Most amounts of a booked movement that are rounded by themselves: a price and a fee.
const ROUNDED_AMOUNTS: i64 = 2;

/// Returns whether a balance is the expected one, after these booked movements.
///
/// In thousandths, the ledger rounds charges up and payouts down to cents. Each rounded amount leaves less than a cent at the marketplace
/// that the ledger does not have. A refund of everything is booked as the rounded amounts that were paid, so it can take that away again,
/// also for a payment before the baseline. Both balances are rounded down, which adds less than a cent: whole cents stay within the bound.
const fn agrees(unit: MoneyUnit, expected: i64, balance: Cents, booked: Flow) -> bool {
    let surplus = balance.get().saturating_sub(expected);
    match unit {
        MoneyUnit::Cents => surplus == 0,
        MoneyUnit::Mills => {
            surplus <= booked.movements.saturating_mul(ROUNDED_AMOUNTS)
                && surplus >= -booked.refunds.saturating_mul(ROUNDED_AMOUNTS)
        }
    }
}

impl Audit {
    /// Compares the balances of the recorded marketplaces with the ledger, where this node works.
    pub(crate) async fn reconcile_balances(&mut self, context: &mut Context, pass: &mut Pass) {
        for venue in context.desk().venues.clone() {
            // The ledger uses the rate of each deal in another currency; the balance there changes its value every minute.
            let is_compared = venue.currency.is_none() && context.holds_marketplace(&venue.name);
            let record = context.marketplace_provider(&venue.name).filter(|_| is_compared);
            let Some((id, baseline)) = record.filter(|_| pass.is_fully_booked(&venue.name)) else {
                self.balances.looks.remove(&venue.name);
                continue;
            };
            let compared = self.reconcile_balance(context, &venue, id, baseline).await;
            pass.record_at([&venue.name], compared);
        }
    }

    async fn reconcile_balance(
        &mut self,
        context: &mut Context,
        venue: &Venue,
        id: ProviderId,
        baseline: Option<Baseline>,
    ) -> EngineResult {
        let name = &venue.name;
        let Some(look) = self.balances.looks.remove(name) else {
            let looked_at = self.balances.looked_at.get(name);
            if is_due(looked_at, context.mark(), context.timings().balance_audit_interval)
                && let Some(look) = self.read_balance(context, venue, baseline).await?
            {
                self.balances.looks.insert(name.clone(), look);
            }
            return Ok(());
        };
        match look.step(baseline, context.scans(), name) {
            ReadingStep::Discard => {}
            ReadingStep::Evaluate => return self.evaluate_reading(context, venue, id, look).await,
            ReadingStep::Keep => drop(self.balances.looks.insert(name.clone(), look)),
        }
        Ok(())
    }

    /// Reads the balance, unless a purchase there is uncertain. The balance is read first, so that it includes everything booked by then.
    async fn read_balance(
        &mut self,
        context: &Context,
        venue: &Venue,
        baseline: Option<Baseline>,
    ) -> EngineResult<Option<BalanceReading>> {
        let (at, mark, name) = (context.now(), context.mark(), &venue.name);
        // Only venues in the currency of the workspace are compared.
        let balance = Conversion::SameCurrency.proceeds(venue.marketplace.balance().await?)?;
        if has_unconfirmed_purchases(context, name).await? {
            return Ok(None);
        }
        let (booked, late) = self.booked_flow(context, name, baseline, at).await?;
        let bought = MONEY_MAY_MOVE.map(ScanKind::Purchases).into_iter();
        let followed = bought.chain(SALE_STATUSES.map(ScanKind::Items));
        let rounds = followed
            .map(|followed| (followed, context.scans().scans_after(followed, name, context.timings().balance_scans)))
            .collect();
        self.balances.looked_at.insert(name.clone(), mark);
        Ok(Some(BalanceReading { at, balance, baseline, booked, late, rounds }))
    }
}

/// Returns whether a purchase there is about to be charged, or may have been.
async fn has_unconfirmed_purchases(context: &Context, marketplace: &Marketplace) -> EngineResult<bool> {
    for status in [PurchaseStatus::Submitted, PurchaseStatus::Uncertain] {
        let (workspace_id, marketplace) = (context.desk().workspace_id, marketplace.clone());
        let ask = OpenPurchases { workspace_id, marketplace, status, after: None, most: 1 };
        if !context.operations().open_purchases(context.caller(), ask).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Audit {
    /// What was booked since a baseline, and what of it would count if the balance of this time became one.
    async fn booked_flow(
        &mut self,
        context: &Context,
        marketplace: &Marketplace,
        baseline: Option<Baseline>,
        at: Timestamp,
    ) -> EngineResult<(Flow, Flow)> {
        let late = Baseline::counts_from(at);
        let since = baseline.map_or(late, |baseline| baseline.since);
        let (from, known) = BookedFlow::rest_since(self.balances.summed.get(marketplace), since, late);
        let (workspace_id, marketplace) = (context.desk().workspace_id, marketplace.clone());
        let ask = SumFlow { workspace_id, marketplace: marketplace.clone(), since: from, late };
        let (rest, late_flow) = context.operations().sum_flow(context.caller(), ask).await?;
        let booked = known.plus(rest);
        if from <= late {
            let flow = booked.less(late_flow);
            self.balances.summed.insert(marketplace, BookedFlow { since, to: late, flow });
        }
        Ok((booked, late_flow))
    }

    async fn evaluate_reading(
        &mut self,
        context: &mut Context,
        venue: &Venue,
        id: ProviderId,
        look: BalanceReading,
    ) -> EngineResult {
        let (now_booked, _) = self.booked_flow(context, &venue.name, look.baseline, look.at).await?;
        let problem = (RemediationKind::BalanceMismatch, Subject::Provider(id));
        let (grace, max_age) = (context.timings().balance_mismatch_grace, context.timings().balance_baseline_max_age);
        let (unit, dismissed_at) = (venue.marketplace.traits().unit, context.dismissed_at(problem));
        match look.verdict(unit, now_booked, dismissed_at, max_age) {
            BalanceVerdict::Inconclusive => Ok(()),
            BalanceVerdict::Rebase => store_baseline(context, id, look.as_baseline()?).await,
            BalanceVerdict::Agrees { renews_baseline } => {
                context.report_problem(problem, grace, None).await?;
                if renews_baseline { store_baseline(context, id, look.as_baseline()?).await } else { Ok(()) }
            }
            BalanceVerdict::Differs { expected } => {
                context.forget_dismissed(problem);
                let cents = |cents: i64| ExternalId::new(&cents.to_string()).ok();
                let (expected, found) = (cents(expected), cents(look.balance.get()));
                context.report_problem(problem, grace, Some(Evidence { shown_by: None, expected, found })).await
            }
        }
    }
}

async fn store_baseline(context: &mut Context, provider_id: ProviderId, baseline: Baseline) -> EngineResult {
    let command = KeepBaseline { workspace_id: context.desk().workspace_id, provider_id, baseline };
    if context.operations().keep_baseline(context.caller(), command).await? {
        context.set_baseline(provider_id, baseline);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_testkit::samples::{minute, text};

    const DAY: Duration = Duration::DAY;

    /// A balance of 10.00 at minute 100 after a baseline of as much at minute 0, with nothing booked since.
    fn reading() -> BalanceReading {
        let balance = Cents::new(1_000).unwrap();
        let baseline = Baseline::new(minute(0), balance, 0).ok();
        let (booked, late) = (Flow::default(), Flow::default());
        BalanceReading { at: minute(100), balance, baseline, booked, late, rounds: BTreeMap::new() }
    }

    fn verdict(reading: &BalanceReading, dismissed_at: Option<Timestamp>) -> BalanceVerdict {
        reading.verdict(MoneyUnit::Cents, reading.booked, dismissed_at, DAY)
    }

    fn short_of(cents: i64) -> BalanceReading {
        BalanceReading { balance: Cents::new(1_000 - cents).unwrap(), ..reading() }
    }

    #[test]
    fn a_reading_shows_nothing_once_money_came_in() {
        let verdict = reading().verdict(MoneyUnit::Cents, Flow::received(500), None, DAY);
        assert_eq!(verdict, BalanceVerdict::Inconclusive);
    }

    #[test]
    fn the_first_reading_becomes_the_baseline() {
        assert_eq!(verdict(&BalanceReading { baseline: None, ..reading() }, None), BalanceVerdict::Rebase);
    }

    #[test]
    fn an_expected_balance_renews_an_old_baseline() {
        let agrees = |renews_baseline| BalanceVerdict::Agrees { renews_baseline };
        assert_eq!(verdict(&reading(), None), agrees(false));
        assert_eq!(verdict(&BalanceReading { at: minute(24 * 60), ..reading() }, None), agrees(true));
    }

    #[test]
    fn a_difference_is_reported_with_the_expected_balance() {
        assert_eq!(verdict(&short_of(1), None), BalanceVerdict::Differs { expected: 1_000 });
    }

    #[test]
    fn a_dismissed_difference_is_the_baseline_of_the_first_reading_after_it() {
        assert_eq!(verdict(&short_of(1), Some(minute(100))), BalanceVerdict::Rebase);
        assert_eq!(verdict(&short_of(1), Some(minute(101))), BalanceVerdict::Inconclusive);
    }

    #[test]
    fn a_dismissal_before_the_baseline_is_of_another_difference() {
        assert_eq!(verdict(&short_of(1), Some(minute(0))), BalanceVerdict::Differs { expected: 1_000 });
    }

    #[test]
    fn a_reading_is_evaluated_once_everything_open_was_scanned() {
        let (scans, market, kind) = (ScanCursors::default(), text("market"), ScanKind::Purchases(PurchaseStatus::Paid));
        let step = |reading: BalanceReading| reading.step(reading.baseline, &scans, &market);
        assert_eq!(step(BalanceReading { rounds: BTreeMap::from([(kind, 0)]), ..reading() }), ReadingStep::Evaluate);
        assert_eq!(step(BalanceReading { rounds: BTreeMap::from([(kind, 1)]), ..reading() }), ReadingStep::Keep);
    }

    #[test]
    fn a_reading_is_discarded_when_another_node_has_moved_the_baseline() {
        assert_eq!(reading().step(None, &ScanCursors::default(), &text("market")), ReadingStep::Discard);
    }

    #[test]
    fn entries_are_added_up_once_for_a_baseline() {
        let known = BookedFlow { since: minute(0), to: minute(50), flow: Flow::spent(620) };
        let rest = |since, late| BookedFlow::rest_since(Some(&known), since, late);
        assert_eq!(rest(minute(0), minute(60)), (minute(50), Flow::spent(620)));
        assert_eq!(rest(minute(1), minute(60)), (minute(1), Flow::default()), "the baseline was moved");
        assert_eq!(rest(minute(0), minute(49)), (minute(0), Flow::default()), "the clock was set back");
        assert_eq!(BookedFlow::rest_since(None, minute(0), minute(60)), (minute(0), Flow::default()));
    }

    fn surplus_agrees(unit: MoneyUnit, surplus: i64, booked: Flow) -> bool {
        agrees(unit, 1_000, Cents::new(1_000 + surplus).unwrap(), booked)
    }

    #[test]
    fn a_balance_in_cents_agrees_without_any_difference() {
        let booked = Flow::spent(620).plus(Flow::received(500));
        assert_eq!([-1, 0, 1].map(|surplus| surplus_agrees(MoneyUnit::Cents, surplus, booked)), [false, true, false]);
    }

    #[test]
    fn a_surplus_in_thousandths_agrees_up_to_two_cents_a_movement() {
        let booked = Flow::spent(620).plus(Flow::received(500));
        let agree = |surplus| surplus_agrees(MoneyUnit::Mills, surplus, booked);
        assert_eq!([-1, 0, 4, 5].map(agree), [false, true, true, false]);
        assert_eq!([0, 1].map(|surplus| surplus_agrees(MoneyUnit::Mills, surplus, Flow::default())), [true, false]);
    }

    #[test]
    fn a_loss_in_thousandths_agrees_up_to_two_cents_a_refund() {
        let booked = Flow { refunds: 1, ..Flow::received(620) };
        let agree = |surplus| surplus_agrees(MoneyUnit::Mills, surplus, booked);
        assert_eq!([-3, -2, 2, 3].map(agree), [false, true, true, false]);
    }
}
