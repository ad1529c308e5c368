//! The messages of signing in and of chats, and where a request has its message.
//!
//! Fields as in `github.com/dyc3/steamguard-cli` (`steammessages_auth.steamclient.proto`, `service_twofactor.proto`);
//! those of chats as in public clients that use chats over HTTP (copies 55855999058 and 55640030174), and as in
//! `github.com/DoctorMcKay/node-steam-user` (`steammessages_friendmessages.steamclient.proto`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::facade::Asked;
use crate::protobuf::{self, Field, Kind, many, one};

/// The parameter that is a message.
const PARAMETER: &str = "input_protobuf_encoded";

pub(super) const KEY_REQUEST: &[Field] = &[one(1, "account_name", Kind::Text)];
pub(super) const KEY: &[Field] =
    &[one(1, "publickey_mod", Kind::Text), one(2, "publickey_exp", Kind::Text), one(3, "timestamp", Kind::Number)];

const DEVICE: &[Field] = &[
    one(1, "device_friendly_name", Kind::Text),
    one(2, "platform_type", Kind::Number),
    one(3, "os_type", Kind::Number),
    one(4, "gaming_device_type", Kind::Number),
    one(6, "machine_id", Kind::Bytes),
];
pub(super) const BEGIN_REQUEST: &[Field] = &[
    one(1, "device_friendly_name", Kind::Text),
    one(2, "account_name", Kind::Text),
    one(3, "encrypted_password", Kind::Text),
    one(4, "encryption_timestamp", Kind::Number),
    one(5, "remember_login", Kind::Bool),
    one(6, "platform_type", Kind::Number),
    one(7, "persistence", Kind::Number),
    one(8, "website_id", Kind::Text),
    one(9, "device_details", Kind::Message(DEVICE)),
    one(10, "guard_data", Kind::Text),
    one(11, "language", Kind::Number),
    one(12, "qos_level", Kind::Number),
];
const CONFIRMATION: &[Field] = &[one(1, "confirmation_type", Kind::Number), one(2, "associated_message", Kind::Text)];
pub(super) const BEGIN: &[Field] = &[
    one(1, "client_id", Kind::Number),
    one(2, "request_id", Kind::Bytes),
    one(3, "interval", Kind::Float),
    many(4, "allowed_confirmations", Kind::Message(CONFIRMATION)),
    one(5, "steamid", Kind::Number),
    one(6, "weak_token", Kind::Text),
    one(7, "agreement_session_url", Kind::Text),
    one(8, "extended_error_message", Kind::Text),
];

pub(super) const CODE_REQUEST: &[Field] = &[
    one(1, "client_id", Kind::Number),
    one(2, "steamid", Kind::Fixed64),
    one(3, "code", Kind::Text),
    one(4, "code_type", Kind::Number),
];
pub(super) const CODE: &[Field] = &[one(7, "agreement_session_url", Kind::Text)];

pub(super) const POLL_REQUEST: &[Field] =
    &[one(1, "client_id", Kind::Number), one(2, "request_id", Kind::Bytes), one(3, "token_to_revoke", Kind::Fixed64)];
pub(super) const POLL: &[Field] = &[
    one(1, "new_client_id", Kind::Number),
    one(2, "new_challenge_url", Kind::Text),
    one(3, "refresh_token", Kind::Text),
    one(4, "access_token", Kind::Text),
    one(5, "had_remote_interaction", Kind::Bool),
    one(6, "account_name", Kind::Text),
    one(7, "new_guard_data", Kind::Text),
    one(8, "agreement_session_url", Kind::Text),
];

pub(super) const RENEWAL_REQUEST: &[Field] =
    &[one(1, "refresh_token", Kind::Text), one(2, "steamid", Kind::Fixed64), one(3, "renewal_type", Kind::Number)];
pub(super) const RENEWAL: &[Field] = &[one(1, "access_token", Kind::Text), one(2, "refresh_token", Kind::Text)];

pub(super) const REVOCATION_REQUEST: &[Field] = &[one(1, "token", Kind::Text), one(2, "revoke_action", Kind::Number)];
pub(super) const REVOCATION: &[Field] = &[];

pub(super) const AUTHENTICATOR_REQUEST: &[Field] = &[one(1, "steamid", Kind::Fixed64)];
pub(super) const AUTHENTICATOR: &[Field] = &[
    one(1, "state", Kind::Number),
    one(2, "inactivation_reason", Kind::Number),
    one(3, "authenticator_type", Kind::Number),
    one(4, "authenticator_allowed", Kind::Bool),
    one(5, "steamguard_scheme", Kind::Number),
    one(6, "token_gid", Kind::Text),
    one(7, "email_validated", Kind::Bool),
    one(8, "device_identifier", Kind::Text),
    one(9, "time_created", Kind::Number),
    one(10, "revocation_attempts_remaining", Kind::Number),
    one(11, "classified_agent", Kind::Text),
    one(12, "allow_external_authenticator", Kind::Bool),
    one(13, "time_transferred", Kind::Number),
    one(14, "version", Kind::Number),
];

/// What a client may narrow the conversations by is not known.
pub(super) const CONVERSATIONS_REQUEST: &[Field] = &[];
const CONVERSATION: &[Field] = &[
    one(1, "accountid_friend", Kind::Number),
    one(2, "last_message", Kind::Number),
    one(3, "last_view", Kind::Number),
    one(4, "unread_count", Kind::Number),
];
pub(super) const CONVERSATIONS: &[Field] = &[many(1, "sessions", Kind::Message(CONVERSATION))];

pub(super) const RECENT_REQUEST: &[Field] = &[
    one(1, "steamid1", Kind::Fixed64),
    one(2, "steamid2", Kind::Fixed64),
    one(3, "count", Kind::Number),
    one(4, "most_recent", Kind::Bool),
    one(5, "rtime32_start_time", Kind::Fixed32),
    one(6, "bbcode", Kind::Bool),
    one(7, "start_ordinal", Kind::Number),
    one(8, "time_last", Kind::Number),
    one(9, "ordinal_last", Kind::Number),
];
const SAID: &[Field] = &[
    one(1, "accountid", Kind::Number),
    one(2, "timestamp", Kind::Number),
    one(3, "message", Kind::Text),
    one(4, "ordinal", Kind::Number),
];
pub(super) const RECENT: &[Field] = &[many(1, "messages", Kind::Message(SAID)), one(4, "more_available", Kind::Bool)];

pub(super) const SAY_REQUEST: &[Field] = &[
    one(1, "steamid", Kind::Fixed64),
    one(2, "chat_entry_type", Kind::Number),
    one(3, "message", Kind::Text),
    one(4, "contains_bbcode", Kind::Bool),
    one(5, "echo_to_sender", Kind::Bool),
    one(6, "low_priority", Kind::Bool),
    one(8, "client_message_id", Kind::Text),
];
pub(super) const SAY: &[Field] = &[
    one(1, "modified_message", Kind::Text),
    one(2, "server_timestamp", Kind::Number),
    one(3, "ordinal", Kind::Number),
    one(4, "message_without_bb_code", Kind::Text),
];
pub(super) const READ_MARK_REQUEST: &[Field] =
    &[one(1, "steamid_partner", Kind::Fixed64), one(2, "timestamp", Kind::Number)];
pub(super) const READ_MARK: &[Field] = &[];

/// The message of a request: in its query, or in the form that its body is. `None` for a request without a message of these fields.
pub(super) fn of_request(asked: &Asked, fields: &[Field]) -> Option<Value> {
    let text = if asked.route.starts_with("GET ") {
        asked.query.get(PARAMETER)?.clone()
    } else {
        let (_, text) = form_urlencoded::parse(&asked.body).find(|(name, _)| name == PARAMETER)?;
        text.into_owned()
    };
    protobuf::decode(&STANDARD.decode(text).ok()?, fields)
}

/// A request of a client that sends a message so.
#[cfg(test)]
pub(super) fn request(route: &'static str, message: &Value, fields: &[Field]) -> Asked {
    let text = STANDARD.encode(protobuf::encode(message, fields));
    if route.starts_with("GET ") {
        return Asked { route, query: [(PARAMETER.to_owned(), text)].into(), ..Asked::default() };
    }
    let form = form_urlencoded::Serializer::new(String::new()).append_pair(PARAMETER, &text).finish();
    Asked { route, body: form.into(), ..Asked::default() }
}
