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
    /// The query. Tokens, keys and the messages that hold them are not in it.
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

/// The parameters of a query whose values are tokens or keys, or messages that can hold one.
const SECRET: [&str; 7] =
    ["access_token", "api", "ck", "input_protobuf_encoded", "k", "key", "trade_offer_access_token"];

/// The query of a request without what no record may hold.
pub(crate) fn without_secrets(query: &str) -> String {
    let shown = |pair: &str| match pair.split_once('=') {
        Some((name, _)) if SECRET.contains(&name) => format!("{name}=redacted"),
        Some(_) | None => pair.to_owned(),
    };
    query.split('&').map(shown).collect::<Vec<String>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_query_has_no_token() {
        let query = "cursor=3&access_token=a.b.c&input_protobuf_encoded=CgM%3D&k=YQ%3D%3D&tag=conf&steamid=1&api=k-1";
        let recorded =
            "cursor=3&access_token=redacted&input_protobuf_encoded=redacted&k=redacted&tag=conf&steamid=1&api=redacted";
        assert_eq!(without_secrets(query), recorded);
        assert_eq!(without_secrets("cid=7&ck=91&op=allow"), "cid=7&ck=redacted&op=allow");
        assert_eq!(without_secrets("key=k-1&hash_name=a"), "key=redacted&hash_name=a");
        assert_eq!(without_secrets("trade_offer_access_token=AbCdEf12"), "trade_offer_access_token=redacted");
        assert_eq!(without_secrets(""), "");
    }
}
