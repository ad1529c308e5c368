//! The people of the demo: users, workspaces, memberships, keys, and an authenticator app.

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost::auth::Rfc6238;
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost::domain::accounts::workspace::RISK_NOTICE;
use tradepost::domain::id::{MembershipId, UserId, WorkspaceId};
use tradepost::domain::money::Currency;
use tradepost::domain::text::{Description, Name};
use tradepost::domain::time::Timestamp;
use tradepost::operations::accounts::{
    AcceptMembership, AcknowledgeRiskNotice, BootstrapWorkspace, ConfirmTotpEnrollment, CreatedKey, InviteMember,
    IssueApiKey, RegisterUser, RevokeApiKey,
};
use tradepost::operations::{Caller, Operations};

use super::{refused, sure};

use crate::failure::{Exit, Failure, Outcome};
use crate::process::busy;

/// The first key's user.
pub(super) const EMAIL: &str = "demo@example.com";
const OTHER_EMAIL: &str = "other@example.com";
pub(super) const PASSWORD: &str = "lantern orchard violet seventeen";
const TRADER: &str = "trader@example.com";
const ANALYST: &str = "analyst@example.com";

/// Users and workspaces once all of them exist.
pub(super) struct People {
    pub(super) workspace_id: WorkspaceId,
    pub(super) other_workspace_id: WorkspaceId,
    pub(super) api_key: SecretString,
    pub(super) read_only_api_key: SecretString,
    pub(super) other_api_key: SecretString,
    pub(super) totp_secret: SecretString,
    used_key: SecretString,
}

/// Creates every user and workspace that exists from the beginning.
pub(super) async fn arrive(operations: &Operations, at: Timestamp, now: Timestamp) -> Outcome<People> {
    let owner = register(operations, EMAIL, "Demo owner").await?;
    let other = register(operations, OTHER_EMAIL, "Other owner").await?;
    let workspace_id = found(operations, owner, "Demo trading", "A desk with months of trades").await?;
    let other_workspace_id =
        found(operations, other, "Other desk", "A second workspace, to see that they are apart").await?;
    let totp_secret = enrol_authenticator(operations, owner, at).await?;
    for (email, name, policies) in
        [(TRADER, "Trader", &["trading", "analytics"][..]), (ANALYST, "Analyst", &["analytics"][..])]
    {
        let member = register(operations, email, name).await?;
        join(operations, workspace_id, member, email, policies).await?;
    }
    acknowledge_risks(operations, workspace_id).await?;
    let reading = PolicySet::of(&[Policy::Analytics]);
    let trading = PolicySet::of(&[Policy::Analytics, Policy::Trading]);
    let keys = Keys { operations, workspace_id };
    let api_key = keys.issue(EMAIL, "Everything", PolicySet::EVERY, None).await?.raw_key;
    let read_only_api_key = keys.issue(EMAIL, "Read only", reading, None).await?.raw_key;
    keys.issue(ANALYST, "Never used", reading, None).await?;
    let used_key = keys.issue(TRADER, "Trading bot", trading, None).await?.raw_key;
    keys.issue(TRADER, "Expires soon", trading, Some(now.plus(Duration::days(3)))).await?;
    keys.issue(ANALYST, "Expired", reading, Some(at.plus(Duration::days(10)))).await?;
    let revoked = keys.issue(TRADER, "Revoked", trading, None).await?;
    let revoke = RevokeApiKey { api_key_id: revoked.key.id, workspace_id: Some(workspace_id), reason: None };
    operations.revoke_api_key(&Caller::system(), revoke).await.map_err(refused)?;
    let keys = Keys { operations, workspace_id: other_workspace_id };
    let other_api_key = keys.issue(OTHER_EMAIL, "Everything", PolicySet::EVERY, None).await?.raw_key;
    Ok(People { workspace_id, other_workspace_id, api_key, read_only_api_key, other_api_key, totp_secret, used_key })
}

impl People {
    /// What happens among people in the last days: a key is used, invitations go out and wait.
    pub(super) async fn lately(&self, operations: &Operations) -> Outcome<MembershipId> {
        operations.authenticate(self.used_key.expose_secret(), None).await.map_err(refused)?;
        operations.flush_uses().await.map_err(refused)?;
        for email in ["guest-1@example.com", "guest-2@example.com"] {
            invite(operations, self.workspace_id, email, &["analytics"]).await?;
        }
        invite(operations, self.other_workspace_id, EMAIL, &["trading", "analytics"]).await
    }
}

/// The keys of a workspace.
pub(super) struct Keys<'a> {
    pub(super) operations: &'a Operations,
    pub(super) workspace_id: WorkspaceId,
}

impl Keys<'_> {
    pub(super) async fn issue(
        &self,
        owner: &str,
        name: &str,
        policies: PolicySet,
        expires_at: Option<Timestamp>,
    ) -> Outcome<CreatedKey> {
        let command = IssueApiKey {
            workspace_id: self.workspace_id,
            owner: sure(EmailAddress::new(owner))?,
            name: sure(Name::new(name))?,
            policies,
            expires_at,
        };
        self.operations.issue_api_key(&Caller::system(), command).await.map_err(refused)
    }
}

pub(super) async fn register(operations: &Operations, email: &str, name: &str) -> Outcome<UserId> {
    let command = RegisterUser {
        email: sure(EmailAddress::new(email))?,
        display_name: sure(Name::new(name))?,
        password: PASSWORD.into(),
    };
    let register = async || operations.register_user(&Caller::system(), command.clone()).await;
    Ok(busy::until_done(register).await.map_err(refused)?.id)
}

async fn found(operations: &Operations, owner_id: UserId, name: &str, description: &str) -> Outcome<WorkspaceId> {
    let command = BootstrapWorkspace {
        owner_id,
        name: sure(Name::new(name))?,
        description: Some(sure(Description::new(description))?),
        base_currency: Currency::USD,
    };
    Ok(operations.bootstrap_workspace(&Caller::system(), command).await.map_err(refused)?.workspace.id)
}

/// The first desk accepts secrets, and the second one asks before.
async fn acknowledge_risks(operations: &Operations, workspace_id: WorkspaceId) -> Outcome {
    let command = AcknowledgeRiskNotice { workspace_id, version: RISK_NOTICE.version.to_owned() };
    operations.acknowledge_risk_notice(&Caller::system(), command).await.map(drop).map_err(refused)
}

async fn invite(
    operations: &Operations,
    workspace_id: WorkspaceId,
    email: &str,
    policies: &[&str],
) -> Outcome<MembershipId> {
    let policies = policies.iter().map(|policy| (*policy).to_owned()).collect();
    let command = InviteMember { workspace_id, email: email.to_owned(), role: Role::Member, policies };
    Ok(operations.invite_member(&Caller::system(), command).await.map_err(refused)?.id)
}

/// Invites a user, who accepts.
pub(super) async fn join(
    operations: &Operations,
    workspace_id: WorkspaceId,
    user: UserId,
    email: &str,
    policies: &[&str],
) -> Outcome {
    let membership_id = invite(operations, workspace_id, email, policies).await?;
    let accept = AcceptMembership { membership_id };
    operations.accept_membership(&Caller::person(user), accept).await.map(drop).map_err(refused)
}

async fn enrol_authenticator(operations: &Operations, user: UserId, at: Timestamp) -> Outcome<SecretString> {
    let person = Caller::person(user);
    let offered = operations.begin_totp_enrollment(&person).await.map_err(refused)?;
    let code = Rfc6238::code(offered.secret.expose_secret(), at);
    let code = code.ok_or_else(|| Failure::new(Exit::Failed, "the authenticator's secret cannot be read"))?;
    let command = ConfirmTotpEnrollment { enrollment_id: offered.enrollment_id, code };
    operations.confirm_totp_enrollment(&person, command).await.map_err(refused)?;
    Ok(offered.secret)
}
