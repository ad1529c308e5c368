//! Enums of friends, chats and confirmations.

use buffa::EnumValue;
use tradepost_domain::trading::chat::MessageStatus;
use tradepost_domain::trading::confirmation::{ConfirmationKind, ConfirmationStatus};
use tradepost_domain::trading::friend::{ActionState, FriendAction, FriendRelation};

use super::WireEnum;
use tradepost_proto::trading;

wire_enum!(FriendRelation, trading::v1::FriendRelation, FRIEND_RELATION_UNSPECIFIED:
    TheyAsked = FRIEND_RELATION_THEY_ASKED,
    WeAsked = FRIEND_RELATION_WE_ASKED,
    Friend = FRIEND_RELATION_FRIEND,
    Blocked = FRIEND_RELATION_BLOCKED,
    Ignored = FRIEND_RELATION_IGNORED,
    None = FRIEND_RELATION_NONE,
);

wire_enum!(FriendAction, trading::v1::FriendAction, FRIEND_ACTION_UNSPECIFIED:
    Add = FRIEND_ACTION_ADD,
    Accept = FRIEND_ACTION_ACCEPT,
    Remove = FRIEND_ACTION_REMOVE,
    Block = FRIEND_ACTION_BLOCK,
    Unblock = FRIEND_ACTION_UNBLOCK,
);

wire_enum!(ActionState, trading::v1::FriendActionState, FRIEND_ACTION_STATE_UNSPECIFIED:
    Requested = FRIEND_ACTION_STATE_REQUESTED,
    Uncertain = FRIEND_ACTION_STATE_UNCERTAIN,
    Done = FRIEND_ACTION_STATE_DONE,
    Failed = FRIEND_ACTION_STATE_FAILED,
);

wire_enum!(MessageStatus, trading::v1::ChatMessageStatus, CHAT_MESSAGE_STATUS_UNSPECIFIED:
    Received = CHAT_MESSAGE_STATUS_RECEIVED,
    Draft = CHAT_MESSAGE_STATUS_DRAFT,
    Sent = CHAT_MESSAGE_STATUS_SENT,
    Uncertain = CHAT_MESSAGE_STATUS_UNCERTAIN,
    Failed = CHAT_MESSAGE_STATUS_FAILED,
);

wire_enum!(ConfirmationKind, trading::v1::ConfirmationKind, CONFIRMATION_KIND_UNSPECIFIED:
    TradeOffer = CONFIRMATION_KIND_TRADE_OFFER,
    MarketListing = CONFIRMATION_KIND_MARKET_LISTING,
    ApiKey = CONFIRMATION_KIND_API_KEY,
    Phone = CONFIRMATION_KIND_PHONE,
    Recovery = CONFIRMATION_KIND_RECOVERY,
    Family = CONFIRMATION_KIND_FAMILY,
    Other = CONFIRMATION_KIND_OTHER,
);

wire_enum!(ConfirmationStatus, trading::v1::ConfirmationStatus, CONFIRMATION_STATUS_UNSPECIFIED:
    Seen = CONFIRMATION_STATUS_SEEN,
    Matched = CONFIRMATION_STATUS_MATCHED,
    Allowing = CONFIRMATION_STATUS_ALLOWING,
    Allowed = CONFIRMATION_STATUS_ALLOWED,
    Denying = CONFIRMATION_STATUS_DENYING,
    Denied = CONFIRMATION_STATUS_DENIED,
    Vanished = CONFIRMATION_STATUS_VANISHED,
    Uncertain = CONFIRMATION_STATUS_UNCERTAIN,
    Strange = CONFIRMATION_STATUS_STRANGE,
);
