//! What was asked of the facades, in order, and what each answered.

use serde::{Deserialize, Serialize};

/// A request and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerEntry {
    /// The time of the world, in microseconds since 1970.
    pub at: i64,
    /// The facade.
    pub facade: String,
    /// The route: method and path.
    pub route: String,
    /// The query.
    pub query: String,
    /// The client, as it names itself.
    pub user_agent: String,
    /// The status of the answer.
    pub status: u16,
    /// The card of the answer; none where a fault took its place.
    pub card: Option<String>,
    /// The fault that happened.
    pub fault: Option<String>,
}
