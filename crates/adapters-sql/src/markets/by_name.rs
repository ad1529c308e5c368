//! Observations of a name. On SQLite their names are kept in order for each block of 8,192 observations that were written one
//! after the other: a new one changes a page of the latest block, where an order of all has a page of its own for nearly each name.

use crate::store::SqlStore;

/// Blocks from the latest down to four before that of the first observation since `{since}`: ids are assigned before the
/// observations are written, and at most 64 batches of 500 wait for that.
const BLOCKS: &str = "(WITH RECURSIVE blocks (block) AS (SELECT max(number) >> 13 FROM market_observations \
    UNION ALL SELECT block - 1 FROM blocks WHERE block > (SELECT (number >> 13) - 4 FROM market_observations \
    WHERE workspace_id = $1 AND id >= {since} ORDER BY id LIMIT 1)) SELECT block FROM blocks) AS b \
    CROSS JOIN market_observations AS o INDEXED BY market_observations_name ON o.number >> 13 = b.block";

/// Where the observations of a name since an id are looked up, as `o`. That it is them is for the rest of the statement to say.
pub(super) fn since(store: &SqlStore, id: &str) -> String {
    store.pick(BLOCKS, "market_observations AS o").replace("{since}", id)
}
