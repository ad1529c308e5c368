//! Users and the identities linked to them on the wire.

use tradepost_domain::accounts::user::{LinkedIdentity, User};

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::accounts::v1 as wire;

pub(crate) fn user(user: &User) -> wire::User {
    wire::User {
        id: Some(wire_id(user.id)),
        display_name: Some(user.display_name.to_string()),
        email: Some(user.email.as_ref().map(|email| email.as_str().to_owned()).unwrap_or_default()),
        created_at: wire_time(user.created_at).into(),
        updated_at: wire_time(user.updated_at).into(),
        locale: Some(user.preferences.locale.as_ref().map(ToString::to_string).unwrap_or_default()),
        timezone: Some(user.preferences.time_zone.as_ref().map(ToString::to_string).unwrap_or_default()),
    }
}

/// A user, as others see them.
pub(crate) fn fellow(user: &User) -> wire::Fellow {
    wire::Fellow { id: Some(wire_id(user.id)), display_name: Some(user.display_name.to_string()) }
}

pub(crate) fn linked_identity(identity: &LinkedIdentity) -> wire::LinkedIdentity {
    wire::LinkedIdentity {
        id: Some(wire_id(identity.id)),
        provider: Some(identity.provider.as_str().to_owned()),
        linked_at: wire_time(identity.linked_at).into(),
    }
}

pub(crate) fn linked_account(identity: &LinkedIdentity) -> wire::LinkedAccount {
    wire::LinkedAccount {
        id: Some(wire_id(identity.id)),
        provider: Some(identity.provider.to_wire()),
        subject: Some(identity.subject.to_string()),
        linked_at: wire_time(identity.linked_at).into(),
    }
}
