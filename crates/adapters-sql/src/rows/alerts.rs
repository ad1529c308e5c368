//! Rows of alerts.

pub(crate) mod channel;
pub(crate) mod message;
pub(crate) mod progress;
pub(crate) mod rule;

use tradepost_domain::id::UserId;
use uuid::Uuid;

use crate::rows::{id, uuid};

/// The owner of a channel as it is stored: zeros for the workspace, so that one index finds both.
pub(crate) fn owner(user: Option<UserId>) -> Uuid {
    user.map_or(Uuid::nil(), uuid)
}

/// The member whose own channel it is.
fn member(owner: Uuid) -> Option<UserId> {
    Some(owner).filter(|owner| !owner.is_nil()).map(id)
}
