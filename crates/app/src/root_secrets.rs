//! Which of two root secrets is the newest. The database knows whether one has taken the place of the other; what is given says
//! only which one is to.

use tradepost_adapters_auth::{LocalKeyEncryption, RootSecret, Vault};
use tradepost_adapters_sql::SqlStore;
use tradepost_ports::envelope::DataKey;

use crate::BuildError;

/// The root secrets at hand.
pub(crate) struct RootSecrets {
    newest: RootSecret,
    former: Option<RootSecret>,
}

impl RootSecrets {
    /// The two in the order in which the database knows them. A root secret that was replaced does not come back: a process that
    /// is given both the other way round goes on under the one that replaced it, so that the order in which processes are
    /// restarted makes no difference.
    ///
    /// A store that an embedder provides keeps no record of them: there the order is the one given.
    pub(crate) async fn in_order(
        newest: RootSecret,
        former: Option<RootSecret>,
        database: Option<&SqlStore>,
    ) -> Result<Self, BuildError> {
        let former = former.filter(|former| former.canary() != newest.canary());
        let Some(store) = database else { return Ok(Self { newest, former }) };
        if store.keep_canary(newest.canary()).await? {
            return Ok(Self { newest, former });
        }
        let kept = store.canary().await?;
        let former = former.filter(|former| kept.is_some_and(|kept| kept == former.canary()));
        let former = former.ok_or(BuildError::OtherRootSecret)?;
        if store.former_roots().await?.iter().any(|replaced| replaced.is(newest.canary())) {
            tracing::warn!(
                "the root secret that is set was replaced by the one that is set as the former; that one is used"
            );
            return Ok(Self { newest: former, former: Some(newest) });
        }
        Ok(Self { newest, former: Some(former) })
    }

    /// The key-encryption key that is derived from them.
    pub(crate) fn key_encryption(&self) -> LocalKeyEncryption {
        let newest = LocalKeyEncryption::new(&self.newest);
        match &self.former {
            Some(former) => newest.with_former(former),
            None => newest,
        }
    }

    /// What everything is made with from now on. From here on the newest root secret is the database's.
    pub(crate) async fn vault(
        &self,
        database: Option<&SqlStore>,
        number: u32,
        key: DataKey,
    ) -> Result<Vault, BuildError> {
        let mut vault = Vault::new(&self.newest).with_data_key(number, key);
        if let Some(former) = &self.former {
            vault = vault.with_former(former);
        }
        if let Some(store) = database {
            self.record_replacement(store, &vault).await?;
            accept_former_audit_keys(store, &mut vault).await?;
        }
        Ok(vault)
    }

    /// Records in the database that the newest root secret has replaced the former one.
    async fn record_replacement(&self, store: &SqlStore, vault: &Vault) -> Result<(), BuildError> {
        let Some(former) = &self.former else { return Ok(()) };
        if store.canary().await?.is_some_and(|kept| kept == former.canary()) {
            let audit_key = vault.seal_audit_key_of(former);
            store.replace_canary(former.canary(), audit_key, self.newest.canary()).await?;
            tracing::info!("the root secret was replaced; what was made under the former one goes on working");
        }
        Ok(())
    }
}

/// Takes over the audit keys of former root secrets that the database keeps.
async fn accept_former_audit_keys(store: &SqlStore, vault: &mut Vault) -> Result<(), BuildError> {
    for replaced in store.former_roots().await? {
        if vault.accept_audit_key(&replaced.audit_key).is_err() {
            tracing::error!(
                "the audit key of a former root secret does not open: its events can no longer be verified"
            );
        }
    }
    Ok(())
}
