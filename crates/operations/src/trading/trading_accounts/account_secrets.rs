//! The secrets of a trading account: stored sealed under the workspace's data key, and readable only by the process itself.

use crate::accounts::workspaces::risk_notice::rely_on_acknowledged_risks;
use crate::secrets::packing::{NotPacked, Packed, pack};
use crate::secrets::workspace_secrets::{drop_secret, seal_secret};
use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::SecretPlace;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::text::Name;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::StoreError;

use crate::secrets::workspace_secrets::FindWorkspaceSecret;
use crate::{OpError, OpResult, Operations, fields};

/// The secrets with which an account signs in. A missing one is unknown.
#[derive(Debug, Clone, Default)]
pub struct AccountSecrets {
    /// The name under which it signs in.
    pub login_name: Option<SecretString>,
    /// Its password.
    pub password: Option<SecretString>,
    /// The secret of its mobile authenticator that codes are made of.
    pub shared_secret: Option<SecretString>,
    /// The secret of its mobile authenticator that confirmations are listed and answered with.
    pub identity_secret: Option<SecretString>,
    /// The platform's API key of the account.
    pub api_key: Option<SecretString>,
}

/// The account whose secrets to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadAccountSecrets {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// Most bytes of one secret.
const LONGEST: usize = 1_024;

impl AccountSecrets {
    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.fields().iter().all(|(_, secret)| secret.is_none())
    }

    fn fields(&self) -> [(&'static str, Option<&SecretString>); 5] {
        [
            ("secrets.loginName", self.login_name.as_ref()),
            ("secrets.password", self.password.as_ref()),
            ("secrets.sharedSecret", self.shared_secret.as_ref()),
            ("secrets.identitySecret", self.identity_secret.as_ref()),
            ("secrets.apiKey", self.api_key.as_ref()),
        ]
    }

    pub(crate) fn check(&self) -> OpResult<()> {
        for (field, secret) in self.fields() {
            let Some(secret) = secret else { continue };
            fields::given(field, secret)?;
            if secret.expose_secret().len() > LONGEST {
                return Err(OpError::invalid_field(field, format_args!("must have at most {LONGEST} bytes")));
            }
        }
        Ok(())
    }

    /// Concatenates the secrets, each with its length before it; a missing one has none.
    fn packed(&self) -> SecretSlice<u8> {
        let mut packed = Vec::new();
        pack(&mut packed, self.fields().map(|(_, secret)| secret));
        packed.into()
    }

    fn unpacked(packed: &[u8]) -> Result<Self, NotPacked> {
        let mut left = Packed(packed);
        Ok(Self {
            login_name: left.next_text()?,
            password: left.next_text()?,
            shared_secret: left.next_text()?,
            identity_secret: left.next_text()?,
            api_key: left.next_text()?,
        })
    }
}

impl Operations {
    /// Reads what an account signs in by; `None` where nothing is kept.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`, or `INTERNAL` for
    /// what does not open: it was changed or moved in the database.
    pub async fn read_account_secrets(
        &self,
        caller: &Caller,
        command: ReadAccountSecrets,
    ) -> OpResult<Option<AccountSecrets>> {
        let place = place(command.account_id)?;
        let wanted = FindWorkspaceSecret { workspace_id: command.workspace_id, place };
        let Some(found) = self.read_workspace_secret(caller, &wanted).await? else { return Ok(None) };
        let secrets = AccountSecrets::unpacked(found.expose_secret());
        secrets.map(Some).map_err(|NotPacked| StoreError::Corrupt("the secrets of an account".to_owned()).into())
    }
}

/// Stores the secrets of an account, in the changes that create or change it, in place of the previous ones. The risk notice must be
/// acknowledged.
pub(crate) async fn keep_account_secrets(
    operations: &Operations,
    scope: WorkspaceScope,
    account: AccountId,
    secrets: &AccountSecrets,
    changes: &mut Changes,
) -> OpResult<()> {
    rely_on_acknowledged_risks(operations, scope, changes).await?;
    seal_secret(operations, scope, &place(account)?, secrets.packed().expose_secret(), changes).await
}

/// Removes what an account signs in by, in the changes that remove it.
pub(crate) async fn drop_account_secrets(
    operations: &Operations,
    scope: WorkspaceScope,
    account: AccountId,
    changes: &mut Changes,
) -> OpResult<()> {
    drop_secret(operations, scope, &place(account)?, changes).await?;
    drop_secret(operations, scope, &recovery_place(account)?, changes).await
}

fn place(account: AccountId) -> OpResult<SecretPlace> {
    place_of(account, "secrets")
}

/// Returns the place of what recovers an account, which is kept apart from what it signs in by.
pub(crate) fn recovery_place(account: AccountId) -> OpResult<SecretPlace> {
    place_of(account, "recovery")
}

fn place_of(account: AccountId, column: &'static str) -> OpResult<SecretPlace> {
    let name = |name| Name::new(name).map_err(|error| OpError::internal(error.to_string()));
    Ok(SecretPlace { table: name("trading_accounts")?, column: name(column)?, row: account.to_bytes() })
}
