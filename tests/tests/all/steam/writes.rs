//! Every write of Steam's port with every fault of its route, before the platform acts and after it, by a process that goes on or that ends at any
//! of its calls. What a person asks for is done once or not at all, the record agrees with the platform, and nothing is given that no one has
//! asked for.

mod strikes;
mod table;

use tradepost_domain::trading::friend::FriendRelation;
use tradepost_fakes::LedgerEntry;

use super::mortal::{Among, Death, End};
use strikes::Strike;
use table::{Row, Table};

/// More calls than any process makes until what was asked for is over, and more that change something.
const MOST_CALLS: u64 = 200;
const MOST_WRITES: u64 = 20;

/// A call of the port that changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Write {
    Send,
    /// The answer to the confirmation of what was sent.
    Allow,
    Accept,
    Decline,
    Cancel,
    Deny,
    Renew,
    Social(SocialWrite),
}

/// A change of friends or chats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SocialWrite {
    Add,
    Accept,
    Decline,
    Remove,
    Block,
    Unblock,
    Say,
    MarkRead,
}

impl Write {
    /// Those of trade offers, confirmations and trade URLs.
    const OF_TRADES: [Self; 7] =
        [Self::Send, Self::Allow, Self::Accept, Self::Decline, Self::Cancel, Self::Deny, Self::Renew];

    const fn route(self) -> &'static str {
        match self {
            Self::Send => "POST /tradeoffer/new/send",
            Self::Accept => "POST /tradeoffer/{id}/accept",
            Self::Decline => "POST /tradeoffer/{id}/decline",
            Self::Cancel => "POST /tradeoffer/{id}/cancel",
            Self::Allow | Self::Deny => "GET /mobileconf/ajaxop",
            Self::Renew => "GET /IEconService/GetTradeOfferAccessToken/v1/",
            Self::Social(write) => write.route(),
        }
    }

    /// The card of the refusals that are known of it.
    const fn refusals(self) -> Option<&'static str> {
        match self {
            Self::Send => Some("steam-community.send.refused"),
            Self::Accept => Some("steam-community.accept.refused"),
            Self::Decline => Some("steam-community.decline.refused"),
            Self::Cancel => Some("steam-community.cancel.refused"),
            Self::Allow | Self::Deny => Some("steam-community.answer.refused"),
            Self::Renew => None,
            Self::Social(write) => Some(write.refusals()),
        }
    }

    /// Whether it is never repeated once it may have had its effect. An answer to a confirmation is, until the platform shows its effect, and so
    /// is the mark of what was read.
    const fn is_made_once(self) -> bool {
        match self {
            Self::Send | Self::Accept | Self::Decline | Self::Cancel | Self::Renew => true,
            Self::Allow | Self::Deny => false,
            Self::Social(write) => !matches!(write, SocialWrite::MarkRead),
        }
    }

    /// Whether a request at the facades is this. A trade URL is replaced by the route by which it is read.
    fn is_call(self, entry: &LedgerEntry) -> bool {
        let is_route = entry.route == self.route();
        is_route && (self != Self::Renew || entry.query.contains("generate_new_token=true"))
    }
}

impl SocialWrite {
    const ALL: [Self; 8] =
        [Self::Add, Self::Accept, Self::Decline, Self::Remove, Self::Block, Self::Unblock, Self::Say, Self::MarkRead];

    const fn route(self) -> &'static str {
        match self {
            Self::Add | Self::Accept => "POST /actions/AddFriendAjax",
            Self::Decline => "POST /actions/IgnoreFriendInviteAjax",
            Self::Remove => "POST /actions/RemoveFriendAjax",
            Self::Block | Self::Unblock => "POST /actions/BlockUserAjax",
            Self::Say => "POST /IFriendMessagesService/SendMessage/v1/",
            Self::MarkRead => "POST /IFriendMessagesService/AckMessage/v1/",
        }
    }

    /// The card of the refusals that are known of it.
    const fn refusals(self) -> &'static str {
        match self {
            Self::Add | Self::Accept => "steam-community.friend-add.refused",
            Self::Decline => "steam-community.friend-ignore.refused",
            Self::Remove => "steam-community.friend-remove.refused",
            Self::Block | Self::Unblock => "steam-community.friend-block.refused",
            Self::Say => "steam-api.say.refused",
            Self::MarkRead => "steam-api.read-mark.refused",
        }
    }

    /// The relation that the account has to the other one before it.
    const fn before(self) -> FriendRelation {
        match self {
            Self::Add => FriendRelation::None,
            Self::Accept | Self::Decline => FriendRelation::TheyAsked,
            Self::Remove | Self::Block | Self::Say | Self::MarkRead => FriendRelation::Friend,
            Self::Unblock => FriendRelation::Blocked,
        }
    }
}

const fn end(among: Among, calls: u64, death: Death) -> Option<End> {
    Some(End { among, calls, death })
}

/// Tries a write with each fault, by a process that goes on and by one that ends at each of its writes; and without a fault by one that ends at
/// each of its calls.
async fn try_everything(write: Write) {
    let mut table = Table::of(write).await;
    let mut rows = 0;
    for strike in Strike::all_of(write, &table.desk.fakes) {
        table.run(&Row { write, strike: Some(strike.clone()), end: None }).await;
        for death in Death::BOTH {
            for calls in 0..MOST_WRITES {
                rows += 1;
                let end = end(Among::Writes, calls, death);
                if !table.run(&Row { write, strike: Some(strike.clone()), end }).await {
                    break;
                }
            }
        }
    }
    for death in Death::BOTH {
        for calls in 0..MOST_CALLS {
            rows += 1;
            if !table.run(&Row { write, strike: None, end: end(Among::Every, calls, death) }).await {
                break;
            }
        }
    }
    println!("{rows} rows");
    assert!(rows > 100, "only {rows} rows were tried");
    table.assert_given_on_request_alone().await;
}

/// Tries a write whose answer is lost, and one whose process ends at it.
async fn try_losses(table: &mut Table, write: Write) {
    for strike in Strike::lost() {
        table.run(&Row { write, strike: Some(strike), end: None }).await;
    }
    // What is confirmed was sent before.
    let calls = u64::from(write == Write::Allow);
    for death in Death::BOTH {
        assert!(table.run(&Row { write, strike: None, end: end(Among::Writes, calls, death) }).await, "{write:?}");
    }
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_or_whose_process_ends_is_made_once_at_most() {
    for write in Write::OF_TRADES {
        let mut table = Table::of(write).await;
        try_losses(&mut table, write).await;
        table.assert_given_on_request_alone().await;
    }
}

#[tokio::test]
async fn a_change_of_friends_or_chats_whose_answer_is_lost_or_whose_process_ends_is_made_once_at_most() {
    let writes = SocialWrite::ALL.map(Write::Social);
    let mut table = Table::of(writes[0]).await;
    for write in writes {
        try_losses(&mut table, write).await;
    }
    table.assert_given_on_request_alone().await;
}

/// Hundreds of rows of each write, minutes: `cargo xtask nightly` tries them.
mod long {
    use super::{SocialWrite, Write, try_everything};

    #[tokio::test]
    async fn whatever_goes_wrong_an_offer_is_sent_once_at_most() {
        try_everything(Write::Send).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_what_was_sent_is_confirmed_or_cancelled() {
        try_everything(Write::Allow).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_an_offer_is_accepted_once_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Accept).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_an_offer_is_declined_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Decline).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_an_offer_is_cancelled_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Cancel).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_a_confirmation_is_denied_or_waits_for_the_person() {
        try_everything(Write::Deny).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_a_trade_address_is_replaced_once_at_most_and_the_valid_one_is_on_record() {
        try_everything(Write::Renew).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_an_account_is_asked_for_friendship_once_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Social(SocialWrite::Add)).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_a_request_for_friendship_is_accepted_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Social(SocialWrite::Accept)).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_a_request_for_friendship_is_declined_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Social(SocialWrite::Decline)).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_a_friendship_is_ended_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Social(SocialWrite::Remove)).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_an_account_is_blocked_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Social(SocialWrite::Block)).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_a_block_is_ended_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Social(SocialWrite::Unblock)).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_a_message_is_sent_once_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Social(SocialWrite::Say)).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_a_conversation_that_was_read_is_marked_as_read() {
        try_everything(Write::Social(SocialWrite::MarkRead)).await;
    }
}
