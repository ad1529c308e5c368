//! What recovers a trading account, such as the code that removes its mobile authenticator: sealed apart from what the account
//! signs in by, so that no code that signs in opens it.

use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::AccountId;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::StoreError;

use super::account_secrets::recovery_place;
use crate::secrets::packing::{NotPacked, Packed, pack};
use crate::secrets::workspace_secrets::{FindWorkspaceSecret, seal_secret};
use crate::{OpResult, Operations};

/// What recovers an account. A missing part is unknown.
#[derive(Debug, Clone, Default)]
pub(crate) struct AccountRecovery {
    /// The code that removes its mobile authenticator.
    pub(crate) revocation_code: Option<SecretString>,
    /// The device of its mobile authenticator.
    pub(crate) device_id: Option<SecretString>,
    /// The serial number of its mobile authenticator.
    pub(crate) serial_number: Option<SecretString>,
    /// The address of its mobile authenticator, which contains its secret.
    pub(crate) uri: Option<SecretString>,
    /// A further secret of its mobile authenticator.
    pub(crate) secret_1: Option<SecretString>,
}

impl AccountRecovery {
    /// Returns whether nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts().iter().all(Option::is_none)
    }

    const fn parts(&self) -> [Option<&SecretString>; 5] {
        [
            self.revocation_code.as_ref(),
            self.device_id.as_ref(),
            self.serial_number.as_ref(),
            self.uri.as_ref(),
            self.secret_1.as_ref(),
        ]
    }

    /// Returns it as it is sealed.
    pub(crate) fn packed(&self) -> SecretSlice<u8> {
        let mut packed = Vec::new();
        pack(&mut packed, self.parts());
        packed.into()
    }

    fn unpacked(packed: &[u8]) -> Result<Self, NotPacked> {
        let mut left = Packed(packed);
        Ok(Self {
            revocation_code: left.next_text()?,
            device_id: left.next_text()?,
            serial_number: left.next_text()?,
            uri: left.next_text()?,
            secret_1: left.next_text()?,
        })
    }

    /// Reads what recovers an account; nothing where nothing is kept.
    pub(crate) async fn read(operations: &Operations, scope: WorkspaceScope, account: AccountId) -> OpResult<Self> {
        let place = recovery_place(account)?;
        let wanted = FindWorkspaceSecret { workspace_id: scope.workspace_id(), place };
        let Some(found) = operations.read_workspace_secret(&Caller::system(), &wanted).await? else {
            return Ok(Self::default());
        };
        let corrupt = |NotPacked| StoreError::Corrupt("what recovers an account".to_owned());
        Ok(Self::unpacked(found.expose_secret()).map_err(corrupt)?)
    }

    /// Stores it, in the changes that create or change the account, in place of the previous one.
    pub(crate) async fn keep(
        &self,
        operations: &Operations,
        scope: WorkspaceScope,
        account: AccountId,
        changes: &mut Changes,
    ) -> OpResult<()> {
        seal_secret(operations, scope, &recovery_place(account)?, self.packed().expose_secret(), changes).await
    }
}
