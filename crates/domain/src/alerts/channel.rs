//! An alert channel: where messages go. What is secret of it is stored separately, sealed.

use crate::id::{AlertChannelId, UserId, WorkspaceId};
use crate::names::names;
use crate::text::{Name, Text};
use crate::time::Timestamp;

/// The most channels of a workspace, and of each member.
pub const MOST_CHANNELS: usize = 20;

/// A kind of channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelKind {
    /// Mail to the verified address of a member.
    Mail = 1,
    /// A chat of a Telegram bot.
    Telegram = 2,
    /// A channel of Discord, by its webhook.
    Discord = 3,
    /// A receiver of signed webhooks.
    Webhook = 4,
    /// A URL that is called while the engine is well.
    Heartbeat = 5,
}

names! { ChannelKind, "kind of an alert channel":
    Mail => "MAIL",
    Telegram => "TELEGRAM",
    Discord => "DISCORD",
    Webhook => "WEBHOOK",
    Heartbeat => "HEARTBEAT",
}

/// Whether messages are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelStatus {
    /// They are.
    Active = 1,
    /// They are not, until it is enabled.
    Disabled = 2,
}

names! { ChannelStatus, "status of an alert channel":
    Active => "ACTIVE",
    Disabled => "DISABLED",
}

/// Why a channel is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelDisabledReason {
    /// A person disabled it.
    Person = 1,
    /// It will never accept a message again.
    Removed = 2,
    /// Every try failed for days.
    Failing = 3,
}

names! { ChannelDisabledReason, "reason of a disabled alert channel":
    Person => "PERSON",
    Removed => "REMOVED",
    Failing => "FAILING",
}

/// What may be shown of the target of a channel.
pub type ChannelTarget = Text<500>;

/// A channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertChannel {
    /// Its own id.
    pub id: AlertChannelId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The member whose own channel it is; absent for a channel of the workspace.
    pub user_id: Option<UserId>,
    /// The kind.
    pub kind: ChannelKind,
    /// The name.
    pub name: Name,
    /// What may be shown of the target; absent for mail.
    pub target: Option<ChannelTarget>,
    /// The last characters of the secret; absent for mail.
    pub secret_hint: Option<Text<4>>,
    /// Whether messages are sent.
    pub status: ChannelStatus,
    /// Why they are not.
    pub disabled_reason: Option<ChannelDisabledReason>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What is to change of a channel; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChannelChange {
    /// Another name.
    pub name: Option<Name>,
    /// Another target.
    pub target: Option<ChannelTarget>,
    /// Another secret, by its last characters.
    pub secret_hint: Option<Text<4>>,
}

/// A channel has the status already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an alert channel that is {0} cannot be {0} once more")]
pub struct ChannelStatusUnchanged(pub ChannelStatus);

impl AlertChannel {
    /// Returns whether messages are sent.
    pub const fn is_active(&self) -> bool {
        matches!(self.status, ChannelStatus::Active)
    }

    /// Changes what a user may change.
    #[must_use]
    pub fn change(self, change: ChannelChange, at: Timestamp) -> Self {
        Self {
            name: change.name.unwrap_or(self.name),
            target: change.target.or(self.target),
            secret_hint: change.secret_hint.or(self.secret_hint),
            updated_at: at.max(self.updated_at),
            ..self
        }
    }

    /// Stops messages.
    ///
    /// # Errors
    /// [`ChannelStatusUnchanged`] when they are stopped.
    pub fn disable(self, reason: ChannelDisabledReason, at: Timestamp) -> Result<Self, ChannelStatusUnchanged> {
        self.step(ChannelStatus::Disabled, Some(reason), at)
    }

    /// Resumes messages.
    ///
    /// # Errors
    /// [`ChannelStatusUnchanged`] when they are sent.
    pub fn enable(self, at: Timestamp) -> Result<Self, ChannelStatusUnchanged> {
        self.step(ChannelStatus::Active, None, at)
    }

    fn step(
        self,
        status: ChannelStatus,
        disabled_reason: Option<ChannelDisabledReason>,
        at: Timestamp,
    ) -> Result<Self, ChannelStatusUnchanged> {
        if self.status == status {
            return Err(ChannelStatusUnchanged(status));
        }
        Ok(Self { status, disabled_reason, updated_at: at.max(self.updated_at), ..self })
    }
}
