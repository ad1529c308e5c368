//! Sessions and passkeys on the wire.

use tradepost_domain::accounts::authenticator::Aaguid;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::session::Proof;
use tradepost_operations::Versioned;
use tradepost_operations::accounts::SessionWithUse;

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::accounts::v1 as wire;

pub(crate) fn session(with_use: &SessionWithUse) -> wire::Session {
    let SessionWithUse { session, last_seen_at, expires_at, is_current } = with_use;
    wire::Session {
        id: Some(wire_id(session.id)),
        created_at: wire_time(session.created_at).into(),
        last_seen_at: wire_time(*last_seen_at).into(),
        expires_at: wire_time(*expires_at).into(),
        ip: Some(session.client.map(|client| client.to_string()).unwrap_or_default()),
        user_agent: Some(session.user_agent.as_ref().map(ToString::to_string).unwrap_or_default()),
        methods: session.proofs.iter().map(Proof::to_wire).collect(),
        current: Some(*is_current),
    }
}

pub(crate) fn passkey(Versioned { value: passkey, version }: &Versioned<Passkey>) -> wire::Passkey {
    wire::Passkey {
        id: Some(wire_id(passkey.id)),
        name: Some(passkey.name.to_string()),
        created_at: wire_time(passkey.created_at).into(),
        backed_up: Some(passkey.backed_up),
        authenticator_name: Some(passkey.authenticator.and_then(Aaguid::name).unwrap_or_default().to_owned()),
        last_used_at: passkey.last_used_at.map(wire_time).into(),
        disabled_at: passkey.disabled_at.map(wire_time).into(),
        version: Some(*version),
    }
}
