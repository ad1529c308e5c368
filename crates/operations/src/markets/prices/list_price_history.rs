//! [`ListPriceHistory`]: what a variant was offered at, by hours or days.

use time::Duration;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::price_history::{Bucket, Candle, history, hour_of, start_of};
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::HistoryQuery;

use crate::markets::observations::variants::VariantName;
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// The most buckets from the first to the last.
const MOST_POINTS: i64 = 1_000;
/// The default length of a history.
const USUAL: Duration = Duration::days(7);

/// A request for the history of a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPriceHistory {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The variant.
    pub variant: VariantName,
    /// Only on this marketplace; empty for all of them together.
    pub marketplace: String,
    /// The granularity; hours if `None`.
    pub bucket: Option<Bucket>,
    /// The time of the first bucket; `None` is seven days before the end.
    pub from: Option<Timestamp>,
    /// Up to this time; `None` is now.
    pub to: Option<Timestamp>,
}

/// The prices of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PricePoint {
    /// The beginning of the bucket.
    pub time: Timestamp,
    /// The prices.
    pub candle: Candle,
}

impl Operations {
    /// Returns the prices at which listings of a variant were seen, by bucket, the oldest first. Buckets without a new
    /// observation are left out.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field, also for more than 1,000 buckets.
    pub async fn list_price_history(&self, caller: &Caller, command: ListPriceHistory) -> OpResult<Vec<PricePoint>> {
        let scope = rules::LIST_PRICE_HISTORY.enter(&caller.principal, command.workspace_id)?;
        let variant = command.variant.check("")?;
        let marketplace = Some(command.marketplace.as_str()).filter(|place| !place.is_empty());
        let marketplace: Option<Marketplace> = fields::optional(marketplace, fields::text, "marketplace")?;
        let (bucket, to) = (
            command.bucket.unwrap_or(Bucket::Hour),
            command.to.unwrap_or_else(|| self.market_now(command.workspace_id)),
        );
        let from = command.from.unwrap_or_else(|| to.plus(-USUAL));
        if from > to {
            return Err(OpError::invalid_field("to", "must not be before from"));
        }
        let first = bucket.of_hour(hour_of(from));
        let last = bucket.of_hour(hour_of(to));
        if (last - first) / bucket.hours() >= MOST_POINTS {
            let rule = format_args!("must be at most {MOST_POINTS} buckets before to");
            return Err(OpError::invalid_field("from", rule));
        }
        let query = HistoryQuery {
            variant: &variant,
            marketplace: marketplace.as_ref(),
            from: first,
            to: last.saturating_add(bucket.hours()),
        };
        let hours = self.to_show(caller, scope).candles().read(scope, query).await?;
        let points = history(hours, bucket).into_iter();
        Ok(points.map(|(hour, candle)| PricePoint { time: start_of(hour), candle }).collect())
    }
}
