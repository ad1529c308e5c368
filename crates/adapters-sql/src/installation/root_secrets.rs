//! What the database knows of root secrets: the mark of the newest, what is kept of former ones, and what is still digested under
//! them. For those who run the installation; no call of a client ends here.

use tradepost_domain::accounts::api_key::PepperId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::StoreResult;

use crate::rows::cell;
use crate::store::SqlStore;

const FIND_CANARY: &str = "SELECT value FROM installation WHERE name = 'root_secret'";
const KEEP_CANARY: &str =
    "INSERT INTO installation (name, value) VALUES ('root_secret', $1) ON CONFLICT (name) DO NOTHING";
const REPLACE_CANARY: &str = "UPDATE installation SET value = $1 WHERE name = 'root_secret' AND value = $2";
const KEEP_FORMER: &str = "INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
const FORMER: &str = "SELECT name, value FROM installation WHERE name LIKE 'former_root_secret/%' ORDER BY name";
const KEYS_UNDER_OTHERS: &str = "SELECT count(*) FROM api_keys WHERE revoked_at IS NULL \
    AND (expires_at IS NULL OR expires_at > $1) AND (pepper IS NULL OR pepper <> $2)";
const CODES_UNDER_OTHERS: &str =
    "SELECT count(*) FROM recovery_codes WHERE length(digests) > 0 AND (pepper IS NULL OR pepper <> $1)";

/// What is kept of a root secret that another one has replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerRoot {
    name: String,
    /// The key by which its events of the audit log are checked, sealed.
    pub audit_key: Vec<u8>,
}

impl FormerRoot {
    /// Whether this is the mark of that root secret.
    pub fn is(&self, canary: [u8; 16]) -> bool {
        self.name == name_of(canary)
    }
}

impl SqlStore {
    /// Keeps the mark of the root secret if there is none yet. Whether it is the one that is kept.
    ///
    /// # Errors
    /// [`StoreError`](tradepost_ports::store::StoreError) when the database fails.
    pub async fn keep_canary(&self, canary: [u8; 16]) -> StoreResult<bool> {
        if let Some(kept) = self.canary().await? {
            return Ok(kept == canary);
        }
        self.write(KEEP_CANARY, vec![canary.to_vec().into()]).await?;
        // Another process may have been first.
        Ok(self.canary().await?.is_some_and(|kept| kept == canary))
    }

    /// The mark of the root secret that the database is used with.
    ///
    /// # Errors
    /// [`StoreError`](tradepost_ports::store::StoreError) when the database fails.
    pub async fn canary(&self) -> StoreResult<Option<Vec<u8>>> {
        let row = self.row(FIND_CANARY, Vec::new()).await?;
        row.map(|row| cell(&row, 0)).transpose()
    }

    /// Replaces the mark of a former root secret, of which its sealed audit key stays. The key is stored
    /// first, so that an interrupted call can be repeated. Nothing happens where the former one is not the one that is kept.
    ///
    /// # Errors
    /// [`StoreError`](tradepost_ports::store::StoreError) when the database fails.
    pub async fn replace_canary(&self, former: [u8; 16], audit_key: Vec<u8>, newest: [u8; 16]) -> StoreResult<()> {
        self.write(KEEP_FORMER, vec![name_of(former).into(), audit_key.into()]).await?;
        self.write(REPLACE_CANARY, vec![newest.to_vec().into(), former.to_vec().into()]).await.map(drop)
    }

    /// The root secrets that were replaced.
    ///
    /// # Errors
    /// [`StoreError`](tradepost_ports::store::StoreError) when the database fails.
    pub async fn former_roots(&self) -> StoreResult<Vec<FormerRoot>> {
        let rows = self.rows(FORMER, Vec::new()).await?;
        rows.iter().map(|row| Ok(FormerRoot { name: cell(row, 0)?, audit_key: cell(row, 1)? })).collect()
    }

    /// How many live API keys are digested under other peppers than this.
    ///
    /// # Errors
    /// [`StoreError`](tradepost_ports::store::StoreError) when the database fails.
    pub async fn count_keys_under_others(&self, pepper: PepperId, at: Timestamp) -> StoreResult<i64> {
        self.number(KEYS_UNDER_OTHERS, vec![at.as_micros().into(), pepper.0.into()]).await
    }

    /// How many users have recovery codes that are digested under other peppers than this.
    ///
    /// # Errors
    /// [`StoreError`](tradepost_ports::store::StoreError) when the database fails.
    pub async fn count_codes_under_others(&self, pepper: PepperId) -> StoreResult<i64> {
        self.number(CODES_UNDER_OTHERS, vec![pepper.0.into()]).await
    }
}

fn name_of(canary: [u8; 16]) -> String {
    let hex: String = canary.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("former_root_secret/{hex}")
}
