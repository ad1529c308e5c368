//! Notices: mails that report a change of a membership or a key to the affected users. Nothing depends on their arrival.

use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::guesses::MOST_WRONG_PASSWORDS;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::policy::{Policy, Role};
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::alerts::channel::{AlertChannel, ChannelDisabledReason};
use tradepost_domain::events::webhook_endpoint::{DisabledReason, WebhookEndpoint};
use tradepost_domain::text::ReasonText;
use tradepost_domain::time::Timestamp;
use tradepost_ports::mailer::Mail;

use super::Letter;

/// A notice, for any number of recipients.
pub(crate) struct Notice {
    subject: String,
    paragraphs: Vec<String>,
}

const CLOSING: &str = "If you did not expect this, ask the owner of the workspace.";

impl Notice {
    fn new(subject: String, text: String) -> Self {
        Self { subject, paragraphs: vec![text] }
    }

    fn adding(mut self, paragraph: Option<String>) -> Self {
        self.paragraphs.extend(paragraph);
        self
    }

    /// Returns the mail of the notice to an affected user.
    pub(super) fn to(&self, to: &EmailAddress) -> Mail {
        let (subject, paragraphs) = (self.subject.clone(), self.paragraphs.clone());
        Letter { subject, paragraphs, code: None, link: None, closing: CLOSING }.to(to)
    }

    pub(crate) fn invitation_accepted(workspace: &str, invitee: &str) -> Self {
        let text = format!("{invitee} accepted your invitation into the workspace \"{workspace}\".");
        Self::new(format!("Your invitation into {workspace} was accepted"), text)
    }

    pub(crate) fn invitation_declined(workspace: &str, invitee: &str) -> Self {
        let text = format!("{invitee} declined the invitation into the workspace \"{workspace}\".");
        Self::new(format!("An invitation into {workspace} was declined"), text)
    }

    pub(crate) fn invitation_revoked(workspace: &str) -> Self {
        let text = format!("The invitation into the workspace \"{workspace}\" was revoked; it cannot be accepted.");
        Self::new(format!("Your invitation into {workspace} was revoked"), text)
    }

    pub(crate) fn key_changed(workspace: &str, key: &ApiKey) -> Self {
        let text = format!("Your API key {} in the workspace \"{workspace}\" was changed.", known(key));
        Self::new("An API key of yours was changed".to_owned(), text)
    }

    pub(crate) fn key_created(workspace: &str, owner: &str, key: &ApiKey) -> Self {
        let policies: Vec<&str> = key.policies.iter().map(Policy::name).collect();
        let policies = if policies.is_empty() { "no policy".to_owned() } else { policies.join(", ") };
        let text =
            format!("{owner} has a new API key {} in the workspace \"{workspace}\", with {policies}.", known(key));
        Self::new(format!("An API key was created in {workspace}"), text)
    }

    pub(crate) fn webhook_disabled(workspace: &str, endpoint: &WebhookEndpoint, reason: DisabledReason) -> Self {
        let why = match reason {
            DisabledReason::Person => "A person disabled it.",
            DisabledReason::Removed => "Its receiver answered that it no longer exists (410).",
            DisabledReason::Failing => "Every delivery of the last five days failed.",
        };
        let text =
            format!("The webhook endpoint {} in the workspace \"{workspace}\" was disabled. {why}", endpoint.url);
        let then = "Once its receiver works, enable it with EnableWebhookEndpoint: events of up to 31 days are delivered then."
            .to_owned();
        Self::new(format!("A webhook endpoint was disabled in {workspace}"), text).adding(Some(then))
    }

    pub(crate) fn alert_channel_disabled(
        workspace: &str,
        channel: &AlertChannel,
        reason: ChannelDisabledReason,
    ) -> Self {
        let why = match reason {
            ChannelDisabledReason::Person => "A person disabled it.",
            ChannelDisabledReason::Removed => "It answered that it will never accept a message again.",
            ChannelDisabledReason::Failing => "Every message of the last five days failed.",
        };
        let (kind, name) = (channel.kind, &channel.name);
        let text =
            format!("The alert channel \"{name}\" ({kind}) in the workspace \"{workspace}\" was disabled. {why}");
        let then = "Once it works, enable it with EnableAlertChannel. No alerts are sent to it until then.".to_owned();
        Self::new(format!("An alert channel was disabled in {workspace}"), text).adding(Some(then))
    }

    pub(crate) fn key_ends(workspace: &str, key: &ApiKey, at: Timestamp) -> Self {
        let end = key.expires_at.map(|end| end.to_string()).unwrap_or_default();
        let (subject, verb) = if key.is_live(at) {
            ("An API key of yours ends soon", "is refused from")
        } else {
            ("An API key of yours has ended", "has been refused since")
        };
        let text = format!("Your API key {} in the workspace \"{workspace}\" {verb} {end}.", known(key));
        let then =
            "If it is still needed, give it a later end with UpdateAPIKey before that, or replace it by a new one."
                .to_owned();
        Self::new(subject.to_owned(), text).adding(key.is_live(at).then_some(then))
    }

    pub(crate) fn key_leaked(workspace: &str, key: &ApiKey) -> Self {
        let text = format!(
            "Someone found the secret of the API key {} in the workspace \"{workspace}\" and reported it. It was revoked at once.",
            known(key)
        );
        let then = "Find out how it got out, and what was done with it; then make another one.".to_owned();
        Self::new("A leaked API key was revoked".to_owned(), text).adding(Some(then))
    }

    pub(crate) fn key_revoked(workspace: &str, key: &ApiKey, reason: Option<&ReasonText>) -> Self {
        let text = format!("Your API key {} in the workspace \"{workspace}\" was revoked.", known(key));
        Self::new("An API key of yours was revoked".to_owned(), text)
            .adding(reason.map(|reason| format!("The reason that was given: {reason}")))
    }

    pub(crate) fn key_rotated(workspace: &str, old: &ApiKey, new: &ApiKey) -> Self {
        let text = format!(
            "Your API key {} in the workspace \"{workspace}\" was replaced by {}…, which can do the same.",
            known(old),
            new.prefix
        );
        let end = old.expires_at.map(|end| format!("The old one is refused from {end} on."));
        Self::new("An API key of yours was replaced".to_owned(), text).adding(end)
    }

    pub(crate) fn member_left(workspace: &str, member: &str, keys: &[ApiKey]) -> Self {
        let text = format!("{member} left the workspace \"{workspace}\".");
        Self::new(format!("{member} left {workspace}"), text).adding(ended(keys))
    }

    pub(crate) fn member_reinstated(workspace: &str) -> Self {
        let text = format!("You are a member of the workspace \"{workspace}\" again, and your API keys work again.");
        Self::new(format!("Your membership of {workspace} was reinstated"), text)
    }

    pub(crate) fn member_removed(workspace: &str, keys: &[ApiKey]) -> Self {
        let text = format!("You are no longer a member of the workspace \"{workspace}\".");
        Self::new(format!("Your membership of {workspace} ended"), text).adding(ended(keys))
    }

    pub(crate) fn member_was_removed(workspace: &str, member: &str, keys: &[ApiKey]) -> Self {
        let text = format!("{member} was removed from the workspace \"{workspace}\".");
        Self::new(format!("{member} was removed from {workspace}"), text).adding(ended(keys))
    }

    pub(crate) fn member_suspended(workspace: &str) -> Self {
        let text = format!(
            "Your membership of the workspace \"{workspace}\" is suspended: until it is reinstated, you and your API keys have no rights in it."
        );
        Self::new(format!("Your membership of {workspace} is suspended"), text)
    }

    pub(crate) fn ownership_transferred(workspace: &str) -> Self {
        let text = format!(
            "The workspace \"{workspace}\" has another owner. Who owned it is an admin of it now; nothing else has changed."
        );
        Self::new(format!("{workspace} has another owner"), text)
    }

    pub(crate) fn rights_changed(workspace: &str, membership: &Membership) -> Self {
        let rights: Vec<&str> = membership.role.policies(membership.policies).iter().map(Policy::name).collect();
        let rights = if rights.is_empty() { "no policy".to_owned() } else { rights.join(", ") };
        let role = match membership.role {
            Role::Member => "member",
            Role::Admin => "admin",
            Role::Owner => "owner",
        };
        let text = format!("In the workspace \"{workspace}\" you are {role} now, with {rights}.");
        let keys = "Your API keys there can do as much of what they hold as you can.".to_owned();
        Self::new(format!("Your rights in {workspace} changed"), text).adding(Some(keys))
    }
}

/// Notices about what ends as a whole.
impl Notice {
    pub(crate) fn password_suspended() -> Self {
        let text = format!(
            "Someone tried {MOST_WRONG_PASSWORDS} wrong passwords at your account, one after the other. The password no longer \
             signs in until you set a new one, except from a device where you have signed in lately. Passkeys, sessions \
             and API keys go on working."
        );
        let then = "To set a new one, ask for the link that replaces a forgotten password.".to_owned();
        Self::new("Your password was suspended".to_owned(), text).adding(Some(then))
    }

    pub(crate) fn reset_link_issued() -> Self {
        let text = "The operator of tradepost made a link by which a new password can be set for your account, and ended every \
                    session. If you did not ask the operator for it, report this to them at once."
            .to_owned();
        Self::new("A link for a new password was made".to_owned(), text)
    }

    pub(crate) fn second_factors_reset() -> Self {
        let text = "The operator of tradepost took the authenticator app, the recovery codes and the passkeys of your account \
                    away and ended every session. Your password alone signs in now: enrol a second factor again. If you did not \
                    ask the operator for it, report this to them at once."
            .to_owned();
        Self::new("Your second factors were taken away".to_owned(), text)
    }

    pub(crate) fn user_deleted() -> Self {
        let text =
            "Your account was deleted. You have left every workspace, your API keys and sessions have ended, and your \
                    address and name are no longer stored."
                .to_owned();
        Self::new("Your account was deleted".to_owned(), text)
    }

    pub(crate) fn workspace_deleted(workspace: &Workspace) -> Self {
        let (name, id) = (&workspace.name, workspace.id);
        let text = format!("The workspace \"{name}\" was deleted by its owner. All its API keys were revoked.");
        let until = workspace.restorable_until().map(|until| {
            format!("Until {until} its owner can restore it by calling RestoreWorkspace with the workspace {id}.")
        });
        Self::new(format!("{name} was deleted"), text).adding(until)
    }

    pub(crate) fn workspace_restored(workspace: &Workspace) -> Self {
        let name = &workspace.name;
        let text = format!(
            "The workspace \"{name}\" was restored by its owner. You are in it as before; its API keys stay revoked."
        );
        Self::new(format!("{name} was restored"), text)
    }
}

/// Returns the sentence about keys that ended with a membership.
fn ended(keys: &[ApiKey]) -> Option<String> {
    let names: Vec<String> = keys.iter().map(known).collect();
    if names.is_empty() { None } else { Some(format!("These API keys were revoked with it: {}.", names.join(", "))) }
}

/// Returns a key as its owner knows it.
pub(super) fn known(key: &ApiKey) -> String {
    format!("\"{}\" ({}…)", key.name, key.prefix)
}
