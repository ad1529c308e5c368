//! Every interval and bound of the engine, with its default and the relations that trading depends on.
//!
//! The engine looks in an external system for a recorded write without an answer. It treats the write as never made once the system
//! has not shown it for a time; a purchase needs more evidence (`check_absence` of the domain). That proof holds for every process, also for one that takes over a lease in the middle of a call,
//! because every write is sent soon or never and every call ends. The relations of [`SafeTimings`] guarantee both.

use std::ops::Deref;

use time::Duration;
use tradepost_domain::contracts::purchase::LOOKUP_SPACING;
use tradepost_domain::markets::exchange::RATE_LIFETIME;
use tradepost_domain::markets::observation::ON_SALE_FOR;
use tradepost_domain::trading::{chat, friend};

/// Maximum number of records that the operations return at once.
pub(crate) const PAGE: i32 = 200;

/// Declares the struct with its documentation, its defaults and the names of its fields in one place.
macro_rules! timings {
    (
        spans { $($(#[$span_doc:meta])* $span:ident = $span_default:expr;)* }
        bounds { $($(#[$bound_doc:meta])* $bound:ident: $bound_type:ty = $bound_default:expr;)* }
    ) => {
        /// Every interval and bound of an engine. [`EngineTimings::checked`] makes them usable.
        ///
        /// Fees, quotes and other reads are due by the monotonic clock of the market; leases and calls by that of the process.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct EngineTimings {
            $($(#[$span_doc])* pub $span: Duration,)*
            $($(#[$bound_doc])* pub $bound: $bound_type,)*
        }

        impl EngineTimings {
            const DEFAULT: Self = Self { $($span: $span_default,)* $($bound: $bound_default,)* };

            /// Returns the name of a span or bound that is zero or negative.
            const fn not_positive(&self) -> Option<&'static str> {
                $(if !self.$span.is_positive() { return Some(stringify!($span)); })*
                $(if self.$bound == 0 { return Some(stringify!($bound)); })*
                None
            }
        }
    };
}

timings! {
    spans {
        /// Time within which a recorded write is sent, or never. Default 10 s.
        sent_within = Duration::seconds(10);
        /// Time after which a call without an answer has an unknown outcome. Default 30 s.
        call_within = Duration::seconds(30);
        /// Time after which a reading of several pages has an unknown outcome. Default 5 min.
        ///
        /// A system that answers slowly, and always names another page, would hold up a pass.
        pages_within = Duration::minutes(5);
        /// Time after which a step that calls the platform for one account after another continues in the next pass. Default 5 s.
        accounts_within = Duration::seconds(5);
        /// Shortest backoff from a system, also if it names no time. Default 1 s.
        backoff_min = Duration::seconds(1);
        /// Longest backoff from a system, because a named time can be wrong. Default 1 h.
        backoff_max = Duration::hours(1);
        /// Longest backoff of look-ups of uncertain orders, for which money is reserved. Default 10 s.
        lookup_backoff_max = Duration::seconds(10);
        /// Difference between the clocks up to which the market's clock counts as not set. Default 1 s.
        ///
        /// The clock that shows the time and the monotonic one are read at different moments.
        clock_tolerance = Duration::seconds(1);

        /// How often a node renews its leases and reads those of other nodes. Default 3 s.
        lease_renew_interval = Duration::seconds(3);
        /// Time without renewal after which another node may take a lease. Default 20 s.
        lease_ttl = Duration::seconds(20);
        /// How often trading accounts, halts and open problems are refreshed. Default 1 min.
        maintenance_interval = Duration::minutes(1);
        /// How often the records of providers are read. Default 10 s.
        ///
        /// A provider that an operator disables is rejected at once when a step is committed.
        provider_refresh_interval = Duration::seconds(10);
        /// Time without an answer after which a provider is reported as down. Default 5 min.
        provider_outage_after = Duration::minutes(5);
        /// How often an unchanged trading account is reported, to show that it is checked. Default 1 h.
        account_report_interval = Duration::hours(1);

        /// How often the fees of a marketplace are read. Default 60 s.
        ///
        /// Fees change with notice, and the ledger contains what the marketplace has charged.
        fees_interval = Duration::seconds(60);
        /// How often the balance of a marketplace is read. Default 10 s.
        ///
        /// Between two reads the engine deducts what it spends. A marketplace rejects an order that its balance does not cover.
        balance_interval = Duration::seconds(10);
        /// How often price sources are read. Default 30 s.
        quotes_interval = Duration::seconds(30);
        /// How often contracts are checked for stale prices. Default 1 min.
        staleness_interval = Duration::minutes(1);
        /// How often exchange rates are read. Default 60 s.
        rates_interval = Duration::seconds(60);
        /// Time after which an unchanged listing of another seller is recorded again. Default 5 min.
        listing_record_interval = Duration::minutes(5);

        /// How often orders that were proven absent are looked up. Default 10 min.
        not_placed_interval = Duration::minutes(10);
        /// Time after its proof during which an absent order is looked up. Default 6 h.
        not_placed_watch = Duration::hours(6);

        /// Time by which a marketplace may miss a deadline of delivery or refund. Default 1 h.
        delivery_overdue_after = Duration::hours(1);
        /// Time after the end of trade protection at which an unconfirmed purchase is reported. Default 1 h.
        protection_overdue_after = Duration::hours(1);
        /// Time after which an account that is signed out counts as unreadable. Default 1 h.
        account_unreadable_after = Duration::hours(1);
        /// Time for which the answer "no refund" of a marketplace holds. Default 20 min.
        refund_answer_valid_for = Duration::minutes(20);
        /// How far back the trades of an account are read: longer than any protection lasts. Default 9 days.
        trade_lookback = Duration::days(9);
        /// How far the platform may date a trade back. Default 30 min.
        trade_backdating = Duration::minutes(30);
        /// How often items that arrive after a refund or write-off are searched for. Default 10 min.
        late_delivery_interval = Duration::minutes(10);
        /// Time after the refund or write-off during which an item is searched for. Default 2 days.
        late_delivery_watch = Duration::days(2);
        /// Time after which an item without a record is reported. Default 5 min.
        ///
        /// Before that, another step may be about to record it.
        late_delivery_report_after = Duration::minutes(5);
        /// Time after which an offer that the platform does not show was never sent. Default 60 s.
        offer_timeout = Duration::seconds(60);

        /// How far back sales are read: longer than from a payment to its proceeds. Default 16 days.
        sale_lookback = Duration::days(16);
        /// How far a marketplace may date a change back. Default 30 min.
        marketplace_backdating = Duration::minutes(30);
        /// Time after which a listing that the marketplace does not show was never made. Default 60 s.
        listing_timeout = Duration::seconds(60);
        /// Time after which a listing that differs from its record is reported. Default 5 min.
        ///
        /// Before that, a call without an answer may explain the difference.
        listing_mismatch_grace = Duration::minutes(5);
        /// Time after the buyer's refund by which an item must have returned. Default 1 h.
        return_timeout = Duration::hours(1);
        /// Time after which a missing mobile confirmation is lost, and its offer is sent again. Default 10 min.
        confirmation_timeout = Duration::minutes(10);
        /// Shortest time between two decisions on the sale of an item. Default 10 min.
        ///
        /// A contract can name a longer one.
        sale_decision_interval = Duration::minutes(10);
        /// How often the marketplaces' listings of ours are compared with the items. Default 1 min.
        orphan_check_interval = Duration::minutes(1);
        /// Time after which a listing without an item is reported and delisted. Default 5 min.
        orphan_report_after = Duration::minutes(5);
        /// Time after which a sale without an item is reported. Default 5 min.
        unexpected_sale_report_after = Duration::minutes(5);
        /// Time for which an evaluation of an item holds without any change. Default 10 min.
        ///
        /// Locks, windows of time and the age of prices change by themselves.
        judgement_max_age = Duration::minutes(10);
        /// Difference in age up to which a source repeats its price without news. Default 5 min.
        quote_restated_within = Duration::minutes(5);

        /// How often the balance of a marketplace is compared with the ledger. Default 1 min.
        balance_audit_interval = Duration::minutes(1);
        /// Time for which a difference of balances must last to be reported. Default 30 min.
        ///
        /// A marketplace can be slow to show what it has booked.
        balance_mismatch_grace = Duration::minutes(30);
        /// Age after which a balance that agrees becomes the new baseline. Default 1 h.
        ///
        /// A younger baseline keeps the number of ledger entries to sum low.
        balance_baseline_max_age = Duration::hours(1);
        /// How often the inventory of the next account is read. Default 5 min.
        inventory_audit_interval = Duration::minutes(5);
        /// How often the next asset-id chains are verified. Default 5 min.
        chain_audit_interval = Duration::minutes(5);

        /// How often what people ask of friends and chats is looked for. Default 2 s.
        social_interval = Duration::seconds(2);
        /// Time after which a list of friends that was not answered is read again. Default 1 min.
        social_retry_interval = Duration::minutes(1);
        /// How often the conversations of an account with chat are read. Default 1 min.
        chat_interval = Duration::minutes(1);
    }
    bounds {
        /// Maximum number of concurrent steps; most of a step is a call. Default 8.
        concurrency: usize = 8;
        /// Maximum number of records of a status that a pass processes at a marketplace. Default and maximum 200.
        ///
        /// At 100 ms a call, they take a few seconds.
        records_per_pass: u32 = 200;
        /// Maximum number of decisions that a pass reports. Default 100.
        decisions_per_pass: usize = 100;
        /// Number of recent calls from which a provider's error rate is calculated. Default 100.
        provider_history: usize = 100;
        /// Maximum number of listing pages that are read of a marketplace in a pass. Default 50.
        ///
        /// A pass reads the first page, and continues after the last page of the pass before.
        pages_per_scan: usize = 50;
        /// Maximum number of times that a contract evaluates a listing in a pass. Default 2.
        ///
        /// Another node may buy for the same contract between the two.
        evaluations_per_listing: usize = 2;
        /// Number of pages of failed purchases that a new engine reads. Default 5.
        ///
        /// Later reads take one page, and find what other nodes have proven.
        not_placed_initial_pages: usize = 5;
        /// Number of recorded offers after which the older half is forgotten. Default 5,000.
        remembered_offers: usize = 5_000;
        /// Maximum number of listings of a marketplace compared with the items at once. Default 200.
        orphan_listings_per_check: usize = 200;
        /// Maximum number of sales without an item that a pass checks. Default 200.
        unexpected_sales_per_pass: usize = 200;
        /// Number of rejected announcements in a row after which a sale is reported. Default 3.
        announcement_rejections: u32 = 3;
        /// Number of complete scans of the open records before a balance is compared. Default 2.
        ///
        /// The second scan follows what the steps of the first have started.
        balance_scans: u64 = 2;
        /// Maximum number of asset-id chains verified at once. Default 50.
        chains_per_check: u32 = 50;
    }
}

/// Timings that break no relation, as an engine requires them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SafeTimings(EngineTimings);

/// A relation between timings that does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnsafeTimings {
    /// A span or a bound is zero or negative.
    #[error("{name} must be positive")]
    NotPositive {
        /// The name of the field.
        name: &'static str,
    },
    /// A pass would process more records of a status than the operations return at once.
    #[error("records_per_pass must be at most {PAGE}")]
    TooManyRecords,
    /// A span is not shorter than another one.
    #[error("{short} ({} s) must be less than {long} ({} s): {because}", took.as_seconds_f64(), least.as_seconds_f64())]
    TooLong {
        /// The span, or the sum of spans, that is too long.
        short: &'static str,
        /// Its length.
        took: Duration,
        /// The span or the constant that must be longer.
        long: &'static str,
        /// Its length.
        least: Duration,
        /// The consequence of breaking the relation.
        because: &'static str,
    },
}

/// A span with its name in errors.
type Named = (&'static str, Duration);

/// One span that must be shorter than another, and why.
struct Relation(Named, Named, &'static str);

const _: () = assert!(EngineTimings::DEFAULT.broken_relation().is_none(), "the default timings break a relation");

impl EngineTimings {
    /// Checks the relations that trading depends on.
    ///
    /// # Errors
    /// [`UnsafeTimings`] names the first relation that does not hold. A call of 50 s, for example, could end after its absence is proven.
    ///
    /// ```
    /// use time::Duration;
    /// use tradepost_engine::EngineTimings;
    ///
    /// let bounded = |seconds| EngineTimings { call_within: Duration::seconds(seconds), ..EngineTimings::default() };
    /// assert!(bounded(49).checked().is_ok());
    /// assert!(bounded(50).checked().is_err());
    /// ```
    pub const fn checked(self) -> Result<SafeTimings, UnsafeTimings> {
        match self.broken_relation() {
            None => Ok(SafeTimings(self)),
            Some(broken) => Err(broken),
        }
    }

    const fn broken_relation(&self) -> Option<UnsafeTimings> {
        if let Some(name) = self.not_positive() {
            return Some(UnsafeTimings::NotPositive { name });
        }
        if self.records_per_pass > PAGE.unsigned_abs() {
            return Some(UnsafeTimings::TooManyRecords);
        }
        match first_broken(&self.relations_of_calls()) {
            None => first_broken(&self.relations_of_reads()),
            broken => broken,
        }
    }

    /// Relations of the time that a call takes, or waits.
    const fn relations_of_calls(&self) -> [Relation; 14] {
        const LATE_WRITE: &str = "a write could take effect after its absence is proven";
        const IN_FLIGHT: &str = "a call that is in flight would be reported as a problem";
        let write_ends = ("sent_within + call_within", self.sent_within.saturating_add(self.call_within));
        let call = ("call_within", self.call_within);
        [
            Relation(write_ends, ("the spacing of look-ups", LOOKUP_SPACING), LATE_WRITE),
            Relation(write_ends, ("listing_timeout", self.listing_timeout), LATE_WRITE),
            Relation(write_ends, ("offer_timeout", self.offer_timeout), LATE_WRITE),
            Relation(
                write_ends,
                ("the time after which an action on a friend settles", friend::SETTLES_WITHIN),
                LATE_WRITE,
            ),
            Relation(write_ends, ("the time after which a chat message settles", chat::SETTLES_WITHIN), LATE_WRITE),
            Relation(call, ("pages_within", self.pages_within), "no reading of several pages would complete"),
            Relation(call, ("listing_mismatch_grace", self.listing_mismatch_grace), IN_FLIGHT),
            Relation(call, ("orphan_report_after", self.orphan_report_after), IN_FLIGHT),
            Relation(call, ("unexpected_sale_report_after", self.unexpected_sale_report_after), IN_FLIGHT),
            Relation(call, ("late_delivery_report_after", self.late_delivery_report_after), IN_FLIGHT),
            Relation(call, ("provider_outage_after", self.provider_outage_after), IN_FLIGHT),
            Relation(
                ("backoff_min", self.backoff_min),
                ("lookup_backoff_max", self.lookup_backoff_max),
                "the longest backoff would be shorter than the shortest one",
            ),
            Relation(
                ("lookup_backoff_max", self.lookup_backoff_max),
                ("backoff_max", self.backoff_max),
                "look-ups of uncertain orders would wait longer than other calls",
            ),
            Relation(
                ("lookup_backoff_max", self.lookup_backoff_max),
                ("the spacing of look-ups", LOOKUP_SPACING),
                "a proof of absence would be delayed by the backoff",
            ),
        ]
    }

    /// Relations between the interval of a read and the time for which its result is used.
    const fn relations_of_reads(&self) -> [Relation; 10] {
        let renewals = ("2 * lease_renew_interval", self.lease_renew_interval.saturating_mul(2));
        [
            Relation(renewals, ("lease_ttl", self.lease_ttl), "a node that misses one renewal would lose its leases"),
            Relation(
                ("accounts_within", self.accounts_within),
                ("lease_ttl", self.lease_ttl),
                "a node would lose its leases during a step",
            ),
            Relation(
                ("rates_interval", self.rates_interval),
                ("the lifetime of a rate", RATE_LIFETIME),
                "trading in other currencies would stop between two reads",
            ),
            Relation(
                ("listing_record_interval", self.listing_record_interval),
                ("the time that a listing counts as on sale", ON_SALE_FOR),
                "an unchanged listing would no longer count as on sale",
            ),
            Relation(
                ("not_placed_interval", self.not_placed_interval),
                ("not_placed_watch", self.not_placed_watch),
                "an absent order would not be looked up again",
            ),
            Relation(
                ("late_delivery_interval", self.late_delivery_interval),
                ("late_delivery_watch", self.late_delivery_watch),
                "an item would not be searched for after its refund",
            ),
            Relation(
                ("trade_backdating", self.trade_backdating),
                ("trade_lookback", self.trade_lookback),
                "a backdated trade would be missed",
            ),
            Relation(
                ("marketplace_backdating", self.marketplace_backdating),
                ("sale_lookback", self.sale_lookback),
                "a backdated sale would be missed",
            ),
            Relation(
                ("refund_answer_valid_for", self.refund_answer_valid_for),
                ("balance_mismatch_grace", self.balance_mismatch_grace),
                "a refund would be reported as a difference of balances before it is read",
            ),
            Relation(
                ("balance_audit_interval", self.balance_audit_interval),
                ("balance_mismatch_grace", self.balance_mismatch_grace),
                "a difference of balances would be reported after one look",
            ),
        ]
    }
}

const fn first_broken(mut relations: &[Relation]) -> Option<UnsafeTimings> {
    while let [Relation((short, took), (long, least), because), rest @ ..] = relations {
        if took.whole_nanoseconds() >= least.whole_nanoseconds() {
            return Some(UnsafeTimings::TooLong { short, took: *took, long, least: *least, because });
        }
        relations = rest;
    }
    None
}

impl Default for EngineTimings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl SafeTimings {
    /// Returns the same timings for an engine that takes one step after the other. No step is cut: how far it came would depend on the machine.
    pub(crate) const fn sequential(self) -> Self {
        Self(EngineTimings { concurrency: 1, accounts_within: Duration::DAY, ..self.0 })
    }
}

impl Default for SafeTimings {
    fn default() -> Self {
        Self(EngineTimings::DEFAULT)
    }
}

impl Deref for SafeTimings {
    type Target = EngineTimings;

    fn deref(&self) -> &EngineTimings {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the error of the default timings with one change.
    fn broken(change: impl Fn(&mut EngineTimings)) -> Option<String> {
        let mut timings = EngineTimings::default();
        change(&mut timings);
        timings.checked().err().map(|error| error.to_string())
    }

    #[test]
    fn the_default_timings_break_no_relation() {
        assert_eq!(EngineTimings::default().checked(), Ok(SafeTimings::default()));
    }

    #[test]
    fn a_write_that_could_end_after_its_proof_of_absence_is_rejected() {
        let too_long = broken(|timings| timings.call_within = Duration::seconds(50));
        let expected = "sent_within + call_within (60 s) must be less than the spacing of look-ups (60 s): \
                        a write could take effect after its absence is proven";
        assert_eq!(too_long.as_deref(), Some(expected));
        assert!(broken(|timings| timings.listing_timeout = Duration::seconds(40)).is_some());
        assert!(broken(|timings| timings.offer_timeout = Duration::seconds(40)).is_some());
        assert!(broken(|timings| timings.call_within = Duration::seconds(49)).is_none());
    }

    #[test]
    fn a_span_or_bound_of_zero_is_rejected_by_name() {
        let zero = broken(|timings| timings.quotes_interval = Duration::ZERO);
        assert_eq!(zero.as_deref(), Some("quotes_interval must be positive"));
        let none = broken(|timings| timings.concurrency = 0);
        assert_eq!(none.as_deref(), Some("concurrency must be positive"));
    }

    #[test]
    fn a_pass_processes_at_most_as_many_records_as_the_operations_return_at_once() {
        let too_many = broken(|timings| timings.records_per_pass = 201);
        assert_eq!(too_many.as_deref(), Some("records_per_pass must be at most 200"));
    }

    #[test]
    fn each_relation_of_two_spans_rejects_equal_ones() {
        let ways: [fn(&mut EngineTimings); 10] = [
            |timings| timings.listing_mismatch_grace = timings.call_within,
            |timings| timings.provider_outage_after = timings.call_within,
            |timings| timings.lookup_backoff_max = timings.backoff_min,
            |timings| timings.lease_ttl = timings.lease_renew_interval.saturating_mul(2),
            |timings| timings.accounts_within = timings.lease_ttl,
            |timings| timings.rates_interval = RATE_LIFETIME,
            |timings| timings.listing_record_interval = ON_SALE_FOR,
            |timings| timings.not_placed_interval = timings.not_placed_watch,
            |timings| timings.trade_backdating = timings.trade_lookback,
            |timings| timings.refund_answer_valid_for = timings.balance_mismatch_grace,
        ];
        for (position, change) in ways.into_iter().enumerate() {
            assert!(broken(change).is_some(), "relation {position}");
        }
    }
}
