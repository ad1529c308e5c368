//! `Bootstrap`: the first user, workspace and key of an installation, in one commit.

use crate::accounts::credentials::email_links::setup_link;
use crate::accounts::credentials::new_password::hash_new_password;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::access::{Denied, Principal};
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::preferences::Preferences;
use tradepost_domain::accounts::user::{Password, User};
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::money::Currency;
use tradepost_domain::network::Networks;
use tradepost_domain::text::Name;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::secrets::{IssuedToken, TokenKind};
use tradepost_ports::store::{StoreError, Unique};

use crate::accounts::api_keys::create_api_key::CreatedKey;
use crate::commit::Step;
use crate::{OpError, OpResult, Operations};

/// Characters of a key that may be shown.
const SHOWN: usize = 12;

/// The first records of an installation.
#[derive(Debug, Clone)]
pub struct Bootstrap {
    /// The owner's address, taken as verified.
    pub email: EmailAddress,
    /// The owner's name.
    pub display_name: Name,
    /// The owner's password.
    pub password: SecretString,
    /// The workspace's name.
    pub workspace: Name,
    /// The key's name.
    pub key_name: Name,
    /// The key itself, where it was made elsewhere; one is made if absent.
    pub key: Option<SecretString>,
    /// Whether to make a link by which the owner chooses another password.
    pub setup_link: bool,
}

/// The records that exist now.
#[derive(Debug)]
pub struct Bootstrapped {
    /// The owner.
    pub user: User,
    /// The workspace.
    pub workspace: Workspace,
    /// A key with every policy, `identity` included.
    pub key: CreatedKey,
    /// The token for [`Operations::reset_password`], shown this once. It is valid for 30 minutes, once, and until the owner signs in.
    pub setup_token: Option<SecretString>,
}

impl Operations {
    /// Makes the first user, with a workspace and a key that holds every policy. `None` when there are users already, also
    /// when another process made them just now.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `invalid_argument` for a weak password or a key that is none.
    pub async fn bootstrap(&self, caller: &Caller, command: Bootstrap) -> OpResult<Option<Bootstrapped>> {
        if caller.principal != Principal::System {
            return Err(Denied.into());
        }
        if self.ports.store.users().has_any().await? {
            return Ok(None);
        }
        let issued = self.first_token(command.key.clone())?;
        let words = command.email.words().map(str::to_owned).collect();
        let hash = hash_new_password(self, "password", &command.password, words).await?;
        let at = self.now();
        let user = User {
            id: self.mint(),
            display_name: command.display_name,
            preferences: Preferences::default(),
            email: Some(command.email),
            password: Some(Password { hash, changed_at: at }),
            email_changed_at: None,
            disabled: false,
            created_at: at,
            updated_at: at,
        };
        let workspace = Workspace::found(self.mint(), command.workspace, Currency::USD, at);
        let membership = Membership::found(self.mint(), workspace.id, user.id, at);
        let key = ApiKey {
            id: self.mint(),
            workspace_id: workspace.id,
            owner_id: user.id,
            membership_id: membership.id,
            name: command.key_name,
            prefix: issued.prefix,
            digest: issued.digest,
            pepper: Some(self.ports.secrets.pepper()),
            policies: PolicySet::EVERY,
            networks: Networks::default(),
            expires_at: None,
            remind_at: None,
            revoked_at: None,
            created_at: at,
        };
        let key = CreatedKey { key, raw_key: issued.secret };
        let mut changes = Changes::by(caller);
        let setup_token = if command.setup_link { setup_link(self, &user, &mut changes) } else { None };
        self.store_first(caller, changes, Bootstrapped { user, workspace, key, setup_token }, membership).await
    }

    async fn store_first(
        &self,
        caller: &Caller,
        mut changes: Changes,
        made: Bootstrapped,
        membership: Membership,
    ) -> OpResult<Option<Bootstrapped>> {
        let step = Step {
            subject: Subject::Membership(membership.id),
            from: None,
            to: Status::Accepted.as_str(),
            version: 1,
            trigger: "found",
        };
        let founded = self.transition(caller, made.workspace.id, step, membership.created_at);
        changes.insert(made.user.clone()).insert(made.workspace.clone()).insert(membership);
        changes.insert(made.key.key.clone()).append(AppendedRow::Transition(founded));
        changes.audit(AuditKind::UserRegistered, made.user.id);
        changes.audit(AuditKind::WorkspaceCreated, made.workspace.id);
        changes.audit(AuditKind::ApiKeyCreated, &made.key.key);
        match self.commit(caller, changes).await {
            Ok(_) => Ok(Some(made)),
            // Another process bootstraps the same database at the same moment, and was first.
            Err(OpError { source: Some(StoreError::Duplicate(Unique::UserEmail)), .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn first_token(&self, given: Option<SecretString>) -> OpResult<IssuedToken> {
        let Some(secret) = given else { return Ok(self.ports.secrets.issue(TokenKind::ApiKey)) };
        let digest = self.ports.secrets.digest(TokenKind::ApiKey, secret.expose_secret());
        let digest = digest
            .map_err(|_| OpError::invalid_field("key", "is not an API key; make one with `tradepost key generate`"))?;
        let prefix = secret.expose_secret().chars().take(SHOWN).collect();
        Ok(IssuedToken { secret, prefix, digest })
    }
}
