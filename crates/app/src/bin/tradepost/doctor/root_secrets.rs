//! Whether the root secret belongs to the database, every data key opens under it, and the one that it replaced can go.

use tradepost::SystemClock;
use tradepost::auth::{LocalKeyEncryption, RootSecret, Vault};
use tradepost::ports::changes::Seen;
use tradepost::ports::clock::Clock as _;
use tradepost::ports::envelope::KeyEncryption as _;
use tradepost::ports::secrets::{AuditKeySource, Secrets as _};
use tradepost::ports::store::StoreResult;
use tradepost::sql::SqlStore;
use tradepost_ports::store::Records;

use super::{Check, DEEPER, Verdict};
use crate::assembly::{self, RESTORE};
use crate::backup;
use crate::failure::Outcome;
use crate::settings::Loaded;

/// Records that are looked at in one statement.
const AT_ONCE: u32 = 500;
/// Data keys that are tried where not everything is looked at.
const MOST_AT_ONCE: u64 = 20_000;

/// The checks of everything that hangs on root secrets.
pub(super) async fn all(loaded: &Loaded, store: &SqlStore, is_deep: bool) -> Vec<Check> {
    let root = match assembly::existing_root_secret(loaded) {
        Ok(root) => root,
        Err(failure) => return vec![Check::failed("root secret", &failure)],
    };
    let former = match assembly::former_root_secret(loaded) {
        Ok(former) => former,
        Err(failure) => return vec![Check::failed("former root", &failure)],
    };
    let belongs = belongs(&root, former.as_ref(), store).await;
    if belongs.verdict == Verdict::Fail {
        // Nothing opens under another root secret, and no backup would help.
        return vec![belongs];
    }
    let mut checks = vec![belongs, data_keys(&root, former.as_ref(), store, is_deep).await];
    if let Some(former) = &former {
        let left = Left::under(&root, former, store).await;
        checks.push(left.map_or_else(|error| Check::unreadable("former root", &error), |left| left.check()));
    }
    checks
}

/// What knows which events of the audit log this installation wrote.
pub(super) async fn vault(loaded: &Loaded, store: &SqlStore) -> Outcome<Vault> {
    let mut vault = Vault::new(&assembly::existing_root_secret(loaded)?);
    if let Some(former) = assembly::former_root_secret(loaded)? {
        vault = vault.with_former(&former);
    }
    let replaced = store.former_roots().await.map_err(|error| assembly::storage_failure(loaded, &error))?;
    for former in replaced {
        if vault.accept_audit_key(&former.audit_key).is_err() {
            tracing::error!(
                "the audit key of a former root secret does not open: its events can no longer be verified"
            );
        }
    }
    Ok(vault)
}

async fn belongs(root: &RootSecret, former: Option<&RootSecret>, store: &SqlStore) -> Check {
    let name = "root secret";
    match store.canary().await {
        Ok(Some(canary)) if canary == root.canary() => {
            Check::ok(name, format!("belongs to the database, fingerprint {}", backup::fingerprint(&canary)))
        }
        Ok(Some(canary)) if former.is_some_and(|former| canary == former.canary()) => {
            let fix = "start the server; if it has replaced this one already, exchange the two settings";
            Check::warn(name, "the database is used with the one that is set as the former", fix)
        }
        Ok(Some(_)) => {
            let fix = "restore the root secret that this database was made with (setting secret.root_file)";
            Check::fail(name, "belongs to another database: keys and sealed values would not open", fix)
        }
        Ok(None) => Check::warn(name, "the database was never served", "start the server once: tradepost"),
        Err(error) => Check::unreadable(name, &error),
    }
}

/// Opens every data key, or as many as can be in a moment: what is sealed under one that does not open is lost.
async fn data_keys(root: &RootSecret, former: Option<&RootSecret>, store: &SqlStore, is_deep: bool) -> Check {
    let key_encryption = LocalKeyEncryption::new(root);
    let key_encryption = match former {
        Some(former) => key_encryption.with_former(former),
        None => key_encryption,
    };
    let (mut sound, mut after) = (0_u64, None);
    loop {
        let keys = match store.workspace_keys().list_all(after, AT_ONCE).await {
            Ok(keys) => keys,
            Err(error) => return Check::unreadable("data keys", &error),
        };
        if !is_deep && sound >= MOST_AT_ONCE {
            return Check::ok("data keys", format!("the first {sound} open; {DEEPER}"));
        }
        let Some(last) = keys.last() else { return Check::ok("data keys", format!("{sound} open")) };
        after = Some(last.peek().id);
        for key in keys.iter().map(Seen::peek) {
            let Some(wrapped) = key.wrapped() else { continue };
            if let Err(error) = key_encryption.unwrap(key.id, wrapped).await {
                let found = format!("key {} of workspace {}: {error}", key.id, key.workspace_id);
                return Check::fail("data keys", found, RESTORE);
            }
            sound = sound.saturating_add(1);
        }
    }
}

/// What the former root secret is still needed for.
struct Left {
    data_keys: usize,
    audit_logs: usize,
    api_keys: i64,
    recovery_codes: i64,
}

impl Left {
    async fn under(root: &RootSecret, former: &RootSecret, store: &SqlStore) -> StoreResult<Self> {
        let pepper = root.pepper();
        Ok(Self {
            data_keys: data_keys_left(root, store).await?,
            audit_logs: audit_logs_left(&Vault::new(root).with_former(former), store).await?,
            api_keys: store.count_keys_under_others(pepper, SystemClock.now()).await?,
            recovery_codes: store.count_codes_under_others(pepper).await?,
        })
    }

    fn check(&self) -> Check {
        let Self { data_keys, audit_logs, api_keys, recovery_codes } = self;
        let found = format!(
            "{api_keys} live API keys, {data_keys} data keys, {audit_logs} audit logs and the recovery codes of \
             {recovery_codes} users are under it"
        );
        if *data_keys > 0 || *audit_logs > 0 {
            let fix = "keep it: the server brings data keys and audit logs under the newest one after its start";
            return Check::warn("former root", found, fix);
        }
        if *api_keys > 0 || *recovery_codes > 0 {
            let fix = "keep it until every key was used once, or revoke what is left; recovery codes end with it: have new ones \
                       made";
            return Check::warn("former root", found, fix);
        }
        Check::ok("former root", "can go as soon as sessions and mailed links from before have ended")
    }
}

async fn data_keys_left(root: &RootSecret, store: &SqlStore) -> StoreResult<usize> {
    let newest = LocalKeyEncryption::new(root);
    let (mut left, mut after) = (0, None);
    loop {
        let keys = store.workspace_keys().list_all(after, AT_ONCE).await?;
        let Some(last) = keys.last() else { return Ok(left) };
        after = Some(last.peek().id);
        let wrapped = keys.iter().filter_map(|key| Some((key.peek().id, key.peek().wrapped()?)));
        left += wrapped.filter(|(id, wrapped)| !newest.is_current(*id, wrapped)).count();
    }
}

async fn audit_logs_left(vault: &Vault, store: &SqlStore) -> StoreResult<usize> {
    let (mut left, mut after) = (0, None);
    loop {
        let heads = store.audit_logs().list_heads(after, AT_ONCE).await?;
        let Some(last) = heads.last() else { return Ok(left) };
        after = Some(last.peek().log_id);
        let key_sources = heads.iter().map(|head| vault.audit_key_source(&head.peek().canonical(), &head.peek().mac));
        left += key_sources.filter(|key_source| *key_source == Some(AuditKeySource::Former)).count();
    }
}
