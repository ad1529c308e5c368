//! `GetInvitation`: shows the inviter, the invited address and the workspace to the holder of the mailed link. Only the invited user can
//! accept.

use crate::accounts::memberships::membership_changes::inviter_of;
use crate::calls::tokens::find_by_token;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::id::MembershipId;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::secrets::TokenKind;

use super::membership_changes::notification_scope;
use crate::accounts::credentials::email_links::invalid;
use crate::{OpResult, Operations, fields};

/// The token in the link.
#[derive(Debug, Clone)]
pub struct GetInvitation {
    /// `tpi_…`
    pub token: SecretString,
}

/// An invitation as its recipient sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvitationShown {
    /// The workspace.
    pub workspace_name: Name,
    /// The name of the inviter; absent when the process itself sent the invitation.
    pub inviter_name: Option<Name>,
    /// The address that was invited.
    pub email: EmailAddress,
    /// The membership that is accepted or declined.
    pub membership_id: MembershipId,
    /// The time until which it can be accepted.
    pub expires_at: Timestamp,
}

impl Operations {
    /// Returns a pending invitation to a caller with the token that was mailed last.
    ///
    /// # Errors
    /// `failed_precondition` with `TOKEN_INVALID` for a token that is unknown, replaced or expired, and for an invitation that was answered
    /// or revoked; `invalid_argument` without a token.
    pub async fn get_invitation(&self, command: GetInvitation) -> OpResult<InvitationShown> {
        fields::given("token", &command.token)?;
        let token = command.token.expose_secret().trim();
        let find = |digest| async move { self.ports.store.memberships().find_invitation(&digest).await };
        let found = find_by_token(self, TokenKind::Invitation, token, find).await?;
        let (invitation, _) = found.ok_or_else(invalid)?.into_display();
        let expires_at = invitation.acceptable_until(self.now()).ok_or_else(invalid)?;
        let workspace = self.ports.store.workspaces().find(notification_scope(invitation.workspace_id)?).await?;
        let inviter = match inviter_of(self, &invitation).await? {
            Some(inviter) => self.ports.store.users().find(inviter).await?,
            None => None,
        };
        Ok(InvitationShown {
            workspace_name: workspace.ok_or_else(invalid)?.into_display().0.name,
            inviter_name: inviter.map(|inviter| inviter.into_display().0.display_name),
            email: invitation.invitee.ok_or_else(invalid)?,
            membership_id: invitation.id,
            expires_at,
        })
    }
}
