//! The messages of Steam's methods that the driver calls, with the fields that it uses. Numbers and types are those of
//! `steammessages_auth.steamclient.proto`, `service_twofactor.proto` and `steammessages_friendmessages.steamclient.proto`. A field with its
//! default value is not sent, and a missing one has that value.
//!
//! None of them has `Debug`, because most hold a password, a code, a token or what people wrote.

use prost::Message;

/// Asks for the key by which a password is encrypted. An unknown login name has one as well.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct KeyRequest {
    #[prost(string, tag = "1")]
    pub(crate) account_name: String,
}

/// The key of passwords.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct KeyAnswer {
    /// In hexadecimal digits, as the exponent.
    #[prost(string, tag = "1")]
    pub(crate) modulus: String,
    #[prost(string, tag = "2")]
    pub(crate) exponent: String,
    /// Which key it is.
    #[prost(uint64, tag = "3")]
    pub(crate) timestamp: u64,
}

/// Begins a sign-in.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct BeginRequest {
    #[prost(string, tag = "1")]
    pub(crate) device_friendly_name: String,
    #[prost(string, tag = "2")]
    pub(crate) account_name: String,
    #[prost(string, tag = "3")]
    pub(crate) encrypted_password: String,
    #[prost(uint64, tag = "4")]
    pub(crate) encryption_timestamp: u64,
    #[prost(int32, tag = "7")]
    pub(crate) persistence: i32,
    #[prost(string, tag = "8")]
    pub(crate) website_id: String,
    #[prost(message, optional, tag = "9")]
    pub(crate) device_details: Option<DeviceDetails>,
}

/// What signs in. Its owner sees the name in the list of devices.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct DeviceDetails {
    #[prost(string, tag = "1")]
    pub(crate) device_friendly_name: String,
    #[prost(int32, tag = "2")]
    pub(crate) platform_type: i32,
}

/// A sign-in that was begun.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct BeginAnswer {
    #[prost(uint64, tag = "1")]
    pub(crate) client_id: u64,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) request_id: Vec<u8>,
    /// The seconds between two polls.
    #[prost(float, optional, tag = "3")]
    pub(crate) interval: Option<f32>,
    #[prost(message, repeated, tag = "4")]
    pub(crate) allowed_confirmations: Vec<AllowedConfirmation>,
    #[prost(uint64, tag = "5")]
    pub(crate) steamid: u64,
}

/// One proof of several, any of which suffices.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct AllowedConfirmation {
    #[prost(int32, tag = "1")]
    pub(crate) confirmation_type: i32,
    /// For a mail, where it was sent.
    #[prost(string, tag = "2")]
    pub(crate) associated_message: String,
}

/// Gives a code to a sign-in.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct CodeRequest {
    #[prost(uint64, tag = "1")]
    pub(crate) client_id: u64,
    #[prost(fixed64, tag = "2")]
    pub(crate) steamid: u64,
    #[prost(string, tag = "3")]
    pub(crate) code: String,
    #[prost(int32, tag = "4")]
    pub(crate) code_type: i32,
}

/// Asks for the tokens of a sign-in.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct PollRequest {
    #[prost(uint64, tag = "1")]
    pub(crate) client_id: u64,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) request_id: Vec<u8>,
}

/// The tokens of a sign-in; none while it waits.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct PollAnswer {
    #[prost(string, tag = "3")]
    pub(crate) refresh_token: String,
    #[prost(string, tag = "4")]
    pub(crate) access_token: String,
}

/// Asks for an access token.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct GenerateRequest {
    #[prost(string, tag = "1")]
    pub(crate) refresh_token: String,
    #[prost(fixed64, tag = "2")]
    pub(crate) steamid: u64,
    /// 1 where the refresh token may be renewed too, 0 where it is kept.
    #[prost(int32, tag = "3")]
    pub(crate) renewal_type: i32,
}

/// An access token.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct GenerateAnswer {
    #[prost(string, tag = "1")]
    pub(crate) access_token: String,
    /// The renewed refresh token; empty where it is kept.
    #[prost(string, tag = "2")]
    pub(crate) refresh_token: String,
}

/// Ends a session.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct RevokeRequest {
    #[prost(string, tag = "1")]
    pub(crate) token: String,
    #[prost(int32, tag = "2")]
    pub(crate) revoke_action: i32,
}

/// The answer of a method that has a result alone.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct Nothing {}

/// Asks for the authenticator of an account.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct AuthenticatorRequest {
    #[prost(fixed64, tag = "1")]
    pub(crate) steamid: u64,
}

/// The authenticator of an account.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct AuthenticatorAnswer {
    /// 1 where it is active.
    #[prost(uint32, tag = "1")]
    pub(crate) state: u32,
    /// In seconds since 1970, as the time of its transfer to another device.
    #[prost(uint32, tag = "9")]
    pub(crate) time_created: u32,
    #[prost(uint32, tag = "13")]
    pub(crate) time_transferred: u32,
}

/// The conversations of an account. Its request is [`Nothing`].
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct SessionsAnswer {
    #[prost(message, repeated, tag = "1")]
    pub(crate) sessions: Vec<MessageSession>,
}

/// A conversation.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct MessageSession {
    /// The short number of the partner.
    #[prost(uint32, tag = "1")]
    pub(crate) accountid_friend: u32,
    /// When the last message was sent, in seconds since 1970.
    #[prost(uint32, tag = "2")]
    pub(crate) last_message: u32,
    #[prost(uint32, tag = "4")]
    pub(crate) unread_count: u32,
}

/// Asks for messages between two accounts: the newest, or those before one of them.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct RecentMessagesRequest {
    #[prost(fixed64, tag = "1")]
    pub(crate) steamid1: u64,
    #[prost(fixed64, tag = "2")]
    pub(crate) steamid2: u64,
    #[prost(uint32, tag = "3")]
    pub(crate) count: u32,
    /// Whether markup is answered as it was written.
    #[prost(bool, tag = "6")]
    pub(crate) bbcode_format: bool,
    /// The place of the message before which the page ends: its time, and its number within that second.
    #[prost(uint32, tag = "8")]
    pub(crate) time_last: u32,
    #[prost(uint32, tag = "9")]
    pub(crate) ordinal_last: u32,
}

/// A page of messages.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct RecentMessagesAnswer {
    #[prost(message, repeated, tag = "1")]
    pub(crate) messages: Vec<RecentMessage>,
    #[prost(bool, tag = "4")]
    pub(crate) more_available: bool,
}

/// A message.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct RecentMessage {
    /// The short number of the account that wrote it.
    #[prost(uint32, tag = "1")]
    pub(crate) accountid: u32,
    /// In seconds since 1970.
    #[prost(uint32, tag = "2")]
    pub(crate) timestamp: u32,
    #[prost(string, tag = "3")]
    pub(crate) message: String,
    /// Its number within that second.
    #[prost(uint32, tag = "4")]
    pub(crate) ordinal: u32,
}

/// Sends a message.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct SayRequest {
    #[prost(fixed64, tag = "1")]
    pub(crate) steamid: u64,
    /// 1 for a text.
    #[prost(int32, tag = "2")]
    pub(crate) chat_entry_type: i32,
    #[prost(string, tag = "3")]
    pub(crate) message: String,
    /// Whether markup in the text is read. Brackets that are none are escaped then.
    #[prost(bool, tag = "4")]
    pub(crate) contains_bbcode: bool,
    /// Whether the other clients of the account show it.
    #[prost(bool, tag = "5")]
    pub(crate) echo_to_sender: bool,
    /// What the client knows it by. Whether Steam sends one of these once is not known.
    #[prost(string, tag = "8")]
    pub(crate) client_message_id: String,
}

/// A message that was sent.
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct SayAnswer {
    /// When Steam received it, in seconds since 1970.
    #[prost(uint32, tag = "2")]
    pub(crate) server_timestamp: u32,
    /// Its number within that second.
    #[prost(uint32, tag = "3")]
    pub(crate) ordinal: u32,
}

/// Marks a conversation as read. Its answer is [`Nothing`].
#[derive(Message)]
#[prost(skip_debug)]
pub(crate) struct ReadMarkRequest {
    #[prost(fixed64, tag = "1")]
    pub(crate) steamid_partner: u64,
    /// Until when, in seconds since 1970.
    #[prost(uint32, tag = "2")]
    pub(crate) timestamp: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_the_numbers_and_types_of_the_definition() {
        let code = CodeRequest { client_id: 300, steamid: 2, code: "AB".to_owned(), code_type: 3 };
        let steamid = [0x11, 2, 0, 0, 0, 0, 0, 0, 0];
        let expected = [&[0x08, 0xac, 0x02][..], &steamid, &[0x1a, 2, b'A', b'B'], &[0x20, 3]].concat();
        assert_eq!(code.encode_to_vec(), expected);
        let generate = GenerateRequest { refresh_token: "r".to_owned(), steamid: 2, renewal_type: 1 };
        assert_eq!(generate.encode_to_vec(), [&[0x0a, 1, b'r'][..], &steamid, &[0x18, 1]].concat());
        let revoke = RevokeRequest { token: "r".to_owned(), revoke_action: 1 };
        assert_eq!(revoke.encode_to_vec(), [0x0a, 1, b'r', 0x10, 1]);
    }

    #[test]
    fn a_request_for_messages_has_the_numbers_and_types_of_the_definition() {
        let newest = RecentMessagesRequest {
            steamid1: 2,
            steamid2: 3,
            count: 50,
            bbcode_format: true,
            ..RecentMessagesRequest::default()
        };
        let ids = [0x09, 2, 0, 0, 0, 0, 0, 0, 0, 0x11, 3, 0, 0, 0, 0, 0, 0, 0];
        let of_newest = [&ids[..], &[0x18, 50, 0x30, 1]].concat();
        assert_eq!(newest.encode_to_vec(), of_newest);
        let older = RecentMessagesRequest { time_last: 300, ordinal_last: 1, ..newest };
        assert_eq!(older.encode_to_vec(), [&of_newest[..], &[0x40, 0xac, 0x02, 0x48, 1]].concat());
    }

    #[test]
    fn a_message_that_is_sent_has_the_numbers_and_types_of_the_definition() {
        let say = SayRequest {
            steamid: 2,
            chat_entry_type: 1,
            message: "hi".to_owned(),
            contains_bbcode: true,
            echo_to_sender: true,
            client_message_id: "c".to_owned(),
        };
        let steamid = [0x09, 2, 0, 0, 0, 0, 0, 0, 0];
        let rest = [0x10, 1, 0x1a, 2, b'h', b'i', 0x20, 1, 0x28, 1, 0x42, 1, b'c'];
        assert_eq!(say.encode_to_vec(), [&steamid[..], &rest].concat());
        let mark = ReadMarkRequest { steamid_partner: 2, timestamp: 300 };
        assert_eq!(mark.encode_to_vec(), [&steamid[..], &[0x10, 0xac, 0x02]].concat());
        let sent = SayAnswer::decode([0x0a, 1, b'm', 0x10, 0xac, 0x02, 0x18, 1].as_slice()).unwrap();
        assert_eq!((sent.server_timestamp, sent.ordinal), (300, 1));
    }

    #[test]
    fn a_begun_sign_in_is_read_with_its_proofs() {
        let interval = [&[0x1d][..], &5.0_f32.to_le_bytes()].concat();
        let proof = [0x22, 4, 0x08, 2, 0x12, 0];
        let body = [&[0x08, 7, 0x12, 2, 1, 2][..], &interval[..], &proof, &[0x28, 9], &[0x32, 1, b'w']].concat();
        let begun = BeginAnswer::decode(body.as_slice()).unwrap();
        assert_eq!((begun.client_id, begun.request_id.as_slice(), begun.steamid), (7, [1, 2].as_slice(), 9));
        assert_eq!(begun.interval.map(f32::to_bits), Some(5.0_f32.to_bits()));
        let types: Vec<i32> = begun.allowed_confirmations.iter().map(|allowed| allowed.confirmation_type).collect();
        assert_eq!(types, [2]);
    }

    #[test]
    fn what_is_missing_in_an_answer_has_its_default() {
        let polled = PollAnswer::decode([].as_slice()).unwrap();
        assert!(polled.refresh_token.is_empty() && polled.access_token.is_empty());
    }
}
