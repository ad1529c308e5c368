//! Usage and what bounds it on the wire.

use buffa::EnumValue;
use connectrpc::ConnectError;
use tradepost_domain::accounts::usage::Grouping;
use tradepost_ports::limiter::{Quota, RateClass};

use crate::convert::{invalid, wire_count};
use tradepost_proto::accounts::v1 as wire;

/// Returns by what usage is grouped; each group at most once.
pub(crate) fn grouping(field: &str, given: &[EnumValue<wire::UsageGroup>]) -> Result<Grouping, ConnectError> {
    given.iter().try_fold(Grouping::default(), |grouping, group| {
        let known = group.as_known().filter(|known| *known != wire::UsageGroup::USAGE_GROUP_UNSPECIFIED);
        let extended = match known.ok_or_else(|| invalid(field, "must name groups of the enum"))? {
            wire::UsageGroup::USAGE_GROUP_API_KEY => (grouping.by_key, Grouping { by_key: true, ..grouping }),
            wire::UsageGroup::USAGE_GROUP_OPERATION => {
                (grouping.by_operation, Grouping { by_operation: true, ..grouping })
            }
            wire::UsageGroup::USAGE_GROUP_UNSPECIFIED => (true, grouping),
        };
        match extended {
            (false, grouping) => Ok(grouping),
            (true, _) => Err(invalid(field, "must name each group at most once")),
        }
    })
}

pub(crate) fn rate(class: RateClass, quota: Quota) -> wire::RateQuota {
    wire::RateQuota {
        name: Some(class.name().to_owned()),
        calls: Some(wire_count(quota.calls.into())),
        window_seconds: Some(i32::try_from(quota.window.as_secs()).unwrap_or(i32::MAX)),
        burst: Some(wire_count(quota.burst.into())),
    }
}

pub(crate) fn room(used: i64, most: i64) -> wire::Room {
    wire::Room { used: Some(wire_count(used)), most: Some(wire_count(most)) }
}
